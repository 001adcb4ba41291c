/* SPDX-License-Identifier: MIT */
/*
 * What a message costs at every length: aeadfast_lengths [-o NAME] [-n MAX] [-r ROUNDS] [-c CPU]
 * [-w FILE].
 *
 * The steps at the edges of blocks and batches are seen in the CSV that -w writes. Printed are, for
 * each operation, the line that fits best (a fixed cost and so much a byte), and the lengths that
 * are slow for no good reason: those that cost over a tenth more than some longer message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tasks.h"

#define LENGTHS_MAX   4096
#define BATCH_SECONDS 20e-6

struct line {
    double fixed;
    double slope;
};

/* Least squares, from the length of four blocks on: below it, vectors are filled in vain. */
static struct line fit(const struct contestant at[], size_t max)
{
    double n = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;

    for (size_t len = 64; len <= max; len++) {
        n += 1;
        x += (double)len;
        y += at[len].best;
        xx += (double)len * (double)len;
        xy += (double)len * at[len].best;
    }
    double slope = (n * xy - x * y) / (n * xx - x * x);

    return (struct line){(y - slope * x) / n, slope};
}

/* Lists them in ranges: "513-527 (+14 %)", with the worst excess of each. */
static void print_slow_lengths(const struct contestant at[], size_t max)
{
    double excess[LENGTHS_MAX + 1];
    double cheapest = at[max].best;
    size_t found = 0;

    for (size_t len = max + 1; len-- > 0;) {
        cheapest = at[len].best < cheapest ? at[len].best : cheapest;
        excess[len] = at[len].best / cheapest - 1;
    }
    for (size_t len = 0; len <= max; len++) {
        size_t first = len;
        double worst = 0;

        for (; len <= max && excess[len] > 0.1; len++) {
            worst = excess[len] > worst ? excess[len] : worst;
        }
        if (len > first) {
            printf("%s %zu-%zu (+%.0f %%)", found++ == 0 ? "; slower than longer ones:" : ",",
                   first, len - 1, worst * 100);
        }
    }
    puts(found == 0 ? "; none slower than a longer one by a tenth" : "");
}

static void measure(const struct operation *operation, size_t max, unsigned rounds, FILE *csv)
{
    static struct contestant at[LENGTHS_MAX + 1];
    static struct task *tasks[LENGTHS_MAX + 1];

    for (size_t len = 0; len <= max; len++) {
        tasks[len] = task_new(&aeadfast_entrant, operation, len);
        if (tasks[len] == NULL) {
            fprintf(stderr, "no %s\n", operation->name);
            exit(1);
        }
        at[len] = task_contestant(tasks[len]);
    }
    task_prepare(operation, max);
    contest(at, max + 1, rounds, BATCH_SECONDS);

    struct line line = fit(at, max);

    printf("%-24s %7.1f ns + %.4f ns a byte", operation->name, line.fixed, line.slope);
    print_slow_lengths(at, max);
    fflush(stdout);
    for (size_t len = 0; len <= max; len++) {
        if (csv != NULL) {
            fprintf(csv, "%s,%zu,%.2f,%.2f\n", operation->name, len, at[len].best, at[len].median);
        }
        task_free(tasks[len]);
    }
}

int main(int argc, char **argv)
{
    const char *only = "";
    size_t max = 1100;
    unsigned rounds = 60;
    unsigned cpu = 0;
    FILE *csv = NULL;
    int option;

    while ((option = getopt(argc, argv, "o:n:r:c:w:")) != -1) {
        switch (option) {
        case 'o':
            only = optarg;
            break;
        case 'n':
            max = strtoul(optarg, NULL, 10);
            break;
        case 'r':
            rounds = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'c':
            cpu = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'w':
            csv = fopen(optarg, "w");
            if (csv == NULL) {
                perror(optarg);
                return 1;
            }
            break;
        default:
            max = 0;
        }
    }
    if (max < 128 || max > LENGTHS_MAX || rounds == 0) {
        fprintf(stderr,
                "usage: aeadfast_lengths [-o NAME] [-n 128..%d] [-r ROUNDS] [-c CPU] [-w FILE]\n",
                LENGTHS_MAX);
        return 2;
    }
    (void)pin_to_cpu(cpu);
    introduce(stdout, "");
    if (csv != NULL) {
        introduce(csv, "# ");
        fputs("operation,bytes,best_ns,median_ns\n", csv);
    }
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        /* A message that is opened has one length, so the seals stand for both. */
        if (!operations[i].one_size && operations[i].does != DOES_OPEN &&
            operation_is_named(&operations[i], only)) {
            measure(&operations[i], max, rounds, csv);
        }
    }
    return csv != NULL && fclose(csv) != 0;
}
