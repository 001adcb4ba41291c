/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include <symcrypt.h>

/* What the library asks of its surroundings comes from the program that links it. */
SYMCRYPT_ENVIRONMENT_POSIX_USERMODE

#define TEXT(x)     #x
#define NUMBER(x)   TEXT(x)
#define ALIGNMENT   64
#define ROUND_UP(n) (((n) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static const char *version(void)
{
    return NUMBER(SYMCRYPT_CODE_VERSION_API) "." NUMBER(SYMCRYPT_CODE_VERSION_MINOR) "." NUMBER(
        SYMCRYPT_CODE_VERSION_PATCH);
}

static void *make_key(const uint8_t key[32])
{
    void *copy = malloc(32);

    SymCryptInit();
    return copy != NULL ? memcpy(copy, key, 32) : NULL;
}

static int seal_chacha20_poly1305(void *key, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                  size_t len, const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return SymCryptChaCha20Poly1305Encrypt(key, 32, nonce, 12, aad, aad_len, pt, ct, len, tag,
                                           16) != SYMCRYPT_NO_ERROR;
}

static int open_chacha20_poly1305(void *key, uint8_t *pt, const uint8_t *ct, size_t len,
                                  const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return SymCryptChaCha20Poly1305Decrypt(key, 32, nonce, 12, aad, aad_len, ct, pt, len, tag,
                                           16) != SYMCRYPT_NO_ERROR;
}

static int rekey(void *expanded, const uint8_t *key, size_t key_len)
{
    return SymCryptGcmExpandKey(expanded, SymCryptAesBlockCipher, key, key_len) !=
           SYMCRYPT_NO_ERROR;
}

static int rekey_16(void *expanded, const uint8_t *key)
{
    return rekey(expanded, key, 16);
}

static int rekey_32(void *expanded, const uint8_t *key)
{
    return rekey(expanded, key, 32);
}

static void *make_aes_gcm(const uint8_t *key, size_t key_len)
{
    void *expanded = aligned_alloc(ALIGNMENT, ROUND_UP(sizeof(SYMCRYPT_GCM_EXPANDED_KEY)));

    SymCryptInit();
    return expanded != NULL && rekey(expanded, key, key_len) == 0 ? expanded : NULL;
}

static void *make_aes_128_gcm(const uint8_t *key)
{
    return make_aes_gcm(key, 16);
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    return make_aes_gcm(key, 32);
}

static int seal_aes_gcm(void *expanded, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    SymCryptGcmEncrypt(expanded, nonce, 12, aad, aad_len, pt, ct, len, tag, 16);
    return 0;
}

static int open_aes_gcm(void *expanded, uint8_t *pt, const uint8_t *ct, size_t len,
                        const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                        const uint8_t nonce[12])
{
    return SymCryptGcmDecrypt(expanded, nonce, 12, aad, aad_len, ct, pt, len, tag, 16) !=
           SYMCRYPT_NO_ERROR;
}

/* The state has the nonce in it, so it is made for each message. */
static int chacha20(void *key, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    SYMCRYPT_CHACHA20_STATE state;

    if (SymCryptChaCha20Init(&state, key, 32, nonce, 12, 64) != SYMCRYPT_NO_ERROR) {
        return 1;
    }
    SymCryptChaCha20Crypt(&state, src, dst, len);
    return 0;
}

static void *make_poly1305(void)
{
    static int none;

    SymCryptInit();
    return &none;
}

static int poly1305(void *unused, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    (void)unused;
    SymCryptPoly1305(key, msg, len, tag);
    return 0;
}

static const struct peer_aead chacha20_poly1305 = {make_key, NULL, seal_chacha20_poly1305,
                                                   open_chacha20_poly1305};
static const struct peer_aead aes_128_gcm = {make_aes_128_gcm, rekey_16, seal_aes_gcm,
                                             open_aes_gcm};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey_32, seal_aes_gcm,
                                             open_aes_gcm};
static const struct peer_stream chacha20_functions = {make_key, chacha20};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = PEER_NAME,
    .version = version,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm},
    .chacha20 = &chacha20_functions,
    .poly1305 = &poly1305_functions,
};
