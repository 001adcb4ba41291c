/* SPDX-License-Identifier: MIT */
/*
 * Two of a kernel's parts (struct aes_gcm_parts in kernel.h) made from two others: where the cipher
 * and GHASH take far longer than moving blocks about, it is not worth having them in forms of their
 * own. Before it includes this file, a kernel's file defines
 *
 *   gcm_parts_encrypt, gcm_parts_hash   as their members of the struct
 *   GCM_PARTS_ENCRYPTED                 how many blocks it pays to encrypt in one call
 *   GCM_PARTS_HASHED                    and to hash
 */
#ifndef AEADFAST_AES_GCM_PARTS_COMPOSE_H
#define AEADFAST_AES_GCM_PARTS_COMPOSE_H

#include "aes_gcm_compose.h"
#include "bytes.h"
#include "kernel.h"

static void gcm_parts_hash_reversed(const void *table, uint8_t y[16], const uint8_t *data,
                                    size_t nblocks)
{
    uint8_t reversed[16 * GCM_PARTS_HASHED];

    while (nblocks != 0) {
        const size_t n = nblocks < GCM_PARTS_HASHED ? nblocks : GCM_PARTS_HASHED;

        for (size_t i = 0; i < n; i++) {
            store_be64(reversed + 16 * i, load_le64(data + 16 * i + 8));
            store_be64(reversed + 16 * i + 8, load_le64(data + 16 * i));
        }
        gcm_parts_hash(table, y, reversed, n);
        data += 16 * n;
        nblocks -= n;
    }
}

static void gcm_parts_counter_le(const void *table, uint8_t *dst, const uint8_t *src, size_t len,
                                 const uint8_t counter[16])
{
    uint8_t key_stream[16 * GCM_PARTS_ENCRYPTED];
    uint32_t number = load_le32(counter);

    while (len != 0) {
        const size_t n = len < sizeof key_stream ? len : sizeof key_stream;
        size_t blocks = 0;

        for (uint8_t *block = key_stream; block < key_stream + n; block += 16) {
            memcpy(block, counter, 16);
            store_le32(block, number++);
            blocks++;
        }
        gcm_parts_encrypt(table, key_stream, key_stream, blocks);
        gcm_xor(dst, src, key_stream, n);
        dst += n;
        src += n;
        len -= n;
    }
}

#endif
