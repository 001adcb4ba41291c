/* SPDX-License-Identifier: MIT */
#include "core_clock.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#if defined(__GNUC__) && defined(__OPTIMIZE__)

#define SAMPLES 9
#define ROUNDS  256

/*
 * The empty statement makes the compiler think that x is another value from here on, so it cannot
 * fold the chain. The addend comes from a register: some cores add constants while renaming, which
 * takes no cycle at all.
 */
#define ADD()                                                                                      \
    do {                                                                                           \
        x += y;                                                                                    \
        __asm__ volatile("" : "+r"(x));                                                            \
    } while (0)
#define ADD_4()                                                                                    \
    do {                                                                                           \
        ADD();                                                                                     \
        ADD();                                                                                     \
        ADD();                                                                                     \
        ADD();                                                                                     \
    } while (0)
#define ADD_16()                                                                                   \
    do {                                                                                           \
        ADD_4();                                                                                   \
        ADD_4();                                                                                   \
        ADD_4();                                                                                   \
        ADD_4();                                                                                   \
    } while (0)
#define ADDS_A_ROUND 64

/* By parts: a double that counts from 1970 has no room for nanoseconds. */
static double seconds_between(const struct timespec *start, const struct timespec *end)
{
    return (double)(end->tv_sec - start->tv_sec) + 1e-9 * (double)(end->tv_nsec - start->tv_nsec);
}

static double sample(void)
{
    struct timespec start;
    struct timespec end;
    size_t x = 1;
    size_t y = 3;

    __asm__ volatile("" : "+r"(y));
    (void)timespec_get(&start, TIME_UTC);
    /* The loop's own two instructions run beside the chain. */
    for (int i = 0; i < ROUNDS; i++) {
        ADD_16();
        ADD_16();
        ADD_16();
        ADD_16();
    }
    (void)timespec_get(&end, TIME_UTC);
    double elapsed = seconds_between(&start, &end);

    return elapsed > 0 ? ROUNDS * ADDS_A_ROUND / elapsed : 0;
}

double core_clock_hz(void)
{
    double sorted[SAMPLES];

    /* The median, so that neither an interrupt nor a step of the system's time counts. */
    for (int n = 0; n < SAMPLES; n++) {
        double hz = sample();
        int i = n;

        for (; i > 0 && sorted[i - 1] > hz; i--) {
            sorted[i] = sorted[i - 1];
        }
        sorted[i] = hz;
    }
    return sorted[SAMPLES / 2];
}

#else

double core_clock_hz(void)
{
    return 0;
}

#endif
