/* SPDX-License-Identifier: MIT */
/*
 * Eight ChaCha20 blocks with Poly1305 of other 512 bytes between their instructions. Needs AVX2 and
 * BMI2. Static only.
 *
 * The 32 blocks are hashed as two chains, the first 12 and the last 20, because one chain waits for
 * its own carries longer than the rounds last (Zen 3, cycles a byte of rounds and hash: one chain
 * 1.05, two 1.00, no hash 0.91). Both multiply by the clamped r; the caller joins them by r^20.
 */
#ifndef AEADFAST_CHACHA_EIGHT_POLY1305_AVX2_H
#define AEADFAST_CHACHA_EIGHT_POLY1305_AVX2_H

#include "chacha_eight_avx2.h"
#include "poly1305_mulx.h"

/*
 * The pieces of a Poly1305 step, of the block at rsi + m, and how they fill nine slots, or five, or
 * four. The first chain has its h in rax, rbx, rcx and the second in r8, r9, r10; r11 to r15 and
 * rdx are temporaries. All of it fits between two double rounds' vector instructions up to about 190
 * scalar ones; what stands in one place without vector instructions costs its full time.
 */
#define CHACHA_P_1(h0)                                                                             \
    POLY1305_MULX_1("%%" #h0, "%c[r0](%%rdi)", "%c[r1](%%rdi)", "%%r11", "%%r12", "%%r13")
#define CHACHA_P_2(h1)     POLY1305_MULX_2("%%" #h1, "%c[r0](%%rdi)", "%c[s1](%%rdi)", "%%r14", "%%r15")
#define CHACHA_P_3(h0)     POLY1305_MULX_3("%%" #h0, "%%r11", "%%r15")
#define CHACHA_P_4(h2)     POLY1305_MULX_4("%%" #h2, "%c[r0](%%rdi)", "%c[s1](%%rdi)", "%%r15")
#define CHACHA_P_5(h1)     POLY1305_MULX_5("%%" #h1, "%%r12", "%%r13", "%%r14", "%%r15")
#define CHACHA_P_6(h1, h2) POLY1305_MULX_6("%%" #h1, "%%" #h2, "%%r11", "%%r14", "%%r15")
#define CHACHA_P_7(h2)     POLY1305_MULX_7("%%" #h2, "%%r15")
#define CHACHA_P_8(h0, h1, h2, m)                                                                  \
    POLY1305_MULX_8("%%" #h0, "%%" #h1, "%%" #h2, #m "(%%rsi)", #m "+8(%%rsi)")
#define CHACHA_P_9(h0, h1, h2) POLY1305_MULX_9("%%" #h0, "%%" #h1, "%%" #h2, "%%r15")

#define CHACHA_BLOCK_FIRST_5(h0, h1, h2)                                                           \
    CHACHA_P_1(h0), CHACHA_P_2(h1), CHACHA_P_3(h0), CHACHA_P_4(h2), CHACHA_P_5(h1)
#define CHACHA_BLOCK_LAST_4(h0, h1, h2, m)                                                         \
    CHACHA_P_6(h1, h2), CHACHA_P_7(h2), CHACHA_P_8(h0, h1, h2, m), CHACHA_P_9(h0, h1, h2)
#define CHACHA_BLOCK_IN_9(h0, h1, h2, m)                                                           \
    CHACHA_BLOCK_FIRST_5(h0, h1, h2), CHACHA_BLOCK_LAST_4(h0, h1, h2, m)
#define CHACHA_BLOCK_IN_5(h0, h1, h2, m)                                                           \
    CHACHA_P_1(h0)                                                                                 \
    CHACHA_P_2(h1), CHACHA_P_3(h0) CHACHA_P_4(h2), CHACHA_P_5(h1),                                 \
        CHACHA_P_6(h1, h2) CHACHA_P_7(h2), CHACHA_P_8(h0, h1, h2, m) CHACHA_P_9(h0, h1, h2)
#define CHACHA_BLOCK_IN_4(h0, h1, h2, m)                                                           \
    CHACHA_P_1(h0)                                                                                 \
    CHACHA_P_2(h1), CHACHA_P_3(h0) CHACHA_P_4(h2), CHACHA_P_5(h1) CHACHA_P_6(h1, h2),              \
        CHACHA_P_7(h2) CHACHA_P_8(h0, h1, h2, m) CHACHA_P_9(h0, h1, h2)

/* f->h = f->h f->power + f->g in rax, rbx, rcx. */
#define CHACHA_JOIN_FIRST_9                                                                        \
    POLY1305_MULX_JOIN_9("%c[h](%%rdi)", "%c[h]+8(%%rdi)", "%c[h]+16(%%rdi)", "%c[power](%%rdi)",  \
                         "%c[power]+8(%%rdi)", "%c[power]+16(%%rdi)")
#define CHACHA_JOIN_NEXT_5 POLY1305_MULX_JOIN_5
#define CHACHA_JOIN_LAST_5                                                                         \
    POLY1305_MULX_JOIN_LAST_5("%c[g](%%rdi)", "%c[g]+8(%%rdi)", "%c[g]+16(%%rdi)")

/* The first block of the second chain is its first value. */
#define CHACHA_POLY1305_BEGIN                                                                      \
    "movq %c[msg](%%rdi), %%rsi\n\t"                                                               \
    "movq 192(%%rsi), %%r8\n\t"                                                                    \
    "movq 200(%%rsi), %%r9\n\t"                                                                    \
    "movl $1, %%r10d\n\t"
#define CHACHA_POLY1305_END                                                                        \
    "movq %%rax, %c[h](%%rdi)\n\t"                                                                 \
    "movq %%rbx, %c[h]+8(%%rdi)\n\t"                                                               \
    "movq %%rcx, %c[h]+16(%%rdi)\n\t"                                                              \
    "movq %%r8, %c[g](%%rdi)\n\t"                                                                  \
    "movq %%r9, %c[g]+8(%%rdi)\n\t"                                                                \
    "movq %%r10, %c[g]+16(%%rdi)\n\t"

/*
 * chacha_eight, and 32 blocks at f->msg are hashed: f->h = f->h f->power + f->g, where f->power is
 * r^20, joins the chains of the call before, and takes in the first 12; the other 20 make f->g: one
 * to begin with, seven beside the first two double rounds (with the joining), and then three a chain
 * in each of four turns of two double rounds; f->left is 4. The text is written after the message
 * has been read, so that they may be the same.
 *
 * Zen 3: 490 cycles, where chacha_eight takes 485. With the joining outside, in C, it was 510.
 */
CHACHA_ASM_FUNCTION void chacha_eight_poly1305(struct chacha_eight *f)
{
    /* clang-format off */
    __asm__ volatile(
        CHACHA_EIGHT_LOAD
        CHACHA_POLY1305_BEGIN
        CHACHA_COLUMN_ROUND(CHACHA_JOIN_FIRST_9, CHACHA_JOIN_NEXT_5)
        CHACHA_DIAGONAL_ROUND(CHACHA_JOIN_LAST_5,
                              CHACHA_BLOCK_IN_5(r8, r9, r10, 208),
                              CHACHA_BLOCK_IN_4(r8, r9, r10, 224))
        CHACHA_COLUMN_ROUND(CHACHA_BLOCK_IN_9(r8, r9, r10, 240),
                            CHACHA_BLOCK_IN_5(r8, r9, r10, 256))
        CHACHA_DIAGONAL_ROUND(CHACHA_BLOCK_IN_5(r8, r9, r10, 272),
                              CHACHA_BLOCK_IN_5(r8, r9, r10, 288),
                              CHACHA_BLOCK_IN_4(r8, r9, r10, 304))
        CHACHA_EIGHT_LOOP_BEGIN
        CHACHA_COLUMN_ROUND(CHACHA_BLOCK_IN_9(rax, rbx, rcx, 0),
                            CHACHA_BLOCK_FIRST_5(r8, r9, r10))
        CHACHA_DIAGONAL_ROUND(CHACHA_BLOCK_LAST_4(r8, r9, r10, 320),
                              CHACHA_BLOCK_IN_9(rax, rbx, rcx, 16), )
        CHACHA_COLUMN_ROUND(CHACHA_BLOCK_IN_9(r8, r9, r10, 336),
                            CHACHA_BLOCK_FIRST_5(rax, rbx, rcx))
        CHACHA_DIAGONAL_ROUND(CHACHA_BLOCK_LAST_4(rax, rbx, rcx, 32),
                              CHACHA_BLOCK_IN_9(r8, r9, r10, 352), )
        "addq $48, %%rsi\n\t"
        CHACHA_EIGHT_LOOP_END
        CHACHA_POLY1305_END
        CHACHA_EIGHT_TEXT
        :
        : CHACHA_EIGHT_OPERANDS, [msg] "i"(offsetof(struct chacha_eight, msg)),
          [r0] "i"(offsetof(struct chacha_eight, key.r0)),
          [r1] "i"(offsetof(struct chacha_eight, key.r1)),
          [s1] "i"(offsetof(struct chacha_eight, key.s1)),
          [power] "i"(offsetof(struct chacha_eight, power)),
          [h] "i"(offsetof(struct chacha_eight, h)), [g] "i"(offsetof(struct chacha_eight, g))
        : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "memory", "cc", CHACHA_EIGHT_VECTORS);
    /* clang-format on */
    CHACHA_ASM_WROTE(f);
}

#endif
