/* SPDX-License-Identifier: MIT */
/*
 * `batches` of every ChaCha20-Poly1305 kernel that has it, against the reference: each small number of
 * batches and some large ones, all that may be hashed beside the text, counters that wrap, any value
 * of the hash that may be handed over, each alignment, next to forbidden pages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes.h"
#include "check.h"
#include "kernels.h"
#include "layout.h"
#include "ref_chacha.h"
#include "ref_poly1305.h"

#define N_MAX   70
#define BYTES   (N_MAX * (size_t)CHACHA20_POLY1305_BATCH_MAX)
#define FURTHER 37 /* bytes more than a batch behind the text */

/* What is hashed. */
enum hashed {
    HASHED_OTHER,  /* memory of its own */
    HASHED_SRC,    /* the text that comes in */
    HASHED_BEHIND, /* what is written one batch earlier */
    HASHED_FURTHER,
    HASHED_COUNT
};

static struct rng rng;
static struct guard dst_room;
static struct guard src_room;
static struct guard hashed_room;
static struct guard core_room;
static struct guard state_room;
static uint8_t *text;   /* BYTES random bytes */
static uint8_t *before; /* the same, what is hashed that this call does not write */
static uint8_t *want;   /* the text after the call */

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    layout_make(&dst_room, BYTES + CHACHA20_POLY1305_BATCH_MAX + FURTHER);
    layout_make(&src_room, BYTES);
    layout_make(&hashed_room, BYTES);
    layout_make(&core_room, sizeof(struct poly1305_core));
    layout_make(&state_room, 64);
    text = malloc(BYTES);
    before = malloc(BYTES);
    want = malloc(BYTES);
    if (text == NULL || before == NULL || want == NULL) {
        return -1;
    }
    rng_bytes(&rng, text, BYTES);
    rng_bytes(&rng, before, BYTES);
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    guard_free(&dst_room);
    guard_free(&src_room);
    guard_free(&hashed_room);
    guard_free(&core_room);
    guard_free(&state_room);
    free(text);
    free(before);
    free(want);
    return 0;
}

/* ---- One call ---- */

struct batches_case {
    const struct kernel_row *row;
    size_t n;
    enum hashed hashed;
    enum layout layout;
    struct poly1305_core core;
    uint32_t state[16];
};

static struct ref_field field_of(const struct poly1305_core *core)
{
    uint8_t low[16];

    store_le64(low, core->h[0]);
    store_le64(low + 8, core->h[1]);
    return ref_field_from(low, (uint32_t)core->h[2]);
}

/* The n bytes at p, and then those at q as long as there are more to hash. */
static struct ref_field reference(const struct poly1305_core *core, const uint8_t *p, size_t n,
                                  const uint8_t *q, size_t all)
{
    struct ref_poly1305 ref;
    uint8_t key[32] = {0};

    store_le64(key, core->r[0]);
    store_le64(key + 8, core->r[1]);
    ref_poly1305_begin(&ref, key);
    ref.h = field_of(core);
    for (size_t at = 0; at < all; at += 16) {
        uint8_t block[16];

        for (size_t i = 0; i < 16; i++) {
            block[i] = at + i < n ? p[at + i] : q[at + i - n];
        }
        ref_poly1305_block(&ref, block, 16);
    }
    return ref.h;
}

/* How far the hash is behind the text; 0 where it is not of what is written. */
static size_t distance_of(const struct batches_case *c)
{
    size_t batch = c->row->kernel.aead->batch;

    switch (c->hashed) {
    case HASHED_BEHIND:
        return batch;
    case HASHED_FURTHER:
        return batch + FURTHER;
    default:
        return 0;
    }
}

/* The buffers have been placed: dst has `distance` bytes of `before` in front of it. */
static void run(const struct batches_case *c, uint8_t *dst, const uint8_t *src,
                const uint8_t *hashed, struct poly1305_core *core, uint32_t *state)
{
    const struct chacha20_poly1305_kernel *kernel = c->row->kernel.aead;
    size_t bytes = c->n * kernel->batch;
    size_t distance = distance_of(c);
    struct ref_field h;
    struct ref_field got;

    ref_chacha_keystream(want, bytes, c->state, 20);
    ref_xor(want, want, text, bytes);
    if (distance != 0) {
        h = reference(&c->core, before, distance, want, bytes);
    } else {
        h = reference(&c->core, c->hashed == HASHED_SRC ? text : before, bytes, NULL, bytes);
    }
    *core = c->core;
    memcpy(state, c->state, 64);

    kernel->batches(core, dst, src, hashed, c->n, state);

    check_bytes(dst, want, bytes, "%s: text of %zu batches, hashed %d, layout %d", c->row->name,
                c->n, c->hashed, c->layout);
    got = field_of(core);
    check_bytes(got.b, h.b, sizeof h.b, "%s: hash of %zu batches, hashed %d, layout %d",
                c->row->name, c->n, c->hashed, c->layout);
    check_true(core->h[2] < 8, "%s: h[2] is %d", c->row->name, (int)core->h[2]);
    check_bytes(core->r, c->core.r, sizeof core->r, "%s: r", c->row->name);
    check_bytes(core->s, c->core.s, sizeof core->s, "%s: s", c->row->name);
    check_bytes(state, c->state, 64, "%s: the state", c->row->name);
}

static void run_case(const struct batches_case *c)
{
    size_t bytes = c->n * c->row->kernel.aead->batch;
    size_t distance = distance_of(c);
    int in_place = layout_in_place(c->layout);
    uint8_t *room = layout_room(&dst_room, c->layout, distance + bytes, 1, &rng);
    uint8_t *dst = room + distance;
    const uint8_t *src = dst;
    const uint8_t *hashed = room;
    void *core = layout_room(&core_room, c->layout, sizeof(struct poly1305_core), 8, &rng);
    void *state = layout_room(&state_room, c->layout, 64, 4, &rng);

    layout_mark(&dst_room, room, distance + bytes);
    layout_mark(&core_room, core, sizeof(struct poly1305_core));
    memcpy(room, before, distance);
    if (in_place) {
        memcpy(dst, text, bytes);
    } else {
        src = layout_copy(&src_room, c->layout, text, bytes, 1, &rng);
    }
    if (c->hashed == HASHED_SRC) {
        hashed = src;
    } else if (c->hashed == HASHED_OTHER) {
        hashed = layout_copy(&hashed_room, c->layout, before, bytes, 1, &rng);
    }
    run(c, dst, src, hashed, core, state);
    check_bytes(room, before, distance, "%s: what stands before the text", c->row->name);
    if (!in_place) {
        check_bytes(src, text, bytes, "%s: the source", c->row->name);
    }
    layout_check(&dst_room, room, distance + bytes, c->row->name);
    layout_check(&core_room, core, sizeof(struct poly1305_core), c->row->name);
}

/* Random but for the counter, which comes to wrap in the middle of most calls. */
static void random_state(struct batches_case *c, size_t i)
{
    rng_bytes(&rng, c->state, sizeof c->state);
    if (i % 4 != 3) {
        c->state[12] = 0 - (uint32_t)(i * 5);
    }
}

static void random_core(struct batches_case *c)
{
    rng_bytes(&rng, &c->core, sizeof c->core);
    c->core.h[2] %= 8;
    c->core.r[0] &= UINT64_C(0x0ffffffc0fffffff);
    c->core.r[1] &= UINT64_C(0x0ffffffc0ffffffc);
}

/* ---- Tests ---- */

static size_t has_none(const struct kernel_row *row)
{
    check_int((long)row->kernel.aead->batch, 0, "%s: a batch, but nothing that handles it",
              row->name);
    check_note("%s: has no batches\n", row->name);
    return 1;
}

static size_t every_number(const struct kernel_row *row)
{
    static const size_t numbers[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,   11,
                                     12, 15, 16, 17, 31, 32, 33, 34, 35, 50, N_MAX};
    struct batches_case c = {.row = row};
    size_t cases = 0;

    if (row->kernel.aead->batches == NULL) {
        return has_none(row);
    }
    check_true(row->kernel.aead->batch != 0 && row->kernel.aead->batch % 64 == 0 &&
                   row->kernel.aead->batch <= CHACHA20_POLY1305_BATCH_MAX,
               "%s: a batch of %zu bytes", row->name, row->kernel.aead->batch);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (int hashed = 0; hashed < HASHED_COUNT; hashed++) {
            for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
                if (numbers[i] > 12 && (i + (size_t)hashed) % LAYOUT_COUNT != (size_t)layout) {
                    continue; /* emulators are slow */
                }
                c.n = numbers[i];
                c.hashed = (enum hashed)hashed;
                c.layout = (enum layout)layout;
                random_state(&c, cases);
                random_core(&c);
                run_case(&c);
                cases++;
            }
        }
    }
    return cases;
}

/* The hash next to the prime and at its bound; r at its clamp limit, and small. */
static size_t every_edge(const struct kernel_row *row)
{
    static const uint64_t edges[][3] = {
        {0, 0, 0},
        {1, 0, 0},
        {0, 0, 7},
        {UINT64_C(0xfffffffffffffffa), UINT64_MAX, 3}, /* 2^130 - 6 */
        {UINT64_C(0xfffffffffffffffb), UINT64_MAX, 3}, /* 2^130 - 5 */
        {UINT64_C(0xfffffffffffffffc), UINT64_MAX, 3},
        {UINT64_MAX, UINT64_MAX, 3},
        {0, 0, 4},
        {5, 0, 4},
        {UINT64_MAX, UINT64_MAX, 4},
        {UINT64_C(0xfffffffffffffff5), UINT64_MAX, 7}, /* 2 (2^130 - 5) - 1 */
        {UINT64_C(0xfffffffffffffff6), UINT64_MAX, 7},
        {UINT64_MAX, UINT64_MAX, 7},
    };
    static const uint64_t rs[][2] = {
        {0, 0},
        {1, 0},
        {0, 4},
        {UINT64_C(0x0ffffffc0fffffff), UINT64_C(0x0ffffffc0ffffffc)},
    };
    static const size_t numbers[] = {1, 2, 5, 34};
    struct batches_case c = {.row = row, .layout = LAYOUT_APART, .hashed = HASHED_OTHER};
    size_t cases = 0;

    if (row->kernel.aead->batches == NULL) {
        return has_none(row);
    }
    /* all ones in the message too: no word of it or of the hash can be larger */
    for (int ones = 0; ones < 2; ones++) {
        if (ones) {
            memset(before, 0xff, BYTES);
        }
        for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
            for (size_t k = 0; k < sizeof rs / sizeof rs[0]; k++) {
                c.n = numbers[cases % 4];
                random_core(&c);
                random_state(&c, cases);
                memcpy(c.core.h, edges[i], sizeof c.core.h);
                memcpy(c.core.r, rs[k], sizeof c.core.r);
                run_case(&c);
                cases++;
            }
        }
    }
    rng_bytes(&rng, before, BYTES);
    return cases;
}

static size_t every_alignment(const struct kernel_row *row)
{
    struct batches_case c = {.row = row, .layout = LAYOUT_APART, .hashed = HASHED_OTHER, .n = 3};
    size_t bytes = c.n * row->kernel.aead->batch;
    struct poly1305_core core;
    uint32_t state[16];

    if (row->kernel.aead->batches == NULL) {
        return has_none(row);
    }
    for (size_t at = 0; at < 64; at++) {
        uint8_t *dst = layout_at(&dst_room, at);
        uint8_t *src = layout_at(&src_room, at * 29 % 64);
        uint8_t *hashed = layout_at(&hashed_room, at * 11 % 64);

        memcpy(src, text, bytes);
        memcpy(hashed, before, bytes);
        random_state(&c, at);
        random_core(&c);
        run(&c, dst, src, hashed, &core, state);
    }
    return 64;
}

#define KERNEL_TEST(name)                                                                          \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        kernels_each(AEADFAST_OP_CHACHA20_POLY1305, #name, name);                                  \
    }

KERNEL_TEST(every_number)
KERNEL_TEST(every_edge)
KERNEL_TEST(every_alignment)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_number),
        cmocka_unit_test(test_every_edge),
        cmocka_unit_test(test_every_alignment),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
