/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) with NEON: ChaCha20 in the vector registers, Poly1305 in
 * the scalar ones, in one stream of instructions.
 *
 * Up to 576 bytes: the block of the Poly1305 key and those of the text come out of one pass, then
 * the hash. Longer ones are sealed so that each further pass hashes bytes that are sealed already.
 * Opening begins with the key's block alone, and each pass hashes the bytes that it opens, before it
 * writes them: so it may be in place.
 */
#include "../chacha_state.h"
#include "../kernel.h"
#include "chacha_poly1305_neon.h"
#include "chacha_text_neon.h"

#define NOINLINE __attribute__((noinline))

/* All that is secret and in memory. */
struct work {
    uint32_t state[16];
    struct chacha_scratch scratch;
    struct chacha_hash hash;
    uint8_t buffer[576];
};

ALWAYS_INLINE void hash_begin(struct chacha_hash *hash, const struct chacha_rows *key)
{
    const uint64x2_t r = vreinterpretq_u64_u32(key->a);
    const uint64x2_t s = vreinterpretq_u64_u32(key->b);

    hash->h = (struct poly1305_number){{0, 0, 0}};
    hash->r = poly1305_r_of(vgetq_lane_u64(r, 0), vgetq_lane_u64(r, 1));
    hash->s0 = vgetq_lane_u64(s, 0);
    hash->s1 = vgetq_lane_u64(s, 1);
}

/* n bytes, and zeros up to a whole block. */
ALWAYS_INLINE void hash_padded(struct chacha_hash *hash, const uint8_t *p, size_t n)
{
    poly1305_steps(&hash->h, &hash->r, p, n / 16);
    if (n % 16 != 0) {
        uint64_t m[2];

        poly1305_load_partial(m, p + (n - n % 16), n % 16);
        poly1305_step_words(&hash->h, &hash->r, m[0], m[1], 1);
    }
}

ALWAYS_INLINE void hash_end(struct chacha_hash *hash, size_t aad_len, size_t len, uint8_t tag[16])
{
    poly1305_step_words(&hash->h, &hash->r, aad_len, len, 1);
    poly1305_step_last(&hash->h, &hash->r);
    poly1305_tag(&hash->h, hash->s0, hash->s1, tag);
}

enum direction { SEAL, OPEN };

#define ARGUMENTS                                                                                  \
    uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len, const uint8_t *aad,             \
        size_t aad_len, const uint8_t nonce[12], const uint8_t key[32]
#define PASS dst, tag, src, len, aad, aad_len, nonce, key

/* ---- Up to 128 bytes: the key's block and one or two more, in registers ---- */

ALWAYS_INLINE struct chacha_rows input(const uint8_t nonce[12], const uint8_t key[32])
{
    static const uint32_t sigma[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    const uint64_t first = (uint64_t)load_le32(nonce) << 32;
    const struct chacha_rows x = {
        vld1q_u32(sigma), vreinterpretq_u32_u8(vld1q_u8(key)),
        vreinterpretq_u32_u8(vld1q_u8(key + 16)),
        vreinterpretq_u32_u64(vcombine_u64(vcreate_u64(first), vcreate_u64(load_le64(nonce + 4))))};

    return x;
}

ALWAYS_INLINE void by_rows(ARGUMENTS, enum direction direction, int blocks)
{
    const struct chacha_rows in = input(nonce, key);
    struct chacha_rows inputs[3];
    struct chacha_rows x[3];
    struct chacha_hash hash;

    inputs[0] = in;
    inputs[1] = chacha_rows_number(&in, 1);
    inputs[2] = chacha_rows_number(&in, 2);
    x[0] = inputs[0];
    x[1] = inputs[1];
    x[2] = inputs[2];
    chacha_rows_rounds(x, blocks, 20);
    chacha_rows_end(&x[0], &inputs[0]);
    chacha_rows_end(&x[1], &inputs[1]);
    if (blocks > 2) {
        chacha_rows_end(&x[2], &inputs[2]);
    }
    hash_begin(&hash, &x[0]);
    hash_padded(&hash, aad, aad_len);
    if (direction == OPEN) {
        hash_padded(&hash, src, len);
    }
    chacha_xor_block(dst, src, &x[1], len);
    if (blocks > 2) {
        chacha_xor_block(dst + 64, src + 64, &x[2], len - 64);
    }
    if (direction == SEAL) {
        hash_padded(&hash, dst, len);
    }
    hash_end(&hash, aad_len, len, tag);
}

/* ---- Up to 576 bytes: four or eight blocks, and in the scalar registers the key's ---- */

/*
 * The first n bytes of text, and the key of the hash. dst and src have room for all of the vector
 * blocks.
 */
ALWAYS_INLINE void first_pass(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                              const uint8_t nonce[12], const uint8_t key[32],
                              void (*blocks)(CHACHA_PARAMETERS), size_t vectors)
{
    const size_t part = 64 * vectors;
    struct chacha_rows x;

    chacha_state_init(w->state, key, 1, nonce);
    w->scratch.scalar[0][12] = 0;
    w->scratch.scalar[1][12] = (uint32_t)vectors + 1;
    blocks(dst, src, w->state, 20, &w->scratch);
    x = chacha_scalar_block(w->scratch.scalar[0], w->state, 0);
    hash_begin(&w->hash, &x);
    if (n > part) {
        x = chacha_scalar_block(w->scratch.scalar[1], w->state, (uint32_t)vectors + 1);
        chacha_xor_block(dst + part, src + part, &x, n - part);
    }
}

/* n <= 576 bytes; they may be in the buffer, and must be where n is neither 256 nor 512 or more. */
NOINLINE static void first_576(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                               const uint8_t nonce[12], const uint8_t key[32])
{
    if (n <= 256) {
        first_pass(w, dst, src, n, nonce, key, chacha_five, 4);
    } else if (n <= 320) {
        first_pass(w, dst, src, n, nonce, key, chacha_six, 4);
    } else {
        first_pass(w, dst, src, n, nonce, key, chacha_ten, 8);
    }
}

/* ---- Further passes ---- */

/* 512 bytes of text, and beside it as many of hash: two of 32 blocks are too many for ten turns. */
ALWAYS_INLINE void pass(struct work *w, uint8_t *dst, const uint8_t *src, const uint8_t *msg)
{
    poly1305_steps(&w->hash.h, &w->hash.r, msg, 2);
    chacha_eight_poly1305(dst, src, w->state, &w->scratch, &w->hash, msg + 32, 10);
    w->state[12] += 8;
}

/*
 * The last n < 512 bytes of text, in the buffer. Returns how many of the `available` bytes at msg have
 * been hashed beside.
 */
ALWAYS_INLINE size_t last_pass(struct work *w, const uint8_t *src, size_t n, const uint8_t *msg,
                               size_t available)
{
    const size_t bytes_a_turn = n > 256 ? 48 : 32;
    const size_t turns = available < 10 * bytes_a_turn ? available / bytes_a_turn : 10;

    memcpy(w->buffer, src, n);
    if (n > 256) {
        chacha_eight_poly1305(w->buffer, w->buffer, w->state, &w->scratch, &w->hash, msg, turns);
    } else if (turns != 0) {
        chacha_four_poly1305(w->buffer, w->buffer, w->state, &w->scratch, &w->hash, msg, turns);
    } else {
        chacha_four(w->buffer, w->buffer, w->state, 20, &w->scratch);
    }
    return bytes_a_turn * turns;
}

NOINLINE static void seal_many(ARGUMENTS)
{
    struct work w;
    size_t done = len < 576 ? len : 576;
    size_t hashed = 0;

    if (len == 256 || len >= 512) {
        first_576(&w, dst, src, done, nonce, key);
    } else {
        memcpy(w.buffer, src, len);
        first_576(&w, w.buffer, w.buffer, len, nonce, key);
        memcpy(dst, w.buffer, len);
    }
    hash_padded(&w.hash, aad, aad_len);
    w.state[12] = 10;
    for (; len - done >= 512; done += 512) {
        pass(&w, dst + done, src + done, dst + hashed);
        hashed += 512;
    }
    if (len != done) {
        hashed += last_pass(&w, src + done, len - done, dst + hashed, done - hashed);
        memcpy(dst + done, w.buffer, len - done);
    }
    hash_padded(&w.hash, dst + hashed, len - hashed);
    hash_end(&w.hash, aad_len, len, tag);
}

/* Up to 576 bytes. The text waits in the buffer until the cipher text has been hashed. */
NOINLINE static void open_middle(ARGUMENTS)
{
    struct work w;

    memcpy(w.buffer, src, len);
    first_576(&w, w.buffer, w.buffer, len, nonce, key);
    hash_padded(&w.hash, aad, aad_len);
    hash_padded(&w.hash, src, len);
    memcpy(dst, w.buffer, len);
    hash_end(&w.hash, aad_len, len, tag);
}

NOINLINE static void open_many(ARGUMENTS)
{
    struct work w;
    struct chacha_rows x;
    size_t done = 0;

    chacha_state_init(w.state, key, 0, nonce);
    w.scratch.scalar[0][12] = 0;
    chacha_one(w.scratch.scalar[0], w.state, 20);
    x = chacha_scalar_block(w.scratch.scalar[0], w.state, 0);
    hash_begin(&w.hash, &x);
    hash_padded(&w.hash, aad, aad_len);
    w.state[12] = 1;
    for (; len - done >= 512; done += 512) {
        pass(&w, dst + done, src + done, src + done);
    }
    if (len != done) {
        const size_t n = len - done;
        const size_t hashed = last_pass(&w, src + done, n, src + done, n);

        hash_padded(&w.hash, src + done + hashed, n - hashed);
        memcpy(dst + done, w.buffer, n);
    }
    hash_end(&w.hash, aad_len, len, tag);
}

/*
 * Whole batches. The common form has each block added and then multiplied by r, a step has h multiplied
 * and then the block added: so the first block is added by itself, and a multiplication stands at the
 * end.
 *
 * All that is secret is in *w, and not in the registers of the function that calls these three, from
 * where the assembly would save it to the stack below.
 */
NOINLINE static void batches_begin(struct work *w, const struct poly1305_core *core,
                                   const uint8_t *msg, const uint32_t state[16])
{
    memcpy(w->state, state, sizeof(w->state));
    w->hash.r = poly1305_r_of(core->r[0], core->r[1]);
    w->hash.h = (struct poly1305_number){{core->h[0], core->h[1], core->h[2]}};
    poly1305_add_words(&w->hash.h, load_le64(msg), load_le64(msg + 8), 1);
    poly1305_step(&w->hash.h, &w->hash.r, msg + 16);
}

NOINLINE static void batches_next(struct work *w, const uint8_t *msg)
{
    poly1305_steps(&w->hash.h, &w->hash.r, msg, 2);
    w->state[12] += 8;
}

NOINLINE static void batches_end(struct poly1305_core *core, struct work *w)
{
    poly1305_step_last(&w->hash.h, &w->hash.r);
    core->h[0] = w->hash.h.n[0];
    core->h[1] = w->hash.h.n[1];
    core->h[2] = w->hash.h.n[2];
}

NOINLINE static void some_batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                                  const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    struct work w;
    size_t done = 0;

    batches_begin(&w, core, hashed, state);
    for (;;) {
        chacha_eight_poly1305(dst + done, src + done, w.state, &w.scratch, &w.hash,
                              hashed + done + 32, 10);
        done += 512;
        if (done == 512 * n) {
            break;
        }
        batches_next(&w, hashed + done);
    }
    batches_end(core, &w);
    wipe_now(&w, offsetof(struct work, buffer)); /* which has not been used */
}

static void batches(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                    const uint8_t *hashed, size_t n, const uint32_t state[16])
{
    if (n != 0) {
        some_batches(core, dst, src, hashed, n, state);
    }
}

/* Each size in a function of its own: the frames, and what is pushed at entry, stay small. */
#define DEFINE(name, body)                                                                         \
    NOINLINE static void name(ARGUMENTS)                                                           \
    {                                                                                              \
        body;                                                                                      \
    }

DEFINE(seal_2, by_rows(PASS, SEAL, 2))
DEFINE(seal_3, by_rows(PASS, SEAL, 3))
DEFINE(open_2, by_rows(PASS, OPEN, 2))
DEFINE(open_3, by_rows(PASS, OPEN, 3))

/*
 * Zeros over the frames of all but short messages, which do not pay for it: struct work, and what
 * compilers spill there and push in the assembly's functions below, 1104 + 64 + 128 bytes at most.
 */
NOINLINE static void clear_stack(void)
{
    uint8_t frame[1408];

    wipe_now(frame, sizeof(frame));
}

static void seal(ARGUMENTS)
{
    if (len <= 64) {
        seal_2(PASS);
    } else if (len <= 128) {
        seal_3(PASS);
    } else {
        seal_many(PASS);
        clear_stack();
    }
}

static void open(ARGUMENTS)
{
    if (len <= 64) {
        open_2(PASS);
    } else if (len <= 128) {
        open_3(PASS);
    } else {
        if (len <= 576) {
            open_middle(PASS);
        } else {
            open_many(PASS);
        }
        clear_stack();
    }
}

/* Of short messages: 128 bytes; optimised for size, 352 and 64. */
AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_neon) = {
    .seal = seal,
    .open = open,
    .stack = 448,
    .batches = batches,
    .batch = 512,
};
