/* SPDX-License-Identifier: MIT */
/*
 * A few whole batches of the ChaCha20-Poly1305 kernel with AVX-512 on 512-bit registers: text from
 * sixteen lanes and, between the instructions of the rounds, Poly1305 of other 1024 bytes by MULX.
 * IFMA would be faster if it were not for the powers of r that it needs, 200 cycles' worth.
 *
 * In one chain the 64 blocks would take 13 cycles each, longer than the rounds. So there are two, the
 * first 40 blocks and the last 24, which both multiply by r and are joined by r^24. That power is made
 * beside the first double rounds, which leave room for it. Static only.
 */
#ifndef AEADFAST_CHACHA_BATCHES_AVX512_H
#define AEADFAST_CHACHA_BATCHES_AVX512_H

#include "chacha_poly1305_short_avx512vl.h"
#include "chacha_sixteen_avx512.h"

struct few {
    struct poly1305_mulx_key key;
    struct poly1305_mulx_int h;
    struct poly1305_mulx_int power;
};

/* Three turns make r^8 of r, and the fourth makes r^24. */
CHACHA_INLINE void few_power(struct few *w, int turn)
{
    const struct poly1305_mulx_int zero = {{0, 0, 0}};
    const struct poly1305_mulx_int x = w->power;
    struct poly1305_mulx_int y = poly1305_mulx_square(&x);

    if (turn == 3) {
        poly1305_mulx_mul_add(&y, &x, &zero);
    }
    w->power = y;
    __asm__ volatile("" : : "r"(&w->power) : "memory"); /* keeps it in its place */
}

/*
 * A batch, of which the first block is in w->h already: p is at the second. Of the first chain three
 * blocks stand before the rounds, three beside each of the first four double rounds and four beside
 * each of the others, and there four of the second chain too.
 */
CHACHA_INLINE void few_batch(struct few *w, uint8_t *dst, const uint8_t *src, const uint8_t *p,
                             const uint32_t state[16], uint32_t number, int first)
{
    const uint8_t *q = p + 624;
    const int four = turns(4);
    const int ten_turns = ten();
    struct poly1305_mulx_int h = w->h;
    struct poly1305_mulx_int g = {{0, 0, 0}};
    struct chacha_lanes x;
    int turn = 0;

    chacha_lanes_begin(&x, state, number);
    p = chain(&h, &w->key, p, 3);
    for (; turn < four; turn++) {
        p = chain(&h, &w->key, p, 1);
        chacha_lanes_column_round(&x);
        CHACHA_LANES_TIE(&x, 4);
        p = chain(&h, &w->key, p, 1);
        if (first) {
            few_power(w, turn);
        }
        chacha_lanes_diagonal_round(&x);
        p = chain(&h, &w->key, p, 1);
    }
    for (; turn < ten_turns; turn++) {
        p = chain(&h, &w->key, p, 2);
        q = chain(&g, &w->key, q, 2);
        chacha_lanes_column_round(&x);
        CHACHA_LANES_TIE(&x, 4);
        p = chain(&h, &w->key, p, 2);
        q = chain(&g, &w->key, q, 2);
        chacha_lanes_diagonal_round(&x);
    }
    poly1305_mulx_mul_add(&h, &w->power, &g);
    w->h = h;
    chacha_lanes_end(&x, state, number);
    chacha_sixteen_xor(dst, src, 1024, &x);
}

NOINLINE void few_batches_run(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                              const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    struct few w;
    uint32_t number = 0;

    w.key = poly1305_mulx_key(core->r[0], core->r[1]);
    w.power = (struct poly1305_mulx_int){{w.key.r0, w.key.r1, 0}};
    w.h = chain_begin(core, hashed);
    for (hashed += 16;; hashed = chain(&w.h, &w.key, hashed + 1008, 1)) {
        few_batch(&w, dst, src, hashed, state, number, number == 0);
        n--;
        if (n == 0) {
            break;
        }
        dst += 1024;
        src += 1024;
        number += 16;
    }
    chain_end(core, w.h, &w.key);
}

/* Compilers spill up to 400 bytes there, which the kernel's `stack` does not reach. */
NOINLINE void few_batches_wipe(void)
{
    uint8_t frame[768];

    for (size_t i = 0; i < sizeof(frame); i += 64) {
        _mm512_storeu_si512(frame + i, _mm512_setzero_si512());
    }
    __asm__ volatile("" : : "r"(frame) : "memory");
}

/* n > 0. */
static void few_batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                        const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    few_batches_run(core, dst, src, hashed, n, state);
    few_batches_wipe();
}

#endif
