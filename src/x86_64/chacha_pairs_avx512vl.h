/* SPDX-License-Identifier: MIT */
/*
 * ChaCha for few blocks: two blocks side by side in four 256-bit registers, one register a row of
 * the 4x4 state (words 0-3, 4-7, 8-11, 12-15), the first block in the low half and the second in
 * the high. As chacha_pairs_avx2.h, with rotations that are one instruction, and with masks where a
 * text ends within a block. Needs AVX-512 F, BW and VL. Static only.
 *
 * A double round is one chain of 24 operations of one cycle, the turning of rows not in it; up to
 * two more pairs run in its shadow.
 */
#ifndef AEADFAST_CHACHA_PAIRS_AVX512VL_H
#define AEADFAST_CHACHA_PAIRS_AVX512VL_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"

#define CHACHA_INLINE static inline __attribute__((always_inline))

struct chacha_pair {
    __m256i a;
    __m256i b;
    __m256i c;
    __m256i d;
};

CHACHA_INLINE __m256i chacha_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

CHACHA_INLINE void chacha_store(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/*
 * Zeroes n bytes, a multiple of 32. The barrier keeps the stores, and keeps GCC from making one
 * string instruction of them, which takes 100 cycles.
 */
CHACHA_INLINE void chacha_wipe(void *p, size_t n)
{
    for (size_t i = 0; i < n; i += 32) {
        chacha_store((uint8_t *)p + i, _mm256_setzero_si256());
        __asm__ volatile("" : : "r"(p) : "memory");
    }
}

CHACHA_INLINE void chacha_pair_add_rot16(struct chacha_pair *x)
{
    x->a = _mm256_add_epi32(x->a, x->b);
    x->d = _mm256_rol_epi32(_mm256_xor_si256(x->d, x->a), 16);
}

CHACHA_INLINE void chacha_pair_add_rot12(struct chacha_pair *x)
{
    x->c = _mm256_add_epi32(x->c, x->d);
    x->b = _mm256_rol_epi32(_mm256_xor_si256(x->b, x->c), 12);
}

CHACHA_INLINE void chacha_pair_add_rot8(struct chacha_pair *x)
{
    x->a = _mm256_add_epi32(x->a, x->b);
    x->d = _mm256_rol_epi32(_mm256_xor_si256(x->d, x->a), 8);
}

CHACHA_INLINE void chacha_pair_add_rot7(struct chacha_pair *x)
{
    x->c = _mm256_add_epi32(x->c, x->d);
    x->b = _mm256_rol_epi32(_mm256_xor_si256(x->b, x->c), 7);
}

/* The other three rows are turned against b, which is ready last. */
CHACHA_INLINE void chacha_pair_to_diagonals(struct chacha_pair *x)
{
    x->a = _mm256_shuffle_epi32(x->a, 0x93);
    x->c = _mm256_shuffle_epi32(x->c, 0x39);
    x->d = _mm256_shuffle_epi32(x->d, 0x4e);
}

CHACHA_INLINE void chacha_pair_to_columns(struct chacha_pair *x)
{
    x->a = _mm256_shuffle_epi32(x->a, 0x39);
    x->c = _mm256_shuffle_epi32(x->c, 0x93);
    x->d = _mm256_shuffle_epi32(x->d, 0x4e);
}

/* One step for each of n. Not a loop: GCC would keep the blocks in memory. */
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

/* n, from 1 to 3, is a constant wherever this is called. */
CHACHA_INLINE void chacha_pairs_double_round(struct chacha_pair *x, int n)
{
    CHACHA_EACH(x, n, chacha_pair_add_rot16);
    CHACHA_EACH(x, n, chacha_pair_add_rot12);
    CHACHA_EACH(x, n, chacha_pair_add_rot8);
    CHACHA_EACH(x, n, chacha_pair_add_rot7);
    CHACHA_EACH(x, n, chacha_pair_to_diagonals);
    CHACHA_EACH(x, n, chacha_pair_add_rot16);
    CHACHA_EACH(x, n, chacha_pair_add_rot12);
    CHACHA_EACH(x, n, chacha_pair_add_rot8);
    CHACHA_EACH(x, n, chacha_pair_add_rot7);
    CHACHA_EACH(x, n, chacha_pair_to_columns);
}

CHACHA_INLINE __m256i chacha_pair_row(const void *words)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)words));
}

/* What the state of the first block is made of: its first row, the next two, words 13 to 15, and 12. */
struct chacha_input {
    const uint8_t *top;
    const uint8_t *key;
    const uint8_t *nonce;
    uint32_t counter;
};

/* The state `number` blocks after `state`. */
CHACHA_INLINE struct chacha_input chacha_input_of(const uint32_t state[16], uint32_t number)
{
    const struct chacha_input input = {(const uint8_t *)state, (const uint8_t *)(state + 4),
                                       (const uint8_t *)(state + 13), state[12] + number};

    return input;
}

CHACHA_INLINE struct chacha_input chacha_input_direct(uint32_t counter, const uint8_t nonce[12],
                                                      const uint8_t key[32])
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    const struct chacha_input input = {(const uint8_t *)constants, key, nonce, counter};

    return input;
}

/*
 * The last row, put together in a register: to store its pieces and load it whole would wait until the
 * stores are through.
 */
CHACHA_INLINE __m128i chacha_input_bottom(const struct chacha_input *input)
{
    uint32_t middle = load_le32(input->nonce + 4);

    /* Or Clang loads eight bytes of nonce at once, which may wait for what the caller has written. */
    __asm__("" : "+r"(middle));
    return _mm_setr_epi32((int)input->counter, (int)load_le32(input->nonce), (int)middle,
                          (int)load_le32(input->nonce + 8));
}

CHACHA_INLINE struct chacha_pair chacha_pair_of(const struct chacha_input *input)
{
    const __m256i numbers = _mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0);
    const struct chacha_pair in = {
        chacha_pair_row(input->top), chacha_pair_row(input->key), chacha_pair_row(input->key + 16),
        _mm256_add_epi32(_mm256_broadcastsi128_si256(chacha_input_bottom(input)), numbers)};

    return in;
}

/* The pair of blocks that starts `number` blocks after the state's own. */
CHACHA_INLINE struct chacha_pair chacha_pair_input(const uint32_t state[16], uint32_t number)
{
    const struct chacha_input input = chacha_input_of(state, number);

    return chacha_pair_of(&input);
}

/* n pairs, of which `in` is the first. */
CHACHA_INLINE void chacha_pairs_begin(struct chacha_pair *x, int n, const struct chacha_pair *in)
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
}

/*
 * Adds the input of the pair `place` pairs after `in`, and turns the rows into blocks: a and b the
 * first, c and d the second.
 */
CHACHA_INLINE void chacha_pair_end(struct chacha_pair *x, const struct chacha_pair *in, int place)
{
    const __m256i count = _mm256_setr_epi32(2 * place, 0, 0, 0, 2 * place, 0, 0, 0);
    const __m256i a = _mm256_add_epi32(x->a, in->a);
    const __m256i b = _mm256_add_epi32(x->b, in->b);
    const __m256i c = _mm256_add_epi32(x->c, in->c);
    const __m256i d = _mm256_add_epi32(x->d, _mm256_add_epi32(in->d, count));

    x->a = _mm256_shuffle_i32x4(a, b, 0);
    x->b = _mm256_shuffle_i32x4(c, d, 0);
    x->c = _mm256_shuffle_i32x4(a, b, 3);
    x->d = _mm256_shuffle_i32x4(c, d, 3);
}

/* 32 bytes of text. */
CHACHA_INLINE void chacha_xor32(uint8_t *dst, const uint8_t *src, __m256i key_stream)
{
    chacha_store(dst, _mm256_xor_si256(chacha_load(src), key_stream));
}

/*
 * 0 < n <= 32 bytes of text; masked loads and stores do not touch the others. Returned is the
 * output, with zeros behind it.
 */
CHACHA_INLINE __m256i chacha_xor_masked32(uint8_t *dst, const uint8_t *src, size_t n,
                                          __m256i key_stream)
{
    const __mmask32 mask = (__mmask32)(0xffffffff >> (32 - n));
    const __m256i text = _mm256_maskz_loadu_epi8(mask, src);
    const __m256i out = _mm256_maskz_mov_epi8(mask, _mm256_xor_si256(text, key_stream));

    _mm256_mask_storeu_epi8(dst, mask, out);
    return out;
}

/* The bytes in `mask`; returned is the ciphertext, output or input, with zeros in place of the others. */
CHACHA_INLINE __m256i chacha_xor_padded32(uint8_t *dst, const uint8_t *src, __mmask32 mask,
                                          __m256i key_stream, int opening)
{
    const __m256i text = _mm256_maskz_loadu_epi8(mask, src);
    const __m256i out = _mm256_maskz_mov_epi8(mask, _mm256_xor_si256(text, key_stream));

    _mm256_mask_storeu_epi8(dst, mask, out);
    return opening ? text : out;
}

/* 0 < n <= 64 bytes of one block, whose halves are lo and hi. */
CHACHA_INLINE void chacha_xor_block(uint8_t *dst, const uint8_t *src, size_t n, __m256i lo,
                                    __m256i hi)
{
    if (n >= 32) {
        chacha_xor32(dst, src, lo);
        if (n == 64) {
            chacha_xor32(dst + 32, src + 32, hi);
        } else if (n > 32) {
            (void)chacha_xor_masked32(dst + 32, src + 32, n - 32, hi);
        }
    } else {
        (void)chacha_xor_masked32(dst, src, n, lo);
    }
}

/* The first n bytes, 0 < n, of what is left of the text, by the two blocks of x. */
CHACHA_INLINE void chacha_xor_pair(uint8_t *dst, const uint8_t *src, size_t n,
                                   const struct chacha_pair *x)
{
    chacha_xor_block(dst, src, n < 64 ? n : 64, x->a, x->b);
    if (n > 64) {
        chacha_xor_block(dst + 64, src + 64, n < 128 ? n - 64 : 64, x->c, x->d);
    }
}

#endif
