/* SPDX-License-Identifier: MIT */
/*
 * One ChaCha block in the general registers, for the key of Poly1305 beside the text's blocks in vectors:
 * a double round is 96 instructions, for which 512-bit code leaves three ports free. Static only.
 */
#ifndef AEADFAST_CHACHA_WORDS_H
#define AEADFAST_CHACHA_WORDS_H

#include "chacha_pairs_avx512vl.h"

struct chacha_words {
    uint32_t n[16];
};

/* In assembly, or compilers would make vectors of it. */
CHACHA_INLINE void chacha_words_quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    __asm__ volatile("addl %[b], %[a]\n\t"
                     "xorl %[a], %[d]\n\t"
                     "roll $16, %[d]\n\t"
                     "addl %[d], %[c]\n\t"
                     "xorl %[c], %[b]\n\t"
                     "roll $12, %[b]\n\t"
                     "addl %[b], %[a]\n\t"
                     "xorl %[a], %[d]\n\t"
                     "roll $8, %[d]\n\t"
                     "addl %[d], %[c]\n\t"
                     "xorl %[c], %[b]\n\t"
                     "roll $7, %[b]\n\t"
                     : [a] "+r"(*a), [b] "+r"(*b), [c] "+r"(*c), [d] "+r"(*d)
                     :
                     : "cc");
}

CHACHA_INLINE void chacha_words_column_round(struct chacha_words *x)
{
    chacha_words_quarter(&x->n[0], &x->n[4], &x->n[8], &x->n[12]);
    chacha_words_quarter(&x->n[1], &x->n[5], &x->n[9], &x->n[13]);
    chacha_words_quarter(&x->n[2], &x->n[6], &x->n[10], &x->n[14]);
    chacha_words_quarter(&x->n[3], &x->n[7], &x->n[11], &x->n[15]);
}

/* In an order in which the third row, of which compilers keep some in memory, changes least. */
CHACHA_INLINE void chacha_words_diagonal_round(struct chacha_words *x)
{
    chacha_words_quarter(&x->n[1], &x->n[6], &x->n[11], &x->n[12]);
    chacha_words_quarter(&x->n[0], &x->n[5], &x->n[10], &x->n[15]);
    chacha_words_quarter(&x->n[2], &x->n[7], &x->n[8], &x->n[13]);
    chacha_words_quarter(&x->n[3], &x->n[4], &x->n[9], &x->n[14]);
}

#endif
