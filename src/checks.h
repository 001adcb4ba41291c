/* SPDX-License-Identifier: MIT */
/*
 * The questions that the public functions ask about their arguments before anything is written.
 * Kernels ask none of them.
 */
#ifndef AEADFAST_CHECKS_H
#define AEADFAST_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "aeadfast.h"

/*
 * No object is longer than this. It stands in where an algorithm has no limit, or one further off
 * than the end of memory, so that no sum of two lengths can overflow.
 */
#define OBJECT_MAX ((size_t)PTRDIFF_MAX)

/* The nearer one of OBJECT_MAX and an algorithm's limit. */
#define LIMIT(max) ((max) < OBJECT_MAX ? (size_t)(max) : OBJECT_MAX)

static inline int missing(const void *p, size_t len)
{
    return p == NULL && len != 0;
}

/*
 * Whether [a, a + a_len) and [b, b + b_len) meet, for lengths from 1 to OBJECT_MAX. They do where b
 * is one of the a_len + b_len - 1 addresses from a - (b_len - 1) to a + a_len - 1; shifted so that
 * the first of these is 0, that is one comparison, and right where a range ends at the end of
 * memory.
 */
static inline int meets(const void *a, size_t a_len, const void *b, size_t b_len)
{
    return (uintptr_t)b - (uintptr_t)a + (b_len - 1) < a_len + (b_len - 1);
}

/* The same for any lengths up to OBJECT_MAX: an empty range meets nothing. */
static inline int overlaps(const void *a, size_t a_len, const void *b, size_t b_len)
{
    return a_len != 0 && b_len != 0 && meets(a, a_len, b, b_len);
}

/* A tag is an output when sealing and an input when opening. */
enum aead_direction { AEAD_SEAL, AEAD_OPEN };

/* The arguments that every AEAD call has; `key` may be the key itself or an object made of it. */
struct aead_arguments {
    const uint8_t *dst;
    const uint8_t *src;
    size_t len;
    const uint8_t *tag;
    size_t tag_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
    const void *key;
    size_t key_size;
};

static inline int aead_missing(const struct aead_arguments *a)
{
    return missing(a->dst, a->len) || missing(a->src, a->len) || missing(a->aad, a->aad_len) ||
           a->tag == NULL || a->nonce == NULL || a->nonce_len == 0 || a->key == NULL;
}

/*
 * For arguments that are not missing and within their limits. All comparisons are made and their
 * results added up without a branch (an addition takes in a comparison's carry as it is): a short
 * message then waits for no branch predictor, and the processor starts the kernel while they are under
 * way.
 */
static inline int aead_overlaps(const struct aead_arguments *a, enum aead_direction direction)
{
    unsigned found = 0;

    if (a->len != 0) {
        found += (unsigned)meets(a->dst, a->len, a->tag, a->tag_len);
        found += (unsigned)meets(a->dst, a->len, a->nonce, a->nonce_len);
        found += (unsigned)meets(a->dst, a->len, a->key, a->key_size);
        if (a->dst != a->src) {
            found += (unsigned)meets(a->dst, a->len, a->src, a->len);
        }
        if (direction == AEAD_SEAL) {
            found += (unsigned)meets(a->tag, a->tag_len, a->src, a->len);
        }
    }
    if (a->aad_len != 0) {
        if (a->len != 0) {
            found += (unsigned)meets(a->dst, a->len, a->aad, a->aad_len);
        }
        if (direction == AEAD_SEAL) {
            found += (unsigned)meets(a->tag, a->tag_len, a->aad, a->aad_len);
        }
    }
    if (direction == AEAD_SEAL) {
        found += (unsigned)meets(a->tag, a->tag_len, a->nonce, a->nonce_len);
        found += (unsigned)meets(a->tag, a->tag_len, a->key, a->key_size);
    }
    return found != 0;
}

#endif
