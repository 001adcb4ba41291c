/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM-SIV: every length against a reference that does it bit by bit, counters that wrap wherever
 * they may, and the key object. What holds for all public functions is in the tests that walk
 * api_table.h, and the known answers are in tests/vectors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "aes_gcm_key.h"
#include "bytes.h"
#include "check.h"
#include "guard.h"
#include "hex.h"
#include "kernels.h"
#include "ref_chacha.h"
#include "ref_gcm_siv.h"
#include "rng.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { DENSE = 700, TEXT_MAX = 70000, AAD_MAX = 5000 };

static const size_t key_lens[2] = {16, 32};

static uint8_t key[32];
static uint8_t nonce[12];
static uint8_t text[TEXT_MAX];
static uint8_t aad[AAD_MAX];

static int set_up(void **state)
{
    struct rng rng;

    (void)state;
    rng_from(&rng, 8452);
    rng_bytes(&rng, key, sizeof key);
    rng_bytes(&rng, nonce, sizeof nonce);
    rng_bytes(&rng, text, sizeof text);
    rng_bytes(&rng, aad, sizeof aad);
    return 0;
}

/* ---- The reference: RFC 8452 section 7 and Appendix A, and an inverse that is one ---- */

static void test_reference(void **state)
{
    static const uint8_t sample[16] = {1, 2, 3, 250, 251};
    struct ref_aes aes;
    uint8_t h[16];
    uint8_t x[32];
    uint8_t want[16];
    uint8_t s[16] = {0};

    (void)state;
    hex_constant(h, 16, "25629347589242761d31f826ba4b757b");
    hex_constant(x, 32, "4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362");
    hex_constant(want, 16, "f7a3b47b846119fae5b7866cf5e5b77e");
    ref_polyval(s, h, x, 32);
    check_bytes(s, want, 16, "%s", "POLYVAL");
    hex_constant(x, 16, "66e94bd4ef8a2c3b884cfa59ca342b2e");
    hex_constant(h, 16, "ff000000000000000000000000000000");
    hex_constant(want, 16, "ebe563401e7e91ea3ad6426b8140c394");
    ref_polyval_dot(s, x, h);
    check_bytes(s, want, 16, "%s", "dot");
    for (size_t i = 0; i < 2; i++) {
        ref_aes_begin(&aes, key, key_lens[i]);
        ref_aes_encrypt(&aes, s, sample);
        ref_aes_decrypt(&aes, s, s);
        check_bytes(s, sample, 16, "%s", "decrypted");
    }
}

/* ---- Messages against the reference ---- */

struct expected {
    size_t len;
    size_t aad_len;
    const uint8_t *pt;
    uint8_t tag[16];
    uint8_t ct[TEXT_MAX];
};

/* What must come out, computed once for all backends. */
static void expect(struct expected *e, size_t key_len, const uint8_t *pt, size_t len,
                   size_t aad_len)
{
    struct ref_gcm_siv siv;

    e->pt = pt;
    e->len = len;
    e->aad_len = aad_len;
    ref_gcm_siv_begin(&siv, key, key_len, nonce);
    ref_gcm_siv_tag(&siv, e->tag, aad, aad_len, pt, len);
    ref_gcm_siv_keystream(&siv, e->ct, len, e->tag);
    ref_xor(e->ct, e->ct, pt, len);
}

/* Seals and opens at a distance from an aligned address, then in place; and opens a forgery. */
static void check_message(const aes_gcm_siv_key *k, const struct expected *e, size_t shift,
                          const char *row)
{
    static uint8_t out[TEXT_MAX + 64];
    static uint8_t again[TEXT_MAX + 64];
    uint8_t *const to = out + shift;
    uint8_t *const back = again + shift * 5 % 16;
    uint8_t tag[16];

    check_int(aes_gcm_siv_seal(k, to, tag, e->pt, e->len, aad, e->aad_len, nonce), AEADFAST_OK,
              "%s, %zu bytes", row, e->len);
    check_bytes(to, e->ct, e->len, "%s, text %zu, AAD %zu: sealed", row, e->len, e->aad_len);
    check_bytes(tag, e->tag, 16, "%s, text %zu, AAD %zu: tag", row, e->len, e->aad_len);
    check_int(aes_gcm_siv_open(k, back, to, e->len, tag, aad, e->aad_len, nonce), AEADFAST_OK,
              "%s, %zu bytes", row, e->len);
    check_bytes(back, e->pt, e->len, "%s, text %zu, AAD %zu: opened", row, e->len, e->aad_len);

    memset(tag, 0, sizeof tag);
    check_int(aes_gcm_siv_seal(k, back, tag, back, e->len, aad, e->aad_len, nonce), AEADFAST_OK,
              "%s, %zu bytes, in place", row, e->len);
    check_bytes(back, e->ct, e->len, "%s, text %zu, AAD %zu: sealed in place", row, e->len,
                e->aad_len);
    check_bytes(tag, e->tag, 16, "%s, text %zu, AAD %zu: tag, in place", row, e->len, e->aad_len);
    check_int(aes_gcm_siv_open(k, back, back, e->len, tag, aad, e->aad_len, nonce), AEADFAST_OK,
              "%s, %zu bytes, in place", row, e->len);
    check_bytes(back, e->pt, e->len, "%s, text %zu, AAD %zu: opened in place", row, e->len,
                e->aad_len);

    tag[e->len % 16] ^= (uint8_t)(1 << e->len % 8);
    check_int(aes_gcm_siv_open(k, back, to, e->len, tag, aad, e->aad_len, nonce), AEADFAST_ERR_AUTH,
              "%s, %zu bytes, forged", row, e->len);
    check_fill(back, 0, e->len, "%s, %zu bytes, forged", row, e->len);
}

/* Keys for each row that this processor can run, whatever it would choose. */
#define KEYS_MAX 31

static aes_gcm_siv_key keys[KEYS_MAX];
static const char *key_names[KEYS_MAX];
static size_t key_count;

static void make_keys(size_t key_len)
{
    const struct kernel_list *list = aes_gcm_rows();
    struct cpu cpu = aeadfast_cpu_probe();

    key_count = 0;
    for (unsigned i = 0; i < list->count; i++) {
        if (aeadfast_row_runs(&list->rows[i], &cpu)) {
            assert_true(key_count < KEYS_MAX);
            key_make(keys[key_count].opaque, SIV_KEY_MARK | key_len, UINT32_C(1) << i, key,
                     key_len);
            key_names[key_count++] = list->rows[i].name;
        }
    }
}

static void check_keys(const struct expected *e)
{
    for (size_t i = 0; i < key_count; i++) {
        check_message(&keys[i], e, e->len % 16, key_names[i]);
    }
}

static void test_every_length(void **state)
{
    static struct expected e;
    size_t messages = 0;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        make_keys(key_lens[i]);
        for (size_t len = 0; len <= DENSE; len++) {
            expect(&e, key_lens[i], text, len, len % 3 == 0 ? 0 : 7 * len % 67);
            check_keys(&e);
            messages++;
        }
        for (size_t aad_len = 0; aad_len <= DENSE; aad_len++) {
            expect(&e, key_lens[i], text + 5, 11 * aad_len % 301, aad_len);
            check_keys(&e);
            messages++;
        }
    }
    check_note("%zu messages under %zu keys each\n", messages, key_count);
}

static void test_long_messages(void **state)
{
    static const struct {
        size_t len;
        size_t aad_len;
    } sizes[] = {{1350, 13},   {2047, 255}, {2048, 256},  {2049, 257},   {4096, 13},
                 {5000, 4999}, {16384, 13}, {0, AAD_MAX}, {TEXT_MAX, 31}};
    static struct expected e;

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        make_keys(key_lens[i % 2]);
        expect(&e, key_lens[i % 2], text, sizes[i].len, sizes[i].aad_len);
        check_keys(&e);
    }
}

/*
 * Counters that wrap: the text is made for a tag whose first 32 bits are 1 to 100 short of it, so that
 * it happens in each block of the kernels' batches, and the carry must not go further.
 */
static void test_wrap(void **state)
{
    enum { LEN = 1600, TAGS = 100 };
    static uint8_t made[LEN];
    static struct expected e;
    size_t wrapped = 0;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct ref_gcm_siv siv;

        make_keys(key_lens[i]);
        ref_gcm_siv_begin(&siv, key, key_lens[i], nonce);
        for (uint32_t tries = 0; tries < 2 * TAGS; tries++) {
            uint8_t tag[16];

            memset(tag, 0xff, sizeof tag);
            store_le32(tag, (uint32_t)0 - 1 - tries / 2);
            tag[15] = (uint8_t)(tries % 2 == 0 ? 0x7f : tries); /* half of the tags have no text */
            memcpy(made, text, sizeof made);
            if (ref_gcm_siv_text_for(&siv, tag, aad, 20, made, LEN)) {
                expect(&e, key_lens[i], made, LEN, 20);
                check_bytes(e.tag, tag, 16, "the tag of a text that was made for it, %u",
                            (unsigned)tries);
                check_keys(&e);
                wrapped++;
            }
        }
    }
    check_note("%zu texts whose counter wraps\n", wrapped);
    assert_true(wrapped > TAGS);
}

/* ---- What the nonce is good for, and what is left without it ---- */

static void test_repeated_nonce(void **state)
{
    aes_gcm_siv_key k;
    uint8_t ct[3][100];
    uint8_t tag[3][16];
    uint8_t other[12];

    (void)state;
    memcpy(other, nonce, sizeof other);
    other[11] ^= 1;
    assert_int_equal(aes_gcm_siv_init(&k, key, 16), AEADFAST_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(
            aes_gcm_siv_seal(&k, ct[i], tag[i], text, 100, aad, 9, i < 2 ? nonce : other),
            AEADFAST_OK);
    }
    assert_memory_equal(ct[0], ct[1], 100);
    assert_memory_equal(tag[0], tag[1], 16);
    assert_true(memcmp(ct[0], ct[2], 16) != 0 && memcmp(tag[0], tag[2], 16) != 0);
    /* a bit of text or data changes the ciphertext from its beginning on */
    memcpy(ct[2], text, 100);
    ct[2][99] ^= 1;
    assert_int_equal(aes_gcm_siv_seal(&k, ct[1], tag[1], ct[2], 100, aad, 9, nonce), AEADFAST_OK);
    assert_true(memcmp(ct[0], ct[1], 16) != 0);
    assert_int_equal(aes_gcm_siv_seal(&k, ct[1], tag[1], text, 100, aad, 10, nonce), AEADFAST_OK);
    assert_true(memcmp(ct[0], ct[1], 16) != 0);
}

/* ---- The key object ---- */

static void test_key_lengths(void **state)
{
    static const size_t bad[] = {0,  1,  8,  15,       17,       24,           31,
                                 33, 48, 64, 256 + 16, SIZE_MAX, SIZE_MAX - 15};
    aes_gcm_siv_key k;
    aes_gcm_siv_key copy;

    (void)state;
    memset(&k, 0, sizeof k); /* the whole object is compared, and a key need not fill it */
    assert_int_equal(aes_gcm_siv_init(&k, key, 32), AEADFAST_OK);
    memcpy(&copy, &k, sizeof copy);
    for (size_t i = 0; i < COUNT(bad); i++) {
        check_int(aes_gcm_siv_init(&k, key, bad[i]), AEADFAST_ERR_ARGUMENT, "key of %zu", bad[i]);
        check_int(aes_gcm_siv_init(NULL, key, 16), AEADFAST_ERR_ARGUMENT, "no %s", "object");
        check_int(aes_gcm_siv_init(&k, NULL, 16), AEADFAST_ERR_ARGUMENT, "no %s", "key");
        check_int(aes_gcm_siv_init(&k, (uint8_t *)&k + 8 * i, 32), AEADFAST_ERR_OVERLAP,
                  "the key %zu bytes within", 8 * i);
        check_bytes(&k, &copy, sizeof k, "%s", "after a failed init");
    }
    for (size_t i = 0; i < 2; i++) {
        check_int(aes_gcm_siv_init(&k, key, key_lens[i]), AEADFAST_OK, "key of %zu", key_lens[i]);
    }
}

/* Sealing and opening are refused, and write nothing. */
static void check_no_key(const aes_gcm_siv_key *k, const char *what)
{
    uint8_t out[40];
    uint8_t tag[16];

    memset(out, 0x5a, sizeof out);
    memset(tag, 0x5a, sizeof tag);
    check_int(aes_gcm_siv_seal(k, out, tag, text, 40, aad, 5, nonce), AEADFAST_ERR_STATE, "%s",
              what);
    check_int(aes_gcm_siv_open(k, out, text, 40, tag, aad, 5, nonce), AEADFAST_ERR_STATE, "%s",
              what);
    check_fill(out, 0x5a, sizeof out, "%s", what);
    check_fill(tag, 0x5a, sizeof tag, "%s", what);
}

static void wiped_key(const char *backend)
{
    aes_gcm_siv_key k;

    (void)backend;
    memset(&k, 0xff, sizeof k);
    check_no_key(&k, "an object of ones");
    assert_int_equal(aes_gcm_siv_init(&k, key, 32), AEADFAST_OK);
    aes_gcm_siv_wipe(&k);
    check_fill(&k, 0, sizeof k, "%s", "a wiped key");
    check_no_key(&k, "a wiped key");
    aes_gcm_siv_wipe(&k);
    check_fill(&k, 0, sizeof k, "%s", "a key wiped twice");
}

static void test_wiped_key(void **state)
{
    struct guard g;
    aes_gcm_siv_key *k;

    (void)state;
    aes_gcm_siv_wipe(NULL);
    backends_each(wiped_key);
    guard_make(&g, sizeof *k);
    k = (aes_gcm_siv_key *)(void *)guard_end(&g, sizeof *k);
    assert_int_equal(aes_gcm_siv_init(k, key, 32), AEADFAST_OK);
    aes_gcm_siv_wipe(k);
    guard_free(&g);
}

/* A key of the other mode is none, though both are made of the same tables. */
static void test_other_modes_key(void **state)
{
    aes_gcm_key gcm;
    aes_gcm_siv_key siv;
    uint8_t out[40];
    uint8_t tag[16] = {0};

    (void)state;
    assert_int_equal(aes_gcm_init(&gcm, key, 16), AEADFAST_OK);
    memcpy(&siv, &gcm, sizeof siv);
    check_no_key(&siv, "a key of AES-GCM");
    assert_int_equal(aes_gcm_siv_init(&siv, key, 16), AEADFAST_OK);
    memcpy(&gcm, &siv, sizeof gcm);
    assert_int_equal(aes_gcm_seal(&gcm, out, tag, text, 40, NULL, 0, nonce, 12),
                     AEADFAST_ERR_STATE);
    assert_int_equal(aes_gcm_open(&gcm, out, text, 40, tag, NULL, 0, nonce, 12),
                     AEADFAST_ERR_STATE);
}

/* A key is only read, works wherever it is copied to, and keeps its kernels whatever is forced. */
static void test_key_keeps_working(void **state)
{
    static struct expected e;
    struct guard g;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        make_keys(key_lens[i]);
        expect(&e, key_lens[i], text, 333, 21);
        for (size_t j = 0; j < aeadfast_backend_count(); j++) {
            if (aeadfast_backend_supported(aeadfast_backend_name(j))) {
                assert_int_equal(aeadfast_backend_select(aeadfast_backend_name(j)), AEADFAST_OK);
                check_keys(&e);
            }
        }
        assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
        guard_make(&g, sizeof keys[0] + 64);
        for (size_t j = 0; j < key_count; j++) {
            void *copy = guard_start(&g) + 8 * (j % 8);

            memcpy(copy, &keys[j], sizeof keys[j]);
            guard_read_only(&g);
            check_message(copy, &e, 3, key_names[j]);
            guard_writable(&g);
        }
        guard_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),         cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_long_messages),     cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_repeated_nonce),    cmocka_unit_test(test_key_lengths),
        cmocka_unit_test(test_wiped_key),         cmocka_unit_test(test_other_modes_key),
        cmocka_unit_test(test_key_keeps_working),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
