/* SPDX-License-Identifier: MIT */
/*
 * The AArch64 probe. The ID registers cannot be read everywhere by user programs, so each system is
 * asked in its own way: the auxiliary vector (Linux, FreeBSD), sysctl (Darwin),
 * IsProcessorFeaturePresent (Windows). NEON and the crypto extension are separate questions: the
 * Raspberry Pi 4 and earlier have no AES instructions.
 */
#include "../cpu.h"
#include "cpu_bits.h"

#if defined(__linux__) || defined(__FreeBSD__)

#include <sys/auxv.h>

/* HWCAP bits of the Linux arm64 ABI, which FreeBSD shares. */
#define HWCAP_BIT_ASIMD (1UL << 1)
#define HWCAP_BIT_AES   (1UL << 3)
#define HWCAP_BIT_PMULL (1UL << 4)
#define HWCAP_BIT_SHA3  (1UL << 17)

struct cpu aeadfast_cpu_probe(void)
{
    struct cpu cpu = {0, 0};
    unsigned long hwcap = 0;

#if defined(__linux__)
    hwcap = getauxval(AT_HWCAP);
#else
    if (elf_aux_info(AT_HWCAP, &hwcap, (int)sizeof(hwcap)) != 0) {
        hwcap = 0;
    }
#endif
    cpu.bits |= (hwcap & HWCAP_BIT_ASIMD) != 0 ? ARM_ASIMD : 0;
    cpu.bits |= (hwcap & HWCAP_BIT_AES) != 0 ? ARM_AES : 0;
    cpu.bits |= (hwcap & HWCAP_BIT_PMULL) != 0 ? ARM_PMULL : 0;
    cpu.bits |= (hwcap & HWCAP_BIT_SHA3) != 0 ? ARM_SHA3 : 0;
    return cpu;
}

#elif defined(__APPLE__)

#include <sys/sysctl.h>

static uint64_t bit_if(const char *name, uint64_t bit)
{
    int value = 0;
    size_t size = sizeof(value);

    /* A name that the system does not know is a feature that it does not vouch for. */
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0 ? bit : 0;
}

struct cpu aeadfast_cpu_probe(void)
{
    struct cpu cpu = {ARM_ASIMD, 0}; /* part of Apple's ABI */

    cpu.bits |= bit_if("hw.optional.arm.FEAT_AES", ARM_AES);
    cpu.bits |= bit_if("hw.optional.arm.FEAT_PMULL", ARM_PMULL);
    cpu.bits |= bit_if("hw.optional.arm.FEAT_SHA3", ARM_SHA3);
    return cpu;
}

#elif defined(_WIN32)

#include <windows.h>

/* Not in every SDK; a Windows that does not know a number answers no. */
#ifndef PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE
#define PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE 30
#endif
#ifndef PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE
#define PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE 64
#endif

struct cpu aeadfast_cpu_probe(void)
{
    struct cpu cpu = {ARM_ASIMD, 0}; /* part of Windows' ABI */

    if (IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE)) {
        cpu.bits |= ARM_AES | ARM_PMULL;
    }
    if (IsProcessorFeaturePresent(PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE)) {
        cpu.bits |= ARM_SHA3;
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
    {ARM_ASIMD, "asimd"}, {ARM_AES, "aes"}, {ARM_PMULL, "pmull"}, {ARM_SHA3, "sha3"}, {0, NULL},
};
