/* SPDX-License-Identifier: MIT */
/* What an aes_gcm_key or aes_gcm_siv_key holds, for the public functions that are given one. */
#ifndef AEADFAST_AES_GCM_KEY_H
#define AEADFAST_AES_GCM_KEY_H

#include "dispatch.h"
#include "memory.h"

/*
 * One word with a mark and the tag's length, one with the rows of the family whose tables these are,
 * and the tables. All zero is a key that is wiped.
 */
enum { KEY_WORD_MARK, KEY_WORD_ROWS, KEY_WORD_TABLE };

/* Arbitrary values; in the last byte is the tag's length, and for AES-GCM-SIV the AES key's. */
#define KEY_MARK     UINT64_C(0x67636d206b657900)
#define SIV_KEY_MARK UINT64_C(0x736976206b657900)

_Static_assert(sizeof(aes_gcm_key) == KEY_WORD_TABLE * sizeof(uint64_t) + AES_GCM_TABLE_BYTES &&
                   sizeof(aes_gcm_siv_key) == sizeof(aes_gcm_key),
               "the public types and the kernels' tables differ in size");

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

/* Makes a key whose arguments have been checked, for kernels of one family. */
static inline void key_make(uint64_t *words, uint64_t mark, uint32_t family, const uint8_t *key,
                            size_t key_len)
{
    const struct aes_gcm_kernel *kernel =
        aeadfast_pick(aes_gcm_rows(), family, SIZE_MAX)->kernel.aes_gcm;

    kernel->init(&words[KEY_WORD_TABLE], key, key_len);
    aeadfast_clear_stack(kernel->stack);
    words[KEY_WORD_MARK] = mark;
    words[KEY_WORD_ROWS] = family;
}

/* The same for the kernels in force now. */
static inline int key_make_now(uint64_t *words, uint64_t mark, const uint8_t *key, size_t key_len)
{
    const uint32_t candidates = aeadfast_candidates_now(AEADFAST_OP_AES_GCM);

    if (candidates == CHOICE_ERROR) {
        return AEADFAST_ERR_BACKEND;
    }
    key_make(words, mark, aeadfast_family(aes_gcm_rows(), candidates), key, key_len);
    return AEADFAST_OK;
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
