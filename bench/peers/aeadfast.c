/* SPDX-License-Identifier: MIT */
/* This library, through its public functions, in the shape of a peer. */
#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"

static void *make_key(const uint8_t key[32])
{
    void *copy = malloc(32);

    return copy != NULL ? memcpy(copy, key, 32) : NULL;
}

static int seal_chacha20_poly1305(void *key, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                  size_t len, const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return chacha20_poly1305_seal(ct, tag, pt, len, aad, aad_len, nonce, key);
}

static int open_chacha20_poly1305(void *key, uint8_t *pt, const uint8_t *ct, size_t len,
                                  const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return chacha20_poly1305_open(pt, ct, len, tag, aad, aad_len, nonce, key);
}

static int many_chacha20_poly1305(const struct peer_message *messages, size_t count, int opening)
{
    chacha20_poly1305_message m[PEER_MESSAGES_MAX];

    for (size_t i = 0; i < count; i++) {
        m[i] = (chacha20_poly1305_message){messages[i].dst,   messages[i].tag, messages[i].src,
                                           messages[i].len,   messages[i].aad, messages[i].aad_len,
                                           messages[i].nonce, messages[i].key, 0};
    }
    return opening ? chacha20_poly1305_open_many(m, count) : chacha20_poly1305_seal_many(m, count);
}

static int many_aes_gcm(const struct peer_message *messages, size_t count, int opening)
{
    aes_gcm_message m[PEER_MESSAGES_MAX];

    for (size_t i = 0; i < count; i++) {
        m[i] = (aes_gcm_message){messages[i].dst,   messages[i].tag,
                                 messages[i].src,   messages[i].len,
                                 messages[i].aad,   messages[i].aad_len,
                                 messages[i].nonce, 12,
                                 messages[i].key,   0};
    }
    return opening ? aes_gcm_open_many(m, count) : aes_gcm_seal_many(m, count);
}

static int rekey_16(void *object, const uint8_t *key)
{
    return aes_gcm_init(object, key, 16);
}

static int rekey_32(void *object, const uint8_t *key)
{
    return aes_gcm_init(object, key, 32);
}

static void *make_aes_128_gcm(const uint8_t *key)
{
    aes_gcm_key *object = malloc(sizeof *object);

    return object != NULL && rekey_16(object, key) == AEADFAST_OK ? object : NULL;
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    aes_gcm_key *object = malloc(sizeof *object);

    return object != NULL && rekey_32(object, key) == AEADFAST_OK ? object : NULL;
}

static int seal_aes_gcm(void *key, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return aes_gcm_seal(key, ct, tag, pt, len, aad, aad_len, nonce, 12);
}

static int open_aes_gcm(void *key, uint8_t *pt, const uint8_t *ct, size_t len,
                        const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t nonce[12])
{
    return aes_gcm_open(key, pt, ct, len, tag, aad, aad_len, nonce, 12);
}

static int rekey_siv_16(void *object, const uint8_t *key)
{
    return aes_gcm_siv_init(object, key, 16);
}

static int rekey_siv_32(void *object, const uint8_t *key)
{
    return aes_gcm_siv_init(object, key, 32);
}

static void *make_aes_128_gcm_siv(const uint8_t *key)
{
    aes_gcm_siv_key *object = malloc(sizeof *object);

    return object != NULL && rekey_siv_16(object, key) == AEADFAST_OK ? object : NULL;
}

static void *make_aes_256_gcm_siv(const uint8_t *key)
{
    aes_gcm_siv_key *object = malloc(sizeof *object);

    return object != NULL && rekey_siv_32(object, key) == AEADFAST_OK ? object : NULL;
}

static int seal_aes_gcm_siv(void *key, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                            const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return aes_gcm_siv_seal(key, ct, tag, pt, len, aad, aad_len, nonce);
}

static int open_aes_gcm_siv(void *key, uint8_t *pt, const uint8_t *ct, size_t len,
                            const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                            const uint8_t nonce[12])
{
    return aes_gcm_siv_open(key, pt, ct, len, tag, aad, aad_len, nonce);
}

static int chacha20(void *key, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    return chacha20_xor(dst, src, len, 1, nonce, key);
}

static int chacha8(void *key, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t nonce[12])
{
    return chacha8_xor(dst, src, len, 1, nonce, key);
}

static void *make_poly1305(void)
{
    static int none;

    return &none;
}

static int poly1305(void *unused, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    (void)unused;
    return poly1305_mac(tag, msg, len, key);
}

static const struct peer_aead chacha20_poly1305 = {make_key, NULL, seal_chacha20_poly1305,
                                                   open_chacha20_poly1305};
static const struct peer_aead aes_128_gcm = {make_aes_128_gcm, rekey_16, seal_aes_gcm,
                                             open_aes_gcm};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey_32, seal_aes_gcm,
                                             open_aes_gcm};
static const struct peer_aead aes_128_gcm_siv = {make_aes_128_gcm_siv, rekey_siv_16,
                                                 seal_aes_gcm_siv, open_aes_gcm_siv};
static const struct peer_aead aes_256_gcm_siv = {make_aes_256_gcm_siv, rekey_siv_32,
                                                 seal_aes_gcm_siv, open_aes_gcm_siv};
static const struct peer_stream chacha20_functions = {make_key, chacha20};
static const struct peer_stream chacha8_functions = {make_key, chacha8};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = "aeadfast",
    .version = aeadfast_version,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm, &aes_128_gcm_siv, &aes_256_gcm_siv},
    .chacha20 = &chacha20_functions,
    .chacha8 = &chacha8_functions,
    .poly1305 = &poly1305_functions,
    .many = {many_chacha20_poly1305, many_aes_gcm, many_aes_gcm},
};
