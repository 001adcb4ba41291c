/* SPDX-License-Identifier: MIT */
/*
 * Texts in several buffers: what the functions with lists ask before anything is written, and the
 * way through two lists whose pieces do not match.
 */
#ifndef AEADFAST_IOVEC_H
#define AEADFAST_IOVEC_H

#include "aeadfast.h"
#include "checks.h"
#include "symbol.h"

struct iovec_list {
    const aeadfast_iovec *pieces;
    size_t count;
};

/* The arguments that every AEAD call with lists has; `key` may be an object made of the key. */
struct iovec_arguments {
    struct iovec_list dst;
    struct iovec_list src;
    struct iovec_list aad;
    const uint8_t *tag;
    size_t tag_len;
    const uint8_t *nonce;
    size_t nonce_len;
    const void *key;
    size_t key_size;
    size_t text_max; /* limits on sums, OBJECT_MAX at most */
    size_t aad_max;
};

#define aeadfast_iovec_check   AEADFAST_INTERNAL(iovec_check)
#define aeadfast_iovec_sum     AEADFAST_INTERNAL(iovec_sum)
#define aeadfast_iovec_joins   AEADFAST_INTERNAL(iovec_joins)
#define aeadfast_iovec_zero    AEADFAST_INTERNAL(iovec_zero)
#define aeadfast_iovec_gather  AEADFAST_INTERNAL(iovec_gather)
#define aeadfast_iovec_scatter AEADFAST_INTERNAL(iovec_scatter)

/*
 * AEADFAST_OK, or the first in the order ARGUMENT, LENGTH, OVERLAP of what is wrong; the caller is
 * left to look at the length of the nonce and at the object behind `key`. Every piece has at most
 * OBJECT_MAX bytes afterwards.
 */
AEADFAST_HIDDEN int aeadfast_iovec_check(const struct iovec_arguments *a,
                                         enum aead_direction direction);

/* The bytes of a list; SIZE_MAX for all that is more. */
AEADFAST_HIDDEN size_t aeadfast_iovec_sum(struct iovec_list list);

/*
 * Whether the list is no more than one buffer, empty pieces aside; then that is `*whole`, whose base
 * is NULL where there is none.
 */
AEADFAST_HIDDEN int aeadfast_iovec_joins(struct iovec_list list, aeadfast_iovec *whole);

/* All bytes of a list to `dst`; and as many from `src` to the list. */
AEADFAST_HIDDEN void aeadfast_iovec_gather(uint8_t *dst, struct iovec_list list);
AEADFAST_HIDDEN void aeadfast_iovec_scatter(struct iovec_list list, const uint8_t *src);

/* Zeroes all pieces. */
AEADFAST_HIDDEN void aeadfast_iovec_zero(struct iovec_list list);

/* A place in a list: `offset` bytes into piece `index`. All zero is the beginning. */
struct iovec_place {
    size_t index;
    size_t offset;
};

/* Goes to the next byte, over the ends of pieces and over empty ones; 0 where there is none. */
static inline size_t iovec_left(struct iovec_list list, struct iovec_place *place)
{
    while (place->index < list.count && place->offset == list.pieces[place->index].len) {
        place->index++;
        place->offset = 0;
    }
    return place->index < list.count ? list.pieces[place->index].len - place->offset : 0;
}

/* Two lists of equally many bytes, on the way. */
struct iovec_walk {
    struct iovec_list dst;
    struct iovec_list src;
    struct iovec_place dst_place;
    struct iovec_place src_place;
};

/* The next bytes that lie together in both lists: how many, or 0 at the end, and where. */
static inline size_t iovec_next(struct iovec_walk *walk, uint8_t **dst, const uint8_t **src)
{
    size_t dst_left = iovec_left(walk->dst, &walk->dst_place);
    size_t src_left = iovec_left(walk->src, &walk->src_place);
    size_t n = dst_left < src_left ? dst_left : src_left;

    if (n != 0) {
        *dst = (uint8_t *)walk->dst.pieces[walk->dst_place.index].base + walk->dst_place.offset;
        *src =
            (const uint8_t *)walk->src.pieces[walk->src_place.index].base + walk->src_place.offset;
        walk->dst_place.offset += n;
        walk->src_place.offset += n;
    }
    return n;
}

#endif
