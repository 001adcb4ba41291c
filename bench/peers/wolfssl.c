/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include <wolfssl/options.h>

#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/poly1305.h>

static const char *version(void)
{
    return LIBWOLFSSL_VERSION_STRING;
}

static void *make_key(const uint8_t key[32])
{
    void *copy = malloc(32);

    return copy != NULL ? memcpy(copy, key, 32) : NULL;
}

static int seal_chacha20_poly1305(void *key, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                  size_t len, const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return wc_ChaCha20Poly1305_Encrypt(key, nonce, aad, (word32)aad_len, pt, (word32)len, ct, tag);
}

static int open_chacha20_poly1305(void *key, uint8_t *pt, const uint8_t *ct, size_t len,
                                  const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return wc_ChaCha20Poly1305_Decrypt(key, nonce, aad, (word32)aad_len, ct, (word32)len, tag, pt);
}

static void *make_aes_gcm(const uint8_t *key, word32 key_len)
{
    Aes *aes = aligned_alloc(64, (sizeof(Aes) + 63) / 64 * 64);

    if (aes == NULL || wc_AesInit(aes, NULL, INVALID_DEVID) != 0) {
        return NULL;
    }
    return wc_AesGcmSetKey(aes, key, key_len) == 0 ? aes : NULL;
}

static void *make_aes_128_gcm(const uint8_t *key)
{
    return make_aes_gcm(key, 16);
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    return make_aes_gcm(key, 32);
}

static int rekey_16(void *aes, const uint8_t *key)
{
    return wc_AesGcmSetKey(aes, key, 16);
}

static int rekey_32(void *aes, const uint8_t *key)
{
    return wc_AesGcmSetKey(aes, key, 32);
}

static int seal_aes_gcm(void *aes, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return wc_AesGcmEncrypt(aes, ct, pt, (word32)len, nonce, 12, tag, 16, aad, (word32)aad_len);
}

static int open_aes_gcm(void *aes, uint8_t *pt, const uint8_t *ct, size_t len,
                        const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t nonce[12])
{
    return wc_AesGcmDecrypt(aes, pt, ct, (word32)len, nonce, 12, tag, 16, aad, (word32)aad_len);
}

static void *make_chacha20(const uint8_t key[32])
{
    ChaCha *ctx = malloc(sizeof *ctx);

    return ctx != NULL && wc_Chacha_SetKey(ctx, key, 32) == 0 ? ctx : NULL;
}

static int chacha20(void *ctx, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    return wc_Chacha_SetIV(ctx, nonce, 1) != 0 ||
           wc_Chacha_Process(ctx, dst, src, (word32)len) != 0;
}

static void *make_poly1305(void)
{
    return aligned_alloc(64, (sizeof(Poly1305) + 63) / 64 * 64);
}

static int poly1305(void *ctx, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    return wc_Poly1305SetKey(ctx, key, 32) != 0 || wc_Poly1305Update(ctx, msg, (word32)len) != 0 ||
           wc_Poly1305Final(ctx, tag) != 0;
}

static const struct peer_aead chacha20_poly1305 = {make_key, NULL, seal_chacha20_poly1305,
                                                   open_chacha20_poly1305};
static const struct peer_aead aes_128_gcm = {make_aes_128_gcm, rekey_16, seal_aes_gcm,
                                             open_aes_gcm};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey_32, seal_aes_gcm,
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
