/* SPDX-License-Identifier: MIT */
/* ChaCha with the vector extension and Zvkb: chacha_lanes_rvv.h with rotations by vror. */
#include "chacha_rotate_zvkb.h"

#include "chacha_lanes_rvv.h"

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_rvv_zvkb) = {
    .stream = chacha_rvv_stream,
    .stack = 1280,
};
