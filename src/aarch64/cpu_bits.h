/* SPDX-License-Identifier: MIT */
/* Bits of struct cpu on AArch64. Names are those of the architecture's features (FEAT_...). */
#ifndef AEADFAST_AARCH64_CPU_BITS_H
#define AEADFAST_AARCH64_CPU_BITS_H

#include <stdint.h>

#define ARM_ASIMD (UINT64_C(1) << 0)
#define ARM_AES   (UINT64_C(1) << 1)
#define ARM_PMULL (UINT64_C(1) << 2)
#define ARM_SHA3  (UINT64_C(1) << 3) /* its EOR3 is what is wanted */

#endif
