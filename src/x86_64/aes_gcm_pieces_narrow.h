/* SPDX-License-Identifier: MIT */
/*
 * Text of AES-GCM that comes in pieces (struct aes_gcm_text), for the kernels on AES-NI and VAES.
 *
 * Turns lie in the text as they do in a message that is sealed at once, wherever pieces begin and
 * end: so the bulk loop does all of them, with the faster form of its counters after a 12-byte nonce.
 * A piece that ends within a turn has the loop encrypt a turn of zeros into `turn`; the head of the next
 * piece finds its key stream there, and leaves ciphertext, which is hashed beside the next turn.
 */
#ifndef AEADFAST_AES_GCM_PIECES_NARROW_H
#define AEADFAST_AES_GCM_PIECES_NARROW_H

#include "aes_gcm_bulk.h"
#include "aes_gcm_partial.h"

_Static_assert(TURN <= AES_GCM_TURN_MAX, "struct aes_gcm_text is too small");

static const _Alignas(32) uint8_t gcm_turn_of_zeros[TURN];

/* n bytes, less than a turn, whose key stream is at `held`; there the ciphertext takes its place. */
static __attribute__((noinline)) void text_of_turn(uint8_t *held, uint8_t *dst, const uint8_t *src,
                                                   size_t n, int opening)
{
    for (; n >= VEC_BYTES; n -= VEC_BYTES) {
        vec in = vec_load(src);
        vec out = vec_xor(in, vec_load(held));

        vec_store(dst, out);
        vec_store(held, opening ? in : out);
        held += VEC_BYTES;
        dst += VEC_BYTES;
        src += VEC_BYTES;
    }
#if GCM_LANES == 2
    if (n >= 16) {
        __m128i in = load128(src);
        __m128i out = _mm_xor_si128(in, load128(held));

        store128(dst, out);
        store128(held, opening ? in : out);
        held += 16;
        dst += 16;
        src += 16;
        n -= 16;
    }
#endif
    if (n != 0) {
        __m128i in = load_partial(src, n);
        __m128i out = _mm_xor_si128(in, load_partial(held, n));

        store_partial(dst, out, n);
        store_partial(held, opening ? in : out, n);
    }
}

/* Turns of text, and beside each of them one of ciphertext that y takes in. */
struct stretch {
    uint8_t *dst;
    const uint8_t *src;
    const uint8_t *hashed; /* src, or what lies before it; NULL for one turn and nothing hashed */
    size_t turns;
    size_t before; /* turns from the counter to the first */
};

GCM_INLINE void stitch(const struct gcm_table *t, struct aes_gcm_text *text,
                       const struct stretch *s, const struct stretch *end)
{
#if GCM_ASM
    struct gcm_slots slots;
    struct gcm_sum sum = sum_of_y(load_hash(text->y));
#endif

    for (; s != end; s++) {
        vec counters = start_counters(counter_after(text->counter, BLOCKS * s->before), 0);

#if GCM_ASM
        if (text->nonce_is_hashed != 0) {
            gcm_bulk_stretch(t, s->dst, s->src, s->hashed, s->turns, &slots, counters, 0, &sum);
        } else {
            gcm_bulk_stretch(t, s->dst, s->src, s->hashed, s->turns, &slots, counters, 1, &sum);
        }
#else
        for (size_t i = 0; i < s->turns * TURN; i += TURN) {
            store_hash(text->y, hash_turn(t, s->hashed + i, load_hash(text->y)));
            encrypt_turn(t, s->dst + i, s->src + i, counters);
            counters = count(counters, BLOCKS);
        }
#endif
    }
#if GCM_ASM
    put(slots.y, vec_zero());
    store_hash(text->y, sum_reduce(&sum));
#endif
}

/*
 * Sealing hashes what lies a turn behind: first the turn that is held, if any; last, if no key stream
 * is wanted for `more`, one remains to be held. Opening makes that key stream first, and beside it
 * hashes the turn that is held.
 */
GCM_INLINE size_t plan(struct stretch s[3], struct aes_gcm_text *text, uint8_t *dst,
                       const uint8_t *src, size_t turns, int more, int opening)
{
    const struct stretch ahead = {text->turn, gcm_turn_of_zeros, text->turn, 1, turns};
    size_t n = 0;

    if (opening) {
        if (more) {
            s[n++] = ahead;
        }
        if (turns != 0) {
            s[n++] = (struct stretch){dst, src, src, turns, 0};
        }
        return n;
    }
    if (turns != 0) {
        s[n++] = (struct stretch){dst, src, text->turn, 1, 0};
    }
    if (turns > 1) {
        s[n++] = (struct stretch){dst + TURN, src + TURN, dst, turns - 1, 1};
    }
    if (more) {
        s[n] = ahead;
        if (turns != 0) {
            s[n].hashed = dst + TURN * (turns - 1);
        }
        n++;
    }
    return n;
}

static void gcm_pieces(const void *table, struct aes_gcm_text *text, uint8_t *dst,
                       const uint8_t *src, size_t len, int opening)
{
    const struct gcm_table *t = table;
    size_t held = (size_t)text->held;
    size_t turns, rest, n;
    struct stretch s[3];
    const struct stretch *next;

    if (held % TURN != 0) {
        n = lesser(len, TURN - held);
        text_of_turn(text->turn + held, dst, src, n, opening);
        text->held = held + n;
        len -= n;
        if (len == 0) {
            return;
        }
        dst += n;
        src += n;
    }
    turns = len / TURN;
    rest = len % TURN;
    n = plan(s, text, dst, src, turns, rest != 0, opening);
    next = s;
    if (text->held == 0 && next->hashed == text->turn) {
        encrypt_turn(t, s->dst, s->src,
                     start_counters(counter_after(text->counter, BLOCKS * s->before), 0));
        next++;
    } else if (text->held != 0 && next->hashed != text->turn) {
        store_hash(text->y, hash_turn(t, text->turn, load_hash(text->y)));
    }
    if (next != s + n) {
        stitch(t, text, next, s + n);
    }
    text->held = 0;
    if (!opening && rest == 0) {
        const uint8_t *last = dst + len - TURN;

        for (size_t i = 0; i < TURN; i += VEC_BYTES) {
            vec_store(text->turn + i, vec_load(last + i));
        }
        text->held = TURN;
    }
    turns += rest != 0;
    store_be32(text->counter + 12, load_be32(text->counter + 12) + (uint32_t)(BLOCKS * turns));
    if (rest != 0) {
        dst += len - rest;
        src += len - rest;
        text_of_turn(text->turn, dst, src, rest, opening);
        text->held = rest;
    }
}

#endif
