/* SPDX-License-Identifier: MIT */
/* Many messages in one call against the same one by one: results, texts and tags. */
#include <stdlib.h>
#include <string.h>

#include "many.h"

const char *const fuzz_words[] = {"", NULL};

#define MESSAGES_MAX 40
#define TEXT_MAX     1800
#define AAD_MAX      400

/* What the input says of message i; `aad` and `text` have room for any. */
static void take_message(struct feed *feed, chacha20_poly1305_message *m, const uint8_t *aad,
                         const uint8_t *keys)
{
    unsigned kind = feed_byte(feed);

    m->len = (kind & 1) != 0 ? feed_below(feed, TEXT_MAX) : feed_byte(feed);
    m->aad_len = (kind & 2) != 0 ? feed_below(feed, AAD_MAX) : feed_byte(feed) % 48;
    m->aad = aad;
    m->src = room(m->len);
    m->dst = (kind & 4) != 0 ? (uint8_t *)(uintptr_t)m->src : room(m->len);
    m->tag = room(16);
    if (m->len != 0) {
        feed_fill(feed, (uint8_t *)(uintptr_t)m->src, m->len);
    }
    memset(m->tag, 0, 16);
    m->key = keys + kind / 8 % 8;
    m->nonce = keys + 40 + kind % 8;
    m->result = 1;
    if (kind >= 0xfc) {
        m->nonce = NULL; /* refused */
    }
}

static void expect(struct feed *feed, struct expected *e, const chacha20_poly1305_message *m,
                   int opening)
{
    e->text = room(m->len);
    if (!opening) {
        e->result = chacha20_poly1305_seal(e->text, e->tag, m->src, m->len, m->aad, m->aad_len,
                                           m->nonce, m->key);
        return;
    }
    /* The tag that makes the bytes a ciphertext: seal them, and what comes of it. */
    (void)!chacha20_poly1305_seal(e->text, m->tag, m->src, m->len, m->aad, m->aad_len, m->nonce,
                                  m->key);
    (void)!chacha20_poly1305_seal(e->text, m->tag, e->text, m->len, m->aad, m->aad_len, m->nonce,
                                  m->key);
    many_forge(feed, m->tag, 16);
    memcpy(e->tag, m->tag, 16);
    e->result = chacha20_poly1305_open(e->text, m->src, m->len, m->tag, m->aad, m->aad_len,
                                       m->nonce, m->key);
}

void fuzz_one(struct feed *feed)
{
    chacha20_poly1305_message m[MESSAGES_MAX];
    struct expected e[MESSAGES_MAX];
    uint8_t keys[64];
    uint8_t *aad = room(AAD_MAX);
    size_t count;
    int opening;
    int want = AEADFAST_OK;
    int got;

    feed_backend(feed);
    count = feed_below(feed, MESSAGES_MAX + 1);
    opening = feed_byte(feed) & 1;
    feed_take(feed, keys, sizeof keys);
    feed_fill(feed, aad, AAD_MAX);
    for (size_t i = 0; i < count; i++) {
        take_message(feed, &m[i], aad, keys);
        expect(feed, &e[i], &m[i], opening);
        want = want == AEADFAST_OK ? e[i].result : want;
    }
    got = opening ? chacha20_poly1305_open_many(m, count) : chacha20_poly1305_seal_many(m, count);
    if (got != want) {
        fuzz_fail("%zu messages: %d, not %d", count, got, want);
    }
    for (size_t i = 0; i < count; i++) {
        many_same(&e[i], i, count, m[i].result, m[i].dst, m[i].src, m[i].len, m[i].tag, 16);
    }
    free(aad);
}
