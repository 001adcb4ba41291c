/* SPDX-License-Identifier: MIT */
/*
 * Where each kernel overtakes the next on this processor: aeadfast_calibrate [-r ROUNDS]
 * [-c CPU].
 *
 * For each operation, each kernel that may be chosen here stands against the one below it in the
 * list, called through their tables, in turns. The threshold is the shortest length from which on
 * the upper one is never behind: looked for at lengths about an eighth apart, then between the last
 * lost and the first won by bisection. That is done several times; the median is proposed, and the
 * range shows how far it can be trusted. Lengths where the two are within 1 % count for the upper.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "contest.h"

#define TRIES         5
#define BATCH_SECONDS 50e-6
#define LEN_MAX       16384
#define NEVER         SIZE_MAX

static unsigned rounds = 15;

/* What a contestant calls: an operation's function with the row and the length. */
struct call {
    const struct bench_operation *operation;
    struct bench_job job;
};

static int run_kernel(void *context, uint64_t count)
{
    const struct call *call = context;

    return call->operation->run_kernel(&call->job, count) != NULL;
}

/* The file of an AES-GCM kernel has one table for whoever was prepared last. */
static void prepare(void *context)
{
    const struct call *call = context;

    (void)call->operation->prepare(&call->job);
}

static int upper_wins(const struct bench_operation *operation, const struct kernel_row *upper,
                      const struct kernel_row *lower, size_t len)
{
    struct call calls[2] = {
        {operation, {upper, len, operation->variant}},
        {operation, {lower, len, operation->variant}},
    };
    struct contestant pair[2] = {
        {.enter = prepare, .run = run_kernel, .context = &calls[0]},
        {.enter = prepare, .run = run_kernel, .context = &calls[1]},
    };

    contest(pair, 2, rounds, BATCH_SECONDS);
    return pair[0].best <= pair[1].best * 1.01;
}

static size_t next_len(size_t len)
{
    return len < 128 ? len + 16 : len + len / 8;
}

static size_t threshold(const struct bench_operation *operation, const struct kernel_row *upper,
                        const struct kernel_row *lower)
{
    size_t lost = 0;
    size_t won = 16;

    for (size_t len = 16; len <= LEN_MAX; len = next_len(len)) {
        if (!upper_wins(operation, upper, lower, len)) {
            lost = len;
            won = next_len(len);
        }
    }
    if (lost == 0) {
        return 0;
    }
    if (won > LEN_MAX) {
        return NEVER;
    }
    while (won - lost > 16) {
        size_t middle = lost + (won - lost) / 2;

        if (upper_wins(operation, upper, lower, middle)) {
            won = middle;
        } else {
            lost = middle;
        }
    }
    return won;
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static void print_length(size_t len)
{
    if (len == NEVER) {
        printf(" never up to %d", LEN_MAX);
    } else {
        printf(" %zu", len);
    }
}

/* The settings to try, as AEADFAST_MIN_LEN wants them. */
static char settings[1024];

static void calibrate_pair(const struct bench_operation *operation, const struct kernel_row *upper,
                           const struct kernel_row *lower)
{
    const char *op = aeadfast_op_names[operation->op];
    size_t found[TRIES];

    for (int i = 0; i < TRIES; i++) {
        found[i] = threshold(operation, upper, lower);
    }
    qsort(found, TRIES, sizeof found[0], by_size);

    size_t median = found[TRIES / 2];
    size_t used = strlen(settings);

    printf("%s: %s over %s from", op, upper->name, lower->name);
    print_length(median);
    printf(" (");
    print_length(found[0]);
    printf(" to");
    print_length(found[TRIES - 1]);
    printf(" ), set is %zu\n", upper->min_len);
    fflush(stdout);
    (void)snprintf(settings + used, sizeof settings - used, "%s%s.%s=%zu", used > 0 ? "," : "", op,
                   upper->name, median == NEVER ? (size_t)1 << 40 : median);
}

/* Kernels that may be chosen here, best first; portable32 stands for machines without 64 bits. */
static int may_be_chosen(const struct kernel_row *row, const struct cpu *cpu)
{
    return aeadfast_row_runs(row, cpu) && (cpu->bits & row->wants) == row->wants &&
           strcmp(row->name, "portable32") != 0;
}

void bench_add(const struct bench_operation *operation)
{
    static const char *const representative[] = {"chacha20", "poly1305", "chacha20_poly1305_seal",
                                                 "aes_128_gcm_seal"};
    const struct kernel_list *list = &aeadfast_kernel_lists[operation->op];
    const struct cpu cpu = aeadfast_cpu_probe();
    const struct kernel_row *upper = NULL;
    int wanted = 0;

    for (size_t i = 0; i < sizeof representative / sizeof representative[0]; i++) {
        wanted = wanted || strcmp(operation->name, representative[i]) == 0;
    }
    for (unsigned i = 0; wanted && i < list->count; i++) {
        const struct kernel_row *row = &list->rows[i];

        if (!may_be_chosen(row, &cpu)) {
            continue;
        }
        if (upper != NULL) {
            calibrate_pair(operation, upper, row);
        }
        upper = row;
    }
}

int main(int argc, char **argv)
{
    unsigned cpu = 0;
    int option;

    while ((option = getopt(argc, argv, "r:c:")) != -1) {
        if (option == 'c') {
            cpu = (unsigned)strtoul(optarg, NULL, 10);
        } else {
            rounds = option == 'r' ? (unsigned)strtoul(optarg, NULL, 10) : 0;
        }
    }
    if (rounds == 0) {
        fputs("usage: aeadfast_calibrate [-r ROUNDS] [-c CPU]\n", stderr);
        return 2;
    }
    (void)pin_to_cpu(cpu);
    bench_add_chacha20();
    bench_add_poly1305();
    bench_add_chacha20_poly1305();
    bench_add_aes_gcm();
    printf("to try it: AEADFAST_MIN_LEN=%s\n", settings);
    return 0;
}
