/* SPDX-License-Identifier: MIT */
/*
 * The parts of every AES-GCM kernel by name against the reference: each number of blocks, each
 * alignment, counters of both kinds that wrap in every block of a batch, tables that were moved or
 * hold no more powers of H than were asked for; whole messages made of parts; text in pieces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aes_gcm_pieces.h"
#include "bytes.h"
#include "check.h"
#include "kernels.h"
#include "layout.h"
#include "ref_aes_gcm.h"
#include "ref_chacha.h"

#define BLOCKS    1030 /* of the longest text */
#define EVERY     200  /* numbers of blocks up to this are all tried */
#define POSITIONS 72   /* where counters wrap, twice the blocks of the widest batch and more */

enum part { ENCRYPT, HASH, HASH_REVERSED, SEAL, OPEN, COUNTER_LE, PARTS };

static const char *const part_names[PARTS] = {"encrypt", "hash", "hash_reversed",
                                              "seal",    "open", "counter_le"};

static const size_t key_lens[3] = {16, 24, 32};

static struct rng rng;
static struct guard dst_room, src_room, table_room, text_room, y_room, counter_room, raw_key_room;

static int setup(void **unused)
{
    (void)unused;
    rng_begin(&rng);
    layout_make(&dst_room, 16 * BLOCKS);
    layout_make(&src_room, 16 * BLOCKS);
    layout_make(&table_room, AES_GCM_TABLE_BYTES);
    layout_make(&text_room, sizeof(struct aes_gcm_text));
    layout_make(&y_room, 16);
    layout_make(&counter_room, 16);
    layout_make(&raw_key_room, 32);
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    guard_free(&dst_room);
    guard_free(&src_room);
    guard_free(&table_room);
    guard_free(&text_room);
    guard_free(&y_room);
    guard_free(&counter_room);
    guard_free(&raw_key_room);
    return 0;
}

/* A key as the kernel has it and as the reference has it. */
struct key_pair {
    const struct kernel_row *row;
    const struct aes_gcm_parts *parts;
    uint64_t table[AES_GCM_TABLE_BYTES / 8];
    struct ref_aes aes;
    uint8_t h[16];
};

/* With H given, and enough for `nblocks` at once. */
static void key_with_hash(struct key_pair *k, const struct kernel_row *row, size_t key_len,
                          const uint8_t h[16], size_t nblocks)
{
    enum layout layout = (enum layout)rng_below(&rng, LAYOUT_COUNT);
    uint8_t *table = layout_room(&table_room, layout, AES_GCM_TABLE_BYTES, 8, &rng);
    uint8_t key[32];
    uint8_t *placed;
    uint8_t *placed_h = layout_copy(&y_room, layout, h, 16, 1, &rng);

    k->row = row;
    k->parts = row->kernel.aes_gcm->parts;
    check_true(k->parts != NULL, "%s: no parts", row->name);
    rng_bytes(&rng, key, key_len);
    placed = layout_copy(&raw_key_room, layout, key, key_len, 1, &rng);
    memset(table, 0x5a, AES_GCM_TABLE_BYTES);
    layout_mark(&table_room, table, AES_GCM_TABLE_BYTES);
    k->parts->init_hash(table, placed, key_len, placed_h, nblocks);
    layout_check(&table_room, table, AES_GCM_TABLE_BYTES, row->name);
    check_bytes(placed, key, key_len, "%s: init_hash changed the key", row->name);
    check_bytes(placed_h, h, 16, "%s: init_hash changed H", row->name);
    memcpy(k->table, table, AES_GCM_TABLE_BYTES);
    ref_aes_begin(&k->aes, key, key_len);
    memcpy(k->h, h, 16);
}

/* As GCM has it, by `init`: of its tables, too, the parts make use. */
static void key_of_gcm(struct key_pair *k, const struct kernel_row *row, const uint8_t *key,
                       size_t key_len)
{
    static const uint8_t zero[16];

    k->row = row;
    k->parts = row->kernel.aes_gcm->parts;
    check_true(k->parts != NULL, "%s: no parts", row->name);
    memset(k->table, 0, sizeof k->table); /* a kernel need not write all of it */
    row->kernel.aes_gcm->init(k->table, key, key_len);
    ref_aes_begin(&k->aes, key, key_len);
    ref_aes_encrypt(&k->aes, k->h, zero);
}

static void random_key(struct key_pair *k, const struct kernel_row *row, size_t key_len)
{
    uint8_t random[32];

    rng_bytes(&rng, random, 32);
    if (rng_below(&rng, 2) == 0) {
        key_of_gcm(k, row, random, key_len);
    } else {
        key_with_hash(k, row, key_len, random, SIZE_MAX);
    }
}

/* What a part makes of data, and of every start of it. */
struct expected {
    enum part part;
    uint8_t counter[16];
    uint8_t in[16 * BLOCKS];
    uint8_t out[16 * BLOCKS];
    uint8_t y[BLOCKS + 1][16]; /* after so many blocks */
};

static struct expected expected;

static void stream_xor(const struct key_pair *k, struct expected *e, size_t blocks)
{
    uint8_t block[16];
    uint8_t stream[16];

    for (uint32_t i = 0; i < blocks; i++) {
        memcpy(block, e->counter, 16);
        if (e->part == COUNTER_LE) {
            store_le32(block, load_le32(block) + i);
        } else {
            store_be32(block + 12, load_be32(block + 12) + i);
        }
        ref_aes_encrypt(&k->aes, stream, block);
        ref_xor(e->out + 16 * i, e->in + 16 * i, stream, 16);
    }
}

/* y[0], the counter and `in` are given. */
static void expect(const struct key_pair *k, struct expected *e, enum part part, size_t blocks)
{
    const uint8_t *hashed = part == SEAL ? e->out : e->in;
    struct ref_ghash hash;

    e->part = part;
    if (part == ENCRYPT) {
        for (size_t i = 0; i < blocks; i++) {
            ref_aes_encrypt(&k->aes, e->out + 16 * i, e->in + 16 * i);
        }
    } else if (part == SEAL || part == OPEN || part == COUNTER_LE) {
        stream_xor(k, e, blocks);
    }
    if (part == ENCRYPT || part == COUNTER_LE) {
        return;
    }
    ref_ghash_begin(&hash, k->h);
    memcpy(hash.y, e->y[0], 16);
    for (size_t i = 0; i < blocks; i++) {
        uint8_t block[16];

        for (size_t j = 0; j < 16; j++) {
            block[j] = hashed[16 * i + (part == HASH_REVERSED ? 15 - j : j)];
        }
        ref_ghash_padded(&hash, block, 16);
        memcpy(e->y[i + 1], hash.y, 16);
    }
}

static void expect_random(const struct key_pair *k, struct expected *e, enum part part,
                          size_t blocks)
{
    rng_bytes(&rng, e->in, 16 * blocks);
    rng_bytes(&rng, e->counter, 16);
    rng_bytes(&rng, e->y[0], 16);
    expect(k, e, part, blocks);
}

/* The arguments of one call, where they lie. */
struct placed {
    const uint8_t *table;
    uint8_t *dst;
    uint8_t *src;
    uint8_t *y;
    const uint8_t *counter;
};

static void call(const struct aes_gcm_parts *parts, enum part part, const struct placed *p,
                 size_t len)
{
    uint8_t *dst = len == 0 ? NULL : p->dst;
    const uint8_t *src = len == 0 ? NULL : p->src;

    switch (part) {
    case ENCRYPT:
        parts->encrypt(p->table, dst, src, len / 16);
        break;
    case HASH:
        parts->hash(p->table, p->y, src, len / 16);
        break;
    case HASH_REVERSED:
        parts->hash_reversed(p->table, p->y, src, len / 16);
        break;
    case COUNTER_LE:
        parts->counter_le(p->table, dst, src, len, p->counter);
        break;
    default:
        parts->text(p->table, p->y, dst, src, len / 16, p->counter, part == OPEN);
        break;
    }
}

/* `len` is a multiple of 16 but for COUNTER_LE. */
static void run(const struct key_pair *k, const struct expected *e, size_t len,
                const struct placed *p)
{
    const int writes = e->part != HASH && e->part != HASH_REVERSED;
    const int hashes = e->part != ENCRYPT && e->part != COUNTER_LE;
    const uint8_t *want = writes ? e->out : e->in;
    const uint8_t *result = writes ? p->dst : p->src;
    char what[120];

    copy_bytes(p->src, e->in, len);
    memcpy(p->y, e->y[0], 16);
    if (p->dst != p->src && len != 0) {
        memset(p->dst, 0x5a, len);
    }
    layout_mark(&dst_room, p->dst, len);
    layout_mark(&y_room, p->y, 16);
    call(k->parts, e->part, p, len);

    snprintf(what, sizeof what, "%s: %s, %zu bytes, output at ..%03x, input at ..%03x",
             k->row->name, part_names[e->part], len, (unsigned)((uintptr_t)p->dst & 0xfff),
             (unsigned)((uintptr_t)p->src & 0xfff));
    check_bytes(result, want, len, "%s", what);
    check_bytes(p->y, e->y[hashes ? len / 16 : 0], 16, "%s: y", what);
    layout_check(&dst_room, p->dst, len, what);
    layout_check(&y_room, p->y, 16, what);
    if (p->dst != p->src) {
        check_bytes(p->src, e->in, len, "%s: changed its input", what);
        if (!writes) {
            check_fill(p->dst, 0x5a, len, "%s: wrote", what);
        }
    }
    check_bytes(p->counter, e->counter, 16, "%s: changed the counter", what);
    check_bytes(p->table, k->table, AES_GCM_TABLE_BYTES, "%s: changed its table", what);
}

static void part_case(const struct key_pair *k, const struct expected *e, size_t len,
                      enum layout layout)
{
    struct placed p;

    p.table = layout_copy(&table_room, layout, k->table, AES_GCM_TABLE_BYTES, 8, &rng);
    p.y = layout_room(&y_room, layout, 16, 1, &rng);
    p.counter = layout_copy(&counter_room, layout, e->counter, 16, 1, &rng);
    p.dst = layout_room(&dst_room, layout, len, 1, &rng);
    p.src = layout_in_place(layout) ? p.dst : layout_room(&src_room, layout, len, 1, &rng);
    run(k, e, len, &p);
}

/* Every number of blocks to EVERY, or of bytes to as many; some next to powers of two; the most. */
static size_t next_len(enum part part, size_t len)
{
    size_t n = len / 16;

    if (part == COUNTER_LE && len < 640) {
        return len + 1;
    }
    if (part == COUNTER_LE && len % 16 != 15) {
        return n * 16 + 15;
    }
    n = n < EVERY ? n + 1 : n < 255 ? 255 : n < 257 || (n > 510 && n < 513) ? n + 1 : n + 127;
    return 16 * n;
}

static size_t every_length(const struct kernel_row *row)
{
    size_t cases = 0;

    for (size_t a = 0; a < 3; a++) {
        for (int part = 0; part < PARTS; part++) {
            struct key_pair k;

            random_key(&k, row, key_lens[a]);
            expect_random(&k, &expected, (enum part)part, BLOCKS);
            for (size_t len = 0; len <= 16 * BLOCKS; len = next_len((enum part)part, len)) {
                for (size_t layout = 0; layout < LAYOUT_COUNT; layout++) {
                    if (len <= 640 || (len / 16 + a) % LAYOUT_COUNT == layout) {
                        part_case(&k, &expected, len, (enum layout)layout);
                        cases++;
                    }
                }
            }
        }
    }
    return cases;
}

static size_t every_alignment(const struct kernel_row *row)
{
    static const size_t some[] = {1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 31, 33, 48, 65};
    size_t cases = 0;

    for (int part = 0; part < PARTS; part++) {
        struct key_pair k;

        random_key(&k, row, 16);
        expect_random(&k, &expected, (enum part)part, 66);
        for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
            for (size_t at = 0; at < 64; at++) {
                size_t len = 16 * some[i] + (part == COUNTER_LE ? at % 16 : 0);
                struct placed p = {
                    .table = layout_copy(&table_room, LAYOUT_APART, k.table, AES_GCM_TABLE_BYTES, 8,
                                         &rng),
                    .dst = layout_at(&dst_room, at),
                    .src = layout_at(&src_room, (at * 29 + i) % 64),
                    .y = layout_at(&y_room, (at * 13 + i) % 64),
                    .counter =
                        layout_copy(&counter_room, LAYOUT_APART, expected.counter, 16, 1, &rng),
                };

                if (at % 3 == 0) {
                    p.src = p.dst;
                }
                run(&k, &expected, len, &p);
                cases++;
            }
        }
    }
    return cases;
}

/* The counter is 0 in block `wrap`; around it are random bytes, or ones to carry on through. */
static void counter_that_wraps(struct expected *e, enum part part, uint32_t wrap)
{
    if (wrap % 4 == 0) {
        memset(e->counter, 0xff, 16);
    } else {
        rng_bytes(&rng, e->counter, 16);
    }
    if (part == COUNTER_LE) {
        store_le32(e->counter, 0 - wrap);
    } else {
        store_be32(e->counter + 12, 0 - wrap);
    }
}

/* In front of each block, in texts that end in each block. */
static size_t counter_wrap(const struct kernel_row *row)
{
    size_t cases = 0;

    for (uint32_t wrap = 0; wrap <= POSITIONS; wrap++) {
        for (int part = SEAL; part <= COUNTER_LE; part++) {
            struct key_pair k;

            random_key(&k, row, key_lens[wrap % 3]);
            counter_that_wraps(&expected, (enum part)part, wrap);
            expect(&k, &expected, (enum part)part, POSITIONS + 2);
            for (size_t blocks = 1; blocks <= POSITIONS + 1; blocks++) {
                size_t rest = part == COUNTER_LE ? rng_below(&rng, 16) : 0;

                part_case(&k, &expected, 16 * blocks + rest, (enum layout)(cases % LAYOUT_COUNT));
                cases++;
            }
        }
    }
    return cases;
}

/* The same deep inside long texts. */
static size_t far_counter_wrap(const struct kernel_row *row)
{
    size_t cases = 0;

    for (size_t turn = 0; turn < 24; turn++) {
        for (int part = SEAL; part <= COUNTER_LE; part++) {
            struct key_pair k;

            random_key(&k, row, key_lens[turn % 3]);
            counter_that_wraps(&expected, (enum part)part, (uint32_t)rng_below(&rng, BLOCKS));
            expect(&k, &expected, (enum part)part, BLOCKS);
            part_case(&k, &expected, 16 * BLOCKS, (enum layout)(turn % LAYOUT_COUNT));
            cases++;
        }
    }
    return cases;
}

/* Tables made for few blocks at once: that many, and fewer, in every order; the cipher as ever. */
static size_t limited(const struct kernel_row *row)
{
    size_t cases = 0;

    for (size_t nblocks = 0; nblocks <= 68; nblocks++) {
        for (int part = 0; part < PARTS; part++) {
            const int hashes = part != ENCRYPT && part != COUNTER_LE;
            struct key_pair k;
            uint8_t h[16];

            rng_bytes(&rng, h, 16);
            key_with_hash(&k, row, key_lens[nblocks % 3], h, nblocks);
            expect_random(&k, &expected, (enum part)part, 100);
            for (size_t n = hashes ? nblocks + 1 : 100; n-- > 0;) {
                part_case(&k, &expected, 16 * n, (enum layout)(cases % LAYOUT_COUNT));
                cases++;
            }
        }
    }
    return cases;
}

/*
 * H and data of only ones, only zeros, one bit, and data such that each product in GHASH has an
 * operand of only ones: the longest carries of a multiplication that is made of integer ones.
 */
static size_t unusual_hashes(const struct kernel_row *row)
{
    enum { COUNT = 33 };
    size_t cases = 0;

    for (size_t turn = 0; turn < 512; turn++) {
        const enum part part = turn % 2 == 0 ? HASH : HASH_REVERSED;
        struct key_pair k;
        uint8_t h[16];

        memset(h, turn / 2 % 4 == 0 ? 0xff : 0, 16);
        if (turn / 2 % 4 > 1) {
            h[turn / 8 % 16] = (uint8_t)(1 << turn / 128 * 2 << turn / 2 % 2);
        }
        key_with_hash(&k, row, 16, h, COUNT);
        rng_bytes(&rng, expected.y[0], 16);
        if (turn % 3 == 0) {
            memset(expected.in, 0xff, sizeof expected.in);
        } else if (turn % 3 == 1) {
            memset(expected.in, 0, sizeof expected.in);
            expected.in[rng_below(&rng, 16 * COUNT)] = (uint8_t)(1 << turn % 8);
        }
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t j = 0; turn % 3 == 2 && j < 16; j++) {
                expected.in[16 * i + j] = (uint8_t)~expected.y[i][part == HASH ? j : 15 - j];
            }
            expect(&k, &expected, part, i + 1);
        }
        part_case(&k, &expected, 16 * COUNT, LAYOUT_APART);
        part_case(&k, &expected, 16 * (turn % COUNT), LAYOUT_END);
        cases += 2;
    }
    return cases;
}

/* y takes in n bytes, padded with zeros, a random number of blocks at a time. */
static void hash_in_pieces(const struct key_pair *k, uint8_t y[16], const uint8_t *data, size_t n)
{
    uint8_t last[16] = {0};

    while (n >= 16) {
        size_t blocks = 1 + rng_below(&rng, n / 16);

        k->parts->hash(k->table, y, data, blocks);
        data += 16 * blocks;
        n -= 16 * blocks;
    }
    if (n != 0) {
        memcpy(last, data, n);
        k->parts->hash(k->table, y, last, 1);
    }
}

/* GCM (SP 800-38D section 7) out of nothing but parts, for a nonce of 12 bytes. */
static void message_of_parts(const struct key_pair *k, uint8_t *dst, uint8_t tag[16],
                             const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                             const uint8_t nonce[12], int opening)
{
    const size_t tail = len % 16;
    size_t rest = len - tail;
    uint8_t counter[16];
    uint8_t y[16] = {0};
    uint8_t block[16] = {0};

    memcpy(counter, nonce, 12);
    store_be32(counter + 12, 1);
    k->parts->encrypt(k->table, tag, counter, 1);
    hash_in_pieces(k, y, aad, aad_len);
    store_be32(counter + 12, 2);
    while (rest != 0) {
        size_t blocks = 1 + rng_below(&rng, rest / 16);

        k->parts->text(k->table, y, dst, src, blocks, counter, opening);
        store_be32(counter + 12, load_be32(counter + 12) + (uint32_t)blocks);
        dst += 16 * blocks;
        src += 16 * blocks;
        rest -= 16 * blocks;
    }
    if (tail != 0) {
        k->parts->encrypt(k->table, block, counter, 1);
        ref_xor(dst, src, block, tail);
        hash_in_pieces(k, y, opening ? src : dst, tail);
    }
    store_be64(block, 8 * (uint64_t)aad_len);
    store_be64(block + 8, 8 * (uint64_t)len);
    k->parts->hash(k->table, y, block, 1);
    ref_xor(tag, tag, y, 16);
}

/* Whichever kernel made it, a message is the same: the row's own functions in one call. */
static size_t messages(const struct kernel_row *row)
{
    enum { MAX = 3000, AAD = 600 };
    static uint8_t pt[MAX], want[MAX], got[MAX], aad[AAD];
    size_t cases = 0;

    rng_bytes(&rng, pt, MAX);
    rng_bytes(&rng, aad, AAD);
    for (size_t turn = 0; turn < 600; turn++) {
        size_t len = turn < 300 ? turn : rng_below(&rng, MAX);
        size_t aad_len = rng_below(&rng, turn % 4 == 0 ? 40 : AAD);
        uint8_t random[44];
        uint8_t tag[16];
        uint8_t want_tag[16];
        struct key_pair k;

        rng_bytes(&rng, random, sizeof random);
        key_of_gcm(&k, row, random, key_lens[turn % 3]);
        row->kernel.aes_gcm->seal(k.table, want, want_tag, pt, len, aad, aad_len, random + 32, 12);
        message_of_parts(&k, got, tag, pt, len, aad, aad_len, random + 32, 0);
        check_bytes(got, want, len, "%s: sealed by parts, %zu bytes", row->name, len);
        check_bytes(tag, want_tag, 16, "%s: tag by parts, %zu bytes", row->name, len);
        message_of_parts(&k, got, tag, want, len, aad, aad_len, random + 32, 1);
        check_bytes(got, pt, len, "%s: opened by parts, %zu bytes", row->name, len);
        check_bytes(tag, want_tag, 16, "%s: tag when opening, %zu bytes", row->name, len);
        row->kernel.aes_gcm->open(k.table, got, tag, want, len, aad, aad_len, random + 32, 12);
        check_bytes(got, pt, len, "%s: opened at once, %zu bytes", row->name, len);
        check_bytes(tag, want_tag, 16, "%s: tag of opening at once, %zu bytes", row->name, len);
        cases++;
    }
    return cases;
}

/* ---- Text in pieces ---- */

#define TEXT_BYTES 1800 /* of a text, at most: three pieces, each within guards */

/* A piece of the text from its byte `at` on, between guards; the state is moved each time. */
static void piece(const struct key_pair *k, const struct expected *e, struct aes_gcm_text *text,
                  size_t at, size_t len, enum layout layout)
{
    const uint8_t *table = layout_copy(&table_room, layout, k->table, AES_GCM_TABLE_BYTES, 8, &rng);
    struct aes_gcm_text *placed =
        (void *)layout_copy(&text_room, layout, (const uint8_t *)text, sizeof *text, 8, &rng);
    uint8_t *dst = layout_room(&dst_room, layout, len, 1, &rng);
    uint8_t *src = layout_in_place(layout) ? dst : layout_room(&src_room, layout, len, 1, &rng);
    const uint8_t *ct = e->part == SEAL ? e->out : e->in;
    char what[120];

    memcpy(src, e->in + at, len);
    if (dst != src) {
        memset(dst, 0x5a, len);
    }
    layout_mark(&dst_room, dst, len);
    layout_mark(&text_room, (uint8_t *)placed, sizeof *placed);
    if (k->parts->pieces != NULL) {
        k->parts->pieces(table, placed, dst, src, len, e->part == OPEN);
    } else {
        gcm_text_by_blocks(k->parts, table, placed, dst, src, len, e->part == OPEN);
    }
    memcpy(text, placed, sizeof *text);

    snprintf(what, sizeof what, "%s: %s, bytes %zu to %zu in pieces", k->row->name,
             part_names[e->part], at, at + len);
    check_bytes(dst, e->out + at, len, "%s", what);
    layout_check(&dst_room, dst, len, what);
    layout_check(&text_room, (uint8_t *)placed, sizeof *placed, what);
    if (dst != src) {
        check_bytes(src, e->in + at, len, "%s: changed its input", what);
    }
    check_bytes(table, k->table, AES_GCM_TABLE_BYTES, "%s: changed its table", what);
    check_true(text->held <= AES_GCM_TURN_MAX && (at + len - text->held) % 16 == 0, "%s: held %zu",
               what, (size_t)text->held);
    check_bytes(text->turn, ct + at + len - (size_t)text->held, (size_t)text->held, "%s: held",
                what);
    check_bytes(text->y, e->y[(at + len - text->held) / 16], 16, "%s: y", what);
}

/* The counter is 2 after a public nonce, and wraps in block `wrap` after one that is hashed. */
static void text_begin(struct expected *e, struct aes_gcm_text *text, enum part part, int hashed,
                       uint32_t wrap)
{
    e->part = part;
    rng_bytes(&rng, e->in, TEXT_BYTES);
    rng_bytes(&rng, e->y[0], 16);
    rng_bytes(&rng, e->counter, 16);
    store_be32(e->counter + 12, hashed ? 0 - wrap : 2);
    rng_bytes(&rng, (uint8_t *)text, sizeof *text);
    memcpy(text->y, e->y[0], 16);
    memcpy(text->counter, e->counter, 16);
    text->nonce_is_hashed = (uint64_t)hashed;
    text->held = 0;
}

/*
 * Three pieces: the first ends in every byte of some turns, and the second, in several runs, too. For
 * kernels without `pieces`, where a turn is one block, fewer will do.
 */
static size_t pieces(const struct kernel_row *row)
{
    enum { TURNS = TEXT_BYTES / 3 };
    const size_t step = row->kernel.aes_gcm->parts->pieces != NULL ? 5 : 99;
    size_t cases = 0;

    for (size_t first = 1; first < TURNS; first++) {
        struct aes_gcm_text begin;
        struct key_pair k;
        uint8_t key[32];

        rng_bytes(&rng, key, sizeof key);
        key_of_gcm(&k, row, key, key_lens[first % 3]);
        text_begin(&expected, &begin, first % 2 == 0 ? SEAL : OPEN, first % 4 > 1,
                   (uint32_t)first % POSITIONS);
        expect(&k, &expected, expected.part, TEXT_BYTES / 16);
        for (size_t second = 1 + first % step; second < 2 * TURNS - 32; second += step) {
            struct aes_gcm_text text = begin;
            const size_t two = first + second;
            const enum layout layout = (enum layout)(cases % LAYOUT_COUNT);

            piece(&k, &expected, &text, 0, first, layout);
            piece(&k, &expected, &text, first, second, layout);
            piece(&k, &expected, &text, two, 1 + rng_below(&rng, TEXT_BYTES / 16 * 16 - two),
                  layout);
            cases++;
        }
    }
    return cases;
}

#define KERNEL_TEST(name)                                                                          \
    static void test_##name(void **unused)                                                         \
    {                                                                                              \
        (void)unused;                                                                              \
        kernels_each(AEADFAST_OP_AES_GCM, #name, name);                                            \
    }

KERNEL_TEST(every_length)
KERNEL_TEST(every_alignment)
KERNEL_TEST(counter_wrap)
KERNEL_TEST(far_counter_wrap)
KERNEL_TEST(limited)
KERNEL_TEST(unusual_hashes)
KERNEL_TEST(messages)
KERNEL_TEST(pieces)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length), cmocka_unit_test(test_every_alignment),
        cmocka_unit_test(test_counter_wrap), cmocka_unit_test(test_far_counter_wrap),
        cmocka_unit_test(test_limited),      cmocka_unit_test(test_unusual_hashes),
        cmocka_unit_test(test_messages),     cmocka_unit_test(test_pieces),
    };

    return cmocka_run_group_tests_name("aes_gcm_parts", tests, setup, teardown);
}
