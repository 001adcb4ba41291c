/* SPDX-License-Identifier: MIT */
/*
 * Eight or sixteen ChaCha blocks at once, one register for each word of the state and one 32-bit lane
 * for each block. Of the 32 registers half hold the state, so that nothing is spilled and the
 * compiler's code will do. Needs AVX-512 F, BW and VL. Static only.
 *
 * For chacha_eight_avx512vl.h and chacha_sixteen_avx512.h, one of which a kernel includes: they define
 * CHACHA_LANES first, and say how blocks leave the lanes.
 */
#ifndef AEADFAST_CHACHA_LANES_AVX512_H
#define AEADFAST_CHACHA_LANES_AVX512_H

#include <immintrin.h>

#if CHACHA_LANES == 16
typedef __m512i chacha_lanes_vector;
#define LANES(operation) _mm512_##operation
#define LANES_XOR        _mm512_xor_si512
#define LANES_NUMBERS    _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#elif CHACHA_LANES == 8
typedef __m256i chacha_lanes_vector;
#define LANES(operation) _mm256_##operation
#define LANES_XOR        _mm256_xor_si256
#define LANES_NUMBERS    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
#else
#error "CHACHA_LANES is 8 or 16"
#endif

/* w[i] is word i of the blocks. */
struct chacha_lanes {
    chacha_lanes_vector w[16];
};

/* a += b, d = (d ^ a) <<< n: a quarter of a quarter round. A macro, for n is an immediate. */
#define CHACHA_LANES_STEP(x, a, b, d, n)                                                           \
    do {                                                                                           \
        (x)->w[a] = LANES(add_epi32)((x)->w[a], (x)->w[b]);                                        \
        (x)->w[d] = LANES(rol_epi32)(LANES_XOR((x)->w[d], (x)->w[a]), n);                          \
    } while (0)

/* Of four quarter rounds side by side. */
#define CHACHA_LANES_FOUR_STEPS(x, a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, n)              \
    do {                                                                                           \
        CHACHA_LANES_STEP(x, a0, b0, d0, n);                                                       \
        CHACHA_LANES_STEP(x, a1, b1, d1, n);                                                       \
        CHACHA_LANES_STEP(x, a2, b2, d2, n);                                                       \
        CHACHA_LANES_STEP(x, a3, b3, d3, n);                                                       \
    } while (0)

/*
 * Ties four words to the registers they are in, and to their place in the stream of instructions.
 * Without it GCC ends the loop over the rounds with twelve copies from register to register, and
 * Clang moves what stands between two rounds.
 */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define CHACHA_LANES_TIE(x, i) (void)0
#endif
#endif
#ifndef CHACHA_LANES_TIE
#define CHACHA_LANES_TIE(x, i)                                                                     \
    __asm__ volatile(""                                                                            \
                     : "+v"((x)->w[i]), "+v"((x)->w[(i) + 1]), "+v"((x)->w[(i) + 2]),              \
                       "+v"((x)->w[(i) + 3]))
#endif

CHACHA_INLINE void chacha_lanes_column_round(struct chacha_lanes *x)
{
    CHACHA_LANES_FOUR_STEPS(x, 0, 4, 12, 1, 5, 13, 2, 6, 14, 3, 7, 15, 16);
    CHACHA_LANES_FOUR_STEPS(x, 8, 12, 4, 9, 13, 5, 10, 14, 6, 11, 15, 7, 12);
    CHACHA_LANES_FOUR_STEPS(x, 0, 4, 12, 1, 5, 13, 2, 6, 14, 3, 7, 15, 8);
    CHACHA_LANES_FOUR_STEPS(x, 8, 12, 4, 9, 13, 5, 10, 14, 6, 11, 15, 7, 7);
}

CHACHA_INLINE void chacha_lanes_diagonal_round(struct chacha_lanes *x)
{
    CHACHA_LANES_FOUR_STEPS(x, 0, 5, 15, 1, 6, 12, 2, 7, 13, 3, 4, 14, 16);
    CHACHA_LANES_FOUR_STEPS(x, 10, 15, 5, 11, 12, 6, 8, 13, 7, 9, 14, 4, 12);
    CHACHA_LANES_FOUR_STEPS(x, 0, 5, 15, 1, 6, 12, 2, 7, 13, 3, 4, 14, 8);
    CHACHA_LANES_FOUR_STEPS(x, 10, 15, 5, 11, 12, 6, 8, 13, 7, 9, 14, 4, 7);
    CHACHA_LANES_TIE(x, 0);
    CHACHA_LANES_TIE(x, 4);
    CHACHA_LANES_TIE(x, 8);
    CHACHA_LANES_TIE(x, 12);
}

CHACHA_INLINE chacha_lanes_vector chacha_lanes_word(const void *words, int i)
{
    return LANES(set1_epi32)((int)load_le32((const uint8_t *)words + 4 * i));
}

/* Words i to i+3 of the state, in all lanes; `words` are these four. */
#define CHACHA_LANES_FOUR_WORDS(x, words, i)                                                       \
    do {                                                                                           \
        (x)->w[i] = chacha_lanes_word(words, 0);                                                   \
        (x)->w[(i) + 1] = chacha_lanes_word(words, 1);                                             \
        (x)->w[(i) + 2] = chacha_lanes_word(words, 2);                                             \
        (x)->w[(i) + 3] = chacha_lanes_word(words, 3);                                             \
    } while (0)
#define CHACHA_LANES_ADD_FOUR_WORDS(x, words, i)                                                   \
    do {                                                                                           \
        (x)->w[i] = LANES(add_epi32)((x)->w[i], chacha_lanes_word(words, 0));                      \
        (x)->w[(i) + 1] = LANES(add_epi32)((x)->w[(i) + 1], chacha_lanes_word(words, 1));          \
        (x)->w[(i) + 2] = LANES(add_epi32)((x)->w[(i) + 2], chacha_lanes_word(words, 2));          \
        (x)->w[(i) + 3] = LANES(add_epi32)((x)->w[(i) + 3], chacha_lanes_word(words, 3));          \
    } while (0)

/* What the state's word 12 is short of in each block. */
CHACHA_INLINE chacha_lanes_vector chacha_lanes_numbers(uint32_t number)
{
    return LANES(add_epi32)(LANES(set1_epi32)((int)number), LANES_NUMBERS);
}

/* The blocks that start `number` blocks after the state's own. */
CHACHA_INLINE void chacha_lanes_begin(struct chacha_lanes *x, const uint32_t state[16],
                                      uint32_t number)
{
    CHACHA_LANES_FOUR_WORDS(x, state, 0);
    CHACHA_LANES_FOUR_WORDS(x, state + 4, 4);
    CHACHA_LANES_FOUR_WORDS(x, state + 8, 8);
    CHACHA_LANES_FOUR_WORDS(x, state + 12, 12);
    x->w[12] = LANES(add_epi32)(x->w[12], chacha_lanes_numbers(number));
}

/*
 * Four words of each block, one register a word, become 16 bytes of each block: w[i] those of
 * blocks i, i + 4 and so on.
 */
CHACHA_INLINE void chacha_lanes_transpose_four(chacha_lanes_vector w[4])
{
    const chacha_lanes_vector t0 = LANES(unpacklo_epi32)(w[0], w[1]);
    const chacha_lanes_vector t1 = LANES(unpackhi_epi32)(w[0], w[1]);
    const chacha_lanes_vector t2 = LANES(unpacklo_epi32)(w[2], w[3]);
    const chacha_lanes_vector t3 = LANES(unpackhi_epi32)(w[2], w[3]);

    w[0] = LANES(unpacklo_epi64)(t0, t2);
    w[1] = LANES(unpackhi_epi64)(t0, t2);
    w[2] = LANES(unpacklo_epi64)(t1, t3);
    w[3] = LANES(unpackhi_epi64)(t1, t3);
}

/*
 * Adds the input, and makes words into pieces of blocks for chacha_eight_pair and chacha_sixteen_quad.
 * GCC, if it knew that the state is the one of chacha_lanes_begin, would keep what it made of that on
 * the stack.
 */
CHACHA_INLINE void chacha_lanes_end(struct chacha_lanes *x, const uint32_t state[16],
                                    uint32_t number)
{
    __asm__("" : "+r"(state), "+r"(number));
    CHACHA_LANES_ADD_FOUR_WORDS(x, state, 0);
    chacha_lanes_transpose_four(x->w);
    CHACHA_LANES_ADD_FOUR_WORDS(x, state + 4, 4);
    chacha_lanes_transpose_four(x->w + 4);
    CHACHA_LANES_ADD_FOUR_WORDS(x, state + 8, 8);
    chacha_lanes_transpose_four(x->w + 8);
    x->w[12] = LANES(add_epi32)(x->w[12], chacha_lanes_numbers(number));
    CHACHA_LANES_ADD_FOUR_WORDS(x, state + 12, 12);
    chacha_lanes_transpose_four(x->w + 12);
}

/* As chacha_lanes_begin and _end, from what the state is made of; `numbers` is word 12 of each block. */
CHACHA_INLINE void chacha_lanes_begin_direct(struct chacha_lanes *x,
                                             const struct chacha_input *input,
                                             chacha_lanes_vector numbers)
{
    CHACHA_LANES_FOUR_WORDS(x, input->top, 0);
    CHACHA_LANES_FOUR_WORDS(x, input->key, 4);
    CHACHA_LANES_FOUR_WORDS(x, input->key + 16, 8);
    x->w[12] = numbers;
    x->w[13] = chacha_lanes_word(input->nonce, 0);
    x->w[14] = chacha_lanes_word(input->nonce, 1);
    x->w[15] = chacha_lanes_word(input->nonce, 2);
}

CHACHA_INLINE void chacha_lanes_end_direct(struct chacha_lanes *x, struct chacha_input input,
                                           chacha_lanes_vector numbers)
{
    __asm__("" : "+r"(input.top), "+r"(input.key), "+r"(input.nonce));
    CHACHA_LANES_ADD_FOUR_WORDS(x, input.top, 0);
    chacha_lanes_transpose_four(x->w);
    CHACHA_LANES_ADD_FOUR_WORDS(x, input.key, 4);
    chacha_lanes_transpose_four(x->w + 4);
    CHACHA_LANES_ADD_FOUR_WORDS(x, input.key + 16, 8);
    chacha_lanes_transpose_four(x->w + 8);
    x->w[12] = LANES(add_epi32)(x->w[12], numbers);
    x->w[13] = LANES(add_epi32)(x->w[13], chacha_lanes_word(input.nonce, 0));
    x->w[14] = LANES(add_epi32)(x->w[14], chacha_lanes_word(input.nonce, 1));
    x->w[15] = LANES(add_epi32)(x->w[15], chacha_lanes_word(input.nonce, 2));
    chacha_lanes_transpose_four(x->w + 12);
}

#endif
