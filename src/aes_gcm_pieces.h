/* SPDX-License-Identifier: MIT */
/*
 * An AES-GCM message that comes in pieces of any length, over the parts of the key's kernels: what
 * streams and lists of pieces have in common. Nothing is checked here.
 *
 * Kernels that have `pieces` do the text with it, from turn to turn. Otherwise a turn is one block here.
 */
#ifndef AEADFAST_AES_GCM_PIECES_H
#define AEADFAST_AES_GCM_PIECES_H

#include <stddef.h>

#include "aes_gcm_key.h"
#include "bytes.h"
#include "memory.h"

struct gcm_pieces {
    uint8_t mask[16]; /* J0 encrypted: the tag is the last y with this added */
    uint64_t aad_len;
    uint64_t text_len;
    struct aes_gcm_text text; /* before any, y is that of the additional data */
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

/*
 * y, which has taken in the first `at` bytes of a block (or of several), takes in more. The bytes of a
 * block that is not whole yet are added to y and wait for the multiplication: filling up with zeros
 * then costs nothing.
 */
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
static inline void gcm_count(uint8_t counter[16], size_t blocks)
{
    store_be32(counter + 12, load_be32(counter + 12) + (uint32_t)blocks);
}

static inline void gcm_pieces_begin(const struct aes_gcm_parts *parts, const void *table,
                                    struct gcm_pieces *m, const uint8_t *nonce, size_t nonce_len)
{
    uint8_t *counter = m->text.counter;

    memset(m, 0, offsetof(struct gcm_pieces, text) + offsetof(struct aes_gcm_text, turn));
    if (nonce_len == 12) {
        memcpy(counter, nonce, 12);
        counter[15] = 1;
    } else {
        m->text.nonce_is_hashed = 1;
        gcm_absorb(parts, table, counter, 0, nonce, nonce_len);
        gcm_absorb_lengths(parts, table, counter, nonce_len % 16, 0, nonce_len);
    }
    parts->encrypt(table, m->mask, counter, 1);
    gcm_count(counter, 1);
}

static inline void gcm_pieces_aad(const struct aes_gcm_parts *parts, const void *table,
                                  struct gcm_pieces *m, const uint8_t *aad, size_t len)
{
    gcm_absorb(parts, table, m->text.y, (size_t)(m->aad_len % 16), aad, len);
    m->aad_len += len;
}

/* Once, after the additional data and before text, be there any or not. */
static inline void gcm_pieces_aad_end(const struct aes_gcm_parts *parts, const void *table,
                                      struct gcm_pieces *m)
{
    if (m->aad_len % 16 != 0) {
        parts->hash(table, m->text.y, gcm_zeros, 1);
    }
}

/* n bytes of text, 1 to 15, of the block in `turn`; in gcm_xor's steps. */
static inline void gcm_part_of_block(struct aes_gcm_text *text, uint8_t *dst, const uint8_t *src,
                                     size_t n, int opening)
{
    uint8_t *held = text->turn + text->held;

    text->held += n;
    if (n >= 8) {
        const uint64_t in = load_le64(src);
        const uint64_t out = in ^ load_le64(held);

        store_le64(dst, out);
        store_le64(held, opening ? in : out);
        held += 8;
        dst += 8;
        src += 8;
        n -= 8;
    }
    if (n >= 4) {
        const uint32_t in = load_le32(src);
        const uint32_t out = in ^ load_le32(held);

        store_le32(dst, out);
        store_le32(held, opening ? in : out);
        held += 4;
        dst += 4;
        src += 4;
        n -= 4;
    }
    for (size_t i = 0; i < n; i++) {
        const uint8_t in = src[i];
        const uint8_t out = in ^ held[i];

        dst[i] = out;
        held[i] = opening ? in : out;
    }
}

/* What `pieces` of a kernel does, for kernels that have none: with a turn of one block. */
static inline void gcm_text_by_blocks(const struct aes_gcm_parts *parts, const void *table,
                                      struct aes_gcm_text *text, uint8_t *dst, const uint8_t *src,
                                      size_t len, int opening)
{
    size_t blocks;

    if (text->held != 0) {
        size_t n = len < 16 - text->held ? len : (size_t)(16 - text->held);

        gcm_part_of_block(text, dst, src, n, opening);
        if (text->held < 16) {
            return;
        }
        parts->hash(table, text->y, text->turn, 1);
        text->held = 0;
        len -= n;
        if (len == 0) {
            return;
        }
        dst += n;
        src += n;
    }
    blocks = len / 16;
    if (blocks != 0) {
        parts->text(table, text->y, dst, src, blocks, text->counter, opening);
        gcm_count(text->counter, blocks);
        len %= 16;
        dst += 16 * blocks;
        src += 16 * blocks;
    }
    if (len != 0) {
        parts->encrypt(table, text->turn, text->counter, 1);
        gcm_count(text->counter, 1);
        gcm_part_of_block(text, dst, src, len, opening);
    }
}

/* len is 1 or more */
static inline void gcm_pieces_text(const struct aes_gcm_parts *parts, const void *table,
                                   struct gcm_pieces *m, uint8_t *dst, const uint8_t *src,
                                   size_t len, int opening)
{
    if (len == 0) {
        return; /* `pieces` takes 1 byte or more */
    }
    m->text_len += len;
    if (parts->pieces != NULL) {
        parts->pieces(table, &m->text, dst, src, len, opening);
    } else {
        gcm_text_by_blocks(parts, table, &m->text, dst, src, len, opening);
    }
}

/* The whole tag of what there was. */
static inline void gcm_pieces_tag(const struct aes_gcm_parts *parts, const void *table,
                                  struct gcm_pieces *m, uint8_t tag[16])
{
    const size_t held = (size_t)m->text.held;
    const size_t blocks = (held + 15) / 16;
    uint8_t *lengths = m->text.turn + 16 * blocks;

    memset(m->text.turn + held, 0, 16);
    store_be64(lengths, 8 * m->aad_len);
    store_be64(lengths + 8, 8 * m->text_len);
    parts->hash(table, m->text.y, m->text.turn, blocks + 1);
    for (int i = 0; i < 16; i++) {
        tag[i] = m->text.y[i] ^ m->mask[i];
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
    if (m->text.nonce_is_hashed != 0) {
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
