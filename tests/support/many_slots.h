/* SPDX-License-Identifier: MIT */
/*
 * Messages for the functions that take many at once, whatever the AEAD: buffers next to forbidden pages,
 * mixes of lengths, what must come out, and the checks that it did.
 */
#ifndef TEST_MANY_SLOTS_H
#define TEST_MANY_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "guard.h"
#include "kernels.h"
#include "rng.h"

/* What messages are like under one AEAD. */
struct many_sizes {
    size_t len_max;
    size_t aad_max;
    size_t nonce_max;
    size_t key_max;
    size_t short_max; /* lengths of MIX_SHORT are below */
    size_t block;     /* those of MIX_WHOLE_BLOCKS are multiples */
    size_t blocks;    /* fewer than so many */
    size_t aad_blocks;
};

enum { MANY_LEN_MAX = 5000 };

/* One message: its pages, where in them it lies now, and what must come out. */
struct many_slot {
    struct guard dst_pages;
    struct guard src_pages;
    struct guard aad_pages;
    struct guard nonce_pages;
    struct guard tag_pages;
    struct guard key_pages; /* for the bytes of a key, or what is made of them */
    uint8_t *dst;
    const uint8_t *src;
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
    uint8_t *tag;
    size_t tag_len;
    uint8_t want[MANY_LEN_MAX];
    uint8_t want_tag[16];
    int want_result;
};

void many_slots_make(struct many_slot *slots, size_t n, const struct many_sizes *sizes);
void many_slots_free(struct many_slot *slots, size_t n);

/* n random bytes that end at a forbidden page, begin behind one, or lie somewhere. */
uint8_t *many_place_random(struct rng *rng, const struct guard *pages, size_t n);

/* ---- Mixes of lengths ---- */

enum many_mix { MIX_ALL, MIX_SHORT, MIX_WHOLE_BLOCKS, MIX_ALIKE, MIX_LONG, MIX_COUNT };

/* At most `max`. Over many calls MIX_ALL has every length below 1101; `alike` is that of MIX_ALIKE. */
size_t many_len(struct rng *rng, const struct many_sizes *sizes, enum many_mix mix, size_t alike,
                size_t max);
size_t many_aad_len(struct rng *rng, const struct many_sizes *sizes);

/* A new random message, in place in one case of three. */
void many_fill(struct rng *rng, struct many_slot *s, size_t len, size_t aad_len, size_t nonce_len,
               size_t tag_len);

/* ---- What must come out, where `want` and `want_tag` are there ---- */

/* Makes the tag of a message that is opened the right one, or a wrong one. */
void many_give_tag(struct rng *rng, struct many_slot *s, int forged);

/* The message is to be refused with this result, and nothing of it to change. */
void many_refuse(struct many_slot *s, int result);

/* ---- Kernels ---- */

/* Some messages of that mix through the `many` of a kernel; returns n. */
typedef size_t many_case(const struct kernel_row *row, size_t n, enum many_mix mix, int opening);

/*
 * Takes each number of messages through each mix so many times, sealing and opening by turns, and
 * returns how many messages that were. `can`: the kernel has a `many`, and otherwise a many_len of 0.
 */
size_t many_kernel(const struct kernel_row *row, int can, size_t many_len, size_t times,
                   many_case *one);

/* ---- Checks ---- */

/* Message i of n, after a kernel, which gives the tag when it opens, too; after a public function. */
void many_check_job(const struct many_slot *s, const char *name, size_t i, size_t n);
void many_check_message(const struct many_slot *s, int result, int opening, const char *name,
                        size_t i, size_t n);

#endif
