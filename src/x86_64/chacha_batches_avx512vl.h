/* SPDX-License-Identifier: MIT */
/*
 * A few whole batches of the ChaCha20-Poly1305 kernels with AVX-512 on 256-bit registers: text from
 * eight lanes and, between the instructions of the rounds, Poly1305 of other 512 bytes by MULX in one
 * chain. It needs no power of r, so that a call has next to no cost of its own; 32 steps take little
 * longer than the rounds (13 cycles each where it was measured, Zen 3). Static only.
 */
#ifndef AEADFAST_CHACHA_BATCHES_AVX512VL_H
#define AEADFAST_CHACHA_BATCHES_AVX512VL_H

#include "chacha_eight_avx512vl.h"
#include "chacha_poly1305_short_avx512vl.h"

/*
 * n > 0; what it returns has yet to be multiplied by r. Of each batch's 32 blocks two stand before
 * the rounds and three beside each double round. What is secret here lies within 256 bytes, well
 * within the kernels' `stack`.
 */
CHACHA_INLINE struct poly1305_mulx_int few_text(const struct poly1305_core *core, uint8_t *dst,
                                                const uint8_t *src, const uint8_t *hashed, size_t n,
                                                const uint32_t state[16])
{
    const struct poly1305_mulx_key key = poly1305_mulx_key(core->r[0], core->r[1]);
    struct poly1305_mulx_int h = chain_begin(core, hashed);
    uint32_t number = 0;

    for (hashed += 16;; hashed = chain(&h, &key, hashed, 1)) {
        struct chacha_lanes x;

        chacha_lanes_begin(&x, state, number);
        hashed = chain(&h, &key, hashed, 1);
        for (int i = ten(); i > 0; i--) {
            hashed = chain(&h, &key, hashed, 1);
            chacha_lanes_column_round(&x);
            CHACHA_LANES_TIE(&x, 4);
            hashed = chain(&h, &key, hashed, 1);
            chacha_lanes_diagonal_round(&x);
            hashed = chain(&h, &key, hashed, 1);
        }
        chacha_lanes_end(&x, state, number);
        chacha_eight_xor(dst, src, 512, &x);
        n--;
        if (n == 0) {
            break;
        }
        dst += 512;
        src += 512;
        number += 8;
    }
    return h;
}

NOINLINE void few_batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                          const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    const struct poly1305_mulx_key key = poly1305_mulx_key(core->r[0], core->r[1]);

    chain_end(core, few_text(core, dst, src, hashed, n, state), &key);
}

#endif
