/* SPDX-License-Identifier: MIT */
/*
 * The bulk loop of AES-GCM for AES-NI (eight blocks a turn, xmm) and VAES (sixteen, ymm): the AES
 * rounds of eight registers of counters with the GHASH of eight registers of ciphertext between
 * them. Both need the same two pipes, and neither keeps them busy alone.
 *
 * It is assembly because order is everything here. Zen 3 decodes VPCLMULQDQ alone, and whatever
 * was to be decoded in that cycle waits: the three of a register go together, and what stands
 * between two such groups should come in sixes. The compilers' own orders and spills cost 10 to
 * 20 % (GCC 12, Clang 14: 0.36 to 0.39 cycles a byte for AES-128 where this takes 0.32).
 *
 * Part of aes_gcm_bulk.h, which has the table.
 */
#ifndef AEADFAST_AES_GCM_STITCHED_H
#define AEADFAST_AES_GCM_STITCHED_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "aes_gcm_vector.h"

/* Products not reduced yet, in each lane by itself; mid is without lo ^ hi (Karatsuba). */
struct gcm_sum {
    vec lo;
    vec mid;
    vec hi;
};

/* What the loop has no register for. Whoever runs it wipes y afterwards. */
struct gcm_slots {
    _Alignas(32) uint8_t counter[32]; /* of the first block, or two; last words little-endian */
    uint8_t y[32];                    /* in the low 16 bytes, zeros above */
};

#if GCM_ASM

struct stitched_constants {
    uint8_t reverse[32];
    uint8_t counter[32];
    uint64_t poly[4];
    uint32_t turn[8];
    uint32_t flip[7][8];
    uint32_t step[7][8];
};

#define REVERSED      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define LAST_REVERSED 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12
#define LAST_WORDS(n)                                                                              \
    {                                                                                              \
        0, 0, 0, (n), 0, 0, 0, (n)                                                                 \
    }
/* The xor that makes register i of the first, or of the next turn's first, whose counts end in 2. */
#define FLIP_WORDS(i)                                                                              \
    LAST_WORDS((2 ^ (((i)*GCM_LANES + 2) % (8 * GCM_LANES))) * (uint32_t)0x01000000)

static const _Alignas(32) struct stitched_constants stitched_constants = {
    .reverse = {REVERSED, REVERSED},
    .counter = {LAST_REVERSED, LAST_REVERSED},
    .poly = {0xc200000000000000, 0, 0xc200000000000000, 0},
    .turn = LAST_WORDS(8 * GCM_LANES),
    .flip = {FLIP_WORDS(1), FLIP_WORDS(2), FLIP_WORDS(3), FLIP_WORDS(4), FLIP_WORDS(5),
             FLIP_WORDS(6), FLIP_WORDS(7)},
    .step = {LAST_WORDS(1 * GCM_LANES), LAST_WORDS(2 * GCM_LANES), LAST_WORDS(3 * GCM_LANES),
             LAST_WORDS(4 * GCM_LANES), LAST_WORDS(5 * GCM_LANES), LAST_WORDS(6 * GCM_LANES),
             LAST_WORDS(7 * GCM_LANES)},
};

/* clang-format off */
#if GCM_LANES == 2
#define REG(i)         "%%ymm" #i
#define STEP           "32*"
#define LOAD_KEY       "vbroadcasti128"
#define STITCHED_WIDTH "ymm"
#else
#define REG(i)         "%%xmm" #i
#define STEP           "16*"
#define LOAD_KEY       "vmovdqu"
#define STITCHED_WIDTH "xmm"
#endif

/*
 * Registers: 0 to 7 blocks, 8 lo, 9 mid and 10 hi of the sum, 11 a round key, 12 and 15 the hashed
 * registers in turn, 13 their halves added, 14 a product.
 */
#define NL                "\n\t"
#define ADD(x, sum)       "vpxor " REG(x) ", " REG(sum) ", " REG(sum) NL
#define SWAP_HALVES(x, z) "vpshufd $0x4e, " REG(x) ", " REG(z) NL
#define REVERSE(x)        "vpshufb (%[k]), " REG(x) ", " REG(x) NL
#define BLOCK_OF(x, z)    "vpshufb 32(%[k]), " REG(x) ", " REG(z) NL
#define TIMES_POLY(x, z)  "vpclmulqdq $0, 64(%[k]), " REG(x) ", " REG(z) NL

#define KEY(r)   LOAD_KEY " 16*" #r "(%[t]), " REG(11) NL
#define AES(i)   "vaesenc " REG(11) ", " REG(i) ", " REG(i) NL
#define ROUND(r) KEY(r) AES(0) AES(1) AES(2) AES(3) AES(4) AES(5) AES(6) AES(7)

#define COUNT(i)                                                                                   \
    "vpaddd %c[step]-32+32*" #i "(%[k]), " REG(12) ", " REG(i) NL                                   \
    BLOCK_OF(i, i)                                                                                 \
    ADD(11, i)
#define FLIP(base, i) "vpxor %c[flip]-32+32*" #i "(%[k]), " REG(base) ", " REG(i) NL
#define OUT(i)                                                                                     \
    "vpxor " STEP #i "(%[src]), " REG(11) ", " REG(12) NL                                          \
    "vaesenclast " REG(12) ", " REG(i) ", " REG(i) NL                                              \
    "vmovdqu " REG(i) ", " STEP #i "(%[dst])" NL

#define LOAD(i, x)       "vmovdqu " STEP #i "(%[hashed]), " REG(x) NL REVERSE(x)
#define LOAD_ADD_Y(i, x) LOAD(i, x) "vpxor 32(%[slots]), " REG(x) ", " REG(x) NL
#define FOLD(x)          SWAP_HALVES(x, 13) ADD(x, 13)

#define MUL(halves, powers, i, x, z)                                                               \
    "vpclmulqdq $" halves ", %c[" powers "]+32+" STEP #i "(%[t]), " REG(x) ", " REG(z) NL
#define MUL_3(i, x)                                                                                \
    MUL("0x00", "power", i, x, 14)                                                                 \
    MUL("0x11", "power", i, x, x)                                                                  \
    MUL("0x00", "fold", i, 13, 13)
#define MUL_3_FIRST(i, x)                                                                          \
    MUL("0x00", "power", i, x, 8)                                                                  \
    MUL("0x11", "power", i, x, 10)                                                                 \
    MUL("0x00", "fold", i, 13, 9)

/*
 * Round r with the products of hashed register i, which is in x, while register j is loaded into z.
 * The first products are the sum, the others are added to it.
 */
#define ROUND_MUL_FIRST(r, i, x, j, z)                                                             \
    MUL_3_FIRST(i, x)                                                                              \
    KEY(r) AES(0) AES(1) LOAD(j, z) AES(2) AES(3) AES(4) AES(5) AES(6) AES(7) FOLD(z)
#define ROUND_MUL(r, i, x, load, j, z)                                                             \
    MUL_3(i, x)                                                                                    \
    KEY(r) AES(0) AES(1) load(j, z) AES(2) AES(3) AES(4) AES(5)                                    \
    ADD(14, 8) AES(6) AES(7) ADD(x, 10) ADD(13, 9) FOLD(z)

/* The steps of ghash_reduce; y comes out in register 10 and in the slots. */
#define REDUCE_1 "vpxor " REG(8) ", " REG(10) ", " REG(13) NL ADD(13, 9) TIMES_POLY(8, 14)
#define REDUCE_2 SWAP_HALVES(8, 8) ADD(8, 9) ADD(14, 9)
#define REDUCE_3 TIMES_POLY(9, 14)
#define REDUCE_4                                                                                   \
    SWAP_HALVES(9, 9) ADD(9, 10) ADD(14, 10)                                                       \
    SUM_OF_LANES                                                                                   \
    "vmovdqu " REG(10) ", 32(%[slots])" NL

#if GCM_LANES == 2
#define FLIP_6       FLIP(0, 6)
#define SUM_OF_LANES "vextracti128 $1, %%ymm10, %%xmm8" NL "vpxor %%xmm8, %%xmm10, %%xmm10" NL
#else
#define FLIP_6       FLIP(7, 6)
#define SUM_OF_LANES
#endif
/* clang-format on */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings" /* every compiler with this syntax takes it */

/*
 * The blocks of a turn from the counters in register 12. Where they are 2 modulo 8 * lanes, as they
 * are after a 12-byte nonce, the blocks differ from the turn's first, or from the next turn's first,
 * in the lowest bits of the last byte only: one xor makes each, whitened already. Other counters
 * take twelve instructions more, which is 2 % of the time.
 */
/* clang-format off */
#define BLOCKS_FLIPPED                                                                             \
    BLOCK_OF(12, 0)                                                                                \
    "vpaddd 96(%[k]), " REG(12) ", " REG(7) NL                                                     \
    "vmovdqu " REG(7) ", (%[slots])" NL                                                            \
    ADD(11, 0)                                                                                     \
    BLOCK_OF(7, 7)                                                                                 \
    ADD(11, 7)                                                                                     \
    FLIP(0, 1) FLIP(0, 2) FLIP(0, 3) FLIP(0, 4) FLIP(0, 5) FLIP_6 FLIP(7, 7)
#define BLOCKS_COUNTED                                                                             \
    BLOCK_OF(12, 0)                                                                                \
    "vpaddd 96(%[k]), " REG(12) ", " REG(13) NL                                                    \
    "vmovdqu " REG(13) ", (%[slots])" NL                                                           \
    ADD(11, 0)                                                                                     \
    COUNT(1) COUNT(2) COUNT(3) COUNT(4) COUNT(5) COUNT(6) COUNT(7)

#define REDUCE REDUCE_1 REDUCE_2 REDUCE_3 REDUCE_4

#define BULK_LOOP(blocks, end)                                                                     \
    __asm__ volatile(                                                                              \
        ".p2align 6\n"                                                                             \
        "1:" NL                                                                                    \
        REDUCE_1                                                                                   \
        KEY(0)                                                                                     \
        blocks                                                                                     \
        REDUCE_2                                                                                   \
        REDUCE_3                                                                                   \
        KEY(1) AES(0) AES(1) AES(2) AES(3)                                                         \
        REDUCE_4                                                                                   \
        AES(4) AES(5) AES(6) AES(7)                                                                \
        ROUND(2)                                                                                   \
        LOAD(1, 12) FOLD(12)                                                                       \
        ROUND_MUL_FIRST(3, 1, 12, 2, 15)                                                           \
        ROUND_MUL(4, 2, 15, LOAD, 3, 12)                                                           \
        ROUND_MUL(5, 3, 12, LOAD, 4, 15)                                                           \
        ROUND_MUL(6, 4, 15, LOAD, 5, 12)                                                           \
        ROUND_MUL(7, 5, 12, LOAD, 6, 15)                                                           \
        ROUND_MUL(8, 6, 15, LOAD, 7, 12)                                                           \
        ROUND_MUL(9, 7, 12, LOAD_ADD_Y, 0, 15)                                                     \
        "cmp $12, %[rounds]" NL                                                                    \
        "jb 2f" NL                                                                                 \
        ROUND(10) ROUND(11)                                                                        \
        "je 2f" NL                                                                                 \
        ROUND(12) ROUND(13)                                                                        \
        "2:" NL                                                                                    \
        LOAD_KEY " (%[t],%[last]), " REG(11) NL                                                    \
        OUT(0)                                                                                     \
        MUL_3(0, 15)                                                                               \
        OUT(1) OUT(2) OUT(3) OUT(4)                                                                \
        ADD(14, 8) ADD(15, 10) ADD(13, 9)                                                          \
        OUT(5) OUT(6) OUT(7)                                                                       \
        "add $8*" STEP "1, %[src]" NL                                                              \
        "add $8*" STEP "1, %[dst]" NL                                                              \
        "add $8*" STEP "1, %[hashed]" NL                                                           \
        "vmovdqu (%[slots]), " REG(12) NL                                                          \
        "dec %[turns]" NL                                                                          \
        "jnz 1b" NL                                                                                \
        end                                                                                        \
        : [dst] "+r"(dst), [src] "+r"(src), [hashed] "+r"(hashed), [turns] "+r"(turns),            \
          [counters] "+x"(counters), [lo] "+x"(lo), [mid] "+x"(mid), [hi] "+x"(hi)                 \
        : [t] "r"(t), [k] "r"(&stitched_constants), [slots] "r"(slots), [rounds] "r"(t->rounds),   \
          [last] "r"(16 * t->rounds), [power] "i"(offsetof(struct gcm_table, power)),              \
          [fold] "i"(offsetof(struct gcm_table, power) + 16 * POWERS),                             \
          [flip] "i"(offsetof(struct stitched_constants, flip)),                                   \
          [step] "i"(offsetof(struct stitched_constants, step))                                    \
        : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm11", "xmm13",        \
          "xmm14", "xmm15", "cc", "memory")
/* clang-format on */

/*
 * Counter mode over src, GHASH over `hashed`, which is src itself (opening) or what the turn before
 * wrote (sealing). The products are spread over the turn, its output included, and the sum of a
 * turn is reduced in the first round of the next: that keeps both pipes supplied all the time, which
 * is worth 4 %. The register that y is added to comes last, when y has long been reduced.
 *
 * `first` are the counters of the first blocks; `flip` says that they are 2 modulo 8 * lanes. Those
 * of the turn after the last are left in the slots. The sum is that of the products, not reduced, of
 * what comes before; returns y, reduced.
 */
static inline __attribute__((always_inline)) vec
gcm_bulk_loop(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, const uint8_t *hashed,
              size_t turns, struct gcm_slots *slots, vec first, int flip, vec sum_lo, vec sum_mid,
              vec sum_hi)
{
    register vec counters __asm__(STITCHED_WIDTH "12") = first;
    register vec lo __asm__(STITCHED_WIDTH "8") = sum_lo;
    register vec mid __asm__(STITCHED_WIDTH "9") = sum_mid;
    register vec hi __asm__(STITCHED_WIDTH "10") = sum_hi;

    if (flip) {
        BULK_LOOP(BLOCKS_FLIPPED, REDUCE);
    } else {
        BULK_LOOP(BLOCKS_COUNTED, REDUCE);
    }
    return hi;
}

/* The same in several stretches, between which the sum is not reduced: that would be twice over. */
static inline __attribute__((always_inline)) void
gcm_bulk_stretch(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, const uint8_t *hashed,
                 size_t turns, struct gcm_slots *slots, vec first, int flip, struct gcm_sum *sum)
{
    register vec counters __asm__(STITCHED_WIDTH "12") = first;
    register vec lo __asm__(STITCHED_WIDTH "8") = sum->lo;
    register vec mid __asm__(STITCHED_WIDTH "9") = sum->mid;
    register vec hi __asm__(STITCHED_WIDTH "10") = sum->hi;

    if (flip) {
        BULK_LOOP(BLOCKS_FLIPPED, "");
    } else {
        BULK_LOOP(BLOCKS_COUNTED, "");
    }
    sum->lo = lo;
    sum->mid = mid;
    sum->hi = hi;
}

#pragma GCC diagnostic pop

#endif /* GCM_ASM */

#endif
