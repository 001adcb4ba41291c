/* SPDX-License-Identifier: MIT */
/* The public functions for AES-GCM messages that come piece by piece. */
#include "aes_gcm_stream.h"
#include "checks.h"

static const aes_gcm_key *key_of(const struct gcm_stream *stream)
{
    return (const aes_gcm_key *)(uintptr_t)stream->key;
}

/* Whether additional data, or text of the phase that is given, may come now under a key that lives. */
static int may_go_on(const struct gcm_stream *stream, uint64_t phase)
{
    return (stream->phase == PHASE_AAD || stream->phase == phase) &&
           key_tag_len(key_of(stream)) != 0;
}

static int backend_error(void)
{
    return aeadfast_candidates_now(AEADFAST_OP_AES_GCM) == CHOICE_ERROR;
}

int aes_gcm_stream_init(aes_gcm_stream *s, const aes_gcm_key *k, const uint8_t *nonce,
                        size_t nonce_len)
{
    const struct aes_gcm_parts *parts;
    struct gcm_stream *stream;

    if (s == NULL || k == NULL || nonce == NULL || nonce_len == 0) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (nonce_len > LIMIT(AEADFAST_AES_GCM_NONCE_MAX)) {
        return AEADFAST_ERR_LENGTH;
    }
    if (meets(s, sizeof(*s), k, sizeof(*k)) || meets(s, sizeof(*s), nonce, nonce_len)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (backend_error()) {
        return AEADFAST_ERR_BACKEND;
    }
    if (key_tag_len(k) == 0) {
        return AEADFAST_ERR_STATE;
    }
    stream = stream_of(s);
    parts = key_parts(k);
    gcm_pieces_begin(parts, key_table(k), &stream->m, nonce, nonce_len);
    gcm_pieces_clear_stack(parts, &stream->m, 0);
    stream->key = (uintptr_t)k;
    stream->phase = PHASE_AAD;
    return AEADFAST_OK;
}

int aes_gcm_stream_aad(aes_gcm_stream *s, const uint8_t *aad, size_t aad_len)
{
    const struct aes_gcm_parts *parts;
    const aes_gcm_key *k;
    struct gcm_stream *stream;

    if (s == NULL || missing(aad, aad_len)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (aad_len > LIMIT(AEADFAST_AES_GCM_AAD_MAX)) {
        return AEADFAST_ERR_LENGTH;
    }
    stream = stream_of(s);
    if (!may_go_on(stream, PHASE_AAD)) {
        return AEADFAST_ERR_STATE;
    }
    if (aad_len > AEADFAST_AES_GCM_AAD_MAX - stream->m.aad_len) {
        return AEADFAST_ERR_LENGTH;
    }
    if (overlaps(s, sizeof(*s), aad, aad_len)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (backend_error()) {
        return AEADFAST_ERR_BACKEND;
    }
    if (aad_len != 0) {
        k = key_of(stream);
        parts = key_parts(k);
        gcm_pieces_aad(parts, key_table(k), &stream->m, aad, aad_len);
        gcm_pieces_clear_stack(parts, &stream->m, 0);
    }
    return AEADFAST_OK;
}

static inline int update(aes_gcm_stream *s, uint8_t *dst, const uint8_t *src, size_t len,
                         uint64_t phase)
{
    const struct aes_gcm_parts *parts;
    const aes_gcm_key *k;
    struct gcm_stream *stream;
    int whole;

    if (s == NULL || missing(dst, len) || missing(src, len)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (len > LIMIT(AEADFAST_AES_GCM_TEXT_MAX)) {
        return AEADFAST_ERR_LENGTH;
    }
    stream = stream_of(s);
    if (!may_go_on(stream, phase)) {
        return AEADFAST_ERR_STATE;
    }
    if (len > AEADFAST_AES_GCM_TEXT_MAX - stream->m.text_len) {
        return AEADFAST_ERR_LENGTH;
    }
    k = key_of(stream);
    if (len != 0 && (meets(s, sizeof(*s), dst, len) || meets(s, sizeof(*s), src, len) ||
                     meets(k, sizeof(*k), dst, len) || (dst != src && meets(dst, len, src, len)))) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (backend_error()) {
        return AEADFAST_ERR_BACKEND;
    }
    parts = key_parts(k);
    whole = (stream->m.text_len | len) % 16 == 0;
    if (stream->phase == PHASE_AAD) {
        gcm_pieces_aad_end(parts, key_table(k), &stream->m);
        stream->phase = phase;
    }
    if (len != 0) {
        gcm_pieces_text(parts, key_table(k), &stream->m, dst, src, len, phase == PHASE_OPEN);
    }
    gcm_pieces_clear_stack(parts, &stream->m, whole);
    return AEADFAST_OK;
}

int aes_gcm_stream_seal_update(aes_gcm_stream *s, uint8_t *ct, const uint8_t *pt, size_t len)
{
    return update(s, ct, pt, len, PHASE_SEAL);
}

int aes_gcm_stream_open_unverified_update(aes_gcm_stream *s, uint8_t *pt, const uint8_t *ct,
                                          size_t len)
{
    return update(s, pt, ct, len, PHASE_OPEN);
}

/* What both final calls ask. `tag` is an output when sealing, so it must not be the key's either. */
static inline int may_finish(aes_gcm_stream *s, const uint8_t *tag, uint64_t phase)
{
    const aes_gcm_key *k;

    if (s == NULL || tag == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (!may_go_on(stream_of(s), phase)) {
        return AEADFAST_ERR_STATE;
    }
    k = key_of(stream_of(s));
    if (meets(s, sizeof(*s), tag, key_tag_len(k)) ||
        (phase == PHASE_SEAL && meets(k, sizeof(*k), tag, key_tag_len(k)))) {
        return AEADFAST_ERR_OVERLAP;
    }
    return backend_error() ? AEADFAST_ERR_BACKEND : AEADFAST_OK;
}

/* The whole tag; after it, the stream is no more. */
static inline void finish(struct gcm_stream *stream, uint8_t tag[16])
{
    const aes_gcm_key *k = key_of(stream);
    const struct aes_gcm_parts *parts = key_parts(k);

    if (stream->phase == PHASE_AAD) {
        gcm_pieces_aad_end(parts, key_table(k), &stream->m);
    }
    gcm_pieces_tag(parts, key_table(k), &stream->m, tag);
    gcm_pieces_clear_stack(parts, &stream->m, 0);
    wipe_in_steps(stream, sizeof(*stream));
}

int aes_gcm_stream_seal_final(aes_gcm_stream *s, uint8_t *tag)
{
    uint8_t whole[16];
    size_t tag_len;
    int error = may_finish(s, tag, PHASE_SEAL);

    if (error != AEADFAST_OK) {
        return error;
    }
    tag_len = key_tag_len(key_of(stream_of(s)));
    finish(stream_of(s), whole);
    memcpy(tag, whole, tag_len);
    wipe_now(whole, sizeof(whole));
    return AEADFAST_OK;
}

int aes_gcm_stream_open_final(aes_gcm_stream *s, const uint8_t *tag)
{
    uint8_t expected[16];
    size_t tag_len;
    int error = may_finish(s, tag, PHASE_OPEN);

    if (error != AEADFAST_OK) {
        return error;
    }
    tag_len = key_tag_len(key_of(stream_of(s)));
    finish(stream_of(s), expected);
    if (!aeadfast_equal(expected, tag, tag_len)) {
        error = AEADFAST_ERR_AUTH;
    }
    wipe_now(expected, sizeof(expected));
    return error;
}
