/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D) by AESE, AESMC and PMULL. aes_gcm_neon_aes.c and aes_gcm_neon_aes_sha3.c are
 * this file compiled without and with EOR3.
 *
 * A message is taken in two parts: the bulk, 128 bytes at a time (aes_gcm_aese_bulk.h), and the
 * last 1 to 128 bytes, which are all of a short message. These are encrypted in one go together
 * with J0; all their blocks, the additional data and the lengths are multiplied by powers of H of
 * their own and share one reduction.
 */
#ifndef AEADFAST_AES_GCM_AESE_H
#define AEADFAST_AES_GCM_AESE_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"
#include "aes_gcm_aese_bulk.h"
#include "aes_gcm_partial_neon.h"

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    struct gcm_table *t = table;

    t->rounds = aes_key_expand(t->round_key[0], key, key_len);
    ghash_powers(t->power, PAIRS,
                 aes_encrypt_block(t->round_key[0], (unsigned)t->rounds, vdupq_n_u8(0)));
}

/* ---- Additional data and nonces ---- */

/* GHASH of n bytes padded with zeros */
ALWAYS_INLINE uint64x2_t hash_bytes(const struct gcm_table *t, const uint8_t *p, size_t n)
{
    uint64x2_t y = vdupq_n_u64(0);

    for (; n >= BULK; n -= BULK, p += BULK) {
        y = hash_128(opaque(t), p, y);
    }
    while (n != 0) { /* two blocks at a time, the second perhaps missing */
        const struct ghash_pair *power = opaque(t)->power;
        struct ghash_sum sum = ghash_zero();
        const size_t first = n < 16 ? n : 16;
        const size_t second = n - first < 16 ? n - first : 16;
        uint8x16_t block = first < 16 ? gcm_load_partial(p, first) : vld1q_u8(p);

        y = veorq_u64(y, ghash_block(block));
        if (second == 0) {
            return ghash_mul(y, ghash_power(power, 1));
        }
        block = second < 16 ? gcm_load_partial(p + 16, second) : vld1q_u8(p + 16);
        ghash_add_pair(&sum, y, ghash_block(block), &power[0]);
        y = ghash_reduce(&sum);
        p += first + second;
        n -= first + second;
    }
    return y;
}

/* The block that ends GHASH. */
ALWAYS_INLINE uint64x2_t hash_lengths(size_t first, size_t second)
{
    return ghash_block(vrev64q_u8(gcm_from_words((uint64_t)first * 8, (uint64_t)second * 8)));
}

static __attribute__((noinline)) uint64x2_t hash_aad(const struct gcm_table *t, const uint8_t *aad,
                                                     size_t aad_len)
{
    return hash_bytes(t, aad, aad_len);
}

/*
 * y after the additional data, and J0 of a nonce that is not 12 bytes long, as a counter. Both in
 * one call, because no vector register survives one: its caller would keep the first on the stack.
 */
static __attribute__((noinline)) uint64x2x2_t hash_aad_and_nonce(const struct gcm_table *t,
                                                                 const uint8_t *aad, size_t aad_len,
                                                                 const uint8_t *nonce,
                                                                 size_t nonce_len)
{
    uint64x2_t j0 = veorq_u64(hash_bytes(t, nonce, nonce_len), hash_lengths(0, nonce_len));
    uint64x2x2_t both;

    j0 = ghash_mul(j0, ghash_power(t->power, 1));
    both.val[0] = hash_bytes(t, aad, aad_len);
    both.val[1] = vreinterpretq_u64_u32(counter_load(ghash_bytes(j0)));
    return both;
}

/* J0 of a nonce that is: the nonce and the number 1 */
ALWAYS_INLINE uint32x4_t start_counter(const uint8_t *nonce)
{
    uint8x16_t block = gcm_from_words(load_le64(nonce), load_le32(nonce + 8));

    return vsetq_lane_u32(1, counter_load(block), 3);
}

/* ---- The whole message ---- */

#define CHAIN_START(i) e##i = counter_block((i) == 0 ? j0 : count(end, (size_t)1 - (i)));

/* Block e##k, 16 * k bytes before the pointers: written, and as GHASH takes it. */
#define TEXT_BLOCK(k) text_block(dst - 16 * (k), src - 16 * (k), e##k, key, sealing)

/* Block k, and the one before it where there is one; from the end they are k + 1 and k + 2. */
#define TEXT_PAIR(k, k_plus_1)                                                                     \
    do {                                                                                           \
        uint64x2_t even = vdupq_n_u64(0);                                                          \
                                                                                                   \
        if (blocks > (k)) {                                                                        \
            even = TEXT_BLOCK(k_plus_1);                                                           \
        }                                                                                          \
        ghash_add_pair(&sum, even, TEXT_BLOCK(k), &t->power[(k) / 2]);                             \
    } while (0)

ALWAYS_INLINE void gcm_crypt(const struct gcm_table *t, uint8_t *dst, uint8_t tag[16],
                             const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                             const uint8_t *nonce, size_t nonce_len, int sealing)
{
    const size_t text_len = len;
    const uint8_t *unhashed = NULL; /* 128 bytes of ciphertext */
    size_t y_blocks = 0; /* y has been multiplied already, or (1) is a block that is to be */
    size_t blocks;
    struct ghash_sum sum;
    uint64x2_t y = vdupq_n_u64(0);
    uint64x2_t x = vdupq_n_u64(0);
    uint32x4_t j0, end;
    uint8x16_t e0, e1, e2, e3, e4, e5, e6, e7, e8, key;

    if (nonce_len != 12) {
        const uint64x2x2_t both = hash_aad_and_nonce(t, aad, aad_len, nonce, nonce_len);

        y = both.val[0];
        j0 = vreinterpretq_u32_u64(both.val[1]);
    } else {
        if (aad_len > 16) {
            y = hash_aad(t, aad, aad_len);
        } else if (aad_len != 0) {
            y = ghash_block(aad_len == 16 ? vld1q_u8(aad) : gcm_load_partial(aad, aad_len));
            y_blocks = 1;
        }
        j0 = start_counter(nonce);
    }
    end = j0;

    if (len > BULK) {
        const size_t turns = (len - 1) / BULK;
        const size_t bytes = turns * BULK;
        uint32x4_t counter = count(j0, 1);

        if (y_blocks != 0) {
            y = ghash_mul(y, ghash_power(t->power, 1));
            y_blocks = 0;
        }
        if (sealing) {
            counter = encrypt_128(t, dst, src, counter);
            y = bulk(t, dst + BULK, src + BULK, dst, turns - 1, y, counter);
            unhashed = dst + bytes - BULK;
        } else {
            y = bulk(t, dst, src, src, turns, y, counter);
        }
        dst += bytes;
        src += bytes;
        len -= bytes;
        end = count(j0, bytes / 16);
    }

    blocks = (len + 15) / 16;
    if (blocks != 0) { /* the pointers may be NULL */
        src += 16 * blocks;
        dst += 16 * blocks;
    }
    if (sealing && unhashed != NULL) {
        y = hash_128(t, unhashed, y);
    }

    /* J0 in e0; the text, last block first, in e1, e2, ...; what is one too many counts back */
    end = count(end, blocks);
    e1 = e2 = e3 = e4 = e5 = e6 = e7 = e8 = vdupq_n_u8(0);
    if (blocks <= 2) {
        if (blocks == 0) {
            CHAINS_1(CHAIN_START)
            CHAINS_ONLY(CHAINS_1);
        } else if (blocks == 1) {
            CHAINS_2(CHAIN_START)
            CHAINS_ONLY(CHAINS_2);
        } else {
            CHAINS_3(CHAIN_START)
            CHAINS_ONLY(CHAINS_3);
        }
    } else if (blocks <= 4) {
        CHAINS_5(CHAIN_START)
        CHAINS_ONLY(CHAINS_5);
    } else if (blocks <= 6) {
        CHAINS_7(CHAIN_START)
        CHAINS_ONLY(CHAINS_7);
    } else {
        CHAINS_9(CHAIN_START)
        CHAINS_ONLY(CHAINS_9);
    }

    /* From the end, the lengths are block 1, those of the text 2 and so on. */
    sum = ghash_product(y, ghash_power(t->power, blocks + 1 + y_blocks));
    if (blocks > 1) {
        if (blocks > 3) {
            if (blocks > 5) {
                if (blocks > 7) {
                    ghash_add_pair(&sum, x, TEXT_BLOCK(8), &t->power[4]);
                }
                TEXT_PAIR(6, 7);
            }
            TEXT_PAIR(4, 5);
        }
        TEXT_PAIR(2, 3);
    }
    if (len % 16 != 0) {
        const uint8x16_t stream = veorq_u8(e1, key);

        x = ghash_block(
            gcm_partial_block(dst - 16, src - 16, len % 16, stream, text_len > 16, sealing));
    } else if (blocks != 0) {
        x = TEXT_BLOCK(1);
    }
    ghash_add_pair(&sum, x, hash_lengths(aad_len, text_len), &t->power[0]);
    vst1q_u8(tag, veorq_u8(veorq_u8(ghash_bytes(ghash_reduce(&sum)), e0), key));
}

static void gcm_seal(const void *table, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                     const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    gcm_crypt(table, ct, tag, pt, len, aad, aad_len, nonce, nonce_len, 1);
}

static void gcm_open(const void *table, uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len,
                     const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    gcm_crypt(table, pt, tag, ct, len, aad, aad_len, nonce, nonce_len, 0);
}

#endif
