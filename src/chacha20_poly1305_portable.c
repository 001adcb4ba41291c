/* SPDX-License-Identifier: MIT */
/* ChaCha20-Poly1305 in plain C, from the portable ChaCha and the best portable Poly1305. */
#define CHACHA20_POLY1305_HEAD 192
#include "chacha20_poly1305_compose.h"

#if defined(__SIZEOF_INT128__)
#define PORTABLE_POLY1305 AEADFAST_KERNEL(poly1305_portable)
#else
#define PORTABLE_POLY1305 AEADFAST_KERNEL(poly1305_portable32)
#endif

extern AEADFAST_HIDDEN const struct chacha_kernel AEADFAST_KERNEL(chacha20_portable);
extern AEADFAST_HIDDEN const struct poly1305_kernel PORTABLE_POLY1305;

static void seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len, const uint8_t *aad,
                 size_t aad_len, const uint8_t nonce[12], const uint8_t key[32])
{
    chacha20_poly1305_compose(&AEADFAST_KERNEL(chacha20_portable), &PORTABLE_POLY1305, 0, ct, tag,
                              pt, len, aad, aad_len, nonce, key);
}

static void open(uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len, const uint8_t *aad,
                 size_t aad_len, const uint8_t nonce[12], const uint8_t key[32])
{
    chacha20_poly1305_compose(&AEADFAST_KERNEL(chacha20_portable), &PORTABLE_POLY1305, 1, pt, tag,
                              ct, len, aad, aad_len, nonce, key);
}

AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_portable) = {
    .seal = seal,
    .open = open,
    .stack = CHACHA20_POLY1305_COMPOSE_STACK + 1024,
};
