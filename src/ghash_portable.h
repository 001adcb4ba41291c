/* SPDX-License-Identifier: MIT */
/*
 * GHASH (SP 800-38D section 6.4) without tables indexed by secrets and without carry-less multiply
 * instructions. The includer may define GHASH_MUL_BITS (see ghash_limb.h), and defines GHASH_POWERS,
 * 1 to 4: how many powers of H the key holds.
 *
 * A block is a polynomial over GF(2) whose coefficient of x^0 is the highest bit of the first byte,
 * so two big-endian words hold it mirrored: bit 127 of high:low is that of x^0, bit 0 that of
 * x^127. A product of two such numbers is the mirrored product, short of a factor x in a 256-bit
 * number. That is why H / x is kept in place of H.
 *
 * Up to GHASH_POWERS blocks are taken together: (Y + X1) H^3 + X2 H^2 + X3 H, say, so that what
 * comes after the multiplications is done once for all of them.
 */
#ifndef AEADFAST_GHASH_PORTABLE_H
#define AEADFAST_GHASH_PORTABLE_H

#include "bytes.h"

#include "ghash_limb.h"

#define GHASH_LIMBS (128 / GHASH_MUL_BITS)

/*
 * Karatsuba makes 3 products of limbs of two limbs by two, and 9 of four by four. Factors 0, 1, 2
 * of two limbs are low, high and sum; of four, these three of the low half, of the high half and of
 * the sum of the halves.
 */
#define GHASH_FACTORS (GHASH_LIMBS == 2 ? 3 : 9)

struct ghash_power {
    struct ghash_factor factor[GHASH_FACTORS];
};

struct ghash_key {
    struct ghash_power power[GHASH_POWERS]; /* H / x, H^2 / x, ... */
};

struct ghash {
    uint64_t high;
    uint64_t low;
};

/* The factors of 128 bits, `stride` apart. */
static inline void ghash_split(ghash_limb *out, int stride, uint64_t high, uint64_t low)
{
#if GHASH_MUL_BITS == 64
    out[0] = low;
    out[stride] = high;
    out[2 * stride] = low ^ high;
#else
    const uint64_t half[3] = {low, high, low ^ high};

    UNROLL
    for (int i = 0; i < 3; i++) {
        out[3 * i * stride] = (uint32_t)half[i];
        out[(3 * i + 1) * stride] = (uint32_t)(half[i] >> 32);
        out[(3 * i + 2) * stride] = (uint32_t)(half[i] ^ half[i] >> 32);
    }
#endif
}

/* The 256 bits whose factors' products are given. */
static inline void ghash_join(uint64_t r[4], ghash_limb p[GHASH_FACTORS][2])
{
#if GHASH_MUL_BITS == 64
    r[0] = p[0][0];
    r[1] = p[0][1] ^ p[2][0] ^ p[0][0] ^ p[1][0];
    r[2] = p[1][0] ^ p[2][1] ^ p[0][1] ^ p[1][1];
    r[3] = p[1][1];
#else
    uint64_t half[3][2];

    for (int i = 0; i < 3; i++) {
        uint32_t(*const q)[2] = p + 3 * i;

        half[i][0] = q[0][0] | (uint64_t)(q[0][1] ^ q[2][0] ^ q[0][0] ^ q[1][0]) << 32;
        half[i][1] = (q[1][0] ^ q[2][1] ^ q[0][1] ^ q[1][1]) | (uint64_t)q[1][1] << 32;
    }
    r[0] = half[0][0];
    r[1] = half[0][1] ^ half[2][0] ^ half[0][0] ^ half[1][0];
    r[2] = half[1][0] ^ half[2][1] ^ half[0][1] ^ half[1][1];
    r[3] = half[1][1];
#endif
}

/*
 * Of the mirrored 256-bit number, r[3] has x^0 to x^63 and r[0] x^192 to x^255. As
 * x^128 = x^7 + x^2 + x + 1, a word is added to that two further on and to that shifted by 1, 2 and
 * 7; what the shifts push out goes to the word between.
 */
static inline void ghash_reduce(struct ghash *y, const uint64_t r[4])
{
    const uint64_t r1 = r[1] ^ r[0] << 63 ^ r[0] << 62 ^ r[0] << 57;

    y->low = r[2] ^ r[0] ^ r[0] >> 1 ^ r[0] >> 2 ^ r[0] >> 7 ^ r1 << 63 ^ r1 << 62 ^ r1 << 57;
    y->high = r[3] ^ r1 ^ r1 >> 1 ^ r1 >> 2 ^ r1 >> 7;
}

ALWAYS_INLINE uint64_t ghash_high(const uint8_t *block, int reversed)
{
    return reversed ? load_le64(block + 8) : load_be64(block);
}

ALWAYS_INLINE uint64_t ghash_low(const uint8_t *block, int reversed)
{
    return reversed ? load_le64(block) : load_be64(block + 8);
}

/* Takes in n blocks, a number known when compiling, and at most GHASH_POWERS. */
ALWAYS_INLINE void ghash_group(struct ghash *y, const struct ghash_key *key, const uint8_t *data,
                               int n, int reversed)
{
    ghash_limb x[GHASH_FACTORS][GHASH_POWERS];
    ghash_limb product[GHASH_FACTORS][2];
    uint64_t r[4];

    ghash_split(&x[0][0], GHASH_POWERS, y->high ^ ghash_high(data, reversed),
                y->low ^ ghash_low(data, reversed));
    for (int b = 1; b < n; b++) {
        const uint8_t *const block = data + 16 * b;

        ghash_split(&x[0][b], GHASH_POWERS, ghash_high(block, reversed),
                    ghash_low(block, reversed));
    }
    for (int i = 0; i < GHASH_FACTORS; i++) {
        ghash_sum_products(product[i], x[i], &key->power[n - 1].factor[i], GHASH_FACTORS, n);
    }
    ghash_join(r, product);
    ghash_reduce(y, r);
}

/* Takes in any number of blocks, the bytes of each in reverse order if it is to be. */
static void ghash_blocks(struct ghash *y, const struct ghash_key *key, const uint8_t *data,
                         size_t blocks, int reversed)
{
    for (; blocks >= GHASH_POWERS; blocks -= GHASH_POWERS, data += 16 * GHASH_POWERS) {
        ghash_group(y, key, data, GHASH_POWERS, reversed);
    }
    if (GHASH_POWERS > 3 && blocks == 3) {
        ghash_group(y, key, data, 3, reversed);
    } else if (GHASH_POWERS > 2 && blocks == 2) {
        ghash_group(y, key, data, 2, reversed);
    } else if (GHASH_POWERS > 1 && blocks == 1) {
        ghash_group(y, key, data, 1, reversed);
    }
}

/* Makes as many powers as groups of up to `blocks` blocks take. */
static inline void ghash_key_init(struct ghash_key *out, const uint8_t h[16], size_t blocks)
{
    const size_t powers = blocks < GHASH_POWERS ? blocks : GHASH_POWERS;
    struct ghash power = {load_be64(h), load_be64(h + 8)};

    for (size_t i = 0; i < powers; i++) {
        const uint64_t wrap = 0 - (power.high >> 63); /* 1 / x = x^127 + x^6 + x + 1 */
        ghash_limb split[GHASH_FACTORS];

        ghash_split(split, 1, (power.high << 1 | power.low >> 63) ^ (wrap & 0xc200000000000000),
                    power.low << 1 ^ (wrap & 1));
        for (int k = 0; k < GHASH_FACTORS; k++) {
            ghash_factor_init(&out->power[i].factor[k], split[k]);
        }
        if (i + 1 < powers) {
            static const uint8_t zero[16] = {0};

            ghash_blocks(&power, out, zero, 1, 0);
        }
    }
}

static inline void ghash_load(struct ghash *y, const uint8_t in[16])
{
    y->high = load_be64(in);
    y->low = load_be64(in + 8);
}

static inline void ghash_store(uint8_t out[16], const struct ghash *y)
{
    store_be64(out, y->high);
    store_be64(out + 8, y->low);
}

#endif
