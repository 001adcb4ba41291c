/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "aeadfast.h"
#include "support/hex.h"

static const uint8_t zero[12];

static void check_next(aeadfast_nonces *n, const char *want)
{
    uint8_t bytes[12];
    uint8_t nonce[12];

    hex_constant(bytes, sizeof bytes, want);
    assert_int_equal(aeadfast_nonces_next(n, nonce), AEADFAST_OK);
    assert_memory_equal(nonce, bytes, sizeof nonce);
}

static void check_used_up(aeadfast_nonces *n)
{
    const aeadfast_nonces before = *n;
    uint8_t nonce[12];

    memset(nonce, 0xa5, sizeof nonce);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(aeadfast_nonces_next(n, nonce), AEADFAST_ERR_LENGTH);
        assert_memory_equal(n, &before, sizeof before);
        for (size_t k = 0; k < sizeof nonce; k++) {
            assert_int_equal(nonce[k], 0xa5);
        }
    }
}

/* The numbers as they are. */
static void test_plain(void **state)
{
    aeadfast_nonces n;

    (void)state;
    assert_int_equal(aeadfast_nonces_begin(&n, zero, 0, 3), AEADFAST_OK);
    check_next(&n, "000000000000000000000000");
    check_next(&n, "000000000000000000000001");
    check_next(&n, "000000000000000000000002");
    check_used_up(&n);
    assert_int_equal(aeadfast_nonces_begin(&n, zero, 0xff, 2), AEADFAST_OK);
    check_next(&n, "0000000000000000000000ff");
    check_next(&n, "000000000000000000000100");
    check_used_up(&n);
    assert_int_equal(aeadfast_nonces_begin(&n, zero, 7, 0), AEADFAST_OK);
    check_used_up(&n);
}

/* RFC 9001, appendix A.5: the iv of the ChaCha20-Poly1305 packet, number 654360564. */
static void test_quic(void **state)
{
    aeadfast_nonces n;
    uint8_t iv[12];

    (void)state;
    hex_constant(iv, sizeof iv, "e0459b3474bdd0e44a41c144");
    assert_int_equal(aeadfast_nonces_begin(&n, iv, 654360564, 1000), AEADFAST_OK);
    check_next(&n, "e0459b3474bdd0e46d417eb0");
}

/* At the end of the numbers: none goes round to 0. */
static void test_end(void **state)
{
    aeadfast_nonces n;

    (void)state;
    memset(&n, 0x5a, sizeof n);
    const aeadfast_nonces before = n;

    assert_int_equal(aeadfast_nonces_begin(&n, zero, UINT64_MAX, 1), AEADFAST_ERR_LENGTH);
    assert_int_equal(aeadfast_nonces_begin(&n, zero, 1, UINT64_MAX), AEADFAST_ERR_LENGTH);
    assert_int_equal(aeadfast_nonces_begin(&n, zero, UINT64_MAX - 1, 2), AEADFAST_ERR_LENGTH);
    assert_memory_equal(&n, &before, sizeof n);
    assert_int_equal(aeadfast_nonces_begin(&n, zero, UINT64_MAX - 2, 2), AEADFAST_OK);
    check_next(&n, "00000000fffffffffffffffd");
    check_next(&n, "00000000fffffffffffffffe");
    check_used_up(&n);
    assert_int_equal(aeadfast_nonces_begin(&n, zero, 0, UINT64_MAX), AEADFAST_OK);
    check_next(&n, "000000000000000000000000");
}

static void test_mistakes(void **state)
{
    aeadfast_nonces n;
    uint8_t nonce[12] = {0};
    uint8_t *inside = (uint8_t *)&n + 20;

    (void)state;
    memset(&n, 0, sizeof n);
    assert_int_equal(aeadfast_nonces_next(&n, nonce), AEADFAST_ERR_STATE);
    assert_int_equal(aeadfast_nonces_begin(NULL, zero, 0, 1), AEADFAST_ERR_ARGUMENT);
    assert_int_equal(aeadfast_nonces_begin(&n, NULL, 0, 1), AEADFAST_ERR_ARGUMENT);
    assert_int_equal(aeadfast_nonces_begin(&n, inside, 0, 1), AEADFAST_ERR_OVERLAP);
    assert_int_equal(aeadfast_nonces_next(&n, nonce), AEADFAST_ERR_STATE);
    assert_int_equal(aeadfast_nonces_begin(&n, zero, 5, 1), AEADFAST_OK);
    assert_int_equal(aeadfast_nonces_next(NULL, nonce), AEADFAST_ERR_ARGUMENT);
    assert_int_equal(aeadfast_nonces_next(&n, NULL), AEADFAST_ERR_ARGUMENT);
    assert_int_equal(aeadfast_nonces_next(&n, inside), AEADFAST_ERR_OVERLAP);
    check_next(&n, "000000000000000000000005"); /* none was lost by all that */
    check_used_up(&n);
}

/* As meant: two sides, each with the numbers of the other, and a limit that is respected. */
static void test_in_use(void **state)
{
    const uint8_t key[32] = {1};
    const uint8_t iv[12] = {2, 3};
    aeadfast_nonces ours;
    aeadfast_nonces theirs;

    (void)state;
    assert_int_equal(aeadfast_nonces_begin(&ours, iv, 0, 20), AEADFAST_OK);
    theirs = ours;
    for (uint8_t i = 0; i < 20; i++) {
        uint8_t text[5] = {i, i, i, i, i};
        uint8_t tag[16];
        uint8_t nonce[12];

        assert_int_equal(aeadfast_nonces_next(&ours, nonce), AEADFAST_OK);
        assert_int_equal(chacha20_poly1305_seal(text, tag, text, 5, NULL, 0, nonce, key),
                         AEADFAST_OK);
        memset(nonce, 0, sizeof nonce);
        assert_int_equal(aeadfast_nonces_next(&theirs, nonce), AEADFAST_OK);
        assert_int_equal(chacha20_poly1305_open(text, text, 5, tag, NULL, 0, nonce, key),
                         AEADFAST_OK);
        assert_int_equal(text[4], i);
    }
    check_used_up(&ours);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_quic),   cmocka_unit_test(test_end),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_in_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
