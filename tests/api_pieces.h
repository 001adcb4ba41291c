/* SPDX-License-Identifier: MIT */
/* How the table of public functions cuts messages into pieces, whatever the AEAD. */
#ifndef AEADFAST_TESTS_API_PIECES_H
#define AEADFAST_TESTS_API_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "aeadfast.h"

enum { API_PIECES = 3 };

/* A message's buffers as lists, each cut elsewhere. */
struct api_lists {
    aeadfast_iovec ct[API_PIECES];
    aeadfast_iovec pt[API_PIECES];
    aeadfast_iovec aad[API_PIECES];
};

struct api_lists api_lists(const uint8_t *ct, const uint8_t *pt, size_t len, const uint8_t *aad,
                           size_t aad_len);

/* What streams are made of, and the additional data that they have had before a call. */
extern const uint8_t api_stream_key[32];
extern const uint8_t api_stream_nonce[12];
extern const uint8_t api_stream_head[5];

#endif
