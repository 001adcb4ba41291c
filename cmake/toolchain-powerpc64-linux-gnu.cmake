# SPDX-License-Identifier: MIT
set(CMAKE_SYSTEM_PROCESSOR ppc64)
set(triple powerpc64-linux-gnu)
set(qemu qemu-ppc64)
include("${CMAKE_CURRENT_LIST_DIR}/cross-linux.cmake")
