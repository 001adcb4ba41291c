/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"

/* Whether AEADFAST_TEST_BACKENDS, names between commas, is unset or has this one. */
static int wanted(const char *backend)
{
    const char *list = getenv("AEADFAST_TEST_BACKENDS");
    size_t len = strlen(backend);

    for (const char *p = list; p != NULL; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, backend, len) == 0 && (p[len] == ',' || p[len] == '\0')) {
            return 1;
        }
    }
    return list == NULL;
}

void kernels_each(aeadfast_op op, const char *what, kernel_test *test)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[op];
    struct cpu cpu = aeadfast_cpu_probe();

    for (unsigned i = 0; i < list->count; i++) {
        const struct kernel_row *row = &list->rows[i];
        size_t cases;

        if (!aeadfast_row_runs(row, &cpu)) {
            check_note("%s %s, %s: not run, this processor lacks it\n", aeadfast_op_names[op],
                       row->name, what);
            continue;
        }
        if (!wanted(aeadfast_backends[row->backend].name)) {
            check_note("%s %s, %s: not run, AEADFAST_TEST_BACKENDS\n", aeadfast_op_names[op],
                       row->name, what);
            continue;
        }
        cases = test(row);
        check_true(cases > 0, "%s %s, %s: no case", aeadfast_op_names[op], row->name, what);
        check_note("%s %s, %s: %zu cases\n", aeadfast_op_names[op], row->name, what, cases);
    }
}

const struct kernel_row *kernels_portable(aeadfast_op op)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[op];
    const struct kernel_row *row = &list->rows[list->count - 1];

    check_true(row->needs == 0 && row->wants == 0 && row->min_len == 0,
               "%s: the last row must run everywhere", aeadfast_op_names[op]);
    return row;
}

void backends_each(void (*body)(const char *name))
{
    check_int(aeadfast_backend_select(NULL), AEADFAST_OK, "automatic choice");
    body(NULL);
    for (size_t i = 0; i < aeadfast_backend_count(); i++) {
        const char *name = aeadfast_backend_name(i);

        if (!aeadfast_backend_supported(name)) {
            check_note("backend %s: not run, this processor lacks it\n", name);
            continue;
        }
        check_int(aeadfast_backend_select(name), AEADFAST_OK, "backend %s", name);
        body(name);
    }
    check_int(aeadfast_backend_select(NULL), AEADFAST_OK, "automatic choice");
}

const char *backends_name(const char *name)
{
    return name == NULL ? "automatic choice" : name;
}

void backends_any(struct rng *rng)
{
    const char *name = aeadfast_backend_name(rng_below(rng, aeadfast_backend_count()));

    if (aeadfast_backend_supported(name)) {
        check_int(aeadfast_backend_select(name), AEADFAST_OK, "backend %s", name);
    }
}
