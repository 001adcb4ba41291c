/* SPDX-License-Identifier: MIT */
/*
 * The two ends of Poly1305 that every kernel shares: taking the key apart (RFC 8439 section 2.5.1)
 * and the last reduction with the addition of s. Static only; the work between is the kernels'.
 */
#ifndef AEADFAST_POLY1305_CORE_H
#define AEADFAST_POLY1305_CORE_H

#include "bytes.h"
#include "kernel.h"

static inline void poly1305_core_begin(struct poly1305_core *core, const uint8_t key[32])
{
    core->h[0] = 0;
    core->h[1] = 0;
    core->h[2] = 0;
    core->r[0] = load_le64(key) & 0x0ffffffc0fffffffULL;
    core->r[1] = load_le64(key + 8) & 0x0ffffffc0ffffffcULL;
    core->s[0] = load_le64(key + 16);
    core->s[1] = load_le64(key + 24);
}

/* a + b + carry; the new carry, 0 or 1, by the carry-out formula, which needs no comparison. */
static inline uint64_t poly1305_add_carry(uint64_t *sum, uint64_t a, uint64_t b, uint64_t carry)
{
    uint64_t t = a + b + carry;

    *sum = t;
    return ((a & b) | ((a | b) & ~t)) >> 63;
}

/* tag = ((h mod 2^130-5) + s) mod 2^128 */
static inline void poly1305_core_final(const struct poly1305_core *core, uint8_t tag[16])
{
    uint64_t h0 = core->h[0];
    uint64_t h1 = core->h[1];
    uint64_t h2 = core->h[2];
    uint64_t g0;
    uint64_t g1;
    uint64_t carry;
    uint64_t mask;

    /* h < 2^131: fold what is above 2^130 once (2^130 = 5), so that h < 2^130 + 5 */
    carry = poly1305_add_carry(&h0, h0, 5 * (h2 >> 2), 0);
    carry = poly1305_add_carry(&h1, h1, 0, carry);
    h2 = (h2 & 3) + carry;

    /* g = h + 5; where that reaches 2^130, h >= 2^130-5 and g mod 2^130 is the residue */
    carry = poly1305_add_carry(&g0, h0, 5, 0);
    carry = poly1305_add_carry(&g1, h1, 0, carry);
    mask = 0 - ((h2 + carry) >> 2);
    h0 = (h0 & ~mask) | (g0 & mask);
    h1 = (h1 & ~mask) | (g1 & mask);

    carry = poly1305_add_carry(&h0, h0, core->s[0], 0);
    (void)poly1305_add_carry(&h1, h1, core->s[1], carry);
    store_le64(tag, h0);
    store_le64(tag + 8, h1);
}

/* Pads the last n (1 to 15) bytes of a message with 1, 0, 0, ...: a block to absorb with hibit 0.
 */
static inline void poly1305_pad_last(uint8_t block[16], const uint8_t *msg, size_t n)
{
    zero_bytes(block, 16);
    memcpy(block, msg, n);
    block[n] = 1;
}

/* A kernel's `mac`, out of its `blocks`, which the compiler inlines. */
static inline void
poly1305_mac_by(void (*blocks)(struct poly1305_core *, const uint8_t *, size_t, uint64_t),
                uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    struct poly1305_core core;
    size_t whole = len / 16;

    poly1305_core_begin(&core, key);
    blocks(&core, msg, whole, 1);
    if (len % 16 != 0) {
        uint8_t last[16];

        poly1305_pad_last(last, msg + 16 * whole, len % 16);
        blocks(&core, last, 1, 0);
    }
    poly1305_core_final(&core, tag);
}

#endif
