/* SPDX-License-Identifier: MIT */
#include "iovec.h"

#include "bytes.h"

/* A list of more pieces is no object, and must not be read. */
#define COUNT_MAX (OBJECT_MAX / sizeof(aeadfast_iovec))

static int list_missing(struct iovec_list list)
{
    if (list.pieces == NULL) {
        return list.count != 0;
    }
    for (size_t i = 0; i < list.count; i++) {
        if (missing(list.pieces[i].base, list.pieces[i].len)) {
            return 1;
        }
    }
    return 0;
}

size_t aeadfast_iovec_sum(struct iovec_list list)
{
    size_t sum = 0;

    for (size_t i = 0; i < list.count; i++) {
        if (list.pieces[i].len > SIZE_MAX - sum) {
            return SIZE_MAX;
        }
        sum += list.pieces[i].len;
    }
    return sum;
}

/*
 * Whether the pieces follow each other in memory, as they do where one buffer was cut: then none
 * meets another, and two such lists need not be compared each with each.
 */
static int ascends(struct iovec_list list)
{
    uintptr_t next = 0; /* the first address that the next piece may begin at */

    for (size_t i = 0; i < list.count; i++) {
        const aeadfast_iovec *piece = &list.pieces[i];
        uintptr_t base = (uintptr_t)piece->base;

        if (piece->len == 0) {
            continue;
        }
        if (base < next || piece->len > UINTPTR_MAX - base) {
            return 0;
        }
        next = base + piece->len;
    }
    return 1;
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
    if (ascends(list)) {
        return 0;
    }
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
static int lists_meet(struct iovec_list out, struct iovec_list in, int in_place)
{
    const int ascending = ascends(out) && ascends(in);
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

static int list_overlaps(const struct iovec_arguments *a, enum aead_direction direction)
{
    const struct iovec_list lists[3] = {a->dst, a->src, a->aad};

    if (list_meets(a->dst, a->tag, a->tag_len) || list_meets(a->dst, a->nonce, a->nonce_len) ||
        list_meets(a->dst, a->key, a->key_size) || list_meets_itself(a->dst) ||
        lists_meet(a->dst, a->src, 1) || lists_meet(a->dst, a->aad, 0)) {
        return 1;
    }
    for (size_t i = 0; i < 3; i++) {
        const size_t size = lists[i].count * sizeof(aeadfast_iovec);

        if (list_meets(a->dst, lists[i].pieces, size)) {
            return 1;
        }
        if (direction == AEAD_SEAL && overlaps(a->tag, a->tag_len, lists[i].pieces, size)) {
            return 1;
        }
    }
    return direction == AEAD_SEAL &&
           (list_meets(a->src, a->tag, a->tag_len) || list_meets(a->aad, a->tag, a->tag_len) ||
            overlaps(a->tag, a->tag_len, a->nonce, a->nonce_len) ||
            overlaps(a->tag, a->tag_len, a->key, a->key_size));
}

int aeadfast_iovec_check(const struct iovec_arguments *a, enum aead_direction direction)
{
    size_t text_len;

    if (a->tag == NULL || a->nonce == NULL || a->nonce_len == 0 || a->key == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (a->dst.count > COUNT_MAX || a->src.count > COUNT_MAX || a->aad.count > COUNT_MAX) {
        return AEADFAST_ERR_LENGTH;
    }
    if (list_missing(a->dst) || list_missing(a->src) || list_missing(a->aad)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    text_len = aeadfast_iovec_sum(a->src);
    if (aeadfast_iovec_sum(a->dst) != text_len) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (text_len > a->text_max || aeadfast_iovec_sum(a->aad) > a->aad_max) {
        return AEADFAST_ERR_LENGTH;
    }
    return list_overlaps(a, direction) ? AEADFAST_ERR_OVERLAP : AEADFAST_OK;
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

void aeadfast_iovec_zero(struct iovec_list list)
{
    for (size_t i = 0; i < list.count; i++) {
        zero_bytes(list.pieces[i].base, list.pieces[i].len);
    }
}
