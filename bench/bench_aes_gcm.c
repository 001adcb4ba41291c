/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "bytes.h"

/* The key as the public functions want it, and as a kernel does. */
static aes_gcm_key public_key;
static uint64_t table[AES_GCM_TABLE_BYTES / sizeof(uint64_t)];
static uint8_t nonce[12];
static uint8_t tag[16];

static const char *init_kernel(const void *context, uint64_t count)
{
    const struct bench_job *job = context;

    for (uint64_t i = 0; i < count; i++) {
        job->row->kernel.aes_gcm->init(table, bench_key, job->variant);
    }
    return NULL;
}

static const char *init_public(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    int error = AEADFAST_OK;

    for (uint64_t i = 0; i < count; i++) {
        error |= aes_gcm_init(&public_key, bench_key, job->variant);
    }
    return bench_result(error);
}

static const char *prepare_seal(const void *context)
{
    const struct bench_job *job = context;

    if (job->row != NULL) {
        return init_kernel(context, 1);
    }
    return init_public(context, 1);
}

static const char *seal_kernel(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    const struct aes_gcm_kernel *kernel = job->row->kernel.aes_gcm;

    for (uint64_t i = 0; i < count; i++) {
        store_le64(nonce + 4, i);
        kernel->seal(table, bench_dst, tag, bench_src, job->len, bench_aad, BENCH_AAD_BYTES, nonce,
                     sizeof nonce);
    }
    return NULL;
}

static const char *seal_public(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    int error = AEADFAST_OK;

    for (uint64_t i = 0; i < count; i++) {
        store_le64(nonce + 4, i);
        error |= aes_gcm_seal(&public_key, bench_dst, tag, bench_src, job->len, bench_aad,
                              BENCH_AAD_BYTES, nonce, sizeof nonce);
    }
    return bench_result(error);
}

/* Makes the message that is opened: whatever is in bench_dst, sealed into bench_src. */
static const char *prepare_open(const void *context)
{
    const struct bench_job *job = context;
    const char *problem = prepare_seal(context);

    if (problem == NULL) {
        problem = init_public(context, 1);
    }
    if (problem != NULL) {
        return problem;
    }
    store_le64(nonce + 4, job->len);
    return bench_result(aes_gcm_seal(&public_key, bench_src, tag, bench_dst, job->len, bench_aad,
                                     BENCH_AAD_BYTES, nonce, sizeof nonce));
}

static const char *open_kernel(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    const struct aes_gcm_kernel *kernel = job->row->kernel.aes_gcm;
    uint8_t computed[16] = {0};

    for (uint64_t i = 0; i < count; i++) {
        kernel->open(table, bench_dst, computed, bench_src, job->len, bench_aad, BENCH_AAD_BYTES,
                     nonce, sizeof nonce);
    }
    return aeadfast_equal(computed, tag, sizeof tag) ? NULL : "the tag is wrong";
}

static const char *open_public(const void *context, uint64_t count)
{
    const struct bench_job *job = context;
    int error = AEADFAST_OK;

    for (uint64_t i = 0; i < count; i++) {
        error |= aes_gcm_open(&public_key, bench_dst, bench_src, job->len, tag, bench_aad,
                              BENCH_AAD_BYTES, nonce, sizeof nonce);
    }
    return bench_result(error);
}

static void add(const char *seal_name, const char *open_name, const char *init_name, size_t key_len)
{
    bench_add(&(struct bench_operation){
        .op = AEADFAST_OP_AES_GCM,
        .name = seal_name,
        .variant = key_len,
        .prepare = prepare_seal,
        .run_kernel = seal_kernel,
        .run_public = seal_public,
    });
    bench_add(&(struct bench_operation){
        .op = AEADFAST_OP_AES_GCM,
        .name = open_name,
        .variant = key_len,
        .prepare = prepare_open,
        .run_kernel = open_kernel,
        .run_public = open_public,
    });
    bench_add(&(struct bench_operation){
        .op = AEADFAST_OP_AES_GCM,
        .name = init_name,
        .variant = key_len,
        .one_size = 1,
        .prepare = bench_no_preparation,
        .run_kernel = init_kernel,
        .run_public = init_public,
    });
}

void bench_add_aes_gcm(void)
{
    add("aes_128_gcm_seal", "aes_128_gcm_open", "aes_128_gcm_init", 16);
    add("aes_192_gcm_seal", "aes_192_gcm_open", "aes_192_gcm_init", 24);
    add("aes_256_gcm_seal", "aes_256_gcm_open", "aes_256_gcm_init", 32);
}
