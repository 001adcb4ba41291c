/* SPDX-License-Identifier: MIT */
/*
 * Eight ChaCha blocks at once in 256-bit registers, one register for each word of the state and one
 * 32-bit lane for each block. Of the 32 registers half hold the state, so that nothing is spilled
 * and the compiler's code will do. Needs AVX-512 F, BW and VL. Static only.
 */
#ifndef AEADFAST_CHACHA_EIGHT_AVX512VL_H
#define AEADFAST_CHACHA_EIGHT_AVX512VL_H

#include "chacha_pairs_avx512vl.h"

/* w[i] is word i of the eight blocks. */
struct chacha_eight {
    __m256i w[16];
};

/* a += b, d = (d ^ a) <<< n: a quarter of a quarter round. A macro, for n is an immediate. */
#define CHACHA_EIGHT_STEP(x, a, b, d, n)                                                           \
    do {                                                                                           \
        (x)->w[a] = _mm256_add_epi32((x)->w[a], (x)->w[b]);                                        \
        (x)->w[d] = _mm256_rol_epi32(_mm256_xor_si256((x)->w[d], (x)->w[a]), n);                   \
    } while (0)
/* Of four quarter rounds side by side. */
#define CHACHA_EIGHT_FOUR_STEPS(x, a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, n)              \
    do {                                                                                           \
        CHACHA_EIGHT_STEP(x, a0, b0, d0, n);                                                       \
        CHACHA_EIGHT_STEP(x, a1, b1, d1, n);                                                       \
        CHACHA_EIGHT_STEP(x, a2, b2, d2, n);                                                       \
        CHACHA_EIGHT_STEP(x, a3, b3, d3, n);                                                       \
    } while (0)

/*
 * Ties four words to the registers they are in, and to their place in the stream of instructions.
 * Without it GCC ends the loop over the rounds with twelve copies from register to register, and
 * Clang moves what stands between two rounds.
 */
#define CHACHA_EIGHT_TIE(x, i)                                                                     \
    __asm__ volatile(""                                                                            \
                     : "+v"((x)->w[i]), "+v"((x)->w[(i) + 1]), "+v"((x)->w[(i) + 2]),              \
                       "+v"((x)->w[(i) + 3]))

CHACHA_INLINE void chacha_eight_column_round(struct chacha_eight *x)
{
    CHACHA_EIGHT_FOUR_STEPS(x, 0, 4, 12, 1, 5, 13, 2, 6, 14, 3, 7, 15, 16);
    CHACHA_EIGHT_FOUR_STEPS(x, 8, 12, 4, 9, 13, 5, 10, 14, 6, 11, 15, 7, 12);
    CHACHA_EIGHT_FOUR_STEPS(x, 0, 4, 12, 1, 5, 13, 2, 6, 14, 3, 7, 15, 8);
    CHACHA_EIGHT_FOUR_STEPS(x, 8, 12, 4, 9, 13, 5, 10, 14, 6, 11, 15, 7, 7);
}

CHACHA_INLINE void chacha_eight_diagonal_round(struct chacha_eight *x)
{
    CHACHA_EIGHT_FOUR_STEPS(x, 0, 5, 15, 1, 6, 12, 2, 7, 13, 3, 4, 14, 16);
    CHACHA_EIGHT_FOUR_STEPS(x, 10, 15, 5, 11, 12, 6, 8, 13, 7, 9, 14, 4, 12);
    CHACHA_EIGHT_FOUR_STEPS(x, 0, 5, 15, 1, 6, 12, 2, 7, 13, 3, 4, 14, 8);
    CHACHA_EIGHT_FOUR_STEPS(x, 10, 15, 5, 11, 12, 6, 8, 13, 7, 9, 14, 4, 7);
    CHACHA_EIGHT_TIE(x, 0);
    CHACHA_EIGHT_TIE(x, 4);
    CHACHA_EIGHT_TIE(x, 8);
    CHACHA_EIGHT_TIE(x, 12);
}

/* Words i to i+3 of the state, in all lanes. */
#define CHACHA_EIGHT_FOUR_WORDS(x, state, i)                                                       \
    do {                                                                                           \
        (x)->w[i] = _mm256_set1_epi32((int)(state)[i]);                                            \
        (x)->w[(i) + 1] = _mm256_set1_epi32((int)(state)[(i) + 1]);                                \
        (x)->w[(i) + 2] = _mm256_set1_epi32((int)(state)[(i) + 2]);                                \
        (x)->w[(i) + 3] = _mm256_set1_epi32((int)(state)[(i) + 3]);                                \
    } while (0)
#define CHACHA_EIGHT_ADD_FOUR_WORDS(x, state, i)                                                   \
    do {                                                                                           \
        (x)->w[i] = _mm256_add_epi32((x)->w[i], _mm256_set1_epi32((int)(state)[i]));               \
        (x)->w[(i) + 1] =                                                                          \
            _mm256_add_epi32((x)->w[(i) + 1], _mm256_set1_epi32((int)(state)[(i) + 1]));           \
        (x)->w[(i) + 2] =                                                                          \
            _mm256_add_epi32((x)->w[(i) + 2], _mm256_set1_epi32((int)(state)[(i) + 2]));           \
        (x)->w[(i) + 3] =                                                                          \
            _mm256_add_epi32((x)->w[(i) + 3], _mm256_set1_epi32((int)(state)[(i) + 3]));           \
    } while (0)

/* What the state's word 12 is short of in the eight blocks. */
CHACHA_INLINE __m256i chacha_eight_numbers(uint32_t number)
{
    return _mm256_add_epi32(_mm256_set1_epi32((int)number),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* The eight blocks that start `number` blocks after the state's own. */
CHACHA_INLINE void chacha_eight_begin(struct chacha_eight *x, const uint32_t state[16],
                                      uint32_t number)
{
    CHACHA_EIGHT_FOUR_WORDS(x, state, 0);
    CHACHA_EIGHT_FOUR_WORDS(x, state, 4);
    CHACHA_EIGHT_FOUR_WORDS(x, state, 8);
    CHACHA_EIGHT_FOUR_WORDS(x, state, 12);
    x->w[12] = _mm256_add_epi32(x->w[12], chacha_eight_numbers(number));
}

/*
 * Four words of each block, one register a word, become 16 bytes of each block: w[i] the four words
 * of block i in the low half and those of block i + 4 in the high.
 */
CHACHA_INLINE void chacha_eight_transpose_four(__m256i w[4])
{
    const __m256i t0 = _mm256_unpacklo_epi32(w[0], w[1]);
    const __m256i t1 = _mm256_unpackhi_epi32(w[0], w[1]);
    const __m256i t2 = _mm256_unpacklo_epi32(w[2], w[3]);
    const __m256i t3 = _mm256_unpackhi_epi32(w[2], w[3]);

    w[0] = _mm256_unpacklo_epi64(t0, t2);
    w[1] = _mm256_unpackhi_epi64(t0, t2);
    w[2] = _mm256_unpacklo_epi64(t1, t3);
    w[3] = _mm256_unpackhi_epi64(t1, t3);
}

/* Block i, after transposing, in the form of a pair: a and b block i, c and d block i + 4. */
CHACHA_INLINE struct chacha_pair chacha_eight_pair(const struct chacha_eight *x, int i)
{
    const struct chacha_pair pair = {
        _mm256_shuffle_i32x4(x->w[i], x->w[4 + i], 0),
        _mm256_shuffle_i32x4(x->w[8 + i], x->w[12 + i], 0),
        _mm256_shuffle_i32x4(x->w[i], x->w[4 + i], 3),
        _mm256_shuffle_i32x4(x->w[8 + i], x->w[12 + i], 3),
    };

    return pair;
}

/*
 * Adds the input, and makes words into pieces of blocks for chacha_eight_pair. GCC, if it knew that
 * the state is the one of chacha_eight_begin, would keep what it made of that on the stack.
 */
CHACHA_INLINE void chacha_eight_end(struct chacha_eight *x, const uint32_t state[16],
                                    uint32_t number)
{
    __asm__("" : "+r"(state), "+r"(number));
    CHACHA_EIGHT_ADD_FOUR_WORDS(x, state, 0);
    chacha_eight_transpose_four(x->w);
    CHACHA_EIGHT_ADD_FOUR_WORDS(x, state, 4);
    chacha_eight_transpose_four(x->w + 4);
    CHACHA_EIGHT_ADD_FOUR_WORDS(x, state, 8);
    chacha_eight_transpose_four(x->w + 8);
    x->w[12] = _mm256_add_epi32(x->w[12], chacha_eight_numbers(number));
    CHACHA_EIGHT_ADD_FOUR_WORDS(x, state, 12);
    chacha_eight_transpose_four(x->w + 12);
}

/* The eight blocks in their order, after chacha_eight_end: two in each of `blocks`. */
CHACHA_INLINE void chacha_eight_blocks(struct chacha_pair blocks[4], const struct chacha_eight *x)
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
                                    const struct chacha_eight *x)
{
    struct chacha_pair blocks[4];

    chacha_eight_blocks(blocks, x);
    chacha_xor_pair(dst, src, 128, &blocks[0]);
    chacha_xor_pair(dst + 128, src + 128, 128, &blocks[1]);
    chacha_xor_pair(dst + 256, src + 256, 128, &blocks[2]);
    chacha_xor_pair(dst + 384, src + 384, n - 384, &blocks[3]);
}

#endif
