/* SPDX-License-Identifier: MIT */
/* The public functions for a ChaCha20-Poly1305 message that comes piece by piece. */
#include "chacha20_poly1305_pieces.h"

#include "bytes.h"
#include "memory.h"

/* What a chacha20_poly1305_stream holds. All zero is one that is finished. */
struct state {
    uint64_t mark; /* MARK and a phase while the message goes on */
    struct chacha20_poly1305_pieces pieces;
};

#define MARK UINT64_C(0x63686163686170) /* an arbitrary value that memory rarely holds */

enum phase { PHASE_NONE, PHASE_AAD, PHASE_SEAL, PHASE_OPEN };

_Static_assert(sizeof(struct state) <= sizeof(chacha20_poly1305_stream),
               "the public type is too small");

/* 2^63 - 1 bytes of additional data: more than anybody has, and the length field holds it. */
#define AAD_MAX ((uint64_t)INT64_MAX)

static struct state *state_of(chacha20_poly1305_stream *s)
{
    return (struct state *)s->opaque;
}

static enum phase phase_of(const struct state *state)
{
    uint64_t phase = state->mark - (MARK << 8);

    return phase <= PHASE_OPEN ? (enum phase)phase : PHASE_NONE;
}

static void set_phase(struct state *state, enum phase phase)
{
    state->mark = (MARK << 8) + (uint64_t)phase;
}

static enum phase text_phase(enum aead_direction direction)
{
    return direction == AEAD_SEAL ? PHASE_SEAL : PHASE_OPEN;
}

/* Whether text may follow, or the tag. */
static int in_order(const struct state *state, enum aead_direction direction)
{
    enum phase phase = phase_of(state);

    return phase == PHASE_AAD || phase == text_phase(direction);
}

/* ---- Beginning ---- */

static inline int begin(chacha20_poly1305_stream *s, const uint8_t *nonce, size_t nonce_len,
                        const uint8_t key[32])
{
    struct chacha20_poly1305_kernels kernels;
    struct state *state;

    if (s == NULL || nonce == NULL || key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (overlaps(s, sizeof(*s), nonce, nonce_len) || overlaps(s, sizeof(*s), key, 32)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (!chacha20_poly1305_pieces_kernels(&kernels, 0)) {
        return AEADFAST_ERR_BACKEND;
    }
    state = state_of(s);
    if (nonce_len == 24) {
        chacha20_poly1305_pieces_xbegin(&state->pieces, &kernels, nonce, key);
    } else {
        chacha20_poly1305_pieces_begin(&state->pieces, nonce, key);
    }
    set_phase(state, PHASE_AAD);
    return AEADFAST_OK;
}

int chacha20_poly1305_stream_init(chacha20_poly1305_stream *s, const uint8_t nonce[12],
                                  const uint8_t key[32])
{
    return begin(s, nonce, 12, key);
}

int xchacha20_poly1305_stream_init(chacha20_poly1305_stream *s, const uint8_t nonce[24],
                                   const uint8_t key[32])
{
    return begin(s, nonce, 24, key);
}

/* ---- Going on ---- */

int chacha20_poly1305_stream_aad(chacha20_poly1305_stream *s, const uint8_t *aad, size_t aad_len)
{
    struct chacha20_poly1305_kernels kernels;
    struct chacha20_poly1305_pieces *pieces;

    if (s == NULL || missing(aad, aad_len)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (phase_of(state_of(s)) != PHASE_AAD) {
        return AEADFAST_ERR_STATE;
    }
    pieces = &state_of(s)->pieces;
    if (aad_len > OBJECT_MAX || aad_len > AAD_MAX - pieces->aad_len) {
        return AEADFAST_ERR_LENGTH;
    }
    if (overlaps(s, sizeof(*s), aad, aad_len)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (!chacha20_poly1305_pieces_kernels(&kernels, pieces->aad_len + aad_len)) {
        return AEADFAST_ERR_BACKEND;
    }
    chacha20_poly1305_pieces_aad(pieces, &kernels, aad, aad_len);
    return AEADFAST_OK;
}

static inline int update(chacha20_poly1305_stream *s, uint8_t *dst, const uint8_t *src, size_t len,
                         enum aead_direction direction)
{
    struct chacha20_poly1305_kernels kernels;
    struct chacha20_poly1305_pieces *pieces;

    if (s == NULL || missing(dst, len) || missing(src, len)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (!in_order(state_of(s), direction)) {
        return AEADFAST_ERR_STATE;
    }
    pieces = &state_of(s)->pieces;
    if (len > OBJECT_MAX || len > AEADFAST_CHACHA20_POLY1305_TEXT_MAX - pieces->text_len) {
        return AEADFAST_ERR_LENGTH;
    }
    if (overlaps(s, sizeof(*s), dst, len) || overlaps(s, sizeof(*s), src, len) ||
        (dst != src && overlaps(dst, len, src, len))) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (!chacha20_poly1305_pieces_kernels(&kernels, pieces->text_len + len)) {
        return AEADFAST_ERR_BACKEND;
    }
    chacha20_poly1305_pieces_text(pieces, &kernels, dst, src, len, direction);
    set_phase(state_of(s), text_phase(direction));
    return AEADFAST_OK;
}

int chacha20_poly1305_stream_seal_update(chacha20_poly1305_stream *s, uint8_t *ct,
                                         const uint8_t *pt, size_t len)
{
    return update(s, ct, pt, len, AEAD_SEAL);
}

int chacha20_poly1305_stream_open_unverified_update(chacha20_poly1305_stream *s, uint8_t *pt,
                                                    const uint8_t *ct, size_t len)
{
    return update(s, pt, ct, len, AEAD_OPEN);
}

/* ---- The end ---- */

static inline int finish(chacha20_poly1305_stream *s, const uint8_t *given, uint8_t tag[16],
                         enum aead_direction direction)
{
    struct chacha20_poly1305_kernels kernels;
    struct state *state;

    if (s == NULL || given == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (!in_order(state_of(s), direction)) {
        return AEADFAST_ERR_STATE;
    }
    if (overlaps(s, sizeof(*s), given, 16)) {
        return AEADFAST_ERR_OVERLAP;
    }
    state = state_of(s);
    if (!chacha20_poly1305_pieces_kernels(&kernels, state->pieces.text_len)) {
        return AEADFAST_ERR_BACKEND;
    }
    chacha20_poly1305_pieces_tag(&state->pieces, &kernels, tag);
    aeadfast_wipe(s, sizeof(*s));
    return AEADFAST_OK;
}

int chacha20_poly1305_stream_seal_final(chacha20_poly1305_stream *s, uint8_t tag[16])
{
    return finish(s, tag, tag, AEAD_SEAL);
}

int chacha20_poly1305_stream_open_final(chacha20_poly1305_stream *s, const uint8_t tag[16])
{
    uint8_t expected[16] = {0};
    int error = finish(s, tag, expected, AEAD_OPEN);

    if (error == AEADFAST_OK && !tags_equal(expected, tag)) {
        error = AEADFAST_ERR_AUTH;
    }
    /* The right tag of a message that somebody forged must not stay behind. */
    wipe_now(expected, sizeof(expected));
    return error;
}
