# SPDX-License-Identifier: MIT
set(CMAKE_SYSTEM_PROCESSOR arm)
set(triple arm-linux-gnueabihf)
set(qemu qemu-arm)
include("${CMAKE_CURRENT_LIST_DIR}/cross-linux.cmake")
