/* SPDX-License-Identifier: MIT */
/* The entry functions of an AES-GCM kernel, which has defined gcm_crypt. */
#ifndef AEADFAST_AES_GCM_ENTRY_H
#define AEADFAST_AES_GCM_ENTRY_H

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
