/* SPDX-License-Identifier: MIT */
/*
 * The portable GHASH by itself, with values of H that no AES key is ever likely to give. Its integer
 * products count up to 15 ones in 4 bits; only factors that are nearly all ones bring that to its
 * limit, and a carry lost there would pass all tests of AES-GCM as a whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define GHASH_POWERS 4
#include "ghash_portable.h"
#include "support/check.h"
#include "support/ref_aes_gcm.h"
#include "support/rng.h"

#define BLOCKS_MAX 9

/* 64 bits that are all ones, or all ones in some of the four classes of bits, or nearly, or random. */
static uint64_t dense(struct rng *rng)
{
    const uint64_t one_class = 0x1111111111111111;

    switch (rng_below(rng, 4)) {
    case 0:
        return UINT64_MAX;
    case 1:
        return one_class << rng_below(rng, 4) | one_class << rng_below(rng, 4);
    case 2:
        return ~(UINT64_C(1) << rng_below(rng, 64));
    default:
        return rng_u64(rng);
    }
}

static void dense_block(struct rng *rng, uint8_t block[16])
{
    store_be64(block, dense(rng));
    store_be64(block + 8, dense(rng));
}

/* The key keeps H / x, so that is what ought to be dense: H is x times it. */
static void dense_h(struct rng *rng, uint8_t h[16])
{
    static const uint8_t x[16] = {0x40}; /* the bit of x^1, in the order of SP 800-38D */

    dense_block(rng, h);
    ref_gf128_mul(h, x);
}

static void test_dense(void **state)
{
    struct rng rng;

    (void)state;
    rng_begin(&rng);
    for (int i = 0; i < 20000; i++) {
        size_t blocks = rng_below(&rng, BLOCKS_MAX + 1);
        uint8_t data[16 * BLOCKS_MAX];
        uint8_t h[16];
        uint8_t got[16];
        struct ghash_key key;
        struct ghash y = {0, 0};
        struct ref_ghash want;

        dense_h(&rng, h);
        for (size_t b = 0; b < BLOCKS_MAX; b++) {
            dense_block(&rng, data + 16 * b);
        }
        ghash_key_init(&key, h, GHASH_POWERS);
        ghash_blocks(&y, &key, data, blocks, 0);
        ghash_store(got, &y);

        ref_ghash_begin(&want, h);
        ref_ghash_padded(&want, data, 16 * blocks);
        check_bytes(got, want.y, 16, "%zu blocks, limbs of %d bits", blocks, GHASH_MUL_BITS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dense)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
