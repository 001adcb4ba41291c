/* SPDX-License-Identifier: MIT */
/* ChaCha20-Poly1305 as in chacha20_poly1305_rvv.c, from the ChaCha that rotates by Zvkb. */
#include "chacha_rotate_zvkb.h"

#include "chacha20_poly1305_long_rvv.h"

#define CHACHA20_POLY1305_LONG  chacha20_poly1305_long_rvv
#define CHACHA20_POLY1305_PIECE 8192
#include "../chacha20_poly1305_compose.h"

CHACHA20_POLY1305_COMPOSED(chacha20_poly1305_rvv_zvkb, chacha20_rvv_zvkb, poly1305_rvv, 1344);
