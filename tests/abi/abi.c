/* SPDX-License-Identifier: MIT */
#include "abi.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__riscv)
#include "dispatch.h"
#include "riscv/cpu_bits.h"
#endif

static _Alignas(64) uint8_t stack[ABI_STACK + ABI_CANARY];

/* ---- What each convention has ---- */

#if defined(__x86_64__) && defined(_WIN32)
static const char *const kept_names[] = {
    "rbx",   "rbp",   "rdi",   "rsi",   "r12",   "r13",   "r14",   "r15",   "xmm6",  "xmm6",
    "xmm7",  "xmm7",  "xmm8",  "xmm8",  "xmm9",  "xmm9",  "xmm10", "xmm10", "xmm11", "xmm11",
    "xmm12", "xmm12", "xmm13", "xmm13", "xmm14", "xmm14", "xmm15", "xmm15"};
enum { ARGUMENTS = 6 * 8 + 32 };
#elif defined(__x86_64__)
static const char *const kept_names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
enum { ARGUMENTS = 4 * 8 };
#elif defined(__aarch64__)
static const char *const kept_names[] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25",
                                         "x26", "x27", "x28", "x29", "d8",  "d9",  "d10",
                                         "d11", "d12", "d13", "d14", "d15"};
enum { ARGUMENTS = 2 * 8 };
#elif defined(__riscv)
static const char *const kept_names[] = {"s0",  "s1",  "s2",  "s3",  "s4",  "s5",  "s6",   "s7",
                                         "s8",  "s9",  "s10", "s11", "fs0", "fs1", "fs2",  "fs3",
                                         "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11"};
enum { ARGUMENTS = 2 * 8 };
#endif

#define KEPT (sizeof kept_names / sizeof kept_names[0])
_Static_assert(KEPT < ABI_KEPT, "no room for all registers");

#if defined(__x86_64__)

uint64_t abi_vectors(void)
{
    uint64_t vectors = 0;
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t d;
    uint32_t xcr0;

    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c >> 27 & 1) == 0) {
        return 0;
    }
    __asm__ volatile("xgetbv" : "=a"(xcr0), "=d"(d) : "c"(0));
    if ((xcr0 & 6) == 6 && (c >> 28 & 1) != 0) {
        vectors |= ABI_AVX;
    }
    if ((xcr0 & 0xe6) == 0xe6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
        (b >> 16 & 1) != 0) {
        vectors |= ABI_AVX512;
    }
    if (__get_cpuid_count(13, 1, &a, &b, &c, &d) != 0 && (a >> 2 & 1) != 0) {
        vectors |= ABI_XINUSE;
    }
    return vectors;
}

/*
 * Beyond XMM, a register's content must be 0 where it was: VZEROUPPER at the end of a kernel sees to
 * that. Without it, SSE code that runs afterwards is slow on many processors. XINUSE tells the same
 * of the state itself, even where what is in it happens to be 0.
 */
static int upper_halves_used(const struct abi_call *call)
{
    if ((call->vectors & ABI_AVX) == 0 || (call->vectors & ABI_DIRTY) != 0) {
        return 0;
    }
    for (int i = 0; i < 16; i++) {
        for (int j = 16; j < 64; j++) {
            if (call->registers[i][j] != 0) {
                return 1;
            }
        }
    }
    return (call->vectors & ABI_XINUSE) != 0 && (call->control[4] & 4) != 0;
}

static const char *control_complaint(const struct abi_call *call)
{
    if ((call->control[0] & 0x400) != 0) {
        return "direction flag";
    }
    if ((call->control[1] & 0xffc0) != 0xdf80) { /* the lowest 6 bits tell of results */
        return "MXCSR";
    }
    if ((call->control[2] & 0xf3f) != 0x73f) {
        return "x87 control word";
    }
    if (call->control[3] != 0xffff) {
        return "x87 stack";
    }
    return upper_halves_used(call) ? "upper halves" : NULL;
}

#elif defined(__aarch64__)

uint64_t abi_vectors(void)
{
    return 0;
}

static const char *control_complaint(const struct abi_call *call)
{
    return call->control[0] != 0xc00000 ? "FPCR" : NULL;
}

#elif defined(__riscv)

uint64_t abi_vectors(void)
{
    struct cpu cpu = aeadfast_cpu_probe();

    return (cpu.bits & RISCV_V) != 0 ? ABI_RVV : 0;
}

static const char *control_complaint(const struct abi_call *call)
{
    if (call->control[0] != 1) {
        return "rounding mode";
    }
    if ((call->vectors & ABI_RVV) == 0) {
        return NULL;
    }
    if (call->control[1] != 0) {
        return "vstart";
    }
    return call->control[2] >> 63 != 0 ? "vtype" : NULL; /* vill */
}

#endif

/* ---- The same for all ---- */

static uint8_t canary(size_t i)
{
    return (uint8_t)(0x6d + 31 * i);
}

const uint8_t *abi_stack(void)
{
    return stack;
}

size_t abi_stack_top(const struct abi_call *call)
{
    return (size_t)(call->stack - stack) - ARGUMENTS;
}

void abi_run(struct abi_call *call, uint8_t fill, size_t lower)
{
    call->stack = stack + ABI_STACK - lower;
    memset(stack, fill, ABI_STACK - lower);
    for (size_t i = ABI_STACK - lower; i < sizeof stack; i++) {
        stack[i] = canary(i);
    }
    memset(call->kept, 0, sizeof call->kept);
    memset(call->control, 0, sizeof call->control);
    memset(call->registers, 0, sizeof call->registers);
    for (size_t i = 0; i < ABI_KEPT; i++) {
        call->poison[i] = UINT64_C(0x9e3779b97f4a7c15) * (2 * i + 3);
    }
    abi_trampoline(call);
}

const char *abi_complaint(const struct abi_call *call)
{
    for (size_t i = 0; i < KEPT; i++) {
        if (call->kept[i] != call->poison[i]) {
            return kept_names[i];
        }
    }
    if (call->kept[KEPT] != 0) {
        return "stack pointer";
    }
    for (size_t i = (size_t)(call->stack - stack); i < sizeof stack; i++) {
        if (stack[i] != canary(i)) {
            return "above the arguments";
        }
    }
    return control_complaint(call);
}
