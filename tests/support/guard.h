/* SPDX-License-Identifier: MIT */
/*
 * Buffers between two pages that nothing may touch: one byte read or written outside ends the
 * program at once.
 *
 *     | no access |  whole pages: capacity, rounded up  | no access |
 *                 ^ guard_start(g)          guard_end(g, n) ^- n -^
 */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#include <stddef.h>
#include <stdint.h>

struct guard {
    uint8_t *map;  /* the first forbidden page */
    uint8_t *data; /* the first usable byte */
    size_t size;   /* usable bytes, a multiple of the page size */
    size_t page;
};

/* Room for buffers of up to `capacity` bytes; ends the program where there is no memory. */
void guard_make(struct guard *g, size_t capacity);
void guard_free(struct guard *g);

/* A buffer whose first byte follows a forbidden page. */
uint8_t *guard_start(const struct guard *g);

/* A buffer of `n` bytes, at most the capacity, whose last byte is followed by a forbidden page. */
uint8_t *guard_end(const struct guard *g, size_t n);

/* A valid address at which not one byte may be read or written. */
uint8_t *guard_forbidden(const struct guard *g);

/* From now on the buffer may only be read; and written again. */
void guard_read_only(const struct guard *g);
void guard_writable(const struct guard *g);

#endif
