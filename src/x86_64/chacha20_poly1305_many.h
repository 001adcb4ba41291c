/* SPDX-License-Identifier: MIT */
/*
 * `many` of the ChaCha20-Poly1305 kernels: blocks of several messages in the lanes of one group,
 *
 *     key 0 | text 0 ... | key 1 | text 1 ... | key 2 | ...
 *
 * one after the other without regard to where a group ends, so that only the last group has idle
 * lanes. Poly1305 of what a group yields is queued as steps and goes beside the rounds of the next
 * one: 64 bytes of text with two blocks of AAD and lengths are four lanes' share of it.
 *
 * The including file has CHACHA_MANY_LANES and _STACK, struct chacha_many with the member `lane`, and
 * chacha_many_begin and _group. Static only.
 */
#ifndef AEADFAST_CHACHA20_POLY1305_MANY_H
#define AEADFAST_CHACHA20_POLY1305_MANY_H

struct many_work {
    struct chacha_many chacha;
    struct poly1305_steps steps;
    const struct aead_job *jobs;
    size_t n;
    size_t job;      /* the next message that gets lanes */
    uint32_t block;  /* its next block */
    size_t out_job;  /* the next message whose lanes are used */
    size_t out_done; /* bytes of its text that are done */
};

/* out_done before the message's first lane. */
#define MANY_NOTHING SIZE_MAX

/* Gives lanes to the next messages. Returns how many there are. */
CHACHA_INLINE size_t many_fill(struct many_work *w)
{
    const __m128i constants = _mm_setr_epi32(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
    const __m128i one = _mm_setr_epi32(1, 0, 0, 0);
    uint32_t(*lane)[16] = w->chacha.lane;
    size_t left = CHACHA_MANY_LANES;

    while (left != 0 && w->job < w->n) {
        const struct aead_job *job = &w->jobs[w->job];
        const uint32_t blocks = 1 + (uint32_t)((job->len + 63) / 64);
        const __m256i key = chacha_load(job->key);
        const __m128i head = _mm_cvtsi32_si128((int)load_le32(job->nonce));
        const __m128i tail = _mm_cvtsi64_si128((int64_t)load_le64(job->nonce + 4));
        __m128i d = _mm_unpacklo_epi64(_mm_slli_epi64(head, 32), tail);
        size_t take = blocks - w->block;

        d = _mm_add_epi32(d, _mm_cvtsi32_si128((int)w->block));
        take = take < left ? take : left;
        w->block += (uint32_t)take;
        if (w->block == blocks) {
            w->block = 0;
            w->job++;
        }
        left -= take;
        for (; take != 0; take--, lane++) {
            _mm_storeu_si128((__m128i *)*lane, constants);
            chacha_store(*lane + 4, key);
            _mm_storeu_si128((__m128i *)(*lane + 12), d);
            d = _mm_add_epi32(d, one);
        }
    }
    for (size_t i = left; i != 0; i--, lane++) {
        memset(*lane, 0, 64);
    }
    return CHACHA_MANY_LANES - left;
}

/* n bytes, and zeros up to a whole block; `next` belongs to the first step and `half` to others. */
CHACHA_INLINE struct poly1305_step *many_padded(struct poly1305_step *step, const uint8_t *p,
                                                size_t n, __m256i *next, __m256i half)
{
    for (; n >= 16; n -= 16, p += 16, step++) {
        const __m128i m = _mm_loadu_si128((const __m128i *)p);

        poly1305_steps_put(step, _mm256_castsi128_si256(m), *next);
        *next = half;
    }
    if (n != 0) {
        uint64_t words[2];
        __m128i m;

        poly1305_mulx_load_partial(words, p, n);
        m = _mm_set_epi64x((int64_t)words[1], (int64_t)words[0]);
        poly1305_steps_put(step, _mm256_castsi128_si256(m), *next);
        *next = half;
        step++;
    }
    return step;
}

/* A whole block of text, and its steps. */
CHACHA_INLINE struct poly1305_step *many_block(struct poly1305_step *step, uint8_t *dst,
                                               const uint8_t *src, const uint8_t key_stream[64],
                                               __m256i next, __m256i half, int opening)
{
    __m256i in0 = chacha_load(src);
    __m256i in1 = chacha_load(src + 32);
    const __m256i out0 = _mm256_xor_si256(in0, chacha_load(key_stream));
    const __m256i out1 = _mm256_xor_si256(in1, chacha_load(key_stream + 32));

    chacha_store(dst, out0);
    chacha_store(dst + 32, out1);
    if (!opening) {
        in0 = out0;
        in1 = out1;
    }
    poly1305_steps_put(&step[0], in0, next);
    poly1305_steps_put_high(&step[1], in0, half);
    poly1305_steps_put(&step[2], in1, half);
    poly1305_steps_put_high(&step[3], in1, half);
    return step + 4;
}

CHACHA_INLINE void many_make_room(struct many_work *w, size_t n)
{
    if (w->steps.count + n > POLY1305_STEPS_MAX) {
        poly1305_steps_all(&w->steps, w->jobs, w->out_job);
    }
}

/* AAD that might be more than there is room for. */
__attribute__((noinline)) static void many_aad(struct many_work *w, const uint8_t *aad, size_t n,
                                               __m256i *next, __m256i half)
{
    struct poly1305_steps *q = &w->steps;

    while (n != 0) {
        const size_t part = n < 256 ? n : 256;
        struct poly1305_step *step;

        many_make_room(w, 16);
        step = many_padded(&q->step[q->count], aad, part, next, half);
        q->count = (size_t)(step - q->step);
        aad += part;
        n -= part;
    }
}

/* Uses `lanes` lanes, which hold key stream by now. */
CHACHA_INLINE void many_use(struct many_work *w, size_t lanes, int opening)
{
    struct poly1305_steps *q = &w->steps;
    const uint8_t *lane = (const uint8_t *)w->chacha.lane;

    while (lanes != 0) {
        const struct aead_job *job = &w->jobs[w->out_job];
        const size_t len = job->len;
        const uint8_t *src = job->src;
        uint8_t *dst = job->dst;
        const struct poly1305_mulx_key *r = &q->key[w->out_job].r;
        const __m256i half = poly1305_steps_half(r, 1);
        const __m256i first = poly1305_steps_half(&q->zero, 1);
        size_t done = w->out_done;
        __m256i next = done == 0 && job->aad_len == 0 ? first : half;
        struct poly1305_step *step;
        size_t end;

        if (done == MANY_NOTHING) {
            poly1305_steps_key(q, w->out_job, lane);
            next = first;
            many_make_room(w, 4 * lanes + 2 + 2);
            if (job->aad_len <= 32) {
                step = many_padded(&q->step[q->count], job->aad, job->aad_len, &next, half);
                q->count = (size_t)(step - q->step);
            } else {
                many_aad(w, job->aad, job->aad_len, &next, half);
                many_make_room(w, 4 * lanes + 2);
            }
            done = 0;
            lane += 64;
            lanes--;
        } else {
            many_make_room(w, 4 * lanes + 2);
        }
        step = &q->step[q->count];
        end = len - done <= 64 * lanes ? len : done + 64 * lanes;
        for (; end - done >= 64; done += 64, lane += 64) {
            step = many_block(step, dst + done, src + done, lane, next, half, opening);
            next = half;
            lanes--;
        }
        if (done != end) {
            if (opening) {
                step = many_padded(step, src + done, end - done, &next, half);
            }
            chacha_xor_some(dst + done, src + done, lane, end - done);
            if (!opening) {
                step = many_padded(step, dst + done, end - done, &next, half);
            }
            done = end;
            lane += 64;
            lanes--;
        }
        if (done == len) {
            const __m128i lengths = _mm_set_epi64x((int64_t)len, (int64_t)job->aad_len);

            poly1305_steps_put(step++, _mm256_castsi128_si256(lengths), next);
            q->last[w->out_job] = q->taken + (size_t)(step - q->step);
            poly1305_steps_put(step++, _mm256_setzero_si256(), poly1305_steps_half(r, 0));
            w->out_job++;
            done = MANY_NOTHING;
        }
        q->count = (size_t)(step - q->step);
        w->out_done = done;
    }
}

__attribute__((noinline)) static void many_work(struct many_work *w, int opening)
{
    size_t lanes;

    while ((lanes = many_fill(w)) != 0) {
        chacha_many_group(&w->chacha, lanes, &w->steps, w->jobs, w->out_job);
        many_use(w, lanes, opening);
    }
    poly1305_steps_all(&w->steps, w->jobs, w->out_job);
}

/* What many_work and what it calls have had on the stack. */
__attribute__((noinline)) static void many_clear(void)
{
    uint8_t frame[CHACHA_MANY_STACK] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

static void many_messages(const struct aead_job *jobs, size_t n, int opening)
{
    struct many_work w;

    chacha_many_begin(&w.chacha);
    poly1305_steps_begin(&w.steps);
    w.jobs = jobs;
    w.n = n;
    w.job = 0;
    w.block = 0;
    w.out_job = 0;
    w.out_done = MANY_NOTHING;
    many_work(&w, opening);
    many_clear();
    chacha_wipe(&w.chacha, sizeof(w.chacha));
    poly1305_steps_wipe(&w.steps, n);
}

#endif
