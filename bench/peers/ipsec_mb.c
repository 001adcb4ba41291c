/* SPDX-License-Identifier: MIT */
/*
 * Intel's Multi-Buffer Crypto for IPsec: AES-GCM by its direct calls, the others by jobs, which come
 * back at once for these algorithms.
 */
#include "ipsec_mb.h"
#include "peer.h"

#include <string.h>

static IMB_MGR *manager(void)
{
    static IMB_MGR *made;

    if (made == NULL) {
        made = alloc_mb_mgr(0);
        if (made != NULL) {
            init_mb_mgr_auto(made, NULL);
        }
    }
    return made;
}

static void *make_key(const uint8_t key[32])
{
    return manager() != NULL ? copy_key(key, 32) : NULL;
}

static void fill_chacha20(IMB_JOB *job, const uint8_t *key, uint8_t *dst, const uint8_t *src,
                          size_t len, const uint8_t nonce[12])
{
    job->enc_keys = key;
    job->dec_keys = key;
    job->key_len_in_bytes = IMB_KEY_256_BYTES;
    job->src = src;
    job->dst = dst;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = len;
    job->iv = nonce;
    job->iv_len_in_bytes = 12;
}

static int completed(void)
{
    const IMB_JOB *done = IMB_SUBMIT_JOB_NOCHECK(manager());

    return done == NULL || done->status != IMB_STATUS_COMPLETED;
}

static void fill_chacha20_poly1305(IMB_JOB *job, const uint8_t *key, uint8_t *dst, uint8_t tag[16],
                                   const uint8_t *src, size_t len, const uint8_t *aad,
                                   size_t aad_len, const uint8_t nonce[12],
                                   IMB_CIPHER_DIRECTION direction)
{
    fill_chacha20(job, key, dst, src, len, nonce);
    job->cipher_mode = IMB_CIPHER_CHACHA20_POLY1305;
    job->cipher_direction = direction;
    job->chain_order = direction == IMB_DIR_ENCRYPT ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
    job->hash_alg = IMB_AUTH_CHACHA20_POLY1305;
    job->hash_start_src_offset_in_bytes = 0;
    job->msg_len_to_hash_in_bytes = len;
    job->u.CHACHA20_POLY1305.aad = aad;
    job->u.CHACHA20_POLY1305.aad_len_in_bytes = aad_len;
    job->auth_tag_output = tag;
    job->auth_tag_output_len_in_bytes = 16;
}

static int chacha20_poly1305_job(const uint8_t *key, uint8_t *dst, uint8_t tag[16],
                                 const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                                 const uint8_t nonce[12], IMB_CIPHER_DIRECTION direction)
{
    fill_chacha20_poly1305(IMB_GET_NEXT_JOB(manager()), key, dst, tag, src, len, aad, aad_len,
                           nonce, direction);
    return completed();
}

/*
 * From version 1.4 on a burst calls what its jobs name by their suite, without looking. It is worked
 * out once for each of the suites here, and written into each job.
 */
static void name_suite(IMB_JOB *job, size_t key_len)
{
#if IMB_VERSION_NUM >= IMB_VERSION(1, 4, 0)
    static IMB_JOB known[3][2];
    const size_t suite = job->cipher_mode != IMB_CIPHER_GCM ? 0 : key_len == 16 ? 1 : 2;
    IMB_JOB *like = &known[suite][job->cipher_direction == IMB_DIR_ENCRYPT];

    if (like->cipher_direction != job->cipher_direction) {
        *like = *job;
        (void)imb_set_session(manager(), like);
    }
    memcpy(job->suite_id, like->suite_id, sizeof job->suite_id);
#else
    (void)job;
    (void)key_len;
#endif
}

/* Bursts came with version 1.3. */
static int finish_burst(IMB_JOB **jobs, const struct peer_message *messages, size_t count,
                        int opening, uint8_t (*computed)[16])
{
    int failed = 0;

    if (IMB_SUBMIT_BURST_NOCHECK(manager(), (uint32_t)count, jobs) != count) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        failed |= jobs[i]->status != IMB_STATUS_COMPLETED ||
                  (opening && !tags_match(computed[i], messages[i].tag));
    }
    return failed;
}

static int many_chacha20_poly1305(const struct peer_message *messages, size_t count, int opening)
{
    IMB_JOB *jobs[PEER_MESSAGES_MAX];
    uint8_t computed[PEER_MESSAGES_MAX][16];

    if (IMB_GET_NEXT_BURST(manager(), (uint32_t)count, jobs) != count) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        const struct peer_message *m = &messages[i];

        fill_chacha20_poly1305(jobs[i], m->key, m->dst, opening ? computed[i] : m->tag, m->src,
                               m->len, m->aad, m->aad_len, m->nonce,
                               opening ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT);
        name_suite(jobs[i], 32);
    }
    return finish_burst(jobs, messages, count, opening, computed);
}

static int seal_chacha20_poly1305(void *key, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                  size_t len, const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    return chacha20_poly1305_job(key, ct, tag, pt, len, aad, aad_len, nonce, IMB_DIR_ENCRYPT);
}

static int open_chacha20_poly1305(void *key, uint8_t *pt, const uint8_t *ct, size_t len,
                                  const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                                  const uint8_t nonce[12])
{
    uint8_t computed[16];

    return chacha20_poly1305_job(key, pt, computed, ct, len, aad, aad_len, nonce,
                                 IMB_DIR_DECRYPT) != 0 ||
           !tags_match(computed, tag);
}

static int chacha20(void *key, uint8_t *dst, const uint8_t *src, size_t len,
                    const uint8_t nonce[12])
{
    IMB_JOB *job = IMB_GET_NEXT_JOB(manager());

    fill_chacha20(job, key, dst, src, len, nonce);
    job->cipher_mode = IMB_CIPHER_CHACHA20;
    job->cipher_direction = IMB_DIR_ENCRYPT;
    job->chain_order = IMB_ORDER_CIPHER_HASH;
    job->hash_alg = IMB_AUTH_NULL;
    return completed();
}

static void *make_poly1305(void)
{
    return manager();
}

static int poly1305(void *unused, uint8_t tag[16], const uint8_t *msg, size_t len,
                    const uint8_t key[32])
{
    IMB_JOB *job = IMB_GET_NEXT_JOB(manager());

    (void)unused;
    job->cipher_mode = IMB_CIPHER_NULL;
    job->cipher_direction = IMB_DIR_ENCRYPT;
    job->chain_order = IMB_ORDER_HASH_CIPHER;
    job->hash_alg = IMB_AUTH_POLY1305;
    job->src = msg;
    job->hash_start_src_offset_in_bytes = 0;
    job->msg_len_to_hash_in_bytes = len;
    job->u.POLY1305._key = key;
    job->auth_tag_output = tag;
    job->auth_tag_output_len_in_bytes = 16;
    return completed();
}

static int many_gcm(const struct peer_message *messages, size_t count, int opening, size_t key_len)
{
    IMB_JOB *jobs[PEER_MESSAGES_MAX];
    uint8_t computed[PEER_MESSAGES_MAX][16];

    if (IMB_GET_NEXT_BURST(manager(), (uint32_t)count, jobs) != count) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        const struct peer_message *m = &messages[i];
        const struct gcm *gcm = m->key;
        IMB_JOB *job = jobs[i];

        job->cipher_mode = IMB_CIPHER_GCM;
        job->cipher_direction = opening ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT;
        job->chain_order = opening ? IMB_ORDER_HASH_CIPHER : IMB_ORDER_CIPHER_HASH;
        job->hash_alg = IMB_AUTH_AES_GMAC;
        job->enc_keys = &gcm->key;
        job->dec_keys = &gcm->key;
        job->key_len_in_bytes = key_len;
        job->src = m->src;
        job->dst = m->dst;
        job->cipher_start_src_offset_in_bytes = 0;
        job->msg_len_to_cipher_in_bytes = m->len;
        job->hash_start_src_offset_in_bytes = 0;
        job->msg_len_to_hash_in_bytes = m->len;
        job->iv = m->nonce;
        job->iv_len_in_bytes = 12;
        job->u.GCM.aad = m->aad;
        job->u.GCM.aad_len_in_bytes = m->aad_len;
        job->auth_tag_output = opening ? computed[i] : m->tag;
        job->auth_tag_output_len_in_bytes = 16;
        name_suite(job, key_len);
    }
    return finish_burst(jobs, messages, count, opening, computed);
}

#define AES_GCM(bits)                                                                              \
    static int rekey_##bits(void *object, const uint8_t *key)                                      \
    {                                                                                              \
        struct gcm *gcm = object;                                                                  \
                                                                                                   \
        IMB_AES##bits##_GCM_PRE(manager(), key, &gcm->key);                                        \
        return 0;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static void *make_##bits(const uint8_t *key)                                                   \
    {                                                                                              \
        void *gcm = manager() != NULL ? new_gcm() : NULL;                                          \
                                                                                                   \
        return gcm != NULL && rekey_##bits(gcm, key) == 0 ? gcm : NULL;                            \
    }                                                                                              \
                                                                                                   \
    static int seal_##bits(void *object, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,          \
                           size_t len, const uint8_t *aad, size_t aad_len,                         \
                           const uint8_t nonce[12])                                                \
    {                                                                                              \
        struct gcm *gcm = object;                                                                  \
                                                                                                   \
        IMB_AES##bits##_GCM_ENC(manager(), &gcm->key, &gcm->context, ct, pt, len, nonce, aad,      \
                                aad_len, tag, 16);                                                 \
        return 0;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static int open_##bits(void *object, uint8_t *pt, const uint8_t *ct, size_t len,               \
                           const uint8_t tag[16], const uint8_t *aad, size_t aad_len,              \
                           const uint8_t nonce[12])                                                \
    {                                                                                              \
        struct gcm *gcm = object;                                                                  \
        uint8_t computed[16];                                                                      \
                                                                                                   \
        IMB_AES##bits##_GCM_DEC(manager(), &gcm->key, &gcm->context, pt, ct, len, nonce, aad,      \
                                aad_len, computed, 16);                                            \
        return !tags_match(computed, tag);                                                         \
    }                                                                                              \
                                                                                                   \
    static int many_##bits(const struct peer_message *messages, size_t count, int opening)         \
    {                                                                                              \
        return many_gcm(messages, count, opening, (bits) / 8);                                     \
    }                                                                                              \
                                                                                                   \
    static const struct peer_aead aes_##bits##_gcm = {make_##bits, rekey_##bits, seal_##bits,      \
                                                      open_##bits}

AES_GCM(128);
AES_GCM(256);

static const struct peer_aead chacha20_poly1305 = {make_key, NULL, seal_chacha20_poly1305,
                                                   open_chacha20_poly1305};
static const struct peer_stream chacha20_functions = {make_key, chacha20};
static const struct peer_mac poly1305_functions = {make_poly1305, poly1305};

const struct peer peer = {
    .name = PEER_NAME,
    .version = imb_get_version_str,
    .aeads = {&chacha20_poly1305, &aes_128_gcm, &aes_256_gcm},
    .chacha20 = &chacha20_functions,
    .poly1305 = &poly1305_functions,
    .many = {many_chacha20_poly1305, many_128, many_256},
};
