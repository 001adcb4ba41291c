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
 * No object is longer than this; it stands in where an algorithm has no limit of its own, so that
 * no sum of lengths within the library can overflow.
 */
#define OBJECT_MAX ((size_t)PTRDIFF_MAX)

static inline int missing(const void *p, size_t len)
{
    return p == NULL && len != 0;
}

/* Differences modulo the address space: right for any addresses, and no sum that could overflow. */
static inline int overlaps(const void *a, size_t a_len, const void *b, size_t b_len)
{
    uintptr_t a_to_b = (uintptr_t)b - (uintptr_t)a;
    uintptr_t b_to_a = (uintptr_t)a - (uintptr_t)b;

    return a_len != 0 && b_len != 0 && (a_to_b < a_len || b_to_a < b_len);
}

/* In place is fine, and so is disjoint. */
static inline int overlaps_partly(const void *dst, const void *src, size_t len)
{
    return dst != src && overlaps(dst, len, src, len);
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

static inline int aead_check(const struct aead_arguments *a, enum aead_direction direction,
                             uint64_t text_max, uint64_t aad_max, uint64_t nonce_max)
{
    if (missing(a->dst, a->len) || missing(a->src, a->len) || missing(a->aad, a->aad_len) ||
        a->tag == NULL || a->nonce == NULL || a->nonce_len == 0 || a->key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (a->len > text_max || a->aad_len > aad_max || a->nonce_len > nonce_max) {
        return AEADFAST_ERR_LENGTH;
    }
    if (overlaps_partly(a->dst, a->src, a->len) || overlaps(a->dst, a->len, a->tag, a->tag_len) ||
        overlaps(a->dst, a->len, a->aad, a->aad_len) ||
        overlaps(a->dst, a->len, a->nonce, a->nonce_len) ||
        overlaps(a->dst, a->len, a->key, a->key_size)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (direction == AEAD_SEAL && (overlaps(a->tag, a->tag_len, a->src, a->len) ||
                                   overlaps(a->tag, a->tag_len, a->aad, a->aad_len) ||
                                   overlaps(a->tag, a->tag_len, a->nonce, a->nonce_len) ||
                                   overlaps(a->tag, a->tag_len, a->key, a->key_size))) {
        return AEADFAST_ERR_OVERLAP;
    }
    return AEADFAST_OK;
}

#endif
