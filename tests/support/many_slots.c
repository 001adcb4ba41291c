/* SPDX-License-Identifier: MIT */
#include "many_slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "check.h"

enum { DENSE = 1101, MARGIN = 64 };

void many_slots_make(struct many_slot *slots, size_t n, const struct many_sizes *sizes)
{
    assert_true(sizes->len_max <= MANY_LEN_MAX);
    for (size_t i = 0; i < n; i++) {
        guard_make(&slots[i].dst_pages, sizes->len_max + MARGIN);
        guard_make(&slots[i].src_pages, sizes->len_max + MARGIN);
        guard_make(&slots[i].aad_pages, sizes->aad_max + MARGIN);
        guard_make(&slots[i].nonce_pages, sizes->nonce_max + MARGIN);
        guard_make(&slots[i].tag_pages, 16 + MARGIN);
        guard_make(&slots[i].key_pages, sizes->key_max + MARGIN);
    }
}

void many_slots_free(struct many_slot *slots, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        guard_free(&slots[i].dst_pages);
        guard_free(&slots[i].src_pages);
        guard_free(&slots[i].aad_pages);
        guard_free(&slots[i].nonce_pages);
        guard_free(&slots[i].tag_pages);
        guard_free(&slots[i].key_pages);
    }
}

static uint8_t *place(struct rng *rng, const struct guard *pages, size_t n)
{
    switch (rng_below(rng, 4)) {
    case 0:
        return guard_start(pages) + rng_below(rng, MARGIN);
    case 1:
        return guard_start(pages);
    default:
        return guard_end(pages, n);
    }
}

uint8_t *many_place_random(struct rng *rng, const struct guard *pages, size_t n)
{
    uint8_t *p = place(rng, pages, n);

    rng_bytes(rng, p, n);
    return p;
}

size_t many_len(struct rng *rng, const struct many_sizes *sizes, enum many_mix mix, size_t alike,
                size_t max)
{
    static size_t next_len;
    size_t len;

    switch (mix) {
    case MIX_ALL:
        next_len = (next_len + 397) % DENSE;
        len = next_len;
        break;
    case MIX_SHORT:
        len = rng_below(rng, sizes->short_max);
        break;
    case MIX_WHOLE_BLOCKS:
        len = sizes->block * rng_below(rng, sizes->blocks);
        break;
    case MIX_ALIKE:
        len = alike;
        break;
    default:
        len = rng_below(rng, max + 1);
        break;
    }
    return len <= max ? len : max;
}

size_t many_aad_len(struct rng *rng, const struct many_sizes *sizes)
{
    switch (rng_below(rng, 8)) {
    case 0:
        return 0;
    case 1:
        return rng_below(rng, sizes->aad_max + 1);
    case 2:
        return 16 * rng_below(rng, sizes->aad_blocks);
    default:
        return rng_below(rng, 40);
    }
}

void many_fill(struct rng *rng, struct many_slot *s, size_t len, size_t aad_len, size_t nonce_len,
               size_t tag_len)
{
    s->dst = place(rng, &s->dst_pages, len);
    s->src = many_place_random(rng, &s->src_pages, len);
    s->len = len;
    s->aad = many_place_random(rng, &s->aad_pages, aad_len);
    s->aad = aad_len != 0 ? s->aad : NULL;
    s->aad_len = aad_len;
    s->nonce = many_place_random(rng, &s->nonce_pages, nonce_len);
    s->nonce_len = nonce_len;
    s->tag = place(rng, &s->tag_pages, tag_len);
    s->tag_len = tag_len;
    memset(s->dst, 0xa5, len);
    memset(s->tag, 0x5a, tag_len);
    if (rng_below(rng, 3) == 0) {
        memcpy(s->dst, s->src, len);
        s->src = s->dst;
    }
    s->want_result = AEADFAST_OK;
}

void many_give_tag(struct rng *rng, struct many_slot *s, int forged)
{
    memcpy(s->tag, s->want_tag, s->tag_len);
    if (forged) {
        s->tag[rng_below(rng, s->tag_len)] ^= (uint8_t)(1u << rng_below(rng, 8));
        memset(s->want, 0, s->len);
        s->want_result = AEADFAST_ERR_AUTH;
    }
}

void many_refuse(struct many_slot *s, int result)
{
    s->want_result = result;
    memcpy(s->want, s->dst, s->len);
    memcpy(s->want_tag, s->tag, s->tag_len);
}

size_t many_kernel(const struct kernel_row *row, int can, size_t many_len, size_t times,
                   many_case *one)
{
    size_t cases = 0;

    if (!can) {
        check_note("%s does one message after another\n", row->name);
        check_int((long)many_len, 0, "%s: many_len", row->name);
        return 1;
    }
    for (size_t turn = 0; turn < times * MIX_COUNT; turn++) {
        for (size_t n = 1; n <= AEAD_JOBS_MAX; n++) {
            cases += one(row, n, (enum many_mix)(turn % MIX_COUNT), turn & 1);
        }
    }
    return cases;
}

void many_check_job(const struct many_slot *s, const char *name, size_t i, size_t n)
{
    check_bytes(s->dst, s->want, s->len, "%s: text %zu of %zu, %zu bytes", name, i, n, s->len);
    check_bytes(s->tag, s->want_tag, s->tag_len, "%s: tag %zu of %zu, %zu bytes", name, i, n,
                s->len);
}

void many_check_message(const struct many_slot *s, int result, int opening, const char *name,
                        size_t i, size_t n)
{
    check_int(result, s->want_result, "%s: result %zu of %zu, %zu bytes", name, i, n, s->len);
    if (opening && (result == AEADFAST_OK || result == AEADFAST_ERR_AUTH)) {
        check_bytes(s->dst, s->want, s->len, "%s: text %zu of %zu, %zu bytes", name, i, n, s->len);
    } else {
        many_check_job(s, name, i, n);
    }
}
