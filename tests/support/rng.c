/* SPDX-License-Identifier: MIT */
#include "rng.h"

#include <stdio.h>
#include <stdlib.h>

#define FIXED_START UINT64_C(0x6165616466617374)

void rng_from(struct rng *rng, uint64_t start)
{
    rng->state = start;
}

void rng_begin(struct rng *rng)
{
    const char *text = getenv("AEADFAST_TEST_SEED");
    uint64_t start = FIXED_START;

    if (text != NULL && text[0] != '\0') {
        char *end;

        start = strtoull(text, &end, 0);
        if (*end != '\0') {
            fprintf(stderr, "AEADFAST_TEST_SEED is not a number: %s\n", text);
            exit(2);
        }
    }
    printf("random data: AEADFAST_TEST_SEED=0x%llx\n", (unsigned long long)start);
    fflush(stdout);
    rng_from(rng, start);
}

/* splitmix64: a counter through a mixing function; no state is a bad one. */
uint64_t rng_u64(struct rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t rng_u32(struct rng *rng)
{
    return (uint32_t)(rng_u64(rng) >> 32);
}

size_t rng_below(struct rng *rng, size_t n)
{
    return (size_t)(rng_u64(rng) % n);
}

void rng_bytes(struct rng *rng, void *dst, size_t n)
{
    uint8_t *p = dst;
    uint64_t bits = 0;

    for (size_t i = 0; i < n; i++) {
        if (i % 8 == 0) {
            bits = rng_u64(rng);
        }
        p[i] = (uint8_t)bits;
        bits >>= 8;
    }
}
