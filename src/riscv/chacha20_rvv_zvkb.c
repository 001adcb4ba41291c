/* SPDX-License-Identifier: MIT */
/*
 * ChaCha with the vector extension and Zvkb (or Zvbb, which includes it), for its vror.vi: rotates
 * in one instruction and in place.
 */
#include <riscv_vector.h>

#define CHACHA_RVV_ROTATE(d0, d1, d2, d3, n)                                                       \
    do {                                                                                           \
        (d0) = __riscv_vror_vx_u32m1(d0, 32 - (n), vl);                                            \
        (d1) = __riscv_vror_vx_u32m1(d1, 32 - (n), vl);                                            \
        (d2) = __riscv_vror_vx_u32m1(d2, 32 - (n), vl);                                            \
        (d3) = __riscv_vror_vx_u32m1(d3, 32 - (n), vl);                                            \
    } while (0)

#include "chacha_lanes_rvv.h"

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_rvv_zvkb) = {
    .stream = chacha_rvv_stream,
    .stack = 512,
};
