/* SPDX-License-Identifier: MIT */
/*
 * AES for the AES-GCM kernels: chains of registers e0, e1, ... (of one, two or four blocks each)
 * through all rounds, so many at once that their latencies overlap.
 *
 * CHAINS_n(f) is f(0) f(1) ... f(n - 1). An including kernel has defined GCM_LANES and struct
 * gcm_table with round_key and rounds.
 */
#ifndef AEADFAST_AES_GCM_CHAINS_H
#define AEADFAST_AES_GCM_CHAINS_H

#include "aes_gcm_vector.h"

#define CHAINS_1(f)      f(0)
#define CHAINS_2(f)      CHAINS_1(f) f(1)
#define CHAINS_3(f)      CHAINS_2(f) f(2)
#define CHAINS_4(f)      CHAINS_3(f) f(3)
#define CHAINS_5(f)      CHAINS_4(f) f(4)
#define CHAINS_6(f)      CHAINS_5(f) f(5)
#define CHAINS_7(f)      CHAINS_6(f) f(6)
#define CHAINS_8(f)      CHAINS_7(f) f(7)
#define CHAINS_9(f)      CHAINS_8(f) f(8)

#define CHAIN_WHITEN(i)  e##i = vec_xor(e##i, key);
#define CHAIN_ENC(i)     e##i = vec_aesenc(e##i, key);
#define CHAIN_ENCLAST(i) e##i = vec_aesenclast(e##i, key);

#define CHAINS_ROUND(chains, i)                                                                    \
    key = round_key(keys, i);                                                                      \
    chains(CHAIN_ENC)

#define CHAINS_FIRST_8(chains)                                                                     \
    CHAINS_ROUND(chains, 1);                                                                       \
    CHAINS_ROUND(chains, 2);                                                                       \
    CHAINS_ROUND(chains, 3);                                                                       \
    CHAINS_ROUND(chains, 4);                                                                       \
    CHAINS_ROUND(chains, 5);                                                                       \
    CHAINS_ROUND(chains, 6);                                                                       \
    CHAINS_ROUND(chains, 7);                                                                       \
    CHAINS_ROUND(chains, 8)

/* Rounds 9 to the last but one, and the last one's key. */
#define CHAINS_LATER(chains)                                                                       \
    CHAINS_ROUND(chains, 9);                                                                       \
    if (keys->rounds > 10) {                                                                       \
        CHAINS_ROUND(chains, 10);                                                                  \
        CHAINS_ROUND(chains, 11);                                                                  \
        if (keys->rounds > 12) {                                                                   \
            CHAINS_ROUND(chains, 12);                                                              \
            CHAINS_ROUND(chains, 13);                                                              \
        }                                                                                          \
    }                                                                                              \
    key = round_key(keys, keys->rounds)

/* `first_8` is CHAINS_FIRST_8, or that with other work between the rounds. */
#define CHAINS_ENCRYPT(chains, first_8) CHAINS_START_ENCRYPT(chains, CHAIN_WHITEN, first_8)

/* The same where `start` gives each chain its first block, whitened. */
#define CHAINS_START_ENCRYPT(chains, start, first_8)                                               \
    do {                                                                                           \
        const struct gcm_table *keys = opaque(t);                                                  \
        vec key = round_key(keys, 0);                                                              \
                                                                                                   \
        chains(start);                                                                             \
        first_8(chains);                                                                           \
        CHAINS_LATER(chains);                                                                      \
        chains(CHAIN_ENCLAST);                                                                     \
    } while (0)

/*
 * The same pointer, which the compiler takes for another: else GCC loads the round keys that
 * branches or turns of a loop have in common ahead of them all, and keeps them on the stack.
 */
GCM_INLINE const struct gcm_table *opaque(const struct gcm_table *t)
{
#if GCM_ASM
    __asm__("" : "+r"(t));
#endif
    return t;
}

GCM_INLINE vec round_key(const struct gcm_table *t, size_t i)
{
    return vec_broadcast(load128(t->round_key[i]));
}

#endif
