/* SPDX-License-Identifier: MIT */
/*
 * The bulk loop of AES-GCM for AES-NI (eight blocks a turn, xmm) and VAES (sixteen, ymm): the AES
 * rounds of eight registers of counters with the GHASH of eight registers of ciphertext between
 * them. Both need the same two pipes, and neither keeps them busy alone.
 *
 * It is assembly because order is everything here. Zen 3 dispatches a VPCLMULQDQ alone in its cycle,
 * and it takes 1.6 of the 2 slots a cycle that the pipes of VAESENC have (measured: 10 of these with
 * 3 of those in 7.4 cycles). So 80 VAESENC, 26 VPCLMULQDQ and 190 other instructions could take 61
 * cycles by their pipes and 58 by dispatch, but the additions get in the way: 0.28 cycles a byte for
 * AES-128, 0.33 for AES-256. The compilers' own orders and spills take 0.36 to 0.39 for AES-128 (GCC
 * 12, Clang 14).
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
 * Registers: 0 to 7 blocks, 8 lo, 9 mid and 10 hi of the sum, 11 a round key, 12 and 15 two of the
 * hashed registers, 13 the sums of their halves (of 12's below, of 15's above), 14 a product.
 */
#define NL                "\n\t"
#define SUM(x, y, z)      "vpxor " REG(x) ", " REG(y) ", " REG(z) NL
#define ADD(x, sum)       SUM(x, sum, sum)
#define SWAP_HALVES(x, z) "vpshufd $0x4e, " REG(x) ", " REG(z) NL
#define REVERSE(x)        "vpshufb (%[k]), " REG(x) ", " REG(x) NL
#define BLOCK_OF(x, z)    "vpshufb 32(%[k]), " REG(x) ", " REG(z) NL
#define TIMES_POLY(x, z)  "vpclmulqdq $0, 64(%[k]), " REG(x) ", " REG(z) NL

#define KEY(r)            LOAD_KEY " 16*" #r "(%[t]), " REG(11) NL
#define LAST_KEY          LOAD_KEY " (%[t],%[last]), " REG(11) NL
#define AES(i)            "vaesenc " REG(11) ", " REG(i) ", " REG(i) NL
#define ROUND(r)          KEY(r) AES(0) AES(1) AES(2) AES(3) AES(4) AES(5) AES(6) AES(7)
#define LATER_ROUNDS                                                                               \
    "cmp $12, %[rounds]" NL                                                                        \
    "jb 2f" NL                                                                                     \
    ROUND(10) ROUND(11)                                                                            \
    "je 2f" NL                                                                                     \
    ROUND(12) ROUND(13)                                                                            \
    "2:" NL

/* The text is added to the last round's key. */
#define TEXT(i)           "vpxor " STEP #i "(%[src]), " REG(11) ", " REG(12) NL
#define AES_LAST(i)       "vaesenclast " REG(12) ", " REG(i) ", " REG(i) NL
#define STORE(i)          "vmovdqu " REG(i) ", " STEP #i "(%[dst])" NL
#define ADVANCE(p)        "lea 8*" STEP "1(%[" #p "]), %[" #p "]" NL

#define LOAD(i, x)        "vmovdqu " STEP #i "(%[hashed]), " REG(x) NL
#define ADD_Y(x)          "vpxor 32(%[slots]), " REG(x) ", " REG(x) NL
#define HALVES_OF         BLEND REG(15) ", " REG(12) ", " REG(13) NL
#define OTHER_HALVES      "vpalignr $8, " REG(12) ", " REG(15) ", " REG(14) NL

/* The products of hashed register i, which is in x; its halves' sum is in half 0 or 1 of 13. */
#define MUL(halves, powers, i, x, z)                                                               \
    "vpclmulqdq $" halves ", %c[" powers "]+32+" STEP #i "(%[t]), " REG(x) ", " REG(z) NL
#define LO(i, x, z)       MUL("0x00", "power", i, x, z)
#define HI(i, x, z)       MUL("0x11", "power", i, x, z)
#define MID_0(i, z)       MUL("0x00", "fold", i, 13, z)
#define MID_1(i, z)       MUL("0x11", "fold", i, 13, z)

#define STORE_Y           "vmovdqu " REG(10) ", 32(%[slots])" NL

/* The steps of ghash_reduce, those of REDUCE_AND_TURN; y comes out in register 10. */
#define REDUCE                                                                                     \
    SUM(8, 10, 13) ADD(13, 9) TIMES_POLY(8, 14) SWAP_HALVES(8, 8) ADD(8, 9) ADD(14, 9)             \
    TIMES_POLY(9, 14) SWAP_HALVES(9, 9) ADD(9, 10) ADD(14, 10) UPPER_LANE ADD_LANE

#if GCM_LANES == 2
#define FLIP_6            FLIP(0, 6)
#define BLEND             "vpblendd $0xcc, "
#define UPPER_LANE        "vextracti128 $1, %%ymm10, %%xmm8" NL
#define ADD_LANE          "vpxor %%xmm8, %%xmm10, %%xmm10" NL
#else
#define FLIP_6            FLIP(7, 6)
#define BLEND             "vpblendw $0xf0, "
#define UPPER_LANE
#define ADD_LANE
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
#define NEXT_COUNTERS     "vpaddd 96(%[k]), " REG(12) ", " REG(7) NL
#define STORE_COUNTERS    "vmovdqu " REG(7) ", (%[slots])" NL
#define LOAD_COUNTERS     "vmovdqu (%[slots]), " REG(12) NL
#define FLIP(base, i)     "vpxor %c[flip]-32+32*" #i "(%[k]), " REG(base) ", " REG(i) NL
#define FLIPPED(i)        FLIPPED_##i
#define FLIPPED_1         FLIP(0, 1)
#define FLIPPED_2         FLIP(0, 2)
#define FLIPPED_3         FLIP(0, 3)
#define FLIPPED_4         FLIP(0, 4)
#define FLIPPED_5         FLIP(0, 5)
#define FLIPPED_6         FLIP_6
#define FLIPPED_7         FLIP(7, 7)
#define COUNTED(i)                                                                                 \
    "vpaddd %c[step]-32+32*" #i "(%[k]), " REG(12) ", " REG(i) NL                                   \
    BLOCK_OF(i, i)                                                                                 \
    ADD(11, i)

/*
 * The reduction of the sum of a turn, and the next turn; `next` makes registers 1 to 7 of its blocks.
 * The order was found by trying: half a million exchanges of neighbours or farther ones, each kept
 * if a Zen 3 took no longer for it, from an order by rule (rounds of eight with three products
 * each) that takes 16 % longer for AES-128.
 */
#define REDUCE_AND_TURN(next)                                                                      \
    SUM(8, 10, 13) BLOCK_OF(12, 0) TIMES_POLY(8, 14) KEY(0) ADD(11, 0) SWAP_HALVES(8, 8)           \
    NEXT_COUNTERS next(4) STORE_COUNTERS BLOCK_OF(7, 7) next(2) next(1) ADD(11, 7) next(6)         \
    next(7) ADD(13, 9) ADD(8, 9) next(5) next(3) KEY(1) AES(6) LOAD(1, 12) AES(7) AES(1) AES(4)    \
    AES(0) AES(3) ADD(14, 9) AES(5) TIMES_POLY(9, 14) AES(2) SWAP_HALVES(9, 9) ADD(9, 10)          \
    REVERSE(12) LOAD(2, 15) KEY(2) AES(4) AES(3) AES(5) AES(1) REVERSE(15) HALVES_OF AES(2)        \
    AES(6) ADD(14, 10) AES(0) AES(7) UPPER_LANE KEY(3) OTHER_HALVES ADD(14, 13) AES(3) AES(2)      \
    AES(6) ADD_LANE AES(0) LO(1, 12, 8) STORE_Y LO(2, 15, 14) AES(1) HI(1, 12, 10) HI(2, 15, 15)   \
    MID_0(1, 9) AES(7) AES(5) MID_1(2, 13) LOAD(3, 12) ADD(14, 8) AES(4) KEY(4) AES(5) AES(4)      \
    AES(2) ADD(15, 10) LOAD(4, 15) REVERSE(12) ADD(13, 9) REVERSE(15) AES(6) AES(3) AES(0)         \
    OTHER_HALVES HALVES_OF AES(1) ADD(14, 13) AES(7) LO(3, 12, 14) KEY(5) AES(4) HI(3, 12, 12)     \
    AES(3) AES(0) AES(1) AES(7) ADD(14, 8) AES(6) AES(5) MID_0(3, 14) AES(2) KEY(6) AES(4)         \
    MID_1(4, 13) AES(7) AES(0) AES(5) AES(1) AES(3) ADD(14, 9) LO(4, 15, 14) ADD(12, 10) AES(2)    \
    AES(6) KEY(7) AES(7) LOAD(5, 12) ADD(13, 9) HI(4, 15, 15) ADD(15, 10) AES(5) AES(6) AES(4)     \
    AES(2) LOAD(6, 15) AES(1) ADD(14, 8) AES(0) AES(3) KEY(8) REVERSE(15) AES(7) REVERSE(12)       \
    HALVES_OF OTHER_HALVES AES(3) ADD(14, 13) AES(6) LO(5, 12, 14) AES(5) ADD(14, 8)               \
    MID_0(5, 14) MID_1(6, 13) AES(2) HI(5, 12, 12) AES(0) ADD(14, 9) LO(6, 15, 14) AES(1) AES(4)   \
    KEY(9) AES(5) HI(6, 15, 15) ADD(12, 10) LOAD(7, 12) AES(1) ADD(15, 10) LOAD(0, 15)             \
    REVERSE(15) AES(4) ADD(14, 8) ADD(13, 9) ADD_Y(15) REVERSE(12) HALVES_OF AES(0) AES(7)         \
    AES(2) OTHER_HALVES ADD(14, 13) AES(6) LO(7, 12, 14) HI(7, 12, 12) ADD(14, 8) MID_0(7, 14)     \
    ADD(12, 10) AES(3) ADD(14, 9) LO(0, 15, 14) LATER_ROUNDS LAST_KEY TEXT(0) AES_LAST(0)          \
    HI(0, 15, 15) TEXT(1) AES_LAST(1) TEXT(2) AES_LAST(2) MID_1(0, 13) TEXT(3) AES_LAST(3)         \
    STORE(2) ADD(13, 9) TEXT(4) AES_LAST(4) TEXT(5) AES_LAST(5) TEXT(6) STORE(3) ADD(15, 10)       \
    STORE(1) ADD(14, 8) ADVANCE(hashed) STORE(5) AES_LAST(6) TEXT(7) STORE(6) AES_LAST(7)          \
    STORE(7) STORE(4) LOAD_COUNTERS STORE(0) ADVANCE(dst) ADVANCE(src)

#define BULK_LOOP(next, end)                                                                       \
    __asm__ volatile(                                                                              \
        ".p2align 6\n"                                                                             \
        "1:" NL                                                                                    \
        REDUCE_AND_TURN(next)                                                                      \
        "dec %[turns]" NL                                                                          \
        "jnz 1b" NL                                                                                \
        end                                                                                        \
        : [dst] "+D"(dst), [src] "+S"(src), [hashed] "+Q"(hashed), [turns] "+r"(turns),            \
          [counters] "+x"(counters), [lo] "+x"(lo), [mid] "+x"(mid), [hi] "+x"(hi)                 \
        : [t] "r"(t), [k] "r"(k), [slots] "r"(slots_at), [rounds] "r"(t->rounds),                  \
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
 * turn is reduced in the first rounds of the next: that keeps both pipes supplied all the time. The
 * register that y is added to comes last, when y has long been reduced.
 *
 * `first` are the counters of the first blocks; `flip` says that they are 2 modulo 8 * lanes. Those
 * of the turn after the last are left in the slots. The sum is that of the products, not reduced, of
 * what comes before; returns y, reduced.
 *
 * Registers are named or chosen so that every compiler makes instructions of the same lengths.
 */
#define NAMED_REGISTERS(first, sum_lo, sum_mid, sum_hi)                                            \
    register const struct stitched_constants *k __asm__("r9") = &stitched_constants;               \
    register struct gcm_slots *slots_at __asm__("r10") = slots;                                    \
    register vec counters __asm__(STITCHED_WIDTH "12") = (first);                                  \
    register vec lo __asm__(STITCHED_WIDTH "8") = (sum_lo);                                        \
    register vec mid __asm__(STITCHED_WIDTH "9") = (sum_mid);                                      \
    register vec hi __asm__(STITCHED_WIDTH "10") = (sum_hi)

static inline __attribute__((always_inline)) vec
gcm_bulk_loop(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, const uint8_t *hashed,
              size_t turns, struct gcm_slots *slots, vec first, int flip, vec sum_lo, vec sum_mid,
              vec sum_hi)
{
    NAMED_REGISTERS(first, sum_lo, sum_mid, sum_hi);

    if (flip) {
        BULK_LOOP(FLIPPED, REDUCE);
    } else {
        BULK_LOOP(COUNTED, REDUCE);
    }
    return hi;
}

/* The same in several stretches, between which the sum is not reduced: that would be twice over. */
static inline __attribute__((always_inline)) void
gcm_bulk_stretch(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, const uint8_t *hashed,
                 size_t turns, struct gcm_slots *slots, vec first, int flip, struct gcm_sum *sum)
{
    NAMED_REGISTERS(first, sum->lo, sum->mid, sum->hi);

    if (flip) {
        BULK_LOOP(FLIPPED, "");
    } else {
        BULK_LOOP(COUNTED, "");
    }
    sum->lo = lo;
    sum->mid = mid;
    sum->hi = hi;
}

#pragma GCC diagnostic pop

#endif /* GCM_ASM */

#endif
