/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20 and Poly1305 at once, for the middle of a long message: while vectors make the key
 * stream of one pass, scalar instructions between theirs absorb ciphertext: when opening that of
 * the same pass, when sealing that of the pass before.
 *
 * For a processor that takes a scalar and a vector instruction a cycle Poly1305 is all but free
 * then: by llvm-mca a double round with its four blocks takes 391 cycles, and 385 without
 * (sifive-x280), 128 and 128 (sifive-p670), and 204 and 180 by the published figures for the
 * SpacemiT K1; vectors would take 1.2, 0.85 and 1.35 cycles a byte for themselves.
 */
#ifndef AEADFAST_CHACHA20_POLY1305_LONG_RVV_H
#define AEADFAST_CHACHA20_POLY1305_LONG_RVV_H

#include "chacha_lanes_rvv.h"

/*
 * Whole passes of src to dst, and their ciphertext to `core`; advances the counter in `state`.
 * Returns how many bytes it has done: none where no pass has another's ciphertext to absorb, or
 * where that is not aligned to 8 bytes, because a word would be eight loads then, and vectors are
 * faster. Not inlined: its frame is large, and what else is called is better called without it.
 */
__attribute__((noinline)) static size_t chacha20_poly1305_long_rvv(struct poly1305_core *core,
                                                                   uint32_t state[16], int opening,
                                                                   uint8_t *dst, const uint8_t *src,
                                                                   size_t len)
{
    uint64_t stream[8 * CHACHA_RVV_BLOCKS];
    const size_t vlmax = __riscv_vsetvlmax_e32m1();
    const size_t blocks = vlmax < CHACHA_RVV_BLOCKS ? vlmax : CHACHA_RVV_BLOCKS;
    const size_t pass = 64 * blocks;
    const uint8_t *ready = NULL; /* a pass of ciphertext that waits */
    size_t done = 0;

    if (len < (opening ? pass : 2 * pass) || (uintptr_t)(opening ? src : dst) % 8 != 0) {
        return 0;
    }
    for (; len - done >= pass; done += pass) {
        struct poly1305_slots slots;

        if (opening) {
            ready = src + done;
        }
        poly1305_slots_begin(&slots, core, ready, ready != NULL ? pass / 16 : 0);
        chacha_rvv_blocks(stream, state, state[12], 20, blocks, &slots);
        poly1305_slots_end(&slots, core);
        chacha_rvv_xor(dst + done, src + done, (const uint8_t *)stream, pass);
        if (!opening) {
            ready = dst + done;
        }
        state[12] += (uint32_t)blocks;
    }
    if (!opening && ready != NULL) {
        struct poly1305_slots slots;

        poly1305_slots_begin(&slots, core, ready, pass / 16);
        poly1305_slots_end(&slots, core);
    }
    return done;
}

/* Copies n bytes to where a word is one load. */
static inline void chacha20_poly1305_align_rvv(uint64_t *to, const uint8_t *from, size_t n)
{
    uint8_t *bytes = (uint8_t *)to;

    while (n > 0) {
        const size_t vl = __riscv_vsetvl_e8m8(n);

        __riscv_vse8_v_u8m8(bytes, __riscv_vle8_v_u8m8(from, vl), vl);
        bytes += vl;
        from += vl;
        n -= vl;
    }
}

/*
 * The kernels' `batches`. A batch is one pass where registers are the widest, and two, four, ... where
 * they are narrower: a multiple of all. What is hashed has been written before the pass that it stands
 * beside, and is copied where it is not aligned.
 */
__attribute__((noinline)) static void
chacha20_poly1305_batches_rvv(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                              const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    uint64_t stream[8 * CHACHA_RVV_BLOCKS];
    uint64_t aligned[8 * CHACHA_RVV_BLOCKS];
    const size_t vlmax = __riscv_vsetvlmax_e32m1();
    const size_t blocks = vlmax < CHACHA_RVV_BLOCKS ? vlmax : CHACHA_RVV_BLOCKS;
    const size_t pass = 64 * blocks;
    uint32_t number = state[12];

    for (size_t done = 0; done < 64 * CHACHA_RVV_BLOCKS * n; done += pass) {
        struct poly1305_slots slots;
        const uint8_t *msg = hashed + done;

        if ((uintptr_t)msg % 8 != 0) {
            chacha20_poly1305_align_rvv(aligned, msg, pass);
            msg = (const uint8_t *)aligned;
        }
        poly1305_slots_begin(&slots, core, msg, pass / 16);
        chacha_rvv_blocks(stream, state, number, 20, blocks, &slots);
        poly1305_slots_end(&slots, core);
        chacha_rvv_xor(dst + done, src + done, (const uint8_t *)stream, pass);
        number += (uint32_t)blocks;
    }
}

#define CHACHA20_POLY1305_BATCHES chacha20_poly1305_batches_rvv
#define CHACHA20_POLY1305_BATCH   (64 * CHACHA_RVV_BLOCKS)

#endif
