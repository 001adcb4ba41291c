/* SPDX-License-Identifier: MIT */
/*
 * One message through an AEAD kernel, sealed and opened, with all of its buffers laid out in one
 * of the ways of layout.h: what must come out, and that nothing else was written.
 */
#ifndef TEST_AEAD_CASE_H
#define TEST_AEAD_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "dispatch.h"
#include "guard.h"
#include "layout.h"
#include "rng.h"

/* A kernel and the key it works with, which is laid out anew for each call. */
struct aead_subject {
    const struct kernel_row *row;
    const void *key; /* an AES-GCM kernel's tables */
    size_t key_len;
    size_t key_align;
    void (*seal)(const struct kernel_row *row, const void *key, uint8_t *ct, uint8_t *tag,
                 const uint8_t *pt, size_t len, const uint8_t *aad, size_t aad_len,
                 const uint8_t *nonce, size_t nonce_len);
    void (*open)(const struct kernel_row *row, const void *key, uint8_t *pt, uint8_t *tag,
                 const uint8_t *ct, size_t len, const uint8_t *aad, size_t aad_len,
                 const uint8_t *nonce, size_t nonce_len);
};

struct aead_message {
    const uint8_t *pt;
    const uint8_t *ct;
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
    const uint8_t *tag; /* 16 bytes */
};

struct aead_rooms {
    struct guard dst;
    struct guard src;
    struct guard aad;
    struct guard nonce;
    struct guard key;
    struct guard tag;
    struct rng *rng;
};

/* For messages of up to so many bytes in each of these. */
void aead_rooms_make(struct aead_rooms *rooms, struct rng *rng, size_t len, size_t aad_len,
                     size_t nonce_len, size_t key_len);
void aead_rooms_free(struct aead_rooms *rooms);

/* Seals and opens; fails the test where anything is not as the message says. */
void aead_case(const struct aead_rooms *rooms, const struct aead_subject *s,
               const struct aead_message *m, enum layout layout);

/*
 * The same with out- and input at given distances from an aligned address, below LAYOUT_MARGIN;
 * in place, `src_at` counts for nothing.
 */
void aead_case_at(const struct aead_rooms *rooms, const struct aead_subject *s,
                  const struct aead_message *m, size_t dst_at, size_t src_at, int in_place);

#endif
