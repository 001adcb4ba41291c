/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM with texts in several buffers: however text and additional data are cut, and the output
 * otherwise than the input, the result is that of the one-shot function; in place too. A forgery
 * leaves zeros in every piece of the output. Under every backend.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "support/check.h"
#include "support/gcm_message.h"
#include "support/kernels.h"
#include "support/rng.h"

enum { TEXT_MAX = 9000, AAD_MAX = 300, NONCE_MAX = 64, PIECES_MAX = 64, FILLER = 0xa5 };

/* A list of pieces, each a block of the heap and not one byte more: sanitizers see what goes beyond. */
struct list {
    aeadfast_iovec pieces[PIECES_MAX];
    size_t count;
    int apart; /* the blocks are this list's own */
};

static struct gcm_message m;
static struct rng rng;
static const char *backend;

static const char *under(void)
{
    return backends_name(backend);
}

static int set_up(void **state)
{
    (void)state;
    rng_begin(&rng);
    gcm_message_fill(&m, &rng);
    return 0;
}

static void make_message(size_t len)
{
    const size_t key_len = 16 + 8 * rng_below(&rng, 3);
    uint8_t key_bytes[32];

    rng_bytes(&rng, key_bytes, sizeof key_bytes);
    gcm_message_key(&m, key_bytes, key_len, gcm_tag_lens[rng_below(&rng, 7)]);
    gcm_message_seal(&m, rng_below(&rng, 3) != 0 ? 12 : 1 + rng_below(&rng, NONCE_MAX),
                     rng_below(&rng, AAD_MAX + 1), len);
}

/* ---- Lists ---- */

static void add(struct list *list, void *base, size_t n)
{
    assert_true(list->count < PIECES_MAX);
    list->pieces[list->count].base = base;
    list->pieces[list->count].len = n;
    list->count++;
}

/* The next piece: a block of its own, or where there is a buffer, what follows in it. */
static void add_piece(struct list *list, uint8_t *buffer, size_t at, size_t n)
{
    uint8_t *block = buffer != NULL ? buffer + at : malloc(n != 0 ? n : 1);

    assert_non_null(block);
    if (n == 0 && buffer != NULL && at % 2 == 0) {
        block = NULL;
    }
    add(list, block, n);
}

static struct list begin_list(const uint8_t *buffer)
{
    struct list list = {.apart = buffer == NULL};

    return list;
}

/* `len` bytes in up to `most` pieces, empty ones among them. */
static struct list random_list(uint8_t *buffer, size_t len, size_t most)
{
    struct list list = begin_list(buffer);
    size_t at = 0;

    while (list.count + 1 < most) {
        size_t n = rng_below(&rng, 4) == 0 ? 0 : rng_below(&rng, 2 * len / most + 20);

        n = n < len - at ? n : len - at;
        add_piece(&list, buffer, at, n);
        at += n;
    }
    if (at < len || rng_below(&rng, 2) != 0) {
        add_piece(&list, buffer, at, len - at);
    }
    return list;
}

static struct list two_pieces(uint8_t *buffer, size_t len, size_t a)
{
    struct list list = begin_list(buffer);

    add_piece(&list, buffer, 0, a);
    add_piece(&list, buffer, a, len - a);
    return list;
}

static void free_list(struct list *list)
{
    for (size_t i = 0; list->apart && i < list->count; i++) {
        free(list->pieces[i].base);
    }
}

static void scatter(const struct list *list, const uint8_t *bytes)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->pieces[i].len != 0) {
            memcpy(list->pieces[i].base, bytes, list->pieces[i].len);
            bytes += list->pieces[i].len;
        }
    }
}

static void check_list(const struct list *list, const uint8_t *want, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->pieces[i].len != 0) {
            check_bytes(list->pieces[i].base, want, list->pieces[i].len,
                        "%s, %s %zu bytes, piece %zu", under(), what, m.len, i);
            want += list->pieces[i].len;
        }
    }
}

static void check_zeros(const struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->pieces[i].len != 0) {
            check_fill(list->pieces[i].base, 0, list->pieces[i].len,
                       "%s, a forgery of %zu bytes, piece %zu", under(), m.len, i);
        }
    }
}

/* ---- Calls ---- */

static const aeadfast_iovec *pieces(const struct list *list)
{
    return list->count != 0 ? list->pieces : NULL;
}

/* Seals from one list to another, opens back, and opens a forgery. */
static void try_lists(const struct list *dst, const struct list *src, const struct list *aad)
{
    uint8_t tag[17];
    size_t bit = rng_below(&rng, 8 * m.tag_len);

    memset(tag, FILLER, sizeof tag);
    scatter(aad, m.aad);
    scatter(src, m.pt);
    check_int(aes_gcm_sealv(&m.key, pieces(dst), dst->count, tag, pieces(src), src->count,
                            pieces(aad), aad->count, m.nonce, m.nonce_len),
              AEADFAST_OK, "%s, sealing %zu bytes", under(), m.len);
    check_list(dst, m.ct, "sealing");
    gcm_message_check_tag(&m, tag, FILLER, under());

    scatter(src, m.ct);
    check_int(aes_gcm_openv(&m.key, pieces(dst), dst->count, pieces(src), src->count, tag,
                            pieces(aad), aad->count, m.nonce, m.nonce_len),
              AEADFAST_OK, "%s, opening %zu bytes", under(), m.len);
    check_list(dst, m.pt, "opening");

    scatter(src, m.ct);
    tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
    check_int(aes_gcm_openv(&m.key, pieces(dst), dst->count, pieces(src), src->count, tag,
                            pieces(aad), aad->count, m.nonce, m.nonce_len),
              AEADFAST_ERR_AUTH, "%s, opening a forgery of %zu bytes", under(), m.len);
    check_zeros(dst);
}

/* All ways to cut a short text in two, output and input apart or in place. */
static void every_cut(const char *name)
{
    backend = name;
    for (size_t len = 0; len <= 40; len += len < 34 ? 1 : 3) {
        make_message(len);
        for (size_t a = 0; a <= len; a++) {
            for (size_t b = 0; b <= len; b++) {
                uint8_t *buffer = (a + b) % 3 == 0 ? malloc(len + 1) : NULL;
                struct list dst = two_pieces(buffer, len, a);
                struct list src = two_pieces(buffer, len, b);
                struct list aad = two_pieces(NULL, m.aad_len, m.aad_len * a / (len + 1));

                try_lists(&dst, &src, &aad);
                free_list(&dst);
                free_list(&src);
                free_list(&aad);
                free(buffer);
            }
        }
    }
}

static void random_cuts(const char *name)
{
    backend = name;
    for (size_t round = 0; round < 300; round++) {
        size_t len = rng_below(&rng, round % 4 == 0 ? TEXT_MAX : 1200);
        uint8_t *buffer = round % 3 == 0 ? malloc(len + 1) : NULL;
        struct list dst = random_list(buffer, len, 1 + rng_below(&rng, 20));
        struct list src = random_list(buffer, len, 1 + rng_below(&rng, 20));
        struct list aad;

        make_message(len);
        aad = random_list(NULL, m.aad_len, 1 + rng_below(&rng, 6));
        try_lists(&dst, &src, &aad);
        free_list(&dst);
        free_list(&src);
        free_list(&aad);
        free(buffer);
    }
}

/* Pieces of a size, in place, with room between them that nothing may touch. */
static void with_gaps(const char *name)
{
    static const size_t sizes[] = {1, 15, 16, 17, 64, 100, 128, 256, 257, 512, 1024};
    static uint8_t buffer[TEXT_MAX];

    backend = name;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct list list = begin_list(buffer);
        struct list aad = begin_list(buffer);
        const size_t step = sizes[i] + 3;

        make_message(8 * sizes[i]);
        gcm_message_seal(&m, m.nonce_len, 0, m.len);
        memset(buffer, FILLER, sizeof buffer);
        for (size_t piece = 0; piece < 8; piece++) {
            add(&list, buffer + 5 + piece * step, sizes[i]);
        }
        try_lists(&list, &list, &aad);
        check_fill(buffer, FILLER, 5, "%s, before the first piece", under());
        for (size_t piece = 0; piece < 8; piece++) {
            check_fill(buffer + 5 + piece * step + sizes[i], FILLER, 3,
                       "%s, behind piece %zu of %zu", under(), piece, sizes[i]);
        }
    }
}

BACKENDS_TEST(every_cut)
BACKENDS_TEST(random_cuts)
BACKENDS_TEST(with_gaps)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_random_cuts),
        cmocka_unit_test(test_with_gaps),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
