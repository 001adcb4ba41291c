/* SPDX-License-Identifier: MIT */
/*
 * Many messages of AES-GCM in one call against the same one by one: results, texts and tags, under keys
 * of several sizes, tag lengths and families.
 */
#include <stdlib.h>
#include <string.h>

#include "aead.h"
#include "many.h"

const char *const fuzz_words[] = {"", NULL};

#define MESSAGES_MAX 40
#define KEYS         4
#define TEXT_MAX     2500
#define AAD_MAX      400
#define NONCE_MAX    24

struct gcm_key {
    aes_gcm_key made;
    size_t tag_len;
};

static void make_keys(struct feed *feed, struct gcm_key keys[KEYS])
{
    for (size_t i = 0; i < KEYS; i++) {
        unsigned kind = feed_byte(feed);
        uint8_t key[32];

        if ((kind & 0x80) != 0) {
            feed_backend(feed);
        }
        feed_take(feed, key, sizeof key);
        keys[i].tag_len = (kind & 0x40) != 0 ? aead_tag_lens[kind / 4 % 7] : 16;
        if (aes_gcm_init_tag(&keys[i].made, key, aead_key_lens[kind % 3], keys[i].tag_len) !=
            AEADFAST_OK) {
            fuzz_fail("no key %zu", i);
        }
    }
}

/* What the input says of a message; returns which key it is under. */
static size_t take_message(struct feed *feed, aes_gcm_message *m, const uint8_t *aad,
                           const uint8_t *nonce, const struct gcm_key keys[KEYS], size_t len)
{
    const unsigned kind = feed_byte(feed);
    const size_t key = kind / 8 % KEYS;

    m->len = (kind & 1) != 0 ? len : (kind & 2) != 0 ? feed_below(feed, TEXT_MAX) : feed_byte(feed);
    m->aad_len = (kind & 4) != 0 ? feed_below(feed, AAD_MAX) : feed_byte(feed) % 24;
    m->aad = aad;
    m->src = feed_room(feed, m->len);
    m->dst = (kind & 0x20) != 0 ? (uint8_t *)(uintptr_t)m->src : room(m->len);
    m->tag = room(keys[key].tag_len);
    memset(m->tag, 0, keys[key].tag_len);
    m->k = &keys[key].made;
    m->nonce = nonce;
    m->nonce_len = (kind & 0xc0) == 0xc0 ? 1 + kind % NONCE_MAX : 12;
    m->result = 1;
    if (kind == 0x3f) {
        m->nonce = NULL; /* refused */
    }
    return key;
}

static int seal_one(const aes_gcm_message *m, uint8_t *text, uint8_t *tag, const uint8_t *src)
{
    return aes_gcm_seal(m->k, text, tag, src, m->len, m->aad, m->aad_len, m->nonce, m->nonce_len);
}

static void expect(struct feed *feed, struct expected *e, const aes_gcm_message *m, size_t tag_len,
                   int opening)
{
    e->text = room(m->len);
    if (!opening) {
        e->result = seal_one(m, e->text, e->tag, m->src);
        return;
    }
    /* The tag that makes the bytes a ciphertext: seal them, and what comes of it. */
    (void)!seal_one(m, e->text, m->tag, m->src);
    (void)!seal_one(m, e->text, m->tag, e->text);
    many_forge(feed, m->tag, tag_len);
    memcpy(e->tag, m->tag, tag_len);
    e->result = aes_gcm_open(m->k, e->text, m->src, m->len, m->tag, m->aad, m->aad_len, m->nonce,
                             m->nonce_len);
}

void fuzz_one(struct feed *feed)
{
    static struct gcm_key keys[KEYS];
    aes_gcm_message m[MESSAGES_MAX];
    struct expected e[MESSAGES_MAX];
    size_t tag_lens[MESSAGES_MAX];
    uint8_t nonce[NONCE_MAX];
    uint8_t *aad = room(AAD_MAX);
    size_t count;
    size_t len; /* of those that are alike */
    int opening;
    int want = AEADFAST_OK;
    int got;

    feed_backend(feed);
    make_keys(feed, keys);
    count = feed_below(feed, MESSAGES_MAX + 1);
    opening = feed_byte(feed) & 1;
    len = 16 * (size_t)(feed_byte(feed) % 16);
    feed_take(feed, nonce, sizeof nonce);
    feed_fill(feed, aad, AAD_MAX);
    for (size_t i = 0; i < count; i++) {
        tag_lens[i] = keys[take_message(feed, &m[i], aad, nonce, keys, len)].tag_len;
        expect(feed, &e[i], &m[i], tag_lens[i], opening);
        want = want == AEADFAST_OK ? e[i].result : want;
    }
    got = opening ? aes_gcm_open_many(m, count) : aes_gcm_seal_many(m, count);
    if (got != want) {
        fuzz_fail("%zu messages: %d, not %d", count, got, want);
    }
    for (size_t i = 0; i < count; i++) {
        many_same(&e[i], i, count, m[i].result, m[i].dst, m[i].src, m[i].len, m[i].tag,
                  tag_lens[i]);
    }
    free(aad);
}
