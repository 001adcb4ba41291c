/* SPDX-License-Identifier: MIT */
/*
 * Walks the kernel lists of the library, so that a kernel which gets a row is tested without
 * another edit.
 */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

#include <stddef.h>

#include "dispatch.h"
#include "rng.h"

/* Tests one kernel and returns the number of cases it went through, never 0. */
typedef size_t kernel_test(const struct kernel_row *row);

/*
 * Runs `test` on each row that this processor can run, chosen or not, and prints one line a row:
 * the number of cases, or that it could not run here. `what` names the test in that line.
 * AEADFAST_TEST_BACKENDS=avx512,vaes leaves out the rows of other backends: under a slow emulator
 * there is no time for what faster ones have.
 */
void kernels_each(aeadfast_op op, const char *what, kernel_test *test);

/* The row that every processor runs, the last of its list. */
const struct kernel_row *kernels_portable(aeadfast_op op);

/*
 * Runs `body` under the automatic choice (`name` is NULL) and then under each backend that this
 * processor supports, forced with aeadfast_backend_select; goes back to the automatic choice.
 */
void backends_each(void (*body)(const char *name));

/* The test test_BODY, which is that. */
#define BACKENDS_TEST(body)                                                                        \
    static void test_##body(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        backends_each(body);                                                                       \
    }

/* What to call the backend of that name, NULL included. */
const char *backends_name(const char *name);

/* Goes on under another backend, any, where this processor supports that one. */
void backends_any(struct rng *rng);

#endif
