/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) from a ChaCha kernel and a Poly1305 kernel, for
 * instruction sets without a kernel that does both at once. All a kernel's file has to do is to
 * name the two, as chacha20_poly1305_portable.c does.
 *
 * The key of Poly1305 is the start of key stream block 0; the text has blocks 1, 2, ... A call for
 * block 0 alone would waste most of a vector kernel's first pass, so the head of the text is put
 * behind 64 zeros in a buffer, and one call makes block 0 and does the head:
 *
 *     | key of Poly1305 (32) | not needed (32) | head of the text | lengths (16) |
 *                                 AAD, padded  | what Poly1305 is over
 *
 * AAD of up to 32 bytes takes the place of what is not needed, so that Poly1305 of a short message
 * is one call too. The rest of a long text is done in pieces, which stay in the first-level cache
 * between the two passes over them.
 */
#ifndef AEADFAST_CHACHA20_POLY1305_COMPOSE_H
#define AEADFAST_CHACHA20_POLY1305_COMPOSE_H

#include "bytes.h"
#include "chacha_state.h"
#include "kernel.h"
#include "poly1305_core.h"

/*
 * A multiple of 64: with block 0, whole passes of a kernel that does eight blocks at once. One that
 * does four had better define it as 192, to have less stack to clear.
 */
#ifndef CHACHA20_POLY1305_HEAD
#define CHACHA20_POLY1305_HEAD 448
#endif

/* A multiple of 64. From 1 to 16 KiB make no difference to the portable kernel. */
#ifndef CHACHA20_POLY1305_PIECE
#define CHACHA20_POLY1305_PIECE 4096
#endif

/*
 * CHACHA20_POLY1305_LONG may be defined as a function that does a part of what follows the head by
 * both at once, and returns how long the part was: a multiple of 64 bytes.
 */

/*
 * And these, as the kernel's `batches` and `batch`. Without a function that does both at once nothing is
 * gained over the two kernels one after the other.
 */
#ifndef CHACHA20_POLY1305_BATCHES
#define CHACHA20_POLY1305_BATCHES NULL
#define CHACHA20_POLY1305_BATCH   0
#endif

/*
 * What the frames of these functions come to: the head, and 370 to 500 bytes (680 on s390x, where
 * every frame has room to save registers). The `stack` of a composed kernel is this and the larger
 * of those of its two parts.
 */
#define CHACHA20_POLY1305_COMPOSE_STACK (CHACHA20_POLY1305_HEAD + 704)

/* Absorbs n bytes, padded with zeros to whole blocks. */
static inline void chacha20_poly1305_absorb(const struct poly1305_kernel *poly1305,
                                            struct poly1305_core *core, const uint8_t *p, size_t n)
{
    size_t whole = n / 16;

    poly1305->blocks(core, p, whole, 1);
    if (n % 16 != 0) {
        uint8_t last[16] = {0};

        memcpy(last, p + 16 * whole, n % 16);
        poly1305->blocks(core, last, 1, 1);
    }
}

/* dst = text and text = src, where dst may be src. */
static inline void chacha20_poly1305_exchange(uint8_t *dst, uint8_t *text, const uint8_t *src,
                                              size_t n)
{
    while (n >= 16) {
        uint8_t t[16];

        memcpy(t, src, 16);
        memcpy(dst, text, 16);
        memcpy(text, t, 16);
        dst += 16;
        text += 16;
        src += 16;
        n -= 16;
    }
    for (size_t i = 0; i < n; i++) {
        uint8_t t = src[i];

        dst[i] = text[i];
        text[i] = t;
    }
}

static inline void chacha20_poly1305_compose(const struct chacha_kernel *chacha,
                                             const struct poly1305_kernel *poly1305, int opening,
                                             uint8_t *dst, uint8_t tag[16], const uint8_t *src,
                                             size_t len, const uint8_t *aad, size_t aad_len,
                                             const uint8_t nonce[12], const uint8_t key[32])
{
    uint8_t buffer[64 + CHACHA20_POLY1305_HEAD + 16];
    uint8_t *const text = buffer + 64;
    const size_t head = len < CHACHA20_POLY1305_HEAD ? len : CHACHA20_POLY1305_HEAD;
    uint8_t *const text_end = text + (head + 15) / 16 * 16;
    uint8_t *start = text;
    size_t done;
    uint8_t lengths[16];
    uint32_t state[16];
    struct poly1305_core core;

    store_le64(lengths, aad_len);
    store_le64(lengths + 8, len);
    chacha_state_init(state, key, 0, nonce);

    memset(buffer, 0, 64);
    copy_bytes(text, src, head);
    chacha->stream(buffer, buffer, 64 + head, state, 20);
    if (opening) {
        chacha20_poly1305_exchange(dst, text, src, head);
    } else {
        copy_bytes(dst, text, head);
    }
    memset(text + head, 0, 16); /* more than the padding, but of a length known here */

    if (aad_len <= 32) {
        start -= (aad_len + 15) / 16 * 16;
        memset(buffer + 32, 0, 32);
        copy_bytes(start, aad, aad_len);
        if (len == head) {
            memcpy(text_end, lengths, 16);
            poly1305->mac(tag, start, (size_t)(text_end + 16 - start), buffer);
            return;
        }
    }
    poly1305_core_begin(&core, buffer);
    if (aad_len > 32) {
        chacha20_poly1305_absorb(poly1305, &core, aad, aad_len);
    }
    poly1305->blocks(&core, start, (size_t)(text_end - start) / 16, 1);

    state[12] = (64 + CHACHA20_POLY1305_HEAD) / 64;
    done = head;
#ifdef CHACHA20_POLY1305_LONG
    done += CHACHA20_POLY1305_LONG(&core, state, opening, dst + done, src + done, len - done);
#endif
    while (done < len) {
        size_t n = len - done < CHACHA20_POLY1305_PIECE ? len - done : CHACHA20_POLY1305_PIECE;

        if (opening) {
            chacha20_poly1305_absorb(poly1305, &core, src + done, n);
        }
        chacha->stream(dst + done, src + done, n, state, 20);
        if (!opening) {
            chacha20_poly1305_absorb(poly1305, &core, dst + done, n);
        }
        state[12] += CHACHA20_POLY1305_PIECE / 64;
        done += n;
    }
    poly1305->blocks(&core, lengths, 1, 1);
    poly1305_core_final(&core, tag);
}

/*
 * Defines the kernel `name` of the kernels `chacha` and `poly1305`; parts_stack is the larger of their
 * `stack`. These are other objects, so it is through their tables alone that their code is reached.
 */
#define CHACHA20_POLY1305_COMPOSED(name, chacha, poly1305, parts_stack)                            \
    extern AEADFAST_HIDDEN const struct chacha_kernel AEADFAST_KERNEL(chacha);                     \
    extern AEADFAST_HIDDEN const struct poly1305_kernel AEADFAST_KERNEL(poly1305);                 \
                                                                                                   \
    static void composed_seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,         \
                              const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],         \
                              const uint8_t key[32])                                               \
    {                                                                                              \
        chacha20_poly1305_compose(&AEADFAST_KERNEL(chacha), &AEADFAST_KERNEL(poly1305), 0, ct,     \
                                  tag, pt, len, aad, aad_len, nonce, key);                         \
    }                                                                                              \
                                                                                                   \
    static void composed_open(uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len,         \
                              const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],         \
                              const uint8_t key[32])                                               \
    {                                                                                              \
        chacha20_poly1305_compose(&AEADFAST_KERNEL(chacha), &AEADFAST_KERNEL(poly1305), 1, pt,     \
                                  tag, ct, len, aad, aad_len, nonce, key);                         \
    }                                                                                              \
                                                                                                   \
    AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, name) = {                                     \
        .seal = composed_seal,                                                                     \
        .open = composed_open,                                                                     \
        .stack = CHACHA20_POLY1305_COMPOSE_STACK + (parts_stack),                                  \
        .batches = CHACHA20_POLY1305_BATCHES,                                                      \
        .batch = CHACHA20_POLY1305_BATCH,                                                          \
    }

#endif
