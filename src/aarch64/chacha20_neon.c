/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with NEON: ten blocks at a time, eight in the vector registers and two in the
 * scalar ones beside them, and one to eight blocks in forms that fit.
 */
#include "../kernel.h"
#include "chacha_text_neon.h"

/* Two or three blocks, 0 < n bytes; the last one may be a part. */
ALWAYS_INLINE void xor_rows(uint8_t *dst, const uint8_t *src, size_t n, const uint32_t state[16],
                            int rounds, int blocks)
{
    const struct chacha_rows in = chacha_rows_load(state);
    struct chacha_rows input[3];
    struct chacha_rows x[3];

    input[0] = in;
    input[1] = chacha_rows_number(&in, state[12] + 1);
    input[2] = chacha_rows_number(&in, state[12] + 2);
    x[0] = input[0];
    x[1] = input[1];
    x[2] = input[2];
    chacha_rows_rounds(x, blocks, rounds);
    chacha_rows_end(&x[0], &input[0]);
    chacha_rows_end(&x[1], &input[1]);
    chacha_xor_block(dst, src, &x[0], n);
    chacha_xor_block(dst + 64, src + 64, &x[1], n - 64);
    if (blocks > 2) {
        chacha_rows_end(&x[2], &input[2]);
        chacha_xor_block(dst + 128, src + 128, &x[2], n - 128);
    }
}

/* Not inlined: their frames lie where the caller clears. */
__attribute__((noinline)) static void xor_one(uint8_t *dst, const uint8_t *src, size_t n,
                                              const uint32_t state[16], int rounds)
{
    chacha_text_one(dst, src, n, state, rounds);
}

__attribute__((noinline)) static void xor_two(uint8_t *dst, const uint8_t *src, size_t n,
                                              const uint32_t state[16], int rounds)
{
    xor_rows(dst, src, n, state, rounds, 2);
}

__attribute__((noinline)) static void xor_three(uint8_t *dst, const uint8_t *src, size_t n,
                                                const uint32_t state[16], int rounds)
{
    xor_rows(dst, src, n, state, rounds, 3);
}

/*
 * How many blocks to take next when `left` are, by what the ways cost (cycles for 20 rounds by
 * llvm-mca, Cortex-A72, Neoverse N1 and V2): one 490, 330, 240; two or three 900, 600, 600; four or
 * five 920, 560, 560; six 1080, 640, 560; seven or eight 1280, 1160, 600; nine or ten 1650, 1160,
 * 600. So 11, 12 and 13 blocks are better parted in the middle.
 */
static size_t next_batch(size_t left)
{
    static const uint8_t batch[14] = {0, 1, 2, 3, 4, 5, 6, 8, 8, 10, 10, 6, 6, 8};

    return left < sizeof(batch) ? batch[left] : 10;
}

/* One to three blocks. */
static void xor_few(uint8_t *dst, const uint8_t *src, size_t n, const uint32_t state[16],
                    int rounds)
{
    if (n > 128) {
        xor_three(dst, src, n, state, rounds);
    } else if (n > 64) {
        xor_two(dst, src, n, state, rounds);
    } else if (n > 0) {
        xor_one(dst, src, n, state, rounds);
    }
}

/* More than three. Clears what it keeps on the stack: short texts shall not pay for that. */
__attribute__((noinline)) static void xor_many(uint8_t *dst, const uint8_t *src, size_t len,
                                               const uint32_t state[16], int rounds)
{
    struct {
        uint32_t state[16];
        struct chacha_scratch scratch;
    } w;

    memcpy(w.state, state, sizeof(w.state));
    while (len != 0) {
        const size_t batch = next_batch(len / 64 + (len % 64 != 0));
        const size_t n = len < 64 * batch ? len : 64 * batch;

        switch (batch) {
        case 4:
            chacha_text(chacha_four, 4, 0, n, dst, src, w.state, rounds, &w.scratch);
            break;
        case 5:
            chacha_text(chacha_five, 4, 1, n, dst, src, w.state, rounds, &w.scratch);
            break;
        case 6:
            chacha_text(chacha_six, 4, 2, n, dst, src, w.state, rounds, &w.scratch);
            break;
        case 8:
            chacha_text(chacha_eight, 8, 0, n, dst, src, w.state, rounds, &w.scratch);
            break;
        case 10:
            chacha_text(chacha_ten, 8, 2, n, dst, src, w.state, rounds, &w.scratch);
            break;
        default:
            xor_few(dst, src, n, w.state, rounds);
            break;
        }
        w.state[12] += (uint32_t)batch;
        dst += n;
        src += n;
        len -= n;
    }
    wipe_now(&w, sizeof(w));
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    if (len <= 192) {
        xor_few(dst, src, len, state, rounds);
    } else if (len == 256) {
        chacha_four(dst, src, state, rounds, NULL); /* keeps nothing in memory */
    } else {
        xor_many(dst, src, len, state, rounds);
    }
}

/*
 * Short texts leave 144 bytes at most below, and the frames of xor_many and of what it calls hold
 * nothing secret beyond what they clear; but optimised for size, GCC spills.
 */
#if defined(__OPTIMIZE_SIZE__)
#define STACK 1280
#else
#define STACK 256
#endif

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_neon) = {stream, NULL, STACK};
