/* SPDX-License-Identifier: MIT */
/*
 * The kernels for 64-bit RISC-V, best first within each operation. The columns are explained in
 * ../kernel_rows.h; a row's file is named by its macro and its first column. No include guard.
 */

BACKEND(rvv, RISCV_V | RISCV_VLEN128, RISCV_V | RISCV_VLEN128 | RISCV_ZBB)
BACKEND(rvv_zvkb, RISCV_V | RISCV_VLEN128 | RISCV_ZVKB,
        RISCV_V | RISCV_VLEN128 | RISCV_ZBB | RISCV_ZVKB)
BACKEND(zvk, RISCV_V | RISCV_VLEN128 | RISCV_ZVKNED | RISCV_ZVKG,
        RISCV_V | RISCV_VLEN128 | RISCV_ZBB | RISCV_ZVKB | RISCV_ZVKG | RISCV_ZVKNED)
