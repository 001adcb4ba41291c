/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with AVX-512 on 512-bit registers: sixteen blocks at a time while there are so
 * many, then three, two or one quads of blocks, or a pair.
 */
#include "../kernel.h"
#include "chacha_sixteen_avx512.h"

/* One or two blocks, n > 0 bytes: 256-bit registers, which cost no processor clock speed. */
static void xor_pair(uint8_t *dst, const uint8_t *src, size_t n, const uint32_t state[16],
                     uint32_t number, int rounds)
{
    const struct chacha_pair in = chacha_pair_input(state, number);
    struct chacha_pair x = in;

    for (int i = rounds; i > 0; i -= 2) {
        chacha_pairs_double_round(&x, 1);
    }
    chacha_pair_end(&x, &in, 0);
    chacha_xor_pair(dst, src, n, &x);
}

/* At most twelve blocks, n > 0 bytes; `quads` is how many times four blocks that takes. */
CHACHA_INLINE void xor_quads(uint8_t *dst, const uint8_t *src, size_t n, const uint32_t state[16],
                             uint32_t number, int rounds, int quads)
{
    const struct chacha_quad in = chacha_quad_input(state, number);
    struct chacha_quad x[3];

    chacha_quads_begin(x, quads, &in);
    for (int i = rounds; i > 0; i -= 2) {
        chacha_quads_double_round(x, quads);
    }
    chacha_quad_end(&x[0], &in, 0);
    chacha_xor_quad(dst, src, n, &x[0]);
    if (quads > 1) {
        chacha_quad_end(&x[1], &in, 1);
        chacha_xor_quad(dst + 256, src + 256, n - 256, &x[1]);
    }
    if (quads > 2) {
        chacha_quad_end(&x[2], &in, 2);
        chacha_xor_quad(dst + 512, src + 512, n - 512, &x[2]);
    }
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    uint32_t number = 0; /* of the next block */

    while (len > 768) {
        const size_t n = len < 1024 ? len : 1024;
        struct chacha_lanes x;

        chacha_lanes_begin(&x, state, number);
        for (int i = rounds; i > 0; i -= 2) {
            chacha_lanes_column_round(&x);
            chacha_lanes_diagonal_round(&x);
        }
        chacha_lanes_end(&x, state, number);
        chacha_sixteen_xor(dst, src, n, &x);
        number += 16;
        dst += n;
        src += n;
        len -= n;
    }
    if (len > 512) {
        xor_quads(dst, src, len, state, number, rounds, 3);
    } else if (len > 256) {
        xor_quads(dst, src, len, state, number, rounds, 2);
    } else if (len > 128) {
        xor_quads(dst, src, len, state, number, rounds, 1);
    } else if (len > 0) {
        xor_pair(dst, src, len, state, number, rounds);
    }
}

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx512) = {stream, NULL, 512};
