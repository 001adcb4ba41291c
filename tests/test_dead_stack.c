/* SPDX-License-Identifier: MIT */
/*
 * What a call leaves on the dead stack, the memory below its caller's frame: nothing of a key.
 *
 * Each call is made twice, with two keys and all else alike, on a stack that held the same bytes
 * before. Whatever differs there afterwards has been computed from the key, in whatever form: key
 * bytes, round keys, powers of H or r, key stream, half of a sum. The text of the two is chosen such
 * that the ciphertext is the same, so that key stream and text count as secrets, and ciphertext does
 * not differ. That leaves the tag, which of a sealed message is public: it is looked for and passed
 * over.
 *
 * A public function may leave no difference at all. A kernel may, within `stack` bytes of its
 * caller's frame, which the public functions clear.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "memory.h"
#include "support/check.h"
#include "support/flat.h"
#include "support/kernels.h"

static const size_t lengths[] = {0,   1,   15,  16,   17,   40,   63,   64,   65,   100,  128,
                                 200, 255, 256, 300,  320,  321,  400,  448,  511,  512,  513,
                                 700, 768, 832, 1000, 1023, 1024, 1100, 1500, 2047, 2048, 4000};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define HAS(arg)     (1u << (arg))

enum { FILL = 0xa5 };

static struct api_arena arena;
static struct {
    uint8_t stack[ABI_STACK];
    size_t top;
    uint8_t tag[16];
} seen[2];
static uint64_t vectors;
static unsigned failures;

/* ---- One call ---- */

struct variant {
    size_t lower;   /* of the stack's beginning, see abi.h */
    size_t key_len; /* AES */
    size_t nonce_len;
    int forged;   /* the tag to be checked is a wrong one */
    int in_place; /* output and input are one */
};

/* xor with the key stream once more makes the pattern, which stands there as input, the output. */
static void choose_text(const struct flat_function *f, const struct api_call *args)
{
    static uint8_t object[API_SLOT];
    struct abi_call call = {.function = f->function, .vectors = vectors};
    size_t size;

    if ((f->outputs & HAS(ARG_OUT)) == 0 || (f->inputs & HAS(ARG_IN)) == 0 ||
        (f->inputs & HAS(ARG_TAG)) != 0 || args->len == 0) {
        return;
    }
    size = (f->outputs & HAS(ARG_OBJECT)) != 0 ? flat_size(f, args, ARG_OBJECT) : 0;
    flat_words(f, args, call.arg);
    if (size != 0) {
        memcpy(object, args->arg[ARG_OBJECT], size);
    }
    abi_run(&call, FILL, 0);
    if (size != 0) {
        memcpy(args->arg[ARG_OBJECT], object, size); /* as if nothing had been asked of it */
    }
    memcpy(args->arg[ARG_IN], args->arg[ARG_OUT], flat_size(f, args, ARG_OUT));
    memset(args->arg[ARG_OUT], API_FILLER, flat_size(f, args, ARG_OUT));
}

static void run(const struct flat_function *f, size_t len, const struct variant *v, int which)
{
    struct abi_call call = {.function = f->function, .vectors = vectors};
    struct api_call args = api_sizes(len, len * 3 % 67);

    args.key_len = v->key_len;
    args.nonce_len = v->nonce_len;
    flat_prepare(f, &args, &arena, which == 0 ? 1 : 0x9b);
    choose_text(f, &args);
    if (v->forged) {
        memset(args.arg[ARG_TAG], 0x77, 16);
    }
    if (v->in_place) {
        args.arg[ARG_OUT] = args.arg[ARG_IN];
    }
    flat_words(f, &args, call.arg);
    abi_run(&call, FILL, v->lower);
    check_true(f->row != NULL || (int32_t)call.result == (v->forged ? AEADFAST_ERR_AUTH : 0),
               "%s, %zu bytes: returned %d", f->name, len, (int)call.result);
    memcpy(seen[which].stack, abi_stack(), ABI_STACK);
    seen[which].top = abi_stack_top(&call);
    check_fill(seen[which].stack, FILL, 256, "%s, %zu bytes: went deeper than this test looks",
               f->name, len);
    if ((f->outputs & HAS(ARG_TAG)) != 0) {
        memcpy(seen[which].tag, args.arg[ARG_TAG], 16);
    }
}

/*
 * A kernel's open computes the tag that the message ought to have, which forgers want to know. What
 * parts have is not a tag, but a running value.
 */
static int is_tag_public(const struct flat_function *f)
{
    return (f->outputs & HAS(ARG_TAG)) != 0 && !(f->row != NULL && flat_opens(f)) &&
           flat_parts(f) == NULL;
}

static int is_tag_byte(size_t at, size_t i)
{
    return seen[0].stack[at] == seen[0].tag[i] && seen[1].stack[at] == seen[1].tag[i];
}

/* Whether the byte belongs to a copy of 8 or more bytes of the tag, in both. */
static int is_of_tag(size_t at)
{
    for (size_t i = 0; i < 16; i++) {
        size_t below = 0;
        size_t above = 0;

        while (below < i && below < at && is_tag_byte(at - below - 1, i - below - 1)) {
            below++;
        }
        while (i + above < 16 && at + above < ABI_STACK && is_tag_byte(at + above, i + above)) {
            above++;
        }
        if (above != 0 && below + above >= 8) {
            return 1;
        }
    }
    return 0;
}

/* How far below the caller's frame the deepest secret byte lies; 0 where there is none. */
static size_t deepest_secret(const struct flat_function *f)
{
    enum { STEP = 64 };

    for (size_t at = 0; at < seen[0].top; at++) {
        if (at % STEP == 0 && memcmp(seen[0].stack + at, seen[1].stack + at, STEP) == 0) {
            at += STEP - 1;
        } else if (seen[0].stack[at] != seen[1].stack[at] && !(is_tag_public(f) && is_of_tag(at))) {
            return seen[0].top - at;
        }
    }
    return 0;
}

static int has_both(const struct flat_function *f)
{
    return (f->outputs & HAS(ARG_OUT)) != 0 && (f->inputs & HAS(ARG_IN)) != 0;
}

/* The same for one length, the worst of all alignments of the stack, and in place in half of them. */
static size_t measure(const struct flat_function *f, size_t len, struct variant v)
{
    size_t deepest = 0;

    /* The dynamic linker saves registers on the stack when a function is called for the first
     * time: it shall not be this one. */
    run(f, len, &v, 0);
    for (v.lower = 0; v.lower < 64; v.lower += 16) {
        size_t depth;

        v.in_place = v.lower % 32 != 0 && has_both(f);

        run(f, len, &v, 0);
        run(f, len, &v, 1);
        depth = deepest_secret(f);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

/* ---- Kernels ---- */

static size_t row_stack(const struct flat_function *f)
{
    switch (f->op) {
    case AEADFAST_OP_CHACHA20:
        return strcmp(f->name, "direct") == 0 ? 0 : f->row->kernel.chacha->stack;
    case AEADFAST_OP_POLY1305:
        return f->row->kernel.poly1305->stack;
    case AEADFAST_OP_CHACHA20_POLY1305:
        return f->form[0] == 'J' ? f->row->kernel.aead->many_stack : f->row->kernel.aead->stack;
    default:
        if (f->form[0] == 'J') {
            return f->row->kernel.aes_gcm->many_stack;
        }
        if (strstr(f->name, "parts.siv_") != NULL) {
            return flat_parts(f)->stack + AES_GCM_SIV_STACK;
        }
        return flat_parts(f) != NULL ? flat_parts(f)->stack : f->row->kernel.aes_gcm->stack;
    }
}

static void check_kernel(const struct flat_function *f)
{
    size_t stack = row_stack(f) + STACK_EXTRA;
    size_t deepest = 0;
    size_t worst = 0;

    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct variant v = {0, 16 + 8 * (i % 3), i % 4 == 3 ? 20 : 12, 0, 0};
        size_t depth;

        if (!flat_takes(f, lengths[i])) {
            continue;
        }
        depth = measure(f, lengths[i], v);
        if (depth > deepest) {
            deepest = depth;
            worst = lengths[i];
        }
    }
    check_note("%-17s %-15s %-19s stack %4zu, used %4zu", aeadfast_op_names[f->op], f->row->name,
               f->name, stack, deepest);
    if (deepest != 0) {
        check_note(", by a message of %zu bytes", worst);
    }
    check_note(deepest <= stack ? "\n" : ": TOO DEEP\n");
    failures += deepest > stack;
}

static void test_kernels(void **state)
{
    (void)state;
    failures = 0;
    flat_each_kernel(check_kernel);
    check_int((long)failures, 0, "functions that leave secrets below what their rows' stack says");
}

/* ---- Public functions ---- */

static void check_public(const struct flat_function *f)
{
    for (size_t i = 0; i < COUNT(lengths); i++) {
        for (int forged = 0; forged <= ((f->inputs & HAS(ARG_TAG)) != 0); forged++) {
            struct variant v = {0, 16 + 8 * (i % 3), i % 4 == 3 ? 20 : 12, forged, 0};
            size_t depth = measure(f, lengths[i], v);

            if (depth != 0) {
                check_note("%s, %zu bytes%s: a secret %zu bytes below the frame\n", f->name,
                           lengths[i], forged ? ", forged" : "", depth);
                failures++;
            }
        }
    }
}

static void with_backend(const char *name)
{
    unsigned before = failures;

    flat_each_public(check_public);
    check_note("backend %s: %u leaks\n", name != NULL ? name : "automatic", failures - before);
}

static void test_public_functions(void **state)
{
    (void)state;
    failures = 0;
    backends_each(with_backend);
    check_int((long)failures, 0, "calls that leave secrets on the stack");
}

/* ---- Leaks that must be found ---- */

/* One byte of the key, xor another: nothing that a search for known bytes would find. */
static int leave_a_byte(uint8_t *out, const uint8_t *nonce, const uint8_t *key)
{
    uint8_t deep[500];

    (void)nonce;
    memset(deep, 0, sizeof deep);
    deep[0] = key[1] ^ key[2];
    KEEP_STORES(deep);
    memset(out, 0, 32);
    return AEADFAST_OK;
}

static int leave_nothing(uint8_t *out, const uint8_t *nonce, const uint8_t *key)
{
    uint8_t deep[500];

    (void)nonce;
    memset(deep, 0, sizeof deep);
    deep[0] = key[1] ^ key[2];
    KEEP_STORES(deep);
    wipe_now(deep, sizeof deep);
    memset(out, 0, 32);
    return AEADFAST_OK;
}

/* A public function that forgets to clear the stack: as if the row's `stack` were 0. */
static int clear_nothing(uint8_t *out, const uint8_t *nonce, const uint8_t *key)
{
    const struct kernel_row *row = kernels_portable(AEADFAST_OP_CHACHA20_POLY1305);
    uint8_t tag[16];

    row->kernel.aead->seal(out, tag, out, 32, NULL, 0, nonce, key);
    return AEADFAST_OK;
}

static void test_planted_leaks(void **state)
{
    struct flat_function f = {"hchacha20",
                              NULL,
                              "ONK",
                              NULL,
                              AEADFAST_OP_CHACHA20,
                              HAS(ARG_OUT),
                              HAS(ARG_NONCE) | HAS(ARG_KEY)};
    struct variant v = {0, 16, 12, 0, 0};

    (void)state;
    f.function = (void (*)(void))leave_nothing;
    assert_int_equal(measure(&f, 64, v), 0);
    f.function = (void (*)(void))leave_a_byte;
    assert_in_range(measure(&f, 64, v), 500, 700);
    f.function = (void (*)(void))clear_nothing;
    assert_true(measure(&f, 64, v) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_leaks),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_public_functions),
    };

#if !defined(__OPTIMIZE__)
    /* What the frames hold then is not what `stack` was measured for, and is not promised. */
    print_message("skipped: this build is not an optimised one\n");
    return 0;
#endif
    vectors = abi_vectors();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
