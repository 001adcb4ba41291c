/* SPDX-License-Identifier: MIT */
#include "chacha20_poly1305_pieces.h"

#include "bytes.h"
#include "chacha20.h"
#include "chacha_state.h"
#include "codegen.h"
#include "memory.h"
#include "poly1305_core.h"

/*
 * Without `batches` the two primitives run one after the other. Then key stream is made for 256 bytes
 * of short pieces at a time, which is one pass of four lanes; longer pieces are done in parts that stay
 * in the first-level cache between the two.
 */
#define SHORT_BATCH 256
#define LONG_PART   4096

/*
 * In place, ciphertext that waits in unhashed[] costs a copy of each batch that follows, so that it is
 * there when its turn comes. From this many batches on it is cheaper to hash it by itself; and where a
 * piece ends with a batch, for then nothing waits when the next piece comes, nor at the end.
 */
#define COPIED_BATCHES 8

int chacha20_poly1305_pieces_kernels(struct chacha20_poly1305_kernels *kernels, uint64_t len)
{
    kernels->row =
        aeadfast_kernel_for(AEADFAST_OP_CHACHA20_POLY1305, len < SIZE_MAX ? (size_t)len : SIZE_MAX);
    kernels->stack = 0;
    kernels->text_stays = 0;
    kernels->waiting = NULL;
    return kernels->row != NULL;
}

/* What key stream is made of. */
static const uint8_t zeros[64 + CHACHA20_POLY1305_BATCH_MAX];

/* How much of it is made at a time. */
static size_t stream_batch(const struct chacha20_poly1305_kernels *kernels)
{
    size_t batch = kernels->row->kernel.aead->batch;

    return batch != 0 ? batch : SHORT_BATCH;
}

static void note_stack(struct chacha20_poly1305_kernels *kernels, size_t stack)
{
    kernels->stack = stack > kernels->stack ? stack : kernels->stack;
}

/*
 * At the end of each function below that calls kernels, which are called from its own frame: all
 * between is inlined.
 */
static inline void clear_stack(struct chacha20_poly1305_kernels *kernels)
{
    aeadfast_clear_stack(kernels->stack);
    kernels->stack = 0;
}

/* ---- The kernels' functions ---- */

/* Text by the next blocks. `len` is a multiple of 64, but for the last of a message. */
ALWAYS_INLINE void xor_stream(struct chacha20_poly1305_pieces *p,
                              struct chacha20_poly1305_kernels *kernels, uint8_t *dst,
                              const uint8_t *src, size_t len)
{
    const struct chacha_kernel *chacha =
        aeadfast_part(&aeadfast_kernel_lists[AEADFAST_OP_CHACHA20], kernels->row, len)
            ->kernel.chacha;

    chacha->stream(dst, src, len, p->state, 20);
    p->state[12] += (uint32_t)(len / 64);
    note_stack(kernels, chacha->stack);
}

ALWAYS_INLINE void hash(struct chacha20_poly1305_pieces *p,
                        struct chacha20_poly1305_kernels *kernels, const uint8_t *msg,
                        size_t nblocks)
{
    const struct poly1305_kernel *poly1305 =
        aeadfast_part(&aeadfast_kernel_lists[AEADFAST_OP_POLY1305], kernels->row, 16 * nblocks)
            ->kernel.poly1305;

    poly1305->blocks(&p->hash, msg, nblocks, 1);
    note_stack(kernels, poly1305->stack);
}

/* Both at once. */
ALWAYS_INLINE void batches(struct chacha20_poly1305_pieces *p,
                           struct chacha20_poly1305_kernels *kernels, uint8_t *dst,
                           const uint8_t *src, const uint8_t *hashed, size_t n)
{
    const struct chacha20_poly1305_kernel *aead = kernels->row->kernel.aead;

    if (n != 0) {
        aead->batches(&p->hash, dst, src, hashed, n, p->state);
        p->state[12] += (uint32_t)(n * (aead->batch / 64));
        note_stack(kernels, aead->stack);
    }
}

/* Where the p->unhashed_len bytes are that wait, which are about to be hashed. */
ALWAYS_INLINE const uint8_t *take_waiting(const struct chacha20_poly1305_pieces *p,
                                          struct chacha20_poly1305_kernels *kernels)
{
    const uint8_t *waiting = kernels->waiting != NULL ? kernels->waiting : p->unhashed;

    kernels->waiting = NULL;
    return waiting;
}

/* A batch of ciphertext has to wait: where it is, if it stays there, or else in unhashed[]. */
ALWAYS_INLINE void let_wait(struct chacha20_poly1305_pieces *p,
                            struct chacha20_poly1305_kernels *kernels, const uint8_t *text,
                            size_t batch)
{
    if (kernels->text_stays) {
        kernels->waiting = text;
    } else {
        memcpy(p->unhashed, text, batch);
    }
    p->unhashed_len = (uint32_t)batch;
}

/* What waits, and is whole blocks. */
ALWAYS_INLINE void hash_unhashed(struct chacha20_poly1305_pieces *p,
                                 struct chacha20_poly1305_kernels *kernels)
{
    if (p->unhashed_len != 0) {
        hash(p, kernels, take_waiting(p, kernels), p->unhashed_len / 16);
        p->unhashed_len = 0;
    }
}

/* What waits, padded with zeros to whole blocks, and `more` bytes behind it. */
ALWAYS_INLINE void hash_padded(struct chacha20_poly1305_pieces *p,
                               struct chacha20_poly1305_kernels *kernels, size_t more)
{
    size_t padding = (0 - (size_t)p->unhashed_len) % 16;

    memmove(p->unhashed + p->unhashed_len + padding, p->unhashed + p->unhashed_len, more);
    zero_bytes(p->unhashed + p->unhashed_len, padding);
    p->unhashed_len += (uint32_t)(padding + more);
    hash_unhashed(p, kernels);
}

/* ---- Key stream ---- */

/*
 * Makes block 0, which has the key of Poly1305, and the first `n` bytes for text beside it: the pass
 * of a vector kernel that makes the one makes most of the other.
 */
ALWAYS_INLINE void first_stream(struct chacha20_poly1305_pieces *p,
                                struct chacha20_poly1305_kernels *kernels, size_t n)
{
    const size_t len = 64 + n;

    xor_stream(p, kernels, p->stream, zeros, len);
    poly1305_core_begin(&p->hash, p->stream);
    wipe_now(p->stream, 64);
    p->stream_at = 64;
    p->stream_end = (uint32_t)len;
}

/* Makes the next batch where the last is used up. */
ALWAYS_INLINE void next_stream(struct chacha20_poly1305_pieces *p,
                               struct chacha20_poly1305_kernels *kernels)
{
    const size_t batch = kernels->row->kernel.aead->batch;
    const size_t len = stream_batch(kernels);

    if (batch != 0 && p->unhashed_len == batch) {
        batches(p, kernels, p->stream, zeros, take_waiting(p, kernels), 1);
        p->unhashed_len = 0;
    } else {
        hash_unhashed(p, kernels);
        xor_stream(p, kernels, p->stream, zeros, len);
    }
    p->stream_at = 0;
    p->stream_end = (uint32_t)len;
}

/* The end of what follows: 16 bytes whose source is loaded. */
ALWAYS_INLINE void keep_16(uint8_t *dst, uint8_t *kept, const uint64_t in[2], const uint8_t *stream,
                           enum aead_direction direction)
{
    uint64_t out[2];

    memcpy(out, stream, 16);
    out[0] ^= in[0];
    out[1] ^= in[1];
    memcpy(kept, direction == AEAD_SEAL ? out : in, 16);
    memcpy(dst, out, 16);
}

ALWAYS_INLINE void xor_16(uint8_t *dst, uint8_t *kept, const uint8_t *src, const uint8_t *stream,
                          enum aead_direction direction)
{
    uint64_t in[2];

    memcpy(in, src, 16);
    keep_16(dst, kept, in, stream, direction);
}

/*
 * What compilers spill of what follows lies in a frame of its own, which is cleared like a kernel's.
 * RISC-V's load and store words by the byte, and spill most.
 */
#if defined(__riscv)
#define XOR_STACK 512
#else
#define XOR_STACK 256
#endif

/*
 * dst = src xor stream, and the ciphertext of the two to `kept`; dst may be src. The last 16 bytes
 * are loaded first and stored last, so that they may overlap those before: there is no rest.
 */
OWN_FRAME void xor_and_keep(uint8_t *dst, uint8_t *kept, const uint8_t *src, const uint8_t *stream,
                            size_t n, enum aead_direction direction)
{
    uint64_t last[2];
    size_t i = 0;

    if (n < 16) {
        for (; i < n; i++) {
            uint8_t in = src[i];
            uint8_t out = in ^ stream[i];

            kept[i] = direction == AEAD_SEAL ? out : in;
            dst[i] = out;
        }
        return;
    }
    memcpy(last, src + n - 16, 16);
    for (; n - i > 64; i += 64) {
        xor_16(dst + i, kept + i, src + i, stream + i, direction);
        xor_16(dst + i + 16, kept + i + 16, src + i + 16, stream + i + 16, direction);
        xor_16(dst + i + 32, kept + i + 32, src + i + 32, stream + i + 32, direction);
        xor_16(dst + i + 48, kept + i + 48, src + i + 48, stream + i + 48, direction);
    }
    for (; n - i > 16; i += 16) {
        xor_16(dst + i, kept + i, src + i, stream + i, direction);
    }
    keep_16(dst + n - 16, kept + n - 16, last, stream + n - 16, direction);
}

/* ---- Pieces ---- */

void chacha20_poly1305_pieces_begin(struct chacha20_poly1305_pieces *p, const uint8_t nonce[12],
                                    const uint8_t key[32])
{
    memset(p, 0, offsetof(struct chacha20_poly1305_pieces, stream));
    chacha_state_init(p->state, key, 0, nonce);
}

void chacha20_poly1305_pieces_xbegin(struct chacha20_poly1305_pieces *p,
                                     const struct chacha20_poly1305_kernels *kernels,
                                     const uint8_t nonce[24], const uint8_t key[32])
{
    const struct chacha_kernel *chacha =
        aeadfast_part(&aeadfast_kernel_lists[AEADFAST_OP_CHACHA20], kernels->row, 64)
            ->kernel.chacha;
    uint8_t subkey[32];
    uint8_t subnonce[12] = {0};

    aeadfast_hchacha20_derive(chacha, subkey, nonce, key);
    memcpy(subnonce + 4, nonce + 16, 8);
    chacha20_poly1305_pieces_begin(p, subnonce, subkey);
    wipe_now(subkey, sizeof(subkey));
}

void chacha20_poly1305_pieces_aad(struct chacha20_poly1305_pieces *p,
                                  struct chacha20_poly1305_kernels *kernels, const uint8_t *aad,
                                  size_t len)
{
    if (len == 0) {
        return;
    }
    if (p->stream_end == 0) {
        first_stream(p, kernels, stream_batch(kernels));
    }
    p->aad_len += len;
    if (p->unhashed_len != 0) {
        size_t room = 16 - p->unhashed_len;
        size_t n = len < room ? len : room;

        memcpy(p->unhashed + p->unhashed_len, aad, n);
        p->unhashed_len += (uint32_t)n;
        aad += n;
        len -= n;
        if (p->unhashed_len == 16) {
            hash_unhashed(p, kernels);
        }
    }
    if (len >= 16) {
        hash(p, kernels, aad, len / 16);
        aad += len - len % 16;
        len %= 16;
    }
    if (len != 0) {
        memcpy(p->unhashed, aad, len);
        p->unhashed_len = (uint32_t)len;
    }
    clear_stack(kernels);
}

ALWAYS_INLINE void begin_text(struct chacha20_poly1305_pieces *p,
                              struct chacha20_poly1305_kernels *kernels, size_t stream)
{
    if (p->stream_end == 0) {
        first_stream(p, kernels, stream);
    }
    hash_padded(p, kernels, 0);
    p->in_text = 1;
}

/* Whole batches, at least one, where there is no key stream left. */
ALWAYS_INLINE void long_seal(struct chacha20_poly1305_pieces *p,
                             struct chacha20_poly1305_kernels *kernels, uint8_t *dst,
                             const uint8_t *src, size_t n)
{
    const size_t batch = kernels->row->kernel.aead->batch;

    if (p->unhashed_len == batch) {
        batches(p, kernels, dst, src, take_waiting(p, kernels), 1);
    } else {
        hash_unhashed(p, kernels);
        xor_stream(p, kernels, dst, src, batch);
    }
    batches(p, kernels, dst + batch, src + batch, dst, n - 1);
    let_wait(p, kernels, dst + (n - 1) * batch, batch);
}

ALWAYS_INLINE void long_open(struct chacha20_poly1305_pieces *p,
                             struct chacha20_poly1305_kernels *kernels, uint8_t *dst,
                             const uint8_t *src, size_t len)
{
    const size_t batch = kernels->row->kernel.aead->batch;
    size_t n = len / batch;

    if (p->unhashed_len != batch || (dst == src && (n >= COPIED_BATCHES || len % batch == 0))) {
        hash_unhashed(p, kernels);
        batches(p, kernels, dst, src, src, n);
        return;
    }
    if (dst != src) {
        batches(p, kernels, dst, src, take_waiting(p, kernels), 1);
        batches(p, kernels, dst + batch, src + batch, src, n - 1);
        let_wait(p, kernels, src + (n - 1) * batch, batch);
        return;
    }
    while (n != 0) {
        /* As many as there is room for behind what waits; the key stream's buffer is free. */
        const size_t room = kernels->waiting == NULL ? CHACHA20_POLY1305_BATCH_MAX / batch : 1;
        const size_t more = (n < room ? n : room) - 1;

        memcpy(p->unhashed + batch, src, more * batch);
        memcpy(p->stream, src + more * batch, batch);
        batches(p, kernels, dst, src, take_waiting(p, kernels), more + 1);
        memcpy(p->unhashed, p->stream, batch);
        dst += (more + 1) * batch;
        src += (more + 1) * batch;
        n -= more + 1;
    }
}

/* The same with the two primitives in turn, for a multiple of 64 bytes. */
ALWAYS_INLINE void long_in_turn(struct chacha20_poly1305_pieces *p,
                                struct chacha20_poly1305_kernels *kernels, uint8_t *dst,
                                const uint8_t *src, size_t len, enum aead_direction direction)
{
    hash_unhashed(p, kernels);
    while (len != 0) {
        size_t n = len < LONG_PART ? len : LONG_PART;

        if (direction == AEAD_OPEN) {
            hash(p, kernels, src, n / 16);
        }
        xor_stream(p, kernels, dst, src, n);
        if (direction == AEAD_SEAL) {
            hash(p, kernels, dst, n / 16);
        }
        dst += n;
        src += n;
        len -= n;
    }
}

/* Does what can be done without the buffer of key stream, which is empty, and returns how much. */
ALWAYS_INLINE size_t long_text(struct chacha20_poly1305_pieces *p,
                               struct chacha20_poly1305_kernels *kernels, uint8_t *dst,
                               const uint8_t *src, size_t len, enum aead_direction direction)
{
    const size_t batch = kernels->row->kernel.aead->batch;

    if (len < stream_batch(kernels)) {
        return 0;
    }
    if (batch == 0) {
        len -= len % 64;
        long_in_turn(p, kernels, dst, src, len, direction);
        return len;
    }
    if (direction == AEAD_SEAL) {
        long_seal(p, kernels, dst, src, len / batch);
    } else {
        long_open(p, kernels, dst, src, len);
    }
    return len - len % batch;
}

void chacha20_poly1305_pieces_text(struct chacha20_poly1305_pieces *p,
                                   struct chacha20_poly1305_kernels *kernels, uint8_t *dst,
                                   const uint8_t *src, size_t len, enum aead_direction direction)
{
    if (len != 0 && !p->in_text) {
        begin_text(p, kernels, stream_batch(kernels));
    }
    p->text_len += len;
    while (len != 0) {
        size_t ready = p->stream_end - p->stream_at;
        size_t n;

        if (ready != 0) {
            n = len < ready ? len : ready;
            if (direction == AEAD_SEAL) {
                xor_and_keep(dst, p->unhashed + p->unhashed_len, src, p->stream + p->stream_at, n,
                             AEAD_SEAL);
            } else {
                xor_and_keep(dst, p->unhashed + p->unhashed_len, src, p->stream + p->stream_at, n,
                             AEAD_OPEN);
            }
            note_stack(kernels, XOR_STACK);
            p->stream_at += (uint32_t)n;
            p->unhashed_len += (uint32_t)n;
        } else {
            n = long_text(p, kernels, dst, src, len, direction);
            if (n == 0) {
                next_stream(p, kernels);
            }
        }
        dst += n;
        src += n;
        len -= n;
    }
    clear_stack(kernels);
}

void chacha20_poly1305_pieces_tag(struct chacha20_poly1305_pieces *p,
                                  struct chacha20_poly1305_kernels *kernels, uint8_t tag[16])
{
    if (!p->in_text) {
        begin_text(p, kernels, 0);
    }
    if (kernels->waiting != NULL) {
        hash_unhashed(p, kernels);
    }
    store_le64(p->unhashed + p->unhashed_len, p->aad_len);
    store_le64(p->unhashed + p->unhashed_len + 8, p->text_len);
    hash_padded(p, kernels, 16);
    poly1305_core_final(&p->hash, tag);
    clear_stack(kernels);
}
