/* SPDX-License-Identifier: MIT */
/*
 * Random test data that can be had again: a fixed start value, printed, which the environment
 * variable AEADFAST_TEST_SEED (decimal, or hex after 0x) replaces.
 */
#ifndef TEST_RNG_H
#define TEST_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

/* Starts from AEADFAST_TEST_SEED or the fixed value, and prints it. */
void rng_begin(struct rng *rng);

/* Starts from a given value, prints nothing. */
void rng_from(struct rng *rng, uint64_t start);

uint64_t rng_u64(struct rng *rng);
uint32_t rng_u32(struct rng *rng);

/* A number below `n`, which is not 0. */
size_t rng_below(struct rng *rng, size_t n);

void rng_bytes(struct rng *rng, void *dst, size_t n);

#endif
