/* SPDX-License-Identifier: MIT */
/* Each kernel that this processor can run against the portable one of its operation. */
#include <stdlib.h>
#include <string.h>

#include "aes_gcm_key.h"
#include "dispatch.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"", NULL};

#define TEXT_MAX 5000
#define AAD_MAX  600

/* What both kernels get, and what they must agree on. */
struct call {
    uint8_t key[32];
    size_t key_len;
    uint8_t nonce[100];
    size_t nonce_len;
    const uint8_t *text;
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    uint32_t state[16];
    int rounds;
    int in_place;
    int open;
    int siv;
};

struct answer {
    uint8_t *dst;
    uint8_t tag[16];
    uint8_t blocks_tag[16];
};

static void run_chacha(const struct call *c, const struct kernel_row *row, struct answer *a)
{
    row->kernel.chacha->stream(a->dst, c->in_place ? a->dst : c->text, c->len, c->state, c->rounds);
}

/* The blocks interface, from a state that is anything within its bounds. */
static void run_blocks(const struct call *c, const struct kernel_row *row, struct answer *a)
{
    struct poly1305_core core = {{0}, {0}, {0}};
    uint64_t carry;

    memcpy(core.h, c->nonce, 16);
    core.h[2] = c->nonce[16] & 7;
    memcpy(core.r, c->key, 16);
    core.r[0] &= UINT64_C(0x0ffffffc0fffffff);
    core.r[1] &= UINT64_C(0x0ffffffc0ffffffc);
    row->kernel.poly1305->blocks(&core, c->text, c->len / 16, (uint64_t)c->in_place);
    /* Reduced, so that two forms of one number are the same: h mod 2^130 - 5. */
    if (core.h[2] >= 8) {
        fuzz_fail("%s: the top limb is %llx", row->name, (unsigned long long)core.h[2]);
    }
    for (int turn = 0; turn < 2; turn++) {
        carry = 5 * (core.h[2] >> 2);
        core.h[2] &= 3;
        core.h[0] += carry;
        carry = core.h[0] < carry;
        core.h[1] += carry;
        core.h[2] += core.h[1] < carry;
    }
    if (core.h[2] == 3 && core.h[1] == UINT64_MAX && core.h[0] >= UINT64_MAX - 4) {
        core.h[0] -= UINT64_MAX - 4;
        core.h[1] = 0;
        core.h[2] = 0;
    }
    memcpy(a->blocks_tag, core.h, 16);
    a->blocks_tag[0] ^= (uint8_t)(core.h[2] << 6);
}

static void run_poly1305(const struct call *c, const struct kernel_row *row, struct answer *a)
{
    row->kernel.poly1305->mac(a->tag, c->text, c->len, c->key);
    run_blocks(c, row, a);
}

static void run_aead(const struct call *c, const struct kernel_row *row, struct answer *a)
{
    const uint8_t *src = c->in_place ? a->dst : c->text;

    (c->open ? row->kernel.aead->open : row->kernel.aead->seal)(a->dst, a->tag, src, c->len, c->aad,
                                                                c->aad_len, c->nonce, c->key);
}

/* AES-GCM-SIV under a key that is held to the row. */
static void run_gcm_siv(const struct call *c, const struct kernel_row *row, struct answer *a)
{
    const uint8_t *src = c->in_place ? a->dst : c->text;
    const size_t key_len = c->key_len == 24 ? 32 : c->key_len;
    aes_gcm_siv_key k;
    int result;

    memset(&k, 0x5a, sizeof k);
    key_make(k.opaque, SIV_KEY_MARK | key_len, UINT32_C(1) << (row - aes_gcm_rows()->rows), c->key,
             key_len);
    result = aes_gcm_siv_seal(&k, a->dst, a->tag, src, c->len, c->aad, c->aad_len, c->nonce);
    if (result == AEADFAST_OK && c->open) {
        a->tag[c->rounds % 16] ^= c->nonce[12] & 1;
        result = aes_gcm_siv_open(&k, a->dst, a->dst, c->len, a->tag, c->aad, c->aad_len, c->nonce);
    }
    a->blocks_tag[0] = (uint8_t)result;
    aes_gcm_siv_wipe(&k);
}

static void run_gcm(const struct call *c, const struct kernel_row *row, struct answer *a)
{
    const struct aes_gcm_kernel *kernel = row->kernel.aes_gcm;
    const uint8_t *src = c->in_place ? a->dst : c->text;
    uint64_t table[AES_GCM_TABLE_BYTES / 8];

    if (c->siv) {
        run_gcm_siv(c, row, a);
        return;
    }
    memset(table, 0x5a, sizeof table);
    kernel->init(table, c->key, c->key_len);
    (c->open ? kernel->open : kernel->seal)(table, a->dst, a->tag, src, c->len, c->aad, c->aad_len,
                                            c->nonce, c->nonce_len);
}

static void (*const run[OP_COUNT])(const struct call *c, const struct kernel_row *row,
                                   struct answer *a) = {
    [AEADFAST_OP_CHACHA20] = run_chacha,
    [AEADFAST_OP_POLY1305] = run_poly1305,
    [AEADFAST_OP_CHACHA20_POLY1305] = run_aead,
    [AEADFAST_OP_AES_GCM] = run_gcm,
};

static void answer(const struct call *c, int op, const struct kernel_row *row, struct answer *a)
{
    memset(a, 0, sizeof *a);
    a->dst = room(c->len);
    if (c->len != 0) {
        memcpy(a->dst, c->text, c->len);
    }
    run[op](c, row, a);
}

void fuzz_one(struct feed *feed)
{
    static const int rounds[3] = {8, 12, 20};
    int op = feed_byte(feed) % OP_COUNT;
    const struct kernel_list *list = &aeadfast_kernel_lists[op];
    struct cpu cpu = aeadfast_cpu_probe();
    struct call c = {0};
    struct answer want;
    struct answer got;
    uint8_t *text;
    uint8_t *aad;

    c.rounds = rounds[feed_byte(feed) % 3];
    c.key_len = 16 + 8 * (size_t)(feed_byte(feed) % 3);
    c.nonce_len = feed_byte(feed) & 1 ? 1 + feed_below(feed, sizeof c.nonce) : 12;
    c.in_place = feed_byte(feed) & 1;
    c.open = feed_byte(feed) & 1;
    c.siv = feed_byte(feed) & 1;
    c.len = feed_below(feed, TEXT_MAX);
    c.aad_len = feed_below(feed, AAD_MAX);
    feed_take(feed, c.key, sizeof c.key);
    feed_take(feed, c.nonce, sizeof c.nonce);
    feed_take(feed, c.state, sizeof c.state);
    text = feed_room(feed, c.len);
    aad = feed_room(feed, c.aad_len);
    c.text = text;
    c.aad = aad;

    answer(&c, op, &list->rows[list->count - 1], &want);
    for (unsigned i = 0; i + 1 < list->count; i++) {
        if (aeadfast_row_runs(&list->rows[i], &cpu)) {
            answer(&c, op, &list->rows[i], &got);
            fuzz_same(got.dst, want.dst, c.len, list->rows[i].name);
            fuzz_same(got.tag, want.tag, 16, list->rows[i].name);
            fuzz_same(got.blocks_tag, want.blocks_tag, 16, list->rows[i].name);
            free(got.dst);
        }
    }
    free(want.dst);
    free(text);
    free(aad);
}
