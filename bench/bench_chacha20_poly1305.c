/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "bytes.h"

static uint8_t nonce[12];
static uint8_t tag[16];

static const char *seal_kernel(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    const struct chacha20_poly1305_kernel *kernel = job->row->kernel.aead;

    for (uint64_t i = 0; i < count; i++) {
        store_le64(nonce + 4, i);
        kernel->seal(bench_dst, tag, bench_src, job->len, bench_aad, BENCH_AAD_BYTES, nonce,
                     bench_key);
    }
    return NULL;
}

static const char *seal_public(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    int error = AEADFAST_OK;

    for (uint64_t i = 0; i < count; i++) {
        store_le64(nonce + 4, i);
        error |= chacha20_poly1305_seal(bench_dst, tag, bench_src, job->len, bench_aad,
                                        BENCH_AAD_BYTES, nonce, bench_key);
    }
    return bench_result(error);
}

/* Makes the message that is opened: whatever is in bench_dst, sealed into bench_src. */
static const char *prepare_open(const void *context)
{
    const struct bench_job *job = context;

    store_le64(nonce + 4, job->len);
    return bench_result(chacha20_poly1305_seal(bench_src, tag, bench_dst, job->len, bench_aad,
                                               BENCH_AAD_BYTES, nonce, bench_key));
}

static const char *open_kernel(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    const struct chacha20_poly1305_kernel *kernel = job->row->kernel.aead;
    uint8_t computed[16] = {0};

    for (uint64_t i = 0; i < count; i++) {
        kernel->open(bench_dst, computed, bench_src, job->len, bench_aad, BENCH_AAD_BYTES, nonce,
                     bench_key);
    }
    return aeadfast_equal(computed, tag, sizeof tag) ? NULL : "the tag is wrong";
}

static const char *open_public(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    int error = AEADFAST_OK;

    for (uint64_t i = 0; i < count; i++) {
        error |= chacha20_poly1305_open(bench_dst, bench_src, job->len, tag, bench_aad,
                                        BENCH_AAD_BYTES, nonce, bench_key);
    }
    return bench_result(error);
}

void bench_add_chacha20_poly1305(void)
{
    bench_add(&(struct bench_operation){
        .op = AEADFAST_OP_CHACHA20_POLY1305,
        .name = "chacha20_poly1305_seal",
        .prepare = bench_no_preparation,
        .run_kernel = seal_kernel,
        .run_public = seal_public,
    });
    bench_add(&(struct bench_operation){
        .op = AEADFAST_OP_CHACHA20_POLY1305,
        .name = "chacha20_poly1305_open",
        .prepare = prepare_open,
        .run_kernel = open_kernel,
        .run_public = open_public,
    });
}
