/* SPDX-License-Identifier: MIT */
/*
 * Forcing a backend by name: what is understood, that what is refused changes nothing, that every
 * backend that can be had computes the same, and what the library tells about all that. The
 * environment variable is test_environment's; here it may be unset or say something that is right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_table.h"
#include "dispatch.h"
#include "support/check.h"
#include "support/kernels.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const size_t lengths[] = {0, 1, 16, 64, 255, 256, 512, 1023, 1024, 4096, 65536, SIZE_MAX};

/* Everything that a selection decides. */
struct choice {
    uint32_t masks[OP_COUNT];
    const char *names[OP_COUNT][COUNT(lengths)];
};

static struct choice now(void)
{
    struct choice c;

    for (int op = 0; op < OP_COUNT; op++) {
        for (size_t i = 0; i < COUNT(lengths); i++) {
            c.names[op][i] = aeadfast_kernel_name((aeadfast_op)op, lengths[i]);
            check_true(c.names[op][i] != NULL, "%s has no kernel", aeadfast_op_names[op]);
        }
        c.masks[op] = aeadfast_candidates_now((aeadfast_op)op);
    }
    return c;
}

static void check_same_choice(const struct choice *was, const char *after)
{
    struct choice is = now();

    for (int op = 0; op < OP_COUNT; op++) {
        check_int((long)is.masks[op], (long)was->masks[op], "%s after \"%s\"",
                  aeadfast_op_names[op], after);
        for (size_t i = 0; i < COUNT(lengths); i++) {
            check_true(strcmp(is.names[op][i], was->names[op][i]) == 0,
                       "%s of %zu bytes: %s after \"%s\", was %s", aeadfast_op_names[op],
                       lengths[i], is.names[op][i], after, was->names[op][i]);
        }
    }
}

/* Texts that are wrong wherever they are read. */
static const char *const wrong[] = {
    /* no such backend */
    "bogus", "auto", "none", "0", "sse2", "portabl", "portablee", "portable32", "ort",
    /* exact and lower case */
    "Portable", "PORTABLE", " portable", "portable ", "\tportable", "portable\n", " ", "\n",
    "portable.", "\"portable\"", "portabl\xe9",
    /* one name, or a list of operation=backend, nothing in between */
    "portable,", ",portable", "portable,portable", "portable;portable", ",", ",,", "=", "=,",
    "==", "portable,chacha20=portable", "chacha20=portable,portable", "portable=chacha20",
    "portable=portable",
    /* lists */
    "chacha20", "chacha20=", "=portable", "chacha20=portable,", ",chacha20=portable",
    "chacha20=portable,,poly1305=portable", "chacha20=portable,poly1305",
    "chacha20=portable,poly1305=", "chacha20=portable,=portable",
    "chacha20=portable,=", "chacha20==portable", "chacha20=portable=portable",
    "chacha20=portable;poly1305=portable", "chacha20=portable poly1305=portable",
    "chacha20=portable, poly1305=portable", "chacha20 =portable", "chacha20= portable",
    " chacha20=portable", "chacha20=portable ", "chacha20=Portable", "chacha20=bogus",
    "chacha20=portable32", "chacha20=portabl", "chacha20=portable,aes_gcm=bogus",
    "aes_gcm=bogus,chacha20=portable",
    /* an operation twice, whatever stands between and whether or not it says the same */
    "chacha20=portable,chacha20=portable", "aes_gcm=portable,poly1305=portable,aes_gcm=portable",
    /* operations that there are none of */
    "chacha=portable", "chacha2=portable", "chacha200=portable", "CHACHA20=portable",
    "aes=portable", "aes-gcm=portable", "aes_gcm_=portable", "gcm=portable", "all=portable",
    "*=portable", "chacha20_poly130=portable", "chacha20-poly1305=portable", "xchacha20=portable",
    "xchacha20_poly1305=portable", "chacha12=portable", "chacha20=portable,bogus=portable",
    /* what a careless printer or copier trips over */
    "%s%s%s%n", "%n", "..", "chacha20=%n"};

static void check_refused(const char *text)
{
    struct choice was = now();
    struct cpu cpu = aeadfast_cpu_probe();
    uint32_t masks[OP_COUNT] = {1111, 2222, 3333, 4444};
    const char *problem = aeadfast_backend_parse(text, &cpu, masks);

    check_true(problem != NULL && problem[0] != '\0', "\"%s\" is understood", text);
    check_true(masks[0] == 1111 && masks[1] == 2222 && masks[2] == 3333 && masks[3] == 4444,
               "\"%s\" is refused, and yet decides something", text);
    check_int(aeadfast_backend_select(text), AEADFAST_ERR_BACKEND, "\"%s\"", text);
    check_same_choice(&was, text);
    check_int(aeadfast_backend_supported(text), 0, "\"%s\" is supported", text);
}

static void check_all_wrong(const char *backend)
{
    char text[20000];

    (void)backend;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        check_refused(wrong[i]);
    }
    /* long ones, and every character in place of one and after it */
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    check_refused(text);
    strcpy(text, "chacha20=portable");
    for (size_t i = 0; i < 1000; i++) {
        strcat(text, ",chacha20=portable");
    }
    check_refused(text);
    for (int c = 1; c < 256; c++) {
        snprintf(text, sizeof text, "portable%c", c);
        check_refused(text);
        snprintf(text, sizeof text, "%cortable", c == 'p' ? 'q' : c);
        check_refused(text);
        snprintf(text, sizeof text, "poly1305=portable%c", c);
        check_refused(text);
        snprintf(text, sizeof text, "poly1305=portable%caes_gcm=portable", c == ',' ? '.' : c);
        check_refused(text);
    }
}

static void test_wrong_texts(void **state)
{
    (void)state;
    backends_each(check_all_wrong);
}

/* Backends that this build knows of but does not have, or that this processor cannot run. */
static void test_backends_not_to_be_had(void **state)
{
    struct cpu cpu = aeadfast_cpu_probe();
    struct cpu none = {0, 0};
    uint32_t masks[OP_COUNT];
    char text[100];

    (void)state;
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        const struct backend *b = &aeadfast_backends[i];

        if (!aeadfast_backend_available(b, &cpu)) {
            check_note("refused here: %s\n", b->name);
            check_refused(b->name);
            snprintf(text, sizeof text, "aes_gcm=%s", b->name);
            check_refused(text);
            snprintf(text, sizeof text, "chacha20=portable,aes_gcm=%s", b->name);
            check_refused(text);
        }
        /* and on a processor without anything, all but the first */
        check_int(aeadfast_backend_parse(b->name, &none, masks) != NULL, b->needs != 0 || i > 0,
                  "%s on a processor without anything", b->name);
        check_int(aeadfast_backend_available(b, &none) != 0, b->needs == 0 && i == 0, "%s",
                  b->name);
    }
    assert_null(aeadfast_backend_parse("portable", &none, masks));
    assert_int_equal(aeadfast_backend_supported(NULL), 0);
    assert_int_equal(aeadfast_backend_supported(""), 0);
    assert_int_equal(aeadfast_backend_supported("portable"), 1);
}

/* One name: all four operations get the best row of it, at every length; NULL takes it back. */
static void test_single_names(void **state)
{
    struct cpu cpu = aeadfast_cpu_probe();
    struct choice automatic;

    (void)state;
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
    automatic = now();
    for (size_t i = 0; i < aeadfast_backend_count(); i++) {
        const char *name = aeadfast_backend_name(i);
        const struct backend *b = aeadfast_backend_find(name);

        if (!aeadfast_backend_supported(name)) {
            continue;
        }
        assert_int_equal(aeadfast_backend_select(name), AEADFAST_OK);
        for (int op = 0; op < OP_COUNT; op++) {
            const struct kernel_list *list = &aeadfast_kernel_lists[op];
            const char *want = list->rows[aeadfast_select(list, &cpu, b, 0)].name;

            for (size_t j = 0; j < COUNT(lengths); j++) {
                const char *got = aeadfast_kernel_name((aeadfast_op)op, lengths[j]);

                check_true(got != NULL && strcmp(got, want) == 0, "%s, %s of %zu bytes: %s", name,
                           aeadfast_op_names[op], lengths[j], got == NULL ? "none" : got);
            }
        }
        assert_int_equal(aeadfast_backend_select(i % 2 == 0 ? NULL : ""), AEADFAST_OK);
        check_same_choice(&automatic, name);
    }
}

/* Lists: each operation for itself, in any order; what is not named stays automatic. */
static void test_lists(void **state)
{
    struct cpu cpu = aeadfast_cpu_probe();
    struct choice automatic;
    struct cpu nothing_forced = cpu;
    uint32_t unforced[OP_COUNT];

    (void)state;
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
    automatic = now();
    assert_null(aeadfast_backend_parse(NULL, &nothing_forced, unforced));
    for (size_t i = 0; i < aeadfast_backend_count(); i++) {
        const char *name = aeadfast_backend_name(i);
        const struct backend *b = aeadfast_backend_find(name);

        for (unsigned set = 1; aeadfast_backend_supported(name) && set < 1u << OP_COUNT; set++) {
            for (int backwards = 0; backwards < 2; backwards++) {
                char text[200] = "";

                for (int j = 0; j < OP_COUNT; j++) {
                    int op = backwards ? OP_COUNT - 1 - j : j;

                    if ((set & 1u << op) != 0) {
                        strcat(text, text[0] == '\0' ? "" : ",");
                        strcat(text, aeadfast_op_names[op]);
                        strcat(text, "=");
                        strcat(text, name);
                    }
                }
                check_int(aeadfast_backend_select(text), AEADFAST_OK, "%s", text);
                for (int op = 0; op < OP_COUNT; op++) {
                    uint32_t want = (set & 1u << op) != 0
                                        ? aeadfast_candidates(&aeadfast_kernel_lists[op], &cpu, b)
                                        : unforced[op];

                    check_int((long)aeadfast_candidates_now((aeadfast_op)op), (long)want, "%s: %s",
                              text, aeadfast_op_names[op]);
                }
                /* what the list before said is forgotten */
                check_int(aeadfast_backend_select("poly1305=portable"), AEADFAST_OK, "%s", text);
                check_int((long)aeadfast_candidates_now(AEADFAST_OP_CHACHA20),
                          (long)unforced[AEADFAST_OP_CHACHA20], "after %s", text);
            }
        }
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
    check_same_choice(&automatic, "lists");
}

/* Two backends in one list, where this processor has two. */
static void test_two_backends(void **state)
{
    const char *best = "portable";
    char text[200];

    (void)state;
    for (size_t i = 0; i < aeadfast_backend_count(); i++) {
        if (aeadfast_backend_supported(aeadfast_backend_name(i))) {
            best = aeadfast_backend_name(i);
        }
    }
    snprintf(text, sizeof text, "chacha20=%s,aes_gcm=portable,chacha20_poly1305=portable", best);
    assert_int_equal(aeadfast_backend_select(text), AEADFAST_OK);
    assert_string_equal(aeadfast_kernel_name(AEADFAST_OP_AES_GCM, 5000), "portable");
    assert_string_equal(aeadfast_kernel_name(AEADFAST_OP_CHACHA20_POLY1305, 5000), "portable");
    {
        struct cpu cpu = aeadfast_cpu_probe();
        const struct kernel_list *list = &aeadfast_kernel_lists[AEADFAST_OP_CHACHA20];
        unsigned row = aeadfast_select(list, &cpu, aeadfast_backend_find(best), 0);

        assert_string_equal(aeadfast_kernel_name(AEADFAST_OP_CHACHA20, 1), list->rows[row].name);
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
}

static void test_names(void **state)
{
    size_t n = aeadfast_backend_count();

    (void)state;
    assert_true(n >= 1);
    assert_string_equal(aeadfast_backend_name(0), "portable");
    for (size_t i = 0; i < n; i++) {
        assert_non_null(aeadfast_backend_name(i));
    }
    assert_null(aeadfast_backend_name(n));
    assert_null(aeadfast_backend_name(n + 1));
    assert_null(aeadfast_backend_name(SIZE_MAX));
    assert_null(aeadfast_backend_name(SIZE_MAX / 2 + 1));

    assert_null(aeadfast_kernel_name((aeadfast_op)OP_COUNT, 0));
    assert_null(aeadfast_kernel_name((aeadfast_op)1000, 0));
    assert_null(aeadfast_kernel_name((aeadfast_op)-1, 0));
    assert_int_equal(aeadfast_init(), AEADFAST_OK);
    assert_int_equal(aeadfast_init(), AEADFAST_OK);
}

/* ---- The same answers from all of them ---- */

enum { RESULT = 4200 + API_RESULT_EXTRA };

static struct api_arena arena;
static uint8_t expected[64][40][RESULT];
static const size_t message_lengths[] = {0,   1,   15,  16,  17,  63,  64,   65,   128,
                                         255, 256, 257, 511, 513, 640, 1024, 1087, 2100};

static void check_answers(const char *backend)
{
    static int known;

    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];

        for (size_t j = 0; j < COUNT(message_lengths); j++) {
            static uint8_t result[RESULT];
            struct api_call call = api_sizes(message_lengths[j], j * 3);
            size_t size;

            call.key_len = 16 + j % 3 * 8;
            api_place(f, &call, &arena);
            api_fill(f, &call);
            check_int(f->call(&call), AEADFAST_OK, "%s, %s of %zu bytes", backends_name(backend),
                      f->name, call.len);
            size = api_result(f, &call, known ? result : expected[i][j]);
            if (known) {
                check_bytes(result, expected[i][j], size, "%s, %s of %zu bytes",
                            backends_name(backend), f->name, call.len);
            }
        }
    }
    known = 1;
}

static void test_same_answers(void **state)
{
    (void)state;
    assert_true(api_table_size <= COUNT(expected));
    assert_int_equal(aeadfast_backend_select("portable"), AEADFAST_OK);
    check_answers("portable");
    backends_each(check_answers);
}

static void check_selftest(const char *backend)
{
    check_int(aeadfast_selftest(), AEADFAST_OK, "%s", backends_name(backend));
}

static void test_selftest(void **state)
{
    (void)state;
    backends_each(check_selftest);
}

/* ---- aeadfast_describe ---- */

static void check_describe(const char *backend)
{
    int n = aeadfast_describe(NULL, 0);
    size_t len = (size_t)n;
    char *whole;
    char *buf;

    check_true(n > 100, "describes itself in %d bytes", n);
    whole = malloc(len + 1);
    buf = malloc(len + 20);
    assert_non_null(whole);
    assert_non_null(buf);
    check_int(aeadfast_describe(whole, len + 1), n, "%zu bytes", len + 1);
    check_int((long)strlen(whole), n, "%s", "the whole text");
    for (size_t size = 0; size <= len + 3; size++) {
        size_t got = size == 0 ? 0 : size - 1 < len ? size - 1 : len;

        memset(buf, 0x7f, len + 20);
        check_int(aeadfast_describe(buf, size), n, "%zu bytes", size);
        check_bytes(buf, whole, got, "%zu bytes", size);
        if (size != 0) {
            check_int(buf[got], 0, "%zu bytes: the closing 0", size);
            got++;
        }
        check_fill(buf + got, 0x7f, len + 20 - got, "%zu bytes: written behind them", size);
    }
    check_int(aeadfast_describe(NULL, 1), AEADFAST_ERR_ARGUMENT, "%s", "NULL with a size");
    check_int(aeadfast_describe(NULL, SIZE_MAX), AEADFAST_ERR_ARGUMENT, "%s", "NULL with a size");

    for (size_t i = 0; i < len; i++) {
        check_true(whole[i] == '\n' || (whole[i] >= ' ' && whole[i] <= '~'),
                   "character %02x in the text", (unsigned)(unsigned char)whole[i]);
    }
    check_int(whole[len - 1], '\n', "%s", "the end of the last line");
    check_true(strstr(whole, AEADFAST_VERSION_STRING) != NULL, "no version in:\n%s", whole);
    for (int op = 0; op < OP_COUNT; op++) {
        check_true(strstr(whole, aeadfast_op_names[op]) != NULL, "no %s in:\n%s",
                   aeadfast_op_names[op], whole);
        for (size_t i = 0; i < COUNT(lengths); i++) {
            const char *kernel = aeadfast_kernel_name((aeadfast_op)op, lengths[i]);

            check_true(strstr(whole, kernel) != NULL, "no %s in:\n%s", kernel, whole);
        }
    }
    for (size_t i = 0; i < aeadfast_backend_count(); i++) {
        check_true(strstr(whole, aeadfast_backend_name(i)) != NULL, "no %s in:\n%s",
                   aeadfast_backend_name(i), whole);
    }
    if (backend == NULL) {
        check_note("%s", whole);
    }
    free(whole);
    free(buf);
}

static void test_describe(void **state)
{
    (void)state;
    backends_each(check_describe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_texts),  cmocka_unit_test(test_backends_not_to_be_had),
        cmocka_unit_test(test_single_names), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_two_backends), cmocka_unit_test(test_names),
        cmocka_unit_test(test_same_answers), cmocka_unit_test(test_selftest),
        cmocka_unit_test(test_describe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
