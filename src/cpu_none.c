/* SPDX-License-Identifier: MIT */
/* The probe of a build that has portable kernels only: there is nothing to ask. */
#include "cpu.h"

#if !defined(AEADFAST_ARCH_X86_64) && !defined(AEADFAST_ARCH_AARCH64) &&                           \
    !defined(AEADFAST_ARCH_RISCV64)

struct cpu aeadfast_cpu_probe(void)
{
    struct cpu cpu = {0, 0};

    return cpu;
}

const struct cpu_bit_name aeadfast_cpu_bit_names[] = {{0, NULL}};

#endif
