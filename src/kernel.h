/* SPDX-License-Identifier: MIT */
/*
 * What a kernel is: the four kinds of function table behind the public functions.
 *
 * A kernel is one file, primitive_isa.c, that defines one constant of one of these types, named
 * AEADFAST_KERNEL(primitive_isa), and nothing else that is not static. It is compiled with its own
 * target flags, so it must not define or share any other linkable symbol with baseline code.
 *
 * What a kernel may take for granted, because the public functions have checked it:
 *   - lengths are within the algorithm's limits; pointers are valid unless their length is 0, in
 *     which case they may be NULL and must not be dereferenced nor handed to memcpy;
 *   - dst == src or the two are disjoint; no output overlaps any other argument.
 * What it must see to:
 *   - not one byte read or written outside its buffers; no alignment assumed, of any pointer;
 *   - no branch, memory index or variable-time instruction on a secret;
 *   - any key material it leaves in its stack frames lies within `stack` bytes below its caller's
 *     frame: the public functions clear that many bytes after the call (0: it leaves none).
 */
#ifndef AEADFAST_KERNEL_H
#define AEADFAST_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "symbol.h"

#define AEADFAST_KERNEL(name) AEADFAST_INTERNAL(name)

/* AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx2) = {...}; ends a kernel's file. */
#define AEADFAST_DEFINE_KERNEL(type, name)                                                         \
    extern AEADFAST_HIDDEN const struct type AEADFAST_KERNEL(name);                                \
    const struct type AEADFAST_KERNEL(name)

/* A `stack` that is larger on 64-bit Windows, by more than what is cleared there beyond it anyway. */
#if defined(_WIN64)
#define AEADFAST_STACK(elsewhere, on_windows) (on_windows)
#else
#define AEADFAST_STACK(elsewhere, on_windows) (elsewhere)
#endif

/* ChaCha stream, RFC 8439 section 2.4, with 8, 12 or 20 rounds. */
struct chacha_kernel {
    /*
     * dst = src xor key stream. `state` is the whole 16-word input block, word 12 the counter of
     * the first block; all 16 words may have any value. Block i uses word 12 + i modulo 2^32:
     * nothing is ever carried into word 13, neither by the counter nor by the final addition.
     */
    void (*stream)(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds);
    /*
     * Optional: the same from what the state of RFC 8439 is made of. Putting that together in memory,
     * loading it and clearing it is what a short message waits for. Leaves nothing on the stack; NULL:
     * nothing is gained.
     */
    void (*direct)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                   const uint8_t nonce[12], const uint8_t key[32], int rounds);
    size_t stack;
};

/* The value of a running Poly1305, in a form that every kernel reads and leaves behind. */
struct poly1305_core {
    uint64_t h[3]; /* h[0] + 2^64 h[1] + 2^128 h[2], congruent to h mod 2^130-5; h[2] < 8 */
    uint64_t r[2]; /* clamped */
    uint64_t s[2];
};

struct poly1305_kernel {
    /* The whole of it, RFC 8439 section 2.5: the way to make short messages fast. */
    void (*mac)(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32]);
    /*
     * Absorbs `nblocks` blocks of 16 bytes, 0 included. `hibit` is the bit at 2^128 of each: 1 for
     * whole blocks; 0 for a last, partial one that the caller has padded with 1, 0, 0, ...
     */
    void (*blocks)(struct poly1305_core *core, const uint8_t *msg, size_t nblocks, uint64_t hibit);
    size_t stack;
};

/*
 * One of several messages that a kernel seals or opens in one call. `tag` is written, 16 bytes, when
 * opening too: there it is the tag that the message ought to have, and the caller compares. `nonce`
 * is 12 bytes; `key` is 32 bytes for ChaCha20-Poly1305, and the table for AES-GCM. The outputs of a
 * message overlap nothing of another one.
 */
struct aead_job {
    uint8_t *dst;
    uint8_t *tag;
    const uint8_t *src;
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    const void *key;
};

/* No call has more of them. */
#define AEAD_JOBS_MAX 32

/* Bytes of text between two calls of `batches`, at most. */
#define CHACHA20_POLY1305_BATCH_MAX 1024

/* ChaCha20-Poly1305, RFC 8439 section 2.8, in one call. */
struct chacha20_poly1305_kernel {
    void (*seal)(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len, const uint8_t *aad,
                 size_t aad_len, const uint8_t nonce[12], const uint8_t key[32]);
    /* Writes the text and the tag that it ought to have; the caller compares, and clears `pt`. */
    void (*open)(uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len, const uint8_t *aad,
                 size_t aad_len, const uint8_t nonce[12], const uint8_t key[32]);
    size_t stack;

    /*
     * Optional, for messages that come in pieces: `n` times `batch` bytes (a multiple of 64, at most
     * CHACHA20_POLY1305_BATCH_MAX) of text from `src` to `dst` by the blocks from `state` on (word 12
     * is the counter of the first), and beside it as many bytes at `hashed` taken into `core`, in
     * whole blocks. `hashed` is `src` (in place too: a batch is hashed before it is overwritten), or
     * memory that is written before the call, or text that this call writes at least one whole batch
     * earlier. NULL and 0: nothing is gained over the two primitives one after the other.
     */
    void (*batches)(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                    const uint8_t *hashed, size_t n, const uint32_t state[16]);
    size_t batch;

    /*
     * Optional: `n` messages, 1 to AEAD_JOBS_MAX, each of at most `many_len` bytes of text, whose
     * ChaCha20 blocks share the vectors. NULL and 0: nothing is gained over one after another.
     */
    void (*many)(const struct aead_job *jobs, size_t n, int opening);
    size_t many_len;
    size_t many_stack; /* as `stack`, for this function */
};

#define AES_GCM_SIV_STACK 256

/* The bytes of a turn, at most. */
#define AES_GCM_TURN_MAX 256

/*
 * Where a text has come to that comes in pieces. In `turn` are first `held` bytes of ciphertext, which
 * y has not taken in, then the key stream for what is to come. A kernel's turn is some number of blocks;
 * where `held` is 0 or all of it there is no key stream left.
 */
struct aes_gcm_text {
    uint8_t y[16];
    uint8_t counter[16];      /* of the next block that there is no key stream of */
    uint64_t nonce_is_hashed; /* counters are secret; else public, and the text's first is 2 */
    uint64_t held;
    uint8_t turn[AES_GCM_TURN_MAX + 16]; /* and room for the block that ends GHASH */
};

/*
 * AES-GCM by its parts, for messages that come in pieces and for AES-GCM-SIV. `y` is the running
 * value of GHASH, 16 bytes in the order of the standard and all zero at the start.
 */
struct aes_gcm_parts {
    /*
     * As `init`, but H is given: 16 bytes in the order of GHASH. No later call takes in more than
     * `nblocks` blocks at once, so powers of H beyond that need not be made.
     */
    void (*init_hash)(void *table, const uint8_t *key, size_t key_len, const uint8_t h[16],
                      size_t nblocks);
    /* Every block by itself: dst = AES(src). dst == src, or the two are disjoint. */
    void (*encrypt)(const void *table, uint8_t *dst, const uint8_t *src, size_t nblocks);
    /* y = (y xor block) H, for each block. */
    void (*hash)(const void *table, uint8_t y[16], const uint8_t *data, size_t nblocks);
    /* The same with the bytes of each block (not of y) in reverse order, as POLYVAL needs it. */
    void (*hash_reversed)(const void *table, uint8_t y[16], const uint8_t *data, size_t nblocks);
    /*
     * Whole blocks of text: dst = src xor AES(counter), inc32(counter), ..., and the ciphertext taken
     * into y. `counter` is the first one's block, of which the last 32 bits count, big-endian, and
     * wrap.
     */
    void (*text)(const void *table, uint8_t y[16], uint8_t *dst, const uint8_t *src, size_t nblocks,
                 const uint8_t counter[16], int opening);
    /*
     * Counter mode of AES-GCM-SIV (RFC 8452 section 4): `len` bytes, the first 32 bits of `counter`
     * count, little-endian, and wrap. Nothing is hashed.
     */
    void (*counter_le)(const void *table, uint8_t *dst, const uint8_t *src, size_t len,
                       const uint8_t counter[16]);
    size_t stack; /* as a kernel's, for any of these */

    /*
     * Optional, both or none: two steps of AES-GCM-SIV (RFC 8452 sections 4 and 5) in registers, for
     * short messages spend their time on blocks that are put together in memory. The first makes
     * `derived` for what `table`, of a key of key_len bytes, derives from a nonce, as init_hash
     * would; from the second come the tag, for the y that hash_reversed left, and the first counter.
     * Both may leave something of a key within AES_GCM_SIV_STACK bytes beyond `stack`.
     */
    void (*siv_derive)(const void *table, void *derived, size_t key_len, const uint8_t nonce[12],
                       size_t nblocks);
    void (*siv_tag)(const void *derived, uint8_t tag[16], uint8_t counter[16], const uint8_t y[16],
                    const uint8_t nonce[12]);

    /*
     * Optional: the next `len` bytes of a text, 1 or more, under a table of `init`. NULL: whole blocks by
     * `text`, the others one by one, are as fast.
     */
    void (*pieces)(const void *table, struct aes_gcm_text *text, uint8_t *dst, const uint8_t *src,
                   size_t len, int opening);

    /* How many bytes of a table init_hash and siv_derive write at most, from its beginning; 0: all. */
    size_t table_size;
};

/*
 * AES-GCM, SP 800-38D. The kernel lays out its tables (round keys, powers of H) as it likes in
 * AES_GCM_TABLE_BYTES bytes aligned for a uint64_t and no more; they may be moved by memcpy between
 * calls, so they hold no pointer and no alignment-dependent offset. Kernels with the same `init`
 * form a family: they read each other's tables, and the message length picks one among them.
 */
#define AES_GCM_TABLE_BYTES 1520

struct aes_gcm_kernel {
    /* key_len is 16, 24 or 32. */
    void (*init)(void *table, const uint8_t *key, size_t key_len);
    /* nonce_len >= 1, any; the whole 16-byte tag is written, the caller shortens it. */
    void (*seal)(const void *table, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                 const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);
    /* Writes the text and the tag that it ought to have; the caller compares, and clears `pt`. */
    void (*open)(const void *table, uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len,
                 const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len);
    size_t stack;

    const struct aes_gcm_parts *parts; /* of the family */

    /*
     * Optional: `n` messages, 1 to AEAD_JOBS_MAX, each of at most `many_len` bytes of text, under
     * one table or several of the family. NULL and 0: nothing is gained over one after another.
     */
    void (*many)(const struct aead_job *jobs, size_t n, int opening);
    size_t many_len;
    size_t many_stack; /* as `stack`, for this function */
};

#endif
