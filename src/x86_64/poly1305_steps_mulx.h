/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 of several messages as one list of steps h = h r + m, for work that goes on beside it and
 * knows nothing of messages. Needs AVX2 and BMI2. Static only.
 *
 * Each step says which r it takes, which makes one chain of all messages:
 *
 *     first block of a message    r = 0, so that nothing is left of the message before
 *     further blocks              r
 *     end of the message          r, and m = 0: what the one-time key's s is added to
 *     filling                     r = 1 and m = 0, which change nothing
 *
 * A step leaves h in its own place, where the end of a message finds it.
 */
#ifndef AEADFAST_POLY1305_STEPS_MULX_H
#define AEADFAST_POLY1305_STEPS_MULX_H

#include <immintrin.h>

#include "../memory.h"
#include "poly1305_mulx.h"

struct poly1305_step {
    uint64_t m[2];                      /* then h[0], h[1] */
    const struct poly1305_mulx_key *by; /* then h[2] */
    uint64_t hibit;                     /* m's bit at 2^128 */
};

/* Room for what sixteen blocks of text and their messages bring, and steps that are left over. */
#define POLY1305_STEPS_MAX 128

struct poly1305_steps {
    struct poly1305_step step[POLY1305_STEPS_MAX] __attribute__((aligned(64)));
    struct {
        struct poly1305_mulx_key r;
        uint64_t s[2];
    } key[AEAD_JOBS_MAX];
    size_t last[AEAD_JOBS_MAX]; /* the step that ends a message, in the list as it will be then */
    struct poly1305_mulx_key zero; /* r = 0 and r = 1 */
    struct poly1305_mulx_key unit;
    uint64_t h[3];
    size_t count;    /* steps there are */
    size_t top;      /* the most there have been */
    size_t taken;    /* steps that are done and no longer there */
    size_t finished; /* messages that have their tag */
};

POLY1305_INLINE void poly1305_steps_begin(struct poly1305_steps *q)
{
    const struct poly1305_mulx_key zero = {0, 0, 0};
    const struct poly1305_mulx_key unit = {1, 0, 0};

    q->zero = zero;
    q->unit = unit;
    q->h[0] = 0;
    q->h[1] = 0;
    q->h[2] = 0;
    q->count = 0;
    q->top = 0;
    q->taken = 0;
    q->finished = 0;
}

/* What is secret; what has not been there has never been written. */
POLY1305_INLINE void poly1305_steps_wipe(struct poly1305_steps *q, size_t messages)
{
    for (size_t i = 0; i < q->top; i++) {
        _mm256_storeu_si256((__m256i *)&q->step[i], _mm256_setzero_si256());
        KEEP_STORES(q);
    }
    for (size_t i = 0; i < messages; i++) {
        wipe_now(&q->key[i], sizeof(q->key[i]));
    }
    wipe_now(q->h, sizeof(q->h));
}

/*
 * The pieces of a step that differ from those in poly1305_mulx.h. `p` is a register that points at
 * the step, or `at` bytes from it.
 */
#define POLY1305_STEPS_8(h0, h1, h2, at, p)                                                        \
    "addq " at "(" p "), " h0 "\n\t"                                                               \
    "adcq " at "+8(" p "), " h1 "\n\t"                                                             \
    "adcq " at "+24(" p "), " h2 "\n\t"
#define POLY1305_STEPS_STORE(h0, h1, h2, at, p)                                                    \
    "movq " h0 ", " at "(" p ")\n\t"                                                               \
    "movq " h1 ", " at "+8(" p ")\n\t"                                                             \
    "movq " h2 ", " at "+16(" p ")\n\t"

POLY1305_INLINE void poly1305_steps_one(struct poly1305_mulx_int *h, struct poly1305_step *p)
{
    const struct poly1305_mulx_key *k = p->by;
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_MULX_MULTIPLY POLY1305_STEPS_8("%[h0]", "%[h1]", "%[h2]", "", "%[p]")
                POLY1305_MULX_CARRY POLY1305_STEPS_STORE("%[h0]", "%[h1]", "%[h2]", "", "%[p]")
            : POLY1305_MULX_OUT, "+m"(*p)
            : POLY1305_MULX_IN, [p] "r"(p)
            : "rdx", "cc");
}

/*
 * The first `done` steps are done and leave the list; messages that have had their last one get
 * their tags: ((h mod 2^130-5) + s) mod 2^128, where h + 5 reaches 2^130 just where h >= 2^130-5,
 * and with h[2] <= 4 one subtraction does.
 */
POLY1305_INLINE void poly1305_steps_finish(struct poly1305_steps *q, size_t done,
                                           const struct aead_job *jobs, size_t ended)
{
    const size_t taken = q->taken + done;

    for (; q->finished < ended && q->last[q->finished] < taken; q->finished++) {
        const struct poly1305_step *step = &q->step[q->last[q->finished] - q->taken];
        const uint64_t *s = q->key[q->finished].s;
        uint64_t h0 = step->m[0];
        uint64_t h1 = step->m[1];
        uint64_t h2;
        uint64_t g0 = h0;
        uint64_t g1 = h1;

        memcpy(&h2, &step->by, sizeof(h2));
        __asm__("addq $5, %[g0]\n\t"
                "adcq $0, %[g1]\n\t"
                "adcq $-4, %[h2]\n\t"
                "cmovcq %[g0], %[h0]\n\t"
                "cmovcq %[g1], %[h1]\n\t"
                "addq %[s0], %[h0]\n\t"
                "adcq %[s1], %[h1]\n\t"
                : [h0] "+&r"(h0), [h1] "+&r"(h1), [g0] "+&r"(g0), [g1] "+&r"(g1), [h2] "+&r"(h2)
                : [s0] "m"(s[0]), [s1] "m"(s[1])
                : "cc");
        store_le64(jobs[q->finished].tag, h0);
        store_le64(jobs[q->finished].tag + 8, h1);
    }
    for (size_t i = done; i < q->count; i++) {
        q->step[i - done] = q->step[i];
    }
    q->count = q->count > done ? q->count - done : 0;
    q->taken = taken;
}

/*
 * Where a second chain can begin, of about the same length as the first: at a message, whose first
 * step leaves nothing of the one before. The end of the list where there is no such place.
 */
POLY1305_INLINE size_t poly1305_steps_middle(const struct poly1305_steps *q, size_t ended)
{
    size_t middle = q->count;

    for (size_t e = q->finished; e < ended; e++) {
        const size_t last = q->last[e] - q->taken;

        if (e != q->finished && 2 * last > q->count + 8) {
            break;
        }
        middle = last + 1;
    }
    return middle;
}

/* All steps, with nothing beside them: in two chains, so that the latency counts once for both. */
__attribute__((noinline, unused)) static void
poly1305_steps_all(struct poly1305_steps *q, const struct aead_job *jobs, size_t ended)
{
    const size_t count = q->count;
    struct poly1305_mulx_int a = {{q->h[0], q->h[1], q->h[2]}};
    struct poly1305_mulx_int b = {{0, 0, 0}};
    const struct poly1305_mulx_int *end;
    const size_t middle = poly1305_steps_middle(q, ended);
    size_t i = 0;
    size_t j;

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
    end = middle < count ? &b : &a;
    q->h[0] = end->n[0];
    q->h[1] = end->n[1];
    q->h[2] = end->n[2];
    q->top = count > q->top ? count : q->top;
    poly1305_steps_finish(q, count, jobs, ended);
}

/*
 * The half of a step that stands beside m, in both halves of a register. Left to themselves, compilers
 * that see a constant hibit move the other word from register to register by a form of vmovq that
 * valgrind 3.19 does not know.
 */
POLY1305_INLINE __m256i poly1305_steps_half(const struct poly1305_mulx_key *by, uint64_t hibit)
{
    __asm__("" : "+r"(hibit));
    return _mm256_broadcastsi128_si256(_mm_set_epi64x((int64_t)hibit, (int64_t)(uintptr_t)by));
}

/* A step with the m in the low half of the register. */
POLY1305_INLINE void poly1305_steps_put(struct poly1305_step *step, __m256i m, __m256i half)
{
    _mm256_storeu_si256((__m256i *)step, _mm256_blend_epi32(m, half, 0xf0));
}

/* With that in the high half. */
POLY1305_INLINE void poly1305_steps_put_high(struct poly1305_step *step, __m256i m, __m256i half)
{
    _mm256_storeu_si256((__m256i *)step, _mm256_permute2x128_si256(m, half, 0x21));
}

/* Steps up to number n that change nothing, where there are fewer. */
POLY1305_INLINE void poly1305_steps_fill(struct poly1305_steps *q, size_t n)
{
    const __m256i half = poly1305_steps_half(&q->unit, 0);

    for (; q->count < n; q->count++) {
        poly1305_steps_put(&q->step[q->count], _mm256_setzero_si256(), half);
    }
    q->top = q->count > q->top ? q->count : q->top;
}

/* The one-time key of a message. */
POLY1305_INLINE void poly1305_steps_key(struct poly1305_steps *q, size_t message,
                                        const uint8_t key[32])
{
    const __m128i mask = _mm_set_epi64x(0x0ffffffc0ffffffc, 0x0ffffffc0fffffff);
    const __m128i r = _mm_and_si128(_mm_loadu_si128((const __m128i *)key), mask);
    const __m128i s1 = _mm_add_epi64(r, _mm_srli_epi64(r, 2)); /* its upper half */

    _mm_storeu_si128((__m128i *)&q->key[message].r, r);
    _mm_storeh_pd((double *)(void *)&q->key[message].r.s1, _mm_castsi128_pd(s1));
    _mm_storeu_si128((__m128i *)q->key[message].s, _mm_loadu_si128((const __m128i *)(key + 16)));
}

#endif
