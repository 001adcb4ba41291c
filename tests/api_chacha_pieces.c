/* SPDX-License-Identifier: MIT */
#include "api_chacha_pieces.h"

#include <string.h>

#include "api_pieces.h"

/* ---- Lists ---- */

int flat_chacha_sealv(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                      size_t aad_len, const uint8_t *nonce, const uint8_t *key)
{
    struct api_lists l = api_lists(ct, pt, len, aad, aad_len);

    return chacha20_poly1305_sealv(l.ct, API_PIECES, tag, l.pt, API_PIECES, l.aad, API_PIECES,
                                   nonce, key);
}

int flat_chacha_openv(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                      const uint8_t *aad, size_t aad_len, const uint8_t *nonce, const uint8_t *key)
{
    struct api_lists l = api_lists(ct, pt, len, aad, aad_len);

    return chacha20_poly1305_openv(l.pt, API_PIECES, l.ct, API_PIECES, tag, l.aad, API_PIECES,
                                   nonce, key);
}

int flat_xchacha_sealv(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                       size_t aad_len, const uint8_t *nonce, const uint8_t *key)
{
    struct api_lists l = api_lists(ct, pt, len, aad, aad_len);

    return xchacha20_poly1305_sealv(l.ct, API_PIECES, tag, l.pt, API_PIECES, l.aad, API_PIECES,
                                    nonce, key);
}

int flat_xchacha_openv(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                       const uint8_t *aad, size_t aad_len, const uint8_t *nonce, const uint8_t *key)
{
    struct api_lists l = api_lists(ct, pt, len, aad, aad_len);

    return xchacha20_poly1305_openv(l.pt, API_PIECES, l.ct, API_PIECES, tag, l.aad, API_PIECES,
                                    nonce, key);
}

int call_sealv(const struct api_call *c)
{
    return flat_chacha_sealv(c->arg[ARG_OUT], c->arg[ARG_TAG], c->arg[ARG_IN], c->len,
                             c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

int call_openv(const struct api_call *c)
{
    return flat_chacha_openv(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->arg[ARG_TAG],
                             c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

int call_xsealv(const struct api_call *c)
{
    return flat_xchacha_sealv(c->arg[ARG_OUT], c->arg[ARG_TAG], c->arg[ARG_IN], c->len,
                              c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

int call_xopenv(const struct api_call *c)
{
    return flat_xchacha_openv(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->arg[ARG_TAG],
                              c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

/* ---- Streams ---- */

static chacha20_poly1305_stream *stream(const struct api_call *c)
{
    return (chacha20_poly1305_stream *)(void *)c->arg[ARG_OBJECT];
}

int call_stream_init(const struct api_call *c)
{
    return chacha20_poly1305_stream_init(stream(c), c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

int call_xstream_init(const struct api_call *c)
{
    return xchacha20_poly1305_stream_init(stream(c), c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

int call_stream_aad(const struct api_call *c)
{
    return chacha20_poly1305_stream_aad(stream(c), c->arg[ARG_AAD], c->aad_len);
}

int call_stream_seal_update(const struct api_call *c)
{
    return chacha20_poly1305_stream_seal_update(stream(c), c->arg[ARG_OUT], c->arg[ARG_IN], c->len);
}

int call_stream_seal_final(const struct api_call *c)
{
    return chacha20_poly1305_stream_seal_final(stream(c), c->arg[ARG_TAG]);
}

int call_stream_open_update(const struct api_call *c)
{
    return chacha20_poly1305_stream_open_unverified_update(stream(c), c->arg[ARG_OUT],
                                                           c->arg[ARG_IN], c->len);
}

int call_stream_open_final(const struct api_call *c)
{
    return chacha20_poly1305_stream_open_final(stream(c), c->arg[ARG_TAG]);
}

int api_chacha_stream_begin(const struct api_call *c, const uint8_t key[32])
{
    int r = chacha20_poly1305_stream_init(stream(c), api_stream_nonce, key);

    return r != AEADFAST_OK
               ? r
               : chacha20_poly1305_stream_aad(stream(c), api_stream_head, sizeof api_stream_head);
}

int prepare_stream(const struct api_call *c)
{
    return api_chacha_stream_begin(c, api_stream_key);
}

/* Its text is the one whose ciphertext is zeros. The object last, because a test may lay the tag over
 * it: a wrong tag it can be, a stream it must. */
int api_chacha_stream_begin_open(const struct api_call *c, const uint8_t key[32])
{
    static const uint8_t ct[20];
    uint8_t text[20];
    uint8_t tag[16];
    chacha20_poly1305_stream made;
    int r = api_chacha_stream_begin(c, key);

    for (int turn = 0; turn < 2 && r == AEADFAST_OK; turn++) {
        r = chacha20_poly1305_seal(text, tag, turn == 0 ? ct : text, sizeof ct, api_stream_head,
                                   sizeof api_stream_head, api_stream_nonce, key);
    }
    if (r == AEADFAST_OK) {
        r = chacha20_poly1305_stream_open_unverified_update(stream(c), text, ct, sizeof ct);
    }
    if (r == AEADFAST_OK) {
        memcpy(&made, c->arg[ARG_OBJECT], sizeof made);
        memcpy(c->arg[ARG_TAG], tag, sizeof tag);
        memcpy(c->arg[ARG_OBJECT], &made, sizeof made);
    }
    return r;
}

int prepare_stream_open(const struct api_call *c)
{
    return api_chacha_stream_begin_open(c, api_stream_key);
}

int api_is_chacha_stream(const struct api_function *f)
{
    return strstr(f->name, "chacha20_poly1305_stream_") != NULL;
}

void api_chacha_stream_result(const struct api_call *c, uint8_t tag[16])
{
    chacha20_poly1305_stream copy;

    memcpy(&copy, c->arg[ARG_OBJECT], sizeof copy);
    if (chacha20_poly1305_stream_seal_final(&copy, tag) != AEADFAST_OK) {
        memset(tag, 0, 16);
    }
}
