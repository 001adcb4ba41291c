/* SPDX-License-Identifier: MIT */
/*
 * poly1305_begin, _update and _final: any split of a message, empty pieces included, gives the tag
 * of the whole. Under every backend, so that every kernel takes pieces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "support/check.h"
#include "support/guard.h"
#include "support/kernels.h"
#include "support/rng.h"

enum { TOTAL = 600 };

static uint8_t message[TOTAL];
static uint8_t key[32];
static uint8_t whole[TOTAL + 1][16]; /* tags of the message's beginnings */
static struct guard pages;
static struct rng rng;

static const char *under(const char *backend)
{
    return backends_name(backend);
}

/* The pieces that this backend is compared with: the whole, by the portable kernel. */
static int set_up(void **state)
{
    const struct kernel_row *portable = kernels_portable(AEADFAST_OP_POLY1305);

    (void)state;
    rng_begin(&rng);
    rng_bytes(&rng, message, sizeof message);
    rng_bytes(&rng, key, sizeof key);
    for (size_t n = 0; n <= TOTAL; n++) {
        portable->kernel.poly1305->mac(whole[n], message, n, key);
    }
    guard_make(&pages, TOTAL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    guard_free(&pages);
    return 0;
}

/* A piece ends right before a forbidden page, and begins at whatever address that gives. */
static void take(poly1305_state *s, size_t at, size_t n)
{
    uint8_t *piece = guard_end(&pages, n);

    memcpy(piece, message + at, n);
    check_int(poly1305_update(s, n == 0 && at % 2 == 0 ? NULL : piece, n), AEADFAST_OK,
              "%zu bytes at %zu", n, at);
}

static void finish(poly1305_state *s, size_t total, const char *what, const char *backend)
{
    uint8_t tag[16];

    check_int(poly1305_final(s, tag), AEADFAST_OK, "%s, %s of %zu", under(backend), what, total);
    check_bytes(tag, whole[total], 16, "%s, %s of %zu", under(backend), what, total);
}

/* All ways to part a short message in three. */
static void three_pieces(const char *backend)
{
    for (size_t total = 0; total <= 70; total++) {
        for (size_t a = 0; a <= total; a++) {
            for (size_t b = a; b <= total; b++) {
                poly1305_state s;

                check_int(poly1305_begin(&s, key), AEADFAST_OK, "%s", under(backend));
                take(&s, 0, a);
                take(&s, a, b - a);
                take(&s, b, total - b);
                finish(&s, total, "three pieces", backend);
            }
        }
    }
}

/* All ways to part each length in two. */
static void two_pieces(const char *backend)
{
    for (size_t total = 0; total <= TOTAL; total += total < 300 ? 1 : 7) {
        for (size_t a = 0; a <= total; a++) {
            poly1305_state s;

            check_int(poly1305_begin(&s, key), AEADFAST_OK, "%s", under(backend));
            take(&s, 0, a);
            take(&s, a, total - a);
            finish(&s, total, "two pieces", backend);
        }
    }
}

/* Pieces of one size. */
static void equal_pieces(const char *backend)
{
    for (size_t size = 1; size <= 70; size++) {
        for (size_t total = 0; total <= TOTAL; total += 13) {
            poly1305_state s;

            check_int(poly1305_begin(&s, key), AEADFAST_OK, "%s", under(backend));
            for (size_t at = 0; at < total; at += size) {
                take(&s, at, total - at < size ? total - at : size);
            }
            finish(&s, total, "equal pieces", backend);
        }
    }
}

static void random_pieces(const char *backend)
{
    for (size_t round = 0; round < 2000; round++) {
        size_t total = rng_below(&rng, TOTAL + 1);
        size_t most = 1 + rng_below(&rng, 200);
        size_t at = 0;
        poly1305_state s;

        check_int(poly1305_begin(&s, key), AEADFAST_OK, "%s", under(backend));
        while (at < total) {
            size_t n = rng_below(&rng, most + 1); /* 0 now and then */

            n = n > total - at ? total - at : n;
            take(&s, at, n);
            at += n;
        }
        take(&s, total, 0);
        finish(&s, total, "random pieces", backend);
    }
}

/* Each piece may find another backend in force than the one before. */
static void test_backend_between_pieces(void **state)
{
    (void)state;
    for (size_t round = 0; round < 500; round++) {
        size_t total = rng_below(&rng, TOTAL + 1);
        size_t at = 0;
        poly1305_state s;

        check_int(poly1305_begin(&s, key), AEADFAST_OK, "round %zu", round);
        while (at < total) {
            size_t piece = rng_below(&rng, 150);

            backends_any(&rng);
            piece = piece > total - at ? total - at : piece;
            take(&s, at, piece);
            at += piece;
        }
        finish(&s, total, "pieces under several backends", NULL);
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
}

/*
 * Numbers at the border of the field, which random messages never meet: blocks of all ones and r at
 * its largest keep h near 2^130-5, and pieces part such messages at every byte.
 */
static void edge_numbers(const char *backend)
{
    const struct kernel_row *portable = kernels_portable(AEADFAST_OP_POLY1305);
    uint8_t edge_key[32];
    uint8_t edge[200];
    uint8_t want[16];
    uint8_t tag[16];

    memset(edge, 0xff, sizeof edge);
    for (unsigned r = 0; r < 3; r++) {
        memset(edge_key, 0xff, sizeof edge_key);
        if (r != 0) {
            memset(edge_key, 0, 16);
            edge_key[0] = (uint8_t)r; /* r = 1 adds up the blocks, r = 2 doubles the sum */
        }
        for (size_t total = 0; total <= sizeof edge; total++) {
            portable->kernel.poly1305->mac(want, edge, total, edge_key);
            for (size_t a = 0; a <= total; a++) {
                poly1305_state s;

                check_int(poly1305_begin(&s, edge_key), AEADFAST_OK, "%s", under(backend));
                check_int(poly1305_update(&s, edge, a), AEADFAST_OK, "%s", under(backend));
                check_int(poly1305_update(&s, edge + a, total - a), AEADFAST_OK, "%s",
                          under(backend));
                check_int(poly1305_final(&s, tag), AEADFAST_OK, "%s", under(backend));
                check_bytes(tag, want, 16, "%s, %zu + %zu bytes of ones, r %u", under(backend), a,
                            total - a, r);
            }
        }
    }
}

BACKENDS_TEST(three_pieces)
BACKENDS_TEST(two_pieces)
BACKENDS_TEST(equal_pieces)
BACKENDS_TEST(random_pieces)
BACKENDS_TEST(edge_numbers)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_pieces), cmocka_unit_test(test_two_pieces),
        cmocka_unit_test(test_equal_pieces), cmocka_unit_test(test_random_pieces),
        cmocka_unit_test(test_edge_numbers), cmocka_unit_test(test_backend_between_pieces),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
