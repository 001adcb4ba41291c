/* SPDX-License-Identifier: MIT */
/*
 * Not one byte outside the buffers: every argument of every public function ends right before a
 * page that may not be touched, then begins right behind one; inputs may be read only. At every
 * length up to 1100 and around every length where another kernel takes over, at all alignments,
 * under every backend.
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

enum { DENSE = 1100, CAPACITY = 1 << 16 };

static struct guard pages[ARG_COUNT];
static uint8_t normal[ARG_COUNT][CAPACITY + 8];
static uint8_t result[CAPACITY + API_RESULT_EXTRA];
static uint8_t expected[CAPACITY + API_RESULT_EXTRA];

/* Lengths to test, in ascending order. */
static size_t lengths[4096];
static size_t length_count;

static void add_length(size_t len)
{
    if (len <= CAPACITY / 2 && length_count < sizeof lengths / sizeof lengths[0]) {
        lengths[length_count++] = len;
    }
}

/* Each kernel's first length, what is around it, and the steps that kernels take. */
static int set_up(void **state)
{
    static const ptrdiff_t around[] = {-65, -64, -63, -17, -16, -15, -1,  0,   1,
                                       15,  16,  17,  63,  64,  65,  511, 512, 513};

    (void)state;
    for (size_t len = 0; len <= DENSE; len++) {
        add_length(len);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        for (unsigned i = 0; i < list->count; i++) {
            size_t first = list->rows[i].min_len;

            for (size_t j = 0; j < sizeof around / sizeof around[0]; j++) {
                if (first >= 65) {
                    add_length(first + (size_t)around[j]);
                    add_length(2 * first + (size_t)around[j]);
                }
            }
        }
    }
    for (size_t len = 2047; len <= 16384; len = 2 * len + 1) {
        for (size_t more = 0; more <= 2; more++) {
            add_length(len + more);
        }
    }
    for (int a = 0; a < ARG_COUNT; a++) {
        guard_make(&pages[a], CAPACITY);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int a = 0; a < ARG_COUNT; a++) {
        guard_free(&pages[a]);
    }
    return 0;
}

static void in_normal_memory(const struct api_function *f, struct api_call *call)
{
    for (int a = 0; a < ARG_COUNT; a++) {
        /* an object's size and place are multiples of 8 */
        call->arg[a] =
            api_uses(f, (enum api_arg)a) ? normal[a] + (8 - (uintptr_t)normal[a] % 8) % 8 : NULL;
    }
    api_fill(f, call);
}

static void between_pages(const struct api_function *f, struct api_call *call, int at_end)
{
    for (int a = 0; a < ARG_COUNT; a++) {
        size_t n = api_size(f, call, (enum api_arg)a);

        if (api_uses(f, (enum api_arg)a)) {
            call->arg[a] = at_end ? guard_end(&pages[a], n) : guard_start(&pages[a]);
        }
    }
    api_fill(f, call);
}

static void protect_inputs(const struct api_function *f)
{
    for (int a = 0; a < ARG_COUNT; a++) {
        if ((f->inputs & ~f->outputs & 1u << a) != 0) {
            guard_read_only(&pages[a]);
        }
    }
}

static void unprotect_inputs(const struct api_function *f)
{
    for (int a = 0; a < ARG_COUNT; a++) {
        if ((f->inputs & ~f->outputs & 1u << a) != 0) {
            guard_writable(&pages[a]);
        }
    }
}

static void check_same(const struct api_function *f, const struct api_call *call, size_t size,
                       const char *backend, const char *where)
{
    check_int(f->call(call), AEADFAST_OK, "%s, %s of %zu bytes, %s", backends_name(backend),
              f->name, call->len, where);
    assert_int_equal(api_result(f, call, result), size);
    check_bytes(result, expected, size, "%s, %s of %zu bytes, %s", backends_name(backend), f->name,
                call->len, where);
}

static size_t aad_length(size_t i)
{
    return i % 3 == 0 ? i % 67 : i % 3 == 1 ? 0 : i % 1100;
}

static void guarded(const struct api_function *f, size_t i, const char *backend)
{
    struct api_call call = api_sizes(lengths[i], aad_length(i));
    static const size_t key_lengths[] = {16, 24, 32};
    static const size_t tag_lengths[] = {16, 4, 16, 12, 13, 8};
    size_t size;

    call.key_len = key_lengths[i % 3];
    call.tag_len = tag_lengths[i % 6];
    call.nonce_len = i % 4 != 0 ? 12 : 1 + i % 50;
    in_normal_memory(f, &call);
    check_int(f->call(&call), AEADFAST_OK, "%s of %zu bytes", f->name, call.len);
    size = api_result(f, &call, expected);

    for (int at_end = 0; at_end < 2; at_end++) {
        const char *where = at_end ? "before the guard" : "behind the guard";

        between_pages(f, &call, at_end);
        if (i % 16 == 0) {
            protect_inputs(f);
        }
        check_same(f, &call, size, backend, where);
        if (i % 16 == 0) {
            unprotect_inputs(f);
        }
        if (api_uses(f, ARG_OUT) && api_uses(f, ARG_IN)) {
            call.arg[ARG_OUT] = call.arg[ARG_IN];
            api_fill(f, &call);
            check_same(f, &call, size, backend, where);
        }
    }
}

static void every_length(const char *backend)
{
    for (size_t f = 0; f < api_table_size; f++) {
        int has_length = api_uses(&api_table[f], ARG_IN) || api_table[f].limit != LIMIT_NONE;

        for (size_t i = 0; i < (has_length ? length_count : 12); i++) {
            guarded(&api_table[f], i, backend);
        }
    }
}

static void test_every_length(void **state)
{
    (void)state;
    backends_each(every_length);
}

/* AAD of every length, beside a short text. */
static void every_aad_length(const char *backend)
{
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        if (!api_uses(f, ARG_AAD)) {
            continue;
        }
        for (size_t aad_len = 0; aad_len <= 600; aad_len++) {
            struct api_call call = api_sizes(aad_len % 70, aad_len);
            size_t size;

            in_normal_memory(f, &call);
            check_int(f->call(&call), AEADFAST_OK, "%s, AAD of %zu bytes", f->name, aad_len);
            size = api_result(f, &call, expected);
            between_pages(f, &call, 1);
            check_same(f, &call, size, backend, "before the guard");
        }
    }
}

static void test_every_aad_length(void **state)
{
    (void)state;
    backends_each(every_aad_length);
}

/* Every address modulo 64 for every argument, each with others for the rest; objects modulo 8. */
static void every_alignment(const char *backend)
{
    static const size_t few[] = {1, 16, 64, 257, 1040};

    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        for (size_t j = 0; j < sizeof few / sizeof few[0]; j++) {
            struct api_call call = api_sizes(few[j], 21 + j);
            size_t size;

            in_normal_memory(f, &call);
            check_int(f->call(&call), AEADFAST_OK, "%s of %zu bytes", f->name, call.len);
            size = api_result(f, &call, expected);
            for (size_t shift = 0; shift < 64; shift++) {
                for (int a = 0; a < ARG_COUNT; a++) {
                    size_t by = (shift * (2 * (size_t)a + 1) + 5 * (size_t)a * j) % 64;

                    if (api_uses(f, (enum api_arg)a)) {
                        call.arg[a] = guard_start(&pages[a]) + (a == ARG_OBJECT ? by & ~7u : by);
                    }
                }
                api_fill(f, &call);
                check_same(f, &call, size, backend, "misaligned");
                if (api_uses(f, ARG_OUT) && api_uses(f, ARG_IN)) {
                    call.arg[ARG_OUT] = call.arg[ARG_IN];
                    api_fill(f, &call);
                    check_same(f, &call, size, backend, "misaligned");
                }
            }
        }
    }
}

static void test_every_alignment(void **state)
{
    (void)state;
    backends_each(every_alignment);
}

/* Arguments of length 0 may point anywhere at all. */
static void nothing_there(const char *backend)
{
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];
        struct api_call call = api_sizes(0, 0);

        in_normal_memory(f, &call);
        for (int a = 0; a < ARG_COUNT; a++) {
            if (call.arg[a] != NULL && api_size(f, &call, (enum api_arg)a) == 0) {
                call.arg[a] = guard_forbidden(&pages[a]);
            }
        }
        api_fill(f, &call);
        check_int(f->call(&call), AEADFAST_OK, "%s, %s of nothing", backends_name(backend),
                  f->name);
    }
}

static void test_nothing_there(void **state)
{
    (void)state;
    backends_each(nothing_there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_every_aad_length),
        cmocka_unit_test(test_every_alignment),
        cmocka_unit_test(test_nothing_there),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
