/* SPDX-License-Identifier: MIT */
/*
 * Many whole batches of the ChaCha20-Poly1305 kernels with IFMA (RFC 8439 section 2.8): rounds and hash in
 * turn. Both live off the same vector units, which the rounds alone keep busy, so that mixing their
 * instructions would gain nothing. Static only.
 *
 * The includer has defined BATCH and what chooses the size of registers, and defines the
 * functions below.
 */
#ifndef AEADFAST_CHACHA_POLY1305_BATCHES_IFMA_H
#define AEADFAST_CHACHA_POLY1305_BATCHES_IFMA_H

#include "chacha_poly1305_short_avx512vl.h"
#include "poly1305_ifma_lanes.h"

struct work {
    uint32_t state[16];
    uint8_t key_stream[BATCH]; /* of the first batch */
    struct poly1305_ifma lanes;
    struct hash hash;
} __attribute__((aligned(64)));

/* 0 < n batches of a call that has few of them: chacha_batches_avx512.h, chacha_batches_avx512vl.h. */
static void few_batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                        const uint8_t *hashed, size_t n, const uint32_t state[16]);
/* 0 < n <= BATCH bytes of text from block `number` on. */
static void text(const struct work *w, uint8_t *dst, const uint8_t *src, size_t n, uint32_t number);

/* n bytes, a multiple of POLY1305_IFMA_GROUP. */
NOINLINE void hash_groups(struct work *w, const uint8_t *p, size_t n)
{
    poly1305_ifma_blocks(&w->lanes, p, n);
}

/*
 * Many whole batches. The first group, whose first block meets the hash so far, is the lanes' initial
 * value; what comes out of the lanes has yet to be multiplied by r.
 */
NOINLINE void hash_from(struct work *w, const struct poly1305_core *core, const uint8_t *p)
{
    const struct poly1305_mulx_int h = {{core->h[0], core->h[1], core->h[2]}};
    const struct poly1305_ifma_number m = poly1305_ifma_message(p);
    uint64_t limbs[3];

    w->hash.key = poly1305_mulx_key(core->r[0], core->r[1]);
    poly1305_ifma_begin(&w->lanes, &w->hash.key);
    poly1305_ifma_limbs(limbs, &h);
    for (int limb = 0; limb < 3; limb++) {
        poly1305_ifma_vector_store(w->lanes.h[limb], m.n[limb]);
        /* limbs below 2^45, 2^45 and 2^44 */
        w->lanes.h[limb][POLY1305_IFMA_LANE(0)] += limbs[limb];
    }
}

NOINLINE void hash_to(struct work *w, struct poly1305_core *core)
{
    poly1305_ifma_end(&w->hash.h, &w->lanes);
    chain_end(core, w->hash.h, &w->hash.key);
}

NOINLINE void many_batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                           const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    const size_t len = BATCH * n;
    uint32_t number = 0;
    struct work w;

    memcpy(w.state, state, sizeof(w.state));
    hash_from(&w, core, hashed);
    hash_groups(&w, hashed + POLY1305_IFMA_GROUP, BATCH - POLY1305_IFMA_GROUP);
    text(&w, dst, src, BATCH, number);
    for (size_t done = BATCH; done < len; done += BATCH) {
        number += BATCH / 64;
        hash_groups(&w, hashed + done, BATCH);
        text(&w, dst + done, src + done, BATCH, number);
    }
    hash_to(&w, core);
    chacha_wipe(&w, sizeof(w));
    wipe_frames();
}

/*
 * Where the powers of r that the lanes need, the sum of these and the wiping, 400 cycles by llvm-mca, are
 * a few hundredths of the whole.
 */
#define MANY_BATCHES 8

static void batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                    const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    if (n >= MANY_BATCHES) {
        many_batches(core, dst, src, hashed, n, state);
    } else if (n > 0) {
        few_batches(core, dst, src, hashed, n, state);
    }
}

#endif
