/* SPDX-License-Identifier: MIT */
/*
 * What may happen to a program in the middle of a call: a signal whose handler calls the library, a
 * fork, threads that are in calls while another forks; and what must not: a program with raised
 * privileges that lets whoever starts it choose the backend.
 */
#if !defined(_WIN32)
#define _DEFAULT_SOURCE /* setitimer, setenv, kill */
#define _DARWIN_C_SOURCE
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

#include "aeadfast.h"
#include "api_table.h"
#include "support/check.h"
#include "support/kernels.h"

enum { LEN = 6000 };

#if defined(__SANITIZE_ADDRESS__)
#define RUNS_NOT_RAISED 1 /* its run-time library gives up */
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RUNS_NOT_RAISED 1
#endif
#if __has_feature(thread_sanitizer)
#define SIGNALS_ARE_LATE 1 /* it holds them back until the program is in a system call */
#endif
#endif

/* ---- A piece of work with a known outcome, of its own buffers ---- */

struct work {
    uint8_t key[32];
    uint8_t nonce[24];
    uint8_t text[LEN];
    uint8_t out[LEN];
    uint8_t tag[16];
    aes_gcm_key gcm;
    aes_gcm_stream stream;
    chacha20_poly1305_stream chacha;
    aes_gcm_siv_key siv;
    poly1305_state state;
};

/* Everything that it computed, folded into 16 bytes; or all ff where a call failed. */
static void do_work(struct work *w, uint8_t result[16])
{
    uint8_t tags[6][16];
    int failed = 0;

    failed |= chacha20_poly1305_seal(w->out, tags[0], w->text, LEN, w->nonce, 20, w->nonce, w->key);
    failed |= chacha20_poly1305_open(w->out, w->out, LEN, tags[0], w->nonce, 20, w->nonce, w->key);
    failed |= memcmp(w->out, w->text, LEN);
    failed |= aes_gcm_seal(&w->gcm, w->out, tags[1], w->text, LEN, w->nonce, 20, w->nonce, 12);
    failed |= aes_gcm_open(&w->gcm, w->out, w->out, LEN, tags[1], w->nonce, 20, w->nonce, 12);
    failed |= memcmp(w->out, w->text, LEN);
    failed |= aes_gcm_stream_init(&w->stream, &w->gcm, w->nonce, 12);
    failed |= aes_gcm_stream_aad(&w->stream, w->nonce, 20);
    failed |= aes_gcm_stream_seal_update(&w->stream, w->out, w->text, LEN / 3);
    failed |=
        aes_gcm_stream_seal_update(&w->stream, w->out + LEN / 3, w->text + LEN / 3, LEN - LEN / 3);
    failed |= aes_gcm_stream_seal_final(&w->stream, tags[0]);
    failed |= memcmp(tags[0], tags[1], 16);
    failed |= chacha20_poly1305_stream_init(&w->chacha, w->nonce, w->key);
    failed |= chacha20_poly1305_stream_seal_update(&w->chacha, w->out, w->text, LEN / 3);
    failed |= chacha20_poly1305_stream_seal_update(&w->chacha, w->out + LEN / 3, w->text + LEN / 3,
                                                   LEN - LEN / 3);
    failed |= chacha20_poly1305_stream_seal_final(&w->chacha, tags[0]);
    failed |= chacha20_poly1305_open(w->out, w->out, LEN, tags[0], NULL, 0, w->nonce, w->key);
    failed |= memcmp(w->out, w->text, LEN);
    failed |= aes_gcm_siv_seal(&w->siv, w->out, tags[4], w->text, LEN, w->nonce, 20, w->nonce);
    failed |= aes_gcm_siv_open(&w->siv, w->out, w->out, LEN, tags[4], w->nonce, 20, w->nonce);
    failed |= memcmp(w->out, w->text, LEN);
    failed |= xchacha20_xor(w->out, w->text, LEN, 1, w->nonce, w->key);
    failed |= poly1305_mac(tags[2], w->out, LEN, w->key);
    failed |= poly1305_begin(&w->state, w->key);
    failed |= poly1305_update(&w->state, w->text, LEN / 3);
    failed |= poly1305_update(&w->state, w->text + LEN / 3, LEN - LEN / 3);
    failed |= poly1305_final(&w->state, tags[3]);
    failed |= aes_gcm_init(&w->gcm, w->key, 32);
    failed |= poly1305_mac(tags[5], tags[0], 80, w->key);
    memcpy(result, tags[5], 16);
    if (failed != 0) {
        memset(result, 0xff, 16);
    }
}

static void make_work(struct work *w, unsigned start)
{
    memset(w, 0, sizeof *w);
    api_pattern(w->key, sizeof w->key, start);
    api_pattern(w->nonce, sizeof w->nonce, start + 1);
    api_pattern(w->text, sizeof w->text, start + 2);
    assert_int_equal(aes_gcm_init(&w->gcm, w->key, 32), AEADFAST_OK);
    assert_int_equal(aes_gcm_siv_init(&w->siv, w->key, 32), AEADFAST_OK);
}

static struct work main_work;
static struct work handler_work;
static uint8_t main_want[16];
static uint8_t handler_want[16];

static void make_both(void)
{
    make_work(&main_work, 1);
    make_work(&handler_work, 77);
    do_work(&main_work, main_want);
    do_work(&handler_work, handler_want);
    check_true(main_want[0] != 0xff || main_want[1] != 0xff, "the work fails undisturbed");
}

/* ---- Signals ---- */

static volatile sig_atomic_t in_call;
static volatile sig_atomic_t hits;  /* signals that came in the middle of a call */
static volatile sig_atomic_t wrong; /* results of the handler that were not right */
static volatile sig_atomic_t fork_wanted;
static volatile pid_t forked = -1;

static void handler(int signal_number)
{
    int saved = errno;
    uint8_t result[16];

    (void)signal_number;
    if (in_call) {
        hits++;
        if (fork_wanted) {
            fork_wanted = 0;
            forked = fork();
        }
    }
    do_work(&handler_work, result);
    wrong += memcmp(result, handler_want, 16) != 0;
    errno = saved;
}

/*
 * One signal, so many microseconds from now; 0: none. Not one after the other: on a slow machine,
 * whose handler takes longer than the time between two, the work would never get on.
 */
static void signal_after(unsigned microseconds)
{
    struct itimerval t = {{0, 0}, {0, (suseconds_t)microseconds}};

    assert_int_equal(setitimer(ITIMER_REAL, &t, NULL), 0);
}

/* On a stack of its own, as programs do that want to survive an overflow. */
static void catch_signals(void)
{
    static _Alignas(64) uint8_t alternate[128 * 1024];
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaltstack(&stack, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
}

static void interrupted(const char *name)
{
    unsigned rounds = 0;

    make_both();
    hits = 0;
    wrong = 0;
    for (; hits < 60 && rounds < 20000; rounds++) {
        uint8_t result[16];

        in_call = 1;
        signal_after(1 + rounds * 7 % 200);
        do_work(&main_work, result);
        in_call = 0;
        check_bytes(result, main_want, 16, "backend %s: interrupted", name != NULL ? name : "-");
    }
    signal_after(0);
    check_int(wrong, 0, "backend %s: results of the handler", name != NULL ? name : "-");
    check_true(hits > 0, "no signal in the middle of a call");
    check_note("backend %s: %d signals in the middle of %u rounds\n",
               name != NULL ? name : "automatic", (int)hits, rounds);
}

static void test_signals(void **state)
{
    (void)state;
#if defined(SIGNALS_ARE_LATE)
    print_message("skipped: no signal comes in the middle of a call under this sanitizer\n");
    skip();
#endif
    catch_signals();
    backends_each(interrupted);
}

/* ---- Forks ---- */

static void check_child(pid_t pid, const char *what)
{
    int status = -1;

    check_true(pid > 0, "%s: no fork", what);
    while (waitpid(pid, &status, 0) < 0) {
        assert_int_equal(errno, EINTR);
    }
    check_true(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: wrong in the child", what);
}

/* In the middle of a call: the child's copy of it goes on where the parent's does. */
static void fork_in_the_middle(const char *name)
{
    uint8_t result[16];

    make_both();
    forked = -1;
    fork_wanted = 1;
    for (unsigned rounds = 0; forked < 0 && rounds < 20000; rounds++) {
        in_call = 1;
        signal_after(1 + rounds * 7 % 200);
        do_work(&main_work, result);
        in_call = 0;
        if (forked == 0) {
            _exit(memcmp(result, main_want, 16) != 0);
        }
        check_bytes(result, main_want, 16, "backend %s: forked", name != NULL ? name : "-");
    }
    signal_after(0);
    check_child(forked, "a fork in the middle of a call");
}

static void test_fork_in_the_middle(void **state)
{
    (void)state;
#if defined(SIGNALS_ARE_LATE)
    print_message("skipped: no signal comes in the middle of a call under this sanitizer\n");
    skip();
#endif
    catch_signals();
    backends_each(fork_in_the_middle);
}

/* Between two calls on one object: each process goes on with its own copy. */
static void test_fork_between(void **state)
{
    poly1305_state s;
    uint8_t tag[16];
    uint8_t want[16];
    pid_t pid;

    (void)state;
    make_both();
    assert_int_equal(poly1305_mac(want, main_work.text, LEN, main_work.key), AEADFAST_OK);
    assert_int_equal(poly1305_begin(&s, main_work.key), AEADFAST_OK);
    assert_int_equal(poly1305_update(&s, main_work.text, 1001), AEADFAST_OK);
    fflush(stdout);
    pid = fork();
    assert_int_equal(poly1305_update(&s, main_work.text + 1001, LEN - 1001), AEADFAST_OK);
    assert_int_equal(poly1305_final(&s, tag), AEADFAST_OK);
    if (pid == 0) {
        _exit(memcmp(tag, want, 16) != 0);
    }
    assert_memory_equal(tag, want, 16);
    check_child(pid, "a fork between two calls");
}

/* While other threads are in calls, which do not exist in the child. There is no lock to be held. */
static atomic_int stop;

static void *keep_busy(void *arg)
{
    struct work *w = arg;
    uint8_t result[16];

    while (!atomic_load(&stop)) {
        do_work(w, result);
        if (aeadfast_backend_select(NULL) != AEADFAST_OK) {
            abort();
        }
    }
    return NULL;
}

static void test_fork_with_threads(void **state)
{
    static struct work works[4];
    pthread_t threads[4];

    (void)state;
    make_both();
    atomic_store(&stop, 0);
    for (unsigned i = 0; i < 4; i++) {
        make_work(&works[i], i);
        assert_int_equal(pthread_create(&threads[i], NULL, keep_busy, &works[i]), 0);
    }
    fflush(stdout);
    for (unsigned i = 0; i < 20; i++) {
        pid_t pid = fork();

        if (pid == 0) {
            uint8_t result[16];

            do_work(&main_work, result);
            _exit(memcmp(result, main_want, 16) != 0);
        }
        check_child(pid, "a fork beside busy threads");
    }
    atomic_store(&stop, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

/* ---- Raised privileges ---- */

static const char *program; /* argv[0] */

#if defined(__linux__)

enum { EXIT_OK = 0, EXIT_REFUSED = 10, EXIT_NOT_RAISED = 11 };

/* This program in its other role, with AEADFAST_BACKEND=bogus. */
static int as_privileged(int expect_raised)
{
    if (expect_raised && getauxval(AT_SECURE) == 0) {
        return EXIT_NOT_RAISED;
    }
    return aeadfast_init() == AEADFAST_OK ? EXIT_OK : EXIT_REFUSED;
}

static int run_as(const char *path, const char *role)
{
    int status = -1;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        setenv("AEADFAST_BACKEND", "bogus", 1);
        if (freopen("/dev/null", "w", stderr) == NULL) {
            _exit(126);
        }
        execl(path, path, role, (char *)NULL);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0) {
        assert_int_equal(errno, EINTR);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int copy_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb");
    FILE *out = fopen(to, "wb");
    char bytes[65536];
    size_t n;
    int ok = in != NULL && out != NULL;

    while (ok && (n = fread(bytes, 1, sizeof bytes, in)) != 0) {
        ok = fwrite(bytes, 1, n, out) == n;
    }
    if (in != NULL) {
        fclose(in);
    }
    return out != NULL && fclose(out) == 0 && ok;
}

static void test_raised_privileges(void **state)
{
    char folder[64];
    char path[sizeof folder + 16];
    int result;

    (void)state;
#if defined(RUNS_NOT_RAISED)
    print_message("skipped: this sanitizer does not start with raised privileges\n");
    skip();
#endif
    if (run_as(program, "plain") != EXIT_REFUSED) {
        print_message("skipped: this program cannot run itself here (an emulator?)\n");
        skip();
    }
    if (geteuid() != 0) {
        print_message("skipped: it takes root to make a program of another user\n");
        skip();
    }
    snprintf(folder, sizeof folder, "/tmp/aeadfast-test-%ld", (long)getpid());
    assert_int_equal(mkdir(folder, 0700), 0); /* refuses what is there already */
    snprintf(path, sizeof path, "%s/raised", folder);
    result = copy_file(program, path) && chmod(folder, 0755) == 0 &&
                     chown(path, 65534, 65534) == 0 && chmod(path, 04755) == 0
                 ? run_as(path, "raised")
                 : -1;
    unlink(path);
    rmdir(folder);
    if (result == EXIT_NOT_RAISED) {
        print_message("skipped: /tmp passes over the set-user-ID bit\n");
        skip();
    }
    check_int(result, EXIT_OK, "AEADFAST_BACKEND is read with raised privileges");
}

#else

static int as_privileged(int expect_raised)
{
    return expect_raised;
}

static void test_raised_privileges(void **state)
{
    (void)state;
    print_message("skipped: written for Linux\n");
    skip();
}

#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals),           cmocka_unit_test(test_fork_in_the_middle),
        cmocka_unit_test(test_fork_between),      cmocka_unit_test(test_fork_with_threads),
        cmocka_unit_test(test_raised_privileges),
    };

    if (argc == 2) {
        return as_privileged(strcmp(argv[1], "raised") == 0);
    }
    program = argv[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
