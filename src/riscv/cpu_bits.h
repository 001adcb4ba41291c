/* SPDX-License-Identifier: MIT */
/* Bits of struct cpu on 64-bit RISC-V. Names are those of the ratified extensions. */
#ifndef AEADFAST_RISCV_CPU_BITS_H
#define AEADFAST_RISCV_CPU_BITS_H

#include <stdint.h>

#define RISCV_V       (UINT64_C(1) << 0)
#define RISCV_ZBB     (UINT64_C(1) << 1)
#define RISCV_ZVKB    (UINT64_C(1) << 2) /* set by Zvbb too, which includes it */
#define RISCV_ZVKG    (UINT64_C(1) << 3)
#define RISCV_ZVKNED  (UINT64_C(1) << 4)
#define RISCV_VLEN128 (UINT64_C(1) << 5) /* vector registers of at least 128 bits */

/*
 * Policy: vector registers of exactly 32 bytes. ChaCha20 gained from 256-bit vectors on the
 * SpacemiT K1 and lost on the 128-bit ones of the Kendryte K230 at every size; other widths nobody
 * measured.
 */
#define RISCV_VLENB_32 (UINT64_C(1) << 63)

#endif
