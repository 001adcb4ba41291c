/* SPDX-License-Identifier: MIT */
/*
 * Every ChaCha kernel by name against the reference: each length, each alignment, counters that
 * wrap in every block of a batch, and states whose word 12 overflows where it must not carry.
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
#include "ref_chacha.h"
#include "sha256.h"

#define EVERY     2100
#define POSITIONS 40                     /* wider than any batch of blocks */
#define SPAN      (64 * (POSITIONS + 8)) /* from a state's block 0 to beyond the last position */

static const int round_counts[3] = {8, 12, 20};

static struct rng rng;
static struct lengths lengths;
static struct guard dst_room;
static struct guard src_room;
static struct guard state_room;
static int direct; /* kernels are called by `direct` instead of `stream`, for states of RFC 8439 */
static uint8_t *text; /* lengths.max random bytes */
static uint8_t *want;

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    lengths_make(&lengths, AEADFAST_OP_CHACHA20, EVERY);
    layout_make(&dst_room, lengths.max);
    layout_make(&src_room, lengths.max);
    layout_make(&state_room, 64);
    text = malloc(lengths.max);
    want = malloc(lengths.max);
    if (text == NULL || want == NULL) {
        return -1;
    }
    rng_bytes(&rng, text, lengths.max);
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    guard_free(&dst_room);
    guard_free(&src_room);
    guard_free(&state_room);
    free(text);
    free(want);
    lengths_free(&lengths);
    return 0;
}

/* want = text xor key stream, for n bytes: any shorter message has a prefix of it. */
static void make_want(const uint32_t state[16], int rounds, size_t n)
{
    ref_chacha_keystream(want, n, state, rounds);
    ref_xor(want, want, text, n);
}

static void check_call(const struct kernel_row *row, uint8_t *dst, const uint8_t *src, size_t n,
                       const uint32_t state[16], int rounds)
{
    layout_mark(&dst_room, dst, n);
    if (direct) {
        row->kernel.chacha->direct(dst, src, n, state[12], (const uint8_t *)(state + 13),
                                   (const uint8_t *)(state + 4), rounds);
    } else {
        row->kernel.chacha->stream(dst, src, n, state, rounds);
    }
    check_bytes(dst, want, n, "%s%s: %d rounds, %zu bytes from counter %08x, dst %p, src %p",
                row->name, direct ? ", direct" : "", rounds, n, (unsigned)state[12], (void *)dst,
                (const void *)src);
    layout_check(&dst_room, dst, n, row->name);
    if (dst != src) {
        check_bytes(src, text, n, "%s: changed its input", row->name);
    }
}

/* One message of n bytes, with `want` made for the state. */
static void check_layout(const struct kernel_row *row, enum layout layout, size_t n,
                         const uint32_t state[16], int rounds)
{
    uint32_t *placed = (uint32_t *)(void *)layout_copy(&state_room, layout, state, 64, 4, &rng);
    uint8_t *dst = layout_room(&dst_room, layout, n, 1, &rng);
    const uint8_t *src = dst;

    if (layout_in_place(layout)) {
        memcpy(dst, text, n);
    } else {
        src = layout_copy(&src_room, layout, text, n, 1, &rng);
        memset(dst, 0x5a, n);
    }
    check_call(row, dst, src, n, placed, rounds);
    check_bytes(placed, state, 64, "%s: changed the state", row->name);
}

static void random_state(uint32_t state[16])
{
    for (int i = 0; i < 16; i++) {
        state[i] = rng_u32(&rng);
    }
    if (direct) {
        memcpy(state, (const uint32_t[4]){0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, 16);
    }
}

static size_t every_length(const struct kernel_row *row)
{
    uint32_t state[16];
    size_t cases = 0;

    for (size_t r = 0; r < 3; r++) {
        random_state(state);
        make_want(state, round_counts[r], lengths.max);
        for (size_t i = 0; i < lengths.count; i++) {
            size_t n = lengths.n[i];
            int all = lengths_is_edge(AEADFAST_OP_CHACHA20, n);

            for (size_t layout = 0; layout < LAYOUT_COUNT; layout++) {
                if (all || (n + r) % 2 == layout % 2) {
                    check_layout(row, (enum layout)layout, n, state, round_counts[r]);
                    cases++;
                }
            }
        }
        if (!direct) {
            row->kernel.chacha->stream(NULL, NULL, 0, state, round_counts[r]);
        }
    }
    return cases;
}

static size_t every_alignment(const struct kernel_row *row)
{
    static const size_t some[] = {1,   7,   15,  16,  17,  33,  63,  64,   65,   127,  130,  191,
                                  255, 257, 300, 511, 513, 700, 767, 1023, 1025, 1100, 1300, 1537};
    uint32_t state[16];
    size_t cases = 0;

    random_state(state);
    make_want(state, 20, 2048);
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        for (size_t d = 0; d < 64; d++) {
            for (size_t turn = 0; turn < 3; turn++) {
                uint8_t *dst = layout_at(&dst_room, d);
                uint8_t *src = turn == 0 ? dst : layout_at(&src_room, (d * 29 + turn * 17) % 64);

                memcpy(src, text, some[i]);
                check_call(row, dst, src, some[i], state, 20);
                cases++;
            }
        }
    }
    return cases;
}

/* The counter wraps at 2^32 before block k, and the message ends in every block around there. */
static size_t counter_wrap(const struct kernel_row *row)
{
    uint32_t state[16];
    size_t cases = 0;

    for (uint32_t k = 0; k <= POSITIONS; k++) {
        int rounds = round_counts[k % 3];

        random_state(state);
        state[12] = 0 - k;
        state[13] |= k % 4 == 0 ? 0xffffffff : 0; /* where a carry would run on into word 14 */
        make_want(state, rounds, SPAN);
        for (size_t blocks = 0; blocks <= POSITIONS + 1; blocks++) {
            size_t rest = blocks % 2 == 0 ? 0 : 1 + rng_below(&rng, 63);

            check_layout(row, cases % 3 == 0 ? LAYOUT_APART : LAYOUT_END, 64 * blocks + rest, state,
                         rounds);
            cases++;
        }
    }
    return cases;
}

static void check_span(const struct kernel_row *row, const uint32_t state[16], int rounds)
{
    make_want(state, rounds, SPAN);
    check_layout(row, LAYOUT_APART, SPAN, state, rounds);
}

/*
 * A kernel that holds the counter's offset back, and adds the 1, 2, 3 ... of a block's place in the
 * batch to word 12 of the permuted block in a 64-bit lane, carries into word 13 where that word is
 * about to wrap. By chance that comes once in 2^32 / 3 blocks; here the permuted block is chosen,
 * and running the rounds backwards gives the state it comes from.
 */
static size_t permuted_word_wraps(const struct kernel_row *row)
{
    size_t cases = 0;

    for (size_t r = 0; r < 3; r++) {
        for (uint32_t k = 1; k <= POSITIONS; k++) {
            const uint32_t below[3] = {1, k, 1 + rng_u32(&rng) % k};

            for (size_t i = 0; i < 3; i++) {
                uint32_t state[16];

                random_state(state);
                state[12] = 0 - below[i];
                ref_chacha_permute_back(state, round_counts[r]);
                state[12] -= k;
                check_span(row, state, round_counts[r]);
                cases++;
            }
        }
    }
    return cases;
}

/*
 * The other order: permuted block plus state first, the offset last. Then it is the sum's word 12
 * that must be about to wrap, so that the output's is just above 0. Both the state and what it is
 * permuted to are in that sum, so there is no running backwards: these states were found by trying
 * about 2^32 counters each. The block's word 12 in the output is 0.
 */
static size_t sum_wraps(const struct kernel_row *row)
{
    static const uint32_t found[3][16] = {
        {0xbd705f98, 0xf4cc1b77, 0x27a1108e, 0xdc909639, 0xe29e2b5c, 0xdbf8fd17, 0x7a455c23,
         0x17572b8c, 0xa55502c9, 0xe7f19e81, 0x9361e478, 0xf191d898, 0xabdcf37c, 0x12340000,
         0x341c6688, 0x55e5e0b2},
        {0x76bbd942, 0xbe35e0b4, 0xc112f6e8, 0x0a054e00, 0xf09a7080, 0x77edabcf, 0xe329a7d4,
         0x14602656, 0xe0ff9d34, 0x91eb9a8c, 0x4cf85beb, 0x0aba309c, 0x235cf7e8, 0x12340004,
         0x0503743b, 0x8a9ba290},
        {0x98eabfe4, 0x95324b3d, 0xc0d60ff3, 0xd44db5cb, 0x2f590af0, 0x5a33b80e, 0x437856ee,
         0xa29d9931, 0x2d53e501, 0x7de45140, 0xb7fde9b5, 0xf450f9d1, 0x12eef01b, 0x12340001,
         0x4b02d0d0, 0xaae8c1e1},
    };
    size_t cases = 0;

    for (size_t r = 0; r < 3; r++) {
        uint8_t block[64];

        ref_chacha_keystream(block, 64, found[r], round_counts[r]);
        check_int((long)load_le32(block + 48), 0, "word 12 of state %zu", r);
        for (uint32_t k = 0; k <= POSITIONS; k++) {
            uint32_t state[16];

            memcpy(state, found[r], sizeof state);
            state[12] -= k;
            check_span(row, state, round_counts[r]);
            cases++;
        }
    }
    return cases;
}

/* All words alike: the largest sums, and the smallest. */
static size_t extreme_states(const struct kernel_row *row)
{
    static const uint32_t words[4] = {0, 0xffffffff, 0x80000000, 0x7fffffff};
    size_t cases = 0;

    for (size_t w = 0; w < 4; w++) {
        uint32_t state[16];

        for (int i = 0; i < 16; i++) {
            state[i] = words[w];
        }
        for (size_t r = 0; r < 3; r++) {
            check_span(row, state, round_counts[r]);
            cases++;
        }
    }
    return cases;
}

/*
 * Known key streams at the wrap, computed with an independent ChaCha20 whose counter stays within
 * its 32 bits: key and nonce 0, from counter 2^32 - 2; and the key 00..1f of RFC 8439 section 2.3.2
 * from counter 2^32 - 32, where in each of 24 blocks the final addition to word 12 overflows.
 */
static size_t known_streams(const struct kernel_row *row)
{
    static const char *const first[5] = {
        "032cc123482c31711f94c941af5ab1f4", "ace4cd09e294d1912d4ad205d06f95d9",
        "76b8e0ada0f13d90405d6ae55386bd28", "9f07e7be5551387a98ba977c732d080d",
        "2d09a0e663266ce1ae7ed1081968a075"};
    static const uint8_t zero[1536];
    uint8_t key[32] = {0};
    uint8_t nonce[12] = {0};
    uint8_t stream[1536];
    uint8_t shorter[320];
    uint8_t start[16];
    uint32_t state[16];

    ref_chacha_state(state, key, nonce, 0xfffffffe);
    row->kernel.chacha->stream(stream, zero, 320, state, 20);
    for (int i = 0; i < 5; i++) {
        hex_constant(start, 16, first[i]);
        check_bytes(stream + 64 * i, start, 16, "%s: block %d at the wrap", row->name, i);
    }
    sha256_check(stream, 320, "29faa323ae1ffd954f9ab802c8e689a2157725a49847188a5643b57f7b509117",
                 row->name);
    for (size_t n = 1; n <= 320; n++) {
        row->kernel.chacha->stream(shorter, zero, n, state, 20);
        check_bytes(shorter, stream, n, "%s: the first %zu bytes at the wrap", row->name, n);
    }

    for (int i = 0; i < 32; i++) {
        key[i] = (uint8_t)i;
    }
    nonce[3] = 0x09;
    nonce[7] = 0x4a;
    ref_chacha_state(state, key, nonce, 0xffffffe0);
    row->kernel.chacha->stream(stream, zero, sizeof stream, state, 20);
    hex_constant(start, 16, "49eeeae7426d1955a7c0b72299a0512d");
    check_bytes(stream, start, 16, "%s: 24 overflowing blocks", row->name);
    sha256_check(stream, sizeof stream,
                 "34420c6029396cf92b02d73880eb9a642baf9a895ceec1d8d6adc6c5e78c89cd", row->name);
    return 2 + 320;
}

/* Once more, where a kernel has another way, from key and nonce. */
static size_t both_ways(const struct kernel_row *row, kernel_test *test)
{
    size_t cases = test(row);

    if (row->kernel.chacha->direct != NULL) {
        direct = 1;
        cases += test(row);
        direct = 0;
    }
    return cases;
}

#define BOTH_WAYS(name)                                                                            \
    static size_t name##_both_ways(const struct kernel_row *row)                                   \
    {                                                                                              \
        return both_ways(row, name);                                                               \
    }

BOTH_WAYS(every_length)
BOTH_WAYS(every_alignment)
BOTH_WAYS(counter_wrap)

#define KERNEL_TEST(name)                                                                          \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        kernels_each(AEADFAST_OP_CHACHA20, #name, name);                                           \
    }

KERNEL_TEST(every_length_both_ways)
KERNEL_TEST(every_alignment_both_ways)
KERNEL_TEST(counter_wrap_both_ways)
KERNEL_TEST(permuted_word_wraps)
KERNEL_TEST(sum_wraps)
KERNEL_TEST(extreme_states)
KERNEL_TEST(known_streams)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_both_ways),
        cmocka_unit_test(test_every_alignment_both_ways),
        cmocka_unit_test(test_counter_wrap_both_ways),
        cmocka_unit_test(test_permuted_word_wraps),
        cmocka_unit_test(test_sum_wraps),
        cmocka_unit_test(test_extreme_states),
        cmocka_unit_test(test_known_streams),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
