/* SPDX-License-Identifier: MIT */
/*
 * ChaCha for few blocks: one to three pairs. Needs AVX2. Static only.
 *
 * A double round of a pair is one chain of 24 operations of one cycle in chacha_lone_avx2.h, and of 28
 * here, in whose shadow another pair or two run (Zen 3: 265, 310 and 400 cycles for 20 rounds of one,
 * two and three pairs).
 */
#ifndef AEADFAST_CHACHA_PAIRS_AVX2_H
#define AEADFAST_CHACHA_PAIRS_AVX2_H

#include "chacha_lone_avx2.h"

/* vpshufb masks that rotate each 32-bit word left by 16 and by 8 */
static const uint8_t chacha_rot16[32]
    __attribute__((aligned(32))) = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13,
                                    2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13};
static const uint8_t chacha_rot8[32]
    __attribute__((aligned(32))) = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14,
                                    3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};

CHACHA_INLINE void chacha_add_rot16(struct chacha_pair *x)
{
    x->a = _mm256_add_epi32(x->a, x->b);
    x->d = _mm256_shuffle_epi8(_mm256_xor_si256(x->d, x->a), chacha_load(chacha_rot16));
}

CHACHA_INLINE void chacha_add_rot12(struct chacha_pair *x)
{
    x->c = _mm256_add_epi32(x->c, x->d);
    x->b = _mm256_xor_si256(x->b, x->c);
    x->b = _mm256_or_si256(_mm256_slli_epi32(x->b, 12), _mm256_srli_epi32(x->b, 20));
}

CHACHA_INLINE void chacha_add_rot8(struct chacha_pair *x)
{
    x->a = _mm256_add_epi32(x->a, x->b);
    x->d = _mm256_shuffle_epi8(_mm256_xor_si256(x->d, x->a), chacha_load(chacha_rot8));
}

CHACHA_INLINE void chacha_add_rot7(struct chacha_pair *x)
{
    x->c = _mm256_add_epi32(x->c, x->d);
    x->b = _mm256_xor_si256(x->b, x->c);
    x->b = _mm256_or_si256(_mm256_slli_epi32(x->b, 7), _mm256_srli_epi32(x->b, 25));
}

/*
 * Diagonals become columns by turning the other three rows against b, which is ready last: so no
 * shuffle lies on the critical path.
 */
CHACHA_INLINE void chacha_to_diagonals(struct chacha_pair *x)
{
    x->a = _mm256_shuffle_epi32(x->a, 0x93);
    x->c = _mm256_shuffle_epi32(x->c, 0x39);
    x->d = _mm256_shuffle_epi32(x->d, 0x4e);
}

CHACHA_INLINE void chacha_to_columns(struct chacha_pair *x)
{
    x->a = _mm256_shuffle_epi32(x->a, 0x39);
    x->c = _mm256_shuffle_epi32(x->c, 0x93);
    x->d = _mm256_shuffle_epi32(x->d, 0x4e);
}

/*
 * Hides from the compiler that p is what it was, so that the input is loaded once more after the
 * rounds instead of being kept in registers that they need (GCC: 15 % for three pairs).
 */
#define CHACHA_RELOAD(p) __asm__("" : "+r"(p))

/* One step for each of n pairs. Not a loop: GCC would keep the pairs in memory. */
#define CHACHA_EACH(x, n, step)                                                                    \
    do {                                                                                           \
        step(&(x)[0]);                                                                             \
        if ((n) > 1) {                                                                             \
            step(&(x)[1]);                                                                         \
        }                                                                                          \
        if ((n) > 2) {                                                                             \
            step(&(x)[2]);                                                                         \
        }                                                                                          \
    } while (0)

/*
 * From rows to what the rounds work on, and back. Here and below n, from 1 to 3, is a constant wherever
 * this is called; a lone pair takes x[1] too.
 */
CHACHA_INLINE void chacha_pairs_split(struct chacha_pair x[3], int n)
{
    if (n == 1) {
        chacha_lone_split(x);
    }
}

CHACHA_INLINE void chacha_pairs_join(struct chacha_pair x[3], int n)
{
    if (n == 1) {
        chacha_lone_join(x);
    }
}

CHACHA_INLINE void chacha_pairs_double_round(struct chacha_pair x[3], int n)
{
    if (n == 1) {
        chacha_lone_double_round(x);
        return;
    }
    CHACHA_EACH(x, n, chacha_add_rot16);
    CHACHA_EACH(x, n, chacha_add_rot12);
    CHACHA_EACH(x, n, chacha_add_rot8);
    CHACHA_EACH(x, n, chacha_add_rot7);
    CHACHA_EACH(x, n, chacha_to_diagonals);
    CHACHA_EACH(x, n, chacha_add_rot16);
    CHACHA_EACH(x, n, chacha_add_rot12);
    CHACHA_EACH(x, n, chacha_add_rot8);
    CHACHA_EACH(x, n, chacha_add_rot7);
    CHACHA_EACH(x, n, chacha_to_columns);
}

/* Clang would make a straight line of ten double rounds, which a message finds undecoded. */
#if defined(__clang__)
#define CHACHA_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define CHACHA_ROLLED
#endif

CHACHA_INLINE __m256i chacha_row(const void *words)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)words));
}

/*
 * Where the rows of the input are: 16 bytes, 32 bytes, and the last row, of counter and nonce, in a
 * register, where it was put together.
 */
struct chacha_input {
    const void *top;
    const void *key;
    __m128i bottom;
};

/* Its blocks 0 and 1. */
CHACHA_INLINE struct chacha_pair chacha_pair_of(const struct chacha_input *input)
{
    struct chacha_pair in;

    in.a = chacha_row(input->top);
    in.b = chacha_row(input->key);
    in.c = chacha_row((const uint8_t *)input->key + 16);
    in.d = _mm256_add_epi32(_mm256_broadcastsi128_si256(input->bottom),
                            _mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0));
    return in;
}

/* The same of a state. */
CHACHA_INLINE struct chacha_pair chacha_pair_input(const uint32_t state[16])
{
    struct chacha_pair in;

    in.a = chacha_row(state);
    in.b = chacha_row(state + 4);
    in.c = chacha_row(state + 8);
    in.d = _mm256_add_epi32(chacha_row(state + 12), _mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0));
    return in;
}

/* n pairs, of which `in` is the first, ready for the rounds. */
CHACHA_INLINE void chacha_pairs_begin(struct chacha_pair x[3], int n, const struct chacha_pair *in)
{
    const __m256i two = _mm256_setr_epi32(2, 0, 0, 0, 2, 0, 0, 0);

    x[0] = *in;
    if (n > 1) {
        x[1] = *in;
        x[1].d = _mm256_add_epi32(x[0].d, two);
    }
    if (n > 2) {
        x[2] = *in;
        x[2].d = _mm256_add_epi32(x[1].d, two);
    }
    chacha_pairs_split(x, n);
}

/*
 * Adds the input of the pair `number` pairs after `in`, and turns the rows into blocks: a and b the
 * first, c and d the second.
 */
CHACHA_INLINE void chacha_pair_end(struct chacha_pair *x, const struct chacha_pair *in, int number)
{
    const __m256i count = _mm256_setr_epi32(2 * number, 0, 0, 0, 2 * number, 0, 0, 0);
    const __m256i a = _mm256_add_epi32(x->a, in->a);
    const __m256i b = _mm256_add_epi32(x->b, in->b);
    const __m256i c = _mm256_add_epi32(x->c, in->c);
    const __m256i d = _mm256_add_epi32(x->d, _mm256_add_epi32(in->d, count));

    x->a = _mm256_permute2x128_si256(a, b, 0x20);
    x->b = _mm256_permute2x128_si256(c, d, 0x20);
    x->c = _mm256_permute2x128_si256(a, b, 0x31);
    x->d = _mm256_permute2x128_si256(c, d, 0x31);
}

#endif
