/* SPDX-License-Identifier: MIT */
/* Poly1305 in pieces, and ChaCha20 in runs of blocks, against the same in one call. */
#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"", NULL};

#define TEXT_MAX   4000
#define PIECES_MAX 32

/* The rest of the input says how long the pieces are; what they leave over is the last one. */
static void poly1305_in_pieces(struct feed *feed, uint8_t tag[16], const uint8_t *text, size_t len,
                               const uint8_t key[32])
{
    poly1305_state state;
    size_t at = 0;
    int result = poly1305_begin(&state, key);

    for (int i = 0; i < PIECES_MAX && at < len; i++) {
        size_t n = feed_byte(feed);

        if ((n & 0x80) != 0) {
            n = (n & 0x7f) * 16;
        }
        n = n < len - at ? n : len - at;
        result |= poly1305_update(&state, n != 0 ? text + at : NULL, n);
        at += n;
        if (i % 4 == 3) {
            feed_backend(feed);
        }
    }
    result |= poly1305_update(&state, at < len ? text + at : NULL, len - at);
    result |= poly1305_final(&state, tag);
    if (result != AEADFAST_OK) {
        fuzz_fail("Poly1305 of %zu bytes in pieces", len);
    }
}

static void chacha20_in_runs(struct feed *feed, uint8_t *dst, const uint8_t *text, size_t len,
                             uint32_t counter, const uint8_t nonce[12], const uint8_t key[32])
{
    size_t at = 0;

    while (at < len) {
        size_t blocks = 1 + feed_byte(feed) % 20;
        size_t n = 64 * blocks < len - at ? 64 * blocks : len - at;

        if (chacha20_xor(dst + at, text + at, n, counter + (uint32_t)(at / 64), nonce, key) !=
            AEADFAST_OK) {
            fuzz_fail("ChaCha20: %zu bytes from %zu on", n, at);
        }
        at += n;
        feed_backend(feed);
    }
}

void fuzz_one(struct feed *feed)
{
    uint8_t key[32];
    uint8_t nonce[12];
    uint8_t tag[16];
    uint8_t split_tag[16];
    uint32_t counter;
    size_t len;
    uint8_t *text;
    uint8_t *whole;
    uint8_t *split;

    feed_backend(feed);
    len = feed_below(feed, TEXT_MAX);
    feed_take(feed, key, sizeof key);
    feed_take(feed, nonce, sizeof nonce);
    feed_take(feed, &counter, sizeof counter);
    counter &= 0x7fffffff; /* where no run passes the last block */
    text = feed_room(feed, len);
    whole = room(len);
    split = room(len);

    if (poly1305_mac(tag, text, len, key) != AEADFAST_OK ||
        chacha20_xor(whole, text, len, counter, nonce, key) != AEADFAST_OK) {
        fuzz_fail("%zu bytes in one call", len);
    }
    poly1305_in_pieces(feed, split_tag, text, len, key);
    fuzz_same(split_tag, tag, 16, "Poly1305 in pieces");
    chacha20_in_runs(feed, split, text, len, counter, nonce, key);
    fuzz_same(split, whole, len, "ChaCha20 in runs");
    free(text);
    free(whole);
    free(split);
}
