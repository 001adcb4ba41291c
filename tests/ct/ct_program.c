/* SPDX-License-Identifier: MIT */
/*
 * ct_program WHAT [SECRET]: calls kernels and public functions with what is secret marked as such.
 *
 * WHAT is all (every kernel that this processor runs, every public function under every backend);
 * kernels (without the public functions); a list of backends (the kernels that need it), operations
 * (their kernels) and kernels, as "avx,aes_gcm,chacha20=avx512"; or one of the leaks that a checker
 * must find: leak-branch, leak-index. SECRET is a number from which the secrets are made, for checkers
 * that compare two runs; it has one digit.
 *
 * Secret are keys, what is made of them (tables, states, tags that are not yet compared), and text.
 * Public are nonces, additional data, ciphertext that is to be opened, lengths, and outcomes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ct.h"
#include "support/check.h"
#include "support/flat.h"
#include "support/kernels.h"
#include "support/many_call.h"
#include "words.h"

#define HAS(arg) (1u << (arg))

/* Each way that messages of some size take through a kernel, and no more: emulators are slow. */
static const size_t lengths[] = {0, 1, 17, 64, 100, 200, 300, 440, 600, 800, 1100, 2100};

static struct api_arena arena;
static unsigned secret = 1;
static const char *what;
static int traced; /* so that nobody wants more instructions than need be */
static unsigned calls;

/* ---- Calls ---- */

static struct aes_gcm_text *text_of(const struct api_call *c)
{
    return (struct aes_gcm_text *)(void *)(c->arg[ARG_OBJECT] + AES_GCM_TABLE_BYTES);
}

static void call_parts(const struct flat_function *f, const struct api_call *c)
{
    const struct aes_gcm_parts *parts = flat_parts(f);
    uint8_t *const *a = c->arg;
    const size_t blocks = c->len / 16;

    if (strcmp(f->name, "parts.init_hash") == 0) {
        parts->init_hash(a[ARG_OBJECT], a[ARG_KEY], c->key_len, a[ARG_KEY], blocks);
    } else if (strcmp(f->name, "parts.encrypt") == 0) {
        parts->encrypt(a[ARG_OBJECT], a[ARG_OUT], a[ARG_IN], blocks);
    } else if (strcmp(f->name, "parts.hash") == 0) {
        parts->hash(a[ARG_OBJECT], a[ARG_TAG], a[ARG_IN], blocks);
    } else if (strcmp(f->name, "parts.hash_reversed") == 0) {
        parts->hash_reversed(a[ARG_OBJECT], a[ARG_TAG], a[ARG_IN], blocks);
    } else if (strcmp(f->name, "parts.counter_le") == 0) {
        parts->counter_le(a[ARG_OBJECT], a[ARG_OUT], a[ARG_IN], c->len, a[ARG_NONCE]);
    } else if (strchr(f->form, 'W') != NULL) {
        parts->pieces(a[ARG_OBJECT], text_of(c), a[ARG_OUT], a[ARG_IN], c->len, flat_opens(f));
    } else if (strcmp(f->name, "parts.siv_derive") == 0) {
        parts->siv_derive(a[ARG_OBJECT], a[ARG_OUT], c->key_len, a[ARG_NONCE], blocks);
    } else if (strcmp(f->name, "parts.siv_tag") == 0) {
        parts->siv_tag(a[ARG_OBJECT], a[ARG_TAG], a[ARG_OUT], a[ARG_IN], a[ARG_NONCE]);
    } else {
        parts->text(a[ARG_OBJECT], a[ARG_TAG], a[ARG_OUT], a[ARG_IN], blocks, a[ARG_NONCE],
                    flat_opens(f));
    }
}

static void call_many(const struct flat_function *f, const struct api_call *c)
{
    struct aead_job jobs[MANY_CALL];
    struct many_neighbours neighbours;

    many_jobs(jobs, &neighbours, c);
    (f->op == AEADFAST_OP_AES_GCM ? f->row->kernel.aes_gcm->many
                                  : f->row->kernel.aead->many)(jobs, MANY_CALL, flat_opens(f));
}

static void call_kernel(const struct flat_function *f, const struct api_call *c)
{
    uint8_t *const *a = c->arg;

    switch (f->op) {
    case AEADFAST_OP_CHACHA20:
        if (strcmp(f->name, "direct") == 0) {
            f->row->kernel.chacha->direct(a[ARG_OUT], a[ARG_IN], c->len, c->counter, a[ARG_NONCE],
                                          a[ARG_KEY], 20);
            break;
        }
        f->row->kernel.chacha->stream(a[ARG_OUT], a[ARG_IN], c->len,
                                      (const uint32_t *)(const void *)a[ARG_OBJECT], 20);
        break;
    case AEADFAST_OP_POLY1305:
        if (strcmp(f->name, "mac") == 0) {
            f->row->kernel.poly1305->mac(a[ARG_TAG], a[ARG_IN], c->len, a[ARG_KEY]);
        } else {
            f->row->kernel.poly1305->blocks((struct poly1305_core *)(void *)a[ARG_OBJECT],
                                            a[ARG_IN], c->len / 16, 1);
        }
        break;
    case AEADFAST_OP_CHACHA20_POLY1305:
        if (strcmp(f->name, "batches") == 0) {
            f->row->kernel.aead->batches((struct poly1305_core *)(void *)(a[ARG_OBJECT] + 64),
                                         a[ARG_OUT], a[ARG_IN], a[ARG_IN],
                                         flat_size(f, c, ARG_IN) / f->row->kernel.aead->batch,
                                         (const uint32_t *)(const void *)a[ARG_OBJECT]);
            break;
        }
        if (f->form[0] == 'J') {
            call_many(f, c);
            break;
        }
        (strcmp(f->name, "seal") == 0 ? f->row->kernel.aead->seal : f->row->kernel.aead->open)(
            a[ARG_OUT], a[ARG_TAG], a[ARG_IN], c->len, a[ARG_AAD], c->aad_len, a[ARG_NONCE],
            a[ARG_KEY]);
        break;
    default:
        if (flat_parts(f) != NULL) {
            call_parts(f, c);
        } else if (f->form[0] == 'J') {
            call_many(f, c);
        } else if (strcmp(f->name, "init") == 0) {
            f->row->kernel.aes_gcm->init(a[ARG_OBJECT], a[ARG_KEY], c->key_len);
        } else {
            (strcmp(f->name, "seal") == 0 ? f->row->kernel.aes_gcm->seal
                                          : f->row->kernel.aes_gcm->open)(
                a[ARG_OBJECT], a[ARG_OUT], a[ARG_TAG], a[ARG_IN], c->len, a[ARG_AAD], c->aad_len,
                a[ARG_NONCE], c->nonce_len);
        }
        break;
    }
}

static void mark_secrets(const struct flat_function *f, const struct api_call *c)
{
    if (c->arg[ARG_KEY] != NULL) {
        ct_secret(c->arg[ARG_KEY], flat_size(f, c, ARG_KEY));
    }
    /* An object has been made of a secret key, so that it is secret as far as it comes from it. */
    if ((f->inputs & HAS(ARG_TAG)) != 0) {
        ct_public(c->arg[ARG_TAG], 16);
    }
    if (flat_parts(f) != NULL && c->arg[ARG_TAG] != NULL) {
        ct_secret(c->arg[ARG_TAG], 16);
    }
    if (flat_parts(f) != NULL && c->arg[ARG_NONCE] != NULL) {
        ct_secret(c->arg[ARG_NONCE], 16); /* that of AES-GCM-SIV is made of the tag and the key */
    }
    if (strchr(f->form, 'W') != NULL && flat_parts(f) != NULL) {
        struct aes_gcm_text *text = text_of(c);

        ct_secret(text->y, sizeof text->y);
        ct_secret(text->turn, sizeof text->turn);
        if (text->nonce_is_hashed != 0) {
            ct_secret(text->counter, sizeof text->counter);
        }
        ct_public(&text->held, sizeof text->held);
        ct_public(&text->nonce_is_hashed, sizeof text->nonce_is_hashed);
    }
    if (c->arg[ARG_IN] != NULL && !flat_opens(f)) {
        ct_secret(c->arg[ARG_IN], flat_size(f, c, ARG_IN));
    }
}

/*
 * What a kernel puts out is secret until somebody sends it: a checker that has lost sight of that on the
 * way, as the memory sanitizer does in inline assembly, has not followed the kernel.
 */
static void check_followed(const struct flat_function *f, const struct api_call *c)
{
    static const enum api_arg outputs[] = {ARG_OUT, ARG_TAG};

    if (traced || strcmp(f->name, "parts.siv_derive") == 0) {
        return; /* it makes a table, of which it leaves some as it was */
    }
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const uint8_t *p = c->arg[outputs[i]];
        size_t size =
            p != NULL && (f->outputs & HAS(outputs[i])) != 0 ? flat_size(f, c, outputs[i]) : 0;

        for (size_t at = 0; at < size; at++) {
            int is_secret = ct_is_secret(p + at);

            check_true(is_secret, "%s %s, %zu bytes: the checker thinks that output %zu is public",
                       f->row->name, f->name, c->len, at);
        }
    }
}

static void run(const struct flat_function *f, size_t len, size_t key_len)
{
    struct api_call c = api_sizes(len, len * 3 % 67);
    const struct api_function *api = f->row == NULL ? api_find(f->name) : NULL;
    int result = AEADFAST_OK;

    c.key_len = key_len;
    c.nonce_len = len % 4 == 1 ? 20 : 12;
    flat_prepare(f, &c, &arena, secret);
    mark_secrets(f, &c);
    if (api != NULL) {
        result = api->call(&c);
    } else {
        call_kernel(f, &c);
        check_followed(f, &c);
    }
    ct_public(arena.bytes, sizeof arena.bytes);
    ct_public(&result, sizeof result);
    check_int(result, AEADFAST_OK, "%s, %zu bytes", f->name, len);
    calls++;
}

/* Whether WHAT names the kernel, its backend or its operation. */
static int is_asked_for(const struct flat_function *f)
{
    const char *rest = what;

    while (*rest != 0) {
        struct word word = word_until(&rest, ',');
        struct word op;

        if (word_split(&op, &word, '=')
                ? word_is(op, aeadfast_op_names[f->op]) && word_is(word, f->row->name)
                : word_is(word, "all") || word_is(word, "kernels") ||
                      word_is(word, aeadfast_op_names[f->op]) ||
                      word_is(word, aeadfast_backends[f->row->backend].name)) {
            return 1;
        }
    }
    return 0;
}

static void visit(const struct flat_function *f)
{
    if (f->row != NULL && !is_asked_for(f)) {
        return;
    }
#if defined(CT_MSAN)
    if ((f->inputs & HAS(ARG_TAG)) != 0) {
        return; /* it cannot be told that the outcome of the comparison is public */
    }
#endif
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (flat_takes(f, lengths[i])) {
            run(f, lengths[i], 16 + 8 * (i % 3));
        }
    }
}

static void with_backend(const char *name)
{
    (void)name;
    flat_each_public(visit);
}

/* aeadfast_equal: equal, different at the first and at the last byte. */
static void compare(void)
{
    uint8_t a[40];
    uint8_t b[40];

    for (size_t n = 1; n <= sizeof a; n++) {
        for (size_t at = 0; at < 3; at++) {
            int r;

            api_pattern(a, sizeof a, secret);
            api_pattern(b, sizeof b, secret);
            b[at == 0 ? 0 : n - 1] ^= at == 2 ? 0 : 0x40;
            ct_secret(a, sizeof a);
            ct_secret(b, sizeof b);
            r = aeadfast_equal(a, b, n);
            ct_public(&r, sizeof r);
            check_int(r, at == 2, "aeadfast_equal of %zu bytes", n);
            calls++;
        }
    }
}

/* ---- Leaks ---- */

static volatile uint8_t sink;
static volatile uint8_t table[256 * 64];

static int leak(void)
{
    uint8_t key[4];

    api_pattern(key, sizeof key, secret);
    ct_secret(key, sizeof key);
    ct_mark();
    if (strcmp(what, "leak-branch") == 0) {
        if ((key[0] & 8) != 0) { /* the runs that are compared differ in this bit */
            sink = 1;
        }
    } else {
        sink = table[64 * key[1]];
    }
    ct_mark();
    return 0;
}

static void test_all(void **state)
{
    (void)state;
    flat_key_hook = ct_secret;
    ct_mark();
    flat_each_kernel(visit);
    if (strcmp(what, "all") == 0) {
        backends_each(with_backend);
        compare();
    }
    ct_mark();
    check_note("%u calls\n", calls);
    assert_true(calls > 0 || traced);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: ct_program WHAT [SECRET]\n");
        return 2;
    }
    what = argv[1];
    traced = argc == 3;
    secret = traced ? (unsigned)argv[2][0] * 37 : 1;
    if (strncmp(what, "leak-", 5) == 0) {
        return leak();
    }
    if (traced) { /* without cmocka, whose way depends on the clock */
        test_all(NULL);
        return calls > 0 ? 0 : 77; /* 77: this processor has none of the kernels */
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
