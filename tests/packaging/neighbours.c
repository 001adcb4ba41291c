/* SPDX-License-Identifier: MIT */
/* One message through this library, libcrypto and libsodium, all of them linked statically. */
#include <string.h>

#include <aeadfast.h>
#include <openssl/evp.h>
#include <sodium.h>

static int crypto_seal(uint8_t *out, uint8_t tag[16], const uint8_t *in, int len,
                       const uint8_t nonce[12], const uint8_t key[32])
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    int n;
    int ok = c != NULL && EVP_EncryptInit_ex(c, EVP_chacha20_poly1305(), NULL, key, nonce) == 1 &&
             EVP_EncryptUpdate(c, out, &n, in, len) == 1 && n == len &&
             EVP_EncryptFinal_ex(c, out + len, &n) == 1 && n == 0 &&
             EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1;

    EVP_CIPHER_CTX_free(c);
    return ok;
}

int main(void)
{
    static const uint8_t text[1000] = {1, 2, 3};
    const uint8_t key[32] = {4};
    const uint8_t nonce[12] = {5};
    uint8_t sealed[3][sizeof text];
    uint8_t tag[3][16];
    unsigned long long tag_len;

    if (chacha20_poly1305_seal(sealed[0], tag[0], text, sizeof text, NULL, 0, nonce, key) != 0 ||
        !crypto_seal(sealed[1], tag[1], text, sizeof text, nonce, key) || sodium_init() < 0 ||
        crypto_aead_chacha20poly1305_ietf_encrypt_detached(
            sealed[2], tag[2], &tag_len, text, sizeof text, NULL, 0, NULL, nonce, key) != 0) {
        return 1;
    }
    return memcmp(sealed[0], sealed[1], sizeof text) != 0 ||
           memcmp(sealed[0], sealed[2], sizeof text) != 0 || memcmp(tag[0], tag[1], 16) != 0 ||
           memcmp(tag[0], tag[2], 16) != 0;
}
