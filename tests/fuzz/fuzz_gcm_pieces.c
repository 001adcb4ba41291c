/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM by streams and by lists of pieces, cut in ways that an input decides on, against the same
 * in one call; copies of a stream, another backend between two pieces, and forgeries too.
 */
#include <stdlib.h>
#include <string.h>

#include "aead.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"", NULL};

enum { TEXT_MAX = 5000, AAD_MAX = 300, PIECES_MAX = 24 };

struct message {
    struct aead aead;
    uint8_t *text;
    uint8_t *sealed; /* in one call */
    size_t len;
    uint8_t *aad;
    size_t aad_len;
    uint8_t tag[16];
};

/* The length of the next piece: up to 127 bytes, or so many times 16, or all that is left. */
static size_t feed_piece(struct feed *feed, size_t left)
{
    size_t n = feed_byte(feed);

    if (n == 0xff) {
        return left;
    }
    n = (n & 0x80) != 0 ? (n & 0x7f) * 16 : n;
    return n < left ? n : left;
}

/* ---- Streams ---- */

static int update(aes_gcm_stream *s, int opening, uint8_t *dst, const uint8_t *src, size_t n)
{
    return opening ? aes_gcm_stream_open_unverified_update(s, dst, src, n)
                   : aes_gcm_stream_seal_update(s, dst, src, n);
}

/* One call that is out of order, or too much: refused, and nothing comes of it. */
static void misuse(struct feed *feed, aes_gcm_stream *s, int opening, uint8_t *out)
{
    uint8_t byte = 0;
    int r;

    switch (feed_byte(feed) % 5) {
    case 0:
        r = aes_gcm_stream_aad(s, &byte, 1) == AEADFAST_ERR_STATE;
        break;
    case 1:
        r = update(s, !opening, &byte, &byte, 1) == AEADFAST_ERR_STATE;
        break;
    case 2:
        r = update(s, opening, NULL, &byte, 1) == AEADFAST_ERR_ARGUMENT;
        break;
    case 3:
        r = update(s, opening, out, out, (size_t)1 << (sizeof(size_t) * 8 - 1)) ==
            AEADFAST_ERR_LENGTH;
        break;
    default:
        r = update(s, opening, (uint8_t *)s, &byte, 1) == AEADFAST_ERR_OVERLAP;
        break;
    }
    if (!r || byte != 0) {
        fuzz_fail("a wrong call was not refused");
    }
}

static void by_stream(struct feed *feed, struct message *m, int opening)
{
    const uint8_t *src = opening ? m->sealed : m->text;
    const uint8_t *want = opening ? m->text : m->sealed;
    const int in_place = feed_byte(feed) & 1;
    const int forged = opening && (feed_byte(feed) & 3) == 0;
    uint8_t *dst = room(m->len);
    uint8_t tag[16];
    aes_gcm_stream s[2];
    int r = aes_gcm_stream_init(&s[0], &m->aead.gcm, m->aead.nonce, m->aead.nonce_len);
    size_t now = 0;

    for (size_t at = 0; at < m->aad_len;) {
        size_t n = feed_piece(feed, m->aad_len - at);

        n = feed->left == 0 ? m->aad_len - at : n;
        r |= aes_gcm_stream_aad(&s[0], m->aad + at, n);
        at += n;
    }
    if (in_place && m->len != 0) {
        memcpy(dst, src, m->len);
        src = dst;
    }
    for (size_t at = 0; at < m->len;) {
        size_t n = feed->left == 0 ? m->len - at : feed_piece(feed, m->len - at);

        r |= update(&s[now], opening, dst + at, src + at, n);
        at += n;
        switch (feed_byte(feed) % 16) {
        case 0:
            feed_backend(feed);
            break;
        case 1:
            memcpy(&s[1 - now], &s[now], sizeof s[0]);
            memset(&s[now], 0xff, sizeof s[0]);
            now = 1 - now;
            break;
        case 2:
            misuse(feed, &s[now], opening, dst);
            break;
        default:
            break;
        }
    }
    if (r != AEADFAST_OK) {
        fuzz_fail("a stream of %zu bytes", m->len);
    }
    fuzz_same(dst, want, m->len, "text of a stream");
    memcpy(tag, m->tag, sizeof tag);
    if (opening) {
        tag[feed_below(feed, m->aead.tag_len)] ^= forged ? 0x10 : 0;
        r = aes_gcm_stream_open_final(&s[now], tag);
    } else {
        r = aes_gcm_stream_seal_final(&s[now], tag);
    }
    if (r != (forged ? AEADFAST_ERR_AUTH : AEADFAST_OK)) {
        fuzz_fail("the end of a stream of %zu bytes: %d", m->len, r);
    }
    if (!opening) {
        fuzz_same(tag, m->tag, m->aead.tag_len, "tag of a stream");
    }
    free(dst);
}

/* ---- Lists ---- */

/* Pieces of the buffer; or where there is none, of blocks of their own, which hold the bytes. */
static size_t cut(struct feed *feed, aeadfast_iovec *pieces, uint8_t *buffer, const uint8_t *bytes,
                  size_t len)
{
    size_t count = 0;
    size_t at = 0;

    while (at < len) {
        size_t n = count == PIECES_MAX - 1 ? len - at : feed_piece(feed, len - at);

        pieces[count].base = buffer != NULL ? buffer + at : room(n);
        pieces[count].len = n;
        if (buffer == NULL && n != 0) {
            memcpy(pieces[count].base, bytes + at, n);
        }
        at += n;
        count++;
    }
    return count;
}

static void join(uint8_t *dst, const aeadfast_iovec *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].len != 0) {
            memcpy(dst, pieces[i].base, pieces[i].len);
            dst += pieces[i].len;
        }
    }
}

static void by_lists(struct feed *feed, struct message *m, int opening)
{
    const uint8_t *from = opening ? m->sealed : m->text;
    const int in_place = feed_byte(feed) & 1;
    const int forged = opening && (feed_byte(feed) & 3) == 0;
    aeadfast_iovec dst[PIECES_MAX];
    aeadfast_iovec src[PIECES_MAX];
    aeadfast_iovec aad[PIECES_MAX];
    uint8_t *buffer = in_place ? room(m->len) : NULL;
    uint8_t *out = room(m->len);
    uint8_t tag[16];
    size_t dst_count = cut(feed, dst, buffer, from, m->len);
    size_t src_count = cut(feed, src, buffer, from, m->len);
    size_t aad_count = cut(feed, aad, NULL, m->aad, m->aad_len);
    int r;

    if (buffer != NULL) {
        memcpy(buffer, from, m->len);
    }
    memcpy(tag, m->tag, sizeof tag);
    if (opening) {
        tag[feed_below(feed, m->aead.tag_len)] ^= forged ? 0x80 : 0;
        r = aes_gcm_openv(&m->aead.gcm, dst, dst_count, src, src_count, tag, aad, aad_count,
                          m->aead.nonce, m->aead.nonce_len);
    } else {
        r = aes_gcm_sealv(&m->aead.gcm, dst, dst_count, tag, src, src_count, aad, aad_count,
                          m->aead.nonce, m->aead.nonce_len);
    }
    if (r != (forged ? AEADFAST_ERR_AUTH : AEADFAST_OK)) {
        fuzz_fail("lists of %zu bytes: %d", m->len, r);
    }
    join(out, dst, dst_count);
    if (forged) {
        for (size_t i = 0; i < m->len; i++) {
            if (out[i] != 0) {
                fuzz_fail("byte %zu of %zu is left behind", i, m->len);
            }
        }
    } else {
        fuzz_same(out, opening ? m->text : m->sealed, m->len, "text of lists");
        fuzz_same(tag, m->tag, m->aead.tag_len, "tag of lists");
    }
    for (size_t i = 0; i < dst_count && buffer == NULL; i++) {
        free(dst[i].base);
    }
    for (size_t i = 0; i < src_count && buffer == NULL; i++) {
        free(src[i].base);
    }
    for (size_t i = 0; i < aad_count; i++) {
        free(aad[i].base);
    }
    free(buffer);
    free(out);
}

void fuzz_one(struct feed *feed)
{
    struct message m;

    feed_backend(feed);
    m.aead.kind = AEAD_AES_GCM;
    m.aead.key_len = aead_key_lens[feed_byte(feed) % 3];
    m.aead.tag_len = aead_tag_lens[feed_byte(feed) % 7];
    m.aead.nonce_len = feed_byte(feed) & 1 ? 1 + feed_below(feed, 100) : 12;
    feed_take(feed, m.aead.key, m.aead.key_len);
    m.aead.nonce = room(m.aead.nonce_len);
    feed_take(feed, m.aead.nonce, m.aead.nonce_len);
    aead_expand(&m.aead);
    m.len = feed_below(feed, TEXT_MAX);
    m.aad_len = feed_below(feed, AAD_MAX);
    m.text = feed_room(feed, m.len);
    m.aad = feed_room(feed, m.aad_len);
    m.sealed = room(m.len);
    memset(m.tag, 0, sizeof m.tag);

    if (aead_seal(&m.aead, m.sealed, m.tag, m.text, m.len, m.aad, m.aad_len) != AEADFAST_OK) {
        fuzz_fail("%zu bytes in one call", m.len);
    }
    by_stream(feed, &m, 0);
    by_lists(feed, &m, 0);
    by_stream(feed, &m, 1);
    by_lists(feed, &m, 1);
    aead_end(&m.aead);
    free(m.text);
    free(m.sealed);
    free(m.aad);
}
