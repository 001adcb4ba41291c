/* SPDX-License-Identifier: MIT */
#include "chacha_message.h"

#include "kernels.h"

static void seal(const struct chacha_message *m, uint8_t *ct, uint8_t tag[16], size_t len,
                 size_t aad_len)
{
    kernels_portable(AEADFAST_OP_CHACHA20_POLY1305)
        ->kernel.aead->seal(ct, tag, m->text, len, m->aad, aad_len, m->nonce, m->key);
}

void chacha_message_fill(struct chacha_message *m, struct rng *rng)
{
    uint8_t tag[16];

    rng_bytes(rng, m->key, sizeof m->key);
    rng_bytes(rng, m->nonce, sizeof m->nonce);
    rng_bytes(rng, m->text, sizeof m->text);
    rng_bytes(rng, m->aad, sizeof m->aad);
    seal(m, m->sealed, tag, sizeof m->text, 0);
}

void chacha_message_tag(const struct chacha_message *m, uint8_t tag[16], size_t len, size_t aad_len)
{
    static uint8_t ct[CHACHA_TEXT_MAX];

    seal(m, ct, tag, len, aad_len);
}
