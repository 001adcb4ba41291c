/* SPDX-License-Identifier: MIT */
/*
 * Messages of 65 to 512 bytes for the ChaCha20-Poly1305 kernel with AVX-512 on 512-bit registers, and
 * IFMA: up to 192 bytes one quad of blocks, then Poly1305 by MULX; up to 512 two or three, then Poly1305 in
 * eight lanes. Static only.
 *
 * The first quad, which has the key, is ahead of the others; beside their last rounds the powers of r
 * are made. The blocks of the text, and the one with the lengths behind them, go to the lanes in turn,
 * from the registers that they are in: of the last eight, lanes from `count` on have none. A lane is
 * multiplied by r^8 from block to block, and at the end by r^1 to r^8, whichever its last block needs,
 * which is these in an order turned by `count`.
 *
 * Numbers have limbs of 44, 44 and 42 bits and the product is that of poly1305_ifma_lanes.h, but all
 * three carries are taken at once: of factors below 2^46 and (20 times a limb) 2^50, and m, lo < 2^54,
 * hi < 2^46 and hi[2] < 2^41, so that no limb reaches 2^55, no carry 2^14, and no limb of the result 2^45.
 */
#ifndef AEADFAST_CHACHA_POLY1305_FEW_AVX512_H
#define AEADFAST_CHACHA_POLY1305_FEW_AVX512_H

#include "chacha_poly1305_short_avx512vl.h"
#include "chacha_quads_avx512.h"

struct few_number {
    __m512i n[3];
};

/* A number, and 20 times its upper limbs. */
struct few_factor {
    __m512i n[5];
};

CHACHA_INLINE struct few_number few_limbs(__m512i lo, __m512i hi)
{
    const __m512i limb = _mm512_set1_epi64(0xfffffffffff);
    const struct few_number x = {
        {_mm512_and_si512(lo, limb),
         _mm512_ternarylogic_epi64(_mm512_srli_epi64(lo, 44), _mm512_slli_epi64(hi, 20), limb,
                                   0xa8), /* (x | y) & limb */
         _mm512_srli_epi64(hi, 24)}};

    return x;
}

CHACHA_INLINE __m512i few_times20(__m512i x)
{
    return _mm512_add_epi64(_mm512_slli_epi64(x, 4), _mm512_slli_epi64(x, 2));
}

CHACHA_INLINE struct few_factor few_factor(const struct few_number *x)
{
    const struct few_factor f = {
        {x->n[0], x->n[1], x->n[2], few_times20(x->n[1]), few_times20(x->n[2])}};

    return f;
}

/* a r + m before the carries. */
CHACHA_INLINE struct few_number few_multiply(const struct few_number *a, const struct few_factor *r,
                                             const struct few_number *m)
{
    const __m512i zero = _mm512_setzero_si512();
    /* which factor goes with which limb of a, for each limb of the product */
    static const int factor[3][3] = {{0, 4, 3}, {1, 0, 4}, {2, 1, 0}};
    struct few_number lo = *m;
    struct few_number hi = {{zero, zero, zero}};

#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
#pragma GCC unroll 3
        for (int limb = 0; limb < 3; limb++) {
            const __m512i b = r->n[factor[limb][i]];

            lo.n[limb] = _mm512_madd52lo_epu64(lo.n[limb], a->n[i], b);
            hi.n[limb] = _mm512_madd52hi_epu64(hi.n[limb], a->n[i], b);
        }
    }
    lo.n[1] = _mm512_add_epi64(lo.n[1], _mm512_slli_epi64(hi.n[0], 8));
    lo.n[2] = _mm512_add_epi64(lo.n[2], _mm512_slli_epi64(hi.n[1], 8));
    lo.n[0] = _mm512_add_epi64(_mm512_add_epi64(lo.n[0], _mm512_slli_epi64(hi.n[2], 10)),
                               _mm512_slli_epi64(hi.n[2], 12));
    return lo;
}

CHACHA_INLINE struct few_number few_carry(struct few_number x)
{
    const __m512i limb = _mm512_set1_epi64(0xfffffffffff);
    const __m512i limb2 = _mm512_set1_epi64(0x3ffffffffff);
    const __m512i c0 = _mm512_srli_epi64(x.n[0], 44);
    const __m512i c1 = _mm512_srli_epi64(x.n[1], 44);
    const __m512i c2 = _mm512_srli_epi64(x.n[2], 42);
    const __m512i c2_5 = _mm512_add_epi64(c2, _mm512_slli_epi64(c2, 2));

    x.n[0] = _mm512_add_epi64(_mm512_and_si512(x.n[0], limb), c2_5);
    x.n[1] = _mm512_add_epi64(_mm512_and_si512(x.n[1], limb), c0);
    x.n[2] = _mm512_add_epi64(_mm512_and_si512(x.n[2], limb2), c1);
    return x;
}

CHACHA_INLINE struct few_number few_step(const struct few_number *a, const struct few_factor *r,
                                         const struct few_number *m)
{
    return few_carry(few_multiply(a, r, m));
}

CHACHA_INLINE struct few_number few_zero(void)
{
    const __m512i zero = _mm512_setzero_si512();
    const struct few_number x = {{zero, zero, zero}};

    return x;
}

CHACHA_INLINE struct few_number few_blend(__mmask8 mask, const struct few_number *x,
                                          const struct few_number *y)
{
    const struct few_number z = {{_mm512_mask_mov_epi64(x->n[0], mask, y->n[0]),
                                  _mm512_mask_mov_epi64(x->n[1], mask, y->n[1]),
                                  _mm512_mask_mov_epi64(x->n[2], mask, y->n[2])}};

    return z;
}

/* Powers of r in lanes 0 to 7, and the last of them, all lanes of it. */
struct few_powers {
    struct few_number r;
    struct few_factor by;
};

CHACHA_INLINE __m512i few_lanes_of(uint64_t x1, uint64_t x2, uint64_t x3, uint64_t x4)
{
    __m512i x = _mm512_set1_epi64((long long)x1);

    x = _mm512_mask_set1_epi64(x, 0x22, (long long)x2);
    x = _mm512_mask_set1_epi64(x, 0x44, (long long)x3);
    return _mm512_mask_set1_epi64(x, 0x88, (long long)x4);
}

/*
 * r^1 to r^4, twice. Three steps by MULX: the vector units, which have the rounds of the other quads yet
 * to do, would take 23 cycles for each.
 */
CHACHA_INLINE struct few_powers few_powers_4(const struct poly1305_mulx_key *key)
{
    const struct poly1305_mulx_int r1 = {{key->r0, key->r1, 0}};
    struct poly1305_mulx_int r2 = r1;
    struct poly1305_mulx_int r3;
    struct poly1305_mulx_int r4;
    struct few_number four;
    struct few_powers p;
    __m512i lo;
    __m512i hi;

    poly1305_mulx_multiply(&r2, key);
    r3 = r2;
    poly1305_mulx_multiply(&r3, key);
    r4 = r3;
    poly1305_mulx_multiply(&r4, key);
    lo = few_lanes_of(r1.n[0], r2.n[0], r3.n[0], r4.n[0]);
    hi = few_lanes_of(r1.n[1], r2.n[1], r3.n[1], r4.n[1]);
    p.r = few_limbs(lo, hi);
    p.r.n[2] = _mm512_or_si512(
        p.r.n[2], _mm512_slli_epi64(few_lanes_of(r1.n[2], r2.n[2], r3.n[2], r4.n[2]), 40));
    four = few_limbs(_mm512_set1_epi64((long long)r4.n[0]), _mm512_set1_epi64((long long)r4.n[1]));
    four.n[2] = _mm512_or_si512(four.n[2], _mm512_set1_epi64((long long)(r4.n[2] << 40)));
    p.by = few_factor(&four);
    return p;
}

/* r^1 to r^8. */
CHACHA_INLINE struct few_powers few_powers_8(const struct few_powers *p)
{
    const struct few_number zero = few_zero();
    const struct few_number next = few_step(&p->r, &p->by, &zero);
    const struct few_number eight = {{_mm512_permutex_epi64(next.n[0], 0xff),
                                      _mm512_permutex_epi64(next.n[1], 0xff),
                                      _mm512_permutex_epi64(next.n[2], 0xff)}};
    const struct few_powers q = {few_blend(0xf0, &p->r, &next), few_factor(&eight)};

    return q;
}

/* Eight blocks: 0 to 3 in a and 4 to 7 in b go to lanes 0, 2, 4, 6 and 1, 3, 5, 7. */
CHACHA_INLINE struct few_number few_message(__m512i a, __m512i b)
{
    struct few_number m = few_limbs(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));

    m.n[2] = _mm512_or_si512(m.n[2], _mm512_set1_epi64(1LL << 40));
    return m;
}

#define FEW_BLOCKS _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7)

CHACHA_INLINE uint64_t few_sum(__m512i x)
{
    const __m256i four =
        _mm256_add_epi64(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    const __m128i two =
        _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));

    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}

/*
 * The lanes h, of which the first `count` (1 to 8) have a block m yet to come, by their powers. Their sum
 * has limbs below 2^58; h[2] <= 4.
 */
CHACHA_INLINE void few_end(struct poly1305_mulx_int *sum, const struct few_number *h,
                           const struct few_number *m, uint64_t count, const struct few_powers *p)
{
    const __m512i blocks = FEW_BLOCKS;
    const __mmask8 more = _mm512_cmplt_epu64_mask(blocks, _mm512_set1_epi64((long long)count));
    /* vpermq looks at three bits */
    const __m512i order = _mm512_sub_epi64(_mm512_set1_epi64((long long)count - 1), blocks);
    const struct few_number powers = {{_mm512_permutexvar_epi64(order, p->r.n[0]),
                                       _mm512_permutexvar_epi64(order, p->r.n[1]),
                                       _mm512_permutexvar_epi64(order, p->r.n[2])}};
    const struct few_factor by = few_factor(&powers);
    const struct few_number zero = few_zero();
    struct few_number last = few_step(h, &p->by, m);
    uint64_t n0;
    uint64_t n1;
    uint64_t n2;
    poly1305_u128 low;
    poly1305_u128 high;

    last = few_blend(more, h, &last);
    last = few_multiply(&last, &by, &zero);
    n0 = few_sum(last.n[0]);
    n1 = few_sum(last.n[1]) + (n0 >> 44);
    n2 = few_sum(last.n[2]) + (n1 >> 44);
    n0 = (n0 & 0xfffffffffff) + 5 * (n2 >> 42);
    low = n0 + ((poly1305_u128)(n1 & 0xfffffffffff) << 44);
    high = (uint64_t)(low >> 64) + ((poly1305_u128)(n2 & 0x3ffffffffff) << 24);
    sum->n[0] = (uint64_t)low;
    sum->n[1] = (uint64_t)high;
    sum->n[2] = (uint64_t)(high >> 64);
}

/* The bytes of text in the k-th 64, as a mask: of the last ones some, and behind them none. */
CHACHA_INLINE __mmask64 few_mask(size_t len, size_t k)
{
    return len >= 64 * k + 64
               ? ~UINT64_C(0)
               : (__mmask64)_bzhi_u64(~UINT64_C(0), len > 64 * k ? (unsigned)(len - 64 * k) : 0);
}

/* 64 bytes of text at the most; returned is the ciphertext, with zeros behind it. */
CHACHA_INLINE __m512i few_xor(uint8_t *dst, const uint8_t *src, __mmask64 mask, __m512i key_stream,
                              enum direction direction)
{
    const __m512i text = _mm512_maskz_loadu_epi8(mask, src);
    const __m512i out = _mm512_maskz_mov_epi8(mask, _mm512_xor_si512(text, key_stream));

    _mm512_mask_storeu_epi8(dst, mask, out);
    return direction == SEAL ? out : text;
}

/* A double round of the quads x and y, the second behind the first. */
CHACHA_INLINE void few_rounds(struct chacha_quad *x, struct chacha_quad *y, int n)
{
    struct chacha_quad both[2] = {*x, *y};

    chacha_two_quads_rounds(both, n);
    *x = both[0];
    *y = both[1];
}

/* 192 < len <= 448 (two quads), or <= 512 (three). */
CHACHA_INLINE void few_in_lanes(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                                const uint8_t key[32], enum direction direction, int quads)
{
    const struct chacha_input input = chacha_input_direct(0, nonce, key);
    const struct chacha_quad in = chacha_quad_of(&input);
    const __m128i first = block_padded(aad, aad_len);
    const size_t nblocks = (len + 15) / 16; /* of the text; the lengths are the next one */
    struct chacha_quad x[3];
    struct hash hash;
    struct few_powers p;
    struct few_number h;
    struct few_number m;
    __m512i text[10];

    chacha_quads_begin(x, quads, &in);
    for (int i = turns(3); i > 0; i--) {
        few_rounds(&x[0], &x[1], 1);
        few_rounds(&x[0], &x[quads - 1], 1);
        chacha_quads_double_round(x, 1);
    }
    few_rounds(&x[0], &x[1], 1);
    hash_begin_rows(&hash, _mm512_castsi512_si128(_mm512_add_epi32(x[0].a, in.a)),
                    _mm512_castsi512_si128(_mm512_add_epi32(x[0].b, in.b)));
    chacha_quad_end(&x[0], &in, 0);
    p = few_powers_4(&hash.key);
    if (quads == 2) {
        chacha_quads_double_round(&x[1], 1);
        chacha_quads_double_round(&x[1], 1);
        p = few_powers_8(&p);
        chacha_quads_double_round(&x[1], 1);
    } else {
        chacha_quads_double_round(&x[2], 1);
        few_rounds(&x[1], &x[2], 6);
        p = few_powers_8(&p);
    }
    if (aad_len > 0) {
        hash_aad(&hash, first, aad, aad_len);
        poly1305_mulx_multiply(&hash.h, &hash.key);
    }
    text[0] = few_xor(dst, src, ~UINT64_C(0), x[0].b, direction);
    text[1] = few_xor(dst + 64, src + 64, ~UINT64_C(0), x[0].c, direction);
    text[2] = few_xor(dst + 128, src + 128, ~UINT64_C(0), x[0].d, direction);
    chacha_quad_end(&x[1], &in, 1);
    text[3] = few_xor(dst + 192, src + 192, few_mask(len, 3), x[1].a, direction);
    text[4] = few_xor(dst + 256, src + 256, few_mask(len, 4), x[1].b, direction);
    text[5] = few_xor(dst + 320, src + 320, few_mask(len, 5), x[1].c, direction);
    text[6] = few_xor(dst + 384, src + 384, few_mask(len, 6), x[1].d, direction);
    text[7] = _mm512_setzero_si512();
    text[8] = text[7];
    text[9] = text[7];
    if (quads > 2) {
        chacha_quad_end(&x[2], &in, 2);
        text[7] = few_xor(dst + 448, src + 448, few_mask(len, 7), x[2].a, direction);
    }
    {
        const __m512i lengths =
            _mm512_broadcast_i32x4(_mm_set_epi64x((long long)len, (long long)aad_len));
        const size_t at = nblocks - 4 * (size_t)(quads == 2 ? 3 : 7); /* 1 to 16 */

        if (quads == 2) {
            const uint64_t words = UINT64_C(3) << 2 * (nblocks - 12);

            text[3] = _mm512_mask_mov_epi64(text[3], (__mmask8)words, lengths);
            text[4] = _mm512_mask_mov_epi64(text[4], (__mmask8)(words >> 8), lengths);
            text[5] = _mm512_mask_mov_epi64(text[5], (__mmask8)(words >> 16), lengths);
            text[6] = _mm512_mask_mov_epi64(text[6], (__mmask8)(words >> 24), lengths);
            text[7] = _mm512_mask_mov_epi64(text[7], (__mmask8)(words >> 32), lengths);
        } else {
            const uint64_t words = UINT64_C(3) << 2 * at;

            text[7] = _mm512_mask_mov_epi64(text[7], (__mmask8)words, lengths);
            text[8] = _mm512_mask_mov_epi64(text[8], (__mmask8)(words >> 8), lengths);
        }
    }
    h = few_message(text[0], text[1]);
    if (aad_len > 0) {
        /* limbs below 2^44, 2^44 and 2^43, in lane 0 */
        h.n[0] = _mm512_add_epi64(h.n[0], _mm512_zextsi128_si512(_mm_cvtsi64_si128(
                                              (long long)(hash.h.n[0] & 0xfffffffffff))));
        h.n[1] = _mm512_add_epi64(
            h.n[1], _mm512_zextsi128_si512(_mm_cvtsi64_si128(
                        (long long)((hash.h.n[0] >> 44 | hash.h.n[1] << 20) & 0xfffffffffff))));
        h.n[2] = _mm512_add_epi64(h.n[2], _mm512_zextsi128_si512(_mm_cvtsi64_si128(
                                              (long long)(hash.h.n[1] >> 24 | hash.h.n[2] << 40))));
    }
    m = few_message(text[2], text[3]);
    if (nblocks >= 16) {
        h = few_step(&h, &p.by, &m);
        m = few_message(text[4], text[5]);
    }
    if (nblocks >= 24) {
        h = few_step(&h, &p.by, &m);
        m = few_message(text[6], text[7]);
    }
    if (quads > 2 && nblocks >= 32) {
        h = few_step(&h, &p.by, &m);
        m = few_message(text[8], text[9]);
    }
    few_end(&hash.h, &h, &m, nblocks % 8 + 1, &p);
    poly1305_mulx_final(&hash.h, hash.s0, hash.s1, tag);
}

/*
 * Poly1305 of n blocks at p, 5 or more, in two chains, of which the second has the last `last`: 4, or 6. Where
 * `begun` is 0, nothing has been hashed before.
 */
CHACHA_INLINE void few_chains(struct hash *hash, const uint8_t *p, size_t n, int begun, size_t last)
{
    struct poly1305_mulx_int power = {{hash->key.r0, hash->key.r1, 0}};
    const uint8_t *q = p + 16 * (n - last);
    const uint8_t *const end = q;
    struct poly1305_mulx_int a = hash->h;
    struct poly1305_mulx_int b = {{load_le64(q), load_le64(q + 8), 1}};
    size_t left = last - 1;

    /* steps by r are cheaper than squares, up to here */
    poly1305_mulx_multiply(&power, &hash->key);
    poly1305_mulx_multiply(&power, &hash->key);
    poly1305_mulx_multiply(&power, &hash->key);
    if (last == 6) {
        poly1305_mulx_multiply(&power, &hash->key);
        poly1305_mulx_multiply(&power, &hash->key);
    }
    if (!begun) {
        a.n[0] = load_le64(p);
        a.n[1] = load_le64(p + 8);
        a.n[2] = 1;
        p += 16;
    }
    for (; p != end && left > 0; left--) {
        poly1305_mulx_block(&a, &hash->key, p);
        p += 16;
        q += 16;
        poly1305_mulx_block(&b, &hash->key, q);
    }
    for (; left > 0; left--) {
        q += 16;
        poly1305_mulx_block(&b, &hash->key, q);
    }
    for (; p != end; p += 16) {
        poly1305_mulx_block(&a, &hash->key, p);
    }
    poly1305_mulx_mul_add(&a, &power, &b);
    hash->h = a;
}

/* 64 < len <= 192: blocks 1 to 3 of a quad, and the hash of the ciphertext and of the lengths from a copy. */
CHACHA_INLINE void few_in_chains(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                                 const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                                 const uint8_t key[32], enum direction direction)
{
    const struct chacha_input input = chacha_input_direct(0, nonce, key);
    const struct chacha_quad in = chacha_quad_of(&input);
    const __m128i first = block_padded(aad, aad_len);
    const size_t nblocks = (len + 15) / 16;
    uint8_t padded[208] __attribute__((aligned(64)));
    struct chacha_quad x = in;
    struct hash hash;

    for (int i = ten(); i > 0; i--) {
        chacha_quads_double_round(&x, 1);
    }
    hash_begin_rows(&hash, _mm512_castsi512_si128(_mm512_add_epi32(x.a, in.a)),
                    _mm512_castsi512_si128(_mm512_add_epi32(x.b, in.b)));
    chacha_quad_end(&x, &in, 0);
    hash_aad(&hash, first, aad, aad_len);
    _mm512_store_si512(padded, few_xor(dst, src, ~UINT64_C(0), x.b, direction));
    _mm512_store_si512(padded + 64, few_xor(dst + 64, src + 64, few_mask(len, 1), x.c, direction));
    if (len > 128) {
        _mm512_store_si512(padded + 128,
                           few_xor(dst + 128, src + 128, few_mask(len, 2), x.d, direction));
    }
    store_le64(padded + 16 * nblocks, aad_len);
    store_le64(padded + 16 * nblocks + 8, len);
    if (len <= 128) {
        few_chains(&hash, padded, nblocks + 1, aad_len > 0, 4);
    } else {
        few_chains(&hash, padded, nblocks + 1, aad_len > 0, 6);
    }
    poly1305_mulx_multiply(&hash.h, &hash.key);
    poly1305_mulx_final(&hash.h, hash.s0, hash.s1, tag);
}

#endif
