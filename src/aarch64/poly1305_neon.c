/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 by NEON, for messages of some hundred bytes and more.
 *
 * A chunk of four or eight blocks is a sum of products, each block times a power of r known beforehand:
 *
 *     h = (h + b1) r^8 + b2 r^7 + ... + b8 r = h r^8 + (b1 r^8 + b2 r^7 + ... + b8 r)
 *
 * The sum does not depend on h, so the vector units compute it without waiting and without a carry,
 * while the 64-bit registers do h r^8 + sum for the chunk before.
 *
 * UMULL multiplies 32-bit lanes to 64 bits. A block is taken as it comes, as 32-bit words w0 to w3,
 * and not cut into 26-bit limbs: instead P, its power, is prepared in four forms,
 *
 *     block P = w0 P + w1 (2^32 P) + w2 (2^64 P) + w3 (2^96 P),
 *
 * each in five limbs of 26 bits. The four numbers of a limb make a vector, so that a
 * block is one vector load and, for each limb, UMLAL of the lower and UMLAL2 of the upper halves: ten
 * multiplications, no shuffling, and nothing left to fold.
 *
 * Bounds: limbs are below 2^26 + 2^18, words below 2^32, so that a limb of the sum over all lanes of
 * eight blocks, four products each, is below 32 (2^26 + 2^18) 2^32 < 2^64.
 *
 * The multiplier takes ten cycles for the ten (Cortex-A72, Neoverse N1) or five (V2), where scalar
 * code takes 20, 37 and 15 for a block.
 */
#include <arm_neon.h>

#include "../memory.h"
#include "poly1305_scalar.h"

#define NOINLINE __attribute__((noinline))

/* Blocks of a chunk: few powers for short messages, more for long ones. */
#define NARROW 4
#define WIDE   8
/*
 * From how many blocks on vectors pay, and from how many the second of these. Whole messages by
 * llvm-mca (Cortex-A72, Neoverse N1, V2), cycles: 192 bytes 440, 460, 210 by vectors, where scalar
 * code takes 260, 460, 190; 256 bytes 510, 530, 240 against 350, 610, 250. A72 is told apart by nothing
 * here, and its model is kind to scalar code: MUL and UMULH take three and four cycles there, not one.
 */
#define VECTOR_BLOCKS 16
#define WIDE_BLOCKS   40

/* What a block is multiplied by: limb i of the four forms of P. */
struct row {
    uint32x4_t limb[5];
};

/* All that is secret and in memory. */
struct work {
    struct row rows[WIDE]; /* row i is for r^(i+1) */
};

/*
 * out = l, carried once, all limbs at a time: from limbs below 2^41 come limbs below 2^26 + 2^18,
 * which is good enough for the bounds above.
 */
ALWAYS_INLINE void carry(uint64x2_t out[5], const uint64x2_t l[5])
{
    const uint64x2_t mask = vdupq_n_u64(0x3ffffff);
    const uint64x2_t top = vshrq_n_u64(l[4], 26);

    out[0] = vaddq_u64(vandq_u64(l[0], mask), vaddq_u64(top, vshlq_n_u64(top, 2)));
    out[1] = vsraq_n_u64(vandq_u64(l[1], mask), l[0], 26);
    out[2] = vsraq_n_u64(vandq_u64(l[2], mask), l[1], 26);
    out[3] = vsraq_n_u64(vandq_u64(l[3], mask), l[2], 26);
    out[4] = vsraq_n_u64(vandq_u64(l[4], mask), l[3], 26);
}

/* out = 2^32 l: one limb up, and 6 bits. */
ALWAYS_INLINE void shift_32(uint64x2_t out[5], const uint64x2_t l[5])
{
    const uint64x2_t shifted[5] = {vmull_n_u32(vmovn_u64(l[4]), 5 << 6), vshlq_n_u64(l[0], 6),
                                   vshlq_n_u64(l[1], 6), vshlq_n_u64(l[2], 6),
                                   vshlq_n_u64(l[3], 6)};

    carry(out, shifted);
}

/* out = 2^64 l: two limbs, and 12 bits. */
ALWAYS_INLINE void shift_64(uint64x2_t out[5], const uint64x2_t l[5])
{
    const uint64x2_t shifted[5] = {vmull_n_u32(vmovn_u64(l[3]), 5 << 12),
                                   vmull_n_u32(vmovn_u64(l[4]), 5 << 12), vshlq_n_u64(l[0], 12),
                                   vshlq_n_u64(l[1], 12), vshlq_n_u64(l[2], 12)};

    carry(out, shifted);
}

ALWAYS_INLINE uint64x2_t two_words(uint64_t low, uint64_t high)
{
    return vcombine_u64(vcreate_u64(low), vcreate_u64(high));
}

/* Rows of p and q. */
ALWAYS_INLINE void make_two_rows(struct row rows[2], const struct poly1305_number *p,
                                 const struct poly1305_number *q)
{
    const uint64x2_t mask = vdupq_n_u64(0x3ffffff);
    const uint64x2_t w0 = two_words(p->n[0], q->n[0]);
    const uint64x2_t w1 = two_words(p->n[1], q->n[1]);
    const uint64x2_t w2 = two_words(p->n[2], q->n[2]);
    uint64x2_t l[5];
    uint64x2_t l32[5];
    uint64x2_t l64[5];
    uint64x2_t l96[5];

    l[0] = vandq_u64(w0, mask);
    l[1] = vandq_u64(vshrq_n_u64(w0, 26), mask);
    l[2] = vandq_u64(vsliq_n_u64(vshrq_n_u64(w0, 52), w1, 12), mask);
    l[3] = vandq_u64(vshrq_n_u64(w1, 14), mask);
    l[4] = vsliq_n_u64(vshrq_n_u64(w1, 40), w2, 24);
    shift_32(l32, l);
    shift_64(l64, l);
    shift_64(l96, l32);
    UNROLL
    for (int i = 0; i < 5; i++) {
        const uint64x2_t low = vreinterpretq_u64_u32(
            vtrn1q_u32(vreinterpretq_u32_u64(l[i]), vreinterpretq_u32_u64(l32[i])));
        const uint64x2_t high = vreinterpretq_u64_u32(
            vtrn1q_u32(vreinterpretq_u32_u64(l64[i]), vreinterpretq_u32_u64(l96[i])));

        rows[0].limb[i] = vreinterpretq_u32_u64(vtrn1q_u64(low, high));
        rows[1].limb[i] = vreinterpretq_u32_u64(vtrn2q_u64(low, high));
    }
}

/* A power of r and the sum of it and all lower ones. */
struct powers {
    struct poly1305_number last;
    struct poly1305_number sum;
};

/* Rows `from` to `to`. In a chain, for a step by r is cheaper than any other product. */
ALWAYS_INLINE void make_rows(struct work *w, struct powers *p, const struct poly1305_r *r,
                             size_t from, size_t to)
{
    for (size_t i = from; i < to; i += 2) {
        struct poly1305_number first;

        if (i == 0) {
            first = (struct poly1305_number){{r->r0, r->r1, 0}};
            p->sum = first;
        } else {
            first = p->last;
            poly1305_step_last(&first, r);
            poly1305_add_words(&p->sum, first.n[0], first.n[1], first.n[2]);
        }
        p->last = first;
        poly1305_step_last(&p->last, r);
        poly1305_add_words(&p->sum, p->last.n[0], p->last.n[1], p->last.n[2]);
        make_two_rows(w->rows + i, &first, &p->last);
    }
}

/*
 * 2^64 x: 2^64 n0 + 2^128 (n1 + 2^64 n2), and what of the latter is above 2^130 goes to the bottom
 * four times and once. For n2 < 2^60, below 2^130 + 2^128 comes out, so n2 <= 4.
 */
ALWAYS_INLINE struct poly1305_number times_2_64(const struct poly1305_number *x)
{
    const uint64_t n1 = x->n[1];
    const uint64_t n2 = x->n[2];
    struct poly1305_number y = {{n1 >> 2 | n2 << 62, x->n[0], n1 & 3}};

    poly1305_add_words(&y, n1 & ~UINT64_C(3), n2, 0);
    poly1305_add_words(&y, 0, n2 >> 2, 0);
    return y;
}

/*
 * h = h p + g for h2, p2 <= 9 and g2 < 2^60. The product is d4 .. d0, d4 < 2^8 and d3 < 2^64, and what
 * of it lies above 2^130 goes to the bottom four times and once; and what is above it then once more.
 */
ALWAYS_INLINE void multiply_add(struct poly1305_number *h, const struct poly1305_number *p,
                                const struct poly1305_number *g)
{
    uint64_t d0 = g->n[0];
    uint64_t d1 = g->n[1];
    uint64_t d2 = g->n[2];
    uint64_t d3;
    uint64_t d4;
    uint64_t a0;
    uint64_t a1;
    uint64_t b0;
    uint64_t b1;

    __asm__("mul %[a0], %[h0], %[p0]\n\t"
            "umulh %[a1], %[h0], %[p0]\n\t"
            "mul %[b0], %[h0], %[p1]\n\t"
            "umulh %[b1], %[h0], %[p1]\n\t"
            "adds %[d0], %[d0], %[a0]\n\t"
            "adcs %[d1], %[d1], %[a1]\n\t"
            "adc %[d2], %[d2], %[b1]\n\t" /* no carry: g2 and b1's share of it are small */
            "mul %[a0], %[h1], %[p0]\n\t"
            "umulh %[a1], %[h1], %[p0]\n\t"
            "adds %[d1], %[d1], %[b0]\n\t"
            "adcs %[d2], %[d2], xzr\n\t"
            "adc %[d3], xzr, xzr\n\t"
            "mul %[b0], %[h1], %[p1]\n\t"
            "umulh %[b1], %[h1], %[p1]\n\t"
            "adds %[d1], %[d1], %[a0]\n\t"
            "adcs %[d2], %[d2], %[a1]\n\t"
            "adcs %[d3], %[d3], %[b1]\n\t"
            "adc %[d4], xzr, xzr\n\t"
            "mul %[a0], %[h0], %[p2]\n\t"
            "umulh %[a1], %[h0], %[p2]\n\t"
            "adds %[d2], %[d2], %[b0]\n\t"
            "adcs %[d3], %[d3], %[a1]\n\t"
            "adc %[d4], %[d4], xzr\n\t"
            "mul %[b0], %[h2], %[p0]\n\t"
            "umulh %[b1], %[h2], %[p0]\n\t"
            "adds %[d2], %[d2], %[a0]\n\t"
            "adcs %[d3], %[d3], %[b1]\n\t"
            "adc %[d4], %[d4], xzr\n\t"
            "mul %[a0], %[h1], %[p2]\n\t"
            "umulh %[a1], %[h1], %[p2]\n\t"
            "adds %[d2], %[d2], %[b0]\n\t"
            "adcs %[d3], %[d3], %[a0]\n\t"
            "adc %[d4], %[d4], %[a1]\n\t"
            "mul %[b0], %[h2], %[p1]\n\t"
            "umulh %[b1], %[h2], %[p1]\n\t"
            "madd %[d4], %[h2], %[p2], %[d4]\n\t"
            "adds %[d3], %[d3], %[b0]\n\t"
            "adc %[d4], %[d4], %[b1]\n\t"
            /* (d4 d3 d2) / 4 once, and four times without the fraction */
            "extr %[a0], %[d3], %[d2], #2\n\t"
            "extr %[a1], %[d4], %[d3], #2\n\t"
            "and %[b0], %[d2], #-4\n\t"
            "and %[h2], %[d2], #3\n\t"
            "adds %[d0], %[d0], %[a0]\n\t"
            "adcs %[d1], %[d1], %[a1]\n\t"
            "adc %[h2], %[h2], xzr\n\t"
            "add %[d4], %[d4], %[d4], lsr #2\n\t"
            "adds %[d0], %[d0], %[b0]\n\t"
            "adcs %[d1], %[d1], %[d3]\n\t"
            "adc %[h2], %[h2], %[d4]\n\t"
            "and %[a0], %[h2], #-4\n\t"
            "add %[a0], %[a0], %[h2], lsr #2\n\t"
            "and %[h2], %[h2], #3\n\t"
            "adds %[h0], %[d0], %[a0]\n\t"
            "adcs %[h1], %[d1], xzr\n\t"
            "adc %[h2], %[h2], xzr\n\t"
            : [h0] "+&r"(h->n[0]), [h1] "+&r"(h->n[1]), [h2] "+&r"(h->n[2]), [d0] "+&r"(d0),
              [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "=&r"(d3), [d4] "=&r"(d4), [a0] "=&r"(a0),
              [a1] "=&r"(a1), [b0] "=&r"(b0), [b1] "=&r"(b1)
            : [p0] "r"(p->n[0]), [p1] "r"(p->n[1]), [p2] "r"(p->n[2])
            : "cc");
}

/* Adds the lanes up, and the limbs to one number; and `top` to that. */
ALWAYS_INLINE struct poly1305_number sum_of(const uint64x2_t a[5],
                                            const struct poly1305_number *top)
{
    const uint64x2_t a01 = vpaddq_u64(a[0], a[1]);
    const uint64x2_t a23 = vpaddq_u64(a[2], a[3]);
    const uint64_t s0 = vgetq_lane_u64(a01, 0);
    const uint64_t s1 = vgetq_lane_u64(a01, 1);
    const uint64_t s2 = vgetq_lane_u64(a23, 0);
    const uint64_t s3 = vgetq_lane_u64(a23, 1);
    const uint64_t s4 = vaddvq_u64(a[4]);
    struct poly1305_number g = *top;

    poly1305_add_words(&g, s0, s2 >> 12, s4 >> 24);
    poly1305_add_words(&g, s1 << 26, s1 >> 38, s3 >> 50);
    poly1305_add_words(&g, s2 << 52, s3 << 14, 0);
    poly1305_add_words(&g, 0, s4 << 40, 0);
    return g;
}

/*
 * a = words limb or a += words limb, of the lower or of the upper halves. Assembly, because GCC loads
 * the halves of every limb by themselves.
 */
ALWAYS_INLINE uint64x2_t mul_low(uint32x4_t words, uint32x4_t limb)
{
    uint64x2_t a;

    __asm__("umull %0.2d, %1.2s, %2.2s" : "=w"(a) : "w"(words), "w"(limb));
    return a;
}

ALWAYS_INLINE void mul_add_low(uint64x2_t *a, uint32x4_t words, uint32x4_t limb)
{
    __asm__("umlal %0.2d, %1.2s, %2.2s" : "+w"(*a) : "w"(words), "w"(limb));
}

ALWAYS_INLINE void mul_add_high(uint64x2_t *a, uint32x4_t words, uint32x4_t limb)
{
    __asm__("umlal2 %0.2d, %1.4s, %2.4s" : "+w"(*a) : "w"(words), "w"(limb));
}

/*
 * The sums of products of the chunk at msg; rows is that of the first block, and goes down. On the
 * way, where h is not NULL, the sum of the chunk before is absorbed: in the middle, when it is surely
 * complete, for it would keep what comes after it from starting otherwise.
 */
ALWAYS_INLINE void sum_chunk(uint64x2_t a[5], const struct row *rows, size_t blocks,
                             const uint8_t *msg, struct poly1305_number *h,
                             const struct poly1305_number *power, const struct poly1305_number *g)
{
    /* or GCC copies all rows from one place in memory to another, for those it has no register */
    __asm__ volatile("" : "+r"(rows));
    UNROLL
    for (size_t i = 0; i < blocks; i++) {
        const uint32x4_t words = vreinterpretq_u32_u8(vld1q_u8(msg + 16 * i));
        const struct row *row = rows - i;

        UNROLL
        for (int j = 0; j < 5; j++) {
            if (i == 0) {
                a[j] = mul_low(words, row->limb[j]);
            } else {
                mul_add_low(&a[j], words, row->limb[j]);
            }
        }
        UNROLL
        for (int j = 0; j < 5; j++) {
            mul_add_high(&a[j], words, row->limb[j]);
        }
        if (i == blocks / 2 && h != NULL) {
            multiply_add(h, power, g);
        }
    }
}

/* h = h r^n + b1 r^n + ... + bn r for n blocks in chunks of `blocks`, one at least */
ALWAYS_INLINE void absorb_chunks(struct poly1305_number *h, const struct work *w,
                                 const struct powers *p, size_t blocks, const uint8_t *msg,
                                 size_t n)
{
    const struct row *rows = w->rows + blocks - 1;
    /* what the bits at 2^128 of a chunk's blocks come to */
    struct poly1305_number top = times_2_64(&p->sum);
    struct poly1305_number g;
    uint64x2_t a[5];

    top = times_2_64(&top);
    sum_chunk(a, rows, blocks, msg, NULL, NULL, NULL);
    g = sum_of(a, &top);
    while ((n -= blocks) != 0) {
        msg += 16 * blocks;
        sum_chunk(a, rows, blocks, msg, h, &p->last, &g);
        g = sum_of(a, &top);
    }
    multiply_add(h, &p->last, &g);
}

/* The same for n >= NARROW, in chunks that fit; what is left over comes first. */
static NOINLINE void absorb(struct poly1305_number *h, const struct poly1305_r *r,
                            const uint8_t *msg, size_t n)
{
    const size_t rest = n >= WIDE_BLOCKS ? n % WIDE : n;
    const size_t few = rest % NARROW;
    struct work w;
    struct powers p;

    make_rows(&w, &p, r, 0, NARROW);
    poly1305_scalar_blocks(h, r, msg, few, 1);
    msg += 16 * few;
    if (rest != few) {
        absorb_chunks(h, &w, &p, NARROW, msg, rest - few);
        msg += 16 * (rest - few);
    }
    if (rest != n) {
        make_rows(&w, &p, r, NARROW, WIDE);
        absorb_chunks(h, &w, &p, WIDE, msg, n - rest);
    }
}

/* Zeros over the frame of the above, which is up to 1120 bytes: rows, powers, h. */
static NOINLINE void clear_frame_below(void)
{
    uint8_t frame[1152];

    wipe_now(frame, sizeof(frame));
}

/* Apart from short messages, so that those need neither. */
static NOINLINE void blocks_vectors(struct poly1305_core *core, const uint8_t *msg, size_t n)
{
    const struct poly1305_r r = poly1305_r_of(core->r[0], core->r[1]);
    struct poly1305_number h = {{core->h[0], core->h[1], core->h[2]}};

    absorb(&h, &r, msg, n);
    memcpy(core->h, h.n, sizeof(core->h));
    clear_frame_below();
}

static void poly1305_blocks(struct poly1305_core *core, const uint8_t *msg, size_t nblocks,
                            uint64_t hibit)
{
    if (hibit != 0 && nblocks >= VECTOR_BLOCKS) {
        blocks_vectors(core, msg, nblocks);
    } else {
        const struct poly1305_r r = poly1305_r_of(core->r[0], core->r[1]);
        struct poly1305_number h = {{core->h[0], core->h[1], core->h[2]}};

        poly1305_scalar_blocks(&h, &r, msg, nblocks, hibit);
        memcpy(core->h, h.n, sizeof(core->h));
    }
}

static NOINLINE void mac_vectors(uint8_t tag[16], const uint8_t *msg, size_t len,
                                 const uint8_t key[32])
{
    const struct poly1305_r r = poly1305_r_of(load_le64(key), load_le64(key + 8));
    struct poly1305_number h = {{0, 0, 0}};
    const size_t n = len % 16;

    absorb(&h, &r, msg, len / 16);
    if (n != 0) {
        uint64_t m[2];

        poly1305_load_partial(m, msg + (len - n), n);
        m[n / 8] |= UINT64_C(1) << (8 * (n % 8));
        poly1305_add_words(&h, m[0], m[1], 0);
        poly1305_step_last(&h, &r);
    }
    poly1305_tag(&h, load_le64(key + 16), load_le64(key + 24), tag);
    clear_frame_below();
}

static void poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    if (len / 16 >= VECTOR_BLOCKS) {
        mac_vectors(tag, msg, len, key);
    } else {
        poly1305_scalar_mac(tag, msg, len, key);
    }
}

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_neon) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    .stack = 256, /* the deepest frame but that of absorb was 208 */
};
