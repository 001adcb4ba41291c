/* SPDX-License-Identifier: MIT */
/*
 * The kernels for 64-bit RISC-V, best first within each operation. The columns are explained in
 * ../kernel_rows.h; a row's file is named by its macro and its first column. No include guard.
 */

BACKEND(rvv, RISCV_V | RISCV_VLEN128, RISCV_V | RISCV_VLEN128 | RISCV_ZBB)
BACKEND(rvv_zvkb, RISCV_V | RISCV_VLEN128 | RISCV_ZVKB,
        RISCV_V | RISCV_VLEN128 | RISCV_ZBB | RISCV_ZVKB)
BACKEND(zvk, RISCV_V | RISCV_VLEN128 | RISCV_ZVKB | RISCV_ZVKG | RISCV_ZVKNED,
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

/*
 * Poly1305. On the SpacemiT K1 published measurements have scalar code at 3.3 cycles a byte and
 * vectors at 1.2, and vectors 1.7 times as fast at 264 bytes. By llvm-mca it is 1.5 and 0.85 at
 * vlenb 16 (sifive-p670), 4.1 and 1.2 at 64 (sifive-x280), but measured is measured: it is held to
 * the width at which vectors as a whole are known to be worth it.
 */
POLY1305(rvv, rvv, RISCV_V | RISCV_VLEN128, RISCV_VLENB_32, 256)

/* ChaCha20-Poly1305, for which ChaCha makes a block more than the text has. Poly1305 is `rvv`. */
CHACHA20_POLY1305(rvv_zvkb, rvv_zvkb, RISCV_V | RISCV_VLEN128 | RISCV_ZVKB, 0, 192)
CHACHA20_POLY1305(rvv, rvv, RISCV_V | RISCV_VLEN128, RISCV_VLENB_32, 448)

/*
 * AES-GCM. The three extensions come together, as Zvkng. Their instructions are constant-time by
 * definition, whatever the vector length, and one of them does for several blocks what the portable
 * kernel takes hundreds for: chosen for each length wherever they are.
 */
AES_GCM(zvk, zvk, RISCV_V | RISCV_VLEN128 | RISCV_ZVKB | RISCV_ZVKG | RISCV_ZVKNED, 0, 0)
