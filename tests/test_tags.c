/* SPDX-License-Identifier: MIT */
/*
 * Tags: the lengths that AES-GCM allows, that every bit of a tag counts, and what a message that
 * fails leaves behind. Under every backend.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_table.h"
#include "support/check.h"
#include "support/guard.h"
#include "support/kernels.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const size_t tag_lengths[] = {4, 8, 12, 13, 14, 15, 16};

/* Around one block and around the strides of kernels. */
static const size_t lengths[] = {0,   1,   15,  16,  17,  63,  64,   65,   127,  128,  129, 255,
                                 256, 257, 260, 511, 512, 513, 1023, 1024, 1025, 1100, 2100};

static struct api_arena arena;
static struct api_arena before;

static const char *under(const char *backend)
{
    return backends_name(backend);
}

/* ---- Lengths of tags ---- */

struct gcm_message {
    aes_gcm_key key;
    uint8_t text[100];
    uint8_t ct[100];
    uint8_t nonce[12];
};

static void gcm_message(struct gcm_message *m, size_t key_len, size_t tag_len)
{
    uint8_t key[32];

    api_pattern(key, sizeof key, 1);
    api_pattern(m->nonce, sizeof m->nonce, 2);
    api_pattern(m->text, sizeof m->text, 4);
    assert_int_equal(aes_gcm_init_tag(&m->key, key, key_len, tag_len), AEADFAST_OK);
}

static int gcm_seal(struct gcm_message *m, uint8_t *tag)
{
    return aes_gcm_seal(&m->key, m->ct, tag, m->text, sizeof m->text, m->text, 7, m->nonce, 12);
}

static int gcm_open(const struct gcm_message *m, uint8_t *pt, const uint8_t *tag)
{
    return aes_gcm_open(&m->key, pt, m->ct, sizeof m->ct, tag, m->text, 7, m->nonce, 12);
}

/*
 * Each length is the beginning of the 16-byte tag, written and read up to its last byte and not
 * beyond, and fails when any bit is wrong.
 */
static void gcm_tag_lengths(const char *backend)
{
    struct guard g;
    uint8_t pt[100];

    guard_make(&g, 16);
    for (size_t key_len = 16; key_len <= 32; key_len += 8) {
        struct gcm_message m;
        uint8_t whole[16];

        gcm_message(&m, key_len, 16);
        assert_int_equal(gcm_seal(&m, whole), AEADFAST_OK);
        for (size_t i = 0; i < COUNT(tag_lengths); i++) {
            size_t n = tag_lengths[i];
            uint8_t *tags[2];
            uint8_t around[18];

            gcm_message(&m, key_len, n);
            tags[0] = guard_end(&g, n);
            tags[1] = around + 1;
            for (size_t j = 0; j < 2; j++) {
                uint8_t *tag = tags[j];

                memset(around, API_FILLER, sizeof around);
                check_int(gcm_seal(&m, tag), AEADFAST_OK, "%s, tag of %zu", under(backend), n);
                check_bytes(tag, whole, n, "%s, tag of %zu, key of %zu", under(backend), n,
                            key_len);
                check_int(around[0], API_FILLER, "%s, byte before a tag of %zu", under(backend), n);
                check_fill(around + 1 + (j == 1 ? n : 0), API_FILLER, 17 - (j == 1 ? n : 0),
                           "%s, bytes after a tag of %zu", under(backend), n);
                check_int(gcm_open(&m, pt, tag), AEADFAST_OK, "%s, tag of %zu", under(backend), n);
                check_bytes(pt, m.text, sizeof pt, "%s, tag of %zu", under(backend), n);
                for (size_t bit = 0; bit < 8 * n; bit++) {
                    memset(pt, API_FILLER, sizeof pt);
                    tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
                    check_int(gcm_open(&m, pt, tag), AEADFAST_ERR_AUTH,
                              "%s, tag of %zu with bit %zu flipped", under(backend), n, bit);
                    check_fill(pt, 0, sizeof pt, "%s, tag of %zu with bit %zu flipped",
                               under(backend), n, bit);
                    tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
                }
            }
        }
    }
    guard_free(&g);
}

static void test_gcm_tag_lengths(void **state)
{
    (void)state;
    backends_each(gcm_tag_lengths);
}

/* A key for long tags accepts no shorter one, whatever stands behind it. */
static void test_prefix_of_a_tag(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(tag_lengths); i++) {
        for (size_t j = 0; j < i; j++) {
            struct gcm_message m;
            uint8_t tag[16] = {0};
            uint8_t pt[100];

            gcm_message(&m, 32, tag_lengths[j]);
            assert_int_equal(gcm_seal(&m, tag), AEADFAST_OK); /* zeros behind it */
            gcm_message(&m, 32, tag_lengths[i]);
            check_int(gcm_open(&m, pt, tag), AEADFAST_ERR_AUTH,
                      "a tag of %zu under a key for tags of %zu", tag_lengths[j], tag_lengths[i]);
            check_fill(pt, 0, sizeof pt, "a tag of %zu under a key for tags of %zu", tag_lengths[j],
                       tag_lengths[i]);
        }
    }
}

/* Every bit of the tags of the others, which are always 16 bytes. */
static void every_bit_of_a_tag(const char *backend)
{
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];
        struct api_call call = api_sizes(100, 13);

        if (!f->checks_tag) {
            continue;
        }
        api_place(f, &call, &arena);
        api_fill(f, &call);
        check_int(f->call(&call), AEADFAST_OK, "%s, %s", under(backend), f->name);
        for (size_t bit = 0; bit < 128; bit++) {
            call.arg[ARG_TAG][bit / 8] ^= (uint8_t)(1u << bit % 8);
            check_int(f->call(&call), AEADFAST_ERR_AUTH, "%s, %s with bit %zu flipped",
                      under(backend), f->name, bit);
            call.arg[ARG_TAG][bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}

static void test_every_bit_of_a_tag(void **state)
{
    (void)state;
    backends_each(every_bit_of_a_tag);
}

/* ---- What a failure leaves behind ---- */

/* The call is prepared in the arena but for one change: it fails, and leaves zeros only. */
static void check_failure(const struct api_function *f, const struct api_call *call,
                          const char *backend, const char *change)
{
    size_t out_size = api_size(f, call, ARG_OUT);

    memcpy(before.bytes, arena.bytes, sizeof before.bytes);
    check_int(f->call(call), AEADFAST_ERR_AUTH, "%s, %s of %zu and %zu bytes, another %s%s",
              under(backend), f->name, call->len, call->aad_len, change,
              call->arg[ARG_OUT] == call->arg[ARG_IN] ? ", in place" : "");
    if (out_size != 0) {
        check_fill(call->arg[ARG_OUT], 0, out_size, "%s, %s of %zu and %zu bytes, another %s",
                   under(backend), f->name, call->len, call->aad_len, change);
        memset(before.bytes + (call->arg[ARG_OUT] - arena.bytes), 0, out_size);
    }
    check_bytes(arena.bytes, before.bytes, sizeof arena.bytes,
                "%s, %s of %zu and %zu bytes, another %s: outside the output", under(backend),
                f->name, call->len, call->aad_len, change);
}

static struct api_call prepared(const struct api_function *f, size_t len, size_t aad_len,
                                int in_place)
{
    struct api_call call = api_sizes(len, aad_len);

    memset(arena.bytes, 0x3c, sizeof arena.bytes);
    api_place(f, &call, &arena);
    if (in_place && api_uses(f, ARG_OUT)) {
        call.arg[ARG_OUT] = call.arg[ARG_IN];
    }
    api_fill(f, &call);
    return call;
}

static void flip_ends(const struct api_function *f, size_t len, size_t aad_len, int in_place,
                      const char *backend)
{
    static const enum api_arg flipped[] = {ARG_TAG, ARG_IN, ARG_AAD, ARG_NONCE, ARG_KEY};

    for (size_t i = 0; i < COUNT(flipped); i++) {
        enum api_arg arg = flipped[i];

        for (int last = 0; last < 2; last++) {
            struct api_call call = prepared(f, len, aad_len, in_place);
            size_t n = api_size(f, &call, arg);

            if (f->op == AEADFAST_OP_POLY1305 && arg == ARG_KEY && len == 0 && !last) {
                continue; /* the tag of nothing is s, whatever r is */
            }
            if (n != 0) {
                call.arg[arg][last ? n - 1 : 0] ^= last ? 0x80 : 0x01;
                check_failure(f, &call, backend, api_arg_name(arg));
            }
        }
    }
    if (api_uses(f, ARG_OBJECT)) {
        static const uint8_t other[32] = {1};
        struct api_call call = prepared(f, len, aad_len, in_place);

        if (api_is_siv(f)) {
            assert_int_equal(
                aes_gcm_siv_init((aes_gcm_siv_key *)(void *)call.arg[ARG_OBJECT], other, 32),
                AEADFAST_OK);
        } else {
            assert_int_equal(aes_gcm_init((aes_gcm_key *)(void *)call.arg[ARG_OBJECT], other, 32),
                             AEADFAST_OK);
        }
        check_failure(f, &call, backend, "key");
    }
}

/* What was sealed as AAD and text cannot be opened with the border between them elsewhere. */
static void move_border(const struct api_function *f, int in_place, const char *backend)
{
    struct api_call call = prepared(f, 64, 32, in_place);

    /* AAD directly before the text, so that moving the border is moving a pointer */
    call.arg[ARG_AAD] = call.arg[ARG_IN] - call.aad_len;
    api_fill(f, &call);
    check_int(f->call(&call), AEADFAST_OK, "%s, %s with its AAD before the text", under(backend),
              f->name);
    for (int towards = 0; towards < 2; towards++) {
        struct api_call moved = call;

        api_fill(f, &call);
        moved.arg[ARG_IN] += towards ? 16 : -16;
        moved.len -= towards ? 16 : 0;
        moved.len += towards ? 0 : 16;
        moved.aad_len += towards ? 16 : 0;
        moved.aad_len -= towards ? 0 : 16;
        if (in_place) {
            moved.arg[ARG_OUT] = moved.arg[ARG_IN];
        }
        check_failure(f, &moved, backend, "border");
    }
}

static void shorter_and_longer(const struct api_function *f, size_t len, size_t aad_len,
                               const char *backend)
{
    struct api_call call = prepared(f, len, aad_len, 0);

    call.len++;
    call.arg[ARG_IN][len] = 0;
    check_failure(f, &call, backend, "length: one more zero");
    if (len != 0) {
        call = prepared(f, len, aad_len, 0);
        call.len--;
        check_failure(f, &call, backend, "length: one less");
    }
    if (api_uses(f, ARG_AAD)) {
        call = prepared(f, len, aad_len, 0);
        call.aad_len++;
        call.arg[ARG_AAD][aad_len] = 0;
        check_failure(f, &call, backend, "AAD: one more zero");
    }
}

static void failures(const char *backend)
{
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        if (!f->checks_tag) {
            continue;
        }
        for (size_t j = 0; j < COUNT(lengths); j++) {
            size_t aad_len = j % 3 == 0 ? 0 : 5 * j;

            for (int in_place = 0; in_place < 2; in_place++) {
                flip_ends(f, lengths[j], aad_len, in_place, backend);
            }
            shorter_and_longer(f, lengths[j], aad_len, backend);
        }
        if (api_uses(f, ARG_AAD)) {
            move_border(f, 0, backend);
            move_border(f, 1, backend);
        }
    }
}

static void test_failures(void **state)
{
    (void)state;
    backends_each(failures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gcm_tag_lengths),
        cmocka_unit_test(test_prefix_of_a_tag),
        cmocka_unit_test(test_every_bit_of_a_tag),
        cmocka_unit_test(test_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
