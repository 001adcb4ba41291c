/* SPDX-License-Identifier: MIT */
/* The public functions of AES-GCM. */
#include "aes_gcm_key.h"
#include "bytes.h"
#include "checks.h"
#include "codegen.h"
#include "dispatch.h"
#include "memory.h"

static int tag_len_allowed(size_t n)
{
    return n == 4 || n == 8 || (n >= 12 && n <= 16);
}

int aes_gcm_init_tag(aes_gcm_key *k, const uint8_t *key, size_t key_len, size_t tag_len)
{
    if (k == NULL || key == NULL || (key_len != 16 && key_len != 24 && key_len != 32) ||
        !tag_len_allowed(tag_len)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (overlaps(k, sizeof(*k), key, key_len)) {
        return AEADFAST_ERR_OVERLAP;
    }
    return key_make_now(k->opaque, KEY_MARK | tag_len, key, key_len);
}

int aes_gcm_init(aes_gcm_key *k, const uint8_t *key, size_t key_len)
{
    return aes_gcm_init_tag(k, key, key_len, 16);
}

void aes_gcm_wipe(aes_gcm_key *k)
{
    if (k != NULL) {
        aeadfast_wipe(k, sizeof(*k));
    }
}

/* Everything that is to be asked before a byte is written, and the kernel for it. */
ALWAYS_INLINE int prepare(const struct aes_gcm_kernel **kernel, const aes_gcm_key *k,
                          const uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag,
                          size_t tag_len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                          size_t nonce_len, enum aead_direction direction)
{
    const struct aead_arguments a = {dst,     src,   len,       tag, tag_len,   aad,
                                     aad_len, nonce, nonce_len, k,   sizeof(*k)};

    if (aead_missing(&a)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (tag_len == 0) {
        return AEADFAST_ERR_STATE;
    }
    if (len > LIMIT(AEADFAST_AES_GCM_TEXT_MAX) || aad_len > LIMIT(AEADFAST_AES_GCM_AAD_MAX) ||
        nonce_len > LIMIT(AEADFAST_AES_GCM_NONCE_MAX)) {
        return AEADFAST_ERR_LENGTH;
    }
    if (aead_overlaps(&a, direction)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (aeadfast_candidates_now(AEADFAST_OP_AES_GCM) == CHOICE_ERROR) {
        return AEADFAST_ERR_BACKEND;
    }
    *kernel = key_kernel(k, len);
    return AEADFAST_OK;
}

int aes_gcm_seal(const aes_gcm_key *k, uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len,
                 const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    size_t tag_len = k != NULL ? key_tag_len(k) : 0;
    const struct aes_gcm_kernel *kernel;
    int error =
        prepare(&kernel, k, ct, pt, len, tag, tag_len, aad, aad_len, nonce, nonce_len, AEAD_SEAL);

    if (error != AEADFAST_OK) {
        return error;
    }
    if (tag_len == 16) {
        kernel->seal(&k->opaque[KEY_WORD_TABLE], ct, tag, pt, len, aad, aad_len, nonce, nonce_len);
    } else {
        uint8_t whole[16];

        kernel->seal(&k->opaque[KEY_WORD_TABLE], ct, whole, pt, len, aad, aad_len, nonce,
                     nonce_len);
        memcpy(tag, whole, tag_len);
        wipe_now(whole, sizeof(whole));
    }
    aeadfast_clear_stack(kernel->stack);
    return AEADFAST_OK;
}

int aes_gcm_open(const aes_gcm_key *k, uint8_t *pt, const uint8_t *ct, size_t len,
                 const uint8_t *tag, const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                 size_t nonce_len)
{
    size_t tag_len = k != NULL ? key_tag_len(k) : 0;
    const struct aes_gcm_kernel *kernel;
    uint8_t expected[16];
    int error =
        prepare(&kernel, k, pt, ct, len, tag, tag_len, aad, aad_len, nonce, nonce_len, AEAD_OPEN);

    if (error != AEADFAST_OK) {
        return error;
    }
    kernel->open(&k->opaque[KEY_WORD_TABLE], pt, expected, ct, len, aad, aad_len, nonce, nonce_len);
    aeadfast_clear_stack(kernel->stack);
    if (!(tag_len == 16 ? tags_equal(expected, tag) : aeadfast_equal(expected, tag, tag_len))) {
        zero_bytes(pt, len);
        error = AEADFAST_ERR_AUTH;
    }
    /* The right tag of a message that somebody forged must not stay behind. */
    wipe_now(expected, sizeof(expected));
    return error;
}
