/* SPDX-License-Identifier: MIT */
/*
 * Vectors of ChaCha blocks in memory: rows of the state in, key stream upon the text out. Needs AVX2.
 * Static only.
 */
#ifndef AEADFAST_CHACHA_TEXT_AVX2_H
#define AEADFAST_CHACHA_TEXT_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"

#define CHACHA_INLINE static inline __attribute__((always_inline))

/*
 * Two blocks side by side, one register a row of the 4x4 state (words 0-3, 4-7, 8-11, 12-15), the
 * first block in the low half and the second in the high; or what is said where it is something else.
 */
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

/* 32 bytes of text, and 16. */
CHACHA_INLINE void chacha_xor32(uint8_t *dst, const uint8_t *src, __m256i key_stream)
{
    chacha_store(dst, _mm256_xor_si256(chacha_load(src), key_stream));
}

CHACHA_INLINE void chacha_xor16(uint8_t *dst, const uint8_t *src, __m128i key_stream)
{
    const __m128i text = _mm_loadu_si128((const __m128i *)src);

    _mm_storeu_si128((__m128i *)dst, _mm_xor_si128(text, key_stream));
}

/*
 * n < 16 bytes. The key stream of a part of a block stays in registers all the way: in memory it would
 * have to be cleared there.
 */
CHACHA_INLINE void chacha_xor_last(uint8_t *dst, const uint8_t *src, size_t n, __m128i key_stream)
{
    uint32_t last;

    if ((n & 8) != 0) {
        store_le64(dst, load_le64(src) ^ (uint64_t)_mm_cvtsi128_si64(key_stream));
        dst += 8;
        src += 8;
        key_stream = _mm_unpackhi_epi64(key_stream, key_stream);
    }
    if ((n & 4) != 0) {
        store_le32(dst, load_le32(src) ^ (uint32_t)_mm_cvtsi128_si32(key_stream));
        dst += 4;
        src += 4;
        key_stream = _mm_srli_epi64(key_stream, 32);
    }
    last = (uint32_t)_mm_cvtsi128_si32(key_stream);
    if ((n & 2) != 0) {
        dst[0] = (uint8_t)(src[0] ^ last);
        dst[1] = (uint8_t)(src[1] ^ last >> 8);
        dst += 2;
        src += 2;
        last >>= 16;
    }
    if ((n & 1) != 0) {
        dst[0] = (uint8_t)(src[0] ^ last);
    }
}

/* n <= 64 bytes of one block, whose halves are lo and hi. */
CHACHA_INLINE void chacha_xor_block(uint8_t *dst, const uint8_t *src, size_t n, __m256i lo,
                                    __m256i hi)
{
    __m128i rest;

    if (n == 64) {
        chacha_xor32(dst, src, lo);
        chacha_xor32(dst + 32, src + 32, hi);
        return;
    }
    if ((n & 32) != 0) {
        chacha_xor32(dst, src, lo);
        dst += 32;
        src += 32;
        lo = hi;
    }
    rest = _mm256_castsi256_si128(lo);
    if ((n & 16) != 0) {
        chacha_xor16(dst, src, rest);
        dst += 16;
        src += 16;
        rest = _mm256_extracti128_si256(lo, 1);
    }
    chacha_xor_last(dst, src, n & 15, rest);
}

/* The first n bytes, 0 < n, of what is left of the text, by two blocks: halves a and b, c and d. */
CHACHA_INLINE void chacha_xor_pair(uint8_t *dst, const uint8_t *src, size_t n,
                                   const struct chacha_pair *x)
{
    chacha_xor_block(dst, src, n < 64 ? n : 64, x->a, x->b);
    if (n > 64) {
        chacha_xor_block(dst + 64, src + 64, n < 128 ? n - 64 : 64, x->c, x->d);
    }
}

#endif
