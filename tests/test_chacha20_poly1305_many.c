/* SPDX-License-Identifier: MIT */
/*
 * Many messages in one call: each kernel's `many` by name, and the public functions under each
 * backend, against one message after another. Mixes of all lengths, own and shared keys, in place and
 * not, next to forbidden pages; with forged messages, and such as are refused, among the good ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check.h"
#include "kernels.h"
#include "many_slots.h"

enum { MESSAGES = 40 };

static const struct many_sizes sizes = {.len_max = MANY_LEN_MAX,
                                        .aad_max = 700,
                                        .nonce_max = 12,
                                        .key_max = 32,
                                        .short_max = 130,
                                        .block = 64,
                                        .blocks = 6,
                                        .aad_blocks = 5};

static struct many_slot slots[MESSAGES];
static chacha20_poly1305_message messages[MESSAGES];
static struct rng rng;
static const uint8_t *first_key;

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    many_slots_make(slots, MESSAGES, &sizes);
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    many_slots_free(slots, MESSAGES);
    return 0;
}

/* Fills message i, the key its own or that of message 0, and says what must come out, by the portable
 * kernel. */
static void fill(size_t i, size_t len, size_t aad_len, int shared_key, int opening)
{
    const struct chacha20_poly1305_kernel *portable =
        kernels_portable(AEADFAST_OP_CHACHA20_POLY1305)->kernel.aead;
    struct many_slot *s = &slots[i];
    const uint8_t *key = many_place_random(&rng, &s->key_pages, 32);

    if (i == 0) {
        first_key = key; /* messages[0] may lose its own */
    }
    key = shared_key ? first_key : key;
    many_fill(&rng, s, len, aad_len, 12, 16);
    messages[i] = (chacha20_poly1305_message){s->dst,     s->tag,   s->src, s->len, s->aad,
                                              s->aad_len, s->nonce, key,    1};
    (opening ? portable->open : portable->seal)(s->want, s->want_tag, s->src, s->len, s->aad,
                                                s->aad_len, s->nonce, key);
}

/* ---- Kernels ---- */

static size_t kernel_case(const struct kernel_row *row, size_t n, enum many_mix mix, int opening)
{
    const size_t max =
        row->kernel.aead->many_len < sizes.len_max ? row->kernel.aead->many_len : sizes.len_max;
    const size_t alike = rng_below(&rng, max + 1);
    const int shared_key = (int)rng_below(&rng, 2);
    struct aead_job jobs[AEAD_JOBS_MAX];

    for (size_t i = 0; i < n; i++) {
        const chacha20_poly1305_message *m = &messages[i];

        fill(i, many_len(&rng, &sizes, mix, alike, max), many_aad_len(&rng, &sizes), shared_key,
             opening);
        jobs[i] =
            (struct aead_job){m->dst, m->tag, m->src, m->len, m->aad, m->aad_len, m->nonce, m->key};
    }
    row->kernel.aead->many(jobs, n, opening);
    for (size_t i = 0; i < n; i++) {
        many_check_job(&slots[i], row->name, i, n);
    }
    return n;
}

static size_t every_kernel(const struct kernel_row *row)
{
    const struct chacha20_poly1305_kernel *kernel = row->kernel.aead;

    return many_kernel(row, kernel->many != NULL, kernel->many_len, 6, kernel_case);
}

static void test_kernels(void **unused)
{
    (void)unused;
    kernels_each(AEADFAST_OP_CHACHA20_POLY1305, "many", every_kernel);
}

/* ---- Public functions ---- */

/* Makes a good message one that is refused, and returns what it must be refused with. */
static int spoil(chacha20_poly1305_message *m)
{
    switch (rng_below(&rng, 5)) {
    case 0:
        m->key = NULL;
        return AEADFAST_ERR_ARGUMENT;
    case 1:
        m->tag = NULL;
        return AEADFAST_ERR_ARGUMENT;
    case 2:
        m->len = SIZE_MAX;
        return AEADFAST_ERR_LENGTH;
    case 3:
        m->aad = m->dst;
        m->aad_len = m->len;
        if (m->len != 0) {
            return AEADFAST_ERR_OVERLAP;
        }
        m->dst = NULL;
        m->len = 1;
        return AEADFAST_ERR_ARGUMENT;
    default:
        m->nonce = NULL;
        return AEADFAST_ERR_ARGUMENT;
    }
}

/* `bad` of 16 messages are forged, and as many refused. */
static size_t public_case(const char *name, size_t n, enum many_mix mix, int opening, size_t bad)
{
    const size_t alike = rng_below(&rng, sizes.len_max + 1);
    const int shared_key = (int)rng_below(&rng, 2);
    int want = AEADFAST_OK;

    for (size_t i = 0; i < n; i++) {
        struct many_slot *s = &slots[i];

        fill(i, many_len(&rng, &sizes, mix, alike, sizes.len_max), many_aad_len(&rng, &sizes),
             shared_key, opening);
        if (opening) {
            many_give_tag(&rng, s, rng_below(&rng, 16) < bad);
        }
        if (rng_below(&rng, 16) < bad) {
            many_refuse(s, spoil(&messages[i]));
        }
        if (want == AEADFAST_OK) {
            want = s->want_result;
        }
    }
    check_int(opening ? chacha20_poly1305_open_many(messages, n)
                      : chacha20_poly1305_seal_many(messages, n),
              want, "%s: %zu messages", name, n);
    for (size_t i = 0; i < n; i++) {
        many_check_message(&slots[i], messages[i].result, opening, name, i, n);
    }
    return n;
}

static void with_backend(const char *name)
{
    size_t cases = 0;

    name = name != NULL ? name : "automatic";
    for (int turn = 0; turn < 2 * MIX_COUNT; turn++) {
        for (size_t n = 0; n <= MESSAGES; n++) {
            cases += public_case(name, n, (enum many_mix)(turn / 2), turn & 1, 0);
            cases += public_case(name, n, (enum many_mix)(turn / 2), turn & 1, 2);
        }
    }
    check_note("%s: %zu messages\n", name, cases);
}

static void test_public(void **unused)
{
    (void)unused;
    backends_each(with_backend);
}

static void test_array(void **unused)
{
    (void)unused;
    assert_int_equal(chacha20_poly1305_seal_many(NULL, 0), AEADFAST_OK);
    assert_int_equal(chacha20_poly1305_open_many(NULL, 0), AEADFAST_OK);
    assert_int_equal(chacha20_poly1305_seal_many(NULL, 1), AEADFAST_ERR_ARGUMENT);
    assert_int_equal(chacha20_poly1305_open_many(NULL, 7), AEADFAST_ERR_ARGUMENT);
}

/* More messages than any kernel takes at once, of which the forged ones alone fail. */
static void test_one_forged(void **unused)
{
    (void)unused;
    for (size_t bad = 0; bad < MESSAGES; bad++) {
        for (size_t i = 0; i < MESSAGES; i++) {
            fill(i, 64 + i, 13, 0, 1);
            many_give_tag(&rng, &slots[i], i == bad);
        }
        assert_int_equal(chacha20_poly1305_open_many(messages, MESSAGES), AEADFAST_ERR_AUTH);
        for (size_t i = 0; i < MESSAGES; i++) {
            check_int(messages[i].result, i == bad ? AEADFAST_ERR_AUTH : AEADFAST_OK,
                      "message %zu, %zu is forged", i, bad);
            many_check_message(&slots[i], messages[i].result, 1, "one forged", i, MESSAGES);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_public),
        cmocka_unit_test(test_array),
        cmocka_unit_test(test_one_forged),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
