/* SPDX-License-Identifier: MIT */
/*
 * What the table of public functions says of ChaCha20-Poly1305 in pieces. A row for lists cuts its
 * buffers into a few pieces; a row for streams has one piece, and the stream for its object.
 */
#ifndef AEADFAST_TESTS_API_CHACHA_PIECES_H
#define AEADFAST_TESTS_API_CHACHA_PIECES_H

#include "api_table.h"

int call_sealv(const struct api_call *c);
int call_openv(const struct api_call *c);
int call_xsealv(const struct api_call *c);
int call_xopenv(const struct api_call *c);
int call_stream_init(const struct api_call *c);
int call_xstream_init(const struct api_call *c);
int call_stream_aad(const struct api_call *c);
int call_stream_seal_update(const struct api_call *c);
int call_stream_seal_final(const struct api_call *c);
int call_stream_open_update(const struct api_call *c);
int call_stream_open_final(const struct api_call *c);

/* A stream before its text; one that has opened some, and the tag for it. */
int prepare_stream(const struct api_call *c);
int prepare_stream_open(const struct api_call *c);

/* The same under a key of these bytes. */
int api_chacha_stream_begin(const struct api_call *c, const uint8_t key[32]);
int api_chacha_stream_begin_open(const struct api_call *c, const uint8_t key[32]);

int api_is_chacha_stream(const struct api_function *f);

/* A stream as 16 bytes: the tag that a copy makes. One that opens, or is finished, has none: zeros. */
void api_chacha_stream_result(const struct api_call *c, uint8_t tag[16]);

/* The functions with lists, called with whole buffers. */
int flat_chacha_sealv(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                      size_t aad_len, const uint8_t *nonce, const uint8_t *key);
int flat_chacha_openv(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                      const uint8_t *aad, size_t aad_len, const uint8_t *nonce, const uint8_t *key);
int flat_xchacha_sealv(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                       size_t aad_len, const uint8_t *nonce, const uint8_t *key);
int flat_xchacha_openv(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                       const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                       const uint8_t *key);

#endif
