/* SPDX-License-Identifier: MIT */
/*
 * Every AES-GCM kernel by name against the reference: each length of text, AAD and nonce, each
 * alignment, tables that were moved, and counters that wrap in every block of a batch.
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
#include "hex.h"
#include "kernels.h"
#include "lengths.h"
#include "ref_aes_gcm.h"
#include "ref_chacha.h"

#define EVERY     2100
#define AAD_MAX   65536
#define NONCE_MAX 4096
#define POSITIONS 40

static const size_t key_lens[3] = {16, 24, 32};

static struct rng rng;
static struct lengths lengths;
static struct aead_rooms rooms;
static struct guard table_room;
static struct guard raw_key_room;
static uint8_t *text; /* lengths.max random bytes */
static uint8_t *sealed;
static uint8_t *aad; /* AAD_MAX random bytes */

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    lengths_make(&lengths, AEADFAST_OP_AES_GCM, EVERY);
    aead_rooms_make(&rooms, &rng, lengths.max, AAD_MAX, NONCE_MAX, AES_GCM_TABLE_BYTES);
    layout_make(&table_room, AES_GCM_TABLE_BYTES);
    layout_make(&raw_key_room, 32);
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
    guard_free(&table_room);
    guard_free(&raw_key_room);
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
    row->kernel.aes_gcm->seal(key, ct, tag, pt, len, ad, ad_len, nonce, nonce_len);
}

static void kernel_open(const struct kernel_row *row, const void *key, uint8_t *pt, uint8_t *tag,
                        const uint8_t *ct, size_t len, const uint8_t *ad, size_t ad_len,
                        const uint8_t *nonce, size_t nonce_len)
{
    row->kernel.aes_gcm->open(key, pt, tag, ct, len, ad, ad_len, nonce, nonce_len);
}

/* A key as the kernel has it and as the reference has it. */
struct key_pair {
    uint64_t table[AES_GCM_TABLE_BYTES / 8];
    struct ref_gcm ref;
    struct aead_subject subject;
};

/* The table is made in one place of the layout and used in others: aead_case moves it. */
static void key_begin(struct key_pair *k, const struct kernel_row *row, const uint8_t *key,
                      size_t key_len, enum layout layout)
{
    const uint8_t *placed = layout_copy(&raw_key_room, layout, key, key_len, 1, &rng);
    uint8_t *table = layout_room(&table_room, layout, AES_GCM_TABLE_BYTES, 8, &rng);

    memset(table, 0x5a, AES_GCM_TABLE_BYTES);
    layout_mark(&table_room, table, AES_GCM_TABLE_BYTES);
    row->kernel.aes_gcm->init(table, placed, key_len);
    layout_check(&table_room, table, AES_GCM_TABLE_BYTES, row->name);
    check_bytes(placed, key, key_len, "%s: init changed the key", row->name);
    memcpy(k->table, table, AES_GCM_TABLE_BYTES);
    ref_gcm_begin(&k->ref, key, key_len);
    k->subject =
        (struct aead_subject){row, k->table, AES_GCM_TABLE_BYTES, 8, kernel_seal, kernel_open};
}

static void random_key(struct key_pair *k, const struct kernel_row *row, size_t key_len)
{
    uint8_t key[32];

    rng_bytes(&rng, key, key_len);
    key_begin(k, row, key, key_len, (enum layout)rng_below(&rng, LAYOUT_COUNT));
}

/* The reference under way: messages of growing length under one key, nonce and AAD. */
struct growing {
    struct ref_ghash hash; /* over the AAD and the whole blocks of ciphertext so far */
    size_t absorbed;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
    uint8_t mask[16]; /* the cipher of J0 */
    uint8_t tag[16];
};

/* Makes `sealed`, for texts of up to `max` bytes. */
static void growing_begin(struct growing *g, const struct key_pair *k, const uint8_t *nonce,
                          size_t nonce_len, size_t aad_len, size_t max)
{
    uint8_t j0[16];

    ref_gcm_j0(&k->ref, j0, nonce, nonce_len);
    ref_gcm_keystream(&k->ref, sealed, max, j0);
    ref_xor(sealed, sealed, text, max);
    ref_aes_encrypt(&k->ref.aes, g->mask, j0);
    ref_ghash_begin(&g->hash, k->ref.h);
    ref_ghash_padded(&g->hash, aad, aad_len);
    g->absorbed = 0;
    g->aad_len = aad_len;
    g->nonce = nonce;
    g->nonce_len = nonce_len;
}

/* The message of n bytes, no fewer than the one before; it is good until the next one. */
static struct aead_message growing_message(struct growing *g, size_t n)
{
    struct ref_ghash last;
    size_t whole = n / 16 * 16;

    ref_ghash_padded(&g->hash, sealed + g->absorbed, whole - g->absorbed);
    g->absorbed = whole;
    last = g->hash;
    ref_ghash_padded(&last, sealed + whole, n - whole);
    ref_ghash_lengths(&last, g->aad_len, n);
    ref_xor(g->tag, last.y, g->mask, 16);
    return (struct aead_message){text, sealed, n, aad, g->aad_len, g->nonce, g->nonce_len, g->tag};
}

/* Short lengths and those next to thresholds in every layout, the others in one for each key. */
static size_t every_length(const struct kernel_row *row)
{
    static const size_t aad_lens[3] = {20, 0, 32};
    size_t cases = 0;

    for (size_t a = 0; a < 3; a++) {
        struct key_pair k;
        struct growing g;
        uint8_t nonce[12];

        random_key(&k, row, key_lens[a]);
        rng_bytes(&rng, nonce, 12);
        growing_begin(&g, &k, nonce, 12, aad_lens[a], lengths.max);
        for (size_t i = 0; i < lengths.count; i++) {
            size_t n = lengths.n[i];
            struct aead_message m = growing_message(&g, n);
            int all = lengths_is_edge(AEADFAST_OP_AES_GCM, n);

            for (size_t layout = 0; layout < LAYOUT_COUNT; layout++) {
                if (all || (n + n / 16 + a) % LAYOUT_COUNT == layout) {
                    aead_case(&rooms, &k.subject, &m, (enum layout)layout);
                    cases++;
                }
            }
        }
    }
    return cases;
}

static size_t every_alignment(const struct kernel_row *row)
{
    static const size_t some[] = {1,   15,  16,  17,  63,  64,  65,  127, 130, 191,
                                  255, 257, 300, 383, 511, 513, 640, 767, 1025};
    struct key_pair k;
    struct growing g;
    uint8_t nonce[12];
    size_t cases = 0;

    random_key(&k, row, 16);
    rng_bytes(&rng, nonce, 12);
    growing_begin(&g, &k, nonce, 12, 21, some[sizeof some / sizeof some[0] - 1]);
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        struct aead_message m = growing_message(&g, some[i]);

        for (size_t at = 0; at < 64; at++) {
            aead_case_at(&rooms, &k.subject, &m, at, (at * 29 + i) % 64, at % 3 == 0);
            cases++;
        }
    }
    return cases;
}

/* AAD of each length to 80, of whole blocks and next to them, and long, beside short texts. */
static size_t every_aad(const struct kernel_row *row)
{
    static const size_t texts[] = {0, 1, 15, 16, 17, 64, 100, 128, 129, 256, 300, 520};
    static const size_t long_aads[] = {
        95,   96,   97,   112,  127,  128,  129,  255,  256,  257,  511,   512,         513,
        1000, 1008, 1023, 1024, 1025, 2047, 2048, 4096, 4097, 8192, 16384, AAD_MAX - 1, AAD_MAX};
    const size_t long_count = sizeof long_aads / sizeof long_aads[0];
    size_t cases = 0;

    for (size_t i = 0; i < 81 + long_count; i++) {
        size_t aad_len = i <= 80 ? i : long_aads[i - 81];
        struct key_pair k;
        struct growing g;
        uint8_t nonce[12];

        random_key(&k, row, key_lens[i % 3]);
        rng_bytes(&rng, nonce, 12);
        growing_begin(&g, &k, nonce, 12, aad_len, 520);
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            struct aead_message m = growing_message(&g, texts[t]);

            aead_case(&rooms, &k.subject, &m, (enum layout)((i + t) % LAYOUT_COUNT));
            cases++;
        }
    }
    return cases;
}

/* Nonces of each length from 1 to 80, around more block boundaries, and long. */
static size_t every_nonce(const struct kernel_row *row)
{
    static const size_t texts[] = {0, 5, 16, 47, 64, 130, 260};
    static const size_t long_nonces[] = {95,  96,  97,  112, 127,  128,  129,           255,
                                         256, 257, 511, 512, 1000, 1024, NONCE_MAX - 1, NONCE_MAX};
    const size_t long_count = sizeof long_nonces / sizeof long_nonces[0];
    static uint8_t nonce[NONCE_MAX];
    size_t cases = 0;

    rng_bytes(&rng, nonce, NONCE_MAX);
    for (size_t i = 0; i < 80 + long_count; i++) {
        size_t nonce_len = i < 80 ? i + 1 : long_nonces[i - 80];
        struct key_pair k;
        struct growing g;

        random_key(&k, row, key_lens[i % 3]);
        growing_begin(&g, &k, nonce, nonce_len, i % 33, 260);
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            struct aead_message m = growing_message(&g, texts[t]);

            aead_case(&rooms, &k.subject, &m, (enum layout)((i + t) % LAYOUT_COUNT));
            cases++;
        }
    }
    return cases;
}

/* A nonce of 16 bytes whose J0 is 12 random bytes (all ones in one case of four) and `last`. */
static void nonce_for_counter(const struct key_pair *k, uint8_t nonce[16], uint32_t last)
{
    uint8_t j0[16];

    if (last % 4 == 0) {
        memset(j0, 0xff, 12); /* where a carry would run on through all of the block */
    } else {
        rng_bytes(&rng, j0, 12);
    }
    store_be32(j0 + 12, last);
    ref_gcm_nonce_for(&k->ref, nonce, j0);
}

/*
 * The counter's 32 bits wrap in front of data block k, for each k, and the text ends in every block
 * from the first to beyond the last, with and without a remainder.
 */
static size_t counter_wrap(const struct kernel_row *row)
{
    size_t cases = 0;

    for (uint32_t wrap = 0; wrap <= POSITIONS; wrap++) {
        struct key_pair k;
        struct growing g;
        uint8_t nonce[16];

        /* block i has the counter last + 1 + i */
        random_key(&k, row, key_lens[wrap % 3]);
        nonce_for_counter(&k, nonce, 0 - wrap - 1);
        growing_begin(&g, &k, nonce, 16, wrap, 16 * (POSITIONS + 2));
        for (size_t blocks = 0; blocks <= POSITIONS + 1; blocks++) {
            const size_t rests[3] = {0, 1 + rng_below(&rng, 14), 15};

            for (size_t i = 0; i < 3; i++) {
                struct aead_message m = growing_message(&g, 16 * blocks + rests[i]);

                aead_case(&rooms, &k.subject, &m, (enum layout)(cases % LAYOUT_COUNT));
                cases++;
            }
        }
    }
    return cases;
}

/* The same deep inside long texts. */
static size_t far_counter_wrap(const struct kernel_row *row)
{
    size_t cases = 0;

    for (size_t turn = 0; turn < 24; turn++) {
        size_t n = lengths.max / 2 + rng_below(&rng, lengths.max / 2);
        struct key_pair k;
        struct growing g;
        struct aead_message m;
        uint8_t nonce[16];

        random_key(&k, row, key_lens[turn % 3]);
        nonce_for_counter(&k, nonce, 0 - (uint32_t)rng_below(&rng, n / 16));
        growing_begin(&g, &k, nonce, 16, turn, n);
        m = growing_message(&g, n);
        aead_case(&rooms, &k.subject, &m, (enum layout)(turn % LAYOUT_COUNT));
        cases++;
    }
    return cases;
}

/*
 * Ciphertexts of only ones, only zeros, one bit, and such that each product in GHASH has an operand
 * of only ones: the longest carries of a multiplication that is made of integer ones. The text is
 * chosen to give the ciphertext.
 */
static size_t unusual_ciphertexts(const struct kernel_row *row)
{
    enum { SIZE = 16 * 33 };
    static uint8_t pt[SIZE];
    static uint8_t ct[SIZE];
    size_t cases = 0;

    for (size_t turn = 0; turn < 300; turn++) {
        struct key_pair k;
        struct ref_ghash hash;
        uint8_t nonce[12];
        uint8_t j0[16];
        uint8_t tag[16];
        struct aead_message m = {pt, ct, SIZE - turn % 3 * 16, NULL, 0, nonce, 12, tag};

        random_key(&k, row, key_lens[turn % 3]);
        rng_bytes(&rng, nonce, 12);
        ref_gcm_j0(&k.ref, j0, nonce, 12);
        memset(ct, turn % 4 == 0 ? 0 : 0xff, SIZE);
        if (turn % 4 == 1) {
            memset(ct, 0, SIZE);
            ct[rng_below(&rng, SIZE)] = (uint8_t)(1 << turn % 8);
        } else if (turn % 4 == 2) {
            ref_ghash_begin(&hash, k.ref.h);
            for (size_t at = 0; at < SIZE; at += 16) {
                for (size_t i = 0; i < 16; i++) {
                    ct[at + i] = (uint8_t)~hash.y[i];
                }
                ref_ghash_padded(&hash, ct + at, 16);
            }
        }
        ref_gcm_keystream(&k.ref, pt, SIZE, j0);
        ref_xor(pt, pt, ct, SIZE);
        ref_gcm_tag(&k.ref, tag, j0, NULL, 0, ct, m.len);
        aead_case(&rooms, &k.subject, &m, LAYOUT_APART);
        cases++;
    }
    return cases;
}

/*
 * Known key stream at the wrap: the key 0 and the counter block of 12 zero bytes and 2^32 - 2, from
 * where on the cipher's outputs are those of OpenSSL 3's AES for ...fffffffe, ...ffffffff, 0, 1.
 */
static size_t known_stream(const struct kernel_row *row)
{
    static const char *const want[4] = {
        "2bdcf387424732cbef019d2bc2c03743", "28c16380c491088ca019f8a76853b1e8",
        "66e94bd4ef8a2c3b884cfa59ca342b2e", "58e2fccefa7e3061367f1d57a4e7455a"};
    static const uint8_t zero[64];
    static const uint8_t key[16];
    struct key_pair k;
    uint8_t j0[16] = {0};
    uint8_t nonce[16];
    uint8_t tag[16];
    uint8_t got[64];

    key_begin(&k, row, key, 16, LAYOUT_APART);
    store_be32(j0 + 12, 0xfffffffd);
    ref_gcm_nonce_for(&k.ref, nonce, j0);
    row->kernel.aes_gcm->seal(k.table, got, tag, zero, 64, NULL, 0, nonce, 16);
    for (int i = 0; i < 4; i++) {
        uint8_t block[16];

        hex_constant(block, 16, want[i]);
        check_bytes(got + 16 * i, block, 16, "%s: block %d at the wrap", row->name, i);
    }
    return 4;
}

#define KERNEL_TEST(name)                                                                          \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        kernels_each(AEADFAST_OP_AES_GCM, #name, name);                                            \
    }

KERNEL_TEST(every_length)
KERNEL_TEST(every_alignment)
KERNEL_TEST(every_aad)
KERNEL_TEST(every_nonce)
KERNEL_TEST(counter_wrap)
KERNEL_TEST(far_counter_wrap)
KERNEL_TEST(unusual_ciphertexts)
KERNEL_TEST(known_stream)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length),        cmocka_unit_test(test_every_alignment),
        cmocka_unit_test(test_every_aad),           cmocka_unit_test(test_every_nonce),
        cmocka_unit_test(test_counter_wrap),        cmocka_unit_test(test_far_counter_wrap),
        cmocka_unit_test(test_unusual_ciphertexts), cmocka_unit_test(test_known_stream),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
