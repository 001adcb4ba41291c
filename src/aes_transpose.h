/* SPDX-License-Identifier: MIT */
/*
 * The 8x8 bit transposes between bytes in eight words and slices. Included by the files that
 * define aes_word, and AES_SPLAT to fill one with a constant of 64 bits, or the 32 it has room for.
 */
#ifndef AEADFAST_AES_TRANSPOSE_H
#define AEADFAST_AES_TRANSPOSE_H

#include "codegen.h"

/* Exchanges the bits of `a` under mask << shift with those of `b` under mask. */
static inline void aes_swap_bits(aes_word *a, aes_word *b, int shift, aes_word mask)
{
    aes_word t = ((*a >> shift) ^ *b) & mask;

    *b ^= t;
    *a ^= t << shift;
}

/*
 * Bit i of byte j of word k goes to bit k of byte j of word i: one step for each bit of the two
 * numbers. It is its own inverse.
 */
ALWAYS_INLINE void aes_transpose(aes_word s[8])
{
    const aes_word ones = AES_SPLAT(0x5555555555555555);
    const aes_word pairs = AES_SPLAT(0x3333333333333333);
    const aes_word nibbles = AES_SPLAT(0x0f0f0f0f0f0f0f0f);

    UNROLL
    for (int i = 0; i < 8; i += 2) {
        aes_swap_bits(&s[i], &s[i + 1], 1, ones);
    }
    UNROLL
    for (int i = 0; i < 8; i += 4) {
        aes_swap_bits(&s[i], &s[i + 2], 2, pairs);
        aes_swap_bits(&s[i + 1], &s[i + 3], 2, pairs);
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
        aes_swap_bits(&s[i], &s[i + 4], 4, nibbles);
    }
}

#endif
