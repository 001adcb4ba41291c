/* SPDX-License-Identifier: MIT */
/* Text of any length through the assembly of chacha_blocks_neon.h. Static only. */
#ifndef AEADFAST_AARCH64_CHACHA_TEXT_NEON_H
#define AEADFAST_AARCH64_CHACHA_TEXT_NEON_H

#include "../memory.h"
#include "chacha_blocks_neon.h"
#include "chacha_rows_neon.h"

/* The key stream of a block of the scalar registers, whose counter is `number`. */
ALWAYS_INLINE struct chacha_rows chacha_scalar_block(const uint32_t block[16],
                                                     const uint32_t state[16], uint32_t number)
{
    struct chacha_rows in = chacha_rows_load(state);
    struct chacha_rows x = chacha_rows_load(block);

    in = chacha_rows_number(&in, number);
    chacha_rows_end(&x, &in);
    return x;
}

/* n <= 64 bytes. */
ALWAYS_INLINE void chacha_text_one(uint8_t *dst, const uint8_t *src, size_t n,
                                   const uint32_t state[16], int rounds)
{
    uint32_t block[16];
    struct chacha_rows x;

    block[12] = state[12];
    chacha_one(block, state, rounds);
    x = chacha_scalar_block(block, state, state[12]);
    chacha_xor_block(dst, src, &x, n);
}

/* The assembly reads and writes whole blocks: those that are not there are in a buffer. */
__attribute__((noinline, unused)) static void chacha_bounce(void (*blocks)(CHACHA_PARAMETERS),
                                                            size_t n, CHACHA_PARAMETERS)
{
    uint8_t buffer[512];

    memcpy(buffer, src, n);
    blocks(buffer, buffer, state, rounds, s);
    memcpy(dst, buffer, n);
    wipe_now(buffer, sizeof(buffer));
}

/*
 * n bytes of text by `vectors` blocks in the vector registers, by one of the functions above, and
 * the last of it by `scalars` more beside them, whose counters follow.
 */
ALWAYS_INLINE void chacha_text(void (*blocks)(CHACHA_PARAMETERS), int vectors, int scalars,
                               size_t n, CHACHA_PARAMETERS)
{
    const size_t part = 64 * (size_t)vectors;
    const uint32_t number = state[12] + (uint32_t)vectors;

    if (n < part) {
        chacha_bounce(blocks, n, dst, src, state, rounds, s);
        return;
    }
    s->scalar[0][12] = number;
    s->scalar[1][12] = number + 1;
    blocks(dst, src, state, rounds, s);
    if (scalars > 0 && n > part) {
        const struct chacha_rows x = chacha_scalar_block(s->scalar[0], state, number);

        chacha_xor_block(dst + part, src + part, &x, n - part);
    }
    if (scalars > 1 && n > part + 64) {
        const struct chacha_rows x = chacha_scalar_block(s->scalar[1], state, number + 1);

        chacha_xor_block(dst + part + 64, src + part + 64, &x, n - part - 64);
    }
}

#endif
