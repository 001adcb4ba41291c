/* SPDX-License-Identifier: MIT */
/* A message of ChaCha20-Poly1305, and what the portable kernel makes of it, for tests of pieces. */
#ifndef TEST_CHACHA_MESSAGE_H
#define TEST_CHACHA_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "rng.h"

enum { CHACHA_TEXT_MAX = 20000, CHACHA_AAD_MAX = 1300 };

struct chacha_message {
    uint8_t key[32];
    uint8_t nonce[24]; /* the first 12 bytes, but for XChaCha20-Poly1305 */
    uint8_t text[CHACHA_TEXT_MAX];
    uint8_t sealed[CHACHA_TEXT_MAX]; /* also of what the text begins with */
    uint8_t aad[CHACHA_AAD_MAX];
};

/* Makes everything random, and seals the text. */
void chacha_message_fill(struct chacha_message *m, struct rng *rng);

/* The tag of the first `len` bytes of the text, and `aad_len` of the additional data. */
void chacha_message_tag(const struct chacha_message *m, uint8_t tag[16], size_t len,
                        size_t aad_len);

#endif
