/* SPDX-License-Identifier: MIT */
/* What aes_gcm_parts.h needs of the kernels on AES-NI and VAES. */
#ifndef AEADFAST_AES_GCM_PARTS_NARROW_H
#define AEADFAST_AES_GCM_PARTS_NARROW_H

#include "aes_gcm_bulk.h"
#include "aes_gcm_partial.h"
#include "aes_gcm_pieces_narrow.h"

#define GCM_PIECES gcm_pieces

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
 * Text of so many turns, one or more, from the block of `counter` on, which may be secret: it comes
 * from H where the nonce is not 12 bytes long, so no branch may depend on it. y is left in memory until it
 * is needed: Clang 14 would keep it on the stack.
 */
GCM_INLINE void text_turns(const struct gcm_table *t, uint8_t y[16], uint8_t *dst,
                           const uint8_t *src, size_t turns, __m128i counter, int opening)
{
#if GCM_ASM
    vec counters = start_counters(counter, 0);
    const uint8_t *hashed = src;
    struct gcm_slots slots;
    struct gcm_sum sum;
    __m128i hash;

    if (!opening) { /* what is hashed is a turn behind */
        encrypt_turn(t, dst, src, counters);
        counters = count(counters, BLOCKS);
        hashed = dst;
        src += TURN;
        dst += TURN;
        turns--;
    }
    hash = load_hash(y);
    if (turns != 0) {
        sum = sum_of_y(hash);
        hash = vec_low(gcm_bulk_loop(t, dst, src, hashed, turns, &slots, counters, 0, sum.lo,
                                     sum.mid, sum.hi));
        put(slots.y, vec_zero());
    }
    store_hash(y, opening ? hash : hash_turn(t, hashed + turns * TURN, hash));
#else
    __m128i j0 = _mm_sub_epi32(counter, _mm_set_epi32(1, 0, 0, 0));
    __m128i hash =
        _mm256_castsi256_si128(bulk_any(t, dst, src, turns, pair(load_hash(y), j0), !opening));

    store_hash(y, opening ? hash : hash_turn(t, dst + (turns - 1) * TURN, hash));
#endif
}

#endif
