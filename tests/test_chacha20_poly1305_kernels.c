/* SPDX-License-Identifier: MIT */
/*
 * Every ChaCha20-Poly1305 kernel by name against the reference: each length of text and AAD, each
 * alignment, in place and not, next to forbidden pages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aead_case.h"
#include "bytes.h"
#include "check.h"
#include "kernels.h"
#include "lengths.h"
#include "ref_chacha.h"
#include "ref_poly1305.h"

#define EVERY   2100
#define AAD_MAX 65536

static struct rng rng;
static struct lengths lengths;
static struct aead_rooms rooms;
static uint8_t *text; /* lengths.max random bytes */
static uint8_t *sealed;
static uint8_t *aad; /* AAD_MAX random bytes */

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    lengths_make(&lengths, AEADFAST_OP_CHACHA20_POLY1305, EVERY);
    aead_rooms_make(&rooms, &rng, lengths.max, AAD_MAX, 12, 32);
    text = malloc(lengths.max);
    sealed = malloc(lengths.max);
    aad = malloc(AAD_MAX);
    if (text == NULL || sealed == NULL || aad == NULL) {
        return -1;
    }
    rng_bytes(&rng, text, lengths.max);
    rng_bytes(&rng, aad, AAD_MAX);
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    aead_rooms_free(&rooms);
    free(text);
    free(sealed);
    free(aad);
    lengths_free(&lengths);
    return 0;
}

static void kernel_seal(const struct kernel_row *row, const void *key, uint8_t *ct, uint8_t *tag,
                        const uint8_t *pt, size_t len, const uint8_t *ad, size_t ad_len,
                        const uint8_t *nonce, size_t nonce_len)
{
    (void)nonce_len;
    row->kernel.aead->seal(ct, tag, pt, len, ad, ad_len, nonce, key);
}

static void kernel_open(const struct kernel_row *row, const void *key, uint8_t *pt, uint8_t *tag,
                        const uint8_t *ct, size_t len, const uint8_t *ad, size_t ad_len,
                        const uint8_t *nonce, size_t nonce_len)
{
    (void)nonce_len;
    row->kernel.aead->open(pt, tag, ct, len, ad, ad_len, nonce, key);
}

static struct aead_subject subject(const struct kernel_row *row, const uint8_t key[32])
{
    return (struct aead_subject){row, key, 32, 1, kernel_seal, kernel_open};
}

/* The reference under way: messages of growing length under one key, nonce and AAD. */
struct growing {
    struct ref_poly1305 mac; /* over the AAD and the whole blocks of ciphertext so far */
    size_t absorbed;
    size_t aad_len;
    uint8_t nonce[12];
    uint8_t tag[16];
};

static void absorb_padded(struct ref_poly1305 *mac, const uint8_t *p, size_t n)
{
    for (size_t at = 0; at < n; at += 16) {
        uint8_t block[16] = {0};

        memcpy(block, p + at, n - at < 16 ? n - at : 16);
        ref_poly1305_block(mac, block, 16);
    }
}

/* Makes `sealed`, for texts of up to `max` bytes. */
static void growing_begin(struct growing *g, const uint8_t key[32], size_t aad_len, size_t max)
{
    uint8_t one_time[32];
    uint32_t state[16];

    rng_bytes(&rng, g->nonce, 12);
    ref_chacha_state(state, key, g->nonce, 0);
    ref_chacha_keystream(one_time, 32, state, 20);
    state[12] = 1;
    ref_chacha_keystream(sealed, max, state, 20);
    ref_xor(sealed, sealed, text, max);
    ref_poly1305_begin(&g->mac, one_time);
    absorb_padded(&g->mac, aad, aad_len);
    g->absorbed = 0;
    g->aad_len = aad_len;
}

/* The message of n bytes, no fewer than the one before; it is good until the next one. */
static struct aead_message growing_message(struct growing *g, size_t n)
{
    struct ref_poly1305 last;
    uint8_t sizes[16];
    size_t whole = n / 16 * 16;

    absorb_padded(&g->mac, sealed + g->absorbed, whole - g->absorbed);
    g->absorbed = whole;
    last = g->mac;
    absorb_padded(&last, sealed + whole, n - whole);
    store_le64(sizes, g->aad_len);
    store_le64(sizes + 8, n);
    ref_poly1305_block(&last, sizes, 16);
    ref_poly1305_final(&last, g->tag);
    return (struct aead_message){text, sealed, n, aad, g->aad_len, g->nonce, 12, g->tag};
}

/* Short lengths and those next to thresholds in every layout, the others in one for each key. */
static size_t every_length(const struct kernel_row *row)
{
    static const size_t aad_lens[] = {0, 13, 32};
    size_t cases = 0;

    for (size_t a = 0; a < 3; a++) {
        struct growing g;
        uint8_t key[32];
        struct aead_subject s = subject(row, key);

        rng_bytes(&rng, key, 32);
        growing_begin(&g, key, aad_lens[a], lengths.max);
        for (size_t i = 0; i < lengths.count; i++) {
            size_t n = lengths.n[i];
            struct aead_message m = growing_message(&g, n);
            int all = lengths_is_edge(AEADFAST_OP_CHACHA20_POLY1305, n);

            for (size_t layout = 0; layout < LAYOUT_COUNT; layout++) {
                if (all || (n + n / 16 + a) % LAYOUT_COUNT == layout) {
                    aead_case(&rooms, &s, &m, (enum layout)layout);
                    cases++;
                }
            }
        }
    }
    return cases;
}

static size_t every_alignment(const struct kernel_row *row)
{
    static const size_t some[] = {1,   15,  16,  17,  63,  64,  65,  127, 130,  191,  255, 257,
                                  300, 511, 513, 575, 640, 700, 767, 830, 1023, 1025, 1300};
    struct growing g;
    uint8_t key[32];
    struct aead_subject s = subject(row, key);
    size_t cases = 0;

    rng_bytes(&rng, key, 32);
    growing_begin(&g, key, 21, some[sizeof some / sizeof some[0] - 1]);
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        struct aead_message m = growing_message(&g, some[i]);

        for (size_t at = 0; at < 64; at++) {
            aead_case_at(&rooms, &s, &m, at, (at * 29 + i) % 64, at % 3 == 0);
            cases++;
        }
    }
    return cases;
}

/* AAD of each length to 80, of whole blocks and next to them, and long, beside short texts. */
static size_t every_aad(const struct kernel_row *row)
{
    static const size_t texts[] = {0, 1, 15, 16, 17, 64, 100, 192, 193, 256, 300, 520};
    static const size_t long_aads[] = {
        95,   96,   97,   112,  127,  128,  129,  255,  256,  257,  511,   512,         513,
        1000, 1008, 1023, 1024, 1025, 2047, 2048, 4096, 4097, 8192, 16384, AAD_MAX - 1, AAD_MAX};
    const size_t long_count = sizeof long_aads / sizeof long_aads[0];
    size_t cases = 0;

    for (size_t i = 0; i < 81 + long_count; i++) {
        size_t aad_len = i <= 80 ? i : long_aads[i - 81];
        struct growing g;
        uint8_t key[32];
        struct aead_subject s = subject(row, key);

        rng_bytes(&rng, key, 32);
        growing_begin(&g, key, aad_len, 520);
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            struct aead_message m = growing_message(&g, texts[t]);

            aead_case(&rooms, &s, &m, (enum layout)((i + t) % LAYOUT_COUNT));
            cases++;
        }
    }
    return cases;
}

#define KERNEL_TEST(name)                                                                          \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        kernels_each(AEADFAST_OP_CHACHA20_POLY1305, #name, name);                                  \
    }

KERNEL_TEST(every_length)
KERNEL_TEST(every_alignment)
KERNEL_TEST(every_aad)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_every_alignment),
        cmocka_unit_test(test_every_aad),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
