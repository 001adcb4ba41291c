/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 in pieces and in lists, against the same in one call: pieces of any length, each
 * in a room of its own or cut out of one buffer, in place or not, with another backend now and then,
 * forged or not.
 */
#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"", NULL};

#define TEXT_MAX   6000
#define AAD_MAX    300
#define PIECES_MAX 24

struct list {
    aeadfast_iovec pieces[PIECES_MAX];
    size_t count;
    int own; /* each piece has a room of its own */
};

struct message {
    uint8_t key[32];
    uint8_t nonce[24];
    int x;
    int opening;
    int in_place;
    int forged;
    size_t len;
    size_t aad_len;
    uint8_t *aad;
    uint8_t *src;
    uint8_t *dst; /* what comes out */
    uint8_t tag[16];
};

static size_t piece_size(struct feed *feed)
{
    size_t n = feed_byte(feed);

    return n < 128 ? n : (n - 128) * 24;
}

/* Cuts n bytes at p. With rooms of their own, pieces are copies of them. */
static void cut(struct feed *feed, struct list *list, uint8_t *p, size_t n, int own)
{
    list->count = 0;
    list->own = own;
    while (list->count < PIECES_MAX && (n != 0 || list->count == 0)) {
        aeadfast_iovec *piece = &list->pieces[list->count++];
        size_t size = list->count == PIECES_MAX ? n : piece_size(feed);

        size = size < n ? size : n;
        piece->len = size;
        piece->base = own ? room(size) : size != 0 ? p : NULL;
        if (own && size != 0) {
            memcpy(piece->base, p, size);
        }
        p = size != 0 ? p + size : p;
        n -= size;
    }
}

static void release(struct list *list)
{
    for (size_t i = 0; list->own && i < list->count; i++) {
        free(list->pieces[i].base);
    }
}

static void compare(const struct list *list, const uint8_t *want, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->pieces[i].len != 0) {
            fuzz_same(list->pieces[i].base, want, list->pieces[i].len, what);
            want += list->pieces[i].len;
        }
    }
}

/* ---- In one call ---- */

static void whole(struct message *m)
{
    uint8_t *zeros = room(m->len);
    uint8_t tag[16];
    int r;

    if (!m->opening) {
        r = (m->x ? xchacha20_poly1305_seal : chacha20_poly1305_seal)(
            m->dst, m->tag, m->src, m->len, m->aad, m->aad_len, m->nonce, m->key);
    } else {
        /* The text of the input as ciphertext, and the tag for that. */
        r = (m->x ? xchacha20_poly1305_seal : chacha20_poly1305_seal)(
            m->dst, tag, m->src, m->len, m->aad, m->aad_len, m->nonce, m->key);
        r |= (m->x ? xchacha20_poly1305_seal : chacha20_poly1305_seal)(
            zeros, m->tag, m->dst, m->len, m->aad, m->aad_len, m->nonce, m->key);
    }
    free(zeros);
    if (r != AEADFAST_OK) {
        fuzz_fail("%zu bytes in one call: %d", m->len, r);
    }
}

/* ---- In lists ---- */

static void in_lists(struct feed *feed, const struct message *m)
{
    uint8_t *text = room(m->len);
    uint8_t tag[16];
    struct list src;
    struct list dst;
    struct list data;
    int own = feed_byte(feed) & 1;
    int r;

    if (m->len != 0) {
        memcpy(text, m->src, m->len);
    }
    cut(feed, &src, text, m->len, own && !m->in_place);
    cut(feed, &dst, m->in_place ? text : m->src, m->len, !m->in_place);
    cut(feed, &data, m->aad, m->aad_len, own);
    memcpy(tag, m->tag, 16);
    tag[5] ^= (uint8_t)(m->opening && m->forged);
    if (m->opening) {
        r = (m->x ? xchacha20_poly1305_openv
                  : chacha20_poly1305_openv)(dst.pieces, dst.count, src.pieces, src.count, tag,
                                             data.pieces, data.count, m->nonce, m->key);
    } else {
        r = (m->x ? xchacha20_poly1305_sealv
                  : chacha20_poly1305_sealv)(dst.pieces, dst.count, tag, src.pieces, src.count,
                                             data.pieces, data.count, m->nonce, m->key);
        fuzz_same(tag, m->tag, 16, "tag, in lists");
    }
    if (m->opening && m->forged) {
        uint8_t *zeros = room(m->len);

        if (m->len != 0) {
            memset(zeros, 0, m->len);
        }
        compare(&dst, zeros, "forged, in lists");
        free(zeros);
    } else {
        compare(&dst, m->dst, "text, in lists");
    }
    if (r != (m->opening && m->forged ? AEADFAST_ERR_AUTH : AEADFAST_OK)) {
        fuzz_fail("%zu bytes in lists: %d", m->len, r);
    }
    release(&src);
    release(&dst);
    release(&data);
    free(text);
}

/* ---- Piece by piece ---- */

static void in_pieces(struct feed *feed, const struct message *m)
{
    chacha20_poly1305_stream s;
    uint8_t tag[16];
    struct list data;
    struct list src;
    const uint8_t *want = m->dst;
    int r;

    cut(feed, &data, m->aad, m->aad_len, 1);
    cut(feed, &src, m->src, m->len, 1);
    r = (m->x ? xchacha20_poly1305_stream_init : chacha20_poly1305_stream_init)(&s, m->nonce,
                                                                                m->key);
    for (size_t i = 0; i < data.count; i++) {
        r |= chacha20_poly1305_stream_aad(&s, data.pieces[i].base, data.pieces[i].len);
    }
    for (size_t i = 0; i < src.count; i++) {
        uint8_t *from = src.pieces[i].base;
        size_t n = src.pieces[i].len;
        uint8_t *to = m->in_place ? from : room(n);

        r |= m->opening ? chacha20_poly1305_stream_open_unverified_update(&s, to, from, n)
                        : chacha20_poly1305_stream_seal_update(&s, to, from, n);
        if (n != 0) {
            fuzz_same(to, want, n, "text, piece by piece");
            want += n;
        }
        if (!m->in_place) {
            free(to);
        }
        if (i % 4 == 3) {
            feed_backend(feed);
        }
    }
    if (r != AEADFAST_OK) {
        fuzz_fail("%zu bytes piece by piece: %d", m->len, r);
    }
    memcpy(tag, m->tag, 16);
    tag[9] ^= (uint8_t)(m->opening && m->forged ? 0x80 : 0);
    r = m->opening ? chacha20_poly1305_stream_open_final(&s, tag)
                   : chacha20_poly1305_stream_seal_final(&s, tag);
    if (r != (m->opening && m->forged ? AEADFAST_ERR_AUTH : AEADFAST_OK)) {
        fuzz_fail("the end of %zu bytes piece by piece: %d", m->len, r);
    }
    if (!m->opening) {
        fuzz_same(tag, m->tag, 16, "tag, piece by piece");
    }
    release(&data);
    release(&src);
}

void fuzz_one(struct feed *feed)
{
    struct message m;
    uint8_t ways;

    feed_backend(feed);
    ways = feed_byte(feed);
    m.x = ways & 1;
    m.opening = ways >> 1 & 1;
    m.in_place = ways >> 2 & 1;
    m.forged = (ways >> 3 & 3) == 3;
    m.len = feed_below(feed, ways & 0x80 ? TEXT_MAX : 400);
    m.aad_len = feed_below(feed, ways & 0x40 ? AAD_MAX : 20);
    feed_take(feed, m.key, sizeof m.key);
    feed_take(feed, m.nonce, sizeof m.nonce);
    m.aad = feed_room(feed, m.aad_len);
    m.src = feed_room(feed, m.len);
    m.dst = room(m.len);
    whole(&m);
    feed_backend(feed);
    in_lists(feed, &m);
    in_pieces(feed, &m);
    free(m.aad);
    free(m.src);
    free(m.dst);
}
