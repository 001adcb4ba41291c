# SPDX-License-Identifier: MIT
set(CMAKE_SYSTEM_PROCESSOR i686)
set(triple i686-linux-gnu)
# An x86-64 machine runs these programs as they are.
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "^(x86_64|i.86)$")
    set(qemu)
else()
    set(qemu qemu-i386)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/cross-linux.cmake")
