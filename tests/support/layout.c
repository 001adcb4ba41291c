/* SPDX-License-Identifier: MIT */
#include "layout.h"

#include <string.h>

#include "check.h"

#define MARK 0xa5

void layout_make(struct guard *g, size_t n)
{
    guard_make(g, n + 3 * LAYOUT_MARGIN);
}

int layout_in_place(enum layout layout)
{
    return layout == LAYOUT_IN_PLACE || layout == LAYOUT_START;
}

uint8_t *layout_room(const struct guard *g, enum layout layout, size_t n, size_t align,
                     struct rng *rng)
{
    switch (layout) {
    case LAYOUT_END:
        return guard_end(g, (n + align - 1) / align * align);
    case LAYOUT_START:
        return guard_start(g);
    default:
        return layout_at(g, rng_below(rng, LAYOUT_MARGIN) / align * align);
    }
}

uint8_t *layout_copy(const struct guard *g, enum layout layout, const void *src, size_t n,
                     size_t align, struct rng *rng)
{
    uint8_t *p = layout_room(g, layout, n, align, rng);

    if (n != 0) {
        memcpy(p, src, n);
    }
    return p;
}

uint8_t *layout_at(const struct guard *g, size_t distance)
{
    return guard_start(g) + LAYOUT_MARGIN + distance;
}

/* How much of a margin before and behind the room lies in pages that may be touched. */
static size_t before(const struct guard *g, const uint8_t *p)
{
    size_t room = (size_t)(p - g->data);

    return room < LAYOUT_MARGIN ? room : LAYOUT_MARGIN;
}

static size_t behind(const struct guard *g, const uint8_t *p, size_t n)
{
    size_t room = (size_t)(g->data + g->size - p) - n;

    return room < LAYOUT_MARGIN ? room : LAYOUT_MARGIN;
}

void layout_mark(const struct guard *g, uint8_t *p, size_t n)
{
    memset(p - before(g, p), MARK, before(g, p));
    memset(p + n, MARK, behind(g, p, n));
}

void layout_check(const struct guard *g, const uint8_t *p, size_t n, const char *who)
{
    check_fill(p - before(g, p), MARK, before(g, p), "%s: wrote before a buffer of %zu bytes", who,
               n);
    check_fill(p + n, MARK, behind(g, p, n), "%s: wrote behind a buffer of %zu bytes", who, n);
}
