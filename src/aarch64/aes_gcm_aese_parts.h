/* SPDX-License-Identifier: MIT */
/*
 * The parts of AES-GCM (struct aes_gcm_parts in kernel.h) by AESE, AESMC and PMULL: eight blocks at a
 * time, and the last one to eight or none to seven in one go. Those are numbered from the end, as
 * their powers of H are: block 0 is the last, and in e0.
 */
#ifndef AEADFAST_AES_GCM_AESE_PARTS_H
#define AEADFAST_AES_GCM_AESE_PARTS_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "aes_gcm_aese_bulk.h"
#include "aes_gcm_partial_neon.h"

static void gcm_parts_init_hash(void *table, const uint8_t *key, size_t key_len,
                                const uint8_t h[16], size_t nblocks)
{
    struct gcm_table *t = table;
    const size_t powers = nblocks < 8 ? nblocks : 8;

    t->rounds = aes_key_expand(t->round_key[0], key, key_len);
    ghash_powers(t->power, (powers + 1) / 2, vld1q_u8(h));
}

/* Makes e0, e1, ... of 1 to 8 blocks, and of some that nobody wants, and encrypts them. */
#define REST_ENCRYPT(blocks, start)                                                                \
    do {                                                                                           \
        e1 = e2 = e3 = e4 = e5 = e6 = e7 = vdupq_n_u8(0);                                          \
        if ((blocks) == 1) {                                                                       \
            CHAINS_1(start)                                                                        \
            CHAINS_ONLY(CHAINS_1);                                                                 \
        } else if ((blocks) <= 3) {                                                                \
            CHAINS_3(start)                                                                        \
            CHAINS_ONLY(CHAINS_3);                                                                 \
        } else if ((blocks) <= 5) {                                                                \
            CHAINS_5(start)                                                                        \
            CHAINS_ONLY(CHAINS_5);                                                                 \
        } else {                                                                                   \
            CHAINS_8(start)                                                                        \
            CHAINS_ONLY(CHAINS_8);                                                                 \
        }                                                                                          \
    } while (0)

/* Where block k is before the end; for one that there is not, where the first is. */
#define REST_AT(k)   (16 * ((k) < nblocks ? (k) + 1 : nblocks))
#define REST_LOAD(k) e##k = vld1q_u8(src - REST_AT((size_t)(k)));
#define REST_STORE(k)                                                                              \
    if ((k) < nblocks) {                                                                           \
        vst1q_u8(dst - 16 * ((k) + 1), veorq_u8(e##k, key));                                       \
    }

#define BLOCK_LOAD(i)  e##i = vld1q_u8(src + 16 * (i));
#define BLOCK_STORE(i) vst1q_u8(dst + 16 * (i), veorq_u8(e##i, key));

static void gcm_parts_encrypt(const void *table, uint8_t *dst, const uint8_t *src, size_t nblocks)
{
    const struct gcm_table *t = table;
    uint8x16_t e0, e1, e2, e3, e4, e5, e6, e7, key;

    for (; nblocks >= 8; nblocks -= 8, dst += 128, src += 128) {
        CHAINS_8(BLOCK_LOAD)
        CHAINS_ONLY(CHAINS_8);
        CHAINS_8(BLOCK_STORE)
    }
    if (nblocks != 0) {
        dst += 16 * nblocks;
        src += 16 * nblocks;
        REST_ENCRYPT(nblocks, REST_LOAD);
        CHAINS_7(REST_STORE)
    }
}

/* ---- GHASH ---- */

/*
 * A block whose bytes are to be reversed. As its bits are, too, POLYVAL might do without either, but
 * not with the modulus and the powers that GHASH has; TBL is one instruction of ten for a block.
 */
ALWAYS_INLINE uint64x2_t part_block(const uint8_t *p, int reversed)
{
    static const uint8_t from[16] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    const uint8x16_t block = vld1q_u8(p);

    return ghash_block(reversed ? vqtbl1q_u8(block, vld1q_u8(from)) : block);
}

ALWAYS_INLINE void part_hash_blocks(const void *table, uint8_t y[16], const uint8_t *data,
                                    size_t nblocks, int reversed)
{
    const struct gcm_table *t = table;
    uint64x2_t v = ghash_block(vld1q_u8(y));

    for (; nblocks >= 8; nblocks -= 8, data += 128) {
        struct ghash_sum sum = ghash_zero();

        t = opaque(t);
        UNROLL
        for (size_t i = 0; i < 8; i += 2) {
            uint64x2_t even = part_block(data + 16 * i, reversed);

            even = i == 0 ? veorq_u64(even, v) : even;
            ghash_add_pair(&sum, even, part_block(data + 16 * i + 16, reversed),
                           &t->power[3 - i / 2]);
        }
        v = ghash_reduce(&sum);
    }
    if (nblocks != 0) {
        struct ghash_sum sum = ghash_product(v, ghash_power(t->power, nblocks));

        data += 16 * nblocks;
        for (size_t k = 0; k < nblocks; k += 2) {
            uint64x2_t even = vdupq_n_u64(0);

            if (k + 1 < nblocks) {
                even = part_block(data - 16 * (k + 2), reversed);
            }
            ghash_add_pair(&sum, even, part_block(data - 16 * (k + 1), reversed), &t->power[k / 2]);
        }
        v = ghash_reduce(&sum);
    }
    vst1q_u8(y, ghash_bytes(v));
}

static void gcm_parts_hash(const void *table, uint8_t y[16], const uint8_t *data, size_t nblocks)
{
    part_hash_blocks(table, y, data, nblocks, 0);
}

static void gcm_parts_hash_reversed(const void *table, uint8_t y[16], const uint8_t *data,
                                    size_t nblocks)
{
    part_hash_blocks(table, y, data, nblocks, 1);
}

/* ---- Text ---- */

#define REST_COUNTER(k) e##k = counter_block(count(end, 0 - (size_t)(k)));

/* Block k of the text: written, and as GHASH takes it. */
#define REST_TEXT(k) text_block(dst - 16 * ((k) + 1), src - 16 * ((k) + 1), e##k, key, sealing)

#define REST_PAIR(k, k_plus_1)                                                                     \
    if (nblocks > (k)) {                                                                           \
        uint64x2_t even = vdupq_n_u64(0);                                                          \
                                                                                                   \
        if (nblocks > (k) + 1) {                                                                   \
            even = REST_TEXT(k_plus_1);                                                            \
        }                                                                                          \
        ghash_add_pair(&sum, even, REST_TEXT(k), &t->power[(k) / 2]);                              \
    }

ALWAYS_INLINE uint64x2_t part_text(const struct gcm_table *t, uint8_t *dst, const uint8_t *src,
                                   size_t nblocks, uint64x2_t y, uint32x4_t counter, int sealing)
{
    struct ghash_sum sum;
    uint32x4_t end;
    uint8x16_t e0, e1, e2, e3, e4, e5, e6, e7, key;

    if (nblocks > 8) {
        const size_t turns = (nblocks - 1) / 8;
        const size_t bytes = turns * BULK;

        end = count(counter, 8 * turns);
        if (sealing) {
            counter = encrypt_128(t, dst, src, counter);
            y = bulk(t, dst + BULK, src + BULK, dst, turns - 1, y, counter);
            y = hash_128(t, dst + bytes - BULK, y);
        } else {
            y = bulk(t, dst, src, src, turns, y, counter);
        }
        dst += bytes;
        src += bytes;
        nblocks -= 8 * turns;
        counter = end;
    }

    dst += 16 * nblocks;
    src += 16 * nblocks;
    end = count(counter, nblocks - 1);
    REST_ENCRYPT(nblocks, REST_COUNTER);
    sum = ghash_product(y, ghash_power(t->power, nblocks));
    REST_PAIR(6, 7)
    REST_PAIR(4, 5)
    REST_PAIR(2, 3)
    REST_PAIR(0, 1)
    return ghash_reduce(&sum);
}

static void gcm_parts_text(const void *table, uint8_t y[16], uint8_t *dst, const uint8_t *src,
                           size_t nblocks, const uint8_t counter[16], int opening)
{
    const uint32x4_t first = counter_load(vld1q_u8(counter));
    uint64x2_t v = ghash_block(vld1q_u8(y));

    if (nblocks == 0) { /* the pointers may be NULL */
        return;
    }
    v = opening ? part_text(table, dst, src, nblocks, v, first, 0)
                : part_text(table, dst, src, nblocks, v, first, 1);
    vst1q_u8(y, ghash_bytes(v));
}

/* ---- Counter mode of AES-GCM-SIV: a block is as it is, and counts in its first word ---- */

ALWAYS_INLINE uint32x4_t count_le(uint32x4_t counter, size_t n)
{
    return vaddq_u32(counter, vsetq_lane_u32((uint32_t)n, vdupq_n_u32(0), 0));
}

#define LE_COUNTER(i)                                                                              \
    e##i = vreinterpretq_u8_u32(counter);                                                          \
    counter = next_counter(counter, one);
#define LE_REST(k) e##k = vreinterpretq_u8_u32(count_le(end, 0 - (size_t)(k)));
#define LE_REST_OUTPUT(k)                                                                          \
    if (nblocks > (k)) {                                                                           \
        vst1q_u8(dst - 16 * ((k) + 1), aes_output(e##k, key, src - 16 * ((k) + 1)));               \
    }

static void gcm_parts_counter_le(const void *table, uint8_t *dst, const uint8_t *src, size_t len,
                                 const uint8_t counter_bytes[16])
{
    const struct gcm_table *t = table;
    const uint32x4_t one = count_le(vdupq_n_u32(0), 1);
    const size_t text_len = len;
    uint32x4_t counter = vreinterpretq_u32_u8(vld1q_u8(counter_bytes));
    uint8x16_t e0, e1, e2, e3, e4, e5, e6, e7, key;

    for (; len >= BULK; len -= BULK, dst += BULK, src += BULK) {
        CHAINS_8(LE_COUNTER)
        CHAINS_ONLY(CHAINS_8);
        CHAINS_8(BULK_OUTPUT)
    }
    if (len != 0) {
        const size_t nblocks = (len + 15) / 16;
        const uint32x4_t end = count_le(counter, nblocks - 1);

        dst += 16 * nblocks;
        src += 16 * nblocks;
        REST_ENCRYPT(nblocks, LE_REST);
        LE_REST_OUTPUT(7)
        LE_REST_OUTPUT(6)
        LE_REST_OUTPUT(5)
        LE_REST_OUTPUT(4)
        LE_REST_OUTPUT(3)
        LE_REST_OUTPUT(2)
        LE_REST_OUTPUT(1)
        if (len % 16 == 0) {
            LE_REST_OUTPUT(0)
        } else {
            (void)gcm_partial_block(dst - 16, src - 16, len % 16, veorq_u8(e0, key), text_len > 16,
                                    1);
        }
    }
}

#endif
