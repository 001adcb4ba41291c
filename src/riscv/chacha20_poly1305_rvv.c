/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 from the two vector kernels. The head, with block 0, is a whole pass of ChaCha
 * where registers hold eight blocks. Poly1305 computes its powers of r for each piece anew, so these
 * are larger than usual: half of a first-level cache of 16 KiB.
 */
#define CHACHA20_POLY1305_PIECE 8192
#include "../chacha20_poly1305_compose.h"

CHACHA20_POLY1305_COMPOSED(chacha20_poly1305_rvv, chacha20_rvv, poly1305_rvv, 768);
