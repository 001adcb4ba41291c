/* SPDX-License-Identifier: MIT */
/*
 * GHASH (SP 800-38D section 6.4) by the carry-less multiplication of bytes, PMULL of 8 by 8 bits,
 * which every core with NEON has.
 *
 * With the bits of every byte reversed (RBIT) a block is a little-endian number with the coefficient
 * of x^i in bit i, of words w0 to w3. Karatsuba, twice, makes nine products of 32 by 32 bits out of
 * the sixteen. Their factors are kept in registers of two words:
 *
 *   LOW w0 w1 | HIGH w2 w3 | HALVES w0+w2 w1+w3 | WORDS w0+w1 w2+w3 | ALL w0+w1+w2+w3, of two blocks
 *
 * A product of two words is four PMULL, the bytes of the second factor turned by k = 0 to 3: byte i
 * meets byte (i + k) % 4. What each k gives is summed over up to eight blocks, times powers of H
 * whose turns the key holds, and only the sums are put together and reduced.
 */
#ifndef AEADFAST_GHASH_PMULL8_H
#define AEADFAST_GHASH_PMULL8_H

#include <arm_neon.h>
#include <stdint.h>

#include "../bytes.h"
#include "../codegen.h"

#define GHASH_POWERS 8

enum { GHASH_LOW, GHASH_HIGH, GHASH_HALVES, GHASH_WORDS, GHASH_PARTS, GHASH_ALL = GHASH_PARTS };

/* H^(2i+2) and H^(2i+1), and the sums of all words of both. */
struct ghash_pair {
    uint8_t part[2][GHASH_PARTS][4][8];
    uint8_t all[4][8];
};

struct ghash_key {
    struct ghash_pair pair[GHASH_POWERS / 2];
};

struct ghash {
    uint8_t y[16]; /* reversed */
};

struct ghash_sums {
    uint16x8_t of[GHASH_PARTS + 1][4];
};

/* The factors of a block but ALL. */
struct ghash_factors {
    uint8x8_t part[GHASH_PARTS];
};

/* The sums of the two words of a, and of b. */
ALWAYS_INLINE uint8x8_t ghash_add_words(uint8x8_t a, uint8x8_t b)
{
    const uint32x2_t x = vreinterpret_u32_u8(a);
    const uint32x2_t y = vreinterpret_u32_u8(b);

    return vreinterpret_u8_u32(veor_u32(vtrn1_u32(x, y), vtrn2_u32(x, y)));
}

ALWAYS_INLINE struct ghash_factors ghash_split(uint8x16_t x)
{
    struct ghash_factors f;

    f.part[GHASH_LOW] = vget_low_u8(x);
    f.part[GHASH_HIGH] = vget_high_u8(x);
    f.part[GHASH_HALVES] = veor_u8(f.part[GHASH_LOW], f.part[GHASH_HIGH]);
    f.part[GHASH_WORDS] = ghash_add_words(f.part[GHASH_LOW], f.part[GHASH_HIGH]);
    return f;
}

ALWAYS_INLINE uint16x8_t ghash_mul_add(uint16x8_t sum, uint8x8_t a, const uint8_t *b)
{
    const poly8x8_t x = vreinterpret_p8_u8(a);
    const poly8x8_t y = vreinterpret_p8_u8(vld1_u8(b));

    return veorq_u16(sum, vreinterpretq_u16_p16(vmull_p8(x, y)));
}

/* sums += a * the even power + b * the odd one */
ALWAYS_INLINE void ghash_add_pair(struct ghash_sums *sums, uint8x16_t a, uint8x16_t b,
                                  const struct ghash_pair *powers)
{
    const struct ghash_factors f[2] = {ghash_split(a), ghash_split(b)};
    const uint8x8_t all = ghash_add_words(f[0].part[GHASH_HALVES], f[1].part[GHASH_HALVES]);

    UNROLL
    for (int p = 0; p < GHASH_PARTS; p++) {
        /* twenty registers are sums: nothing for a later part is to be loaded yet */
        __asm__ volatile("" : "+r"(powers));
        UNROLL
        for (int k = 0; k < 4; k++) {
            uint16x8_t sum = sums->of[p][k];

            sum = ghash_mul_add(sum, f[0].part[p], powers->part[0][p][k]);
            sums->of[p][k] = ghash_mul_add(sum, f[1].part[p], powers->part[1][p][k]);
        }
    }
    UNROLL
    for (int k = 0; k < 4; k++) {
        sums->of[GHASH_ALL][k] = ghash_mul_add(sums->of[GHASH_ALL][k], all, powers->all[k]);
    }
}

/*
 * The two 64-bit products whose sums are given. Lane i of sum k is at byte i + (i + k) % 4:
 *
 *   k = 0: 0, 2, 4, 6 | 1: 1, 3, 5, 3 | 2: 2, 4, 2, 4 | 3: 3, 1, 3, 5, turned by a lane 1, 3, 5, 3
 */
ALWAYS_INLINE uint64x2_t ghash_join_lanes(const uint16x8_t sum[4])
{
    const uint64x2_t k0 = vreinterpretq_u64_u16(sum[0]);
    const uint64x2_t k1 = vreinterpretq_u64_u16(sum[1]);
    const uint64x2_t k2 = vreinterpretq_u64_u16(sum[2]);
    const uint64x2_t k3 = vreinterpretq_u64_u16(sum[3]);
    const uint64x2_t odd = veorq_u64(k1, vsliq_n_u64(vshrq_n_u64(k3, 16), k3, 48));
    const uint64x2_t at_1_3_5 = vshrq_n_u64(vshlq_n_u64(odd, 16), 8);
    const uint64x2_t at_3 = vshlq_n_u64(vshrq_n_u64(odd, 48), 24);
    const uint64x2_t even = veorq_u64(k2, vshrq_n_u64(k2, 32));
    const uint64x2_t at_2_4 = vshrq_n_u64(vshlq_n_u64(even, 32), 16);

    return veorq_u64(veorq_u64(k0, at_2_4), veorq_u64(at_1_3_5, at_3));
}

/* x * 2^(8 n), 128 bits */
#define GHASH_SHIFT_UP(x, n)   vextq_u8(vdupq_n_u8(0), x, 16 - (n))
#define GHASH_SHIFT_DOWN(x, n) vextq_u8(x, vdupq_n_u8(0), n)

/* The 128-bit product with the given lower, middle (of the sums) and upper product of 64 bits. */
ALWAYS_INLINE uint8x16_t ghash_join_words(uint64x2_t lower_upper, uint64x2_t middle)
{
    const uint8x16_t m = vreinterpretq_u8_u64(middle);

    return veorq_u8(vreinterpretq_u8_u64(lower_upper), GHASH_SHIFT_UP(m, 4));
}

ALWAYS_INLINE uint8x16_t ghash_mul_poly(uint8x8_t x)
{
    return vreinterpretq_u8_p16(vmull_p8(vreinterpret_p8_u8(x), vdup_n_p8(0x87)));
}

/* low + high * x^128, which is worth high * 0x87: the bytes of that reach into the next one up. */
ALWAYS_INLINE uint8x16_t ghash_reduce(uint8x16_t low, uint8x16_t high)
{
    const uint8x16_t p = ghash_mul_poly(vget_low_u8(high));
    const uint8x16_t q = ghash_mul_poly(vget_high_u8(high));
    const uint8x16_t own = vuzp1q_u8(p, q);
    const uint8x16_t next = vuzp2q_u8(p, q);
    const uint8x16_t top = ghash_mul_poly(vget_low_u8(GHASH_SHIFT_DOWN(next, 15)));

    return veorq_u8(veorq_u8(low, own), veorq_u8(GHASH_SHIFT_UP(next, 1), top));
}

ALWAYS_INLINE uint8x16_t ghash_join(const struct ghash_sums *sums)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    const uint64x2_t low = ghash_join_lanes(sums->of[GHASH_LOW]);
    const uint64x2_t high = ghash_join_lanes(sums->of[GHASH_HIGH]);
    const uint64x2_t halves = ghash_join_lanes(sums->of[GHASH_HALVES]);
    const uint64x2_t words = ghash_join_lanes(sums->of[GHASH_WORDS]);
    const uint64x2_t all = veorq_u64(ghash_join_lanes(sums->of[GHASH_ALL]), halves);
    const uint64x2_t middle =
        veorq_u64(words, veorq_u64(vtrn1q_u64(low, high), vtrn2q_u64(low, high)));
    const uint64x2_t middle_all = veorq_u64(all, vextq_u64(all, all, 1));
    const uint8x16_t l = ghash_join_words(low, vtrn1q_u64(middle, zero));
    const uint8x16_t h = ghash_join_words(high, vtrn2q_u64(middle, zero));
    uint8x16_t m = ghash_join_words(halves, vtrn1q_u64(middle_all, zero));

    m = veorq_u8(m, veorq_u8(l, h));
    return ghash_reduce(veorq_u8(l, GHASH_SHIFT_UP(m, 8)), veorq_u8(h, GHASH_SHIFT_DOWN(m, 8)));
}

/* A block with its bits in order, its bytes in reverse order before if they are to be. */
ALWAYS_INLINE uint8x16_t ghash_block(const uint8_t *p, int reversed)
{
    const uint8x16_t block = vrbitq_u8(vld1q_u8(p));
    const uint8x16_t halves = vrev64q_u8(block);

    return reversed ? vextq_u8(halves, halves, 8) : block;
}

/* Takes in 1 to GHASH_POWERS blocks. */
static inline void ghash_group(struct ghash *y, const struct ghash_key *key, const uint8_t *data,
                               size_t blocks, int reversed)
{
    size_t pairs = blocks / 2;
    struct ghash_sums sums;
    uint8x16_t first = vld1q_u8(y->y);

    UNROLL
    for (int p = 0; p <= GHASH_PARTS; p++) {
        UNROLL
        for (int k = 0; k < 4; k++) {
            sums.of[p][k] = vdupq_n_u16(0);
        }
    }
    if (blocks % 2 != 0) {
        first = veorq_u8(first, ghash_block(data, reversed));
        ghash_add_pair(&sums, vdupq_n_u8(0), first, &key->pair[pairs]);
        first = vdupq_n_u8(0);
        data += 16;
    }
    while (pairs != 0) {
        pairs--;
        first = veorq_u8(first, ghash_block(data, reversed));
        ghash_add_pair(&sums, first, ghash_block(data + 16, reversed), &key->pair[pairs]);
        first = vdupq_n_u8(0);
        data += 32;
    }
    vst1q_u8(y->y, ghash_join(&sums));
}

static void ghash_blocks(struct ghash *y, const struct ghash_key *key, const uint8_t *data,
                         size_t blocks, int reversed)
{
    while (blocks != 0) {
        const size_t n = blocks < GHASH_POWERS ? blocks : GHASH_POWERS;

        ghash_group(y, key, data, n, reversed);
        data += 16 * n;
        blocks -= n;
    }
}

/* All turns of two words. */
static inline void ghash_turns(uint8_t out[4][8], uint8x8_t words)
{
    static const uint8_t turn[4][8] = {
        {0, 1, 2, 3, 4, 5, 6, 7},
        {1, 2, 3, 0, 5, 6, 7, 4},
        {2, 3, 0, 1, 6, 7, 4, 5},
        {3, 0, 1, 2, 7, 4, 5, 6},
    };

    for (int k = 0; k < 4; k++) {
        vst1_u8(out[k], vtbl1_u8(words, vld1_u8(turn[k])));
    }
}

/* Makes as many powers as groups of up to `blocks` blocks take. */
static inline void ghash_key_init(struct ghash_key *out, const uint8_t h[16], size_t blocks)
{
    static const uint8_t zero[16] = {0};
    const size_t powers = blocks < GHASH_POWERS ? blocks : GHASH_POWERS;
    uint8x8_t halves[2] = {vdup_n_u8(0), vdup_n_u8(0)};
    struct ghash power;

    memset(out, 0, sizeof(*out)); /* a single block is multiplied in a pair with zeros */
    vst1q_u8(power.y, vrbitq_u8(vld1q_u8(h)));
    for (size_t i = 0; i < powers; i++) {
        struct ghash_pair *const pair = &out->pair[i / 2];
        const size_t odd = 1 - i % 2; /* the exponent, i + 1 */
        const struct ghash_factors f = ghash_split(vld1q_u8(power.y));

        for (int p = 0; p < GHASH_PARTS; p++) {
            ghash_turns(pair->part[odd][p], f.part[p]);
        }
        halves[odd] = f.part[GHASH_HALVES];
        ghash_turns(pair->all, ghash_add_words(halves[0], halves[1]));
        ghash_group(&power, out, zero, 1, 0);
    }
}

static inline void ghash_load(struct ghash *y, const uint8_t in[16])
{
    vst1q_u8(y->y, vrbitq_u8(vld1q_u8(in)));
}

static inline void ghash_store(uint8_t out[16], const struct ghash *y)
{
    vst1q_u8(out, vrbitq_u8(vld1q_u8(y->y)));
}

#endif
