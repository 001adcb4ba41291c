/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM of many messages. The short ones are gathered, for a kernel to do several of them at a time;
 * the others, and all of them where the kernel has no such function, go one by one. A batch is all of
 * one kernel, so it ends where a message wants another one: under a key of another family, say.
 *
 * A message of 64 bytes takes a kernel 15 ns. So what is done here for each has to be little: about
 * 125 instructions.
 */
#include "aes_gcm_key.h"
#include "checks.h"
#include "many.h"

#if defined(__GNUC__)
#define MANY_INLINE static inline __attribute__((always_inline))
#define UNLIKELY(x) __builtin_expect(x, 0)
#else
#define MANY_INLINE static inline
#define UNLIKELY(x) (x)
#endif

static int one(const aes_gcm_message *m, enum aead_direction direction)
{
    return direction == AEAD_SEAL ? aes_gcm_seal(m->k, m->dst, m->tag, m->src, m->len, m->aad,
                                                 m->aad_len, m->nonce, m->nonce_len)
                                  : aes_gcm_open(m->k, m->dst, m->src, m->len, m->tag, m->aad,
                                                 m->aad_len, m->nonce, m->nonce_len);
}

/* ---- Batches ---- */

struct gcm_batch {
    struct many_batch common;
    const struct aes_gcm_kernel *kernel; /* of all its messages */
    int short_tags;                      /* any key whose tags are not whole */
};

MANY_INLINE int tag_matches(const struct gcm_batch *b, size_t i, const aes_gcm_message *m)
{
    if (UNLIKELY(b->short_tags)) {
        return aeadfast_equal(b->common.tags[i], m->tag, key_tag_len(m->k));
    }
    return tags_equal(b->common.tags[i], m->tag);
}

/* Returns 0 where all went well. */
static int do_batch(struct gcm_batch *b, size_t n, enum aead_direction direction)
{
    int failed = 0;

    if (n == 1) {
        const struct aead_job *j = &b->common.jobs[0];

        (direction == AEAD_SEAL ? b->kernel->seal : b->kernel->open)(
            j->key, j->dst, j->tag, j->src, j->len, j->aad, j->aad_len, j->nonce, 12);
        aeadfast_clear_stack(b->kernel->stack);
    } else {
        b->kernel->many(b->common.jobs, n, direction == AEAD_OPEN);
        aeadfast_clear_stack(b->kernel->many_stack);
    }
    if (direction == AEAD_OPEN) {
        for (size_t i = 0; i < n; i++) {
            aes_gcm_message *m = b->common.messages[i];

            m->result = many_verdict(&b->common, i, tag_matches(b, i, m));
            failed |= m->result;
        }
    } else if (b->short_tags) {
        for (size_t i = 0; i < n; i++) {
            aes_gcm_message *m = b->common.messages[i];

            if (b->common.jobs[i].tag != m->tag) {
                memcpy(m->tag, b->common.tags[i], key_tag_len(m->k));
            }
        }
    }
    b->short_tags = 0;
    return failed;
}

/* ---- Messages ---- */

/*
 * aead_missing and aead_overlaps for a message of many, within its limits and with a 12-byte nonce. A
 * branch a comparison: here no kernel waits behind them, and they are the fewest instructions.
 */
MANY_INLINE int refusal(const aes_gcm_message *m, size_t tag_len, enum aead_direction direction)
{
    const size_t key_size = sizeof(*m->k);

#define REFUSE(condition, error)                                                                   \
    if (UNLIKELY(condition)) {                                                                     \
        return error;                                                                              \
    }
    REFUSE(m->tag == NULL, AEADFAST_ERR_ARGUMENT)
    REFUSE(m->nonce == NULL, AEADFAST_ERR_ARGUMENT)
    REFUSE(m->aad == NULL && m->aad_len != 0, AEADFAST_ERR_ARGUMENT)
    if (m->len != 0) {
        REFUSE(m->dst == NULL, AEADFAST_ERR_ARGUMENT)
        REFUSE(m->src == NULL, AEADFAST_ERR_ARGUMENT)
        REFUSE(meets(m->dst, m->len, m->tag, tag_len), AEADFAST_ERR_OVERLAP)
        REFUSE(meets(m->dst, m->len, m->nonce, 12), AEADFAST_ERR_OVERLAP)
        REFUSE(meets(m->dst, m->len, m->k, key_size), AEADFAST_ERR_OVERLAP)
        REFUSE(m->dst != m->src && meets(m->dst, m->len, m->src, m->len), AEADFAST_ERR_OVERLAP)
        if (direction == AEAD_SEAL) {
            REFUSE(meets(m->src, m->len, m->tag, tag_len), AEADFAST_ERR_OVERLAP)
        }
    }
    if (m->aad_len != 0) {
        REFUSE(m->len != 0 && meets(m->dst, m->len, m->aad, m->aad_len), AEADFAST_ERR_OVERLAP)
        if (direction == AEAD_SEAL) {
            REFUSE(meets(m->aad, m->aad_len, m->tag, tag_len), AEADFAST_ERR_OVERLAP)
        }
    }
    if (direction == AEAD_SEAL) {
        REFUSE(meets(m->nonce, 12, m->tag, tag_len), AEADFAST_ERR_OVERLAP)
        REFUSE(meets(m->k, key_size, m->tag, tag_len), AEADFAST_ERR_OVERLAP)
    }
#undef REFUSE
    return AEADFAST_OK;
}

/* A message goes by itself. */
static int do_one(aes_gcm_message *m, enum aead_direction direction)
{
    m->result = one(m, direction);
    return m->result;
}

/* The kernel for messages of some lengths under some keys. */
struct gcm_choice {
    const struct aes_gcm_kernel *kernel;
    size_t many_below; /* its `many` takes shorter messages than this */
    uint64_t rows; /* under keys with these rows, or 0: under the one key and for the one length */
};

static void choose(struct gcm_choice *choice, const aes_gcm_message *m)
{
    const uint64_t rows = m->k->opaque[KEY_WORD_ROWS];

    choice->kernel = key_kernel(m->k, m->len);
    choice->many_below = choice->kernel->many != NULL ? choice->kernel->many_len + 1 : 0;
    choice->rows = (rows & CHOICE_TUNED) == 0 && (rows & (rows - 1)) == 0 ? rows : 0;
}

/* The job starts like the message: seven words, which are copied two at a time. */
MANY_INLINE void add(struct gcm_batch *b, size_t n, aes_gcm_message *m, size_t tag_len,
                     enum aead_direction direction)
{
    struct aead_job *job = &b->common.jobs[n];

    _Static_assert(offsetof(aes_gcm_message, nonce_len) == offsetof(struct aead_job, key) &&
                       offsetof(aes_gcm_message, nonce) == offsetof(struct aead_job, nonce) &&
                       offsetof(aes_gcm_message, aad) == offsetof(struct aead_job, aad) &&
                       offsetof(aes_gcm_message, len) == offsetof(struct aead_job, len) &&
                       offsetof(aes_gcm_message, src) == offsetof(struct aead_job, src) &&
                       offsetof(aes_gcm_message, tag) == offsetof(struct aead_job, tag),
                   "messages and jobs differ");
    memcpy(job, m, offsetof(struct aead_job, key));
    job->key = &m->k->opaque[KEY_WORD_TABLE];
    if (direction == AEAD_OPEN || tag_len != 16) {
        job->tag = b->common.tags[n];
        b->short_tags |= tag_len != 16;
    }
    b->common.messages[n] = m;
}

MANY_INLINE int do_messages(aes_gcm_message *messages, size_t count, enum aead_direction direction)
{
    struct gcm_choice choice = {NULL, 0, 0};
    struct gcm_batch batch;
    size_t n = 0; /* in the batch */
    int failed = 0;

    if (missing(messages, count)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (count == 0) {
        return AEADFAST_OK; /* before anything is added to NULL */
    }
    batch.kernel = NULL;
    batch.short_tags = 0;
    for (aes_gcm_message *m = messages; m != messages + count; m++) {
        const size_t tag_len = m->k != NULL ? key_tag_len(m->k) : 0;
        int error;

        if (UNLIKELY(tag_len == 0 || m->nonce_len != 12 || m->aad_len > MANY_AAD_MAX)) {
            failed |= do_one(m, direction);
            continue;
        }
        if (choice.rows == 0 || m->k->opaque[KEY_WORD_ROWS] != choice.rows) {
            choose(&choice, m);
        }
        if (m->len >= choice.many_below) {
            failed |= do_one(m, direction);
            continue;
        }
        if (UNLIKELY(choice.kernel != batch.kernel || n == AEAD_JOBS_MAX)) {
            if (n != 0) {
                failed |= do_batch(&batch, n, direction);
                n = 0;
            }
            batch.kernel = choice.kernel;
        }
        error = refusal(m, tag_len, direction);
        m->result = error;
        if (UNLIKELY(error != AEADFAST_OK)) {
            failed = 1;
            continue;
        }
        add(&batch, n, m, tag_len, direction);
        n++;
    }
    if (n != 0) {
        failed |= do_batch(&batch, n, direction);
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

/* Where there is no backend, every message gets the one-shot function's word on that. */
static int refuse_all(aes_gcm_message *messages, size_t count, enum aead_direction direction)
{
    int first = AEADFAST_OK;

    if (missing(messages, count)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        int error = do_one(&messages[i], direction);

        first = first != AEADFAST_OK ? first : error;
    }
    return first;
}

static int have_backend(void)
{
    return aeadfast_candidates_now(AEADFAST_OP_AES_GCM) != CHOICE_ERROR;
}

int aes_gcm_seal_many(aes_gcm_message *messages, size_t count)
{
    return have_backend() ? do_messages(messages, count, AEAD_SEAL)
                          : refuse_all(messages, count, AEAD_SEAL);
}

int aes_gcm_open_many(aes_gcm_message *messages, size_t count)
{
    return have_backend() ? do_messages(messages, count, AEAD_OPEN)
                          : refuse_all(messages, count, AEAD_OPEN);
}
