/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with AVX-512 on 256-bit registers, for processors whose clock falls when
 * 512-bit ones are used: eight blocks at a time while there are so many, then pairs of blocks.
 */
#include "../kernel.h"
#include "chacha_eight_avx512vl.h"

/* At most six blocks, n > 0 bytes; `pairs` is how many pairs of blocks that takes. */
CHACHA_INLINE void xor_pairs(uint8_t *dst, const uint8_t *src, size_t n, const uint32_t state[16],
                             uint32_t number, int rounds, int pairs)
{
    const struct chacha_pair in = chacha_pair_input(state, number);
    struct chacha_pair x[3];

    chacha_pairs_begin(x, pairs, &in);
    for (int i = rounds; i > 0; i -= 2) {
        chacha_pairs_double_round(x, pairs);
    }
    chacha_pair_end(&x[0], &in, 0);
    chacha_xor_pair(dst, src, n, &x[0]);
    if (pairs > 1) {
        chacha_pair_end(&x[1], &in, 1);
        chacha_xor_pair(dst + 128, src + 128, n - 128, &x[1]);
    }
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
        chacha_xor_pair(dst + 256, src + 256, n - 256, &x[2]);
    }
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    uint32_t number = 0; /* of the next block */

    while (len > 384) {
        const size_t n = len < 512 ? len : 512;
        struct chacha_lanes x;

        chacha_lanes_begin(&x, state, number);
        for (int i = rounds; i > 0; i -= 2) {
            chacha_lanes_column_round(&x);
            chacha_lanes_diagonal_round(&x);
        }
        chacha_lanes_end(&x, state, number);
        chacha_eight_xor(dst, src, n, &x);
        number += 8;
        dst += n;
        src += n;
        len -= n;
    }
    if (len > 256) {
        xor_pairs(dst, src, len, state, number, rounds, 3);
    } else if (len > 128) {
        xor_pairs(dst, src, len, state, number, rounds, 2);
    } else if (len > 0) {
        xor_pairs(dst, src, len, state, number, rounds, 1);
    }
}

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx512vl) = {stream, NULL, 512};
