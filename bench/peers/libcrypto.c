/* SPDX-License-Identifier: MIT */
/* OpenSSL 3 and later: EVP, with the cipher fetched and the key set once, a nonce a message. */
#include "peer.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>

/* One context each way: turning one round would set the key up again. */
struct aead {
    EVP_CIPHER_CTX *seal;
    EVP_CIPHER_CTX *open;
};

static const char *version(void)
{
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}

static EVP_CIPHER_CTX *context(const EVP_CIPHER *cipher, const uint8_t *key, int enc)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    if (ctx == NULL || EVP_CipherInit_ex(ctx, cipher, NULL, key, NULL, enc) != 1) {
        return NULL;
    }
    return ctx;
}

static void *make(const char *name, const uint8_t *key)
{
    struct aead *aead = malloc(sizeof *aead);
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);

    if (aead == NULL || cipher == NULL) {
        return NULL;
    }
    aead->seal = context(cipher, key, 1);
    aead->open = context(cipher, key, 0);
    return aead->seal != NULL && aead->open != NULL ? aead : NULL;
}

static void *make_chacha20_poly1305(const uint8_t *key)
{
    return make("ChaCha20-Poly1305", key);
}

static void *make_aes_128_gcm(const uint8_t *key)
{
    return make("AES-128-GCM", key);
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    return make("AES-256-GCM", key);
}

static int rekey(void *object, const uint8_t *key)
{
    struct aead *aead = object;

    return EVP_CipherInit_ex(aead->seal, NULL, NULL, key, NULL, 1) != 1;
}

static int seal(void *object, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    struct aead *aead = object;
    int n = 0;

    return EVP_EncryptInit_ex(aead->seal, NULL, NULL, NULL, nonce) != 1 ||
           EVP_EncryptUpdate(aead->seal, NULL, &n, aad, (int)aad_len) != 1 ||
           EVP_EncryptUpdate(aead->seal, ct, &n, pt, (int)len) != 1 ||
           EVP_EncryptFinal_ex(aead->seal, ct + n, &n) != 1 ||
           EVP_CIPHER_CTX_ctrl(aead->seal, EVP_CTRL_AEAD_GET_TAG, 16, tag) != 1;
}

static int open(void *object, uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    struct aead *aead = object;
    uint8_t expected[16];
    int n = 0;

    for (size_t i = 0; i < sizeof expected; i++) {
        expected[i] = tag[i]; /* the interface asks for one that may be written to */
    }
    return EVP_DecryptInit_ex(aead->open, NULL, NULL, NULL, nonce) != 1 ||
           EVP_DecryptUpdate(aead->open, NULL, &n, aad, (int)aad_len) != 1 ||
           EVP_DecryptUpdate(aead->open, pt, &n, ct, (int)len) != 1 ||
           EVP_CIPHER_CTX_ctrl(aead->open, EVP_CTRL_AEAD_SET_TAG, 16, expected) != 1 ||
           EVP_DecryptFinal_ex(aead->open, pt + n, &n) != 1;
}

static void *make_chacha20(const uint8_t key[32])
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "ChaCha20", NULL);

    return cipher != NULL ? context(cipher, key, 1) : NULL;
}

static int chacha20(void *ctx, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    uint8_t counter_and_nonce[16] = {1};
    int n = 0;

    for (size_t i = 0; i < 12; i++) {
        counter_and_nonce[4 + i] = nonce[i];
    }
    return EVP_EncryptInit_ex(ctx, NULL, NULL, NULL, counter_and_nonce) != 1 ||
           EVP_EncryptUpdate(ctx, dst, &n, src, (int)len) != 1;
}

static void *make_poly1305(void)
{
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "Poly1305", NULL);

    return mac != NULL ? EVP_MAC_CTX_new(mac) : NULL;
}

static int poly1305(void *ctx, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    size_t n = 0;

    return EVP_MAC_init(ctx, key, 32, NULL) != 1 || EVP_MAC_update(ctx, msg, len) != 1 ||
           EVP_MAC_final(ctx, tag, &n, 16) != 1;
}

static const struct peer_aead chacha20_poly1305 = {make_chacha20_poly1305, rekey, seal, open};
static const struct peer_aead aes_128_gcm = {make_aes_128_gcm, rekey, seal, open};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey, seal, open};
static const struct peer_stream chacha20_functions = {make_chacha20, chacha20};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = PEER_NAME,
    .version = version,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm},
    .chacha20 = &chacha20_functions,
    .poly1305 = &poly1305_functions,
};
