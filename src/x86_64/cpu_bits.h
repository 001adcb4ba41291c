/* SPDX-License-Identifier: MIT */
/* Bits of struct cpu on x86-64. Names are those of the CPUID flags in the Intel and AMD manuals. */
#ifndef AEADFAST_X86_64_CPU_BITS_H
#define AEADFAST_X86_64_CPU_BITS_H

#include <stdint.h>

#define X86_PCLMULQDQ   (UINT64_C(1) << 0)
#define X86_AES         (UINT64_C(1) << 1)
#define X86_AVX         (UINT64_C(1) << 2)
#define X86_BMI1        (UINT64_C(1) << 3)
#define X86_AVX2        (UINT64_C(1) << 4)
#define X86_BMI2        (UINT64_C(1) << 5)
#define X86_ADX         (UINT64_C(1) << 6)
#define X86_VAES        (UINT64_C(1) << 7)
#define X86_VPCLMULQDQ  (UINT64_C(1) << 8)
#define X86_AVX512F     (UINT64_C(1) << 9)
#define X86_AVX512DQ    (UINT64_C(1) << 10)
#define X86_AVX512BW    (UINT64_C(1) << 11)
#define X86_AVX512VL    (UINT64_C(1) << 12)
#define X86_AVX512_IFMA (UINT64_C(1) << 13)

/* Policy: 512-bit registers are worth their price in clock speed. Clear where YMM is preferred. */
#define X86_FAST_ZMM (UINT64_C(1) << 63)

/* What every AVX-512 server and desktop since Skylake-X has; all kernels named avx512 need it. */
#define X86_AVX512_BASE (X86_AVX512F | X86_AVX512DQ | X86_AVX512BW | X86_AVX512VL)

#endif
