/* SPDX-License-Identifier: MIT */
/* What an aes_gcm_key holds, for the public functions that are given one. */
#ifndef AEADFAST_AES_GCM_KEY_H
#define AEADFAST_AES_GCM_KEY_H

#include "dispatch.h"

/*
 * One word with a mark and the tag's length, one with the rows of the family whose tables these are,
 * and the tables. All zero is a key that is wiped.
 */
enum { KEY_WORD_MARK, KEY_WORD_ROWS, KEY_WORD_TABLE };

/* An arbitrary value; the tag's length is in its last byte. */
#define KEY_MARK UINT64_C(0x67636d206b657900)

_Static_assert(sizeof(aes_gcm_key) == KEY_WORD_TABLE * sizeof(uint64_t) + AES_GCM_TABLE_BYTES,
               "the public type and the kernels' tables differ in size");

static inline const struct kernel_list *aes_gcm_rows(void)
{
    return &aeadfast_kernel_lists[AEADFAST_OP_AES_GCM];
}

/* The key's tag length, or 0 where the object is not a key. */
static inline size_t key_tag_len(const aes_gcm_key *k)
{
    uint64_t tag_len = k->opaque[KEY_WORD_MARK] ^ KEY_MARK;

    return tag_len <= 16 ? (size_t)tag_len : 0;
}

/* Of the key's family, the kernel for a message of `len` bytes. */
static inline const struct aes_gcm_kernel *key_kernel(const aes_gcm_key *k, size_t len)
{
    return aeadfast_pick(aes_gcm_rows(), (uint32_t)k->opaque[KEY_WORD_ROWS], len)->kernel.aes_gcm;
}

/* Of the key's family: every kernel of it has them. */
static inline const struct aes_gcm_parts *key_parts(const aes_gcm_key *k)
{
    return key_kernel(k, SIZE_MAX)->parts;
}

static inline const void *key_table(const aes_gcm_key *k)
{
    return &k->opaque[KEY_WORD_TABLE];
}

#endif
