/* SPDX-License-Identifier: MIT */
/*
 * The clock that the core really runs at, which time stamp counters do not tell: they tick at one
 * rate, whatever the core does.
 */
#ifndef AEADFAST_BENCH_CORE_CLOCK_H
#define AEADFAST_BENCH_CORE_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Cycles a second at this moment, from the time of a chain of additions, each of which waits for
 * the one before: one cycle each on the cores this library is for. It is an estimate, good to a
 * per cent or so on a quiet machine. Takes some 50 microseconds. 0 where the chain cannot be built:
 * without the GNU assembler statement, or without optimisation.
 */
double core_clock_hz(void);

#ifdef __cplusplus
}
#endif

#endif
