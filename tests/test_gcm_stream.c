/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM piece by piece: any split of text and additional data, empty pieces included, gives what
 * the one-shot function gives for the whole, sealing and opening, in place or not. Under every
 * backend, so that every family of kernels works by its parts.
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
#include "support/gcm_message.h"
#include "support/guard.h"
#include "support/kernels.h"
#include "support/ref_aes_gcm.h"
#include "support/rng.h"

static struct gcm_message m;
static uint8_t key_bytes[32];
static struct guard src_pages;
static struct guard dst_pages;
static struct rng rng;
static const char *backend;

static const char *under(void)
{
    return backends_name(backend);
}

static int set_up(void **state)
{
    (void)state;
    rng_begin(&rng);
    rng_bytes(&rng, key_bytes, sizeof key_bytes);
    gcm_message_fill(&m, &rng);
    guard_make(&src_pages, GCM_TEXT_MAX);
    guard_make(&dst_pages, GCM_TEXT_MAX);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    guard_free(&src_pages);
    guard_free(&dst_pages);
    return 0;
}

static void begin(aes_gcm_stream *s)
{
    memset(s, 0xff, sizeof *s);
    check_int(aes_gcm_stream_init(s, &m.key, m.nonce, m.nonce_len), AEADFAST_OK, "%s", under());
}

static void take_aad(aes_gcm_stream *s, size_t at, size_t n)
{
    uint8_t *piece = guard_end(&src_pages, n);

    memcpy(piece, m.aad + at, n);
    check_int(aes_gcm_stream_aad(s, n == 0 && at % 2 == 0 ? NULL : piece, n), AEADFAST_OK,
              "%s, %zu bytes of additional data at %zu", under(), n, at);
}

/* A piece ends right before a forbidden page, and begins at whatever address that gives. */
static void take(aes_gcm_stream *s, size_t at, size_t n, int opening, int in_place)
{
    const uint8_t *in = opening ? m.ct : m.pt;
    const uint8_t *want = opening ? m.pt : m.ct;
    uint8_t *src = guard_end(&src_pages, n);
    uint8_t *dst = in_place ? src : guard_end(&dst_pages, n);
    int r;

    memcpy(src, in + at, n);
    if (n == 0 && at % 2 == 0) {
        src = NULL;
        dst = NULL;
    }
    r = opening ? aes_gcm_stream_open_unverified_update(s, dst, src, n)
                : aes_gcm_stream_seal_update(s, dst, src, n);
    check_int(r, AEADFAST_OK, "%s, %zu bytes at %zu", under(), n, at);
    if (n != 0) {
        check_bytes(dst, want + at, n, "%s, %s %zu bytes at %zu of %zu", under(),
                    opening ? "opening" : "sealing", n, at, m.len);
    }
}

static void finish(aes_gcm_stream *s, int opening, const char *what)
{
    static const aes_gcm_stream zeros;
    uint8_t tag[17];

    memset(tag, 0x5c, sizeof tag);
    if (opening) {
        check_int(aes_gcm_stream_open_final(s, m.tag), AEADFAST_OK, "%s, %s of %zu", under(), what,
                  m.len);
    } else {
        check_int(aes_gcm_stream_seal_final(s, tag), AEADFAST_OK, "%s, %s of %zu", under(), what,
                  m.len);
        gcm_message_check_tag(&m, tag, 0x5c, under());
    }
    check_true(memcmp(s->opaque, zeros.opaque, 8) == 0, "%s: not finished", under());
}

/* All ways to part a short text in three, and the additional data in two. */
static void three_pieces(const char *name)
{
    backend = name;
    for (size_t total = 0; total <= 50; total++) {
        gcm_message_key(&m, key_bytes, 16 + 8 * (total % 3), gcm_tag_lens[total % 7]);
        gcm_message_seal(&m, total % 5 == 4 ? total : 12, total / 2, total);
        for (size_t a = 0; a <= total; a++) {
            for (size_t b = a; b <= total; b++) {
                int opening = (int)(a + b) % 2;
                aes_gcm_stream s;

                begin(&s);
                take_aad(&s, 0, b / 2);
                take_aad(&s, b / 2, total / 2 - b / 2);
                take(&s, 0, a, opening, a % 2 != 0);
                take(&s, a, b - a, opening, b % 2 != 0);
                take(&s, b, total - b, opening, a % 3 != 0);
                finish(&s, opening, "three pieces");
            }
        }
    }
}

/* All ways to part additional data in three. */
static void three_pieces_of_aad(const char *name)
{
    backend = name;
    gcm_message_key(&m, key_bytes, 32, 16);
    for (size_t total = 0; total <= 40; total++) {
        gcm_message_seal(&m, 12, total, total % 3);
        for (size_t a = 0; a <= total; a++) {
            for (size_t b = a; b <= total; b++) {
                aes_gcm_stream s;

                begin(&s);
                take_aad(&s, 0, a);
                take_aad(&s, a, b - a);
                take_aad(&s, b, total - b);
                if (total % 3 != 0) { /* else the final call is all that follows */
                    take(&s, 0, total % 3, 1, 0);
                }
                finish(&s, 1, "additional data in three pieces");
            }
        }
    }
}

/* All ways to part a text in two, at lengths around what kernels take at a time. */
static void two_pieces(const char *name)
{
    static const size_t totals[] = {127, 128, 129, 255, 256, 257,  271,  384,  511,  512,
                                    513, 520, 767, 768, 800, 1023, 1024, 1025, 1040, 1300};

    backend = name;
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        gcm_message_key(&m, key_bytes, 16 + 8 * (i % 3), 16);
        gcm_message_seal(&m, 12, 7, totals[i]);
        for (size_t a = 0; a <= totals[i]; a += a < 40 || a > totals[i] - 40 ? 1 : 1 + i % 3) {
            aes_gcm_stream s;
            int opening = (int)(a + i) % 2;

            begin(&s);
            take_aad(&s, 0, 7);
            take(&s, 0, a, opening, a % 4 < 2);
            take(&s, a, totals[i] - a, opening, a % 4 < 2);
            finish(&s, opening, "two pieces");
        }
    }
}

/* Pieces of one size. */
static void equal_pieces(const char *name)
{
    static const size_t sizes[] = {1,   2,   3,   7,   13,  15,  16,  17,   31,   32,   33,
                                   48,  63,  64,  65,  100, 127, 128, 129,  240,  255,  256,
                                   257, 272, 511, 512, 513, 768, 999, 1024, 1040, 2048, 4096};

    backend = name;
    gcm_message_key(&m, key_bytes, 16, 16);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int opening = 0; opening < 2; opening++) {
            size_t total = 9 * sizes[i] + i;
            aes_gcm_stream s;

            total = total < GCM_TEXT_MAX ? total : GCM_TEXT_MAX;
            gcm_message_seal(&m, 12, 0, total);
            begin(&s);
            for (size_t at = 0; at < total; at += sizes[i]) {
                take(&s, at, total - at < sizes[i] ? total - at : sizes[i], opening, opening);
            }
            finish(&s, opening, "equal pieces");
        }
    }
}

/* Text in pieces of up to `most` bytes, 0 now and then. */
static void take_random(aes_gcm_stream *s, size_t from, size_t most, int opening)
{
    while (from < m.len) {
        size_t n = rng_below(&rng, most + 1);

        n = n > m.len - from ? m.len - from : n;
        take(s, from, n, opening, (int)rng_below(&rng, 2));
        from += n;
    }
}

static void random_message(size_t text_max)
{
    gcm_message_key(&m, key_bytes, 16 + 8 * rng_below(&rng, 3), gcm_tag_lens[rng_below(&rng, 7)]);
    if (rng_below(&rng, 3) == 0) { /* the counter is about to wrap */
        struct ref_gcm ref;
        uint8_t j0[16];

        rng_bytes(&rng, j0, sizeof j0);
        memset(j0 + 12, 0xff, 3);
        ref_gcm_begin(&ref, key_bytes, 16);
        ref_gcm_nonce_for(&ref, m.nonce, j0);
        gcm_message_key(&m, key_bytes, 16, 16);
        gcm_message_seal(&m, 16, rng_below(&rng, 70), rng_below(&rng, text_max + 1));
    } else {
        size_t nonce_len = rng_below(&rng, 2) != 0 ? 12 : 1 + rng_below(&rng, GCM_NONCE_MAX);

        rng_bytes(&rng, m.nonce, nonce_len);
        gcm_message_seal(&m, nonce_len, rng_below(&rng, GCM_AAD_MAX + 1),
                         rng_below(&rng, text_max + 1));
    }
}

static void random_pieces(const char *name)
{
    backend = name;
    for (size_t round = 0; round < 400; round++) {
        int opening = (int)round % 2;
        size_t most = 1 + rng_below(&rng, 200);
        aes_gcm_stream s;

        random_message(round % 8 == 0 ? GCM_TEXT_MAX : 2500);
        begin(&s);
        for (size_t at = 0; at < m.aad_len;) {
            size_t n = rng_below(&rng, most + 1);

            n = n > m.aad_len - at ? m.aad_len - at : n;
            take_aad(&s, at, n);
            at += n;
        }
        take_random(&s, 0, round % 4 < 2 ? most : 15 * most, opening);
        take(&s, m.len, 0, opening, 0);
        finish(&s, opening, "random pieces");
    }
}

/* A key and its streams keep their kernels, whichever backend is in force at each piece. */
static void test_backend_between_pieces(void **state)
{
    (void)state;
    backend = "several backends";
    for (size_t round = 0; round < 300; round++) {
        aes_gcm_stream s;

        random_message(2500);
        begin(&s);
        take_aad(&s, 0, m.aad_len);
        for (size_t at = 0; at < m.len;) {
            size_t piece = rng_below(&rng, 400);

            backends_any(&rng);
            piece = piece > m.len - at ? m.len - at : piece;
            take(&s, at, piece, (int)round % 2, 0);
            at += piece;
        }
        finish(&s, (int)round % 2, "pieces");
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
}

/* A copy goes on by itself, wherever it is: taken after additional data, and again within text. */
static void copies(const char *name)
{
    backend = name;
    for (size_t round = 0; round < 200; round++) {
        int opening = (int)round % 2;
        size_t at;
        aes_gcm_stream s[3];

        random_message(1500);
        at = rng_below(&rng, m.len + 1);
        begin(&s[0]);
        take_aad(&s[0], 0, m.aad_len / 2);
        memcpy(&s[1], &s[0], sizeof s[0]);
        take_aad(&s[0], m.aad_len / 2, m.aad_len - m.aad_len / 2);
        take(&s[0], 0, at, opening, 0);
        memcpy(&s[2], &s[0], sizeof s[0]);
        take(&s[0], at, m.len - at, opening, 0);
        finish(&s[0], opening, "the original");
        take_aad(&s[1], m.aad_len / 2, m.aad_len - m.aad_len / 2);
        take_random(&s[1], 0, 300, !opening);
        finish(&s[1], m.len == 0 ? opening : !opening, "the first copy");
        take_random(&s[2], at, 300, opening);
        finish(&s[2], opening, "the second copy");
    }
}

BACKENDS_TEST(three_pieces)
BACKENDS_TEST(three_pieces_of_aad)
BACKENDS_TEST(two_pieces)
BACKENDS_TEST(equal_pieces)
BACKENDS_TEST(random_pieces)
BACKENDS_TEST(copies)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_pieces),  cmocka_unit_test(test_three_pieces_of_aad),
        cmocka_unit_test(test_two_pieces),    cmocka_unit_test(test_equal_pieces),
        cmocka_unit_test(test_random_pieces), cmocka_unit_test(test_backend_between_pieces),
        cmocka_unit_test(test_copies),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
