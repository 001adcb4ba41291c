/* SPDX-License-Identifier: MIT */
/*
 * Reads src/<architecture>/kernels.h, as often as it is included. Such a file has a line for each
 * backend and for each kernel, the best kernel of an operation first:
 *
 *     BACKEND(name, needs, allows)
 *     CHACHA20(isa, backend, needs, wants, min_len)
 *     POLY1305(isa, backend, needs, wants, min_len)
 *     CHACHA20_POLY1305(isa, backend, needs, wants, min_len)
 *     AES_GCM(isa, backend, needs, wants, min_len)
 *
 * CHACHA20(avx2, ...) is the kernel in chacha20_avx2.c, and likewise the others; the columns are
 * those of struct backend and struct kernel_row in dispatch.h. The reader defines the macros whose
 * lines it wants before it includes this file; all five are undefined afterwards. ARCH_KERNELS may
 * be defined beforehand to read the list of another architecture.
 */

#if !defined(ARCH_KERNELS)
#if defined(AEADFAST_ARCH_X86_64)
#define ARCH_KERNELS "x86_64/kernels.h"
#elif defined(AEADFAST_ARCH_AARCH64)
#define ARCH_KERNELS "aarch64/kernels.h"
#elif defined(AEADFAST_ARCH_RISCV64)
#define ARCH_KERNELS "riscv/kernels.h"
#endif
#endif

#ifndef BACKEND
#define BACKEND(name, needs, allows)
#endif
#ifndef CHACHA20
#define CHACHA20(isa, backend, needs, wants, min_len)
#endif
#ifndef POLY1305
#define POLY1305(isa, backend, needs, wants, min_len)
#endif
#ifndef CHACHA20_POLY1305
#define CHACHA20_POLY1305(isa, backend, needs, wants, min_len)
#endif
#ifndef AES_GCM
#define AES_GCM(isa, backend, needs, wants, min_len)
#endif

#if defined(ARCH_KERNELS)
#include ARCH_KERNELS
#endif

#undef BACKEND
#undef CHACHA20
#undef POLY1305
#undef CHACHA20_POLY1305
#undef AES_GCM
