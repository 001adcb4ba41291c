/* SPDX-License-Identifier: MIT */
/* The public stream functions: ChaCha with 8, 12 and 20 rounds, XChaCha20 and HChaCha20. */
#include "chacha20.h"

#include "chacha_state.h"
#include "checks.h"
#include "codegen.h"
#include "dispatch.h"
#include "memory.h"

static int check(const uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                 const uint8_t *nonce, size_t nonce_len, const uint8_t *key)
{
    /* Rounded up without adding to len, which may be anything yet. */
    uint64_t blocks = (uint64_t)(len / 64) + (len % 64 != 0);

    if (missing(dst, len) || missing(src, len) || nonce == NULL || key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (len > OBJECT_MAX || blocks > (UINT64_C(1) << 32) - counter) {
        return AEADFAST_ERR_LENGTH;
    }
    if (len != 0) {
        /* added up, not branched upon, as in aead_overlaps */
        unsigned found = (unsigned)meets(dst, len, nonce, nonce_len);

        found += (unsigned)meets(dst, len, key, 32);
        if (dst != src) {
            found += (unsigned)meets(dst, len, src, len);
        }
        if (found != 0) {
            return AEADFAST_ERR_OVERLAP;
        }
    }
    return AEADFAST_OK;
}

OWN_FRAME_ON_RISCV void make_state(uint32_t state[16], const uint8_t key[32], uint32_t counter,
                                   const uint8_t nonce[12])
{
    chacha_state_init(state, key, counter, nonce);
}

static int checked_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                       const uint8_t nonce[12], const uint8_t key[32], int rounds)
{
    const struct kernel_row *row;
    uint32_t state[16];
    int error = check(dst, src, len, counter, nonce, 12, key);

    if (error != AEADFAST_OK) {
        return error;
    }
    row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20, len);
    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    if (len == 0) {
        return AEADFAST_OK;
    }
    if (row->kernel.chacha->direct != NULL) {
        row->kernel.chacha->direct(dst, src, len, counter, nonce, key, rounds);
        aeadfast_clear_stack(0);
        return AEADFAST_OK;
    }
    make_state(state, key, counter, nonce);
    row->kernel.chacha->stream(dst, src, len, state, rounds);
    aeadfast_clear_stack(row->kernel.chacha->stack);
    wipe_now(state, sizeof(state));
    return AEADFAST_OK;
}

int chacha20_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                 const uint8_t nonce[12], const uint8_t key[32])
{
    return checked_xor(dst, src, len, counter, nonce, key, 20);
}

int chacha12_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                 const uint8_t nonce[12], const uint8_t key[32])
{
    return checked_xor(dst, src, len, counter, nonce, key, 12);
}

int chacha8_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                const uint8_t nonce[12], const uint8_t key[32])
{
    return checked_xor(dst, src, len, counter, nonce, key, 8);
}

int chacha20_keystream(uint8_t *dst, size_t len, uint32_t counter, const uint8_t nonce[12],
                       const uint8_t key[32])
{
    /* Zeros are laid and encrypted a piece at a time, while they are still in the first cache. */
    const size_t piece_max = 8192;
    const struct kernel_row *row;
    uint32_t state[16];
    int error = check(dst, dst, len, counter, nonce, 12, key);

    if (error != AEADFAST_OK) {
        return error;
    }
    row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20, len);
    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    if (len == 0) {
        return AEADFAST_OK;
    }
    make_state(state, key, counter, nonce);
    while (len != 0) {
        size_t piece = len < piece_max ? len : piece_max;

        zero_bytes(dst, piece);
        row->kernel.chacha->stream(dst, dst, piece, state, 20);
        state[12] += (uint32_t)(piece / 64);
        dst += piece;
        len -= piece;
    }
    aeadfast_clear_stack(row->kernel.chacha->stack);
    wipe_now(state, sizeof(state));
    return AEADFAST_OK;
}

/*
 * HChaCha20 is the block function without its final addition, and of the result the first and the
 * last row. So any stream kernel computes it: take the input block away from the key stream again.
 */
void aeadfast_hchacha20_derive(const struct chacha_kernel *kernel, uint8_t out[32],
                               const uint8_t nonce[16], const uint8_t key[32])
{
    static const size_t taken[8] = {0, 1, 2, 3, 12, 13, 14, 15};
    uint8_t block[64] = {0};
    uint32_t state[16];

    make_state(state, key, load_le32(nonce), nonce + 4);
    kernel->stream(block, block, sizeof(block), state, 20);
    for (size_t i = 0; i < 8; i++) {
        store_le32(out + 4 * i, load_le32(block + 4 * taken[i]) - state[taken[i]]);
    }
    aeadfast_clear_stack(kernel->stack);
    wipe_now(block, sizeof(block));
    wipe_now(state, sizeof(state));
}

int hchacha20(uint8_t out[32], const uint8_t nonce[16], const uint8_t key[32])
{
    const struct kernel_row *row;

    if (out == NULL || nonce == NULL || key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (overlaps(out, 32, nonce, 16) || overlaps(out, 32, key, 32)) {
        return AEADFAST_ERR_OVERLAP;
    }
    row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20, 64);
    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    aeadfast_hchacha20_derive(row->kernel.chacha, out, nonce, key);
    return AEADFAST_OK;
}

int xchacha20_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                  const uint8_t nonce[24], const uint8_t key[32])
{
    const struct kernel_row *row;
    uint8_t subkey[32];
    uint8_t subnonce[12] = {0};
    int error = check(dst, src, len, counter, nonce, 24, key);

    if (error != AEADFAST_OK) {
        return error;
    }
    row = aeadfast_kernel_for(AEADFAST_OP_CHACHA20, 64);
    if (row == NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    aeadfast_hchacha20_derive(row->kernel.chacha, subkey, nonce, key);
    memcpy(subnonce + 4, nonce + 16, 8);
    error = checked_xor(dst, src, len, counter, subnonce, subkey, 20);
    aeadfast_wipe(subkey, sizeof(subkey));
    return error;
}
