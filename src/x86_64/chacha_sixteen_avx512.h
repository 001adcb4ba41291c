/* SPDX-License-Identifier: MIT */
/* Sixteen ChaCha blocks at once in 512-bit registers: chacha_lanes_avx512.h. Static only. */
#ifndef AEADFAST_CHACHA_SIXTEEN_AVX512_H
#define AEADFAST_CHACHA_SIXTEEN_AVX512_H

#include "chacha_quads_avx512.h"

#define CHACHA_LANES 16
#include "chacha_lanes_avx512.h"

/* Blocks i, i + 4, i + 8 and i + 12, after chacha_lanes_end. */
CHACHA_INLINE struct chacha_quad chacha_sixteen_quad(const struct chacha_lanes *x, int i)
{
    struct chacha_quad quad = {x->w[i], x->w[4 + i], x->w[8 + i], x->w[12 + i]};

    chacha_quad_transpose(&quad);
    return quad;
}

/* The sixteen blocks in their order, after chacha_lanes_end: four in each of `blocks`. */
CHACHA_INLINE void chacha_sixteen_blocks(struct chacha_quad blocks[4], const struct chacha_lanes *x)
{
    const struct chacha_quad q0 = chacha_sixteen_quad(x, 0);
    const struct chacha_quad q1 = chacha_sixteen_quad(x, 1);
    const struct chacha_quad q2 = chacha_sixteen_quad(x, 2);
    const struct chacha_quad q3 = chacha_sixteen_quad(x, 3);

    blocks[0] = (struct chacha_quad){q0.a, q1.a, q2.a, q3.a};
    blocks[1] = (struct chacha_quad){q0.b, q1.b, q2.b, q3.b};
    blocks[2] = (struct chacha_quad){q0.c, q1.c, q2.c, q3.c};
    blocks[3] = (struct chacha_quad){q0.d, q1.d, q2.d, q3.d};
}

/* 512 < n <= 1024 bytes of text by the sixteen blocks. */
CHACHA_INLINE void chacha_sixteen_xor(uint8_t *dst, const uint8_t *src, size_t n,
                                      const struct chacha_lanes *x)
{
    struct chacha_quad blocks[4];

    chacha_sixteen_blocks(blocks, x);
    chacha_xor_quad(dst, src, 256, &blocks[0]);
    chacha_xor_quad(dst + 256, src + 256, 256, &blocks[1]);
    if (n > 768) {
        chacha_xor_quad(dst + 512, src + 512, 256, &blocks[2]);
        chacha_xor_quad(dst + 768, src + 768, n - 768, &blocks[3]);
    } else {
        chacha_xor_quad(dst + 512, src + 512, n - 512, &blocks[2]);
    }
}

#endif
