/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with AVX2: nine blocks at a time (eight in the vector registers and one in the
 * scalar ones) while there are so many, then eight, or pairs of blocks for what is left.
 */
#include "../kernel.h"
#include "chacha_nine_avx2.h"

/* At most six blocks, n > 0 bytes; `pairs` is how many pairs of blocks that takes. */
CHACHA_INLINE void xor_pairs(uint8_t *dst, const uint8_t *src, size_t n, const uint32_t state[16],
                             int rounds, int pairs)
{
    struct chacha_pair in = chacha_pair_input(state);
    struct chacha_pair x[3];

    chacha_pairs_begin(x, pairs, &in);
    for (int i = rounds; i > 0; i -= 2) {
        chacha_pairs_double_round(x, pairs);
    }
    chacha_pairs_join(x, pairs);
    CHACHA_RELOAD(state);
    in = chacha_pair_input(state);
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

/* At most six blocks. Not inlined, so that its frame always lies where the caller clears. */
__attribute__((noinline)) static void xor_few(uint8_t *dst, const uint8_t *src, size_t n,
                                              const uint32_t state[16], int rounds)
{
    if (n > 256) {
        xor_pairs(dst, src, n, state, rounds, 3);
    } else if (n > 128) {
        xor_pairs(dst, src, n, state, rounds, 2);
    } else if (n > 0) {
        xor_pairs(dst, src, n, state, rounds, 1);
    }
}

/*
 * How many blocks to take next when n are left, by the time that the ways take on Zen 3 (cycles for
 * 20 rounds, with the text): 1 or 2 blocks 300, 3 or 4 310, 5 or 6 380, 7 or 8 495, 9 575. So a
 * long text goes by eights, and a ninth block beside the eight is for what would be one too many.
 */
static size_t next_batch(size_t nblocks)
{
    static const uint8_t batch[19] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 6, 6, 6, 8, 8, 8, 8, 9, 9};

    return nblocks < sizeof(batch) ? batch[nblocks] : 8;
}

/* More than six blocks. Not inlined, so that a short text does not pay for what this saves. */
__attribute__((noinline)) static void xor_long(uint8_t *dst, const uint8_t *src, size_t len,
                                               const uint32_t state[16], int rounds)
{
    struct chacha_eight f;

    chacha_eight_begin(&f);
    chacha_store(f.state, chacha_load(state));
    chacha_store(f.state + 8, chacha_load(state + 8));
    while (len > 0) {
        const size_t batch = next_batch(len / 64 + (len % 64 != 0));
        const size_t n = len < 64 * batch ? len : 64 * batch;

        f.left = (uint64_t)rounds / 2;
        if (batch <= 6) {
            xor_few(dst, src, n, f.state, rounds);
        } else if (batch <= 8) {
            chacha_eight_text(&f, chacha_eight, dst, src, n);
        } else {
            __m256i lo;
            __m256i hi;

            f.ninth_number = f.state[12] + 8;
            chacha_eight_text(&f, chacha_nine, dst, src, 512);
            chacha_ninth(&lo, &hi, &f);
            chacha_xor_block(dst + 512, src + 512, n - 512, lo, hi);
        }
        f.state[12] += (uint32_t)batch;
        dst += n;
        src += n;
        len -= n;
    }
}

/*
 * Clears what xor_long and what it calls leave on the stack, 1200 bytes at most. Short texts leave less
 * than what `stack` below names, and do not pay for this.
 */
__attribute__((noinline)) static void clear_stack(void)
{
    uint8_t frame[1280] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    if (len <= 384) {
        xor_few(dst, src, len, state, rounds);
    } else {
        xor_long(dst, src, len, state, rounds);
        clear_stack();
    }
}

/* 232 bytes by GCC 12: alignment, 72 bytes of frame and 120 of red zone. */
AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx2) = {stream, 256};
