/* SPDX-License-Identifier: MIT */
/*
 * What the AES-GCM kernels do with a register of 1, 2 or 4 blocks, written once: an including
 * kernel defines GCM_LANES and gets `vec` and its operations from AVX, AVX2 or AVX-512.
 */
#ifndef AEADFAST_AES_GCM_VECTOR_H
#define AEADFAST_AES_GCM_VECTOR_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"

/* 0 where a sanitizer could not see what inline assembly does: slower, for tests. */
#ifndef GCM_ASM
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define GCM_ASM 0
#endif
#endif
#endif
#ifndef GCM_ASM
#define GCM_ASM 1
#endif

#define GCM_INLINE static inline __attribute__((always_inline))

GCM_INLINE __m128i load128(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

GCM_INLINE void store128(uint8_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

#define VEC_BYTES (16 * GCM_LANES)

#if GCM_LANES == 4
typedef __m512i vec;
#define vec_zero()              _mm512_setzero_si512()
#define vec_xor(a, b)           _mm512_xor_si512(a, b)
#define vec_add32(a, b)         _mm512_add_epi32(a, b)
#define vec_shuffle8(v, mask)   _mm512_shuffle_epi8(v, mask)
#define vec_swap_halves(v)      _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e)
#define vec_clmul(a, b, halves) _mm512_clmulepi64_epi128(a, b, halves)
#define vec_aesenc(v, key)      _mm512_aesenc_epi128(v, key)
#define vec_aesenclast(v, key)  _mm512_aesenclast_epi128(v, key)
#define vec_broadcast(v)        _mm512_broadcast_i32x4(v)
#define vec_from_low(v)         _mm512_zextsi128_si512(v)
#define vec_low(v)              _mm512_castsi512_si128(v)
#define vec_top(v)              _mm512_extracti32x4_epi32(v, 3)
#define vec_broadcast64(x)      _mm512_set1_epi64(x)
#define vec_load(p)             _mm512_loadu_si512((const void *)(p))
#define vec_store(p, v)         _mm512_storeu_si512((void *)(p), v)
#elif GCM_LANES == 2
typedef __m256i vec;
#define vec_zero()              _mm256_setzero_si256()
#define vec_xor(a, b)           _mm256_xor_si256(a, b)
#define vec_add32(a, b)         _mm256_add_epi32(a, b)
#define vec_shuffle8(v, mask)   _mm256_shuffle_epi8(v, mask)
#define vec_swap_halves(v)      _mm256_shuffle_epi32(v, 0x4e)
#define vec_clmul(a, b, halves) _mm256_clmulepi64_epi128(a, b, halves)
#define vec_aesenc(v, key)      _mm256_aesenc_epi128(v, key)
#define vec_aesenclast(v, key)  _mm256_aesenclast_epi128(v, key)
#define vec_broadcast(v)        _mm256_broadcastsi128_si256(v)
#define vec_from_low(v)         _mm256_zextsi128_si256(v)
#define vec_low(v)              _mm256_castsi256_si128(v)
#define vec_top(v)              _mm256_extracti128_si256(v, 1)
#define vec_broadcast64(x)      _mm256_set1_epi64x(x)
#define vec_load(p)             _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define vec_store(p, v)         _mm256_storeu_si256((__m256i *)(void *)(p), v)
#else
typedef __m128i vec;
#define vec_zero()              _mm_setzero_si128()
#define vec_xor(a, b)           _mm_xor_si128(a, b)
#define vec_add32(a, b)         _mm_add_epi32(a, b)
#define vec_shuffle8(v, mask)   _mm_shuffle_epi8(v, mask)
#define vec_swap_halves(v)      _mm_shuffle_epi32(v, 0x4e)
#define vec_clmul(a, b, halves) _mm_clmulepi64_si128(a, b, halves)
#define vec_aesenc(v, key)      _mm_aesenc_si128(v, key)
#define vec_aesenclast(v, key)  _mm_aesenclast_si128(v, key)
#define vec_broadcast(v)        (v)
#define vec_from_low(v)         (v)
#define vec_low(v)              (v)
#define vec_top(v)              (v)
#define vec_broadcast64(x)      _mm_set1_epi64x(x)
#define vec_load(p)             load128(p)
#define vec_store(p, v)         store128(p, v)
#endif

#endif
