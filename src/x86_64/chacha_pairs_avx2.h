/* SPDX-License-Identifier: MIT */
/*
 * ChaCha for few blocks: two blocks side by side in four registers, one register a row of the 4x4
 * state (words 0-3, 4-7, 8-11, 12-15), the first block in the low half and the second in the high.
 * Needs AVX2. Static only.
 *
 * A double round is one chain of 28 operations of one cycle; up to three pairs run in its shadow
 * (Zen 3: 290, 310 and 400 cycles for 20 rounds of one, two and three pairs).
 */
#ifndef AEADFAST_CHACHA_PAIRS_AVX2_H
#define AEADFAST_CHACHA_PAIRS_AVX2_H

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

/* vpshufb masks that rotate each 32-bit word left by 16 and by 8 */
static const uint8_t chacha_rot16[32]
    __attribute__((aligned(32))) = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13,
                                    2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13};
static const uint8_t chacha_rot8[32]
    __attribute__((aligned(32))) = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14,
                                    3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};

CHACHA_INLINE __m256i chacha_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

CHACHA_INLINE void chacha_store(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

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
 * The double round of a lone pair. It is one chain, so what the CPU makes of it depends on whether
 * both shifts of a rotation start at once. Zen 3 deals the slots of a dispatch group out to its two
 * vector schedulers in turn, each with one shifter: neighbours are fine as long as groups are whole,
 * and they are not when the queue before the schedulers is full. The idle slots keep it from filling
 * (309 cycles for 20 rounds without them, 286 with them); where there are four slots a cycle instead
 * of six, all of it still takes less time than the chain.
 */
#define CHACHA_IDLE           "nop\n\tnop\n\t"
#define CHACHA_ROWS(op, x, y) op " %[" #y "], %[" #x "], %[" #x "]\n\t"
#define CHACHA_LONE_ADD_XOR(x, y, z)                                                               \
    CHACHA_ROWS("vpaddd", x, y) CHACHA_IDLE CHACHA_ROWS("vpxor", z, x)
#define CHACHA_ROWS_TURN(x, order) "vpshufd $" #order ", %[" #x "], %[" #x "]\n\t"
#define CHACHA_LONE_ROTATE(x, left, right)                                                         \
    "vpslld $" #left ", %[" #x "], %[t]\n\t"                                                       \
    "vpsrld $" #right ", %[" #x "], %[" #x "]\n\t" CHACHA_IDLE CHACHA_ROWS("vpor", x, t)           \
        CHACHA_IDLE
#define CHACHA_LONE_ROUND(a_order, c_order)                                                        \
    CHACHA_LONE_ADD_XOR(a, b, d) CHACHA_IDLE CHACHA_ROWS("vpshufb", d, rot16)                      \
    CHACHA_IDLE                                                                                    \
    CHACHA_LONE_ADD_XOR(c, d, b)                                                                   \
    CHACHA_IDLE CHACHA_LONE_ROTATE(b, 12, 20) CHACHA_LONE_ADD_XOR(a, b, d)                         \
        CHACHA_ROWS_TURN(a, a_order) CHACHA_IDLE CHACHA_ROWS("vpshufb", d, rot8)                   \
    CHACHA_IDLE                                                                                    \
    CHACHA_ROWS("vpaddd", c, d)                                                                    \
    CHACHA_ROWS_TURN(d, 0x4e)                                                                      \
    CHACHA_IDLE CHACHA_ROWS("vpxor", b, c) CHACHA_ROWS_TURN(c, c_order) CHACHA_IDLE                \
    CHACHA_LONE_ROTATE(b, 7, 25)

CHACHA_INLINE void chacha_lone_double_round(struct chacha_pair *x)
{
    __m256i t;

    __asm__(CHACHA_LONE_ROUND(0x93, 0x39) CHACHA_LONE_ROUND(0x39, 0x93)
            : [a] "+x"(x->a), [b] "+x"(x->b), [c] "+x"(x->c), [d] "+x"(x->d), [t] "=&x"(t)
            : [rot16] "x"(chacha_load(chacha_rot16)), [rot8] "x"(chacha_load(chacha_rot8)));
}

/* n, from 1 to 3, is a constant wherever this is called. */
CHACHA_INLINE void chacha_pairs_double_round(struct chacha_pair x[3], int n)
{
    if (n == 1) {
        chacha_lone_double_round(&x[0]);
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

CHACHA_INLINE __m256i chacha_row(const void *words)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)words));
}

/* Blocks 0 and 1 of the state, as input. */
CHACHA_INLINE struct chacha_pair chacha_pair_input(const uint32_t state[16])
{
    struct chacha_pair in;

    in.a = chacha_row(state);
    in.b = chacha_row(state + 4);
    in.c = chacha_row(state + 8);
    in.d = _mm256_add_epi32(chacha_row(state + 12), _mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0));
    return in;
}

/* n pairs, of which `in` is the first. */
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

/*
 * Zeroes n bytes, a multiple of 128. The barrier keeps the stores, and keeps GCC from making one
 * string instruction of them, which takes 100 cycles.
 */
CHACHA_INLINE void chacha_wipe(void *p, size_t n)
{
    const __m256i zero = _mm256_setzero_si256();
    uint8_t *bytes = (uint8_t *)p;

    for (size_t i = 0; i < n; i += 128) {
        chacha_store(bytes + i, zero);
        chacha_store(bytes + i + 32, zero);
        chacha_store(bytes + i + 64, zero);
        chacha_store(bytes + i + 96, zero);
        __asm__ volatile("" : : "r"(p) : "memory");
    }
}

/* 32 bytes of text. */
CHACHA_INLINE void chacha_xor32(uint8_t *dst, const uint8_t *src, __m256i key_stream)
{
    chacha_store(dst, _mm256_xor_si256(chacha_load(src), key_stream));
}

/* dst = src xor key_stream for n < 64 bytes: whole words of 32, 16, 8, 4 bytes and then bytes. */
static inline void chacha_xor_some(uint8_t *dst, const uint8_t *src, const uint8_t *key_stream,
                                   size_t n)
{
    if ((n & 32) != 0) {
        chacha_xor32(dst, src, chacha_load(key_stream));
        dst += 32;
        src += 32;
        key_stream += 32;
    }
    if ((n & 16) != 0) {
        const __m128i k = _mm_loadu_si128((const __m128i *)key_stream);

        _mm_storeu_si128((__m128i *)dst, _mm_xor_si128(_mm_loadu_si128((const __m128i *)src), k));
        dst += 16;
        src += 16;
        key_stream += 16;
    }
    if ((n & 8) != 0) {
        store_le64(dst, load_le64(src) ^ load_le64(key_stream));
        dst += 8;
        src += 8;
        key_stream += 8;
    }
    if ((n & 4) != 0) {
        store_le32(dst, load_le32(src) ^ load_le32(key_stream));
        dst += 4;
        src += 4;
        key_stream += 4;
    }
    for (size_t i = 0; i < (n & 3); i++) {
        dst[i] = (uint8_t)(src[i] ^ key_stream[i]);
    }
}

/*
 * n <= 64 bytes of one block, whose halves are lo and hi. `spare` takes the key stream of a part of
 * a block.
 */
CHACHA_INLINE void chacha_xor_block(uint8_t *dst, const uint8_t *src, size_t n, __m256i lo,
                                    __m256i hi, uint8_t spare[64])
{
    if (n == 64) {
        chacha_xor32(dst, src, lo);
        chacha_xor32(dst + 32, src + 32, hi);
        return;
    }
    chacha_store(spare, lo);
    chacha_store(spare + 32, hi);
    chacha_xor_some(dst, src, spare, n);
}

/* The first n bytes, 0 < n, of what is left of the text, by the two blocks of x. */
CHACHA_INLINE void chacha_xor_pair(uint8_t *dst, const uint8_t *src, size_t n,
                                   const struct chacha_pair *x, uint8_t spare[64])
{
    chacha_xor_block(dst, src, n < 64 ? n : 64, x->a, x->b, spare);
    if (n > 64) {
        chacha_xor_block(dst + 64, src + 64, n < 128 ? n - 64 : 64, x->c, x->d, spare);
    }
}

#endif
