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

/*
 * ChaCha. Published measurements of kernels like `rvv`: at vlenb 32 (SpacemiT K1) a loss at 256
 * bytes, 0.77 to 0.87, and a gain from 1024 on, 1.05 to 1.45; at vlenb 16 (Kendryte K230) a loss at
 * every size; other widths nobody has measured. 512 bytes are the first to fill a pass of eight
 * blocks, and what a pass takes does not depend on how much of it is used.
 *
 * With Zvkb a double round has 96 vector instructions in place of 128, and processors that have it
 * are newer designs than those. Nobody has measured any: by llvm-mca (sifive-p670, vlenb 16) four
 * blocks take 48 cycles a double round, and one block of the portable kernel 42. Hence any width,
 * from four blocks on.
 */
CHACHA20(rvv_zvkb, rvv_zvkb, RISCV_V | RISCV_VLEN128 | RISCV_ZVKB, 0, 256)
CHACHA20(rvv, rvv, RISCV_V | RISCV_VLEN128, RISCV_VLENB_32, 512)

/* ChaCha20-Poly1305, for which ChaCha makes a block more than the text has. */
CHACHA20_POLY1305(rvv_zvkb, rvv_zvkb, RISCV_V | RISCV_VLEN128 | RISCV_ZVKB, 0, 192)
CHACHA20_POLY1305(rvv, rvv, RISCV_V | RISCV_VLEN128, RISCV_VLENB_32, 448)
