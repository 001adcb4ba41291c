/* SPDX-License-Identifier: MIT */
/*
 * Many messages, one after the other: what an AES-GCM kernel without anything better has. There is no
 * way through the public functions between them.
 */
#ifndef AEADFAST_AES_GCM_MANY_H
#define AEADFAST_AES_GCM_MANY_H

#include "aes_gcm_entry.h"

/* What is longer does not notice. */
#define GCM_MANY_LEN 2048

/* A loop around so many registers makes compilers put some of them away. */
#define GCM_MANY_STACK 320

static void gcm_many(const struct aead_job *jobs, size_t n, int opening)
{
    for (const struct aead_job *j = jobs; j != jobs + n; j++) {
        if (opening) {
            gcm_crypt(j->key, j->dst, j->tag, j->src, j->len, j->aad, j->aad_len, j->nonce, 12, 0);
        } else {
            gcm_crypt(j->key, j->dst, j->tag, j->src, j->len, j->aad, j->aad_len, j->nonce, 12, 1);
        }
    }
}

#endif
