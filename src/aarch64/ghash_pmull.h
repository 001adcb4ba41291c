/* SPDX-License-Identifier: MIT */
/*
 * GHASH (SP 800-38D section 6.4) by the carry-less multiplication of 64 bits, PMULL.
 *
 * A block has the coefficient of x^0 in the highest bit of its first byte. With the bits of every
 * byte reversed (RBIT) it is a little-endian number with the coefficient of x^i in bit i: no shift
 * is needed to correct a product, and the modulus x^128 + x^7 + x^2 + x + 1 folds 64 bits down by
 * one multiplication by 0x87.
 *
 * Blocks are taken in pairs, by Karatsuba: the sums of the halves of two blocks come from three
 * instructions, and the third products from the lower and the upper half of one register.
 */
#ifndef AEADFAST_GHASH_PMULL_H
#define AEADFAST_GHASH_PMULL_H

#include <arm_neon.h>
#include <stdint.h>

#include "../bytes.h"
#include "../codegen.h"

/* Two powers of H, and the sums of the halves of each. */
struct ghash_pair {
    uint8_t odd[16];  /* H^(2i+1) */
    uint8_t even[16]; /* H^(2i+2) */
    uint8_t fold[16];
};

/* Products that are not reduced yet, lo + mid * x^64 + hi * x^128; mid is without lo and hi. */
struct ghash_sum {
    uint64x2_t lo;
    uint64x2_t mid;
    uint64x2_t hi;
};

ALWAYS_INLINE uint64x2_t ghash_load(const uint8_t *p)
{
    return vreinterpretq_u64_u8(vld1q_u8(p));
}

ALWAYS_INLINE uint64x2_t ghash_block(uint8x16_t block)
{
    return vreinterpretq_u64_u8(vrbitq_u8(block));
}

ALWAYS_INLINE uint8x16_t ghash_bytes(uint64x2_t y)
{
    return vrbitq_u8(vreinterpretq_u8_u64(y));
}

ALWAYS_INLINE uint64x2_t ghash_mul_low(uint64x2_t a, uint64x2_t b)
{
    return vreinterpretq_u64_p128(
        vmull_p64((poly64_t)vgetq_lane_u64(a, 0), (poly64_t)vgetq_lane_u64(b, 0)));
}

/*
 * Clang would rather move the upper halves down with two EXT than use PMULL2 (19: 5 % more code).
 */
ALWAYS_INLINE uint64x2_t ghash_mul_high(uint64x2_t a, uint64x2_t b)
{
#if defined(__clang__)
    uint64x2_t product;

    __asm__("pmull2 %0.1q, %1.2d, %2.2d" : "=w"(product) : "w"(a), "w"(b));
    return product;
#else
    return vreinterpretq_u64_p128(
        vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
#endif
}

/* a ^ b ^ c: one instruction where there is EOR3 */
ALWAYS_INLINE uint64x2_t ghash_xor3(uint64x2_t a, uint64x2_t b, uint64x2_t c)
{
#ifdef __ARM_FEATURE_SHA3
    return veor3q_u64(a, b, c);
#else
    return veorq_u64(veorq_u64(a, b), c);
#endif
}

/* The sums of the halves of a and of b. */
ALWAYS_INLINE uint64x2_t ghash_fold(uint64x2_t a, uint64x2_t b)
{
    return veorq_u64(vtrn1q_u64(a, b), vtrn2q_u64(a, b));
}

ALWAYS_INLINE struct ghash_sum ghash_zero(void)
{
    const struct ghash_sum sum = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};

    return sum;
}

/* sum += even * the even power + odd * the odd power */
ALWAYS_INLINE void ghash_add_pair(struct ghash_sum *sum, uint64x2_t even, uint64x2_t odd,
                                  const struct ghash_pair *power)
{
    const uint64x2_t h_even = ghash_load(power->even);
    const uint64x2_t h_odd = ghash_load(power->odd);
    const uint64x2_t h_fold = ghash_load(power->fold);
    const uint64x2_t fold = ghash_fold(odd, even);

    sum->lo = ghash_xor3(sum->lo, ghash_mul_low(even, h_even), ghash_mul_low(odd, h_odd));
    sum->hi = ghash_xor3(sum->hi, ghash_mul_high(even, h_even), ghash_mul_high(odd, h_odd));
    sum->mid = ghash_xor3(sum->mid, ghash_mul_low(fold, h_fold), ghash_mul_high(fold, h_fold));
}

/*
 * Folds the upper 64 bits, then those below them: each is worth 0x87 times as much 128 bits down.
 */
ALWAYS_INLINE uint64x2_t ghash_reduce(const struct ghash_sum *sum)
{
    const uint64x2_t poly = vdupq_n_u64(0x87);
    uint64x2_t mid = ghash_xor3(sum->mid, sum->lo, sum->hi);

    mid = ghash_xor3(mid, vextq_u64(sum->lo, sum->hi, 1), ghash_mul_high(sum->hi, poly));
    return veorq_u64(vtrn1q_u64(sum->lo, mid), ghash_mul_high(mid, poly));
}

/* H^n */
ALWAYS_INLINE uint64x2_t ghash_power(const struct ghash_pair *pairs, size_t n)
{
    const struct ghash_pair *pair = &pairs[(n - 1) / 2];

    return ghash_load(n % 2 != 0 ? pair->odd : pair->even);
}

ALWAYS_INLINE struct ghash_sum ghash_product(uint64x2_t a, uint64x2_t b)
{
    const uint64x2_t fold = ghash_fold(a, b);
    const struct ghash_sum product = {
        ghash_mul_low(a, b),
        ghash_mul_low(fold, vdupq_laneq_u64(fold, 1)),
        ghash_mul_high(a, b),
    };

    return product;
}

static inline uint64x2_t ghash_mul(uint64x2_t a, uint64x2_t b)
{
    const struct ghash_sum product = ghash_product(a, b);

    return ghash_reduce(&product);
}

/* The powers of the hash subkey, the cipher of the zero block. */
static inline void ghash_powers(struct ghash_pair *pairs, size_t count, uint8x16_t subkey)
{
    const uint64x2_t h = ghash_block(subkey);
    uint64x2_t odd = h;

    for (size_t i = 0; i < count; i++) {
        const uint64x2_t even = ghash_mul(odd, h);

        vst1q_u8(pairs[i].odd, vreinterpretq_u8_u64(odd));
        vst1q_u8(pairs[i].even, vreinterpretq_u8_u64(even));
        vst1q_u8(pairs[i].fold, vreinterpretq_u8_u64(ghash_fold(odd, even)));
        odd = ghash_mul(even, h);
    }
}

#endif
