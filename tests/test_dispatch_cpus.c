/* SPDX-License-Identifier: MIT */
/*
 * Which kernel processors would get that are not the one this runs on, of all architectures: the
 * real kernel lists, made-up processors. Prints what each gets. What must hold for any row that may
 * ever be added is checked for all of them; what the project's measurements say about a certain
 * processor stands in the table `facts`, one line each, and a new row may well deserve one; what each
 * gets in all is in dispatch_table.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "aarch64/cpu_bits.h"
#include "dispatch.h"
#include "dispatch_table.h"
#include "riscv/cpu_bits.h"
#include "support/check.h"
#include "x86_64/cpu_bits.h"

#undef ARCH_KERNELS
#define ARCH         x86
#define ARCH_KERNELS "x86_64/kernels.h"
#include "arch_lists.h"

#define ARCH         arm
#define ARCH_KERNELS "aarch64/kernels.h"
#include "arch_lists.h"

#define ARCH         riscv64
#define ARCH_KERNELS "riscv/kernels.h"
#include "arch_lists.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct architecture {
    const char *name;
    const struct kernel_list *lists;
    const struct backend *backends;
    size_t backend_count;
    uint64_t policy; /* bits that say nothing about what can run */
} architectures[] = {
    {"x86-64", x86_lists, x86_backends, COUNT(x86_backends), X86_FAST_ZMM},
    {"AArch64", arm_lists, arm_backends, COUNT(arm_backends), 0},
    {"RISC-V", riscv64_lists, riscv64_backends, COUNT(riscv64_backends), RISCV_VLENB_32},
};

enum { X86, ARM, RISCV };

/* ---- Processors ---- */

#define X86_WESTMERE     (X86_AES | X86_PCLMULQDQ)
#define X86_SANDY_BRIDGE (X86_WESTMERE | X86_AVX)
#define X86_HASWELL      (X86_SANDY_BRIDGE | X86_AVX2 | X86_BMI1 | X86_BMI2)
#define X86_BROADWELL    (X86_HASWELL | X86_ADX)
#define X86_SKYLAKE_X    (X86_BROADWELL | X86_AVX512_BASE)
#define X86_ICE_LAKE     (X86_SKYLAKE_X | X86_AVX512_IFMA | X86_VAES | X86_VPCLMULQDQ)
#define RISCV_VECTORS    (RISCV_V | RISCV_VLEN128)

static const struct processor {
    int arch;
    const char *name;
    struct cpu cpu;
} processors[] = {
    {X86, "first x86-64", {0, 0}},
    {X86, "Westmere (AES, no AVX)", {X86_WESTMERE, 0}},
    {X86, "Sandy Bridge (AVX, no AVX2)", {X86_SANDY_BRIDGE, 0}},
    {X86, "Haswell (AVX2, no ADX)", {X86_HASWELL, 0}},
    {X86, "Broadwell", {X86_BROADWELL, 0}},
    {X86, "Skylake-X (slow ZMM)", {X86_SKYLAKE_X, 0}},
    {X86, "Cascade Lake (slow ZMM, no IFMA)", {X86_SKYLAKE_X, 0}},
    {X86, "Cannon Lake (IFMA, no VAES)", {X86_SKYLAKE_X | X86_AVX512_IFMA | X86_FAST_ZMM, 0}},
    {X86, "Ice Lake (slow ZMM, IFMA, VAES)", {X86_ICE_LAKE, 0}},
    {X86, "Tiger Lake (slow ZMM)", {X86_ICE_LAKE, 0}},
    {X86, "Rocket Lake (fast ZMM)", {X86_ICE_LAKE | X86_FAST_ZMM, 0}},
    {X86, "Sapphire Rapids (fast ZMM)", {X86_ICE_LAKE | X86_FAST_ZMM, 0}},
    {X86, "Zen 2", {X86_BROADWELL, 0}},
    {X86, "Zen 3 (VAES, no AVX-512)", {X86_BROADWELL | X86_VAES | X86_VPCLMULQDQ, 0}},
    {X86, "Zen 4 (fast ZMM)", {X86_ICE_LAKE | X86_FAST_ZMM, 0}},
    /* CPUID may show what it likes: without OSXSAVE the probe lets through what needs no YMM */
    {X86, "hypervisor that hides XSAVE", {X86_WESTMERE | X86_BMI1 | X86_BMI2 | X86_ADX, 0}},
    {X86, "hypervisor that saves no ZMM", {X86_BROADWELL | X86_VAES | X86_VPCLMULQDQ, 0}},
    {X86, "emulator with AVX2 but no PCLMULQDQ", {X86_BROADWELL & ~X86_PCLMULQDQ, 0}},
    {X86, "AVX2 without AES", {X86_BROADWELL & ~X86_WESTMERE, 0}},
    {X86, "AVX2 without BMI2", {X86_BROADWELL & ~X86_BMI2, 0}},
    {X86, "AVX-512 without BMI2", {(X86_ICE_LAKE | X86_FAST_ZMM) & ~X86_BMI2, 0}},
    {X86, "AVX-512 without AVX2", {(X86_ICE_LAKE | X86_FAST_ZMM) & ~X86_AVX2, 0}},
    {X86, "AVX-512 without VAES", {(X86_ICE_LAKE | X86_FAST_ZMM) & ~X86_VAES, 0}},
    {X86, "AVX-512 without VPCLMULQDQ", {(X86_ICE_LAKE | X86_FAST_ZMM) & ~X86_VPCLMULQDQ, 0}},
    {X86, "AVX-512 without AES", {(X86_ICE_LAKE | X86_FAST_ZMM) & ~X86_AES, 0}},

    {ARM, "Cortex-A72 without AES (Raspberry Pi 4)", {ARM_ASIMD, 0}},
    {ARM, "Cortex-A72 with AES", {ARM_ASIMD | ARM_AES | ARM_PMULL, 0}},
    {ARM, "Neoverse N1", {ARM_ASIMD | ARM_AES | ARM_PMULL, 0}},
    {ARM, "Neoverse V1 (EOR3)", {ARM_ASIMD | ARM_AES | ARM_PMULL | ARM_SHA3, 0}},
    {ARM, "Neoverse V2", {ARM_ASIMD | ARM_AES | ARM_PMULL | ARM_SHA3, 0}},
    {ARM, "Apple M1", {ARM_ASIMD | ARM_AES | ARM_PMULL | ARM_SHA3, 0}},
    {ARM, "AES without PMULL", {ARM_ASIMD | ARM_AES, 0}},
    {ARM, "no SIMD", {0, 0}},

    {RISCV, "no vectors", {0, 0}},
    {RISCV, "no vectors, Zbb", {RISCV_ZBB, 0}},
    /* draft vectors: the probe finds vtype.vill set and takes everything of vectors back */
    {RISCV, "vectors of the draft 0.7.1", {0, 0}},
    {RISCV, "K230 (vlenb 16)", {RISCV_VECTORS | RISCV_ZBB, 16}},
    {RISCV, "BananaPi F3 (vlenb 32)", {RISCV_VECTORS | RISCV_ZBB | RISCV_VLENB_32, 32}},
    {RISCV, "vlenb 64", {RISCV_VECTORS | RISCV_ZBB, 64}},
    {RISCV, "vlenb 8", {RISCV_V | RISCV_ZBB, 8}},
    {RISCV, "Zvkned without Zvkg", {RISCV_VECTORS | RISCV_ZBB | RISCV_ZVKB | RISCV_ZVKNED, 16}},
    {RISCV,
     "vector crypto, vlenb 16",
     {RISCV_VECTORS | RISCV_ZBB | RISCV_ZVKB | RISCV_ZVKG | RISCV_ZVKNED, 16}},
    {RISCV,
     "vector crypto, vlenb 32",
     {RISCV_VECTORS | RISCV_ZBB | RISCV_ZVKB | RISCV_ZVKG | RISCV_ZVKNED | RISCV_VLENB_32, 32}},
    {RISCV,
     "vector crypto, vlenb 1024",
     {RISCV_VECTORS | RISCV_ZBB | RISCV_ZVKB | RISCV_ZVKG | RISCV_ZVKNED, 1024}},
};

/* ---- What is known of some of them ---- */

enum { ANY_OP = -1 };

static const size_t any_length[] = {
    0,   1,   16,  64,  191,  192,  193,  255,  256,  257,   447,   448,
    449, 511, 512, 513, 1023, 1024, 1025, 1350, 4096, 16384, 65536, 1 << 20,
};

static const struct fact {
    const char *processor; /* the beginning of its name */
    int op;
    size_t from; /* lengths */
    size_t to;
    const char *row;     /* the row that it gets; NULL: any but ... */
    const char *backend; /* ... those of this backend */
} facts[] = {
    {"first x86-64", ANY_OP, 0, SIZE_MAX, "portable", NULL},
    {"no vectors", ANY_OP, 0, SIZE_MAX, "portable", NULL},
    {"vectors of the draft", ANY_OP, 0, SIZE_MAX, "portable", NULL},
    {"no SIMD", ANY_OP, 0, SIZE_MAX, "portable", NULL},
    /* a SIGILL in the field, more than once: XSAVE hidden, AVX shown */
    {"hypervisor that hides", ANY_OP, 0, SIZE_MAX, NULL, "avx"},
    {"hypervisor that hides", ANY_OP, 0, SIZE_MAX, NULL, "avx2"},
    {"hypervisor that hides", ANY_OP, 0, SIZE_MAX, NULL, "vaes"},
    {"hypervisor that hides", ANY_OP, 0, SIZE_MAX, NULL, "avx512"},
    {"hypervisor that saves no ZMM", ANY_OP, 0, SIZE_MAX, NULL, "avx512"},
    {"Zen 3", ANY_OP, 0, SIZE_MAX, NULL, "avx512"},
    /* without IFMA the AVX-512 form of Poly1305 lost 10 % at 1 to 2 KiB */
    {"Cascade Lake", AEADFAST_OP_POLY1305, 0, SIZE_MAX, NULL, "avx512"},
    {"Skylake-X", AEADFAST_OP_POLY1305, 0, SIZE_MAX, NULL, "avx512"},
    /*
     * ChaCha20 on a Xeon 8167M: of 256 bytes, AVX2 1.82 M/s and 512-bit registers, by sixteen blocks
     * only, 1.18 M/s; of 1024, 0.75 and 1.00. By four blocks Sapphire Rapids gains from 129 bytes on.
     */
    {"Sapphire Rapids", AEADFAST_OP_CHACHA20, 0, SIZE_MAX, "avx512", NULL},
    {"Zen 4", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, "avx512", NULL},
    {"Skylake-X", AEADFAST_OP_CHACHA20, 0, SIZE_MAX, "avx512vl", NULL},
    {"Skylake-X", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, "avx512vl", NULL},
    {"Ice Lake", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, "avx512vl_ifma", NULL},
    {"Zen 3", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, "avx2", NULL},
    /* AES-GCM needs VAES at any width, and 512 bits only where they do not slow the clock */
    {"Ice Lake", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "avx512vl", NULL},
    {"Tiger Lake", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "avx512vl", NULL},
    {"Rocket Lake", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "avx512", NULL},
    {"Sapphire Rapids", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "avx512", NULL},
    {"Zen 4", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "avx512", NULL},
    {"Skylake-X", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "aesni", NULL},
    {"Cannon Lake", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "aesni", NULL},
    {"hypervisor that saves no ZMM", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "vaes", NULL},
    {"Zen 3", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "vaes", NULL},
    {"Haswell", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, "avx2", NULL},
    {"Haswell", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "aesni", NULL},
    {"Sandy Bridge", AEADFAST_OP_CHACHA20, 0, SIZE_MAX, "avx", NULL},
    {"Westmere", ANY_OP, 0, SIZE_MAX, "portable", NULL},
    {"AVX2 without AES", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "portable", NULL},
    {"Cortex-A72 without AES", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "neon", NULL},
    {"Cortex-A72 with AES", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "neon_aes", NULL},
    {"AES without PMULL", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "neon", NULL},
    {"Neoverse N1", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "neon_aes", NULL},
    {"Neoverse V1", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "neon_aes_sha3", NULL},
    {"Neoverse V2", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "neon_aes_sha3", NULL},
    {"Apple M1", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "neon_aes_sha3", NULL},
    /* NEON needs no AES, and pays from the first block on */
    {"Cortex-A72", AEADFAST_OP_CHACHA20, 0, SIZE_MAX, "neon", NULL},
    {"Neoverse", AEADFAST_OP_CHACHA20, 0, SIZE_MAX, "neon", NULL},
    {"Neoverse", AEADFAST_OP_POLY1305, 0, SIZE_MAX, "neon", NULL},
    {"Cortex-A72", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, "neon", NULL},
    /* ChaCha20 with vectors: vlenb 16 loses at every size, vlenb 32 at 256 bytes */
    {"K230", AEADFAST_OP_CHACHA20, 0, SIZE_MAX, NULL, "rvv"},
    {"K230", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, NULL, "rvv"},
    {"BananaPi", AEADFAST_OP_CHACHA20, 0, 511, "portable", NULL},
    {"BananaPi", AEADFAST_OP_CHACHA20, 512, SIZE_MAX, "rvv", NULL},
    {"BananaPi", AEADFAST_OP_CHACHA20_POLY1305, 0, 447, "portable", NULL},
    {"BananaPi", AEADFAST_OP_CHACHA20_POLY1305, 448, SIZE_MAX, "rvv", NULL},
    {"K230", AEADFAST_OP_POLY1305, 0, SIZE_MAX, "portable", NULL},
    {"BananaPi", AEADFAST_OP_POLY1305, 0, 255, "portable", NULL},
    {"BananaPi", AEADFAST_OP_POLY1305, 256, SIZE_MAX, "rvv", NULL},
    {"vlenb 64", AEADFAST_OP_CHACHA20, 0, SIZE_MAX, NULL, "rvv"},
    {"vlenb 64", AEADFAST_OP_CHACHA20_POLY1305, 0, SIZE_MAX, NULL, "rvv"},
    {"vector crypto", AEADFAST_OP_CHACHA20, 0, 255, "portable", NULL},
    {"vector crypto", AEADFAST_OP_CHACHA20, 256, SIZE_MAX, "rvv_zvkb", NULL},
    {"vector crypto", AEADFAST_OP_CHACHA20_POLY1305, 0, 191, "portable", NULL},
    {"vector crypto", AEADFAST_OP_CHACHA20_POLY1305, 192, SIZE_MAX, "rvv_zvkb", NULL},
    {"vlenb 8", ANY_OP, 0, SIZE_MAX, "portable", NULL},
    {"K230", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "portable", NULL},
    {"BananaPi", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "portable", NULL},
    {"Zvkned without Zvkg", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "portable", NULL},
    {"vector crypto", AEADFAST_OP_AES_GCM, 0, SIZE_MAX, "zvk", NULL},
};

static const struct kernel_row *selected(const struct processor *p, int op,
                                         const struct backend *forced, size_t len)
{
    const struct kernel_list *list = &architectures[p->arch].lists[op];

    return &list->rows[aeadfast_select(list, &p->cpu, forced, len)];
}

static void test_facts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(facts); i++) {
        const struct fact *fact = &facts[i];
        size_t checked = 0;

        for (size_t j = 0; j < COUNT(processors); j++) {
            const struct processor *p = &processors[j];

            if (strncmp(p->name, fact->processor, strlen(fact->processor)) != 0) {
                continue;
            }
            for (int op = 0; op < OP_COUNT; op++) {
                for (size_t k = 0; k < COUNT(any_length); k++) {
                    size_t len = any_length[k];
                    const struct kernel_row *row = selected(p, op, NULL, len);
                    const char *backend = architectures[p->arch].backends[row->backend].name;

                    if ((fact->op != ANY_OP && fact->op != op) || len < fact->from ||
                        len > fact->to) {
                        continue;
                    }
                    check_true(fact->row == NULL || strcmp(row->name, fact->row) == 0,
                               "%s, %s of %zu bytes: %s, must be %s", p->name,
                               aeadfast_op_names[op], len, row->name,
                               fact->row == NULL ? "" : fact->row);
                    check_true(fact->backend == NULL || strcmp(backend, fact->backend) != 0,
                               "%s, %s of %zu bytes: %s, which is of %s", p->name,
                               aeadfast_op_names[op], len, row->name, backend);
                    checked++;
                }
            }
        }
        check_true(checked != 0, "no processor named %s", fact->processor);
    }
}

/* ---- What holds for all ---- */

static int can(const struct processor *p, uint64_t bits)
{
    return (bits & ~p->cpu.bits) == 0;
}

/* Computed the long way round: no better row could have been had, and this one could. */
static void check_choice(const struct processor *p, int op, const struct backend *forced,
                         size_t len)
{
    const struct kernel_list *list = &architectures[p->arch].lists[op];
    unsigned chosen = aeadfast_select(list, &p->cpu, forced, len);

    check_true(chosen < list->count, "%s, %s of %zu bytes: row %u", p->name, aeadfast_op_names[op],
               len, chosen);
    for (unsigned i = 0; i <= chosen; i++) {
        const struct kernel_row *row = &list->rows[i];
        int fits = can(p, row->needs);

        if (forced != NULL) {
            fits = fits && (row->needs & ~forced->allows) == 0;
        } else {
            fits = fits && can(p, row->wants) && len >= row->min_len;
        }
        check_int(fits, i == chosen, "%s, %s of %zu bytes, forced %s: %s chosen, %s looked at",
                  p->name, aeadfast_op_names[op], len, forced == NULL ? "nothing" : forced->name,
                  list->rows[chosen].name, row->name);
    }
}

static void check_processor(const struct processor *p)
{
    const struct architecture *arch = &architectures[p->arch];

    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &arch->lists[op];

        for (size_t b = 0; b <= arch->backend_count; b++) {
            const struct backend *forced = b == 0 ? NULL : &arch->backends[b - 1];
            unsigned first = aeadfast_select(list, &p->cpu, forced, 0);

            for (size_t k = 0; k < COUNT(any_length); k++) {
                check_choice(p, op, forced, any_length[k]);
            }
            check_choice(p, op, forced, SIZE_MAX);
            for (unsigned i = 0; i < list->count; i++) {
                size_t n = list->rows[i].min_len;

                for (size_t len = n == 0 ? 0 : n - 1; len <= n + 1; len++) {
                    check_choice(p, op, forced, len);
                    check_true(forced == NULL ||
                                   aeadfast_select(list, &p->cpu, forced, len) == first,
                               "%s, %s of %zu bytes: forced, and yet the length decides", p->name,
                               aeadfast_op_names[op], len);
                }
            }
        }
    }
}

static void test_choices(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(processors); i++) {
        check_processor(&processors[i]);
    }
}

/* Each instruction bit alone missing from a processor that has all others, and alone there. */
static void test_single_bits(void **state)
{
    (void)state;
    for (int a = 0; a < (int)COUNT(architectures); a++) {
        for (unsigned bit = 0; bit < 64; bit++) {
            char name[48];
            struct processor p = {a, name, {~(UINT64_C(1) << bit), 32}};

            snprintf(name, sizeof name, "%s without bit %u", architectures[a].name, bit);
            check_processor(&p);
            p.cpu.bits = UINT64_C(1) << bit;
            snprintf(name, sizeof name, "%s with bit %u only", architectures[a].name, bit);
            check_processor(&p);
        }
    }
}

/* The form that choosing relies on, as test_dispatch checks it for the lists of this build. */
static void test_lists(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT(architectures); a++) {
        const struct architecture *arch = &architectures[a];

        for (size_t b = 0; b < arch->backend_count; b++) {
            check_true((arch->backends[b].needs & ~arch->backends[b].allows) == 0,
                       "%s, %s needs more than it allows", arch->name, arch->backends[b].name);
            check_true(((arch->backends[b].needs | arch->backends[b].allows) & arch->policy) == 0,
                       "%s, %s: policy is no instruction", arch->name, arch->backends[b].name);
        }
        for (int op = 0; op < OP_COUNT; op++) {
            const struct kernel_list *list = &arch->lists[op];

            check_true(list->count <= 30, "%s, %s: %u rows", arch->name, aeadfast_op_names[op],
                       list->count);
            for (unsigned i = 0; i + 1 < list->count; i++) {
                const struct kernel_row *row = &list->rows[i];

                check_true(row->needs != 0, "%s, %s needs nothing, yet is no portable kernel",
                           arch->name, row->name);
                check_true((row->needs & arch->policy) == 0 && (row->wants & ~arch->policy) == 0,
                           "%s, %s: needs are instructions, wants are policy", arch->name,
                           row->name);
                check_true((row->needs & ~arch->backends[row->backend].allows) == 0,
                           "%s, %s needs what its backend does not allow", arch->name, row->name);
                for (unsigned j = 0; j < i; j++) {
                    check_true(strcmp(row->name, list->rows[j].name) != 0,
                               "%s, %s: two rows named %s", arch->name, aeadfast_op_names[op],
                               row->name);
                    /* a row that one above it always replaces would be dead */
                    check_true((list->rows[j].needs & ~row->needs) != 0 ||
                                   (list->rows[j].wants & ~row->wants) != 0 ||
                                   list->rows[j].min_len > row->min_len,
                               "%s, %s: %s is never chosen, %s always is before it", arch->name,
                               aeadfast_op_names[op], row->name, list->rows[j].name);
                }
            }
        }
    }
}

/* "avx512vl, avx512 from 513": each kernel, and from which length on. */
static void describe_kernels(char text[128], const struct processor *p, int op)
{
    const struct kernel_list *list = &architectures[p->arch].lists[op];
    const char *last = selected(p, op, NULL, 0)->name;
    size_t at = 0;
    size_t used = (size_t)snprintf(text, 128, "%s", last);

    for (;;) {
        size_t next = SIZE_MAX;

        for (unsigned i = 0; i < list->count; i++) {
            if (list->rows[i].min_len > at && list->rows[i].min_len < next) {
                next = list->rows[i].min_len;
            }
        }
        if (next == SIZE_MAX) {
            return;
        }
        at = next;
        if (strcmp(selected(p, op, NULL, at)->name, last) != 0) {
            last = selected(p, op, NULL, at)->name;
            used += (size_t)snprintf(text + used, 128 - used, ", %s from %zu", last, at);
            assert_true(used < 128);
        }
    }
}

_Static_assert(COUNT(dispatch_table) == COUNT(processors), "a line for each processor");

/* As the table says, and printed for people. test_choices has been on either side of each length. */
static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(processors); i++) {
        const struct processor *p = &processors[i];
        const struct dispatch_line *line = &dispatch_table[i];

        check_true(strcmp(line->processor, p->name) == 0, "dispatch_table.h: %s where %s should be",
                   line->processor, p->name);
        check_note("%s, %s:", architectures[p->arch].name, p->name);
        for (int op = 0; op < OP_COUNT; op++) {
            char text[128];

            describe_kernels(text, p, op);
            check_note(" %s %s%s", aeadfast_op_names[op], text, op + 1 == OP_COUNT ? "\n" : ";");
            check_true(strcmp(text, line->kernels[op]) == 0,
                       "%s, %s: dispatch_table.h has \"%s\", chosen are \"%s\"", p->name,
                       aeadfast_op_names[op], line->kernels[op], text);
        }
    }
}

/* ---- And the processor this runs on ---- */

static const char *named(aeadfast_op op, size_t len)
{
    const char *name = aeadfast_kernel_name(op, len);

    return name != NULL ? name : "none";
}

/* The public answer is that of the pure function, for what the probe has found. */
static void test_this_processor(void **state)
{
    struct cpu cpu = aeadfast_cpu_probe();

    (void)state;
    for (size_t b = 0; b < aeadfast_backends_size; b++) {
        const struct backend *forced = &aeadfast_backends[b];

        if (!aeadfast_backend_available(forced, &cpu)) {
            continue;
        }
        check_int(aeadfast_backend_select(forced->name), AEADFAST_OK, "%s", forced->name);
        for (int op = 0; op < OP_COUNT; op++) {
            const struct kernel_list *list = &aeadfast_kernel_lists[op];

            for (size_t k = 0; k < COUNT(any_length); k++) {
                const char *want =
                    list->rows[aeadfast_select(list, &cpu, forced, any_length[k])].name;
                const char *got = named((aeadfast_op)op, any_length[k]);

                check_true(strcmp(got, want) == 0, "%s, %s of %zu bytes: %s, not %s", forced->name,
                           aeadfast_op_names[op], any_length[k], got, want);
                check_true(b != 0 || strcmp(got, "portable") == 0, "portable forced: %s", got);
            }
        }
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];
        uint32_t candidates = aeadfast_candidates_now((aeadfast_op)op);

        if (op == AEADFAST_OP_AES_GCM) {
            /* a key is made for one family, and no other kernel serves it at any length */
            candidates = aeadfast_family(list, candidates);
        }
        for (size_t k = 0; k < COUNT(any_length); k++) {
            const char *want = aeadfast_pick(list, candidates, any_length[k])->name;
            const char *got = named((aeadfast_op)op, any_length[k]);

            check_true(strcmp(got, want) == 0, "%s of %zu bytes: %s, not %s", aeadfast_op_names[op],
                       any_length[k], got, want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),       cmocka_unit_test(test_choices),
        cmocka_unit_test(test_single_bits), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_table),       cmocka_unit_test(test_this_processor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
