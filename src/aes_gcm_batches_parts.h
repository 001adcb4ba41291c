/* SPDX-License-Identifier: MIT */
/* The parts (struct aes_gcm_parts in kernel.h) of the kernels made with aes_gcm_batches.h. */
#ifndef AEADFAST_AES_GCM_BATCHES_PARTS_H
#define AEADFAST_AES_GCM_BATCHES_PARTS_H

#include "aes_gcm_batches.h"

static void gcm_parts_init_hash(void *table, const uint8_t *key, size_t key_len,
                                const uint8_t h[16], size_t nblocks)
{
    struct gcm_table *t = table;

    aes_key_init(&t->aes, key, key_len);
    ghash_key_init(&t->ghash, h, nblocks);
}

static void gcm_parts_encrypt(const void *table, uint8_t *dst, const uint8_t *src, size_t nblocks)
{
    const struct gcm_table *t = table;

    for (; nblocks >= AES_BLOCKS; nblocks -= AES_BLOCKS) {
        aes_encrypt_batch(dst, &t->aes, src);
        dst += 16 * AES_BLOCKS;
        src += 16 * AES_BLOCKS;
    }
    if (nblocks != 0) {
        uint8_t batch[16 * AES_BLOCKS] = {0};

        memcpy(batch, src, 16 * nblocks);
        aes_encrypt_batch(batch, &t->aes, batch);
        memcpy(dst, batch, 16 * nblocks);
    }
}

static void gcm_parts_hash_order(const struct gcm_table *table, uint8_t y[16], const uint8_t *data,
                                 size_t nblocks, int reversed)
{
    struct ghash hash;

    ghash_load(&hash, y);
    ghash_blocks(&hash, &table->ghash, data, nblocks, reversed);
    ghash_store(y, &hash);
}

static void gcm_parts_hash(const void *table, uint8_t y[16], const uint8_t *data, size_t nblocks)
{
    gcm_parts_hash_order(table, y, data, nblocks, 0);
}

static void gcm_parts_hash_reversed(const void *table, uint8_t y[16], const uint8_t *data,
                                    size_t nblocks)
{
    gcm_parts_hash_order(table, y, data, nblocks, 1);
}

/*
 * Blocks between two turns at hashing: a few KiB stay in the cache that is nearest, and there is no
 * remainder in batches of 2, 4 or 8 blocks nor in groups of 1, 2, 3, 4 or 8.
 */
#define GCM_PARTS_TURN 96

/* `len` bytes of text by the blocks from the counter `number` on. */
static void gcm_parts_xor(const struct aes_key *key, const struct aes_counter *counter,
                          uint32_t number, uint8_t *dst, const uint8_t *src, size_t len)
{
    uint8_t key_stream[16 * AES_BLOCKS];

    while (len != 0) {
        const size_t n = len < sizeof key_stream ? len : sizeof key_stream;

        aes_key_stream(key_stream, key, counter, number);
        gcm_xor(dst, src, key_stream, n);
        dst += n;
        src += n;
        len -= n;
        number += AES_BLOCKS;
    }
}

static void gcm_parts_text(const void *table, uint8_t y[16], uint8_t *dst, const uint8_t *src,
                           size_t nblocks, const uint8_t counter[16], int opening)
{
    const struct gcm_table *t = table;
    struct aes_counter block;
    struct ghash hash;
    uint32_t number = load_be32(counter + 12);

    aes_counter_init(&block, &t->aes, counter, AES_COUNTS_LAST);
    ghash_load(&hash, y);
    while (nblocks != 0) {
        const size_t n = nblocks < GCM_PARTS_TURN ? nblocks : GCM_PARTS_TURN;

        if (opening) {
            ghash_blocks(&hash, &t->ghash, src, n, 0);
        }
        gcm_parts_xor(&t->aes, &block, number, dst, src, 16 * n);
        if (!opening) {
            ghash_blocks(&hash, &t->ghash, dst, n, 0);
        }
        dst += 16 * n;
        src += 16 * n;
        nblocks -= n;
        number += GCM_PARTS_TURN;
    }
    ghash_store(y, &hash);
}

static void gcm_parts_counter_le(const void *table, uint8_t *dst, const uint8_t *src, size_t len,
                                 const uint8_t counter[16])
{
    const struct gcm_table *t = table;
    struct aes_counter block;

    aes_counter_init(&block, &t->aes, counter, AES_COUNTS_FIRST);
    gcm_parts_xor(&t->aes, &block, load_le32(counter), dst, src, len);
}

#endif
