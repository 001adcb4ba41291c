# SPDX-License-Identifier: MIT
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(triple riscv64-linux-gnu)
set(qemu qemu-riscv64)

# The vector kernels need intrinsics that gcc has from version 14 on, and clang 19 has all of.
if(NOT CMAKE_C_COMPILER)
    find_program(AEADFAST_CLANG NAMES clang-19 clang-20 clang-21)
    if(AEADFAST_CLANG)
        set(CMAKE_C_COMPILER "${AEADFAST_CLANG}")
    endif()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/cross-linux.cmake")
