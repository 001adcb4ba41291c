/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <aeadfast.h>

int main(void)
{
    const uint8_t key[32] = {1, 2, 3}; /* in earnest: 32 random bytes */
    const uint8_t nonce[12] = {0};     /* in earnest: another one for each message */
    const uint8_t text[6] = "hello";
    uint8_t sealed[6], tag[16], opened[6];

    if (chacha20_poly1305_seal(sealed, tag, text, 6, NULL, 0, nonce, key) != AEADFAST_OK ||
        chacha20_poly1305_open(opened, sealed, 6, tag, NULL, 0, nonce, key) != AEADFAST_OK) {
        return 1; /* without this check a forgery would pass for a message */
    }
    return puts((const char *)opened) < 0;
}
