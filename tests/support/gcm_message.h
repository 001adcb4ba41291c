/* SPDX-License-Identifier: MIT */
/* A message of AES-GCM, and what the one-shot function makes of it, for tests of pieces. */
#ifndef TEST_GCM_MESSAGE_H
#define TEST_GCM_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "aeadfast.h"
#include "rng.h"

enum { GCM_TEXT_MAX = 20000, GCM_AAD_MAX = 3000, GCM_NONCE_MAX = 100 };

struct gcm_message {
    aes_gcm_key key;
    size_t tag_len;
    uint8_t nonce[GCM_NONCE_MAX];
    size_t nonce_len;
    uint8_t aad[GCM_AAD_MAX];
    size_t aad_len;
    uint8_t pt[GCM_TEXT_MAX];
    uint8_t ct[GCM_TEXT_MAX];
    size_t len;
    uint8_t tag[16];
};

/* All lengths that a tag can have, the whole one first. */
extern const size_t gcm_tag_lens[7];

/* Makes nonce, additional data and text random. */
void gcm_message_fill(struct gcm_message *m, struct rng *rng);

void gcm_message_key(struct gcm_message *m, const uint8_t *key, size_t key_len, size_t tag_len);

/* Cuts it to these lengths, and seals it under the key, by the backend that is in force. */
void gcm_message_seal(struct gcm_message *m, size_t nonce_len, size_t aad_len, size_t len);

/* A tag of the message that a function has written to 17 bytes of `filler`. */
void gcm_message_check_tag(const struct gcm_message *m, const uint8_t tag[17], uint8_t filler,
                           const char *what);

#endif
