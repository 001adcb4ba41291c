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
 * The including file has CHACHA_MANY_LANES, struct chacha_many with the member `lane`, and
 * chacha_many_begin and _group. Static only.
 */
#ifndef AEADFAST_CHACHA20_POLY1305_MANY_H
#define AEADFAST_CHACHA20_POLY1305_MANY_H

struct many_work {
    struct chacha_many chacha;
    struct poly1305_steps steps;
    const struct aead_job *jobs;
    size_t n;
    size_t job;        /* the next message that gets lanes */
    uint32_t block;    /* its next block */
    size_t out_job;    /* the next message whose lanes are used */
    uint32_t out_left; /* how many of its blocks are still to come; 0 before the first */
};

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

/* n bytes of text, 1 to 64, and their steps. */
CHACHA_INLINE void many_text(struct poly1305_steps *q, uint8_t *dst, const uint8_t *src, size_t n,
                             const uint8_t key_stream[64], int opening)
{
    if (n == 64) {
        const __m256i in0 = chacha_load(src);
        const __m256i in1 = chacha_load(src + 32);
        const __m256i out0 = _mm256_xor_si256(in0, chacha_load(key_stream));
        const __m256i out1 = _mm256_xor_si256(in1, chacha_load(key_stream + 32));

        chacha_store(dst, out0);
        chacha_store(dst + 32, out1);
        poly1305_steps_reserve(q, 4);
        if (opening) {
            poly1305_steps_four(q, in0, in1);
        } else {
            poly1305_steps_four(q, out0, out1);
        }
        return;
    }
    if (opening) {
        poly1305_steps_padded(q, src, n);
    }
    chacha_xor_some(dst, src, key_stream, n);
    if (!opening) {
        poly1305_steps_padded(q, dst, n);
    }
}

/* Uses `lanes` lanes, which hold key stream by now. */
CHACHA_INLINE void many_use(struct many_work *w, size_t lanes, int opening)
{
    struct poly1305_steps *q = &w->steps;
    const uint8_t *lane = (const uint8_t *)w->chacha.lane;

    while (lanes != 0) {
        const struct aead_job *job = &w->jobs[w->out_job];
        size_t done;

        if (w->out_left == 0) {
            poly1305_steps_key(q, lane);
            poly1305_steps_padded(q, job->aad, job->aad_len);
            w->out_left = 1 + (uint32_t)((job->len + 63) / 64);
            done = 0;
            lane += 64;
            lanes--;
            w->out_left--;
        } else {
            done = (job->len + 63) / 64 * 64 - (size_t)w->out_left * 64;
        }
        for (; lanes != 0 && w->out_left != 0; lanes--, w->out_left--) {
            const size_t n = job->len - done < 64 ? job->len - done : 64;

            many_text(q, job->dst + done, job->src + done, n, lane, opening);
            done += n;
            lane += 64;
        }
        if (w->out_left == 0) {
            poly1305_steps_end(q, job->aad_len, job->len, job->tag);
            w->out_job++;
        } else {
            return;
        }
    }
}

__attribute__((noinline)) static void many_work(struct many_work *w, int opening)
{
    size_t lanes;

    while ((lanes = many_fill(w)) != 0) {
        chacha_many_group(&w->chacha, &w->steps);
        many_use(w, lanes, opening);
    }
    poly1305_steps_all(&w->steps);
}

/* What many_work and what it calls have had on the stack. */
__attribute__((noinline)) static void many_clear(void)
{
    uint8_t frame[640] __attribute__((aligned(64)));

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
    w.out_left = 0;
    many_work(&w, opening);
    many_clear();
    chacha_wipe(&w.chacha, sizeof(w.chacha));
    poly1305_steps_wipe(&w.steps);
}

#endif
