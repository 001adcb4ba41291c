/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 from the two vector kernels, and from their common one for the middle of long
 * messages. The head, with block 0, is a whole pass of ChaCha where registers hold eight blocks.
 * Poly1305 computes its powers of r for each piece anew, so these are larger than usual: half of a
 * first-level cache of 16 KiB.
 */
#include "chacha_rotate_rvv.h"

#include "chacha20_poly1305_long_rvv.h"

#define CHACHA20_POLY1305_LONG  chacha20_poly1305_long_rvv
#define CHACHA20_POLY1305_PIECE 8192
#include "../chacha20_poly1305_compose.h"

CHACHA20_POLY1305_COMPOSED(chacha20_poly1305_rvv, chacha20_rvv, poly1305_rvv, 1344);
