/* SPDX-License-Identifier: MIT */
/*
 * GHASH on 256-bit registers, ghash_clmul.h twice side by side: the low half of a register is the
 * earlier block, and a pair of powers of H lies in memory as H^n, H^(n-1).
 */
#ifndef AEADFAST_GHASH_VPCLMUL_H
#define AEADFAST_GHASH_VPCLMUL_H

#include <immintrin.h>
#include <stdint.h>

#include "aes_gcm_partial.h"
#include "ghash_clmul.h"

/* How far after a power of H the sum of its halves lies. */
#ifndef FOLD_OFFSET
#error "FOLD_OFFSET is the including kernel's to define"
#endif

/* Three accumulators of 256 bits, two sums side by side. */
struct vaes_sum {
    __m256i lo;
    __m256i mid;
    __m256i hi;
};

GCM_INLINE __m256i load256(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

GCM_INLINE void store256(uint8_t *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

GCM_INLINE __m256i pair(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

GCM_INLINE __m256i reverse_blocks(__m256i v)
{
#if GCM_ASM
    __asm__("vpshufb %1, %0, %0" : "+x"(v) : "m"(gcm_reverse_mask));
    return v;
#else
    return _mm256_shuffle_epi8(v, load256(gcm_reverse_mask));
#endif
}

GCM_INLINE struct vaes_sum sum_zero(void)
{
    struct vaes_sum sum = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};

    return sum;
}

/* sum += two blocks, the first times *power, the second times the power after it */
GCM_INLINE void sum_add(struct vaes_sum *sum, __m256i blocks, __m256i power, __m256i fold)
{
    __m256i folded = _mm256_xor_si256(blocks, _mm256_shuffle_epi32(blocks, 0x4e));

    sum->lo = _mm256_xor_si256(sum->lo, _mm256_clmulepi64_epi128(blocks, power, 0x00));
    sum->hi = _mm256_xor_si256(sum->hi, _mm256_clmulepi64_epi128(blocks, power, 0x11));
    sum->mid = _mm256_xor_si256(sum->mid, _mm256_clmulepi64_epi128(folded, fold, 0x00));
}

/*
 * The same, with the powers in memory. VPCLMULQDQ takes a cycle of Zen 3's decoders to itself, and
 * whatever was decoded with it waits: the three are kept together.
 */
GCM_INLINE void sum_add_at(struct vaes_sum *sum, __m256i blocks, const uint8_t *power)
{
#if GCM_ASM
    __m256i folded = _mm256_xor_si256(blocks, _mm256_shuffle_epi32(blocks, 0x4e));
    __m256i product;

    __asm__("vpclmulqdq $0x00, (%[power]), %[x], %[product]\n\t"
            "vpclmulqdq $0x11, (%[power]), %[x], %[x]\n\t"
            "vpclmulqdq $0x00, %c[fold](%[power]), %[f], %[f]\n\t"
            "vpxor %[product], %[lo], %[lo]\n\t"
            "vpxor %[x], %[hi], %[hi]\n\t"
            "vpxor %[f], %[mid], %[mid]"
            : [x] "+x"(blocks), [f] "+x"(folded), [lo] "+x"(sum->lo), [mid] "+x"(sum->mid),
              [hi] "+x"(sum->hi), [product] "=&x"(product)
            : [power] "r"(power), [fold] "i"(FOLD_OFFSET), "m"(*(const uint8_t(*)[32])power),
              "m"(*(const uint8_t(*)[32])(power + FOLD_OFFSET)));
#else
    sum_add(sum, blocks, load256(power), load256(power + FOLD_OFFSET));
#endif
}

/* The reduction of ghash_reduce on both halves, which are then added. */
GCM_INLINE __m256i sum_reduce_pair(const struct vaes_sum *sum)
{
    __m256i poly = _mm256_set1_epi64x(GHASH_POLY);
    __m256i mid = _mm256_xor_si256(sum->mid, _mm256_xor_si256(sum->lo, sum->hi));
    __m256i t = _mm256_clmulepi64_epi128(sum->lo, poly, 0x00);

    mid = _mm256_xor_si256(mid, _mm256_xor_si256(t, _mm256_shuffle_epi32(sum->lo, 0x4e)));
    t = _mm256_clmulepi64_epi128(mid, poly, 0x00);
    return _mm256_xor_si256(sum->hi, _mm256_xor_si256(t, _mm256_shuffle_epi32(mid, 0x4e)));
}

GCM_INLINE __m128i sum_reduce(const struct vaes_sum *sum)
{
    __m256i r = sum_reduce_pair(sum);

    return _mm_xor_si128(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
}

#endif
