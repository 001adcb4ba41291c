/* SPDX-License-Identifier: MIT */
/*
 * The calling convention: each function of each kernel and each public function leaves callee-saved
 * registers, control words, the direction flag and everything above its arguments as they were, and
 * the upper halves of vector registers clean; and it computes the same where these were dirty
 * before. First of all it is shown that a function which breaks a rule is found out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "support/check.h"
#include "support/flat.h"
#include "support/kernels.h"

/* Short, and long enough for every batch of blocks and for what comes after it. */
static const size_t lengths[] = {0, 1, 16, 63, 64, 200, 256, 511, 513, 1024, 1100, 2100, 4000};

static struct api_arena arena;
static struct api_arena before;
static struct api_arena clean_result;
static uint64_t vectors;
static unsigned calls;

static void nothing(void)
{
}

static void test_offenders(void **state)
{
    struct abi_call call = {.function = nothing};
    unsigned found = 0;

    (void)state;
    for (int dirty = 0; dirty < 2; dirty++) {
        call.vectors = vectors | (dirty ? ABI_DIRTY : 0);
        abi_run(&call, 0, 0);
        check_true(abi_complaint(&call) == NULL, "a function that does nothing: %s",
                   abi_complaint(&call));
    }
    call.vectors = vectors;
    for (const struct abi_offender *o = abi_offenders; o->function != NULL; o++) {
        const char *complaint;

        if ((strcmp(o->complaint, "upper halves") == 0 && (vectors & ABI_AVX) == 0) ||
            (o->complaint[0] == 'v' && (vectors & ABI_RVV) == 0)) {
            check_note("%s: not tried, this processor lacks them\n", o->complaint);
            continue;
        }
        call.function = o->function;
        abi_run(&call, 0, 0);
        complaint = abi_complaint(&call);
        check_true(complaint != NULL, "%s: not found out", o->complaint);
        check_true(strcmp(complaint, o->complaint) == 0, "%s: taken for %s", o->complaint,
                   complaint);
        found++;
    }
    check_note("%u functions that break a rule, all found out\n", found);
    assert_true(found >= 10);
}

static void run(const struct flat_function *f, const struct api_call *args, uint64_t how)
{
    struct abi_call call = {.function = f->function, .vectors = how};

    memcpy(arena.bytes, before.bytes, sizeof arena.bytes);
    flat_words(f, args, call.arg);
    abi_run(&call, 0, 0);
    check_true(abi_complaint(&call) == NULL, "%s%s%s, %zu bytes, %s: %s",
               f->row != NULL ? f->row->name : "", f->row != NULL ? " " : "", f->name, args->len,
               (how & ABI_DIRTY) != 0 ? "dirty" : "clean", abi_complaint(&call));
    check_true(f->row != NULL || (int32_t)call.result == AEADFAST_OK, "%s, %zu bytes: returned %d",
               f->name, args->len, (int)call.result);
    calls++;
}

static void check_function(const struct flat_function *f)
{
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct api_call args = api_sizes(lengths[i], lengths[i] / 3);

        if (!flat_takes(f, args.len)) {
            continue;
        }
        args.key_len = 16 + 8 * (i % 3);
        flat_prepare(f, &args, &arena, 1);
        memcpy(before.bytes, arena.bytes, sizeof before.bytes);
        run(f, &args, vectors);
        memcpy(clean_result.bytes, arena.bytes, sizeof arena.bytes);
        run(f, &args, vectors | ABI_DIRTY);
        check_bytes(arena.bytes, clean_result.bytes, sizeof arena.bytes,
                    "%s %s, %zu bytes: dirty registers make a difference",
                    f->row != NULL ? f->row->name : "", f->name, args.len);
        /* Outputs, and nothing else. */
        for (int a = 0; a < ARG_COUNT; a++) {
            size_t size = flat_size(f, &args, (enum api_arg)a);

            if (args.arg[a] != NULL && (f->outputs & 1u << a) != 0) {
                size_t at = (size_t)(args.arg[a] - arena.bytes);

                check_true(size == 0 || args.len < 16 ||
                               memcmp(arena.bytes + at, before.bytes + at, size) != 0,
                           "%s: did nothing", f->name);
                memcpy(arena.bytes + at, before.bytes + at, size);
            }
        }
        check_bytes(arena.bytes, before.bytes, sizeof arena.bytes, "%s, %zu bytes: wrote elsewhere",
                    f->name, args.len);
    }
}

static void test_kernels(void **state)
{
    (void)state;
    calls = 0;
    flat_each_kernel(check_function);
    check_note("kernels: %u calls\n", calls);
}

static void with_backend(const char *name)
{
    (void)name;
    flat_each_public(check_function);
}

static void test_public_functions(void **state)
{
    (void)state;
    calls = 0;
    backends_each(with_backend);
    check_note("public functions: %u calls\n", calls);
}

static int setup(void **state)
{
    (void)state;
    vectors = abi_vectors();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offenders),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_public_functions),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
