/* SPDX-License-Identifier: MIT */
/* ChaCha with the vector extension alone: chacha_lanes_rvv.h with rotations by multiplying. */
#include "chacha_rotate_rvv.h"

#include "chacha_lanes_rvv.h"

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_rvv) = {
    .stream = chacha_rvv_stream,
    .stack = 1280,
};
