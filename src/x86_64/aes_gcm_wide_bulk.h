/* SPDX-License-Identifier: MIT */
/*
 * The bulk loop of the AES-GCM kernels with AVX-512: the AES rounds of eight registers of counters
 * with the GHASH of eight registers of ciphertext between them.
 *
 * Intel's processors run 512-bit VAESENC on port 0 alone, VPCLMULQDQ and shuffles on port 5, all
 * else on either. A turn for AES-128 has 80 instructions for port 0 and 162 for the two, so every
 * one that is not AES counts: the blocks of a turn are made from one by a single xor each, whitened
 * already; three-way xors add products; a pair of registers shares Karatsuba's additions; one
 * reduction serves the whole turn. By llvm-mca a turn of 512 bytes takes 80 (Ice Lake), 82 (Sapphire
 * Rapids) and 107 to 110 cycles (Zen 4), where the loops of ipsec-mb take 83, 85 and 124.
 */
#ifndef AEADFAST_AES_GCM_WIDE_BULK_H
#define AEADFAST_AES_GCM_WIDE_BULK_H

#include "ghash_wide.h"

#include "aes_gcm_chains.h" /* needs the table */

#define BLOCKS (VECTORS * GCM_LANES) /* of a turn */

/* The last word of a block n after a multiple of BLOCKS, big-endian, the rest of it 0. */
#define FLIP_1(n)                                                                                  \
    {                                                                                              \
        0, 0, 0, ((n) % BLOCKS) * UINT32_C(0x01000000)                                             \
    }
#if GCM_LANES == 4
#define FLIP(n)                                                                                    \
    {                                                                                              \
        FLIP_1((n) + 2), FLIP_1((n) + 3), FLIP_1((n) + 4), FLIP_1((n) + 5)                         \
    }
#else
#define FLIP(n)                                                                                    \
    {                                                                                              \
        FLIP_1((n) + 2), FLIP_1((n) + 3)                                                           \
    }
#endif

/* The same, little-endian, to be added. */
#define STEP_1(n)                                                                                  \
    {                                                                                              \
        0, 0, 0, n                                                                                 \
    }
#if GCM_LANES == 4
#define STEP(n)                                                                                    \
    {                                                                                              \
        STEP_1((n) + 2), STEP_1((n) + 3), STEP_1((n) + 4), STEP_1((n) + 5)                         \
    }
#else
#define STEP(n)                                                                                    \
    {                                                                                              \
        STEP_1((n) + 2), STEP_1((n) + 3)                                                           \
    }
#endif

struct wide_constants {
    uint32_t step[VECTORS + 1][GCM_LANES][4];
    uint32_t flip[VECTORS][GCM_LANES][4]; /* as much before it may be loaded, and not used */
    uint32_t lane[4][4];                  /* 0, 1, 2, 3 */
    uint8_t to_block[64];                 /* counters are kept with their last word little-endian */
};

static const _Alignas(64) struct wide_constants wide_constants = {
    .step = {STEP(0), STEP(1 * GCM_LANES), STEP(2 * GCM_LANES), STEP(3 * GCM_LANES),
             STEP(4 * GCM_LANES), STEP(5 * GCM_LANES), STEP(6 * GCM_LANES), STEP(7 * GCM_LANES),
             STEP(8 * GCM_LANES)},
    .flip = {FLIP(0), FLIP(1 * GCM_LANES), FLIP(2 * GCM_LANES), FLIP(3 * GCM_LANES),
             FLIP(4 * GCM_LANES), FLIP(5 * GCM_LANES), FLIP(6 * GCM_LANES), FLIP(7 * GCM_LANES)},
    .lane = {{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}},
    .to_block = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12,
                 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12,
                 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12,
                 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12},
};

GCM_INLINE vec counter_blocks(vec counters)
{
    return vec_shuffle8(counters, vec_load(wide_constants.to_block));
}

/* All lanes n further. */
GCM_INLINE vec count(vec counters, uint32_t n)
{
    return vec_add32(counters, vec_broadcast(_mm_set_epi32((int)n, 0, 0, 0)));
}

/* The counters of the blocks n, n + 1, ... after J0. */
GCM_INLINE vec start_counters(__m128i j0, uint32_t n)
{
    return vec_add32(count(vec_broadcast(j0), n), vec_load(wide_constants.lane));
}

#define BLOCK_FLIPPED(i)                                                                           \
    e##i = vec_xor((i) == VECTORS - 1 ? last : start, vec_load(wide_constants.flip[i]));
#define BLOCK_COUNTED(i)                                                                           \
    e##i = counter_blocks(vec_add32(c->before, vec_load(wide_constants.step[i])));                 \
    e##i = vec_xor(e##i, key);

/* What the last register differs from: two of its blocks have counters of the next turn's kind. */
#if GCM_LANES == 4
#define FLIP_LAST(this_turn, next_turn) vec_mix(0xf0, this_turn, next_turn)
#else
#define FLIP_LAST(this_turn, next_turn) (next_turn)
#endif

#define HASH_LOAD(i) reverse_blocks(vec_load(hashed + (i)*VEC_BYTES))

/* Keeps together what stands before it, the rounds and more: else Clang puts all of GHASH last. */
#if GCM_ASM
#define KEEP_ORDER(...)                                                                            \
    __asm__ volatile(""                                                                            \
                     : "+v"(e0), "+v"(e1), "+v"(e2), "+v"(e3), "+v"(e4), "+v"(e5), "+v"(e6),       \
                       "+v"(e7), __VA_ARGS__                                                       \
                     :                                                                             \
                     : "memory")
#else
#define KEEP_ORDER(...) (void)0
#endif

/*
 * Rounds i and j with the products of registers a and b, which lie that many registers from the end
 * of the turn. One xor serves Karatsuba for both: [lo a, lo b] ^ [hi a, hi b].
 */
#define ROUNDS_HASH(chains, i, j, a, a_steps, b, b_steps, into_sum)                                \
    do {                                                                                           \
        struct gcm_power by;                                                                       \
        struct gcm_sum p;                                                                          \
        vec xa, xb, folds;                                                                         \
                                                                                                   \
        CHAINS_ROUND(chains, i);                                                                   \
        xa = a;                                                                                    \
        xb = b;                                                                                    \
        folds = vec_xor(vec_low_halves(xa, xb), vec_high_halves(xa, xb));                          \
        by = step_power(keys, a_steps);                                                            \
        p.lo = vec_clmul(xa, by.h, 0x00);                                                          \
        p.hi = vec_clmul(xa, by.h, 0x11);                                                          \
        p.mid = vec_clmul(folds, by.fold, 0x00);                                                   \
        KEEP_ORDER("+v"(xb), "+v"(folds), "+v"(p.lo), "+v"(p.mid), "+v"(p.hi));                    \
        CHAINS_ROUND(chains, j);                                                                   \
        by = step_power(keys, b_steps);                                                            \
        sum.lo = into_sum(p.lo, vec_clmul(xb, by.h, 0x00), sum.lo);                                \
        sum.mid = vec_xor3(p.mid, vec_clmul(folds, by.fold, 0x01), sum.mid);                       \
        sum.hi = vec_xor3(p.hi, vec_clmul(xb, by.h, 0x11), sum.hi);                                \
        KEEP_ORDER("+v"(sum.lo), "+v"(sum.mid), "+v"(sum.hi));                                     \
    } while (0)
#define FIRST_XOR(a, b, c) vec_xor(a, b)

/*
 * Rounds 1 to 8, and y, `y_steps` (hash_turn_of) before the end of the TURN bytes at `hashed`, becomes
 * that after them. The product of the old y comes last: it may still be in the making.
 */
#define FIRST_8_AND_HASH(chains, y_steps)                                                          \
    do {                                                                                           \
        sum.hi = sum.mid = HASH_LOAD(7); /* what reduces to it */                                  \
        ROUNDS_HASH(chains, 1, 2, HASH_LOAD(0), 7, HASH_LOAD(1), 6, FIRST_XOR);                    \
        ROUNDS_HASH(chains, 3, 4, HASH_LOAD(2), 5, HASH_LOAD(3), 4, vec_xor3);                     \
        ROUNDS_HASH(chains, 5, 6, HASH_LOAD(4), 3, HASH_LOAD(5), 2, vec_xor3);                     \
        ROUNDS_HASH(chains, 7, 8, HASH_LOAD(6), 1, y, y_steps, vec_xor3);                          \
        sum.mid = vec_xor3(sum.mid, sum.lo, sum.hi);                                               \
        y = sum_reduce(sum);                                                                       \
    } while (0)

#define OUTPUT(i)                                                                                  \
    e##i = vec_aesenclast(e##i, vec_xor(key, vec_load(src + (i)*VEC_BYTES)));                      \
    vec_store(dst + (i)*VEC_BYTES, e##i);

/* Where counter mode has come to. */
struct wide_counters {
    vec before; /* the counter of the block two before the turn's first, in every lane */
    vec start;  /* `flip`: the block of that counter, whitened */
    int flip;   /* the counter was 0 at first, as it is with a 12-byte nonce */
};

/*
 * Counter mode over src and, if `hashing`, the y after the TURN bytes at `hashed`, which are those
 * at src or lie before them. For `y_steps` see hash_turn_of.
 */
GCM_INLINE vec turn(const struct gcm_table *keys, uint8_t *dst, const uint8_t *src,
                    const uint8_t *hashed, vec y, size_t y_steps, struct wide_counters *c,
                    int hashing)
{
    vec e0, e1, e2, e3, e4, e5, e6, e7;
    vec key = round_key(keys, 0);
    struct gcm_sum sum;

    if (c->flip) {
        vec start = c->start;
        vec last;

        c->before = count(c->before, BLOCKS);
        c->start = vec_xor(counter_blocks(c->before), key);
        last = FLIP_LAST(start, c->start);
        CHAINS_8(BLOCK_FLIPPED);
    } else {
        CHAINS_8(BLOCK_COUNTED);
        c->before = count(c->before, BLOCKS);
    }
    if (hashing) {
        FIRST_8_AND_HASH(CHAINS_8, y_steps);
    } else {
        CHAINS_FIRST_8(CHAINS_8);
    }
    CHAINS_LATER(CHAINS_8);
    CHAINS_8(OUTPUT);
    return y;
}

GCM_INLINE struct wide_counters wide_counters_of(const struct gcm_table *t, __m128i j0, int flip)
{
    struct wide_counters c;

    c.flip = flip;
    c.before = count(vec_broadcast(j0), UINT32_MAX);
    c.start = vec_xor(counter_blocks(c.before), round_key(t, 0));
    return c;
}

/*
 * All turns, one or more; returns the y after them or, sealing, after all but the last: that one is
 * hashed beside the rounds of what follows. `y` is the one before, `y_steps` (hash_turn_of) from the
 * end of the first turn.
 */
GCM_INLINE vec bulk(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, size_t turns,
                    vec y, size_t y_steps, struct wide_counters *c, int sealing)
{
    const uint8_t *hashed = src;

    if (sealing) { /* what is hashed is a turn behind */
        y = turn(opaque(t), dst, src, hashed, y, y_steps, c, 0);
        hashed = dst;
        src += TURN;
        dst += TURN;
        turns--;
    }
    for (; turns != 0; turns--) {
        y = turn(opaque(t), dst, src, hashed, y, y_steps, c, 1);
        y_steps = VECTORS;
        hashed += TURN;
        src += TURN;
        dst += TURN;
    }
    return y;
}

#endif
