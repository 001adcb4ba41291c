/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 in plain C for machines that multiply 64 x 64 bits to 128.
 *
 * h = h0 + 2^64 h1 + 2^128 h2, as in struct poly1305_core. r is clamped: r1 is a multiple of 4, so
 * what h1 r1 contributes at 2^128 comes back at 2^0 times 5/4, for 2^130 = 5 modulo 2^130-5. With
 * s1 = 5/4 r1 the product is
 *
 *     h r = h0 r0 + h1 s1  +  2^64 (h0 r1 + h1 r0 + h2 s1)  +  2^128 h2 r0
 *
 * in six multiplications. Only a carry is slow: the time from h to the next h counts, not the
 * multiplier's. Hence 5 times what reaches 2^130 is not added to h at once, but kept in `fold`
 * until the next block has been added, work that can be done before `fold` is known.
 *
 * How the carries are written decides whether GCC makes add and adc of them or stores and loads
 * 128-bit sums: with this choice GCC 12 and Clang 14 both take about 0.87 cycles/byte on Zen 3; the
 * same formula all in 128-bit sums takes 2.1 and 0.93.
 */
#include "kernel.h"

#if defined(__SIZEOF_INT128__)
#include "poly1305_core.h"

__extension__ typedef unsigned __int128 uint128;

/* *sum += v; returns the carry. */
static inline uint64_t add(uint64_t *sum, uint64_t v)
{
    *sum += v;
    return *sum < v;
}

static inline uint128 product(uint64_t a, uint64_t b)
{
    return (uint128)a * b;
}

static void poly1305_blocks(struct poly1305_core *core, const uint8_t *msg, size_t nblocks,
                            uint64_t hibit)
{
    const uint64_t r0 = core->r[0];
    const uint64_t r1 = core->r[1];
    const uint64_t s1 = r1 + (r1 >> 2);
    uint64_t h0 = core->h[0];
    uint64_t h1 = core->h[1];
    uint64_t h2 = core->h[2];
    uint64_t fold = 0;

    for (; nblocks != 0; nblocks--, msg += 16) {
        uint64_t carry0 = add(&h0, load_le64(msg));
        uint64_t carry1 = add(&h1, load_le64(msg + 8));

        carry1 += add(&h1, carry0);
        h2 += carry1 + hibit;
        h2 += add(&h1, add(&h0, fold));

        /* h2 <= 9, r < 2^60, s1 < 1.25 * 2^60: below 2^126, and h2 * r0 below 2^64 */
        uint128 d0 = product(h0, r0) + product(h1, s1);
        uint128 d1 = product(h0, r1) + product(h1, r0) + product(h2, s1);

        h0 = (uint64_t)d0;
        h1 = (uint64_t)d1;
        h2 = h2 * r0 + (uint64_t)(d1 >> 64);
        h2 += add(&h1, (uint64_t)(d0 >> 64));

        /* h2 < 0.72 * 2^64: 5/4 of it fits */
        fold = (h2 >> 2) + (h2 & ~UINT64_C(3));
        h2 &= 3;
    }
    h2 += add(&h1, add(&h0, fold));

    core->h[0] = h0;
    core->h[1] = h1;
    core->h[2] = h2;
}

static void poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    poly1305_mac_by(poly1305_blocks, tag, msg, len, key);
}

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_portable) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    .stack = 512,
};
#endif
