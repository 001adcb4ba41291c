/* SPDX-License-Identifier: MIT */
/*
 * Runs of whole batches of 512 bytes: text and, beside it, Poly1305 of other bytes. What messages in
 * pieces are made of, so that the cost of a call with one or two batches counts. Static only.
 */
#ifndef AEADFAST_CHACHA_BATCHES_AVX2_H
#define AEADFAST_CHACHA_BATCHES_AVX2_H

#include "chacha_eight_poly1305_avx2.h"

/* From this length on two chains gain more than r^16 costs. */
#define CHACHA_BATCHES_LONG 16384

CHACHA_INLINE struct poly1305_mulx_int chacha_r_to_the_16(const struct poly1305_mulx_key *key)
{
    struct poly1305_mulx_int x = {{key->r0, key->r1, 0}};

    for (int i = 0; i < 4; i++) {
        x = poly1305_mulx_square(&x);
    }
    return x;
}

/*
 * n bytes of text, a multiple of 512, and beside them as much of hash in two chains. A step of h is
 * h r + block here, and f->key has been set.
 */
CHACHA_INLINE void chacha_batches_long(struct chacha_eight *f, struct poly1305_mulx_int *h,
                                       uint8_t *dst, const uint8_t *src, size_t n,
                                       const uint8_t *msg)
{
    const struct poly1305_mulx_int zero = {{0, 0, 0}};

    f->power = chacha_r_to_the_16(&f->key);
    f->h = zero;
    f->g = *h;
    for (size_t done = 0; done < n; done += 512) {
        f->msg = msg + done;
        f->left = 8;
        chacha_eight_text(f, chacha_eight_two_chains, dst + done, src + done, 512);
        f->state[12] += 8;
    }
    *h = f->h;
    poly1305_mulx_mul_add(h, &f->power, &f->g);
}

/* A batch in one chain, which begins with a multiplication by f->first. */
CHACHA_INLINE void chacha_batches_one(struct chacha_eight *f, uint8_t *dst, const uint8_t *src,
                                      const uint8_t *msg)
{
    f->msg = msg;
    f->left = 10;
    chacha_eight_text(f, chacha_eight_one_chain, dst, src, 512);
    f->state[12] += 8;
}

/*
 * A word that has just been written by itself is read by itself: a load of more bytes than that would
 * wait until the store is through.
 */
#define CHACHA_ALONE(word) __asm__("" : "+r"(word))

CHACHA_INLINE void chacha_batches_begin(struct chacha_eight *f, const struct poly1305_core *core,
                                        const uint32_t state[16])
{
    uint64_t h0 = core->h[0];
    uint64_t h1 = core->h[1];
    uint32_t number = state[12];

    CHACHA_ALONE(h0);
    CHACHA_ALONE(h1);
    CHACHA_ALONE(number);
    f->h.n[0] = h0;
    f->h.n[1] = h1;
    f->h.n[2] = core->h[2];
    f->key = poly1305_mulx_key(core->r[0], core->r[1]);
    f->first.r0 = 1;
    f->first.r1 = 0;
    f->first.s1 = 0;
    memcpy(f->state, state, 48);
    f->state[12] = number;
    memcpy(f->state + 13, state + 13, 12);
    chacha_eight_begin(f);
}

_Static_assert(offsetof(struct chacha_eight, first) + sizeof(struct poly1305_mulx_key) ==
                   offsetof(struct chacha_eight, h) + 128,
               "from h to first there are 128 bytes");

/*
 * And zeroes all of *f that comes of a key: `stack` does not reach there. The seven stores take a call of
 * one batch 1 % of its time, and a function that clears the frames took 3.6 %. Of those of few batches
 * nothing else is secret, for all that is goes through *f.
 */
CHACHA_INLINE void chacha_batches_end(struct poly1305_core *core, struct poly1305_mulx_int h,
                                      struct chacha_eight *f)
{
    uint8_t *const hash = (uint8_t *)f + offsetof(struct chacha_eight, h);

    poly1305_mulx_multiply(&h, &f->key);
    core->h[0] = h.n[0];
    core->h[1] = h.n[1];
    core->h[2] = h.n[2];
    chacha_store(f->state, _mm256_setzero_si256());
    chacha_store(f->state + 8, _mm256_setzero_si256());
    chacha_store(f->c3, _mm256_setzero_si256());
    chacha_wipe(hash, 128);
}

/*
 * The common form has each block added and then multiplied by r, the chains have h multiplied and
 * then the block added. So the first block's multiplier is 1, and one by r stands at the end, which
 * takes place while the last text is under way.
 */
__attribute__((noinline)) static void chacha_batches_few(struct poly1305_core *core, uint8_t *dst,
                                                         const uint8_t *src, const uint8_t *hashed,
                                                         size_t n, const uint32_t state[16])
{
    struct chacha_eight f;

    chacha_batches_begin(&f, core, state);
    for (;;) {
        chacha_batches_one(&f, dst, src, hashed);
        n--;
        if (n == 0) {
            break;
        }
        f.first = f.key;
        dst += 512;
        src += 512;
        hashed += 512;
    }
    chacha_batches_end(core, f.h, &f);
}

/* The first batch is in one chain here too, because of what it begins with. */
__attribute__((noinline)) static void chacha_batches_many(struct poly1305_core *core, uint8_t *dst,
                                                          const uint8_t *src, const uint8_t *hashed,
                                                          size_t n, const uint32_t state[16])
{
    struct chacha_eight f;
    struct poly1305_mulx_int h;

    chacha_batches_begin(&f, core, state);
    chacha_batches_one(&f, dst, src, hashed);
    h = f.h;
    chacha_batches_long(&f, &h, dst + 512, src + 512, 512 * (n - 1), hashed + 512);
    chacha_batches_end(core, h, &f);
}

/* The frame of many batches, where the making of r^16 leaves more, and those of what they call. */
__attribute__((noinline)) static void chacha_batches_clear(void)
{
    uint8_t frame[1024] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

static void chacha_batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                           const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    if (n > CHACHA_BATCHES_LONG / 512) {
        chacha_batches_many(core, dst, src, hashed, n, state);
        chacha_batches_clear();
    } else if (n != 0) {
        chacha_batches_few(core, dst, src, hashed, n, state);
    }
}

#endif
