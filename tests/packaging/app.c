/* SPDX-License-Identifier: MIT */
/* An application that uses the library: status 0 where a message comes back as it went in. */
#include <stdint.h>
#include <string.h>

#include <aeadfast.h>

int main(void)
{
    const uint8_t key[32] = {1};
    const uint8_t nonce[12] = {2};
    uint8_t message[] = "attack at dawn";
    uint8_t tag[16];
    aes_gcm_key k;

    if (chacha20_poly1305_seal(message, tag, message, sizeof message, NULL, 0, nonce, key) != 0 ||
        memcmp(message, "attack at dawn", sizeof message) == 0 ||
        chacha20_poly1305_open(message, message, sizeof message, tag, NULL, 0, nonce, key) != 0 ||
        aes_gcm_init(&k, key, sizeof key) != 0 ||
        aes_gcm_seal(&k, message, tag, message, sizeof message, NULL, 0, nonce, 12) != 0 ||
        aes_gcm_open(&k, message, message, sizeof message, tag, NULL, 0, nonce, 12) != 0) {
        return 1;
    }
    aes_gcm_wipe(&k);
    return memcmp(message, "attack at dawn", sizeof message) != 0 ||
           strcmp(aeadfast_version(), AEADFAST_VERSION_STRING) != 0;
}
