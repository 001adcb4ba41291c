/* SPDX-License-Identifier: MIT */
/*
 * Lists of pieces by themselves: which overlaps are refused, against a map of a small memory that
 * says for each byte what lies there; sums; the way through two lists; joining and zeroing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "iovec.h"
#include "support/check.h"
#include "support/rng.h"

enum { ARENA = 96, PIECES = 5, TAG = 4, NONCE = 3, KEY = 5 };

static uint8_t arena[ARENA];

/* The arguments of a call; a tag, a nonce and a key lie out of the way. */
struct subject {
    aeadfast_iovec dst[PIECES];
    aeadfast_iovec src[PIECES];
    aeadfast_iovec aad[PIECES];
    struct iovec_arguments a;
};

static void subject_make(struct subject *s, size_t dst, size_t src, size_t aad)
{
    static const uint8_t apart[TAG + NONCE + KEY];

    memset(s, 0, sizeof *s);
    s->a.dst.pieces = s->dst;
    s->a.dst.count = dst;
    s->a.src.pieces = s->src;
    s->a.src.count = src;
    s->a.aad.pieces = s->aad;
    s->a.aad.count = aad;
    s->a.tag = apart;
    s->a.tag_len = TAG;
    s->a.nonce = apart + TAG;
    s->a.nonce_len = NONCE;
    s->a.key = apart + TAG + NONCE;
    s->a.key_size = KEY;
    s->a.text_max = 1000;
    s->a.aad_max = 1000;
}

/* ---- Overlap, by the map ---- */

struct place {
    int outputs;   /* how many pieces of the output lie here */
    size_t offset; /* which byte of the text that one is */
    int tag;
    int other; /* tag, data, nonce or key */
};

static int refused_by_map(const struct subject *s, enum aead_direction direction)
{
    struct place map[ARENA] = {{0, 0, 0, 0}};
    size_t offset = 0;
    int refused = 0;

    for (size_t i = 0; i < s->a.dst.count; i++) {
        for (size_t k = 0; k < s->dst[i].len; k++) {
            struct place *p = &map[(uint8_t *)s->dst[i].base + k - arena];

            p->outputs++;
            p->offset = offset++;
        }
    }
    for (size_t k = 0; k < ARENA; k++) {
        const uint8_t *at = arena + k;

        map[k].tag = at >= s->a.tag && at < s->a.tag + TAG;
        map[k].other = map[k].tag || (at >= s->a.nonce && at < s->a.nonce + NONCE) ||
                       (at >= (const uint8_t *)s->a.key && at < (const uint8_t *)s->a.key + KEY);
        refused |= map[k].tag && direction == AEAD_SEAL &&
                   ((at >= s->a.nonce && at < s->a.nonce + NONCE) ||
                    (at >= (const uint8_t *)s->a.key && at < (const uint8_t *)s->a.key + KEY));
    }
    offset = 0;
    for (size_t i = 0; i < s->a.src.count; i++) {
        for (size_t k = 0; k < s->src[i].len; k++) {
            struct place *p = &map[(uint8_t *)s->src[i].base + k - arena];

            refused |= p->outputs != 0 && p->offset != offset;
            refused |= p->tag && direction == AEAD_SEAL;
            offset++;
        }
    }
    for (size_t i = 0; i < s->a.aad.count; i++) {
        for (size_t k = 0; k < s->aad[i].len; k++) {
            struct place *p = &map[(uint8_t *)s->aad[i].base + k - arena];

            refused |= p->tag && direction == AEAD_SEAL;
            p->other = 1;
        }
    }
    for (size_t k = 0; k < ARENA; k++) {
        refused |= map[k].outputs > 1 || (map[k].outputs != 0 && map[k].other);
    }
    return refused;
}

/* Cuts `len` bytes at `base` in `count` pieces. */
static void cut(struct rng *rng, aeadfast_iovec *list, size_t count, uint8_t *base, size_t len)
{
    for (size_t i = 0; i < count; i++) {
        list[i].len = i == count - 1 ? len : rng_below(rng, len + 1);
        list[i].base = list[i].len == 0 && rng_below(rng, 2) == 0 ? NULL : base;
        base += list[i].len;
        len -= list[i].len;
    }
}

static void swap(aeadfast_iovec *a, aeadfast_iovec *b)
{
    aeadfast_iovec t = *a;

    *a = *b;
    *b = t;
}

/* A list over some of the arena: of one buffer, of buffers anywhere, or something between. */
static void scatter(struct rng *rng, aeadfast_iovec *list, size_t count, size_t len)
{
    cut(rng, list, count, arena + rng_below(rng, ARENA - len + 1), len);
    for (size_t n = rng_below(rng, 4); n != 0; n--) {
        aeadfast_iovec *piece = &list[rng_below(rng, count)];

        switch (rng_below(rng, 3)) {
        case 0:
            piece->base = arena + rng_below(rng, ARENA - piece->len + 1);
            break;
        case 1:
            swap(piece, &list[rng_below(rng, count)]);
            break;
        default:
            break;
        }
    }
}

static const uint8_t *somewhere(struct rng *rng, const uint8_t *apart, size_t n)
{
    return rng_below(rng, 8) == 0 ? arena + rng_below(rng, ARENA - n + 1) : apart;
}

static void overlap_is_that_of_the_map(void **state)
{
    size_t refused[2] = {0, 0};
    struct rng rng;

    (void)state;
    rng_begin(&rng);
    for (size_t n = 0; n < 200000; n++) {
        enum aead_direction direction = n % 2 == 0 ? AEAD_SEAL : AEAD_OPEN;
        size_t len = rng_below(&rng, n % 3 == 0 ? 12 : 40);
        size_t dst = 1 + rng_below(&rng, PIECES);
        size_t src = 1 + rng_below(&rng, PIECES);
        size_t aad = rng_below(&rng, 3);
        struct subject s;
        int expected;

        subject_make(&s, dst, src, aad);
        scatter(&rng, s.dst, dst, len);
        switch (rng_below(&rng, 3)) {
        case 0:
            scatter(&rng, s.src, src, len);
            break;
        case 1: /* in place, with the same pieces */
            s.a.src.count = dst;
            memcpy(s.src, s.dst, sizeof s.src);
            break;
        default: { /* one buffer, cut in two ways */
            uint8_t *base = arena + rng_below(&rng, ARENA - len + 1);

            cut(&rng, s.dst, dst, base, len);
            cut(&rng, s.src, src, base, len);
            break;
        }
        }
        if (aad != 0) {
            scatter(&rng, s.aad, aad, rng_below(&rng, 4));
        }
        s.a.tag = somewhere(&rng, s.a.tag, TAG);
        s.a.nonce = somewhere(&rng, s.a.nonce, NONCE);
        s.a.key = somewhere(&rng, s.a.key, KEY);

        expected = refused_by_map(&s, direction);
        refused[expected]++;
        check_int(aeadfast_iovec_check(&s.a, direction),
                  expected ? AEADFAST_ERR_OVERLAP : AEADFAST_OK,
                  "case %zu: %zu bytes in %zu and %zu pieces, %s", n, len, dst, src,
                  direction == AEAD_SEAL ? "sealing" : "opening");
    }
    check_note("%zu allowed, %zu refused", refused[0], refused[1]);
    check_true(refused[0] > 10000 && refused[1] > 10000, "the cases are all of one kind");
}

/* The lists themselves must not lie where output is written; inputs may. */
static void lists_are_no_output(void **state)
{
    static uint8_t apart[64];
    enum { DST, SRC, AAD, LISTS };

    (void)state;
    for (int list = 0; list < LISTS; list++) {
        for (int what = 0; what < 4; what++) {
            for (ptrdiff_t at = -20; at <= (ptrdiff_t)sizeof(aeadfast_iovec) + 1; at++) {
                struct {
                    uint8_t before[32];
                    aeadfast_iovec list[1];
                    uint8_t after[32];
                } block;
                uint8_t *p = (uint8_t *)block.list + at;
                int meets = at > -16 && at < (ptrdiff_t)sizeof(aeadfast_iovec);
                struct subject s;
                int sealing;

                memset(&block, 0, sizeof block);
                subject_make(&s, 1, 1, 1);
                s.dst[0].base = apart;
                s.src[0].base = apart + 16;
                s.aad[0].base = apart + 32;
                s.dst[0].len = s.src[0].len = s.aad[0].len = 16;
                if (what < 3) {
                    aeadfast_iovec *piece = what == 0 ? s.dst : what == 1 ? s.src : s.aad;

                    piece->base = p;
                } else {
                    s.a.tag = p;
                    s.a.tag_len = 16;
                }
                block.list[0] = list == DST ? s.dst[0] : list == SRC ? s.src[0] : s.aad[0];
                if (list == DST) {
                    s.a.dst.pieces = block.list;
                } else if (list == SRC) {
                    s.a.src.pieces = block.list;
                } else {
                    s.a.aad.pieces = block.list;
                }
                for (sealing = 0; sealing < 2; sealing++) {
                    int output = what == 0 || (what == 3 && sealing);

                    check_int(aeadfast_iovec_check(&s.a, sealing ? AEAD_SEAL : AEAD_OPEN),
                              meets && output ? AEADFAST_ERR_OVERLAP : AEADFAST_OK,
                              "list %d, argument %d at %td, sealing %d", list, what, at, sealing);
                }
            }
        }
    }
}

/* ---- NULL, sums and limits ---- */

static void expect(const struct subject *s, int expected, const char *what)
{
    check_int(aeadfast_iovec_check(&s->a, AEAD_SEAL), expected, "%s", what);
    check_int(aeadfast_iovec_check(&s->a, AEAD_OPEN), expected, "%s", what);
}

static void null_is_for_what_is_empty(void **state)
{
    struct subject s;

    (void)state;
    subject_make(&s, 0, 0, 0);
    s.a.dst.pieces = s.a.src.pieces = s.a.aad.pieces = NULL;
    expect(&s, AEADFAST_OK, "no lists");
    subject_make(&s, 2, 3, 1);
    expect(&s, AEADFAST_OK, "empty pieces without a base");

    s.a.tag = NULL;
    expect(&s, AEADFAST_ERR_ARGUMENT, "no tag");
    subject_make(&s, 0, 0, 0);
    s.a.nonce = NULL;
    expect(&s, AEADFAST_ERR_ARGUMENT, "no nonce");
    subject_make(&s, 0, 0, 0);
    s.a.nonce_len = 0;
    expect(&s, AEADFAST_ERR_ARGUMENT, "a nonce of no bytes");
    subject_make(&s, 0, 0, 0);
    s.a.key = NULL;
    expect(&s, AEADFAST_ERR_ARGUMENT, "no key");

    subject_make(&s, 1, 0, 0);
    s.a.dst.pieces = NULL;
    expect(&s, AEADFAST_ERR_ARGUMENT, "no output list");
    subject_make(&s, 0, 1, 0);
    s.a.src.pieces = NULL;
    expect(&s, AEADFAST_ERR_ARGUMENT, "no input list");
    subject_make(&s, 0, 0, 1);
    s.a.aad.pieces = NULL;
    expect(&s, AEADFAST_ERR_ARGUMENT, "no list of data");

    subject_make(&s, 2, 1, 0);
    s.dst[1].len = s.src[0].len = 1;
    s.src[0].base = arena;
    expect(&s, AEADFAST_ERR_ARGUMENT, "an output piece without a base");
    s.dst[1].base = arena + 1;
    expect(&s, AEADFAST_OK, "and with one");
    s.src[0].base = NULL;
    expect(&s, AEADFAST_ERR_ARGUMENT, "an input piece without a base");
    s.src[0].base = arena;
    s.a.aad.count = 2;
    s.aad[1].len = 1;
    expect(&s, AEADFAST_ERR_ARGUMENT, "a piece of data without a base");
    s.aad[1].base = arena;
    expect(&s, AEADFAST_OK, "and with one");
}

static void sums_have_limits(void **state)
{
    struct subject s;

    (void)state;
    subject_make(&s, 3, 2, 2);
    for (size_t i = 0; i < PIECES; i++) {
        s.dst[i].base = arena + 40 + 10 * i;
        s.src[i].base = arena;
        s.aad[i].base = arena;
    }
    s.dst[0].len = s.dst[1].len = s.dst[2].len = 2;
    s.src[0].len = 4;
    s.src[1].len = 2;
    s.aad[0].len = s.aad[1].len = 3;
    s.a.text_max = s.a.aad_max = 6;
    expect(&s, AEADFAST_OK, "at both limits");
    s.src[1].len = 3;
    expect(&s, AEADFAST_ERR_ARGUMENT, "more in than out");
    s.dst[2].len = 3;
    expect(&s, AEADFAST_ERR_LENGTH, "a byte of text too many");
    s.src[1].len = s.dst[2].len = 2;
    s.aad[1].len = 4;
    expect(&s, AEADFAST_ERR_LENGTH, "a byte of data too many");
    s.aad[1].len = SIZE_MAX - 2;
    expect(&s, AEADFAST_ERR_LENGTH, "a sum of data that comes to 0");
    s.aad[1].len = SIZE_MAX;
    expect(&s, AEADFAST_ERR_LENGTH, "a sum of data that comes to 2");
    s.aad[1].len = 0;

    s.a.text_max = s.a.aad_max = OBJECT_MAX;
    s.src[1].len = s.dst[2].len = SIZE_MAX - 3;
    expect(&s, AEADFAST_ERR_LENGTH, "sums of text that come to 0");
    s.dst[2].len = 0;
    expect(&s, AEADFAST_ERR_ARGUMENT, "only one of them");
    s.src[0].len = s.src[1].len = OBJECT_MAX / 2 + 1;
    s.dst[0].len = s.dst[1].len = OBJECT_MAX / 2 + 1;
    expect(&s, AEADFAST_ERR_LENGTH, "a byte more than an object has");

    subject_make(&s, 0, 0, 0);
    s.a.aad.count = OBJECT_MAX / sizeof(aeadfast_iovec) + 1;
    expect(&s, AEADFAST_ERR_LENGTH, "a list longer than an object");
    s.a.aad.count = SIZE_MAX;
    expect(&s, AEADFAST_ERR_LENGTH, "the longest list");
}

/* ---- Walking, joining, zeroing ---- */

static void walk_goes_by_common_pieces(void **state)
{
    struct rng rng;

    (void)state;
    rng_begin(&rng);
    for (size_t n = 0; n < 20000; n++) {
        size_t len = rng_below(&rng, 30);
        size_t done = 0;
        uint8_t *dst = NULL;
        const uint8_t *src = NULL;
        struct subject s;
        struct iovec_walk walk;

        subject_make(&s, 1 + rng_below(&rng, PIECES), 1 + rng_below(&rng, PIECES), 0);
        cut(&rng, s.dst, s.a.dst.count, arena, len);
        cut(&rng, s.src, s.a.src.count, arena + 50, len);
        memset(&walk, 0, sizeof walk);
        walk.dst = s.a.dst;
        walk.src = s.a.src;
        for (;;) {
            size_t step = iovec_next(&walk, &dst, &src);
            int dst_ends = 0;
            int src_ends = 0;

            if (step == 0) {
                break;
            }
            check_true(dst == arena + done && src == arena + 50 + done, "case %zu at %zu", n, done);
            done += step;
            for (size_t i = 0; i < PIECES; i++) {
                dst_ends |= (uintptr_t)s.dst[i].base + s.dst[i].len == (uintptr_t)arena + done;
                src_ends |= (uintptr_t)s.src[i].base + s.src[i].len == (uintptr_t)arena + 50 + done;
            }
            check_true(dst_ends || src_ends, "case %zu: a step that ends within pieces", n);
        }
        check_int((long)done, (long)len, "case %zu", n);
        check_int((long)iovec_next(&walk, &dst, &src), 0, "case %zu, past the end", n);
    }
}

static void joins_what_is_one_buffer(void **state)
{
    aeadfast_iovec list[4] = {{NULL, 0}, {arena, 5}, {arena + 9, 0}, {arena + 5, 3}};
    struct iovec_list three = {list, 3};
    struct iovec_list four = {list, 4};
    struct iovec_list none = {NULL, 0};
    aeadfast_iovec whole;

    (void)state;
    assert_true(aeadfast_iovec_joins(none, &whole));
    assert_true(whole.base == NULL && whole.len == 0);
    assert_true(aeadfast_iovec_joins(three, &whole));
    assert_true(whole.base == arena && whole.len == 5);
    assert_false(aeadfast_iovec_joins(four, &whole));
    list[1].len = 0;
    assert_true(aeadfast_iovec_joins(four, &whole));
    assert_true(whole.base == arena + 5 && whole.len == 3);
}

static void zeroes_all_pieces(void **state)
{
    aeadfast_iovec list[3] = {{arena + 8, 5}, {NULL, 0}, {arena + 1, 3}};
    struct iovec_list all = {list, 3};

    (void)state;
    memset(arena, 0x5a, sizeof arena);
    aeadfast_iovec_zero(all);
    check_fill(arena, 0x5a, 1, "before");
    check_fill(arena + 1, 0, 3, "the second");
    check_fill(arena + 4, 0x5a, 4, "between");
    check_fill(arena + 8, 0, 5, "the first");
    check_fill(arena + 13, 0x5a, ARENA - 13, "behind");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_that_of_the_map), cmocka_unit_test(lists_are_no_output),
        cmocka_unit_test(null_is_for_what_is_empty),  cmocka_unit_test(sums_have_limits),
        cmocka_unit_test(walk_goes_by_common_pieces), cmocka_unit_test(joins_what_is_one_buffer),
        cmocka_unit_test(zeroes_all_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
