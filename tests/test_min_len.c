/* SPDX-License-Identifier: MIT */
/*
 * AEADFAST_MIN_LEN. Each case is a child process of its own, because the library reads the variable
 * once; this process itself calls nothing that reads it.
 */
#define _DEFAULT_SOURCE /* setenv */
#define _DARWIN_C_SOURCE

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "dispatch.h"
#include "support/check.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- The text ---- */

static void test_parse(void **state)
{
    static const char *const bad[] = {"x",
                                      "chacha20",
                                      "chacha20.avx2",
                                      ",",
                                      "=",
                                      ".=",
                                      "chacha20.=1",
                                      ".avx2=1",
                                      "chacha20.portable=1",
                                      "chacha20.nosuch=1",
                                      "nosuch.avx2=1"};
    struct thresholds t;

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        const char *problem = aeadfast_thresholds_parse(bad[i], &t);

        check_true(problem != NULL && strncmp(problem, "AEADFAST_MIN_LEN ", 17) == 0, "\"%s\": %s",
                   bad[i], problem == NULL ? "accepted" : problem);
    }
    assert_null(aeadfast_thresholds_parse(NULL, &t));
    assert_null(aeadfast_thresholds_parse("", &t));
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        assert_int_equal(t.named[op], 0);
        for (unsigned i = 0; i < list->count; i++) {
            assert_int_equal(t.min_len[op][i], list->rows[i].min_len);
        }
    }
}

/* Every row that has needs, with numbers and with what is none. */
static void test_parse_rows(void **state)
{
    static const char *const bad[] = {
        "", "-1", "+1", " 1", "1 ", "0x10", "1.5", "1e3", "99999999999999999999", "1,", "1,,"};
    struct thresholds t;
    char text[200];

    (void)state;
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        for (unsigned i = 0; i < list->count; i++) {
            if (list->rows[i].needs == 0) {
                continue;
            }
            for (size_t k = 0; k < COUNT(bad); k++) {
                snprintf(text, sizeof text, "%s.%s=%s", aeadfast_op_names[op], list->rows[i].name,
                         bad[k]);
                check_true(aeadfast_thresholds_parse(text, &t) != NULL, "%s", text);
            }
            snprintf(text, sizeof text, "%s.%s=%zu", aeadfast_op_names[op], list->rows[i].name,
                     SIZE_MAX);
            check_true(aeadfast_thresholds_parse(text, &t) == NULL, "%s", text);
            for (int other = 0; other < OP_COUNT; other++) {
                check_int(t.named[other], other == op, "%s", text);
                for (unsigned j = 0; j < aeadfast_kernel_lists[other].count; j++) {
                    size_t want = aeadfast_kernel_lists[other].rows[j].min_len;

                    want = other == op && j == i ? SIZE_MAX : want;
                    check_true(t.min_len[other][j] == want, "%s: row %u of %s", text, j,
                               aeadfast_op_names[other]);
                }
            }
        }
    }
}

/* ---- In force ---- */

struct tuning {
    int op;
    unsigned row;
    size_t min_len;
};

static void set_threshold(const struct tuning *tuning)
{
    char text[200];

    snprintf(text, sizeof text, "%s.%s=%zu", aeadfast_op_names[tuning->op],
             aeadfast_kernel_lists[tuning->op].rows[tuning->row].name, tuning->min_len);
    REQUIRE(setenv("AEADFAST_MIN_LEN", text, 1) == 0);
}

/* What a message gets by the rule: the first wanted row that is long enough, for AES-GCM of those
 * with the tables of the first. */
static const char *by_the_rule(const struct tuning *tuning, size_t len)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[tuning->op];
    struct cpu cpu = aeadfast_cpu_probe();
    const struct kernel_row *first = NULL;

    for (unsigned i = 0; i < list->count; i++) {
        const struct kernel_row *row = &list->rows[i];
        size_t min_len = i == tuning->row ? tuning->min_len : row->min_len;

        if (!aeadfast_row_runs(row, &cpu) || (cpu.bits & row->wants) != row->wants) {
            continue;
        }
        first = first == NULL ? row : first;
        if (tuning->op == AEADFAST_OP_AES_GCM &&
            row->kernel.aes_gcm->init != first->kernel.aes_gcm->init) {
            continue;
        }
        if (len >= min_len) {
            return row->name;
        }
    }
    return first->name; /* AES-GCM, whose family has no other */
}

static int tuned(const void *arg)
{
    const struct tuning *tuning = arg;
    const size_t lens[] = {0, 1, tuning->min_len - 1, tuning->min_len, tuning->min_len + 1, 100000};
    char text[2048];

    set_threshold(tuning);
    for (size_t i = 0; i < COUNT(lens); i++) {
        REQUIRE(strcmp(aeadfast_kernel_name((aeadfast_op)tuning->op, lens[i]),
                       by_the_rule(tuning, lens[i])) == 0);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        struct cpu cpu = aeadfast_cpu_probe();

        if (op != tuning->op) {
            REQUIRE(aeadfast_candidates_now((aeadfast_op)op) ==
                    aeadfast_candidates(&aeadfast_kernel_lists[op], &cpu, NULL));
        }
    }
    REQUIRE(aeadfast_describe(text, sizeof text) < (int)sizeof text);
    REQUIRE(strstr(text, "(by AEADFAST_MIN_LEN)") != NULL);
    REQUIRE(aeadfast_selftest() == AEADFAST_OK);

    /* a forced backend has no thresholds; going back brings them back */
    REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
    REQUIRE(strcmp(aeadfast_kernel_name((aeadfast_op)tuning->op, 100000), "portable") == 0);
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_OK);
    REQUIRE(strcmp(aeadfast_kernel_name((aeadfast_op)tuning->op, tuning->min_len),
                   by_the_rule(tuning, tuning->min_len)) == 0);
    return 0;
}

static void test_tuned(void **state)
{
    (void)state;
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < aeadfast_kernel_lists[op].count; i++) {
            if (aeadfast_kernel_lists[op].rows[i].needs != 0) {
                struct tuning tuning = {op, i, 777};
                struct child c = {.backend = NULL};

                child_run(&c, tuned, &tuning);
                check_int(c.exit_code, 0, "%s.%s", aeadfast_op_names[op],
                          aeadfast_kernel_lists[op].rows[i].name);
                check_int((long)c.said, 0, "%s", c.words);
            }
        }
    }
}

/* Together with AEADFAST_BACKEND: what is forced has no threshold, the others do. */
static int beside_backend(const void *arg)
{
    const struct tuning *tuning = arg;

    set_threshold(tuning);
    REQUIRE(strcmp(aeadfast_kernel_name((aeadfast_op)tuning->op, 100000), "portable") == 0);
    REQUIRE(strcmp(aeadfast_kernel_name((aeadfast_op)tuning->op, 1), "portable") == 0);
    return 0;
}

static void test_beside_backend(void **state)
{
    (void)state;
    for (int op = 0; op < OP_COUNT; op++) {
        if (aeadfast_kernel_lists[op].rows[0].needs != 0) {
            struct tuning tuning = {op, 0, 0};
            char text[100];
            struct child all = {.backend = "portable"};
            struct child one = {.backend = text};

            snprintf(text, sizeof text, "%s=portable", aeadfast_op_names[op]);
            child_run(&all, beside_backend, &tuning);
            check_int(all.exit_code, 0, "all, %s", aeadfast_op_names[op]);
            child_run(&one, beside_backend, &tuning);
            check_int(one.exit_code, 0, "one, %s", aeadfast_op_names[op]);
        }
    }
}

/* A text that cannot be had is told, and stops everything until a backend is selected. */
static int bad_text(const void *arg)
{
    const uint8_t key[32] = {0};
    uint8_t tag[16] = {0};
    char text[2048];

    REQUIRE(setenv("AEADFAST_MIN_LEN", arg, 1) == 0);
    REQUIRE(poly1305_mac(tag, NULL, 0, key) == AEADFAST_ERR_BACKEND);
    REQUIRE(aeadfast_init() == AEADFAST_ERR_BACKEND);
    REQUIRE(aeadfast_kernel_name(AEADFAST_OP_POLY1305, 5) == NULL);
    REQUIRE(aeadfast_describe(text, sizeof text) < (int)sizeof text);
    REQUIRE(strstr(text, "the environment variable AEADFAST_MIN_LEN ") != NULL);
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_ERR_BACKEND);
    REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
    REQUIRE(poly1305_mac(tag, NULL, 0, key) == AEADFAST_OK);
    return 0;
}

static void test_bad_texts(void **state)
{
    static const char *const bad[] = {"x", "chacha20.portable=1", "chacha20.nosuch=1",
                                      "a\nb\x1b[31m%s=%n"};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct child c = {.backend = NULL};

        child_run(&c, bad_text, bad[i]);
        check_int(c.exit_code, 0, "%s", bad[i]);
        check_true(strncmp(c.words, "aeadfast: AEADFAST_MIN_LEN=\"", 28) == 0, "said %s", c.words);
        check_true(c.said > 0 && strchr(c.words, '\n') == c.words + c.said - 1, "not one line: %s",
                   c.words);
        check_true(strchr(c.words, '\x1b') == NULL, "an escape got through");
    }
}

/* Threads that find nothing chosen at once see the thresholds together with the choice. */
static void *cold_thread(void *arg)
{
    const struct tuning *tuning = arg;

    REQUIRE(strcmp(aeadfast_kernel_name((aeadfast_op)tuning->op, tuning->min_len),
                   by_the_rule(tuning, tuning->min_len)) == 0);
    REQUIRE(strcmp(aeadfast_kernel_name((aeadfast_op)tuning->op, tuning->min_len - 1),
                   by_the_rule(tuning, tuning->min_len - 1)) == 0);
    return NULL;
}

static int cold_threads(const void *arg)
{
    struct tuning tuning = *(const struct tuning *)arg;
    pthread_t threads[8];

    set_threshold(&tuning);
    for (size_t i = 0; i < COUNT(threads); i++) {
        REQUIRE(pthread_create(&threads[i], NULL, cold_thread, &tuning) == 0);
    }
    for (size_t i = 0; i < COUNT(threads); i++) {
        REQUIRE(pthread_join(threads[i], NULL) == 0);
    }
    return 0;
}

static void test_threads(void **state)
{
    (void)state;
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < aeadfast_kernel_lists[op].count; i++) {
            struct tuning tuning = {op, i, 5000};
            struct child c = {.backend = NULL};

            if (aeadfast_kernel_lists[op].rows[i].needs != 0) {
                child_run(&c, cold_threads, &tuning);
                check_int(c.exit_code, 0, "%s, row %u", aeadfast_op_names[op], i);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),     cmocka_unit_test(test_parse_rows),
        cmocka_unit_test(test_tuned),     cmocka_unit_test(test_beside_backend),
        cmocka_unit_test(test_bad_texts), cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
