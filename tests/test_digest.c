/* SPDX-License-Identifier: MIT */
/*
 * Every length from 0 to 2048, with made-up keys, nonces, AAD and texts: one SHA-256 over all that
 * comes out, ciphertext then tag, under each backend.
 *
 * The constants are from other libraries: OpenSSL 3.0 through Python's `cryptography` (ChaCha20,
 * Poly1305, ChaCha20-Poly1305, AES-GCM), libsodium 1.0.18 (XChaCha20-Poly1305) and AWS-LC
 * (AES-GCM-SIV). For length L, with gen(s, n)[i] = s + 7 i + 13 floor(i / 256) mod 256:
 *
 *     key gen(L, ...)   nonce gen(L + 1, ...)   AAD gen(L + 2, 5 L mod 67)   text gen(L + 3, L)
 *
 * ChaCha20 starts at block L, and the GCM nonces of other lengths have 8 + (L mod 59) bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "check.h"
#include "hex.h"
#include "kernels.h"
#include "sha256.h"

#define LENGTH_MAX 2048

struct inputs {
    size_t len;
    size_t aad_len;
    uint8_t key[32];
    uint8_t nonce[8 + 58];
    uint8_t aad[66];
    uint8_t text[LENGTH_MAX];
};

static uint8_t out[LENGTH_MAX + 16];

static void gen(uint8_t *dst, size_t start, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = (uint8_t)(start + 7 * i + 13 * (i >> 8));
    }
}

static void make_inputs(struct inputs *in, size_t len)
{
    in->len = len;
    in->aad_len = 5 * len % 67;
    gen(in->key, len, sizeof in->key);
    gen(in->nonce, len + 1, sizeof in->nonce);
    gen(in->aad, len + 2, in->aad_len);
    gen(in->text, len + 3, len);
}

/* Each writes len bytes and a tag behind them, or what its name says, and returns how many. */

static size_t chacha20_poly1305(const struct inputs *in)
{
    check_int(chacha20_poly1305_seal(out, out + in->len, in->text, in->len, in->aad, in->aad_len,
                                     in->nonce, in->key),
              AEADFAST_OK, "length %zu", in->len);
    return in->len + 16;
}

static size_t xchacha20_poly1305(const struct inputs *in)
{
    check_int(xchacha20_poly1305_seal(out, out + in->len, in->text, in->len, in->aad, in->aad_len,
                                      in->nonce, in->key),
              AEADFAST_OK, "length %zu", in->len);
    return in->len + 16;
}

static size_t gcm(const struct inputs *in, size_t key_len, size_t nonce_len)
{
    aes_gcm_key k;

    check_int(aes_gcm_init(&k, in->key, key_len), AEADFAST_OK, "key of %zu bytes", key_len);
    check_int(aes_gcm_seal(&k, out, out + in->len, in->text, in->len, in->aad, in->aad_len,
                           in->nonce, nonce_len),
              AEADFAST_OK, "length %zu", in->len);
    aes_gcm_wipe(&k);
    return in->len + 16;
}

static size_t aes_128_gcm(const struct inputs *in)
{
    return gcm(in, 16, 12);
}

static size_t aes_192_gcm(const struct inputs *in)
{
    return gcm(in, 24, 12);
}

static size_t aes_256_gcm(const struct inputs *in)
{
    return gcm(in, 32, 12);
}

static size_t aes_128_gcm_other_nonces(const struct inputs *in)
{
    return gcm(in, 16, 8 + in->len % 59);
}

static size_t gcm_siv(const struct inputs *in, size_t key_len)
{
    aes_gcm_siv_key k;

    check_int(aes_gcm_siv_init(&k, in->key, key_len), AEADFAST_OK, "key of %zu bytes", key_len);
    check_int(aes_gcm_siv_seal(&k, out, out + in->len, in->text, in->len, in->aad, in->aad_len,
                               in->nonce),
              AEADFAST_OK, "length %zu", in->len);
    aes_gcm_siv_wipe(&k);
    return in->len + 16;
}

static size_t aes_128_gcm_siv(const struct inputs *in)
{
    return gcm_siv(in, 16);
}

static size_t aes_256_gcm_siv(const struct inputs *in)
{
    return gcm_siv(in, 32);
}

static size_t chacha20(const struct inputs *in)
{
    check_int(chacha20_xor(out, in->text, in->len, (uint32_t)in->len, in->nonce, in->key),
              AEADFAST_OK, "length %zu", in->len);
    return in->len;
}

static size_t poly1305(const struct inputs *in)
{
    check_int(poly1305_mac(out, in->text, in->len, in->key), AEADFAST_OK, "length %zu", in->len);
    return 16;
}

static const struct {
    const char *name;
    size_t (*run)(const struct inputs *in);
    const char *digest;
} rows[] = {
    {"ChaCha20-Poly1305", chacha20_poly1305,
     "d212742abc2f1749ac60c06ac717f22d1772620ed4c68c2d3800929cc471f909"},
    {"XChaCha20-Poly1305", xchacha20_poly1305,
     "1a8ee87609fdf4a944a4a9bcfebdc06f093f31a17a544aa284b8be9d2f442cb8"},
    {"AES-128-GCM", aes_128_gcm,
     "8a4398e812eb1502d2bb3c3e799a766b66b327c297f0636d569c782dc6d9f6b0"},
    {"AES-192-GCM", aes_192_gcm,
     "e15ebe0357c03cca479cd5128bc7cd6cc0ee2810aa16ee9515a3e0e0cc11d4c2"},
    {"AES-256-GCM", aes_256_gcm,
     "bfe27488823c640cb8ae8d740b07e7e518c4cb8ea4e95f25ce34a8c17ab4b201"},
    {"AES-128-GCM, other nonces", aes_128_gcm_other_nonces,
     "16858ac80bdc720ea68feb81720750c150948d3bc9bc4d8ccb6a05ad5e537353"},
    {"AES-128-GCM-SIV", aes_128_gcm_siv,
     "c284271b304c210eeec80d97101f8da112922f9fad7491958e2a39740885ce0f"},
    {"AES-256-GCM-SIV", aes_256_gcm_siv,
     "6fdaa759f14b2dd410d94eb9ec092656b5b49ee6f1baafbb27120b09b4cafd0f"},
    {"ChaCha20", chacha20, "4cfdd6d2b30b678b8f0d59ce45fdb17a87725846c2a2355e4941b964a02ed18b"},
    {"Poly1305", poly1305, "06b9eabbdd9e90935147f69c6aa94ad7983bff97dfb63ca7b711522be89774b3"},
};

#define ROWS (sizeof rows / sizeof rows[0])

static void digest_backend(const char *name)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct inputs in;
        struct sha256 s;
        uint8_t got[32];
        uint8_t want[32];

        sha256_begin(&s);
        for (size_t len = 0; len <= LENGTH_MAX; len++) {
            make_inputs(&in, len);
            sha256_update(&s, out, rows[i].run(&in));
        }
        sha256_final(&s, got);
        hex_constant(want, 32, rows[i].digest);
        check_bytes(got, want, 32, "%s, backend %s", rows[i].name,
                    name == NULL ? "chosen automatically" : name);
    }
    check_note("%s: %zu algorithms, %d lengths each\n", backends_name(name), ROWS, LENGTH_MAX + 1);
}

static void test_digests(void **unused)
{
    (void)unused;
    backends_each(digest_backend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
