/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 of several messages as one list of steps h = h r + m, for work that goes on beside it and
 * knows nothing of messages. Needs AVX2 and BMI2. Static only.
 *
 * Each step brings its own r, which makes one chain of all messages:
 *
 *     first block of a message    r = 0, so that nothing is left of the message before
 *     further blocks              r
 *     end of the message          r, and m = 0: what the one-time key's s is added to
 *     filling                     r = 1 and m = 0, which change nothing
 *
 * A step leaves h in the place of its r, where the end of a message finds it.
 */
#ifndef AEADFAST_POLY1305_STEPS_MULX_H
#define AEADFAST_POLY1305_STEPS_MULX_H

#include <immintrin.h>

#include "../memory.h"
#include "poly1305_mulx.h"

struct poly1305_step {
    uint64_t r[3];  /* r0, r1, s1; then h */
    uint64_t hibit; /* m's bit at 2^128 */
    uint64_t m[2];
    uint64_t s[2]; /* in the last step of a message */
};

/* Room for what eight or sixteen blocks of text bring, and a few steps that are left over. */
#define POLY1305_STEPS_MAX 96

struct poly1305_steps {
    struct poly1305_step step[POLY1305_STEPS_MAX] __attribute__((aligned(64)));
    struct poly1305_mulx_int h;
    uint64_t r[4];    /* r0, r1, s1, 1 of the message that is under way */
    uint64_t next[4]; /* the same for its next step: 0, 0, 0, 1 at the beginning */
    uint64_t s[2];
    size_t count; /* steps there are */
    size_t top;   /* the most there have been */
    size_t ends;  /* messages that wait for their last step */
    struct {
        size_t step;
        uint8_t *tag;
    } end[AEAD_JOBS_MAX];
};

POLY1305_INLINE void poly1305_steps_begin(struct poly1305_steps *q)
{
    q->h.n[0] = 0;
    q->h.n[1] = 0;
    q->h.n[2] = 0;
    q->count = 0;
    q->top = 0;
    q->ends = 0;
}

/* What is secret; steps that have not been there have never been written. */
POLY1305_INLINE void poly1305_steps_wipe(struct poly1305_steps *q)
{
    const __m256i zero = _mm256_setzero_si256();

    for (size_t i = 0; i < q->top; i++) {
        _mm256_storeu_si256((__m256i *)q->step[i].r, zero);
        _mm256_storeu_si256((__m256i *)q->step[i].m, zero);
        KEEP_STORES(q);
    }
    wipe_now(&q->h, sizeof(q->h));
    wipe_now(q->r, sizeof(q->r));
    wipe_now(q->next, sizeof(q->next));
    wipe_now(q->s, sizeof(q->s));
}

/* h = h r + m by the step at p, which gets h. */
#define POLY1305_STEPS_8(h0, h1, h2, at, p)                                                        \
    "addq " at "+32(" p "), " h0 "\n\t"                                                            \
    "adcq " at "+40(" p "), " h1 "\n\t"                                                            \
    "adcq " at "+24(" p "), " h2 "\n\t"
#define POLY1305_STEPS_STORE(h0, h1, h2, at, p)                                                    \
    "movq " h0 ", " at "(" p ")\n\t"                                                               \
    "movq " h1 ", " at "+8(" p ")\n\t"                                                             \
    "movq " h2 ", " at "+16(" p ")\n\t"

POLY1305_INLINE void poly1305_steps_one(struct poly1305_mulx_int *h, struct poly1305_step *p)
{
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_MULX_1("%[h0]", "(%[p])", "8(%[p])", "%[t1]", "%[t2]", "%[t3]")
                POLY1305_MULX_2("%[h1]", "(%[p])", "16(%[p])", "%[t4]", "%[t5]")
                    POLY1305_MULX_3("%[h0]", "%[t1]", "%[t5]") POLY1305_MULX_4("%[h2]", "(%[p])",
                                                                               "16(%[p])", "%[t5]")
                        POLY1305_MULX_5("%[h1]", "%[t2]", "%[t3]", "%[t4]", "%[t5]")
                            POLY1305_MULX_6("%[h1]", "%[h2]", "%[t1]", "%[t4]",
                                            "%[t5]") POLY1305_MULX_7("%[h2]", "%[t5]")
                                POLY1305_STEPS_8("%[h0]", "%[h1]", "%[h2]", "", "%[p]")
                                    POLY1305_MULX_9("%[h0]", "%[h1]", "%[h2]", "%[t5]")
                                        POLY1305_STEPS_STORE("%[h0]", "%[h1]", "%[h2]", "", "%[p]")
            : POLY1305_MULX_OUT, "+m"(*p)
            : [p] "r"(p)
            : "rdx", "cc");
}

/* The tags of messages that have had their last step, of which `done` are done. */
POLY1305_INLINE void poly1305_steps_finish(struct poly1305_steps *q, size_t done)
{
    size_t i = 0;

    for (; i < q->ends && q->end[i].step < done; i++) {
        const struct poly1305_step *step = &q->step[q->end[i].step];
        const struct poly1305_mulx_int h = {{step->r[0], step->r[1], step->r[2]}};

        poly1305_mulx_final(&h, step->s[0], step->s[1], q->end[i].tag);
    }
    for (size_t j = i; j < q->ends; j++) {
        q->end[j - i].step = q->end[j].step - done;
        q->end[j - i].tag = q->end[j].tag;
    }
    q->ends -= i;
    for (size_t j = done; j < q->count; j++) {
        q->step[j - done] = q->step[j];
    }
    q->count = q->count > done ? q->count - done : 0;
}

/*
 * All steps, with nothing beside them: in two chains, of which the second begins with a message, so
 * that the multiplier's latency counts once for both.
 */
__attribute__((noinline, unused)) static void poly1305_steps_all(struct poly1305_steps *q)
{
    const size_t count = q->count;
    struct poly1305_mulx_int a = q->h;
    struct poly1305_mulx_int b = {{0, 0, 0}};
    size_t middle = count;
    size_t i = 0;
    size_t j;

    for (size_t e = 0; e < q->ends && 2 * q->end[e].step <= count; e++) {
        middle = q->end[e].step + 1;
    }
    for (j = middle; i < middle && j < count; i++, j++) {
        poly1305_steps_one(&a, &q->step[i]);
        poly1305_steps_one(&b, &q->step[j]);
    }
    for (; i < middle; i++) {
        poly1305_steps_one(&a, &q->step[i]);
    }
    for (; j < count; j++) {
        poly1305_steps_one(&b, &q->step[j]);
    }
    q->h = middle < count ? b : a;
    q->top = count > q->top ? count : q->top;
    poly1305_steps_finish(q, count);
}

/* Steps up to number n that change nothing, where there are fewer. */
POLY1305_INLINE void poly1305_steps_fill(struct poly1305_steps *q, size_t n)
{
    for (; q->count < n; q->count++) {
        _mm256_storeu_si256((__m256i *)q->step[q->count].r, _mm256_setr_epi64x(1, 0, 0, 0));
        _mm_storeu_si128((__m128i *)q->step[q->count].m, _mm_setzero_si128());
    }
}

/* Makes room for n steps. */
POLY1305_INLINE void poly1305_steps_reserve(struct poly1305_steps *q, size_t n)
{
    if (q->count + n > POLY1305_STEPS_MAX) {
        poly1305_steps_all(q);
    }
}

POLY1305_INLINE __m256i poly1305_steps_load(const uint64_t v[4])
{
    return _mm256_loadu_si256((const __m256i *)v);
}

/* A message begins, whose one-time key is at `key`. */
POLY1305_INLINE void poly1305_steps_key(struct poly1305_steps *q, const uint8_t key[32])
{
    const __m128i mask = _mm_set_epi64x(0x0ffffffc0ffffffc, 0x0ffffffc0fffffff);
    const __m128i r = _mm_and_si128(_mm_loadu_si128((const __m128i *)key), mask);
    const __m128i s1 = _mm_add_epi64(r, _mm_srli_epi64(r, 2)); /* its upper half */

    _mm256_storeu_si256((__m256i *)q->r,
                        _mm256_set_m128i(_mm_unpackhi_epi64(s1, _mm_set1_epi64x(1)), r));
    _mm256_storeu_si256((__m256i *)q->next, _mm256_setr_epi64x(0, 0, 0, 1));
    _mm_storeu_si128((__m128i *)q->s, _mm_loadu_si128((const __m128i *)(key + 16)));
}

POLY1305_INLINE void poly1305_steps_put(struct poly1305_step *step, __m256i r, __m128i m)
{
    _mm256_storeu_si256((__m256i *)step->r, r);
    _mm_storeu_si128((__m128i *)step->m, m);
}

/* A block; there must be room. */
POLY1305_INLINE void poly1305_steps_block(struct poly1305_steps *q, __m128i m)
{
    poly1305_steps_put(&q->step[q->count++], poly1305_steps_load(q->next), m);
    _mm256_storeu_si256((__m256i *)q->next, poly1305_steps_load(q->r));
}

/* Four. */
POLY1305_INLINE void poly1305_steps_four(struct poly1305_steps *q, __m256i m0, __m256i m1)
{
    const __m256i r = poly1305_steps_load(q->r);
    struct poly1305_step *step = &q->step[q->count];

    poly1305_steps_put(&step[0], poly1305_steps_load(q->next), _mm256_castsi256_si128(m0));
    poly1305_steps_put(&step[1], r, _mm256_extracti128_si256(m0, 1));
    poly1305_steps_put(&step[2], r, _mm256_castsi256_si128(m1));
    poly1305_steps_put(&step[3], r, _mm256_extracti128_si256(m1, 1));
    _mm256_storeu_si256((__m256i *)q->next, r);
    q->count += 4;
}

/* n bytes, and zeros up to a whole block. */
POLY1305_INLINE void poly1305_steps_padded(struct poly1305_steps *q, const uint8_t *p, size_t n)
{
    for (; n >= 16; n -= 16, p += 16) {
        poly1305_steps_reserve(q, 1);
        poly1305_steps_block(q, _mm_loadu_si128((const __m128i *)p));
    }
    if (n != 0) {
        uint64_t m[2];

        poly1305_mulx_load_partial(m, p, n);
        poly1305_steps_reserve(q, 1);
        poly1305_steps_block(q, _mm_set_epi64x((int64_t)m[1], (int64_t)m[0]));
    }
}

/* The message is complete but for its lengths; its tag goes to `tag` when that is due. */
POLY1305_INLINE void poly1305_steps_end(struct poly1305_steps *q, size_t aad_len, size_t len,
                                        uint8_t *tag)
{
    const __m128i lengths = _mm_set_epi64x((int64_t)len, (int64_t)aad_len);
    struct poly1305_step *last;

    poly1305_steps_reserve(q, 2);
    poly1305_steps_block(q, lengths);
    q->end[q->ends].step = q->count;
    q->end[q->ends].tag = tag;
    q->ends++;
    last = &q->step[q->count++];
    poly1305_steps_put(last,
                       _mm256_blend_epi32(poly1305_steps_load(q->r), _mm256_setzero_si256(), 0xc0),
                       _mm_setzero_si128());
    _mm_storeu_si128((__m128i *)last->s, _mm_loadu_si128((const __m128i *)q->s));
}

#endif
