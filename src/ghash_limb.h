/* SPDX-License-Identifier: MIT */
/*
 * Sums of carry-less products x1 h1 + x2 h2 + ... of limbs of 64 or 32 bits (GHASH_MUL_BITS), out
 * of integer multiplications of a limb by a limb. Those must not take longer for some operands than
 * for others. Some small 32-bit cores (ARM7, Cortex-M3) stop early on short operands, and are not
 * for this code.
 *
 * The bits of an operand are dealt to four classes by their number modulo 4, each shifted down to
 * start at bit 0. The product of two classes has its sums of bits four apart, where a sum of up to
 * 15 fits; the lowest bit of each is the one wanted. The three above are masked off, but only once
 * all that goes to the same place has been added by XOR, which keeps the lowest bits right.
 *
 * Karatsuba, twice over the classes, makes 9 products of the 16: x0 h0, x1 h1, x2 h2, x3 h3, and
 * those of the sums of 0 and 1, 2 and 3, 0 and 2, 1 and 3, and all.
 *
 * Bits 4i and 4j of two classes meet in sum i + j. With 32 bits i and j go to 7 and a sum has 8
 * pairs at most. With 64 they go to 15, and the one for i + j = 15 has 16, one too many. So h goes
 * without its top four bits, the j = 15 of each class, and what they contribute is added apart.
 */
#ifndef AEADFAST_GHASH_LIMB_H
#define AEADFAST_GHASH_LIMB_H

#include "bytes.h"
#include "codegen.h"

#if !defined(GHASH_MUL_BITS) && defined(__SIZEOF_INT128__)
#define GHASH_MUL_BITS 64
#elif !defined(GHASH_MUL_BITS)
#define GHASH_MUL_BITS 32
#endif

#if GHASH_MUL_BITS == 64
typedef uint64_t ghash_limb;
__extension__ typedef unsigned __int128 ghash_wide;
#define GHASH_CLASS      UINT64_C(0x1111111111111111)
#define GHASH_BELOW_TOPS (UINT64_MAX >> 4)
#else
typedef uint32_t ghash_limb;
typedef uint64_t ghash_wide;
#define GHASH_CLASS      UINT32_C(0x11111111)
#define GHASH_BELOW_TOPS UINT32_MAX
#endif

struct ghash_factor {
    ghash_limb class[9];
#if GHASH_MUL_BITS == 64
    int8_t top[8]; /* bits 60 to 63, as 0 or -1; the second four fill up */
#endif
};

/* The four classes of x and their five sums. */
static inline void ghash_deal(ghash_limb class[9], ghash_limb x)
{
    class[0] = x & GHASH_CLASS;
    class[1] = x >> 1 & GHASH_CLASS;
    class[2] = x >> 2 & GHASH_CLASS;
    class[3] = x >> 3 & GHASH_CLASS;
    class[4] = class[0] ^ class[1];
    class[5] = class[2] ^ class[3];
    class[6] = class[0] ^ class[2];
    class[7] = class[1] ^ class[3];
    class[8] = class[4] ^ class[5];
}

static inline void ghash_factor_init(struct ghash_factor *out, ghash_limb h)
{
    ghash_deal(out->class, h & GHASH_BELOW_TOPS);
#if GHASH_MUL_BITS == 64
    for (int i = 0; i < 8; i++) {
        out->top[i] = (int8_t)(0 - (int)(h >> (60 + i % 4) & 1));
    }
#endif
}

/*
 * One half, the lower or the upper limbs, of what the nine products add up to: that is
 * *low ^ *high << 4, but for the bits that the shift takes from one half to the other. Bits four
 * apart are moved by up to 3, so these shifts take none.
 */
static inline void ghash_combine(ghash_limb *low, ghash_limb *high, const ghash_limb p[9])
{
    const ghash_limb p01 = p[0] ^ p[1];
    const ghash_limb p23 = p[2] ^ p[3];
    const ghash_limb z1 = p01 ^ p[4];
    const ghash_limb z5 = p23 ^ p[5];
    const ghash_limb z2 = p01 ^ p[2] ^ p[6];
    const ghash_limb z4 = p23 ^ p[1] ^ p[7];
    const ghash_limb z3 = z1 ^ z5 ^ p[6] ^ p[7] ^ p[8];

    *low = (p[0] & GHASH_CLASS) | (z1 & GHASH_CLASS) << 1 | (z2 & GHASH_CLASS) << 2 |
           (z3 & GHASH_CLASS) << 3;
    *high = (z4 & GHASH_CLASS) | (z5 & GHASH_CLASS) << 1 | (p[3] & GHASH_CLASS) << 2;
}

/*
 * x[0] h[0] + x[1] h[-stride] + x[2] h[-2 stride] + ..., n products, 1 to 4, a number known when
 * compiling. The lower limb of the sum is r[0].
 */
ALWAYS_INLINE void ghash_sum_products(ghash_limb r[2], const ghash_limb x[],
                                      const struct ghash_factor *h, int stride, int n)
{
    ghash_limb class[4][9];
    ghash_limb lower[9];
    ghash_limb upper[9];
    ghash_limb low[2];
    ghash_limb high[2];

    UNROLL_CLANG
    for (int b = 0; b < n; b++) {
        ghash_deal(class[b], x[b]);
    }
    UNROLL_CLANG
    for (int i = 0; i < 9; i++) {
        ghash_wide sum = (ghash_wide) class[0][i] * h->class[i];

        UNROLL
        for (int b = 1; b < n; b++) {
            sum ^= (ghash_wide) class[b][i] * h[-stride * b].class[i];
        }
        lower[i] = (ghash_limb)sum;
        upper[i] = (ghash_limb)(sum >> GHASH_MUL_BITS);
    }
    ghash_combine(&low[0], &high[0], lower);
    ghash_combine(&low[1], &high[1], upper);
    r[0] = low[0] ^ high[0] << 4;
    r[1] = low[1] ^ high[1] << 4 ^ high[0] >> (GHASH_MUL_BITS - 4);

#if GHASH_MUL_BITS == 64
    ghash_limb top[4] = {0, 0, 0, 0};

    UNROLL
    for (int b = 0; b < n; b++) {
        UNROLL
        for (int i = 0; i < 4; i++) {
            top[i] ^= x[b] & (ghash_limb)(int64_t)h[-stride * b].top[i];
        }
    }
    r[0] ^= (((top[3] << 1 ^ top[2]) << 1 ^ top[1]) << 1 ^ top[0]) << 60;
    r[1] ^= (((top[0] >> 1 ^ top[1]) >> 1 ^ top[2]) >> 1 ^ top[3]) >> 1;
#endif
}

#endif
