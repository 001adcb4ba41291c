/* SPDX-License-Identifier: MIT */
/* Eight ChaCha blocks at once in 256-bit registers: chacha_lanes_avx512.h. Static only. */
#ifndef AEADFAST_CHACHA_EIGHT_AVX512VL_H
#define AEADFAST_CHACHA_EIGHT_AVX512VL_H

#include "chacha_pairs_avx512vl.h"

#define CHACHA_LANES 8
#include "chacha_lanes_avx512.h"

/* Block i, after transposing, in the form of a pair: a and b block i, c and d block i + 4. */
CHACHA_INLINE struct chacha_pair chacha_eight_pair(const struct chacha_lanes *x, int i)
{
    const struct chacha_pair pair = {
        _mm256_shuffle_i32x4(x->w[i], x->w[4 + i], 0),
        _mm256_shuffle_i32x4(x->w[8 + i], x->w[12 + i], 0),
        _mm256_shuffle_i32x4(x->w[i], x->w[4 + i], 3),
        _mm256_shuffle_i32x4(x->w[8 + i], x->w[12 + i], 3),
    };

    return pair;
}

/* The eight blocks in their order, after chacha_lanes_end: two in each of `blocks`. */
CHACHA_INLINE void chacha_eight_blocks(struct chacha_pair blocks[4], const struct chacha_lanes *x)
{
    const struct chacha_pair p0 = chacha_eight_pair(x, 0);
    const struct chacha_pair p1 = chacha_eight_pair(x, 1);
    const struct chacha_pair p2 = chacha_eight_pair(x, 2);
    const struct chacha_pair p3 = chacha_eight_pair(x, 3);

    blocks[0] = (struct chacha_pair){p0.a, p0.b, p1.a, p1.b};
    blocks[1] = (struct chacha_pair){p2.a, p2.b, p3.a, p3.b};
    blocks[2] = (struct chacha_pair){p0.c, p0.d, p1.c, p1.d};
    blocks[3] = (struct chacha_pair){p2.c, p2.d, p3.c, p3.d};
}

/* 384 < n <= 512 bytes of text by the eight blocks. */
CHACHA_INLINE void chacha_eight_xor(uint8_t *dst, const uint8_t *src, size_t n,
                                    const struct chacha_lanes *x)
{
    struct chacha_pair blocks[4];

    chacha_eight_blocks(blocks, x);
    chacha_xor_pair(dst, src, 128, &blocks[0]);
    chacha_xor_pair(dst + 128, src + 128, 128, &blocks[1]);
    chacha_xor_pair(dst + 256, src + 256, 128, &blocks[2]);
    chacha_xor_pair(dst + 384, src + 384, n - 384, &blocks[3]);
}

#endif
