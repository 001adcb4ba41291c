/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) of a message that comes in pieces, without checks: what
 * the incremental and the scatter/gather functions share.
 *
 * Key stream is made a batch at a time, as much as the vectors of a kernel make at once. A piece of
 * whole batches goes from source to destination directly; what is shorter, and the ends of what is
 * not, take key stream from a buffer. Where the kernel has `batches`, each batch of key stream is
 * made beside the hash of the batch of ciphertext before it, wherever that lies: so pieces cost what
 * the kernel's own loop costs, and some copying. `unhashed` is that batch, or as much of it as there
 * is:
 *
 *     text        | hashed ... | in unhashed[]  | there is key stream for   | not begun |
 *                                ^ a batch, kept to be hashed beside the next, or
 *                              | in unhashed[] ^ in the middle of a batch |
 *
 * So whenever the key stream is used up, unhashed[] holds whole blocks; and when there is some, the
 * two fill up together: neither is ever longer than a batch.
 *
 * There is no pointer in it: it can be moved and copied by memcpy.
 */
#ifndef AEADFAST_CHACHA20_POLY1305_PIECES_H
#define AEADFAST_CHACHA20_POLY1305_PIECES_H

#include "checks.h"
#include "dispatch.h"
#include "kernel.h"
#include "symbol.h"

struct chacha20_poly1305_pieces {
    struct poly1305_core hash;
    uint32_t state[16]; /* word 12: the next block to make key stream of */
    uint64_t aad_len;
    uint64_t text_len;
    uint32_t stream_at; /* the key stream that is left is stream[stream_at] to stream[stream_end] */
    uint32_t stream_end; /* 0 before the first is made */
    uint32_t unhashed_len;
    uint32_t in_text;                                   /* additional data is over, and padded */
    uint8_t stream[64 + CHACHA20_POLY1305_BATCH_MAX];   /* at first with block 0 */
    uint8_t unhashed[CHACHA20_POLY1305_BATCH_MAX + 16]; /* and the lengths, at the end */
};

/*
 * The kernels of one call, and what else holds for it alone. All belong to one backend, that of the
 * row of ChaCha20-Poly1305 that serves the message at its present length: what is forced for that
 * operation holds for the ChaCha and the Poly1305 within it too, and what is forced for those two
 * does not.
 */
struct chacha20_poly1305_kernels {
    const struct kernel_row *row;
    size_t stack;           /* the deepest `stack` of those called and not cleared yet */
    int text_stays;         /* all texts stay where they are until the tag is made */
    const uint8_t *waiting; /* then: what otherwise would be in unhashed[]; or NULL */
};

#define chacha20_poly1305_pieces_kernels AEADFAST_INTERNAL(chacha20_poly1305_pieces_kernels)
#define chacha20_poly1305_pieces_begin   AEADFAST_INTERNAL(chacha20_poly1305_pieces_begin)
#define chacha20_poly1305_pieces_xbegin  AEADFAST_INTERNAL(chacha20_poly1305_pieces_xbegin)
#define chacha20_poly1305_pieces_aad     AEADFAST_INTERNAL(chacha20_poly1305_pieces_aad)
#define chacha20_poly1305_pieces_text    AEADFAST_INTERNAL(chacha20_poly1305_pieces_text)
#define chacha20_poly1305_pieces_tag     AEADFAST_INTERNAL(chacha20_poly1305_pieces_tag)

/* Those for a message of `len` bytes; 0 where the call must return AEADFAST_ERR_BACKEND. */
AEADFAST_HIDDEN int chacha20_poly1305_pieces_kernels(struct chacha20_poly1305_kernels *kernels,
                                                     uint64_t len);

/* Overwrites `*p`. Nothing is computed before it is known what there is to do. */
AEADFAST_HIDDEN void chacha20_poly1305_pieces_begin(struct chacha20_poly1305_pieces *p,
                                                    const uint8_t nonce[12], const uint8_t key[32]);
/* The same with the nonce of XChaCha20-Poly1305. */
AEADFAST_HIDDEN void
chacha20_poly1305_pieces_xbegin(struct chacha20_poly1305_pieces *p,
                                const struct chacha20_poly1305_kernels *kernels,
                                const uint8_t nonce[24], const uint8_t key[32]);
AEADFAST_HIDDEN void chacha20_poly1305_pieces_aad(struct chacha20_poly1305_pieces *p,
                                                  struct chacha20_poly1305_kernels *kernels,
                                                  const uint8_t *aad, size_t len);
AEADFAST_HIDDEN void chacha20_poly1305_pieces_text(struct chacha20_poly1305_pieces *p,
                                                   struct chacha20_poly1305_kernels *kernels,
                                                   uint8_t *dst, const uint8_t *src, size_t len,
                                                   enum aead_direction direction);
AEADFAST_HIDDEN void chacha20_poly1305_pieces_tag(struct chacha20_poly1305_pieces *p,
                                                  struct chacha20_poly1305_kernels *kernels,
                                                  uint8_t tag[16]);

#endif
