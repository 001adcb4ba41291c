/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 (RFC 8439 section 2.5) in the 64-bit registers, by MUL and UMULH. Static only.
 *
 * A number mod 2^130-5 is h0 + 2^64 h1 + 2^128 h2. Because r is clamped, r1 is a multiple of 4 and
 * 2^128 r1 = 2^130 r1/4 = 5 r1/4 = s1, which folds the upper part of a product before it arises:
 *
 *     d0 = h0 r0 + h1 s1            r0 < 2^60, r1 < 2^60, s1 = r1 + r1/4 < 1.25 2^60
 *     d1 = h0 r1 + h1 r0 + h2 s1
 *     d2 =                 h2 r0
 *
 * A message is absorbed as h = h r + block, the first block being h itself, and one multiplication
 * by r ends it: so a block is added while the carries of the product are still on their way.
 *
 * Assembly, so that the same instructions can stand between those of ChaCha; compilers make 32 to 37
 * of the portable code, which are these 26 and the carries by comparison. The time is the
 * multiplier's or that of the way from h to h: 20, 37, 15 cycles a block by llvm-mca (Cortex-A72,
 * Neoverse N1, V2), like the portable code.
 */
#ifndef AEADFAST_AARCH64_POLY1305_SCALAR_H
#define AEADFAST_AARCH64_POLY1305_SCALAR_H

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

ALWAYS_INLINE struct poly1305_r poly1305_r_of(uint64_t key0, uint64_t key1)
{
    struct poly1305_r r;

    r.r0 = key0 & 0x0ffffffc0fffffff;
    r.r1 = key1 & 0x0ffffffc0ffffffc;
    r.s1 = r.r1 + (r.r1 >> 2);
    return r;
}

/*
 * h r plus a block in pieces, which keep the flags from one to the next. h2 <= 9 comes in, so that
 * h2 s1 is below 11.25 2^60, and with the upper halves of d0 on top the sum stays below 2^64.
 * t1 to t8 are temporaries; the block goes through those of h0 and h1.
 */
#define POLY1305_P0(h0, r0, t1, t2) "mul " t1 ", " h0 ", " r0 "\n\tumulh " t2 ", " h0 ", " r0 "\n\t"
#define POLY1305_P1(h0, r1, t3, t4) "mul " t3 ", " h0 ", " r1 "\n\tumulh " t4 ", " h0 ", " r1 "\n\t"
#define POLY1305_P2(h1, s1, t5, t6) "mul " t5 ", " h1 ", " s1 "\n\tumulh " t6 ", " h1 ", " s1 "\n\t"
#define POLY1305_P3(h1, r0, t7, t8) "mul " t7 ", " h1 ", " r0 "\n\tumulh " t8 ", " h1 ", " r0 "\n\t"
#define POLY1305_P4(h2, s1, t6)     "madd " t6 ", " h2 ", " s1 ", " t6 "\n\t"
#define POLY1305_P5(h2, r0, t8)     "madd " t8 ", " h2 ", " r0 ", " t8 "\n\t"
#define POLY1305_P6(t1, t3, t4, m0, m1, m2)                                                        \
    "adds " t1 ", " t1 ", " m0 "\n\t"                                                              \
    "adcs " t3 ", " t3 ", " m1 "\n\t"                                                              \
    "adc " t4 ", " t4 ", " m2 "\n\t"
#define POLY1305_P7(t1, t3, t5, t7)                                                                \
    "adds " t1 ", " t1 ", " t5 "\n\t"                                                              \
    "adcs " t3 ", " t3 ", " t7 "\n\t"
#define POLY1305_P8(t2, t4, t6, t8)                                                                \
    "adc " t4 ", " t4 ", " t8 "\n\t"                                                               \
    "add " t2 ", " t2 ", " t6 "\n\t"
#define POLY1305_P9(h1, h2, t2, t3, t4)                                                            \
    "adds " h1 ", " t3 ", " t2 "\n\t"                                                              \
    "adc " h2 ", " t4 ", xzr\n\t"
/* What is above 2^130 goes to the bottom five times: 4 and 1. h2 <= 4 comes out. */
#define POLY1305_P10(h2, t2)                                                                       \
    "and " t2 ", " h2 ", #-4\n\t"                                                                  \
    "add " t2 ", " t2 ", " h2 ", lsr #2\n\t"
#define POLY1305_P11(h0, h2, t1, t2)                                                               \
    "and " h2 ", " h2 ", #3\n\t"                                                                   \
    "adds " h0 ", " t1 ", " t2 "\n\t"
#define POLY1305_P12(h1, h2)                                                                       \
    "adcs " h1 ", " h1 ", xzr\n\t"                                                                 \
    "adc " h2 ", " h2 ", xzr\n\t"

#define POLY1305_STEP(block)                                                                       \
    POLY1305_P0("%[h0]", "%[r0]", "%[t1]", "%[t2]")                                                \
    POLY1305_P1("%[h0]", "%[r1]", "%[t3]", "%[t4]")                                                \
    POLY1305_P2("%[h1]", "%[s1]", "%[t5]", "%[t6]")                                                \
    POLY1305_P3("%[h1]", "%[r0]", "%[t7]", "%[t8]")                                                \
    POLY1305_P4("%[h2]", "%[s1]", "%[t6]")                                                         \
    POLY1305_P5("%[h2]", "%[r0]", "%[t8]")                                                         \
    block POLY1305_P7("%[t1]", "%[t3]", "%[t5]", "%[t7]")                                          \
        POLY1305_P8("%[t2]", "%[t4]", "%[t6]", "%[t8]")                                            \
            POLY1305_P9("%[h1]", "%[h2]", "%[t2]", "%[t3]", "%[t4]")                               \
                POLY1305_P10("%[h2]", "%[t2]") POLY1305_P11("%[h0]", "%[h2]", "%[t1]", "%[t2]")    \
                    POLY1305_P12("%[h1]", "%[h2]")
#define POLY1305_STEP_OUT                                                                          \
    [h0] "+&r"(h->n[0]), [h1] "+&r"(h->n[1]), [h2] "+&r"(h->n[2]), [t1] "=&r"(t[0]),               \
        [t2] "=&r"(t[1]), [t3] "=&r"(t[2]), [t4] "=&r"(t[3]), [t5] "=&r"(t[4]), [t6] "=&r"(t[5]),  \
        [t7] "=&r"(t[6]), [t8] "=&r"(t[7])
#define POLY1305_STEP_IN [r0] "r"(r->r0), [r1] "r"(r->r1), [s1] "r"(r->s1)

/* h = h r + m0 + 2^64 m1 + 2^128 m2 */
ALWAYS_INLINE void poly1305_step_words(struct poly1305_number *h, const struct poly1305_r *r,
                                       uint64_t m0, uint64_t m1, uint64_t m2)
{
    uint64_t t[8];

    __asm__(POLY1305_STEP(POLY1305_P6("%[t1]", "%[t3]", "%[t4]", "%[m0]", "%[m1]", "%[m2]"))
            : POLY1305_STEP_OUT
            : POLY1305_STEP_IN, [m0] "r"(m0), [m1] "r"(m1), [m2] "r"(m2)
            : "cc");
}

/* h = h r + the block at p + 2^128 */
ALWAYS_INLINE void poly1305_step(struct poly1305_number *h, const struct poly1305_r *r,
                                 const uint8_t *p)
{
    poly1305_step_words(h, r, load_le64(p), load_le64(p + 8), 1);
}

/* h = h r */
ALWAYS_INLINE void poly1305_step_last(struct poly1305_number *h, const struct poly1305_r *r)
{
    uint64_t t[8];

    __asm__(POLY1305_STEP("") : POLY1305_STEP_OUT:POLY1305_STEP_IN : "cc");
}

/* h += m0 + 2^64 m1 + 2^128 m2 */
ALWAYS_INLINE void poly1305_add_words(struct poly1305_number *h, uint64_t m0, uint64_t m1,
                                      uint64_t m2)
{
    __asm__("adds %[h0], %[h0], %[m0]\n\t"
            "adcs %[h1], %[h1], %[m1]\n\t"
            "adc %[h2], %[h2], %[m2]\n\t"
            : [h0] "+&r"(h->n[0]), [h1] "+&r"(h->n[1]), [h2] "+&r"(h->n[2])
            : [m0] "r"(m0), [m1] "r"(m1), [m2] "r"(m2)
            : "cc");
}

/*
 * tag = ((h mod 2^130-5) + s) mod 2^128. With h2 <= 4, h is below 2 (2^130-5), so one subtraction
 * does: just where h >= 2^130-5 does h + 5 reach 2^130, and h2 - 4 plus the carry of the lower words
 * leave a carry.
 */
ALWAYS_INLINE void poly1305_tag(const struct poly1305_number *h, uint64_t s0, uint64_t s1,
                                uint8_t tag[16])
{
    uint64_t h0 = h->n[0];
    uint64_t h1 = h->n[1];
    uint64_t g0;
    uint64_t g1;

    __asm__("adds %[g0], %[h0], #5\n\t"
            "adcs %[g1], %[h1], xzr\n\t"
            "adcs xzr, %[h2], %[minus4]\n\t"
            "csel %[h0], %[g0], %[h0], cs\n\t"
            "csel %[h1], %[g1], %[h1], cs\n\t"
            "adds %[h0], %[h0], %[s0]\n\t"
            "adc %[h1], %[h1], %[s1]\n\t"
            : [h0] "+&r"(h0), [h1] "+&r"(h1), [g0] "=&r"(g0), [g1] "=&r"(g1)
            : [h2] "r"(h->n[2]), [minus4] "r"(~UINT64_C(3)), [s0] "r"(s0), [s1] "r"(s1)
            : "cc");
    store_le64(tag, h0);
    store_le64(tag + 8, h1);
}

/* The last n (1 to 15) bytes at p as two words, zeros behind them. */
ALWAYS_INLINE void poly1305_load_partial(uint64_t m[2], const uint8_t *p, size_t n)
{
    if (n >= 8) {
        m[0] = load_le64(p);
        /* all of the last 8 bytes but those that m[0] holds; in two shifts, for n may be 8 */
        m[1] = load_le64(p + n - 8) >> 8 >> (8 * (15 - n));
        return;
    }
    if (n >= 4) {
        m[0] = load_le32(p) | (uint64_t)load_le32(p + n - 4) << (8 * (n - 4));
    } else {
        /* first, middle and last byte: for n = 1 and 2 some of them are the same one */
        m[0] = (uint64_t)p[0] | (uint64_t)p[n >> 1] << (8 * (n >> 1)) |
               (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    m[1] = 0;
}

/* h = h r + b1, (..) r + b2, .. for n whole blocks. */
ALWAYS_INLINE void poly1305_steps(struct poly1305_number *h, const struct poly1305_r *r,
                                  const uint8_t *p, size_t n)
{
    for (; n != 0; n--, p += 16) {
        poly1305_step(h, r, p);
    }
}

/* The two functions of a kernel, for short messages. */
ALWAYS_INLINE void poly1305_scalar_mac(uint8_t tag[16], const uint8_t *msg, size_t len,
                                       const uint8_t key[32])
{
    const struct poly1305_r r = poly1305_r_of(load_le64(key), load_le64(key + 8));
    struct poly1305_number h = {{0, 0, 0}};
    size_t n = len / 16;

    if (n != 0) {
        /* the first block is h */
        h = (struct poly1305_number){{load_le64(msg), load_le64(msg + 8), 1}};
        poly1305_steps(&h, &r, msg + 16, n - 1);
    }
    n = len % 16;
    if (n != 0) {
        uint64_t m[2];

        poly1305_load_partial(m, msg + (len - n), n);
        m[n / 8] |= UINT64_C(1) << (8 * (n % 8));
        poly1305_step_words(&h, &r, m[0], m[1], 0);
    }
    poly1305_step_last(&h, &r);
    poly1305_tag(&h, load_le64(key + 16), load_le64(key + 24), tag);
}

/* h = (((h + b1) r + b2) r + ..) r for n blocks; h2 <= 7 comes in. */
ALWAYS_INLINE void poly1305_scalar_blocks(struct poly1305_number *h, const struct poly1305_r *r,
                                          const uint8_t *msg, size_t n, uint64_t hibit)
{
    if (n != 0) {
        poly1305_add_words(h, load_le64(msg), load_le64(msg + 8), hibit);
        for (n--, msg += 16; n != 0; n--, msg += 16) {
            poly1305_step_words(h, r, load_le64(msg), load_le64(msg + 8), hibit);
        }
        poly1305_step_last(h, r);
    }
}

#endif
