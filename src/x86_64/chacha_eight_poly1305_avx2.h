/* SPDX-License-Identifier: MIT */
/*
 * Eight ChaCha20 blocks with Poly1305 of other 512 bytes between their instructions. Needs AVX2 and
 * BMI2. Static only.
 *
 * The 32 blocks are hashed in one chain or, which takes the multiplier's latency out of the way, in
 * two, the first 16 and the last 16. Both chains multiply by the clamped r and are joined by r^16,
 * which takes 160 cycles to compute: as long as 16 KiB in two chains save.
 *
 * What is here is small on purpose, and loops wherever it can: a message that runs through more than
 * about 1700 instructions does not find them decoded when the next one begins, and pays 50 to 150
 * cycles for each of these functions.
 */
#ifndef AEADFAST_CHACHA_EIGHT_POLY1305_AVX2_H
#define AEADFAST_CHACHA_EIGHT_POLY1305_AVX2_H

#include "chacha_turns_avx2.h"
#include "poly1305_mulx.h"

/*
 * The pieces of a Poly1305 step, of the block at rsi + m, and how they fill nine slots, or five.
 * The first chain has its h in rax, rbx, rcx and the second in r8, r9, r10; r11 to r15 and
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

#define CHACHA_BLOCK_IN_9(h0, h1, h2, m)                                                           \
    CHACHA_P_1(h0), CHACHA_P_2(h1), CHACHA_P_3(h0), CHACHA_P_4(h2), CHACHA_P_5(h1),                \
        CHACHA_P_6(h1, h2), CHACHA_P_7(h2), CHACHA_P_8(h0, h1, h2, m), CHACHA_P_9(h0, h1, h2)
#define CHACHA_BLOCK_IN_5(h0, h1, h2, m)                                                           \
    CHACHA_P_1(h0)                                                                                 \
    CHACHA_P_2(h1), CHACHA_P_3(h0) CHACHA_P_4(h2), CHACHA_P_5(h1),                                 \
        CHACHA_P_6(h1, h2) CHACHA_P_7(h2), CHACHA_P_8(h0, h1, h2, m) CHACHA_P_9(h0, h1, h2)
/* The same in no slots of their own, and by the multiplier in f->k. */
#define CHACHA_BLOCK(h0, h1, h2, m, k)                                                             \
    POLY1305_MULX_1("%%" #h0, "%c[" #k "](%%rdi)", "%c[" #k "]+8(%%rdi)", "%%r11", "%%r12",        \
                    "%%r13")                                                                       \
    POLY1305_MULX_2("%%" #h1, "%c[" #k "](%%rdi)", "%c[" #k "]+16(%%rdi)", "%%r14", "%%r15")       \
    CHACHA_P_3(h0)                                                                                 \
    POLY1305_MULX_4("%%" #h2, "%c[" #k "](%%rdi)", "%c[" #k "]+16(%%rdi)", "%%r15")                \
    CHACHA_P_5(h1)                                                                                 \
    CHACHA_P_6(h1, h2)                                                                             \
    CHACHA_P_7(h2)                                                                                 \
    CHACHA_P_8(h0, h1, h2, m)                                                                      \
    CHACHA_P_9(h0, h1, h2)

/* f->h f->power + f->g in rax, rbx, rcx. */
#define CHACHA_JOIN_FIRST_9                                                                        \
    POLY1305_MULX_JOIN_9("%c[h](%%rdi)", "%c[h]+8(%%rdi)", "%c[h]+16(%%rdi)", "%c[power](%%rdi)",  \
                         "%c[power]+8(%%rdi)", "%c[power]+16(%%rdi)")
#define CHACHA_JOIN_NEXT_5 POLY1305_MULX_JOIN_5
#define CHACHA_JOIN_LAST_5                                                                         \
    POLY1305_MULX_JOIN_LAST_5("%c[g](%%rdi)", "%c[g]+8(%%rdi)", "%c[g]+16(%%rdi)")

#define CHACHA_POLY1305_LOAD(x, x0, x1, x2)                                                        \
    "movq %c[" #x "](%%rdi), %%" #x0 "\n\t"                                                        \
    "movq %c[" #x "]+8(%%rdi), %%" #x1 "\n\t"                                                      \
    "movq %c[" #x "]+16(%%rdi), %%" #x2 "\n\t"
#define CHACHA_POLY1305_STORE(x, x0, x1, x2)                                                       \
    "movq %%" #x0 ", %c[" #x "](%%rdi)\n\t"                                                        \
    "movq %%" #x1 ", %c[" #x "]+8(%%rdi)\n\t"                                                      \
    "movq %%" #x2 ", %c[" #x "]+16(%%rdi)\n\t"
#define CHACHA_POLY1305_OPERANDS                                                                   \
    [msg] "i"(CHACHA_OFFSET(msg)), [r0] "i"(CHACHA_OFFSET(key.r0)),                                \
        [r1] "i"(CHACHA_OFFSET(key.r1)), [s1] "i"(CHACHA_OFFSET(key.s1)),                          \
        [power] "i"(CHACHA_OFFSET(power)), [h] "i"(CHACHA_OFFSET(h)), [g] "i"(CHACHA_OFFSET(g)),   \
        [first] "i"(CHACHA_OFFSET(first))
#define CHACHA_POLY1305_CLOBBERS                                                                   \
    "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",       \
        "memory", "cc", CHACHA_EIGHT_VECTORS

/*
 * chacha_eight, and f->h takes in the 32 blocks at f->msg, in one chain: two, and then three in each
 * double round; f->left is 10. The text is written after the message has been read, so that they
 * may be the same. Before the first block h is multiplied by f->first: r, or 1 where that has been
 * done.
 *
 * Which piece stands where has been found by measuring some ten thousand ways on Zen 3: with the pieces
 * spread evenly a call takes 504 cycles, and like this 486; 484 with no hash at all.
 */
CHACHA_ASM_FUNCTION void chacha_eight_one_chain(struct chacha_eight *f)
{
    /* clang-format off */
    __asm__ volatile(
        CHACHA_EIGHT_LOAD
        "movq %c[msg](%%rdi), %%rsi\n\t"
        CHACHA_POLY1305_LOAD(h, r8, r9, r10)
        CHACHA_BLOCK(r8, r9, r10, 0, first)
        CHACHA_BLOCK(r8, r9, r10, 16, r0)
        ".p2align 6\n"
        "1:\n\t"
        CHACHA_TURN_1(CHACHA_P_1(r8), , , ,
                      CHACHA_P_2(r9) CHACHA_P_3(r8) CHACHA_P_4(r10) CHACHA_P_5(r9), , )
        CHACHA_TURN_2(, CHACHA_P_6(r9, r10), ,
                      CHACHA_P_7(r10) CHACHA_P_8(r8, r9, r10, 32) CHACHA_P_9(r8, r9, r10),
                      CHACHA_P_1(r8) CHACHA_P_2(r9), , )
        CHACHA_TURN_3(CHACHA_P_3(r8) CHACHA_P_4(r10) CHACHA_P_5(r9) CHACHA_P_6(r9, r10) CHACHA_P_7(r10), ,
                      CHACHA_P_8(r8, r9, r10, 48), CHACHA_P_9(r8, r9, r10), , , CHACHA_P_1(r8))
        CHACHA_TURN_4(CHACHA_P_2(r9) CHACHA_P_3(r8), CHACHA_P_4(r10) CHACHA_P_5(r9),
                      CHACHA_P_6(r9, r10) CHACHA_P_7(r10),
                      CHACHA_P_8(r8, r9, r10, 64) CHACHA_P_9(r8, r9, r10), , , )
        "addq $48, %%rsi\n\t"
        CHACHA_EIGHT_LOOP_END
        CHACHA_POLY1305_STORE(h, r8, r9, r10)
        CHACHA_EIGHT_TEXT
        :
        : CHACHA_EIGHT_OPERANDS, CHACHA_POLY1305_OPERANDS
        : CHACHA_POLY1305_CLOBBERS);
    /* clang-format on */
    CHACHA_ASM_WROTE(f);
}

/*
 * chacha_eight, and 32 blocks at f->msg are hashed: f->h = f->h f->power + f->g, where f->power is
 * r^16, joins the chains of the call before, and takes in the first 16; the other 16 make f->g. The
 * joining goes beside the first double round, and then, but for one, two blocks of each chain beside
 * each: f->left is 8.
 *
 * Zen 3: 490 cycles. With the joining outside, in C, it was 510.
 */
CHACHA_ASM_FUNCTION void chacha_eight_two_chains(struct chacha_eight *f)
{
    /* clang-format off */
    __asm__ volatile(
        CHACHA_EIGHT_LOAD
        "movq %c[msg](%%rdi), %%rsi\n\t"
        "xorl %%r8d, %%r8d\n\t"
        "xorl %%r9d, %%r9d\n\t"
        "xorl %%r10d, %%r10d\n\t"
        CHACHA_COLUMN_ROUND(CHACHA_JOIN_FIRST_9, CHACHA_JOIN_NEXT_5)
        CHACHA_DIAGONAL_ROUND(CHACHA_JOIN_LAST_5, , , , , , , , , )
        CHACHA_COLUMN_ROUND(, , , , , , , , , , , , , )
        CHACHA_DIAGONAL_ROUND(, , , , , , , , , , , , , )
        CHACHA_EIGHT_LOOP_BEGIN
        CHACHA_COLUMN_ROUND(CHACHA_BLOCK_IN_9(rax, rbx, rcx, 0),
                            CHACHA_BLOCK_IN_5(r8, r9, r10, 256))
        CHACHA_DIAGONAL_ROUND(CHACHA_BLOCK_IN_9(rax, rbx, rcx, 16),
                              CHACHA_BLOCK_IN_5(r8, r9, r10, 272))
        "addq $32, %%rsi\n\t"
        CHACHA_EIGHT_LOOP_END
        CHACHA_POLY1305_STORE(h, rax, rbx, rcx)
        CHACHA_POLY1305_STORE(g, r8, r9, r10)
        CHACHA_EIGHT_TEXT
        :
        : CHACHA_EIGHT_OPERANDS, CHACHA_POLY1305_OPERANDS
        : CHACHA_POLY1305_CLOBBERS);
    /* clang-format on */
    CHACHA_ASM_WROTE(f);
}

#endif
