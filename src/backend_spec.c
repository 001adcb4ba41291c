/* SPDX-License-Identifier: MIT */
/* Reading the text of AEADFAST_BACKEND and of aeadfast_backend_select. */
#include <string.h>

#include "dispatch.h"
#include "words.h"

static const struct backend *find_backend(struct word name)
{
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        if (word_is(name, aeadfast_backends[i].name)) {
            return &aeadfast_backends[i];
        }
    }
    return NULL;
}

const struct backend *aeadfast_backend_find(const char *name)
{
    struct word word = {name, strlen(name)};

    return find_backend(word);
}

int aeadfast_backend_built(const struct backend *backend)
{
    unsigned index = (unsigned)(backend - aeadfast_backends);

    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        for (unsigned i = 0; i < list->count; i++) {
            if (list->rows[i].backend == index) {
                return 1;
            }
        }
    }
    return 0;
}

int aeadfast_backend_available(const struct backend *backend, const struct cpu *cpu)
{
    return aeadfast_backend_built(backend) && (cpu->bits & backend->needs) == backend->needs;
}

/* Looks a backend up and says what is wrong with it, if anything. */
static const char *resolve(struct word name, const struct cpu *cpu, const struct backend **backend)
{
    *backend = find_backend(name);
    if (*backend == NULL) {
        return "AEADFAST_BACKEND names an unknown backend";
    }
    if (!aeadfast_backend_built(*backend)) {
        return "AEADFAST_BACKEND names a backend that is not in this build";
    }
    if (!aeadfast_backend_available(*backend, cpu)) {
        return "AEADFAST_BACKEND names a backend that this processor or system cannot run";
    }
    return NULL;
}

const char *aeadfast_backend_parse(const char *spec, const struct cpu *cpu,
                                   uint32_t masks[OP_COUNT])
{
    const struct backend *forced[OP_COUNT] = {NULL, NULL, NULL, NULL};
    const char *problem;

    if (spec == NULL || spec[0] == 0) {
        /* nothing is forced */
    } else if (strchr(spec, '=') == NULL) {
        struct word name = {spec, strlen(spec)};

        problem = resolve(name, cpu, &forced[0]);
        if (problem != NULL) {
            return problem;
        }
        for (int op = 1; op < OP_COUNT; op++) {
            forced[op] = forced[0];
        }
    } else {
        const char *rest = spec;

        do {
            struct word name = word_until(&rest, ',');
            struct word op_name;
            int op;

            if (!word_split(&op_name, &name, '=')) {
                return "AEADFAST_BACKEND is not a list of operation=backend";
            }
            op = word_op(op_name);
            if (op < 0) {
                return "AEADFAST_BACKEND names an unknown operation";
            }
            if (forced[op] != NULL) {
                return "AEADFAST_BACKEND names an operation twice";
            }
            problem = resolve(name, cpu, &forced[op]);
            if (problem != NULL) {
                return problem;
            }
        } while (rest[0] != 0 || rest[-1] == ',');
    }

    for (int op = 0; op < OP_COUNT; op++) {
        masks[op] = aeadfast_candidates(&aeadfast_kernel_lists[op], cpu, forced[op]);
    }
    return NULL;
}

int aeadfast_backend_forces(const char *spec, aeadfast_op op)
{
    const char *rest = spec;

    if (spec == NULL || spec[0] == 0 || strchr(spec, '=') == NULL) {
        return spec != NULL && spec[0] != 0;
    }
    while (rest[0] != 0) {
        struct word name = word_until(&rest, ',');
        struct word op_name;

        if (word_split(&op_name, &name, '=') && word_op(op_name) == (int)op) {
            return 1;
        }
    }
    return 0;
}
