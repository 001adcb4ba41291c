/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX-512 on 256-bit registers, and IFMA: for
 * processors that have it, but whose clock falls when 512-bit registers are used.
 *
 * Up to 320 bytes: the block of the Poly1305 key and those of the text come out of one pass over
 * pairs of blocks, then the hash by MULX. Longer: eight blocks at a time, and four lanes of
 * Poly1305.
 */
#define BATCH               512
#define POLY1305_IFMA_LANES 4

#include "chacha_batches_avx512vl.h"
#include "chacha_eight_avx512vl.h"
#include "chacha_poly1305_long_ifma.h"

#include "chacha_many_avx512.h"

#include "chacha20_poly1305_many.h"

/* The blocks from `number` on. */
CHACHA_INLINE void eight(struct chacha_lanes *x, const struct work *w, uint32_t number)
{
    chacha_lanes_begin(x, w->state, number);
    for (int i = ten(); i > 0; i--) {
        chacha_lanes_column_round(x);
        chacha_lanes_diagonal_round(x);
    }
    chacha_lanes_end(x, w->state, number);
}

NOINLINE void first_batch(struct work *w)
{
    struct chacha_lanes x;
    struct chacha_pair blocks[4];

    eight(&x, w, 0);
    chacha_eight_blocks(blocks, &x);
    for (int i = 0; i < 4; i++) {
        chacha_store(w->key_stream + 128 * i, blocks[i].a);
        chacha_store(w->key_stream + 128 * i + 32, blocks[i].b);
        chacha_store(w->key_stream + 128 * i + 64, blocks[i].c);
        chacha_store(w->key_stream + 128 * i + 96, blocks[i].d);
    }
}

/* 0 < n <= 128 pairs bytes. */
CHACHA_INLINE void text_pairs(const struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                              uint32_t number, int pairs)
{
    const struct chacha_pair in = chacha_pair_input(w->state, number);
    struct chacha_pair x[3];

    chacha_pairs_begin(x, pairs, &in);
    for (int i = ten(); i > 0; i--) {
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

NOINLINE void text(const struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                   uint32_t number)
{
    if (n > 384) {
        struct chacha_lanes x;

        eight(&x, w, number);
        chacha_eight_xor(dst, src, n, &x);
    } else if (n > 256) {
        text_pairs(w, dst, src, n, number, 3);
    } else if (n > 128) {
        text_pairs(w, dst, src, n, number, 2);
    } else {
        text_pairs(w, dst, src, n, number, 1);
    }
}

DEFINE_BY_LENGTH(seal, SEAL, seal_many)
DEFINE_BY_LENGTH(open, OPEN, open_many)

AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_avx512vl_ifma) = {
    .seal = seal,
    .open = open,
    .stack = 512,
    .batches = batches,
    .batch = BATCH,
    .many = many_messages,
    .many_stack = AEADFAST_STACK(0, 15104), /* not measured there */
    .many_len = 960,                        /* so that there are two chains in each group */
};
