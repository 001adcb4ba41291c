/* SPDX-License-Identifier: MIT */
/*
 * The 64-bit RISC-V probe, in the order in which each question becomes safe to ask:
 *
 *   1. riscv_hwprobe, a system call of Linux 6.4; where the kernel does not know it, the 'V' bit of
 *      the auxiliary vector (vector crypto cannot be learnt that way);
 *   2. prctl, whether vectors are switched off for this process;
 *   3. only if V is there: vsetvli with the tail-agnostic and mask-agnostic bits of version 1.0,
 *      and whether vtype came out illegal. Chips with vectors of the draft 0.7.1, whose kernels may
 *      show V too, fail this;
 *   4. only if it is legal: vlenb, the width of a register.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "../cpu.h"
#include "cpu_bits.h"

#if defined(__linux__)

#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HWPROBE_SYSCALL          258L
#define HWPROBE_KEY_IMA_EXT_0    4
#define HWPROBE_IMA_V            (UINT64_C(1) << 2)
#define HWPROBE_EXT_ZBB          (UINT64_C(1) << 4)
#define HWPROBE_EXT_ZVBB         (UINT64_C(1) << 17)
#define HWPROBE_EXT_ZVKB         (UINT64_C(1) << 19)
#define HWPROBE_EXT_ZVKG         (UINT64_C(1) << 20)
#define HWPROBE_EXT_ZVKNED       (UINT64_C(1) << 21)

#define HWCAP_BIT_V              (1UL << ('V' - 'A'))

#define PRCTL_VECTOR_GET_CONTROL 70
#define PRCTL_VECTOR_MASK        3
#define PRCTL_VECTOR_OFF         1

struct hwprobe_pair {
    int64_t key;
    uint64_t value;
};

static uint64_t system_bits(void)
{
    struct hwprobe_pair pair = {HWPROBE_KEY_IMA_EXT_0, 0};
    uint64_t bits = 0;

    if (syscall(HWPROBE_SYSCALL, &pair, (size_t)1, (size_t)0, NULL, 0U) == 0 && pair.key >= 0) {
        bits |= (pair.value & HWPROBE_IMA_V) != 0 ? RISCV_V : 0;
        bits |= (pair.value & HWPROBE_EXT_ZBB) != 0 ? RISCV_ZBB : 0;
        bits |= (pair.value & (HWPROBE_EXT_ZVBB | HWPROBE_EXT_ZVKB)) != 0 ? RISCV_ZVKB : 0;
        bits |= (pair.value & HWPROBE_EXT_ZVKG) != 0 ? RISCV_ZVKG : 0;
        bits |= (pair.value & HWPROBE_EXT_ZVKNED) != 0 ? RISCV_ZVKNED : 0;
    } else if ((getauxval(AT_HWCAP) & HWCAP_BIT_V) != 0) {
        bits |= RISCV_V;
    }
    return bits;
}

static int vectors_switched_off(void)
{
    int control = prctl(PRCTL_VECTOR_GET_CONTROL);

    return control >= 0 && (control & PRCTL_VECTOR_MASK) == PRCTL_VECTOR_OFF;
}

/*
 * vsetvli t0, zero, e8, m1, ta, ma, then csrr of vtype; of vlenb only if that is legal, because the
 * draft has no such register. As numbers, because assemblers refuse the names unless the whole file
 * is compiled for vectors, which a probe must not be.
 */
static unsigned version_1_vlenb(void)
{
    uint64_t vtype;
    uint64_t vlenb;

    __asm__ volatile(".word 0x0c0072d7\n\t"
                     "csrr %0, 0xc21"
                     : "=r"(vtype)
                     :
                     : "t0");
    if (vtype >> 63 != 0) { /* vill */
        return 0;
    }
    __asm__ volatile("csrr %0, 0xc22" : "=r"(vlenb));
    return (unsigned)vlenb;
}

struct cpu aeadfast_cpu_probe(void)
{
    const uint64_t vector_bits = RISCV_V | RISCV_ZVKB | RISCV_ZVKG | RISCV_ZVKNED;
    struct cpu cpu = {system_bits(), 0};

    if ((cpu.bits & RISCV_V) != 0 && !vectors_switched_off()) {
        cpu.vlenb = version_1_vlenb();
    }
    if (cpu.vlenb == 0) {
        cpu.bits &= ~vector_bits;
    }
    if (cpu.vlenb >= 16) {
        cpu.bits |= RISCV_VLEN128;
    }
    if (cpu.vlenb == 32) {
        cpu.bits |= RISCV_VLENB_32;
    }
    return cpu;
}

#else

struct cpu aeadfast_cpu_probe(void)
{
    struct cpu cpu = {0, 0}; /* nobody to ask: portable kernels */

    return cpu;
}

#endif

const struct cpu_bit_name aeadfast_cpu_bit_names[] = {
    {RISCV_V, "v"},
    {RISCV_ZBB, "zbb"},
    {RISCV_ZVKB, "zvkb"},
    {RISCV_ZVKG, "zvkg"},
    {RISCV_ZVKNED, "zvkned"},
    {RISCV_VLEN128, "vlen128"},
    {RISCV_VLENB_32, "vlenb_32"},
    {0, NULL},
};
