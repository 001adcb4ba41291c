/* SPDX-License-Identifier: MIT */
/*
 * What one backend seals another one opens, at any sizes and places, in place too; and with any one
 * bit changed nothing opens it, and no text is left behind.
 */
#include <stdlib.h>
#include <string.h>

#include "aead.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"", NULL};

#define TEXT_MAX 3000
#define AAD_MAX  600

struct message {
    struct aead aead;
    uint8_t *text;
    size_t len;
    uint8_t *aad;
    size_t aad_len;
    uint8_t *sealed;
    uint8_t tag[16];
};

static void flip(struct feed *feed, uint8_t *p, size_t n)
{
    p[feed_below(feed, n)] ^= (uint8_t)(1 << feed_below(feed, 8));
}

/* Changes one bit of what the tag protects, or of the tag. */
static void forge(struct feed *feed, struct message *m)
{
    switch (feed_byte(feed) % 4) {
    case 0:
        if (m->len != 0) {
            flip(feed, m->sealed, m->len);
            return;
        }
        break;
    case 1:
        if (m->aad_len != 0) {
            flip(feed, m->aad, m->aad_len);
            return;
        }
        break;
    case 2:
        flip(feed, m->aead.nonce, m->aead.nonce_len);
        return;
    default:
        break;
    }
    flip(feed, m->tag, m->aead.tag_len);
}

static void open_forgery(struct feed *feed, struct message *m, uint8_t *opened)
{
    int in_place = feed_byte(feed) & 1;

    forge(feed, m);
    if (in_place && m->len != 0) {
        memcpy(opened, m->sealed, m->len);
    }
    if (aead_open(&m->aead, opened, in_place ? opened : m->sealed, m->len, m->tag, m->aad,
                  m->aad_len) != AEADFAST_ERR_AUTH) {
        fuzz_fail("a forgery of %zu bytes was not refused", m->len);
    }
    for (size_t i = 0; i < m->len; i++) {
        if (opened[i] != 0) {
            fuzz_fail("byte %zu of %zu is left behind", i, m->len);
        }
    }
}

void fuzz_one(struct feed *feed)
{
    struct message m;
    uint8_t *opened;
    int in_place;

    feed_backend(feed);
    aead_begin(&m.aead, feed);
    m.len = feed_below(feed, TEXT_MAX);
    m.aad_len = feed_below(feed, AAD_MAX);
    in_place = feed_byte(feed) & 1;
    m.text = feed_room(feed, m.len);
    m.aad = feed_room(feed, m.aad_len);
    m.sealed = feed_room(feed, m.len);
    opened = room(m.len);

    if (aead_seal(&m.aead, m.sealed, m.tag, in_place ? m.sealed : m.text, m.len, m.aad,
                  m.aad_len) != AEADFAST_OK) {
        fuzz_fail("%zu bytes were not sealed", m.len);
    }
    aead_backend(&m.aead, feed);
    if (aead_open(&m.aead, opened, m.sealed, m.len, m.tag, m.aad, m.aad_len) != AEADFAST_OK) {
        fuzz_fail("%zu bytes were not opened", m.len);
    }
    fuzz_same(opened, m.text, m.len, "opened text");
    open_forgery(feed, &m, opened);
    aead_end(&m.aead);
    free(m.text);
    free(m.aad);
    free(m.sealed);
    free(opened);
}
