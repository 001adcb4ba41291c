# SPDX-License-Identifier: MIT
# Provides the target aeadfast_cmocka, or leaves it out where cmocka is not to be had.
#
# Natively it is the installed cmocka. Distributions have none for cross-compiling, for static
# programs or with a sanitizer's instrumentation, but cmocka is a single C file: with
# AEADFAST_CMOCKA_SOURCE naming its unpacked source (cmake/get-cmocka fetches it) it is compiled
# along, with the flags of this build.

set(AEADFAST_CMOCKA_SOURCE "" CACHE PATH "Source folder of cmocka, instead of the installed one")

if(AEADFAST_CMOCKA_SOURCE)
    if(NOT EXISTS "${AEADFAST_CMOCKA_SOURCE}/src/cmocka.c")
        message(FATAL_ERROR "no cmocka in ${AEADFAST_CMOCKA_SOURCE}; run cmake/get-cmocka "
                            "${AEADFAST_CMOCKA_SOURCE}, or build without tests")
    endif()
    add_library(aeadfast_cmocka STATIC "${AEADFAST_CMOCKA_SOURCE}/src/cmocka.c")
    target_include_directories(aeadfast_cmocka SYSTEM PUBLIC "${AEADFAST_CMOCKA_SOURCE}/include")
    # What cmocka's own configuration finds on a POSIX system of today.
    if(NOT WIN32)
        target_compile_definitions(
            aeadfast_cmocka
            PRIVATE _GNU_SOURCE
                    HAVE_CLOCK_REALTIME
                    HAVE_GCC_THREAD_LOCAL_STORAGE
                    HAVE_INTTYPES_H
                    HAVE_SIGLONGJMP
                    HAVE_SIGNAL_H
                    HAVE_STRINGS_H
                    HAVE_STRSIGNAL
                    HAVE_STRUCT_TIMESPEC)
    endif()
    target_compile_options(aeadfast_cmocka PRIVATE -w)
else()
    find_library(AEADFAST_CMOCKA_LIBRARY cmocka)
    find_path(AEADFAST_CMOCKA_INCLUDE cmocka.h)
    mark_as_advanced(AEADFAST_CMOCKA_LIBRARY AEADFAST_CMOCKA_INCLUDE)
    if(AEADFAST_CMOCKA_LIBRARY AND AEADFAST_CMOCKA_INCLUDE)
        add_library(aeadfast_cmocka INTERFACE)
        target_link_libraries(aeadfast_cmocka INTERFACE "${AEADFAST_CMOCKA_LIBRARY}")
        target_include_directories(aeadfast_cmocka SYSTEM INTERFACE "${AEADFAST_CMOCKA_INCLUDE}")
    endif()
endif()
