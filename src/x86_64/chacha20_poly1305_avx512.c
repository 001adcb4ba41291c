/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX-512 on 512-bit registers, and IFMA.
 *
 * Up to 704 bytes: the block of the Poly1305 key and those of the text come out of one pass over
 * pairs or quads of blocks, then the hash by MULX. Longer: sixteen blocks at a time, and eight lanes
 * of Poly1305.
 */
#define BATCH               1024
#define POLY1305_IFMA_LANES 8

#include "chacha_batches_avx512.h"
#include "chacha_poly1305_long_ifma.h"
#include "chacha_sixteen_avx512.h"

#include "chacha_many_avx512.h"

#include "chacha20_poly1305_many.h"

/* 320 < len <= 256 quads - 64 bytes. */
CHACHA_INLINE void few_quads(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                             const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                             const uint8_t key[32], enum direction direction, int quads)
{
    const __m512i numbers = _mm512_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
    const struct chacha_quad in = {
        _mm512_broadcast_i32x4(input_constants()),
        chacha_quad_row(key),
        chacha_quad_row(key + 16),
        _mm512_add_epi32(_mm512_broadcast_i32x4(input_nonce(nonce)), numbers),
    };
    struct chacha_quad x[3];
    struct hash hash;

    chacha_quads_begin(x, quads, &in);
    for (int i = ten(); i > 0; i--) {
        chacha_quads_double_round(x, quads);
    }
    chacha_quad_end(&x[0], &in, 0);
    hash_begin(&hash, _mm512_castsi512_si256(x[0].a));
    hash_padded(&hash, aad, aad_len);
    if (direction == OPEN) {
        hash_padded(&hash, src, len);
    }
    (void)chacha_xor64(dst, src, x[0].b);
    (void)chacha_xor64(dst + 64, src + 64, x[0].c);
    (void)chacha_xor64(dst + 128, src + 128, x[0].d);
    chacha_quad_end(&x[1], &in, 1);
    chacha_xor_quad(dst + 192, src + 192, len - 192, &x[1]);
    if (quads > 2) {
        chacha_quad_end(&x[2], &in, 2);
        chacha_xor_quad(dst + 448, src + 448, len - 448, &x[2]);
    }
    if (direction == SEAL) {
        hash_padded(&hash, dst, len);
    }
    hash_end(&hash, aad_len, len, tag);
}

/* The blocks from `number` on. */
CHACHA_INLINE void sixteen(struct chacha_lanes *x, const struct work *w, uint32_t number)
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
    struct chacha_quad blocks[4];

    sixteen(&x, w, 0);
    chacha_sixteen_blocks(blocks, &x);
    for (int i = 0; i < 4; i++) {
        _mm512_storeu_si512(w->key_stream + 256 * i, blocks[i].a);
        _mm512_storeu_si512(w->key_stream + 256 * i + 64, blocks[i].b);
        _mm512_storeu_si512(w->key_stream + 256 * i + 128, blocks[i].c);
        _mm512_storeu_si512(w->key_stream + 256 * i + 192, blocks[i].d);
    }
}

/* 0 < n <= 256 quads bytes. */
CHACHA_INLINE void text_quads(const struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                              uint32_t number, int quads)
{
    const struct chacha_quad in = chacha_quad_input(w->state, number);
    struct chacha_quad x[3];

    chacha_quads_begin(x, quads, &in);
    for (int i = ten(); i > 0; i--) {
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

NOINLINE void text(const struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                   uint32_t number)
{
    if (n > 768) {
        struct chacha_lanes x;

        sixteen(&x, w, number);
        chacha_sixteen_xor(dst, src, n, &x);
    } else if (n > 512) {
        text_quads(w, dst, src, n, number, 3);
    } else if (n > 256) {
        text_quads(w, dst, src, n, number, 2);
    } else {
        text_quads(w, dst, src, n, number, 1);
    }
}

DEFINE(seal_5, few_quads(PASS, SEAL, 2))
DEFINE(seal_7, few_quads(PASS, SEAL, 3))
DEFINE(open_5, few_quads(PASS, OPEN, 2))
DEFINE(open_7, few_quads(PASS, OPEN, 3))

CHACHA_INLINE void seal_longer(ARGUMENTS)
{
    if (len <= 448) {
        seal_5(PASS);
    } else if (len <= 704) {
        seal_7(PASS);
    } else {
        seal_many(PASS);
    }
}

CHACHA_INLINE void open_longer(ARGUMENTS)
{
    if (len <= 448) {
        open_5(PASS);
    } else if (len <= 704) {
        open_7(PASS);
    } else {
        open_many(PASS);
    }
}

DEFINE_BY_LENGTH(seal, seal_longer)
DEFINE_BY_LENGTH(open, open_longer)

AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_avx512) = {
    .seal = seal,
    .open = open,
    .stack = 512,
    .batches = batches,
    .batch = BATCH,
    .many = many_messages,
    .many_stack = AEADFAST_STACK(0, 15104), /* not measured there */
    .many_len = 960,                        /* so that there are two chains in each group */
};
