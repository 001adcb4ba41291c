/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 in plain C for machines that multiply 32 x 32 bits to 64; right on every machine.
 *
 * h and r are five limbs of 26 bits: h = h0 + 2^26 h1 + ... + 2^104 h4. The spare 6 bits let the
 * five products of a column add up in 64 bits with no carry between them; one carry pass follows.
 * What lies at 2^130 comes back at 2^0 times 5, modulo 2^130-5.
 */
#include "kernel.h"
#include "poly1305_core.h"

#define MASK26 UINT32_C(0x3ffffff)

struct limbs {
    uint32_t v[5];
};

/* x0 + 2^64 x1 + 2^128 x2, x2 < 8: limbs below 2^26, the highest below 2^27 */
static inline struct limbs limbs_split(uint64_t x0, uint64_t x1, uint64_t x2)
{
    return (struct limbs){{
        (uint32_t)x0 & MASK26,
        (uint32_t)(x0 >> 26) & MASK26,
        (uint32_t)(x0 >> 52 | x1 << 12) & MASK26,
        (uint32_t)(x1 >> 14) & MASK26,
        (uint32_t)(x1 >> 40) | (uint32_t)x2 << 24,
    }};
}

static inline uint64_t product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

static void poly1305_blocks(struct poly1305_core *core, const uint8_t *msg, size_t nblocks,
                            uint64_t hibit)
{
    struct limbs h = limbs_split(core->h[0], core->h[1], core->h[2]);
    const struct limbs r = limbs_split(core->r[0], core->r[1], 0);
    const uint32_t s1 = 5 * r.v[1];
    const uint32_t s2 = 5 * r.v[2];
    const uint32_t s3 = 5 * r.v[3];
    const uint32_t s4 = 5 * r.v[4];

    for (; nblocks != 0; nblocks--, msg += 16) {
        /* h + m: limbs below 2^26 + 2^26 + 2^10, the highest below 2^28 */
        uint32_t h0 = h.v[0] + (load_le32(msg) & MASK26);
        uint32_t h1 = h.v[1] + (load_le32(msg + 3) >> 2 & MASK26);
        uint32_t h2 = h.v[2] + (load_le32(msg + 6) >> 4 & MASK26);
        uint32_t h3 = h.v[3] + (load_le32(msg + 9) >> 6);
        uint32_t h4 = h.v[4] + (load_le32(msg + 12) >> 8 | (uint32_t)hibit << 24);
        uint64_t d0;
        uint64_t d1;
        uint64_t d2;
        uint64_t d3;
        uint64_t d4;

        /* s < 2^28.4, so a column of five products stays below 2^59, and a carry below 2^33 */
        d0 = product(h0, r.v[0]) + product(h1, s4) + product(h2, s3) + product(h3, s2) +
             product(h4, s1);
        d1 = product(h0, r.v[1]) + product(h1, r.v[0]) + product(h2, s4) + product(h3, s3) +
             product(h4, s2);
        d2 = product(h0, r.v[2]) + product(h1, r.v[1]) + product(h2, r.v[0]) + product(h3, s4) +
             product(h4, s3);
        d3 = product(h0, r.v[3]) + product(h1, r.v[2]) + product(h2, r.v[1]) + product(h3, r.v[0]) +
             product(h4, s4);
        d4 = product(h0, r.v[4]) + product(h1, r.v[3]) + product(h2, r.v[2]) + product(h3, r.v[1]) +
             product(h4, r.v[0]);

        d1 += d0 >> 26;
        d2 += d1 >> 26;
        d3 += d2 >> 26;
        d4 += d3 >> 26;
        d0 = ((uint32_t)d0 & MASK26) + 5 * (d4 >> 26);
        h.v[0] = (uint32_t)d0 & MASK26;
        h.v[1] = ((uint32_t)d1 & MASK26) + (uint32_t)(d0 >> 26);
        h.v[2] = (uint32_t)d2 & MASK26;
        h.v[3] = (uint32_t)d3 & MASK26;
        h.v[4] = (uint32_t)d4 & MASK26;
    }

    /* the highest limb, and h[1], may overflow into h[2], by 3 and 1 after any block */
    uint64_t carry = poly1305_add_carry(&core->h[0], h.v[0] + ((uint64_t)h.v[1] << 26),
                                        (uint64_t)h.v[2] << 52, 0);

    carry = poly1305_add_carry(&core->h[1], h.v[2] >> 12 | (uint64_t)h.v[3] << 14,
                               (uint64_t)h.v[4] << 40, carry);
    core->h[2] = (h.v[4] >> 24) + carry;
}

static void poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    poly1305_mac_by(poly1305_blocks, tag, msg, len, key);
}

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_portable32) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    .stack = 640,
};
