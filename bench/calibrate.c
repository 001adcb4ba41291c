/* SPDX-License-Identifier: MIT */
/*
 * From which length on each kernel should be chosen on this processor: aeadfast_calibrate
 * [-r ROUNDS] [-c CPU].
 *
 * For each operation, each kernel that may be chosen here stands against all below it in the list,
 * called through their tables, in turns. The threshold is the shortest length from which on it is
 * never behind any of them: looked for at lengths about an eighth apart, then between the last lost
 * and the first won. That is done several times; the median is proposed, and the range shows how far
 * it can be trusted. Lengths where two are within 1 % count for the upper.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "contest.h"

#define TRIES         5
#define BATCH_SECONDS 50e-6
#define LENGTHS_MAX   64
#define LEN_MAX       16384
#define NEVER         SIZE_MAX

static unsigned rounds = 40;

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

/*
 * Whether the first of these kernels is behind any of the others, at each length. All lengths and
 * kernels take turns, so that a disturbance spoils one batch of many and not all of those of one length.
 */
static void race(const struct bench_operation *operation, const struct kernel_row *const rows[],
                 size_t row_count, const size_t lens[], size_t count, int behind[])
{
    static struct call calls[ROWS_MAX * LENGTHS_MAX];
    static struct contestant contestants[ROWS_MAX * LENGTHS_MAX];

    for (size_t i = 0; i < row_count * count; i++) {
        calls[i] = (struct call){operation,
                                 {rows[i % row_count], lens[i / row_count], operation->variant}};
        contestants[i] =
            (struct contestant){.enter = prepare, .run = run_kernel, .context = &calls[i]};
    }
    contest(contestants, row_count * count, rounds, BATCH_SECONDS);
    for (size_t i = 0; i < count; i++) {
        const struct contestant *at = &contestants[i * row_count];

        behind[i] = 0;
        for (size_t j = 1; j < row_count; j++) {
            behind[i] = behind[i] || at[0].best > at[j].best * 1.01;
        }
    }
}

/* The first of these lengths from which on the first kernel is not behind; count: none. */
static size_t first_won(const struct bench_operation *operation,
                        const struct kernel_row *const rows[], size_t row_count,
                        const size_t lens[], size_t count)
{
    int behind[LENGTHS_MAX];
    size_t first = count;

    if (count == 0) {
        return 0;
    }
    race(operation, rows, row_count, lens, count, behind);
    while (first > 0 && !behind[first - 1]) {
        first--;
    }
    return first;
}

static size_t threshold(const struct bench_operation *operation,
                        const struct kernel_row *const rows[], size_t row_count)
{
    size_t lens[LENGTHS_MAX];
    size_t count = 0;

    for (size_t len = 16; len <= LEN_MAX; len += len < 128 ? 16 : len / 8) {
        lens[count++] = len;
    }

    size_t first = first_won(operation, rows, row_count, lens, count);

    if (first == 0) {
        return 0;
    }
    if (first == count) {
        return NEVER;
    }

    /* Between the last lost and the first won: in steps of 16 bytes, or 16 steps. */
    size_t won = lens[first];
    size_t lost = lens[first - 1];
    size_t step = won - lost > 16 * 16 ? (won - lost) / 16 : 16;

    for (count = 0; lost + step < won; count++) {
        lost += step;
        lens[count] = lost;
    }
    first = first_won(operation, rows, row_count, lens, count);
    return first < count ? lens[first] : won;
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
        printf("never up to %d", LEN_MAX);
    } else {
        printf("%zu", len);
    }
}

/* The settings to try, as AEADFAST_MIN_LEN wants them. */
static char settings[1024];

static void calibrate(const struct bench_operation *operation,
                      const struct kernel_row *const rows[], size_t row_count)
{
    const char *op = aeadfast_op_names[operation->op];
    size_t found[TRIES];

    for (int i = 0; i < TRIES; i++) {
        found[i] = threshold(operation, rows, row_count);
    }
    qsort(found, TRIES, sizeof found[0], by_size);

    size_t median = found[TRIES / 2];
    size_t used = strlen(settings);

    printf("%s: %s from ", op, rows[0]->name);
    print_length(median);
    printf(" (");
    print_length(found[0]);
    printf(" to ");
    print_length(found[TRIES - 1]);
    printf("), set is %zu\n", rows[0]->min_len);
    fflush(stdout);
    (void)snprintf(settings + used, sizeof settings - used, "%s%s.%s=%zu", used > 0 ? "," : "", op,
                   rows[0]->name, median == NEVER ? (size_t)1 << 40 : median);
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
    const struct kernel_row *rows[ROWS_MAX];
    size_t row_count = 0;
    int wanted = 0;

    for (size_t i = 0; i < sizeof representative / sizeof representative[0]; i++) {
        wanted = wanted || strcmp(operation->name, representative[i]) == 0;
    }
    for (unsigned i = 0; wanted && i < list->count && row_count < ROWS_MAX; i++) {
        if (may_be_chosen(&list->rows[i], &cpu)) {
            rows[row_count++] = &list->rows[i];
        }
    }
    for (size_t i = 0; i + 1 < row_count; i++) {
        calibrate(operation, &rows[i], row_count - i);
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
