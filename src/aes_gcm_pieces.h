/* SPDX-License-Identifier: MIT */
/*
 * An AES-GCM message that comes in pieces of any length, over the parts of the key's kernels: what
 * streams and lists of pieces have in common. Nothing is checked here.
 *
 * `y` takes in whole blocks. Of one that is not whole yet, the bytes that are there have been added
 * to y already and wait for the multiplication: filling up with zeros then costs nothing.
 */
#ifndef AEADFAST_AES_GCM_PIECES_H
#define AEADFAST_AES_GCM_PIECES_H

#include "aes_gcm_key.h"
#include "bytes.h"
#include "memory.h"

struct gcm_pieces {
    uint8_t y[16];
    uint8_t counter[16];    /* of the text's next block */
    uint8_t key_stream[16]; /* of the block that the text ends within, where it does */
    uint8_t mask[16];       /* J0 encrypted: the tag is the last y with this added */
    uint64_t aad_len;
    uint64_t text_len;
    uint64_t nonce_is_hashed;
};

static const uint8_t gcm_zeros[16];

/*
 * dst = a xor b, 0 to 15 bytes; dst may be a or b. Of a loop over so few bytes compilers make
 * kilobytes of code.
 */
static inline void gcm_xor(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n >= 8) {
        store_le64(dst, load_le64(a) ^ load_le64(b));
        dst += 8;
        a += 8;
        b += 8;
        n -= 8;
    }
    if (n >= 4) {
        store_le32(dst, load_le32(a) ^ load_le32(b));
        dst += 4;
        a += 4;
        b += 4;
        n -= 4;
    }
    if (n >= 2) {
        dst[0] = a[0] ^ b[0];
        dst[1] = a[1] ^ b[1];
        dst += 2;
        a += 2;
        b += 2;
        n -= 2;
    }
    if (n != 0) {
        dst[0] = a[0] ^ b[0];
    }
}

/* y, which has taken in the first `at` bytes of a block (or of several), takes in more. */
static inline void gcm_absorb(const struct aes_gcm_parts *parts, const void *table, uint8_t y[16],
                              size_t at, const uint8_t *data, size_t len)
{
    if (at != 0) {
        const size_t n = len < 16 - at ? len : 16 - at;

        gcm_xor(y + at, y + at, data, n);
        if (at + n < 16) {
            return;
        }
        parts->hash(table, y, gcm_zeros, 1);
        len -= n;
        if (len == 0) {
            return;
        }
        data += n;
    }
    if (len >= 16) {
        parts->hash(table, y, data, len / 16);
        data += len - len % 16;
        len %= 16;
    }
    gcm_xor(y, y, data, len);
}

/* The closing block, two lengths in bits; before it what is left of a block that is not whole. */
static inline void gcm_absorb_lengths(const struct aes_gcm_parts *parts, const void *table,
                                      uint8_t y[16], size_t at, uint64_t first, uint64_t second)
{
    uint8_t blocks[32] = {0};

    store_be64(blocks + 16, 8 * first);
    store_be64(blocks + 24, 8 * second);
    if (at != 0) {
        parts->hash(table, y, blocks, 2);
    } else {
        parts->hash(table, y, blocks + 16, 1);
    }
}

/* The counter goes on by so many blocks: its last word wraps, and nothing is carried out of it. */
static inline void gcm_count(struct gcm_pieces *m, size_t blocks)
{
    store_be32(m->counter + 12, load_be32(m->counter + 12) + (uint32_t)blocks);
}

static inline void gcm_pieces_begin(const struct aes_gcm_parts *parts, const void *table,
                                    struct gcm_pieces *m, const uint8_t *nonce, size_t nonce_len)
{
    memset(m, 0, sizeof(*m));
    if (nonce_len == 12) {
        memcpy(m->counter, nonce, 12);
        m->counter[15] = 1;
    } else {
        m->nonce_is_hashed = 1;
        gcm_absorb(parts, table, m->counter, 0, nonce, nonce_len);
        gcm_absorb_lengths(parts, table, m->counter, nonce_len % 16, 0, nonce_len);
    }
    parts->encrypt(table, m->mask, m->counter, 1);
    gcm_count(m, 1);
}

static inline void gcm_pieces_aad(const struct aes_gcm_parts *parts, const void *table,
                                  struct gcm_pieces *m, const uint8_t *aad, size_t len)
{
    gcm_absorb(parts, table, m->y, (size_t)(m->aad_len % 16), aad, len);
    m->aad_len += len;
}

/* Once, after the additional data and before text, be there any or not. */
static inline void gcm_pieces_aad_end(const struct aes_gcm_parts *parts, const void *table,
                                      struct gcm_pieces *m)
{
    if (m->aad_len % 16 != 0) {
        parts->hash(table, m->y, gcm_zeros, 1);
    }
}

/* n bytes of text, 1 to 15, within a block from its byte `at` on. */
static inline void gcm_part_of_block(struct gcm_pieces *m, size_t at, uint8_t *dst,
                                     const uint8_t *src, size_t n, int opening)
{
    if (opening) {
        gcm_xor(m->y + at, m->y + at, src, n);
    }
    gcm_xor(dst, src, m->key_stream + at, n);
    if (!opening) {
        gcm_xor(m->y + at, m->y + at, dst, n);
    }
}

static inline void gcm_pieces_text(const struct aes_gcm_parts *parts, const void *table,
                                   struct gcm_pieces *m, uint8_t *dst, const uint8_t *src,
                                   size_t len, int opening)
{
    const size_t at = (size_t)(m->text_len % 16);
    size_t blocks;

    m->text_len += len;
    if (at != 0) {
        size_t n = len < 16 - at ? len : 16 - at;

        gcm_part_of_block(m, at, dst, src, n, opening);
        if (at + n < 16) {
            return;
        }
        parts->hash(table, m->y, gcm_zeros, 1);
        len -= n;
        if (len == 0) {
            return;
        }
        dst += n;
        src += n;
    }
    blocks = len / 16;
    if (blocks != 0) {
        parts->text(table, m->y, dst, src, blocks, m->counter, opening);
        gcm_count(m, blocks);
        len %= 16;
        dst += 16 * blocks;
        src += 16 * blocks;
    }
    if (len != 0) {
        parts->encrypt(table, m->key_stream, m->counter, 1);
        gcm_count(m, 1);
        gcm_part_of_block(m, 0, dst, src, len, opening);
    }
}

/* The whole tag of what there was. */
static inline void gcm_pieces_tag(const struct aes_gcm_parts *parts, const void *table,
                                  struct gcm_pieces *m, uint8_t tag[16])
{
    gcm_absorb_lengths(parts, table, m->y, (size_t)(m->text_len % 16), m->aad_len, m->text_len);
    for (int i = 0; i < 16; i++) {
        tag[i] = m->y[i] ^ m->mask[i];
    }
}

/*
 * For the end of a public function. A kernel whose parts leave nothing of their own (stack 0) still
 * saves the registers of its caller, and these functions work on single bytes in such registers: but
 * not on pieces of whole blocks (`whole`), which need no clearing then. The frames of the parts may lie
 * below those of the functions above, where the compiler has not put these in line.
 *
 * Counters are public after a nonce of 12 bytes, and vector kernels leave some behind. J0 of another
 * nonce is its GHASH, by which H is to be had: there they are secret.
 */
static inline void gcm_pieces_clear_stack(const struct aes_gcm_parts *parts,
                                          const struct gcm_pieces *m, int whole)
{
    if (m->nonce_is_hashed != 0) {
        aeadfast_clear_stack(parts->stack + 768);
    } else if (parts->stack + STACK_EXTRA != 0 || !whole) {
        aeadfast_clear_stack(parts->stack + 256);
    }
}

/* The same from outside of a frame of `frame` bytes at most, in which all of that was called. */
static inline void gcm_pieces_clear_stack_below(const struct aes_gcm_parts *parts,
                                                int nonce_is_hashed, size_t frame)
{
    aeadfast_clear_stack(parts->stack + (nonce_is_hashed ? 768 : 256) + frame);
}

#endif
