/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <gcrypt.h>

static const char *version(void)
{
    return gcry_check_version(NULL);
}

static void *make(int algorithm, int mode, size_t key_len, const uint8_t *key)
{
    gcry_cipher_hd_t handle;

    (void)gcry_check_version(NULL);
    if (gcry_cipher_open(&handle, algorithm, mode, 0) != 0) {
        return NULL;
    }
    return gcry_cipher_setkey(handle, key, key_len) == 0 ? handle : NULL;
}

static void *make_chacha20_poly1305(const uint8_t *key)
{
    return make(GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_POLY1305, 32, key);
}

static void *make_aes_128_gcm(const uint8_t *key)
{
    return make(GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_GCM, 16, key);
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    return make(GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM, 32, key);
}

static int rekey_16(void *handle, const uint8_t *key)
{
    return gcry_cipher_setkey(handle, key, 16) != 0;
}

static int rekey_32(void *handle, const uint8_t *key)
{
    return gcry_cipher_setkey(handle, key, 32) != 0;
}

static int seal(void *handle, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return gcry_cipher_setiv(handle, nonce, 12) != 0 ||
           gcry_cipher_authenticate(handle, aad, aad_len) != 0 || gcry_cipher_final(handle) != 0 ||
           gcry_cipher_encrypt(handle, ct, len, pt, len) != 0 ||
           gcry_cipher_gettag(handle, tag, 16) != 0;
}

static int open(void *handle, uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return gcry_cipher_setiv(handle, nonce, 12) != 0 ||
           gcry_cipher_authenticate(handle, aad, aad_len) != 0 || gcry_cipher_final(handle) != 0 ||
           gcry_cipher_decrypt(handle, pt, len, ct, len) != 0 ||
           gcry_cipher_checktag(handle, tag, 16) != 0;
}

static void *make_chacha20(const uint8_t key[32])
{
    return make(GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_STREAM, 32, key);
}

static int chacha20(void *handle, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    uint8_t counter_and_nonce[16] = {1};

    for (size_t i = 0; i < 12; i++) {
        counter_and_nonce[4 + i] = nonce[i];
    }
    return gcry_cipher_setiv(handle, counter_and_nonce, 16) != 0 ||
           gcry_cipher_encrypt(handle, dst, len, src, len) != 0;
}

static void *make_poly1305(void)
{
    gcry_mac_hd_t handle;

    (void)gcry_check_version(NULL);
    return gcry_mac_open(&handle, GCRY_MAC_POLY1305, 0, NULL) == 0 ? handle : NULL;
}

static int poly1305(void *handle, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    size_t n = 16;

    return gcry_mac_setkey(handle, key, 32) != 0 || gcry_mac_write(handle, msg, len) != 0 ||
           gcry_mac_read(handle, tag, &n) != 0;
}

static const struct peer_aead chacha20_poly1305 = {make_chacha20_poly1305, rekey_32, seal, open};
static const struct peer_aead aes_128_gcm = {make_aes_128_gcm, rekey_16, seal, open};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey_32, seal, open};
static const struct peer_stream chacha20_functions = {make_chacha20, chacha20};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = PEER_NAME,
    .version = version,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm},
    .chacha20 = &chacha20_functions,
    .poly1305 = &poly1305_functions,
};
