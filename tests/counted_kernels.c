/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* as the probes have it */

#include "counted_kernels.h"

#include <string.h>

/* The list of the library, under another name. */
#undef aeadfast_kernel_lists
#define aeadfast_kernel_lists counted_originals
#include "kernel_list.c"
#undef aeadfast_kernel_lists
#define aeadfast_kernel_lists AEADFAST_INTERNAL(kernel_lists)

unsigned counted_hits[OP_COUNT][COUNTED_ROWS];

static struct kernel_row rows[OP_COUNT][COUNTED_ROWS];
static struct chacha_kernel chacha[COUNTED_ROWS];
static struct poly1305_kernel poly1305[COUNTED_ROWS];
static struct chacha20_poly1305_kernel aead[COUNTED_ROWS];
static struct aes_gcm_kernel aes_gcm[COUNTED_ROWS];
static struct aes_gcm_parts aes_gcm_parts[COUNTED_ROWS];

/* Who does the work: the row's own kernel, or where the real processor cannot run it the portable. */
static const struct kernel_row *workers[OP_COUNT][COUNTED_ROWS];

#define SIZE(array) (sizeof(array) / sizeof((array)[0]))

const struct kernel_list aeadfast_kernel_lists[OP_COUNT] = {
    [AEADFAST_OP_CHACHA20] = {rows[AEADFAST_OP_CHACHA20], SIZE(chacha20_rows)},
    [AEADFAST_OP_POLY1305] = {rows[AEADFAST_OP_POLY1305], SIZE(poly1305_rows)},
    [AEADFAST_OP_CHACHA20_POLY1305] = {rows[AEADFAST_OP_CHACHA20_POLY1305],
                                       SIZE(chacha20_poly1305_rows)},
    [AEADFAST_OP_AES_GCM] = {rows[AEADFAST_OP_AES_GCM], SIZE(aes_gcm_rows)},
};

/* ---- Functions that count, a set for each place in a list ---- */

static const struct kernel_row *hit(aeadfast_op op, unsigned i)
{
    counted_hits[op][i]++;
    return workers[op][i];
}

static const struct aes_gcm_parts *hit_parts(unsigned i)
{
    return hit(AEADFAST_OP_AES_GCM, i)->kernel.aes_gcm->parts;
}

/* By whom does the work, who may have no such function. */
static void do_many(const struct chacha20_poly1305_kernel *kernel, const struct aead_job *jobs,
                    size_t n, int opening)
{
    if (kernel->many != NULL) {
        kernel->many(jobs, n, opening);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        (opening ? kernel->open : kernel->seal)(jobs[i].dst, jobs[i].tag, jobs[i].src, jobs[i].len,
                                                jobs[i].aad, jobs[i].aad_len, jobs[i].nonce,
                                                jobs[i].key);
    }
}

static void do_gcm_many(const struct aes_gcm_kernel *kernel, const struct aead_job *jobs, size_t n,
                        int opening)
{
    if (kernel->many != NULL) {
        kernel->many(jobs, n, opening);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        (opening ? kernel->open : kernel->seal)(jobs[i].key, jobs[i].dst, jobs[i].tag, jobs[i].src,
                                                jobs[i].len, jobs[i].aad, jobs[i].aad_len,
                                                jobs[i].nonce, 12);
    }
}

#define COUNTERS(i)                                                                                \
    static void stream_##i(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16], \
                           int rounds)                                                             \
    {                                                                                              \
        hit(AEADFAST_OP_CHACHA20, i)->kernel.chacha->stream(dst, src, len, state, rounds);         \
    }                                                                                              \
    static void mac_##i(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])    \
    {                                                                                              \
        hit(AEADFAST_OP_POLY1305, i)->kernel.poly1305->mac(tag, msg, len, key);                    \
    }                                                                                              \
    static void blocks_##i(struct poly1305_core *core, const uint8_t *msg, size_t n, uint64_t hi)  \
    {                                                                                              \
        hit(AEADFAST_OP_POLY1305, i)->kernel.poly1305->blocks(core, msg, n, hi);                   \
    }                                                                                              \
    static void seal_##i(uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,              \
                         const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],              \
                         const uint8_t key[32])                                                    \
    {                                                                                              \
        hit(AEADFAST_OP_CHACHA20_POLY1305, i)                                                      \
            ->kernel.aead->seal(ct, tag, pt, len, aad, aad_len, nonce, key);                       \
    }                                                                                              \
    static void open_##i(uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len,              \
                         const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],              \
                         const uint8_t key[32])                                                    \
    {                                                                                              \
        hit(AEADFAST_OP_CHACHA20_POLY1305, i)                                                      \
            ->kernel.aead->open(pt, tag, ct, len, aad, aad_len, nonce, key);                       \
    }                                                                                              \
    static void batches_##i(struct poly1305_core *core, uint8_t *dst, const uint8_t *src,          \
                            const uint8_t *hashed, size_t n, const uint32_t state[16])             \
    {                                                                                              \
        hit(AEADFAST_OP_CHACHA20_POLY1305, i)                                                      \
            ->kernel.aead->batches(core, dst, src, hashed, n, state);                              \
    }                                                                                              \
    static void many_##i(const struct aead_job *jobs, size_t n, int opening)                       \
    {                                                                                              \
        do_many(hit(AEADFAST_OP_CHACHA20_POLY1305, i)->kernel.aead, jobs, n, opening);             \
    }                                                                                              \
    static void gcm_many_##i(const struct aead_job *jobs, size_t n, int opening)                   \
    {                                                                                              \
        do_gcm_many(hit(AEADFAST_OP_AES_GCM, i)->kernel.aes_gcm, jobs, n, opening);                \
    }                                                                                              \
    static void gcm_init_##i(void *table, const uint8_t *key, size_t key_len)                      \
    {                                                                                              \
        hit(AEADFAST_OP_AES_GCM, i)->kernel.aes_gcm->init(table, key, key_len);                    \
    }                                                                                              \
    static void gcm_seal_##i(const void *table, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,   \
                             size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce, \
                             size_t nonce_len)                                                     \
    {                                                                                              \
        hit(AEADFAST_OP_AES_GCM, i)                                                                \
            ->kernel.aes_gcm->seal(table, ct, tag, pt, len, aad, aad_len, nonce, nonce_len);       \
    }                                                                                              \
    static void gcm_open_##i(const void *table, uint8_t *pt, uint8_t tag[16], const uint8_t *ct,   \
                             size_t len, const uint8_t *aad, size_t aad_len, const uint8_t *nonce, \
                             size_t nonce_len)                                                     \
    {                                                                                              \
        hit(AEADFAST_OP_AES_GCM, i)                                                                \
            ->kernel.aes_gcm->open(table, pt, tag, ct, len, aad, aad_len, nonce, nonce_len);       \
    }                                                                                              \
    static void gcm_init_hash_##i(void *table, const uint8_t *key, size_t key_len,                 \
                                  const uint8_t h[16], size_t nblocks)                             \
    {                                                                                              \
        hit_parts(i)->init_hash(table, key, key_len, h, nblocks);                                  \
    }                                                                                              \
    static void gcm_encrypt_##i(const void *table, uint8_t *dst, const uint8_t *src, size_t n)     \
    {                                                                                              \
        hit_parts(i)->encrypt(table, dst, src, n);                                                 \
    }                                                                                              \
    static void gcm_hash_##i(const void *table, uint8_t y[16], const uint8_t *data, size_t n)      \
    {                                                                                              \
        hit_parts(i)->hash(table, y, data, n);                                                     \
    }                                                                                              \
    static void gcm_hash_reversed_##i(const void *table, uint8_t y[16], const uint8_t *data,       \
                                      size_t n)                                                    \
    {                                                                                              \
        hit_parts(i)->hash_reversed(table, y, data, n);                                            \
    }                                                                                              \
    static void gcm_text_##i(const void *table, uint8_t y[16], uint8_t *dst, const uint8_t *src,   \
                             size_t n, const uint8_t counter[16], int opening)                     \
    {                                                                                              \
        hit_parts(i)->text(table, y, dst, src, n, counter, opening);                               \
    }                                                                                              \
    static void gcm_counter_le_##i(const void *table, uint8_t *dst, const uint8_t *src,            \
                                   size_t len, const uint8_t counter[16])                          \
    {                                                                                              \
        hit_parts(i)->counter_le(table, dst, src, len, counter);                                   \
    }                                                                                              \
    static void gcm_pieces_##i(const void *table, struct aes_gcm_text *text, uint8_t *dst,         \
                               const uint8_t *src, size_t len, int opening)                        \
    {                                                                                              \
        hit_parts(i)->pieces(table, text, dst, src, len, opening);                                 \
    }                                                                                              \
    static void gcm_siv_derive_##i(const void *table, void *derived, size_t key_len,               \
                                   const uint8_t nonce[12], size_t n)                              \
    {                                                                                              \
        hit_parts(i)->siv_derive(table, derived, key_len, nonce, n);                               \
    }                                                                                              \
    static void gcm_siv_tag_##i(const void *derived, uint8_t tag[16], uint8_t counter[16],         \
                                const uint8_t y[16], const uint8_t nonce[12])                      \
    {                                                                                              \
        hit_parts(i)->siv_tag(derived, tag, counter, y, nonce);                                    \
    }

/* clang-format off */
#define EACH_PLACE(DO)                                                                             \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13)        \
    DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26)     \
    DO(27) DO(28) DO(29) DO(30)
/* clang-format on */

EACH_PLACE(COUNTERS)

static const struct chacha_kernel chacha_counters[COUNTED_ROWS] = {
#define COUNTER(i) {stream_##i, NULL, STACK},
#define STACK      2048 /* the most there is: enough for any */
    EACH_PLACE(COUNTER)
#undef COUNTER
};

static const struct poly1305_kernel poly1305_counters[COUNTED_ROWS] = {
#define COUNTER(i) {mac_##i, blocks_##i, STACK},
    EACH_PLACE(COUNTER)
#undef COUNTER
};

static const struct chacha20_poly1305_kernel aead_counters[COUNTED_ROWS] = {
#define COUNTER(i)                                                                                 \
    {.seal = seal_##i,                                                                             \
     .open = open_##i,                                                                             \
     .stack = STACK,                                                                               \
     .batches = batches_##i,                                                                       \
     .many = many_##i,                                                                             \
     .many_stack = STACK},
    EACH_PLACE(COUNTER)
#undef COUNTER
};

static const struct aes_gcm_kernel aes_gcm_counters[COUNTED_ROWS] = {
#define COUNTER(i)                                                                                 \
    {.init = gcm_init_##i,                                                                         \
     .seal = gcm_seal_##i,                                                                         \
     .open = gcm_open_##i,                                                                         \
     .stack = STACK,                                                                               \
     .many = gcm_many_##i,                                                                         \
     .many_stack = STACK},
    EACH_PLACE(COUNTER)
#undef COUNTER
};

static const struct aes_gcm_parts parts_counters[COUNTED_ROWS] = {
#define COUNTER(i)                                                                                 \
    {.init_hash = gcm_init_hash_##i,                                                               \
     .encrypt = gcm_encrypt_##i,                                                                   \
     .hash = gcm_hash_##i,                                                                         \
     .hash_reversed = gcm_hash_reversed_##i,                                                       \
     .text = gcm_text_##i,                                                                         \
     .counter_le = gcm_counter_le_##i,                                                             \
     .siv_derive = gcm_siv_derive_##i,                                                             \
     .siv_tag = gcm_siv_tag_##i,                                                                   \
     .pieces = gcm_pieces_##i,                                                                     \
     .stack = STACK},
    EACH_PLACE(COUNTER)
#undef COUNTER
};

/* ---- The probe ---- */

#undef aeadfast_cpu_probe
#define aeadfast_cpu_probe counted_probe
#if defined(AEADFAST_ARCH_X86_64)
#include "x86_64/cpu.c"
#elif defined(AEADFAST_ARCH_AARCH64)
#include "aarch64/cpu.c"
#elif defined(AEADFAST_ARCH_RISCV64)
#include "riscv/cpu.c"
#else
#include "cpu_none.c"
#endif
#undef aeadfast_cpu_probe
#define aeadfast_cpu_probe AEADFAST_INTERNAL(cpu_probe)

static const struct cpu *made_up;

struct cpu counted_real_processor(void)
{
    return counted_probe();
}

struct cpu aeadfast_cpu_probe(void)
{
    return made_up != NULL ? *made_up : counted_probe();
}

void counted_processor(const struct cpu *cpu)
{
    made_up = cpu;
}

/* ---- The rows ---- */

void counted_reset(void)
{
    memset(counted_hits, 0, sizeof counted_hits);
}

/* A family of AES-GCM shares its tables: if one of it cannot run, none of it does the work. */
static int family_runs(const struct kernel_list *list, const struct kernel_row *row,
                       const struct cpu *cpu)
{
    for (unsigned i = 0; i < list->count; i++) {
        if (list->rows[i].kernel.aes_gcm->init == row->kernel.aes_gcm->init &&
            !aeadfast_row_runs(&list->rows[i], cpu)) {
            return 0;
        }
    }
    return 1;
}

/* The first row with the same `init`, so that the copies form the same families. */
static unsigned family_head(const struct kernel_list *list, unsigned i)
{
    unsigned head = 0;

    while (list->rows[head].kernel.aes_gcm->init != list->rows[i].kernel.aes_gcm->init) {
        head++;
    }
    return head;
}

static void setup_row(int op, unsigned i, const struct cpu *cpu)
{
    const struct kernel_list *list = &counted_originals[op];
    struct kernel_row *row = &rows[op][i];
    int runs = aeadfast_row_runs(&list->rows[i], cpu);

    *row = list->rows[i];
    switch (op) {
    case AEADFAST_OP_CHACHA20:
        chacha[i] = chacha_counters[i];
        row->kernel.chacha = &chacha[i];
        break;
    case AEADFAST_OP_POLY1305:
        poly1305[i] = poly1305_counters[i];
        row->kernel.poly1305 = &poly1305[i];
        break;
    case AEADFAST_OP_CHACHA20_POLY1305:
        aead[i] = aead_counters[i];
        aead[i].many_len = list->rows[i].kernel.aead->many_len;
        if (list->rows[i].kernel.aead->many == NULL) {
            aead[i].many = NULL;
        }
        row->kernel.aead = &aead[i];
        break;
    default:
        aes_gcm[i] = aes_gcm_counters[i];
        aes_gcm[i].init = aes_gcm_counters[family_head(list, i)].init;
        aes_gcm[i].many_len = list->rows[i].kernel.aes_gcm->many_len;
        if (list->rows[i].kernel.aes_gcm->many == NULL) {
            aes_gcm[i].many = NULL;
        }
        row->kernel.aes_gcm = &aes_gcm[i];
        runs = family_runs(list, &list->rows[i], cpu);
        break;
    }
    workers[op][i] = runs ? &list->rows[i] : &list->rows[list->count - 1];
    if (op == AEADFAST_OP_CHACHA20_POLY1305) {
        aead[i].batch = workers[op][i]->kernel.aead->batch;
        if (aead[i].batch == 0) {
            aead[i].batches = NULL;
        }
    }
    if (op == AEADFAST_OP_AES_GCM) {
        const unsigned head = family_head(list, i);

        aes_gcm_parts[head] = parts_counters[head];
        aes_gcm[i].parts = &aes_gcm_parts[head];
        if (workers[op][i]->kernel.aes_gcm->parts->siv_derive == NULL) {
            aes_gcm_parts[head].siv_derive = NULL;
            aes_gcm_parts[head].siv_tag = NULL;
        }
        if (workers[op][i]->kernel.aes_gcm->parts->pieces == NULL) {
            aes_gcm_parts[head].pieces = NULL;
        }
    }
}

void counted_setup(void)
{
    struct cpu cpu = counted_real_processor();

    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < counted_originals[op].count; i++) {
            setup_row(op, i, &cpu);
        }
    }
}
