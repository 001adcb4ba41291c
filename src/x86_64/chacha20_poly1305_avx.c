/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 for processors with AVX and without AVX2, from the AVX ChaCha, which does four
 * blocks at once, and the portable Poly1305.
 */
#define CHACHA20_POLY1305_HEAD 192
#include "../chacha20_poly1305_compose.h"

CHACHA20_POLY1305_COMPOSED(chacha20_poly1305_avx, chacha20_avx, poly1305_portable, 768);
