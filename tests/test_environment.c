/* SPDX-License-Identifier: MIT */
/*
 * AEADFAST_BACKEND. Each case is a child process of its own, because the library reads the variable
 * once; this process itself calls nothing that reads it.
 */
#if !defined(_WIN32)
#define _DEFAULT_SOURCE /* setenv */
#define _DARWIN_C_SOURCE
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(_WIN32)

static void test_environment(void **state)
{
    (void)state;
    print_message("skipped: each case needs a process of its own, made by fork\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_environment)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api_table.h"
#include "child.h"
#include "dispatch.h"
#include "support/check.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct api_arena arena;
static struct api_arena before;

/* ---- What a child says on stderr ---- */

static void check_silent(const struct child *c, const char *what)
{
    check_true(c->said == 0, "%s, \"%s\": said\n%s", what, c->backend == NULL ? "" : c->backend,
               c->words);
}

/* One line, of printable characters, that names the variable and everything that can be had. */
static void check_one_line(const struct child *c, const char *what)
{
    struct cpu cpu = aeadfast_cpu_probe();

    check_true(c->said > 0 && c->said < 1000, "%s, \"%.40s\": %zu bytes on stderr", what,
               c->backend, c->said);
    for (size_t i = 0; i < c->said; i++) {
        int last = i == c->said - 1;

        check_true(last ? c->words[i] == '\n' : c->words[i] >= ' ' && c->words[i] <= '~',
                   "%s, \"%.40s\": not one line:\n%s", what, c->backend, c->words);
    }
    check_true(strstr(c->words, "AEADFAST_BACKEND") != NULL, "%s: not named:\n%s", what, c->words);
    check_true(strstr(c->words, "portable") != NULL, "%s: no portable:\n%s", what, c->words);
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        if (aeadfast_backend_available(&aeadfast_backends[i], &cpu)) {
            check_true(strstr(c->words, aeadfast_backends[i].name) != NULL, "%s: no %s:\n%s", what,
                       aeadfast_backends[i].name, c->words);
        }
    }
}

static void check_exit(const struct child *c, const char *what)
{
    check_int(c->exit_code, 0, "%s, \"%.40s\"", what, c->backend == NULL ? "" : c->backend);
}

/* ---- Calls, in the child ---- */

/* Without an object that a computation would have had to make, and with what `f` wants there. */
static struct api_call placed(const struct api_function *f, size_t len)
{
    struct api_call call = api_sizes(len, 20);

    memset(arena.bytes, 0x3c, sizeof arena.bytes);
    api_place(f, &call, &arena);
    memcpy(before.bytes, arena.bytes, sizeof before.bytes);
    return call;
}

/* The function needs an object that only another call can make. */
static int needs_object(const struct api_function *f)
{
    return (f->inputs & 1u << ARG_OBJECT) != 0;
}

static void require_backend_error(const struct api_function *f, size_t len)
{
    struct api_call call = placed(f, len);

    if (f->call(&call) != AEADFAST_ERR_BACKEND) {
        child_failed(f->name, (int)len, "did not return AEADFAST_ERR_BACKEND");
    }
    if (memcmp(arena.bytes, before.bytes, sizeof arena.bytes) != 0) {
        child_failed(f->name, (int)len, "wrote something");
    }
}

static void require_all_errors(void)
{
    for (size_t i = 0; i < api_table_size; i++) {
        if (!needs_object(&api_table[i])) {
            require_backend_error(&api_table[i], 0);
            require_backend_error(&api_table[i], 260);
        }
    }
    for (int op = 0; op < OP_COUNT; op++) {
        REQUIRE(aeadfast_kernel_name((aeadfast_op)op, 0) == NULL);
        REQUIRE(aeadfast_kernel_name((aeadfast_op)op, 5000) == NULL);
    }
    REQUIRE(aeadfast_init() == AEADFAST_ERR_BACKEND);
    REQUIRE(aeadfast_selftest() == AEADFAST_ERR_BACKEND);
}

static void require_all_work(void)
{
    uint8_t key[32] = {1};
    uint8_t nonce[24] = {2};
    uint8_t text[100] = {3};
    uint8_t out[100];
    uint8_t tag[16];
    aes_gcm_key k;

    REQUIRE(aeadfast_init() == AEADFAST_OK);
    REQUIRE(aes_gcm_init(&k, key, 16) == AEADFAST_OK);
    REQUIRE(aes_gcm_seal(&k, out, tag, text, 100, text, 9, nonce, 12) == AEADFAST_OK);
    REQUIRE(aes_gcm_open(&k, out, out, 100, tag, text, 9, nonce, 12) == AEADFAST_OK);
    REQUIRE(memcmp(out, text, 100) == 0);
    REQUIRE(chacha20_poly1305_seal(out, tag, text, 100, text, 9, nonce, key) == AEADFAST_OK);
    REQUIRE(chacha20_poly1305_open(out, out, 100, tag, text, 9, nonce, key) == AEADFAST_OK);
    REQUIRE(memcmp(out, text, 100) == 0);
    REQUIRE(poly1305_mac(tag, text, 100, key) == AEADFAST_OK);
    REQUIRE(poly1305_verify(tag, text, 100, key) == AEADFAST_OK);
    REQUIRE(chacha20_xor(out, text, 100, 0, nonce, key) == AEADFAST_OK);
    REQUIRE(hchacha20(out, nonce, key) == AEADFAST_OK);
    REQUIRE(aeadfast_selftest() == AEADFAST_OK);
}

/* What needs no backend goes on. */
static void require_answers(void)
{
    uint8_t a[4] = {1, 2, 3, 4};
    uint8_t b[4] = {1, 2, 3, 4};

    REQUIRE(strcmp(aeadfast_version(), AEADFAST_VERSION_STRING) == 0);
    for (int e = 1; e >= -7; e--) {
        REQUIRE(aeadfast_strerror(e) != NULL && aeadfast_strerror(e)[0] != '\0');
    }
    REQUIRE(aeadfast_backend_count() >= 1);
    REQUIRE(strcmp(aeadfast_backend_name(0), "portable") == 0);
    REQUIRE(aeadfast_backend_name(aeadfast_backend_count()) == NULL);
    REQUIRE(aeadfast_backend_supported("portable") == 1);
    REQUIRE(aeadfast_backend_supported("bogus") == 0);
    REQUIRE(aeadfast_equal(a, b, 4) == 1);
    aeadfast_wipe(a, 4);
    REQUIRE(a[0] == 0 && a[3] == 0);
    aes_gcm_wipe(NULL);
}

static void require_kernels(const char *row)
{
    for (int op = 0; op < OP_COUNT; op++) {
        const char *name = aeadfast_kernel_name((aeadfast_op)op, 5000);

        REQUIRE(name != NULL && strcmp(name, row) == 0);
    }
}

static void require_description(const char *word)
{
    static char text[10000];
    int n = aeadfast_describe(text, sizeof text);

    REQUIRE(n > 0 && (size_t)n < sizeof text && strlen(text) == (size_t)n);
    if (strstr(text, word) == NULL) {
        child_failed(text, 0, word);
    }
    REQUIRE(aeadfast_describe(NULL, 0) == n);
}

/* ---- Values that cannot be had ---- */

static const char *const bad_values[] = {
    "bogus", "Portable", "AVX2", "portable,", " portable", " ", ",", "=",
    "chacha20=", "sha=portable", "chacha20=portable,chacha20=portable",
    "chacha20=portable,poly1305=bogus",
    /* what must not get onto a terminal as it is */
    "a\nb\x1b[31mc\rd\te\x7f", "%s%s%n", "portabl\xc3\xa9", "\n"};

static int bad_value(const void *arg)
{
    uint8_t bytes[16] = {0};
    poly1305_state s = {{0}}; /* compared as a whole, and a computation need not fill it */
    poly1305_state s_copy;
    aes_gcm_key k;

    (void)arg;
    require_answers();
    require_all_errors();
    require_answers();
    require_description("AEADFAST_BACKEND");
    require_all_errors();

    /* forcing what can be had recovers; what cannot be had changes nothing; NULL goes back */
    REQUIRE(aeadfast_backend_select("bogus") == AEADFAST_ERR_BACKEND);
    require_all_errors();
    REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
    require_all_work();
    require_kernels("portable");
    REQUIRE(aeadfast_backend_select("bogus") == AEADFAST_ERR_BACKEND);
    require_all_work();
    REQUIRE(aes_gcm_init(&k, bytes, 16) == AEADFAST_OK);
    REQUIRE(poly1305_begin(&s, arena.bytes) == AEADFAST_OK);
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_ERR_BACKEND);
    require_all_errors();
    require_description("AEADFAST_BACKEND");

    /* objects made meanwhile are no way around it, nor are they harmed */
    memcpy(&s_copy, &s, sizeof s);
    REQUIRE(aes_gcm_seal(&k, NULL, bytes, NULL, 0, NULL, 0, arena.bytes, 12) ==
            AEADFAST_ERR_BACKEND);
    REQUIRE(aes_gcm_open(&k, NULL, NULL, 0, bytes, NULL, 0, arena.bytes, 12) ==
            AEADFAST_ERR_BACKEND);
    REQUIRE(poly1305_update(&s, arena.bytes, 20) == AEADFAST_ERR_BACKEND);
    REQUIRE(poly1305_final(&s, bytes) == AEADFAST_ERR_BACKEND);
    REQUIRE(memcmp(&s, &s_copy, sizeof s) == 0);
    REQUIRE(bytes[0] == 0 && bytes[15] == 0);
    REQUIRE(aeadfast_backend_select("chacha20=portable,aes_gcm=portable") == AEADFAST_OK);
    require_all_work();
    REQUIRE(poly1305_final(&s, bytes) == AEADFAST_OK);
    return 0;
}

static void check_bad_value(const char *value)
{
    struct child c = {.backend = value};

    child_run(&c, bad_value, NULL);
    check_exit(&c, "a value that cannot be had");
    check_one_line(&c, "a value that cannot be had");
}

static void test_bad_values(void **state)
{
    static char text[20001];
    struct cpu cpu = aeadfast_cpu_probe();

    (void)state;
    for (size_t i = 0; i < COUNT(bad_values); i++) {
        check_bad_value(bad_values[i]);
    }
    memset(text, 'x', sizeof text - 1);
    check_bad_value(text);
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        if (!aeadfast_backend_available(&aeadfast_backends[i], &cpu)) {
            check_note("refused here: %s\n", aeadfast_backends[i].name);
            check_bad_value(aeadfast_backends[i].name);
            snprintf(text, sizeof text, "poly1305=%s", aeadfast_backends[i].name);
            check_bad_value(text);
        }
    }
}

/* Whichever function is the first to be called finds it out. */
static int first_call(const void *arg)
{
    require_backend_error(arg, 33);
    return 0;
}

static int first_is_init(const void *arg)
{
    (void)arg;
    REQUIRE(aeadfast_init() == AEADFAST_ERR_BACKEND);
    return 0;
}

static int first_is_selftest(const void *arg)
{
    (void)arg;
    REQUIRE(aeadfast_selftest() == AEADFAST_ERR_BACKEND);
    return 0;
}

static int first_is_kernel_name(const void *arg)
{
    (void)arg;
    REQUIRE(aeadfast_kernel_name(AEADFAST_OP_AES_GCM, 100) == NULL);
    return 0;
}

static int first_is_describe(const void *arg)
{
    (void)arg;
    require_description("AEADFAST_BACKEND");
    return 0;
}

static void test_first_call(void **state)
{
    static int (*const others[])(const void *) = {first_is_init, first_is_selftest,
                                                  first_is_kernel_name, first_is_describe};
    struct child c = {.backend = "avx1024"};

    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        if (!needs_object(&api_table[i])) {
            child_run(&c, first_call, &api_table[i]);
            check_exit(&c, api_table[i].name);
            check_one_line(&c, api_table[i].name);
        }
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        child_run(&c, others[i], NULL);
        check_exit(&c, "first call");
        check_one_line(&c, "first call");
    }
}

/* A backend that is selected before anything is computed does not hide what the variable says. */
static int select_first(const void *arg)
{
    (void)arg;
    REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
    require_all_work();
    REQUIRE(aeadfast_backend_select("") == AEADFAST_ERR_BACKEND);
    require_all_errors();
    return 0;
}

static void test_select_first(void **state)
{
    struct child c = {.backend = "bogus"};

    (void)state;
    child_run(&c, select_first, NULL);
    check_exit(&c, "selected first");
    check_one_line(&c, "selected first");
}

static int without_stderr(const void *arg)
{
    (void)arg;
    close(STDERR_FILENO);
    require_all_errors();
    REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
    require_all_work();
    return 0;
}

static void test_without_stderr(void **state)
{
    struct child c = {.backend = "bogus"};

    (void)state;
    child_run(&c, without_stderr, NULL);
    check_exit(&c, "no stderr");
}

/* ---- Values that can be had ---- */

static int automatic(const void *arg)
{
    struct cpu cpu = aeadfast_cpu_probe();

    (void)arg;
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        REQUIRE(aeadfast_candidates_now((aeadfast_op)op) == aeadfast_candidates(list, &cpu, NULL));
    }
    require_all_work();
    REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
    require_kernels("portable");
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_OK);
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        REQUIRE(aeadfast_candidates_now((aeadfast_op)op) == aeadfast_candidates(list, &cpu, NULL));
    }
    return 0;
}

static void test_unset_and_empty(void **state)
{
    struct child c = {.backend = NULL};

    (void)state;
    child_run(&c, automatic, NULL);
    check_exit(&c, "unset");
    check_silent(&c, "unset");
    c.backend = "";
    child_run(&c, automatic, NULL);
    check_exit(&c, "empty");
    check_silent(&c, "empty");
}

/* `arg` is the backend that all operations are forced to. */
static void require_forced(const struct backend *b)
{
    struct cpu cpu = aeadfast_cpu_probe();

    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        REQUIRE(aeadfast_candidates_now((aeadfast_op)op) == aeadfast_candidates(list, &cpu, b));
    }
}

static int forced(const void *arg)
{
    require_forced(arg);
    require_all_work();
    REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
    require_kernels("portable");
    REQUIRE(aeadfast_backend_select("bogus") == AEADFAST_ERR_BACKEND);
    require_kernels("portable");
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_OK);
    require_forced(arg);

    /* read once: what the variable says later is nobody's business */
    REQUIRE(setenv("AEADFAST_BACKEND", "bogus", 1) == 0);
    require_all_work();
    require_forced(arg);
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_OK);
    require_forced(arg);
    REQUIRE(unsetenv("AEADFAST_BACKEND") == 0);
    REQUIRE(aeadfast_backend_select("") == AEADFAST_OK);
    require_forced(arg);
    return 0;
}

static void test_good_values(void **state)
{
    struct cpu cpu = aeadfast_cpu_probe();

    (void)state;
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        const struct backend *b = &aeadfast_backends[i];
        struct child c = {.backend = b->name};
        char list[300];

        if (!aeadfast_backend_available(b, &cpu)) {
            continue;
        }
        child_run(&c, forced, b);
        check_exit(&c, "a backend");
        check_silent(&c, "a backend");
        snprintf(list, sizeof list, "aes_gcm=%s,poly1305=%s,chacha20_poly1305=%s,chacha20=%s",
                 b->name, b->name, b->name, b->name);
        c.backend = list;
        child_run(&c, forced, b);
        check_exit(&c, "a list of all");
        check_silent(&c, "a list of all");
    }
}

/* One operation forced, the others as they would be. */
static int one_forced(const void *arg)
{
    struct cpu cpu = aeadfast_cpu_probe();
    int op = *(const int *)arg;

    for (int i = 0; i < OP_COUNT; i++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[i];

        REQUIRE(aeadfast_candidates_now((aeadfast_op)i) ==
                aeadfast_candidates(list, &cpu, i == op ? &aeadfast_backends[0] : NULL));
    }
    require_all_work();
    return 0;
}

static void test_one_operation(void **state)
{
    (void)state;
    for (int op = 0; op < OP_COUNT; op++) {
        char text[100];
        struct child c = {.backend = text};

        snprintf(text, sizeof text, "%s=portable", aeadfast_op_names[op]);
        child_run(&c, one_forced, &op);
        check_exit(&c, "one operation");
        check_silent(&c, "one operation");
    }
}

/* A bad value is remembered too, when the variable has long gone. */
static int gone(const void *arg)
{
    (void)arg;
    require_all_errors();
    REQUIRE(unsetenv("AEADFAST_BACKEND") == 0);
    require_all_errors();
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_ERR_BACKEND);
    REQUIRE(setenv("AEADFAST_BACKEND", "portable", 1) == 0);
    require_all_errors();
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_ERR_BACKEND);
    require_all_errors();
    require_description("AEADFAST_BACKEND");
    return 0;
}

static void test_gone(void **state)
{
    struct child c = {.backend = "bogus"};

    (void)state;
    child_run(&c, gone, NULL);
    check_exit(&c, "a bad value that has gone");
    check_one_line(&c, "a bad value that has gone");
}

/* ---- Many threads find it out at once ---- */

enum { THREADS = 8 };

static atomic_int arrived;

static void *cold_thread(void *arg)
{
    uint8_t tag[16];
    uint8_t key[32] = {0};

    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < THREADS) {
        sched_yield();
    }
    REQUIRE(poly1305_mac(tag, key, sizeof key, key) == AEADFAST_ERR_BACKEND);
    REQUIRE(aeadfast_init() == AEADFAST_ERR_BACKEND);
    return arg;
}

static int cold_threads(const void *arg)
{
    pthread_t threads[THREADS];

    (void)arg;
    for (size_t i = 0; i < THREADS; i++) {
        REQUIRE(pthread_create(&threads[i], NULL, cold_thread, NULL) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        REQUIRE(pthread_join(threads[i], NULL) == 0);
    }
    require_description("AEADFAST_BACKEND");
    return 0;
}

static void test_threads(void **state)
{
    (void)state;
    for (size_t round = 0; round < 20; round++) {
        struct child c = {.backend = "bogus"};

        child_run(&c, cold_threads, NULL);
        check_exit(&c, "threads");
        check_one_line(&c, "threads");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_values),      cmocka_unit_test(test_first_call),
        cmocka_unit_test(test_select_first),    cmocka_unit_test(test_without_stderr),
        cmocka_unit_test(test_unset_and_empty), cmocka_unit_test(test_good_values),
        cmocka_unit_test(test_one_operation),   cmocka_unit_test(test_gone),
        cmocka_unit_test(test_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
