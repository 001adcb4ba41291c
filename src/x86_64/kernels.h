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

/*
 * ChaCha. The wide kernels do what is left below their 16, 8 or 4 blocks in narrower forms, so each serves
 * all lengths. 512 bits pay from 129 bytes on (Sapphire Rapids: 256 bytes 93 ns, with 256 bits 115; 512
 * bytes 147, 160), and up to there the kernel uses 256.
 */
CHACHA20(avx512, avx512, X86_AVX2 | X86_BMI2 | X86_AVX512_BASE, X86_FAST_ZMM, 0)
CHACHA20(avx512vl, avx512, X86_AVX2 | X86_BMI2 | X86_AVX512_BASE, 0, 0)
CHACHA20(avx2, avx2, X86_AVX | X86_AVX2 | X86_BMI2, 0, 0)
CHACHA20(avx, avx, X86_AVX, 0, 0)

/*
 * Poly1305. Vectors pay once the powers of r are worth computing: with AVX2 from 640 bytes, where MULX
 * takes 1.17 times as long (Zen 3). Of 512 and 576 bytes AVX2 took as long as MULX in some runs and 1.25
 * times in others; a ChaCha20-Poly1305 message in pieces ends with the hash of 528.
 * Without IFMA there is no AVX-512 form: on Cascade Lake one of 32-bit products lost 10 % at 1 to
 * 2 KiB. With it, 13 blocks take 74 ns as 9 and 16 do, by MULX 77 (Sapphire Rapids).
 */
POLY1305(avx512, avx512, X86_AVX2 | X86_BMI2 | X86_AVX512_BASE | X86_AVX512_IFMA, X86_FAST_ZMM, 193)
POLY1305(avx2, avx2, X86_AVX | X86_AVX2 | X86_BMI2, 0, 640)
POLY1305(mulx, avx2, X86_AVX | X86_AVX2 | X86_BMI2, 0, 0)

/*
 * ChaCha20-Poly1305. With AVX2 and AVX-512 fused, with AVX the two in turn. avx512vl_ifma is for
 * processors that have IFMA and prefer 256 bits (Ice Lake, Tiger Lake). avx512 takes one pair of blocks in
 * 256-bit registers too, and is ahead from the second pair on (Sapphire Rapids). They need AVX by name, so that
 * poly1305_avx2 counts as a part of them.
 */
CHACHA20_POLY1305(avx512, avx512, X86_AVX | X86_AVX2 | X86_BMI2 | X86_AVX512_BASE | X86_AVX512_IFMA,
                  X86_FAST_ZMM, 0)
CHACHA20_POLY1305(avx512vl_ifma, avx512,
                  X86_AVX | X86_AVX2 | X86_BMI2 | X86_AVX512_BASE | X86_AVX512_IFMA, 0, 0)
CHACHA20_POLY1305(avx512vl, avx512, X86_AVX | X86_AVX2 | X86_BMI2 | X86_AVX512_BASE, 0, 0)
CHACHA20_POLY1305(avx2, avx2, X86_AVX | X86_AVX2 | X86_BMI2, 0, 0)
CHACHA20_POLY1305(avx, avx, X86_AVX, 0, 0)

/*
 * AES-GCM. Their tables differ, so each is a family of its own, and serves all lengths: the wide one
 * is ahead from the first block on (vaes and aesni: measured on Zen 3). By llvm-mca the loop of
 * avx512 does 512 bytes with AES-128 in 80 cycles (Ice Lake) to 110 (Zen 4). avx512vl is for
 * processors whose clock ZMM lowers. It does 256 bytes in the 80 cycles of vaes on Ice Lake, whose
 * one port for AES binds both, and in 55 instead of 62 where there are two; tails by masks besides.
 */
AES_GCM(avx512, avx512,
        X86_AVX2 | X86_BMI2 | X86_AES | X86_PCLMULQDQ | X86_VAES | X86_VPCLMULQDQ | X86_AVX512_BASE,
        X86_FAST_ZMM, 0)
AES_GCM(avx512vl, avx512,
        X86_AVX2 | X86_BMI2 | X86_AES | X86_PCLMULQDQ | X86_VAES | X86_VPCLMULQDQ | X86_AVX512_BASE,
        0, 0)
AES_GCM(vaes, vaes,
        X86_AVX | X86_AVX2 | X86_BMI2 | X86_AES | X86_PCLMULQDQ | X86_VAES | X86_VPCLMULQDQ, 0, 0)
AES_GCM(aesni, avx, X86_AVX | X86_AES | X86_PCLMULQDQ, 0, 0)
