/* SPDX-License-Identifier: MIT */
/*
 * Rotations for chacha_lanes_rvv.h with the vector extension alone, whose only way is to shift both
 * ways and to combine: three instructions. Two do the same by multiplying with 2^n: the high half
 * of the product is the word shifted right by 32 - n, the low half the word shifted left by n.
 *
 *     temporary = high half of word * 2^n                    vmulhu.vx
 *     word = low half of word * 2^n + temporary              vmadd.vx
 *
 * On the SpacemiT K1, the processor that gets this kernel, it pays twice: multiplications and
 * additions of 32 bits take one cycle a register, shifts and logic two. By these published figures,
 * and latencies of four and five, a double round takes 180 cycles, and not less than 288 with
 * shifts. Where vector units are many and multiplication is slow to answer, shifts would be better:
 * llvm-mca has 128 cycles for sifive-p670, which this kernel is not chosen for, and 104 with
 * shifts.
 *
 * All these are instructions that Zvkt requires to take the same time whatever the data.
 */
#ifndef AEADFAST_CHACHA_ROTATE_RVV_H
#define AEADFAST_CHACHA_ROTATE_RVV_H

#include <riscv_vector.h>

#define CHACHA_RVV_ROTATE(d0, d1, d2, d3, n, s0, s1, s2, s3, s4, s5, s6, s7)                       \
    do {                                                                                           \
        const uint32_t factor = UINT32_C(1) << (n);                                                \
        const vuint32m1_t right0 = __riscv_vmulhu_vx_u32m1(d0, factor, vl);                        \
        s0;                                                                                        \
        const vuint32m1_t right1 = __riscv_vmulhu_vx_u32m1(d1, factor, vl);                        \
        s1;                                                                                        \
        const vuint32m1_t right2 = __riscv_vmulhu_vx_u32m1(d2, factor, vl);                        \
        s2;                                                                                        \
        const vuint32m1_t right3 = __riscv_vmulhu_vx_u32m1(d3, factor, vl);                        \
        s3;                                                                                        \
        (d0) = __riscv_vmadd_vx_u32m1(d0, factor, right0, vl);                                     \
        s4;                                                                                        \
        (d1) = __riscv_vmadd_vx_u32m1(d1, factor, right1, vl);                                     \
        s5;                                                                                        \
        (d2) = __riscv_vmadd_vx_u32m1(d2, factor, right2, vl);                                     \
        s6;                                                                                        \
        (d3) = __riscv_vmadd_vx_u32m1(d3, factor, right3, vl);                                     \
        s7;                                                                                        \
    } while (0)

#endif
