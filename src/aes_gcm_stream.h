/* SPDX-License-Identifier: MIT */
/* What an aes_gcm_stream holds. */
#ifndef AEADFAST_AES_GCM_STREAM_H
#define AEADFAST_AES_GCM_STREAM_H

#include "aes_gcm_pieces.h"

struct gcm_stream {
    uint64_t phase;
    uint64_t key; /* its address, as a number: the storage is declared as such words */
    struct gcm_pieces m;
};

/* Arbitrary values that memory rarely holds. What has none of them, as all zero, is no stream. */
#define PHASE_AAD  UINT64_C(0x67636d2061616400)
#define PHASE_SEAL UINT64_C(0x67636d207365616c)
#define PHASE_OPEN UINT64_C(0x67636d206f70656e)

_Static_assert(sizeof(struct gcm_stream) <= sizeof(aes_gcm_stream), "the public type is too small");

static inline struct gcm_stream *stream_of(aes_gcm_stream *s)
{
    return (struct gcm_stream *)s->opaque;
}

#endif
