# SPDX-License-Identifier: MIT
# What every target of this project is compiled with. Set on targets, never globally, so that a
# project that includes this one keeps its own flags.

function(aeadfast_compile target)
    set_target_properties(
        ${target}
        PROPERTIES C_STANDARD 11
                   C_STANDARD_REQUIRED ON
                   C_EXTENSIONS OFF)
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        # Inside another project warnings are noise that its developer cannot act on.
        if(CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
            target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
        endif()
        if(AEADFAST_WERROR)
            target_compile_options(${target} PRIVATE -Werror)
        endif()
    endif()
endfunction()

# For the library's own objects: hidden from the dynamic linker, and fit for a shared library too.
function(aeadfast_compile_library target)
    aeadfast_compile(${target})
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
    # A parent project may have set no build type: then the portable kernels would be ten times
    # slower, and leave more on the stack than they know of.
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        target_compile_options(${target} PRIVATE -O2)
    endif()
    if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    if(AEADFAST_PREFIX)
        target_compile_definitions(${target} PUBLIC AEADFAST_PREFIX=${AEADFAST_PREFIX})
    endif()
    target_include_directories(
        ${target}
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        PRIVATE "${PROJECT_SOURCE_DIR}/src")
endfunction()
