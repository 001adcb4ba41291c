/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM over an AES that encrypts a batch of counters and a GHASH that takes a group of blocks:
 * counter mode in batches of AES_BLOCKS blocks, each followed by the GHASH of its ciphertext. J0 has
 * the number before those of the text, so it leads the first batch, and a short message takes one.
 *
 * An including kernel has included aes_bitsliced.h, or what defines the same, and a GHASH with
 *
 *   GHASH_POWERS            blocks of a group
 *   struct ghash            Y, empty when all zero
 *   struct ghash_key, ghash_key_init, ghash_blocks, ghash_load, ghash_store   see ghash_portable.h
 */
#ifndef AEADFAST_AES_GCM_BATCHES_H
#define AEADFAST_AES_GCM_BATCHES_H

#include "bytes.h"
#include "kernel.h"

struct gcm_table {
    struct aes_key aes;
    struct ghash_key ghash;
};

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "AES-GCM table too large");
_Static_assert(_Alignof(struct gcm_table) <= _Alignof(uint64_t), "AES-GCM table over-aligned");

/*
 * Blocks wait until there are as many as GHASH takes at once, so that AAD, text and lengths of a
 * short message make one group.
 */
struct gcm_hash {
    struct ghash y;
    size_t waiting;
    uint8_t block[16 * GHASH_POWERS];
};

#define GCM_TEXT gcm_text
#include "aes_gcm_compose.h"

static void gcm_hash_blocks(const struct gcm_table *table, struct gcm_hash *y, const uint8_t *data,
                            size_t blocks)
{
    while (blocks != 0) {
        if (y->waiting == 0 && blocks >= GHASH_POWERS) {
            const size_t n = blocks - blocks % GHASH_POWERS;

            ghash_blocks(&y->y, &table->ghash, data, n, 0);
            data += 16 * n;
            blocks -= n;
            continue;
        }
        do {
            memcpy(y->block + 16 * y->waiting, data, 16);
            y->waiting++;
            data += 16;
            blocks--;
        } while (blocks != 0 && y->waiting < GHASH_POWERS);
        if (y->waiting == GHASH_POWERS) {
            ghash_blocks(&y->y, &table->ghash, y->block, GHASH_POWERS, 0);
            y->waiting = 0;
        }
    }
}

static void gcm_hash_store(const struct gcm_table *table, uint8_t out[16], struct gcm_hash *y)
{
    ghash_blocks(&y->y, &table->ghash, y->block, y->waiting, 0);
    y->waiting = 0;
    ghash_store(out, &y->y);
}

static inline void gcm_xor(uint8_t *dst, const uint8_t *src, const uint8_t *key_stream, size_t len)
{
    const size_t words = len / 8;

    for (size_t i = 0; i < words; i++) {
        store_le64(dst + 8 * i, load_le64(src + 8 * i) ^ load_le64(key_stream + 8 * i));
    }
    for (size_t i = 8 * words; i < len; i++) {
        dst[i] = src[i] ^ key_stream[i];
    }
}

static void gcm_text(const struct gcm_table *table, struct gcm_hash *y, uint8_t j0_encrypted[16],
                     const uint8_t j0[16], uint8_t *dst, const uint8_t *src, size_t len,
                     int opening)
{
    uint8_t key_stream[16 * AES_BLOCKS];
    struct aes_counter counter;
    uint32_t number = load_be32(j0 + 12);
    size_t used = 16; /* bytes of the batch that are not the text's: J0's, in the first one */

    aes_counter_init(&counter, &table->aes, j0, AES_COUNTS_LAST);
    for (;;) {
        const size_t room = sizeof key_stream - used;
        const size_t n = len < room ? len : room;

        aes_key_stream(key_stream, &table->aes, &counter, number);
        if (used != 0) {
            memcpy(j0_encrypted, key_stream, 16);
        }
        if (opening) {
            gcm_hash_padded(table, y, src, n);
        }
        gcm_xor(dst, src, key_stream + used, n);
        if (!opening) {
            gcm_hash_padded(table, y, dst, n);
        }
        if (n == len) {
            return;
        }
        dst += n;
        src += n;
        len -= n;
        number += AES_BLOCKS;
        used = 0;
    }
}

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    struct gcm_table *t = table;
    static const uint8_t zero[16] = {0};
    uint8_t h[16 * AES_BLOCKS];
    struct aes_counter counter;

    aes_key_init(&t->aes, key, key_len);
    aes_counter_init(&counter, &t->aes, zero, AES_COUNTS_LAST);
    aes_key_stream(h, &t->aes, &counter, 0);
    ghash_key_init(&t->ghash, h, GHASH_POWERS);
}

#include "aes_gcm_batches_parts.h"

#endif
