/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM piece by piece: arguments that overlap each other, the stream or the key, and sums of
 * lengths at the limits and past them. A refusal changes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "aes_gcm_stream.h"
#include "support/check.h"
#include "support/guard.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { LEN = 100 };

static const uint8_t key_bytes[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t nonce[12] = {12, 11, 10};
static const uint8_t pt[LEN];

static int update(aes_gcm_stream *s, int opening, uint8_t *dst, const uint8_t *src, size_t len)
{
    return opening ? aes_gcm_stream_open_unverified_update(s, dst, src, len)
                   : aes_gcm_stream_seal_update(s, dst, src, len);
}

/* ---- Overlap ---- */

/* Everything in one place, to be laid over each other: 1024 bytes, the stream, 1024 bytes, the key. */
static struct room {
    uint8_t low[1024];
    aes_gcm_stream s;
    uint8_t middle[1024];
    aes_gcm_key k;
    uint8_t high[1024];
} room;

static uint8_t room_before[sizeof room];

static int shares(const void *a, size_t a_len, const void *b, size_t b_len)
{
    uintptr_t x = (uintptr_t)a;
    uintptr_t y = (uintptr_t)b;

    return a_len != 0 && b_len != 0 && x < y + b_len && y < x + a_len;
}

static int on_stream(const void *p, size_t len)
{
    return shares(p, len, &room.s, sizeof room.s);
}

static int on_key(const void *p, size_t len)
{
    return shares(p, len, &room.k, sizeof room.k);
}

/* A stream that has all that is asked of it, in the room; `opening` -1: before its text. */
static void begin_in_room(int opening)
{
    uint8_t out[33];

    memset(&room, 0x3c, sizeof room);
    assert_int_equal(aes_gcm_init_tag(&room.k, key_bytes, 16, 8), AEADFAST_OK);
    assert_int_equal(aes_gcm_stream_init(&room.s, &room.k, nonce, 12), AEADFAST_OK);
    if (opening >= 0) {
        assert_int_equal(update(&room.s, opening, out, pt, 33), AEADFAST_OK);
    }
    memcpy(room_before, &room, sizeof room);
}

static void check_refused(int refused, int r, const char *what, size_t at, size_t len)
{
    if (refused) {
        check_int(r, AEADFAST_ERR_OVERLAP, "%s, %zu bytes at %zu", what, len, at);
        check_bytes(&room, room_before, sizeof room, "%s, %zu bytes at %zu: wrote something", what,
                    len, at);
    } else {
        check_true(r == AEADFAST_OK || r == AEADFAST_ERR_AUTH, "%s, %zu bytes at %zu: %d", what,
                   len, at, r);
    }
}

static void overlap_at(size_t at)
{
    static const size_t lens[] = {0, 1, 8, 16, 100};
    uint8_t *p = (uint8_t *)&room + at;
    uint8_t out[LEN];

    for (size_t i = 0; i < COUNT(lens); i++) {
        size_t n = lens[i];

        begin_in_room(-1);
        check_refused(on_stream(p, n), aes_gcm_stream_aad(&room.s, p, n), "additional data", at, n);
        if (n != 0) {
            begin_in_room(-1);
            check_refused(on_stream(p, n), aes_gcm_stream_init(&room.s, &room.k, p, n), "nonce", at,
                          n);
        }
        for (int opening = 0; opening < 2; opening++) {
            begin_in_room(opening);
            check_refused(on_stream(p, n) || on_key(p, n), update(&room.s, opening, p, pt, n),
                          "output", at, n);
            begin_in_room(opening);
            check_refused(on_stream(p, n) || on_key(p, n), update(&room.s, opening, p, p, n),
                          "in place", at, n);
            begin_in_room(opening);
            check_refused(on_stream(p, n), update(&room.s, opening, out, p, n), "input", at, n);
        }
    }
    begin_in_room(0);
    check_refused(on_stream(p, 8) || on_key(p, 8), aes_gcm_stream_seal_final(&room.s, p), "tag", at,
                  8);
    begin_in_room(1);
    check_refused(on_stream(p, 8), aes_gcm_stream_open_final(&room.s, p), "tag to check", at, 8);
}

static void test_overlap(void **state)
{
    (void)state;
    for (size_t at = 1024 - 110; at + 100 <= sizeof room; at += at % 8 == 1 ? 6 : 1) {
        overlap_at(at);
    }
    for (size_t at = offsetof(struct room, s); at < sizeof room.low + sizeof room.s; at += 8) {
        aes_gcm_key *k = (aes_gcm_key *)(void *)((uint8_t *)&room + at);

        begin_in_room(-1); /* a key that the stream lies upon, be it one or not */
        check_refused(1, aes_gcm_stream_init(&room.s, k, nonce, 12), "key", at, sizeof *k);
    }
}

/* Output and input at every distance. */
static void test_shifted(void **state)
{
    (void)state;
    for (int opening = 0; opening < 2; opening++) {
        for (size_t n = 1; n <= 70; n += 1 + n / 3) {
            for (size_t at = 0; at <= 200; at++) {
                begin_in_room(opening);
                check_refused(at != 100 && shares(room.low + at, n, room.low + 100, n),
                              update(&room.s, opening, room.low + at, room.low + 100, n), "shifted",
                              at, n);
            }
        }
    }
}

/* ---- Limits ---- */

/* A stream within its text; `opening` -1: before it. */
static void begin(aes_gcm_stream *s, const aes_gcm_key *k, int opening)
{
    uint8_t out[33];

    assert_int_equal(aes_gcm_stream_init(s, k, nonce, 12), AEADFAST_OK);
    assert_int_equal(aes_gcm_stream_aad(s, pt, 7), AEADFAST_OK);
    if (opening >= 0) {
        assert_int_equal(update(s, opening, out, pt, 33), AEADFAST_OK);
    }
}

/* With every byte of text or data on a page that must not be touched. */
static void test_limits(void **state)
{
    static const size_t impossible[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 15, SIZE_MAX / 2 + 1};
    struct guard page;
    uint8_t *nowhere;
    aes_gcm_key key;
    aes_gcm_stream s = {{0}};
    aes_gcm_stream before;

    (void)state;
    assert_int_equal(aes_gcm_init(&key, key_bytes, 16), AEADFAST_OK);
    guard_make(&page, 1);
    nowhere = guard_forbidden(&page);
    for (size_t i = 0; i < COUNT(impossible); i++) {
        before = s;
        check_int(aes_gcm_stream_init(&s, &key, nowhere, impossible[i]), AEADFAST_ERR_LENGTH,
                  "a nonce of %zu", impossible[i]);
        begin(&s, &key, -1);
        before = s;
        check_int(aes_gcm_stream_aad(&s, nowhere, impossible[i]), AEADFAST_ERR_LENGTH,
                  "%zu bytes of additional data", impossible[i]);
        check_bytes(&s, &before, sizeof s, "%s", "too long");
        for (int opening = 0; opening < 2; opening++) {
            begin(&s, &key, opening);
            before = s;
            check_int(update(&s, opening, nowhere, nowhere, impossible[i]), AEADFAST_ERR_LENGTH,
                      "%zu bytes", impossible[i]);
            check_bytes(&s, &before, sizeof s, "%s", "too long");
        }
    }

    /* Sums: so many bytes are still free, as if the others had come. */
    for (size_t left = 0; left <= 40; left++) {
        for (size_t n = 0; n <= 50; n++) {
            uint8_t out[50];

            begin(&s, &key, -1);
            stream_of(&s)->m.aad_len = AEADFAST_AES_GCM_AAD_MAX - left;
            before = s;
            check_int(aes_gcm_stream_aad(&s, n > left ? nowhere : pt, n),
                      n > left ? AEADFAST_ERR_LENGTH : AEADFAST_OK, "%zu bytes, %zu are left", n,
                      left);
            check_true(n <= left || memcmp(&s, &before, sizeof s) == 0, "too long: changed");
            for (int opening = 0; opening < 2; opening++) {
                begin(&s, &key, opening);
                stream_of(&s)->m.text_len = AEADFAST_AES_GCM_TEXT_MAX - left;
                before = s;
                check_int(update(&s, opening, n > left ? nowhere : out, n > left ? nowhere : pt, n),
                          n > left ? AEADFAST_ERR_LENGTH : AEADFAST_OK, "%zu bytes, %zu are left",
                          n, left);
                check_true(n <= left || memcmp(&s, &before, sizeof s) == 0, "too long: changed");
                /* in the order LENGTH, OVERLAP */
                if (n > 1 && n <= left) {
                    stream_of(&s)->m.text_len = AEADFAST_AES_GCM_TEXT_MAX - left;
                    check_int(update(&s, opening, nowhere, nowhere + 1, n), AEADFAST_ERR_OVERLAP,
                              "%zu bytes, %zu are left, shifted", n, left);
                }
            }
        }
    }
#if SIZE_MAX > UINT32_MAX
    for (int opening = 0; opening < 2; opening++) {
        size_t rest = (size_t)AEADFAST_AES_GCM_TEXT_MAX - 33;

        begin(&s, &key, opening); /* 33 bytes have come */
        check_int(update(&s, opening, nowhere, nowhere, rest + 1), AEADFAST_ERR_LENGTH, "%zu",
                  rest + 1);
        check_int(update(&s, opening, nowhere, nowhere + 1, rest), AEADFAST_ERR_OVERLAP, "%zu",
                  rest);
    }
#endif
    guard_free(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
