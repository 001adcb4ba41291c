/* SPDX-License-Identifier: MIT */
/*
 * Every Poly1305 kernel by name against the reference: `mac` for each length and alignment,
 * `blocks` from any value of h that a kernel may be handed, and messages that end next to 2^130
 * - 5.
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
#include "hex.h"
#include "kernels.h"
#include "layout.h"
#include "lengths.h"
#include "poly1305_core.h"
#include "ref_poly1305.h"

#define EVERY      2100
#define BLOCKS_MAX 140

static struct rng rng;
static struct lengths lengths;
static struct guard msg_room;
static struct guard key_room;
static struct guard tag_room;
static struct guard core_room;
static uint8_t *text; /* lengths.max random bytes */

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    lengths_make(&lengths, AEADFAST_OP_POLY1305, EVERY);
    layout_make(&msg_room, lengths.max);
    layout_make(&key_room, 32);
    layout_make(&tag_room, 16);
    layout_make(&core_room, sizeof(struct poly1305_core));
    text = malloc(lengths.max);
    if (text == NULL) {
        return -1;
    }
    rng_bytes(&rng, text, lengths.max);
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    guard_free(&msg_room);
    guard_free(&key_room);
    guard_free(&tag_room);
    guard_free(&core_room);
    free(text);
    lengths_free(&lengths);
    return 0;
}

static void check_mac(const struct kernel_row *row, enum layout layout, const uint8_t *msg,
                      size_t n, const uint8_t key[32], const uint8_t want[16])
{
    const uint8_t *placed_msg = layout_copy(&msg_room, layout, msg, n, 1, &rng);
    const uint8_t *placed_key = layout_copy(&key_room, layout, key, 32, 1, &rng);
    uint8_t *tag = layout_room(&tag_room, layout, 16, 1, &rng);

    layout_mark(&tag_room, tag, 16);
    row->kernel.poly1305->mac(tag, n == 0 ? NULL : placed_msg, n, placed_key);
    check_bytes(tag, want, 16, "%s: tag of %zu bytes at %p", row->name, n,
                (const void *)placed_msg);
    layout_check(&tag_room, tag, 16, row->name);
}

/* r at its clamp limit, and every bit of s. */
static void all_ones_key(uint8_t key[32])
{
    memset(key, 0xff, 32);
}

/* `count` messages of ascending lengths, all prefixes of `msg`, on the way of one reference. */
static size_t check_prefixes(const struct kernel_row *row, const uint8_t *msg, const size_t *n,
                             size_t count, const uint8_t key[32])
{
    struct ref_poly1305 whole;
    size_t absorbed = 0;
    size_t cases = 0;

    ref_poly1305_begin(&whole, key);
    for (size_t i = 0; i < count; i++) {
        struct ref_poly1305 last;
        uint8_t want[16];

        for (; absorbed + 16 <= n[i]; absorbed += 16) {
            ref_poly1305_block(&whole, msg + absorbed, 16);
        }
        last = whole;
        if (absorbed < n[i]) {
            ref_poly1305_block(&last, msg + absorbed, n[i] - absorbed);
        }
        ref_poly1305_final(&last, want);
        for (size_t layout = 0; layout < LAYOUT_COUNT; layout++) {
            if (layout != LAYOUT_IN_PLACE) { /* there is no output of the message's length */
                check_mac(row, (enum layout)layout, msg, n[i], key, want);
                cases++;
            }
        }
    }
    return cases;
}

static size_t every_length(const struct kernel_row *row)
{
    size_t cases = 0;
    uint8_t key[32];

    rng_bytes(&rng, key, 32);
    cases += check_prefixes(row, text, lengths.n, lengths.count, key);
    all_ones_key(key);
    cases += check_prefixes(row, text, lengths.n, lengths.count, key);
    return cases;
}

static size_t every_alignment(const struct kernel_row *row)
{
    static const size_t some[] = {1,   15,  16,  17,  31,  48,  63,  64,   65,   127, 128,
                                  200, 255, 256, 300, 511, 513, 700, 1023, 1025, 1400};
    uint8_t key[32];
    size_t cases = 0;

    rng_bytes(&rng, key, 32);
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        uint8_t want[16];

        ref_poly1305_mac(want, text, some[i], key);
        for (size_t at = 0; at < 64; at++) {
            uint8_t *msg = layout_at(&msg_room, at);
            uint8_t *placed_key = layout_at(&key_room, (at * 5 + i) % 64);
            uint8_t *tag = layout_at(&tag_room, (at * 11 + i) % 64);

            memcpy(msg, text, some[i]);
            memcpy(placed_key, key, 32);
            row->kernel.poly1305->mac(tag, msg, some[i], placed_key);
            check_bytes(tag, want, 16, "%s: %zu bytes at offset %zu", row->name, some[i], at);
            cases++;
        }
    }
    return cases;
}

/* The largest blocks under the largest r, whose products and sums have the longest carries. */
static size_t all_ones(const struct kernel_row *row)
{
    static uint8_t ones[1024 + 1];
    static size_t n[1024 + 1];
    uint8_t key[32];
    size_t cases;

    for (size_t i = 0; i <= 1024; i++) {
        ones[i] = 0xff;
        n[i] = i;
    }
    all_ones_key(key);
    cases = check_prefixes(row, ones, n, 1025, key);
    memset(key + 16, 0, 16);
    return cases + check_prefixes(row, ones, n, 1025, key);
}

/* Sparse and dense r: single bits, single bytes, and none at all. */
static size_t unusual_keys(const struct kernel_row *row)
{
    static const size_t n[] = {16, 17, 64, 130, 256, 272, 500, 1024, 1040};
    const size_t count = sizeof n / sizeof n[0];
    uint8_t key[32];
    size_t cases = 0;

    for (size_t i = 0; i <= 128; i++) {
        memset(key, 0, 32);
        if (i < 128) {
            key[i / 8] = (uint8_t)(1 << i % 8);
            key[16 + i / 8] = 0x80;
        }
        cases += check_prefixes(row, text, n, count, key);
    }
    for (size_t i = 0; i < 16; i++) {
        memset(key, 0xff, 32);
        key[i] = 0;
        cases += check_prefixes(row, text, n, count, key);
    }
    return cases;
}

#define EDGE_BLOCKS 96

/* A message whose sum before the last reduction is a given one, with the reference's state. */
struct edge {
    uint8_t key[32];
    uint8_t msg[16 * EDGE_BLOCKS];
    struct ref_poly1305 p;
};

/* All ones but for a byte; or so many blocks of ones or zeros before random ones. */
static void draw_message(uint8_t *msg, size_t blocks, int turn)
{
    rng_bytes(&rng, msg, 16 * blocks);
    if (turn % 2 == 0) {
        memset(msg, 0xff, 16 * (blocks - 1));
        msg[0] = (uint8_t)turn;
    } else {
        memset(msg, turn % 4 == 1 ? 0 : 0xff, 16 * rng_below(&rng, blocks));
    }
}

/*
 * Solves for the last block, m = sum / r - (h + 2^128). It must fit in 16 bytes, which one in four
 * does; so the blocks before it are drawn again until it does. Returns 0 where it never did.
 */
static int find_edge(struct edge *e, size_t blocks, const struct ref_field *sum, int plain)
{
    static const uint8_t zero[16];
    const struct ref_field top = ref_field_from(zero, 1);
    uint8_t *last = e->msg + 16 * (blocks - 1);
    struct ref_field inverse = {{1}};

    for (int turn = 0; turn < 200; turn++) {
        struct ref_field m;

        if (turn % 20 == 0 || blocks == 1) {
            rng_bytes(&rng, e->key, 32);
            if (plain) { /* r = 1: h is the plain sum of the blocks */
                memset(e->key, 0, 16);
                e->key[0] = 1;
            } else {
                ref_poly1305_begin(&e->p, e->key);
                inverse = ref_field_inverse(&e->p.r);
            }
        }
        draw_message(e->msg, blocks, turn);
        ref_poly1305_begin(&e->p, e->key);
        for (const uint8_t *block = e->msg; block < last; block += 16) {
            ref_poly1305_block(&e->p, block, 16);
        }
        m = ref_field_mul(sum, &inverse);
        m = ref_field_sub(&m, &e->p.h);
        m = ref_field_sub(&m, &top);
        if (m.b[16] == 0) {
            memcpy(last, m.b, 16);
            ref_poly1305_block(&e->p, last, 16);
            check_bytes(e->p.h.b, sum->b, 17, "the last block");
            return 1;
        }
    }
    return 0;
}

/* Sums of 2^130 - 5 and up to 7 to either side, so that both that and 2^130 itself are crossed. */
static size_t near_the_prime(const struct kernel_row *row)
{
    static const size_t block_counts[] = {1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16, 17,
                                          23, 24, 31, 32, 33, 48, 63, 64, 65, 79, 80, EDGE_BLOCKS};
    size_t cases = 0;

    for (size_t i = 0; i < sizeof block_counts / sizeof block_counts[0]; i++) {
        size_t blocks = block_counts[i];

        for (int d = -7; d <= 7; d++) {
            const int plain = d % 2 == 0;
            uint8_t distance[16] = {(uint8_t)(d < 0 ? -d : d)};
            uint8_t zero[16] = {0};
            uint8_t want[16];
            struct ref_field sum = ref_field_from(distance, 0);
            struct edge e;

            if (d < 0) {
                const struct ref_field none = ref_field_from(zero, 0);

                sum = ref_field_sub(&none, &sum);
            }
            if (!find_edge(&e, blocks, &sum, plain)) {
                /* so few blocks that their plain sum cannot get there */
                check_true(plain && blocks <= 4, "no message of %zu blocks", blocks);
                continue;
            }
            ref_poly1305_final(&e.p, want);
            check_mac(row, LAYOUT_APART, e.msg, 16 * blocks, e.key, want);
            cases++;
        }
    }
    return cases;
}

/*
 * Three blocks, r = 1 and a plain sum of exactly 2^130 - 5 + d, which no
 * carry has touched yet: the last subtraction is left to do all of it.
 */
static size_t unreduced_sum(const struct kernel_row *row)
{
    size_t cases = 0;

    for (int d = -8; d <= 12; d++) {
        uint8_t msg[48];
        uint8_t key[32] = {1};
        uint8_t want[16];
        int y = d - 4; /* block 0 all ones and block 1 zeros: 3 2^128 + 2^128 - 1 + y */

        memset(msg, 0xff, 16);
        memset(msg + 16, 0, 32);
        if (y >= 0) {
            msg[32] = (uint8_t)y;
        } else {
            msg[0] = (uint8_t)(0xff + y);
        }
        rng_bytes(&rng, key + 16, 16);
        ref_poly1305_mac(want, msg, 48, key);
        check_mac(row, LAYOUT_END, msg, 48, key, want);
        cases++;
    }
    return cases;
}

/* 2 and a message of ones: the tag is 3, as the sum is 2^129 - 1 and 2^130 - 2 wraps to 3. */
static size_t known_tags(const struct kernel_row *row)
{
    uint8_t key[32] = {2};
    uint8_t want[16] = {3};
    uint8_t msg[16];

    memset(msg, 0xff, 16);
    check_mac(row, LAYOUT_END, msg, 16, key, want);
    return 1;
}

/* ---- blocks ---- */

static struct ref_field core_value(const struct poly1305_core *core)
{
    uint8_t low[16];

    store_le64(low, core->h[0]);
    store_le64(low + 8, core->h[1]);
    return ref_field_from(low, (uint32_t)core->h[2]);
}

/* h as a kernel may be handed it: at a limit, next to a multiple of the prime, or anything. */
static void choose_h(uint64_t h[3], size_t which)
{
    static const uint64_t low[] = {0,
                                   1,
                                   4,
                                   5,
                                   6,
                                   UINT64_MAX - 11,
                                   UINT64_MAX - 10,
                                   UINT64_MAX - 9,
                                   UINT64_MAX - 5,
                                   UINT64_MAX - 4,
                                   UINT64_MAX - 3,
                                   UINT64_MAX};
    const size_t low_count = sizeof low / sizeof low[0];

    h[0] = low[which % low_count];
    which /= low_count;
    h[2] = which % 8;
    which /= 8;
    h[1] = which == 0 ? 0 : UINT64_MAX;
    if (which > 1) {
        h[0] = rng_u64(&rng);
        h[1] = rng_u64(&rng);
    }
}

#define H_CHOICES ((size_t)12 * 8 * 3)

static void choose_r(struct ref_poly1305 *p, struct poly1305_core *core, size_t which)
{
    uint8_t key[32] = {0};

    switch (which % 3) {
    case 0:
        rng_bytes(&rng, key, 32);
        break;
    case 1:
        all_ones_key(key);
        break;
    default:
        key[0] = 1;
        break;
    }
    ref_poly1305_begin(p, key);
    poly1305_core_begin(core, key);
}

/* One call of `blocks`, on a core that lies where the layout has it; the reference goes along. */
static void check_blocks(const struct kernel_row *row, enum layout layout,
                         struct poly1305_core *core, struct ref_poly1305 *p, const uint8_t *msg,
                         size_t blocks, uint64_t hibit)
{
    const uint8_t *placed_msg = layout_copy(&msg_room, layout, msg, 16 * blocks, 1, &rng);
    uint8_t *room = layout_copy(&core_room, layout, core, sizeof *core, 8, &rng);
    struct poly1305_core after;
    struct ref_field got;

    layout_mark(&core_room, room, sizeof *core);
    row->kernel.poly1305->blocks((struct poly1305_core *)(void *)room,
                                 blocks == 0 ? NULL : placed_msg, blocks, hibit);
    layout_check(&core_room, room, sizeof *core, row->name);
    memcpy(&after, room, sizeof after);

    for (size_t i = 0; i < blocks; i++) {
        struct ref_field m = ref_field_from(msg + 16 * i, (uint32_t)hibit);

        p->h = ref_field_add(&p->h, &m);
        p->h = ref_field_mul(&p->h, &p->r);
    }
    check_true(after.h[2] < 8, "%s: h[2] is %llx", row->name, (unsigned long long)after.h[2]);
    got = core_value(&after);
    check_bytes(got.b, p->h.b, 17, "%s: %zu blocks, hibit %d, from h = %llx %016llx %016llx",
                row->name, blocks, (int)hibit, (unsigned long long)core->h[2],
                (unsigned long long)core->h[1], (unsigned long long)core->h[0]);
    check_bytes(after.r, core->r, sizeof core->r, "%s: changed r", row->name);
    check_bytes(after.s, core->s, sizeof core->s, "%s: changed s", row->name);
    *core = after;
}

static size_t any_value(const struct kernel_row *row)
{
    static uint8_t ones[16 * BLOCKS_MAX];
    size_t cases = 0;

    memset(ones, 0xff, sizeof ones);
    for (size_t i = 0; i < H_CHOICES; i++) {
        for (size_t j = 0; j < 3; j++) {
            for (size_t k = 0; k < 4; k++) {
                size_t blocks = k < 2 ? k + 1 : 1 + rng_below(&rng, k == 2 ? 20 : BLOCKS_MAX);
                struct poly1305_core core;
                struct ref_poly1305 p;

                choose_r(&p, &core, j);
                choose_h(core.h, i);
                p.h = core_value(&core);
                check_blocks(row, LAYOUT_APART, &core, &p, (i + k) % 2 == 0 ? text : ones, blocks,
                             (i / 2 + k) % 3 != 0);
                cases++;
            }
        }
    }
    return cases;
}

/* Every number of blocks, 0 included, for both values of the high bit. */
static size_t every_count(const struct kernel_row *row)
{
    size_t cases = 0;

    for (size_t blocks = 0; blocks <= BLOCKS_MAX; blocks++) {
        for (uint64_t hibit = 0; hibit < 2; hibit++) {
            static const enum layout layouts[] = {LAYOUT_APART, LAYOUT_END, LAYOUT_START};

            for (size_t i = 0; i < 3; i++) {
                struct poly1305_core core;
                struct ref_poly1305 p;

                choose_r(&p, &core, i);
                choose_h(core.h, rng_below(&rng, H_CHOICES));
                p.h = core_value(&core);
                check_blocks(row, layouts[i], &core, &p, text, blocks, hibit);
                cases++;
            }
        }
    }
    return cases;
}

/* A message in calls of any size: what one call leaves is what the next one takes up. */
static size_t random_splits(const struct kernel_row *row)
{
    size_t cases = 0;

    for (size_t turn = 0; turn < 60; turn++) {
        size_t left = EVERY / 16;
        const uint8_t *msg = text;
        struct poly1305_core core;
        struct ref_poly1305 p;
        uint8_t want[16];
        uint8_t got[16];

        choose_r(&p, &core, turn);
        while (left > 0) {
            size_t most = turn % 2 == 0 ? 8 : 70;
            size_t blocks = rng_below(&rng, (most < left ? most : left) + 1);

            check_blocks(row, LAYOUT_APART, &core, &p, msg, blocks, 1);
            msg += 16 * blocks;
            left -= blocks;
            cases++;
        }
        poly1305_core_final(&core, got);
        ref_poly1305_final(&p, want);
        check_bytes(got, want, 16, "%s: tag after splits", row->name);
    }
    return cases;
}

/* The last reduction, which all kernels share, at every edge of what it may be given. */
static void test_final(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 4 * H_CHOICES; i++) {
        struct poly1305_core core;
        struct ref_poly1305 p;
        uint8_t want[16];
        uint8_t got[16];

        choose_r(&p, &core, i);
        choose_h(core.h, i % H_CHOICES);
        p.h = core_value(&core);
        poly1305_core_final(&core, got);
        ref_poly1305_final(&p, want);
        check_bytes(got, want, 16, "tag of h = %llx %016llx %016llx", (unsigned long long)core.h[2],
                    (unsigned long long)core.h[1], (unsigned long long)core.h[0]);
    }
}

#define KERNEL_TEST(name)                                                                          \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        kernels_each(AEADFAST_OP_POLY1305, #name, name);                                           \
    }

KERNEL_TEST(every_length)
KERNEL_TEST(every_alignment)
KERNEL_TEST(all_ones)
KERNEL_TEST(unusual_keys)
KERNEL_TEST(near_the_prime)
KERNEL_TEST(unreduced_sum)
KERNEL_TEST(known_tags)
KERNEL_TEST(any_value)
KERNEL_TEST(every_count)
KERNEL_TEST(random_splits)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length),   cmocka_unit_test(test_every_alignment),
        cmocka_unit_test(test_all_ones),       cmocka_unit_test(test_unusual_keys),
        cmocka_unit_test(test_near_the_prime), cmocka_unit_test(test_unreduced_sum),
        cmocka_unit_test(test_known_tags),     cmocka_unit_test(test_any_value),
        cmocka_unit_test(test_every_count),    cmocka_unit_test(test_random_splits),
        cmocka_unit_test(test_final),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
