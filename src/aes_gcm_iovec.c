/* SPDX-License-Identifier: MIT */
/* The public functions of AES-GCM for texts in several buffers. */
#include "aes_gcm_pieces.h"
#include "codegen.h"
#include "iovec.h"

/* A call's lists, the order of the arguments being that of sealing. */
static struct iovec_arguments arguments(const aes_gcm_key *k, const aeadfast_iovec *dst,
                                        size_t dst_count, const uint8_t *tag,
                                        const aeadfast_iovec *src, size_t src_count,
                                        const aeadfast_iovec *aad, size_t aad_count,
                                        const uint8_t *nonce, size_t nonce_len)
{
    const struct iovec_arguments a = {.dst = {dst, dst_count},
                                      .src = {src, src_count},
                                      .aad = {aad, aad_count},
                                      .tag = tag,
                                      .tag_len = k != NULL ? key_tag_len(k) : 0,
                                      .nonce = nonce,
                                      .nonce_len = nonce_len,
                                      .key = k,
                                      .key_size = sizeof(*k),
                                      .text_max = LIMIT(AEADFAST_AES_GCM_TEXT_MAX),
                                      .aad_max = LIMIT(AEADFAST_AES_GCM_AAD_MAX)};

    return a;
}

/* Everything that is to be asked before a byte is written. */
static int check(const struct iovec_arguments *a, enum aead_direction direction)
{
    int error = aeadfast_iovec_check(a, direction);

    if (error == AEADFAST_ERR_ARGUMENT) {
        return error;
    }
    if (a->nonce_len > LIMIT(AEADFAST_AES_GCM_NONCE_MAX)) {
        return AEADFAST_ERR_LENGTH;
    }
    if (error != AEADFAST_OK) {
        return error;
    }
    if (a->tag_len == 0) {
        return AEADFAST_ERR_STATE;
    }
    if (aeadfast_candidates_now(AEADFAST_OP_AES_GCM) == CHOICE_ERROR) {
        return AEADFAST_ERR_BACKEND;
    }
    return AEADFAST_OK;
}

/*
 * All of the message, and its whole tag. What of it the compiler spills lies in this frame, which is
 * cleared from outside.
 */
OWN_FRAME void crypt_lists_in_frame(const struct iovec_arguments *a, uint8_t tag[16], int opening)
{
    const aes_gcm_key *k = a->key;
    const struct aes_gcm_parts *parts = key_parts(k);
    const void *table = key_table(k);
    struct iovec_walk walk = {.dst = a->dst, .src = a->src};
    struct gcm_pieces m;
    uint8_t *dst;
    const uint8_t *src;
    size_t n;

    gcm_pieces_begin(parts, table, &m, a->nonce, a->nonce_len);
    for (size_t i = 0; i < a->aad.count; i++) {
        gcm_pieces_aad(parts, table, &m, a->aad.pieces[i].base, a->aad.pieces[i].len);
    }
    gcm_pieces_aad_end(parts, table, &m);
    for (n = iovec_next(&walk, &dst, &src); n != 0; n = iovec_next(&walk, &dst, &src)) {
        gcm_pieces_text(parts, table, &m, dst, src, n, opening);
    }
    gcm_pieces_tag(parts, table, &m, tag);
    wipe_in_steps(&m, sizeof(m));
}

/* More than that frame: its variables, saved registers, what is spilled. */
#define LISTS_FRAME 768

static void crypt_lists(const struct iovec_arguments *a, uint8_t tag[16], int opening)
{
    crypt_lists_in_frame(a, tag, opening);
    gcm_pieces_clear_stack_below(key_parts(a->key), a->nonce_len != 12, LISTS_FRAME);
}

/* Whether each of the lists is one buffer, which the one-shot functions take. */
static int single(const struct iovec_arguments *a, aeadfast_iovec *dst, aeadfast_iovec *src,
                  aeadfast_iovec *aad)
{
    return aeadfast_iovec_joins(a->dst, dst) && aeadfast_iovec_joins(a->src, src) &&
           aeadfast_iovec_joins(a->aad, aad);
}

int aes_gcm_sealv(const aes_gcm_key *k, const aeadfast_iovec *ct, size_t ct_count, uint8_t *tag,
                  const aeadfast_iovec *pt, size_t pt_count, const aeadfast_iovec *aad,
                  size_t aad_count, const uint8_t *nonce, size_t nonce_len)
{
    const struct iovec_arguments a =
        arguments(k, ct, ct_count, tag, pt, pt_count, aad, aad_count, nonce, nonce_len);
    aeadfast_iovec dst;
    aeadfast_iovec src;
    aeadfast_iovec data;
    uint8_t whole[16];
    int error = check(&a, AEAD_SEAL);

    if (error != AEADFAST_OK) {
        return error;
    }
    if (single(&a, &dst, &src, &data)) {
        return aes_gcm_seal(k, dst.base, tag, src.base, src.len, data.base, data.len, nonce,
                            nonce_len);
    }
    crypt_lists(&a, whole, 0);
    memcpy(tag, whole, a.tag_len);
    wipe_now(whole, sizeof(whole));
    return AEADFAST_OK;
}

int aes_gcm_openv(const aes_gcm_key *k, const aeadfast_iovec *pt, size_t pt_count,
                  const aeadfast_iovec *ct, size_t ct_count, const uint8_t *tag,
                  const aeadfast_iovec *aad, size_t aad_count, const uint8_t *nonce,
                  size_t nonce_len)
{
    const struct iovec_arguments a =
        arguments(k, pt, pt_count, tag, ct, ct_count, aad, aad_count, nonce, nonce_len);
    aeadfast_iovec dst;
    aeadfast_iovec src;
    aeadfast_iovec data;
    uint8_t expected[16];
    int error = check(&a, AEAD_OPEN);

    if (error != AEADFAST_OK) {
        return error;
    }
    if (single(&a, &dst, &src, &data)) {
        return aes_gcm_open(k, dst.base, src.base, src.len, tag, data.base, data.len, nonce,
                            nonce_len);
    }
    crypt_lists(&a, expected, 1);
    if (!aeadfast_equal(expected, tag, a.tag_len)) {
        aeadfast_iovec_zero(a.dst);
        error = AEADFAST_ERR_AUTH;
    }
    /* The right tag of a message that somebody forged must not stay behind. */
    wipe_now(expected, sizeof(expected));
    return error;
}
