/* SPDX-License-Identifier: MIT */
/*
 * What a probe found out about the processor and the operating system. The bits are named in
 * src/<architecture>/cpu_bits.h, and each architecture's cpu.c is the probe.
 */
#ifndef AEADFAST_CPU_H
#define AEADFAST_CPU_H

#include <stddef.h>
#include <stdint.h>

#include "symbol.h"

struct cpu {
    /*
     * Instruction bits, already without those whose registers the system does not save, and policy
     * bits, which say what is worth choosing and not what can run.
     */
    uint64_t bits;
    unsigned vlenb; /* RISC-V: bytes in a vector register; 0 elsewhere and without vectors */
};

struct cpu_bit_name {
    uint64_t bit;
    const char *name;
};

/* From the architecture's cpu.c; without one (a portable build) there is nothing to find. */
#define aeadfast_cpu_probe     AEADFAST_INTERNAL(cpu_probe)
#define aeadfast_cpu_bit_names AEADFAST_INTERNAL(cpu_bit_names)
AEADFAST_HIDDEN struct cpu aeadfast_cpu_probe(void);
AEADFAST_HIDDEN extern const struct cpu_bit_name aeadfast_cpu_bit_names[]; /* ends with bit 0 */

#endif
