/* SPDX-License-Identifier: MIT */
/*
 * The rounds of two pairs of ChaCha20 blocks, where nothing else goes on beside them. Needs AVX2. Static
 * only.
 */
#ifndef AEADFAST_CHACHA_TWO_PAIRS_AVX2_H
#define AEADFAST_CHACHA_TWO_PAIRS_AVX2_H

#include "chacha_pairs_avx2.h"

/*
 * The 28 steps of a double round of one pair, each followed by idle slots, and two pairs by them, the
 * second 4 steps behind: side by side their shifts and shuffles, for which there are two pipes, would fall
 * into the same cycles. So both take little longer than one (2, 3 and 5 steps are slower here or there by up
 * to 14 %). In between other work, and for three pairs, compilers do as well.
 */
#define CHACHA_IDLE "nop\n\tnop\n\t"
#define CHACHA_ROWS_SHIFT(x, t, left, right)                                                       \
    "vpslld $" #left ", %[" #x "], %[" #t "]\n\t"                                                  \
    "vpsrld $" #right ", %[" #x "], %[" #x "]\n\t"
/* clang-format off */
#define CHACHA_STEP_1(a, b, c, d, t) CHACHA_ROWS("vpaddd", a, b) CHACHA_IDLE
#define CHACHA_STEP_2(a, b, c, d, t) CHACHA_ROWS("vpxor", d, a) CHACHA_IDLE
#define CHACHA_STEP_3(a, b, c, d, t) CHACHA_ROWS("vpshufb", d, rot16) CHACHA_IDLE
#define CHACHA_STEP_4(a, b, c, d, t) CHACHA_ROWS("vpaddd", c, d) CHACHA_IDLE
#define CHACHA_STEP_5(a, b, c, d, t) CHACHA_ROWS("vpxor", b, c) CHACHA_IDLE
#define CHACHA_STEP_6(a, b, c, d, t) CHACHA_ROWS_SHIFT(b, t, 12, 20) CHACHA_IDLE
#define CHACHA_STEP_7(a, b, c, d, t) CHACHA_ROWS("vpor", b, t) CHACHA_IDLE
#define CHACHA_STEP_8(a, b, c, d, t) CHACHA_ROWS("vpaddd", a, b) CHACHA_IDLE
#define CHACHA_STEP_9(a, b, c, d, t) CHACHA_ROWS("vpxor", d, a) CHACHA_ROWS_TURN(a, 0x93) CHACHA_IDLE
#define CHACHA_STEP_10(a, b, c, d, t) CHACHA_ROWS("vpshufb", d, rot8) CHACHA_IDLE
#define CHACHA_STEP_11(a, b, c, d, t) CHACHA_ROWS("vpaddd", c, d) CHACHA_ROWS_TURN(d, 0x4e) CHACHA_IDLE
#define CHACHA_STEP_12(a, b, c, d, t) CHACHA_ROWS("vpxor", b, c) CHACHA_ROWS_TURN(c, 0x39) CHACHA_IDLE
#define CHACHA_STEP_13(a, b, c, d, t) CHACHA_ROWS_SHIFT(b, t, 7, 25) CHACHA_IDLE
#define CHACHA_STEP_14(a, b, c, d, t) CHACHA_ROWS("vpor", b, t) CHACHA_IDLE
#define CHACHA_STEP_15(a, b, c, d, t) CHACHA_STEP_1(a, b, c, d, t)
#define CHACHA_STEP_16(a, b, c, d, t) CHACHA_STEP_2(a, b, c, d, t)
#define CHACHA_STEP_17(a, b, c, d, t) CHACHA_STEP_3(a, b, c, d, t)
#define CHACHA_STEP_18(a, b, c, d, t) CHACHA_STEP_4(a, b, c, d, t)
#define CHACHA_STEP_19(a, b, c, d, t) CHACHA_STEP_5(a, b, c, d, t)
#define CHACHA_STEP_20(a, b, c, d, t) CHACHA_STEP_6(a, b, c, d, t)
#define CHACHA_STEP_21(a, b, c, d, t) CHACHA_STEP_7(a, b, c, d, t)
#define CHACHA_STEP_22(a, b, c, d, t) CHACHA_STEP_8(a, b, c, d, t)
#define CHACHA_STEP_23(a, b, c, d, t) CHACHA_ROWS("vpxor", d, a) CHACHA_ROWS_TURN(a, 0x39) CHACHA_IDLE
#define CHACHA_STEP_24(a, b, c, d, t) CHACHA_STEP_10(a, b, c, d, t)
#define CHACHA_STEP_25(a, b, c, d, t) CHACHA_STEP_11(a, b, c, d, t)
#define CHACHA_STEP_26(a, b, c, d, t) CHACHA_ROWS("vpxor", b, c) CHACHA_ROWS_TURN(c, 0x93) CHACHA_IDLE
#define CHACHA_STEP_27(a, b, c, d, t) CHACHA_STEP_13(a, b, c, d, t)
#define CHACHA_STEP_28(a, b, c, d, t) CHACHA_STEP_14(a, b, c, d, t)
#define CHACHA_TWO_PAIRS                                                                          \
    CHACHA_STEP_1(a, b, c, d, t)                                                                   \
    CHACHA_STEP_2(a, b, c, d, t)                                                                   \
    CHACHA_STEP_3(a, b, c, d, t)                                                                   \
    CHACHA_STEP_4(a, b, c, d, t)                                                                   \
    CHACHA_STEP_5(a, b, c, d, t) CHACHA_STEP_1(e, f, g, h, u)                                      \
    CHACHA_STEP_6(a, b, c, d, t) CHACHA_STEP_2(e, f, g, h, u)                                      \
    CHACHA_STEP_7(a, b, c, d, t) CHACHA_STEP_3(e, f, g, h, u)                                      \
    CHACHA_STEP_8(a, b, c, d, t) CHACHA_STEP_4(e, f, g, h, u)                                      \
    CHACHA_STEP_9(a, b, c, d, t) CHACHA_STEP_5(e, f, g, h, u)                                      \
    CHACHA_STEP_10(a, b, c, d, t) CHACHA_STEP_6(e, f, g, h, u)                                     \
    CHACHA_STEP_11(a, b, c, d, t) CHACHA_STEP_7(e, f, g, h, u)                                     \
    CHACHA_STEP_12(a, b, c, d, t) CHACHA_STEP_8(e, f, g, h, u)                                     \
    CHACHA_STEP_13(a, b, c, d, t) CHACHA_STEP_9(e, f, g, h, u)                                     \
    CHACHA_STEP_14(a, b, c, d, t) CHACHA_STEP_10(e, f, g, h, u)                                    \
    CHACHA_STEP_15(a, b, c, d, t) CHACHA_STEP_11(e, f, g, h, u)                                    \
    CHACHA_STEP_16(a, b, c, d, t) CHACHA_STEP_12(e, f, g, h, u)                                    \
    CHACHA_STEP_17(a, b, c, d, t) CHACHA_STEP_13(e, f, g, h, u)                                    \
    CHACHA_STEP_18(a, b, c, d, t) CHACHA_STEP_14(e, f, g, h, u)                                    \
    CHACHA_STEP_19(a, b, c, d, t) CHACHA_STEP_15(e, f, g, h, u)                                    \
    CHACHA_STEP_20(a, b, c, d, t) CHACHA_STEP_16(e, f, g, h, u)                                    \
    CHACHA_STEP_21(a, b, c, d, t) CHACHA_STEP_17(e, f, g, h, u)                                    \
    CHACHA_STEP_22(a, b, c, d, t) CHACHA_STEP_18(e, f, g, h, u)                                    \
    CHACHA_STEP_23(a, b, c, d, t) CHACHA_STEP_19(e, f, g, h, u)                                    \
    CHACHA_STEP_24(a, b, c, d, t) CHACHA_STEP_20(e, f, g, h, u)                                    \
    CHACHA_STEP_25(a, b, c, d, t) CHACHA_STEP_21(e, f, g, h, u)                                    \
    CHACHA_STEP_26(a, b, c, d, t) CHACHA_STEP_22(e, f, g, h, u)                                    \
    CHACHA_STEP_27(a, b, c, d, t) CHACHA_STEP_23(e, f, g, h, u)                                    \
    CHACHA_STEP_28(a, b, c, d, t) CHACHA_STEP_24(e, f, g, h, u)                                    \
    CHACHA_STEP_25(e, f, g, h, u)                                                                  \
    CHACHA_STEP_26(e, f, g, h, u)                                                                  \
    CHACHA_STEP_27(e, f, g, h, u)                                                                  \
    CHACHA_STEP_28(e, f, g, h, u)
/* clang-format on */

/*
 * What is dispatched before its input is there fills the queue, and it takes the 20 rounds to empty it. So
 * this waits 16 cycles, about as long as the key and the nonce of a message take to load (Zen 3: sealing
 * 128 bytes 165 to 169 ns, without this 170 to 186; compilers' order 182 to 187).
 */
#define CHACHA_WAIT ".rept 96\n\tnop\n\t.endr\n\t"

/*
 * `count` double rounds, one or more, of two pairs. The loop is in the assembly: GCC makes four moves in
 * each, Clang a straight line of ten, and either is out of step.
 */
CHACHA_INLINE void chacha_two_pairs_rounds(struct chacha_pair x[2], int count)
{
    __m256i t;
    __m256i u;

    __asm__(CHACHA_WAIT ".p2align 5\n"
                        "1:\n\t" CHACHA_TWO_PAIRS "decl %[count]\n\t"
                        "jnz 1b\n\t"
            : [a] "+x"(x[0].a), [b] "+x"(x[0].b), [c] "+x"(x[0].c), [d] "+x"(x[0].d),
              [e] "+x"(x[1].a), [f] "+x"(x[1].b), [g] "+x"(x[1].c), [h] "+x"(x[1].d), [t] "=&x"(t),
              [u] "=&x"(u), [count] "+r"(count)
            : [rot16] "x"(chacha_load(chacha_rot16)), [rot8] "x"(chacha_load(chacha_rot8))
            : "cc");
}

#endif
