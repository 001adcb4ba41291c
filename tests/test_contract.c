/* SPDX-License-Identifier: MIT */
/*
 * Arguments that are refused, arguments that may be missing, and that a refusal writes nothing:
 * for every public function, from the table of them.
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

static struct api_arena arena;
static struct api_arena before;

/* Places and fills a call and remembers what all memory looks like. */
static struct api_call filled(const struct api_function *f, struct api_call call)
{
    memset(arena.bytes, 0x3c, sizeof arena.bytes);
    api_place(f, &call, &arena);
    api_fill(f, &call);
    memcpy(before.bytes, arena.bytes, sizeof before.bytes);
    return call;
}

static int nothing_written(void)
{
    return memcmp(arena.bytes, before.bytes, sizeof arena.bytes) == 0;
}

/* Everything outside the function's outputs is as it was. */
static int nothing_else_written(const struct api_function *f, const struct api_call *call)
{
    for (int a = 0; a < ARG_COUNT; a++) {
        if ((f->outputs & 1u << a) != 0 && call->arg[a] != NULL) {
            memcpy(before.bytes + (call->arg[a] - arena.bytes), call->arg[a],
                   api_size(f, call, (enum api_arg)a));
        }
    }
    return nothing_written();
}

static const struct {
    size_t len;
    size_t aad_len;
} lengths[] = {{0, 0}, {0, 13}, {1, 0}, {16, 16}, {260, 20}};

#define LENGTHS (sizeof lengths / sizeof lengths[0])

/* What the other tests start from: as prepared by the table, every function succeeds. */
static void test_valid_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        for (size_t j = 0; j < LENGTHS; j++) {
            struct api_call call = filled(f, api_sizes(lengths[j].len, lengths[j].aad_len));

            check_int(f->call(&call), AEADFAST_OK, "%s of %zu bytes", f->name, call.len);
            check_true(nothing_else_written(f, &call), "%s of %zu bytes wrote elsewhere", f->name,
                       call.len);
        }
    }
}

static const char *set_text(unsigned set)
{
    static char text[64];

    text[0] = '\0';
    for (int a = 0; a < ARG_COUNT; a++) {
        if ((set & 1u << a) != 0) {
            strcat(text, " ");
            strcat(text, api_arg_name((enum api_arg)a));
        }
    }
    return text;
}

/* Every subset of the arguments is NULL in turn: fine exactly where all of them are empty. */
static void test_null(void **state)
{
    static uint8_t expected[1024 + API_RESULT_EXTRA];
    static uint8_t result[1024 + API_RESULT_EXTRA];

    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];
        unsigned used = f->outputs | f->inputs;

        for (size_t j = 0; j < LENGTHS; j++) {
            struct api_call sizes = api_sizes(lengths[j].len, lengths[j].aad_len);
            size_t expected_size = 0;

            for (unsigned set = 0; set < 1u << ARG_COUNT; set++) {
                struct api_call call;
                int refused = 0;
                int r;

                if ((set & ~used) != 0) {
                    continue;
                }
                call = filled(f, sizes);
                for (int a = 0; a < ARG_COUNT; a++) {
                    if ((set & 1u << a) != 0) {
                        call.arg[a] = NULL;
                        refused |= api_size(f, &call, (enum api_arg)a) != 0;
                    }
                }
                r = f->call(&call);
                if (refused) {
                    check_int(r, AEADFAST_ERR_ARGUMENT, "%s of %zu and %zu bytes, NULL:%s", f->name,
                              call.len, call.aad_len, set_text(set));
                    check_true(nothing_written(), "%s wrote something, NULL:%s", f->name,
                               set_text(set));
                    continue;
                }
                check_int(r, AEADFAST_OK, "%s of %zu and %zu bytes, NULL:%s", f->name, call.len,
                          call.aad_len, set_text(set));
                if (set == 0) {
                    expected_size = api_result(f, &call, expected);
                }
                check_true(api_result(f, &call, result) == expected_size &&
                               memcmp(result, expected, expected_size) == 0,
                           "%s: another result with NULL:%s", f->name, set_text(set));
                check_true(nothing_else_written(f, &call), "%s wrote elsewhere, NULL:%s", f->name,
                           set_text(set));
            }
        }
    }
}

/* Lengths that are odd in all the ways a check could be: just outside, and right in their low byte
 * or low 32 bits. */
static const size_t bad_key_lengths[] = {0,
                                         1,
                                         4,
                                         8,
                                         12,
                                         15,
                                         17,
                                         20,
                                         23,
                                         25,
                                         28,
                                         31,
                                         33,
                                         48,
                                         64,
                                         96,
                                         128,
                                         192,
                                         256,
                                         256 + 16,
                                         65536 + 24,
#if SIZE_MAX > UINT32_MAX
                                         ((size_t)1 << 32) + 32,
#endif
                                         SIZE_MAX,
                                         SIZE_MAX - 15};

static const size_t bad_tag_lengths[] = {0,
                                         1,
                                         2,
                                         3,
                                         5,
                                         6,
                                         7,
                                         9,
                                         10,
                                         11,
                                         17,
                                         18,
                                         20,
                                         32,
                                         96,
                                         128,
                                         256 + 16,
                                         65536 + 12,
#if SIZE_MAX > UINT32_MAX
                                         ((size_t)1 << 32) + 16,
#endif
                                         SIZE_MAX,
                                         SIZE_MAX - 15};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_key_lengths(void **state)
{
    static const char *const names[] = {"aes_gcm_init", "aes_gcm_init_tag"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct api_function *f = api_find(names[i]);

        for (size_t j = 0; j < COUNT(bad_key_lengths); j++) {
            struct api_call call = filled(f, api_sizes(0, 0));

            call.key_len = bad_key_lengths[j];
            check_int(f->call(&call), AEADFAST_ERR_ARGUMENT, "%s with a key of %zu bytes", f->name,
                      call.key_len);
            check_true(nothing_written(), "%s with a key of %zu bytes wrote something", f->name,
                       call.key_len);
        }
        for (size_t key_len = 16; key_len <= 32; key_len += 8) {
            struct api_call call = filled(f, api_sizes(0, 0));

            call.key_len = key_len;
            check_int(f->call(&call), AEADFAST_OK, "%s with a key of %zu bytes", f->name, key_len);
            check_true(nothing_else_written(f, &call), "%s wrote elsewhere", f->name);
        }
    }
}

static void test_tag_lengths(void **state)
{
    static const size_t allowed[] = {4, 8, 12, 13, 14, 15, 16};
    const struct api_function *f = api_find("aes_gcm_init_tag");

    (void)state;
    for (size_t key_len = 16; key_len <= 32; key_len += 8) {
        struct api_call sizes = api_sizes(0, 0);

        sizes.key_len = key_len;
        for (size_t j = 0; j < COUNT(bad_tag_lengths); j++) {
            struct api_call call = filled(f, sizes);

            call.tag_len = bad_tag_lengths[j];
            check_int(f->call(&call), AEADFAST_ERR_ARGUMENT, "a tag of %zu bytes", call.tag_len);
            check_true(nothing_written(), "a tag of %zu bytes: wrote something", call.tag_len);
        }
        for (size_t j = 0; j < COUNT(allowed); j++) {
            struct api_call call = filled(f, sizes);

            call.tag_len = allowed[j];
            check_int(f->call(&call), AEADFAST_OK, "a tag of %zu bytes", call.tag_len);
        }
    }
}

/* Any nonce but an empty one; each length gives another result, and opens what it sealed. */
static void test_nonce_lengths(void **state)
{
    static const char *const names[] = {"aes_gcm_seal", "aes_gcm_open"};
    const struct api_function *seal = api_find("aes_gcm_seal");
    const struct api_function *open = api_find("aes_gcm_open");
    uint8_t tags[300][16];

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct api_function *f = api_find(names[i]);

        for (size_t j = 0; j < LENGTHS; j++) {
            struct api_call call = filled(f, api_sizes(lengths[j].len, lengths[j].aad_len));

            call.nonce_len = 0;
            check_int(f->call(&call), AEADFAST_ERR_ARGUMENT, "%s with an empty nonce", f->name);
            check_true(nothing_written(), "%s with an empty nonce wrote something", f->name);
            call.arg[ARG_NONCE] = NULL;
            check_int(f->call(&call), AEADFAST_ERR_ARGUMENT, "%s without a nonce", f->name);
            check_true(nothing_written(), "%s without a nonce wrote something", f->name);
        }
    }
    for (size_t n = 1; n < COUNT(tags); n++) {
        struct api_call call = api_sizes(33, 5);

        call.nonce_len = n;
        call = filled(open, call);
        check_int(open->call(&call), AEADFAST_OK, "opening with a nonce of %zu bytes", n);
        check_true(nothing_else_written(open, &call), "a nonce of %zu bytes: wrote elsewhere", n);
        call = filled(seal, call);
        check_int(seal->call(&call), AEADFAST_OK, "sealing with a nonce of %zu bytes", n);
        memcpy(tags[n], call.arg[ARG_TAG], 16);
        for (size_t m = 1; m < n; m++) {
            check_true(memcmp(tags[m], tags[n], 16) != 0,
                       "nonces of %zu and %zu bytes are the same", m, n);
        }
    }
}

/* Known tags of the empty message, with each way of saying that there is nothing. */
static void test_empty_message(void **state)
{
    static const uint8_t chacha_tag[16] = {0xca, 0x31, 0x1e, 0xc6, 0x99, 0xdd, 0xf1, 0x33,
                                           0x59, 0xf3, 0x5f, 0xd7, 0xcc, 0x3e, 0xeb, 0x22};
    static const uint8_t aes128_tag[16] = {0xee, 0x70, 0x2b, 0xaf, 0x2c, 0xab, 0xa8, 0x80,
                                           0xae, 0xa9, 0xb0, 0xaf, 0x47, 0xbd, 0x1c, 0xa4};
    static const uint8_t aes256_tag[16] = {0xd0, 0x47, 0x9e, 0x7b, 0xe3, 0x24, 0x8a, 0x67,
                                           0x63, 0x76, 0x3d, 0x44, 0x60, 0x72, 0xd1, 0xf8};
    uint8_t key[32];
    uint8_t nonce[12];
    uint8_t byte[3] = {1, 2, 3};
    aes_gcm_key k128;
    aes_gcm_key k256;

    (void)state;
    api_pattern(key, sizeof key, 1);
    api_pattern(nonce, sizeof nonce, 2);
    assert_int_equal(aes_gcm_init(&k128, key, 16), AEADFAST_OK);
    assert_int_equal(aes_gcm_init(&k256, key, 32), AEADFAST_OK);
    for (unsigned i = 0; i < 8; i++) {
        uint8_t *out = (i & 1) != 0 ? &byte[0] : NULL;
        const uint8_t *in = (i & 2) != 0 ? &byte[1] : NULL;
        const uint8_t *aad = (i & 4) != 0 ? &byte[2] : NULL;
        uint8_t tag[16];

        assert_int_equal(chacha20_poly1305_seal(out, tag, in, 0, aad, 0, nonce, key), AEADFAST_OK);
        check_bytes(tag, chacha_tag, 16, "%s, case %u", "chacha_tag", i);
        assert_int_equal(chacha20_poly1305_open(out, in, 0, tag, aad, 0, nonce, key), AEADFAST_OK);
        assert_int_equal(aes_gcm_seal(&k128, out, tag, in, 0, aad, 0, nonce, 12), AEADFAST_OK);
        check_bytes(tag, aes128_tag, 16, "%s, case %u", "aes128_tag", i);
        assert_int_equal(aes_gcm_open(&k128, out, in, 0, tag, aad, 0, nonce, 12), AEADFAST_OK);
        assert_int_equal(aes_gcm_seal(&k256, out, tag, in, 0, aad, 0, nonce, 12), AEADFAST_OK);
        check_bytes(tag, aes256_tag, 16, "%s, case %u", "aes256_tag", i);
        assert_int_equal(aes_gcm_open(&k256, out, in, 0, tag, aad, 0, nonce, 12), AEADFAST_OK);
        assert_true(byte[0] == 1 && byte[1] == 2 && byte[2] == 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_calls),   cmocka_unit_test(test_null),
        cmocka_unit_test(test_key_lengths),   cmocka_unit_test(test_tag_lengths),
        cmocka_unit_test(test_nonce_lengths), cmocka_unit_test(test_empty_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
