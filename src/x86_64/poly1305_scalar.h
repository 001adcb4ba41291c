/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 (RFC 8439 section 2.5) in the 64-bit registers, by MULX (BMI2): what the Poly1305
 * kernels of this folder share. Static only.
 *
 * A number mod 2^130-5 is h0 + 2^64 h1 + 2^128 h2. Because r is clamped, r1 is a multiple of 4 and
 * 2^128 r1 = 2^130 r1/4 = 5 r1/4 = s1, which folds the upper part of a product before it arises:
 *
 *     d0 = h0 r0 + h1 s1            r0 < 2^60, r1 < 2^60, s1 = r1 + r1/4 < 1.25 2^60
 *     d1 = h0 r1 + h1 r0 + h2 s1
 *     d2 =                 h2 r0
 *
 * A message is absorbed as h = h r + block, the first block being h itself, and one multiplication
 * by r ends it. So a block is added to a product whose carries are still on their way, which costs
 * no time: the wait from h to h is what a short message pays for.
 *
 * Assembly, because compilers make anything between 13 and 34 cycles a block of the same formula. A
 * step takes 14 cycles on Zen 3, where the best order out of 400 by MULX was at 14 and the worst at
 * 20: its multiplier starts one product a cycle and serves the oldest first.
 */
#ifndef AEADFAST_X86_64_POLY1305_SCALAR_H
#define AEADFAST_X86_64_POLY1305_SCALAR_H

#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"
#include "../codegen.h"
#include "../kernel.h"

/* The clamped r and s1 = 5/4 r1. */
struct poly1305_r {
    uint64_t r0;
    uint64_t r1;
    uint64_t s1;
};

/* n[0] + 2^64 n[1] + 2^128 n[2] */
struct poly1305_number {
    uint64_t n[3];
};

ALWAYS_INLINE struct poly1305_r poly1305_r_of(const uint8_t key[32])
{
    struct poly1305_r r;

    r.r0 = load_le64(key) & 0x0ffffffc0fffffff;
    r.r1 = load_le64(key + 8) & 0x0ffffffc0ffffffc;
    __asm__("" : "+r"(r.r0), "+r"(r.r1)); /* or GCC takes them through a vector register */
    r.s1 = r.r1 + (r.r1 >> 2);
    return r;
}

/*
 * h r, plus what the three instructions of `block` add. h2 <= 9 comes in, so that h2 s1 is below
 * 11.25 2^60 and the two upper halves of d0 fit on top of it. The way from h1, which comes in late,
 * to the next h1 is what counts: the products of h2, which comes in last, give way to those of h1.
 */
#define POLY1305_STEP(block)                                                                       \
    "movq %[h0], %%rdx\n\t"                                                                        \
    "mulxq %[r0], %[h0], %[t1]\n\t"                                                                \
    "mulxq %[r1], %[t2], %[t3]\n\t"                                                                \
    "movq %[h1], %%rdx\n\t"                                                                        \
    "mulxq %[s1], %[t4], %[t5]\n\t"                                                                \
    "mulxq %[r0], %[h1], %%rdx\n\t"                                                                \
    "addq %[t4], %[h0]\n\t"                                                                        \
    "adcq %[t5], %[t1]\n\t"                                                                        \
    "movq %[h2], %[t4]\n\t"                                                                        \
    "imulq %[s1], %[t4]\n\t"                                                                       \
    "imulq %[r0], %[h2]\n\t" block "addq %[t2], %[h1]\n\t"                                         \
    "adcq %[t3], %%rdx\n\t"                                                                        \
    "addq %[t4], %[t1]\n\t"                                                                        \
    "addq %[t1], %[h1]\n\t"                                                                        \
    "adcq %%rdx, %[h2]\n\t" POLY1305_FOLD("%[h0]", "%[h1]", "%[h2]", "%[t4]", "%[t5]")

/* What is above 2^130 goes to the bottom five times: 4 and 1. h2 <= 4 comes out. */
#define POLY1305_FOLD(h0, h1, h2, t4, t5)                                                          \
    "movq " h2 ", " t4 "\n\t"                                                                      \
    "movq " h2 ", " t5 "\n\t"                                                                      \
    "shrq $2, " t4 "\n\t"                                                                          \
    "andq $-4, " t5 "\n\t"                                                                         \
    "andq $3, " h2 "\n\t"                                                                          \
    "addq " t4 ", " t5 "\n\t"                                                                      \
    "addq " t5 ", " h0 "\n\t"                                                                      \
    "adcq $0, " h1 "\n\t"                                                                          \
    "adcq $0, " h2 "\n\t"

#define POLY1305_STEP_OUT                                                                          \
    [h0] "+&r"(h->n[0]), [h1] "+&r"(h->n[1]), [h2] "+&r"(h->n[2]), [t1] "=&r"(t1), [t2] "=&r"(t2), \
        [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5)
#define POLY1305_STEP_IN [r0] "r"(r->r0), [r1] "r"(r->r1), [s1] "r"(r->s1)

struct poly1305_16_bytes {
    uint8_t b[16];
};

/* h = h r + the block at p + 2^128 */
ALWAYS_INLINE void poly1305_step(struct poly1305_number *h, const struct poly1305_r *r,
                                 const uint8_t *p)
{
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_STEP("addq (%[p]), %[h0]\n\t"
                          "adcq 8(%[p]), %[t2]\n\t"
                          "adcq $1, %[t3]\n\t")
            : POLY1305_STEP_OUT
            : POLY1305_STEP_IN, [p] "r"(p), "m"(*(const struct poly1305_16_bytes *)p)
            : "rdx", "cc");
}

/* h = h r + m0 + 2^64 m1, a last, partial block */
ALWAYS_INLINE void poly1305_step_words(struct poly1305_number *h, const struct poly1305_r *r,
                                       uint64_t m0, uint64_t m1)
{
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_STEP("addq %[m0], %[h0]\n\t"
                          "adcq %[m1], %[t2]\n\t"
                          "adcq $0, %[t3]\n\t")
            : POLY1305_STEP_OUT
            : POLY1305_STEP_IN, [m0] "rm"(m0), [m1] "rm"(m1)
            : "rdx", "cc");
}

/* h = h r */
ALWAYS_INLINE void poly1305_step_last(struct poly1305_number *h, const struct poly1305_r *r)
{
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_STEP("") : POLY1305_STEP_OUT:POLY1305_STEP_IN : "rdx", "cc");
}

/* sum += x */
ALWAYS_INLINE void poly1305_add(struct poly1305_number *sum, const struct poly1305_number *x)
{
    __asm__("addq %[x0], %[h0]\n\t"
            "adcq %[x1], %[h1]\n\t"
            "adcq %[x2], %[h2]\n\t"
            : [h0] "+&r"(sum->n[0]), [h1] "+&r"(sum->n[1]), [h2] "+&r"(sum->n[2])
            : [x0] "rm"(x->n[0]), [x1] "rm"(x->n[1]), [x2] "rm"(x->n[2])
            : "cc");
}

/*
 * 2^64 x for n[2] < 2^60: 2^64 n0 + 2^128 (n1 + 2^64 n2), and what of the latter is above 2^130 goes
 * to the bottom four times and once. Below 2^130 + 2^128 comes out, so n[2] <= 4.
 */
ALWAYS_INLINE struct poly1305_number poly1305_times_2_64(const struct poly1305_number *x)
{
    const uint64_t n1 = x->n[1];
    const uint64_t n2 = x->n[2];
    struct poly1305_number y = {{n1 >> 2 | n2 << 62, x->n[0], n1 & 3}};

    __asm__("addq %[a0], %[y0]\n\t"
            "adcq %[a1], %[y1]\n\t"
            "adcq $0, %[y2]\n\t"
            "addq %[b1], %[y1]\n\t"
            "adcq $0, %[y2]\n\t"
            : [y0] "+&r"(y.n[0]), [y1] "+&r"(y.n[1]), [y2] "+&r"(y.n[2])
            : [a0] "r"(n1 & ~UINT64_C(3)), [a1] "r"(n2), [b1] "r"(n2 >> 2)
            : "cc");
    return y;
}

/*
 * What a vector kernel multiplies by once a chunk: a power of r times 1, 2^64 and 2^128, so that a
 * product has hardly a bit above 2^192 and is folded at one go.
 */
struct poly1305_multiplier {
    struct poly1305_number x[3];
    struct poly1305_number g;   /* the sum to be added */
    struct poly1305_number top; /* what the bits at 2^128 of the chunk's blocks come to */
};

_Static_assert(offsetof(struct poly1305_multiplier, g) == 72, "the assembly below says so");

/* The chunk is of as many blocks as there are powers in their `sum`; the power is the last. */
ALWAYS_INLINE void poly1305_make_multiplier(struct poly1305_multiplier *m,
                                            const struct poly1305_number *power,
                                            const struct poly1305_number *sum)
{
    struct poly1305_number y = poly1305_times_2_64(sum);

    m->x[0] = *power;
    m->x[1] = poly1305_times_2_64(power);
    m->x[2] = poly1305_times_2_64(&m->x[1]);
    m->top = poly1305_times_2_64(&y);
}

/*
 * h = h x[0] + g for h2 <= 63 and g2 < 2^60. The product is h0 x[0] + h1 x[1] + h2 x[2]; with g it is
 * p3 p2 p1 p0, p3 < 32, and what of it lies above 2^130 goes to the bottom four times and once.
 * Below 2^130 + 2^72 comes out, so h2 <= 4. All of memory is clobbered, in place of twelve operands
 * that would be too many without optimisation.
 */
ALWAYS_INLINE void poly1305_multiply_add(struct poly1305_number *h,
                                         const struct poly1305_multiplier *m)
{
    uint64_t p0;
    uint64_t p1;
    uint64_t p2;
    uint64_t p3;
    uint64_t a;
    uint64_t b;
    uint64_t c;

    __asm__(
        "movq %[h0], %%rdx\n\t"
        "mulxq (%[m]), %[p0], %[p1]\n\t"
        "mulxq 8(%[m]), %[a], %[p2]\n\t"
        "mulxq 16(%[m]), %[b], %[p3]\n\t"
        "addq %[a], %[p1]\n\t"
        "adcq %[b], %[p2]\n\t"
        "adcq $0, %[p3]\n\t"
        "movq %[h1], %%rdx\n\t"
        "mulxq 24(%[m]), %[a], %[h0]\n\t"
        "mulxq 32(%[m]), %[b], %[h1]\n\t"
        "mulxq 40(%[m]), %[c], %%rdx\n\t"
        "addq %[a], %[p0]\n\t"
        "adcq %[b], %[p1]\n\t"
        "adcq %[c], %[p2]\n\t"
        "adcq %%rdx, %[p3]\n\t"
        "movq %[h2], %%rdx\n\t"
        "addq %[h0], %[p1]\n\t"
        "adcq %[h1], %[p2]\n\t"
        "adcq $0, %[p3]\n\t"
        "mulxq 48(%[m]), %[a], %[h0]\n\t"
        "mulxq 56(%[m]), %[b], %[h1]\n\t"
        "imulq 64(%[m]), %[h2]\n\t"
        "addq %[a], %[p0]\n\t"
        "adcq %[b], %[p1]\n\t"
        "adcq %[h2], %[p2]\n\t"
        "adcq $0, %[p3]\n\t"
        "addq %[h0], %[p1]\n\t"
        "adcq %[h1], %[p2]\n\t"
        "adcq $0, %[p3]\n\t"
        "addq 72(%[m]), %[p0]\n\t"
        "adcq 80(%[m]), %[p1]\n\t"
        "adcq 88(%[m]), %[p2]\n\t"
        "adcq $0, %[p3]\n\t"
        /* a = p2 less its last bits, which stay as h2; p3 p2 = a quarter of p3 a */
        "movq %[p2], %[a]\n\t"
        "movq %[p2], %[h2]\n\t"
        "movq %[p3], %[c]\n\t"
        "andq $-4, %[a]\n\t"
        "andq $3, %[h2]\n\t"
        "shrq $2, %[p2]\n\t"
        "shlq $62, %[c]\n\t"
        "addq %[a], %[p0]\n\t"
        "adcq %[p3], %[p1]\n\t"
        "adcq $0, %[h2]\n\t"
        "shrq $2, %[p3]\n\t"
        "orq %[c], %[p2]\n\t"
        "addq %[p2], %[p0]\n\t"
        "adcq %[p3], %[p1]\n\t"
        "adcq $0, %[h2]\n\t"
        : [h0] "+&r"(h->n[0]), [h1] "+&r"(h->n[1]), [h2] "+&r"(h->n[2]), [p0] "=&r"(p0),
          [p1] "=&r"(p1), [p2] "=&r"(p2), [p3] "=&r"(p3), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c)
        : [m] "r"(m)
        : "rdx", "cc", "memory");
    h->n[0] = p0;
    h->n[1] = p1;
}

/*
 * tag = ((h mod 2^130-5) + s) mod 2^128, s the last 16 bytes of the key. With h2 <= 4, h is below
 * 2 (2^130-5), so one subtraction does: just where h >= 2^130-5 does h + 5 reach 2^130, and h2 - 4
 * plus the carry of the lower words leave a carry.
 */
ALWAYS_INLINE void poly1305_tag(const struct poly1305_number *h, const uint8_t key[32],
                                uint8_t tag[16])
{
    uint64_t h0 = h->n[0];
    uint64_t h1 = h->n[1];
    uint64_t g0 = h0;
    uint64_t g1 = h1;
    uint64_t g2 = h->n[2];

    __asm__("addq $5, %[g0]\n\t"
            "adcq $0, %[g1]\n\t"
            "adcq $-4, %[g2]\n\t"
            "cmovcq %[g0], %[h0]\n\t"
            "cmovcq %[g1], %[h1]\n\t"
            "addq %[s0], %[h0]\n\t"
            "adcq %[s1], %[h1]\n\t"
            : [h0] "+&r"(h0), [h1] "+&r"(h1), [g0] "+&r"(g0), [g1] "+&r"(g1), [g2] "+&r"(g2)
            : [s0] "r"(load_le64(key + 16)), [s1] "r"(load_le64(key + 24))
            : "cc");
    store_le64(tag, h0);
    store_le64(tag + 8, h1);
}

/* The last n (1 to 15) bytes of a message at p, and the 1 behind them, as two words. */
ALWAYS_INLINE void poly1305_load_partial(uint64_t m[2], const uint8_t *p, size_t n)
{
    const uint64_t one = UINT64_C(1) << (8 * (n % 8));

    if (n >= 8) {
        m[0] = load_le64(p);
        /* all of the last 8 bytes but those that m[0] holds; in two shifts, for n may be 8 */
        m[1] = load_le64(p + n - 8) >> 8 >> (8 * (15 - n)) | one;
        return;
    }
    if (n >= 4) {
        m[0] = load_le32(p) | (uint64_t)load_le32(p + n - 4) << (8 * (n - 4));
    } else {
        /* first, middle and last byte: for n = 1 and 2 some of them are the same one */
        m[0] = (uint64_t)p[0] | (uint64_t)p[n >> 1] << (8 * (n >> 1)) |
               (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    m[0] |= one;
    m[1] = 0;
}

/* h += m0 + 2^64 m1 + 2^128 hibit */
ALWAYS_INLINE void poly1305_add_words(struct poly1305_number *h, uint64_t m0, uint64_t m1,
                                      uint64_t hibit)
{
    __asm__("addq %[m0], %[h0]\n\t"
            "adcq %[m1], %[h1]\n\t"
            "adcq %[hibit], %[h2]\n\t"
            : [h0] "+&r"(h->n[0]), [h1] "+&r"(h->n[1]), [h2] "+&r"(h->n[2])
            : [m0] "rm"(m0), [m1] "rm"(m1), [hibit] "rme"(hibit)
            : "cc");
}

/* h = (..((h + b1) r + b2) r ..) r + bn for n >= 1 whole blocks; h2 <= 7 may come in. */
ALWAYS_INLINE void poly1305_chain(struct poly1305_number *h, const struct poly1305_r *r,
                                  const uint8_t *p, size_t n)
{
    poly1305_add_words(h, load_le64(p), load_le64(p + 8), 1);
    for (n--, p += 16; n != 0; n--, p += 16) {
        poly1305_step(h, r, p);
    }
}

/* h = (h + the last n bytes, where there are any) r */
ALWAYS_INLINE void poly1305_partial(struct poly1305_number *h, const struct poly1305_r *r,
                                    const uint8_t *p, size_t n)
{
    uint64_t m[2];

    if (n != 0) {
        poly1305_load_partial(m, p, n);
        poly1305_add_words(h, m[0], m[1], 0);
        poly1305_step_last(h, r);
    }
}

/* The two functions of a kernel, for short messages. */
ALWAYS_INLINE void poly1305_scalar_mac(uint8_t tag[16], const uint8_t *msg, size_t len,
                                       const uint8_t key[32])
{
    const struct poly1305_r r = poly1305_r_of(key);
    struct poly1305_number h = {{0, 0, 0}};

    if (len >= 16) {
        poly1305_chain(&h, &r, msg, len / 16);
    }
    if (len % 16 != 0) {
        uint64_t m[2];

        poly1305_load_partial(m, msg + (len - len % 16), len % 16);
        poly1305_step_words(&h, &r, m[0], m[1]);
    }
    poly1305_step_last(&h, &r);
    poly1305_tag(&h, key, tag);
}

ALWAYS_INLINE void poly1305_scalar_blocks(struct poly1305_core *core, const uint8_t *msg, size_t n,
                                          uint64_t hibit)
{
    const struct poly1305_r r = {core->r[0], core->r[1], core->r[1] + (core->r[1] >> 2)};
    struct poly1305_number h = {{core->h[0], core->h[1], core->h[2]}};

    if (hibit != 0 && n != 0) {
        poly1305_chain(&h, &r, msg, n);
        poly1305_step_last(&h, &r);
    } else {
        for (; n != 0; n--, msg += 16) {
            poly1305_add_words(&h, load_le64(msg), load_le64(msg + 8), 0);
            poly1305_step_last(&h, &r);
        }
    }
    core->h[0] = h.n[0];
    core->h[1] = h.n[1];
    core->h[2] = h.n[2];
}

#endif
