/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D section 7) over the pieces that differ between kernels. Before it includes
 * this file, a kernel's file defines
 *
 *   struct gcm_table   round keys and what it keeps of H; at most AES_GCM_TABLE_BYTES
 *   struct gcm_hash    the running Y of GHASH, empty when all zero
 *   GCM_TEXT           optional, the name of the third function below, for gcm_seal and gcm_open
 *
 * and after it, the functions that are declared here. A kernel that has its own way through the
 * common case leaves out GCM_TEXT, and takes from here what it needs for the others: nonces that
 * are not 12 bytes, AAD, lengths.
 */
#ifndef AEADFAST_AES_GCM_COMPOSE_H
#define AEADFAST_AES_GCM_COMPOSE_H

#include "bytes.h"
#include "kernel.h"

/* Y takes in whole blocks, 0 included. */
static void gcm_hash_blocks(const struct gcm_table *table, struct gcm_hash *y, const uint8_t *data,
                            size_t blocks);

/* Y as 16 bytes, after the last block. */
static void gcm_hash_store(const struct gcm_table *table, uint8_t out[16], struct gcm_hash *y);

/* Y takes in any number of bytes, padded with zeros to whole blocks. */
static inline void gcm_hash_padded(const struct gcm_table *table, struct gcm_hash *y,
                                   const uint8_t *data, size_t len)
{
    const size_t tail = len % 16;

    gcm_hash_blocks(table, y, data, len / 16);
    if (tail != 0) {
        uint8_t last[16] = {0};

        memcpy(last, data + (len - tail), tail);
        gcm_hash_blocks(table, y, last, 1);
    }
}

/* The closing block: two lengths, given in bytes and hashed in bits. */
static inline void gcm_hash_lengths(const struct gcm_table *table, struct gcm_hash *y,
                                    uint64_t first, uint64_t second)
{
    uint8_t lengths[16];

    store_be64(lengths, 8 * first);
    store_be64(lengths + 8, 8 * second);
    gcm_hash_blocks(table, y, lengths, 1);
}

/* The pre-counter block J0: a 12-byte nonce and the number 1, or else the GHASH of the nonce. */
static inline void gcm_j0(const struct gcm_table *table, uint8_t j0[16], const uint8_t *nonce,
                          size_t nonce_len)
{
    if (nonce_len == 12) {
        memcpy(j0, nonce, 12);
        store_be32(j0 + 12, 1);
    } else {
        struct gcm_hash y = {0};

        gcm_hash_padded(table, &y, nonce, nonce_len);
        gcm_hash_lengths(table, &y, 0, nonce_len);
        gcm_hash_store(table, j0, &y);
    }
}

#ifdef GCM_TEXT

/*
 * Encrypts or decrypts the text, takes the ciphertext into Y, the last block padded with zeros, and
 * encrypts J0.
 */
static void GCM_TEXT(const struct gcm_table *table, struct gcm_hash *y, uint8_t j0_encrypted[16],
                     const uint8_t j0[16], uint8_t *dst, const uint8_t *src, size_t len,
                     int opening);

static void gcm_crypt(const struct gcm_table *table, uint8_t *dst, uint8_t tag[16],
                      const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                      const uint8_t *nonce, size_t nonce_len, int opening)
{
    struct gcm_hash y = {0};
    uint8_t j0[16];
    uint8_t mask[16];

    gcm_j0(table, j0, nonce, nonce_len);
    gcm_hash_padded(table, &y, aad, aad_len);
    GCM_TEXT(table, &y, mask, j0, dst, src, len, opening);
    gcm_hash_lengths(table, &y, aad_len, len);
    gcm_hash_store(table, tag, &y);
    for (int i = 0; i < 16; i++) {
        tag[i] ^= mask[i];
    }
}

static inline void gcm_seal(const void *table, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                            size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                            size_t nonce_len)
{
    gcm_crypt(table, ct, tag, pt, len, aad, aad_len, nonce, nonce_len, 0);
}

static inline void gcm_open(const void *table, uint8_t *pt, uint8_t tag[16], const uint8_t *ct,
                            size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                            size_t nonce_len)
{
    gcm_crypt(table, pt, tag, ct, len, aad, aad_len, nonce, nonce_len, 1);
}

#endif

#endif
