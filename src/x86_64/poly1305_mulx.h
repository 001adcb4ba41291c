/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 (RFC 8439 section 2.5) in the 64-bit registers, by MULX. Needs BMI2. Static only.
 *
 * A step is h = h r + m mod 2^130-5 with h = h0 + 2^64 h1 + 2^128 h2, and one more multiplication
 * by r ends the message. Because r is clamped, r1 is a multiple of 4, and 2^128 r1 = 2^130 r1/4 =
 * 5 r1/4 = s1 (mod 2^130-5), which folds the upper half of the product before it arises:
 *
 *     d0 = h0 r0 + h1 s1            r0 < 2^60, r1 < 2^60, s1 = r1 + r1/4 < 5 2^58
 *     d1 = h0 r1 + h1 r0 + h2 s1
 *     d2 =                 h2 r0
 *
 * What of d2 is above 2^130 is added at the bottom, five times. The block is added before that, as
 * soon as d0 and d1 are there, so that it does not lengthen the chain of carries from step to step.
 *
 * A step leaves h2 <= 3 and one for the block's bit at 2^128 and two carries; it takes h2 <= 9, for
 * which h2 s1 < 11.25 2^60 and h2 r0 fit in 64 bits. The upper halves of h0 r0 and of h1 s1 are
 * below 2^60 and 1.25 2^60, so their sum with a carry needs no further word.
 *
 * The steps are assembly because compilers are not up to it: from 128-bit integers GCC 12 made a
 * block of 34 cycles, Clang 14 one of 15, and this one takes 13 in one chain and 10 in two.
 */
#ifndef AEADFAST_POLY1305_MULX_H
#define AEADFAST_POLY1305_MULX_H

#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"
#include "../kernel.h"

#define POLY1305_INLINE static inline __attribute__((always_inline))

__extension__ typedef unsigned __int128 poly1305_u128;

struct poly1305_mulx_key {
    uint64_t r0;
    uint64_t r1;
    uint64_t s1;
};

/* A value mod 2^130-5: n[0] + 2^64 n[1] + 2^128 n[2]. */
struct poly1305_mulx_int {
    uint64_t n[3];
};

/*
 * The step in nine pieces of two to four instructions, for a stream that carries other instructions
 * between them, which may change the flags. The arguments are the text of operands: h0 to h2 and t1
 * to t5 registers, k0 = r0, k1 = r1 and ks = s1 in memory. RDX is overwritten.
 */
#define POLY1305_MULX_1(h0, k0, k1, t1, t2, t3)                                                    \
    "movq " h0 ", %%rdx\n\t"                                                                       \
    "mulxq " k0 ", " h0 ", " t1 "\n\t"                                                             \
    "mulxq " k1 ", " t2 ", " t3 "\n\t"
#define POLY1305_MULX_2(h1, k0, ks, t4, t5)                                                        \
    "movq " h1 ", %%rdx\n\t"                                                                       \
    "mulxq " k0 ", " h1 ", " t4 "\n\t"                                                             \
    "mulxq " ks ", " t5 ", %%rdx\n\t"
/* d0 = t1:h0 */
#define POLY1305_MULX_3(h0, t1, t5)                                                                \
    "addq " t5 ", " h0 "\n\t"                                                                      \
    "adcq %%rdx, " t1 "\n\t"
/* h2 comes last: it is the last to be known, and would keep the multiplier from the others */
#define POLY1305_MULX_4(h2, k0, ks, t5)                                                            \
    "movq " h2 ", " t5 "\n\t"                                                                      \
    "imulq " ks ", " t5 "\n\t"                                                                     \
    "imulq " k0 ", " h2 "\n\t"
/* d1 = t4:h1 */
#define POLY1305_MULX_5(h1, t2, t3, t4, t5)                                                        \
    "addq " t2 ", " h1 "\n\t"                                                                      \
    "adcq " t3 ", " t4 "\n\t"                                                                      \
    "addq " t5 ", " h1 "\n\t"                                                                      \
    "adcq $0, " t4 "\n\t"
/* d2 = h2 */
#define POLY1305_MULX_6(h1, h2, t1, t4, t5)                                                        \
    "addq " t1 ", " h1 "\n\t"                                                                      \
    "adcq " t4 ", " h2 "\n\t"                                                                      \
    "movq " h2 ", " t5 "\n\t"
/* t5 = 5 (d2 / 4) */
#define POLY1305_MULX_7(h2, t5)                                                                    \
    "andq $3, " h2 "\n\t"                                                                          \
    "shrq $2, " t5 "\n\t"                                                                          \
    "leaq (" t5 ", " t5 ", 4), " t5 "\n\t"
/* the block, with its bit at 2^128 */
#define POLY1305_MULX_8(h0, h1, h2, m0, m1)                                                        \
    "addq " m0 ", " h0 "\n\t"                                                                      \
    "adcq " m1 ", " h1 "\n\t"                                                                      \
    "adcq $1, " h2 "\n\t"
#define POLY1305_MULX_9(h0, h1, h2, t5)                                                            \
    "addq " t5 ", " h0 "\n\t"                                                                      \
    "adcq $0, " h1 "\n\t"                                                                          \
    "adcq $0, " h2 "\n\t"

/* The operands of the functions below. */
#define POLY1305_MULX_MULTIPLY                                                                     \
    POLY1305_MULX_1("%[h0]", "%[k0]", "%[k1]", "%[t1]", "%[t2]", "%[t3]")                          \
    POLY1305_MULX_2("%[h1]", "%[k0]", "%[ks]", "%[t4]", "%[t5]")                                   \
    POLY1305_MULX_3("%[h0]", "%[t1]", "%[t5]")                                                     \
    POLY1305_MULX_4("%[h2]", "%[k0]", "%[ks]", "%[t5]")                                            \
    POLY1305_MULX_5("%[h1]", "%[t2]", "%[t3]", "%[t4]", "%[t5]")                                   \
    POLY1305_MULX_6("%[h1]", "%[h2]", "%[t1]", "%[t4]", "%[t5]")                                   \
    POLY1305_MULX_7("%[h2]", "%[t5]")
#define POLY1305_MULX_BLOCK POLY1305_MULX_8("%[h0]", "%[h1]", "%[h2]", "%[m0]", "%[m1]")
#define POLY1305_MULX_CARRY POLY1305_MULX_9("%[h0]", "%[h1]", "%[h2]", "%[t5]")
#define POLY1305_MULX_OUT                                                                          \
    [h0] "+&r"(h->n[0]), [h1] "+&r"(h->n[1]), [h2] "+&r"(h->n[2]), [t1] "=&r"(t1), [t2] "=&r"(t2), \
        [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5)
#define POLY1305_MULX_IN [k0] "m"(k->r0), [k1] "m"(k->r1), [ks] "m"(k->s1)

/* The clamped r of a key. */
POLY1305_INLINE struct poly1305_mulx_key poly1305_mulx_key(uint64_t r0, uint64_t r1)
{
    const struct poly1305_mulx_key k = {r0, r1, r1 + (r1 >> 2)};

    return k;
}

/* h = h r, and h2 <= 4: the last thing for a message. */
POLY1305_INLINE void poly1305_mulx_multiply(struct poly1305_mulx_int *h,
                                            const struct poly1305_mulx_key *k)
{
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_MULX_MULTIPLY POLY1305_MULX_CARRY:POLY1305_MULX_OUT:POLY1305_MULX_IN
            : "rdx", "cc");
}

/* h = h r + m0 + 2^64 m1 + 2^128 */
POLY1305_INLINE void poly1305_mulx_words(struct poly1305_mulx_int *h,
                                         const struct poly1305_mulx_key *k, uint64_t m0,
                                         uint64_t m1)
{
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_MULX_MULTIPLY POLY1305_MULX_BLOCK POLY1305_MULX_CARRY:POLY1305_MULX_OUT
            : POLY1305_MULX_IN, [m0] "r"(m0), [m1] "r"(m1)
            : "rdx", "cc");
}

struct poly1305_bytes {
    uint8_t b[16];
};

/* h = h r + the block at p */
POLY1305_INLINE void poly1305_mulx_block(struct poly1305_mulx_int *h,
                                         const struct poly1305_mulx_key *k, const uint8_t *p)
{
    uint64_t t1;
    uint64_t t2;
    uint64_t t3;
    uint64_t t4;
    uint64_t t5;

    __asm__(POLY1305_MULX_MULTIPLY POLY1305_MULX_8("%[h0]", "%[h1]", "%[h2]", "(%[p])", "8(%[p])")
            POLY1305_MULX_CARRY:POLY1305_MULX_OUT
            : POLY1305_MULX_IN, [p] "r"(p), "m"(*(const struct poly1305_bytes *)p)
            : "rdx", "cc");
}

/* One chain: each block waits for the one before, 13 cycles apart. */
POLY1305_INLINE void poly1305_mulx_blocks(struct poly1305_mulx_int *h,
                                          const struct poly1305_mulx_key *k, const uint8_t *p,
                                          size_t nblocks)
{
    /* a copy, because what others have the address of would go through memory at each step */
    struct poly1305_mulx_int a = *h;

    for (size_t i = 0; i < nblocks; i++) {
        poly1305_mulx_block(&a, k, p + 16 * i);
    }
    *h = a;
}

/*
 * h = h x + g, for any x and g of this form with n[2] <= 7. The product is below 2^262, so q, what
 * of it lies above 2^130, is below 2^132 and 5 q leaves a small excess above 2^130 in h[2], which
 * is folded once more: h[2] <= 4 at the end.
 */
POLY1305_INLINE void poly1305_mulx_mul_add(struct poly1305_mulx_int *h,
                                           const struct poly1305_mulx_int *x,
                                           const struct poly1305_mulx_int *g)
{
    const uint64_t h0 = h->n[0];
    const uint64_t h1 = h->n[1];
    const uint64_t h2 = h->n[2];
    const uint64_t x0 = x->n[0];
    const uint64_t x1 = x->n[1];
    const uint64_t x2 = x->n[2];
    /* no sum overflows: (2^64-1)^2 + 2 (2^64-1) = 2^128-1 */
    const poly1305_u128 a = (poly1305_u128)h0 * x0;
    const poly1305_u128 b = (poly1305_u128)h0 * x1 + (uint64_t)(a >> 64);
    const poly1305_u128 c = (poly1305_u128)h1 * x0 + (uint64_t)b;
    const poly1305_u128 d = (poly1305_u128)h1 * x1 + (uint64_t)(b >> 64) + (uint64_t)(c >> 64);
    const poly1305_u128 e = (poly1305_u128)h0 * x2 + (poly1305_u128)h2 * x0 + (uint64_t)d;
    const poly1305_u128 f =
        (poly1305_u128)h1 * x2 + (poly1305_u128)h2 * x1 + (uint64_t)(d >> 64) + (uint64_t)(e >> 64);
    const uint64_t p2 = (uint64_t)e;
    const uint64_t p3 = (uint64_t)f;
    const uint64_t p4 = (uint64_t)(f >> 64) + h2 * x2;
    const uint64_t q0 = p2 >> 2 | p3 << 62;
    const uint64_t q1 = p3 >> 2 | p4 << 62;
    const uint64_t q2 = p4 >> 2;
    poly1305_u128 t = (poly1305_u128)q0 * 5 + (uint64_t)a + g->n[0];
    uint64_t excess;

    h->n[0] = (uint64_t)t;
    t = (poly1305_u128)q1 * 5 + (uint64_t)c + g->n[1] + (uint64_t)(t >> 64);
    h->n[1] = (uint64_t)t;
    h->n[2] = (p2 & 3) + q2 * 5 + g->n[2] + (uint64_t)(t >> 64);

    excess = h->n[2] >> 2;
    t = (poly1305_u128)h->n[0] + excess * 5;
    h->n[0] = (uint64_t)t;
    t = (poly1305_u128)h->n[1] + (uint64_t)(t >> 64);
    h->n[1] = (uint64_t)t;
    h->n[2] = (h->n[2] & 3) + (uint64_t)(t >> 64);
}

/*
 * The same in 19 pieces for an instruction stream, with the result in rax, rbx,
 * rcx. The product, p0 to p4 in rax, rbx, rcx, r11, r12, is below 2^262, so q, what of it lies above
 * 2^130, is below 2^132 and 5 q leaves a small excess above 2^130, which is folded once more: n[2] <=
 * 4 at the end.
 */
#define POLY1305_MULX_JOIN_9(h0, h1, h2, x0, x1, x2)                                               \
    "movq " h0 ", %%rdx\n\t"                                                                       \
    "mulxq " x0 ", %%rax, %%rbx\n\t"                                                               \
    "mulxq " x1 ", %%r13, %%rcx\n\t",                                                              \
        "mulxq " x2 ", %%r14, %%r11\n\t"                                                           \
        "addq %%r13, %%rbx\n\t"                                                                    \
        "adcq %%r14, %%rcx\n\t"                                                                    \
        "adcq $0, %%r11\n\t",                                                                      \
        "movq " h1 ", %%rdx\n\t"                                                                   \
        "mulxq " x0 ", %%r13, %%r14\n\t"                                                           \
        "mulxq " x2 ", %%r15, %%r12\n\t",                                                          \
        "addq %%r13, %%rbx\n\t"                                                                    \
        "adcq %%r14, %%rcx\n\t"                                                                    \
        "adcq %%r15, %%r11\n\t"                                                                    \
        "adcq $0, %%r12\n\t",                                                                      \
        "mulxq " x1 ", %%r13, %%r14\n\t"                                                           \
        "addq %%r13, %%rcx\n\t"                                                                    \
        "adcq %%r14, %%r11\n\t"                                                                    \
        "adcq $0, %%r12\n\t",                                                                      \
        "movq " h2 ", %%rdx\n\t"                                                                   \
        "mulxq " x0 ", %%r13, %%r14\n\t",                                                          \
        "addq %%r13, %%rcx\n\t"                                                                    \
        "adcq %%r14, %%r11\n\t"                                                                    \
        "adcq $0, %%r12\n\t",                                                                      \
        "mulxq " x1 ", %%r13, %%r14\n\t"                                                           \
        "addq %%r13, %%r11\n\t"                                                                    \
        "adcq %%r14, %%r12\n\t",                                                                   \
        "imulq " x2 ", %%rdx\n\t"                                                                  \
        "addq %%rdx, %%r12\n\t"
/* q in r13, r11, r12 is added four times and once; then g; then what is above 2^130 by now */
#define POLY1305_MULX_JOIN_5                                                                       \
    "movq %%rcx, %%r13\n\t"                                                                        \
    "andq $3, %%rcx\n\t"                                                                           \
    "andq $-4, %%r13\n\t",                                                                         \
        "movq %%r11, %%r14\n\t"                                                                    \
        "shlq $62, %%r14\n\t"                                                                      \
        "movq %%r12, %%r15\n\t"                                                                    \
        "shlq $62, %%r15\n\t",                                                                     \
        "addq %%r13, %%rax\n\t"                                                                    \
        "adcq %%r11, %%rbx\n\t"                                                                    \
        "adcq %%r12, %%rcx\n\t",                                                                   \
        "shrq $2, %%r13\n\t"                                                                       \
        "orq %%r14, %%r13\n\t"                                                                     \
        "shrq $2, %%r11\n\t",                                                                      \
        "orq %%r15, %%r11\n\t"                                                                     \
        "shrq $2, %%r12\n\t"
#define POLY1305_MULX_JOIN_LAST_5(g0, g1, g2)                                                      \
    "addq %%r13, %%rax\n\t"                                                                        \
    "adcq %%r11, %%rbx\n\t"                                                                        \
    "adcq %%r12, %%rcx\n\t",                                                                       \
        "addq " g0 ", %%rax\n\t"                                                                   \
        "adcq " g1 ", %%rbx\n\t"                                                                   \
        "adcq " g2 ", %%rcx\n\t",                                                                  \
        "movq %%rcx, %%r13\n\t"                                                                    \
        "movq %%rcx, %%r14\n\t"                                                                    \
        "andq $3, %%rcx\n\t",                                                                      \
        "andq $-4, %%r13\n\t"                                                                      \
        "shrq $2, %%r14\n\t"                                                                       \
        "addq %%r13, %%r14\n\t",                                                                   \
        "addq %%r14, %%rax\n\t"                                                                    \
        "adcq $0, %%rbx\n\t"                                                                       \
        "adcq $0, %%rcx\n\t"
POLY1305_INLINE struct poly1305_mulx_int poly1305_mulx_square(const struct poly1305_mulx_int *x)
{
    const struct poly1305_mulx_int zero = {{0, 0, 0}};
    struct poly1305_mulx_int y = *x;

    poly1305_mulx_mul_add(&y, x, &zero);
    return y;
}

/*
 * Two chains side by side, the first half of 2 n blocks in one and the second in the other; both
 * multiply by the clamped r, which is cheaper than any other power. `power` is r^n, by which the
 * first chain is moved up at the end.
 */
POLY1305_INLINE void poly1305_mulx_two_chains(struct poly1305_mulx_int *h,
                                              const struct poly1305_mulx_key *k,
                                              const struct poly1305_mulx_int *power,
                                              const uint8_t *p, size_t n)
{
    struct poly1305_mulx_int a = *h;
    struct poly1305_mulx_int b = {{0, 0, 0}};

    for (size_t i = 0; i < n; i++) {
        poly1305_mulx_block(&a, k, p + 16 * i);
        poly1305_mulx_block(&b, k, p + 16 * (n + i));
    }
    poly1305_mulx_mul_add(&a, power, &b);
    *h = a;
}

/*
 * tag = ((h mod 2^130-5) + s) mod 2^128. With h[2] <= 4, h is below 2 (2^130-5), so one subtraction
 * does: h + 5 reaches 2^130 just where h >= 2^130-5.
 */
POLY1305_INLINE void poly1305_mulx_final(const struct poly1305_mulx_int *h, uint64_t s0,
                                         uint64_t s1, uint8_t tag[16])
{
    poly1305_u128 t = (poly1305_u128)h->n[0] + 5;
    const uint64_t g0 = (uint64_t)t;
    uint64_t g1;
    uint64_t mask;

    t = (poly1305_u128)h->n[1] + (uint64_t)(t >> 64);
    g1 = (uint64_t)t;
    mask = 0 - ((h->n[2] + (uint64_t)(t >> 64)) >> 2);

    t = (poly1305_u128)((h->n[0] & ~mask) | (g0 & mask)) + s0;
    store_le64(tag, (uint64_t)t);
    t = (poly1305_u128)((h->n[1] & ~mask) | (g1 & mask)) + s1 + (uint64_t)(t >> 64);
    store_le64(tag + 8, (uint64_t)t);
}

/* The n (1 to 15) bytes at p, as the two words of a block that ends in zeros. */
POLY1305_INLINE void poly1305_mulx_load_partial(uint64_t m[2], const uint8_t *p, size_t n)
{
    m[1] = 0;
    if (n >= 8) {
        m[0] = load_le64(p);
        if (n > 8) {
            m[1] = load_le64(p + n - 8) >> (8 * (16 - n));
        }
    } else if (n >= 4) {
        m[0] = load_le32(p) | (uint64_t)load_le32(p + n - 4) << (8 * (n - 4));
    } else {
        /* first, middle and last byte: for n = 1 and 2 some of them are the same one */
        m[0] = (uint64_t)p[0] | (uint64_t)p[n >> 1] << (8 * (n >> 1)) |
               (uint64_t)p[n - 1] << (8 * (n - 1));
    }
}

#endif
