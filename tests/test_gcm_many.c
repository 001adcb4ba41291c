/* SPDX-License-Identifier: MIT */
/*
 * Many messages of AES-GCM in one call: each kernel's `many` by name, and the public functions under
 * each backend, against the portable kernel and one message after another. Mixes of all lengths, keys
 * of all sizes, own and shared, short tags and odd nonces, in place and not, next to forbidden pages;
 * with forged messages, and such as are refused, among the good ones.
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

enum { MESSAGES = 40, NONCE_MAX = 40 };

static const struct many_sizes sizes = {.len_max = 3000,
                                        .aad_max = 400,
                                        .nonce_max = NONCE_MAX,
                                        .key_max = AES_GCM_TABLE_BYTES,
                                        .short_max = 180,
                                        .block = 16,
                                        .blocks = 12,
                                        .aad_blocks = 12};

/* A key as the public functions have it, and as the portable kernel does. */
struct gcm_key {
    aes_gcm_key key;
    size_t tag_len;
    uint64_t portable[AES_GCM_TABLE_BYTES / 8];
};

static struct many_slot slots[MESSAGES];
static struct gcm_key keys[MESSAGES];
static aes_gcm_message messages[MESSAGES];
static struct rng rng;

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

/* Fills message i, under that key, and says what must come out, by the portable kernel. */
static void fill(size_t i, size_t len, size_t aad_len, size_t nonce_len, size_t tag_len,
                 const struct gcm_key *key, int opening)
{
    const struct aes_gcm_kernel *portable = kernels_portable(AEADFAST_OP_AES_GCM)->kernel.aes_gcm;
    struct many_slot *s = &slots[i];

    many_fill(&rng, s, len, aad_len, nonce_len, tag_len);
    messages[i] = (aes_gcm_message){s->dst,     s->tag,   s->src,       s->len,    s->aad,
                                    s->aad_len, s->nonce, s->nonce_len, &key->key, 1};
    (opening ? portable->open : portable->seal)(key->portable, s->want, s->want_tag, s->src, s->len,
                                                s->aad, s->aad_len, s->nonce, s->nonce_len);
}

/* ---- Kernels ---- */

static size_t kernel_case(const struct kernel_row *row, size_t n, enum many_mix mix, int opening)
{
    const struct aes_gcm_kernel *portable = kernels_portable(AEADFAST_OP_AES_GCM)->kernel.aes_gcm;
    const struct aes_gcm_kernel *kernel = row->kernel.aes_gcm;
    const size_t max = kernel->many_len < sizes.len_max ? kernel->many_len : sizes.len_max;
    const size_t alike = rng_below(&rng, rng_below(&rng, 2) ? 200 : max + 1);
    const size_t key_count = 1 + rng_below(&rng, n);
    struct aead_job jobs[AEAD_JOBS_MAX];

    for (size_t i = 0; i < key_count; i++) {
        const size_t key_len = 16 + 8 * rng_below(&rng, 3);
        uint8_t key[32];

        rng_bytes(&rng, key, key_len);
        kernel->init(guard_end(&slots[i].key_pages, AES_GCM_TABLE_BYTES), key, key_len);
        portable->init(keys[i].portable, key, key_len);
    }
    for (size_t i = 0; i < n; i++) {
        const aes_gcm_message *m = &messages[i];

        fill(i, many_len(&rng, &sizes, mix, alike, max), many_aad_len(&rng, &sizes), 12, 16,
             &keys[i % key_count], opening);
        jobs[i] = (struct aead_job){
            m->dst,   m->tag,
            m->src,   m->len,
            m->aad,   m->aad_len,
            m->nonce, guard_end(&slots[i % key_count].key_pages, AES_GCM_TABLE_BYTES)};
    }
    kernel->many(jobs, n, opening);
    for (size_t i = 0; i < n; i++) {
        many_check_job(&slots[i], row->name, i, n);
    }
    return n;
}

static size_t every_kernel(const struct kernel_row *row)
{
    const struct aes_gcm_kernel *kernel = row->kernel.aes_gcm;

    return many_kernel(row, kernel->many != NULL, kernel->many_len, 8, kernel_case);
}

static void test_kernels(void **unused)
{
    (void)unused;
    kernels_each(AEADFAST_OP_AES_GCM, "many", every_kernel);
}

/* ---- Public functions ---- */

/* Makes a good message one that is refused, and returns what it must be refused with. */
static int spoil(aes_gcm_message *m)
{
    static const aes_gcm_key wiped;

    switch (rng_below(&rng, 8)) {
    case 0:
        m->k = NULL;
        return AEADFAST_ERR_ARGUMENT;
    case 1:
        m->tag = NULL;
        return AEADFAST_ERR_ARGUMENT;
    case 2:
        m->nonce = NULL;
        return AEADFAST_ERR_ARGUMENT;
    case 3:
        m->nonce_len = 0;
        return AEADFAST_ERR_ARGUMENT;
    case 4:
        m->len = SIZE_MAX;
        return AEADFAST_ERR_LENGTH;
    case 5:
        m->k = &wiped;
        return AEADFAST_ERR_STATE;
    case 6:
        m->src = NULL;
        m->len += m->len == 0;
        return AEADFAST_ERR_ARGUMENT;
    default:
        m->aad = m->dst;
        m->aad_len = m->len;
        if (m->len != 0) {
            return AEADFAST_ERR_OVERLAP;
        }
        m->dst = NULL;
        m->len = 1;
        return AEADFAST_ERR_ARGUMENT;
    }
}

static void make_key(size_t i, size_t tag_len)
{
    const size_t key_len = 16 + 8 * rng_below(&rng, 3);
    uint8_t key[32];

    rng_bytes(&rng, key, key_len);
    kernels_portable(AEADFAST_OP_AES_GCM)->kernel.aes_gcm->init(keys[i].portable, key, key_len);
    assert_int_equal(aes_gcm_init_tag(&keys[i].key, key, key_len, tag_len), AEADFAST_OK);
    keys[i].tag_len = tag_len;
}

struct workload {
    enum many_mix mix;
    int opening;
    size_t bad;   /* of 16 messages so many are forged, and as many refused */
    int usual;    /* whole tags and 12-byte nonces only */
    int backends; /* keys of several families */
};

static void make_keys(size_t n, const struct workload *w)
{
    static const size_t tag_lens[7] = {16, 4, 8, 12, 13, 14, 15};

    for (size_t i = 0; i < n; i++) {
        size_t tag = w->usual || rng_below(&rng, 3) != 0 ? 0 : rng_below(&rng, 7);

        if (w->backends) {
            backends_any(&rng); /* another family of keys */
        }
        make_key(i, tag_lens[tag]);
    }
}

static size_t public_case(const char *name, size_t n, const struct workload *w)
{
    const size_t alike = rng_below(&rng, rng_below(&rng, 2) ? 200 : sizes.len_max + 1);
    const size_t key_count = n == 0 ? 0 : rng_below(&rng, 3) == 0 ? 1 : 1 + rng_below(&rng, n);
    int want = AEADFAST_OK;

    make_keys(key_count, w);
    for (size_t i = 0; i < n; i++) {
        struct many_slot *s = &slots[i];
        const struct gcm_key *key = &keys[rng_below(&rng, key_count)];
        const int odd_nonce = !w->usual && rng_below(&rng, 8) == 0;

        fill(i, many_len(&rng, &sizes, w->mix, alike, sizes.len_max), many_aad_len(&rng, &sizes),
             odd_nonce ? 1 + rng_below(&rng, NONCE_MAX) : 12, key->tag_len, key, w->opening);
        if (w->opening) {
            many_give_tag(&rng, s, rng_below(&rng, 16) < w->bad);
        }
        if (rng_below(&rng, 16) < w->bad) {
            many_refuse(s, spoil(&messages[i]));
        }
        if (want == AEADFAST_OK) {
            want = s->want_result;
        }
    }
    check_int(w->opening ? aes_gcm_open_many(messages, n) : aes_gcm_seal_many(messages, n), want,
              "%s: %zu messages", name, n);
    for (size_t i = 0; i < n; i++) {
        many_check_message(&slots[i], messages[i].result, w->opening, name, i, n);
    }
    return n;
}

static void with_backend(const char *name)
{
    size_t cases = 0;

    name = name != NULL ? name : "automatic";
    for (size_t turn = 0; turn < 4 * MIX_COUNT; turn++) {
        struct workload w = {
            .mix = (enum many_mix)(turn / 4), .opening = turn & 1, .usual = turn & 2};

        for (size_t n = 0; n <= MESSAGES; n++) {
            w.bad = n % 2 != 0 ? 2 : 0;
            cases += public_case(name, n, &w);
        }
    }
    check_note("%s: %zu messages\n", name, cases);
}

static void test_public(void **unused)
{
    (void)unused;
    backends_each(with_backend);
}

/* Keys keep the family that they were made for; a batch is all of one. */
static void test_families(void **unused)
{
    size_t cases = 0;

    (void)unused;
    for (size_t turn = 0; turn < 4 * MIX_COUNT; turn++) {
        struct workload w = {.mix = (enum many_mix)(turn / 4),
                             .opening = turn & 1,
                             .usual = turn & 2,
                             .backends = 1};

        for (size_t n = 2; n <= MESSAGES; n++) {
            w.bad = n % 3 == 0;
            cases += public_case("families", n, &w);
        }
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
    check_note("%zu messages\n", cases);
}

static void test_array(void **unused)
{
    (void)unused;
    assert_int_equal(aes_gcm_seal_many(NULL, 0), AEADFAST_OK);
    assert_int_equal(aes_gcm_open_many(NULL, 0), AEADFAST_OK);
    assert_int_equal(aes_gcm_seal_many(NULL, 1), AEADFAST_ERR_ARGUMENT);
    assert_int_equal(aes_gcm_open_many(NULL, 7), AEADFAST_ERR_ARGUMENT);
}

/* More messages than any kernel takes at once, of which the forged one alone fails. */
static void test_one_forged(void **unused)
{
    (void)unused;
    for (size_t bad = 0; bad < MESSAGES; bad++) {
        make_key(0, bad % 2 == 0 ? 16 : 12);
        for (size_t i = 0; i < MESSAGES; i++) {
            fill(i, 64 + i, 13, 12, keys[0].tag_len, &keys[0], 1);
            many_give_tag(&rng, &slots[i], i == bad);
        }
        assert_int_equal(aes_gcm_open_many(messages, MESSAGES), AEADFAST_ERR_AUTH);
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
        cmocka_unit_test(test_kernels),    cmocka_unit_test(test_public),
        cmocka_unit_test(test_families),   cmocka_unit_test(test_array),
        cmocka_unit_test(test_one_forged),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
