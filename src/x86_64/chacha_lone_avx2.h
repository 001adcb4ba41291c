/* SPDX-License-Identifier: MIT */
/*
 * The rounds of one pair of ChaCha blocks, or of one block, which are one chain of operations of a
 * cycle each. A word stands in 64 bits here, so that a rotation is one step of the chain instead of
 * two (shift and join): of a word that is there twice,
 *
 *     x x  >> (32 - n)  =  .. rotl(x, n)
 *
 * the lower half is the word rotated, and is all that the addition to a needs. Shuffled into both halves
 * it is b again, which is wanted four steps later; d comes twice out of the shuffle that rotates it; c,
 * a sum of such, stays twice. That makes 24 cycles a double round instead of 28; Zen 3 takes 25 to 28
 * (a usual form 29 to 32). By llvm-mca Zen 2 takes 25 (32), Alder Lake 24 (28), and Haswell and Skylake,
 * which have one unit for shuffles, 30 (33, 28).
 *
 * Needs AVX2. Static only.
 */
#ifndef AEADFAST_CHACHA_LONE_AVX2_H
#define AEADFAST_CHACHA_LONE_AVX2_H

#include "chacha_text_avx2.h"

/* vpshufb masks that rotate the lower word of each 64 bits left by 16 and by 8, into both words */
static const uint8_t chacha_lone_rot16[32]
    __attribute__((aligned(32))) = {2, 3, 0, 1, 2, 3, 0, 1, 10, 11, 8, 9, 10, 11, 8, 9,
                                    2, 3, 0, 1, 2, 3, 0, 1, 10, 11, 8, 9, 10, 11, 8, 9};
static const uint8_t chacha_lone_rot8[32]
    __attribute__((aligned(32))) = {3, 0, 1, 2, 3, 0, 1, 2, 11, 8, 9, 10, 11, 8, 9, 10,
                                    3, 0, 1, 2, 3, 0, 1, 2, 11, 8, 9, 10, 11, 8, 9, 10};

/*
 * Between these two x[0] has words 0 and 2 of each row, in 64 bits each, and x[1] words 1 and 3. Of a and
 * b the upper halves mean nothing then.
 */
CHACHA_INLINE void chacha_lone_split(struct chacha_pair x[2])
{
    x[1].a = _mm256_shuffle_epi32(x[0].a, 0xf5);
    x[1].b = _mm256_shuffle_epi32(x[0].b, 0xf5);
    x[1].c = _mm256_shuffle_epi32(x[0].c, 0xf5);
    x[1].d = _mm256_shuffle_epi32(x[0].d, 0xf5);
    x[0].c = _mm256_shuffle_epi32(x[0].c, 0xa0);
    x[0].d = _mm256_shuffle_epi32(x[0].d, 0xa0);
}

CHACHA_INLINE __m256i chacha_lone_row(__m256i even, __m256i odd)
{
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}

CHACHA_INLINE void chacha_lone_join(struct chacha_pair x[2])
{
    x[0].a = chacha_lone_row(x[0].a, x[1].a);
    x[0].b = chacha_lone_row(x[0].b, x[1].b);
    x[0].c = chacha_lone_row(x[0].c, x[1].c);
    x[0].d = chacha_lone_row(x[0].d, x[1].d);
}

#define CHACHA_ROWS(op, x, y)      op " %[" #y "], %[" #x "], %[" #x "]\n\t"
#define CHACHA_ROWS_TURN(x, order) "vpshufd $" #order ", %[" #x "], %[" #x "]\n\t"

/*
 * Half a quarter round of the whole row; b comes and goes as r, of which the lower halves count. The
 * operations of the chain come first: Zen 3 takes the oldest that is ready, and what may wait must not
 * keep them from the two units that shuffle and shift. Two idle slots behind the shifts keep its queue
 * short, so that even and odd go to different units.
 */
/* clang-format off */
#define CHACHA_LONE_HALF(even_a, odd_a, even_c, odd_c, mask, right, turn_a)                        \
    CHACHA_ROWS("vpaddd", even_a, r0)                                                              \
    CHACHA_ROWS("vpaddd", odd_a, r1)                                                               \
    CHACHA_ROWS("vpxor", d0, even_a)                                                               \
    CHACHA_ROWS("vpxor", d1, odd_a)                                                                \
    CHACHA_ROWS("vpshufb", d0, mask)                                                               \
    CHACHA_ROWS("vpshufb", d1, mask)                                                               \
    CHACHA_ROWS("vpaddd", even_c, d0)                                                              \
    CHACHA_ROWS("vpaddd", odd_c, d1)                                                               \
    "vpshufd $0xa0, %[r0], %[b0]\n\t"                                                              \
    "vpshufd $0xa0, %[r1], %[b1]\n\t"                                                              \
    turn_a                                                                                         \
    CHACHA_ROWS("vpxor", b0, even_c)                                                               \
    CHACHA_ROWS("vpxor", b1, odd_c)                                                                \
    "vpsrlq $" #right ", %[b0], %[r0]\n\t"                                                         \
    "vpsrlq $" #right ", %[b1], %[r1]\n\t"                                                         \
    "nop\n\t"                                                                                      \
    "nop\n\t"
/* clang-format on */

/*
 * Diagonals become columns by turning the other rows against b, which is ready last: c by one word, a by
 * three, d by two; and back again. A turn by two is a swap of 64-bit halves; by one or three even
 * words become odd and odd ones even, of which those in a1 and c0 are swapped, both ways.
 */
#define CHACHA_LONE_ROUND(even_a, odd_a, even_c, odd_c)                                            \
    CHACHA_LONE_HALF(even_a, odd_a, even_c, odd_c, rot16, 20, )                                    \
    CHACHA_LONE_HALF(even_a, odd_a, even_c, odd_c, rot8, 25, CHACHA_ROWS_TURN(a1, 0x4e))           \
    CHACHA_ROWS_TURN(d0, 0x4e)                                                                     \
    CHACHA_ROWS_TURN(d1, 0x4e)                                                                     \
    CHACHA_ROWS_TURN(c0, 0x4e)

CHACHA_INLINE void chacha_lone_double_round(struct chacha_pair x[2])
{
    __m256i b0;
    __m256i b1;

    /* clang-format off */
    __asm__(CHACHA_LONE_ROUND(a0, a1, c0, c1)
            CHACHA_LONE_ROUND(a1, a0, c1, c0)
            : [a0] "+x"(x[0].a), [r0] "+x"(x[0].b), [c0] "+x"(x[0].c), [d0] "+x"(x[0].d),
              [a1] "+x"(x[1].a), [r1] "+x"(x[1].b), [c1] "+x"(x[1].c), [d1] "+x"(x[1].d),
              [b0] "=&x"(b0), [b1] "=&x"(b1)
            : [rot16] "x"(chacha_load(chacha_lone_rot16)),
              [rot8] "x"(chacha_load(chacha_lone_rot8)));
    /* clang-format on */
}

#endif
