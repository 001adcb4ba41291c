/* SPDX-License-Identifier: MIT */
/*
 * Sixteen ChaCha blocks at once in 512-bit registers, one register for each word of the state and
 * one 32-bit lane for each block. Of the 32 registers half hold the state, so that nothing is
 * spilled and the compiler's code will do. The sibling of chacha_eight_avx512vl.h. Needs AVX-512 F,
 * BW and VL. Static only.
 */
#ifndef AEADFAST_CHACHA_SIXTEEN_AVX512_H
#define AEADFAST_CHACHA_SIXTEEN_AVX512_H

#include "chacha_quads_avx512.h"

/* w[i] is word i of the sixteen blocks. */
struct chacha_sixteen {
    __m512i w[16];
};

/* a += b, d = (d ^ a) <<< n: a quarter of a quarter round. A macro, for n is an immediate. */
#define CHACHA_SIXTEEN_STEP(x, a, b, d, n)                                                         \
    do {                                                                                           \
        (x)->w[a] = _mm512_add_epi32((x)->w[a], (x)->w[b]);                                        \
        (x)->w[d] = _mm512_rol_epi32(_mm512_xor_si512((x)->w[d], (x)->w[a]), n);                   \
    } while (0)
/* Of four quarter rounds side by side. */
#define CHACHA_SIXTEEN_FOUR_STEPS(x, a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, n)            \
    do {                                                                                           \
        CHACHA_SIXTEEN_STEP(x, a0, b0, d0, n);                                                     \
        CHACHA_SIXTEEN_STEP(x, a1, b1, d1, n);                                                     \
        CHACHA_SIXTEEN_STEP(x, a2, b2, d2, n);                                                     \
        CHACHA_SIXTEEN_STEP(x, a3, b3, d3, n);                                                     \
    } while (0)

/*
 * Ties four words to the registers they are in, and to their place in the stream of instructions.
 * Without it GCC ends the loop over the rounds with twelve copies from register to register, and
 * Clang moves what stands between two rounds.
 */
#define CHACHA_SIXTEEN_TIE(x, i)                                                                   \
    __asm__ volatile(""                                                                            \
                     : "+v"((x)->w[i]), "+v"((x)->w[(i) + 1]), "+v"((x)->w[(i) + 2]),              \
                       "+v"((x)->w[(i) + 3]))

CHACHA_INLINE void chacha_sixteen_column_round(struct chacha_sixteen *x)
{
    CHACHA_SIXTEEN_FOUR_STEPS(x, 0, 4, 12, 1, 5, 13, 2, 6, 14, 3, 7, 15, 16);
    CHACHA_SIXTEEN_FOUR_STEPS(x, 8, 12, 4, 9, 13, 5, 10, 14, 6, 11, 15, 7, 12);
    CHACHA_SIXTEEN_FOUR_STEPS(x, 0, 4, 12, 1, 5, 13, 2, 6, 14, 3, 7, 15, 8);
    CHACHA_SIXTEEN_FOUR_STEPS(x, 8, 12, 4, 9, 13, 5, 10, 14, 6, 11, 15, 7, 7);
}

CHACHA_INLINE void chacha_sixteen_diagonal_round(struct chacha_sixteen *x)
{
    CHACHA_SIXTEEN_FOUR_STEPS(x, 0, 5, 15, 1, 6, 12, 2, 7, 13, 3, 4, 14, 16);
    CHACHA_SIXTEEN_FOUR_STEPS(x, 10, 15, 5, 11, 12, 6, 8, 13, 7, 9, 14, 4, 12);
    CHACHA_SIXTEEN_FOUR_STEPS(x, 0, 5, 15, 1, 6, 12, 2, 7, 13, 3, 4, 14, 8);
    CHACHA_SIXTEEN_FOUR_STEPS(x, 10, 15, 5, 11, 12, 6, 8, 13, 7, 9, 14, 4, 7);
    CHACHA_SIXTEEN_TIE(x, 0);
    CHACHA_SIXTEEN_TIE(x, 4);
    CHACHA_SIXTEEN_TIE(x, 8);
    CHACHA_SIXTEEN_TIE(x, 12);
}

/* Words i to i+3 of the state, in all lanes. */
#define CHACHA_SIXTEEN_FOUR_WORDS(x, state, i)                                                     \
    do {                                                                                           \
        (x)->w[i] = _mm512_set1_epi32((int)(state)[i]);                                            \
        (x)->w[(i) + 1] = _mm512_set1_epi32((int)(state)[(i) + 1]);                                \
        (x)->w[(i) + 2] = _mm512_set1_epi32((int)(state)[(i) + 2]);                                \
        (x)->w[(i) + 3] = _mm512_set1_epi32((int)(state)[(i) + 3]);                                \
    } while (0)
#define CHACHA_SIXTEEN_ADD_FOUR_WORDS(x, state, i)                                                 \
    do {                                                                                           \
        (x)->w[i] = _mm512_add_epi32((x)->w[i], _mm512_set1_epi32((int)(state)[i]));               \
        (x)->w[(i) + 1] =                                                                          \
            _mm512_add_epi32((x)->w[(i) + 1], _mm512_set1_epi32((int)(state)[(i) + 1]));           \
        (x)->w[(i) + 2] =                                                                          \
            _mm512_add_epi32((x)->w[(i) + 2], _mm512_set1_epi32((int)(state)[(i) + 2]));           \
        (x)->w[(i) + 3] =                                                                          \
            _mm512_add_epi32((x)->w[(i) + 3], _mm512_set1_epi32((int)(state)[(i) + 3]));           \
    } while (0)

/* What the state's word 12 is short of in the sixteen blocks. */
CHACHA_INLINE __m512i chacha_sixteen_numbers(uint32_t number)
{
    return _mm512_add_epi32(
        _mm512_set1_epi32((int)number),
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/* The sixteen blocks that start `number` blocks after the state's own. */
CHACHA_INLINE void chacha_sixteen_begin(struct chacha_sixteen *x, const uint32_t state[16],
                                        uint32_t number)
{
    CHACHA_SIXTEEN_FOUR_WORDS(x, state, 0);
    CHACHA_SIXTEEN_FOUR_WORDS(x, state, 4);
    CHACHA_SIXTEEN_FOUR_WORDS(x, state, 8);
    CHACHA_SIXTEEN_FOUR_WORDS(x, state, 12);
    x->w[12] = _mm512_add_epi32(x->w[12], chacha_sixteen_numbers(number));
}

/*
 * Four words of each block, one register a word, become 16 bytes of each block: w[i] those of
 * blocks i, i + 4, i + 8 and i + 12.
 */
CHACHA_INLINE void chacha_sixteen_transpose_four(__m512i w[4])
{
    const __m512i t0 = _mm512_unpacklo_epi32(w[0], w[1]);
    const __m512i t1 = _mm512_unpackhi_epi32(w[0], w[1]);
    const __m512i t2 = _mm512_unpacklo_epi32(w[2], w[3]);
    const __m512i t3 = _mm512_unpackhi_epi32(w[2], w[3]);

    w[0] = _mm512_unpacklo_epi64(t0, t2);
    w[1] = _mm512_unpackhi_epi64(t0, t2);
    w[2] = _mm512_unpacklo_epi64(t1, t3);
    w[3] = _mm512_unpackhi_epi64(t1, t3);
}

/* Blocks i, i + 4, i + 8 and i + 12, after chacha_sixteen_end. */
CHACHA_INLINE struct chacha_quad chacha_sixteen_quad(const struct chacha_sixteen *x, int i)
{
    struct chacha_quad quad = {x->w[i], x->w[4 + i], x->w[8 + i], x->w[12 + i]};

    chacha_quad_transpose(&quad);
    return quad;
}

/*
 * Adds the input, and makes words into pieces of blocks for chacha_sixteen_quad. GCC, if it knew
 * that the state is the one of chacha_sixteen_begin, would keep what it made of that on the stack.
 */
CHACHA_INLINE void chacha_sixteen_end(struct chacha_sixteen *x, const uint32_t state[16],
                                      uint32_t number)
{
    __asm__("" : "+r"(state), "+r"(number));
    CHACHA_SIXTEEN_ADD_FOUR_WORDS(x, state, 0);
    chacha_sixteen_transpose_four(x->w);
    CHACHA_SIXTEEN_ADD_FOUR_WORDS(x, state, 4);
    chacha_sixteen_transpose_four(x->w + 4);
    CHACHA_SIXTEEN_ADD_FOUR_WORDS(x, state, 8);
    chacha_sixteen_transpose_four(x->w + 8);
    x->w[12] = _mm512_add_epi32(x->w[12], chacha_sixteen_numbers(number));
    CHACHA_SIXTEEN_ADD_FOUR_WORDS(x, state, 12);
    chacha_sixteen_transpose_four(x->w + 12);
}

/* The sixteen blocks in their order, after chacha_sixteen_end: four in each of `blocks`. */
CHACHA_INLINE void chacha_sixteen_blocks(struct chacha_quad blocks[4],
                                         const struct chacha_sixteen *x)
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

/* 768 < n <= 1024 bytes of text by the sixteen blocks. */
CHACHA_INLINE void chacha_sixteen_xor(uint8_t *dst, const uint8_t *src, size_t n,
                                      const struct chacha_sixteen *x)
{
    struct chacha_quad blocks[4];

    chacha_sixteen_blocks(blocks, x);
    chacha_xor_quad(dst, src, 256, &blocks[0]);
    chacha_xor_quad(dst + 256, src + 256, 256, &blocks[1]);
    chacha_xor_quad(dst + 512, src + 512, 256, &blocks[2]);
    chacha_xor_quad(dst + 768, src + 768, n - 768, &blocks[3]);
}

#endif
