/* SPDX-License-Identifier: MIT */
/*
 * Carry-less multiplication by H out of 64x64->128-bit integer multiplications, which must not take
 * longer for some operands than for others: true of the 64-bit CPUs in use.
 *
 * The bits of each operand are dealt to four classes by their number modulo 4. A product of two
 * classes then has its sums of bits four apart: a sum of up to 15 fits, its lowest bit is the one
 * wanted, and the three above fall on other classes and are masked off. Products are added by XOR
 * to those that yield the same class, and masked together, since only lowest bits matter.
 *
 * Bits 4i + a and 4j + b meet in sum i + j, where i and j go from 0 to 15, so that only i + j = 15
 * has 16 pairs. Without its top four bits, an operand has no j = 15, and no sum has more than 15.
 * That operand is H; ghash_add_tops adds what its two times four top bits contribute.
 */
#ifndef AEADFAST_GHASH_MUL64_H
#define AEADFAST_GHASH_MUL64_H

#include "bytes.h"

__extension__ typedef unsigned __int128 ghash_wide;

#define GHASH_CLASS UINT64_C(0x1111111111111111)
#define GHASH_TOPS  UINT64_C(0xf000000000000000)

struct ghash_key {
    uint64_t low[4];  /* the classes of the halves of H, and of their sum, but for the top bits */
    uint64_t high[4]; /* of each */
    uint64_t sum[4];
    uint64_t low_tops[4]; /* bits 60 to 63 of the halves: all ones or zero */
    uint64_t high_tops[4];
};

static inline void ghash_mul_init(struct ghash_key *out, uint64_t high, uint64_t low)
{
    for (int i = 0; i < 4; i++) {
        const uint64_t class = GHASH_CLASS << i & ~GHASH_TOPS;

        out->low[i] = low & class;
        out->high[i] = high & class;
        out->sum[i] = (low ^ high) & class;
        out->low_tops[i] = 0 - (low >> (60 + i) & 1);
        out->high_tops[i] = 0 - (high >> (60 + i) & 1);
    }
}

static inline ghash_wide ghash_mul_class(ghash_wide sum, int class)
{
    const ghash_wide mask = (ghash_wide)(GHASH_CLASS << class) << 64 | GHASH_CLASS << class;

    return sum & mask;
}

static inline ghash_wide ghash_mul_half(uint64_t x, const uint64_t h[4])
{
    const ghash_wide x0 = x & GHASH_CLASS;
    const ghash_wide x1 = x & GHASH_CLASS << 1;
    const ghash_wide x2 = x & GHASH_CLASS << 2;
    const ghash_wide x3 = x & GHASH_CLASS << 3;

    return ghash_mul_class((x0 * h[0]) ^ (x1 * h[3]) ^ (x2 * h[2]) ^ (x3 * h[1]), 0) |
           ghash_mul_class((x0 * h[1]) ^ (x1 * h[0]) ^ (x2 * h[3]) ^ (x3 * h[2]), 1) |
           ghash_mul_class((x0 * h[2]) ^ (x1 * h[1]) ^ (x2 * h[0]) ^ (x3 * h[3]), 2) |
           ghash_mul_class((x0 * h[3]) ^ (x1 * h[2]) ^ (x2 * h[1]) ^ (x3 * h[0]), 3);
}

/*
 * r += x * tops, where a top bit of the lower half of H counts 2^60 to 2^63, of the upper half 2^64
 * as much. The three words of the sum are built from the highest bit down, then shifted by 60.
 */
static inline void ghash_add_tops(uint64_t r[4], const struct ghash_key *key, uint64_t x_high,
                                  uint64_t x_low)
{
    uint64_t t0 = 0;
    uint64_t t1 = 0;
    uint64_t t2 = 0;
    uint64_t t3 = 0;

    for (int i = 3; i >= 0; i--) {
        t3 = t3 << 1 | t2 >> 63;
        t2 = (t2 << 1 | t1 >> 63) ^ (x_high & key->high_tops[i]);
        t1 = (t1 << 1 | t0 >> 63) ^ (x_high & key->low_tops[i]) ^ (x_low & key->high_tops[i]);
        t0 = t0 << 1 ^ (x_low & key->low_tops[i]);
    }
    r[0] ^= t0 << 60;
    r[1] ^= t0 >> 4 | t1 << 60;
    r[2] ^= t1 >> 4 | t2 << 60;
    r[3] ^= t2 >> 4 | t3 << 60;
}

/* r = x * H, 255 bits, by Karatsuba's three products of halves. */
static inline void ghash_mul(uint64_t r[4], const struct ghash_key *key, uint64_t x_high,
                             uint64_t x_low)
{
    const ghash_wide low = ghash_mul_half(x_low, key->low);
    const ghash_wide high = ghash_mul_half(x_high, key->high);
    const ghash_wide middle = ghash_mul_half(x_low ^ x_high, key->sum) ^ low ^ high;

    r[0] = (uint64_t)low;
    r[1] = (uint64_t)(low >> 64) ^ (uint64_t)middle;
    r[2] = (uint64_t)high ^ (uint64_t)(middle >> 64);
    r[3] = (uint64_t)(high >> 64);
    ghash_add_tops(r, key, x_high, x_low);
}

#endif
