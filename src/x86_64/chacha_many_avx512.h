/* SPDX-License-Identifier: MIT */
/*
 * Eight or sixteen ChaCha20 blocks of as many different inputs, and Poly1305 of other messages beside
 * them: what chacha_many_avx2.h has, on top of chacha_eight_avx512vl.h or chacha_sixteen_avx512.h.
 * Needs AVX-512 F, BW and VL, and BMI2. Static only.
 */
#ifndef AEADFAST_CHACHA_MANY_AVX512_H
#define AEADFAST_CHACHA_MANY_AVX512_H

#include "poly1305_steps_mulx.h"

#define CHACHA_MANY_LANES CHACHA_LANES

/* What many_work and what it calls have on the stack at most, spilled words included. */
#define CHACHA_MANY_STACK (160 * CHACHA_LANES)

struct chacha_many {
    uint32_t lane[CHACHA_LANES][16]; /* the input by blocks; then the key stream */
} __attribute__((aligned(64)));

CHACHA_INLINE void chacha_many_begin(struct chacha_many *f)
{
    (void)f;
}

/* dst = src xor key_stream for n < 64 bytes. */
CHACHA_INLINE void chacha_xor_some(uint8_t *dst, const uint8_t *src, const uint8_t *key_stream,
                                   size_t n)
{
    const uint64_t mask = (UINT64_C(1) << n) - 1;
    const __mmask32 lo = (__mmask32)mask;
    const __mmask32 hi = (__mmask32)(mask >> 32);
    const __m256i x = _mm256_maskz_loadu_epi8(lo, src);
    const __m256i y = _mm256_maskz_loadu_epi8(hi, src + 32);

    _mm256_mask_storeu_epi8(dst, lo, _mm256_xor_si256(x, chacha_load(key_stream)));
    _mm256_mask_storeu_epi8(dst + 32, hi, _mm256_xor_si256(y, chacha_load(key_stream + 32)));
}

/* 16 bytes of blocks i, i + 4, ..., from word `at` on. */
CHACHA_INLINE chacha_lanes_vector chacha_many_quarter(const struct chacha_many *f, size_t i,
                                                      size_t at)
{
    const __m128i x0 = _mm_loadu_si128((const __m128i *)&f->lane[i][at]);
    const __m128i x4 = _mm_loadu_si128((const __m128i *)&f->lane[i + 4][at]);
    const __m256i lo = _mm256_set_m128i(x4, x0);
#if CHACHA_LANES == 16
    const __m128i x8 = _mm_loadu_si128((const __m128i *)&f->lane[i + 8][at]);
    const __m128i x12 = _mm_loadu_si128((const __m128i *)&f->lane[i + 12][at]);

    return _mm512_inserti64x4(_mm512_castsi256_si512(lo), _mm256_set_m128i(x12, x8), 1);
#else
    return lo;
#endif
}

/* Words become pieces of blocks by a transposition that undoes itself. */
CHACHA_INLINE void chacha_many_words(struct chacha_lanes *x, const struct chacha_many *f)
{
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            x->w[4 * i + j] = chacha_many_quarter(f, j, 4 * i);
        }
        chacha_lanes_transpose_four(x->w + 4 * i);
    }
}

/* Adds the input, which is replaced. */
CHACHA_INLINE void chacha_many_blocks(struct chacha_many *f, struct chacha_lanes *x)
{
    for (int i = 0; i < 4; i++) {
        chacha_lanes_transpose_four(x->w + 4 * i);
    }
    for (int i = 0; i < 4; i++) {
#if CHACHA_LANES == 16
        const struct chacha_quad quad = chacha_sixteen_quad(x, i);
        const __m512i block[4] = {quad.a, quad.b, quad.c, quad.d};

        for (int j = 0; j < 4; j++) {
            uint32_t *lane = f->lane[i + 4 * j];

            _mm512_storeu_si512(lane, _mm512_add_epi32(block[j], _mm512_loadu_si512(lane)));
        }
#else
        const struct chacha_pair pair = chacha_eight_pair(x, i);
        uint32_t *p = f->lane[i];
        uint32_t *q = f->lane[i + 4];

        chacha_store(p, _mm256_add_epi32(pair.a, chacha_load(p)));
        chacha_store(p + 8, _mm256_add_epi32(pair.b, chacha_load(p + 8)));
        chacha_store(q, _mm256_add_epi32(pair.c, chacha_load(q)));
        chacha_store(q + 8, _mm256_add_epi32(pair.d, chacha_load(q + 8)));
#endif
    }
}

/* Two chains of steps that are under way: from i on and from j on. */
struct chacha_many_chains {
    struct poly1305_mulx_int a;
    struct poly1305_mulx_int b;
    size_t i;
    size_t i_end;
    size_t j;
    size_t j_end;
};

/* n more steps of each chain, as far as there are any. */
CHACHA_INLINE void chacha_many_steps(struct chacha_many_chains *c, struct poly1305_steps *q,
                                     size_t n)
{
    for (; n != 0; n--) {
        if (c->i < c->i_end) {
            poly1305_steps_one(&c->a, &q->step[c->i++]);
        }
        if (c->j < c->j_end) {
            poly1305_steps_one(&c->b, &q->step[c->j++]);
        }
    }
}

/*
 * From the input of each lane to its key stream, and beside it all steps that there are, in two
 * chains: a single one would wait for its carries longer than the rounds last.
 */
__attribute__((noinline)) static void chacha_many_lanes(struct chacha_many *f,
                                                        struct poly1305_steps *q, size_t middle)
{
    struct chacha_many_chains c = {
        {{q->h[0], q->h[1], q->h[2]}}, {{0, 0, 0}}, 0, middle, middle, q->count};
    const size_t longer = middle > q->count - middle ? middle : q->count - middle;
    const size_t beside = (longer + 19) / 20; /* each half of a double round */
    const struct poly1305_mulx_int *end = &c.a;
    struct chacha_lanes x;

    chacha_many_words(&x, f);
    for (int i = ten(); i > 0; i--) {
        chacha_lanes_column_round(&x);
        chacha_many_steps(&c, q, beside);
        chacha_lanes_diagonal_round(&x);
        chacha_many_steps(&c, q, beside);
    }
    chacha_many_blocks(f, &x);
    if (middle < q->count) {
        end = &c.b;
    }
    q->h[0] = end->n[0];
    q->h[1] = end->n[1];
    q->h[2] = end->n[2];
}

CHACHA_INLINE void chacha_many_group(struct chacha_many *f, size_t lanes, struct poly1305_steps *q,
                                     const struct aead_job *jobs, size_t ended)
{
    (void)lanes;
    q->top = q->count > q->top ? q->count : q->top;
    chacha_many_lanes(f, q, poly1305_steps_middle(q, ended));
    poly1305_steps_finish(q, q->count, jobs, ended);
}

#endif
