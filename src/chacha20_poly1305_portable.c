/* SPDX-License-Identifier: MIT */
/* ChaCha20-Poly1305 in plain C, from the portable ChaCha and the best portable Poly1305. */
#define CHACHA20_POLY1305_HEAD 192
#include "chacha20_poly1305_compose.h"

#if defined(__SIZEOF_INT128__)
CHACHA20_POLY1305_COMPOSED(chacha20_poly1305_portable, chacha20_portable, poly1305_portable, 1024);
#else
CHACHA20_POLY1305_COMPOSED(chacha20_poly1305_portable, chacha20_portable, poly1305_portable32,
                           1024);
#endif
