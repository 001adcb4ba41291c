/* SPDX-License-Identifier: MIT */
/*
 * Random messages through this library and through OpenSSL's libcrypto: both must give the same
 * ciphertexts and tags, and this library opens what that one sealed. Built where libcrypto is found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/evp.h>

#include "aeadfast.h"
#include "bytes.h"
#include "check.h"
#include "kernels.h"
#include "rng.h"

#define TEXT_MAX  20000
#define AAD_MAX   3000
#define NONCE_MAX 128 /* the longest that libcrypto takes */
#define MESSAGES  400

static struct rng rng;
static uint8_t text[TEXT_MAX];
static uint8_t aad[AAD_MAX];
static uint8_t nonce[NONCE_MAX];
static uint8_t key[32];
static uint8_t ours[TEXT_MAX];
static uint8_t theirs[TEXT_MAX];

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    return 0;
}

/* Mostly short, at times up to the limit. */
static size_t random_length(size_t max)
{
    static const size_t limits[] = {40, 300, 2100, SIZE_MAX};
    size_t limit = limits[rng_below(&rng, 4)];

    return rng_below(&rng, (limit < max ? limit : max) + 1);
}

/* With the key, nonce and AAD of the message. */
static void their_seal(const EVP_CIPHER *cipher, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                       size_t len, size_t aad_len, size_t nonce_len)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int n = 0;

    assert_non_null(context);
    assert_int_equal(EVP_EncryptInit_ex(context, cipher, NULL, NULL, NULL), 1);
    assert_int_equal(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)nonce_len, NULL),
                     1);
    assert_int_equal(EVP_EncryptInit_ex(context, NULL, NULL, key, nonce), 1);
    if (aad_len != 0) {
        assert_int_equal(EVP_EncryptUpdate(context, NULL, &n, aad, (int)aad_len), 1);
    }
    if (len != 0) {
        assert_int_equal(EVP_EncryptUpdate(context, ct, &n, pt, (int)len), 1);
        assert_int_equal(n, (int)len);
    }
    assert_int_equal(EVP_EncryptFinal_ex(context, ct + len, &n), 1);
    assert_int_equal(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
    EVP_CIPHER_CTX_free(context);
}

enum algorithm { CHACHA20_POLY1305, AES_128_GCM, AES_192_GCM, AES_256_GCM, ALGORITHMS };

static const size_t key_lens[ALGORITHMS] = {32, 16, 24, 32};

static const EVP_CIPHER *their_cipher(enum algorithm algorithm)
{
    switch (algorithm) {
    case AES_128_GCM:
        return EVP_aes_128_gcm();
    case AES_192_GCM:
        return EVP_aes_192_gcm();
    case AES_256_GCM:
        return EVP_aes_256_gcm();
    default:
        return EVP_chacha20_poly1305();
    }
}

static int our_seal(enum algorithm algorithm, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                    size_t len, size_t aad_len, size_t nonce_len)
{
    aes_gcm_key k;

    if (algorithm == CHACHA20_POLY1305) {
        return chacha20_poly1305_seal(ct, tag, pt, len, aad, aad_len, nonce, key);
    }
    assert_int_equal(aes_gcm_init(&k, key, key_lens[algorithm]), AEADFAST_OK);
    return aes_gcm_seal(&k, ct, tag, pt, len, aad, aad_len, nonce, nonce_len);
}

static int our_open(enum algorithm algorithm, uint8_t *pt, const uint8_t *ct, size_t len,
                    const uint8_t tag[16], size_t aad_len, size_t nonce_len)
{
    aes_gcm_key k;

    if (algorithm == CHACHA20_POLY1305) {
        return chacha20_poly1305_open(pt, ct, len, tag, aad, aad_len, nonce, key);
    }
    assert_int_equal(aes_gcm_init(&k, key, key_lens[algorithm]), AEADFAST_OK);
    return aes_gcm_open(&k, pt, ct, len, tag, aad, aad_len, nonce, nonce_len);
}

/* One message; every third GCM nonce has another length than 12. */
static void check_message(enum algorithm algorithm, size_t turn)
{
    size_t len = random_length(TEXT_MAX - 16);
    size_t aad_len = random_length(AAD_MAX);
    size_t nonce_len = 12;
    uint8_t tag[16];
    uint8_t their_tag[16];

    if (algorithm != CHACHA20_POLY1305 && turn % 3 == 0) {
        nonce_len = 1 + rng_below(&rng, turn % 2 == 0 ? 40 : NONCE_MAX);
    }
    rng_bytes(&rng, key, sizeof key);
    rng_bytes(&rng, nonce, nonce_len);
    rng_bytes(&rng, aad, aad_len);
    rng_bytes(&rng, text, len);
    their_seal(their_cipher(algorithm), theirs, their_tag, text, len, aad_len, nonce_len);

    check_int(our_seal(algorithm, ours, tag, text, len, aad_len, nonce_len), AEADFAST_OK, "seal");
    check_bytes(ours, theirs, len, "algorithm %d, text %zu, AAD %zu, nonce %zu", (int)algorithm,
                len, aad_len, nonce_len);
    check_bytes(tag, their_tag, 16, "algorithm %d, text %zu, AAD %zu, nonce %zu: tag",
                (int)algorithm, len, aad_len, nonce_len);
    check_int(our_open(algorithm, ours, theirs, len, their_tag, aad_len, nonce_len), AEADFAST_OK,
              "open");
    check_bytes(ours, text, len, "algorithm %d, text %zu: opened", (int)algorithm, len);
}

static void aead_backend(const char *name)
{
    for (int algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        for (size_t turn = 0; turn < MESSAGES; turn++) {
            check_message((enum algorithm)algorithm, turn);
        }
    }
    check_note("AEADs, %s: %d messages\n", backends_name(name), MESSAGES * ALGORITHMS);
}

static void test_aeads(void **unused)
{
    (void)unused;
    backends_each(aead_backend);
}

static void chacha20_backend(const char *name)
{
    for (size_t turn = 0; turn < MESSAGES; turn++) {
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
        size_t len = random_length(TEXT_MAX);
        /* stays below 2^32 blocks, where libcrypto and RFC 8439 part */
        uint32_t counter = turn % 2 == 0 ? (uint32_t)turn : rng_u32(&rng) >> 1;
        uint8_t iv[16];
        int n = 0;

        rng_bytes(&rng, key, sizeof key);
        rng_bytes(&rng, nonce, 12);
        rng_bytes(&rng, text, len);
        store_le32(iv, counter);
        memcpy(iv + 4, nonce, 12);
        assert_non_null(context);
        assert_int_equal(EVP_EncryptInit_ex(context, EVP_chacha20(), NULL, key, iv), 1);
        if (len != 0) {
            assert_int_equal(EVP_EncryptUpdate(context, theirs, &n, text, (int)len), 1);
        }
        EVP_CIPHER_CTX_free(context);
        check_int(chacha20_xor(ours, text, len, counter, nonce, key), AEADFAST_OK, "chacha20_xor");
        check_bytes(ours, theirs, len, "ChaCha20, %zu bytes from block %u", len, (unsigned)counter);
    }
    check_note("ChaCha20, %s: %d messages\n", backends_name(name), MESSAGES);
}

static void test_chacha20(void **unused)
{
    (void)unused;
    backends_each(chacha20_backend);
}

static EVP_MAC *poly1305;

static void poly1305_backend(const char *name)
{
    for (size_t turn = 0; turn < MESSAGES; turn++) {
        EVP_MAC_CTX *context = EVP_MAC_CTX_new(poly1305);
        size_t len = random_length(TEXT_MAX);
        size_t first = rng_below(&rng, len + 1);
        poly1305_state state;
        uint8_t their_tag[16];
        uint8_t tag[16];
        size_t n = 0;

        rng_bytes(&rng, key, sizeof key);
        rng_bytes(&rng, text, len);
        if (turn % 4 == 0) {
            memset(text, 0xff, len);
        }
        assert_non_null(context);
        assert_int_equal(EVP_MAC_init(context, key, sizeof key, NULL), 1);
        assert_int_equal(EVP_MAC_update(context, text, len), 1);
        assert_int_equal(EVP_MAC_final(context, their_tag, &n, sizeof their_tag), 1);
        assert_int_equal((int)n, 16);
        EVP_MAC_CTX_free(context);
        check_int(poly1305_mac(tag, text, len, key), AEADFAST_OK, "poly1305_mac");
        check_bytes(tag, their_tag, 16, "Poly1305, %zu bytes", len);
        check_int(poly1305_verify(their_tag, text, len, key), AEADFAST_OK, "poly1305_verify");
        check_int(poly1305_begin(&state, key), AEADFAST_OK, "poly1305_begin");
        check_int(poly1305_update(&state, text, first), AEADFAST_OK, "poly1305_update");
        check_int(poly1305_update(&state, text + first, len - first), AEADFAST_OK,
                  "poly1305_update");
        check_int(poly1305_final(&state, tag), AEADFAST_OK, "poly1305_final");
        check_bytes(tag, their_tag, 16, "Poly1305, %zu and %zu bytes", first, len - first);
    }
    check_note("Poly1305, %s: %d messages\n", backends_name(name), MESSAGES);
}

static void test_poly1305(void **unused)
{
    (void)unused;
    poly1305 = EVP_MAC_fetch(NULL, "POLY1305", NULL);
    assert_non_null(poly1305);
    backends_each(poly1305_backend);
    EVP_MAC_free(poly1305);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aeads),
        cmocka_unit_test(test_chacha20),
        cmocka_unit_test(test_poly1305),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
