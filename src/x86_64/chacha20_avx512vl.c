/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with AVX-512 on 256-bit registers, for processors whose clock falls when
 * 512-bit ones are used: eight blocks at a time while there are so many, then pairs of blocks. Nothing is
 * spilled, so nothing is left on the stack.
 */
#include "../kernel.h"
#include "chacha_eight_avx512vl.h"

/* At most six blocks, n > 0 bytes; `pairs` is how many pairs of blocks that takes. */
CHACHA_INLINE void xor_pairs(uint8_t *dst, const uint8_t *src, size_t n, struct chacha_input input,
                             int rounds, int pairs)
{
    const struct chacha_pair in = chacha_pair_of(&input);
    struct chacha_pair x[3];

    chacha_pairs_begin(x, pairs, &in);
    for (int i = rounds; i > 0; i -= 2) {
        chacha_pairs_double_round(x, pairs);
    }
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

CHACHA_INLINE void xor_few(uint8_t *dst, const uint8_t *src, size_t len, struct chacha_input input,
                           int rounds)
{
    if (len > 256) {
        xor_pairs(dst, src, len, input, rounds, 3);
    } else if (len > 128) {
        xor_pairs(dst, src, len, input, rounds, 2);
    } else if (len > 0) {
        xor_pairs(dst, src, len, input, rounds, 1);
    }
}

/* Every argument by itself: Clang would put a structure on the stack, and wait for it. */
__attribute__((noinline)) static void xor_short(uint8_t *dst, const uint8_t *src, size_t len,
                                                const uint8_t *top, const uint8_t *key,
                                                const uint8_t *nonce, uint32_t counter, int rounds)
{
    const struct chacha_input input = {top, key, nonce, counter};

    xor_few(dst, src, len, input, rounds);
}

__attribute__((noinline)) static void xor_long(uint8_t *dst, const uint8_t *src, size_t len,
                                               const uint8_t *top, const uint8_t *key,
                                               const uint8_t *nonce, uint32_t counter, int rounds)
{
    struct chacha_input input = {top, key, nonce, counter};

    while (len > 384) {
        const size_t n = len < 512 ? len : 512;
        const chacha_lanes_vector numbers = chacha_lanes_numbers(input.counter);
        struct chacha_lanes x;

        chacha_lanes_begin_direct(&x, &input, numbers);
        for (int i = rounds; i > 0; i -= 2) {
            chacha_lanes_column_round(&x);
            chacha_lanes_diagonal_round(&x);
        }
        chacha_lanes_end_direct(&x, input, numbers);
        chacha_eight_xor(dst, src, n, &x);
        input.counter += 8;
        dst += n;
        src += n;
        len -= n;
    }
    xor_few(dst, src, len, input, rounds);
}

#define SHORT_LEN 384
#include "chacha20_entries_avx512.h"

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx512vl) = {stream, direct, 0};
