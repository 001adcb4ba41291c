/* SPDX-License-Identifier: MIT */
/*
 * Times several ways of doing the same thing against each other.
 *
 * A machine that is not quiet, or whose clock moves, spoils figures taken one after the other; it
 * spoils ratios much less when the contestants take turns: A B C A B C, in batches short enough
 * that a disturbance hits few of them. The best batch of each is what it takes undisturbed; the
 * median says how disturbed the run was.
 */
#ifndef AEADFAST_BENCH_CONTEST_H
#define AEADFAST_BENCH_CONTEST_H

#include <stddef.h>
#include <stdint.h>

struct contestant {
    /* Before each of its batches, untimed; may be NULL. */
    void (*enter)(void *context);
    /* Does the thing `count` times. Returns 0 when all went well. */
    int (*run)(void *context, uint64_t count);
    void *context;
    /* The result, in nanoseconds each time. */
    double best;
    double median;
    int failed;
};

/* `rounds` batches of about `batch_seconds` each, at most CONTEST_ROUNDS_MAX. */
#define CONTEST_ROUNDS_MAX 1000
void contest(struct contestant *contestants, size_t count, unsigned rounds, double batch_seconds);

/* Keeps this thread on one processor. Returns 0, or -1 where the system has no way or refuses. */
int pin_to_cpu(unsigned cpu);

/* Seconds since some moment. */
double clock_seconds(void);

#endif
