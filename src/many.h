/* SPDX-License-Identifier: MIT */
/*
 * What the functions for many messages share: a batch of messages that a kernel works on in one call
 * of its `many`. The messages have passed their checks; those that are too long for that, or have
 * much AAD, go by the one-shot function and never come here.
 */
#ifndef AEADFAST_MANY_H
#define AEADFAST_MANY_H

#include "aeadfast.h"
#include "bytes.h"
#include "kernel.h"
#include "memory.h"

/* With more AAD than this a message is not short, however short its text. */
#define MANY_AAD_MAX 256

struct many_batch {
    size_t n;
    struct aead_job jobs[AEAD_JOBS_MAX];
    void *messages[AEAD_JOBS_MAX];   /* where each came from */
    uint8_t tags[AEAD_JOBS_MAX][16]; /* what the kernel writes instead of the messages' tags */
};

static inline int many_is_full(const struct many_batch *batch)
{
    return batch->n == AEAD_JOBS_MAX;
}

/*
 * AEADFAST_OK where message i, which was opened, has the right tag; else its text becomes zeros.
 * `equal` is what comparing batch->tags[i] with the message's own has given.
 */
static inline int many_verdict(const struct many_batch *batch, size_t i, int equal)
{
    if (!equal) {
        zero_bytes(batch->jobs[i].dst, batch->jobs[i].len);
        return AEADFAST_ERR_AUTH;
    }
    return AEADFAST_OK;
}

/* The right tags of messages that somebody forged must not stay behind. */
static inline void many_wipe_tags(struct many_batch *batch)
{
    wipe_now(batch->tags, sizeof(batch->tags));
}

#endif
