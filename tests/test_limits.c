/* SPDX-License-Identifier: MIT */
/*
 * Length limits, without the memory that the lengths speak of: every buffer lies on a page that
 * must not be touched, so a call that begins to work before it has checked ends the program. That
 * the limit itself is still allowed shows in the answer to a call that is wrong in another way as
 * well: overlapping buffers of the largest size are refused for the overlap.
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

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct api_arena arena;
static struct api_arena before;
static struct guard page;

/* A call that is right but for its lengths, whose text and AAD are on the forbidden page. */
static struct api_call forbidden(const struct api_function *f)
{
    struct api_call call = api_sizes(32, 16);

    memset(arena.bytes, 0x3c, sizeof arena.bytes);
    api_place(f, &call, &arena);
    api_fill(f, &call);
    memcpy(before.bytes, arena.bytes, sizeof before.bytes);
    for (int a = 0; a < ARG_COUNT; a++) {
        if (call.arg[a] != NULL && (a == ARG_OUT || a == ARG_IN || a == ARG_AAD)) {
            call.arg[a] = guard_forbidden(&page);
        }
    }
    return call;
}

static void check_nothing_written(const char *name, size_t len)
{
    check_bytes(arena.bytes, before.bytes, sizeof arena.bytes, "%s of %zu bytes wrote", name, len);
}

/*
 * Lengths that no object has. An algorithm without a limit of its own has this one; the output lies
 * within the bytes that the length claims, so that either answer is a right one.
 */
static void check_impossible(const struct api_function *f, struct api_call call, size_t len)
{
    int r = f->call(&call);

    check_true(r == AEADFAST_ERR_LENGTH || r == AEADFAST_ERR_OVERLAP,
               "%s of %zu bytes: returned %d", f->name, len, r);
    check_nothing_written(f->name, len);
}

#if SIZE_MAX > UINT32_MAX

static void check_text_limit(const struct api_function *f, struct api_call call, size_t max)
{
    const size_t over[] = {max + 1,       max + 2,      max + 16,      max + 64,
                           2 * max,       SIZE_MAX / 2, SIZE_MAX - 63, SIZE_MAX - 16,
                           SIZE_MAX - 15, SIZE_MAX - 1, SIZE_MAX};

    for (size_t i = 0; i < COUNT(over); i++) {
        call.len = over[i];
        check_int(f->call(&call), AEADFAST_ERR_LENGTH, "%s of %zu bytes", f->name, over[i]);
        check_nothing_written(f->name, over[i]);
    }
    if (call.arg[ARG_IN] != NULL) {
        const size_t within[] = {max, max - 1, max - 63, (size_t)UINT32_MAX, (size_t)1 << 32};

        call.arg[ARG_OUT] = call.arg[ARG_IN] + 1;
        for (size_t i = 0; i < COUNT(within) && within[i] <= max; i++) {
            call.len = within[i];
            check_int(f->call(&call), AEADFAST_ERR_OVERLAP, "%s of %zu bytes, shifted", f->name,
                      within[i]);
            check_nothing_written(f->name, within[i]);
        }
    }
}

static void test_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        if (f->limit == LIMIT_CHACHA20_POLY1305) {
            assert_true(AEADFAST_CHACHA20_POLY1305_TEXT_MAX == ((uint64_t)1 << 38) - 64);
            check_text_limit(f, forbidden(f), AEADFAST_CHACHA20_POLY1305_TEXT_MAX);
        } else if (f->limit == LIMIT_AES_GCM) {
            assert_true(AEADFAST_AES_GCM_TEXT_MAX == ((uint64_t)1 << 36) - 32);
            check_text_limit(f, forbidden(f), AEADFAST_AES_GCM_TEXT_MAX);
        } else if (f->limit == LIMIT_AES_GCM_SIV) {
            assert_true(AEADFAST_AES_GCM_SIV_TEXT_MAX == (uint64_t)1 << 36);
            check_text_limit(f, forbidden(f), AEADFAST_AES_GCM_SIV_TEXT_MAX);
        } else if (f->limit == LIMIT_COUNTER) {
            struct api_call call = forbidden(f);

            call.counter = 0;
            check_text_limit(f, call, (size_t)1 << 38);
            call = forbidden(f);
            call.counter = 1;
            check_text_limit(f, call, ((size_t)1 << 38) - 64);
            call = forbidden(f);
            call.counter = UINT32_MAX - 7;
            check_text_limit(f, call, 8 * 64);
        }
    }
}

static void test_gcm_aad_and_nonce(void **state)
{
    static const char *const names[] = {"aes_gcm_seal", "aes_gcm_open"};
    const size_t max = AEADFAST_AES_GCM_AAD_MAX;
    const size_t over[] = {max + 1,      max + 2,       (size_t)1 << 62, (size_t)1 << 63,
                           SIZE_MAX / 2, SIZE_MAX - 15, SIZE_MAX - 1,    SIZE_MAX};

    (void)state;
    assert_true(AEADFAST_AES_GCM_AAD_MAX == ((uint64_t)1 << 61) - 1);
    assert_true(AEADFAST_AES_GCM_NONCE_MAX == ((uint64_t)1 << 61) - 1);
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct api_function *f = api_find(names[i]);

        for (size_t j = 0; j < COUNT(over); j++) {
            struct api_call call = forbidden(f);

            call.aad_len = over[j];
            check_int(f->call(&call), AEADFAST_ERR_LENGTH, "%s, AAD of %zu bytes", f->name,
                      over[j]);
            check_nothing_written(f->name, over[j]);

            call = forbidden(f);
            call.arg[ARG_NONCE] = guard_forbidden(&page);
            call.nonce_len = over[j];
            check_int(f->call(&call), AEADFAST_ERR_LENGTH, "%s, nonce of %zu bytes", f->name,
                      over[j]);
            check_nothing_written(f->name, over[j]);
        }
        for (size_t j = 0; j < 2; j++) {
            struct api_call call = forbidden(f);

            call.arg[ARG_OUT] = call.arg[ARG_IN] + 1;
            call.aad_len = max - j;
            check_int(f->call(&call), AEADFAST_ERR_OVERLAP, "%s, AAD of %zu bytes", f->name,
                      call.aad_len);
            call.aad_len = 16;
            call.nonce_len = max - j;
            check_int(f->call(&call), AEADFAST_ERR_OVERLAP, "%s, nonce of %zu bytes", f->name,
                      call.nonce_len);
            check_nothing_written(f->name, max - j);
        }
    }
}

static void test_siv_aad(void **state)
{
    static const char *const names[] = {"aes_gcm_siv_seal", "aes_gcm_siv_open"};
    const size_t max = AEADFAST_AES_GCM_SIV_AAD_MAX;
    const size_t over[] = {max + 1,      max + 16,      (size_t)1 << 61, (size_t)1 << 63,
                           SIZE_MAX / 2, SIZE_MAX - 15, SIZE_MAX - 1,    SIZE_MAX};

    (void)state;
    assert_true(AEADFAST_AES_GCM_SIV_AAD_MAX == (uint64_t)1 << 36);
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct api_function *f = api_find(names[i]);

        for (size_t j = 0; j < COUNT(over); j++) {
            struct api_call call = forbidden(f);

            call.aad_len = over[j];
            check_int(f->call(&call), AEADFAST_ERR_LENGTH, "%s, AAD of %zu bytes", f->name,
                      over[j]);
            check_nothing_written(f->name, over[j]);
        }
        for (size_t j = 0; j < 2; j++) {
            struct api_call call = forbidden(f);

            call.arg[ARG_OUT] = call.arg[ARG_IN] + 1;
            call.aad_len = max - j;
            check_int(f->call(&call), AEADFAST_ERR_OVERLAP, "%s, AAD of %zu bytes", f->name,
                      call.aad_len);
            check_nothing_written(f->name, max - j);
        }
    }
}

#endif

/* AAD and messages that would reach around the address space. */
static void test_impossible_lengths(void **state)
{
    static const size_t lengths[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 15, SIZE_MAX - 63,
                                     SIZE_MAX - 255};

    (void)state;
    for (size_t i = 0; i < COUNT(lengths); i++) {
        for (size_t j = 0; j < api_table_size; j++) {
            const struct api_function *f = &api_table[j];
            struct api_call call = forbidden(f);

            if (api_uses(f, ARG_AAD)) {
                call.arg[ARG_OUT] = arena.bytes + API_SLOT_MIDDLE;
                call.arg[ARG_IN] = call.arg[ARG_OUT];
                call.aad_len = lengths[i];
                call.arg[ARG_AAD] = arena.bytes; /* from just below the output and all around */
                check_impossible(f, call, lengths[i]);
            }
            if (f->limit == LIMIT_NONE && api_uses(f, ARG_IN) && f->outputs != 0) {
                call.len = lengths[i];
                call.arg[ARG_IN] = arena.bytes;
                check_impossible(f, call, lengths[i]);
            }
        }
    }
}

/* Up to the last block of the counter and not one byte further, with bytes that can be had. */
static void test_last_blocks(void **state)
{
    enum { BLOCKS = 40 };
    static uint8_t expected[(BLOCKS + 1) * 64];

    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        if (f->limit != LIMIT_COUNTER) {
            continue;
        }
        for (size_t blocks = 0; blocks <= BLOCKS; blocks++) {
            /* with 0 blocks, what is left to ask for is nothing at the last one */
            uint32_t counter = blocks == 0 ? UINT32_MAX : (uint32_t)(0 - blocks);
            size_t max = blocks == 0 ? 0 : blocks * 64;
            struct api_call call = api_sizes(sizeof expected, 0);

            call.counter = counter;
            api_place(f, &call, &arena);
            for (size_t len = max < 130 ? 0 : max - 130; len <= max; len++) {
                call.len = len;
                api_fill(f, &call);
                /* the blocks one by one */
                for (size_t at = 0; at < len; at += 64) {
                    struct api_call one = call;

                    one.len = len - at < 64 ? len - at : 64;
                    one.counter = counter + (uint32_t)(at / 64);
                    one.arg[ARG_OUT] = expected + at;
                    one.arg[ARG_IN] = call.arg[ARG_IN] == NULL ? NULL : call.arg[ARG_IN] + at;
                    check_int(f->call(&one), AEADFAST_OK, "%s, block %u", f->name,
                              (unsigned)one.counter);
                }
                check_int(f->call(&call), AEADFAST_OK, "%s, %zu bytes from block %u", f->name, len,
                          (unsigned)counter);
                check_bytes(call.arg[ARG_OUT], expected, len, "%s, %zu bytes from block %u",
                            f->name, len, (unsigned)counter);
            }
            if (blocks == 0) {
                continue;
            }
            for (size_t len = max + 1; len <= max + 70; len++) {
                call.len = len;
                api_fill(f, &call);
                memcpy(before.bytes, arena.bytes, sizeof before.bytes);
                check_int(f->call(&call), AEADFAST_ERR_LENGTH, "%s, %zu bytes from block %u",
                          f->name, len, (unsigned)counter);
                check_nothing_written(f->name, len);
            }
            call = forbidden(f);
            call.counter = counter;
            for (size_t j = 0; j < 130; j++) {
                call.len = SIZE_MAX - j; /* the number of blocks must not wrap to 0 */
                check_int(f->call(&call), AEADFAST_ERR_LENGTH, "%s, %zu bytes from block %u",
                          f->name, call.len, (unsigned)counter);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if SIZE_MAX > UINT32_MAX
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_gcm_aad_and_nonce),
        cmocka_unit_test(test_siv_aad),
#endif
        cmocka_unit_test(test_impossible_lengths),
        cmocka_unit_test(test_last_blocks),
    };
    int failed;

    guard_make(&page, 1);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    guard_free(&page);
    return failed;
}
