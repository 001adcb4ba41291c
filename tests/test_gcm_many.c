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
#include "guard.h"
#include "kernels.h"
#include "rng.h"

enum { MESSAGES = 40, LEN_MAX = 3000, AAD_MAX = 400, NONCE_MAX = 40, DENSE = 1101, MARGIN = 64 };

/* What one message has: buffers of its own, what they hold, and what must come out. */
struct slot {
    struct guard dst;
    struct guard src;
    struct guard aad;
    struct guard nonce;
    struct guard tag;
    struct guard table;
    aes_gcm_key key;
    size_t tag_len; /* of the key */
    uint64_t portable[AES_GCM_TABLE_BYTES / 8];
    uint8_t want[LEN_MAX];
    uint8_t want_tag[16];
    int want_result;
    uint8_t *placed_dst;
    uint8_t *placed_tag;
    size_t placed_len;
    size_t placed_tag_len; /* of the key that the message is under */
};

static struct slot slots[MESSAGES];
static aes_gcm_message messages[MESSAGES];
static struct rng rng;
static size_t next_len;

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    for (size_t i = 0; i < MESSAGES; i++) {
        guard_make(&slots[i].dst, LEN_MAX + MARGIN);
        guard_make(&slots[i].src, LEN_MAX + MARGIN);
        guard_make(&slots[i].aad, AAD_MAX + MARGIN);
        guard_make(&slots[i].nonce, NONCE_MAX + MARGIN);
        guard_make(&slots[i].tag, 16 + MARGIN);
        guard_make(&slots[i].table, AES_GCM_TABLE_BYTES);
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
        guard_free(&slots[i].tag);
        guard_free(&slots[i].table);
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

static uint8_t *place_random(const struct guard *g, size_t n)
{
    uint8_t *p = place(g, n);

    rng_bytes(&rng, p, n);
    return p;
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
        len = rng_below(&rng, 180);
        break;
    case MIX_WHOLE_BLOCKS:
        len = 16 * rng_below(&rng, 12);
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
        return 16 * rng_below(&rng, 12);
    default:
        return rng_below(&rng, 40);
    }
}

/* Fills message i but for its key, with buffers that are in place in one case of three. */
static void fill(size_t i, size_t len, size_t aad_len, size_t nonce_len)
{
    struct slot *s = &slots[i];
    uint8_t *dst = place(&s->dst, len);
    const uint8_t *src = place_random(&s->src, len);
    const uint8_t *aad = place_random(&s->aad, aad_len);
    const uint8_t *nonce = place_random(&s->nonce, nonce_len);

    memset(dst, 0xa5, len);
    if (rng_below(&rng, 3) == 0) {
        memcpy(dst, src, len);
        src = dst;
    }
    messages[i] = (aes_gcm_message){.dst = dst,
                                    .src = src,
                                    .len = len,
                                    .aad = aad_len != 0 ? aad : NULL,
                                    .aad_len = aad_len,
                                    .nonce = nonce,
                                    .nonce_len = nonce_len,
                                    .result = 1};
    s->placed_dst = dst;
    s->placed_len = len;
}

/* The tag's place, and what stands there before. */
static void fill_tag(size_t i, size_t tag_len)
{
    struct slot *s = &slots[i];

    s->placed_tag = place(&s->tag, tag_len);
    s->placed_tag_len = tag_len;
    memset(s->placed_tag, 0x5a, tag_len);
    messages[i].tag = s->placed_tag;
}

/* What must come out, by the portable kernel under the table of slot `key`. */
static void expect(size_t i, size_t key, int opening)
{
    const struct aes_gcm_kernel *portable = kernels_portable(AEADFAST_OP_AES_GCM)->kernel.aes_gcm;
    struct slot *s = &slots[i];
    const aes_gcm_message *m = &messages[i];

    (opening ? portable->open : portable->seal)(slots[key].portable, s->want, s->want_tag, m->src,
                                                m->len, m->aad, m->aad_len, m->nonce, m->nonce_len);
    s->want_result = AEADFAST_OK;
}

/* ---- Kernels ---- */

static size_t kernel_case(const struct kernel_row *row, size_t n, enum mix mix, int opening)
{
    const struct aes_gcm_kernel *portable = kernels_portable(AEADFAST_OP_AES_GCM)->kernel.aes_gcm;
    const struct aes_gcm_kernel *kernel = row->kernel.aes_gcm;
    const size_t max = kernel->many_len < LEN_MAX ? kernel->many_len : LEN_MAX;
    const size_t alike = rng_below(&rng, rng_below(&rng, 2) ? 200 : max + 1);
    const size_t keys = 1 + rng_below(&rng, n);
    struct aead_job jobs[AEAD_JOBS_MAX];

    for (size_t i = 0; i < keys; i++) {
        const size_t key_len = 16 + 8 * rng_below(&rng, 3);
        uint8_t key[32];

        rng_bytes(&rng, key, key_len);
        kernel->init(guard_end(&slots[i].table, AES_GCM_TABLE_BYTES), key, key_len);
        portable->init(slots[i].portable, key, key_len);
    }
    for (size_t i = 0; i < n; i++) {
        const aes_gcm_message *m = &messages[i];

        fill(i, mixed_len(mix, alike, max), mixed_aad(), 12);
        fill_tag(i, 16);
        expect(i, i % keys, opening);
        jobs[i] = (struct aead_job){
            m->dst, m->tag,     m->src,   m->len,
            m->aad, m->aad_len, m->nonce, guard_end(&slots[i % keys].table, AES_GCM_TABLE_BYTES)};
    }
    kernel->many(jobs, n, opening);
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

    if (row->kernel.aes_gcm->many == NULL) {
        check_note("%s does one message after another\n", row->name);
        check_int((long)row->kernel.aes_gcm->many_len, 0, "%s: many_len", row->name);
        return 1;
    }
    for (int turn = 0; turn < 8 * MIX_COUNT; turn++) {
        for (size_t n = 1; n <= AEAD_JOBS_MAX; n++) {
            cases += kernel_case(row, n, (enum mix)((size_t)turn % MIX_COUNT), turn & 1);
        }
    }
    return cases;
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

/* Makes the tag of a message that is opened the right one, or a wrong one. */
static void give_tag(size_t i, int forged)
{
    struct slot *s = &slots[i];

    memcpy(s->placed_tag, s->want_tag, s->placed_tag_len);
    if (forged) {
        s->placed_tag[rng_below(&rng, s->placed_tag_len)] ^= (uint8_t)(1u << rng_below(&rng, 8));
        memset(s->want, 0, s->placed_len);
        s->want_result = AEADFAST_ERR_AUTH;
    }
}

static void make_key(size_t i, size_t tag_len)
{
    const size_t key_len = 16 + 8 * rng_below(&rng, 3);
    uint8_t key[32];

    rng_bytes(&rng, key, key_len);
    kernels_portable(AEADFAST_OP_AES_GCM)->kernel.aes_gcm->init(slots[i].portable, key, key_len);
    assert_int_equal(aes_gcm_init_tag(&slots[i].key, key, key_len, tag_len), AEADFAST_OK);
    slots[i].tag_len = tag_len;
}

/* Another family of keys, where the processor has one. */
static void next_backend(void)
{
    size_t i = rng_below(&rng, aeadfast_backend_count());

    if (aeadfast_backend_supported(aeadfast_backend_name(i))) {
        assert_int_equal(aeadfast_backend_select(aeadfast_backend_name(i)), AEADFAST_OK);
    }
}

struct workload {
    enum mix mix;
    int opening;
    size_t bad;   /* of 16 messages so many are forged, and as many refused */
    int usual;    /* whole tags and 12-byte nonces only */
    int backends; /* keys of several families */
};

static void make_keys(size_t keys, const struct workload *w)
{
    static const size_t tag_lens[7] = {16, 4, 8, 12, 13, 14, 15};

    for (size_t i = 0; i < keys; i++) {
        size_t tag = w->usual || rng_below(&rng, 3) != 0 ? 0 : rng_below(&rng, 7);

        if (w->backends) {
            next_backend();
        }
        make_key(i, tag_lens[tag]);
    }
}

static int is_refused(const struct slot *s)
{
    return s->want_result != AEADFAST_OK && s->want_result != AEADFAST_ERR_AUTH;
}

static size_t public_case(const char *name, size_t n, const struct workload *w)
{
    const size_t alike = rng_below(&rng, rng_below(&rng, 2) ? 200 : LEN_MAX + 1);
    const size_t keys = n == 0 ? 0 : rng_below(&rng, 3) == 0 ? 1 : 1 + rng_below(&rng, n);
    int want = AEADFAST_OK;

    make_keys(keys, w);
    for (size_t i = 0; i < n; i++) {
        struct slot *s = &slots[i];
        const size_t key = rng_below(&rng, keys);
        const int odd_nonce = !w->usual && rng_below(&rng, 8) == 0;

        fill(i, mixed_len(w->mix, alike, LEN_MAX), mixed_aad(),
             odd_nonce ? 1 + rng_below(&rng, NONCE_MAX) : 12);
        fill_tag(i, slots[key].tag_len);
        messages[i].k = &slots[key].key;
        expect(i, key, w->opening);
        if (w->opening) {
            give_tag(i, rng_below(&rng, 16) < w->bad);
        }
        if (rng_below(&rng, 16) < w->bad) {
            s->want_result = spoil(&messages[i]);
            memcpy(s->want, s->placed_dst, s->placed_len);
            memcpy(s->want_tag, s->placed_tag, s->placed_tag_len);
        }
        if (want == AEADFAST_OK) {
            want = s->want_result;
        }
    }
    check_int(w->opening ? aes_gcm_open_many(messages, n) : aes_gcm_seal_many(messages, n), want,
              "%s: %zu messages", name, n);
    for (size_t i = 0; i < n; i++) {
        const struct slot *s = &slots[i];

        check_int(messages[i].result, s->want_result, "%s: result %zu of %zu, %zu bytes", name, i,
                  n, s->placed_len);
        check_bytes(s->placed_dst, s->want, s->placed_len, "%s: text %zu of %zu, %zu bytes", name,
                    i, n, s->placed_len);
        if (!w->opening || is_refused(s)) {
            check_bytes(s->placed_tag, s->want_tag, s->placed_tag_len,
                        "%s: tag %zu of %zu, %zu bytes", name, i, n, s->placed_len);
        }
    }
    return n;
}

static void with_backend(const char *name)
{
    size_t cases = 0;

    name = name != NULL ? name : "automatic";
    for (size_t turn = 0; turn < 4 * MIX_COUNT; turn++) {
        struct workload w = {.mix = (enum mix)(turn / 4), .opening = turn & 1, .usual = turn & 2};

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
        struct workload w = {
            .mix = (enum mix)(turn / 4), .opening = turn & 1, .usual = turn & 2, .backends = 1};

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
            fill(i, 64 + i, 13, 12);
            fill_tag(i, slots[0].tag_len);
            messages[i].k = &slots[0].key;
            expect(i, 0, 1);
            give_tag(i, i == bad);
        }
        assert_int_equal(aes_gcm_open_many(messages, MESSAGES), AEADFAST_ERR_AUTH);
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
        cmocka_unit_test(test_kernels),    cmocka_unit_test(test_public),
        cmocka_unit_test(test_families),   cmocka_unit_test(test_array),
        cmocka_unit_test(test_one_forged),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
