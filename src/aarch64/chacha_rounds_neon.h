/* SPDX-License-Identifier: MIT */
/*
 * The rounds of four or eight ChaCha blocks in the vector registers, as text of assembly: one
 * register for each word of the state, one lane for each block, and slots between the instructions
 * for work of the scalar units, which would be idle. Static only.
 *
 * Assembly, because eight blocks are 32 words in 32 registers, of which compilers spill whichever
 * they like, and because none keeps scalar and vector instructions mixed as written. Eight, because
 * a round is a chain of additions, exclusive ors and shifts of two cycles each (three on
 * Cortex-A72): four blocks alone leave a third of the vector units' time unused on A72, and half of
 * it on Neoverse V2, which has four of them.
 *
 * Two groups, A and B, of four blocks each take turns, half a double round at a time. Registers:
 *
 *     words   0-3 (a)   4-7 (b)   8, 9      10, 11    12-15 (d)
 *     A       v0-v3     v4-v7     v8, v9    v28, v29  v10-v13
 *     B       v14-v17   v18-v21   v22, v23  v28, v29  v24-v27
 *
 * v28 and v29 belong to the group whose turn it is; those of the other are in memory. v30 is a
 * temporary, v31 the table of the rotation by 8.
 */
#ifndef AEADFAST_AARCH64_CHACHA_ROUNDS_NEON_H
#define AEADFAST_AARCH64_CHACHA_ROUNDS_NEON_H

#include <stdint.h>

/* The 4095 characters of a string that C promises are not enough; GCC and Clang have no limit. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

/* What the assembly keeps and leaves in memory. All of it is secret. */
struct chacha_scratch {
    uint32_t away[2][8];    /* words 10 and 11 of the group whose turn it is not: A, B */
    uint32_t scalar[2][16]; /* blocks of the scalar registers, without the final addition */
};

/* Numbers of the blocks of A and B, and the table of the rotation by 8. */
static const uint8_t chacha_constants[48] __attribute__((aligned(16))) = {
    0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4,  0, 0, 0,  5,  0,  0,  0,
    6, 0, 0, 0, 7, 0, 0, 0, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};

#define CHACHA_V_ADD(x, y)   "add v" #x ".4s, v" #x ".4s, v" #y ".4s\n\t"
#define CHACHA_V_XOR(x, y)   "eor v" #x ".16b, v" #x ".16b, v" #y ".16b\n\t"
#define CHACHA_V_ROTATE16(x) "rev32 v" #x ".8h, v" #x ".8h\n\t"
#define CHACHA_V_ROTATE8(x)  "tbl v" #x ".16b, {v" #x ".16b}, v31.16b\n\t"
/* x = (x ^ y) rotated; one temporary for all, as the register renaming does the rest */
#define CHACHA_V_XOR_ROTATE(x, y, left, right)                                                     \
    "eor v30.16b, v" #x ".16b, v" #y ".16b\n\t"                                                    \
    "shl v" #x ".4s, v30.4s, #" #left "\n\t"                                                       \
    "sri v" #x ".4s, v30.4s, #" #right "\n\t"

/* Four quarter rounds abreast, and twelve slots. */
/* clang-format off */
#define CHACHA_HALF_ROUND(a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3,          \
                          s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11)                        \
    CHACHA_V_ADD(a0, b0) CHACHA_V_ADD(a1, b1) CHACHA_V_ADD(a2, b2) CHACHA_V_ADD(a3, b3)            \
    s0                                                                                             \
    CHACHA_V_XOR(d0, a0) CHACHA_V_XOR(d1, a1) CHACHA_V_XOR(d2, a2) CHACHA_V_XOR(d3, a3)            \
    s1                                                                                             \
    CHACHA_V_ROTATE16(d0) CHACHA_V_ROTATE16(d1) CHACHA_V_ROTATE16(d2) CHACHA_V_ROTATE16(d3)        \
    s2                                                                                             \
    CHACHA_V_ADD(c0, d0) CHACHA_V_ADD(c1, d1) CHACHA_V_ADD(c2, d2) CHACHA_V_ADD(c3, d3)            \
    s3                                                                                             \
    CHACHA_V_XOR_ROTATE(b0, c0, 12, 20) CHACHA_V_XOR_ROTATE(b1, c1, 12, 20)                        \
    s4                                                                                             \
    CHACHA_V_XOR_ROTATE(b2, c2, 12, 20) CHACHA_V_XOR_ROTATE(b3, c3, 12, 20)                        \
    s5                                                                                             \
    CHACHA_V_ADD(a0, b0) CHACHA_V_ADD(a1, b1) CHACHA_V_ADD(a2, b2) CHACHA_V_ADD(a3, b3)            \
    s6                                                                                             \
    CHACHA_V_XOR(d0, a0) CHACHA_V_XOR(d1, a1) CHACHA_V_XOR(d2, a2) CHACHA_V_XOR(d3, a3)            \
    s7                                                                                             \
    CHACHA_V_ROTATE8(d0) CHACHA_V_ROTATE8(d1) CHACHA_V_ROTATE8(d2) CHACHA_V_ROTATE8(d3)            \
    s8                                                                                             \
    CHACHA_V_ADD(c0, d0) CHACHA_V_ADD(c1, d1) CHACHA_V_ADD(c2, d2) CHACHA_V_ADD(c3, d3)            \
    s9                                                                                             \
    CHACHA_V_XOR_ROTATE(b0, c0, 7, 25) CHACHA_V_XOR_ROTATE(b1, c1, 7, 25)                          \
    s10                                                                                            \
    CHACHA_V_XOR_ROTATE(b2, c2, 7, 25) CHACHA_V_XOR_ROTATE(b3, c3, 7, 25)                          \
    s11
/* clang-format on */

/* The parameter is twelve slots. Quarter rounds with v28 and v29 come last: they may be loading. */
#define CHACHA_A_COLUMNS(...)                                                                      \
    CHACHA_HALF_ROUND(0, 4, 8, 10, 1, 5, 9, 11, 2, 6, 28, 12, 3, 7, 29, 13, __VA_ARGS__)
#define CHACHA_A_DIAGONALS(...)                                                                    \
    CHACHA_HALF_ROUND(2, 7, 8, 11, 3, 4, 9, 12, 0, 5, 28, 13, 1, 6, 29, 10, __VA_ARGS__)
#define CHACHA_B_COLUMNS(...)                                                                      \
    CHACHA_HALF_ROUND(14, 18, 22, 24, 15, 19, 23, 25, 16, 20, 28, 26, 17, 21, 29, 27, __VA_ARGS__)
#define CHACHA_B_DIAGONALS(...)                                                                    \
    CHACHA_HALF_ROUND(16, 21, 22, 25, 17, 18, 23, 26, 14, 19, 28, 27, 15, 20, 29, 24, __VA_ARGS__)

/* clang-format off */
#define CHACHA_TURN_TO_B                                                                           \
    "stp q28, q29, [%[scratch]]\n\t"                                                               \
    "ldp q28, q29, [%[scratch], #32]\n\t"
#define CHACHA_TURN_TO_A                                                                           \
    "stp q28, q29, [%[scratch], #32]\n\t"                                                          \
    "ldp q28, q29, [%[scratch]]\n\t"

/* A double round of eight blocks; of two halves of a round with slots, of A and of B. */
#define CHACHA_EIGHT_ROUND(columns_a, columns_b, diagonals_a, diagonals_b)                         \
    CHACHA_A_COLUMNS(columns_a)                                                                    \
    CHACHA_TURN_TO_B                                                                               \
    CHACHA_B_COLUMNS(columns_b)                                                                    \
    CHACHA_TURN_TO_A                                                                               \
    CHACHA_A_DIAGONALS(diagonals_a)                                                                \
    CHACHA_TURN_TO_B                                                                               \
    CHACHA_B_DIAGONALS(diagonals_b)                                                                \
    CHACHA_TURN_TO_A
#define CHACHA_NO_SLOTS , , , , , , , , , , ,

/* ---- Before and after the rounds; x17 is an address ---- */

#define CHACHA_LOAD_A                                                                              \
    "ldp q30, q31, [%[constants]]\n\t"                                                             \
    "mov x17, %[state]\n\t"                                                                        \
    "ld4r {v0.4s, v1.4s, v2.4s, v3.4s}, [x17], #16\n\t"                                            \
    "ld4r {v4.4s, v5.4s, v6.4s, v7.4s}, [x17], #16\n\t"                                            \
    "ld2r {v8.4s, v9.4s}, [x17], #8\n\t"                                                           \
    "ld2r {v28.4s, v29.4s}, [x17], #8\n\t"                                                         \
    "ld4r {v10.4s, v11.4s, v12.4s, v13.4s}, [x17]\n\t"
#define CHACHA_LOAD_B                                                                              \
    "mov x17, %[state]\n\t"                                                                        \
    "stp q28, q29, [%[scratch], #32]\n\t"                                                          \
    "ld4r {v14.4s, v15.4s, v16.4s, v17.4s}, [x17], #16\n\t"                                        \
    "ld4r {v18.4s, v19.4s, v20.4s, v21.4s}, [x17], #16\n\t"                                        \
    "ld2r {v22.4s, v23.4s}, [x17]\n\t"                                                             \
    "add x17, %[state], #48\n\t"                                                                   \
    "ld4r {v24.4s, v25.4s, v26.4s, v27.4s}, [x17]\n\t"
#define CHACHA_NUMBER_A CHACHA_V_ADD(10, 30)
#define CHACHA_NUMBER_B CHACHA_V_ADD(24, 31)
#define CHACHA_LOAD_TABLE "ldr q31, [%[constants], #32]\n\t"

#define CHACHA_LOAD_FOUR CHACHA_LOAD_A CHACHA_NUMBER_A CHACHA_LOAD_TABLE
#define CHACHA_LOAD_EIGHT                                                                          \
    CHACHA_LOAD_A CHACHA_LOAD_B CHACHA_NUMBER_A CHACHA_NUMBER_B CHACHA_LOAD_TABLE

/*
 * Four words of four blocks become 16 bytes of blocks 0 to 3 in w2, w0, t and w3; w1 is free then.
 * TRN, because Cortex-A72 takes three steps for a ZIP.
 */
#define CHACHA_TRANSPOSE(w0, w1, w2, w3, t)                                                        \
    "trn1 v" #t ".4s, v" #w0 ".4s, v" #w1 ".4s\n\t"                                                \
    "trn2 v" #w1 ".4s, v" #w0 ".4s, v" #w1 ".4s\n\t"                                               \
    "trn1 v" #w0 ".4s, v" #w2 ".4s, v" #w3 ".4s\n\t"                                               \
    "trn2 v" #w3 ".4s, v" #w2 ".4s, v" #w3 ".4s\n\t"                                               \
    "trn1 v" #w2 ".2d, v" #t ".2d, v" #w0 ".2d\n\t"                                                \
    "trn2 v" #t ".2d, v" #t ".2d, v" #w0 ".2d\n\t"                                                 \
    "trn1 v" #w0 ".2d, v" #w1 ".2d, v" #w3 ".2d\n\t"                                               \
    "trn2 v" #w3 ".2d, v" #w1 ".2d, v" #w3 ".2d\n\t"
#define CHACHA_XOR_TEXT(x, y, t, u, at)                                                            \
    "ldp q" #t ", q" #u ", [%[src], #" #at "]\n\t"                                                 \
    CHACHA_V_XOR(x, t) CHACHA_V_XOR(y, u)                                                          \
    "stp q" #x ", q" #y ", [%[dst], #" #at "]\n\t"
/* Half of four blocks: the words in x0 to x3 and y0 to y3, the state's at `words`; t, u are free. */
#define CHACHA_HALF_TEXT(x0, x1, x2, x3, y0, y1, y2, y3, t, u, words, at0, at1, at2, at3)          \
    CHACHA_TRANSPOSE(x0, x1, x2, x3, t)                                                            \
    CHACHA_TRANSPOSE(y0, y1, y2, y3, x1)                                                           \
    "ldp q" #y1 ", q" #u ", [%[state], #" #words "]\n\t"                                           \
    CHACHA_V_ADD(x2, y1) CHACHA_V_ADD(x0, y1) CHACHA_V_ADD(t, y1) CHACHA_V_ADD(x3, y1)             \
    CHACHA_V_ADD(y2, u) CHACHA_V_ADD(y0, u) CHACHA_V_ADD(x1, u) CHACHA_V_ADD(y3, u)                \
    CHACHA_XOR_TEXT(x2, y2, y1, u, at0)                                                            \
    CHACHA_XOR_TEXT(x0, y0, y1, u, at1)                                                            \
    CHACHA_XOR_TEXT(t, x1, y1, u, at2)                                                             \
    CHACHA_XOR_TEXT(x3, y3, y1, u, at3)

#define CHACHA_TEXT_A                                                                              \
    CHACHA_HALF_TEXT(0, 1, 2, 3, 4, 5, 6, 7, 30, 31, 0, 0, 64, 128, 192)                           \
    "ldp q0, q1, [%[constants]]\n\t"                                                               \
    CHACHA_V_ADD(10, 0)                                                                            \
    CHACHA_HALF_TEXT(8, 9, 28, 29, 10, 11, 12, 13, 30, 31, 32, 32, 96, 160, 224)
#define CHACHA_TEXT_B                                                                              \
    CHACHA_V_ADD(24, 1)                                                                            \
    "ldp q28, q29, [%[scratch], #32]\n\t"                                                          \
    CHACHA_HALF_TEXT(14, 15, 16, 17, 18, 19, 20, 21, 30, 31, 0, 256, 320, 384, 448)                \
    CHACHA_HALF_TEXT(22, 23, 28, 29, 24, 25, 26, 27, 30, 31, 32, 288, 352, 416, 480)
/* clang-format on */

#define CHACHA_VECTORS                                                                             \
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", \
        "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", \
        "v28", "v29", "v30", "v31"

#endif
