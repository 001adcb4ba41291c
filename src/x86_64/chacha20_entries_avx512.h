/* SPDX-License-Identifier: MIT */
/*
 * The two functions of a ChaCha kernel with AVX-512. The file that includes this has xor_short for up to
 * SHORT_LEN bytes, and xor_long for more. Static only.
 */
#ifndef AEADFAST_CHACHA20_ENTRIES_AVX512_H
#define AEADFAST_CHACHA20_ENTRIES_AVX512_H

CHACHA_INLINE void xor_any(uint8_t *dst, const uint8_t *src, size_t len, struct chacha_input input,
                           int rounds)
{
    if (len <= SHORT_LEN) {
        xor_short(dst, src, len, input.top, input.key, input.nonce, input.counter, rounds);
    } else {
        xor_long(dst, src, len, input.top, input.key, input.nonce, input.counter, rounds);
    }
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    xor_any(dst, src, len, chacha_input_of(state, 0), rounds);
}

static void direct(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                   const uint8_t nonce[12], const uint8_t key[32], int rounds)
{
    xor_any(dst, src, len, chacha_input_direct(counter, nonce, key), rounds);
}

#endif
