/* SPDX-License-Identifier: MIT */
/*
 * Google Benchmark for C: what the benchmarks here need of it, behind four functions.
 */
#ifndef AEADFAST_BENCH_SHIM_H
#define AEADFAST_BENCH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One thing to measure. `run` does it `count` times in a loop of its own, so that not even a call
 * per round comes on top of what is measured. Both functions return NULL, or what went wrong as a
 * string constant; the benchmark then counts as failed.
 */
struct bench_case {
    const char *(*prepare)(const void *context); /* before each run, not timed */
    const char *(*run)(const void *context, uint64_t count);
    void *context; /* from malloc, or NULL; from bench_register on it is the shim's to free */
    size_t bytes;  /* in each round; 0 where that is not the point, and no speed is given */
};

void bench_register(const char *name, const struct bench_case *bench);

/* A line in the head of the report. */
void bench_note(const char *key, const char *value);

/*
 * Runs what the options of Google Benchmark ask for. Counters beside its own:
 *   ns/B         nanoseconds a byte
 *   cyc/B(est)   core cycles a byte: the time, at the clock of core_clock.h
 *   cyc/op(est)  the same for a whole round
 *   GHz(est)     the clock that the two were worked out with
 * The first two are 0 where the case is not measured by the byte, the last three where the clock
 * cannot be told. All go by processor time. Returns the exit status: 0, or 1 where a benchmark
 * failed or none was found.
 */
int bench_run_all(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
