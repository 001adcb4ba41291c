/* SPDX-License-Identifier: MIT */
/*
 * What the table of public functions says of AES-GCM in pieces. A row for lists cuts its buffers
 * into a few pieces; a row for streams has one piece, and the stream for its object.
 */
#ifndef AEADFAST_TESTS_API_GCM_PIECES_H
#define AEADFAST_TESTS_API_GCM_PIECES_H

#include "api_table.h"

int call_gcm_sealv(const struct api_call *c);
int call_gcm_openv(const struct api_call *c);
int call_gcm_stream_init(const struct api_call *c);
int call_gcm_stream_aad(const struct api_call *c);
int call_gcm_stream_seal_update(const struct api_call *c);
int call_gcm_stream_seal_final(const struct api_call *c);
int call_gcm_stream_open_update(const struct api_call *c);
int call_gcm_stream_open_final(const struct api_call *c);

/* A key for init; a stream before its text, sealing or opening; the tag that it opens with. */
int prepare_gcm_stream_key(const struct api_call *c);
int prepare_gcm_stream(const struct api_call *c);
int prepare_gcm_stream_open(const struct api_call *c);

/* The last two with a key of these bytes; and the calling thread's key for it. */
int api_gcm_stream_begin(const struct api_call *c, const uint8_t key[32]);
int api_gcm_stream_begin_open(const struct api_call *c, const uint8_t key[32]);
aes_gcm_key *api_gcm_stream_key(void);

int api_is_gcm_stream(const struct api_function *f);

/* A stream as 16 bytes: the tag that a copy makes. One that opens, or is finished, has none: zeros. */
void api_gcm_stream_result(const struct api_call *c, uint8_t tag[16]);

/* The functions with lists, called with whole buffers. */
int flat_gcm_sealv(const aes_gcm_key *k, uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len,
                   const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);
int flat_gcm_openv(const aes_gcm_key *k, uint8_t *pt, const uint8_t *ct, size_t len,
                   const uint8_t *tag, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                   size_t nonce_len);

#endif
