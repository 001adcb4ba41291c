/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <mbedtls/chacha20.h>
#include <mbedtls/chachapoly.h>
#include <mbedtls/gcm.h>
#include <mbedtls/poly1305.h>
#include <mbedtls/version.h>
#include <stdlib.h>

static const char *version(void)
{
    static char text[16];

    mbedtls_version_get_string(text);
    return text;
}

static void *make_chacha20_poly1305(const uint8_t *key)
{
    mbedtls_chachapoly_context *ctx = malloc(sizeof *ctx);

    if (ctx == NULL) {
        return NULL;
    }
    mbedtls_chachapoly_init(ctx);
    return mbedtls_chachapoly_setkey(ctx, key) == 0 ? ctx : NULL;
}

static int seal_chacha20_poly1305(void *ctx, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                  size_t len, const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return mbedtls_chachapoly_encrypt_and_tag(ctx, len, nonce, aad, aad_len, pt, ct, tag);
}

static int open_chacha20_poly1305(void *ctx, uint8_t *pt, const uint8_t *ct, size_t len,
                                  const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return mbedtls_chachapoly_auth_decrypt(ctx, len, nonce, aad, aad_len, tag, ct, pt);
}

static void *make_aes_gcm(const uint8_t *key, unsigned bits)
{
    mbedtls_gcm_context *ctx = malloc(sizeof *ctx);

    if (ctx == NULL) {
        return NULL;
    }
    mbedtls_gcm_init(ctx);
    return mbedtls_gcm_setkey(ctx, MBEDTLS_CIPHER_ID_AES, key, bits) == 0 ? ctx : NULL;
}

static void *make_aes_128_gcm(const uint8_t *key)
{
    return make_aes_gcm(key, 128);
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    return make_aes_gcm(key, 256);
}

static int rekey_128(void *ctx, const uint8_t *key)
{
    return mbedtls_gcm_setkey(ctx, MBEDTLS_CIPHER_ID_AES, key, 128);
}

static int rekey_256(void *ctx, const uint8_t *key)
{
    return mbedtls_gcm_setkey(ctx, MBEDTLS_CIPHER_ID_AES, key, 256);
}

static int seal_aes_gcm(void *ctx, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return mbedtls_gcm_crypt_and_tag(ctx, MBEDTLS_GCM_ENCRYPT, len, nonce, 12, aad, aad_len, pt, ct,
                                     16, tag);
}

static int open_aes_gcm(void *ctx, uint8_t *pt, const uint8_t *ct, size_t len,
                        const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t nonce[12])
{
    return mbedtls_gcm_auth_decrypt(ctx, len, nonce, 12, aad, aad_len, tag, 16, ct, pt);
}

static void *make_chacha20(const uint8_t key[32])
{
    mbedtls_chacha20_context *ctx = malloc(sizeof *ctx);

    if (ctx == NULL) {
        return NULL;
    }
    mbedtls_chacha20_init(ctx);
    return mbedtls_chacha20_setkey(ctx, key) == 0 ? ctx : NULL;
}

static int chacha20(void *ctx, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    return mbedtls_chacha20_starts(ctx, nonce, 1) != 0 ||
           mbedtls_chacha20_update(ctx, len, src, dst) != 0;
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
    return mbedtls_poly1305_mac(key, msg, len, tag);
}

static const struct peer_aead chacha20_poly1305 = {make_chacha20_poly1305, NULL,
                                                   seal_chacha20_poly1305, open_chacha20_poly1305};
static const struct peer_aead aes_128_gcm = {make_aes_128_gcm, rekey_128, seal_aes_gcm,
                                             open_aes_gcm};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey_256, seal_aes_gcm,
                                             open_aes_gcm};
static const struct peer_stream chacha20_functions = {make_chacha20, chacha20};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = PEER_NAME,
    .version = version,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm},
    .chacha20 = &chacha20_functions,
    .poly1305 = &poly1305_functions,
};
