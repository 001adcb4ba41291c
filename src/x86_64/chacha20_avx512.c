/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with AVX-512 on 512-bit registers: sixteen blocks at a time while there are more
 * than eight, then two or one quads of blocks, or a pair. Nothing is spilled, so nothing is left on the
 * stack.
 */
#include "../kernel.h"
#include "chacha_sixteen_avx512.h"

/* One or two blocks, n > 0 bytes: 256-bit registers, which cost no processor clock speed. */
CHACHA_INLINE void xor_pair(uint8_t *dst, const uint8_t *src, size_t n, struct chacha_input input,
                            int rounds)
{
    const struct chacha_pair in = chacha_pair_of(&input);
    struct chacha_pair x = in;

    for (int i = rounds; i > 0; i -= 2) {
        chacha_pairs_double_round(&x, 1);
    }
    chacha_pair_end(&x, &in, 0);
    chacha_xor_pair(dst, src, n, &x);
}

/* Up to four blocks, n > 0 bytes. */
CHACHA_INLINE void xor_quad(uint8_t *dst, const uint8_t *src, size_t n, struct chacha_input input,
                            int rounds)
{
    const struct chacha_quad in = chacha_quad_of(&input);
    struct chacha_quad x = in;

    for (int i = rounds; i > 0; i -= 2) {
        chacha_quads_double_round(&x, 1);
    }
    chacha_quad_end(&x, &in, 0);
    chacha_xor_quad(dst, src, n, &x);
}

/* Five to eight. */
CHACHA_INLINE void xor_two_quads(uint8_t *dst, const uint8_t *src, size_t n,
                                 struct chacha_input input, int rounds)
{
    const struct chacha_quad in = chacha_quad_of(&input);
    struct chacha_quad x[2];

    chacha_quads_begin(x, 2, &in);
    chacha_two_quads_rounds(x, rounds / 2);
    chacha_quad_end(&x[0], &in, 0);
    chacha_xor_quad(dst, src, 256, &x[0]);
    chacha_quad_end(&x[1], &in, 1);
    chacha_xor_quad(dst + 256, src + 256, n - 256, &x[1]);
}

/* Up to eight blocks. */
CHACHA_INLINE void xor_few(uint8_t *dst, const uint8_t *src, size_t len, struct chacha_input input,
                           int rounds)
{
    if (len > 256) {
        xor_two_quads(dst, src, len, input, rounds);
    } else if (len > 128) {
        xor_quad(dst, src, len, input, rounds);
    } else if (len > 0) {
        xor_pair(dst, src, len, input, rounds);
    }
}

/*
 * These two take every argument by itself: Clang would put a structure on the stack, and wait for it.
 * From nine blocks on, a double round of sixteen (50 cycles on Sapphire Rapids) takes as long as one of
 * three quads, and is no slower to end.
 */
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

    while (len > 512) {
        const size_t n = len < 1024 ? len : 1024;
        const chacha_lanes_vector numbers = chacha_lanes_numbers(input.counter);
        struct chacha_lanes x;

        chacha_lanes_begin_direct(&x, &input, numbers);
        for (int i = rounds; i > 0; i -= 2) {
            chacha_lanes_column_round(&x);
            chacha_lanes_diagonal_round(&x);
        }
        chacha_lanes_end_direct(&x, input, numbers);
        chacha_sixteen_xor(dst, src, n, &x);
        input.counter += 16;
        dst += n;
        src += n;
        len -= n;
    }
    xor_few(dst, src, len, input, rounds);
}

#define SHORT_LEN 512
#include "chacha20_entries_avx512.h"

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx512) = {stream, direct, 0};
