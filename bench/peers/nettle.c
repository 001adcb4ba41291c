/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <nettle/chacha-poly1305.h>
#include <nettle/chacha.h>
#include <nettle/gcm.h>
#include <nettle/memops.h>
#include <nettle/version.h>
#include <stdlib.h>

static const char *version(void)
{
    static const char text[] = {'0' + NETTLE_VERSION_MAJOR, '.', '0' + NETTLE_VERSION_MINOR, '\0'};

    return text;
}

static void *make_chacha20_poly1305(const uint8_t *key)
{
    struct chacha_poly1305_ctx *ctx = malloc(sizeof *ctx);

    if (ctx != NULL) {
        chacha_poly1305_set_key(ctx, key);
    }
    return ctx;
}

static int seal_chacha20_poly1305(void *ctx, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                  size_t len, const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    chacha_poly1305_set_nonce(ctx, nonce);
    chacha_poly1305_update(ctx, aad_len, aad);
    chacha_poly1305_encrypt(ctx, len, ct, pt);
    chacha_poly1305_digest(ctx, 16, tag);
    return 0;
}

static int open_chacha20_poly1305(void *ctx, uint8_t *pt, const uint8_t *ct, size_t len,
                                  const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    uint8_t computed[16];

    chacha_poly1305_set_nonce(ctx, nonce);
    chacha_poly1305_update(ctx, aad_len, aad);
    chacha_poly1305_decrypt(ctx, len, pt, ct);
    chacha_poly1305_digest(ctx, 16, computed);
    return !memeql_sec(computed, tag, 16);
}

/* The same four functions for both key sizes, whose contexts are different types. */
#define AES_GCM(bits)                                                                              \
    static int rekey_##bits(void *ctx, const uint8_t *key)                                         \
    {                                                                                              \
        gcm_aes##bits##_set_key(ctx, key);                                                         \
        return 0;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static void *make_##bits(const uint8_t *key)                                                   \
    {                                                                                              \
        struct gcm_aes##bits##_ctx *ctx = malloc(sizeof *ctx);                                     \
                                                                                                   \
        if (ctx != NULL) {                                                                         \
            (void)rekey_##bits(ctx, key);                                                          \
        }                                                                                          \
        return ctx;                                                                                \
    }                                                                                              \
                                                                                                   \
    static int seal_##bits(void *ctx, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len, \
                           const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])            \
    {                                                                                              \
        gcm_aes##bits##_set_iv(ctx, 12, nonce);                                                    \
        gcm_aes##bits##_update(ctx, aad_len, aad);                                                 \
        gcm_aes##bits##_encrypt(ctx, len, ct, pt);                                                 \
        gcm_aes##bits##_digest(ctx, 16, tag);                                                      \
        return 0;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static int open_##bits(void *ctx, uint8_t *pt, const uint8_t *ct, size_t len,                  \
                           const uint8_t tag[16], const uint8_t *aad, size_t aad_len,              \
                           const uint8_t nonce[12])                                                \
    {                                                                                              \
        uint8_t computed[16];                                                                      \
                                                                                                   \
        gcm_aes##bits##_set_iv(ctx, 12, nonce);                                                    \
        gcm_aes##bits##_update(ctx, aad_len, aad);                                                 \
        gcm_aes##bits##_decrypt(ctx, len, pt, ct);                                                 \
        gcm_aes##bits##_digest(ctx, 16, computed);                                                 \
        return !memeql_sec(computed, tag, 16);                                                     \
    }                                                                                              \
                                                                                                   \
    static const struct peer_aead aes_##bits##_gcm = {make_##bits, rekey_##bits, seal_##bits,      \
                                                      open_##bits}

AES_GCM(128);
AES_GCM(256);

static void *make_chacha20(const uint8_t key[32])
{
    struct chacha_ctx *ctx = malloc(sizeof *ctx);

    if (ctx != NULL) {
        chacha_set_key(ctx, key);
    }
    return ctx;
}

static int chacha20(void *ctx, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    const uint8_t counter[4] = {1};

    chacha_set_nonce96(ctx, nonce);
    chacha_set_counter32(ctx, counter);
    chacha_crypt32(ctx, len, dst, src);
    return 0;
}

static const struct peer_aead chacha20_poly1305 = {make_chacha20_poly1305, NULL,
                                                   seal_chacha20_poly1305, open_chacha20_poly1305};
static const struct peer_stream chacha20_functions = {make_chacha20, chacha20};

const struct peer peer = {
    .name = PEER_NAME,
    .version = version,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm},
    .chacha20 = &chacha20_functions,
};
