/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM piece by piece: every order of calls, missing arguments, a key that is wiped meanwhile;
 * that a refusal changes nothing, and that a stream which is finished or failed is wiped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "aes_gcm_stream.h"
#include "support/check.h"
#include "support/kernels.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { LEN = 100, FILLER = 0xa5 };

static const uint8_t key_bytes[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t nonce[12] = {12, 11, 10};
static const uint8_t aad[20] = {5, 4, 3, 2, 1};
static uint8_t pt[LEN];
static uint8_t ct[LEN];
static uint8_t tag[16];
static aes_gcm_key key;

static void make_message(void)
{
    for (size_t i = 0; i < sizeof pt; i++) {
        pt[i] = (uint8_t)(7 * i + 1);
    }
    memset(&key, 0, sizeof key);
    assert_int_equal(aes_gcm_init(&key, key_bytes, 32), AEADFAST_OK);
    assert_int_equal(aes_gcm_seal(&key, ct, tag, pt, LEN, aad, sizeof aad, nonce, 12), AEADFAST_OK);
}

static int set_up(void **state)
{
    (void)state;
    make_message();
    return 0;
}

/* ---- Calls by their letters: a text of them is an order of calls ---- */

/* a, s, o: additional data, text to seal, text to open; capitals: the same with nothing; f, F: final
 * calls, sealing and opening. */
static int call(aes_gcm_stream *s, char letter)
{
    uint8_t out[LEN];
    uint8_t before[LEN];
    int r;

    memset(out, FILLER, sizeof out);
    memcpy(before, out, sizeof out);
    switch (letter) {
    case 'a':
        return aes_gcm_stream_aad(s, aad, sizeof aad);
    case 'A':
        return aes_gcm_stream_aad(s, NULL, 0);
    case 's':
        r = aes_gcm_stream_seal_update(s, out, pt, 33);
        break;
    case 'S':
        r = aes_gcm_stream_seal_update(s, NULL, NULL, 0);
        break;
    case 'o':
        r = aes_gcm_stream_open_unverified_update(s, out, ct, 33);
        break;
    case 'O':
        r = aes_gcm_stream_open_unverified_update(s, NULL, NULL, 0);
        break;
    case 'f':
        r = aes_gcm_stream_seal_final(s, out);
        break;
    default:
        r = aes_gcm_stream_open_final(s, tag);
        r = r == AEADFAST_ERR_AUTH ? AEADFAST_OK : r; /* not every order is that of the message */
        break;
    }
    check_true(r == AEADFAST_OK || memcmp(out, before, sizeof out) == 0, "%c: wrote something",
               letter);
    return r;
}

/* The letters that are allowed in each phase, and the phase after them. */
static char phase_after(char phase, char letter)
{
    switch (letter) {
    case 'a':
    case 'A':
        return phase == 'a' ? 'a' : '-';
    case 's':
    case 'S':
        return phase == 'a' || phase == 's' ? 's' : '-';
    case 'o':
    case 'O':
        return phase == 'a' || phase == 'o' ? 'o' : '-';
    case 'f':
        return phase == 'a' || phase == 's' ? 'z' : '-';
    default:
        return phase == 'a' || phase == 'o' ? 'z' : '-';
    }
}

static unsigned orders;

static void every_order(const aes_gcm_stream *from, char phase, int depth)
{
    static const char letters[] = "aAsSoOfF";

    for (size_t i = 0; letters[i] != '\0'; i++) {
        char next = phase_after(phase, letters[i]);
        aes_gcm_stream s;

        memcpy(&s, from, sizeof s);
        check_int(call(&s, letters[i]), next == '-' ? AEADFAST_ERR_STATE : AEADFAST_OK,
                  "call %c in phase %c", letters[i], phase);
        if (next == '-') {
            check_bytes(&s, from, sizeof s, "call %c in phase %c: changed something", letters[i],
                        phase);
        } else {
            orders++;
            if (depth > 1) {
                every_order(&s, next, depth - 1);
            }
        }
    }
}

static void test_every_order(void **state)
{
    aes_gcm_stream s;

    (void)state;
    memset(&s, 0, sizeof s); /* compared as a whole, and a message need not fill it */
    every_order(&s, 'z', 1);
    assert_int_equal(aes_gcm_stream_init(&s, &key, nonce, 12), AEADFAST_OK);
    every_order(&s, 'a', 5);
    check_note("%u orders\n", orders);
}

static void check_no_stream(aes_gcm_stream *s, const char *what)
{
    aes_gcm_stream copy;

    memcpy(&copy, s, sizeof copy);
    for (const char *letter = "aAsSoOfF"; *letter != '\0'; letter++) {
        check_int(call(s, *letter), AEADFAST_ERR_STATE, "%s, call %c", what, *letter);
        check_bytes(s, &copy, sizeof copy, "%s, call %c", what, *letter);
    }
}

/* ---- The end ---- */

/* Nothing of the message is left, whether it was right or not; it can be begun again. */
static void ends(const char *backend)
{
    (void)backend;
    make_message();
    for (int end = 0; end < 3; end++) { /* sealed, opened, forged */
        for (size_t bit = 0; bit < (end == 2 ? 128 : 1); bit++) {
            uint8_t got[LEN + 16];
            aes_gcm_stream s;
            int r;

            memset(&s, FILLER, sizeof s);
            assert_int_equal(aes_gcm_stream_init(&s, &key, nonce, 12), AEADFAST_OK);
            assert_int_equal(aes_gcm_stream_aad(&s, aad, sizeof aad), AEADFAST_OK);
            if (end == 0) {
                assert_int_equal(aes_gcm_stream_seal_update(&s, got, pt, LEN), AEADFAST_OK);
                r = aes_gcm_stream_seal_final(&s, got + LEN);
                check_bytes(got, ct, LEN, "%s", "sealed");
                check_bytes(got + LEN, tag, 16, "%s", "sealed");
            } else {
                assert_int_equal(aes_gcm_stream_open_unverified_update(&s, got, ct, LEN),
                                 AEADFAST_OK);
                check_bytes(got, pt, LEN, "%s", "opened");
                memcpy(got + LEN, tag, 16);
                got[LEN + bit / 8] ^= (uint8_t)(end == 2 ? 1 << bit % 8 : 0);
                r = aes_gcm_stream_open_final(&s, got + LEN);
            }
            check_int(r, end == 2 ? AEADFAST_ERR_AUTH : AEADFAST_OK, "end %d, bit %zu", end, bit);
            check_fill(&s, 0, sizeof(struct gcm_stream), "end %d", end);
            check_no_stream(&s, "a stream that is finished or failed");
        }
    }
}

static void test_ends(void **state)
{
    (void)state;
    backends_each(ends);
}

static void test_no_stream(void **state)
{
    aes_gcm_stream s;

    (void)state;
    memset(&s, 0, sizeof s);
    check_no_stream(&s, "a stream of zeros");
    memset(&s, FILLER, sizeof s);
    check_no_stream(&s, "a stream of junk");
    assert_int_equal(aes_gcm_stream_init(&s, &key, nonce, 12), AEADFAST_OK);
    aeadfast_wipe(&s, sizeof s);
    check_no_stream(&s, "a wiped stream");
}

/* Every bit of a tag counts, and not one beyond the key's tag length. */
static void test_short_tags(void **state)
{
    static const size_t lens[] = {4, 8, 12, 13, 14, 15, 16};

    (void)state;
    for (size_t i = 0; i < COUNT(lens); i++) {
        aes_gcm_key k;
        uint8_t out[LEN];
        uint8_t want[16];

        assert_int_equal(aes_gcm_init_tag(&k, key_bytes, 32, lens[i]), AEADFAST_OK);
        assert_int_equal(aes_gcm_seal(&k, out, want, pt, LEN, NULL, 0, nonce, 12), AEADFAST_OK);
        for (size_t bit = 0; bit <= 8 * lens[i]; bit++) { /* the last one: none */
            uint8_t *last = malloc(lens[i]);              /* sanitizers see what goes beyond */
            aes_gcm_stream s;

            assert_non_null(last);
            memcpy(last, want, lens[i]);
            if (bit < 8 * lens[i]) {
                last[bit / 8] ^= (uint8_t)(1 << bit % 8);
            }
            assert_int_equal(aes_gcm_stream_init(&s, &k, nonce, 12), AEADFAST_OK);
            assert_int_equal(aes_gcm_stream_open_unverified_update(&s, out, ct, LEN), AEADFAST_OK);
            check_int(aes_gcm_stream_open_final(&s, last),
                      bit < 8 * lens[i] ? AEADFAST_ERR_AUTH : AEADFAST_OK, "tag of %zu, bit %zu",
                      lens[i], bit);
            free(last);
        }
    }
}

/* ---- The key ---- */

static void test_key(void **state)
{
    static const char *const phases[] = {"", "a", "as", "ao"};
    aes_gcm_key copy = key;
    aes_gcm_stream s;
    aes_gcm_stream none;

    (void)state;
    memset(&none, FILLER, sizeof none);
    memset(&s, FILLER, sizeof s);
    aes_gcm_wipe(&key);
    check_int(aes_gcm_stream_init(&s, &key, nonce, 12), AEADFAST_ERR_STATE, "a wiped %s", "key");
    check_bytes(&s, &none, sizeof s, "a wiped %s", "key");
    key = copy;
    for (size_t i = 0; i < COUNT(phases); i++) {
        assert_int_equal(aes_gcm_stream_init(&s, &key, nonce, 12), AEADFAST_OK);
        for (const char *letter = phases[i]; *letter != '\0'; letter++) {
            assert_int_equal(call(&s, *letter), AEADFAST_OK);
        }
        aes_gcm_wipe(&key);
        check_no_stream(&s, "a stream whose key is wiped");
        key = copy;
        check_int(call(&s, i == 3 ? 'o' : 's'), AEADFAST_OK, "the key is back, %s", phases[i]);
    }
}

/* ---- Arguments ---- */

/* A stream in a phase that lets all calls of the direction through. */
static void begin(aes_gcm_stream *s, int opening)
{
    assert_int_equal(aes_gcm_stream_init(s, &key, nonce, 12), AEADFAST_OK);
    assert_int_equal(aes_gcm_stream_aad(s, aad, 7), AEADFAST_OK);
    if (opening >= 0) {
        assert_int_equal(call(s, opening ? 'o' : 's'), AEADFAST_OK);
    }
}

static int update(aes_gcm_stream *s, int opening, uint8_t *dst, const uint8_t *src, size_t len)
{
    return opening ? aes_gcm_stream_open_unverified_update(s, dst, src, len)
                   : aes_gcm_stream_seal_update(s, dst, src, len);
}

static void test_missing(void **state)
{
    aes_gcm_stream s = {{0}};
    aes_gcm_stream before;
    uint8_t out[LEN];

    (void)state;
    before = s;
    check_int(aes_gcm_stream_init(NULL, &key, nonce, 12), AEADFAST_ERR_ARGUMENT, "%s", "stream");
    check_int(aes_gcm_stream_init(&s, NULL, nonce, 12), AEADFAST_ERR_ARGUMENT, "%s", "key");
    check_int(aes_gcm_stream_init(&s, &key, NULL, 12), AEADFAST_ERR_ARGUMENT, "%s", "nonce");
    check_int(aes_gcm_stream_init(&s, &key, NULL, 0), AEADFAST_ERR_ARGUMENT, "%s", "nonce");
    check_int(aes_gcm_stream_init(&s, &key, nonce, 0), AEADFAST_ERR_ARGUMENT, "%s", "empty nonce");
    check_bytes(&s, &before, sizeof s, "%s", "a failed init");
    begin(&s, -1);
    before = s;
    check_int(aes_gcm_stream_aad(NULL, aad, 1), AEADFAST_ERR_ARGUMENT, "%s", "stream");
    check_int(aes_gcm_stream_aad(&s, NULL, 1), AEADFAST_ERR_ARGUMENT, "%s", "data");
    check_bytes(&s, &before, sizeof s, "%s", "additional data");
    for (int opening = 0; opening < 2; opening++) {
        begin(&s, opening);
        before = s;
        check_int(update(NULL, opening, out, pt, 1), AEADFAST_ERR_ARGUMENT, "%s", "stream");
        check_int(update(&s, opening, NULL, pt, 1), AEADFAST_ERR_ARGUMENT, "%s", "output");
        check_int(update(&s, opening, out, NULL, 1), AEADFAST_ERR_ARGUMENT, "%s", "input");
        check_int(aes_gcm_stream_seal_final(&s, NULL), AEADFAST_ERR_ARGUMENT, "%s", "tag");
        check_int(aes_gcm_stream_open_final(&s, NULL), AEADFAST_ERR_ARGUMENT, "%s", "tag");
        check_int(aes_gcm_stream_seal_final(NULL, out), AEADFAST_ERR_ARGUMENT, "%s", "stream");
        check_int(aes_gcm_stream_open_final(NULL, tag), AEADFAST_ERR_ARGUMENT, "%s", "stream");
        check_bytes(&s, &before, sizeof s, "%s", "missing arguments");
        check_int(update(&s, opening, NULL, NULL, 0), AEADFAST_OK, "%s", "nothing");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_no_stream),   cmocka_unit_test(test_short_tags),
        cmocka_unit_test(test_key),         cmocka_unit_test(test_missing),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
