/* SPDX-License-Identifier: MIT */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "contest.h"

#include <stdlib.h>
#include <time.h>

#if defined(__linux__)
#include <sched.h>
#endif

int pin_to_cpu(unsigned cpu)
{
#if defined(__linux__)
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return sched_setaffinity(0, sizeof set, &set);
#else
    (void)cpu;
    return -1;
#endif
}

double clock_seconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double run(struct contestant *contestant, uint64_t count)
{
    double start = clock_seconds();

    if (contestant->run(contestant->context, count) != 0) {
        contestant->failed = 1;
    }
    return clock_seconds() - start;
}

static void enter(struct contestant *contestant)
{
    if (contestant->enter != NULL) {
        contestant->enter(contestant->context);
    }
}

/* How many times one batch does it. */
static uint64_t batch_size(struct contestant *contestant, double batch_seconds)
{
    uint64_t count = 1;

    enter(contestant);
    for (;;) {
        double seconds = run(contestant, count);

        if (contestant->failed || seconds >= batch_seconds / 2) {
            return count;
        }
        /* At most eightfold: the first run is slow, and a clock has only so many digits. */
        double factor = seconds > 0 ? batch_seconds / seconds : 8;

        count = factor < 8 ? (uint64_t)((double)count * factor) + 1 : count * 8;
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

void contest(struct contestant *contestants, size_t count, unsigned rounds, double batch_seconds)
{
    double *times = malloc(count * CONTEST_ROUNDS_MAX * sizeof *times);
    uint64_t *sizes = malloc(count * sizeof *sizes);

    if (times == NULL || sizes == NULL) {
        abort();
    }
    rounds = rounds < CONTEST_ROUNDS_MAX ? rounds : CONTEST_ROUNDS_MAX;
    for (size_t i = 0; i < count; i++) {
        contestants[i].failed = 0;
        sizes[i] = batch_size(&contestants[i], batch_seconds);
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            enter(&contestants[i]);
            /* Once untimed: the one before has left its own code and tables in the caches. */
            (void)contestants[i].run(contestants[i].context, 1);
            times[i * rounds + round] = run(&contestants[i], sizes[i]) * 1e9 / (double)sizes[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        double *own = times + i * rounds;

        qsort(own, rounds, sizeof *own, by_size);
        contestants[i].best = own[0];
        contestants[i].median = own[rounds / 2];
    }
    free(times);
    free(sizes);
}
