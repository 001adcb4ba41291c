/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static const char *version(void)
{
    return sodium_version_string();
}

static void *make_key(const uint8_t key[32])
{
    void *copy = sodium_init() >= 0 ? malloc(32) : NULL;

    return copy != NULL ? memcpy(copy, key, 32) : NULL;
}

static int seal_chacha20_poly1305(void *key, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                  size_t len, const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return crypto_aead_chacha20poly1305_ietf_encrypt_detached(ct, tag, NULL, pt, len, aad, aad_len,
                                                              NULL, nonce, key);
}

static int open_chacha20_poly1305(void *key, uint8_t *pt, const uint8_t *ct, size_t len,
                                  const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return crypto_aead_chacha20poly1305_ietf_decrypt_detached(pt, NULL, ct, len, tag, aad, aad_len,
                                                              nonce, key);
}

static int rekey_aes_256_gcm(void *state, const uint8_t *key)
{
    return crypto_aead_aes256gcm_beforenm(state, key);
}

static void *make_aes_256_gcm(const uint8_t *key)
{
    void *state = NULL;

    if (sodium_init() < 0 || !crypto_aead_aes256gcm_is_available() ||
        posix_memalign(&state, 64, crypto_aead_aes256gcm_statebytes()) != 0) {
        return NULL;
    }
    return rekey_aes_256_gcm(state, key) == 0 ? state : NULL;
}

static int seal_aes_256_gcm(void *state, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                            size_t len, const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    return crypto_aead_aes256gcm_encrypt_detached_afternm(ct, tag, NULL, pt, len, aad, aad_len,
                                                          NULL, nonce, state);
}

static int open_aes_256_gcm(void *state, uint8_t *pt, const uint8_t *ct, size_t len,
                            const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                            const uint8_t nonce[12])
{
    return crypto_aead_aes256gcm_decrypt_detached_afternm(pt, NULL, ct, len, tag, aad, aad_len,
                                                          nonce, state);
}

static int chacha20(void *key, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    return crypto_stream_chacha20_ietf_xor_ic(dst, src, len, nonce, 1, key);
}

static void *make_poly1305(void)
{
    static int none;

    return sodium_init() >= 0 ? &none : NULL;
}

static int poly1305(void *unused, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    (void)unused;
    return crypto_onetimeauth(tag, msg, len, key);
}

static const struct peer_aead chacha20_poly1305 = {make_key, NULL, seal_chacha20_poly1305,
                                                   open_chacha20_poly1305};
static const struct peer_aead aes_256_gcm = {make_aes_256_gcm, rekey_aes_256_gcm, seal_aes_256_gcm,
                                             open_aes_256_gcm};
static const struct peer_stream chacha20_functions = {make_key, chacha20};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = PEER_NAME,
    .version = version,
    .aeads = {&chacha20_poly1305, NULL, &aes_256_gcm},
    .chacha20 = &chacha20_functions,
    .poly1305 = &poly1305_functions,
};
