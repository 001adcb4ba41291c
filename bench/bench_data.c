/* SPDX-License-Identifier: MIT */
#include "bench.h"

/*
 * The destination is set off by half a page and a line: where a load's address equals that of an
 * earlier store in its last 12 bits, some cores take the two for the same and wait.
 */
#define DST_OFFSET (2048 + 64)
static _Alignas(64) uint8_t src_storage[BENCH_SIZE_MAX];
static _Alignas(64) uint8_t dst_storage[DST_OFFSET + BENCH_SIZE_MAX];

uint8_t *const bench_src = src_storage;
uint8_t *const bench_dst = dst_storage + DST_OFFSET;
const uint8_t bench_key[32] = {0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a,
                               0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95,
                               0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f};
const uint8_t bench_aad[BENCH_AAD_BYTES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

const char *bench_no_preparation(const void *context)
{
    (void)context;
    return NULL;
}

const char *bench_result(int error)
{
    return error == AEADFAST_OK ? NULL : aeadfast_strerror(error);
}
