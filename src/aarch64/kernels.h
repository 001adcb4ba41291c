/* SPDX-License-Identifier: MIT */
/*
 * The kernels for AArch64, best first within each operation. The columns are explained in
 * ../kernel_rows.h; a row's file is named by its macro and its first column. No include guard.
 */

BACKEND(neon, ARM_ASIMD, ARM_ASIMD)
BACKEND(neon_aes, ARM_ASIMD | ARM_AES | ARM_PMULL, ARM_ASIMD | ARM_AES | ARM_PMULL | ARM_SHA3)

/*
 * AES-GCM: half to two thirds of the instructions of portable, by count and by llvm-mca, from the
 * first block on.
 */
AES_GCM(neon, neon, ARM_ASIMD, 0, 0)
