/* SPDX-License-Identifier: MIT */
/*
 * Eight threads at once: on a library that nobody has used yet, with one key for all of them, and
 * while others force one backend after the other. Every answer is the one that a single thread
 * gets. Worth most under ThreadSanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(_WIN32)

static void test_threads(void **state)
{
    (void)state;
    print_message("skipped: it takes POSIX threads, and processes made by fork\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_table.h"
#include "child.h"
#include "support/check.h"

enum { THREADS = 8, LEN = 1500, RESULT = LEN + API_RESULT_EXTRA };

/* ---- All threads begin at once ---- */

static atomic_uint arrived;

static void start_together(void)
{
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < THREADS) {
        sched_yield();
    }
}

struct worker {
    pthread_t thread;
    unsigned number;
    const void *arg;
    struct api_arena arena;
    uint8_t result[RESULT];
    size_t result_size;
};

static struct worker workers[THREADS];

static void run_workers(void *(*body)(void *), const void *arg)
{
    atomic_store(&arrived, 0);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].arg = arg;
        REQUIRE(pthread_create(&workers[i].thread, NULL, body, &workers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE(pthread_join(workers[i].thread, NULL) == 0);
    }
}

static void check_child(const char *backend, int (*body)(const void *), const void *arg,
                        const char *what)
{
    struct child c = {.backend = backend};

    child_run(&c, body, arg);
    check_int(c.exit_code, 0, "%s; on stderr:\n%s", what, c.words);
    check_true(c.said == 0, "%s: said\n%s", what, c.words);
}

/* ---- A cold library ---- */

/* Prepares what the function needs, which may well be the first call of all, and calls it. */
static void *call_once(void *arg)
{
    struct worker *w = arg;
    const struct api_function *f = w->arg;
    struct api_call call = api_sizes(LEN - 100 * w->number, 20 + w->number);
    struct api_call sealed;

    api_place(f, &call, &w->arena);
    for (int a = 0; a < ARG_COUNT; a++) {
        if (call.arg[a] != NULL && a != ARG_OBJECT) {
            api_pattern(call.arg[a], api_size(f, &call, (enum api_arg)a), w->number + (unsigned)a);
        }
    }
    sealed = call;
    start_together();
    REQUIRE(f->prepare == NULL || f->prepare(&sealed) == AEADFAST_OK);
    REQUIRE(f->call(&call) == AEADFAST_OK);
    return NULL;
}

/* The same once more, alone, must give the same. */
static int cold_library(const void *arg)
{
    static uint8_t alone[RESULT];
    const struct api_function *f = arg;

    run_workers(call_once, arg);
    for (unsigned i = 0; i < THREADS; i++) {
        struct api_call call = api_sizes(LEN - 100 * i, 20 + i);
        size_t size;

        api_place(f, &call, &workers[i].arena);
        size = api_result(f, &call, workers[i].result);
        for (int a = 0; a < ARG_COUNT; a++) {
            if (call.arg[a] != NULL && a != ARG_OBJECT) {
                api_pattern(call.arg[a], api_size(f, &call, (enum api_arg)a), i + (unsigned)a);
            }
        }
        REQUIRE(f->prepare == NULL || f->prepare(&call) == AEADFAST_OK);
        REQUIRE(f->call(&call) == AEADFAST_OK);
        REQUIRE(api_result(f, &call, alone) == size);
        REQUIRE(memcmp(alone, workers[i].result, size) == 0);
    }
    return 0;
}

static void test_cold_library(void **state)
{
    (void)state;
    for (size_t i = 0; i < api_table_size; i++) {
        check_child(NULL, cold_library, &api_table[i], api_table[i].name);
    }
    check_child("portable", cold_library, api_find("aes_gcm_seal"), "portable forced");
}

/* Every thread begins with another function, those that only tell something among them. */
static void *call_anything(void *arg)
{
    struct worker *w = arg;
    uint8_t key[32] = {0};
    uint8_t tag[16];
    char text[4096];

    start_together();
    switch (w->number) {
    case 0:
        REQUIRE(aeadfast_init() == AEADFAST_OK);
        break;
    case 1:
        REQUIRE(aeadfast_kernel_name(AEADFAST_OP_AES_GCM, 100) != NULL);
        break;
    case 2:
        REQUIRE(aeadfast_describe(text, sizeof text) > 0);
        break;
    case 3:
        REQUIRE(aeadfast_backend_select("portable") == AEADFAST_OK);
        break;
    case 4:
        REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_OK);
        break;
    case 5:
        REQUIRE(aeadfast_backend_supported("portable") == 1);
        REQUIRE(aeadfast_backend_count() >= 1);
        break;
    case 6:
        REQUIRE(aeadfast_selftest() == AEADFAST_OK);
        break;
    default:
        REQUIRE(poly1305_mac(tag, key, sizeof key, key) == AEADFAST_OK);
        break;
    }
    return NULL;
}

static int anything_at_once(const void *arg)
{
    run_workers(call_anything, arg);
    return 0;
}

static void test_anything_at_once(void **state)
{
    (void)state;
    for (size_t round = 0; round < 10; round++) {
        check_child(NULL, anything_at_once, NULL, "anything at once");
    }
}

/* ---- One key for all ---- */

struct shared {
    aes_gcm_key key;
    aes_gcm_siv_key siv_key;
    uint8_t chacha_key[32];
    uint8_t text[LEN];
    uint8_t nonce[24];
    uint8_t gcm_ct[LEN];
    uint8_t gcm_tag[16];
    uint8_t siv_ct[LEN];
    uint8_t siv_tag[16];
    uint8_t chacha_ct[LEN];
    uint8_t chacha_tag[16];
    uint8_t mac[16];
};

static void make_shared(struct shared *s)
{
    api_pattern(s->chacha_key, sizeof s->chacha_key, 1);
    api_pattern(s->nonce, sizeof s->nonce, 2);
    api_pattern(s->text, sizeof s->text, 4);
    REQUIRE(aes_gcm_init(&s->key, s->chacha_key, 32) == AEADFAST_OK);
    REQUIRE(aes_gcm_seal(&s->key, s->gcm_ct, s->gcm_tag, s->text, LEN, s->nonce, 24, s->nonce,
                         12) == AEADFAST_OK);
    REQUIRE(aes_gcm_siv_init(&s->siv_key, s->chacha_key, 32) == AEADFAST_OK);
    REQUIRE(aes_gcm_siv_seal(&s->siv_key, s->siv_ct, s->siv_tag, s->text, LEN, s->nonce, 24,
                             s->nonce) == AEADFAST_OK);
    REQUIRE(chacha20_poly1305_seal(s->chacha_ct, s->chacha_tag, s->text, LEN, s->nonce, 24,
                                   s->nonce, s->chacha_key) == AEADFAST_OK);
    REQUIRE(poly1305_mac(s->mac, s->text, LEN, s->chacha_key) == AEADFAST_OK);
}

/* Everything with the shared keys, `rounds` times; forgeries among it. */
static void use_shared(const struct shared *s, unsigned rounds)
{
    uint8_t out[LEN];
    uint8_t tag[16];

    for (unsigned i = 0; i < rounds; i++) {
        size_t short_len = i * 97 % LEN;
        poly1305_state state;

        REQUIRE(aes_gcm_seal(&s->key, out, tag, s->text, LEN, s->nonce, 24, s->nonce, 12) ==
                AEADFAST_OK);
        REQUIRE(memcmp(out, s->gcm_ct, LEN) == 0 && memcmp(tag, s->gcm_tag, 16) == 0);
        REQUIRE(aes_gcm_open(&s->key, out, out, LEN, tag, s->nonce, 24, s->nonce, 12) ==
                AEADFAST_OK);
        REQUIRE(memcmp(out, s->text, LEN) == 0);
        tag[i % 16] ^= 1;
        REQUIRE(aes_gcm_open(&s->key, out, s->gcm_ct, short_len, tag, s->nonce, 24, s->nonce, 12) ==
                AEADFAST_ERR_AUTH);

        REQUIRE(aes_gcm_siv_seal(&s->siv_key, out, tag, s->text, LEN, s->nonce, 24, s->nonce) ==
                AEADFAST_OK);
        REQUIRE(memcmp(out, s->siv_ct, LEN) == 0 && memcmp(tag, s->siv_tag, 16) == 0);
        REQUIRE(aes_gcm_siv_open(&s->siv_key, out, out, LEN, tag, s->nonce, 24, s->nonce) ==
                AEADFAST_OK);
        REQUIRE(memcmp(out, s->text, LEN) == 0);

        REQUIRE(chacha20_poly1305_seal(out, tag, s->text, LEN, s->nonce, 24, s->nonce,
                                       s->chacha_key) == AEADFAST_OK);
        REQUIRE(memcmp(out, s->chacha_ct, LEN) == 0 && memcmp(tag, s->chacha_tag, 16) == 0);
        REQUIRE(chacha20_poly1305_open(out, out, LEN, tag, s->nonce, 24, s->nonce, s->chacha_key) ==
                AEADFAST_OK);
        REQUIRE(memcmp(out, s->text, LEN) == 0);

        REQUIRE(poly1305_begin(&state, s->chacha_key) == AEADFAST_OK);
        REQUIRE(poly1305_update(&state, s->text, short_len) == AEADFAST_OK);
        REQUIRE(poly1305_update(&state, s->text + short_len, LEN - short_len) == AEADFAST_OK);
        REQUIRE(poly1305_final(&state, tag) == AEADFAST_OK);
        REQUIRE(memcmp(tag, s->mac, 16) == 0);
    }
}

static void *use_one_key(void *arg)
{
    struct worker *w = arg;

    start_together();
    use_shared(w->arg, 40);
    return NULL;
}

static int one_key(const void *arg)
{
    static struct shared shared;

    (void)arg;
    make_shared(&shared);
    run_workers(use_one_key, &shared);
    return 0;
}

static void test_one_key(void **state)
{
    (void)state;
    check_child(NULL, one_key, NULL, "one key");
}

/* ---- While others change the backend ---- */

/* Two threads force backends, two make keys, the others go on as if nothing were. */
static void *use_while_others_select(void *arg)
{
    struct worker *w = arg;
    const struct shared *s = w->arg;
    size_t n = aeadfast_backend_count();

    start_together();
    for (unsigned round = 0; round < 30; round++) {
        if (w->number < 2) {
            for (size_t i = 0; i <= n; i++) {
                const char *name = (i + w->number) % (n + 1) == n
                                       ? NULL
                                       : aeadfast_backend_name((i + w->number) % (n + 1));

                if (name == NULL || aeadfast_backend_supported(name)) {
                    REQUIRE(aeadfast_backend_select(name) == AEADFAST_OK);
                }
                REQUIRE(aeadfast_backend_select("bogus") == AEADFAST_ERR_BACKEND);
                REQUIRE(aeadfast_backend_select("aes_gcm=portable") == AEADFAST_OK);
                REQUIRE(aeadfast_kernel_name(AEADFAST_OP_AES_GCM, i) != NULL);
                sched_yield();
            }
        } else if (w->number < 4) {
            uint8_t out[LEN];
            uint8_t tag[16];
            aes_gcm_key k;

            REQUIRE(aes_gcm_init(&k, s->chacha_key, 32) == AEADFAST_OK);
            REQUIRE(aes_gcm_seal(&k, out, tag, s->text, LEN, s->nonce, 24, s->nonce, 12) ==
                    AEADFAST_OK);
            REQUIRE(memcmp(out, s->gcm_ct, LEN) == 0 && memcmp(tag, s->gcm_tag, 16) == 0);
            aes_gcm_wipe(&k);
        } else {
            use_shared(s, 1);
        }
    }
    return NULL;
}

static int changing_backends(const void *arg)
{
    static struct shared shared;

    (void)arg;
    make_shared(&shared);
    run_workers(use_while_others_select, &shared);
    REQUIRE(aeadfast_backend_select(NULL) == AEADFAST_OK);
    use_shared(&shared, 1);
    return 0;
}

static void test_changing_backends(void **state)
{
    (void)state;
    check_child(NULL, changing_backends, NULL, "changing backends");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cold_library),
        cmocka_unit_test(test_anything_at_once),
        cmocka_unit_test(test_one_key),
        cmocka_unit_test(test_changing_backends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
