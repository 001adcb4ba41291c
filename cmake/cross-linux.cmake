# SPDX-License-Identifier: MIT
# What the toolchain files of Linux targets share; each sets CMAKE_SYSTEM_PROCESSOR, `triple` and
# `qemu` first. CMAKE_C_COMPILER may be set to a clang: it finds the sysroot of the cross gcc.

set(CMAKE_SYSTEM_NAME Linux)
if(NOT CMAKE_C_COMPILER)
    set(CMAKE_C_COMPILER ${triple}-gcc)
endif()
set(CMAKE_C_COMPILER_TARGET ${triple})
set(CMAKE_ASM_COMPILER_TARGET ${triple})

# Static programs run under QEMU's user emulation without a sysroot of the target.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
if(qemu)
    find_program(AEADFAST_EMULATOR NAMES ${qemu} ${qemu}-static)
    if(AEADFAST_EMULATOR)
        set(CMAKE_CROSSCOMPILING_EMULATOR "${AEADFAST_EMULATOR}")
    endif()
endif()

# Never the libraries of the machine that builds.
set(CMAKE_FIND_ROOT_PATH /usr/${triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
