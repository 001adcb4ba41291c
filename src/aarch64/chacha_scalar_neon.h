/* SPDX-License-Identifier: MIT */
/*
 * One ChaCha block in the scalar registers, in pieces for the slots of chacha_rounds_neon.h: words
 * 0 to 15 are in w1 to w16. Static only.
 */
#ifndef AEADFAST_AARCH64_CHACHA_SCALAR_NEON_H
#define AEADFAST_AARCH64_CHACHA_SCALAR_NEON_H

#include "chacha_rounds_neon.h"

/* The same instruction of four quarter rounds. */
#define CHACHA_S_ADD(x0, y0, x1, y1, x2, y2, x3, y3)                                               \
    "add w" #x0 ", w" #x0 ", w" #y0 "\n\t"                                                         \
    "add w" #x1 ", w" #x1 ", w" #y1 "\n\t"                                                         \
    "add w" #x2 ", w" #x2 ", w" #y2 "\n\t"                                                         \
    "add w" #x3 ", w" #x3 ", w" #y3 "\n\t"
#define CHACHA_S_XOR(x0, y0, x1, y1, x2, y2, x3, y3)                                               \
    "eor w" #x0 ", w" #x0 ", w" #y0 "\n\t"                                                         \
    "eor w" #x1 ", w" #x1 ", w" #y1 "\n\t"                                                         \
    "eor w" #x2 ", w" #x2 ", w" #y2 "\n\t"                                                         \
    "eor w" #x3 ", w" #x3 ", w" #y3 "\n\t"
#define CHACHA_S_ROTATE(right, x0, x1, x2, x3)                                                     \
    "ror w" #x0 ", w" #x0 ", #" #right "\n\t"                                                      \
    "ror w" #x1 ", w" #x1 ", #" #right "\n\t"                                                      \
    "ror w" #x2 ", w" #x2 ", #" #right "\n\t"                                                      \
    "ror w" #x3 ", w" #x3 ", #" #right "\n\t"

/* Pieces 0 to 11 of a column round; of a diagonal round. */
#define CHACHA_S_COLUMNS_AB      CHACHA_S_ADD(1, 5, 2, 6, 3, 7, 4, 8)
#define CHACHA_S_COLUMNS_DA      CHACHA_S_XOR(13, 1, 14, 2, 15, 3, 16, 4)
#define CHACHA_S_COLUMNS_CD      CHACHA_S_ADD(9, 13, 10, 14, 11, 15, 12, 16)
#define CHACHA_S_COLUMNS_BC      CHACHA_S_XOR(5, 9, 6, 10, 7, 11, 8, 12)
#define CHACHA_S_DIAGONALS_AB    CHACHA_S_ADD(1, 6, 2, 7, 3, 8, 4, 5)
#define CHACHA_S_DIAGONALS_DA    CHACHA_S_XOR(16, 1, 13, 2, 14, 3, 15, 4)
#define CHACHA_S_DIAGONALS_CD    CHACHA_S_ADD(11, 16, 12, 13, 9, 14, 10, 15)
#define CHACHA_S_DIAGONALS_BC    CHACHA_S_XOR(6, 11, 7, 12, 8, 9, 5, 10)
#define CHACHA_S_ROTATE_D(right) CHACHA_S_ROTATE(right, 13, 14, 15, 16)
#define CHACHA_S_ROTATE_B(right) CHACHA_S_ROTATE(right, 5, 6, 7, 8)

/* As twelve slots, each round one; and both rounds in twelve. */
#define CHACHA_S_COLUMNS                                                                           \
    CHACHA_S_COLUMNS_AB, CHACHA_S_COLUMNS_DA, CHACHA_S_ROTATE_D(16), CHACHA_S_COLUMNS_CD,          \
        CHACHA_S_COLUMNS_BC, CHACHA_S_ROTATE_B(20), CHACHA_S_COLUMNS_AB, CHACHA_S_COLUMNS_DA,      \
        CHACHA_S_ROTATE_D(24), CHACHA_S_COLUMNS_CD, CHACHA_S_COLUMNS_BC, CHACHA_S_ROTATE_B(25)
#define CHACHA_S_DIAGONALS                                                                         \
    CHACHA_S_DIAGONALS_AB, CHACHA_S_DIAGONALS_DA, CHACHA_S_ROTATE_D(16), CHACHA_S_DIAGONALS_CD,    \
        CHACHA_S_DIAGONALS_BC, CHACHA_S_ROTATE_B(20), CHACHA_S_DIAGONALS_AB,                       \
        CHACHA_S_DIAGONALS_DA, CHACHA_S_ROTATE_D(24), CHACHA_S_DIAGONALS_CD,                       \
        CHACHA_S_DIAGONALS_BC, CHACHA_S_ROTATE_B(25)
#define CHACHA_S_BOTH                                                                              \
    CHACHA_S_COLUMNS_AB CHACHA_S_COLUMNS_DA, CHACHA_S_ROTATE_D(16) CHACHA_S_COLUMNS_CD,            \
        CHACHA_S_COLUMNS_BC CHACHA_S_ROTATE_B(20), CHACHA_S_COLUMNS_AB CHACHA_S_COLUMNS_DA,        \
        CHACHA_S_ROTATE_D(24) CHACHA_S_COLUMNS_CD, CHACHA_S_COLUMNS_BC CHACHA_S_ROTATE_B(25),      \
        CHACHA_S_DIAGONALS_AB CHACHA_S_DIAGONALS_DA, CHACHA_S_ROTATE_D(16) CHACHA_S_DIAGONALS_CD,  \
        CHACHA_S_DIAGONALS_BC CHACHA_S_ROTATE_B(20), CHACHA_S_DIAGONALS_AB CHACHA_S_DIAGONALS_DA,  \
        CHACHA_S_ROTATE_D(24) CHACHA_S_DIAGONALS_CD, CHACHA_S_DIAGONALS_BC CHACHA_S_ROTATE_B(25)

/* The input, word 12 from the block, which has it alone; and all of the block back to memory. */
#define CHACHA_S_LOAD                                                                              \
    "ldp w1, w2, [%[state]]\n\t"                                                                   \
    "ldp w3, w4, [%[state], #8]\n\t"                                                               \
    "ldp w5, w6, [%[state], #16]\n\t"                                                              \
    "ldp w7, w8, [%[state], #24]\n\t"                                                              \
    "ldp w9, w10, [%[state], #32]\n\t"                                                             \
    "ldp w11, w12, [%[state], #40]\n\t"                                                            \
    "ldr w13, [%[block], #48]\n\t"                                                                 \
    "ldr w14, [%[state], #52]\n\t"                                                                 \
    "ldp w15, w16, [%[state], #56]\n\t"
#define CHACHA_S_STORE                                                                             \
    "stp w1, w2, [%[block]]\n\t"                                                                   \
    "stp w3, w4, [%[block], #8]\n\t"                                                               \
    "stp w5, w6, [%[block], #16]\n\t"                                                              \
    "stp w7, w8, [%[block], #24]\n\t"                                                              \
    "stp w9, w10, [%[block], #32]\n\t"                                                             \
    "stp w11, w12, [%[block], #40]\n\t"                                                            \
    "stp w13, w14, [%[block], #48]\n\t"                                                            \
    "stp w15, w16, [%[block], #56]\n\t"
#define CHACHA_S_REGISTERS                                                                         \
    "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",       \
        "x15", "x16", "x17"

#endif
