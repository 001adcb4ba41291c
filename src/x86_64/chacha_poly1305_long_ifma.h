/* SPDX-License-Identifier: MIT */
/*
 * Long messages of the ChaCha20-Poly1305 kernels with IFMA (RFC 8439 section 2.8). The first batch
 * of blocks gives the Poly1305 key and the first BATCH - 64 bytes of text, each other one BATCH
 * bytes; between two of them stands Poly1305, of what they wrote (seal) or are about to read (open).
 * Rounds and hash live off the same vector units, which the rounds alone keep busy, so that mixing
 * their instructions would gain nothing. Static only.
 *
 * The includer has defined what chacha_poly1305_batches_ifma.h needs, and defines the function below.
 */
#ifndef AEADFAST_CHACHA_POLY1305_LONG_IFMA_H
#define AEADFAST_CHACHA_POLY1305_LONG_IFMA_H

#include "chacha_poly1305_batches_ifma.h"

static void first_batch(struct work *w);
/* The last n bytes of AAD or text, and zeros up to a whole block. */
NOINLINE void hash_rest(struct work *w, const uint8_t *p, size_t n)
{
    const size_t groups = n - n % POLY1305_IFMA_GROUP;

    hash_groups(w, p, groups);
    poly1305_ifma_end(&w->hash.h, &w->lanes);
    hash_padded(&w->hash, p + groups, n - groups);
}

/* The key, and the AAD: in lanes of their own if that pays. */
NOINLINE void hash_start(struct work *w, const uint8_t *aad, size_t aad_len)
{
    hash_begin(&w->hash, chacha_load(w->key_stream));
    poly1305_ifma_begin(&w->lanes, &w->hash.key);
    if (aad_len >= 512) {
        hash_rest(w, aad, aad_len);
        poly1305_ifma_clear(&w->lanes);
    } else {
        hash_padded(&w->hash, aad, aad_len);
    }
    poly1305_ifma_load(&w->lanes, &w->hash.h);
}

NOINLINE void hash_finish(struct work *w, size_t aad_len, size_t len, uint8_t tag[16])
{
    hash_end(&w->hash, aad_len, len, tag);
}

/*
 * As much of the hash of a text that is opened as must come before its first `next` bytes are
 * overwritten: whole groups, or all. `hashed` bytes were absorbed before; returned is how many are
 * now.
 */
CHACHA_INLINE size_t hash_ahead(struct work *w, const uint8_t *src, size_t hashed, size_t next,
                                size_t len)
{
    size_t n;

    if (hashed >= next) {
        return hashed;
    }
    n = next - hashed + (POLY1305_IFMA_GROUP - 1);
    n -= n % POLY1305_IFMA_GROUP;
    if (n >= len - hashed) {
        hash_rest(w, src + hashed, len - hashed);
        return len;
    }
    hash_groups(w, src + hashed, n);
    return hashed + n;
}

/* Of a text that is sealed, the groups that are complete. */
CHACHA_INLINE size_t hash_behind(struct work *w, const uint8_t *dst, size_t hashed, size_t done)
{
    const size_t n = done - hashed - (done - hashed) % POLY1305_IFMA_GROUP;

    hash_groups(w, dst + hashed, n);
    return hashed + n;
}

/* The first n bytes of text. */
CHACHA_INLINE void text_first(const struct work *w, uint8_t *dst, const uint8_t *src, size_t n)
{
    const uint8_t *key_stream = w->key_stream + 64;

    for (; n > 64; n -= 64, dst += 64, src += 64, key_stream += 64) {
        chacha_xor32(dst, src, chacha_load(key_stream));
        chacha_xor32(dst + 32, src + 32, chacha_load(key_stream + 32));
    }
    chacha_xor_block(dst, src, n, chacha_load(key_stream), chacha_load(key_stream + 32));
}

CHACHA_INLINE void many(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                        const uint8_t key[32], enum direction direction)
{
    size_t next = len < BATCH - 64 ? len : BATCH - 64;
    size_t done = next;
    size_t hashed = 0;
    uint32_t number = BATCH / 64;
    struct work w;

    input_state(w.state, nonce, key);
    first_batch(&w);
    hash_start(&w, aad, aad_len);
    if (direction == OPEN) {
        hashed = hash_ahead(&w, src, hashed, next, len);
    }
    text_first(&w, dst, src, next);

    for (; done < len; done = next, number += BATCH / 64) {
        next = len - done < BATCH ? len : done + BATCH;
        if (direction == OPEN) {
            hashed = hash_ahead(&w, src, hashed, next, len);
        } else {
            hashed = hash_behind(&w, dst, hashed, done);
        }
        text(&w, dst + done, src + done, next - done, number);
    }
    if (direction == SEAL) {
        hash_rest(&w, dst + hashed, len - hashed);
    }
    hash_finish(&w, aad_len, len, tag);
    chacha_wipe(&w, sizeof(w));
    wipe_frames();
}

DEFINE(seal_many, many(PASS, SEAL))
DEFINE(open_many, many(PASS, OPEN))

#endif
