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
    uint8_t spare[64];

    chacha_pairs_begin(x, pairs, &in);
    for (int i = rounds; i > 0; i -= 2) {
        chacha_pairs_double_round(x, pairs);
    }
    CHACHA_RELOAD(state);
    in = chacha_pair_input(state);
    chacha_pair_end(&x[0], &in, 0);
    chacha_xor_pair(dst, src, n, &x[0], spare);
    if (pairs > 1) {
        chacha_pair_end(&x[1], &in, 1);
        chacha_xor_pair(dst + 128, src + 128, n - 128, &x[1], spare);
    }
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
        chacha_xor_pair(dst + 256, src + 256, n - 256, &x[2], spare);
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

/*
 * By eights and nines as long as these are the best, and returns how much that was. Clears what it
 * keeps on the stack, which is more than the pairs need: short texts shall not pay for that.
 */
__attribute__((noinline)) static size_t xor_many(uint8_t *dst, const uint8_t *src, size_t len,
                                                 const uint32_t state[16], int rounds)
{
    struct chacha_eight f;
    size_t done = 0;

    chacha_eight_begin(&f);
    memcpy(f.state, state, sizeof(f.state));
    for (;;) {
        const size_t left = len - done;
        const size_t batch = next_batch(left / 64 + (left % 64 != 0));
        const size_t n = left < 64 * batch ? left : 64 * batch;

        if (batch <= 6) {
            break;
        }
        f.left = (uint64_t)rounds / 2;
        if (batch <= 8) {
            chacha_eight_text(&f, chacha_eight, dst + done, src + done, n);
        } else {
            __m256i lo;
            __m256i hi;

            f.ninth_number = f.state[12] + 8;
            chacha_eight_text(&f, chacha_nine, dst + done, src + done, 512);
            chacha_ninth(&lo, &hi, &f);
            chacha_xor_block(dst + done + 512, src + done + 512, n - 512, lo, hi,
                             (uint8_t *)f.ninth);
        }
        f.state[12] += (uint32_t)batch;
        done += n;
    }
    chacha_wipe(&f, sizeof(f));
    return done;
}

static void xor_long(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                     int rounds)
{
    uint32_t next[16];
    size_t done = xor_many(dst, src, len, state, rounds);

    memcpy(next, state, sizeof(next));
    while (done < len) {
        const size_t n = len - done < 384 ? len - done : 384;

        next[12] = state[12] + (uint32_t)(done / 64);
        xor_few(dst + done, src + done, n, next, rounds);
        done += n;
    }
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    if (len <= 384) {
        xor_few(dst, src, len, state, rounds);
    } else {
        xor_long(dst, src, len, state, rounds);
    }
}

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx2) = {stream, 512};
