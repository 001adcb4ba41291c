/* SPDX-License-Identifier: MIT */
#include "gcm_message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "check.h"

const size_t gcm_tag_lens[7] = {16, 4, 8, 12, 13, 14, 15};

void gcm_message_fill(struct gcm_message *m, struct rng *rng)
{
    rng_bytes(rng, m->nonce, sizeof m->nonce);
    rng_bytes(rng, m->aad, sizeof m->aad);
    rng_bytes(rng, m->pt, sizeof m->pt);
}

void gcm_message_key(struct gcm_message *m, const uint8_t *key, size_t key_len, size_t tag_len)
{
    m->tag_len = tag_len;
    check_int(aes_gcm_init_tag(&m->key, key, key_len, tag_len), AEADFAST_OK, "key of %zu bytes",
              key_len);
}

void gcm_message_seal(struct gcm_message *m, size_t nonce_len, size_t aad_len, size_t len)
{
    assert_true(nonce_len <= GCM_NONCE_MAX && aad_len <= GCM_AAD_MAX && len <= GCM_TEXT_MAX);
    m->nonce_len = nonce_len;
    m->aad_len = aad_len;
    m->len = len;
    check_int(
        aes_gcm_seal(&m->key, m->ct, m->tag, m->pt, len, m->aad, aad_len, m->nonce, nonce_len),
        AEADFAST_OK, "sealing %zu bytes", len);
}

void gcm_message_check_tag(const struct gcm_message *m, const uint8_t tag[17], uint8_t filler,
                           const char *what)
{
    check_bytes(tag, m->tag, m->tag_len, "%s: tag of %zu bytes", what, m->len);
    check_fill(tag + m->tag_len, filler, 17 - m->tag_len, "%s: behind the tag", what);
}
