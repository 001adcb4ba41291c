/* SPDX-License-Identifier: MIT */
/* The public Poly1305 functions, in one call and piece by piece. */
#include "checks.h"
#include "codegen.h"
#include "dispatch.h"
#include "memory.h"
#include "poly1305_core.h"

/* What a poly1305_state holds. All zero is a state that is finished. */
struct state {
    struct poly1305_core core;
    uint64_t live;    /* STATE_LIVE while the computation goes on */
    uint64_t pending; /* bytes of `block` that wait for the rest of it, 0 to 15 */
    uint8_t block[16];
};

#define STATE_LIVE UINT64_C(0x706f6c7931333035) /* an arbitrary value that memory rarely holds */

_Static_assert(sizeof(struct state) <= sizeof(poly1305_state), "the public type is too small");

static struct state *state_of(poly1305_state *s)
{
    return (struct state *)s->opaque;
}

int poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    const struct kernel_row *row;

    if (tag == NULL || missing(msg, len) || key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (len > OBJECT_MAX) {
        return AEADFAST_ERR_LENGTH;
    }
    if (overlaps(tag, 16, msg, len) || overlaps(tag, 16, key, 32)) {
        return AEADFAST_ERR_OVERLAP;
    }
    row = aeadfast_kernel_for(AEADFAST_OP_POLY1305, len);
    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    row->kernel.poly1305->mac(tag, msg, len, key);
    aeadfast_clear_stack(row->kernel.poly1305->stack);
    return AEADFAST_OK;
}

int poly1305_verify(const uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    uint8_t expected[16];
    int error;

    if (tag == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    error = poly1305_mac(expected, msg, len, key);
    if (error == AEADFAST_OK && !tags_equal(expected, tag)) {
        error = AEADFAST_ERR_AUTH;
    }
    /* The right tag of a message that somebody forged must not stay behind. */
    wipe_now(expected, sizeof(expected));
    return error;
}

int poly1305_begin(poly1305_state *s, const uint8_t key[32])
{
    struct state *state;

    if (s == NULL || key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (overlaps(s, sizeof(*s), key, 32)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (aeadfast_candidates_now(AEADFAST_OP_POLY1305) == CHOICE_ERROR) {
        return AEADFAST_ERR_BACKEND;
    }
    state = state_of(s);
    poly1305_core_begin(&state->core, key);
    state->live = STATE_LIVE;
    state->pending = 0;
    zero_bytes(state->block, sizeof(state->block));
    return AEADFAST_OK;
}

int poly1305_update(poly1305_state *s, const uint8_t *msg, size_t len)
{
    const struct poly1305_kernel *kernel;
    const struct kernel_row *row;
    struct state *state;

    if (s == NULL || missing(msg, len)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (len > OBJECT_MAX) {
        return AEADFAST_ERR_LENGTH;
    }
    if (overlaps(s, sizeof(*s), msg, len)) {
        return AEADFAST_ERR_OVERLAP;
    }
    row = aeadfast_kernel_for(AEADFAST_OP_POLY1305, len);
    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    state = state_of(s);
    if (state->live != STATE_LIVE) {
        return AEADFAST_ERR_STATE;
    }
    if (len == 0) {
        return AEADFAST_OK;
    }

    kernel = row->kernel.poly1305;
    if (state->pending != 0) {
        size_t room = 16 - (size_t)state->pending;
        size_t n = len < room ? len : room;

        memcpy(state->block + state->pending, msg, n);
        state->pending += n;
        msg += n;
        len -= n;
        if (state->pending < 16) {
            return AEADFAST_OK;
        }
        kernel->blocks(&state->core, state->block, 1, 1);
        state->pending = 0;
    }
    if (len >= 16) {
        kernel->blocks(&state->core, msg, len / 16, 1);
        msg += len - len % 16;
        len %= 16;
    }
    copy_bytes(state->block, msg, len);
    state->pending = len;
    aeadfast_clear_stack(kernel->stack);
    return AEADFAST_OK;
}

OWN_FRAME_ON_RISCV void finish(struct poly1305_core *core, uint8_t tag[16])
{
    poly1305_core_final(core, tag);
}

int poly1305_final(poly1305_state *s, uint8_t tag[16])
{
    const struct kernel_row *row;
    struct state *state;

    if (s == NULL || tag == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (overlaps(s, sizeof(*s), tag, 16)) {
        return AEADFAST_ERR_OVERLAP;
    }
    row = aeadfast_kernel_for(AEADFAST_OP_POLY1305, 16);
    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    state = state_of(s);
    if (state->live != STATE_LIVE) {
        return AEADFAST_ERR_STATE;
    }
    if (state->pending != 0) {
        uint8_t last[16];

        poly1305_pad_last(last, state->block, (size_t)state->pending);
        row->kernel.poly1305->blocks(&state->core, last, 1, 0);
        wipe_now(last, sizeof(last));
    }
    finish(&state->core, tag);
    aeadfast_clear_stack(row->kernel.poly1305->stack);
    aeadfast_wipe(state, sizeof(*state));
    return AEADFAST_OK;
}
