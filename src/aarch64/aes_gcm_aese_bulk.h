/* SPDX-License-Identifier: MIT */
/*
 * The bulk of AES-GCM by AESE, AESMC and PMULL: the key's tables, chains of blocks that go through
 * the AES rounds side by side, and the loop that runs eight of them with the GHASH of eight blocks
 * between the rounds.
 *
 * Counter blocks are kept with the bytes of their words reversed, where one 32-bit addition counts
 * and wraps as the standard wants; REV32 makes blocks of them.
 */
#ifndef AEADFAST_AES_GCM_AESE_BULK_H
#define AEADFAST_AES_GCM_AESE_BULK_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "../kernel.h"
#include "aes_key_aese.h"
#include "ghash_pmull.h"

#define BULK  128 /* bytes of a turn of the bulk loop */
#define PAIRS 5   /* 8 blocks of text, the additional data, the lengths */

struct gcm_table {
    uint8_t round_key[AES_MAX_ROUNDS + 1][16];
    struct ghash_pair power[PAIRS];
    uint64_t rounds;
};

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "table too large");

/* ---- Counter mode ---- */

ALWAYS_INLINE uint8x16_t counter_block(uint32x4_t counter)
{
    return vrev32q_u8(vreinterpretq_u8_u32(counter));
}

ALWAYS_INLINE uint32x4_t counter_load(uint8x16_t block)
{
    return vreinterpretq_u32_u8(vrev32q_u8(block));
}

ALWAYS_INLINE uint32x4_t count(uint32x4_t counter, size_t n)
{
    return vaddq_u32(counter, vsetq_lane_u32((uint32_t)n, vdupq_n_u32(0), 3));
}

/*
 * The table, but so that the compiler does not know it: otherwise it loads round keys that several
 * branches or turns have in common ahead of them all, and spills.
 */
ALWAYS_INLINE const struct gcm_table *opaque(const struct gcm_table *t)
{
    __asm__ volatile("" : "+r"(t)); /* volatile, or it would itself be moved out of a loop */
    return t;
}

/*
 * Processors run the two as one where the second follows the first and works on its register, which
 * this leaves to no scheduler. GCC 12 needs fewer moves for it, too, than for the two intrinsics.
 */
ALWAYS_INLINE uint8x16_t aes_round(uint8x16_t block, uint8x16_t key)
{
    __asm__("aese %0.16b, %1.16b\n\taesmc %0.16b, %0.16b" : "+w"(block) : "w"(key));
    return block;
}

/* in ^ the key stream, whose last round lacks its key */
ALWAYS_INLINE uint8x16_t aes_output(uint8x16_t block, uint8x16_t key, const uint8_t *in)
{
    return vreinterpretq_u8_u64(ghash_xor3(vreinterpretq_u64_u8(block), vreinterpretq_u64_u8(key),
                                           vreinterpretq_u64_u8(vld1q_u8(in))));
}

/* One block of text, written, and the ciphertext as GHASH takes it. */
ALWAYS_INLINE uint64x2_t text_block(uint8_t *dst, const uint8_t *src, uint8x16_t e, uint8x16_t key,
                                    int sealing)
{
    const uint8x16_t in = vld1q_u8(src);
    const uint8x16_t out = aes_output(e, key, src);

    vst1q_u8(dst, out);
    return ghash_block(sealing ? out : in);
}

/* Chains of blocks e0, e1, ... through all rounds but the last addition of a key, left in `key`. */
#define CHAINS_1(f)    f(0)
#define CHAINS_2(f)    CHAINS_1(f) f(1)
#define CHAINS_3(f)    CHAINS_2(f) f(2)
#define CHAINS_5(f)    CHAINS_3(f) f(3) f(4)
#define CHAINS_7(f)    CHAINS_5(f) f(5) f(6)
#define CHAINS_8(f)    CHAINS_7(f) f(7)
#define CHAINS_9(f)    CHAINS_8(f) f(8)

#define CHAIN_ROUND(i) e##i = aes_round(e##i, key);
#define CHAIN_LAST(i)  e##i = vaeseq_u8(e##i, key);

#define CHAINS_ROUND(chains, i)                                                                    \
    key = vld1q_u8(t->round_key[i]);                                                               \
    chains(CHAIN_ROUND)

/* All of it, with room for other work after some of the rounds. */
#define CHAINS_ENCRYPT(chains, after_1, after_2, after_3, after_4, after_6)                        \
    do {                                                                                           \
        const uint8_t *last;                                                                       \
                                                                                                   \
        t = opaque(t);                                                                             \
        CHAINS_ROUND(chains, 0);                                                                   \
        CHAINS_ROUND(chains, 1);                                                                   \
        after_1;                                                                                   \
        CHAINS_ROUND(chains, 2);                                                                   \
        after_2;                                                                                   \
        CHAINS_ROUND(chains, 3);                                                                   \
        after_3;                                                                                   \
        CHAINS_ROUND(chains, 4);                                                                   \
        after_4;                                                                                   \
        CHAINS_ROUND(chains, 5);                                                                   \
        CHAINS_ROUND(chains, 6);                                                                   \
        after_6;                                                                                   \
        CHAINS_ROUND(chains, 7);                                                                   \
        CHAINS_ROUND(chains, 8);                                                                   \
        if (t->rounds > 10) {                                                                      \
            CHAINS_ROUND(chains, 9);                                                               \
            CHAINS_ROUND(chains, 10);                                                              \
            if (t->rounds > 12) {                                                                  \
                CHAINS_ROUND(chains, 11);                                                          \
                CHAINS_ROUND(chains, 12);                                                          \
            }                                                                                      \
        }                                                                                          \
        last = t->round_key[t->rounds];                                                            \
        key = vld1q_u8(last - 16);                                                                 \
        chains(CHAIN_LAST);                                                                        \
        key = vld1q_u8(last);                                                                      \
    } while (0)

#define CHAINS_ONLY(chains) CHAINS_ENCRYPT(chains, , , , , )

/* ---- Bulk ---- */

/* The next counter, and nothing that the compiler could make of several such steps. */
ALWAYS_INLINE uint32x4_t next_counter(uint32x4_t counter, uint32x4_t one)
{
    counter = vaddq_u32(counter, one);
    __asm__("" : "+w"(counter));
    return counter;
}

#define BULK_COUNTER(i)                                                                            \
    e##i = counter_block(counter);                                                                 \
    counter = next_counter(counter, one);
#define BULK_OUTPUT(i) vst1q_u8(dst + 16 * (i), aes_output(e##i, key, src + 16 * (i)));

/* Counter mode alone, of 128 bytes. */
ALWAYS_INLINE uint32x4_t encrypt_128(const struct gcm_table *t, uint8_t *dst, const uint8_t *src,
                                     uint32x4_t counter)
{
    const uint32x4_t one = count(vdupq_n_u32(0), 1);
    uint8x16_t e0, e1, e2, e3, e4, e5, e6, e7, key;

    CHAINS_8(BULK_COUNTER)
    CHAINS_ONLY(CHAINS_8);
    CHAINS_8(BULK_OUTPUT)
    return counter;
}

/* sum += the two blocks from `block` on, of eight */
ALWAYS_INLINE void hash_pair(struct ghash_sum *sum, const struct gcm_table *t, const uint8_t *data,
                             size_t block, uint64x2_t y)
{
    ghash_add_pair(sum, veorq_u64(ghash_block(vld1q_u8(data + 16 * block)), y),
                   ghash_block(vld1q_u8(data + 16 * block + 16)), &t->power[3 - block / 2]);
}

/* GHASH of 128 bytes from y on */
ALWAYS_INLINE uint64x2_t hash_128(const struct gcm_table *t, const uint8_t *data, uint64x2_t y)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    struct ghash_sum sum = ghash_zero();

    hash_pair(&sum, t, data, 0, y);
    hash_pair(&sum, t, data, 2, zero);
    hash_pair(&sum, t, data, 4, zero);
    hash_pair(&sum, t, data, 6, zero);
    return ghash_reduce(&sum);
}

/*
 * Nothing, but no part of the round before it can be put off, and nothing of the one after it
 * begun, key and ciphertext loaded included. Left alone, Clang 19 does all of GHASH after all of
 * AES, with spills, and cores that run in order would wait for each.
 */
ALWAYS_INLINE void end_of_round(const struct gcm_table **t, const uint8_t **hashed,
                                uint8x16_t *block, struct ghash_sum *sum)
{
    __asm__(""
            : "+r"(*t), "+r"(*hashed), "+w"(*block), "+w"(sum->lo), "+w"(sum->mid), "+w"(sum->hi));
}

#define BULK_HASH(block, y)                                                                        \
    hash_pair(&sum, t, hashed, block, y);                                                          \
    end_of_round(&t, &hashed, &e0, &sum)

/*
 * Counter mode over src, GHASH over `hashed`, which is src itself (opening) or what the turn before
 * wrote (sealing). The pair that y is added to comes last, when y has long been reduced.
 */
ALWAYS_INLINE uint64x2_t bulk(const struct gcm_table *t, uint8_t *dst, const uint8_t *src,
                              const uint8_t *hashed, size_t turns, uint64x2_t y, uint32x4_t counter)
{
    const uint32x4_t one = count(vdupq_n_u32(0), 1);
    const uint64x2_t zero = vdupq_n_u64(0);
    uint8x16_t e0, e1, e2, e3, e4, e5, e6, e7, key;

    for (; turns != 0; turns--) {
        struct ghash_sum sum = ghash_zero();

        CHAINS_8(BULK_COUNTER)
        CHAINS_ENCRYPT(CHAINS_8, BULK_HASH(2, zero), BULK_HASH(4, zero), BULK_HASH(6, zero),
                       BULK_HASH(0, y), y = ghash_reduce(&sum));
        CHAINS_8(BULK_OUTPUT)
        dst += BULK;
        src += BULK;
        hashed += BULK;
    }
    return y;
}

#endif
