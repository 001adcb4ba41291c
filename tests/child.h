/* SPDX-License-Identifier: MIT */
/*
 * Runs a part of a test in a child process, where the library has not been used yet. The parent
 * must not have called it either. Not on Windows, which has no fork.
 */
#ifndef AEADFAST_TESTS_CHILD_H
#define AEADFAST_TESTS_CHILD_H

#include <stddef.h>

struct child {
    const char *backend; /* AEADFAST_BACKEND in the child; NULL: not set */
    int exit_code;       /* of the child; -1 where a signal ended it */
    size_t said;         /* bytes that it wrote to stderr, */
    char words[4096];    /* and the first of them, with a closing 0 */
};

/* `body` returns the exit code. It reports with REQUIRE, not with cmocka's assertions. */
void child_run(struct child *child, int (*body)(const void *arg), const void *arg);

void child_failed(const char *file, int line, const char *what);

/* In a child, in any thread of it: ends it with exit code 1 unless the condition holds. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            child_failed(__FILE__, __LINE__, #condition);                                          \
        }                                                                                          \
    } while (0)

#endif
