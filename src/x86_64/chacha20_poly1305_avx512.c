/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX-512 on 512-bit registers, and IFMA.
 *
 * Up to 512 bytes: the block of the Poly1305 key and those of the text come out of one pass over a
 * pair or quads of blocks, then the hash, by MULX or, from 193 bytes on, in eight lanes. Longer: sixteen
 * blocks at a time, and eight lanes of Poly1305.
 */
#define BATCH               1024
#define POLY1305_IFMA_LANES 8

#include "chacha_batches_avx512.h"
#include "chacha_poly1305_batches_ifma.h"
#include "chacha_poly1305_few_avx512.h"
#include "chacha_sixteen_avx512.h"

#include "chacha_many_avx512.h"

#include "chacha20_poly1305_many.h"

/* The blocks from `number` on. */
CHACHA_INLINE void sixteen(struct chacha_lanes *x, const uint32_t state[16], uint32_t number)
{
    chacha_lanes_begin(x, state, number);
    for (int i = ten(); i > 0; i--) {
        chacha_lanes_column_round(x);
        chacha_lanes_diagonal_round(x);
    }
    chacha_lanes_end(x, state, number);
}

/* One quad or two: 0 < n <= 256 quads bytes. */
CHACHA_INLINE void text_quads(const uint32_t state[16], uint8_t *dst, const uint8_t *src, size_t n,
                              uint32_t number, int quads)
{
    const struct chacha_quad in = chacha_quad_input(state, number);
    struct chacha_quad x[2];

    chacha_quads_begin(x, quads, &in);
    if (quads == 2) {
        chacha_two_quads_rounds(x, 10);
    } else {
        for (int i = ten(); i > 0; i--) {
            chacha_quads_double_round(x, quads);
        }
    }
    chacha_quad_end(&x[0], &in, 0);
    chacha_xor_quad(dst, src, n, &x[0]);
    if (quads > 1) {
        chacha_quad_end(&x[1], &in, 1);
        chacha_xor_quad(dst + 256, src + 256, n - 256, &x[1]);
    }
}

NOINLINE void text_blocks(const uint32_t state[16], uint8_t *dst, const uint8_t *src, size_t n,
                          uint32_t number)
{
    if (n > 512) {
        struct chacha_lanes x;

        sixteen(&x, state, number);
        chacha_sixteen_xor(dst, src, n, &x);
    } else if (n > 256) {
        text_quads(state, dst, src, n, number, 2);
    } else {
        text_quads(state, dst, src, n, number, 1);
    }
}

static void text(const struct work *w, uint8_t *dst, const uint8_t *src, size_t n, uint32_t number)
{
    text_blocks(w->state, dst, src, n, number);
}

#include "chacha_poly1305_wide_ifma.h"

DEFINE(seal_quad, few_in_chains(PASS, SEAL))
DEFINE(seal_two_quads, few_in_lanes(PASS, SEAL, 2))
DEFINE(seal_three_quads, few_in_lanes(PASS, SEAL, 3))
DEFINE(open_quad, few_in_chains(PASS, OPEN))
DEFINE(open_two_quads, few_in_lanes(PASS, OPEN, 2))
DEFINE(open_three_quads, few_in_lanes(PASS, OPEN, 3))

/*
 * Clears what the frames of these functions have of the key and the hash. No more aligned than the stack
 * is: there must be no gap above. By 256-bit registers, for a call with 512-bit ones here takes 10 ns
 * longer (16 bytes of text on Sapphire Rapids).
 */
#define DEFINE_CLEAR(name, n)                                                                      \
    NOINLINE void name(void)                                                                       \
    {                                                                                              \
        uint8_t frame[n] __attribute__((aligned(16)));                                             \
                                                                                                   \
        chacha_wipe(frame, sizeof(frame));                                                         \
    }

DEFINE_CLEAR(clear_lone, 384)
DEFINE_CLEAR(clear_quad, 768)
DEFINE_CLEAR(clear_quads, 256)
DEFINE_CLEAR(clear_longer, 512)

#define DEFINE_WAY(way)                                                                            \
    static void way(ARGUMENTS)                                                                     \
    {                                                                                              \
        if (len <= 64) {                                                                           \
            way##_1(PASS);                                                                         \
            clear_lone();                                                                          \
        } else if (len <= 192) {                                                                   \
            way##_quad(PASS);                                                                      \
            clear_quad();                                                                          \
        } else if (len <= 448) {                                                                   \
            way##_two_quads(PASS);                                                                 \
            clear_quads();                                                                         \
        } else if (len <= 512) {                                                                   \
            way##_three_quads(PASS);                                                               \
            clear_longer();                                                                        \
        } else {                                                                                   \
            way##_wide(PASS);                                                                      \
            clear_frames();                                                                        \
        }                                                                                          \
    }

/* chacha_batches_avx512.h and chacha_poly1305_batches_ifma.h leave up to 512 bytes. */
static void batches_cleared(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                            const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    batches(core, dst, src, hashed, n, state);
    clear_longer();
}

DEFINE_WAY(seal)
DEFINE_WAY(open)

AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_avx512) = {
    .seal = seal,
    .open = open,
    .stack = 0,
    .batches = batches_cleared,
    .batch = BATCH,
    .many = many_messages,
    .many_stack = AEADFAST_STACK(0, 15104), /* not measured there */
    .many_len = 960,                        /* so that there are two chains in each group */
};
