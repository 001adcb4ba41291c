/* SPDX-License-Identifier: MIT */
/*
 * GHASH for the kernels with AVX-512: registers of GCM_LANES blocks, the first block in the lowest
 * lane. The arithmetic is that of ghash_clmul.h.
 *
 * A message is summed up by Horner's rule in every lane by itself: `y` holds in lane l the sum of
 * every GCM_LANES-th block, from the l-th on, times the powers of H^GCM_LANES, the latest block not
 * yet multiplied. So the blocks behind a y lie `right`: its top lane is the last of them, and in the
 * message's sum, with n blocks after them, its lanes want H^(n + GCM_LANES), ..., H^(n + 1).
 * Within a lane all registers of a turn need the same few powers, and only the end adds up lanes.
 */
#ifndef AEADFAST_GHASH_WIDE_H
#define AEADFAST_GHASH_WIDE_H

#include "aes_gcm_vector.h"
#include "aes_key_aesni.h"
#include "ghash_clmul.h"

#define VECTORS 8                     /* registers of a turn of the bulk loop */
#define TURN    (VECTORS * VEC_BYTES) /* its bytes */
#define POWERS  (VECTORS * GCM_LANES)

/* Powers first: what is loaded beyond the last one (and multiplied by 0) still lies within. */
struct gcm_table {
    uint8_t power[2 * POWERS * 16]; /* H^POWERS * x, ..., H^1 * x; the halves of each, added */
    uint8_t round_key[AES_MAX_ROUNDS + 1][16];
    uint64_t rounds;
};

/* Where H^n stands, and how far after it the sum of its halves. */
#define POWER_AT(t, n) ((t)->power + 16 * (POWERS - (n)))
#define FOLD_OFFSET    (POWERS * 16)

#if GCM_LANES == 4
typedef __mmask64 vec_mask;
#define vec_load_masked(mask, p)     _mm512_maskz_loadu_epi8(mask, (const void *)(p))
#define vec_store_masked(p, mask, v) _mm512_mask_storeu_epi8((void *)(p), mask, v)
#define vec_keep(mask, v)            _mm512_maskz_mov_epi8(mask, v)
#define vec_put_lane(v, lane, x)                                                                   \
    _mm512_mask_broadcast_i32x4(v, (__mmask16)(0xfu << (4 * (lane))), x)
#define vec_low_halves(a, b)    _mm512_unpacklo_epi64(a, b)
#define vec_high_halves(a, b)   _mm512_unpackhi_epi64(a, b)
#define vec_mix(mask, a, b)     _mm512_mask_mov_epi64(a, mask, b) /* halves of lanes */
#define vec_ternary(a, b, c, f) _mm512_ternarylogic_epi64(a, b, c, f)
#else
typedef __mmask32 vec_mask;
#define vec_load_masked(mask, p)     _mm256_maskz_loadu_epi8(mask, (const void *)(p))
#define vec_store_masked(p, mask, v) _mm256_mask_storeu_epi8((void *)(p), mask, v)
#define vec_keep(mask, v)            _mm256_maskz_mov_epi8(mask, v)
#define vec_put_lane(v, lane, x)     _mm256_mask_broadcast_i32x4(v, (__mmask8)(0xfu << (4 * (lane))), x)
#define vec_low_halves(a, b)         _mm256_unpacklo_epi64(a, b)
#define vec_high_halves(a, b)        _mm256_unpackhi_epi64(a, b)
#define vec_mix(mask, a, b)          _mm256_mask_mov_epi64(a, mask, b)
#define vec_ternary(a, b, c, f)      _mm256_ternarylogic_epi64(a, b, c, f)
#endif
#if GCM_ASM
#define vec_xor3(a, b, c) vec_ternary(a, b, c, 0x96)
#else /* a sanitizer may know neither */
#define vec_xor3(a, b, c) vec_xor(vec_xor(a, b), c)
#endif

/* The first n bytes, n below 256. */
GCM_INLINE vec_mask first_bytes(size_t n)
{
    return (vec_mask)_bzhi_u64(~(uint64_t)0, (unsigned)n);
}

/* Up to VEC_BYTES bytes, not 0, and zeros up to a whole block, which comes to lie in the top lane. */
GCM_INLINE vec load_right(const uint8_t *p, size_t n)
{
    size_t offset = VEC_BYTES - (n + 15) / 16 * 16;

    /* Bytes that are masked out are not accessed. */
    return vec_load_masked((vec_mask)(first_bytes(n) << offset),
                           (const uint8_t *)((uintptr_t)p - offset));
}

static const _Alignas(64) uint8_t wide_reverse[64] = {
    15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,  15, 14, 13, 12, 11, 10,
    9,  8,  7,  6,  5,  4,  3,  2,  1,  0,  15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,
    3,  2,  1,  0,  15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,
};

GCM_INLINE vec reverse_blocks(vec v)
{
    return vec_shuffle8(v, vec_load(wide_reverse));
}

/* Blocks, or blocks with their bytes in reverse order, as they are multiplied. */
GCM_INLINE vec order_blocks(vec v, int reversed)
{
    return reversed ? v : reverse_blocks(v);
}

/* A power of H for each lane, and the sums of their halves. */
struct gcm_power {
    vec h;
    vec fold;
};

GCM_INLINE vec powers_at(const uint8_t *p)
{
    return vec_load(p);
}

/* The power by which a register is multiplied that lies n registers from the last one. */
GCM_INLINE struct gcm_power step_power(const struct gcm_table *t, size_t n)
{
    const uint8_t *p = POWER_AT(t, n * GCM_LANES);
    struct gcm_power power = {vec_broadcast(load128(p)), vec_broadcast(load128(p + FOLD_OFFSET))};

    return power;
}

/* Products not reduced yet. */
struct gcm_sum {
    vec lo;
    vec mid;
    vec hi;
};

/*
 * By four multiplications, where few registers are multiplied: Karatsuba's three take as many
 * instructions, for the halves to be added and the difference of the sums to be made up for, and as
 * many of Intel's port 5.
 */
GCM_INLINE struct gcm_sum product(vec x, vec power)
{
    struct gcm_sum p = {vec_clmul(x, power, 0x00),
                        vec_xor(vec_clmul(x, power, 0x01), vec_clmul(x, power, 0x10)),
                        vec_clmul(x, power, 0x11)};

    return p;
}

/* sum + x * power */
GCM_INLINE struct gcm_sum sum_and_product(struct gcm_sum sum, vec x, vec power)
{
    sum.lo = vec_xor(sum.lo, vec_clmul(x, power, 0x00));
    sum.mid = vec_xor3(sum.mid, vec_clmul(x, power, 0x01), vec_clmul(x, power, 0x10));
    sum.hi = vec_xor(sum.hi, vec_clmul(x, power, 0x11));
    return sum;
}

/*
 * The same by three, as Zen 4 has it better, whose multiplication of such a register takes two cycles;
 * sum.mid is without sum.lo ^ sum.hi.
 */
GCM_INLINE struct gcm_sum sum_and_product_by_3(struct gcm_sum sum, vec x, struct gcm_power power)
{
    sum.lo = vec_xor(sum.lo, vec_clmul(x, power.h, 0x00));
    sum.mid = vec_xor(sum.mid, vec_clmul(vec_xor(x, vec_swap_halves(x)), power.fold, 0x00));
    sum.hi = vec_xor(sum.hi, vec_clmul(x, power.h, 0x11));
    return sum;
}

/* Each lane by itself. */
GCM_INLINE vec sum_reduce(struct gcm_sum sum)
{
    vec poly = vec_broadcast64(GHASH_POLY);
    vec mid = vec_xor3(sum.mid, vec_clmul(sum.lo, poly, 0x00), vec_swap_halves(sum.lo));

    return vec_xor3(sum.hi, vec_clmul(mid, poly, 0x00), vec_swap_halves(mid));
}

GCM_INLINE vec multiply(vec x, vec power)
{
    return sum_reduce(product(x, power));
}

GCM_INLINE __m128i sum_of_lanes(vec v)
{
#if GCM_LANES == 4
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
#else
    __m256i half = v;
#endif
    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

/* Keeps GCC from loading so much ahead that products end up on the stack. */
#if GCM_ASM
#define KEEP_SUM(s) __asm__ volatile("" : "+v"((s).lo), "+v"((s).mid), "+v"((s).hi) : : "memory")
#else
#define KEEP_SUM(s) (void)0
#endif

/*
 * y after another TURN bytes, of the blocks as they are or with their bytes in reverse order. The y
 * before lies `y_steps` registers from the end: VECTORS, or VECTORS - 1 where it is to be added to
 * the first one.
 */
GCM_INLINE vec hash_turn_of(const struct gcm_table *t, const uint8_t *p, vec y, size_t y_steps,
                            int reversed)
{
    struct gcm_sum sum = {vec_zero(), vec_zero(), vec_zero()};

    sum = sum_and_product_by_3(sum, y, step_power(t, y_steps));
    for (size_t i = 1; i < VECTORS; i++) {
        sum = sum_and_product_by_3(sum, order_blocks(vec_load(p), reversed),
                                   step_power(t, VECTORS - i));
        p += VEC_BYTES;
        KEEP_SUM(sum);
    }
    sum.mid = vec_xor3(sum.mid, sum.lo, sum.hi);
    return vec_xor(sum_reduce(sum), order_blocks(vec_load(p), reversed));
}

/* y after another TURN bytes */
GCM_INLINE vec hash_turn(const struct gcm_table *t, const uint8_t *p, vec y)
{
    return hash_turn_of(t, p, y, VECTORS, 0);
}

/* y of n bytes padded with zeros */
GCM_INLINE vec hash_bytes(const struct gcm_table *t, const uint8_t *p, size_t n)
{
    size_t take;
    vec y;

    if (n == 0) {
        return vec_zero();
    }
    take = ((n + 15) / 16 - 1) % GCM_LANES * 16 + 16;
    take = take < n ? take : n;
    y = reverse_blocks(load_right(p, take));
    while (n != take) {
        n -= take;
        p += take;
        if (n >= TURN) {
            y = hash_turn(t, p, y);
            take = TURN;
        } else {
            take = n < VEC_BYTES ? n : VEC_BYTES;
            y = vec_xor(multiply(y, step_power(t, 1).h),
                        reverse_blocks(vec_load_masked(first_bytes(take), p)));
        }
    }
    return y;
}

#endif
