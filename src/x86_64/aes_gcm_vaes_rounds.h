/* SPDX-License-Identifier: MIT */
/*
 * The first rounds of nine chains with GHASH between them, for the end of a message on VAES. In
 * assembly for the reason that aes_gcm_stitched.h gives, and because the compilers do the one and
 * then the other: opening 160 to 256 bytes takes 6 to 8 % less time so (Zen 3).
 */
#ifndef AEADFAST_AES_GCM_VAES_ROUNDS_H
#define AEADFAST_AES_GCM_VAES_ROUNDS_H

#include "aes_gcm_bulk.h"

/* Round i of nine chains with the products of the pair at hashed + 32 * i, added to s. */
#if GCM_ASM
#define ROUND_9_HASH(i, s, hashed, powers)                                                         \
    __asm__ volatile("vmovdqu 32*" #i "(%[in]), %%ymm12\n\t"                                       \
                     "vpshufb %[reverse], %%ymm12, %%ymm12\n\t"                                    \
                     "vpshufd $0x4e, %%ymm12, %%ymm13\n\t"                                         \
                     "vpxor %%ymm12, %%ymm13, %%ymm13\n\t"                                         \
                     "vbroadcasti128 16*" #i "(%[t]), %%ymm15\n\t"                                 \
                     "vaesenc %%ymm15, %[e0], %[e0]\n\t"                                           \
                     "vaesenc %%ymm15, %[e1], %[e1]\n\t"                                           \
                     "vaesenc %%ymm15, %[e2], %[e2]\n\t"                                           \
                     "vaesenc %%ymm15, %[e3], %[e3]\n\t"                                           \
                     "vpclmulqdq $0x00, 32*" #i "(%[power]), %%ymm12, %%ymm14\n\t"                 \
                     "vpclmulqdq $0x11, 32*" #i "(%[power]), %%ymm12, %%ymm12\n\t"                 \
                     "vpclmulqdq $0x00, %c[fold]+32*" #i "(%[power]), %%ymm13, %%ymm13\n\t"        \
                     "vaesenc %%ymm15, %[e4], %[e4]\n\t"                                           \
                     "vaesenc %%ymm15, %[e5], %[e5]\n\t"                                           \
                     "vaesenc %%ymm15, %[e6], %[e6]\n\t"                                           \
                     "vaesenc %%ymm15, %[e7], %[e7]\n\t"                                           \
                     "vaesenc %%ymm15, %[e8], %[e8]\n\t"                                           \
                     "vpxor %%ymm14, %[lo], %[lo]\n\t"                                             \
                     "vpxor %%ymm12, %[hi], %[hi]\n\t"                                             \
                     "vpxor %%ymm13, %[mid], %[mid]"                                               \
                     : [e0] "+x"(e0), [e1] "+x"(e1), [e2] "+x"(e2), [e3] "+x"(e3), [e4] "+x"(e4),  \
                       [e5] "+x"(e5), [e6] "+x"(e6), [e7] "+x"(e7), [e8] "+x"(e8),                 \
                       [lo] "+x"(s.lo), [mid] "+x"(s.mid), [hi] "+x"(s.hi)                         \
                     : [t] "r"(t), [in] "r"(hashed), [power] "r"(powers), [fold] "i"(FOLD_OFFSET), \
                       [reverse] "m"(gcm_reverse_mask)                                             \
                     : "xmm12", "xmm13", "xmm14", "xmm15", "memory")
#else
#define ROUND_9_HASH(i, s, hashed, powers)                                                         \
    do {                                                                                           \
        CHAINS_ROUND(CHAINS_9, i);                                                                 \
        sum_add_at(&s, reverse_blocks(vec_load(hashed + 32 * (i))), powers + 32 * (i));            \
    } while (0)
#endif

/* The first 8 rounds with the 256 bytes at `hashed`, one pair a round. */
#define CHAINS_HASH_8(chains)                                                                      \
    do {                                                                                           \
        const uint8_t *p = POWER_AT(t, BLOCKS);                                                    \
        struct gcm_sum s = sum_zero();                                                             \
                                                                                                   \
        sum_add_at(&s, vec_xor(reverse_blocks(vec_load(hashed)), vec_from_low(y)), p);             \
        ROUND_9_HASH(1, s, hashed, p);                                                             \
        ROUND_9_HASH(2, s, hashed, p);                                                             \
        ROUND_9_HASH(3, s, hashed, p);                                                             \
        ROUND_9_HASH(4, s, hashed, p);                                                             \
        ROUND_9_HASH(5, s, hashed, p);                                                             \
        ROUND_9_HASH(6, s, hashed, p);                                                             \
        ROUND_9_HASH(7, s, hashed, p);                                                             \
        CHAINS_ROUND(chains, 8);                                                                   \
        y = sum_reduce(&s);                                                                        \
    } while (0)

/* With the pairs 5 to 2 of the text that is opened, which TEXT_PAIR then leaves out. */
#define CHAINS_HASH_TEXT(chains)                                                                   \
    do {                                                                                           \
        const uint8_t *in = src - 32 * 6;                                                          \
        const uint8_t *p = power - 32 * 6;                                                         \
                                                                                                   \
        ROUND_9_HASH(1, sum, in, p);                                                               \
        ROUND_9_HASH(2, sum, in, p);                                                               \
        ROUND_9_HASH(3, sum, in, p);                                                               \
        ROUND_9_HASH(4, sum, in, p);                                                               \
        CHAINS_ROUND(chains, 5);                                                                   \
        CHAINS_ROUND(chains, 6);                                                                   \
        CHAINS_ROUND(chains, 7);                                                                   \
        CHAINS_ROUND(chains, 8);                                                                   \
    } while (0)

#endif
