/* SPDX-License-Identifier: MIT */
/*
 * Choosing a row, on lists made for the purpose, where the right answer can be seen; and that the
 * lists of this build have the form that choosing relies on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dispatch.h"
#include "support/check.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define BIT_A        UINT64_C(1)
#define BIT_B        UINT64_C(2)
#define BIT_C        UINT64_C(4)
#define POLICY_Z     (UINT64_C(1) << 63)

enum { WIDE, MIDDLE, NARROW, PORTABLE };

static const struct kernel_row rows[] = {
    [WIDE] = {"wide", 3, BIT_A | BIT_B, POLICY_Z, 1024, {NULL}},
    [MIDDLE] = {"middle", 2, BIT_B, 0, 200, {NULL}},
    [NARROW] = {"narrow", 1, BIT_C, 0, 0, {NULL}},
    [PORTABLE] = {"portable", 0, 0, 0, 0, {NULL}},
};

static const struct kernel_list list = {rows, COUNT(rows)};

static const struct backend force_portable = {"portable", 0, 0};
static const struct backend force_narrow = {"narrow", BIT_C, BIT_C};
static const struct backend force_middle = {"middle", BIT_B, BIT_B | BIT_C};
static const struct backend force_wide = {"wide", BIT_A | BIT_B, BIT_A | BIT_B | BIT_C};
static const struct backend force_a = {"a", BIT_A, BIT_A}; /* which no row is content with */

struct expectation {
    uint64_t bits;
    const struct backend *forced;
    size_t len;
    unsigned row;
};

static void test_select(void **state)
{
    const uint64_t all = BIT_A | BIT_B | BIT_C | POLICY_Z;
    const struct expectation table[] = {
        /* everything there: by length */
        {all, NULL, 0, NARROW},
        {all, NULL, 1, NARROW},
        {all, NULL, 199, NARROW},
        {all, NULL, 200, MIDDLE},
        {all, NULL, 201, MIDDLE},
        {all, NULL, 1023, MIDDLE},
        {all, NULL, 1024, WIDE},
        {all, NULL, 1025, WIDE},
        {all, NULL, SIZE_MAX, WIDE},
        /* the policy is against it: it runs but is not chosen */
        {all & ~POLICY_Z, NULL, 1024, MIDDLE},
        {all & ~POLICY_Z, NULL, SIZE_MAX, MIDDLE},
        {all & ~POLICY_Z, NULL, 199, NARROW},
        /* half of what it needs is not enough; the policy alone is nothing */
        {BIT_A | BIT_C | POLICY_Z, NULL, SIZE_MAX, NARROW},
        {BIT_B | BIT_C | POLICY_Z, NULL, SIZE_MAX, MIDDLE},
        {BIT_A | POLICY_Z, NULL, SIZE_MAX, PORTABLE},
        {BIT_B, NULL, 199, PORTABLE},
        {BIT_B, NULL, 200, MIDDLE},
        {BIT_C, NULL, 0, NARROW},
        {BIT_C, NULL, SIZE_MAX, NARROW},
        {POLICY_Z, NULL, 5000, PORTABLE},
        {0, NULL, 0, PORTABLE},
        {0, NULL, SIZE_MAX, PORTABLE},
        /* bits that no row speaks of */
        {~all, NULL, SIZE_MAX, PORTABLE},
        {~UINT64_C(0), NULL, 1024, WIDE},
        /* forced: at every length, against the policy too */
        {all, &force_wide, 0, WIDE},
        {all, &force_wide, 1023, WIDE},
        {all, &force_wide, 1024, WIDE},
        {all & ~POLICY_Z, &force_wide, 0, WIDE},
        {all & ~POLICY_Z, &force_wide, SIZE_MAX, WIDE},
        {all, &force_middle, 0, MIDDLE},
        {all, &force_middle, 199, MIDDLE},
        {all, &force_middle, SIZE_MAX, MIDDLE},
        {all, &force_narrow, 0, NARROW},
        {all, &force_narrow, SIZE_MAX, NARROW},
        {all, &force_portable, 0, PORTABLE},
        {all, &force_portable, SIZE_MAX, PORTABLE},
        {all, &force_a, SIZE_MAX, PORTABLE},
        /* forced on a processor that lacks the best of it: the next best, never beyond the bits */
        {BIT_B | BIT_C, &force_wide, 0, MIDDLE},
        {BIT_C, &force_wide, SIZE_MAX, NARROW},
        {BIT_A, &force_wide, SIZE_MAX, PORTABLE},
        {0, &force_wide, SIZE_MAX, PORTABLE},
        {0, &force_portable, 7, PORTABLE},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        const struct expectation *e = &table[i];
        struct cpu cpu = {e->bits, 0};

        check_int((long)aeadfast_select(&list, &cpu, e->forced, e->len), (long)e->row,
                  "bits %llx, forced %s, %zu bytes", (unsigned long long)e->bits,
                  e->forced == NULL ? "nothing" : e->forced->name, e->len);
    }
}

static void test_row_runs(void **state)
{
    (void)state;
    for (uint64_t low = 0; low < 8; low++) {
        for (unsigned policy = 0; policy < 2; policy++) {
            struct cpu cpu = {low | (policy ? POLICY_Z : 0), 0};

            for (size_t i = 0; i < COUNT(rows); i++) {
                /* policy bits say nothing about what can run */
                check_int(aeadfast_row_runs(&rows[i], &cpu) != 0,
                          (low & rows[i].needs) == rows[i].needs, "%s with bits %x", rows[i].name,
                          (unsigned)low);
            }
        }
    }
}

/* The masks behind the choice: no candidate that does not run, nothing forced but one. */
static void test_candidates(void **state)
{
    const struct backend *const forced[] = {NULL,          &force_portable, &force_narrow,
                                            &force_middle, &force_wide,     &force_a};

    (void)state;
    for (uint64_t low = 0; low < 8; low++) {
        for (unsigned policy = 0; policy < 2; policy++) {
            for (size_t f = 0; f < COUNT(forced); f++) {
                struct cpu cpu = {low | (policy ? POLICY_Z : 0), 0};
                uint32_t mask = aeadfast_candidates(&list, &cpu, forced[f]);

                check_true(mask != 0 && mask < 1u << COUNT(rows), "bits %x: mask %x", (unsigned)low,
                           (unsigned)mask);
                for (size_t i = 0; i < COUNT(rows); i++) {
                    if ((mask >> i & 1) != 0) {
                        check_true((low & rows[i].needs) == rows[i].needs, "bits %x: %s",
                                   (unsigned)low, rows[i].name);
                        check_true(forced[f] != NULL || (cpu.bits & rows[i].wants) == rows[i].wants,
                                   "bits %x: %s is not wanted", (unsigned)low, rows[i].name);
                        check_true(forced[f] == NULL || (rows[i].needs & ~forced[f]->allows) == 0,
                                   "bits %x: %s is not allowed", (unsigned)low, rows[i].name);
                    }
                }
                if (forced[f] != NULL) {
                    check_true((mask & (mask - 1)) == 0, "bits %x forced: mask %x", (unsigned)low,
                               (unsigned)mask);
                } else {
                    /* where all else is too long, somebody takes it */
                    const struct kernel_row *row = aeadfast_pick(&list, mask, 0);

                    check_true(row->min_len == 0, "bits %x: %s for nothing", (unsigned)low,
                               row->name);
                }
            }
        }
    }
}

/* Picking among any candidates at all: the first that is long enough, else the last. */
static void test_pick(void **state)
{
    static const size_t lengths[] = {0, 1, 199, 200, 201, 1023, 1024, 1025, SIZE_MAX};

    (void)state;
    for (uint32_t mask = 1; mask < 1u << COUNT(rows); mask++) {
        for (size_t i = 0; i < COUNT(lengths); i++) {
            const struct kernel_row *want = NULL;
            const struct kernel_row *last = NULL;

            for (size_t j = 0; j < COUNT(rows); j++) {
                if ((mask >> j & 1) != 0) {
                    last = &rows[j];
                    if (want == NULL && lengths[i] >= rows[j].min_len) {
                        want = &rows[j];
                    }
                }
            }
            want = want == NULL ? last : want;
            check_true(aeadfast_pick(&list, mask, lengths[i]) == want, "mask %x, %zu bytes: %s",
                       (unsigned)mask, lengths[i], aeadfast_pick(&list, mask, lengths[i])->name);
        }
    }
    {
        /* as many rows as a list may have */
        struct kernel_row many[ROWS_MAX];
        struct kernel_list long_list = {many, COUNT(many)};
        struct cpu cpu = {0, 0};

        memset(many, 0, sizeof many);
        for (size_t i = 0; i < COUNT(many) - 1; i++) {
            many[i].needs = BIT_A;
        }
        assert_int_equal(aeadfast_candidates(&long_list, &cpu, NULL), UINT32_C(1)
                                                                          << (ROWS_MAX - 1));
        assert_int_equal(aeadfast_select(&long_list, &cpu, NULL, 0), ROWS_MAX - 1);
        assert_int_equal(aeadfast_select(&long_list, &cpu, &force_a, 0), ROWS_MAX - 1);
        cpu.bits = BIT_A;
        assert_int_equal(aeadfast_select(&long_list, &cpu, NULL, 0), 0);
    }
}

/* ---- Families of AES-GCM kernels ---- */

static void init_one(void *table, const uint8_t *key, size_t key_len)
{
    (void)table;
    (void)key;
    (void)key_len;
}

static void init_two(void *table, const uint8_t *key, size_t key_len)
{
    (void)table;
    (void)key_len;
    (void)(key == NULL ? NULL : key + 1);
}

static void test_family(void **state)
{
    static const struct aes_gcm_kernel one = {.init = init_one, .stack = 1};
    static const struct aes_gcm_kernel one_too = {.init = init_one, .stack = 2};
    static const struct aes_gcm_kernel two = {.init = init_two, .stack = 3};
    const struct kernel_row gcm_rows[] = {
        {"a", 0, 0, 0, 1024, {.aes_gcm = &one}},   {"b", 0, 0, 0, 512, {.aes_gcm = &two}},
        {"c", 0, 0, 0, 16, {.aes_gcm = &one_too}}, {"d", 0, 0, 0, 0, {.aes_gcm = &two}},
        {"e", 0, 0, 0, 0, {.aes_gcm = &one}},
    };
    const struct kernel_list gcm = {gcm_rows, COUNT(gcm_rows)};
    const uint32_t ones = 1u << 0 | 1u << 2 | 1u << 4;
    const uint32_t twos = 1u << 1 | 1u << 3;

    (void)state;
    for (uint32_t mask = 1; mask < 1u << COUNT(gcm_rows); mask++) {
        uint32_t best = mask & (0 - mask);
        uint32_t want = mask & ((best & ones) != 0 ? ones : twos);

        check_int((long)aeadfast_family(&gcm, mask), (long)want, "candidates %x", (unsigned)mask);
    }
}

/* ---- The lists of this build ---- */

static void test_lists_of_this_build(void **state)
{
    (void)state;
    assert_true(aeadfast_backends_size >= 1);
    assert_string_equal(aeadfast_backends[0].name, "portable");
    assert_true(aeadfast_backends[0].needs == 0 && aeadfast_backends[0].allows == 0);
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *l = &aeadfast_kernel_lists[op];
        const char *name = aeadfast_op_names[op];
        const struct kernel_row *last = &l->rows[l->count - 1];

        check_true(l->count >= 1 && l->count <= ROWS_MAX, "%s: %u rows", name, l->count);
        check_true(last->needs == 0 && last->wants == 0 && last->min_len == 0,
                   "%s: the last row is not for everybody", name);
        check_true(last->backend == 0, "%s: the last row is not portable", name);
        for (unsigned i = 0; i < l->count; i++) {
            const struct kernel_row *row = &l->rows[i];

            check_true(row->backend < aeadfast_backends_size, "%s, %s: backend %u", name, row->name,
                       row->backend);
            /* forcing a row's own backend must be able to reach it */
            check_true((row->needs & ~aeadfast_backends[row->backend].allows) == 0,
                       "%s, %s needs what its backend does not allow", name, row->name);
            check_true(row->kernel.chacha != NULL, "%s, %s: no kernel", name, row->name);
            for (unsigned j = 0; j < i; j++) {
                check_true(strcmp(l->rows[j].name, row->name) != 0, "%s: two rows named %s", name,
                           row->name);
            }
            if (op != AEADFAST_OP_AES_GCM) {
                continue;
            }
            for (unsigned j = 0; j < i; j++) {
                /* a key made by the better one of a family is used by the others */
                check_true(l->rows[j].kernel.aes_gcm->init != row->kernel.aes_gcm->init ||
                               (row->needs & ~l->rows[j].needs) == 0,
                           "%s, %s needs more than %s of its family", name, row->name,
                           l->rows[j].name);
            }
        }
    }
}

/* What can be forced by name is what rows belong to; the numbering begins with portable. */
static void test_backends_of_this_build(void **state)
{
    struct cpu cpu = aeadfast_cpu_probe();
    size_t count = aeadfast_backend_count();
    size_t built = 0;

    (void)state;
    for (unsigned i = 0; i < aeadfast_backends_size; i++) {
        const struct backend *b = &aeadfast_backends[i];
        int rows_of_it = 0;

        for (int op = 0; op < OP_COUNT; op++) {
            for (unsigned j = 0; j < aeadfast_kernel_lists[op].count; j++) {
                rows_of_it += aeadfast_kernel_lists[op].rows[j].backend == i;
            }
        }
        check_int(aeadfast_backend_built(b) != 0, rows_of_it != 0, "%s", b->name);
        check_int(aeadfast_backend_available(b, &cpu) != 0,
                  rows_of_it != 0 && (cpu.bits & b->needs) == b->needs, "%s", b->name);
        check_int(aeadfast_backend_supported(b->name), aeadfast_backend_available(b, &cpu) != 0,
                  "%s", b->name);
        check_true((b->needs & ~b->allows) == 0, "%s needs more than it allows", b->name);
        check_true(aeadfast_backend_find(b->name) == b, "%s is not found", b->name);
        if (rows_of_it != 0) {
            check_true(aeadfast_backend_name(built) != NULL &&
                           strcmp(aeadfast_backend_name(built), b->name) == 0,
                       "backend %zu is not %s", built, b->name);
            built++;
        }
        for (unsigned j = 0; j < i; j++) {
            check_true(strcmp(aeadfast_backends[j].name, b->name) != 0, "two backends named %s",
                       b->name);
        }
    }
    assert_int_equal(built, count);
}

/* Every bit that the probe can find has a name of its own. */
static void test_names_of_bits(void **state)
{
    struct cpu cpu = aeadfast_cpu_probe();
    uint64_t named = 0;

    (void)state;
    for (size_t i = 0; aeadfast_cpu_bit_names[i].bit != 0; i++) {
        const struct cpu_bit_name *n = &aeadfast_cpu_bit_names[i];

        check_true(n->name != NULL && n->name[0] != '\0', "bit %zu has no name", i);
        check_true((n->bit & (n->bit - 1)) == 0, "%s is more than a bit", n->name);
        check_true((named & n->bit) == 0, "%s: a bit with two names", n->name);
        named |= n->bit;
        for (size_t j = 0; j < i; j++) {
            check_true(strcmp(aeadfast_cpu_bit_names[j].name, n->name) != 0, "two bits named %s",
                       n->name);
        }
    }
    assert_true((cpu.bits & ~named) == 0);
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < aeadfast_kernel_lists[op].count; i++) {
            const struct kernel_row *row = &aeadfast_kernel_lists[op].rows[i];

            check_true(((row->needs | row->wants) & ~named) == 0, "%s needs bits without a name",
                       row->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_row_runs),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_family),
        cmocka_unit_test(test_lists_of_this_build),
        cmocka_unit_test(test_backends_of_this_build),
        cmocka_unit_test(test_names_of_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
