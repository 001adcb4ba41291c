/* SPDX-License-Identifier: MIT */
/*
 * The rounds of eight ChaCha blocks at once in the 256-bit registers, or of four in the 128-bit ones,
 * as text of assembly: one register for each word of the state, one 32-bit lane for each block, and
 * slots between the instructions for other work. CHACHA_V is "ymm" or "xmm".
 *
 * This is assembly for two reasons. Sixteen words and a temporary do not fit into sixteen
 * registers: compilers spill a dozen words a round (cycles a byte for the rounds of 512 bytes on
 * Zen 3: GCC 12 1.24 to 1.4, Clang 14 1.07, this 0.90). And no compiler keeps scalar and vector
 * instructions mixed as written, on which the rest depends: the vector units, not the decoder,
 * limit the rounds, so what lies between in the scalar units costs little.
 *
 * Registers: 0-3 hold a0-a3 (words 0-3), 4-7 b0-b3 (4-7), 8-10 c0-c2 (8-10), 12-15 d0-d3 (12-15).
 * c3 (word 11) lives in memory, at rdi + %c[c3]: it takes part in one quarter round of four, where
 * adding from memory and storing costs one instruction more. 11 is the temporary.
 */
#ifndef AEADFAST_CHACHA_ROUNDS_H
#define AEADFAST_CHACHA_ROUNDS_H

/* The 4095 characters of a string that C promises are not enough; GCC and Clang have no limit. */
#pragma GCC diagnostic ignored "-Woverlength-strings"

#define CHACHA_V_ADD(x, y)                                                                         \
    "vpaddd %%" CHACHA_V "" #y ", %%" CHACHA_V "" #x ", %%" CHACHA_V "" #x "\n\t"
#define CHACHA_V_XOR(x, y)                                                                         \
    "vpxor %%" CHACHA_V "" #y ", %%" CHACHA_V "" #x ", %%" CHACHA_V "" #x "\n\t"
#define CHACHA_V_SHUFFLE(mask, x)                                                                  \
    "vpshufb " CHACHA_MASK(mask) ", %%" CHACHA_V "" #x ", %%" CHACHA_V "" #x "\n\t"
#define CHACHA_V_ROTATE(left, right, x)                                                            \
    "vpslld $" #left ", %%" CHACHA_V "" #x ", %%" CHACHA_V "11\n\t"                                \
    "vpsrld $" #right ", %%" CHACHA_V "" #x ", %%" CHACHA_V "" #x "\n\t"                           \
    "vpxor %%" CHACHA_V "11, %%" CHACHA_V "" #x ", %%" CHACHA_V "" #x "\n\t"
/* c3 += d; b ^= c3 */
#define CHACHA_V_ADD_C3_XOR(d, b)                                                                  \
    "vpaddd %c[c3](%%rdi), %%" CHACHA_V "" #d ", %%" CHACHA_V "11\n\t"                             \
    "vmovdqu %%" CHACHA_V "11, %c[c3](%%rdi)\n\t"                                                  \
    "vpxor %%" CHACHA_V "11, %%" CHACHA_V "" #b ", %%" CHACHA_V "" #b "\n\t"

/*
 * Four quarter rounds abreast, step by step; the last is the one with c3. Each of the fourteen
 * slots s0 to s13 may hold scalar instructions; no vector instruction changes the flags.
 */
/* clang-format off */
#define CHACHA_HALF_ROUND(a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, d3, s0, s1, s2,  \
                          s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13)                          \
    CHACHA_V_ADD(a0, b0) CHACHA_V_ADD(a1, b1) CHACHA_V_ADD(a2, b2) CHACHA_V_ADD(a3, b3)            \
    s0                                                                                             \
    CHACHA_V_XOR(d0, a0) CHACHA_V_XOR(d1, a1) CHACHA_V_XOR(d2, a2) CHACHA_V_XOR(d3, a3)            \
    s1                                                                                             \
    CHACHA_V_SHUFFLE(rot16, d0) CHACHA_V_SHUFFLE(rot16, d1) CHACHA_V_SHUFFLE(rot16, d2)            \
    CHACHA_V_SHUFFLE(rot16, d3)                                                                    \
    s2                                                                                             \
    CHACHA_V_ADD(c0, d0) CHACHA_V_ADD(c1, d1) CHACHA_V_ADD(c2, d2) CHACHA_V_ADD_C3_XOR(d3, b3)     \
    s3                                                                                             \
    CHACHA_V_XOR(b0, c0) CHACHA_V_XOR(b1, c1) CHACHA_V_XOR(b2, c2)                                 \
    s4                                                                                             \
    CHACHA_V_ROTATE(12, 20, b0) CHACHA_V_ROTATE(12, 20, b1)                                        \
    s5                                                                                             \
    CHACHA_V_ROTATE(12, 20, b2) CHACHA_V_ROTATE(12, 20, b3)                                        \
    s6                                                                                             \
    CHACHA_V_ADD(a0, b0) CHACHA_V_ADD(a1, b1) CHACHA_V_ADD(a2, b2) CHACHA_V_ADD(a3, b3)            \
    s7                                                                                             \
    CHACHA_V_XOR(d0, a0) CHACHA_V_XOR(d1, a1) CHACHA_V_XOR(d2, a2) CHACHA_V_XOR(d3, a3)            \
    s8                                                                                             \
    CHACHA_V_SHUFFLE(rot8, d0) CHACHA_V_SHUFFLE(rot8, d1) CHACHA_V_SHUFFLE(rot8, d2)               \
    CHACHA_V_SHUFFLE(rot8, d3)                                                                     \
    s9                                                                                             \
    CHACHA_V_ADD(c0, d0) CHACHA_V_ADD(c1, d1) CHACHA_V_ADD(c2, d2) CHACHA_V_ADD_C3_XOR(d3, b3)     \
    s10                                                                                            \
    CHACHA_V_XOR(b0, c0) CHACHA_V_XOR(b1, c1) CHACHA_V_XOR(b2, c2)                                 \
    s11                                                                                            \
    CHACHA_V_ROTATE(7, 25, b0) CHACHA_V_ROTATE(7, 25, b1)                                          \
    s12                                                                                            \
    CHACHA_V_ROTATE(7, 25, b2) CHACHA_V_ROTATE(7, 25, b3)                                          \
    s13
/* clang-format on */

#define CHACHA_COLUMN_ROUND(...)                                                                   \
    CHACHA_HALF_ROUND(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 15, __VA_ARGS__)
/* Diagonals (a0 b1 c2 d3) (a2 b3 c0 d1) (a3 b0 c1 d2), and last (a1 b2 c3 d0). */
#define CHACHA_DIAGONAL_ROUND(...)                                                                 \
    CHACHA_HALF_ROUND(0, 5, 10, 15, 2, 7, 8, 13, 3, 4, 9, 14, 1, 6, 12, __VA_ARGS__)

#endif
