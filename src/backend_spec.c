/* SPDX-License-Identifier: MIT */
/* Reading the text of AEADFAST_BACKEND and of aeadfast_backend_select. */
#include <string.h>

#include "dispatch.h"

/* A part of the text, which has no 0 of its own. */
struct word {
    const char *start;
    size_t len;
};

static int word_is(struct word word, const char *name)
{
    return strlen(name) == word.len && memcmp(name, word.start, word.len) == 0;
}

/* Takes the text up to `end` or the closing 0 off the front of *rest, and `end` with it. */
static struct word take_until(const char **rest, char end)
{
    const char *stop = strchr(*rest, end);
    struct word word = {*rest, stop != NULL ? (size_t)(stop - *rest) : strlen(*rest)};

    *rest += word.len + (stop != NULL ? 1 : 0);
    return word;
}

static const struct backend *find_backend(struct word name)
{
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        if (word_is(name, aeadfast_backends[i].name)) {
            return &aeadfast_backends[i];
        }
    }
    return NULL;
}

static int find_op(struct word name)
{
    for (int op = 0; op < OP_COUNT; op++) {
        if (word_is(name, aeadfast_op_names[op])) {
            return op;
        }
    }
    return -1;
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
        return "names an unknown backend";
    }
    if (!aeadfast_backend_built(*backend)) {
        return "names a backend that is not in this build";
    }
    if (!aeadfast_backend_available(*backend, cpu)) {
        return "names a backend that this processor or system cannot run";
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
            struct word item = take_until(&rest, ',');
            const char *equals = memchr(item.start, '=', item.len);
            struct word op_name = {item.start, equals != NULL ? (size_t)(equals - item.start) : 0};
            struct word name;
            int op;

            if (equals == NULL) {
                return "is not a list of operation=backend";
            }
            name.start = equals + 1;
            name.len = item.len - op_name.len - 1;
            op = find_op(op_name);
            if (op < 0) {
                return "names an unknown operation";
            }
            if (forced[op] != NULL) {
                return "names an operation twice";
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
