/* SPDX-License-Identifier: MIT */
/*
 * The kernels for x86-64, best first within each operation. The columns are explained in
 * ../kernel_rows.h; a row's file is named by its macro and its first column. No include guard.
 */

/* Each backend allows what the one before it does: avx512 forced on a CPU without VAES is still
 * fine. */
#define X86_ALLOW_AVX    (X86_AVX | X86_AES | X86_PCLMULQDQ)
#define X86_ALLOW_AVX2   (X86_ALLOW_AVX | X86_AVX2 | X86_BMI1 | X86_BMI2 | X86_ADX)
#define X86_ALLOW_VAES   (X86_ALLOW_AVX2 | X86_VAES | X86_VPCLMULQDQ)
#define X86_ALLOW_AVX512 (X86_ALLOW_VAES | X86_AVX512_BASE | X86_AVX512_IFMA)

BACKEND(avx, X86_AVX, X86_ALLOW_AVX)
BACKEND(avx2, X86_AVX | X86_AVX2, X86_ALLOW_AVX2)
BACKEND(vaes, X86_AVX | X86_AVX2 | X86_VAES | X86_VPCLMULQDQ, X86_ALLOW_VAES)
BACKEND(avx512, X86_AVX | X86_AVX2 | X86_AVX512_BASE, X86_ALLOW_AVX512)

/* ChaCha. The wide kernels do what is left below their eight or four blocks in narrower forms. */
CHACHA20(avx2, avx2, X86_AVX | X86_AVX2, 0, 0)
CHACHA20(avx, avx, X86_AVX, 0, 0)

/* Poly1305. */
POLY1305(avx2, avx2, X86_AVX | X86_AVX2 | X86_BMI2, 0, 1024)
POLY1305(mulx, avx2, X86_AVX | X86_AVX2 | X86_BMI2, 0, 0)

/* ChaCha20-Poly1305: fused with AVX2, the two in turn with AVX. */
CHACHA20_POLY1305(avx2, avx2, X86_AVX | X86_AVX2 | X86_BMI2, 0, 0)
CHACHA20_POLY1305(avx, avx, X86_AVX, 0, 0)

/*
 * AES-GCM. Their tables differ, so each is a family of its own, and serves all lengths: the wide one
 * is ahead from the first block on (measured on Zen 3).
 */
AES_GCM(vaes, vaes,
        X86_AVX | X86_AVX2 | X86_BMI2 | X86_AES | X86_PCLMULQDQ | X86_VAES | X86_VPCLMULQDQ, 0, 0)
AES_GCM(aesni, avx, X86_AVX | X86_AES | X86_PCLMULQDQ, 0, 0)
