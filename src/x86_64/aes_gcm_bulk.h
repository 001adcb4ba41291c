/* SPDX-License-Identifier: MIT */
/*
 * What the AES-GCM kernels for AES-NI (GCM_LANES 1) and VAES (2) share: the table, counters, GHASH
 * of any length, and the bulk of a text, all of it but its last 1 to TURN bytes.
 *
 * Counter blocks are kept with their last word little-endian, where one 32-bit addition counts and
 * wraps as the standard wants; a byte shuffle makes blocks of them.
 */
#ifndef AEADFAST_AES_GCM_BULK_H
#define AEADFAST_AES_GCM_BULK_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "aes_key_aesni.h"

#define BLOCKS (8 * GCM_LANES) /* of a turn of the bulk loop */
#define TURN   (16 * BLOCKS)   /* its bytes */
#define POWERS (BLOCKS + 2)    /* a turn of text, the additional data, the lengths */

/*
 * The powers of H, then the halves of each, added (Karatsuba's third operand). A single block is
 * multiplied as a whole register, so what follows its own power is loaded too: hence the rest.
 */
struct gcm_table {
    uint8_t round_key[AES_MAX_ROUNDS + 1][16];
    uint8_t power[(2 * POWERS + GCM_LANES - 1) * 16]; /* H^POWERS * x, ..., H^1 * x */
    uint64_t rounds;
};

/* Where H^n stands. */
#define POWER_AT(t, n) ((t)->power + 16 * (POWERS - (n)))
#define FOLD_OFFSET    (POWERS * 16)

#include "aes_gcm_chains.h"
#include "aes_gcm_stitched.h"
#include "ghash_sum.h"

/*
 * A store that does happen, and whose value has to be loaded again: what is put away so does not
 * end up in a place of the compiler's choice, and can be wiped.
 */
GCM_INLINE void put(uint8_t *p, vec v)
{
    vec_store(p, v);
    __asm__ volatile("" : : "r"(p) : "memory");
}

#if GCM_LANES == 2

GCM_INLINE __m256i pair(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* gcm_counter_block on two */
GCM_INLINE vec counter_blocks(vec v)
{
    return vec_shuffle8(v, _mm256_set_epi64x(0x0c0d0e0f0b0a0908LL, 0x0706050403020100LL,
                                             0x0c0d0e0f0b0a0908LL, 0x0706050403020100LL));
}

GCM_INLINE vec count(vec counters, size_t n)
{
    int add = (int)(uint32_t)n;

    return vec_add32(counters, _mm256_set_epi32(add, 0, 0, 0, add, 0, 0, 0));
}

/* The counters of the blocks n and n + 1 after J0. */
GCM_INLINE vec start_counters(__m128i j0, size_t n)
{
    return vec_add32(vec_broadcast(j0),
                     _mm256_set_epi32((int)(uint32_t)(n + 1), 0, 0, 0, (int)(uint32_t)n, 0, 0, 0));
}

#else

GCM_INLINE __m256i pair(__m128i low, __m128i high)
{
    return _mm256_insertf128_si256(_mm256_castsi128_si256(low), high, 1);
}

GCM_INLINE vec counter_blocks(vec v)
{
    return gcm_counter_block(v);
}

GCM_INLINE vec count(vec counter, size_t n)
{
    return vec_add32(counter, _mm_set_epi32((int)(uint32_t)n, 0, 0, 0));
}

GCM_INLINE vec start_counters(__m128i j0, size_t n)
{
    return count(j0, n);
}

#endif

/* ---- GHASH ---- */

/* y = GHASH of a turn from y on, of the blocks as they are or with their bytes in reverse order */
GCM_INLINE __m128i hash_turn_of(const struct gcm_table *t, const uint8_t *hashed, __m128i y,
                                int reversed)
{
    struct gcm_sum sum = sum_zero();
    vec first = vec_from_low(y);

    for (size_t i = 0; i < TURN; i += VEC_BYTES) {
        sum_add_at(&sum, vec_xor(order_blocks(vec_load(hashed + i), reversed), first),
                   POWER_AT(t, BLOCKS) + i);
        first = vec_zero();
    }
    return sum_reduce(&sum);
}

GCM_INLINE __m128i hash_turn(const struct gcm_table *t, const uint8_t *hashed, __m128i y)
{
    return hash_turn_of(t, hashed, y, 0);
}

/* GHASH of n bytes padded with zeros */
GCM_INLINE __m128i hash_bytes(const struct gcm_table *t, const uint8_t *p, size_t n)
{
    vec first = vec_zero();
    struct gcm_sum sum;
    const uint8_t *power;

    for (; n > TURN; n -= TURN) {
        first = vec_from_low(hash_turn(t, p, vec_low(first)));
        p += TURN;
    }
    sum = sum_zero();
    power = POWER_AT(t, (n + 15) / 16);
    for (; n >= VEC_BYTES; n -= VEC_BYTES) {
        sum_add_at(&sum, vec_xor(reverse_blocks(vec_load(p)), first), power);
        first = vec_zero();
        p += VEC_BYTES;
        power += VEC_BYTES;
    }
    for (; n != 0; n -= n < 16 ? n : 16) {
        __m128i x = gcm_reverse(n < 16 ? load_partial(p, n) : load128(p));

        sum_add_at(&sum, vec_xor(vec_from_low(x), first), power);
        first = vec_zero();
        p += 16;
        power += 16;
    }
    return sum_reduce(&sum);
}

static __attribute__((noinline)) __m128i hash_aad(const struct gcm_table *t, const uint8_t *aad,
                                                  size_t aad_len)
{
    return hash_bytes(t, aad, aad_len);
}

/* y after the additional data, and J0 of a nonce not 12 bytes long, as a counter */
static __attribute__((noinline)) __m256i hash_aad_and_nonce(const struct gcm_table *t,
                                                            const uint8_t *aad, size_t aad_len,
                                                            const uint8_t *nonce, size_t nonce_len)
{
    __m128i j0 = _mm_xor_si128(hash_bytes(t, nonce, nonce_len), gcm_lengths(0, nonce_len));

    j0 = gcm_reverse(ghash_mul(j0, load128(POWER_AT(t, 1))));
    return pair(hash_bytes(t, aad, aad_len), gcm_counter_block(j0));
}

/* ---- Bulk ---- */

#define CHAIN_COUNT(i) e##i = counter_blocks((i) == 0 ? c : count(c, GCM_LANES * (i)));
#define CHAIN_OUTPUT(i)                                                                            \
    vec_store(dst + VEC_BYTES * (i), vec_xor(e##i, vec_load(src + VEC_BYTES * (i))));

/* Counter mode alone; c holds the counters of the first blocks. */
GCM_INLINE void encrypt_turn(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, vec c)
{
    vec e0, e1, e2, e3, e4, e5, e6, e7;

    CHAINS_8(CHAIN_COUNT);
    CHAINS_ENCRYPT(CHAINS_8, CHAINS_FIRST_8);
    CHAINS_8(CHAIN_OUTPUT);
}

#if GCM_ASM

/* What reduces to y. */
GCM_INLINE struct gcm_sum sum_of_y(__m128i y)
{
    struct gcm_sum sum = {vec_zero(), vec_from_low(y), vec_from_low(y)};

    return sum;
}

/*
 * Turns of text from a counter on that is 2 modulo BLOCKS, as it is after a 12-byte nonce; sealing
 * leaves the last TURN bytes that it wrote to be hashed by the caller. Returns y.
 */
GCM_INLINE __m128i bulk(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, size_t turns,
                        __m128i y, size_t y_blocks, __m128i j0, int sealing)
{
    struct gcm_sum sum = sum_of_y(y);
    vec counters = start_counters(j0, 1);
    const uint8_t *hashed = src;
    struct gcm_slots slots;

    if (y_blocks != 0) {
        sum = sum_zero();
        sum_add_at(&sum, vec_from_low(y), POWER_AT(t, 1));
    }
    if (sealing) {
        encrypt_turn(t, dst, src, counters);
        counters = count(counters, BLOCKS);
        turns--;
        if (turns == 0) {
            return sum_reduce(&sum);
        }
        hashed = dst;
        src += TURN;
        dst += TURN;
    }
    sum.hi =
        gcm_bulk_loop(t, dst, src, hashed, turns, &slots, counters, 1, sum.lo, sum.mid, sum.hi);
    put(slots.y, vec_zero());
    return vec_low(sum.hi);
}

#endif

/*
 * The same for any counter. Takes y and J0 in one register and returns the new y and J0 likewise: so
 * the caller has no secret to keep over the call, which no vector register survives. Here both lie
 * in the slots meanwhile, which are wiped.
 */
static __attribute__((noinline)) __m256i bulk_any(const struct gcm_table *t, uint8_t *dst,
                                                  const uint8_t *src, size_t turns,
                                                  __m256i y_and_j0, int sealing)
{
    size_t blocks = BLOCKS * turns;
    const uint8_t *hashed = src;
    struct gcm_slots slots;
    vec j0;

    put(slots.y, vec_from_low(_mm256_castsi256_si128(y_and_j0)));
    put(slots.counter, start_counters(_mm256_extractf128_si256(y_and_j0, 1), 1));
    if (sealing) {
        encrypt_turn(t, dst, src, vec_load(slots.counter));
        put(slots.counter, count(vec_load(slots.counter), BLOCKS));
        hashed = dst;
        src += TURN;
        dst += TURN;
        turns--;
    }
#if GCM_ASM
    if (turns != 0) {
        struct gcm_sum sum = sum_of_y(load128(slots.y));

        put(slots.y, gcm_bulk_loop(t, dst, src, hashed, turns, &slots, vec_load(slots.counter), 0,
                                   sum.lo, sum.mid, sum.hi));
    }
#else
    for (; turns != 0; turns--) {
        put(slots.y, vec_from_low(hash_turn(t, hashed, load128(slots.y))));
        encrypt_turn(t, dst, src, vec_load(slots.counter));
        put(slots.counter, count(vec_load(slots.counter), BLOCKS));
        hashed += TURN;
        src += TURN;
        dst += TURN;
    }
#endif
    j0 = count(vec_load(slots.counter), 0 - (blocks + 1));
    y_and_j0 = pair(load128(slots.y), vec_low(j0));
    put(slots.counter, vec_zero());
    put(slots.y, vec_zero());
    return y_and_j0;
}

#endif
