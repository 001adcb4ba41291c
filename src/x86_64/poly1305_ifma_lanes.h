/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 (RFC 8439 section 2.5) by AVX-512 IFMA: eight lanes in 512-bit registers, or four in
 * 256-bit ones, each of which absorbs each eighth or fourth block. The includer defines
 * POLY1305_IFMA_LANES as 8 or 4. Needs AVX-512 F, VL and IFMA, and BMI2. Static only.
 *
 * Numbers have limbs of 44, 44 and 42 bits. The product of h and r, 2^132 being 4 x 5 = 20:
 *
 *     d0 = h0 r0 + h1 s2 + h2 s1      s1 = 20 r1, s2 = 20 r2
 *     d1 = h0 r1 + h1 r0 + h2 s2
 *     d2 = h0 r2 + h1 r1 + h2 r0
 *
 * An instruction gives bits 0 to 51 of a product or those from 52 on; the latter belong to the next
 * limb, 8 bits up (10 from the last limb to the first). A lane takes four blocks with one reduction,
 * for which only the first term has to wait: with R = r^8 or r^4,
 *
 *     h = h R^4 + m R^3 + m' R^2 + m'' R + m'''
 */
#ifndef AEADFAST_POLY1305_IFMA_LANES_H
#define AEADFAST_POLY1305_IFMA_LANES_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "poly1305_mulx.h"

#define POLY1305_IFMA_LIMB UINT64_C(0xfffffffffff)

#if POLY1305_IFMA_LANES == 8
typedef __m512i poly1305_ifma_vector;
#define POLY1305_IFMA_(operation)        _mm512_##operation
#define poly1305_ifma_set1               _mm512_set1_epi64
#define poly1305_ifma_and                _mm512_and_si512
#define poly1305_ifma_or                 _mm512_or_si512
#define poly1305_ifma_zero               _mm512_setzero_si512
#define poly1305_ifma_vector_load        _mm512_loadu_si512
#define poly1305_ifma_vector_store(p, x) _mm512_storeu_si512((p), (x))
#define poly1305_ifma_sum                _mm512_reduce_add_epi64
#else
typedef __m256i poly1305_ifma_vector;
#define POLY1305_IFMA_(operation) _mm256_##operation
#define poly1305_ifma_set1        _mm256_set1_epi64x
#define poly1305_ifma_and         _mm256_and_si256
#define poly1305_ifma_or          _mm256_or_si256
#define poly1305_ifma_zero        _mm256_setzero_si256

POLY1305_INLINE __m256i poly1305_ifma_vector_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

POLY1305_INLINE void poly1305_ifma_vector_store(void *p, __m256i x)
{
    _mm256_storeu_si256((__m256i *)p, x);
}

POLY1305_INLINE long long poly1305_ifma_sum(__m256i x)
{
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

    return _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}
#endif

/* Three limbs. */
struct poly1305_ifma_number {
    poly1305_ifma_vector n[3];
};

/* r0, r1, r2, s1, s2 of a power of r */
struct poly1305_ifma_power {
    uint64_t n[5];
};

struct poly1305_ifma {
    uint64_t h[3][POLY1305_IFMA_LANES];
    uint64_t last[5]
                 [POLY1305_IFMA_LANES]; /* what a lane is multiplied by at the end: .. r^1, r^0 */
    struct poly1305_ifma_power r[5];    /* R^1 to R^4; r[0] is not used */
};

/*
 * Blocks 0 to 7 are in lanes 0, 2, 4, 6, 1, 3, 5, 7 (or 0 to 3 in 0, 2, 1, 3): the order in which
 * unpacking two registers leaves them.
 */
#define POLY1305_IFMA_LANE(block)                                                                  \
    (2 * ((block) % (POLY1305_IFMA_LANES / 2)) + (block) / (POLY1305_IFMA_LANES / 2))

/* As many bytes as there are lanes for. */
#define POLY1305_IFMA_GROUP ((size_t)16 * POLY1305_IFMA_LANES)

/* n[2] <= 7 */
POLY1305_INLINE void poly1305_ifma_limbs(uint64_t limbs[3], const struct poly1305_mulx_int *x)
{
    limbs[0] = x->n[0] & POLY1305_IFMA_LIMB;
    limbs[1] = (x->n[0] >> 44 | x->n[1] << 20) & POLY1305_IFMA_LIMB;
    limbs[2] = x->n[1] >> 24 | x->n[2] << 40;
}

POLY1305_INLINE struct poly1305_ifma_power poly1305_ifma_power(const struct poly1305_mulx_int *x)
{
    struct poly1305_ifma_power p;

    poly1305_ifma_limbs(p.n, x);
    p.n[3] = 20 * p.n[1];
    p.n[4] = 20 * p.n[2];
    return p;
}

/*
 * The words of a product, w0 to w4, to n[0] + 2^64 n[1] + 2^128 n[2]: what is above 2^130 goes to the bottom
 * four times and once. n[2] <= 4 + 5/4 w4.
 */
#define POLY1305_IFMA_FOLD                                                                         \
    "movq %[w2], %[n2]\n\t"                                                                        \
    "movq %[w2], %[t]\n\t"                                                                         \
    "andq $3, %[n2]\n\t"                                                                           \
    "andq $-4, %[t]\n\t"                                                                           \
    "shrdq $2, %[w3], %[w2]\n\t"                                                                   \
    "addq %[t], %[w0]\n\t"                                                                         \
    "adcq %[w3], %[w1]\n\t"                                                                        \
    "adcq %[w4], %[n2]\n\t"                                                                        \
    "shrdq $2, %[w4], %[w3]\n\t"                                                                   \
    "shrq $2, %[w4]\n\t"                                                                           \
    "addq %[w2], %[w0]\n\t"                                                                        \
    "adcq %[w3], %[w1]\n\t"                                                                        \
    "adcq %[w4], %[n2]\n\t"

/*
 * x x, of which n[2] <= 4 gives one <= 36: in assembly, because powers are what a short message waits for,
 * and of 128-bit integers GCC makes 50 cycles, where this takes 20.
 *
 *     x0 x0 + 2^64 x0 b1 + 2^128 (x0 b2 + x1 x1) + 2^192 x1 2 x2 + 2^256 x2 x2,  b1 + 2^64 b2 = 2 (x1 + 2^64 x2)
 */
POLY1305_INLINE struct poly1305_mulx_int poly1305_ifma_square(const struct poly1305_mulx_int *x)
{
    const uint64_t x1 = x->n[1];
    const uint64_t x2 = x->n[2];
    struct poly1305_mulx_int y;
    uint64_t x0 = x->n[0];
    uint64_t w2;
    uint64_t w3;
    uint64_t w4 = x2 * x2;
    uint64_t t;
    uint64_t u;

    __asm__("mulxq %%rdx, %[w0], %[w1]\n\t"
            "mulxq %[b1], %[t], %[w2]\n\t"
            "mulxq %[b2], %[u], %[w3]\n\t"
            "addq %[t], %[w1]\n\t"
            "adcq %[u], %[w2]\n\t"
            "adcq $0, %[w3]\n\t"
            "movq %[x1], %%rdx\n\t"
            "mulxq %%rdx, %[t], %[u]\n\t"
            "mulxq %[d2], %%rdx, %[n2]\n\t"
            "addq %[t], %[w2]\n\t"
            "adcq %[u], %[w3]\n\t"
            "adcq %[n2], %[w4]\n\t"
            "addq %%rdx, %[w3]\n\t"
            "adcq $0, %[w4]\n\t" POLY1305_IFMA_FOLD
            : "+&d"(x0), [w0] "=&r"(y.n[0]), [w1] "=&r"(y.n[1]), [n2] "=&r"(y.n[2]), [w2] "=&r"(w2),
              [w3] "=&r"(w3), [w4] "+&r"(w4), [t] "=&r"(t), [u] "=&r"(u)
            : [x1] "r"(x1), [b1] "r"(x1 << 1), [b2] "r"(x2 << 1 | x1 >> 63), [d2] "r"(x2 << 1)
            : "cc");
    return y;
}

/* a b, of which n[2] <= 4 and <= 36 give one <= 235 */
POLY1305_INLINE struct poly1305_mulx_int poly1305_ifma_times(const struct poly1305_mulx_int *a,
                                                             const struct poly1305_mulx_int *b)
{
    uint64_t a0 = a->n[0];
    struct poly1305_mulx_int y;
    uint64_t w2;
    uint64_t w3;
    uint64_t w4;
    uint64_t t;
    uint64_t u;

    __asm__("mulxq (%[b]), %[w0], %[w1]\n\t"
            "mulxq 8(%[b]), %[t], %[w2]\n\t"
            "mulxq 16(%[b]), %[u], %[w3]\n\t"
            "addq %[t], %[w1]\n\t"
            "adcq %[u], %[w2]\n\t"
            "adcq $0, %[w3]\n\t"
            "movq %[a1], %%rdx\n\t"
            "mulxq (%[b]), %[t], %[u]\n\t"
            "mulxq 8(%[b]), %[n2], %[w4]\n\t"
            "addq %[t], %[w1]\n\t"
            "adcq %[n2], %[w2]\n\t"
            "adcq %[w4], %[w3]\n\t"
            "mulxq 16(%[b]), %[t], %[w4]\n\t"
            "adcq $0, %[w4]\n\t"
            "addq %[u], %[w2]\n\t"
            "adcq %[t], %[w3]\n\t"
            "adcq $0, %[w4]\n\t"
            "movq %[a2], %%rdx\n\t"
            "mulxq (%[b]), %[t], %[u]\n\t"
            "addq %[t], %[w2]\n\t"
            "adcq %[u], %[w3]\n\t"
            "adcq $0, %[w4]\n\t"
            "mulxq 8(%[b]), %[t], %[u]\n\t"
            "imulq 16(%[b]), %%rdx\n\t"
            "addq %[t], %[w3]\n\t"
            "adcq %[u], %[w4]\n\t"
            "addq %%rdx, %[w4]\n\t" POLY1305_IFMA_FOLD
            : "+&d"(a0), [w0] "=&r"(y.n[0]), [w1] "=&r"(y.n[1]), [n2] "=&r"(y.n[2]), [w2] "=&r"(w2),
              [w3] "=&r"(w3), [w4] "=&r"(w4), [t] "=&r"(t), [u] "=&r"(u)
            : [a1] "r"(a->n[1]), [a2] "r"(a->n[2]), [b] "r"(b), "m"(*b)
            : "cc");
    return y;
}

/* n[2] <= 4, for n[2] below 2^60 */
POLY1305_INLINE void poly1305_ifma_fold(struct poly1305_mulx_int *x)
{
    const uint64_t excess = (x->n[2] >> 2) * 5;

    x->n[2] &= 3;
    __asm__("addq %[excess], %[n0]\n\t"
            "adcq $0, %[n1]\n\t"
            "adcq $0, %[n2]\n\t"
            : [n0] "+&r"(x->n[0]), [n1] "+&r"(x->n[1]), [n2] "+&r"(x->n[2])
            : [excess] "r"(excess)
            : "cc");
}

POLY1305_INLINE void poly1305_ifma_clear(struct poly1305_ifma *v)
{
    for (int limb = 0; limb < 3; limb++) {
        poly1305_ifma_vector_store(v->h[limb], poly1305_ifma_zero());
    }
}

/* Lanes of 0. */
static inline void poly1305_ifma_begin(struct poly1305_ifma *v, const struct poly1305_mulx_key *key)
{
    const struct poly1305_mulx_int zero = {{0, 0, 0}};
    struct poly1305_mulx_int r[POLY1305_IFMA_LANES + 1] = {{{1, 0, 0}}, {{key->r0, key->r1, 0}}};
    struct poly1305_mulx_int x;

    for (int i = 2; i <= POLY1305_IFMA_LANES; i++) {
        r[i] = r[i / 2];
        poly1305_mulx_mul_add(&r[i], &r[i - i / 2], &zero);
    }
    for (int i = 0; i < POLY1305_IFMA_LANES; i++) {
        const struct poly1305_ifma_power p = poly1305_ifma_power(&r[POLY1305_IFMA_LANES - 1 - i]);

        for (int limb = 0; limb < 5; limb++) {
            v->last[limb][POLY1305_IFMA_LANE(i)] = p.n[limb];
        }
    }
    x = r[POLY1305_IFMA_LANES];
    v->r[1] = poly1305_ifma_power(&x);
    x = poly1305_mulx_square(&x);
    v->r[2] = poly1305_ifma_power(&x);
    r[1] = poly1305_mulx_square(&x);
    v->r[4] = poly1305_ifma_power(&r[1]);
    poly1305_mulx_mul_add(&x, &r[POLY1305_IFMA_LANES], &zero);
    v->r[3] = poly1305_ifma_power(&x);
    poly1305_ifma_clear(v);
}

/* Lanes of 0 start from h, as if it were the last block of a group. */
POLY1305_INLINE void poly1305_ifma_load(struct poly1305_ifma *v, const struct poly1305_mulx_int *h)
{
    uint64_t limbs[3];

    poly1305_ifma_limbs(limbs, h);
    for (int limb = 0; limb < 3; limb++) {
        v->h[limb][POLY1305_IFMA_LANE(POLY1305_IFMA_LANES - 1)] = limbs[limb];
    }
}

/* A block for each lane as numbers, with their bits at 2^128. */
POLY1305_INLINE struct poly1305_ifma_number poly1305_ifma_message(const uint8_t *p)
{
    const poly1305_ifma_vector limb = poly1305_ifma_set1((long long)POLY1305_IFMA_LIMB);
    const poly1305_ifma_vector a = poly1305_ifma_vector_load(p);
    const poly1305_ifma_vector b = poly1305_ifma_vector_load(p + POLY1305_IFMA_GROUP / 2);
    const poly1305_ifma_vector lo = POLY1305_IFMA_(unpacklo_epi64)(a, b);
    const poly1305_ifma_vector hi = POLY1305_IFMA_(unpackhi_epi64)(a, b);
    struct poly1305_ifma_number m;

    m.n[0] = poly1305_ifma_and(lo, limb);
    /* (x | y) & limb */
    m.n[1] = POLY1305_IFMA_(ternarylogic_epi64)(POLY1305_IFMA_(srli_epi64)(lo, 44),
                                                POLY1305_IFMA_(slli_epi64)(hi, 20), limb, 0xa8);
    m.n[2] = poly1305_ifma_or(POLY1305_IFMA_(srli_epi64)(hi, 24), poly1305_ifma_set1(1LL << 40));
    return m;
}

struct poly1305_ifma_product {
    poly1305_ifma_vector lo[3];
    poly1305_ifma_vector hi[3];
};

POLY1305_INLINE void poly1305_ifma_madd(struct poly1305_ifma_product *d, int limb,
                                        poly1305_ifma_vector a, poly1305_ifma_vector b)
{
    d->lo[limb] = POLY1305_IFMA_(madd52lo_epu64)(d->lo[limb], a, b);
    d->hi[limb] = POLY1305_IFMA_(madd52hi_epu64)(d->hi[limb], a, b);
}

/* d += a r, by r0, r1, r2, s1, s2 */
POLY1305_INLINE void poly1305_ifma_multiply(struct poly1305_ifma_product *d,
                                            const struct poly1305_ifma_number *a,
                                            poly1305_ifma_vector r0, poly1305_ifma_vector r1,
                                            poly1305_ifma_vector r2, poly1305_ifma_vector s1,
                                            poly1305_ifma_vector s2)
{
    poly1305_ifma_madd(d, 0, a->n[0], r0);
    poly1305_ifma_madd(d, 1, a->n[0], r1);
    poly1305_ifma_madd(d, 2, a->n[0], r2);
    poly1305_ifma_madd(d, 0, a->n[1], s2);
    poly1305_ifma_madd(d, 1, a->n[1], r0);
    poly1305_ifma_madd(d, 2, a->n[1], r1);
    poly1305_ifma_madd(d, 0, a->n[2], s1);
    poly1305_ifma_madd(d, 1, a->n[2], s2);
    poly1305_ifma_madd(d, 2, a->n[2], r0);
}

POLY1305_INLINE void poly1305_ifma_multiply_all(struct poly1305_ifma_product *d,
                                                const struct poly1305_ifma_number *a,
                                                const struct poly1305_ifma_power *r)
{
    poly1305_ifma_multiply(
        d, a, poly1305_ifma_set1((long long)r->n[0]), poly1305_ifma_set1((long long)r->n[1]),
        poly1305_ifma_set1((long long)r->n[2]), poly1305_ifma_set1((long long)r->n[3]),
        poly1305_ifma_set1((long long)r->n[4]));
}

/*
 * d to limbs below 2^44 + 2^18, 2^44 + 2^13 and 2^42 + 2^13. Of four products, whose factors are below
 * 2^45 and 2^51, and a block: lo < 2^56, hi < 2^45 and hi[2] < 2^41, so that no sum here exceeds 2^57. The
 * carries, below 2^15, are all taken at once: the next multiplication waits for them.
 */
POLY1305_INLINE struct poly1305_ifma_number
poly1305_ifma_reduce(const struct poly1305_ifma_product *d)
{
    const poly1305_ifma_vector limb = poly1305_ifma_set1((long long)POLY1305_IFMA_LIMB);
    const poly1305_ifma_vector limb2 = poly1305_ifma_set1((long long)(POLY1305_IFMA_LIMB >> 2));
    const poly1305_ifma_vector x = POLY1305_IFMA_(slli_epi64)(d->hi[2], 10);
    struct poly1305_ifma_number h;
    poly1305_ifma_vector carry[3];

    h.n[2] = POLY1305_IFMA_(add_epi64)(d->lo[2], POLY1305_IFMA_(slli_epi64)(d->hi[1], 8));
    h.n[1] = POLY1305_IFMA_(add_epi64)(d->lo[1], POLY1305_IFMA_(slli_epi64)(d->hi[0], 8));
    h.n[0] = POLY1305_IFMA_(add_epi64)(
        d->lo[0], POLY1305_IFMA_(add_epi64)(x, POLY1305_IFMA_(slli_epi64)(x, 2)));
    carry[2] = POLY1305_IFMA_(srli_epi64)(h.n[2], 42);
    carry[1] = POLY1305_IFMA_(srli_epi64)(h.n[1], 44);
    carry[0] = POLY1305_IFMA_(srli_epi64)(h.n[0], 44);
    carry[2] = POLY1305_IFMA_(add_epi64)(carry[2], POLY1305_IFMA_(slli_epi64)(carry[2], 2));
    h.n[0] = POLY1305_IFMA_(add_epi64)(poly1305_ifma_and(h.n[0], limb), carry[2]);
    h.n[1] = POLY1305_IFMA_(add_epi64)(poly1305_ifma_and(h.n[1], limb), carry[0]);
    h.n[2] = POLY1305_IFMA_(add_epi64)(poly1305_ifma_and(h.n[2], limb2), carry[1]);
    return h;
}

POLY1305_INLINE struct poly1305_ifma_product poly1305_ifma_no_product(void)
{
    const poly1305_ifma_vector zero = poly1305_ifma_zero();
    const struct poly1305_ifma_product d = {{zero, zero, zero}, {zero, zero, zero}};

    return d;
}

/* What a block is added to by d += ... */
POLY1305_INLINE struct poly1305_ifma_product
poly1305_ifma_product_of(const struct poly1305_ifma_number *m)
{
    const poly1305_ifma_vector zero = poly1305_ifma_zero();
    const struct poly1305_ifma_product d = {{m->n[0], m->n[1], m->n[2]}, {zero, zero, zero}};

    return d;
}

/* h = (h + what the groups at p and `last` come to), k of them by R^k to R, the last by 1 */
POLY1305_INLINE void poly1305_ifma_step(struct poly1305_ifma_number *h,
                                        const struct poly1305_ifma_power *r, const uint8_t *p,
                                        const uint8_t *last, size_t k)
{
    struct poly1305_ifma_number m = poly1305_ifma_message(last);
    struct poly1305_ifma_product d = poly1305_ifma_product_of(&m);

    __asm__ volatile("" : "+r"(r));
    for (size_t i = 1; i < k; i++) {
        m = poly1305_ifma_message(p + POLY1305_IFMA_GROUP * (i - 1));
        poly1305_ifma_multiply_all(&d, &m, &r[k - i]);
    }
    poly1305_ifma_multiply_all(&d, h, &r[k]);
    *h = poly1305_ifma_reduce(&d);
}

/*
 * Absorbs n bytes, a multiple of POLY1305_IFMA_GROUP. The empty assembly keeps compilers from
 * taking the powers out of the loop, more than there are registers, onto the stack.
 */
static inline void poly1305_ifma_blocks(struct poly1305_ifma *v, const uint8_t *p, size_t n)
{
    const size_t group = POLY1305_IFMA_GROUP;
    struct poly1305_ifma_number h;

    for (int limb = 0; limb < 3; limb++) {
        h.n[limb] = poly1305_ifma_vector_load(v->h[limb]);
    }
    for (; n >= 4 * group; p += 4 * group, n -= 4 * group) {
        poly1305_ifma_step(&h, v->r, p, p + 3 * group, 4);
    }
    if (n >= 3 * group) {
        poly1305_ifma_step(&h, v->r, p, p + 2 * group, 3);
    } else if (n >= 2 * group) {
        poly1305_ifma_step(&h, v->r, p, p + group, 2);
    } else if (n >= group) {
        poly1305_ifma_step(&h, v->r, p, p, 1);
    }
    for (int limb = 0; limb < 3; limb++) {
        poly1305_ifma_vector_store(v->h[limb], h.n[limb]);
    }
}

/* h = the sum of the lanes, each times its power of r: below 2^3 times a limb each, and h[2] <= 4.
 */
static inline void poly1305_ifma_end(struct poly1305_mulx_int *h, const struct poly1305_ifma *v)
{
    const struct poly1305_ifma_number lanes = {{poly1305_ifma_vector_load(v->h[0]),
                                                poly1305_ifma_vector_load(v->h[1]),
                                                poly1305_ifma_vector_load(v->h[2])}};
    struct poly1305_ifma_product d = poly1305_ifma_no_product();
    struct poly1305_ifma_number sums;
    uint64_t limb[3];
    poly1305_u128 low;
    poly1305_u128 high;
    uint64_t excess;

    poly1305_ifma_multiply(
        &d, &lanes, poly1305_ifma_vector_load(v->last[0]), poly1305_ifma_vector_load(v->last[1]),
        poly1305_ifma_vector_load(v->last[2]), poly1305_ifma_vector_load(v->last[3]),
        poly1305_ifma_vector_load(v->last[4]));
    sums = poly1305_ifma_reduce(&d);
    for (int i = 0; i < 3; i++) {
        limb[i] = (uint64_t)poly1305_ifma_sum(sums.n[i]);
    }
    low = limb[0] + ((poly1305_u128)limb[1] << 44);
    high = (uint64_t)(low >> 64) + ((poly1305_u128)limb[2] << 24);

    /* the sum is below 2^134: what is above 2^130 is folded */
    excess = (uint64_t)(high >> 66);
    low = (poly1305_u128)(uint64_t)low + 5 * excess;
    high = (high & (((poly1305_u128)1 << 66) - 1)) + (uint64_t)(low >> 64);
    h->n[0] = (uint64_t)low;
    h->n[1] = (uint64_t)high;
    h->n[2] = (uint64_t)(high >> 64);
}

#endif
