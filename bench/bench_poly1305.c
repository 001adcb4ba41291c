/* SPDX-License-Identifier: MIT */
#include "bench.h"

static const char *run_kernel(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    const struct poly1305_kernel *kernel = job->row->kernel.poly1305;
    uint8_t tag[16];

    for (uint64_t i = 0; i < count; i++) {
        kernel->mac(tag, bench_src, job->len, bench_key);
    }
    return NULL;
}

static const char *run_public(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    uint8_t tag[16];
    int error = AEADFAST_OK;

    for (uint64_t i = 0; i < count; i++) {
        error |= poly1305_mac(tag, bench_src, job->len, bench_key);
    }
    return bench_result(error);
}

void bench_add_poly1305(void)
{
    bench_add(&(struct bench_operation){
        .op = AEADFAST_OP_POLY1305,
        .name = "poly1305",
        .prepare = bench_no_preparation,
        .run_kernel = run_kernel,
        .run_public = run_public,
    });
}
