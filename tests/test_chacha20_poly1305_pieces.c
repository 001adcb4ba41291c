/* SPDX-License-Identifier: MIT */
/*
 * The way through a message in pieces, with made-up kernels: batches of several sizes, made of the
 * portable primitives, which look whether they are called as kernel.h says they may be. So what is
 * done for kernels with `batches` is tested on every processor, whatever kernels it has.
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

enum { TOTAL = 16000, AAD_TOTAL = 100 };

static struct chacha_message m;
static struct guard in_pages;
static struct guard out_pages;
static struct rng rng;

static unsigned long batch_calls;
static unsigned long hashed_itself;
static unsigned long hashed_behind;
static unsigned long hashed_elsewhere;

/* ---- Made-up kernels ---- */

static int apart(const uint8_t *a, const uint8_t *b, size_t n)
{
    return !overlaps(a, n, b, n);
}

static void made_up(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,
                    const uint8_t *hashed, size_t n, const uint32_t state[16], size_t batch)
{
    const struct chacha_kernel *chacha = kernels_portable(AEADFAST_OP_CHACHA20)->kernel.chacha;
    const struct poly1305_kernel *poly1305 =
        kernels_portable(AEADFAST_OP_POLY1305)->kernel.poly1305;
    uint32_t now[16];

    check_true(n != 0, "no batch");
    check_true(dst == src || apart(dst, src, n * batch), "source and destination overlap");
    if (hashed == src) {
        hashed_itself++;
    } else if (apart(dst, hashed, n * batch)) {
        hashed_elsewhere++;
    } else {
        check_true(hashed < dst && (size_t)(dst - hashed) >= batch, "hashed before it is written");
        hashed_behind++;
    }
    batch_calls++;
    memcpy(now, state, sizeof now);
    for (size_t i = 0; i < n; i++) {
        poly1305->blocks(core, hashed + i * batch, batch / 16, 1);
        chacha->stream(dst + i * batch, src + i * batch, batch, now, 20);
        now[12] += (uint32_t)(batch / 64);
    }
}

#define MADE_UP(n)                                                                                 \
    static void batches_##n(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,          \
                            const uint8_t *hashed, size_t count, const uint32_t state[16])         \
    {                                                                                              \
        made_up(core, dst, src, hashed, count, state, n);                                          \
    }                                                                                              \
    static const struct chacha20_poly1305_kernel kernel_##n = {.batches = batches_##n, .batch = n}

MADE_UP(64);
MADE_UP(192);
MADE_UP(448);
MADE_UP(512);
MADE_UP(576);
MADE_UP(1024);

static const struct kernel_row rows[] = {
    {"64", 0, 0, 0, 0, {.aead = &kernel_64}},   {"192", 0, 0, 0, 0, {.aead = &kernel_192}},
    {"448", 0, 0, 0, 0, {.aead = &kernel_448}}, {"512", 0, 0, 0, 0, {.aead = &kernel_512}},
    {"576", 0, 0, 0, 0, {.aead = &kernel_576}}, {"1024", 0, 0, 0, 0, {.aead = &kernel_1024}},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* ---- Messages ---- */

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

/* One in so many pieces comes under another row than the first. */
struct way {
    const struct kernel_row *row;
    enum aead_direction direction;
    int in_place; /* 2: now and then */
    size_t changing;
};

static void take(struct chacha20_poly1305_pieces *p, const struct way *way, size_t at, size_t n)
{
    const uint8_t *from = way->direction == AEAD_OPEN ? m.sealed : m.text;
    const uint8_t *to = way->direction == AEAD_OPEN ? m.text : m.sealed;
    int in_place = way->in_place == 2 ? (int)rng_below(&rng, 2) : way->in_place;
    uint8_t *src = guard_end(&in_pages, n);
    uint8_t *dst = in_place ? src : guard_end(&out_pages, n);
    struct chacha20_poly1305_kernels kernels = {way->row, 0, 0, NULL};

    if (way->changing != 0 && rng_below(&rng, way->changing) == 0) {
        kernels.row = rng_below(&rng, 4) == 0 ? kernels_portable(AEADFAST_OP_CHACHA20_POLY1305)
                                              : &rows[rng_below(&rng, ROWS)];
    }
    memcpy(src, from + at, n);
    chacha20_poly1305_pieces_text(p, &kernels, dst, src, n, way->direction);
    check_bytes(dst, to + at, n, "%s, direction %d: %zu bytes at %zu", kernels.row->name,
                (int)way->direction, n, at);
}

/* A message in pieces of `size` bytes, or where that is 0 of random ones. */
static void message(const struct way *way, size_t len, size_t aad_len, size_t size)
{
    struct chacha20_poly1305_kernels kernels = {way->row, 0, 0, NULL};
    struct chacha20_poly1305_pieces p;
    uint8_t tag[16];
    uint8_t got[16];

    chacha_message_tag(&m, tag, len, aad_len);
    chacha20_poly1305_pieces_begin(&p, m.nonce, m.key);
    chacha20_poly1305_pieces_aad(&p, &kernels, m.aad, aad_len);
    for (size_t at = 0, n; at < len; at += n) {
        static const size_t bounds[] = {4, 70, 600, 1500, 4000, 9000};

        n = size != 0 ? size : rng_below(&rng, bounds[rng_below(&rng, 6)]);
        n = n < len - at ? n : len - at;
        take(&p, way, at, n);
    }
    chacha20_poly1305_pieces_tag(&p, &kernels, got);
    check_bytes(got, tag, 16, "%s, direction %d, %zu bytes in pieces of %zu", way->row->name,
                (int)way->direction, len, size);
}

/* ---- Tests ---- */

static void test_equal_pieces(void **state)
{
    static const size_t sizes[] = {1,   16,  64,   100,  192,  448,  500,  512, 575,
                                   576, 640, 1024, 1152, 1350, 2048, 4096, 9000};

    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            for (int n = 0; n < 4; n++) {
                struct way way = {&rows[i], n % 2 == 0 ? AEAD_SEAL : AEAD_OPEN, n / 2, 0};

                message(&way, 3 * sizes[k] + 3333 < TOTAL ? 3 * sizes[k] + 3333 : TOTAL, 13,
                        sizes[k]);
            }
        }
    }
}

static void test_random_pieces(void **state)
{
    (void)state;
    for (size_t n = 0; n < 6000; n++) {
        struct way way = {&rows[n % ROWS], rng_below(&rng, 2) == 0 ? AEAD_SEAL : AEAD_OPEN,
                          (int)rng_below(&rng, 3), 0};

        way.changing = rng_below(&rng, 3) == 0 ? 1 + rng_below(&rng, 5) : 0;
        message(&way, rng_below(&rng, n % 4 == 0 ? TOTAL + 1 : 5000), rng_below(&rng, AAD_TOTAL),
                0);
    }
}

/* Every kind of call has been made. */
static void test_all_ways(void **state)
{
    (void)state;
    check_note(
        "%lu calls of batches: %lu hash what they read, %lu what they wrote, %lu other text\n",
        batch_calls, hashed_itself, hashed_behind, hashed_elsewhere);
    assert_true(hashed_itself > 100 && hashed_behind > 100 && hashed_elsewhere > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_pieces),
        cmocka_unit_test(test_random_pieces),
        cmocka_unit_test(test_all_ways),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
