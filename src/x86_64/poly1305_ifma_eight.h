/* SPDX-License-Identifier: MIT */
/*
 * Eight lanes of poly1305_ifma_lanes.h for whole messages whose blocks are counted from the end: the first
 * group of eight is filled up with zeros in front, which weigh nothing, so that all other groups are whole
 * and lane i ends with a factor r^(8-i), which takes in the multiplication that ends a message. No block
 * is left for scalar code. What a short message waits for is the powers, so only those are made that it
 * needs. Static only.
 */
#ifndef AEADFAST_POLY1305_IFMA_EIGHT_H
#define AEADFAST_POLY1305_IFMA_EIGHT_H

#include "../codegen.h"
#ifndef POLY1305_IFMA_LANES
#define POLY1305_IFMA_LANES 8
#endif
#include "poly1305_ifma_lanes.h"

/*
 * r^8 to r in the order of the lanes, r^8, r^4, r^7, r^3, r^6, r^2, r^5, r: those of the second half in
 * pairs of lanes, times r^4 and times 1.
 */
POLY1305_INLINE struct poly1305_ifma_number
poly1305_eight_lane_powers(const struct poly1305_mulx_int *r1, const struct poly1305_mulx_int *r2,
                           const struct poly1305_mulx_int *r3, const struct poly1305_mulx_int *r4)
{
    const __m512i limb = _mm512_set1_epi64((long long)POLY1305_IFMA_LIMB);
    const __m512i twenty = _mm512_set1_epi64(20);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i one = _mm512_set1_epi64(1);
    struct poly1305_ifma_product d = poly1305_ifma_no_product();
    struct poly1305_ifma_number low;
    __m512i four[3];
    __m512i x[3];

    UNROLL
    for (int i = 0; i < 3; i++) {
        x[i] = _mm512_set1_epi64((long long)r4->n[i]);
        x[i] = _mm512_mask_set1_epi64(x[i], 0x0c, (long long)r3->n[i]);
        x[i] = _mm512_mask_set1_epi64(x[i], 0x30, (long long)r2->n[i]);
        x[i] = _mm512_mask_set1_epi64(x[i], 0xc0, (long long)r1->n[i]);
    }
    low.n[0] = _mm512_and_si512(x[0], limb);
    low.n[1] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(x[0], 44), _mm512_slli_epi64(x[1], 20),
                                         limb, 0xa8);
    low.n[2] = _mm512_or_si512(_mm512_srli_epi64(x[1], 24), _mm512_slli_epi64(x[2], 40));
    four[0] = _mm512_mask_broadcastq_epi64(one, 0x55, _mm512_castsi512_si128(low.n[0]));
    four[1] = _mm512_maskz_broadcastq_epi64(0x55, _mm512_castsi512_si128(low.n[1]));
    four[2] = _mm512_maskz_broadcastq_epi64(0x55, _mm512_castsi512_si128(low.n[2]));
    poly1305_ifma_multiply(&d, &low, four[0], four[1], four[2],
                           _mm512_madd52lo_epu64(zero, four[1], twenty),
                           _mm512_madd52lo_epu64(zero, four[2], twenty));
    return poly1305_ifma_reduce(&d);
}

/* What the powers are made of: in three parts, of 50 instructions each, for what has room between. */
struct poly1305_eight_roots {
    struct poly1305_mulx_int r[5]; /* r to r^4; r[0] is not used */
    struct poly1305_mulx_int x;    /* r^8 */
    struct poly1305_mulx_int y;    /* r^16 */
};

/*
 * to = from, word by word: as a whole compilers copy it by vectors, which wait until the stores of words
 * are through.
 */
POLY1305_INLINE void poly1305_eight_set(struct poly1305_mulx_int *to,
                                        const struct poly1305_mulx_int *from)
{
    uint64_t n0 = from->n[0];
    uint64_t n1 = from->n[1];
    uint64_t n2 = from->n[2];

    __asm__("" : "+r"(n0), "+r"(n1), "+r"(n2));
    to->n[0] = n0;
    to->n[1] = n1;
    to->n[2] = n2;
}

/* r^2 and r^4 */
POLY1305_INLINE void poly1305_eight_powers_1(struct poly1305_eight_roots *roots,
                                             const struct poly1305_mulx_key *key)
{
    struct poly1305_mulx_int x = {{key->r0, key->r1, 0}};

    poly1305_eight_set(&roots->r[1], &x);
    poly1305_mulx_multiply(&x, key);
    poly1305_eight_set(&roots->r[2], &x);
    x = poly1305_ifma_square(&x);
    poly1305_eight_set(&roots->r[4], &x);
}

/* r^3, R = r^8, and R^2 where there are more groups than one */
POLY1305_INLINE void poly1305_eight_powers_2(struct poly1305_eight_roots *roots,
                                             struct poly1305_ifma_power powers[5],
                                             const struct poly1305_mulx_key *key, size_t groups)
{
    struct poly1305_mulx_int x;

    poly1305_eight_set(&x, &roots->r[4]);
    x = poly1305_ifma_square(&x);
    poly1305_ifma_fold(&x);
    poly1305_eight_set(&roots->x, &x);
    powers[1] = poly1305_ifma_power(&x);
    if (groups > 1) {
        x = poly1305_ifma_square(&x);
        poly1305_eight_set(&roots->y, &x);
        powers[2] = poly1305_ifma_power(&x);
    }
    poly1305_eight_set(&x, &roots->r[2]);
    poly1305_mulx_multiply(&x, key);
    poly1305_eight_set(&roots->r[3], &x);
}

/* R^3 and R^4 where there are as many groups */
POLY1305_INLINE void poly1305_eight_powers_3(const struct poly1305_eight_roots *roots,
                                             struct poly1305_ifma_power powers[5], size_t groups)
{
    struct poly1305_mulx_int x;
    struct poly1305_mulx_int y;

    if (groups > 2) {
        poly1305_eight_set(&x, &roots->x);
        poly1305_eight_set(&y, &roots->y);
        x = poly1305_ifma_times(&x, &y);
        poly1305_ifma_fold(&x);
        powers[3] = poly1305_ifma_power(&x);
    }
    if (groups > 3) {
        poly1305_eight_set(&x, &roots->y);
        x = poly1305_ifma_square(&x);
        poly1305_ifma_fold(&x);
        powers[4] = poly1305_ifma_power(&x);
    }
}

/* The powers of R up to the one for as many groups, four at most; and r^8 to r. */
POLY1305_INLINE struct poly1305_ifma_number
poly1305_eight_powers(struct poly1305_ifma_power powers[5], const struct poly1305_mulx_key *key,
                      size_t groups)
{
    struct poly1305_eight_roots roots;

    poly1305_eight_powers_1(&roots, key);
    poly1305_eight_powers_2(&roots, powers, key, groups);
    poly1305_eight_powers_3(&roots, powers, groups);
    return poly1305_eight_lane_powers(&roots.r[1], &roots.r[2], &roots.r[3], &roots.r[4]);
}

/* n blocks, 1 to 8, in the last lanes, and h added to the first of them. 128 bytes are read. */
POLY1305_INLINE struct poly1305_ifma_number poly1305_eight_first(const uint8_t *p, size_t n,
                                                                 const struct poly1305_mulx_int *h)
{
    const size_t na = n > 4 ? n - 4 : 0;
    const size_t nb = n - na;
    const __mmask8 ma = (__mmask8)(0xff << (8 - 2 * na));
    const __mmask8 mb = (__mmask8)(0xff << (8 - 2 * nb));
    const __mmask8 lanes = (__mmask8)((ma & 0x55) | (mb & 0xaa));
    const __mmask8 lane = (__mmask8)(1 << POLY1305_IFMA_LANE(8 - n));
    const __m512i limb = _mm512_set1_epi64((long long)POLY1305_IFMA_LIMB);
    const __m512i a = _mm512_maskz_expand_epi64(ma, _mm512_loadu_si512(p));
    const __m512i b = _mm512_maskz_expand_epi64(mb, _mm512_loadu_si512(p + 16 * na));
    const __m512i lo = _mm512_unpacklo_epi64(a, b);
    const __m512i hi = _mm512_unpackhi_epi64(a, b);
    struct poly1305_ifma_number m;
    uint64_t limbs[3];

    m.n[0] = _mm512_and_si512(lo, limb);
    m.n[1] =
        _mm512_ternarylogic_epi64(_mm512_srli_epi64(lo, 44), _mm512_slli_epi64(hi, 20), limb, 0xa8);
    m.n[2] = _mm512_or_si512(_mm512_srli_epi64(hi, 24), _mm512_maskz_set1_epi64(lanes, 1LL << 40));
    poly1305_ifma_limbs(limbs, h);
    UNROLL
    for (int i = 0; i < 3; i++) {
        m.n[i] =
            _mm512_mask_add_epi64(m.n[i], lane, m.n[i], _mm512_set1_epi64((long long)limbs[i]));
    }
    return m;
}

/* The lanes times `last`, and their sum: each below 2^55, hence that below 2^58 in a limb. */
POLY1305_INLINE void poly1305_eight_join(struct poly1305_mulx_int *h,
                                         const struct poly1305_ifma_number *lanes,
                                         const struct poly1305_ifma_number *last)
{
    const __m512i twenty = _mm512_set1_epi64(20);
    struct poly1305_ifma_product d = poly1305_ifma_no_product();
    uint64_t limb[3];
    poly1305_u128 low;
    poly1305_u128 high;
    uint64_t excess;
    __m512i x;

    poly1305_ifma_multiply(&d, lanes, last->n[0], last->n[1], last->n[2],
                           _mm512_madd52lo_epu64(_mm512_setzero_si512(), last->n[1], twenty),
                           _mm512_madd52lo_epu64(_mm512_setzero_si512(), last->n[2], twenty));
    x = _mm512_slli_epi64(d.hi[2], 10);
    x = _mm512_add_epi64(x, _mm512_slli_epi64(x, 2));
    limb[0] = (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(d.lo[0], x));
    limb[1] =
        (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(d.lo[1], _mm512_slli_epi64(d.hi[0], 8)));
    limb[2] =
        (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(d.lo[2], _mm512_slli_epi64(d.hi[1], 8)));
    low = limb[0] + ((poly1305_u128)limb[1] << 44);
    high = (uint64_t)(low >> 64) + ((poly1305_u128)limb[2] << 24);

    /* what is above 2^130 is folded */
    excess = (uint64_t)(high >> 66);
    low = (poly1305_u128)(uint64_t)low + 5 * excess;
    high = (high & (((poly1305_u128)1 << 66) - 1)) + (uint64_t)(low >> 64);
    h->n[0] = (uint64_t)low;
    h->n[1] = (uint64_t)high;
    h->n[2] = (uint64_t)(high >> 64);
}

#endif
