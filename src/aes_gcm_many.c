/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM of many messages. The short ones are gathered, for a kernel to do several of them at a time;
 * the others, and all of them where the kernel has no such function, go one by one. A batch is all of
 * one kernel, so it ends where a message wants another one: under a key of another family, say.
 */
#include "aes_gcm_key.h"
#include "checks.h"
#include "many.h"

#if defined(__GNUC__)
#define MANY_INLINE static inline __attribute__((always_inline))
#else
#define MANY_INLINE static inline
#endif

static int one(const aes_gcm_message *m, enum aead_direction direction)
{
    return direction == AEAD_SEAL ? aes_gcm_seal(m->k, m->dst, m->tag, m->src, m->len, m->aad,
                                                 m->aad_len, m->nonce, m->nonce_len)
                                  : aes_gcm_open(m->k, m->dst, m->src, m->len, m->tag, m->aad,
                                                 m->aad_len, m->nonce, m->nonce_len);
}

struct gcm_batch {
    struct many_batch common;
    const struct aes_gcm_kernel *kernel; /* of all its messages */
    unsigned tag_lens[AEAD_JOBS_MAX];
};

/* Returns 0 where all went well. */
MANY_INLINE int do_batch(struct gcm_batch *b, enum aead_direction direction)
{
    const size_t n = b->common.n;
    int failed = 0;

    b->common.n = 0;
    if (n == 1) {
        const struct aead_job *j = &b->common.jobs[0];

        (direction == AEAD_SEAL ? b->kernel->seal : b->kernel->open)(
            j->key, j->dst, j->tag, j->src, j->len, j->aad, j->aad_len, j->nonce, 12);
        aeadfast_clear_stack(b->kernel->stack);
    } else {
        b->kernel->many(b->common.jobs, n, direction == AEAD_OPEN);
        aeadfast_clear_stack(b->kernel->many_stack);
    }
    for (size_t i = 0; i < n; i++) {
        aes_gcm_message *m = b->common.messages[i];
        const uint8_t *tag = b->common.tags[i];
        const size_t tag_len = b->tag_lens[i];

        m->result = AEADFAST_OK;
        if (direction == AEAD_OPEN) {
            m->result = many_verdict(&b->common, i,
                                     tag_len == 16 ? tags_equal(tag, m->tag)
                                                   : aeadfast_equal(tag, m->tag, tag_len));
        } else if (tag_len != 16) {
            memcpy(m->tag, tag, tag_len);
        }
        failed |= m->result;
    }
    return failed;
}

/* The kernel whose `many` is for the message; NULL where it goes by itself. */
MANY_INLINE const struct aes_gcm_kernel *kernel_for(const aes_gcm_message *m, size_t tag_len)
{
    const struct aes_gcm_kernel *kernel;

    if (tag_len == 0 || m->nonce_len != 12 || m->aad_len > MANY_AAD_MAX) {
        return NULL;
    }
    kernel = key_kernel(m->k, m->len);
    return kernel->many != NULL && m->len <= kernel->many_len ? kernel : NULL;
}

/* Adds a message, if nothing is wrong with it. */
MANY_INLINE int add(struct gcm_batch *b, aes_gcm_message *m, size_t tag_len,
                    enum aead_direction direction)
{
    const struct aead_arguments a = {m->dst,     m->src,   m->len, m->tag, tag_len,      m->aad,
                                     m->aad_len, m->nonce, 12,     m->k,   sizeof(*m->k)};
    const size_t i = b->common.n;
    uint8_t *tag = direction == AEAD_SEAL && tag_len == 16 ? m->tag : b->common.tags[i];

    if (aead_missing(&a)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (aead_overlaps(&a, direction)) {
        return AEADFAST_ERR_OVERLAP;
    }
    b->common.jobs[i] = (struct aead_job){
        m->dst, tag, m->src, m->len, m->aad, m->aad_len, m->nonce, &m->k->opaque[KEY_WORD_TABLE]};
    b->common.messages[i] = m;
    b->tag_lens[i] = (unsigned)tag_len;
    b->common.n++;
    return AEADFAST_OK;
}

MANY_INLINE int do_messages(aes_gcm_message *messages, size_t count, enum aead_direction direction)
{
    struct gcm_batch batch;
    int usable;
    int failed = 0;

    if (missing(messages, count)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    usable = aeadfast_candidates_now(AEADFAST_OP_AES_GCM) != CHOICE_ERROR;
    batch.common.n = 0;
    for (size_t i = 0; i < count; i++) {
        aes_gcm_message *m = &messages[i];
        const size_t tag_len = usable && m->k != NULL ? key_tag_len(m->k) : 0;
        const struct aes_gcm_kernel *kernel = kernel_for(m, tag_len);

        if (kernel == NULL) {
            m->result = one(m, direction);
            failed |= m->result;
            continue;
        }
        if (batch.common.n != 0 && (kernel != batch.kernel || many_is_full(&batch.common))) {
            failed |= do_batch(&batch, direction);
        }
        batch.kernel = kernel;
        m->result = add(&batch, m, tag_len, direction);
        failed |= m->result;
    }
    if (batch.common.n != 0) {
        failed |= do_batch(&batch, direction);
    }
    many_wipe_tags(&batch.common);
    if (failed != 0) {
        for (size_t i = 0; i < count; i++) {
            if (messages[i].result != AEADFAST_OK) {
                return messages[i].result;
            }
        }
    }
    return AEADFAST_OK;
}

int aes_gcm_seal_many(aes_gcm_message *messages, size_t count)
{
    return do_messages(messages, count, AEAD_SEAL);
}

int aes_gcm_open_many(aes_gcm_message *messages, size_t count)
{
    return do_messages(messages, count, AEAD_OPEN);
}
