/* SPDX-License-Identifier: MIT */
/* secure_getenv of glibc and musl. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#include <unistd.h>
#endif

#include "text.h"

_Atomic uint32_t aeadfast_choice[OP_COUNT];

/* What the environment and the processor said, for aeadfast_backend_select(NULL) to go back to. */
static _Atomic uint32_t initial_choice[OP_COUNT];

/* The variable and what is wrong with it, once one thread has found that out and told it. */
static _Atomic(const char *) spec_problem;
static atomic_flag spec_problem_told = ATOMIC_FLAG_INIT;

const char *aeadfast_spec_error(void)
{
    return atomic_load_explicit(&spec_problem, memory_order_acquire);
}

/* A program with raised privileges must not be steered by those who start it. */
static const char *environment(const char *name)
{
#if defined(__linux__)
    return secure_getenv(name);
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
    return issetugid() ? NULL : getenv(name);
#else
    return getenv(name);
#endif
}

/* What to write instead. */
static void tell_what_can_be_had(struct text *text, const struct cpu *cpu)
{
    text_add(text, "; to be had here:");
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        if (aeadfast_backend_available(&aeadfast_backends[i], cpu)) {
            text_add(text, " %s", aeadfast_backends[i].name);
        }
    }
    text_add(text, " (for all, or as operation=backend,... for:");
    for (int op = 0; op < OP_COUNT; op++) {
        text_add(text, " %s", aeadfast_op_names[op]);
    }
    text_add(text, ")");
}

static void tell_what_can_be_tuned(struct text *text)
{
    text_add(text, "; kernels with a threshold:");
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        for (unsigned i = 0; i < list->count; i++) {
            if (list->rows[i].needs != 0) {
                text_add(text, " %s.%s", aeadfast_op_names[op], list->rows[i].name);
            }
        }
    }
}

/*
 * One line, once a process, in one write. The value is shown only as far as it can do no harm.
 * `problem` begins with the variable's name and goes on with what is wrong.
 */
static void tell_problem(const char *value, const char *problem, const struct cpu *cpu)
{
    char line[1024];
    struct text text = {line, sizeof(line) - 1, 0};
    int name_len = (int)(strchr(problem, ' ') - problem);

    text_add(&text, "aeadfast: %.*s=\"", name_len, problem);
    text_add_printable(&text, value, 64);
    text_add(&text, "\"%s", problem + name_len);
    if (strncmp(problem, "AEADFAST_BACKEND", (size_t)name_len) == 0) {
        tell_what_can_be_had(&text, cpu);
    } else {
        tell_what_can_be_tuned(&text);
    }
    fprintf(stderr, "%s\n", line);
}

/* The candidates that the environment and the processor ask for; or what is wrong, and told. */
static const char *read_environment(uint32_t masks[OP_COUNT])
{
    struct cpu cpu = aeadfast_cpu_probe();
    const char *backend = environment("AEADFAST_BACKEND");
    const char *min_len = environment("AEADFAST_MIN_LEN");
    const char *value = backend;
    const char *problem = aeadfast_backend_parse(backend, &cpu, masks);
    struct thresholds thresholds;

    if (problem == NULL) {
        value = min_len;
        problem = aeadfast_thresholds_parse(min_len, &thresholds);
    }
    if (problem != NULL) {
        if (!atomic_flag_test_and_set(&spec_problem_told)) {
            atomic_store_explicit(&spec_problem, problem, memory_order_release);
            tell_problem(value, problem, &cpu);
        }
        return problem;
    }
    aeadfast_thresholds_set(&thresholds);
    for (int op = 0; op < OP_COUNT; op++) {
        /* Under a forced backend there is one candidate and no threshold. */
        if (thresholds.named[op] && !aeadfast_backend_forces(backend, (aeadfast_op)op)) {
            masks[op] = aeadfast_all_wanted(&aeadfast_kernel_lists[op], &cpu) | CHOICE_TUNED;
        }
    }
    return NULL;
}

uint32_t aeadfast_choose(aeadfast_op op)
{
    uint32_t masks[OP_COUNT];
    const char *problem = read_environment(masks);

    /* The first to store wins: a later thread must undo no aeadfast_backend_select in between. */
    for (int i = 0; i < OP_COUNT; i++) {
        uint32_t mask = problem == NULL ? masks[i] : CHOICE_ERROR;
        uint32_t found = 0;

        if (!atomic_compare_exchange_strong(&initial_choice[i], &found, mask)) {
            mask = found;
        }
        found = 0;
        (void)atomic_compare_exchange_strong(&aeadfast_choice[i], &found, mask);
    }
    return atomic_load_explicit(&aeadfast_choice[op], memory_order_relaxed);
}

int aeadfast_init(void)
{
    for (int op = 0; op < OP_COUNT; op++) {
        if (aeadfast_candidates_now((aeadfast_op)op) == CHOICE_ERROR) {
            return AEADFAST_ERR_BACKEND;
        }
    }
    return AEADFAST_OK;
}

/* Backends that are in the build, by their number among these; NULL beyond the last. */
static const struct backend *built_backend(size_t number)
{
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        if (aeadfast_backend_built(&aeadfast_backends[i])) {
            if (number == 0) {
                return &aeadfast_backends[i];
            }
            number--;
        }
    }
    return NULL;
}

size_t aeadfast_backend_count(void)
{
    size_t count = 0;

    while (built_backend(count) != NULL) {
        count++;
    }
    return count;
}

const char *aeadfast_backend_name(size_t i)
{
    const struct backend *backend = built_backend(i);

    return backend != NULL ? backend->name : NULL;
}

int aeadfast_backend_supported(const char *name)
{
    struct cpu cpu = aeadfast_cpu_probe();
    const struct backend *backend = name != NULL ? aeadfast_backend_find(name) : NULL;

    return backend != NULL && aeadfast_backend_available(backend, &cpu);
}

int aeadfast_backend_select(const char *name)
{
    struct cpu cpu = aeadfast_cpu_probe();
    uint32_t masks[OP_COUNT];

    /* The environment is read before anything can override it. */
    (void)aeadfast_candidates_now(AEADFAST_OP_CHACHA20);

    if (name == NULL || name[0] == 0) {
        for (int op = 0; op < OP_COUNT; op++) {
            masks[op] = atomic_load(&initial_choice[op]);
        }
    } else if (aeadfast_backend_parse(name, &cpu, masks) != NULL) {
        return AEADFAST_ERR_BACKEND;
    }
    for (int op = 0; op < OP_COUNT; op++) {
        atomic_store(&aeadfast_choice[op], masks[op]);
    }
    return masks[0] == CHOICE_ERROR ? AEADFAST_ERR_BACKEND : AEADFAST_OK;
}

const char *aeadfast_kernel_name(aeadfast_op op, size_t len)
{
    uint32_t choice;

    if ((unsigned)op >= OP_COUNT) {
        return NULL;
    }
    choice = aeadfast_candidates_now(op);
    if (choice == CHOICE_ERROR) {
        return NULL;
    }
    if (op == AEADFAST_OP_AES_GCM) {
        choice = aeadfast_family(&aeadfast_kernel_lists[op], choice);
    }
    return aeadfast_pick(&aeadfast_kernel_lists[op], choice, len)->name;
}
