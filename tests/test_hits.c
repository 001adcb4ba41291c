/* SPDX-License-Identifier: MIT */
/*
 * The public functions reach the kernel that they should, and no other: hit marks in each row are
 * compared with what the rows say of the processor, the backend and the length. For the processor
 * that this runs on, and, each in a process of its own, for every one that lacks an instruction set
 * which some row needs, or has none but those of one row; under the automatic choice and each
 * backend; by AEADFAST_BACKEND and by aeadfast_backend_select; at N - 1, N and N + 1 for each
 * threshold N.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_table.h"
#include "child.h"
#include "counted_kernels.h"
#include "support/check.h"

#if defined(_WIN32) /* there are no children */
#define ENSURE(condition) assert_true(condition)
#else
#define ENSURE(condition) REQUIRE(condition)
#endif

static struct api_arena arena;
static unsigned cases;

/* ---- Which row must be hit ---- */

/* The long way round: the best row that fits. */
static unsigned wanted_row(int op, const struct cpu *cpu, const struct backend *forced, size_t len)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[op];
    unsigned i = 0;

    for (;; i++) {
        const struct kernel_row *row = &list->rows[i];

        if ((row->needs & ~cpu->bits) != 0) {
            continue;
        }
        if (forced != NULL ? (row->needs & ~forced->allows) == 0
                           : (row->wants & ~cpu->bits) == 0 && len >= row->min_len) {
            return i;
        }
    }
}

/* AES-GCM: the row whose tables a new key gets, and of its family the one for the length. */
static unsigned wanted_gcm_row(const struct cpu *cpu, const struct backend *forced, size_t len)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[AEADFAST_OP_AES_GCM];
    unsigned best = wanted_row(AEADFAST_OP_AES_GCM, cpu, forced, SIZE_MAX);
    unsigned i = best;

    if (forced != NULL) {
        return best;
    }
    while (len < list->rows[i].min_len ||
           list->rows[i].kernel.aes_gcm->init != list->rows[best].kernel.aes_gcm->init ||
           ((list->rows[i].needs | list->rows[i].wants) & ~cpu->bits) != 0) {
        i++;
    }
    return i;
}

/* Parts belong to a family, and count for the first row of it. */
static unsigned family_head(unsigned row)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[AEADFAST_OP_AES_GCM];
    unsigned i = 0;

    while (list->rows[i].kernel.aes_gcm->init != list->rows[row].kernel.aes_gcm->init) {
        i++;
    }
    return i;
}

/* Exactly one row of each operation that is in `used`, and none of the others. */
static void require_hits(const char *name, unsigned used, const unsigned want[OP_COUNT])
{
    int right = 1;

    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < aeadfast_kernel_lists[op].count; i++) {
            int hit = counted_hits[op][i] != 0;

            if (hit != ((used & 1u << op) != 0 && i == want[op])) {
                print_message("%s: %s %s was %s\n", name, aeadfast_op_names[op],
                              aeadfast_kernel_lists[op].rows[i].name, hit ? "hit" : "not hit");
                right = 0;
            }
        }
    }
    ENSURE(right);
    cases++;
}

static void call_one(const struct api_function *f, size_t len, const struct cpu *cpu,
                     const struct backend *forced)
{
    struct api_call call = api_sizes(len, 20);
    unsigned used = 1u << f->op;
    unsigned want[OP_COUNT];

    for (int op = 0; op < OP_COUNT; op++) {
        want[op] = wanted_row(op, cpu, forced, len);
    }
    want[AEADFAST_OP_AES_GCM] = wanted_gcm_row(cpu, forced, len);
    if (strncmp(f->name, "aes_gcm_init", 12) == 0 || strcmp(f->name, "aes_gcm_siv_init") == 0) {
        want[AEADFAST_OP_AES_GCM] = wanted_gcm_row(cpu, forced, SIZE_MAX);
    } else if (api_is_siv(f)) {
        want[AEADFAST_OP_AES_GCM] = family_head(want[AEADFAST_OP_AES_GCM]);
    } else if (strncmp(f->name, "xchacha20_poly1305", 18) == 0) {
        used |= 1u << AEADFAST_OP_CHACHA20; /* one block for the derived key */
        want[AEADFAST_OP_CHACHA20] = wanted_row(AEADFAST_OP_CHACHA20, cpu, forced, 64);
    } else if (strcmp(f->name, "hchacha20") == 0) {
        want[AEADFAST_OP_CHACHA20] = wanted_row(AEADFAST_OP_CHACHA20, cpu, forced, 64);
    } else if (strcmp(f->name, "poly1305_final") == 0) {
        want[AEADFAST_OP_POLY1305] = wanted_row(AEADFAST_OP_POLY1305, cpu, forced, 16);
    } else if (strcmp(f->name, "poly1305_begin") == 0 ||
               (strcmp(f->name, "poly1305_update") == 0 && len < 16)) {
        used = 0; /* no block yet */
    } else if (len == 0 && f->op == AEADFAST_OP_CHACHA20) {
        used = 0;
    }
    api_place(f, &call, &arena);
    api_fill(f, &call);
    counted_reset();
    ENSURE(f->call(&call) == AEADFAST_OK);
    if (strcmp(f->name, "xchacha20_xor") == 0) {
        /* two calls of one operation: the derived key's, of 64 bytes, and the message's */
        unsigned key = wanted_row(AEADFAST_OP_CHACHA20, cpu, forced, 64);

        ENSURE(counted_hits[AEADFAST_OP_CHACHA20][key] == (len == 0 || key != want[0] ? 1 : 2));
        ENSURE(len == 0 || counted_hits[AEADFAST_OP_CHACHA20][want[0]] != 0);
        counted_hits[AEADFAST_OP_CHACHA20][key] -= key != want[0] || len == 0;
    }
    require_hits(f->name, used, want);
}

/*
 * Several messages are done at once where the kernel can and they are short: that for long ones with
 * ChaCha20-Poly1305, that of the key's family with AES-GCM.
 */
static void call_many(const struct api_function *f, size_t len, const struct cpu *cpu,
                      const struct backend *forced)
{
    enum { MESSAGES = 5 };
    const int gcm = f->op == AEADFAST_OP_AES_GCM;
    const unsigned best =
        gcm ? wanted_gcm_row(cpu, forced, len) : wanted_row((int)f->op, cpu, forced, SIZE_MAX);
    const struct kernel_row *row = &aeadfast_kernel_lists[f->op].rows[best];
    const int can = gcm ? row->kernel.aes_gcm->many != NULL : row->kernel.aead->many != NULL;
    const int together =
        can && len <= (gcm ? row->kernel.aes_gcm->many_len : row->kernel.aead->many_len);
    struct api_call call = api_sizes(len, 20);
    unsigned want[OP_COUNT] = {0};
    chacha20_poly1305_message chacha[MESSAGES];
    aes_gcm_message aes[MESSAGES];
    static uint8_t other[MESSAGES][API_SLOT];
    uint8_t tags[MESSAGES][16];

    api_place(f, &call, &arena);
    api_fill(f, &call);
    for (size_t i = 0; i < MESSAGES; i++) {
        const uint8_t *in = call.arg[ARG_IN];
        const uint8_t *aad = call.arg[ARG_AAD];
        const uint8_t *nonce = call.arg[ARG_NONCE];
        const aes_gcm_key *k = (const aes_gcm_key *)(const void *)call.arg[ARG_OBJECT];

        chacha[i] = (chacha20_poly1305_message){
            other[i], tags[i], in, len, aad, call.aad_len, nonce, call.arg[ARG_KEY], 0};
        aes[i] = (aes_gcm_message){other[i], tags[i],        in, len, aad, call.aad_len,
                                   nonce,    call.nonce_len, k,  0};
    }
    want[f->op] = together || gcm ? best : wanted_row((int)f->op, cpu, forced, len);
    counted_reset();
    ENSURE((gcm ? aes_gcm_seal_many(aes, MESSAGES)
                : chacha20_poly1305_seal_many(chacha, MESSAGES)) == AEADFAST_OK);
    ENSURE(counted_hits[f->op][want[f->op]] == (together ? 1 : MESSAGES));
    require_hits(f->name, 1u << f->op, want);
}

/*
 * ChaCha20-Poly1305 in pieces: the ChaCha and the Poly1305 within it may be hit too, by rows that need
 * and want nothing beyond the row of the whole, which is that for the length so far.
 */
static int is_in_pieces(const struct api_function *f)
{
    return f->op == AEADFAST_OP_CHACHA20_POLY1305 &&
           (strstr(f->name, "_stream_") != NULL || f->name[strlen(f->name) - 1] == 'v');
}

static void call_in_pieces(const struct api_function *f, size_t len, const struct cpu *cpu,
                           const struct backend *forced)
{
    struct api_call call = api_sizes(len, 20);
    size_t so_far = (f->inputs & 1u << ARG_IN) != 0    ? len
                    : (f->inputs & 1u << ARG_AAD) != 0 ? 5 + 20
                    : strstr(f->name, "open") != NULL  ? 20
                                                       : 0;
    const struct kernel_row *whole =
        &aeadfast_kernel_lists[f->op].rows[wanted_row((int)f->op, cpu, forced, so_far)];
    unsigned hits = 0;

    api_place(f, &call, &arena);
    api_fill(f, &call);
    counted_reset();
    ENSURE(f->call(&call) == AEADFAST_OK);
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < aeadfast_kernel_lists[op].count; i++) {
            const struct kernel_row *row = &aeadfast_kernel_lists[op].rows[i];

            if (counted_hits[op][i] != 0) {
                ENSURE(op != AEADFAST_OP_AES_GCM && (op != (int)f->op || row == whole));
                /* Short lists are done by the one-shot function, which derives a key as above. */
                ENSURE(((row->needs & ~whole->needs) == 0 && (row->wants & ~whole->wants) == 0) ||
                       (strncmp(f->name, "xchacha20", 9) == 0 && op == AEADFAST_OP_CHACHA20 &&
                        i == wanted_row(op, cpu, forced, 64)));
                hits += counted_hits[op][i];
            }
        }
    }
    /* Text of some blocks does not go without, nor does a tag. */
    ENSURE(hits != 0 || len < 64 || (f->outputs & 1u << ARG_OUT) == 0);
    ENSURE(hits != 0 || (f->outputs & 1u << ARG_TAG) == 0);
    cases++;
}

static void call_all(const struct cpu *cpu, const struct backend *forced)
{
    for (size_t i = 0; i < api_table_size; i++) {
        const struct api_function *f = &api_table[i];
        const struct kernel_list *list = &aeadfast_kernel_lists[f->op];

        if (strstr(f->name, "_many") != NULL) {
            static const size_t lens[4] = {0, 64, 600, 4500};

            for (size_t l = 0; l < 4; l++) {
                call_many(f, lens[l], cpu, forced);
            }
            continue;
        }
        if (is_in_pieces(f)) {
            call_in_pieces(f, 0, cpu, forced);
            call_in_pieces(f, 1, cpu, forced);
            call_in_pieces(f, 600, cpu, forced);
            call_in_pieces(f, 4500, cpu, forced);
            continue;
        }
        call_one(f, 0, cpu, forced);
        call_one(f, 1, cpu, forced);
        call_one(f, 4000, cpu, forced);
        for (unsigned r = 0; r < list->count; r++) {
            size_t n = list->rows[r].min_len;

            for (size_t len = n - 1; n > 1 && len <= n + 1; len++) {
                call_one(f, len, cpu, forced);
            }
        }
    }
}

/* ---- This processor ---- */

/* What aeadfast_backend_select(NULL) goes back to. */
static const struct backend *backend_of_environment(void)
{
    const char *name = getenv("AEADFAST_BACKEND");

    return name != NULL ? aeadfast_backend_find(name) : NULL;
}

static void test_this_processor(void **state)
{
    struct cpu cpu = counted_real_processor();

    (void)state;
    counted_processor(NULL);
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
    call_all(&cpu, backend_of_environment());
    for (unsigned b = 0; b < aeadfast_backends_size; b++) {
        const struct backend *forced = &aeadfast_backends[b];

        if (aeadfast_backend_available(forced, &cpu)) {
            assert_int_equal(aeadfast_backend_select(forced->name), AEADFAST_OK);
            call_all(&cpu, forced);
        }
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
    check_note("this processor: %u calls, each hit its kernel\n", cases);
}

/* A wrong row in force must be noticed: what is hit is looked at, not what is named. */
static void test_marks_tell_rows_apart(void **state)
{
    struct api_call call = api_sizes(300, 20);
    const struct api_function *f = api_find("chacha20_poly1305_seal");
    struct cpu cpu = counted_real_processor();
    unsigned seen[COUNTED_ROWS] = {0};
    unsigned different = 0;

    (void)state;
    for (unsigned i = 0; i < aeadfast_kernel_lists[f->op].count; i++) {
        atomic_store(&aeadfast_choice[f->op], UINT32_C(1) << i);
        api_place(f, &call, &arena);
        api_fill(f, &call);
        counted_reset();
        assert_int_equal(f->call(&call), AEADFAST_OK);
        for (unsigned j = 0; j < aeadfast_kernel_lists[f->op].count; j++) {
            check_int((long)counted_hits[f->op][j], i == j, "row %u in force, row %u", i, j);
            seen[j] += counted_hits[f->op][j];
        }
        different += i != wanted_row((int)f->op, &cpu, backend_of_environment(), 300);
    }
    assert_int_equal(different + 1, aeadfast_kernel_lists[f->op].count);
    assert_int_equal(seen[0], 1);
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
}

/* ---- Made-up processors, by the environment ---- */

#if !defined(_WIN32)

struct trial {
    struct cpu cpu;
    const struct backend *forced;
};

static int try_processor(const void *arg)
{
    const struct trial *t = arg;

    counted_processor(&t->cpu);
    call_all(&t->cpu, t->forced);
    return 0;
}

static void check_processor(struct cpu cpu, unsigned *processors)
{
    for (unsigned b = 0; b <= aeadfast_backends_size; b++) {
        struct trial t = {cpu, b == 0 ? NULL : &aeadfast_backends[b - 1]};
        struct child child = {.backend = t.forced != NULL ? t.forced->name : NULL};

        if (t.forced != NULL && !aeadfast_backend_available(t.forced, &cpu)) {
            continue;
        }
        child_run(&child, try_processor, &t);
        check_int(child.exit_code, 0, "bits %llx, backend %s", (unsigned long long)cpu.bits,
                  child.backend != NULL ? child.backend : "automatic");
    }
    ++*processors;
}

static void test_made_up_processors(void **state)
{
    uint64_t all = 0;
    unsigned processors = 0;
    struct cpu cpu = {0, 16};

    (void)state;
    check_processor(cpu, &processors);
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < aeadfast_kernel_lists[op].count; i++) {
            all |=
                aeadfast_kernel_lists[op].rows[i].needs | aeadfast_kernel_lists[op].rows[i].wants;
        }
    }
    cpu.bits = all;
    check_processor(cpu, &processors);
    for (unsigned bit = 0; bit < 64; bit++) {
        if ((all >> bit & 1) != 0) {
            cpu.bits = all & ~(UINT64_C(1) << bit);
            check_processor(cpu, &processors);
        }
    }
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i + 1 < aeadfast_kernel_lists[op].count; i++) {
            cpu.bits = aeadfast_kernel_lists[op].rows[i].needs;
            check_processor(cpu, &processors);
        }
    }
    check_note("%u made-up processors\n", processors);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if !defined(_WIN32)
        cmocka_unit_test(test_made_up_processors), /* first: this process has chosen nothing yet */
#endif
        cmocka_unit_test(test_this_processor),
        cmocka_unit_test(test_marks_tell_rows_apart),
    };

    counted_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
