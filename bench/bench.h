/* SPDX-License-Identifier: MIT */
/*
 * What the benchmarks share. Each measures an operation with each kernel of the list that this
 * processor can run, and through the public function, which chooses one ("auto"), at each size:
 *
 *     chacha20_poly1305_seal/avx2/1350
 *
 * A kernel is called through its table, as the public functions do but without their checks and
 * their clearing of the stack; "auto" has both. Keys are set up once. Each message that is sealed
 * has a nonce of its own; the one that is opened is the same each time, with a good tag.
 */
#ifndef AEADFAST_BENCH_H
#define AEADFAST_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "aeadfast.h"
#include "dispatch.h"

#define BENCH_SIZE_MAX  1048576
#define BENCH_AAD_BYTES 13 /* as in TLS 1.2; QUIC and TLS 1.3 have about as much */

/* On 64-byte borders, apart from each other, and not at the same place in their pages. */
extern uint8_t *const bench_src;
extern uint8_t *const bench_dst;
extern const uint8_t bench_key[32];
extern const uint8_t bench_aad[BENCH_AAD_BYTES];

struct bench_job {
    const struct kernel_row *row; /* NULL: the public function */
    size_t len;
    size_t variant; /* of bench_operation */
};

/* The functions return NULL, or what went wrong; the context is a bench_job. */
struct bench_operation {
    aeadfast_op op;
    const char *name;
    size_t variant; /* number of rounds, bytes of the key: whatever the functions make of it */
    int one_size;   /* no message is involved: measured once, and not by the byte */
    const char *(*prepare)(const void *context);
    const char *(*run_kernel)(const void *context, uint64_t count);
    const char *(*run_public)(const void *context, uint64_t count);
};

void bench_add(const struct bench_operation *operation);

/* For an operation with nothing to prepare. */
const char *bench_no_preparation(const void *context);

/* What a public function returned, in the form that the functions above return. */
const char *bench_result(int error);

/* One a file. */
void bench_add_chacha20(void);
void bench_add_poly1305(void);
void bench_add_chacha20_poly1305(void);
void bench_add_aes_gcm(void);

#endif
