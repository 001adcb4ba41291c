/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D) by vector crypto (Zvkned, Zvkg, Zvkb) at any vector length from 128 bits on.
 *
 * What works on vectors is assembly, in aes_gcm_zvk_key.S, aes_gcm_zvk_text.S and aes_gcm_zvk_parts.S:
 * compilers have no intrinsics for these instructions without options that call them experimental,
 * and the text's loop needs each of the 32 registers. Assembly has no stack frame, so no key stream
 * is ever on the stack; here Y of the additional data and J0 are.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../bytes.h"
#include "../kernel.h"
#include "aes_gcm_zvk.h"

struct gcm_table {
    int32_t rounds_less_12;
    uint32_t lanes;
    uint8_t round_key[15][16];
    uint8_t power[2 * ZVK_LANES_MAX][16];
};

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "table too large");
_Static_assert(offsetof(struct gcm_table, rounds_less_12) == ZVK_ROUNDS, "assembly differs");
_Static_assert(offsetof(struct gcm_table, lanes) == ZVK_LANES, "assembly differs");
_Static_assert(offsetof(struct gcm_table, round_key) == ZVK_ROUND_KEYS, "assembly differs");
_Static_assert(offsetof(struct gcm_table, power) == ZVK_POWERS, "assembly differs");
_Static_assert(sizeof(struct gcm_table) == ZVK_END, "assembly differs");

/* What there is before the text; Y is aligned as words are. */
struct gcm_start {
    uint8_t y[16];  /* after the additional data, if any */
    uint8_t j0[16]; /* only where the nonce is not 12 bytes */
    uint32_t counter;
};

_Static_assert(offsetof(struct gcm_start, counter) == ZVK_START_COUNTER, "assembly differs");

/* Each is told about where it is. Not in the header, which assemblers read too. */
AEADFAST_HIDDEN void zvk_init(struct gcm_table *table, const uint8_t *key, size_t key_len,
                              const uint8_t *h, size_t nblocks);
AEADFAST_HIDDEN void zvk_hash(const struct gcm_table *table, uint8_t y[16], const uint8_t *data,
                              size_t len);
AEADFAST_HIDDEN void zvk_hash_reversed(const struct gcm_table *table, uint8_t y[16],
                                       const uint8_t *data, size_t len);
AEADFAST_HIDDEN void zvk_seal(const struct gcm_table *table, uint8_t *ct, const uint8_t *pt,
                              size_t len, uint8_t tag[16], uint64_t aad_len,
                              const struct gcm_start *start, const uint8_t nonce[12]);
AEADFAST_HIDDEN void zvk_open(const struct gcm_table *table, uint8_t *pt, const uint8_t *ct,
                              size_t len, uint8_t tag[16], uint64_t aad_len,
                              const struct gcm_start *start, const uint8_t nonce[12]);
AEADFAST_HIDDEN void zvk_text_seal(const struct gcm_table *table, uint8_t *ct, const uint8_t *pt,
                                   size_t len, uint8_t y[16], const uint8_t counter[16]);
AEADFAST_HIDDEN void zvk_text_open(const struct gcm_table *table, uint8_t *pt, const uint8_t *ct,
                                   size_t len, uint8_t y[16], const uint8_t counter[16]);
AEADFAST_HIDDEN void zvk_counter_le(const struct gcm_table *table, uint8_t *dst, const uint8_t *src,
                                    size_t len, const uint8_t counter[16]);
AEADFAST_HIDDEN void zvk_encrypt(const struct gcm_table *table, uint8_t *dst, const uint8_t *src,
                                 size_t len);

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    zvk_init(table, key, key_len, NULL, SIZE_MAX);
}

/* Y of the additional data and J0; of the latter it returns where the first twelve bytes are. */
static inline const uint8_t *gcm_begin(const struct gcm_table *table, struct gcm_start *start,
                                       const uint8_t *aad, size_t aad_len, const uint8_t *nonce,
                                       size_t nonce_len)
{
    if (aad_len != 0) {
        memset(start->y, 0, sizeof(start->y));
        zvk_hash(table, start->y, aad, aad_len);
    }
    start->counter = 1;
    if (nonce_len != 12) {
        uint8_t lengths[16] = {0};

        store_be64(lengths + 8, 8 * (uint64_t)nonce_len);
        memset(start->j0, 0, sizeof(start->j0));
        zvk_hash(table, start->j0, nonce, nonce_len);
        zvk_hash(table, start->j0, lengths, 16);
        start->counter = load_be32(start->j0 + 12);
        nonce = start->j0;
    }
    return nonce;
}

static void gcm_seal(const void *table, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                     const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    struct gcm_start start;

    nonce = gcm_begin(table, &start, aad, aad_len, nonce, nonce_len);
    zvk_seal(table, ct, pt, len, tag, aad_len, &start, nonce);
}

static void gcm_open(const void *table, uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len,
                     const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    struct gcm_start start;

    nonce = gcm_begin(table, &start, aad, aad_len, nonce, nonce_len);
    zvk_open(table, pt, ct, len, tag, aad_len, &start, nonce);
}

/* ---- Parts ---- */

static void gcm_parts_init_hash(void *table, const uint8_t *key, size_t key_len,
                                const uint8_t h[16], size_t nblocks)
{
    zvk_init(table, key, key_len, h, nblocks);
}

static void gcm_parts_encrypt(const void *table, uint8_t *dst, const uint8_t *src, size_t nblocks)
{
    zvk_encrypt(table, dst, src, 16 * nblocks);
}

static void gcm_parts_hash(const void *table, uint8_t y[16], const uint8_t *data, size_t nblocks)
{
    if (nblocks != 0) {
        zvk_hash(table, y, data, 16 * nblocks);
    }
}

static void gcm_parts_hash_reversed(const void *table, uint8_t y[16], const uint8_t *data,
                                    size_t nblocks)
{
    if (nblocks != 0) {
        zvk_hash_reversed(table, y, data, 16 * nblocks);
    }
}

static void gcm_parts_text(const void *table, uint8_t y[16], uint8_t *dst, const uint8_t *src,
                           size_t nblocks, const uint8_t counter[16], int opening)
{
    if (nblocks != 0) {
        (opening ? zvk_text_open : zvk_text_seal)(table, dst, src, 16 * nblocks, y, counter);
    }
}

static void gcm_parts_counter_le(const void *table, uint8_t *dst, const uint8_t *src, size_t len,
                                 const uint8_t counter[16])
{
    zvk_counter_le(table, dst, src, len, counter);
}

static const struct aes_gcm_parts gcm_parts = {
    .init_hash = gcm_parts_init_hash,
    .encrypt = gcm_parts_encrypt,
    .hash = gcm_parts_hash,
    .hash_reversed = gcm_parts_hash_reversed,
    .text = gcm_parts_text,
    .counter_le = gcm_parts_counter_le,
    .stack = 0,
};

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_zvk) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 192, /* of the C; 144 Clang 19, 160 GCC 14, 192 at -Os */
    .parts = &gcm_parts,
};
