/* SPDX-License-Identifier: MIT */
/*
 * Carry-less multiplication by H out of 32x32->64-bit integer multiplications, for machines with
 * nothing wider. They must not take longer for some operands than for others; some small cores
 * (ARM Cortex-M3, ARM7) stop early on short operands, and are not for this code.
 *
 * The bits of each operand are dealt to four classes by their number modulo 4, eight bits each. A
 * product of two classes has its sums of bits four apart, and none is above 8, so that it stays in
 * its four bits. The lowest bit of a sum is the one wanted; the others fall on other classes and
 * are masked off. Products are added by XOR to those that yield the same class, and masked
 * together.
 */
#ifndef AEADFAST_GHASH_MUL32_H
#define AEADFAST_GHASH_MUL32_H

#include "bytes.h"

#define GHASH_CLASS UINT32_C(0x11111111)

/* The classes of the words of H that two levels of Karatsuba multiply: a half is low, high, sum. */
struct ghash_half {
    uint32_t low[4];
    uint32_t high[4];
    uint32_t sum[4];
};

struct ghash_key {
    struct ghash_half low;
    struct ghash_half high;
    struct ghash_half sum;
};

static inline void ghash_half_init(struct ghash_half *out, uint64_t x)
{
    const uint32_t low = (uint32_t)x;
    const uint32_t high = (uint32_t)(x >> 32);

    for (int i = 0; i < 4; i++) {
        out->low[i] = low & GHASH_CLASS << i;
        out->high[i] = high & GHASH_CLASS << i;
        out->sum[i] = (low ^ high) & GHASH_CLASS << i;
    }
}

static inline void ghash_mul_init(struct ghash_key *out, uint64_t high, uint64_t low)
{
    ghash_half_init(&out->low, low);
    ghash_half_init(&out->high, high);
    ghash_half_init(&out->sum, low ^ high);
}

static inline uint64_t ghash_mul_class(uint64_t sum, int class)
{
    return sum & UINT64_C(0x1111111111111111) << class;
}

static inline uint64_t ghash_mul_word(uint32_t x, const uint32_t h[4])
{
    const uint64_t x0 = x & GHASH_CLASS;
    const uint64_t x1 = x & GHASH_CLASS << 1;
    const uint64_t x2 = x & GHASH_CLASS << 2;
    const uint64_t x3 = x & GHASH_CLASS << 3;

    return ghash_mul_class((x0 * h[0]) ^ (x1 * h[3]) ^ (x2 * h[2]) ^ (x3 * h[1]), 0) |
           ghash_mul_class((x0 * h[1]) ^ (x1 * h[0]) ^ (x2 * h[3]) ^ (x3 * h[2]), 1) |
           ghash_mul_class((x0 * h[2]) ^ (x1 * h[1]) ^ (x2 * h[0]) ^ (x3 * h[3]), 2) |
           ghash_mul_class((x0 * h[3]) ^ (x1 * h[2]) ^ (x2 * h[1]) ^ (x3 * h[0]), 3);
}

/* r[0] + 2^64 r[1] = x * h */
static inline void ghash_mul_half(uint64_t r[2], uint64_t x, const struct ghash_half *h)
{
    const uint64_t low = ghash_mul_word((uint32_t)x, h->low);
    const uint64_t high = ghash_mul_word((uint32_t)(x >> 32), h->high);
    const uint64_t middle = ghash_mul_word((uint32_t)(x ^ x >> 32), h->sum) ^ low ^ high;

    r[0] = low ^ middle << 32;
    r[1] = high ^ middle >> 32;
}

/* r = x * H, 255 bits */
static inline void ghash_mul(uint64_t r[4], const struct ghash_key *key, uint64_t x_high,
                             uint64_t x_low)
{
    uint64_t low[2];
    uint64_t high[2];
    uint64_t sum[2];

    ghash_mul_half(low, x_low, &key->low);
    ghash_mul_half(high, x_high, &key->high);
    ghash_mul_half(sum, x_low ^ x_high, &key->sum);
    r[0] = low[0];
    r[1] = low[1] ^ sum[0] ^ low[0] ^ high[0];
    r[2] = high[0] ^ sum[1] ^ low[1] ^ high[1];
    r[3] = high[1];
}

#endif
