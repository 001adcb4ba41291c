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
#include "guard.h"
#include "kernels.h"
#include "rng.h"

enum { MESSAGES = 40, LEN_MAX = 5000, AAD_MAX = 700, DENSE = 1101, MARGIN = 64 };

/* What one message has: buffers of its own, what they hold, and what must come out. */
struct slot {
    struct guard dst;
    struct guard src;
    struct guard aad;
    struct guard nonce;
    struct guard key;
    struct guard tag;
    uint8_t want[LEN_MAX];
    uint8_t want_tag[16];
    int want_result;
};

static struct slot slots[MESSAGES];
static chacha20_poly1305_message messages[MESSAGES];
static struct rng rng;
static size_t next_len;
static const uint8_t *first_key;

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    for (size_t i = 0; i < MESSAGES; i++) {
        guard_make(&slots[i].dst, LEN_MAX + MARGIN);
        guard_make(&slots[i].src, LEN_MAX + MARGIN);
        guard_make(&slots[i].aad, AAD_MAX + MARGIN);
        guard_make(&slots[i].nonce, 12 + MARGIN);
        guard_make(&slots[i].key, 32 + MARGIN);
        guard_make(&slots[i].tag, 16 + MARGIN);
    }
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < MESSAGES; i++) {
        guard_free(&slots[i].dst);
        guard_free(&slots[i].src);
        guard_free(&slots[i].aad);
        guard_free(&slots[i].nonce);
        guard_free(&slots[i].key);
        guard_free(&slots[i].tag);
    }
    return 0;
}

/* n bytes that end at a forbidden page, begin behind one, or lie somewhere. */
static uint8_t *place(const struct guard *g, size_t n)
{
    switch (rng_below(&rng, 4)) {
    case 0:
        return guard_start(g) + rng_below(&rng, MARGIN);
    case 1:
        return guard_start(g);
    default:
        return guard_end(g, n);
    }
}

/* ---- Mixes ---- */

enum mix { MIX_ALL, MIX_SHORT, MIX_WHOLE_BLOCKS, MIX_ALIKE, MIX_LONG, MIX_COUNT };

/* Over many calls MIX_ALL has every length below DENSE. */
static size_t mixed_len(enum mix mix, size_t alike, size_t max)
{
    size_t len;

    switch (mix) {
    case MIX_ALL:
        next_len = (next_len + 397) % DENSE;
        len = next_len;
        break;
    case MIX_SHORT:
        len = rng_below(&rng, 130);
        break;
    case MIX_WHOLE_BLOCKS:
        len = 64 * rng_below(&rng, 6);
        break;
    case MIX_ALIKE:
        len = alike;
        break;
    default:
        len = rng_below(&rng, max + 1);
        break;
    }
    return len <= max ? len : max;
}

static size_t mixed_aad(void)
{
    switch (rng_below(&rng, 8)) {
    case 0:
        return 0;
    case 1:
        return rng_below(&rng, AAD_MAX + 1);
    case 2:
        return 16 * rng_below(&rng, 5);
    default:
        return rng_below(&rng, 40);
    }
}

/* Fills message i: random inputs, the key its own or that of message 0. */
static void fill(size_t i, size_t len, size_t aad_len, int shared_key)
{
    struct slot *s = &slots[i];
    chacha20_poly1305_message *m = &messages[i];
    uint8_t *src = place(&s->src, len);
    uint8_t *aad = place(&s->aad, aad_len);
    uint8_t *nonce = place(&s->nonce, 12);
    uint8_t *key = place(&s->key, 32);

    rng_bytes(&rng, src, len);
    rng_bytes(&rng, aad, aad_len);
    rng_bytes(&rng, nonce, 12);
    rng_bytes(&rng, key, 32);
    m->dst = place(&s->dst, len);
    m->tag = place(&s->tag, 16);
    m->src = src;
    m->len = len;
    m->aad = aad_len != 0 ? aad : NULL;
    m->aad_len = aad_len;
    m->nonce = nonce;
    if (i == 0) {
        first_key = key; /* messages[0] may lose its own */
    }
    m->key = shared_key ? first_key : key;
    m->result = 1;
    memset(m->dst, 0xa5, len);
    memset(m->tag, 0x5a, 16);
}

/* What must come out, by the portable kernel; afterwards some messages are to be in place. */
static void expect(size_t i, int opening)
{
    const struct chacha20_poly1305_kernel *portable =
        kernels_portable(AEADFAST_OP_CHACHA20_POLY1305)->kernel.aead;
    struct slot *s = &slots[i];
    chacha20_poly1305_message *m = &messages[i];

    (opening ? portable->open : portable->seal)(s->want, s->want_tag, m->src, m->len, m->aad,
                                                m->aad_len, m->nonce, m->key);
    s->want_result = AEADFAST_OK;
    if (rng_below(&rng, 3) == 0) {
        memcpy(m->dst, m->src, m->len);
        m->src = m->dst;
    }
}

/* ---- Kernels ---- */

static size_t kernel_case(const struct kernel_row *row, size_t n, enum mix mix, int opening)
{
    const size_t max = row->kernel.aead->many_len < LEN_MAX ? row->kernel.aead->many_len : LEN_MAX;
    const size_t alike = rng_below(&rng, max + 1);
    const int shared_key = (int)rng_below(&rng, 2);
    struct aead_job jobs[AEAD_JOBS_MAX];

    for (size_t i = 0; i < n; i++) {
        const chacha20_poly1305_message *m = &messages[i];

        fill(i, mixed_len(mix, alike, max), mixed_aad(), shared_key);
        expect(i, opening);
        jobs[i] =
            (struct aead_job){m->dst, m->tag, m->src, m->len, m->aad, m->aad_len, m->nonce, m->key};
    }
    row->kernel.aead->many(jobs, n, opening);
    for (size_t i = 0; i < n; i++) {
        check_bytes(messages[i].dst, slots[i].want, messages[i].len,
                    "%s: text of message %zu of %zu, %zu bytes", row->name, i, n, messages[i].len);
        check_bytes(messages[i].tag, slots[i].want_tag, 16,
                    "%s: tag of message %zu of %zu, %zu bytes", row->name, i, n, messages[i].len);
    }
    return n;
}

static size_t every_kernel(const struct kernel_row *row)
{
    size_t cases = 0;

    if (row->kernel.aead->many == NULL) {
        check_note("%s does one message after another\n", row->name);
        check_int((long)row->kernel.aead->many_len, 0, "%s: many_len", row->name);
        return 1;
    }
    for (int turn = 0; turn < 30; turn++) {
        for (size_t n = 1; n <= AEAD_JOBS_MAX; n++) {
            cases += kernel_case(row, n, (enum mix)((size_t)turn % MIX_COUNT), turn & 1);
        }
    }
    return cases;
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

/* Makes the tag of a message that is opened the right one, or a wrong one. */
static void give_tag(size_t i, int forged)
{
    memcpy(messages[i].tag, slots[i].want_tag, 16);
    if (forged) {
        messages[i].tag[rng_below(&rng, 16)] ^= (uint8_t)(1u << rng_below(&rng, 8));
        memset(slots[i].want, 0, messages[i].len);
        slots[i].want_result = AEADFAST_ERR_AUTH;
    }
}

static int is_refused(const struct slot *s)
{
    return s->want_result != AEADFAST_OK && s->want_result != AEADFAST_ERR_AUTH;
}

/* `bad` of 16 messages are forged, and as many refused. */
static size_t public_case(const char *name, size_t n, enum mix mix, int opening, size_t bad)
{
    const size_t alike = rng_below(&rng, LEN_MAX + 1);
    const int shared_key = (int)rng_below(&rng, 2);
    size_t lens[MESSAGES];
    uint8_t *places[MESSAGES];
    uint8_t *tags[MESSAGES];
    int want = AEADFAST_OK;
    int result;

    for (size_t i = 0; i < n; i++) {
        chacha20_poly1305_message *m = &messages[i];

        fill(i, mixed_len(mix, alike, LEN_MAX), mixed_aad(), shared_key);
        expect(i, opening);
        lens[i] = m->len;
        places[i] = m->dst;
        tags[i] = m->tag;
        if (opening) {
            give_tag(i, rng_below(&rng, 16) < bad);
        }
        if (rng_below(&rng, 16) < bad) {
            slots[i].want_result = spoil(m);
            memcpy(slots[i].want, places[i], lens[i]);
            memcpy(slots[i].want_tag, tags[i], 16);
        }
        if (want == AEADFAST_OK) {
            want = slots[i].want_result;
        }
    }
    result = opening ? chacha20_poly1305_open_many(messages, n)
                     : chacha20_poly1305_seal_many(messages, n);
    check_int(result, want, "%s: %zu messages", name, n);
    for (size_t i = 0; i < n; i++) {
        check_int(messages[i].result, slots[i].want_result, "%s: result %zu of %zu, %zu bytes",
                  name, i, n, lens[i]);
        check_bytes(places[i], slots[i].want, lens[i], "%s: text %zu of %zu, %zu bytes", name, i, n,
                    lens[i]);
        if (!opening || is_refused(&slots[i])) {
            check_bytes(tags[i], slots[i].want_tag, 16, "%s: tag %zu of %zu, %zu bytes", name, i, n,
                        lens[i]);
        }
    }
    return n;
}

static void with_backend(const char *name)
{
    size_t cases = 0;

    name = name != NULL ? name : "automatic";
    for (int turn = 0; turn < 2 * MIX_COUNT; turn++) {
        for (size_t n = 0; n <= MESSAGES; n++) {
            cases += public_case(name, n, (enum mix)(turn / 2), turn & 1, 0);
            cases += public_case(name, n, (enum mix)(turn / 2), turn & 1, 2);
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
            fill(i, 64 + i, 13, 0);
            expect(i, 1);
            give_tag(i, i == bad);
        }
        assert_int_equal(chacha20_poly1305_open_many(messages, MESSAGES), AEADFAST_ERR_AUTH);
        for (size_t i = 0; i < MESSAGES; i++) {
            check_int(messages[i].result, i == bad ? AEADFAST_ERR_AUTH : AEADFAST_OK,
                      "message %zu, %zu is forged", i, bad);
            check_bytes(messages[i].dst, slots[i].want, messages[i].len,
                        "message %zu, %zu is forged", i, bad);
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
