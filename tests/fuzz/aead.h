/* SPDX-License-Identifier: MIT */
/* Any of the authenticated ciphers, with a key and a nonce that an input decides on. */
#ifndef TEST_FUZZ_AEAD_H
#define TEST_FUZZ_AEAD_H

#include "aeadfast.h"
#include "fuzz.h"

enum aead_kind {
    AEAD_CHACHA20_POLY1305,
    AEAD_XCHACHA20_POLY1305,
    AEAD_AES_GCM,
    AEAD_AES_GCM_SIV,
    AEAD_KINDS
};

struct aead {
    enum aead_kind kind;
    uint8_t key[32];
    size_t key_len;
    uint8_t *nonce;
    size_t nonce_len;
    size_t tag_len;
    aes_gcm_key gcm;
    aes_gcm_siv_key siv;
};

static const size_t aead_key_lens[3] = {16, 24, 32};
static const size_t aead_tag_lens[7] = {4, 8, 12, 13, 14, 15, 16};

static inline void aead_expand(struct aead *a)
{
    if (a->kind == AEAD_AES_GCM &&
        aes_gcm_init_tag(&a->gcm, a->key, a->key_len, a->tag_len) != AEADFAST_OK) {
        fuzz_fail("key of %zu bytes, tag of %zu", a->key_len, a->tag_len);
    }
    if (a->kind == AEAD_AES_GCM_SIV &&
        aes_gcm_siv_init(&a->siv, a->key, a->key_len) != AEADFAST_OK) {
        fuzz_fail("key of %zu bytes", a->key_len);
    }
}

static inline void aead_begin(struct aead *a, struct feed *feed)
{
    a->kind = (enum aead_kind)(feed_byte(feed) % AEAD_KINDS);
    a->key_len = 32;
    a->tag_len = 16;
    a->nonce_len = a->kind == AEAD_XCHACHA20_POLY1305 ? 24 : 12;
    if (a->kind == AEAD_AES_GCM) {
        a->key_len = aead_key_lens[feed_byte(feed) % 3];
        a->tag_len = aead_tag_lens[feed_byte(feed) % 7];
        /* 12 bytes half of the time: the others go through GHASH */
        a->nonce_len = feed_byte(feed) & 1 ? 1 + feed_below(feed, 100) : 12;
    }
    if (a->kind == AEAD_AES_GCM_SIV) {
        a->key_len = feed_byte(feed) & 1 ? 16 : 32;
    }
    feed_take(feed, a->key, a->key_len);
    a->nonce = room(a->nonce_len);
    feed_take(feed, a->nonce, a->nonce_len);
    aead_expand(a);
}

/* Goes on with another backend; an AES-GCM key keeps the one that it was made by, so half of the
 * time it is made anew. */
static inline void aead_backend(struct aead *a, struct feed *feed)
{
    feed_backend(feed);
    if (feed_byte(feed) & 1) {
        aead_expand(a);
    }
}

static inline void aead_end(struct aead *a)
{
    if (a->kind == AEAD_AES_GCM) {
        aes_gcm_wipe(&a->gcm);
    }
    if (a->kind == AEAD_AES_GCM_SIV) {
        aes_gcm_siv_wipe(&a->siv);
    }
    free(a->nonce);
}

static inline int aead_seal(const struct aead *a, uint8_t *ct, uint8_t *tag, const uint8_t *pt,
                            size_t len, const uint8_t *aad, size_t aad_len)
{
    switch (a->kind) {
    case AEAD_CHACHA20_POLY1305:
        return chacha20_poly1305_seal(ct, tag, pt, len, aad, aad_len, a->nonce, a->key);
    case AEAD_XCHACHA20_POLY1305:
        return xchacha20_poly1305_seal(ct, tag, pt, len, aad, aad_len, a->nonce, a->key);
    case AEAD_AES_GCM_SIV:
        return aes_gcm_siv_seal(&a->siv, ct, tag, pt, len, aad, aad_len, a->nonce);
    default:
        return aes_gcm_seal(&a->gcm, ct, tag, pt, len, aad, aad_len, a->nonce, a->nonce_len);
    }
}

static inline int aead_open(const struct aead *a, uint8_t *pt, const uint8_t *ct, size_t len,
                            const uint8_t *tag, const uint8_t *aad, size_t aad_len)
{
    switch (a->kind) {
    case AEAD_CHACHA20_POLY1305:
        return chacha20_poly1305_open(pt, ct, len, tag, aad, aad_len, a->nonce, a->key);
    case AEAD_XCHACHA20_POLY1305:
        return xchacha20_poly1305_open(pt, ct, len, tag, aad, aad_len, a->nonce, a->key);
    case AEAD_AES_GCM_SIV:
        return aes_gcm_siv_open(&a->siv, pt, ct, len, tag, aad, aad_len, a->nonce);
    default:
        return aes_gcm_open(&a->gcm, pt, ct, len, tag, aad, aad_len, a->nonce, a->nonce_len);
    }
}

#endif
