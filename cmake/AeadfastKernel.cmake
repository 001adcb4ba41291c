# SPDX-License-Identifier: MIT
# aeadfast_architecture: which folder of src/ fits the processor that is compiled for.
# aeadfast_kernel: one kernel of that folder.

include(CheckCSourceCompiles)

# Sets ${result} to x86_64, aarch64, riscv or "". The compiler's own macros are asked, since they
# alone are right when cross-compiling, with -m32, or for an unusual ABI: x32 and big-endian AArch64
# get portable code only, and so does a build for two architectures at once.
function(aeadfast_architecture result)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_REQUIRED_QUIET ON)
    set(x86_64 "defined(__x86_64__) && !defined(__ILP32__)")
    set(aarch64 "defined(__aarch64__) && !defined(__AARCH64EB__) && !defined(__ILP32__)")
    set(riscv "defined(__riscv) && __riscv_xlen == 64")
    set(${result} "" PARENT_SCOPE)
    foreach(arch IN ITEMS x86_64 aarch64 riscv)
        check_c_source_compiles(
            "#if !(defined(__GNUC__) && ${${arch}})\n#error\n#endif\ntypedef int some_type;"
            AEADFAST_TARGET_IS_${arch})
        if(AEADFAST_TARGET_IS_${arch})
            set(${result} ${arch} PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

# aeadfast_kernel(chacha20_avx2 BACKEND avx2 FLAGS -mavx2 [HEADER immintrin.h] [SOURCES more.S])
#
# Compiles chacha20_avx2.c of the current folder, and what SOURCES names beside it, with FLAGS, and
# tells src/kernel_list.c so by AEADFAST_HAVE_chacha20_avx2=1. Left out, with a line that says so,
# where AEADFAST_DISABLE_AVX2 is on or the compiler does not know the flags, or the header with
# them. Each kernel is an object library of its own, because flags set on a source file would be
# seen only in the folder that sets them.
function(aeadfast_kernel name)
    cmake_parse_arguments(arg "" "BACKEND;HEADER" "FLAGS;SOURCES" ${ARGN})
    string(TOUPPER ${arg_BACKEND} backend)
    option(AEADFAST_DISABLE_${backend} "Leave out the kernels of the backend ${arg_BACKEND}" OFF)
    if(AEADFAST_DISABLE_${backend})
        message(STATUS "aeadfast: no ${name}: AEADFAST_DISABLE_${backend} is on")
        return()
    endif()

    # One answer in the cache for each set of flags, whichever kernel asks first.
    list(JOIN arg_FLAGS " " flags)
    string(MAKE_C_IDENTIFIER "AEADFAST_COMPILES ${flags} ${arg_HEADER}" compiles)
    set(probe "typedef int some_type;")
    if(arg_HEADER)
        set(probe "#include <${arg_HEADER}>\n${probe}")
    endif()
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_REQUIRED_FLAGS "${flags} -Werror")
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("${probe}" ${compiles})
    if(NOT ${compiles})
        message(STATUS "aeadfast: no ${name}: the compiler does not take ${flags} ${arg_HEADER}")
        return()
    endif()

    set(target aeadfast_${name})
    add_library(${target} OBJECT ${name}.c ${arg_SOURCES})
    aeadfast_compile_library(${target})
    # Without link-time optimisation: it could inline baseline code into code with these flags, or
    # the other way about.
    target_compile_options(${target} PRIVATE ${arg_FLAGS} -fno-lto)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    target_sources(aeadfast PRIVATE $<TARGET_OBJECTS:${target}>)
    set_property(TARGET aeadfast APPEND PROPERTY AEADFAST_KERNELS ${name})
endfunction()
