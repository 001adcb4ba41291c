/* SPDX-License-Identifier: MIT */
/*
 * The Poly1305 that RISC-V kernels do between the instructions of ChaCha, by itself and on any
 * machine: within ChaCha20-Poly1305 neither r nor the text is anybody's choice, and carries that
 * need words of ones come once in 2^64 blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "riscv/poly1305_slots_rvv.h"
#include "support/check.h"
#include "support/ref_poly1305.h"
#include "support/rng.h"

#define BLOCKS_MAX 9

/* 64 bits: all ones, none, all but one, a few at the bottom, or random. */
static uint64_t unusual(struct rng *rng)
{
    switch (rng_below(rng, 5)) {
    case 0:
        return UINT64_MAX;
    case 1:
        return 0;
    case 2:
        return ~(UINT64_C(1) << rng_below(rng, 64));
    case 3:
        return rng_below(rng, 8);
    default:
        return rng_u64(rng);
    }
}

static struct ref_field field(uint64_t w0, uint64_t w1, uint32_t w2)
{
    uint8_t low[16];

    store_le64(low, w0);
    store_le64(low + 8, w1);
    return ref_field_from(low, w2);
}

static void test_unusual(void **state)
{
    struct rng rng;

    (void)state;
    rng_begin(&rng);
    for (int i = 0; i < 50000; i++) {
        const size_t blocks = rng_below(&rng, BLOCKS_MAX + 1);
        const uint64_t r[2] = {unusual(&rng) & 0x0ffffffc0fffffff,
                               unusual(&rng) & 0x0ffffffc0ffffffc};
        struct poly1305_core core = {
            {unusual(&rng), unusual(&rng), rng_below(&rng, 8)}, {r[0], r[1]}, {0, 0}};
        const struct ref_field by = field(r[0], r[1], 0);
        struct ref_field want = field(core.h[0], core.h[1], (uint32_t)core.h[2]);
        struct ref_field got;
        struct poly1305_slots slots;
        _Alignas(8) uint8_t msg[16 * BLOCKS_MAX];

        for (size_t b = 0; b < blocks; b++) {
            struct ref_field block;

            store_le64(msg + 16 * b, unusual(&rng));
            store_le64(msg + 16 * b + 8, unusual(&rng));
            block = ref_field_from(msg + 16 * b, 1);
            want = ref_field_add(&want, &block);
            want = ref_field_mul(&want, &by);
        }
        poly1305_slots_begin(&slots, &core, msg, blocks);
        poly1305_slots_end(&slots, &core);
        check_true(core.h[2] < 8, "%zu blocks: top word %u", blocks, (unsigned)core.h[2]);
        got = field(core.h[0], core.h[1], (uint32_t)core.h[2]);
        check_bytes(got.b, want.b, sizeof want.b, "%zu blocks", blocks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unusual)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
