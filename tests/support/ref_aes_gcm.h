/* SPDX-License-Identifier: MIT */
/*
 * AES as FIPS 197 and GCM as SP 800-38D write them down: a byte, and in GHASH a bit, at a time.
 */
#ifndef TEST_REF_AES_GCM_H
#define TEST_REF_AES_GCM_H

#include <stddef.h>
#include <stdint.h>

struct ref_aes {
    uint8_t round_key[15][16];
    int rounds;
};

/* SP 800-38D section 6.4: the value of the hash so far, and H. */
struct ref_ghash {
    uint8_t y[16];
    uint8_t h[16];
};

struct ref_gcm {
    struct ref_aes aes;
    uint8_t h[16];
};

void ref_aes_begin(struct ref_aes *aes, const uint8_t *key, size_t key_len);
void ref_aes_encrypt(const struct ref_aes *aes, uint8_t out[16], const uint8_t in[16]);
void ref_aes_decrypt(const struct ref_aes *aes, uint8_t out[16], const uint8_t in[16]);

/* x = x * y in the field of SP 800-38D section 6.3; and the element whose product with x is 1. */
void ref_gf128_mul(uint8_t x[16], const uint8_t y[16]);
void ref_gf128_inverse(uint8_t out[16], const uint8_t x[16]);

void ref_ghash_begin(struct ref_ghash *g, const uint8_t h[16]);

/* Absorbs n bytes, filled up with zeros to whole blocks; and two lengths, given in bytes. */
void ref_ghash_padded(struct ref_ghash *g, const uint8_t *p, size_t n);
void ref_ghash_lengths(struct ref_ghash *g, uint64_t first, uint64_t second);

void ref_gcm_begin(struct ref_gcm *gcm, const uint8_t *key, size_t key_len);

/* J0, section 7.1 step 2. */
void ref_gcm_j0(const struct ref_gcm *gcm, uint8_t j0[16], const uint8_t *nonce, size_t nonce_len);

/* The 16-byte nonce whose J0 is the given one. */
void ref_gcm_nonce_for(const struct ref_gcm *gcm, uint8_t nonce[16], const uint8_t j0[16]);

/* n bytes of key stream: block i is the cipher of j0 with its last word plus 1 + i mod 2^32. */
void ref_gcm_keystream(const struct ref_gcm *gcm, uint8_t *dst, size_t n, const uint8_t j0[16]);

void ref_gcm_tag(const struct ref_gcm *gcm, uint8_t tag[16], const uint8_t j0[16],
                 const uint8_t *aad, size_t aad_len, const uint8_t *ct, size_t len);

#endif
