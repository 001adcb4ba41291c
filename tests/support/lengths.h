/* SPDX-License-Identifier: MIT */
/*
 * The message lengths that kernels are tested with: every one up to a bound; for each threshold N
 * in the kernel list N - 64, N - 16, N - 1, N, N + 1, N + 16, N + 64 and 2 N; and some long ones.
 */
#ifndef TEST_LENGTHS_H
#define TEST_LENGTHS_H

#include <stddef.h>

#include "aeadfast.h"

struct lengths {
    size_t *n; /* ascending, none twice */
    size_t count;
    size_t max;
};

/* Lengths from 0 to `every`, and the others. */
void lengths_make(struct lengths *l, aeadfast_op op, size_t every);
void lengths_free(struct lengths *l);

/* Whether a length is short or next to a threshold: then it is worth every layout of buffers. */
int lengths_is_edge(aeadfast_op op, size_t n);

#endif
