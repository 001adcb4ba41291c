/* SPDX-License-Identifier: MIT */
/* Rotations for chacha_lanes_rvv.h with Zvkb, or Zvbb, which includes it: one instruction. */
#ifndef AEADFAST_CHACHA_ROTATE_ZVKB_H
#define AEADFAST_CHACHA_ROTATE_ZVKB_H

#include <riscv_vector.h>

#define CHACHA_RVV_ROTATE(d0, d1, d2, d3, n, s0, s1, s2, s3, s4, s5, s6, s7)                       \
    do {                                                                                           \
        (d0) = __riscv_vror_vx_u32m1(d0, 32 - (n), vl);                                            \
        s0;                                                                                        \
        s1;                                                                                        \
        (d1) = __riscv_vror_vx_u32m1(d1, 32 - (n), vl);                                            \
        s2;                                                                                        \
        s3;                                                                                        \
        (d2) = __riscv_vror_vx_u32m1(d2, 32 - (n), vl);                                            \
        s4;                                                                                        \
        s5;                                                                                        \
        (d3) = __riscv_vror_vx_u32m1(d3, 32 - (n), vl);                                            \
        s6;                                                                                        \
        s7;                                                                                        \
    } while (0)

#endif
