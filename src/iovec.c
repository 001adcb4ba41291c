/* SPDX-License-Identifier: MIT */
#include "iovec.h"

#include "bytes.h"

/* A list of more pieces is no object, and must not be read. */
#define COUNT_MAX (OBJECT_MAX / sizeof(aeadfast_iovec))

/* What one way through a list tells. */
struct summary {
    size_t sum;      /* of the lengths; SIZE_MAX for all that is more */
    int missing;     /* a piece has a length and no base */
    int ascends;     /* each piece lies behind the one before: none meets another */
    uintptr_t first; /* all pieces lie from here */
    uintptr_t end;   /* to before here; both 0 where there is none */
};

static struct summary summarize(struct iovec_list list)
{
    struct summary s = {0, 0, 1, 0, 0};

    for (size_t i = 0; i < list.count; i++) {
        const size_t len = list.pieces[i].len;
        const uintptr_t base = (uintptr_t)list.pieces[i].base;
        uintptr_t end = base + len;

        if (len == 0) {
            continue;
        }
        s.missing |= base == 0;
        s.sum = len < SIZE_MAX - s.sum ? s.sum + len : SIZE_MAX;
        if (end < base) { /* as far as the end of memory, or no memory at all */
            s.ascends = 0;
            end = UINTPTR_MAX;
        }
        s.ascends &= base >= s.end;
        s.first = s.end == 0 || base < s.first ? base : s.first;
        s.end = end > s.end ? end : s.end;
    }
    return s;
}

/*
 * Whether anything of a list can meet [p, p + n): no, most of the time, and then its pieces need not
 * be looked at.
 */
static int is_near(const struct summary *s, uintptr_t p, size_t n)
{
    return n != 0 && p < s->end && (n > s->first || p > s->first - n);
}

size_t aeadfast_iovec_sum(struct iovec_list list)
{
    return summarize(list).sum;
}

static int list_meets(struct iovec_list list, const void *p, size_t n)
{
    unsigned found = 0;

    for (size_t i = 0; i < list.count; i++) {
        found |= (unsigned)overlaps(list.pieces[i].base, list.pieces[i].len, p, n);
    }
    return found != 0;
}

static int list_meets_itself(struct iovec_list list)
{
    for (size_t i = 0; i < list.count; i++) {
        struct iovec_list before = {list.pieces, i};

        if (list_meets(before, list.pieces[i].base, list.pieces[i].len)) {
            return 1;
        }
    }
    return 0;
}

/*
 * Whether a piece of one list meets a piece of the other. With `in_place` they may, where the bytes
 * that they share are the same bytes of the text: where the text that the one belongs to would begin
 * at the same address as that of the other.
 */
static int lists_meet(struct iovec_list out, struct iovec_list in, int ascending, int in_place)
{
    size_t first = 0;       /* pieces of `in` before it lie below all that is left of `out` */
    uintptr_t first_at = 0; /* where in its text it begins */
    uintptr_t out_at = 0;

    for (size_t i = 0; i < out.count; i++) {
        const aeadfast_iovec *a = &out.pieces[i];
        const uintptr_t a_base = (uintptr_t)a->base;
        uintptr_t in_at = first_at;

        if (a->len == 0) {
            continue;
        }
        for (size_t j = first; j < in.count; j++) {
            const aeadfast_iovec *b = &in.pieces[j];
            const uintptr_t b_base = (uintptr_t)b->base;

            if (ascending && b->len != 0 && b_base > a_base && b_base - a_base >= a->len) {
                break;
            }
            if (overlaps(a->base, a->len, b->base, b->len)) {
                if (!in_place || a_base - out_at != b_base - in_at) {
                    return 1;
                }
            } else if (ascending && j == first && (b->len == 0 || b_base < a_base)) {
                first++;
                first_at += b->len;
            }
            in_at += b->len;
        }
        out_at += a->len;
    }
    return 0;
}

/* The summaries are those of the lists, in the same order. */
static int list_overlaps(const struct iovec_arguments *a, const struct iovec_list lists[3],
                         const struct summary summaries[3], enum aead_direction direction)
{
    const struct {
        const void *p;
        size_t n;
    } others[] = {{a->tag, a->tag_len},
                  {a->nonce, a->nonce_len},
                  {a->key, a->key_size},
                  {lists[0].pieces, lists[0].count * sizeof(aeadfast_iovec)},
                  {lists[1].pieces, lists[1].count * sizeof(aeadfast_iovec)},
                  {lists[2].pieces, lists[2].count * sizeof(aeadfast_iovec)}};
    const struct summary *dst = &summaries[0];

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (is_near(dst, (uintptr_t)others[i].p, others[i].n) &&
            list_meets(a->dst, others[i].p, others[i].n)) {
            return 1;
        }
        if (direction == AEAD_SEAL && i != 0 &&
            overlaps(a->tag, a->tag_len, others[i].p, others[i].n)) {
            return 1;
        }
    }
    if (!dst->ascends && list_meets_itself(a->dst)) {
        return 1;
    }
    for (size_t i = 1; i < 3; i++) {
        if (is_near(dst, summaries[i].first, summaries[i].end - summaries[i].first) &&
            lists_meet(a->dst, lists[i], dst->ascends && summaries[i].ascends, i == 1)) {
            return 1;
        }
        if (direction == AEAD_SEAL && is_near(&summaries[i], (uintptr_t)a->tag, a->tag_len) &&
            list_meets(lists[i], a->tag, a->tag_len)) {
            return 1;
        }
    }
    return 0;
}

int aeadfast_iovec_check(const struct iovec_arguments *a, enum aead_direction direction)
{
    const struct iovec_list lists[3] = {a->dst, a->src, a->aad};
    struct summary summaries[3];

    if (a->tag == NULL || a->nonce == NULL || a->nonce_len == 0 || a->key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < 3; i++) {
        if (lists[i].pieces == NULL && lists[i].count != 0) {
            return AEADFAST_ERR_ARGUMENT;
        }
    }
    for (size_t i = 0; i < 3; i++) {
        if (lists[i].count <= COUNT_MAX) {
            summaries[i] = summarize(lists[i]);
            if (summaries[i].missing) {
                return AEADFAST_ERR_ARGUMENT;
            }
        }
    }
    for (size_t i = 0; i < 3; i++) {
        if (lists[i].count > COUNT_MAX) {
            return AEADFAST_ERR_LENGTH;
        }
    }
    if (summaries[0].sum != summaries[1].sum) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (summaries[1].sum > a->text_max || summaries[2].sum > a->aad_max) {
        return AEADFAST_ERR_LENGTH;
    }
    return list_overlaps(a, lists, summaries, direction) ? AEADFAST_ERR_OVERLAP : AEADFAST_OK;
}

int aeadfast_iovec_joins(struct iovec_list list, aeadfast_iovec *whole)
{
    whole->base = NULL;
    whole->len = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (list.pieces[i].len != 0) {
            if (whole->len != 0) {
                return 0;
            }
            *whole = list.pieces[i];
        }
    }
    return 1;
}

void aeadfast_iovec_gather(uint8_t *dst, struct iovec_list list)
{
    for (size_t i = 0; i < list.count; i++) {
        copy_bytes(dst, list.pieces[i].base, list.pieces[i].len);
        dst += list.pieces[i].len;
    }
}

void aeadfast_iovec_scatter(struct iovec_list list, const uint8_t *src)
{
    for (size_t i = 0; i < list.count; i++) {
        copy_bytes(list.pieces[i].base, src, list.pieces[i].len);
        src += list.pieces[i].len;
    }
}

void aeadfast_iovec_zero(struct iovec_list list)
{
    for (size_t i = 0; i < list.count; i++) {
        zero_bytes(list.pieces[i].base, list.pieces[i].len);
    }
}
