/* SPDX-License-Identifier: MIT */
/*
 * Overlapping arguments. For every pair of arguments of every function and every interesting
 * distance between them: refused, with nothing written, where an output is among the two and they
 * share a byte, unless dst and src are the same; in all other cases exactly the result of the same
 * call on copies. There is no third outcome.
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
#include "support/kernels.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { LEN = 260, AAD_LEN = 40, RESULT = 1024 + API_RESULT_EXTRA };

static const ptrdiff_t distances[] = {0,  1,  2,  3,  4,  7,  8,   12,  15,  16,  17,  24,
                                      31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};

static struct api_arena arena;
static struct api_arena before;
static struct api_arena apart;

/* Whether n bytes at `distance` from the beginning of m bytes share one with them. */
static int shares(ptrdiff_t distance, size_t n, size_t m)
{
    return n != 0 && m != 0 && distance < (ptrdiff_t)m && distance > -(ptrdiff_t)n;
}

struct pair {
    enum api_arg fixed;
    enum api_arg moved; /* to `distance` bytes behind the beginning of the fixed one */
};

/*
 * Inputs that share bytes: what a call on copies of the same bytes gives. A tag among its own
 * message is a wrong one, which is an answer too.
 */
static int on_copies(const struct api_function *f, const struct api_call *call, uint8_t *result,
                     size_t *size)
{
    struct api_call copied = *call;
    int r;

    api_place(f, &copied, &apart);
    for (int a = 0; a < ARG_COUNT; a++) {
        if (call->arg[a] != NULL) {
            memmove(copied.arg[a], call->arg[a], api_size(f, call, (enum api_arg)a));
        }
    }
    r = f->call(&copied);
    *size = api_result(f, &copied, result);
    return r;
}

static void check_pair(const struct api_function *f, struct api_call call, struct pair p,
                       ptrdiff_t distance)
{
    static uint8_t result[RESULT];
    static uint8_t expected[RESULT];
    unsigned both = 1u << p.fixed | 1u << p.moved;
    int in_place = both == (1u << ARG_OUT | 1u << ARG_IN) && distance == 0;
    int overlap = shares(distance, api_size(f, &call, p.moved), api_size(f, &call, p.fixed));
    int allowed = !overlap || in_place || (f->outputs & both) == 0;
    size_t expected_size;
    int expected_result;
    int r;

    memset(arena.bytes, 0x3c, sizeof arena.bytes);
    api_place(f, &call, &arena);
    call.arg[p.moved] = call.arg[p.fixed] + distance;
    api_fill(f, &call);
    memcpy(before.bytes, arena.bytes, sizeof before.bytes);

    if (!allowed) {
        check_int(f->call(&call), AEADFAST_ERR_OVERLAP, "%s, %s %td bytes behind %s", f->name,
                  api_arg_name(p.moved), distance, api_arg_name(p.fixed));
        check_bytes(arena.bytes, before.bytes, sizeof arena.bytes,
                    "%s, %s %td bytes behind %s: wrote something", f->name, api_arg_name(p.moved),
                    distance, api_arg_name(p.fixed));
        return;
    }
    expected_result = on_copies(f, &call, expected, &expected_size);
    r = f->call(&call);
    check_int(r, expected_result, "%s, %s %td bytes behind %s", f->name, api_arg_name(p.moved),
              distance, api_arg_name(p.fixed));
    /* only a tag that lies among what it is the tag of cannot be right; and a ciphertext, where that
     * hangs on the tag */
    check_true(r == AEADFAST_OK ||
                   (f->checks_tag && overlap && r == AEADFAST_ERR_AUTH &&
                    (both & (1u << ARG_TAG | (api_is_siv(f) ? 1u << ARG_IN : 0))) != 0),
               "%s, %s %td bytes behind %s: returned %d", f->name, api_arg_name(p.moved), distance,
               api_arg_name(p.fixed), r);
    assert_int_equal(api_result(f, &call, result), expected_size);
    check_bytes(result, expected, expected_size, "%s, %s %td bytes behind %s", f->name,
                api_arg_name(p.moved), distance, api_arg_name(p.fixed));
}

static void check_distances(const struct api_function *f, struct api_call call, struct pair p)
{
    ptrdiff_t n = (ptrdiff_t)api_size(f, &call, p.moved);
    ptrdiff_t m = (ptrdiff_t)api_size(f, &call, p.fixed);
    /* touching on either side, one byte shared on either side, the one within the other */
    const ptrdiff_t borders[] = {m, m - 1, m + 1, -n, 1 - n, -n - 1, m - n, m / 2 - n / 2};

    for (size_t i = 0; i < COUNT(distances); i++) {
        check_pair(f, call, p, distances[i]);
        check_pair(f, call, p, -distances[i]);
    }
    for (size_t i = 0; i < COUNT(borders); i++) {
        check_pair(f, call, p, borders[i]);
    }
}

static void test_every_pair(void **state)
{
    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        for (int a = 0; a < ARG_COUNT; a++) {
            /* objects must stay aligned, so they do not move: they are the last in the order */
            for (int b = 0; b < a; b++) {
                if (api_uses(f, (enum api_arg)a) && api_uses(f, (enum api_arg)b)) {
                    struct pair p = {(enum api_arg)a, (enum api_arg)b};
                    struct api_call call = api_sizes(LEN, AAD_LEN);

                    check_distances(f, call, p);
                    if (f->op == AEADFAST_OP_AES_GCM) {
                        /* sizes that no fixed 12 or 16 stands for */
                        call.tag_len = 4;
                        call.nonce_len = 37;
                        call.key_len = 24;
                        check_distances(f, call, p);
                    }
                }
            }
        }
    }
}

/* What is empty overlaps nothing, wherever it points. */
static void test_empty_arguments(void **state)
{
    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        for (int a = 0; a < ARG_COUNT; a++) {
            for (int b = 0; b < ARG_COUNT; b++) {
                if (a == b || !api_uses(f, (enum api_arg)a) || !api_uses(f, (enum api_arg)b)) {
                    continue;
                }
                if ((b == ARG_OUT && f->out_size == 0) || b == ARG_IN) {
                    struct pair p = {(enum api_arg)a, (enum api_arg)b};

                    check_distances(f, api_sizes(0, AAD_LEN), p);
                }
                if (b == ARG_AAD) {
                    struct pair p = {(enum api_arg)a, ARG_AAD};

                    check_distances(f, api_sizes(LEN, 0), p);
                }
            }
        }
    }
}

/* In place gives what two buffers give, at every length, under every backend. */
static void in_place(const char *backend)
{
    static uint8_t result[2300 + API_RESULT_EXTRA];
    static uint8_t expected[2300 + API_RESULT_EXTRA];

    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        if (!api_uses(f, ARG_OUT) || !api_uses(f, ARG_IN)) {
            continue;
        }
        for (size_t len = 0; len <= 2300; len += len < 1100 ? 1 : 97) {
            struct api_call call = api_sizes(len, len % 37);
            size_t size;

            api_place(f, &call, &arena);
            api_fill(f, &call);
            check_int(f->call(&call), AEADFAST_OK, "%s of %zu bytes", f->name, len);
            size = api_result(f, &call, expected);
            call.arg[ARG_OUT] = call.arg[ARG_IN];
            api_fill(f, &call);
            check_int(f->call(&call), AEADFAST_OK, "%s of %zu bytes, in place", f->name, len);
            assert_int_equal(api_result(f, &call, result), size);
            check_bytes(result, expected, size, "%s, %s of %zu bytes, in place",
                        backends_name(backend), f->name, len);
        }
    }
}

static void test_in_place(void **state)
{
    (void)state;
    backends_each(in_place);
}

/*
 * A packet as protocols lay it out: header, text and tag one behind the other, sealed and opened in
 * place, the header being the AAD; and all else directly before and after.
 */
static void test_packet(void **state)
{
    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];
        struct api_call call = api_sizes(LEN, AAD_LEN);
        static uint8_t result[RESULT];
        static uint8_t expected[RESULT];
        size_t size;
        uint8_t *p;

        if (!api_uses(f, ARG_AAD)) {
            continue;
        }
        api_place(f, &call, &arena);
        api_fill(f, &call);
        check_int(f->call(&call), AEADFAST_OK, "%s", f->name);
        size = api_result(f, &call, expected);
        p = arena.bytes + API_SLOT_MIDDLE;
        call.arg[ARG_NONCE] = p;
        p += api_size(f, &call, ARG_NONCE);
        call.arg[ARG_AAD] = p;
        p += AAD_LEN;
        call.arg[ARG_OUT] = p;
        call.arg[ARG_IN] = p;
        p += LEN;
        call.arg[ARG_TAG] = p;
        p += 16;
        if (api_uses(f, ARG_KEY)) {
            call.arg[ARG_KEY] = p;
        }
        api_fill(f, &call);
        check_int(f->call(&call), AEADFAST_OK, "%s of a packet", f->name);
        assert_int_equal(api_result(f, &call, result), size);
        check_bytes(result, expected, size, "%s of a packet", f->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair),
        cmocka_unit_test(test_empty_arguments),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_packet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
