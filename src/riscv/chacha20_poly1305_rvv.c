/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 from the ChaCha that does as many blocks at once as vector registers hold, and
 * the portable Poly1305. The head, with block 0, is a whole pass where they hold eight.
 */
#include "../chacha20_poly1305_compose.h"

CHACHA20_POLY1305_COMPOSED(chacha20_poly1305_rvv, chacha20_rvv, poly1305_portable, 512);
