/* SPDX-License-Identifier: MIT */
/*
 * One ChaCha block, four to six, eight, or ten: four or eight in the vector registers, and one or
 * two in the scalar ones beside them. Static only.
 *
 * All but the first have the same parameters. dst = src xor the key stream of the vector blocks, the
 * first of which is that of `state`. Scalar blocks are left in s->scalar without the final addition;
 * their word 12 comes in there. Two of them are done one after the other, each in half the time.
 *
 * Cycles of a double round by llvm-mca (Cortex-A72, Neoverse N1, V2), and those of OpenSSL 3.0:
 *
 *     one     49   32  24       in scalar registers
 *     four    92   56  56
 *     five    92   56  56       OpenSSL, as many blocks: 92, 64, 56
 *     six    108   64  56
 *     eight  128  116  60       OpenSSL, as many blocks: 148, 110, 66
 *     ten    165  116  60
 */
#ifndef AEADFAST_AARCH64_CHACHA_BLOCKS_NEON_H
#define AEADFAST_AARCH64_CHACHA_BLOCKS_NEON_H

#include "../codegen.h"
#include "chacha_scalar_neon.h"

/* Not inlined: what is saved at entry lies where it is counted, and is saved where it is needed. */
#define CHACHA_ASM_FUNCTION __attribute__((noinline, unused)) static

#define CHACHA_LOOP_BEGIN                                                                          \
    "mov x17, %[left]\n\t"                                                                         \
    ".p2align 5\n"                                                                                 \
    "1:\n\t"
#define CHACHA_LOOP_END                                                                            \
    "subs x17, x17, #1\n\t"                                                                        \
    "b.ne 1b\n\t"

/* The same for both scalar blocks. */
#define CHACHA_TWICE_BEGIN "2:\n\t"
#define CHACHA_TWICE_END                                                                           \
    "add %[block], %[block], #64\n\t"                                                              \
    "cmp %[block], %[end]\n\t"                                                                     \
    "b.ne 2b\n\t"

#define CHACHA_JOIN(...) CHACHA_JOIN_(__VA_ARGS__)
#define CHACHA_JOIN_(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11)                             \
    s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11

#define CHACHA_PARAMETERS                                                                          \
    uint8_t *dst, const uint8_t *src, const uint32_t state[16], int rounds, struct chacha_scratch *s
#define CHACHA_OPERANDS                                                                            \
    [dst] "r"(dst), [src] "r"(src), [state] "r"(state), [constants] "r"(chacha_constants)

/* clang-format off */

/* One block in the scalar registers, without the final addition; its word 12 comes in there. */
CHACHA_ASM_FUNCTION void chacha_one(uint32_t block[16], const uint32_t state[16], int rounds)
{
    __asm__ volatile(
        CHACHA_S_LOAD
        CHACHA_LOOP_BEGIN
        CHACHA_JOIN(CHACHA_S_COLUMNS)
        CHACHA_JOIN(CHACHA_S_DIAGONALS)
        CHACHA_LOOP_END
        CHACHA_S_STORE
        :
        : [block] "r"(block), [state] "r"(state), [left] "r"((uint64_t)rounds / 2)
        : "memory", "cc", CHACHA_S_REGISTERS);
}

CHACHA_ASM_FUNCTION void chacha_four(CHACHA_PARAMETERS)
{
    (void)s;
    __asm__ volatile(
        CHACHA_LOAD_FOUR
        CHACHA_LOOP_BEGIN
        CHACHA_A_COLUMNS(CHACHA_NO_SLOTS)
        CHACHA_A_DIAGONALS(CHACHA_NO_SLOTS)
        CHACHA_LOOP_END
        CHACHA_TEXT_A
        :
        : CHACHA_OPERANDS, [left] "r"((uint64_t)rounds / 2)
        : "memory", "cc", "x17", CHACHA_VECTORS);
}

CHACHA_ASM_FUNCTION void chacha_five(CHACHA_PARAMETERS)
{
    __asm__ volatile(
        CHACHA_LOAD_FOUR
        CHACHA_S_LOAD
        CHACHA_LOOP_BEGIN
        CHACHA_A_COLUMNS(CHACHA_S_COLUMNS)
        CHACHA_A_DIAGONALS(CHACHA_S_DIAGONALS)
        CHACHA_LOOP_END
        CHACHA_S_STORE
        CHACHA_TEXT_A
        :
        : CHACHA_OPERANDS, [left] "r"((uint64_t)rounds / 2), [block] "r"(s->scalar[0])
        : "memory", "cc", CHACHA_S_REGISTERS, CHACHA_VECTORS);
}

CHACHA_ASM_FUNCTION void chacha_six(CHACHA_PARAMETERS)
{
    uint32_t *block = s->scalar[0];

    __asm__ volatile(
        CHACHA_LOAD_FOUR
        CHACHA_TWICE_BEGIN
        CHACHA_S_LOAD
        CHACHA_LOOP_BEGIN
        CHACHA_A_COLUMNS(CHACHA_S_BOTH)
        CHACHA_A_DIAGONALS(CHACHA_S_BOTH)
        CHACHA_LOOP_END
        CHACHA_S_STORE
        CHACHA_TWICE_END
        CHACHA_TEXT_A
        : [block] "+&r"(block)
        : CHACHA_OPERANDS, [left] "r"((uint64_t)rounds / 4), [end] "r"(s->scalar[2])
        : "memory", "cc", CHACHA_S_REGISTERS, CHACHA_VECTORS);
}

CHACHA_ASM_FUNCTION void chacha_eight(CHACHA_PARAMETERS)
{
    __asm__ volatile(
        CHACHA_LOAD_EIGHT
        CHACHA_LOOP_BEGIN
        CHACHA_EIGHT_ROUND(CHACHA_NO_SLOTS, CHACHA_NO_SLOTS, CHACHA_NO_SLOTS, CHACHA_NO_SLOTS)
        CHACHA_LOOP_END
        CHACHA_TEXT_A
        CHACHA_TEXT_B
        :
        : CHACHA_OPERANDS, [left] "r"((uint64_t)rounds / 2), [scratch] "r"(s)
        : "memory", "cc", "x17", CHACHA_VECTORS);
}

CHACHA_ASM_FUNCTION void chacha_ten(CHACHA_PARAMETERS)
{
    uint32_t *block = s->scalar[0];

    __asm__ volatile(
        CHACHA_LOAD_EIGHT
        CHACHA_TWICE_BEGIN
        CHACHA_S_LOAD
        CHACHA_LOOP_BEGIN
        CHACHA_EIGHT_ROUND(CHACHA_S_COLUMNS, CHACHA_S_DIAGONALS,
                           CHACHA_S_COLUMNS, CHACHA_S_DIAGONALS)
        CHACHA_LOOP_END
        CHACHA_S_STORE
        CHACHA_TWICE_END
        CHACHA_TEXT_A
        CHACHA_TEXT_B
        : [block] "+&r"(block)
        : CHACHA_OPERANDS, [left] "r"((uint64_t)rounds / 4), [end] "r"(s->scalar[2]),
          [scratch] "r"(s)
        : "memory", "cc", CHACHA_S_REGISTERS, CHACHA_VECTORS);
}

/* clang-format on */

#endif
