/* SPDX-License-Identifier: MIT */
/* ChaCha as RFC 8439 and draft-irtf-cfrg-xchacha write it down, one block at a time. */
#ifndef TEST_REF_CHACHA_H
#define TEST_REF_CHACHA_H

#include <stddef.h>
#include <stdint.h>

/* RFC 8439 section 2.1, on four words of x. */
void ref_quarter_round(uint32_t x[16], int a, int b, int c, int d);

/* The rounds without the final addition, and the same backwards. */
void ref_chacha_permute(uint32_t x[16], int rounds);
void ref_chacha_permute_back(uint32_t x[16], int rounds);

/* The input block for a key, nonce and counter. */
void ref_chacha_state(uint32_t state[16], const uint8_t key[32], const uint8_t nonce[12],
                      uint32_t counter);

/* n bytes of key stream; block i has counter state[12] + i mod 2^32 and all else of `state`. */
void ref_chacha_keystream(uint8_t *dst, size_t n, const uint32_t state[16], int rounds);

void ref_xor(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n);

void ref_hchacha20(uint8_t out[32], const uint8_t nonce[16], const uint8_t key[32]);

/* XChaCha20's derived key and the nonce that goes with it. */
void ref_xchacha_key(uint8_t subkey[32], uint8_t subnonce[12], const uint8_t nonce[24],
                     const uint8_t key[32]);

#endif
