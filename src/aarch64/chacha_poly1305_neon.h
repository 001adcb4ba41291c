/* SPDX-License-Identifier: MIT */
/*
 * Four or eight ChaCha20 blocks in the vector registers, with Poly1305 of other bytes between their
 * instructions, in the scalar ones. Static only.
 *
 * One chain of Poly1305 takes up to 37 cycles for 16 bytes, most of which are waiting. A double round
 * of eight ChaCha blocks lasts as long as three such blocks, one of four as long as two or nearly so;
 * by llvm-mca (Cortex-A72, Neoverse N1, V2), and without the hash:
 *
 *     eight and 3   128  116  60     (128, 116, 60)
 *     four and 2     92   74  56     ( 92,  56, 56)
 */
#ifndef AEADFAST_AARCH64_CHACHA_POLY1305_NEON_H
#define AEADFAST_AARCH64_CHACHA_POLY1305_NEON_H

#include "chacha_blocks_neon.h"
#include "poly1305_scalar.h"

struct chacha_hash {
    struct poly1305_number h;
    struct poly1305_r r;
    uint64_t s0;
    uint64_t s1;
};

_Static_assert(offsetof(struct chacha_hash, r) == 24, "the assembly below says so");

/* clang-format off */

/*
 * A step by the block at x16, in quarters of four slots: h in x1 to x3, r0 r1 s1 in x4 to x6, 1 in
 * x7. And, for four ChaCha blocks, in twelve slots.
 */
#define CHACHA_P_0 POLY1305_P0("x1", "x4", "x8", "x9")
#define CHACHA_P_1 POLY1305_P1("x1", "x5", "x10", "x11")
#define CHACHA_P_2 POLY1305_P2("x2", "x6", "x12", "x13")
#define CHACHA_P_3 POLY1305_P3("x2", "x4", "x14", "x15")
#define CHACHA_P_4 POLY1305_P4("x3", "x6", "x13")
#define CHACHA_P_5 POLY1305_P5("x3", "x4", "x15")
#define CHACHA_P_LOAD_BLOCK "ldp x1, x2, [x16], #16\n\t"
#define CHACHA_P_6 POLY1305_P6("x8", "x10", "x11", "x1", "x2", "x7")
#define CHACHA_P_7 POLY1305_P7("x8", "x10", "x12", "x14")
#define CHACHA_P_8 POLY1305_P8("x9", "x11", "x13", "x15")
#define CHACHA_P_9 POLY1305_P9("x2", "x3", "x9", "x10", "x11")
#define CHACHA_P_10 POLY1305_P10("x3", "x9")
#define CHACHA_P_11 POLY1305_P11("x1", "x3", "x8", "x9")
#define CHACHA_P_12 POLY1305_P12("x2", "x3")

#define CHACHA_P_QUARTER_1 CHACHA_P_0, CHACHA_P_1, CHACHA_P_2, CHACHA_P_3
#define CHACHA_P_QUARTER_2 CHACHA_P_4, CHACHA_P_5, CHACHA_P_LOAD_BLOCK, CHACHA_P_6
#define CHACHA_P_QUARTER_3 CHACHA_P_7, CHACHA_P_8, CHACHA_P_9, CHACHA_P_10
#define CHACHA_P_QUARTER_4 CHACHA_P_11, CHACHA_P_12, ,

/* Three steps in the four halves of a double round of eight ChaCha blocks. */
#define CHACHA_P_EIGHT_ROUND                                                                       \
    CHACHA_EIGHT_ROUND(CHACHA_P_HALF_1, CHACHA_P_HALF_2, CHACHA_P_HALF_3, CHACHA_P_HALF_4)
#define CHACHA_P_HALF_1 CHACHA_P_QUARTER_1, CHACHA_P_QUARTER_2, CHACHA_P_QUARTER_3
#define CHACHA_P_HALF_2 CHACHA_P_QUARTER_4, CHACHA_P_QUARTER_1, CHACHA_P_QUARTER_2
#define CHACHA_P_HALF_3 CHACHA_P_QUARTER_3, CHACHA_P_QUARTER_4, CHACHA_P_QUARTER_1
#define CHACHA_P_HALF_4 CHACHA_P_QUARTER_2, CHACHA_P_QUARTER_3, CHACHA_P_QUARTER_4

/* And one in a half of a round of four. */
#define CHACHA_P_HALF                                                                              \
    CHACHA_P_0, CHACHA_P_1, CHACHA_P_2, CHACHA_P_3, CHACHA_P_4 CHACHA_P_5, CHACHA_P_LOAD_BLOCK,    \
    CHACHA_P_6, CHACHA_P_7, CHACHA_P_8, CHACHA_P_9 CHACHA_P_10, CHACHA_P_11, CHACHA_P_12

#define CHACHA_P_LOAD                                                                              \
    "ldp x1, x2, [%[hash]]\n\t"                                                                    \
    "ldp x3, x4, [%[hash], #16]\n\t"                                                               \
    "ldp x5, x6, [%[hash], #32]\n\t"                                                               \
    "mov x7, #1\n\t"                                                                               \
    "mov x16, %[msg]\n\t"
#define CHACHA_P_STORE                                                                             \
    "stp x1, x2, [%[hash]]\n\t"                                                                    \
    "str x3, [%[hash], #16]\n\t"

/* Turns with the hash, one at least, and what is left of ten without; none may be left. */
#define CHACHA_P_TURNS(with, without)                                                              \
    "mov x17, %[turns]\n\t"                                                                        \
    ".p2align 5\n"                                                                                 \
    "1:\n\t"                                                                                       \
    with                                                                                           \
    "subs x17, x17, #1\n\t"                                                                        \
    "b.ne 1b\n\t"                                                                                  \
    "mov x17, #10\n\t"                                                                             \
    "subs x17, x17, %[turns]\n\t"                                                                  \
    "b.eq 3f\n"                                                                                    \
    "2:\n\t"                                                                                       \
    without                                                                                        \
    "subs x17, x17, #1\n\t"                                                                        \
    "b.ne 2b\n"                                                                                    \
    "3:\n\t"

#define CHACHA_P_REGISTERS                                                                         \
    "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",       \
    "x15", "x16", "x17"

/*
 * 512 bytes of text, and 48 turns bytes of hash, 1 <= turns <= 10. The text is written after the
 * message has been read, so that they may be the same.
 */
CHACHA_ASM_FUNCTION void chacha_eight_poly1305(uint8_t *dst, const uint8_t *src,
                                               const uint32_t state[16], struct chacha_scratch *s,
                                               struct chacha_hash *hash, const uint8_t *msg,
                                               size_t turns)
{
    __asm__ volatile(
        CHACHA_LOAD_EIGHT
        CHACHA_P_LOAD
        CHACHA_P_TURNS(
            CHACHA_P_EIGHT_ROUND,
            CHACHA_EIGHT_ROUND(CHACHA_NO_SLOTS, CHACHA_NO_SLOTS, CHACHA_NO_SLOTS, CHACHA_NO_SLOTS))
        CHACHA_P_STORE
        CHACHA_TEXT_A
        CHACHA_TEXT_B
        :
        : CHACHA_OPERANDS, [scratch] "r"(s), [hash] "r"(hash), [msg] "r"(msg), [turns] "r"(turns)
        : "memory", "cc", CHACHA_P_REGISTERS, CHACHA_VECTORS);
}

/* 256 bytes of text, and 32 turns bytes of hash. */
CHACHA_ASM_FUNCTION void chacha_four_poly1305(uint8_t *dst, const uint8_t *src,
                                              const uint32_t state[16], struct chacha_scratch *s,
                                              struct chacha_hash *hash, const uint8_t *msg,
                                              size_t turns)
{
    (void)s;
    __asm__ volatile(
        CHACHA_LOAD_FOUR
        CHACHA_P_LOAD
        CHACHA_P_TURNS(
            CHACHA_A_COLUMNS(CHACHA_P_HALF) CHACHA_A_DIAGONALS(CHACHA_P_HALF),
            CHACHA_A_COLUMNS(CHACHA_NO_SLOTS) CHACHA_A_DIAGONALS(CHACHA_NO_SLOTS))
        CHACHA_P_STORE
        CHACHA_TEXT_A
        :
        : CHACHA_OPERANDS, [hash] "r"(hash), [msg] "r"(msg), [turns] "r"(turns)
        : "memory", "cc", CHACHA_P_REGISTERS, CHACHA_VECTORS);
}

/* clang-format on */

#endif
