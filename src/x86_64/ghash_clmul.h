/* SPDX-License-Identifier: MIT */
/*
 * GHASH (SP 800-38D section 6.4) by carry-less multiplication, on 128-bit registers.
 *
 * A block is loaded with its bytes reversed: the coefficient of x^0 is then bit 127, and the product
 * of two such values comes out one bit too low. That bit is made up for once a key: every power of H
 * is kept as H^i * x. In that form ghash_mul(a, b * x) is a * b, so the powers breed true.
 *
 * The product has 256 bits, lo + mid * 2^64 + hi * 2^128. The modulus, reflected, is
 * 2^128 + 0xc2 * 2^120 + 1 with bit 128 of the product's upper half for x^0: adding the modulus times
 * the low 64 bits clears them, which is one multiplication by 0xc2 << 56 and one exchange of halves;
 * done twice, all that is left stands in the upper 128 bits.
 */
#ifndef AEADFAST_GHASH_CLMUL_H
#define AEADFAST_GHASH_CLMUL_H

#include <immintrin.h>
#include <stdint.h>

#define GHASH_POLY ((long long)0xc200000000000000ULL)

/* The three accumulators of products that are not reduced yet; mid is without lo ^ hi. */
struct ghash_sum {
    __m128i lo;
    __m128i mid;
    __m128i hi;
};

static inline __m128i ghash_reverse(__m128i block)
{
    return _mm_shuffle_epi8(block, _mm_set_epi64x(0x0001020304050607LL, 0x08090a0b0c0d0e0fLL));
}

static inline __m128i ghash_swap_halves(__m128i v)
{
    return _mm_shuffle_epi32(v, 0x4e);
}

/* Karatsuba's operand: the sum of the halves, in both of them */
static inline __m128i ghash_fold(__m128i v)
{
    return _mm_xor_si128(v, ghash_swap_halves(v));
}

/* sum += a * b, three multiplications */
static inline void ghash_mul_add(struct ghash_sum *sum, __m128i a, __m128i b, __m128i b_fold)
{
    sum->lo = _mm_xor_si128(sum->lo, _mm_clmulepi64_si128(a, b, 0x00));
    sum->hi = _mm_xor_si128(sum->hi, _mm_clmulepi64_si128(a, b, 0x11));
    sum->mid = _mm_xor_si128(sum->mid, _mm_clmulepi64_si128(ghash_fold(a), b_fold, 0x00));
}

static inline __m128i ghash_reduce(const struct ghash_sum *sum)
{
    __m128i poly = _mm_cvtsi64_si128(GHASH_POLY);
    __m128i mid = _mm_xor_si128(sum->mid, _mm_xor_si128(sum->lo, sum->hi));
    __m128i t = _mm_clmulepi64_si128(sum->lo, poly, 0x00);

    mid = _mm_xor_si128(mid, _mm_xor_si128(t, ghash_swap_halves(sum->lo)));
    t = _mm_clmulepi64_si128(mid, poly, 0x00);
    return _mm_xor_si128(sum->hi, _mm_xor_si128(t, ghash_swap_halves(mid)));
}

static inline __m128i ghash_mul(__m128i a, __m128i b)
{
    struct ghash_sum sum = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};

    ghash_mul_add(&sum, a, b, ghash_fold(b));
    return ghash_reduce(&sum);
}

/* The hash key, E(0) as stored, made into H * x: a shift left, and the modulus if a bit fell out. */
static inline __m128i ghash_key(__m128i h)
{
    __m128i carry;

    h = ghash_reverse(h);
    carry = _mm_srai_epi32(_mm_shuffle_epi32(h, 0xff), 31);
    carry = _mm_and_si128(carry, _mm_set_epi64x(GHASH_POLY, 1));
    h = _mm_or_si128(_mm_slli_epi64(h, 1), _mm_slli_si128(_mm_srli_epi64(h, 63), 8));
    return _mm_xor_si128(h, carry);
}

#endif
