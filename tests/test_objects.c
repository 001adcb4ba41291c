/* SPDX-License-Identifier: MIT */
/*
 * The two objects that callers provide the storage of, aes_gcm_key and poly1305_state: what they
 * are before, between, and after the calls that make them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "api_table.h"
#include "support/check.h"
#include "support/guard.h"
#include "support/kernels.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint8_t key[32];
static uint8_t nonce[12];
static uint8_t text[600];

static int set_up(void **state)
{
    (void)state;
    api_pattern(key, sizeof key, 1);
    api_pattern(nonce, sizeof nonce, 2);
    api_pattern(text, sizeof text, 4);
    return 0;
}

/* Both uses of a key are refused and write nothing. */
static void check_no_key(const aes_gcm_key *k, const char *what)
{
    uint8_t out[40];
    uint8_t tag[16];

    memset(out, API_FILLER, sizeof out);
    memset(tag, API_FILLER, sizeof tag);
    check_int(aes_gcm_seal(k, out, tag, text, sizeof out, text, 5, nonce, 12), AEADFAST_ERR_STATE,
              "sealing with %s", what);
    check_fill(tag, API_FILLER, sizeof tag, "sealing with %s", what);
    check_int(aes_gcm_open(k, out, text, sizeof out, tag, text, 5, nonce, 12), AEADFAST_ERR_STATE,
              "opening with %s", what);
    check_int(aes_gcm_seal(k, NULL, tag, NULL, 0, NULL, 0, nonce, 12), AEADFAST_ERR_STATE,
              "sealing nothing with %s", what);
    check_int(aes_gcm_open(k, NULL, NULL, 0, tag, NULL, 0, nonce, 12), AEADFAST_ERR_STATE,
              "opening nothing with %s", what);
    check_fill(out, API_FILLER, sizeof out, "%s", what);
    check_fill(tag, API_FILLER, sizeof tag, "%s", what);
}

static void test_key_of_zeros(void **state)
{
    static aes_gcm_key zeros;

    (void)state;
    check_no_key(&zeros, "a key of zeros");
    check_fill(&zeros, 0, sizeof zeros, "a key of zeros %s", "after its use");
}

static void wiped_key(const char *backend)
{
    aes_gcm_key k;
    uint8_t out[40];
    uint8_t tag[16];

    (void)backend;
    memset(&k, 0xff, sizeof k);
    assert_int_equal(aes_gcm_init(&k, key, 32), AEADFAST_OK);
    aes_gcm_wipe(&k);
    check_fill(&k, 0, sizeof k, "a wiped %s", "key");
    check_no_key(&k, "a wiped key");
    aes_gcm_wipe(&k); /* twice is fine */
    check_fill(&k, 0, sizeof k, "a key wiped %s", "twice");

    assert_int_equal(aes_gcm_init(&k, key, 16), AEADFAST_OK);
    assert_int_equal(aes_gcm_seal(&k, out, tag, text, sizeof out, NULL, 0, nonce, 12), AEADFAST_OK);
    assert_int_equal(aes_gcm_open(&k, out, out, sizeof out, tag, NULL, 0, nonce, 12), AEADFAST_OK);
    assert_memory_equal(out, text, sizeof out);
}

static void test_wiped_key(void **state)
{
    (void)state;
    aes_gcm_wipe(NULL);
    backends_each(wiped_key);
}

/* Nothing outside the object is wiped: it fills its pages to the last byte, or begins them. */
static void test_wipe_ends_where_the_key_ends(void **state)
{
    struct guard g;
    uint8_t *around;
    aes_gcm_key *k;

    (void)state;
    guard_make(&g, sizeof(aes_gcm_key) + 16);
    k = (aes_gcm_key *)(void *)guard_end(&g, sizeof *k);
    assert_int_equal(aes_gcm_init(k, key, 32), AEADFAST_OK);
    aes_gcm_wipe(k);
    k = (aes_gcm_key *)(void *)guard_start(&g);
    assert_int_equal(aes_gcm_init(k, key, 32), AEADFAST_OK);
    aes_gcm_wipe(k);
    around = guard_start(&g);
    memset(around, API_FILLER, sizeof *k + 16);
    k = (aes_gcm_key *)(void *)(around + 8);
    assert_int_equal(aes_gcm_init(k, key, 32), AEADFAST_OK);
    aes_gcm_wipe(k);
    check_fill(around, API_FILLER, 8, "before the %s", "key");
    check_fill(around + 8, 0, sizeof *k, "the %s", "key");
    check_fill(around + 8 + sizeof *k, API_FILLER, 8, "behind the %s", "key");
    guard_free(&g);
}

/* An init that fails leaves what was there in use. */
static void test_failed_init(void **state)
{
    static const size_t bad[] = {0, 1, 15, 17, 33, SIZE_MAX};
    aes_gcm_key k;
    aes_gcm_key copy;
    aes_gcm_key junk;

    (void)state;
    memset(&k, 0, sizeof k); /* the whole object is compared, and a key need not fill it */
    assert_int_equal(aes_gcm_init_tag(&k, key, 24, 12), AEADFAST_OK);
    memcpy(&copy, &k, sizeof copy);
    memset(&junk, API_FILLER, sizeof junk);
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_int(aes_gcm_init(&k, key, bad[i]), AEADFAST_ERR_ARGUMENT, "key of %zu", bad[i]);
        check_int(aes_gcm_init_tag(&k, key, bad[i], 16), AEADFAST_ERR_ARGUMENT, "key of %zu",
                  bad[i]);
        check_int(aes_gcm_init_tag(&k, key, 32, bad[i] == 15 ? 5 : bad[i]), AEADFAST_ERR_ARGUMENT,
                  "tag of %zu", bad[i]);
        check_int(aes_gcm_init(&k, NULL, 32), AEADFAST_ERR_ARGUMENT, "no %s", "key");
        check_int(aes_gcm_init(&k, (uint8_t *)&k + 8 * i, 32), AEADFAST_ERR_OVERLAP,
                  "the key %zu bytes within", 8 * i);
        check_bytes(&k, &copy, sizeof k, "%s", "after a failed init");
        check_int(aes_gcm_init(&junk, key, bad[i]), AEADFAST_ERR_ARGUMENT, "key of %zu", bad[i]);
        check_fill(&junk, API_FILLER, sizeof junk, "%s", "after a failed init");
    }
}

/* A key that exists is only read: read-only pages are enough for it. */
static void key_is_only_read(const char *backend)
{
    struct guard g;
    aes_gcm_key *k;

    guard_make(&g, sizeof *k);
    k = (aes_gcm_key *)(void *)guard_start(&g);
    assert_int_equal(aes_gcm_init(k, key, 32), AEADFAST_OK);
    guard_read_only(&g);
    for (size_t len = 0; len <= sizeof text; len += len < 64 ? 1 : 61) {
        uint8_t out[sizeof text];
        uint8_t tag[16];

        check_int(aes_gcm_seal(k, out, tag, text, len, text, 3, nonce, 12), AEADFAST_OK, "%s",
                  backends_name(backend));
        check_int(aes_gcm_open(k, out, out, len, tag, text, 3, nonce, 12), AEADFAST_OK, "%s",
                  backends_name(backend));
        check_bytes(out, text, len, "%zu bytes", len);
    }
    guard_writable(&g);
    guard_free(&g);
}

static void test_key_is_only_read(void **state)
{
    (void)state;
    backends_each(key_is_only_read);
}

/* Copies work wherever they are, and are independent of each other and of the original. */
static void copied_key(const char *backend)
{
    static uint8_t storage[8][sizeof(aes_gcm_key) + 128];
    uint8_t want[sizeof text];
    uint8_t want_tag[16];
    aes_gcm_key k;

    assert_int_equal(aes_gcm_init(&k, key, 32), AEADFAST_OK);
    assert_int_equal(
        aes_gcm_seal(&k, want, want_tag, text, sizeof text, text, 21, nonce, sizeof nonce),
        AEADFAST_OK);
    for (size_t i = 0; i < COUNT(storage); i++) {
        /* each another 8-byte step of a cache line */
        uintptr_t start = ((uintptr_t)storage[i] + 63) / 64 * 64 + 8 * i;
        aes_gcm_key *copy = (aes_gcm_key *)(void *)(storage[i] + (start - (uintptr_t)storage[i]));
        uint8_t out[sizeof text];
        uint8_t tag[16];

        memcpy(copy, &k, sizeof k);
        check_int(aes_gcm_seal(copy, out, tag, text, sizeof text, text, 21, nonce, 12), AEADFAST_OK,
                  "copy %zu", i);
        check_bytes(out, want, sizeof out, "copy %zu", i);
        check_bytes(tag, want_tag, sizeof tag, "copy %zu", i);
        check_int(aes_gcm_open(copy, out, out, sizeof text, tag, text, 21, nonce, 12), AEADFAST_OK,
                  "copy %zu", i);
        check_bytes(out, text, sizeof out, "copy %zu", i);
        if (i % 2 == 0) {
            aes_gcm_wipe(copy);
            check_no_key(copy, "a wiped copy");
        }
        assert_int_equal(
            aes_gcm_seal(&k, out, tag, text, sizeof text, text, 21, nonce, sizeof nonce),
            AEADFAST_OK);
        check_bytes(tag, want_tag, sizeof tag, "the original after copy %zu", i);
    }
    {
        /* a copy outlives its original */
        aes_gcm_key copy = k;
        uint8_t out[sizeof text];
        uint8_t tag[16];

        aes_gcm_wipe(&k);
        assert_int_equal(
            aes_gcm_seal(&copy, out, tag, text, sizeof text, text, 21, nonce, sizeof nonce),
            AEADFAST_OK);
        check_bytes(tag, want_tag, sizeof tag, "%s: a copy of a wiped key", backends_name(backend));
    }
}

static void test_copied_key(void **state)
{
    (void)state;
    backends_each(copied_key);
}

/* A key keeps its kernels: made under one backend, it works the same under any other. */
static void test_key_across_backends(void **state)
{
    size_t n = aeadfast_backend_count();
    uint8_t want[sizeof text];
    uint8_t want_tag[16];
    aes_gcm_key k;

    (void)state;
    assert_int_equal(aes_gcm_init(&k, key, 24), AEADFAST_OK);
    assert_int_equal(aes_gcm_seal(&k, want, want_tag, text, sizeof text, NULL, 0, nonce, 12),
                     AEADFAST_OK);
    for (size_t i = 0; i < n; i++) {
        if (!aeadfast_backend_supported(aeadfast_backend_name(i))) {
            continue;
        }
        assert_int_equal(aeadfast_backend_select(aeadfast_backend_name(i)), AEADFAST_OK);
        assert_int_equal(aes_gcm_init(&k, key, 24), AEADFAST_OK);
        for (size_t j = 0; j <= n; j++) {
            const char *name = j == n ? NULL : aeadfast_backend_name(j);
            uint8_t out[sizeof text];
            uint8_t tag[16];

            if (name != NULL && !aeadfast_backend_supported(name)) {
                continue;
            }
            assert_int_equal(aeadfast_backend_select(name), AEADFAST_OK);
            check_int(aes_gcm_seal(&k, out, tag, text, sizeof text, NULL, 0, nonce, 12),
                      AEADFAST_OK, "key of %zu under %zu", i, j);
            check_bytes(out, want, sizeof out, "key of %zu under %zu", i, j);
            check_bytes(tag, want_tag, sizeof tag, "key of %zu under %zu", i, j);
            check_int(aes_gcm_open(&k, out, out, sizeof text, tag, NULL, 0, nonce, 12), AEADFAST_OK,
                      "key of %zu under %zu", i, j);
            check_bytes(out, text, sizeof out, "key of %zu under %zu", i, j);
        }
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
}

/* ---- poly1305_state ---- */

/* Updating and finishing are refused, and neither the state nor the tag changes. */
static void check_no_state(poly1305_state *s, const char *what)
{
    poly1305_state copy;
    uint8_t tag[16];

    memcpy(&copy, s, sizeof copy);
    memset(tag, API_FILLER, sizeof tag);
    check_int(poly1305_update(s, text, 20), AEADFAST_ERR_STATE, "updating %s", what);
    check_int(poly1305_update(s, NULL, 0), AEADFAST_ERR_STATE, "updating %s with nothing", what);
    check_int(poly1305_final(s, tag), AEADFAST_ERR_STATE, "finishing %s", what);
    check_fill(tag, API_FILLER, sizeof tag, "finishing %s", what);
    check_bytes(s, &copy, sizeof copy, "%s has changed", what);
}

static void test_state_never_begun(void **state)
{
    static poly1305_state zeros;

    (void)state;
    check_no_state(&zeros, "a state of zeros");
}

static void finished_state(const char *backend)
{
    /* r and s of the key, unclamped and clamped: none of it may be left */
    uint8_t clamped[16];
    poly1305_state s;
    uint8_t tag[16];
    uint8_t want[16];

    (void)backend;
    memcpy(clamped, key, 16);
    for (size_t i = 3; i < 16; i += 4) {
        clamped[i] &= 15;
        clamped[(i + 1) % 16] &= i < 15 ? 252 : 255;
    }
    for (size_t len = 0; len <= sizeof text; len += 37) {
        const uint8_t *bytes = (const uint8_t *)&s;

        memset(&s, 0xff, sizeof s);
        assert_int_equal(poly1305_begin(&s, key), AEADFAST_OK);
        assert_int_equal(poly1305_update(&s, text, len), AEADFAST_OK);
        assert_int_equal(poly1305_final(&s, tag), AEADFAST_OK);
        assert_int_equal(poly1305_mac(want, text, len, key), AEADFAST_OK);
        check_bytes(tag, want, 16, "%zu bytes", len);
        for (size_t i = 0; i + 8 <= sizeof s; i++) {
            for (size_t j = 0; j + 8 <= 16; j += 8) {
                check_true(memcmp(bytes + i, clamped + j, 8) != 0 &&
                               memcmp(bytes + i, key + j, 8) != 0 &&
                               memcmp(bytes + i, key + 16 + j, 8) != 0,
                           "a finished state holds its key at byte %zu", i);
            }
        }
        for (size_t i = 0; len >= 16 && i + 8 <= sizeof s; i++) {
            check_true(memcmp(bytes + i, text + (len - 1) / 16 * 16, 4) != 0,
                       "a finished state holds text at byte %zu", i);
        }
        check_no_state(&s, "a finished state");
        assert_int_equal(poly1305_begin(&s, key), AEADFAST_OK);
        assert_int_equal(poly1305_update(&s, text, len), AEADFAST_OK);
        assert_int_equal(poly1305_final(&s, tag), AEADFAST_OK);
        check_bytes(tag, want, 16, "%zu bytes, begun again", len);
    }
}

static void test_finished_state(void **state)
{
    (void)state;
    backends_each(finished_state);
}

/* Calls that fail do not count: the message goes on as if they had never been. */
static void test_failing_update(void **state)
{
    poly1305_state s = {{0}}; /* compared as a whole, and a computation need not fill it */
    poly1305_state copy;
    uint8_t tag[16];
    uint8_t want[16];
    uint8_t *inside = (uint8_t *)&s;

    (void)state;
    assert_int_equal(poly1305_begin(&s, key), AEADFAST_OK);
    for (size_t i = 0; i < 50; i++) {
        assert_int_equal(poly1305_update(&s, text + i, 1), AEADFAST_OK);
        memcpy(&copy, &s, sizeof copy);
        assert_int_equal(poly1305_update(&s, NULL, 1), AEADFAST_ERR_ARGUMENT);
        assert_int_equal(poly1305_update(&s, NULL, 100), AEADFAST_ERR_ARGUMENT);
        assert_int_equal(poly1305_update(NULL, text, 100), AEADFAST_ERR_ARGUMENT);
        assert_int_equal(poly1305_update(&s, inside + i, 1), AEADFAST_ERR_OVERLAP);
        assert_int_equal(poly1305_update(&s, inside + sizeof s - 1, 1), AEADFAST_ERR_OVERLAP);
        assert_int_equal(poly1305_begin(&s, NULL), AEADFAST_ERR_ARGUMENT);
        assert_int_equal(poly1305_begin(&s, inside + i), AEADFAST_ERR_OVERLAP);
        assert_int_equal(poly1305_final(&s, NULL), AEADFAST_ERR_ARGUMENT);
        assert_int_equal(poly1305_final(&s, inside + i), AEADFAST_ERR_OVERLAP);
        assert_int_equal(poly1305_final(NULL, tag), AEADFAST_ERR_ARGUMENT);
        check_bytes(&s, &copy, sizeof s, "after failing calls, %zu bytes taken", i + 1);
    }
    assert_int_equal(poly1305_final(&s, tag), AEADFAST_OK);
    assert_int_equal(poly1305_mac(want, text, 50, key), AEADFAST_OK);
    assert_memory_equal(tag, want, 16);
}

/* A copy goes on by itself, at another address. */
static void copied_state(const char *backend)
{
    (void)backend;
    for (size_t head = 0; head <= 70; head++) {
        for (size_t tail = 0; tail <= 70; tail += 7) {
            poly1305_state storage[2];
            poly1305_state *original = &storage[0];
            poly1305_state *copy = &storage[1];
            uint8_t joined[140];
            uint8_t tag[16];
            uint8_t want[16];

            assert_int_equal(poly1305_begin(original, key), AEADFAST_OK);
            assert_int_equal(poly1305_update(original, text, head), AEADFAST_OK);
            memcpy(copy, original, sizeof *copy);
            assert_int_equal(poly1305_update(original, text + head, tail), AEADFAST_OK);
            assert_int_equal(poly1305_update(copy, key, tail < 32 ? tail : 32), AEADFAST_OK);

            assert_int_equal(poly1305_final(original, tag), AEADFAST_OK);
            assert_int_equal(poly1305_mac(want, text, head + tail, key), AEADFAST_OK);
            check_bytes(tag, want, 16, "the original after %zu + %zu bytes", head, tail);

            memcpy(joined, text, head);
            memcpy(joined + head, key, tail < 32 ? tail : 32);
            assert_int_equal(poly1305_final(copy, tag), AEADFAST_OK);
            assert_int_equal(poly1305_mac(want, joined, head + (tail < 32 ? tail : 32), key),
                             AEADFAST_OK);
            check_bytes(tag, want, 16, "the copy after %zu + %zu bytes", head, tail);
        }
    }
}

static void test_copied_state(void **state)
{
    (void)state;
    backends_each(copied_state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_of_zeros),
        cmocka_unit_test(test_wiped_key),
        cmocka_unit_test(test_wipe_ends_where_the_key_ends),
        cmocka_unit_test(test_failed_init),
        cmocka_unit_test(test_key_is_only_read),
        cmocka_unit_test(test_copied_key),
        cmocka_unit_test(test_key_across_backends),
        cmocka_unit_test(test_state_never_begun),
        cmocka_unit_test(test_finished_state),
        cmocka_unit_test(test_failing_update),
        cmocka_unit_test(test_copied_state),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
