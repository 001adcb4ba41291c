/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "dispatch.h"
#include "text.h"

#if defined(AEADFAST_ARCH_X86_64)
#define ARCHITECTURE "x86-64"
#elif defined(AEADFAST_ARCH_AARCH64)
#define ARCHITECTURE "AArch64"
#elif defined(AEADFAST_ARCH_RISCV64)
#define ARCHITECTURE "RISC-V 64"
#else
#define ARCHITECTURE "any"
#endif

static void describe_cpu(struct text *text, const struct cpu *cpu)
{
    const char *space = "";

    text_add(text, "processor: ");
    for (const struct cpu_bit_name *b = aeadfast_cpu_bit_names; b->bit != 0; b++) {
        if ((cpu->bits & b->bit) != 0) {
            text_add(text, "%s%s", space, b->name);
            space = " ";
        }
    }
    if (cpu->vlenb != 0) {
        text_add(text, "%svlenb=%u", space, cpu->vlenb);
        space = " ";
    }
    text_add(text, "%s\n", space[0] == 0 ? "nothing that a kernel here asks for" : "");
}

static void describe_backends(struct text *text, const struct cpu *cpu)
{
    text_add(text, "backends:");
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        const struct backend *backend = &aeadfast_backends[i];

        if (aeadfast_backend_available(backend, cpu)) {
            text_add(text, " %s", backend->name);
        } else if (aeadfast_backend_built(backend)) {
            text_add(text, " %s(not on this processor)", backend->name);
        } else {
            text_add(text, " %s(not in this build)", backend->name);
        }
    }
    text_add(text, "\n");
}

static void describe_op(struct text *text, aeadfast_op op)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[op];
    uint32_t choice = aeadfast_candidates_now(op);
    const char *comma = "";

    text_add(text, "%s: ", aeadfast_op_names[op]);
    if (choice == CHOICE_ERROR) {
        text_add(text, "none, every call returns AEADFAST_ERR_BACKEND\n");
        return;
    }
    if (op == AEADFAST_OP_AES_GCM) {
        choice = aeadfast_family(list, choice);
    }
    for (unsigned i = 0; i < list->count; i++) {
        int tuned = (choice & CHOICE_TUNED) != 0;
        size_t min_len = tuned ? aeadfast_tuned_min_len(list, i) : list->rows[i].min_len;

        if ((choice >> i & 1) == 0) {
            continue;
        }
        text_add(text, "%s%s", comma, list->rows[i].name);
        if (min_len == 0 || ((choice & ~CHOICE_TUNED) >> i) == 1) {
            break; /* nothing is left for those below */
        }
        text_add(text, " from %zu bytes", min_len);
        comma = ", ";
    }
    text_add(text, "%s\n", (choice & CHOICE_TUNED) != 0 ? " (by AEADFAST_MIN_LEN)" : "");
}

int aeadfast_describe(char *buf, size_t size)
{
    struct text text = {buf, size, 0};
    struct cpu cpu = aeadfast_cpu_probe();
    const char *problem;

    if (buf == NULL && size != 0) {
        return AEADFAST_ERR_ARGUMENT;
    }
    text_add(&text, "aeadfast %s, kernels for %s\n", AEADFAST_VERSION_STRING, ARCHITECTURE);
    describe_cpu(&text, &cpu);
    describe_backends(&text, &cpu);
    for (int op = 0; op < OP_COUNT; op++) {
        describe_op(&text, (aeadfast_op)op);
    }
    problem = aeadfast_spec_error();
    if (problem != NULL) {
        text_add(&text, "the environment variable %s\n", problem);
    }
    return (int)text.len;
}
