/* SPDX-License-Identifier: MIT */
/*
 * aeadfast_equal, aeadfast_wipe, aeadfast_strerror and aeadfast_version; and chacha20_keystream at
 * lengths that it makes in pieces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "support/check.h"
#include "support/guard.h"

/* Equal strings are, and differ by any one bit, at any length and alignment. */
static void test_equal(void **state)
{
    static uint8_t a[300 + 16];
    static uint8_t b[300 + 16];

    (void)state;
    for (size_t n = 0; n <= 300; n++) {
        for (size_t shift = 0; shift < 16; shift += 5) {
            uint8_t *x = a + shift;
            uint8_t *y = b + 15 - shift;

            for (size_t i = 0; i < n; i++) {
                x[i] = (uint8_t)(i * 29 + n);
                y[i] = x[i];
            }
            x[n] = 1; /* bytes that do not belong to it */
            y[n] = 2;
            check_int(aeadfast_equal(x, y, n), 1, "%zu bytes", n);
            for (size_t i = 0; i < n; i++) {
                for (unsigned bit = 0; bit < 8; bit++) {
                    y[i] ^= (uint8_t)(1u << bit);
                    check_int(aeadfast_equal(x, y, n), 0, "%zu bytes, bit %u of byte %zu", n, bit,
                              i);
                    y[i] ^= (uint8_t)(1u << bit);
                }
            }
        }
    }
    memset(a, 0, sizeof a);
    memset(b, 0xff, sizeof b);
    assert_int_equal(aeadfast_equal(a, b, 256), 0);
    /* differences that cancel each other out in a sum or in an exclusive or */
    b[0] = 0x80;
    b[1] = 0x80;
    assert_int_equal(aeadfast_equal(a, b, 2), 0);
    for (unsigned value = 1; value < 256; value++) {
        memset(b, (int)value, sizeof b);
        for (size_t n = 1; n <= 256; n++) {
            check_int(aeadfast_equal(a, b, n), 0, "%zu bytes %02x", n, value);
        }
    }
}

static void test_equal_null(void **state)
{
    uint8_t byte = 0;

    (void)state;
    assert_int_equal(aeadfast_equal(NULL, NULL, 0), 1);
    assert_int_equal(aeadfast_equal(&byte, NULL, 0), 1);
    assert_int_equal(aeadfast_equal(NULL, &byte, 0), 1);
    assert_int_equal(aeadfast_equal(NULL, NULL, 1), 0);
    assert_int_equal(aeadfast_equal(&byte, NULL, 1), 0);
    assert_int_equal(aeadfast_equal(NULL, &byte, 1), 0);
    assert_int_equal(aeadfast_equal(NULL, NULL, SIZE_MAX), 0);
    assert_int_equal(aeadfast_equal(&byte, &byte, 1), 1);
}

static void test_equal_reads_no_further(void **state)
{
    struct guard a;
    struct guard b;

    (void)state;
    guard_make(&a, 300);
    guard_make(&b, 300);
    memset(a.data, 7, a.size);
    memset(b.data, 7, b.size);
    for (size_t n = 0; n <= 300; n++) {
        assert_int_equal(aeadfast_equal(guard_end(&a, n), guard_end(&b, n), n), 1);
        assert_int_equal(aeadfast_equal(guard_start(&a), guard_start(&b), n), 1);
        assert_int_equal(aeadfast_equal(guard_start(&a), guard_end(&b, n), n), 1);
    }
    assert_int_equal(aeadfast_equal(guard_forbidden(&a), guard_forbidden(&b), 0), 1);
    guard_free(&a);
    guard_free(&b);
}

static void test_wipe(void **state)
{
    struct guard g;

    (void)state;
    guard_make(&g, 700);
    for (size_t n = 0; n <= 600; n++) {
        for (size_t shift = 1; shift <= 17; shift += 8) {
            memset(g.data, 0xa5, g.size);
            aeadfast_wipe(g.data + shift, n);
            check_fill(g.data, 0xa5, shift, "before %zu bytes", n);
            check_fill(g.data + shift, 0, n, "%zu bytes", n);
            check_fill(g.data + shift + n, 0xa5, 32, "behind %zu bytes", n);
        }
        memset(g.data, 0xa5, g.size);
        aeadfast_wipe(guard_end(&g, n), n);
        check_fill(guard_end(&g, n), 0, n, "%zu bytes", n);
        aeadfast_wipe(guard_start(&g), n);
        check_fill(guard_start(&g), 0, n, "%zu bytes", n);
    }
    aeadfast_wipe(NULL, 0);
    aeadfast_wipe(guard_forbidden(&g), 0);
    guard_free(&g);
}

static void test_strerror(void **state)
{
    static const int errors[] = {AEADFAST_OK,         AEADFAST_ERR_AUTH,    AEADFAST_ERR_ARGUMENT,
                                 AEADFAST_ERR_LENGTH, AEADFAST_ERR_OVERLAP, AEADFAST_ERR_BACKEND,
                                 AEADFAST_ERR_STATE};
    enum { ERRORS = sizeof errors / sizeof errors[0] };
    const char *unknown = aeadfast_strerror(1);

    (void)state;
    assert_non_null(unknown);
    for (int i = 0; i < ERRORS; i++) {
        const char *text = aeadfast_strerror(errors[i]);

        check_true(text != NULL && text[0] != '\0', "result %d has no text", errors[i]);
        check_true(strchr(text, '\n') == NULL, "result %d: more than a line", errors[i]);
        check_true(strcmp(text, unknown) != 0, "result %d is said to be none", errors[i]);
        check_true(text == aeadfast_strerror(errors[i]) ||
                       strcmp(text, aeadfast_strerror(errors[i])) == 0,
                   "result %d: two texts", errors[i]);
        for (int j = 0; j < i; j++) {
            check_true(errors[i] != errors[j], "results %d and %d are the same", i, j);
            check_true(strcmp(text, aeadfast_strerror(errors[j])) != 0,
                       "results %d and %d have the same text", errors[i], errors[j]);
        }
        check_true(i == 0 ? errors[i] == 0 : errors[i] < 0, "result %d", errors[i]);
    }
    for (int e = -300; e <= 300; e++) {
        check_true(aeadfast_strerror(e) != NULL && aeadfast_strerror(e)[0] != '\0',
                   "%d has no text", e);
        if (e > 0 || e < AEADFAST_ERR_STATE) {
            check_true(strcmp(aeadfast_strerror(e), unknown) == 0, "%d is no result", e);
        }
    }
    assert_non_null(aeadfast_strerror(INT32_MIN));
    assert_non_null(aeadfast_strerror(INT32_MAX));
}

static void test_version(void **state)
{
    char text[64];

    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", AEADFAST_VERSION_MAJOR, AEADFAST_VERSION_MINOR,
             AEADFAST_VERSION_PATCH);
    assert_string_equal(text, AEADFAST_VERSION_STRING);
    assert_string_equal(aeadfast_version(), AEADFAST_VERSION_STRING);
}

/* A key stream is what encrypting zeros gives, across the pieces that it is made in. */
static void test_long_keystream(void **state)
{
    static const size_t lengths[] = {8191, 8192, 8193, 16384, 16385, 40000};
    static const uint8_t zero[40000];
    static uint8_t want[40000];
    static uint8_t got[40000];
    static const uint8_t key[32] = {1};
    static const uint8_t nonce[12] = {2};

    (void)state;
    check_int(chacha20_xor(want, zero, sizeof want, 7, nonce, key), AEADFAST_OK, "zeros");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        memset(got, 0x5a, sizeof got);
        check_int(chacha20_keystream(got, lengths[i], 7, nonce, key), AEADFAST_OK, "key stream");
        check_bytes(got, want, lengths[i], "%zu bytes of key stream", lengths[i]);
        check_fill(got + lengths[i], 0x5a, sizeof got - lengths[i], "after %zu bytes", lengths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_equal_null),
        cmocka_unit_test(test_equal_reads_no_further),
        cmocka_unit_test(test_wipe),
        cmocka_unit_test(test_strerror),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_long_keystream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
