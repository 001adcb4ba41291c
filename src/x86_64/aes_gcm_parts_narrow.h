/* SPDX-License-Identifier: MIT */
/* What aes_gcm_parts.h needs of the kernels on AES-NI and VAES. */
#ifndef AEADFAST_AES_GCM_PARTS_NARROW_H
#define AEADFAST_AES_GCM_PARTS_NARROW_H

#include "aes_gcm_bulk.h"
#include "aes_gcm_partial.h"

GCM_INLINE void hash_add(struct gcm_sum *sum, vec x, const uint8_t *power)
{
    sum_add_at(sum, x, power);
}

GCM_INLINE struct gcm_sum hash_begin(vec x, const uint8_t *power)
{
    struct gcm_sum sum = sum_zero();

    sum_add_at(&sum, x, power);
    return sum;
}

GCM_INLINE __m128i hash_end(const struct gcm_sum *sum)
{
    return sum_reduce(sum);
}

/* y after so many turns, one or more */
GCM_INLINE __m128i hash_turns(const struct gcm_table *t, const uint8_t *p, size_t turns, __m128i y,
                              int reversed)
{
    for (; turns != 0; turns--) {
        y = hash_turn_of(t, p, y, reversed);
        p += TURN;
    }
    return y;
}

/* n bytes, less than VEC_BYTES and whole blocks, and zeros after them */
GCM_INLINE vec load_rest(const uint8_t *p, size_t n)
{
    (void)n; /* one block where there is any */
    return vec_from_low(load128(p));
}

GCM_INLINE void store_rest(uint8_t *p, vec v, size_t n)
{
    (void)n;
    store128(p, vec_low(v));
}

GCM_INLINE vec keep_rest(vec v, size_t n)
{
    (void)n;
    return vec_from_low(vec_low(v));
}

/* The xor of n bytes, 1 to VEC_BYTES - 1, with as many of the stream. */
GCM_INLINE void xor_rest(uint8_t *dst, const uint8_t *src, size_t n, vec stream)
{
    __m128i e = vec_low(stream);

#if GCM_LANES == 2
    if (n >= 16) {
        store128(dst, _mm_xor_si128(load128(src), e));
        if (n == 16) {
            return;
        }
        e = vec_top(stream);
        dst += 16;
        src += 16;
        n -= 16;
    }
#endif
    store_partial(dst, _mm_xor_si128(load_partial(src, n), e), n);
}

/*
 * The stitched loop wants a counter that is 2 modulo BLOCKS: so many blocks come before it, which
 * for text that comes in pieces of whole turns is none.
 */
GCM_INLINE size_t blocks_before_turns(uint32_t counter)
{
    return GCM_ASM ? (2 - counter) % BLOCKS : 0;
}

/* Text of so many turns, from the block of `counter` on; returns the y after it. */
GCM_INLINE __m128i text_turns(const struct gcm_table *t, uint8_t *dst, const uint8_t *src,
                              size_t turns, __m128i y, __m128i counter, int opening)
{
    __m128i j0 = _mm_sub_epi32(counter, _mm_set_epi32(1, 0, 0, 0));

#if GCM_ASM
    y = bulk(t, dst, src, turns, y, 0, j0, !opening);
#else
    y = _mm256_castsi256_si128(bulk_plain(t, dst, src, turns, pair(y, j0), !opening));
#endif
    return opening ? y : hash_turn(t, dst + (turns - 1) * TURN, y);
}

#endif
