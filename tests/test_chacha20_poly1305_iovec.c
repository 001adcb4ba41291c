/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 of texts in several buffers: however they are cut, the result is that of the
 * portable kernel on the whole; a forgery leaves zeros, and what is refused leaves everything as it
 * was. Which overlaps are refused is the matter of test_iovec_check.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checks.h"
#include "dispatch.h"
#include "support/check.h"
#include "support/guard.h"
#include "support/kernels.h"
#include "support/rng.h"

enum { TOTAL = 20000, AAD_TOTAL = 1200, SHORT = 14, PIECES = 64, PAGES = 8 };

static uint8_t key[32];
static uint8_t nonce[24];
static uint8_t text[TOTAL];
static uint8_t sealed[2][TOTAL]; /* without and with X */
static uint8_t aad[AAD_TOTAL];
static uint8_t in_bytes[TOTAL];
static uint8_t out_bytes[TOTAL];
static struct guard pages[2 * PAGES];
static struct rng rng;

typedef int sealv(const aeadfast_iovec *, size_t, uint8_t *, const aeadfast_iovec *, size_t,
                  const aeadfast_iovec *, size_t, const uint8_t *, const uint8_t *);
typedef int openv(const aeadfast_iovec *, size_t, const aeadfast_iovec *, size_t, const uint8_t *,
                  const aeadfast_iovec *, size_t, const uint8_t *, const uint8_t *);

static sealv *const sealvs[2] = {chacha20_poly1305_sealv, xchacha20_poly1305_sealv};
static openv *const openvs[2] = {chacha20_poly1305_openv, xchacha20_poly1305_openv};

static void whole(int x, uint8_t *ct, uint8_t tag[16], size_t len, size_t aad_len)
{
    const struct chacha20_poly1305_kernel *portable =
        kernels_portable(AEADFAST_OP_CHACHA20_POLY1305)->kernel.aead;
    uint8_t subkey[32];
    uint8_t subnonce[12] = {0};

    if (!x) {
        portable->seal(ct, tag, text, len, aad, aad_len, nonce, key);
        return;
    }
    assert_int_equal(hchacha20(subkey, nonce, key), AEADFAST_OK);
    memcpy(subnonce + 4, nonce + 16, 8);
    portable->seal(ct, tag, text, len, aad, aad_len, subnonce, subkey);
}

static int set_up(void **state)
{
    uint8_t tag[16];

    (void)state;
    rng_begin(&rng);
    rng_bytes(&rng, key, sizeof key);
    rng_bytes(&rng, nonce, sizeof nonce);
    rng_bytes(&rng, text, sizeof text);
    rng_bytes(&rng, aad, sizeof aad);
    whole(0, sealed[0], tag, TOTAL, 0);
    whole(1, sealed[1], tag, TOTAL, 0);
    for (size_t i = 0; i < 2 * PAGES; i++) {
        guard_make(&pages[i], TOTAL);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * PAGES; i++) {
        guard_free(&pages[i]);
    }
    return 0;
}

/* ---- Lists ---- */

struct cut {
    aeadfast_iovec pieces[PIECES];
    size_t count;
};

static void cut_add(struct cut *cut, uint8_t *base, size_t len)
{
    cut->pieces[cut->count].base = len == 0 && cut->count % 2 == 0 ? NULL : base;
    cut->pieces[cut->count].len = len;
    cut->count++;
}

/* One buffer in pieces of random lengths. */
static void cut_randomly(struct cut *cut, uint8_t *base, size_t len)
{
    static const size_t bounds[] = {5, 100, 700, 2000, 8000};
    size_t most = 1 + rng_below(&rng, PIECES - 1);

    cut->count = 0;
    while (len != 0 && cut->count < most) {
        size_t n = rng_below(&rng, bounds[rng_below(&rng, 5)]);

        n = n < len ? n : len;
        cut_add(cut, base, n);
        base += n;
        len -= n;
    }
    if (len != 0) {
        cut_add(cut, base, len);
    }
}

/* The same pieces each before a page of its own that nothing may touch: the first few. */
static void move_to_pages(struct cut *cut, struct guard *own)
{
    size_t used = 0;

    for (size_t i = 0; i < cut->count && used < PAGES; i++) {
        uint8_t *from = cut->pieces[i].base;
        size_t n = cut->pieces[i].len;

        if (n != 0) {
            cut->pieces[i].base = guard_end(&own[used++], n);
            memcpy(cut->pieces[i].base, from, n);
        }
    }
}

static void check_list(const struct cut *cut, const uint8_t *want, const char *what)
{
    for (size_t i = 0; i < cut->count; i++) {
        if (cut->pieces[i].len != 0) {
            check_bytes(cut->pieces[i].base, want, cut->pieces[i].len, "%s, piece %zu of %zu", what,
                        i, cut->count);
            want += cut->pieces[i].len;
        }
    }
}

static void check_list_zero(const struct cut *cut)
{
    for (size_t i = 0; i < cut->count; i++) {
        check_fill(cut->pieces[i].base, 0, cut->pieces[i].len, "forged, piece %zu", i);
    }
}

/* The message sealed, or opened, and opened with a wrong tag; the source holds what it must. */
static void seal_and_check(int x, const struct cut *dst, const struct cut *src,
                           const struct cut *data, const uint8_t tag[16])
{
    uint8_t got[16];

    check_int(sealvs[x](dst->pieces, dst->count, got, src->pieces, src->count, data->pieces,
                        data->count, nonce, key),
              AEADFAST_OK, "sealing");
    check_bytes(got, tag, 16, "tag, %zu pieces from %zu, %zu of data", dst->count, src->count,
                data->count);
    check_list(dst, sealed[x], "sealing");
}

static void open_and_check(int x, const struct cut *dst, const struct cut *src,
                           const struct cut *data, const uint8_t tag[16], int forged)
{
    uint8_t given[16];

    memcpy(given, tag, 16);
    given[rng_below(&rng, 16)] ^= (uint8_t)(forged ? 1 << rng_below(&rng, 8) : 0);
    check_int(openvs[x](dst->pieces, dst->count, src->pieces, src->count, given, data->pieces,
                        data->count, nonce, key),
              forged ? AEADFAST_ERR_AUTH : AEADFAST_OK, "opening, %zu pieces from %zu", dst->count,
              src->count);
    if (forged) {
        check_list_zero(dst);
    } else {
        check_list(dst, text, "opening");
    }
}

/* ---- Splits ---- */

/* Text of a few bytes: every way to cut in- and output in up to three pieces each. */
static void short_texts(const char *backend)
{
    static uint8_t ct[TOTAL];

    (void)backend;
    for (size_t len = 0; len <= SHORT; len++) {
        struct cut data = {{{NULL, 0}}, 0};
        uint8_t tag[16];

        whole(0, ct, tag, len, 2);
        cut_add(&data, aad, 1);
        cut_add(&data, aad + 1, 0);
        cut_add(&data, aad + 1, 1);
        for (size_t cuts = 0; cuts < (len + 1) * (len + 1) * (len + 1) * (len + 1); cuts++) {
            size_t a = cuts % (len + 1);
            size_t b = cuts / (len + 1) % (len + 1);
            size_t c = cuts / (len + 1) / (len + 1) % (len + 1);
            size_t d = cuts / (len + 1) / (len + 1) / (len + 1);
            struct cut src = {{{NULL, 0}}, 0};
            struct cut dst = {{{NULL, 0}}, 0};
            int in_place = (int)(cuts % 2);
            int opening = (int)(cuts / 2 % 2);
            uint8_t *to = in_place ? in_bytes : out_bytes;

            if (b < a || d < c || (len > 8 && cuts % 7 > 1)) {
                continue;
            }
            cut_add(&src, in_bytes, a);
            cut_add(&src, in_bytes + a, b - a);
            cut_add(&src, in_bytes + b, len - b);
            cut_add(&dst, to, c);
            cut_add(&dst, to + c, d - c);
            cut_add(&dst, to + d, len - d);
            memcpy(in_bytes, opening ? sealed[0] : text, len);
            if (opening) {
                open_and_check(0, &dst, &src, &data, tag, cuts % 3 == 0);
            } else {
                seal_and_check(0, &dst, &src, &data, tag);
            }
        }
    }
}

BACKENDS_TEST(short_texts)

static void long_texts(const char *backend)
{
    (void)backend;
    for (size_t n = 0; n < 500; n++) {
        size_t len = rng_below(&rng, n % 3 == 0 ? TOTAL + 1 : 4000);
        size_t aad_len = rng_below(&rng, n % 5 == 0 ? AAD_TOTAL + 1 : 50);
        int x = (int)rng_below(&rng, 2);
        int opening = (int)rng_below(&rng, 2);
        int layout = (int)rng_below(&rng, 3);
        static uint8_t ct[TOTAL];
        struct cut src;
        struct cut dst;
        struct cut data;
        uint8_t tag[16];

        if (n % 7 == 0) { /* about where messages cease to be put together */
            len = 2048 - aad_len + rng_below(&rng, 5) - 2;
        }
        whole(x, ct, tag, len, aad_len);
        memcpy(in_bytes, opening ? sealed[x] : text, len);
        cut_randomly(&src, in_bytes, len);
        cut_randomly(&dst, layout == 0 ? in_bytes : out_bytes, len);
        cut_randomly(&data, aad, aad_len);
        if (layout == 2) {
            move_to_pages(&src, pages);
            move_to_pages(&dst, pages + PAGES);
        }
        if (opening) {
            open_and_check(x, &dst, &src, &data, tag, n % 4 == 0);
        } else {
            seal_and_check(x, &dst, &src, &data, tag);
        }
        if (layout != 0) {
            check_list(&src, opening ? sealed[x] : text, "the source");
        }
    }
}

BACKENDS_TEST(long_texts)

/* One buffer each, with and without lists for what is empty. */
static void test_whole_texts(void **state)
{
    static const size_t lengths[] = {0, 1, 64, 500, 3000};

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int x = 0; x < 2; x++) {
            for (size_t aad_len = 0; aad_len <= 30; aad_len += 15) {
                aeadfast_iovec in = {text, lengths[i]};
                aeadfast_iovec out = {out_bytes, lengths[i]};
                aeadfast_iovec back = {in_bytes, lengths[i]};
                aeadfast_iovec data = {aad, aad_len};
                size_t count = lengths[i] != 0;
                size_t data_count = aad_len != 0;
                static uint8_t ct[TOTAL];
                uint8_t tag[16];
                uint8_t got[16];

                whole(x, ct, tag, lengths[i], aad_len);
                check_int(sealvs[x](count != 0 ? &out : NULL, count, got, &in, 1,
                                    data_count != 0 ? &data : NULL, data_count, nonce, key),
                          AEADFAST_OK, "%zu bytes", lengths[i]);
                check_bytes(out_bytes, ct, lengths[i], "text");
                check_bytes(got, tag, 16, "tag");
                check_int(
                    openvs[x](&back, 1, count != 0 ? &out : NULL, count, tag, &data, 1, nonce, key),
                    AEADFAST_OK, "%zu bytes", lengths[i]);
                check_bytes(in_bytes, text, lengths[i], "text");
                got[3] ^= 4;
                check_int(openvs[x](&back, 1, &out, 1, got, &data, 1, nonce, key),
                          AEADFAST_ERR_AUTH, "%zu bytes", lengths[i]);
                check_fill(in_bytes, 0, lengths[i], "forged");
            }
        }
    }
}

/* ---- Refusals ---- */

static uint8_t arena[4096];
static uint8_t tag_bytes[16];

static void refuses(int expected, const struct cut *out, const struct cut *in,
                    const struct cut *data, uint8_t *tag, const uint8_t *n, const uint8_t *k,
                    const char *what)
{
    static uint8_t before[sizeof arena];

    for (int x = 0; x < 2; x++) {
        memcpy(before, arena, sizeof arena);
        memset(tag_bytes, 0x5a, 16);
        check_int(sealvs[x](out->pieces, out->count, tag, in->pieces, in->count, data->pieces,
                            data->count, n, k),
                  expected, "sealing: %s", what);
        check_int(openvs[x](out->pieces, out->count, in->pieces, in->count, tag, data->pieces,
                            data->count, n, k),
                  expected, "opening: %s", what);
        check_bytes(arena, before, sizeof arena, "%s: something was written", what);
        check_fill(tag_bytes, 0x5a, 16, "%s: the tag was written", what);
    }
}

static void test_refusals(void **state)
{
    struct cut in = {{{arena, 40}, {arena + 40, 60}}, 2};
    struct cut out = {{{arena + 200, 70}, {arena + 300, 30}}, 2};
    struct cut data = {{{arena + 500, 10}, {arena + 600, 10}}, 2};
    struct cut changed;
    size_t over = (size_t)0 - 1;

    (void)state;
    rng_bytes(&rng, arena, sizeof arena);
    refuses(AEADFAST_ERR_ARGUMENT, &out, &in, &data, NULL, nonce, key, "no tag");
    refuses(AEADFAST_ERR_ARGUMENT, &out, &in, &data, tag_bytes, NULL, key, "no nonce");
    refuses(AEADFAST_ERR_ARGUMENT, &out, &in, &data, tag_bytes, nonce, NULL, "no key");
    changed = out;
    changed.pieces[1].len++;
    refuses(AEADFAST_ERR_ARGUMENT, &changed, &in, &data, tag_bytes, nonce, key, "more out than in");
    changed = in;
    changed.pieces[1].base = NULL;
    refuses(AEADFAST_ERR_ARGUMENT, &out, &changed, &data, tag_bytes, nonce, key, "no base");
    changed = data;
    changed.pieces[0].len = over;
    refuses(AEADFAST_ERR_LENGTH, &out, &in, &changed, tag_bytes, nonce, key, "too much data");
    changed.pieces[0].len = OBJECT_MAX;
    refuses(AEADFAST_ERR_LENGTH, &out, &in, &changed, tag_bytes, nonce, key, "too much together");
    changed = out;
    changed.pieces[1].base = arena + 269;
    refuses(AEADFAST_ERR_OVERLAP, &changed, &in, &data, tag_bytes, nonce, key, "pieces that meet");
    changed = out;
    changed.pieces[0].base = arena + 99;
    refuses(AEADFAST_ERR_OVERLAP, &changed, &in, &data, tag_bytes, nonce, key, "in- and output");
    changed = out;
    changed.pieces[0].base = arena + 609;
    refuses(AEADFAST_ERR_OVERLAP, &changed, &in, &data, tag_bytes, nonce, key, "data");
    refuses(AEADFAST_ERR_OVERLAP, &out, &in, &data, arena + 329, nonce, key, "tag");
    refuses(AEADFAST_ERR_OVERLAP, &out, &in, &data, tag_bytes, arena + 189, key, "nonce");
    refuses(AEADFAST_ERR_OVERLAP, &out, &in, &data, tag_bytes, nonce, arena + 329, "key");
    changed = out;
    changed.pieces[0].base = (uint8_t *)changed.pieces;
    refuses(AEADFAST_ERR_OVERLAP, &changed, &in, &data, tag_bytes, nonce, key, "the list itself");
}

/* The limit on text, where a size_t can hold it. */
static void test_limits(void **state)
{
    (void)state;
#if SIZE_MAX > 0xffffffff
    {
        uint64_t half = AEADFAST_CHACHA20_POLY1305_TEXT_MAX / 2;
        struct cut in = {
            {{(void *)(uintptr_t)0x10000, half}, {(void *)(uintptr_t)0x10000, half + 1}}, 2};
        struct cut out = in;
        struct cut none = {{{NULL, 0}}, 0};

        refuses(AEADFAST_ERR_LENGTH, &out, &in, &none, tag_bytes, nonce, key, "too much text");
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_texts), cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_whole_texts), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_limits),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
