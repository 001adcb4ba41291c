/* SPDX-License-Identifier: MIT */
/*
 * Messages of more than 512 bytes of the ChaCha20-Poly1305 kernel with IFMA on 512-bit registers (RFC
 * 8439 section 2.8). The first pass makes up to sixteen blocks of text in vectors and, in the general
 * registers, the block of the Poly1305 key. The hash is eight lanes of poly1305_ifma_eight.h, four groups a step: of what a pass wrote
 * (seal), or of what the next one is about to overwrite (open). Rounds and hash live off the same vector
 * units, which the rounds alone keep busy, so that mixing their instructions would gain nothing.
 *
 * The last group of the hash is 7 blocks of text, the last of which may be partial, and the one of the
 * lengths. Static only.
 */
#ifndef AEADFAST_CHACHA_POLY1305_WIDE_IFMA_H
#define AEADFAST_CHACHA_POLY1305_WIDE_IFMA_H

#include "chacha_poly1305_short_avx512vl.h"
#include "chacha_sixteen_avx512.h"
#include "chacha_words.h"
#include "poly1305_ifma_eight.h"

/* Whoever calls a function of this file clears its frame, and those below, by clear_frames. */
struct message {
    uint32_t state[16]; /* of block 0 */
    struct poly1305_ifma_number lanes;
    struct poly1305_ifma_number last;
    uint8_t end[POLY1305_IFMA_GROUP];
    struct poly1305_ifma_power r[5];
    struct poly1305_eight_roots roots;
    size_t powers; /* of R that are needed */
    struct hash hash;
    const uint8_t *next; /* of the text, what is not hashed yet, */
    size_t groups;       /* and how many groups that is */
};

/* h = (..((h + b1) r + b2) r ..) r for n blocks */
NOINLINE void message_blocks(struct message *w, const uint8_t *p, size_t n)
{
    const size_t lead = (n - 1) % 8 + 1;
    struct poly1305_ifma_number lanes;

    if (n <= 8) {
        for (size_t i = 0; i < n; i++) {
            const poly1305_u128 low = (poly1305_u128)w->hash.h.n[0] + load_le64(p + 16 * i);
            const poly1305_u128 high =
                (poly1305_u128)w->hash.h.n[1] + load_le64(p + 16 * i + 8) + (uint64_t)(low >> 64);

            w->hash.h.n[0] = (uint64_t)low;
            w->hash.h.n[1] = (uint64_t)high;
            w->hash.h.n[2] += 1 + (uint64_t)(high >> 64);
            poly1305_mulx_multiply(&w->hash.h, &w->hash.key);
        }
        return;
    }
    lanes = poly1305_eight_first(p, lead, &w->hash.h);
    p += 16 * lead;
    for (n = (n - 1) / 8; n >= 4; n -= 4, p += 4 * POLY1305_IFMA_GROUP) {
        poly1305_ifma_step(&lanes, w->r, p, p + 3 * POLY1305_IFMA_GROUP, 4);
    }
    for (; n > 0; n--, p += POLY1305_IFMA_GROUP) {
        poly1305_ifma_step(&lanes, w->r, p, p, 1);
    }
    poly1305_eight_join(&w->hash.h, &lanes, &w->last);
}

/* The key from block 0. */
CHACHA_INLINE void message_key(struct message *w, const struct chacha_words *block, size_t aad_len,
                               size_t len)
{
    uint64_t key[4];

    UNROLL
    for (int i = 0; i < 4; i++) {
        key[i] = (uint64_t)(uint32_t)(block->n[2 * i] + w->state[2 * i]) |
                 (uint64_t)(uint32_t)(block->n[2 * i + 1] + w->state[2 * i + 1]) << 32;
    }
    w->hash.key = poly1305_mulx_key(key[0] & 0x0ffffffc0fffffff, key[1] & 0x0ffffffc0ffffffc);
    w->hash.s0 = key[2];
    w->hash.s1 = key[3];
    w->groups = (len + 15) / 16 / 8;
    w->powers = aad_len < 144 ? w->groups : 4;
}

/* A third of the powers, which the assembly keeps in its place. */
CHACHA_INLINE void message_powers(struct message *w, int third)
{
    if (third == 0) {
        poly1305_eight_powers_1(&w->roots, &w->hash.key);
    } else if (third == 1) {
        poly1305_eight_powers_2(&w->roots, w->r, &w->hash.key, w->powers);
    } else {
        poly1305_eight_powers_3(&w->roots, w->r, w->powers);
    }
    __asm__ volatile("" : : "r"(w) : "memory");
}

/* What vectors need of the powers, and the AAD. */
NOINLINE void message_aad(struct message *w, const uint8_t *aad, size_t aad_len)
{
    const struct poly1305_mulx_int *r = w->roots.r;

    w->hash.h = (struct poly1305_mulx_int){{0, 0, 0}};
    w->last = poly1305_eight_lane_powers(&r[1], &r[2], &r[3], &r[4]);
    if (aad_len >= 16) {
        message_blocks(w, aad, aad_len / 16);
    }
    if (aad_len % 16 != 0) {
        uint8_t block[16] = {0};

        memcpy(block, aad + (aad_len - aad_len % 16), aad_len % 16);
        message_blocks(w, block, 1);
    }
}

/* The first group of the text. */
CHACHA_INLINE void message_text(struct message *w, const uint8_t *text, size_t len)
{
    const size_t lead = (len + 15) / 16 % 8 + 1;

    w->lanes = poly1305_eight_first(text, lead, &w->hash.h);
    w->next = text + 16 * lead;
}

/* Four groups, n times. */
NOINLINE void message_steps(struct message *w, size_t n)
{
    struct poly1305_ifma_number lanes = w->lanes;
    const uint8_t *p = w->next;

    w->groups -= 4 * n;
    for (; n > 0; n--, p += 4 * POLY1305_IFMA_GROUP) {
        poly1305_ifma_step(&lanes, w->r, p, p + 3 * POLY1305_IFMA_GROUP, 4);
    }
    w->next = p;
    w->lanes = lanes;
}

/* The n bytes, 97 to 112, of a last group, and the lengths. */
CHACHA_INLINE void last_group(uint8_t end[POLY1305_IFMA_GROUP], const uint8_t *p, size_t n,
                              size_t aad_len, size_t len)
{
    const __mmask64 mask = (UINT64_C(1) << (n - 64)) - 1;
    __m512i b = _mm512_maskz_loadu_epi8(mask, p + 64);

    b = _mm512_mask_set1_epi64(b, 0x40, (long long)aad_len);
    b = _mm512_mask_set1_epi64(b, 0x80, (long long)len);
    _mm512_storeu_si512(end, _mm512_loadu_si512(p));
    _mm512_storeu_si512(end + 64, b);
}

/* All that is left of the text, which ends at `end`, and the tag. */
NOINLINE void message_last(struct message *w, const uint8_t *end, size_t aad_len, size_t len,
                           uint8_t tag[16])
{
    const uint8_t *const last = w->next + POLY1305_IFMA_GROUP * (w->groups - 1);
    struct poly1305_ifma_number lanes = w->lanes;
    const uint8_t *p = w->next;
    size_t n = w->groups;

    last_group(w->end, last, (size_t)(end - last), aad_len, len);
    for (; n > 4; n -= 4, p += 4 * POLY1305_IFMA_GROUP) {
        poly1305_ifma_step(&lanes, w->r, p, p + 3 * POLY1305_IFMA_GROUP, 4);
    }
    switch (n) {
    case 1:
        poly1305_ifma_step(&lanes, w->r, p, w->end, 1);
        break;
    case 2:
        poly1305_ifma_step(&lanes, w->r, p, w->end, 2);
        break;
    case 3:
        poly1305_ifma_step(&lanes, w->r, p, w->end, 3);
        break;
    default:
        poly1305_ifma_step(&lanes, w->r, p, w->end, 4);
        break;
    }
    poly1305_eight_join(&w->hash.h, &lanes, &w->last);
    poly1305_mulx_final(&w->hash.h, w->hash.s0, w->hash.s1, tag);
}

/*
 * Of a text that is opened, what must be hashed before its bytes up to `next` are overwritten: steps, or
 * all, in which case 1 is returned.
 */
CHACHA_INLINE int message_ahead(struct message *w, const uint8_t *next, const uint8_t *end,
                                size_t aad_len, size_t len, uint8_t tag[16])
{
    const size_t n = ((size_t)(next - w->next) + 511) / 512;

    if (next <= w->next) {
        return 0;
    }
    if (next == end || 4 * n >= w->groups) {
        message_last(w, end, aad_len, len, tag);
        return 1;
    }
    message_steps(w, n);
    return 0;
}

/* len > 512 */
CHACHA_INLINE void message(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                           const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                           const uint8_t key[32], enum direction direction)
{
    const size_t first = len < 1024 ? len : 1024;
    const int three = turns(3);
    uint32_t number = 17;
    int hashed = 0;
    struct message w;
    struct chacha_words block;
    struct chacha_lanes x;

    input_state(w.state, nonce, key);
    UNROLL
    for (int i = 0; i < 16; i++) {
        block.n[i] = w.state[i];
    }
    chacha_lanes_begin(&x, w.state, 1);
    /* the words in seven double rounds of the lanes, their powers in the other three */
    for (int i = turns(3); i > 0; i--) {
        chacha_words_column_round(&block);
        chacha_words_diagonal_round(&block);
        chacha_lanes_column_round(&x);
        CHACHA_LANES_TIE(&x, 4);
        chacha_words_column_round(&block);
        chacha_lanes_diagonal_round(&x);
        chacha_words_diagonal_round(&block);
        chacha_words_column_round(&block);
        chacha_lanes_column_round(&x);
        CHACHA_LANES_TIE(&x, 4);
        chacha_words_diagonal_round(&block);
        chacha_lanes_diagonal_round(&x);
    }
    chacha_words_column_round(&block);
    chacha_lanes_column_round(&x);
    CHACHA_LANES_TIE(&x, 4);
    chacha_words_diagonal_round(&block);
    chacha_lanes_diagonal_round(&x);
    message_key(&w, &block, aad_len, len);
    for (int third = 0; third < three; third++) {
        message_powers(&w, third);
        chacha_lanes_column_round(&x);
        chacha_lanes_diagonal_round(&x);
    }
    if (direction == OPEN) {
        message_aad(&w, aad, aad_len);
        message_text(&w, src, len);
        hashed = message_ahead(&w, src + first, src + len, aad_len, len, tag);
    }
    chacha_lanes_end(&x, w.state, 1);
    chacha_sixteen_xor(dst, src, first, &x);
    if (direction == SEAL) {
        message_aad(&w, aad, aad_len);
        message_text(&w, dst, len);
    }
    for (size_t done = first; done < len; number += 16) {
        const size_t next = len - done < 1024 ? len : done + 1024;

        if (direction == OPEN && !hashed) {
            hashed = message_ahead(&w, src + next, src + len, aad_len, len, tag);
        } else if (direction == SEAL) {
            message_steps(&w, (size_t)(dst + done - w.next) / 512);
        }
        text_blocks(w.state, dst + done, src + done, next - done, number);
        done = next;
    }
    if (direction == SEAL) {
        message_last(&w, dst + len, aad_len, len, tag);
    }
}

/* Vectors in the deepest frames of the functions above that were seen. */
#define FRAMES 52

struct vector {
    uint8_t b[64];
};

/* As clear_frame_below of poly1305_avx512.c. */
NOINLINE void clear_frames(void)
{
    uint8_t frame[64 * FRAMES];
    uint8_t *const top = frame + sizeof(frame) - 64;
    uint8_t *const aligned = (uint8_t *)((uintptr_t)top & ~(uintptr_t)63);

    __asm__ volatile("vmovdqu64 %1, %0"
                     : "=m"(*(struct vector *)top)
                     : "v"(_mm512_setzero_si512()));
    for (size_t i = 0; i < FRAMES - 1; i++) {
        __asm__ volatile("vmovdqa64 %1, %0"
                         : "=m"(*(struct vector *)(aligned - 64 * i))
                         : "v"(_mm512_setzero_si512()));
    }
}

DEFINE(seal_wide, message(PASS, SEAL))
DEFINE(open_wide, message(PASS, OPEN))

#endif
