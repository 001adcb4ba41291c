# SPDX-License-Identifier: MIT
# aeadfast_architecture: which folder of src/ fits the processor that is compiled for.
# aeadfast_kernel: one kernel of that folder.
# aeadfast_check_kernels: that its lines and the rows of its kernels.h are of the same kernels.

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

# GCC for Windows keeps the stack aligned to 16 bytes and yet spills 256-bit registers with moves
# that fault unless it is aligned to 32 (GCC bug 54412; Debian's GCC has a patch against it, which
# cannot be seen from outside). The assembler of binutils 2.38 and later can turn all such moves into
# ones that need no alignment. Sets ${result} to the flag where it is needed, and to NO where it is
# needed but not to be had.
function(aeadfast_unaligned_moves result)
    set(${result} "" PARENT_SCOPE)
    if(WIN32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        set(flag -Wa,-muse-unaligned-vector-move)
        set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
        set(CMAKE_REQUIRED_FLAGS ${flag})
        set(CMAKE_REQUIRED_QUIET ON)
        check_c_source_compiles("typedef int some_type;" AEADFAST_ASSEMBLES_UNALIGNED_MOVES)
        if(AEADFAST_ASSEMBLES_UNALIGNED_MOVES)
            set(${result} ${flag} PARENT_SCOPE)
        else()
            set(${result} NO PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Left out of this build: said at once, and kept for the matrix of the tests.
function(aeadfast_no_kernel name reason)
    message(STATUS "aeadfast: no ${name}: ${reason}")
    set_property(TARGET aeadfast APPEND PROPERTY AEADFAST_KERNELS_LEFT_OUT "${name}: ${reason}")
endfunction()

# aeadfast_kernel(chacha20_avx2 BACKEND avx2 [FLAGS -mavx2] [HEADER immintrin.h] [SOURCES more.S]
#                 [REQUIRES "__GNUC__ >= 9"] [ASSEMBLY "vpaddd %ymm0, %ymm0, %ymm0"])
#
# Compiles chacha20_avx2.c of the current folder, and what SOURCES names beside it, with FLAGS, and
# tells src/kernel_list.c so by AEADFAST_HAVE_chacha20_avx2=1. Left out, with a line that says so,
# where AEADFAST_DISABLE_AVX2 is on or the compiler does not know the flags, or with them the header,
# the condition of the preprocessor, or the assembly (by which a kernel that needs no flag asks for a
# new assembler). Each kernel is an object library of its own, because flags set on a source file
# would be seen only in the folder that sets them.
function(aeadfast_kernel name)
    cmake_parse_arguments(arg "" "BACKEND;HEADER;REQUIRES;ASSEMBLY" "FLAGS;SOURCES" ${ARGN})
    set_property(TARGET aeadfast APPEND PROPERTY AEADFAST_KERNEL_LINES ${name}=${arg_BACKEND})
    string(TOUPPER ${arg_BACKEND} backend)
    option(AEADFAST_DISABLE_${backend} "Leave out the kernels of the backend ${arg_BACKEND}" OFF)
    if(AEADFAST_DISABLE_${backend})
        aeadfast_no_kernel(${name} "AEADFAST_DISABLE_${backend} is on")
        return()
    endif()

    # One answer in the cache for each set of flags, whichever kernel asks first.
    list(JOIN arg_FLAGS " " flags)
    string(STRIP "${flags} ${arg_HEADER} ${arg_REQUIRES} ${arg_ASSEMBLY}" wanted)
    string(MAKE_C_IDENTIFIER "AEADFAST_COMPILES ${wanted}" compiles)
    set(probe "typedef int some_type;")
    if(arg_HEADER)
        set(probe "#include <${arg_HEADER}>\n${probe}")
    endif()
    if(arg_REQUIRES)
        string(APPEND probe "\n#if !(${arg_REQUIRES})\n#error\n#endif")
    endif()
    if(arg_ASSEMBLY)
        string(APPEND probe "\n__asm__(\"${arg_ASSEMBLY}\");")
    endif()
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_REQUIRED_FLAGS "${flags} -Werror")
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("${probe}" ${compiles})
    if(NOT ${compiles})
        aeadfast_no_kernel(${name} "the compiler does not take ${wanted}")
        return()
    endif()

    if("${flags}" MATCHES "-mavx")
        aeadfast_unaligned_moves(unaligned_moves)
        if(unaligned_moves STREQUAL "NO")
            aeadfast_no_kernel(${name} "GCC would misalign its stack, and as has no remedy (2.38 has)")
            return()
        endif()
        list(APPEND arg_FLAGS ${unaligned_moves})
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

# Each row of kernels.h must have its aeadfast_kernel line, of the same backend, whether the kernel
# is built or left out, and each line its row: kernel_list.c skips what the build does not have, so a
# forgotten line would be a kernel that is neither run nor tested. Notes the backends too.
function(aeadfast_check_kernels folder)
    set(kernels_h "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/kernels.h")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${kernels_h}")
    file(READ "${kernels_h}" text)
    string(REGEX MATCHALL "(^|\n)[A-Z][A-Z0-9_]*\\([a-z0-9_]+,[ \n]*[a-z0-9_]+," rows "${text}")
    string(REGEX MATCHALL "\nBACKEND\\([a-z0-9_]+," backends "${text}")
    list(TRANSFORM backends REPLACE "\nBACKEND\\((.*)," "\\1")
    set_property(TARGET aeadfast PROPERTY AEADFAST_BACKENDS portable ${backends})
    get_property(lines TARGET aeadfast PROPERTY AEADFAST_KERNEL_LINES)
    set(wanted "")
    set(problems "")
    foreach(row IN LISTS rows)
        string(REGEX MATCH "([A-Z0-9_]+)\\(([a-z0-9_]+),[ \n]*([a-z0-9_]+)," row "${row}")
        string(TOLOWER "${CMAKE_MATCH_1}_${CMAKE_MATCH_2}" name)
        list(APPEND wanted "${name}=${CMAKE_MATCH_3}")
        if(NOT "${name}=${CMAKE_MATCH_3}" IN_LIST lines)
            string(APPEND problems "\n  no line  aeadfast_kernel(${name} BACKEND ${CMAKE_MATCH_3} ...)"
                                   "  for the row ${CMAKE_MATCH_1}(${CMAKE_MATCH_2}, ...)")
        endif()
    endforeach()
    foreach(line IN LISTS lines)
        if(NOT line IN_LIST wanted)
            string(REPLACE "=" " of the backend " kernel "${line}")
            string(APPEND problems "\n  no row for the aeadfast_kernel line of ${kernel}")
        endif()
    endforeach()
    if(problems)
        message(FATAL_ERROR "src/${folder}: kernels.h and CMakeLists.txt differ:${problems}")
    endif()
endfunction()
