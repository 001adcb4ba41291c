/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 of many messages. The short ones are gathered, for a kernel to do several of
 * them at a time; the others, and all of them where the kernel has no such function, go one by one.
 */
#include "checks.h"
#include "dispatch.h"
#include "many.h"

static int one(const chacha20_poly1305_message *m, enum aead_direction direction)
{
    return direction == AEAD_SEAL ? chacha20_poly1305_seal(m->dst, m->tag, m->src, m->len, m->aad,
                                                           m->aad_len, m->nonce, m->key)
                                  : chacha20_poly1305_open(m->dst, m->src, m->len, m->tag, m->aad,
                                                           m->aad_len, m->nonce, m->key);
}

/* Of a message whose lengths are within the limits. */
static inline int check(const chacha20_poly1305_message *m, enum aead_direction direction)
{
    const struct aead_arguments a = {m->dst,     m->src,   m->len, m->tag, 16, m->aad,
                                     m->aad_len, m->nonce, 12,     m->key, 32};

    if (aead_missing(&a)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    return aead_overlaps(&a, direction) ? AEADFAST_ERR_OVERLAP : AEADFAST_OK;
}

/* A message begins as a job does, so that it is copied as a whole. */
_Static_assert(offsetof(chacha20_poly1305_message, dst) == offsetof(struct aead_job, dst) &&
                   offsetof(chacha20_poly1305_message, tag) == offsetof(struct aead_job, tag) &&
                   offsetof(chacha20_poly1305_message, src) == offsetof(struct aead_job, src) &&
                   offsetof(chacha20_poly1305_message, len) == offsetof(struct aead_job, len) &&
                   offsetof(chacha20_poly1305_message, aad) == offsetof(struct aead_job, aad) &&
                   offsetof(chacha20_poly1305_message, aad_len) ==
                       offsetof(struct aead_job, aad_len) &&
                   offsetof(chacha20_poly1305_message, nonce) == offsetof(struct aead_job, nonce) &&
                   offsetof(chacha20_poly1305_message, key) == offsetof(struct aead_job, key),
               "a message begins with the members of a job");

static inline void add(struct many_batch *batch, chacha20_poly1305_message *m,
                       enum aead_direction direction)
{
    const size_t i = batch->n++;

    memcpy(&batch->jobs[i], m, sizeof(batch->jobs[i]));
    if (direction == AEAD_OPEN) {
        batch->jobs[i].tag = batch->tags[i];
    }
    batch->messages[i] = m;
}

/*
 * Whether there is nothing to gain: lanes that stay empty, and a hash with no rounds beside it, weigh
 * the more the fewer the messages are. With AVX2 on Zen 3 two of 256 bytes take 8 % longer together
 * than one after the other, and four of any length less long.
 */
static int too_few(const struct many_batch *batch)
{
    int few = batch->n < 4;

    if (few && batch->n > 1) {
        few = 0;
        for (size_t i = 0; i < batch->n; i++) {
            few |= batch->jobs[i].len > 128;
        }
    }
    return few;
}

/* Returns 0 where all went well. */
static int do_batch(struct many_batch *batch, const struct chacha20_poly1305_kernel *kernel,
                    enum aead_direction direction)
{
    const int by_one = too_few(batch);
    int failed = 0;

    if (!by_one) {
        kernel->many(batch->jobs, batch->n, direction == AEAD_OPEN);
        aeadfast_clear_stack(kernel->many_stack);
    }
    for (size_t i = 0; i < batch->n; i++) {
        chacha20_poly1305_message *m = batch->messages[i];

        if (by_one) {
            m->result = one(m, direction);
        } else if (direction == AEAD_OPEN) {
            m->result = many_verdict(batch, i, tags_equal(batch->tags[i], m->tag));
        } else {
            m->result = AEADFAST_OK;
        }
        failed |= m->result;
    }
    batch->n = 0;
    return failed;
}

static inline int do_messages(chacha20_poly1305_message *messages, size_t count,
                              enum aead_direction direction)
{
    const struct chacha20_poly1305_kernel *kernel;
    const struct kernel_row *row;
    struct many_batch batch;
    int failed = 0;

    if (missing(messages, count)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    /* the row for a long message, which several short ones are together */
    row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20_POLY1305, SIZE_MAX);
    kernel = row != NULL && row->kernel.aead->many != NULL ? row->kernel.aead : NULL;
    batch.n = 0;
    for (size_t i = 0; i < count; i++) {
        chacha20_poly1305_message *m = &messages[i];

        if (kernel == NULL || m->len > kernel->many_len || m->aad_len > MANY_AAD_MAX) {
            m->result = one(m, direction);
            failed |= m->result;
            continue;
        }
        m->result = check(m, direction);
        if (m->result != AEADFAST_OK) {
            failed = 1;
            continue;
        }
        add(&batch, m, direction);
        if (many_is_full(&batch)) {
            failed |= do_batch(&batch, kernel, direction);
        }
    }
    if (batch.n != 0) {
        failed |= do_batch(&batch, kernel, direction);
    }
    if (direction == AEAD_OPEN) {
        many_wipe_tags(&batch);
    }
    if (failed != 0) {
        for (size_t i = 0; i < count; i++) {
            if (messages[i].result != AEADFAST_OK) {
                return messages[i].result;
            }
        }
    }
    return AEADFAST_OK;
}

int chacha20_poly1305_seal_many(chacha20_poly1305_message *messages, size_t count)
{
    return do_messages(messages, count, AEAD_SEAL);
}

int chacha20_poly1305_open_many(chacha20_poly1305_message *messages, size_t count)
{
    return do_messages(messages, count, AEAD_OPEN);
}
