/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "bytes.h"

static const char *run_kernel(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    const struct chacha_kernel *kernel = job->row->kernel.chacha;
    uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

    for (int i = 0; i < 8; i++) {
        state[4 + i] = load_le32(bench_key + 4 * i);
    }
    for (uint64_t i = 0; i < count; i++) {
        state[14] = (uint32_t)i;
        state[15] = (uint32_t)(i >> 32);
        kernel->stream(bench_dst, bench_src, job->len, state, (int)job->variant);
    }
    return NULL;
}

static const char *run_public(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    uint8_t nonce[12] = {0};
    int error = AEADFAST_OK;

    for (uint64_t i = 0; i < count; i++) {
        store_le64(nonce + 4, i);
        switch (job->variant) {
        case 8:
            error |= chacha8_xor(bench_dst, bench_src, job->len, 0, nonce, bench_key);
            break;
        case 12:
            error |= chacha12_xor(bench_dst, bench_src, job->len, 0, nonce, bench_key);
            break;
        default:
            error |= chacha20_xor(bench_dst, bench_src, job->len, 0, nonce, bench_key);
        }
    }
    return bench_result(error);
}

static void add(const char *name, size_t rounds)
{
    bench_add(&(struct bench_operation){
        .op = AEADFAST_OP_CHACHA20,
        .name = name,
        .variant = rounds,
        .prepare = bench_no_preparation,
        .run_kernel = run_kernel,
        .run_public = run_public,
    });
}

void bench_add_chacha20(void)
{
    add("chacha20", 20);
    add("chacha12", 12);
    add("chacha8", 8);
}
