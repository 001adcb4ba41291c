/* SPDX-License-Identifier: MIT */
/*
 * The two functions of a Poly1305 kernel with vectors: long messages go to absorb_vectors, short ones
 * to the scalar code. Static only. An including kernel first defines struct work, whose h is the
 * running value, absorb_vectors, clear_work, and VECTOR_BLOCKS, the fewest blocks for vectors.
 */
#ifndef AEADFAST_POLY1305_VECTORS_H
#define AEADFAST_POLY1305_VECTORS_H

#include "poly1305_scalar.h"

/* Apart from short messages, so that those need no frame for `work`, nor one at all. */
static NOINLINE void mac_vectors(uint8_t tag[16], const uint8_t *msg, size_t len,
                                 const uint8_t key[32])
{
    const struct poly1305_r r = poly1305_r_of(key);
    struct work w;

    w.h = (struct poly1305_number){{0, 0, 0}};
    absorb_vectors(&w, r.r0, r.r1, msg, len / 16, len % 16);
    poly1305_tag(&w.h, key, tag);
    clear_work(&w);
}

static void poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    if (len / 16 >= VECTOR_BLOCKS) {
        mac_vectors(tag, msg, len, key);
    } else {
        poly1305_scalar_mac(tag, msg, len, key);
    }
}

static NOINLINE void blocks_vectors(struct poly1305_core *core, const uint8_t *msg, size_t nblocks)
{
    struct work w;

    w.h = (struct poly1305_number){{core->h[0], core->h[1], core->h[2]}};
    absorb_vectors(&w, core->r[0], core->r[1], msg, nblocks, 0);
    core->h[0] = w.h.n[0];
    core->h[1] = w.h.n[1];
    core->h[2] = w.h.n[2];
    clear_work(&w);
}

static void poly1305_blocks(struct poly1305_core *core, const uint8_t *msg, size_t nblocks,
                            uint64_t hibit)
{
    if (hibit != 0 && nblocks >= VECTOR_BLOCKS) {
        blocks_vectors(core, msg, nblocks);
    } else {
        poly1305_scalar_blocks(core, msg, nblocks, hibit);
    }
}

#endif
