/* SPDX-License-Identifier: MIT */
/*
 * Where the buffers of one call lie. Each argument has a struct guard of its own, large enough for
 * its bytes and three margins.
 */
#ifndef TEST_LAYOUT_H
#define TEST_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "guard.h"
#include "rng.h"

enum layout {
    LAYOUT_APART,    /* out of place, each buffer at a random distance from an aligned address */
    LAYOUT_IN_PLACE, /* text and output are one, elsewhere as LAYOUT_APART */
    LAYOUT_END,      /* out of place, each buffer ends at a forbidden page */
    LAYOUT_START,    /* in place, each buffer begins behind a forbidden page */
    LAYOUT_COUNT
};

#define LAYOUT_MARGIN 64

/* Makes the guard for a buffer of up to n bytes. */
void layout_make(struct guard *g, size_t n);

/* Whether the output shall be where the text is. */
int layout_in_place(enum layout layout);

/* Room for n bytes at an address that is a multiple of `align` (at most 16). */
uint8_t *layout_room(const struct guard *g, enum layout layout, size_t n, size_t align,
                     struct rng *rng);

/* The same, filled with a copy of n bytes. */
uint8_t *layout_copy(const struct guard *g, enum layout layout, const void *src, size_t n,
                     size_t align, struct rng *rng);

/* The same `distance` bytes, below LAYOUT_MARGIN, from an aligned address. */
uint8_t *layout_at(const struct guard *g, size_t distance);

/*
 * Marks the bytes before and behind a room, as far as they may be touched at all; and checks after
 * the call that they are as they were. `who` is for the message.
 */
void layout_mark(const struct guard *g, uint8_t *p, size_t n);
void layout_check(const struct guard *g, const uint8_t *p, size_t n, const char *who);

#endif
