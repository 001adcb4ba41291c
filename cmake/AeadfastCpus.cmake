# SPDX-License-Identifier: MIT
# The tests on processors that this machine is not.
#
# aeadfast_runner: a command that runs programs on another processor.
# aeadfast_cpu: one such processor.
# aeadfast_finish_cpus: after the last of them.
#
# The protocol of a runner, of which any program or script can take part: it is called as
#
#     RUNNER [its own options] ARGS... PROGRAM [ARGUMENT...]
#
# with the ARGS of the processor (tests/cpus.cmake), runs PROGRAM to its end, passes on what it
# prints and its exit status, and the environment to it. QEMU's user emulators are such commands.

set(AEADFAST_TEST_CPUS "" CACHE STRING
    "Processors of tests/cpus.cmake to run the tests on too: names, or all")

# aeadfast_runner(X86 "what it is" [qemu-x86_64...])
#
# The command is in AEADFAST_RUNNER_X86, with options if it likes; else it is the first of the
# programs named here that is there. Sets runner_X86 to the command as a list, or runner_X86_missing
# to the reason for which there is none.
function(aeadfast_runner name about)
    set(AEADFAST_RUNNER_${name} "" CACHE STRING "Command: ${about}")
    separate_arguments(command UNIX_COMMAND "${AEADFAST_RUNNER_${name}}")
    if(command)
        list(GET command 0 program)
        find_program(AEADFAST_RUNNER_${name}_FOUND NAMES "${program}" NO_CMAKE_FIND_ROOT_PATH)
        if(NOT AEADFAST_RUNNER_${name}_FOUND)
            message(FATAL_ERROR "AEADFAST_RUNNER_${name}: there is no program ${program}")
        endif()
        unset(AEADFAST_RUNNER_${name}_FOUND CACHE)
    elseif(ARGN)
        find_program(AEADFAST_DEFAULT_RUNNER_${name} NAMES ${ARGN} NO_CMAKE_FIND_ROOT_PATH)
        mark_as_advanced(AEADFAST_DEFAULT_RUNNER_${name})
        if(AEADFAST_DEFAULT_RUNNER_${name})
            set(command "${AEADFAST_DEFAULT_RUNNER_${name}}")
        endif()
    endif()
    set(runner_${name} "${command}" PARENT_SCOPE)
    set(runner_${name}_missing "AEADFAST_RUNNER_${name} is not set (${about})" PARENT_SCOPE)
endfunction()

# aeadfast_cpu(haswell "about it" RUNNER X86 ARGS -cpu Haswell [HAS avx2...] [LACKS vaes...]
#              [ENVIRONMENT A=B...] [ONLY regex | EXCEPT regex BECAUSE "why"] [TIMEOUT seconds])
#
# HAS and LACKS name bits (src/<architecture>/cpu.c) that the library's probe must and must not find:
# a processor that is not the one meant would prove nothing. ONLY leaves out programs whose names do
# not match, EXCEPT those whose names do.
function(aeadfast_cpu name about)
    cmake_parse_arguments(arg "" "RUNNER;ONLY;EXCEPT;BECAUSE;TIMEOUT" "ARGS;HAS;LACKS;ENVIRONMENT" ${ARGN})
    set_property(GLOBAL APPEND PROPERTY AEADFAST_CPUS ${name})
    set_property(GLOBAL PROPERTY AEADFAST_CPU_${name}_ABOUT "${about}")
    if(NOT name IN_LIST AEADFAST_TEST_CPUS AND NOT AEADFAST_TEST_CPUS STREQUAL "all")
        return()
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 900)
    endif()
    set(bits "")
    foreach(bit IN LISTS arg_HAS)
        list(APPEND bits "+${bit}")
    endforeach()
    foreach(bit IN LISTS arg_LACKS)
        list(APPEND bits "-${bit}")
    endforeach()
    get_property(programs GLOBAL PROPERTY AEADFAST_TEST_PROGRAMS)
    if(NOT runner_${arg_RUNNER})
        # One line for all: they lack the same.
        aeadfast_skip(all@${name} ${name} "${runner_${arg_RUNNER}_missing}")
        return()
    endif()
    foreach(program IN LISTS programs)
        set(test ${program}@${name})
        if((arg_ONLY AND NOT program MATCHES "${arg_ONLY}")
           OR (arg_EXCEPT AND program MATCHES "${arg_EXCEPT}"))
            aeadfast_skip(${test} ${name} "${arg_BECAUSE}")
            continue()
        endif()
        set(arguments "")
        if(program STREQUAL processor)
            set(arguments ${bits})
        endif()
        add_test(NAME ${test} COMMAND ${runner_${arg_RUNNER}} ${arg_ARGS}
                                      $<TARGET_FILE:test_${program}> ${arguments})
        set_tests_properties(
            ${test} PROPERTIES LABELS ${name} TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77
                               ENVIRONMENT "${arg_ENVIRONMENT}")
    endforeach()
endfunction()

# A test that CTest shows as skipped, and whose output says why.
function(aeadfast_skip test cpu reason)
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
    set_tests_properties(${test} PROPERTIES LABELS ${cpu} SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

# Names that AEADFAST_TEST_CPUS has and the table has not are mistakes. What the matrix is made of
# besides the tests' own output goes to cpus.txt.
function(aeadfast_finish_cpus)
    get_property(cpus GLOBAL PROPERTY AEADFAST_CPUS)
    foreach(name IN LISTS AEADFAST_TEST_CPUS)
        if(NOT name STREQUAL "all" AND NOT name IN_LIST cpus)
            list(JOIN cpus " " cpus)
            message(FATAL_ERROR "AEADFAST_TEST_CPUS: no processor is called ${name}; for this "
                                "target there are: ${cpus}")
        endif()
    endforeach()
    set(target "${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}")
    set(text "build ${target}, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\n")
    get_property(left_out TARGET aeadfast PROPERTY AEADFAST_KERNELS_LEFT_OUT)
    foreach(kernel IN LISTS left_out)
        string(APPEND text "left-out ${kernel}\n")
    endforeach()
    if(CMAKE_CROSSCOMPILING_EMULATOR)
        list(GET CMAKE_CROSSCOMPILING_EMULATOR 0 emulator)
        get_filename_component(emulator "${emulator}" NAME)
        string(APPEND text "cpu own what ${emulator} shows\n")
    else()
        string(APPEND text "cpu own this machine's processor\n")
    endif()
    foreach(name IN LISTS cpus)
        get_property(about GLOBAL PROPERTY AEADFAST_CPU_${name}_ABOUT)
        string(APPEND text "cpu ${name} ${about}\n")
    endforeach()
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/cpus.txt" "${text}")
endfunction()
