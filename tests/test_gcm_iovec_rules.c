/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM with texts in several buffers: what is refused, and that a refusal writes nothing. The
 * rules of lists have a test of their own (test_iovec_check.c); here every argument is seen to be
 * handed to them, and what is AES-GCM's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "support/check.h"
#include "support/guard.h"

/* A call that is right, in memory that is compared as a whole: 60 bytes of text in two lists. */
static struct call {
    uint8_t below[40];
    aes_gcm_key key;
    aeadfast_iovec dst[3];
    aeadfast_iovec src[3];
    aeadfast_iovec aad[2];
    uint8_t tag[16];
    uint8_t nonce[12];
    uint8_t between[4];
    uint8_t out[128];
    uint8_t in[128];
    uint8_t data[64];
} c;

static struct call before;
static size_t dst_count;
static size_t src_count;
static size_t aad_count;
static size_t nonce_len;

static void set(aeadfast_iovec *piece, void *base, size_t len)
{
    piece->base = base;
    piece->len = len;
}

static void make_call(void)
{
    static const uint8_t key[32] = {1, 2, 3};

    memset(&c, 0x3c, sizeof c);
    assert_int_equal(aes_gcm_init(&c.key, key, 32), AEADFAST_OK);
    set(&c.dst[0], c.out, 20);
    set(&c.dst[1], c.out + 40, 0);
    set(&c.dst[2], c.out + 60, 40);
    set(&c.src[0], c.in, 33);
    set(&c.src[1], NULL, 0);
    set(&c.src[2], c.in + 40, 27);
    set(&c.aad[0], c.data, 7);
    set(&c.aad[1], c.data + 20, 9);
    dst_count = 3;
    src_count = 3;
    aad_count = 2;
    nonce_len = 12;
}

static int run(int opening)
{
    before = c;
    return opening ? aes_gcm_openv(&c.key, c.dst, dst_count, c.src, src_count, c.tag, c.aad,
                                   aad_count, c.nonce, nonce_len)
                   : aes_gcm_sealv(&c.key, c.dst, dst_count, c.tag, c.src, src_count, c.aad,
                                   aad_count, c.nonce, nonce_len);
}

static void check_refused(int opening, int want, const char *what)
{
    check_int(run(opening), want, "%s, %s", opening ? "opening" : "sealing", what);
    check_bytes(&c, &before, sizeof c, "%s, %s: wrote something", opening ? "opening" : "sealing",
                what);
}

/* What the refusals below start from. */
static void test_right_calls(void **state)
{
    (void)state;
    make_call();
    assert_int_equal(run(0), AEADFAST_OK);
    assert_int_equal(run(1), AEADFAST_ERR_AUTH);
    for (size_t i = 0; i < 3; i++) {
        check_fill(c.dst[i].base, 0, c.dst[i].len, "piece %zu", i);
    }
    make_call(); /* nothing at all: no lists, no pieces, only a tag */
    check_int(aes_gcm_sealv(&c.key, NULL, 0, c.tag, NULL, 0, NULL, 0, c.nonce, 12), AEADFAST_OK,
              "%s", "nothing");
    check_int(aes_gcm_openv(&c.key, NULL, 0, NULL, 0, c.tag, NULL, 0, c.nonce, 12), AEADFAST_OK,
              "%s", "nothing");
    check_int(aes_gcm_open(&c.key, NULL, NULL, 0, c.tag, NULL, 0, c.nonce, 12), AEADFAST_OK, "%s",
              "nothing");
}

static void test_arguments(void **state)
{
    (void)state;
    for (int opening = 0; opening < 2; opening++) {
        make_call();
        nonce_len = 0;
        check_refused(opening, AEADFAST_ERR_ARGUMENT, "an empty nonce");
        make_call();
        c.dst[2].len--;
        check_refused(opening, AEADFAST_ERR_ARGUMENT, "output too short");
        make_call();
        c.src[0].len--;
        check_refused(opening, AEADFAST_ERR_ARGUMENT, "output too long");
        make_call();
        c.dst[0].base = NULL;
        check_refused(opening, AEADFAST_ERR_ARGUMENT, "no output");
        make_call();
        c.src[2].base = NULL;
        check_refused(opening, AEADFAST_ERR_ARGUMENT, "no input");
        make_call();
        c.aad[1].base = NULL;
        check_refused(opening, AEADFAST_ERR_ARGUMENT, "no additional data");
        make_call();
        aes_gcm_wipe(&c.key);
        check_refused(opening, AEADFAST_ERR_STATE, "a wiped key");
        make_call();
        memset(&c.key, 0x77, sizeof c.key);
        check_refused(opening, AEADFAST_ERR_STATE, "no key in the object");
    }
    make_call();
    check_int(aes_gcm_sealv(NULL, c.dst, 3, c.tag, c.src, 3, c.aad, 2, c.nonce, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "sealing, no key");
    check_int(aes_gcm_openv(NULL, c.dst, 3, c.src, 3, c.tag, c.aad, 2, c.nonce, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "opening, no key");
    check_int(aes_gcm_sealv(&c.key, c.dst, 3, NULL, c.src, 3, c.aad, 2, c.nonce, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "sealing, no tag");
    check_int(aes_gcm_openv(&c.key, c.dst, 3, c.src, 3, NULL, c.aad, 2, c.nonce, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "opening, no tag");
    check_int(aes_gcm_sealv(&c.key, c.dst, 3, c.tag, c.src, 3, c.aad, 2, NULL, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "sealing, no nonce");
    check_int(aes_gcm_openv(&c.key, NULL, 3, c.src, 3, c.tag, c.aad, 2, c.nonce, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "opening, no output list");
    check_int(aes_gcm_openv(&c.key, c.dst, 3, NULL, 3, c.tag, c.aad, 2, c.nonce, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "opening, no input list");
    check_int(aes_gcm_openv(&c.key, c.dst, 3, c.src, 3, c.tag, NULL, 2, c.nonce, 12),
              AEADFAST_ERR_ARGUMENT, "%s", "opening, no list of additional data");
    check_int(aes_gcm_sealv(&c.key, c.dst, 3, c.tag, c.src, 3, c.aad, 2, c.nonce, 0),
              AEADFAST_ERR_ARGUMENT, "%s", "sealing, an empty nonce");
}

/* ---- Overlap ---- */

/* Lays the 40 bytes of an output piece at `at`, whatever is there, and says whether that is refused. */
static void check_output_at(void *at, int refused, const char *what)
{
    for (int opening = 0; opening < 2; opening++) {
        make_call();
        c.dst[2].base = at;
        if (refused) {
            check_refused(opening, AEADFAST_ERR_OVERLAP, what);
        } else {
            int r = run(opening);

            check_true(r == AEADFAST_OK || r == AEADFAST_ERR_AUTH, "%s: returned %d", what, r);
        }
    }
}

/* Each argument with the output's last byte on its first, and with the first on its last. */
static void check_output_on(const void *p, size_t n, const char *what)
{
    uint8_t *at = (uint8_t *)&c + ((const uint8_t *)p - (const uint8_t *)&c);

    check_output_at(at - 39, 1, what);
    check_output_at(at + n - 1, 1, what);
}

static void test_output_overlaps(void **state)
{
    (void)state;
    check_output_on(&c.key, sizeof c.key, "output on the key");
    check_output_on(c.tag, 16, "output on the tag");
    check_output_on(c.nonce, 12, "output on the nonce");
    check_output_on(c.dst, sizeof c.dst, "output on its list");
    check_output_on(c.src, sizeof c.src, "output on the input's list");
    check_output_on(c.aad, sizeof c.aad, "output on the list of additional data");
    check_output_on(c.out, 20, "output on output");
    check_output_on(c.in, 33, "output on input");
    check_output_on(c.in + 40, 27, "output on input");
    check_output_on(c.data, 7, "output on additional data");
    check_output_on(c.data + 20, 9, "output on additional data");
    check_output_at(c.out + 20, 0, "output behind output");
    check_output_at(c.out + 88, 0, "output before input");
}

/* The tag is an output when sealing, and may lie upon any input when opening. */
static void test_tag_overlaps(void **state)
{
    uint8_t *const places[] = {(uint8_t *)&c.key + 20,
                               c.nonce,
                               c.in + 20,
                               c.in + 66,
                               c.data + 6,
                               (uint8_t *)c.src + 1,
                               (uint8_t *)c.dst + 1,
                               (uint8_t *)c.aad + 1};

    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        make_call();
        before = c;
        check_int(aes_gcm_sealv(&c.key, c.dst, 3, places[i], c.src, 3, c.aad, 2, c.nonce, 12),
                  AEADFAST_ERR_OVERLAP, "sealing, tag at place %zu", i);
        check_bytes(&c, &before, sizeof c, "sealing, tag at place %zu", i);
        check_int(aes_gcm_openv(&c.key, c.dst, 3, c.src, 3, places[i], c.aad, 2, c.nonce, 12),
                  AEADFAST_ERR_AUTH, "opening, tag at place %zu", i);
    }
    make_call(); /* a key with short tags takes no more than these */
    assert_int_equal(aes_gcm_init_tag(&c.key, c.data, 16, 4), AEADFAST_OK);
    check_int(aes_gcm_sealv(&c.key, c.dst, 3, c.out + 20, c.src, 3, c.aad, 2, c.nonce, 12),
              AEADFAST_OK, "%s", "a tag of 4 between pieces");
    check_int(aes_gcm_sealv(&c.key, c.dst, 3, c.out + 19, c.src, 3, c.aad, 2, c.nonce, 12),
              AEADFAST_ERR_OVERLAP, "%s", "a tag of 4 upon output");
}

/* ---- Limits ---- */

/* On a page that must not be touched. */
static void test_limits(void **state)
{
    static const size_t over[] = {SIZE_MAX / 2, SIZE_MAX - 15, SIZE_MAX};
    struct guard page;
    uint8_t *nowhere;

    (void)state;
    guard_make(&page, 1);
    nowhere = guard_forbidden(&page);
    for (int opening = 0; opening < 2; opening++) {
        for (size_t i = 0; i < 3; i++) {
            make_call(); /* both sums are SIZE_MAX or beyond, and pass for one another */
            set(&c.dst[0], nowhere, over[i]);
            set(&c.dst[1], nowhere, SIZE_MAX);
            set(&c.src[0], nowhere, over[i]);
            set(&c.src[1], nowhere, SIZE_MAX);
            check_refused(opening, AEADFAST_ERR_LENGTH, "text beyond memory");
            make_call();
            set(&c.aad[0], nowhere, over[i]);
            set(&c.aad[1], nowhere, over[2 - i]);
            check_refused(opening, AEADFAST_ERR_LENGTH, "additional data beyond memory");
            make_call();
            nonce_len = i == 0 ? SIZE_MAX / 2 + 1 : over[i];
            check_refused(opening, AEADFAST_ERR_LENGTH, "a nonce beyond memory");
            c.dst[0].base = c.tag;
            check_refused(opening, AEADFAST_ERR_LENGTH, "a nonce beyond memory, and overlap");
            c.dst[0].base = NULL;
            check_refused(opening, AEADFAST_ERR_ARGUMENT, "a nonce beyond memory, and no output");
        }
#if SIZE_MAX > UINT32_MAX
        for (size_t more = 0; more < 2; more++) {
            const size_t rest = (size_t)AEADFAST_AES_GCM_TEXT_MAX - 60 + more;

            make_call(); /* 2^36 - 32 in all is fine, and fails for the overlap */
            set(&c.dst[1], nowhere, rest);
            set(&c.src[1], nowhere + 1, rest);
            check_refused(opening, more ? AEADFAST_ERR_LENGTH : AEADFAST_ERR_OVERLAP, "limit");
            make_call();
            set(&c.aad[0], nowhere, (size_t)AEADFAST_AES_GCM_AAD_MAX - 9 + more);
            c.dst[0].base = c.tag;
            check_refused(opening, more ? AEADFAST_ERR_LENGTH : AEADFAST_ERR_OVERLAP, "limit");
        }
        make_call();
        nonce_len = (size_t)AEADFAST_AES_GCM_NONCE_MAX + 1;
        check_refused(opening, AEADFAST_ERR_LENGTH, "a nonce past the limit");
#endif
    }
    guard_free(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_calls),     cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_output_overlaps), cmocka_unit_test(test_tag_overlaps),
        cmocka_unit_test(test_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
