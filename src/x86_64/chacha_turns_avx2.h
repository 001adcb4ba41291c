/* SPDX-License-Identifier: MIT */
/*
 * A double round of eight ChaCha blocks, as text of assembly, for a stream that has scalar instructions
 * too: the same registers as in chacha_rounds.h, but the words take turns at being the one in memory.
 * Static only.
 *
 * In chacha_rounds.h c3 lives in memory, is loaded, added to and stored four times a double round, and
 * each time waits 11 cycles until what was stored can be loaded: 45 cycles on Zen 3, whatever the order
 * of the instructions and although the vector units could do with 36. A temporary is wanted only while b is
 * rotated, and a word of c that has just been added to rests as long: so at each of the four rotations
 * another c goes to memory, leaves its register as the temporary, and comes back as an operand of the
 * addition that needs it next. That is as many instructions, and each word waits once a double round.
 *
 * Between double rounds it is c3 that is in memory, and 11 is free.
 */
#ifndef AEADFAST_CHACHA_TURNS_AVX2_H
#define AEADFAST_CHACHA_TURNS_AVX2_H

#include "chacha_eight_avx2.h"

#define CHACHA_T_ROTATE(left, right, x, t)                                                         \
    "vpslld $" #left ", %%ymm" #x ", %%ymm" #t "\n\t"                                              \
    "vpsrld $" #right ", %%ymm" #x ", %%ymm" #x "\n\t"                                             \
    "vpxor %%ymm" #t ", %%ymm" #x ", %%ymm" #x "\n\t"
/* c + d, of which c comes back from memory, or goes there */
#define CHACHA_T_ADD_BACK(c, d) "vpaddd %c[c3](%%rdi), %%ymm" #d ", %%ymm" #c "\n\t"
#define CHACHA_T_ADD_AWAY(c, d)                                                                    \
    CHACHA_V_ADD(c, d)                                                                             \
    "vmovdqu %%ymm" #c ", %c[c3](%%rdi)\n\t"

/*
 * Half of four quarter rounds, step by step. The c of the first comes back, that of the second goes and
 * is the temporary. The seven slots may hold scalar instructions; no vector instruction changes the flags.
 */
/* clang-format off */
#define CHACHA_TURN(mask, left, right, a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, \
                    d3, s0, s1, s2, s3, s4, s5, s6)                                                \
    CHACHA_V_ADD(a0, b0) CHACHA_V_ADD(a1, b1) CHACHA_V_ADD(a2, b2) CHACHA_V_ADD(a3, b3)            \
    s0                                                                                             \
    CHACHA_V_XOR(d0, a0) CHACHA_V_XOR(d1, a1) CHACHA_V_XOR(d2, a2) CHACHA_V_XOR(d3, a3)            \
    s1                                                                                             \
    CHACHA_V_SHUFFLE(mask, d0) CHACHA_V_SHUFFLE(mask, d1) CHACHA_V_SHUFFLE(mask, d2)               \
    CHACHA_V_SHUFFLE(mask, d3)                                                                     \
    s2                                                                                             \
    CHACHA_T_ADD_BACK(c0, d0) CHACHA_T_ADD_AWAY(c1, d1) CHACHA_V_ADD(c2, d2) CHACHA_V_ADD(c3, d3)  \
    s3                                                                                             \
    CHACHA_V_XOR(b0, c0) CHACHA_V_XOR(b1, c1) CHACHA_V_XOR(b2, c2) CHACHA_V_XOR(b3, c3)            \
    s4                                                                                             \
    CHACHA_T_ROTATE(left, right, b0, c1) CHACHA_T_ROTATE(left, right, b1, c1)                      \
    s5                                                                                             \
    CHACHA_T_ROTATE(left, right, b2, c1) CHACHA_T_ROTATE(left, right, b3, c1)                      \
    s6
/* clang-format on */

/* Columns twice, then diagonals twice, with seven slots each. */
#define CHACHA_TURN_1(...)                                                                         \
    CHACHA_TURN(rot16, 12, 20, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, __VA_ARGS__)
#define CHACHA_TURN_2(...)                                                                         \
    CHACHA_TURN(rot8, 7, 25, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, __VA_ARGS__)
#define CHACHA_TURN_3(...)                                                                         \
    CHACHA_TURN(rot16, 12, 20, 3, 4, 9, 14, 0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, __VA_ARGS__)
#define CHACHA_TURN_4(...)                                                                         \
    CHACHA_TURN(rot8, 7, 25, 0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14, __VA_ARGS__)

#endif
