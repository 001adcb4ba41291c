/* SPDX-License-Identifier: MIT */
/*
 * Known answers through every kernel that this processor can run.
 *
 * Inputs of many lengths are made by a formula, and all outputs of a kernel are folded into one
 * number (FNV-1a, 64 bits). The numbers expected were computed with OpenSSL; those of AES-GCM-SIV
 * with AWS-LC; those of the streams, whose counter wraps, with a plain implementation of the RFC's
 * text that was checked against OpenSSL.
 */
#include "aes_gcm_key.h"
#include "aes_gcm_pieces.h"
#include "chacha20_poly1305_pieces.h"
#include "chacha_state.h"
#include "dispatch.h"
#include "poly1305_core.h"

/* Around the edges of blocks and of what wide kernels take at a time. */
static const uint16_t lengths[] = {0,   1,    15,   16,   17,   63,   64,   65,   127,
                                   128, 129,  191,  255,  256,  257,  319,  320,  383,
                                   448, 511,  512,  513,  575,  640,  767,  768,  895,
                                   960, 1023, 1024, 1025, 1350, 1535, 1792, 2047, 2048};

#define LENGTH_COUNT (sizeof(lengths) / sizeof(lengths[0]))
#define TEXT_MAX     2048
#define AAD_MAX      47

/* As many messages as a kernel takes at once have room for that much each. */
#define MANY_TEXT_MAX (TEXT_MAX / AEAD_JOBS_MAX)

struct buffers {
    uint8_t text[TEXT_MAX];
    uint8_t out[TEXT_MAX];
    uint8_t aad[AAD_MAX];
    uint8_t key[32];
    uint8_t nonce[16];
};

static void fill(uint8_t *p, size_t n, unsigned start)
{
    for (size_t i = 0; i < n; i++) {
        p[i] = (uint8_t)(start + 7 * i + 13 * (i >> 8));
    }
}

static void fill_buffers(struct buffers *b)
{
    fill(b->text, sizeof(b->text), 1);
    fill(b->aad, sizeof(b->aad), 2);
    fill(b->key, sizeof(b->key), 3);
    fill(b->nonce, sizeof(b->nonce), 4);
}

static uint64_t fold(uint64_t hash, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

#define FOLD_START UINT64_C(0xcbf29ce484222325)

static int test_chacha(const struct chacha_kernel *kernel, struct buffers *b)
{
    static const struct {
        int rounds;
        uint64_t expected;
    } cases[] = {{8, UINT64_C(0x1756b188938287f6)},
                 {12, UINT64_C(0x53d34349269e5dd0)},
                 {20, UINT64_C(0x1a72b0423adc42d9)}};
    int good = 1;

    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        uint64_t hash = FOLD_START;
        uint32_t state[16];

        for (size_t i = 0; i < LENGTH_COUNT; i++) {
            /* The counter comes to wrap within most messages, and nothing of it may go further. */
            chacha_state_init(state, b->key, 0xfffffff8 + (uint32_t)i % 8, b->nonce + 4);
            kernel->stream(b->out, b->text, lengths[i], state, cases[c].rounds);
            hash = fold(hash, b->out, lengths[i]);
        }
        good &= hash == cases[c].expected;
        hash = FOLD_START;
        for (size_t i = 0; i < LENGTH_COUNT && kernel->direct != NULL; i++) {
            kernel->direct(b->out, b->text, lengths[i], 0xfffffff8 + (uint32_t)i % 8, b->nonce + 4,
                           b->key, cases[c].rounds);
            hash = fold(hash, b->out, lengths[i]);
        }
        good &= kernel->direct == NULL || hash == cases[c].expected;
    }
    return good;
}

static int test_poly1305(const struct poly1305_kernel *kernel, struct buffers *b)
{
    uint64_t hash = FOLD_START;
    uint8_t tag[16];
    int good = 1;

    for (size_t i = 0; i < LENGTH_COUNT; i++) {
        struct poly1305_core core;
        size_t blocks = lengths[i] / 16;
        size_t rest = lengths[i] % 16;
        uint8_t again[16];

        kernel->mac(tag, b->text, lengths[i], b->key);
        hash = fold(hash, tag, sizeof(tag));

        /* The same in pieces: a third of the blocks, the others, what is left. */
        poly1305_core_begin(&core, b->key);
        kernel->blocks(&core, b->text, blocks / 3, 1);
        kernel->blocks(&core, b->text + 16 * (blocks / 3), blocks - blocks / 3, 1);
        if (rest != 0) {
            uint8_t last[16];

            poly1305_pad_last(last, b->text + 16 * blocks, rest);
            kernel->blocks(&core, last, 1, 0);
        }
        poly1305_core_final(&core, again);
        good &= aeadfast_equal(tag, again, sizeof(tag));
    }
    return good & (hash == UINT64_C(0x09487183394a7d61));
}

/*
 * Text in batches, hashed as it comes in, against the two portable primitives; the counter wraps, and
 * the hash goes on from one call to the next.
 */
static int test_batches(const struct chacha20_poly1305_kernel *kernel, struct buffers *b)
{
    const struct kernel_list *chacha = &aeadfast_kernel_lists[AEADFAST_OP_CHACHA20];
    const struct kernel_list *poly1305 = &aeadfast_kernel_lists[AEADFAST_OP_POLY1305];
    struct poly1305_core core;
    struct poly1305_core core_again;
    uint8_t tag[16];
    uint8_t again[16];
    int good = 1;

    if (kernel->batches == NULL) {
        return 1;
    }
    poly1305_core_begin(&core, b->key);
    core_again = core;
    for (size_t n = 1; n * kernel->batch <= TEXT_MAX; n++) {
        uint32_t state[16];
        size_t len = n * kernel->batch;

        chacha_state_init(state, b->key, 0xfffffff8, b->nonce);
        kernel->batches(&core, b->out, b->text, b->text, n, state);
        poly1305->rows[poly1305->count - 1].kernel.poly1305->blocks(&core_again, b->text, len / 16,
                                                                    1);
        chacha->rows[chacha->count - 1].kernel.chacha->stream(b->out, b->out, len, state, 20);
        good &= aeadfast_equal(b->out, b->text, len);
    }
    poly1305_core_final(&core, tag);
    poly1305_core_final(&core_again, again);
    return good & aeadfast_equal(tag, again, sizeof(tag));
}

/*
 * The kernel's `many`, sealing and then opening as many messages as it takes, from the text and from
 * the key on by different distances: the same as one after another.
 */
static int test_aead_many(const struct chacha20_poly1305_kernel *kernel, struct buffers *b)
{
    struct aead_job jobs[AEAD_JOBS_MAX];
    uint8_t tags[AEAD_JOBS_MAX][16];
    uint8_t expected[MANY_TEXT_MAX];
    uint8_t tag[16];
    int good = 1;

    for (size_t i = 0; i < AEAD_JOBS_MAX; i++) {
        jobs[i] = (struct aead_job){b->out + i * MANY_TEXT_MAX,
                                    tags[i],
                                    b->text + 3 * i,
                                    37 * i % (MANY_TEXT_MAX + 1),
                                    b->aad,
                                    5 * i % (AAD_MAX + 1),
                                    b->nonce + i % 5,
                                    b->text + 5 * i};
    }
    for (int opening = 0; opening < 2; opening++) {
        kernel->many(jobs, AEAD_JOBS_MAX, opening);
        for (size_t i = 0; i < AEAD_JOBS_MAX; i++) {
            const struct aead_job *job = &jobs[i];

            (opening ? kernel->open : kernel->seal)(expected, tag, b->text + 3 * i, job->len,
                                                    job->aad, job->aad_len, job->nonce, job->key);
            good &= aeadfast_equal(job->dst, expected, job->len);
            good &= aeadfast_equal(job->tag, tag, sizeof(tag));
        }
    }
    return good;
}

/* Whether the tag is the same where data and text come in pieces, which end within blocks too. */
static int same_in_chacha_pieces(const struct kernel_row *row, struct buffers *b, size_t len,
                                 size_t aad_len, const uint8_t tag[16])
{
    struct chacha20_poly1305_kernels kernels = {row, 0, 0, NULL};
    struct chacha20_poly1305_pieces p;
    const size_t first = len / 3;
    uint8_t again[16];

    chacha20_poly1305_pieces_begin(&p, b->nonce, b->key);
    chacha20_poly1305_pieces_aad(&p, &kernels, b->aad, aad_len / 2);
    chacha20_poly1305_pieces_aad(&p, &kernels, b->aad + aad_len / 2, aad_len - aad_len / 2);
    chacha20_poly1305_pieces_text(&p, &kernels, b->out, b->text, first, AEAD_SEAL);
    chacha20_poly1305_pieces_text(&p, &kernels, b->out + first, b->text + first, len - first,
                                  AEAD_SEAL);
    chacha20_poly1305_pieces_tag(&p, &kernels, again);
    return aeadfast_equal(tag, again, sizeof(again));
}

static int test_aead(const struct kernel_row *row, struct buffers *b)
{
    const struct chacha20_poly1305_kernel *kernel = row->kernel.aead;
    uint64_t hash = FOLD_START;
    uint8_t tag[16];
    uint8_t again[16];
    int good = 1;

    for (size_t i = 0; i < LENGTH_COUNT; i++) {
        size_t aad_len = i % (AAD_MAX + 1);

        kernel->seal(b->out, tag, b->text, lengths[i], b->aad, aad_len, b->nonce, b->key);
        hash = fold(hash, b->out, lengths[i]);
        hash = fold(hash, tag, sizeof(tag));

        kernel->open(b->out, again, b->out, lengths[i], b->aad, aad_len, b->nonce, b->key);
        good &= aeadfast_equal(b->out, b->text, lengths[i]);
        good &= aeadfast_equal(tag, again, sizeof(tag));
        good &= same_in_chacha_pieces(row, b, lengths[i], aad_len, tag);
    }
    good &= test_batches(kernel, b);
    if (kernel->many != NULL) {
        good &= test_aead_many(kernel, b);
    }
    return good & (hash == UINT64_C(0x3d7c2f5bd24bc6c7));
}

/* Whether the tag is the same where data and text come in pieces, which end within blocks too. */
static int same_in_pieces(const struct aes_gcm_parts *parts, const void *table, struct buffers *b,
                          size_t len, size_t aad_len, size_t nonce_len, const uint8_t tag[16])
{
    const size_t first = len / 3;
    struct gcm_pieces m;
    uint8_t again[16];

    gcm_pieces_begin(parts, table, &m, b->nonce, nonce_len);
    gcm_pieces_aad(parts, table, &m, b->aad, aad_len / 2);
    gcm_pieces_aad(parts, table, &m, b->aad + aad_len / 2, aad_len - aad_len / 2);
    gcm_pieces_aad_end(parts, table, &m);
    gcm_pieces_text(parts, table, &m, b->out, b->text, first, 0);
    gcm_pieces_text(parts, table, &m, b->out + first, b->text + first, len - first, 0);
    gcm_pieces_tag(parts, table, &m, again);
    return aeadfast_equal(tag, again, sizeof(again));
}

/* The same for AES-GCM, under three tables, one of each key length. */
static int test_gcm_many(const struct aes_gcm_kernel *kernel, struct buffers *b)
{
    uint64_t tables[3][AES_GCM_TABLE_BYTES / sizeof(uint64_t)];
    struct aead_job jobs[AEAD_JOBS_MAX];
    uint8_t tags[AEAD_JOBS_MAX][16];
    uint8_t expected[MANY_TEXT_MAX];
    uint8_t tag[16];
    int good = 1;

    for (size_t i = 0; i < 3; i++) {
        kernel->init(tables[i], b->key, 16 + 8 * i);
    }
    for (size_t i = 0; i < AEAD_JOBS_MAX; i++) {
        /* the second half: of one length, as some kernels want it */
        const size_t len = i < AEAD_JOBS_MAX / 2 ? 37 * i % (MANY_TEXT_MAX + 1) : MANY_TEXT_MAX;

        jobs[i] = (struct aead_job){b->out + i * MANY_TEXT_MAX,
                                    tags[i],
                                    b->text + 3 * i,
                                    len,
                                    b->aad,
                                    5 * i % (i % 2 == 0 ? 17 : AAD_MAX + 1),
                                    b->nonce + i % 5,
                                    tables[i / 2 % 3]};
    }
    for (int opening = 0; opening < 2; opening++) {
        kernel->many(jobs, AEAD_JOBS_MAX, opening);
        for (size_t i = 0; i < AEAD_JOBS_MAX; i++) {
            const struct aead_job *job = &jobs[i];

            (opening ? kernel->open : kernel->seal)(job->key, expected, tag, job->src, job->len,
                                                    job->aad, job->aad_len, job->nonce, 12);
            good &= aeadfast_equal(job->dst, expected, job->len);
            good &= aeadfast_equal(job->tag, tag, sizeof(tag));
        }
    }
    return good;
}

static int test_aes_gcm(const struct aes_gcm_kernel *kernel, struct buffers *b)
{
    static const struct {
        size_t key_len;
        uint64_t expected;
    } cases[] = {{16, UINT64_C(0xfa1481a4c4adb546)},
                 {24, UINT64_C(0x4b4939bb92eb607f)},
                 {32, UINT64_C(0x584e1a0994f80a85)}};
    uint64_t table[AES_GCM_TABLE_BYTES / sizeof(uint64_t)];
    uint8_t tag[16];
    uint8_t again[16];
    int good = 1;

    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        uint64_t hash = FOLD_START;

        kernel->init(table, b->key, cases[c].key_len);
        for (size_t i = 0; i < LENGTH_COUNT; i++) {
            size_t aad_len = i % (AAD_MAX + 1);
            size_t nonce_len = i % 4 == 3 ? 1 + i % 16 : 12;

            kernel->seal(table, b->out, tag, b->text, lengths[i], b->aad, aad_len, b->nonce,
                         nonce_len);
            hash = fold(hash, b->out, lengths[i]);
            hash = fold(hash, tag, sizeof(tag));

            kernel->open(table, b->out, again, b->out, lengths[i], b->aad, aad_len, b->nonce,
                         nonce_len);
            good &= aeadfast_equal(b->out, b->text, lengths[i]);
            good &= aeadfast_equal(tag, again, sizeof(tag));
            good &= same_in_pieces(kernel->parts, table, b, lengths[i], aad_len, nonce_len, tag);
        }
        good &= hash == cases[c].expected;
    }
    if (kernel->many != NULL) {
        good &= test_gcm_many(kernel, b);
    }
    return good;
}

/* By the public functions, under a key that is held to the one row. */
static int test_aes_gcm_siv(unsigned row, struct buffers *b)
{
    static const struct {
        size_t key_len;
        uint64_t expected;
    } cases[] = {{16, UINT64_C(0xbd3f223926b220e9)}, {32, UINT64_C(0x4f52038918bce826)}};
    uint8_t tag[16];
    aes_gcm_siv_key k;
    int good = 1;

    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        uint64_t hash = FOLD_START;

        key_make(k.opaque, SIV_KEY_MARK | cases[c].key_len, UINT32_C(1) << row, b->key,
                 cases[c].key_len);
        for (size_t i = 0; i < LENGTH_COUNT; i++) {
            size_t aad_len = i % (AAD_MAX + 1);

            good &= aes_gcm_siv_seal(&k, b->out, tag, b->text, lengths[i], b->aad, aad_len,
                                     b->nonce) == AEADFAST_OK;
            hash = fold(hash, b->out, lengths[i]);
            hash = fold(hash, tag, sizeof(tag));

            good &= aes_gcm_siv_open(&k, b->out, b->out, lengths[i], tag, b->aad, aad_len,
                                     b->nonce) == AEADFAST_OK;
            good &= aeadfast_equal(b->out, b->text, lengths[i]);
        }
        good &= hash == cases[c].expected;
    }
    return good;
}

static int test_row(aeadfast_op op, const struct kernel_row *row, struct buffers *b)
{
    switch (op) {
    case AEADFAST_OP_CHACHA20:
        return test_chacha(row->kernel.chacha, b);
    case AEADFAST_OP_POLY1305:
        return test_poly1305(row->kernel.poly1305, b);
    case AEADFAST_OP_CHACHA20_POLY1305:
        return test_aead(row, b);
    case AEADFAST_OP_AES_GCM:
        return test_aes_gcm(row->kernel.aes_gcm, b) &
               test_aes_gcm_siv((unsigned)(row - aes_gcm_rows()->rows), b);
    default:
        return 0;
    }
}

int aeadfast_selftest(void)
{
    struct cpu cpu = aeadfast_cpu_probe();
    struct buffers buffers;
    int good = 1;

    if (aeadfast_init() != AEADFAST_OK) {
        return AEADFAST_ERR_BACKEND;
    }
    fill_buffers(&buffers);
    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        for (unsigned i = 0; i < list->count; i++) {
            if (aeadfast_row_runs(&list->rows[i], &cpu)) {
                good &= test_row((aeadfast_op)op, &list->rows[i], &buffers);
            }
        }
    }
    return good ? AEADFAST_OK : AEADFAST_ERR_AUTH;
}
