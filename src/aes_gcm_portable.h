/* SPDX-License-Identifier: MIT */
/*
 * What aes_gcm_portable.c and aes_gcm_portable32.c share: counter mode in batches of AES_BLOCKS
 * blocks. J0 has the number before those of the text, so it leads the first batch.
 *
 * A batch encrypts and at the same time hashes up to AES_BLOCKS blocks of ciphertext: those of the
 * batch itself when opening, those of the batch before when sealing. One block goes between two AES
 * rounds. The rounds are vector instructions and GHASH is scalar multiplications, so a core that
 * has units for both runs the two side by side.
 */
#ifndef AEADFAST_AES_GCM_PORTABLE_H
#define AEADFAST_AES_GCM_PORTABLE_H

#include "aes_bitsliced.h"
#include "kernel.h"

#if GHASH_MUL_BITS == 32
#define GHASH_POWERS 3
#elif AES_WORD_BITS == 64
#define GHASH_POWERS 2
#else
#define GHASH_POWERS 4
#endif
#include "ghash_portable.h"

struct gcm_table {
    struct aes_key aes;
    struct ghash_key ghash;
};

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "AES-GCM table too large");
_Static_assert(_Alignof(struct gcm_table) <= _Alignof(uint64_t), "AES-GCM table over-aligned");

struct gcm_hash {
    struct ghash y;
};

#include "aes_gcm_compose.h"

static inline void gcm_hash_blocks(const struct gcm_table *table, struct gcm_hash *y,
                                   const uint8_t *data, size_t blocks)
{
    ghash_blocks(&y->y, &table->ghash, data, blocks);
}

static inline void gcm_hash_store(uint8_t out[16], const struct gcm_hash *y)
{
    ghash_store(out, &y->y);
}

static inline void gcm_xor(uint8_t *dst, const uint8_t *src, const uint8_t *key_stream, size_t len)
{
    size_t i = 0;

    for (; len - i >= 8; i += 8) {
        uint64_t a;
        uint64_t b;

        memcpy(&a, src + i, 8);
        memcpy(&b, key_stream + i, 8);
        a ^= b;
        memcpy(dst + i, &a, 8);
    }
    for (; i < len; i++) {
        dst[i] = src[i] ^ key_stream[i];
    }
}

static inline void gcm_text(const struct gcm_table *table, struct gcm_hash *y,
                            uint8_t j0_encrypted[16], const uint8_t j0[16], uint8_t *dst,
                            const uint8_t *src, size_t len, int opening)
{
    uint8_t key_stream[16 * AES_BLOCKS];
    struct aes_counter counter;
    uint32_t number = load_be32(j0 + 12);
    size_t used = 16; /* bytes at the start of the batch that are not for the text: J0's */

    aes_counter_init(&counter, &table->aes, j0);
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
    aes_counter_init(&counter, &t->aes, zero);
    aes_key_stream(h, &t->aes, &counter, 0);
    ghash_key_init(&t->ghash, h);
}

#endif
