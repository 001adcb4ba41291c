/* SPDX-License-Identifier: MIT */
/*
 * Scalar Poly1305 in small steps, to be done between the vector instructions of ChaCha's rounds. A
 * block is the 32 statements of POLY1305_SLOTS_FIRST and _SECOND, sixteen each; the formula, and
 * why nothing overflows, are those of poly1305_portable.c. Text must be aligned to 8 bytes here, so
 * that a word is one load and not eight.
 */
#ifndef AEADFAST_POLY1305_SLOTS_RVV_H
#define AEADFAST_POLY1305_SLOTS_RVV_H

#include "bytes.h"
#include "codegen.h"
#include "kernel.h"

__extension__ typedef unsigned __int128 poly1305_slots_uint128;

struct poly1305_slots {
    const uint8_t *msg;
    size_t left; /* whole blocks */
    uint64_t h0;
    uint64_t h1;
    uint64_t h2;
    uint64_t fold; /* five times what reached 2^130, not yet added */
    uint64_t r0;
    uint64_t r1;
    uint64_t s1; /* 5/4 r1 */
};

ALWAYS_INLINE void poly1305_slots_begin(struct poly1305_slots *p, const struct poly1305_core *core,
                                        const uint8_t *msg, size_t nblocks)
{
    p->msg = msg;
    p->left = nblocks;
    p->h0 = core->h[0];
    p->h1 = core->h[1];
    p->h2 = core->h[2];
    p->fold = 0;
    p->r0 = core->r[0];
    p->r1 = core->r[1];
    p->s1 = core->r[1] + (core->r[1] >> 2);
}

static inline uint64_t poly1305_slots_load(const uint8_t *msg)
{
    return load_le64(__builtin_assume_aligned(msg, 8));
}

static inline uint64_t poly1305_slots_high(uint64_t a, uint64_t b)
{
    return (uint64_t)((poly1305_slots_uint128)a * b >> 64);
}

/* What a block at work needs, besides a struct poly1305_slots p. */
#define POLY1305_SLOTS_LOCALS                                                                      \
    uint64_t low;                                                                                  \
    uint64_t middle;                                                                               \
    uint64_t high;                                                                                 \
    uint64_t top;                                                                                  \
    uint64_t t;                                                                                    \
    uint64_t u;                                                                                    \
    uint64_t carry

/*
 * h += block + fold, and the first products; the other products and the carries. A line is a slot.
 * Function-like, so that rounds can pass them on by name.
 */
/* clang-format off */
#define POLY1305_SLOTS_FIRST()                                                                     \
    t = poly1305_slots_load(p.msg),                                                                \
    u = poly1305_slots_load(p.msg + 8),                                                            \
    p.h0 += t; carry = p.h0 < t,                                                                   \
    p.h1 += u; p.h2 += 1,                                                                          \
    u = p.h1 < u; p.h1 += carry,                                                                   \
    u += p.h1 < carry; p.h2 += u,                                                                  \
    p.h0 += p.fold; carry = p.h0 < p.fold,                                                         \
    p.h1 += carry,                                                                                 \
    p.h2 += p.h1 < carry,                                                                          \
    low = p.h0 * p.r0,                                                                             \
    high = poly1305_slots_high(p.h0, p.r0),                                                        \
    t = p.h1 * p.s1,                                                                               \
    u = poly1305_slots_high(p.h1, p.s1),                                                           \
    middle = p.h0 * p.r1,                                                                          \
    top = poly1305_slots_high(p.h0, p.r1),                                                         \
    low += t; carry = low < t
#define POLY1305_SLOTS_SECOND()                                                                    \
    high += u,                                                                                     \
    t = p.h1 * p.r0,                                                                               \
    u = poly1305_slots_high(p.h1, p.r0),                                                           \
    high += carry,                                                                                 \
    p.h0 = p.h2 * p.s1,                                                                            \
    p.h2 *= p.r0,                                                                                  \
    middle += t; carry = middle < t,                                                               \
    top += u,                                                                                      \
    top += carry,                                                                                  \
    middle += p.h0; carry = middle < p.h0,                                                         \
    top += carry,                                                                                  \
    middle += high; carry = middle < high,                                                         \
    p.h2 += top; p.h2 += carry,                                                                    \
    p.fold = (p.h2 >> 2) + (p.h2 & ~UINT64_C(3)),                                                  \
    p.h2 &= 3; p.h0 = low,                                                                         \
    p.h1 = middle; p.msg += 16
/* clang-format on */

/* The statements of a list, one after the other. */
#define POLY1305_SLOTS_RUN(...) POLY1305_SLOTS_RUN_SLOTS(__VA_ARGS__)
#define POLY1305_SLOTS_RUN_SLOTS(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14,  \
                                 s15)                                                              \
    do {                                                                                           \
        s0;                                                                                        \
        s1;                                                                                        \
        s2;                                                                                        \
        s3;                                                                                        \
        s4;                                                                                        \
        s5;                                                                                        \
        s6;                                                                                        \
        s7;                                                                                        \
        s8;                                                                                        \
        s9;                                                                                        \
        s10;                                                                                       \
        s11;                                                                                       \
        s12;                                                                                       \
        s13;                                                                                       \
        s14;                                                                                       \
        s15;                                                                                       \
    } while (0)

/* What the rounds have left to do, and back to `core`. */
ALWAYS_INLINE void poly1305_slots_end(const struct poly1305_slots *slots,
                                      struct poly1305_core *core)
{
    struct poly1305_slots p = *slots;
    POLY1305_SLOTS_LOCALS;

    for (; p.left != 0; p.left--) {
        POLY1305_SLOTS_RUN(POLY1305_SLOTS_FIRST());
        POLY1305_SLOTS_RUN(POLY1305_SLOTS_SECOND());
    }
    p.h0 += p.fold;
    carry = p.h0 < p.fold;
    p.h1 += carry;
    core->h[0] = p.h0;
    core->h[1] = p.h1;
    core->h[2] = p.h2 + (p.h1 < carry);
}

#endif
