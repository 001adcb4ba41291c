/* SPDX-License-Identifier: MIT */
#include "api_gcm_pieces.h"

#include <stdatomic.h>
#include <string.h>

#include "api_pieces.h"

/* ---- Lists ---- */

int flat_gcm_sealv(const aes_gcm_key *k, uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len,
                   const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    struct api_lists l = api_lists(ct, pt, len, aad, aad_len);

    return aes_gcm_sealv(k, l.ct, API_PIECES, tag, l.pt, API_PIECES, l.aad, API_PIECES, nonce,
                         nonce_len);
}

int flat_gcm_openv(const aes_gcm_key *k, uint8_t *pt, const uint8_t *ct, size_t len,
                   const uint8_t *tag, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                   size_t nonce_len)
{
    struct api_lists l = api_lists(ct, pt, len, aad, aad_len);

    return aes_gcm_openv(k, l.pt, API_PIECES, l.ct, API_PIECES, tag, l.aad, API_PIECES, nonce,
                         nonce_len);
}

int call_gcm_sealv(const struct api_call *c)
{
    return flat_gcm_sealv((const aes_gcm_key *)(const void *)c->arg[ARG_OBJECT], c->arg[ARG_OUT],
                          c->arg[ARG_TAG], c->arg[ARG_IN], c->len, c->arg[ARG_AAD], c->aad_len,
                          c->arg[ARG_NONCE], c->nonce_len);
}

int call_gcm_openv(const struct api_call *c)
{
    return flat_gcm_openv((const aes_gcm_key *)(const void *)c->arg[ARG_OBJECT], c->arg[ARG_OUT],
                          c->arg[ARG_IN], c->len, c->arg[ARG_TAG], c->arg[ARG_AAD], c->aad_len,
                          c->arg[ARG_NONCE], c->nonce_len);
}

/* ---- Streams ---- */

static aes_gcm_stream *stream(const struct api_call *c)
{
    return (aes_gcm_stream *)(void *)c->arg[ARG_OBJECT];
}

/* A key is no argument of most calls, and must outlive its stream: it is not in the arena. */
aes_gcm_key *api_gcm_stream_key(void)
{
    static aes_gcm_key keys[64];
    static atomic_uint used;
    static _Thread_local aes_gcm_key *mine;

    if (mine == NULL) {
        mine = &keys[atomic_fetch_add(&used, 1) % 64];
    }
    return mine;
}

int call_gcm_stream_init(const struct api_call *c)
{
    return aes_gcm_stream_init(stream(c), api_gcm_stream_key(), c->arg[ARG_NONCE], c->nonce_len);
}

int call_gcm_stream_aad(const struct api_call *c)
{
    return aes_gcm_stream_aad(stream(c), c->arg[ARG_AAD], c->aad_len);
}

int call_gcm_stream_seal_update(const struct api_call *c)
{
    return aes_gcm_stream_seal_update(stream(c), c->arg[ARG_OUT], c->arg[ARG_IN], c->len);
}

int call_gcm_stream_seal_final(const struct api_call *c)
{
    return aes_gcm_stream_seal_final(stream(c), c->arg[ARG_TAG]);
}

int call_gcm_stream_open_update(const struct api_call *c)
{
    return aes_gcm_stream_open_unverified_update(stream(c), c->arg[ARG_OUT], c->arg[ARG_IN],
                                                 c->len);
}

int call_gcm_stream_open_final(const struct api_call *c)
{
    return aes_gcm_stream_open_final(stream(c), c->arg[ARG_TAG]);
}

int prepare_gcm_stream_key(const struct api_call *c)
{
    return aes_gcm_init_tag(api_gcm_stream_key(), api_stream_key, c->key_len, c->tag_len);
}

int api_gcm_stream_begin(const struct api_call *c, const uint8_t key[32])
{
    int r = aes_gcm_init_tag(api_gcm_stream_key(), key, c->key_len, c->tag_len);

    if (r == AEADFAST_OK) {
        r = aes_gcm_stream_init(stream(c), api_gcm_stream_key(), api_stream_nonce, 12);
    }
    return r != AEADFAST_OK
               ? r
               : aes_gcm_stream_aad(stream(c), api_stream_head, sizeof api_stream_head);
}

int prepare_gcm_stream(const struct api_call *c)
{
    return api_gcm_stream_begin(c, api_stream_key);
}

/* Its text is the one whose ciphertext is zeros. The object last, because a test may lay the tag over
 * it: a wrong tag it can be, a stream it must. */
int api_gcm_stream_begin_open(const struct api_call *c, const uint8_t key[32])
{
    static const uint8_t ct[20];
    uint8_t text[20];
    uint8_t tag[16];
    aes_gcm_stream made;
    int r = api_gcm_stream_begin(c, key);

    for (int turn = 0; turn < 2 && r == AEADFAST_OK; turn++) {
        r = aes_gcm_seal(api_gcm_stream_key(), text, tag, turn == 0 ? ct : text, sizeof ct,
                         api_stream_head, sizeof api_stream_head, api_stream_nonce, 12);
    }
    if (r == AEADFAST_OK) {
        r = aes_gcm_stream_open_unverified_update(stream(c), text, ct, sizeof ct);
    }
    if (r == AEADFAST_OK) {
        memcpy(&made, c->arg[ARG_OBJECT], sizeof made);
        memcpy(c->arg[ARG_TAG], tag, c->tag_len);
        memcpy(c->arg[ARG_OBJECT], &made, sizeof made);
    }
    return r;
}

int prepare_gcm_stream_open(const struct api_call *c)
{
    return api_gcm_stream_begin_open(c, api_stream_key);
}

int api_is_gcm_stream(const struct api_function *f)
{
    return strncmp(f->name, "aes_gcm_stream_", 15) == 0;
}

void api_gcm_stream_result(const struct api_call *c, uint8_t tag[16])
{
    aes_gcm_stream copy;

    memcpy(&copy, c->arg[ARG_OBJECT], sizeof copy);
    if (aes_gcm_stream_seal_final(&copy, tag) != AEADFAST_OK) {
        memset(tag, 0, 16);
    }
}
