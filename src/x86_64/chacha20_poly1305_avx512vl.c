/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX-512 on 256-bit registers and MULX.
 *
 * More than 320 bytes: eight blocks give the Poly1305 key and the first 448 bytes of text; from
 * then on, between the rounds for the next 512 bytes, stands Poly1305 of the bytes before (seal) or
 * of the same ones (open). The vector units limit the one and the multiplier the other.
 */
#include "chacha_batches_avx512vl.h"
#include "chacha_eight_avx512vl.h"
#include "chacha_poly1305_short_avx512vl.h"

#include "chacha_many_avx512.h"

#include "chacha20_poly1305_many.h"

/* What a long message keeps on the stack. */
struct work {
    uint32_t state[16];
    struct hash hash;
    struct poly1305_mulx_int r8;
    struct poly1305_mulx_int r16;
    struct poly1305_mulx_int r20;
    struct chacha_pair key_stream[4];
};

NOINLINE void powers_of_r(struct work *w)
{
    const struct poly1305_mulx_int zero = {{0, 0, 0}};
    const struct poly1305_mulx_int r = {{w->hash.key.r0, w->hash.key.r1, 0}};
    const struct poly1305_mulx_int r2 = poly1305_mulx_square(&r);
    const struct poly1305_mulx_int r4 = poly1305_mulx_square(&r2);

    w->r8 = poly1305_mulx_square(&r4);
    w->r16 = poly1305_mulx_square(&w->r8);
    w->r20 = w->r16;
    poly1305_mulx_mul_add(&w->r20, &r4, &zero);
}

/* As hash_padded, in two chains as long as that pays. */
NOINLINE void hash_alone(struct work *w, const uint8_t *p, size_t n)
{
    for (; n >= 512; p += 512, n -= 512) {
        poly1305_mulx_two_chains(&w->hash.h, &w->hash.key, &w->r16, p, 16);
    }
    if (n >= 256) {
        poly1305_mulx_two_chains(&w->hash.h, &w->hash.key, &w->r8, p, 8);
        p += 256;
        n -= 256;
    }
    hash_padded(&w->hash, p, n);
}

/*
 * Poly1305 of n bytes in two chains, which both multiply by the clamped r: the first takes n - 320
 * bytes (n is a multiple of 32) and the second 320, two blocks for each double round. The first is
 * moved up by r^20 at the end. A single chain would wait for its carries longer than the rounds
 * last.
 */
struct chains {
    struct poly1305_mulx_int h;
    struct poly1305_mulx_int g;
    const uint8_t *p;
    const uint8_t *q;
};

CHACHA_INLINE struct chains chains_begin(const struct work *w, const uint8_t *msg, size_t n)
{
    const struct chains c = {w->hash.h, {{0, 0, 0}}, msg, msg + (n - 320)};

    return c;
}

/* The empty assembly keeps its place among the rounds, and the block's with it. */
CHACHA_INLINE void chains_first(struct chains *c, const struct work *w)
{
    poly1305_mulx_block(&c->h, &w->hash.key, c->p);
    __asm__ volatile("" : "+r"(c->h.n[0]));
    c->p += 16;
}

CHACHA_INLINE void chains_second(struct chains *c, const struct work *w)
{
    poly1305_mulx_block(&c->g, &w->hash.key, c->q);
    __asm__ volatile("" : "+r"(c->g.n[0]));
    c->q += 16;
}

CHACHA_INLINE void chains_end(struct chains *c, struct work *w)
{
    poly1305_mulx_mul_add(&c->h, &w->r20, &c->g);
    w->hash.h = c->h;
}

/* 384 < n <= 512 bytes of text from block `number` on, and Poly1305 of the hash_len from msg. */
NOINLINE void text_and_hash(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                            uint32_t number, const uint8_t *msg, size_t hash_len)
{
    struct chains c = chains_begin(w, msg, hash_len);
    struct chacha_lanes x;
    int i = ten();

    chacha_lanes_begin(&x, w->state, number);
    for (; c.p != msg + (hash_len - 320); i--) {
        chains_first(&c, w);
        chains_second(&c, w);
        chacha_lanes_column_round(&x);
        CHACHA_LANES_TIE(&x, 4);
        chains_first(&c, w);
        chains_second(&c, w);
        chacha_lanes_diagonal_round(&x);
    }
    for (; i > 0; i--) {
        chains_second(&c, w);
        chacha_lanes_column_round(&x);
        CHACHA_LANES_TIE(&x, 4);
        chains_second(&c, w);
        chacha_lanes_diagonal_round(&x);
    }
    chains_end(&c, w);
    chacha_lanes_end(&x, w->state, number);
    chacha_eight_xor(dst, src, n, &x);
}

/*
 * 0 < n <= 128 pairs bytes of text from block `number` on; and where there is an msg, Poly1305 of
 * the hash_len from there.
 */
CHACHA_INLINE void text_tail(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                             uint32_t number, const uint8_t *msg, size_t hash_len, int pairs)
{
    const struct chacha_pair in = chacha_pair_input(w->state, number);
    struct chacha_pair x[3];

    chacha_pairs_begin(x, pairs, &in);
    if (msg != NULL) {
        struct chains c = chains_begin(w, msg, hash_len);

        for (int i = ten(); i > 0; i--) {
            chains_second(&c, w);
            if (c.p != msg + (hash_len - 320)) {
                chains_first(&c, w);
                chains_first(&c, w);
            }
            chains_second(&c, w);
            chacha_pairs_double_round(x, pairs);
        }
        chains_end(&c, w);
    } else {
        for (int i = ten(); i > 0; i--) {
            chacha_pairs_double_round(x, pairs);
        }
    }
    chacha_pair_end(&x[0], &in, 0);
    chacha_xor_pair(dst, src, n, &x[0]);
    if (pairs > 1) {
        chacha_pair_end(&x[1], &in, 1);
        chacha_xor_pair(dst + 128, src + 128, n - 128, &x[1]);
    }
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
        chacha_xor_pair(dst + 256, src + 256, n - 256, &x[2]);
    }
}

NOINLINE void text_tail_1(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                          uint32_t number, const uint8_t *msg, size_t hash_len)
{
    text_tail(w, dst, src, n, number, msg, hash_len, 1);
}

NOINLINE void text_tail_2(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                          uint32_t number, const uint8_t *msg, size_t hash_len)
{
    text_tail(w, dst, src, n, number, msg, hash_len, 2);
}

NOINLINE void text_tail_3(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                          uint32_t number, const uint8_t *msg, size_t hash_len)
{
    text_tail(w, dst, src, n, number, msg, hash_len, 3);
}

/* The key, and the first n bytes of text, 320 < n <= 448. */
NOINLINE void begin(struct work *w, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *aad,
                    size_t aad_len, enum direction direction)
{
    struct chacha_pair *blocks = w->key_stream;
    struct chacha_lanes x;

    chacha_lanes_begin(&x, w->state, 0);
    for (int i = ten(); i > 0; i--) {
        chacha_lanes_column_round(&x);
        chacha_lanes_diagonal_round(&x);
    }
    chacha_lanes_end(&x, w->state, 0);
    chacha_eight_blocks(blocks, &x);
    hash_begin(&w->hash, blocks[0].a);
    powers_of_r(w);
    hash_alone(w, aad, aad_len);
    if (direction == OPEN) {
        hash_alone(w, src, n);
    }
    chacha_xor_block(dst, src, 64, blocks[0].c, blocks[0].d);
    chacha_xor_pair(dst + 64, src + 64, 128, &blocks[1]);
    chacha_xor_pair(dst + 192, src + 192, 128, &blocks[2]);
    chacha_xor_pair(dst + 320, src + 320, n - 320, &blocks[3]);
}

/* The last n < 512 bytes of text. With an msg, Poly1305 of the hash_len from there; without, of src. */
NOINLINE void last(struct work *w, uint8_t *dst, const uint8_t *src, size_t n, uint32_t number,
                   const uint8_t *msg, size_t hash_len)
{
    if (n > 384) {
        if (msg != NULL) {
            text_and_hash(w, dst, src, n, number, msg, hash_len);
        } else {
            /* dst may be src: what does not fit beside the rounds is put aside */
            uint8_t rest[32];

            copy_bytes(rest, src + (n - n % 32), n % 32);
            text_and_hash(w, dst, src, n, number, src, n - n % 32);
            hash_padded(&w->hash, rest, n % 32);
        }
        return;
    }
    if (msg == NULL) {
        hash_alone(w, src, n);
    }
    if (n > 256) {
        text_tail_3(w, dst, src, n, number, msg, hash_len);
    } else if (n > 128) {
        text_tail_2(w, dst, src, n, number, msg, hash_len);
    } else {
        text_tail_1(w, dst, src, n, number, msg, hash_len);
    }
}

NOINLINE void hash_finish(struct work *w, size_t aad_len, size_t len, uint8_t tag[16])
{
    hash_end(&w->hash, aad_len, len, tag);
}

/* More than 320 bytes. */
CHACHA_INLINE void many(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                        const uint8_t key[32], enum direction direction)
{
    size_t done = len < 448 ? len : 448;
    size_t hashed = direction == OPEN ? done : 0;
    uint32_t number = 8;
    struct work w;

    input_state(w.state, nonce, key);
    begin(&w, dst, src, done, aad, aad_len, direction);

    for (; len - done >= 512; number += 8, done += 512) {
        if (direction == SEAL) {
            text_and_hash(&w, dst + done, src + done, 512, number, dst + hashed, done - hashed);
            hashed = done;
        } else {
            text_and_hash(&w, dst + done, src + done, 512, number, src + done, 512);
        }
    }
    if (len > done) {
        last(&w, dst + done, src + done, len - done, number,
             direction == SEAL ? dst + hashed : NULL, done - hashed);
        hashed = done;
    }
    if (direction == SEAL) {
        hash_alone(&w, dst + hashed, len - hashed);
    }
    hash_finish(&w, aad_len, len, tag);
    chacha_wipe(&w, sizeof(w));
    wipe_frames();
}

/*
 * Many whole batches. The first is in one chain, because the powers of r are not needed then, and
 * leaves the hash such that the next block comes after a multiplication. What is secret stays out of
 * the frame that *w is in.
 */
NOINLINE void batches_begin(struct work *w, const struct poly1305_core *core, uint8_t *dst,
                            const uint8_t *src, const uint8_t *hashed, const uint32_t state[16])
{
    memcpy(w->state, state, sizeof(w->state));
    w->hash.key = poly1305_mulx_key(core->r[0], core->r[1]);
    w->hash.h = few_text(core, dst, src, hashed, 1, state);
}

NOINLINE void batches_end(struct poly1305_core *core, const struct work *w)
{
    chain_end(core, w->hash.h, &w->hash.key);
}

NOINLINE void many_batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                           const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    const size_t len = 512 * n;
    uint32_t number = 0;
    struct work w;

    batches_begin(&w, core, dst, src, hashed, state);
    powers_of_r(&w);
    for (size_t done = 512; done < len; done += 512) {
        number += 8;
        text_and_hash(&w, dst + done, src + done, 512, number, hashed + done, 512);
    }
    batches_end(core, &w);
    chacha_wipe(&w, sizeof(w));
    wipe_frames();
}

/* Where the powers of r, 150 cycles by llvm-mca, and the wiping are a few hundredths of the whole. */
#define MANY_BATCHES 8

static void batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                    const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    if (n >= MANY_BATCHES) {
        many_batches(core, dst, src, hashed, n, state);
    } else if (n > 0) {
        few_batches(core, dst, src, hashed, n, state);
    }
}

DEFINE(seal_many, many(PASS, SEAL))
DEFINE(open_many, many(PASS, OPEN))

DEFINE_BY_LENGTH(seal, SEAL, seal_many)
DEFINE_BY_LENGTH(open, OPEN, open_many)

AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_avx512vl) = {
    .seal = seal,
    .open = open,
    .stack = 512,
    .batches = batches,
    .batch = 512,
    .many = many_messages,
    .many_stack = AEADFAST_STACK(0, 15104), /* not measured there */
    .many_len = 960,                        /* so that there are two chains in each group */
};
