/* SPDX-License-Identifier: MIT */
/* What aes_gcm_parts.h needs of the kernels with AVX-512. */
#ifndef AEADFAST_AES_GCM_PARTS_WIDE_H
#define AEADFAST_AES_GCM_PARTS_WIDE_H

#include "aes_gcm_wide_bulk.h"

#define GCM_PIECES NULL

GCM_INLINE void hash_add(struct gcm_sum *sum, vec x, const uint8_t *power)
{
    *sum = sum_and_product(*sum, x, powers_at(power));
}

GCM_INLINE struct gcm_sum hash_begin(vec x, const uint8_t *power)
{
    return product(x, powers_at(power));
}

GCM_INLINE __m128i hash_end(const struct gcm_sum *sum)
{
    return sum_of_lanes(sum_reduce(*sum));
}

/* y, as others see it, of the y in lanes that Horner's rule has come to. */
GCM_INLINE __m128i hash_of_lanes(const struct gcm_table *t, vec y)
{
    return sum_of_lanes(multiply(y, powers_at(POWER_AT(t, GCM_LANES))));
}

/* y after so many turns, one or more */
GCM_INLINE __m128i hash_turns(const struct gcm_table *t, const uint8_t *p, size_t turns, __m128i y,
                              int reversed)
{
    vec lanes = hash_turn_of(t, p, vec_from_low(y), VECTORS - 1, reversed);

    while (--turns != 0) {
        p += TURN;
        lanes = hash_turn_of(t, p, lanes, VECTORS, reversed);
    }
    return hash_of_lanes(t, lanes);
}

/* n bytes, less than VEC_BYTES and whole blocks, and zeros after them */
GCM_INLINE vec load_rest(const uint8_t *p, size_t n)
{
    return vec_load_masked(first_bytes(n), p);
}

GCM_INLINE void store_rest(uint8_t *p, vec v, size_t n)
{
    vec_store_masked(p, first_bytes(n), v);
}

GCM_INLINE vec keep_rest(vec v, size_t n)
{
    return vec_keep(first_bytes(n), v);
}

/* The xor of n bytes, 1 to VEC_BYTES - 1, with as many of the stream. */
GCM_INLINE void xor_rest(uint8_t *dst, const uint8_t *src, size_t n, vec stream)
{
    vec_mask mask = first_bytes(n);

    vec_store_masked(dst, mask, vec_xor(vec_load_masked(mask, src), stream));
}

/*
 * Text of so many turns, one or more, from the block of `counter` on, which may be secret: it comes
 * from H where the nonce is not 12 bytes long, so no branch may depend on it.
 */
GCM_INLINE void text_turns(const struct gcm_table *t, uint8_t y[16], uint8_t *dst,
                           const uint8_t *src, size_t turns, __m128i counter, int opening)
{
    __m128i j0 = _mm_sub_epi32(counter, _mm_set_epi32(1, 0, 0, 0));
    struct wide_counters c = wide_counters_of(t, j0, 0);
    vec lanes = bulk(t, dst, src, turns, vec_from_low(load_hash(y)), VECTORS - 1, &c, !opening);

    if (!opening) { /* the last turn */
        lanes = hash_turn_of(opaque(t), dst + (turns - 1) * TURN, lanes,
                             turns == 1 ? VECTORS - 1 : VECTORS, 0);
    }
    store_hash(y, hash_of_lanes(t, lanes));
}

#endif
