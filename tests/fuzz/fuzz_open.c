/* SPDX-License-Identifier: MIT */
/*
 * Opening what was never sealed: text, tag, nonce and data that an attacker has made up. It is
 * refused, nothing is left behind, and sizes that are not allowed are refused as such.
 */
#include <stdlib.h>
#include <string.h>

#include "aead.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"", NULL};

static void check_sizes(struct feed *feed)
{
    aes_gcm_key key;
    aes_gcm_siv_key siv;
    uint8_t bytes[256];
    size_t key_len = feed_below(feed, 64);
    size_t tag_len = feed_below(feed, 32);
    int key_fits = key_len == 16 || key_len == 24 || key_len == 32;
    int tag_fits = tag_len == 4 || tag_len == 8 || (tag_len >= 12 && tag_len <= 16);
    int want = key_fits && tag_fits ? AEADFAST_OK : AEADFAST_ERR_ARGUMENT;

    feed_fill(feed, bytes, sizeof bytes);
    if (aes_gcm_init_tag(&key, bytes, key_len, tag_len) != want) {
        fuzz_fail("key of %zu bytes, tag of %zu", key_len, tag_len);
    }
    aes_gcm_wipe(&key);
    want = key_fits && key_len != 24 ? AEADFAST_OK : AEADFAST_ERR_ARGUMENT;
    if (aes_gcm_siv_init(&siv, bytes, key_len) != want) {
        fuzz_fail("AES-GCM-SIV key of %zu bytes", key_len);
    }
    aes_gcm_siv_wipe(&siv);
}

void fuzz_one(struct feed *feed)
{
    struct aead aead;
    uint8_t tag[16];
    uint8_t *text;
    uint8_t *aad;
    uint8_t *opened;
    size_t len;
    size_t aad_len;
    int result;

    feed_backend(feed);
    check_sizes(feed);
    aead_begin(&aead, feed);
    feed_take(feed, tag, sizeof tag);
    aad_len = feed_below(feed, 64);
    aad = feed_room(feed, aad_len);
    len = feed->left;
    text = feed_room(feed, len);
    opened = feed_room(feed, len);
    result = aead_open(&aead, opened, text, len, tag, aad, aad_len);
    /* Tags of 4 and 8 bytes are guessed now and then, longer ones never. */
    if (result != AEADFAST_ERR_AUTH && !(result == AEADFAST_OK && aead.tag_len < 12)) {
        fuzz_fail("%zu bytes that nobody has sealed: %s", len, aeadfast_strerror(result));
    }
    for (size_t i = 0; result == AEADFAST_ERR_AUTH && i < len; i++) {
        if (opened[i] != 0) {
            fuzz_fail("byte %zu of %zu is left behind", i, len);
        }
    }
    aead_end(&aead);
    free(text);
    free(aad);
    free(opened);
}
