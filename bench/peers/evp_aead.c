/* SPDX-License-Identifier: MIT */
/* BoringSSL and AWS-LC, which share EVP_AEAD. */
#include "peer.h"

#include <openssl/aead.h>
#include <openssl/chacha.h>
#include <openssl/crypto.h>
#include <openssl/poly1305.h>
#include <stdlib.h>
#include <string.h>

static const char *version(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

static void *make(const EVP_AEAD *aead, const uint8_t *key)
{
    return EVP_AEAD_CTX_new(aead, key, EVP_AEAD_key_length(aead), 16);
}

static void *make_chacha20_poly1305(const uint8_t *key)
{
    return make(EVP_aead_chacha20_poly1305(), key);
}

static void *make_aes_128_gcm(const uint8_t *key)
{
    return make(EVP_aead_aes_128_gcm(), key);
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    return make(EVP_aead_aes_256_gcm(), key);
}

static void *make_aes_128_gcm_siv(const uint8_t *key)
{
    return make(EVP_aead_aes_128_gcm_siv(), key);
}

static void *make_aes_256_gcm_siv(const uint8_t *key)
{
    return make(EVP_aead_aes_256_gcm_siv(), key);
}

static int rekey(void *ctx, const uint8_t *key)
{
    const EVP_AEAD *aead = EVP_AEAD_CTX_aead(ctx);

    EVP_AEAD_CTX_cleanup(ctx);
    return EVP_AEAD_CTX_init(ctx, aead, key, EVP_AEAD_key_length(aead), 16, NULL) != 1;
}

static int seal(void *ctx, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    size_t n = 0;

    return EVP_AEAD_CTX_seal_scatter(ctx, ct, tag, &n, 16, nonce, 12, pt, len, NULL, 0, aad,
                                     aad_len) != 1;
}

static int open(void *ctx, uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return EVP_AEAD_CTX_open_gather(ctx, pt, nonce, 12, ct, len, tag, 16, aad, aad_len) != 1;
}

static void *make_chacha20(const uint8_t key[32])
{
    void *copy = malloc(32);

    return copy != NULL ? memcpy(copy, key, 32) : NULL;
}

static int chacha20(void *key, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    CRYPTO_chacha_20(dst, src, len, key, nonce, 1);
    return 0;
}

static void *make_poly1305(void)
{
    return malloc(sizeof(poly1305_state));
}

static int poly1305(void *state, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    CRYPTO_poly1305_init(state, key);
    CRYPTO_poly1305_update(state, msg, len);
    CRYPTO_poly1305_finish(state, tag);
    return 0;
}

static const struct peer_aead chacha20_poly1305 = {make_chacha20_poly1305, rekey, seal, open};
static const struct peer_aead aes_128_gcm = {make_aes_128_gcm, rekey, seal, open};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey, seal, open};
static const struct peer_aead aes_128_gcm_siv = {make_aes_128_gcm_siv, rekey, seal, open};
static const struct peer_aead aes_256_gcm_siv = {make_aes_256_gcm_siv, rekey, seal, open};
static const struct peer_stream chacha20_functions = {make_chacha20, chacha20};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = PEER_NAME,
    .version = version,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm, &aes_128_gcm_siv, &aes_256_gcm_siv},
    .chacha20 = &chacha20_functions,
    .poly1305 = &poly1305_functions,
};
