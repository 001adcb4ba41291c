/* SPDX-License-Identifier: MIT */
/*
 * The kernels for AArch64, best first within each operation. The columns are explained in
 * ../kernel_rows.h; a row's file is named by its macro and its first column. No include guard.
 */

BACKEND(neon, ARM_ASIMD, ARM_ASIMD)
BACKEND(neon_aes, ARM_ASIMD | ARM_AES | ARM_PMULL, ARM_ASIMD | ARM_AES | ARM_PMULL | ARM_SHA3)

/*
 * AES-GCM. Each is a family of its own, and ahead of the next from the first block on, by counted
 * instructions and by llvm-mca: EOR3 saves 6 % of those of neon_aes, which takes a seventh (64
 * bytes) to a ninth (16 KiB) of neon's, and neon half to two thirds of portable's.
 */
AES_GCM(neon_aes_sha3, neon_aes, ARM_ASIMD | ARM_AES | ARM_PMULL | ARM_SHA3, 0, 0)
AES_GCM(neon_aes, neon_aes, ARM_ASIMD | ARM_AES | ARM_PMULL, 0, 0)
AES_GCM(neon, neon, ARM_ASIMD, 0, 0)
/* ChaCha. It has a form for every number of blocks, each ahead of portable code. */
CHACHA20(neon, neon, ARM_ASIMD, 0, 0)

/*
 * Poly1305. Below 256 bytes the kernel is scalar, with fewer instructions for a step than compilers
 * make of portable code (26 and 32 to 37).
 */
POLY1305(neon, neon, ARM_ASIMD, 0, 0)

/* ChaCha20-Poly1305, both in one stream of instructions; short messages take one pass. */
CHACHA20_POLY1305(neon, neon, ARM_ASIMD, 0, 0)
