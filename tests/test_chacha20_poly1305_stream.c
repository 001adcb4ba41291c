/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 piece by piece: any split of text and additional data gives what the portable
 * kernel gives for the whole, under every backend and where the backend changes on the way; what is
 * out of order, past a limit or finished is refused and changes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chacha20_poly1305_pieces.h"
#include "support/chacha_message.h"
#include "support/check.h"
#include "support/guard.h"
#include "support/kernels.h"
#include "support/rng.h"

enum { TOTAL = CHACHA_TEXT_MAX, SHORT = 22, AAD_TOTAL = CHACHA_AAD_MAX };

static struct chacha_message m;
static struct guard in_pages;
static struct guard out_pages;
static struct rng rng;

static int set_up(void **state)
{
    (void)state;
    rng_begin(&rng);
    chacha_message_fill(&m, &rng);
    guard_make(&in_pages, TOTAL);
    guard_make(&out_pages, TOTAL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    guard_free(&in_pages);
    guard_free(&out_pages);
    return 0;
}

/* ---- Pieces ---- */

/* A piece, in place or not, with nothing around it that may be touched. */
static void take(chacha20_poly1305_stream *s, int opening, size_t at, size_t n, int in_place)
{
    const uint8_t *from = opening ? m.sealed : m.text;
    const uint8_t *to = opening ? m.text : m.sealed;
    uint8_t *src = guard_end(&in_pages, n);
    uint8_t *dst = in_place ? src : n % 2 == 0 ? guard_end(&out_pages, n) : guard_start(&out_pages);
    int r;

    if (n == 0 && at % 2 == 0) {
        src = dst = NULL;
    } else {
        memcpy(src, from + at, n);
    }
    r = opening ? chacha20_poly1305_stream_open_unverified_update(s, dst, src, n)
                : chacha20_poly1305_stream_seal_update(s, dst, src, n);
    check_int(r, AEADFAST_OK, "%zu bytes at %zu", n, at);
    if (n != 0) {
        check_bytes(dst, to + at, n, "%s %zu bytes at %zu", opening ? "opening" : "sealing", n, at);
    }
}

static void take_aad(chacha20_poly1305_stream *s, size_t at, size_t n)
{
    uint8_t *piece = guard_end(&in_pages, n);

    memcpy(piece, m.aad + at, n);
    check_int(chacha20_poly1305_stream_aad(s, n == 0 ? NULL : piece, n), AEADFAST_OK,
              "%zu bytes of data at %zu", n, at);
}

static void begin(chacha20_poly1305_stream *s)
{
    memset(s, 0x5a, sizeof *s);
    assert_int_equal(chacha20_poly1305_stream_init(s, m.nonce, m.key), AEADFAST_OK);
}

static void end(chacha20_poly1305_stream *s, int opening, const uint8_t tag[16], const char *what)
{
    static const chacha20_poly1305_stream zero;
    uint8_t got[16];

    if (opening) {
        check_int(chacha20_poly1305_stream_open_final(s, tag), AEADFAST_OK, "%s", what);
    } else {
        check_int(chacha20_poly1305_stream_seal_final(s, got), AEADFAST_OK, "%s", what);
        check_bytes(got, tag, 16, "%s", what);
    }
    check_bytes(s, &zero, sizeof *s, "%s: a stream that is not wiped", what);
}

/* ---- Splits ---- */

static void four_pieces(const char *backend)
{
    (void)backend;
    for (size_t len = 0; len <= SHORT; len++) {
        uint8_t tag[16];

        chacha_message_tag(&m, tag, len, len % 3);
        for (size_t a = 0; a <= len; a++) {
            for (size_t b = a; b <= len; b++) {
                for (size_t c = b; c <= len; c++) {
                    int opening = (int)((a + b + c) % 2);
                    int in_place = (int)(a / 2 % 2);
                    chacha20_poly1305_stream s;

                    begin(&s);
                    take_aad(&s, 0, len % 3);
                    take(&s, opening, 0, a, in_place);
                    take(&s, opening, a, b - a, in_place);
                    take(&s, opening, b, c - b, in_place);
                    take(&s, opening, c, len - c, in_place);
                    end(&s, opening, tag, "four pieces");
                }
            }
        }
    }
}

BACKENDS_TEST(four_pieces)

static void two_pieces(const char *backend)
{
    (void)backend;
    for (size_t len = 1; len <= 2600; len += len < 140 ? 1 : 97) {
        uint8_t tag[16];

        chacha_message_tag(&m, tag, len, 0);
        for (size_t a = 0; a <= len; a += len < 140 ? 1 : 61) {
            chacha20_poly1305_stream s;
            int opening = (int)(a % 2);

            begin(&s);
            take(&s, opening, 0, a, (int)(a / 2 % 2));
            take(&s, opening, a, len - a, (int)(a / 4 % 2));
            end(&s, opening, tag, "two pieces");
        }
    }
}

BACKENDS_TEST(two_pieces)

static void equal_pieces(const char *backend)
{
    static const size_t sizes[] = {1,   2,    15,   16,   17,   63,   64,   65,   100, 128,
                                   255, 256,  257,  448,  500,  511,  512,  513,  576, 640,
                                   960, 1000, 1023, 1024, 1025, 1088, 1350, 1536, 2048};

    (void)backend;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int way = 0; way < 4; way++) {
            size_t total = 6 * sizes[i] + 3500;
            chacha20_poly1305_stream s;
            uint8_t tag[16];

            total = total < TOTAL ? total : TOTAL;
            chacha_message_tag(&m, tag, total, 13);
            begin(&s);
            take_aad(&s, 0, 13);
            for (size_t at = 0; at < total; at += sizes[i]) {
                take(&s, way % 2, at, total - at < sizes[i] ? total - at : sizes[i], way / 2);
            }
            end(&s, way % 2, tag, "equal pieces");
        }
    }
}

BACKENDS_TEST(equal_pieces)

static size_t piece_size(void)
{
    static const size_t bounds[] = {4, 20, 70, 300, 1100, 3000, 9000};

    return rng_below(&rng, bounds[rng_below(&rng, sizeof bounds / sizeof *bounds)]);
}

/* A message in random pieces, of which some come under another backend. */
static void random_pieces(int changing)
{
    size_t len = rng_below(&rng, 3) == 0 ? rng_below(&rng, TOTAL + 1) : rng_below(&rng, 4000);
    size_t aad_len = rng_below(&rng, 4) == 0 ? rng_below(&rng, AAD_TOTAL + 1) : rng_below(&rng, 40);
    int opening = (int)rng_below(&rng, 2);
    int way = (int)rng_below(&rng, 3);
    chacha20_poly1305_stream s;
    uint8_t tag[16];

    chacha_message_tag(&m, tag, len, aad_len);
    begin(&s);
    for (size_t at = 0, n; at < aad_len; at += n) {
        n = piece_size();
        n = n < aad_len - at ? n : aad_len - at;
        take_aad(&s, at, n);
    }
    for (size_t at = 0, n; at < len; at += n) {
        chacha20_poly1305_stream moved;

        n = piece_size();
        n = n < len - at ? n : len - at;
        if (changing && rng_below(&rng, 3) == 0) {
            backends_any(&rng);
        }
        take(&s, opening, at, n, way == 2 ? (int)rng_below(&rng, 2) : way);
        memcpy(&moved, &s, sizeof s);
        memset(&s, 0, sizeof s);
        s = moved;
    }
    end(&s, opening, tag, "random pieces");
}

static void random_pieces_under(const char *backend)
{
    (void)backend;
    for (size_t n = 0; n < 400; n++) {
        random_pieces(0);
    }
}

static void test_random_pieces(void **state)
{
    (void)state;
    backends_each(random_pieces_under);
}

static void test_changing_backends(void **state)
{
    (void)state;
    for (size_t n = 0; n < 600; n++) {
        random_pieces(1);
    }
    assert_int_equal(aeadfast_backend_select(NULL), AEADFAST_OK);
}

static void xchacha(const char *backend)
{
    uint8_t ct[700];
    uint8_t got[700];
    uint8_t tag[16];
    uint8_t got_tag[16];
    chacha20_poly1305_stream s;

    (void)backend;
    assert_int_equal(xchacha20_poly1305_seal(ct, tag, m.text, sizeof ct, m.aad, 20, m.nonce, m.key),
                     AEADFAST_OK);
    assert_int_equal(xchacha20_poly1305_stream_init(&s, m.nonce, m.key), AEADFAST_OK);
    assert_int_equal(chacha20_poly1305_stream_aad(&s, m.aad, 20), AEADFAST_OK);
    assert_int_equal(chacha20_poly1305_stream_seal_update(&s, got, m.text, 300), AEADFAST_OK);
    assert_int_equal(chacha20_poly1305_stream_seal_update(&s, got + 300, m.text + 300, 400),
                     AEADFAST_OK);
    assert_int_equal(chacha20_poly1305_stream_seal_final(&s, got_tag), AEADFAST_OK);
    check_bytes(got, ct, sizeof ct, "text");
    check_bytes(got_tag, tag, 16, "tag");
}

BACKENDS_TEST(xchacha)

/* ---- Forgeries ---- */

static void test_forgeries(void **state)
{
    static const chacha20_poly1305_stream zero;
    uint8_t tag[16];
    uint8_t out[600];

    (void)state;
    chacha_message_tag(&m, tag, sizeof out, 5);
    for (size_t bit = 0; bit < 128; bit++) {
        chacha20_poly1305_stream s;
        uint8_t wrong[16];

        memcpy(wrong, tag, 16);
        wrong[bit / 8] ^= (uint8_t)(1 << bit % 8);
        begin(&s);
        take_aad(&s, 0, 5);
        assert_int_equal(
            chacha20_poly1305_stream_open_unverified_update(&s, out, m.sealed, sizeof out),
            AEADFAST_OK);
        assert_int_equal(chacha20_poly1305_stream_open_final(&s, wrong), AEADFAST_ERR_AUTH);
        check_bytes(&s, &zero, sizeof s, "a failed stream that is not wiped");
        assert_int_equal(chacha20_poly1305_stream_open_final(&s, tag), AEADFAST_ERR_STATE);
    }
}

/* ---- Order ---- */

enum act {
    ACT_AAD,
    ACT_AAD_NONE,
    ACT_SEAL,
    ACT_SEAL_NONE,
    ACT_OPEN,
    ACT_OPEN_NONE,
    ACT_SEAL_FINAL,
    ACT_OPEN_FINAL,
    ACTS
};

static int act(chacha20_poly1305_stream *s, enum act what)
{
    uint8_t out[16];
    uint8_t tag[16] = {0};

    switch (what) {
    case ACT_AAD:
        return chacha20_poly1305_stream_aad(s, m.aad, 3);
    case ACT_AAD_NONE:
        return chacha20_poly1305_stream_aad(s, NULL, 0);
    case ACT_SEAL:
        return chacha20_poly1305_stream_seal_update(s, out, m.text, 16);
    case ACT_SEAL_NONE:
        return chacha20_poly1305_stream_seal_update(s, NULL, NULL, 0);
    case ACT_OPEN:
        return chacha20_poly1305_stream_open_unverified_update(s, out, m.sealed, 16);
    case ACT_OPEN_NONE:
        return chacha20_poly1305_stream_open_unverified_update(s, NULL, NULL, 0);
    case ACT_SEAL_FINAL:
        return chacha20_poly1305_stream_seal_final(s, tag);
    default:
        return chacha20_poly1305_stream_open_final(s, tag);
    }
}

/* What the header says: none, data, sealing, opening; a call that is right leads to the next. */
static int allowed(int *stage, enum act what)
{
    int sealing = what == ACT_SEAL || what == ACT_SEAL_NONE || what == ACT_SEAL_FINAL;
    int aad_call = what == ACT_AAD || what == ACT_AAD_NONE;

    if (*stage == 0) {
        return 0;
    }
    if (aad_call) {
        return *stage == 1;
    }
    if (*stage == 1 || *stage == (sealing ? 2 : 3)) {
        *stage = what == ACT_SEAL_FINAL || what == ACT_OPEN_FINAL ? 0 : sealing ? 2 : 3;
        return 1;
    }
    return 0;
}

/* Every order of four calls. */
static void test_order(void **state)
{
    (void)state;
    for (int order = 0; order < ACTS * ACTS * ACTS * ACTS; order++) {
        chacha20_poly1305_stream s;
        int stage = 1;

        begin(&s);
        for (int i = 0, rest = order; i < 4; i++, rest /= ACTS) {
            enum act what = (enum act)(rest % ACTS);
            chacha20_poly1305_stream before = s;
            int right = allowed(&stage, what);
            int r = act(&s, what);

            if (right) {
                check_true(r == AEADFAST_OK || (r == AEADFAST_ERR_AUTH && what == ACT_OPEN_FINAL),
                           "order %d, call %d: %d", order, i, r);
            } else {
                check_int(r, AEADFAST_ERR_STATE, "order %d, call %d", order, i);
                check_bytes(&s, &before, sizeof s, "order %d, call %d: changed", order, i);
            }
        }
    }
}

static void test_no_stream(void **state)
{
    static const uint8_t fillers[] = {0x00, 0x01, 0x5a, 0xff};

    (void)state;
    for (size_t i = 0; i < sizeof fillers; i++) {
        for (int what = 0; what < ACTS; what++) {
            chacha20_poly1305_stream s;

            memset(&s, fillers[i], sizeof s);
            assert_int_equal(act(&s, (enum act)what), AEADFAST_ERR_STATE);
            check_fill(&s, fillers[i], sizeof s, "changed");
        }
    }
}

/* ---- What is refused changes nothing ---- */

#define REFUSES(s, expected, call)                                                                 \
    do {                                                                                           \
        chacha20_poly1305_stream before_ = s;                                                      \
        check_int(call, expected, "%s", #call);                                                    \
        check_bytes(&s, &before_, sizeof s, "%s: the stream changed", #call);                      \
        check_fill(out, 0x77, sizeof out, "%s: output changed", #call);                            \
    } while (0)

static void test_refusals(void **state)
{
    static uint8_t out[64];
    static struct block {
        uint8_t before[64];
        chacha20_poly1305_stream s;
        uint8_t after[64];
    } block;
    uint8_t *const start = (uint8_t *)&block + offsetof(struct block, s);
    uint8_t *inside = start + sizeof block.s - 1;
    uint8_t *below = start - 15;

    (void)state;
    memset(out, 0x77, sizeof out);
    memset(&block.s, 0x33, sizeof block.s);
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_init(NULL, m.nonce, m.key));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_init(&block.s, NULL, m.key));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_init(&block.s, m.nonce, NULL));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP, chacha20_poly1305_stream_init(&block.s, inside, m.key));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_init(&block.s, m.nonce, inside));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_init(&block.s, m.nonce, start - 31));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, xchacha20_poly1305_stream_init(NULL, m.nonce, m.key));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, xchacha20_poly1305_stream_init(&block.s, NULL, m.key));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT,
            xchacha20_poly1305_stream_init(&block.s, m.nonce, NULL));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            xchacha20_poly1305_stream_init(&block.s, start - 23, m.key));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            xchacha20_poly1305_stream_init(&block.s, m.nonce, inside));

    assert_int_equal(chacha20_poly1305_stream_init(&block.s, m.nonce, m.key), AEADFAST_OK);
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_aad(NULL, m.aad, 1));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_aad(&block.s, NULL, 1));
    REFUSES(block.s, AEADFAST_ERR_LENGTH,
            chacha20_poly1305_stream_aad(&block.s, m.aad, OBJECT_MAX + 1));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP, chacha20_poly1305_stream_aad(&block.s, inside, 1));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP, chacha20_poly1305_stream_aad(&block.s, below, 16));

    REFUSES(block.s, AEADFAST_ERR_ARGUMENT,
            chacha20_poly1305_stream_seal_update(NULL, out, m.text, 1));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT,
            chacha20_poly1305_stream_seal_update(&block.s, NULL, m.text, 1));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT,
            chacha20_poly1305_stream_seal_update(&block.s, out, NULL, 1));
    REFUSES(block.s, AEADFAST_ERR_LENGTH,
            chacha20_poly1305_stream_seal_update(&block.s, out, m.text, OBJECT_MAX + 1));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_seal_update(&block.s, out, out + 1, 16));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_seal_update(&block.s, out + 15, out, 16));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_seal_update(&block.s, inside, m.text, 1));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_seal_update(&block.s, below, m.text, 16));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_seal_update(&block.s, out, inside, 1));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT,
            chacha20_poly1305_stream_open_unverified_update(NULL, out, m.text, 1));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT,
            chacha20_poly1305_stream_open_unverified_update(&block.s, NULL, m.text, 1));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_open_unverified_update(&block.s, out, out + 1, 16));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP,
            chacha20_poly1305_stream_open_unverified_update(&block.s, out, below, 16));

    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_seal_final(NULL, out));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_seal_final(&block.s, NULL));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP, chacha20_poly1305_stream_seal_final(&block.s, inside));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP, chacha20_poly1305_stream_seal_final(&block.s, below));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_open_final(NULL, out));
    REFUSES(block.s, AEADFAST_ERR_ARGUMENT, chacha20_poly1305_stream_open_final(&block.s, NULL));
    REFUSES(block.s, AEADFAST_ERR_OVERLAP, chacha20_poly1305_stream_open_final(&block.s, below));

    /* and then all goes on as if nothing had been asked */
    assert_int_equal(chacha20_poly1305_stream_seal_update(&block.s, out, m.text, 64), AEADFAST_OK);
    check_bytes(out, m.sealed, 64, "after refusals");
}

/* Sums: the counts within the stream are set to what nobody wants to wait for. */
static void test_limits(void **state)
{
    static uint8_t out[32];
    chacha20_poly1305_stream s;
    struct chacha20_poly1305_pieces *pieces =
        (struct chacha20_poly1305_pieces *)(void *)&s.opaque[1];

    (void)state;
    begin(&s);
    assert_int_equal(chacha20_poly1305_stream_aad(&s, m.aad, 7), AEADFAST_OK);
    assert_int_equal(pieces->aad_len, 7);
    pieces->aad_len = (uint64_t)INT64_MAX - 5;
    memset(out, 0x77, sizeof out);
    REFUSES(s, AEADFAST_ERR_LENGTH, chacha20_poly1305_stream_aad(&s, m.aad, 6));
    REFUSES(s, AEADFAST_ERR_LENGTH, chacha20_poly1305_stream_aad(&s, m.aad, OBJECT_MAX));
    assert_int_equal(chacha20_poly1305_stream_aad(&s, m.aad, 5), AEADFAST_OK);
    REFUSES(s, AEADFAST_ERR_LENGTH, chacha20_poly1305_stream_aad(&s, m.aad, 1));

    for (int opening = 0; opening < 2; opening++) {
        int (*update)(chacha20_poly1305_stream *, uint8_t *, const uint8_t *, size_t) =
            opening ? chacha20_poly1305_stream_open_unverified_update
                    : chacha20_poly1305_stream_seal_update;

        begin(&s);
        assert_int_equal(update(&s, out, m.text, 9), AEADFAST_OK);
        assert_int_equal(pieces->text_len, 9);
        pieces->text_len = AEADFAST_CHACHA20_POLY1305_TEXT_MAX - 20;
        memset(out, 0x77, sizeof out);
        REFUSES(s, AEADFAST_ERR_LENGTH, update(&s, out, m.text, 21));
        assert_int_equal(update(&s, out, m.text, 20), AEADFAST_OK);
        memset(out, 0x77, sizeof out);
        REFUSES(s, AEADFAST_ERR_LENGTH, update(&s, out, m.text, 1));
        REFUSES(s, AEADFAST_OK, update(&s, out, m.text, 0));
    }
}

/* ---- Kernels ---- */

/* The parts need nothing that the row does not, at any length. */
static void test_parts(void **state)
{
    static const size_t lengths[] = {0, 64, 448, 512, 1024, 4096};
    const struct kernel_list *rows = &aeadfast_kernel_lists[AEADFAST_OP_CHACHA20_POLY1305];

    (void)state;
    for (unsigned i = 0; i < rows->count; i++) {
        const struct kernel_row *row = &rows->rows[i];

        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            for (int op = AEADFAST_OP_CHACHA20; op <= AEADFAST_OP_POLY1305; op++) {
                const struct kernel_list *parts = &aeadfast_kernel_lists[op];
                const struct kernel_row *part = aeadfast_part(parts, row, lengths[k]);

                check_true((part->needs & ~row->needs) == 0 && (part->wants & ~row->wants) == 0 &&
                               part->min_len <= lengths[k],
                           "%s, %zu bytes: %s", row->name, lengths[k], part->name);
                for (const struct kernel_row *better = parts->rows; better < part; better++) {
                    check_true((better->needs & ~row->needs) != 0 ||
                                   (better->wants & ~row->wants) != 0 ||
                                   better->min_len > lengths[k],
                               "%s, %zu bytes: not %s", row->name, lengths[k], better->name);
                }
                /* What has vectors for both has them for each. */
                check_true(op == AEADFAST_OP_POLY1305 || row->needs == 0 || part->needs != 0 ||
                               lengths[k] < 512,
                           "%s: the portable kernel for %zu bytes", row->name, lengths[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_pieces),
        cmocka_unit_test(test_two_pieces),
        cmocka_unit_test(test_equal_pieces),
        cmocka_unit_test(test_random_pieces),
        cmocka_unit_test(test_changing_backends),
        cmocka_unit_test(test_xchacha),
        cmocka_unit_test(test_forgeries),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_no_stream),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_parts),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
