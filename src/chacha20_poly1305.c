/* SPDX-License-Identifier: MIT */
/* The public functions of ChaCha20-Poly1305 and XChaCha20-Poly1305. */
#include "bytes.h"
#include "chacha20.h"
#include "checks.h"
#include "dispatch.h"
#include "memory.h"

static inline int check(const uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *tag,
                        const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                        const uint8_t *key, enum aead_direction direction)
{
    const struct aead_arguments a = {dst,     src,   len,       tag, 16, aad,
                                     aad_len, nonce, nonce_len, key, 32};

    if (aead_missing(&a)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (len > LIMIT(AEADFAST_CHACHA20_POLY1305_TEXT_MAX) || aad_len > OBJECT_MAX) {
        return AEADFAST_ERR_LENGTH;
    }
    return aead_overlaps(&a, direction) ? AEADFAST_ERR_OVERLAP : AEADFAST_OK;
}

static inline int seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                       const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                       const uint8_t key[32])
{
    const struct kernel_row *row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20_POLY1305, len);

    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    row->kernel.aead->seal(ct, tag, pt, len, aad, aad_len, nonce, key);
    aeadfast_clear_stack(row->kernel.aead->stack);
    return AEADFAST_OK;
}

static inline int open_checked(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                               const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                               const uint8_t key[32])
{
    const struct kernel_row *row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20_POLY1305, len);
    uint8_t expected[16];
    int error = AEADFAST_OK;

    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    row->kernel.aead->open(pt, expected, ct, len, aad, aad_len, nonce, key);
    aeadfast_clear_stack(row->kernel.aead->stack);
    if (!tags_equal(expected, tag)) {
        zero_bytes(pt, len);
        error = AEADFAST_ERR_AUTH;
    }
    /* The right tag of a message that somebody forged must not stay behind. */
    wipe_now(expected, sizeof(expected));
    return error;
}

int chacha20_poly1305_seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                           const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                           const uint8_t key[32])
{
    int error = check(ct, pt, len, tag, aad, aad_len, nonce, 12, key, AEAD_SEAL);

    return error != AEADFAST_OK ? error : seal(ct, tag, pt, len, aad, aad_len, nonce, key);
}

int chacha20_poly1305_open(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                           const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                           const uint8_t key[32])
{
    int error = check(pt, ct, len, tag, aad, aad_len, nonce, 12, key, AEAD_OPEN);

    return error != AEADFAST_OK ? error : open_checked(pt, ct, len, tag, aad, aad_len, nonce, key);
}

/* The key and nonce that XChaCha20-Poly1305 hands to ChaCha20-Poly1305. */
struct derived {
    uint8_t key[32];
    uint8_t nonce[12];
};

static int derive(struct derived *derived, const uint8_t nonce[24], const uint8_t key[32])
{
    const struct kernel_row *row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20, 64);

    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    aeadfast_hchacha20_derive(row->kernel.chacha, derived->key, nonce, key);
    zero_bytes(derived->nonce, 4);
    memcpy(derived->nonce + 4, nonce + 16, 8);
    return AEADFAST_OK;
}

int xchacha20_poly1305_seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                            const uint8_t *aad, size_t aad_len, const uint8_t nonce[24],
                            const uint8_t key[32])
{
    struct derived derived;
    int error = check(ct, pt, len, tag, aad, aad_len, nonce, 24, key, AEAD_SEAL);

    if (error == AEADFAST_OK) {
        error = derive(&derived, nonce, key);
    }
    if (error == AEADFAST_OK) {
        error = seal(ct, tag, pt, len, aad, aad_len, derived.nonce, derived.key);
        aeadfast_wipe(&derived, sizeof(derived));
    }
    return error;
}

int xchacha20_poly1305_open(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                            const uint8_t *aad, size_t aad_len, const uint8_t nonce[24],
                            const uint8_t key[32])
{
    struct derived derived;
    int error = check(pt, ct, len, tag, aad, aad_len, nonce, 24, key, AEAD_OPEN);

    if (error == AEADFAST_OK) {
        error = derive(&derived, nonce, key);
    }
    if (error == AEADFAST_OK) {
        error = open_checked(pt, ct, len, tag, aad, aad_len, derived.nonce, derived.key);
        aeadfast_wipe(&derived, sizeof(derived));
    }
    return error;
}
