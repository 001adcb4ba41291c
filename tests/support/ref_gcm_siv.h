/* SPDX-License-Identifier: MIT */
/* AES-GCM-SIV as RFC 8452 writes it down, POLYVAL a bit at a time and by no way over GHASH. */
#ifndef TEST_REF_GCM_SIV_H
#define TEST_REF_GCM_SIV_H

#include <stddef.h>
#include <stdint.h>

#include "ref_aes_gcm.h"

/* The two keys of one nonce, section 4. */
struct ref_gcm_siv {
    uint8_t authentication_key[16];
    uint8_t encryption_key[32];
    struct ref_aes aes; /* of the encryption key */
    uint8_t nonce[12];
};

/* Section 3: out = dot(a, b), the product of both and of x^-128; out may be a. */
void ref_polyval_dot(uint8_t out[16], const uint8_t a[16], const uint8_t b[16]);

/* POLYVAL goes on from s with n bytes, filled up with zeros to whole blocks. */
void ref_polyval(uint8_t s[16], const uint8_t h[16], const uint8_t *p, size_t n);

void ref_gcm_siv_begin(struct ref_gcm_siv *siv, const uint8_t *key, size_t key_len,
                       const uint8_t nonce[12]);

void ref_gcm_siv_tag(const struct ref_gcm_siv *siv, uint8_t tag[16], const uint8_t *aad,
                     size_t aad_len, const uint8_t *pt, size_t len);

/* n bytes of the key stream that begins at the tag. */
void ref_gcm_siv_keystream(const struct ref_gcm_siv *siv, uint8_t *dst, size_t n,
                           const uint8_t tag[16]);

/*
 * Chooses the last 16 of `len` bytes of text such that the tag is the given one. 0 where no text has
 * that tag, which is so for half of them.
 */
int ref_gcm_siv_text_for(const struct ref_gcm_siv *siv, const uint8_t tag[16], const uint8_t *aad,
                         size_t aad_len, uint8_t *pt, size_t len);

#endif
