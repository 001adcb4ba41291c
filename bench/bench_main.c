/* SPDX-License-Identifier: MIT */
/*
 * Speed of every operation with every kernel at every size. All of it takes a while; say
 *
 *     aeadfast_bench --benchmark_filter='^chacha20_poly1305_seal/.*' --benchmark_min_time=0.1
 *
 * for a part, --benchmark_format=csv or json (or --benchmark_out=FILE) for other programs to read,
 * --benchmark_repetitions=N on a machine that is not quiet, and --help for the rest.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

/* Powers of two; the two usual sizes of packets; and what fits the first and second cache. */
static const size_t sizes[] = {16,   64,   256,  512,   1024,  1350,  1500,
                               2048, 4096, 8192, 16384, 32768, 65536, BENCH_SIZE_MAX};

static void add_case(const struct bench_operation *operation, const struct kernel_row *row,
                     size_t len)
{
    const char *kernel = row != NULL ? row->name : "auto";
    struct bench_job *job = malloc(sizeof *job); /* goes to the shim */
    char name[128];

    if (job == NULL) {
        fputs("aeadfast_bench: out of memory\n", stderr);
        exit(1);
    }
    *job = (struct bench_job){row, len, operation->variant};
    if (operation->one_size) {
        (void)snprintf(name, sizeof name, "%s/%s", operation->name, kernel);
    } else {
        (void)snprintf(name, sizeof name, "%s/%s/%zu", operation->name, kernel, len);
    }
    bench_register(name, &(struct bench_case){
                             .prepare = operation->prepare,
                             .run = row != NULL ? operation->run_kernel : operation->run_public,
                             .context = job,
                             .bytes = operation->one_size ? 0 : len,
                         });
}

static void add_kernel(const struct bench_operation *operation, const struct kernel_row *row)
{
    if (operation->one_size) {
        add_case(operation, row, 0);
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        add_case(operation, row, sizes[i]);
    }
}

void bench_add(const struct bench_operation *operation)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[operation->op];
    const struct cpu cpu = aeadfast_cpu_probe();

    for (unsigned i = 0; i < list->count; i++) {
        if (aeadfast_row_runs(&list->rows[i], &cpu)) {
            add_kernel(operation, &list->rows[i]);
        }
    }
    add_kernel(operation, NULL);
}

/* Which kernel "auto" stands for, at the sizes where it changes: "neon, avx2 from 256". */
static void note_choice(aeadfast_op op)
{
    char text[256] = "none: see AEADFAST_BACKEND";
    size_t used = 0;
    const char *last = NULL;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && used < sizeof text; i++) {
        const char *name = aeadfast_kernel_name(op, sizes[i]);

        if (name == NULL || (last != NULL && strcmp(name, last) == 0)) {
            continue;
        }
        int n = last == NULL
                    ? snprintf(text, sizeof text, "%s", name)
                    : snprintf(text + used, sizeof text - used, ", %s from %zu on", name, sizes[i]);
        used += n > 0 ? (size_t)n : 0;
        last = name;
    }
    char key[64];

    (void)snprintf(key, sizeof key, "auto %s", aeadfast_op_names[op]);
    bench_note(key, text);
}

int main(int argc, char **argv)
{
    memset(bench_src, 0x5a, BENCH_SIZE_MAX);
    memset(bench_dst, 0, BENCH_SIZE_MAX);
    bench_note("aeadfast", aeadfast_version());
    for (unsigned op = 0; op < OP_COUNT; op++) {
        note_choice((aeadfast_op)op);
    }
    bench_add_chacha20_poly1305();
    bench_add_aes_gcm();
    bench_add_chacha20();
    bench_add_poly1305();
    return bench_run_all(argc, argv);
}
