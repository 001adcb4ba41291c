# SPDX-License-Identifier: MIT
# Runs ct_program under whatever checks it here. Each checker must first find two leaks that were
# put there for it: a branch and an address.

set(AEADFAST_TRACER "" CACHE STRING
    "Command: runs a static program and writes the addresses of instructions and data to @TRACE@; or step")

find_program(AEADFAST_VALGRIND valgrind)
find_path(AEADFAST_VALGRIND_INCLUDE valgrind/memcheck.h)
mark_as_advanced(AEADFAST_VALGRIND AEADFAST_VALGRIND_INCLUDE)

add_executable(ct_program ct/ct_program.c)
aeadfast_compile_test(ct_program)
target_link_libraries(ct_program PRIVATE aeadfast_test_support)

# Statistics of time, to be run by hand on a quiet machine.
if(NOT WIN32)
    add_executable(ct_timing ct/ct_timing.c)
    aeadfast_compile_test(ct_timing)
    target_link_libraries(ct_timing PRIVATE aeadfast_test_support m)
endif()

set(ct "${CMAKE_CURRENT_SOURCE_DIR}/ct")
set(checkers "")

# The memory sanitizer, where it is what this build is for. It takes every operand of inline assembly
# for a wrong use, so only the kernels that do without, or do so where it is at work.
if(CMAKE_C_FLAGS MATCHES "-fsanitize=memory" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 16
   AND NOT CMAKE_C_FLAGS MATCHES "-fno-sanitize-memory-param-retval")
    message(STATUS "aeadfast: no constant time by this sanitizer: every secret that a function is "
                   "called with is an error to it without -fno-sanitize-memory-param-retval")
elseif(CMAKE_C_FLAGS MATCHES "-fsanitize=memory")
    list(APPEND checkers msan)
    aeadfast_add_test(ct_msan ct_program
                      portable,aes_gcm,chacha20=avx512vl,chacha20=avx512)
    foreach(leak IN ITEMS branch index)
        aeadfast_add_test(ct_msan_finds_${leak} ct_program leak-${leak})
        set_tests_properties(ct_msan_finds_${leak} PROPERTIES
                             PASS_REGULAR_EXPRESSION "use-of-uninitialized-value")
    endforeach()
elseif(AEADFAST_VALGRIND AND AEADFAST_VALGRIND_INCLUDE AND NOT CMAKE_CROSSCOMPILING
       AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize" AND NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-static")
    list(APPEND checkers valgrind)
    target_compile_definitions(ct_program PRIVATE CT_VALGRIND)
    target_include_directories(ct_program SYSTEM PRIVATE "${AEADFAST_VALGRIND_INCLUDE}")
    set(memcheck "${AEADFAST_VALGRIND}" -q --error-exitcode=99 "--suppressions=${ct}/compared.supp")
    aeadfast_add_test(ct_valgrind ${memcheck} $<TARGET_FILE:ct_program> all)
    foreach(leak IN ITEMS branch index)
        aeadfast_add_test(ct_valgrind_finds_${leak} ${memcheck} $<TARGET_FILE:ct_program>
                          leak-${leak})
        set_tests_properties(ct_valgrind_finds_${leak} PROPERTIES
                             PASS_REGULAR_EXPRESSION "uninitialised value")
    endforeach()
endif()

# Comparing two ways through the program: for instructions that no checker above follows.
function(aeadfast_trace_test name expected what)
    aeadfast_add_test(${name} "${ct}/compare_traces" ${expected} ${tracer} --
                      $<TARGET_FILE:ct_program> ${what})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "AEADFAST_BACKEND=" TIMEOUT 5400
                                            SKIP_RETURN_CODE 77)
endfunction()

if(AEADFAST_TRACER)
    list(APPEND checkers "traces by ${AEADFAST_TRACER}")
    separate_arguments(tracer UNIX_COMMAND "${AEADFAST_TRACER}")
    if(AEADFAST_TRACER STREQUAL "step")
        # Instructions alone, on this processor.
        add_executable(step_trace ct/step_trace.c)
        aeadfast_compile(step_trace)
        set(tracer $<TARGET_FILE:step_trace> @TRACE@)
    else()
        aeadfast_trace_test(ct_trace_finds_index different leak-index)
    endif()
    aeadfast_trace_test(ct_trace_finds_branch different leak-branch)
    foreach(backend IN ITEMS avx512 vaes)
        aeadfast_trace_test(ct_trace_${backend} equal ${backend})
    endforeach()
elseif(CMAKE_CROSSCOMPILING_EMULATOR MATCHES "qemu")
    list(APPEND checkers "branches by QEMU")
    set(tracer ${CMAKE_CROSSCOMPILING_EMULATOR})
    aeadfast_trace_test(ct_trace_finds_branch different leak-branch)
    aeadfast_trace_test(ct_trace equal kernels)
endif()

if(checkers)
    list(JOIN checkers ", " checkers)
    message(STATUS "aeadfast: constant time is checked by ${checkers}")
else()
    message(STATUS "aeadfast: constant time is not checked: no valgrind, no emulator that traces")
endif()
