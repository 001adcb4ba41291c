/* SPDX-License-Identifier: MIT */
/* The public functions of ChaCha20-Poly1305 and XChaCha20-Poly1305 for texts in several buffers. */
#include "bytes.h"
#include "chacha20_poly1305_pieces.h"
#include "iovec.h"
#include "memory.h"

static struct iovec_arguments arguments(struct iovec_list dst, const uint8_t *tag,
                                        struct iovec_list src, struct iovec_list aad,
                                        const uint8_t *nonce, size_t nonce_len, const uint8_t *key)
{
    struct iovec_arguments a = {.dst = dst,
                                .src = src,
                                .aad = aad,
                                .tag = tag,
                                .tag_len = 16,
                                .nonce = nonce,
                                .nonce_len = nonce_len,
                                .key = key,
                                .key_size = 32,
                                .text_max = LIMIT(AEADFAST_CHACHA20_POLY1305_TEXT_MAX),
                                .aad_max = OBJECT_MAX};

    return a;
}

/*
 * Short messages are put together, and sealed or opened in place there: two copies and the wiping
 * cost less than a beginning and an end in pieces. Zen 3, cycles over those of the one-shot function:
 * two pieces of 100 bytes 342 instead of 711, two of 1000 417 instead of 700.
 */
#define TOGETHER_MAX 2048

/* The tag of the pieces, which are checked, and the text from one list to the other. */
static int exchange(const struct iovec_arguments *a, size_t len, uint8_t tag[16],
                    enum aead_direction direction)
{
    struct chacha20_poly1305_kernels kernels;
    struct chacha20_poly1305_pieces pieces;
    struct iovec_walk walk = {.dst = a->dst, .src = a->src};
    uint8_t *dst = NULL;
    const uint8_t *src = NULL;
    size_t n;

    if (!chacha20_poly1305_pieces_kernels(&kernels, len)) {
        return AEADFAST_ERR_BACKEND;
    }
    kernels.text_stays = 1;
    if (a->nonce_len == 24) {
        chacha20_poly1305_pieces_xbegin(&pieces, &kernels, a->nonce, a->key);
    } else {
        chacha20_poly1305_pieces_begin(&pieces, a->nonce, a->key);
    }
    for (size_t i = 0; i < a->aad.count; i++) {
        chacha20_poly1305_pieces_aad(&pieces, &kernels, a->aad.pieces[i].base,
                                     a->aad.pieces[i].len);
    }
    for (n = iovec_next(&walk, &dst, &src); n != 0; n = iovec_next(&walk, &dst, &src)) {
        chacha20_poly1305_pieces_text(&pieces, &kernels, dst, src, n, direction);
    }
    chacha20_poly1305_pieces_tag(&pieces, &kernels, tag);
    aeadfast_wipe(&pieces, sizeof(pieces));
    return AEADFAST_OK;
}

/* Whether there is no more than one buffer of each; then they are `whole`. */
static int joins(const struct iovec_arguments *a, aeadfast_iovec whole[3])
{
    return aeadfast_iovec_joins(a->dst, &whole[0]) && aeadfast_iovec_joins(a->src, &whole[1]) &&
           aeadfast_iovec_joins(a->aad, &whole[2]);
}

typedef int one_shot_seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                          const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                          const uint8_t *key);
typedef int one_shot_open(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                          const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                          const uint8_t *key);

/* The whole of it in one place; `tag` is written when sealing. */
static int together(const struct iovec_arguments *a, uint8_t *tag, size_t len, size_t aad_len,
                    enum aead_direction direction)
{
    one_shot_seal *seal = a->nonce_len == 24 ? xchacha20_poly1305_seal : chacha20_poly1305_seal;
    one_shot_open *open = a->nonce_len == 24 ? xchacha20_poly1305_open : chacha20_poly1305_open;
    uint8_t bytes[TOGETHER_MAX];
    uint8_t *const aad = bytes + len;
    int error;

    aeadfast_iovec_gather(bytes, a->src);
    aeadfast_iovec_gather(aad, a->aad);
    if (direction == AEAD_SEAL) {
        error = seal(bytes, tag, bytes, len, aad, aad_len, a->nonce, a->key);
    } else {
        error = open(bytes, bytes, len, a->tag, aad, aad_len, a->nonce, a->key);
    }
    if (error == AEADFAST_OK || error == AEADFAST_ERR_AUTH) { /* then they are zeros */
        aeadfast_iovec_scatter(a->dst, bytes);
    }
    aeadfast_wipe(bytes, len);
    return error;
}

static int sealv(const struct iovec_arguments *a, uint8_t *tag)
{
    int error = aeadfast_iovec_check(a, AEAD_SEAL);
    size_t len;
    size_t aad_len;
    aeadfast_iovec whole[3];

    if (error != AEADFAST_OK) {
        return error;
    }
    if (joins(a, whole)) {
        return (a->nonce_len == 24 ? xchacha20_poly1305_seal : chacha20_poly1305_seal)(
            whole[0].base, tag, whole[1].base, whole[1].len, whole[2].base, whole[2].len, a->nonce,
            a->key);
    }
    len = aeadfast_iovec_sum(a->src);
    aad_len = aeadfast_iovec_sum(a->aad);
    if (len <= TOGETHER_MAX && aad_len <= TOGETHER_MAX - len) {
        return together(a, tag, len, aad_len, AEAD_SEAL);
    }
    return exchange(a, len, tag, AEAD_SEAL);
}

static int openv(const struct iovec_arguments *a)
{
    int error = aeadfast_iovec_check(a, AEAD_OPEN);
    size_t len;
    size_t aad_len;
    aeadfast_iovec whole[3];
    uint8_t expected[16];

    if (error != AEADFAST_OK) {
        return error;
    }
    if (joins(a, whole)) {
        return (a->nonce_len == 24 ? xchacha20_poly1305_open : chacha20_poly1305_open)(
            whole[0].base, whole[1].base, whole[1].len, a->tag, whole[2].base, whole[2].len,
            a->nonce, a->key);
    }
    len = aeadfast_iovec_sum(a->src);
    aad_len = aeadfast_iovec_sum(a->aad);
    if (len <= TOGETHER_MAX && aad_len <= TOGETHER_MAX - len) {
        return together(a, NULL, len, aad_len, AEAD_OPEN);
    }
    error = exchange(a, len, expected, AEAD_OPEN);
    if (error == AEADFAST_OK && !tags_equal(expected, a->tag)) {
        aeadfast_iovec_zero(a->dst);
        error = AEADFAST_ERR_AUTH;
    }
    /* The right tag of a message that somebody forged must not stay behind. */
    wipe_now(expected, sizeof(expected));
    return error;
}

static struct iovec_list list_of(const aeadfast_iovec *pieces, size_t count)
{
    struct iovec_list list = {pieces, count};

    return list;
}

int chacha20_poly1305_sealv(const aeadfast_iovec *ct, size_t ct_count, uint8_t tag[16],
                            const aeadfast_iovec *pt, size_t pt_count, const aeadfast_iovec *aad,
                            size_t aad_count, const uint8_t nonce[12], const uint8_t key[32])
{
    struct iovec_arguments a = arguments(list_of(ct, ct_count), tag, list_of(pt, pt_count),
                                         list_of(aad, aad_count), nonce, 12, key);

    return sealv(&a, tag);
}

int chacha20_poly1305_openv(const aeadfast_iovec *pt, size_t pt_count, const aeadfast_iovec *ct,
                            size_t ct_count, const uint8_t tag[16], const aeadfast_iovec *aad,
                            size_t aad_count, const uint8_t nonce[12], const uint8_t key[32])
{
    struct iovec_arguments a = arguments(list_of(pt, pt_count), tag, list_of(ct, ct_count),
                                         list_of(aad, aad_count), nonce, 12, key);

    return openv(&a);
}

int xchacha20_poly1305_sealv(const aeadfast_iovec *ct, size_t ct_count, uint8_t tag[16],
                             const aeadfast_iovec *pt, size_t pt_count, const aeadfast_iovec *aad,
                             size_t aad_count, const uint8_t nonce[24], const uint8_t key[32])
{
    struct iovec_arguments a = arguments(list_of(ct, ct_count), tag, list_of(pt, pt_count),
                                         list_of(aad, aad_count), nonce, 24, key);

    return sealv(&a, tag);
}

int xchacha20_poly1305_openv(const aeadfast_iovec *pt, size_t pt_count, const aeadfast_iovec *ct,
                             size_t ct_count, const uint8_t tag[16], const aeadfast_iovec *aad,
                             size_t aad_count, const uint8_t nonce[24], const uint8_t key[32])
{
    struct iovec_arguments a = arguments(list_of(pt, pt_count), tag, list_of(ct, ct_count),
                                         list_of(aad, aad_count), nonce, 24, key);

    return openv(&a);
}
