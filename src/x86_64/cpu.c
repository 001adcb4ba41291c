/* SPDX-License-Identifier: MIT */
/*
 * The x86-64 probe: CPUID for what the processor has, XGETBV for the registers that the operating
 * system saves (Intel SDM volume 1, chapters 13 and 14.3; AMD APM volume 3, appendix E).
 * Hypervisors do show AVX-512 in CPUID to guests that cannot use it, so neither question replaces
 * the other.
 */
#include "../cpu.h"
#include "cpu_bits.h"

#if defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#include <intrin.h>
#else
#include <cpuid.h>
#endif

struct cpuid_registers {
    uint32_t eax;
    uint32_t ebx;
    uint32_t ecx;
    uint32_t edx;
};

static struct cpuid_registers cpuid(uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_registers r;
#if defined(_MSC_VER) && !defined(__clang__)
    int out[4];

    __cpuidex(out, (int)leaf, (int)subleaf);
    r.eax = (uint32_t)out[0];
    r.ebx = (uint32_t)out[1];
    r.ecx = (uint32_t)out[2];
    r.edx = (uint32_t)out[3];
#else
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
#endif
    return r;
}

/* XCR0: a bit for each register file that the system saves. Faults unless OSXSAVE is set. */
static uint64_t xgetbv0(void)
{
#if defined(_MSC_VER) && !defined(__clang__)
    return _xgetbv(0);
#else
    uint32_t low;
    uint32_t high;

    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
#endif
}

#define XCR0_YMM 0x06 /* SSE and AVX state */
#define XCR0_ZMM 0xe6 /* these, the mask registers, and both parts of the ZMM registers */

static uint64_t bit_if(uint32_t reg, unsigned position, uint64_t bit)
{
    return (reg >> position & 1) != 0 ? bit : 0;
}

/*
 * Intel's Skylake-X, Cascade Lake and Cooper Lake (model 0x55), Ice Lake (0x6a, 0x6c, 0x7d, 0x7e,
 * 0x9d) and Tiger Lake (0x8c, 0x8d) lower the clock of the core, and with it all that runs there,
 * for a while after 512-bit instructions. Rocket Lake, Sapphire Rapids and later, and AMD, do not.
 */
static int prefers_ymm(struct cpuid_registers leaf0, struct cpuid_registers leaf1)
{
    int intel = leaf0.ebx == 0x756e6547 && leaf0.edx == 0x49656e69 && leaf0.ecx == 0x6c65746e;
    uint32_t family = leaf1.eax >> 8 & 0xf;
    uint32_t model = (leaf1.eax >> 4 & 0xf) | (leaf1.eax >> 12 & 0xf0);

    if (!intel || family != 6) {
        return 0;
    }
    switch (model) {
    case 0x55:
    case 0x6a:
    case 0x6c:
    case 0x7d:
    case 0x7e:
    case 0x8c:
    case 0x8d:
    case 0x9d:
        return 1;
    default:
        return 0;
    }
}

struct cpu aeadfast_cpu_probe(void)
{
    struct cpu cpu = {0, 0};
    struct cpuid_registers leaf0 = cpuid(0, 0);
    struct cpuid_registers leaf1 = {0, 0, 0, 0};
    struct cpuid_registers leaf7 = {0, 0, 0, 0};
    uint64_t xcr0 = 0;

    if (leaf0.eax >= 1) {
        leaf1 = cpuid(1, 0);
    }
    if (leaf0.eax >= 7) {
        leaf7 = cpuid(7, 0);
    }
    if ((leaf1.ecx >> 27 & 1) != 0) { /* OSXSAVE */
        xcr0 = xgetbv0();
    }

    cpu.bits |= bit_if(leaf1.ecx, 1, X86_PCLMULQDQ);
    cpu.bits |= bit_if(leaf1.ecx, 25, X86_AES);
    cpu.bits |= bit_if(leaf7.ebx, 3, X86_BMI1);
    cpu.bits |= bit_if(leaf7.ebx, 8, X86_BMI2);
    cpu.bits |= bit_if(leaf7.ebx, 19, X86_ADX);

    if ((xcr0 & XCR0_YMM) != XCR0_YMM || (leaf1.ecx >> 28 & 1) == 0) {
        return cpu; /* no AVX: then nothing that builds on it either, whatever CPUID shows */
    }
    cpu.bits |= X86_AVX;
    cpu.bits |= bit_if(leaf7.ebx, 5, X86_AVX2);
    cpu.bits |= bit_if(leaf7.ecx, 9, X86_VAES);
    cpu.bits |= bit_if(leaf7.ecx, 10, X86_VPCLMULQDQ);

#if !defined(__APPLE__)
    /* AVX-512 on 128- and 256-bit registers needs the ZMM state too. Darwin switches that state on
     * at first use, behind XCR0's back, so there is no safe answer there but no. */
    if ((xcr0 & XCR0_ZMM) == XCR0_ZMM && (leaf7.ebx >> 16 & 1) != 0) {
        cpu.bits |= X86_AVX512F;
        cpu.bits |= bit_if(leaf7.ebx, 17, X86_AVX512DQ);
        cpu.bits |= bit_if(leaf7.ebx, 21, X86_AVX512_IFMA);
        cpu.bits |= bit_if(leaf7.ebx, 30, X86_AVX512BW);
        cpu.bits |= bit_if(leaf7.ebx, 31, X86_AVX512VL);
        if (!prefers_ymm(leaf0, leaf1)) {
            cpu.bits |= X86_FAST_ZMM;
        }
    }
#else
    (void)prefers_ymm;
#endif
    return cpu;
}

const struct cpu_bit_name aeadfast_cpu_bit_names[] = {
    {X86_PCLMULQDQ, "pclmulqdq"},
    {X86_AES, "aes"},
    {X86_AVX, "avx"},
    {X86_BMI1, "bmi1"},
    {X86_AVX2, "avx2"},
    {X86_BMI2, "bmi2"},
    {X86_ADX, "adx"},
    {X86_VAES, "vaes"},
    {X86_VPCLMULQDQ, "vpclmulqdq"},
    {X86_AVX512F, "avx512f"},
    {X86_AVX512DQ, "avx512dq"},
    {X86_AVX512BW, "avx512bw"},
    {X86_AVX512VL, "avx512vl"},
    {X86_AVX512_IFMA, "avx512_ifma"},
    {X86_FAST_ZMM, "fast_zmm"},
    {0, NULL},
};
