/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 by AVX2, for messages of some hundred bytes and more.
 *
 * A chunk of n blocks is a sum of products, each block times a power of r known beforehand:
 *
 *     h = (h + b1) r^n + b2 r^(n-1) + ... + bn r = h r^n + (b1 r^n + b2 r^(n-1) + ... + bn r)
 *
 * The sum does not depend on h, so the vector units compute it without waiting and without a carry,
 * while the 64-bit registers, which would be idle, do h r^n + sum for the chunk before.
 *
 * VPMULUDQ multiplies the low 32 bits of each 64-bit lane. A block is taken as it comes, as 32-bit
 * words w0 to w3, and not cut into 26-bit limbs: instead P, its power, is prepared in four forms,
 *
 *     block P = w0 P + w1 (2^32 P) + w2 (2^64 P) + w3 (2^96 P),
 *
 * each reduced and in five limbs of 26 bits. So a block takes 20 multiplications and not 25, hardly
 * any shuffling, and nothing is left to fold. A vector holds two blocks, w0 and w2 in the low halves
 * of its lanes and w1 and w3 in the high halves: one shift, ten VPMULUDQ and ten VPADDQ in all.
 *
 * Bounds: limbs are at most 2^26, words below 2^32, so that a limb of the sum over all lanes of 16
 * blocks, four products each, is below 64 2^26 2^32 = 2^64.
 *
 * On Zen 3 a chunk of 8 blocks takes 42 cycles (0.33 a byte) and one of 16 blocks 64 (0.25), where
 * the vector pipes alone would need 25 and 50: what binds is the number of instructions. Powers for
 * 8 blocks take 130 cycles, as much as nine blocks by MULX.
 */
#include <immintrin.h>

#include "poly1305_scalar.h"

/* Blocks of a chunk: few powers for short messages, more for long ones. */
#define NARROW 8
#define WIDE   16
/* From where the second pays: 3 KiB on Zen 3. */
#define WIDE_FROM 208

#define NOINLINE  __attribute__((noinline))

/* What a vector of two blocks is multiplied by. Lanes 0 and 1 are for the first of them. */
struct row {
    __m256i even[5]; /* limbs of P and 2^64 P, for w0 and w2 */
    __m256i odd[5];  /* limbs of 2^32 P and 2^96 P, for w1 and w3 */
};

/* The sum of a chunk's products: limb i, times 2^26i, is left[i] + 2^64 right[i]. */
struct sum {
    uint64_t left[4];
    uint64_t right[4]; /* but limb 3, times 2^78, is 2^64 left[3] + 2^128 right[3] */
    uint64_t fifth;    /* and this one is limb 4 as it is */
};

/* All that is secret and in memory; the rows last, for short messages have fewer to clear. */
struct work {
    struct poly1305_multiplier multiplier; /* first, so that one pointer does for it and the rest */
    struct poly1305_number h;
    struct poly1305_number next[4];
    struct sum sum;
    struct row rows[WIDE / 2]; /* row i is for r^(2i+2) and r^(2i+1) */
};

/* Carries limbs of up to 2^47 to limbs below 2^26, but for the second, which may be just that. */
ALWAYS_INLINE void carry(__m256i l[5])
{
    const __m256i mask = _mm256_set1_epi64x(0x3ffffff);
    __m256i c;

    l[1] = _mm256_add_epi64(l[1], _mm256_srli_epi64(l[0], 26));
    l[2] = _mm256_add_epi64(l[2], _mm256_srli_epi64(l[1], 26));
    l[3] = _mm256_add_epi64(l[3], _mm256_srli_epi64(l[2], 26));
    l[4] = _mm256_add_epi64(l[4], _mm256_srli_epi64(l[3], 26));
    c = _mm256_srli_epi64(l[4], 26);
    UNROLL
    for (size_t i = 0; i < 5; i++) {
        l[i] = _mm256_and_si256(l[i], mask);
    }
    l[0] = _mm256_add_epi64(l[0], _mm256_add_epi64(c, _mm256_slli_epi64(c, 2)));
    l[1] = _mm256_add_epi64(l[1], _mm256_srli_epi64(l[0], 26));
    l[0] = _mm256_and_si256(l[0], mask);
}

/* out = 2^(26 limbs + bits) l, for limbs of 26 bits and up to 18 bits */
ALWAYS_INLINE void shift_left(__m256i out[5], const __m256i l[5], size_t limbs, int bits)
{
    const __m256i five = _mm256_set1_epi64x(5 << bits);

    UNROLL
    for (size_t i = 0; i < 5; i++) {
        out[i] = i < limbs ? _mm256_mul_epu32(l[i + 5 - limbs], five)
                           : _mm256_slli_epi64(l[i - limbs], bits);
    }
    carry(out);
}

/* By loads of 8 bytes, as which they have just been stored. */
ALWAYS_INLINE __m128i load_two(const uint64_t *low, const uint64_t *high)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)low),
                              _mm_loadl_epi64((const __m128i *)(const void *)high));
}

/* Rows 0 and 1 from p = P, r P, r^2 P and r^3 P. */
ALWAYS_INLINE void make_two_rows(struct row rows[2], const struct poly1305_number p[4])
{
    const __m256i mask = _mm256_set1_epi64x(0x3ffffff);
    __m256i w[3];
    __m256i l[5];
    __m256i l32[5];
    __m256i l64[5];
    __m256i l96[5];

    /* in the order that the unpacking below makes rows of */
    UNROLL
    for (size_t i = 0; i < 3; i++) {
        w[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(load_two(&p[3].n[i], &p[1].n[i])),
                                       load_two(&p[2].n[i], &p[0].n[i]), 1);
    }
    l[0] = _mm256_and_si256(w[0], mask);
    l[1] = _mm256_and_si256(_mm256_srli_epi64(w[0], 26), mask);
    l[2] = _mm256_and_si256(
        _mm256_or_si256(_mm256_srli_epi64(w[0], 52), _mm256_slli_epi64(w[1], 12)), mask);
    l[3] = _mm256_and_si256(_mm256_srli_epi64(w[1], 14), mask);
    l[4] = _mm256_or_si256(_mm256_srli_epi64(w[1], 40), _mm256_slli_epi64(w[2], 24));

    shift_left(l64, l, 2, 12);
    UNROLL
    for (size_t i = 0; i < 5; i++) {
        rows[0].even[i] = _mm256_unpackhi_epi64(l[i], l64[i]);
        rows[1].even[i] = _mm256_unpacklo_epi64(l[i], l64[i]);
    }
    shift_left(l32, l, 1, 6);
    shift_left(l96, l, 3, 18);
    UNROLL
    for (size_t i = 0; i < 5; i++) {
        rows[0].odd[i] = _mm256_unpackhi_epi64(l32[i], l96[i]);
        rows[1].odd[i] = _mm256_unpacklo_epi64(l32[i], l96[i]);
    }
}

/* Powers of r: the highest one so far, and the sum of all so far. */
struct powers {
    struct poly1305_number last;
    struct poly1305_number sum;
};

/* The next two rows. In a chain, for a step by r is cheaper than any other product. */
ALWAYS_INLINE void next_rows(struct work *w, const struct poly1305_r *r, struct powers *p,
                             size_t row)
{
    UNROLL
    for (size_t i = 0; i < 4; i++) {
        if (row == 0 && i == 0) {
            p->last = (struct poly1305_number){{r->r0, r->r1, 0}};
            p->sum = p->last;
        } else {
            poly1305_step_last(&p->last, r);
            poly1305_add(&p->sum, &p->last);
        }
        UNROLL
        for (size_t j = 0; j < 3; j++) {
            w->next[i].n[j] = p->last.n[j];
            __asm__ volatile("" : "+m"(w->next[i].n[j])); /* or Clang spills it instead */
        }
    }
    make_two_rows(w->rows + row, w->next);
}

struct bytes_32 {
    uint8_t b[32];
};

/*
 * A vector of the message times a row. Assembly, because Clang takes _mm256_mul_epu32 apart, moves
 * its masks out of the loop and is left with products of 64 bits; and because GCC would keep all
 * products of a chunk apart, in memory, to add them up in a balanced tree.
 */
#define PRODUCT(a, words, limbs) "vpmuludq %[" limbs "], %[" words "], %[" a "]\n\t"
#define ADD_PRODUCT(a, words, limbs)                                                               \
    PRODUCT("t", words, limbs)                                                                     \
    "vpaddq %[t], %[" a "], %[" a "]\n\t"
#define LOAD_WORDS                                                                                 \
    "vmovdqu %[msg], %[even]\n\t"                                                                  \
    "vpsrlq $32, %[even], %[odd]\n\t"
#define ADD_ODD_PRODUCTS                                                                           \
    ADD_PRODUCT("a0", "odd", "o0")                                                                 \
    ADD_PRODUCT("a1", "odd", "o1")                                                                 \
    ADD_PRODUCT("a2", "odd", "o2")                                                                 \
    ADD_PRODUCT("a3", "odd", "o3")                                                                 \
    ADD_PRODUCT("a4", "odd", "o4")
#define ROW_INPUTS                                                                                 \
    [msg] "m"(*(const struct bytes_32 *)msg), [e0] "m"(row->even[0]), [e1] "m"(row->even[1]),      \
        [e2] "m"(row->even[2]), [e3] "m"(row->even[3]), [e4] "m"(row->even[4]),                    \
        [o0] "m"(row->odd[0]), [o1] "m"(row->odd[1]), [o2] "m"(row->odd[2]),                       \
        [o3] "m"(row->odd[3]), [o4] "m"(row->odd[4])

/* a = the first products of a sum */
ALWAYS_INLINE void first_products(__m256i a[5], const struct row *row, const uint8_t *msg)
{
    __m256i even;
    __m256i odd;
    __m256i t;

    __asm__(LOAD_WORDS PRODUCT("a0", "even", "e0") PRODUCT("a1", "even", "e1")
                PRODUCT("a2", "even", "e2") PRODUCT("a3", "even", "e3") PRODUCT("a4", "even", "e4")
                    ADD_ODD_PRODUCTS
            : [a0] "=&x"(a[0]), [a1] "=&x"(a[1]), [a2] "=&x"(a[2]), [a3] "=&x"(a[3]),
              [a4] "=&x"(a[4]), [even] "=&x"(even), [odd] "=&x"(odd), [t] "=&x"(t)
            : ROW_INPUTS);
}

ALWAYS_INLINE void add_products(__m256i a[5], const struct row *row, const uint8_t *msg)
{
    __m256i even;
    __m256i odd;
    __m256i t;

    __asm__(LOAD_WORDS ADD_PRODUCT("a0", "even", "e0") ADD_PRODUCT("a1", "even", "e1")
                ADD_PRODUCT("a2", "even", "e2") ADD_PRODUCT("a3", "even", "e3")
                    ADD_PRODUCT("a4", "even", "e4") ADD_ODD_PRODUCTS
            : [a0] "+&x"(a[0]), [a1] "+&x"(a[1]), [a2] "+&x"(a[2]), [a3] "+&x"(a[3]),
              [a4] "+&x"(a[4]), [even] "=&x"(even), [odd] "=&x"(odd), [t] "=&x"(t)
            : ROW_INPUTS);
}

/* Adds the lanes up, and puts the limbs to where they belong among words of 64 bits. */
ALWAYS_INLINE void store_sum(struct sum *sum, const __m256i a[5])
{
    const __m256i left = _mm256_set_epi64x(14, 52, 26, 0);
    const __m256i right = _mm256_set_epi64x(50, 12, 38, 64);
    const __m256i a01 =
        _mm256_add_epi64(_mm256_unpacklo_epi64(a[0], a[1]), _mm256_unpackhi_epi64(a[0], a[1]));
    const __m256i a23 =
        _mm256_add_epi64(_mm256_unpacklo_epi64(a[2], a[3]), _mm256_unpackhi_epi64(a[2], a[3]));
    const __m256i limbs = _mm256_add_epi64(_mm256_permute2x128_si256(a01, a23, 0x20),
                                           _mm256_permute2x128_si256(a01, a23, 0x31));
    __m128i fifth = _mm_add_epi64(_mm256_castsi256_si128(a[4]), _mm256_extracti128_si256(a[4], 1));

    fifth = _mm_add_epi64(fifth, _mm_unpackhi_epi64(fifth, fifth));
    _mm256_storeu_si256((__m256i *)(void *)sum->left, _mm256_sllv_epi64(limbs, left));
    _mm256_storeu_si256((__m256i *)(void *)sum->right, _mm256_srlv_epi64(limbs, right));
    sum->fifth = (uint64_t)_mm_cvtsi128_si64(fifth);
}

/* h = h r^n + the sum of a chunk + what the bits at 2^128 of its blocks come to */
ALWAYS_INLINE void absorb_sum(struct poly1305_number *h, struct work *w)
{
    struct poly1305_multiplier *const m = &w->multiplier;
    const struct sum *const sum = &w->sum;
    uint64_t g0 = sum->left[0];
    uint64_t g1 = sum->right[1];
    uint64_t g2 = sum->right[3];

    __asm__(
        "addq %[left1], %[g0]\n\t"
        "adcq %[right2], %[g1]\n\t"
        "adcq $0, %[g2]\n\t"
        "addq %[left2], %[g0]\n\t"
        "adcq %[left3], %[g1]\n\t"
        "adcq $0, %[g2]\n\t"
        "addq %[left4], %[g1]\n\t"
        "adcq %[right4], %[g2]\n\t"
        "addq %[top0], %[g0]\n\t"
        "adcq %[top1], %[g1]\n\t"
        "adcq %[top2], %[g2]\n\t"
        : [g0] "+&r"(g0), [g1] "+&r"(g1), [g2] "+&r"(g2)
        : [left1] "m"(sum->left[1]), [right2] "m"(sum->right[2]), [left2] "m"(sum->left[2]),
          [left3] "m"(sum->left[3]), [left4] "r"(sum->fifth << 40), [right4] "r"(sum->fifth >> 24),
          [top0] "m"(m->top.n[0]), [top1] "m"(m->top.n[1]), [top2] "m"(m->top.n[2])
        : "cc");
    m->g.n[0] = g0;
    m->g.n[1] = g1;
    m->g.n[2] = g2;
    poly1305_multiply_add(h, m);
}

/*
 * The sum of the chunk at msg. On the way, where h is not NULL, the sum of the chunk before is
 * absorbed: late, when it is surely complete, for scalar instructions that wait for the vector ones
 * before them fill the schedulers and block the vector ones behind them (45 cycles, not 38).
 */
ALWAYS_INLINE void sum_chunk(struct work *w, size_t blocks, const uint8_t *msg,
                             struct poly1305_number *h)
{
    __m256i a[5];

    /* or GCC keeps the addresses of all rows, in memory */
    __asm__ volatile("" : "+r"(w));
    if (blocks == WIDE) {
        first_products(a, &w->rows[7], msg);
        add_products(a, &w->rows[6], msg + 32);
        add_products(a, &w->rows[5], msg + 64);
        add_products(a, &w->rows[4], msg + 96);
        msg += 128;
        add_products(a, &w->rows[3], msg);
    } else {
        first_products(a, &w->rows[3], msg);
    }
    add_products(a, &w->rows[2], msg + 32);
    add_products(a, &w->rows[1], msg + 64);
    if (h != NULL) {
        absorb_sum(h, w);
    }
    add_products(a, &w->rows[0], msg + 96);
    store_sum(&w->sum, a);
    __asm__ volatile("" : "+m"(w->sum)); /* keeps the next chunk's absorbing where it stands */
}

/* Assembly, because GCC makes a loop of plain stores a REP STOS, which takes three times as long. */
ALWAYS_INLINE void clear_vectors(void *p, size_t n)
{
    struct vector {
        uint8_t b[sizeof(__m256i)];
    } *const v = p;

    for (size_t i = 0; i < n; i++) {
        __asm__ volatile("vmovdqu %1, %0" : "=m"(v[i]) : "x"(_mm256_setzero_si256()));
    }
}

/* h = h r^n + b1 r^n + ... + bn r for n blocks in chunks of `blocks`, one at least */
ALWAYS_INLINE void absorb_chunks(struct poly1305_number *h, struct work *w, const struct powers *p,
                                 size_t blocks, const uint8_t *msg, size_t n, int last)
{
    poly1305_make_multiplier(&w->multiplier, &p->last, &p->sum);
    sum_chunk(w, blocks, msg, NULL);
    while ((n -= blocks) >= blocks) {
        msg += 16 * blocks;
        sum_chunk(w, blocks, msg, h);
    }
    if (last) {
        clear_vectors(w->rows, blocks / 2 * sizeof(struct row) / sizeof(__m256i));
    }
    absorb_sum(h, w);
}

/* The same of w->h for n >= NARROW, in chunks that fit, what is left over first. */
static NOINLINE void absorb_vectors(struct work *w, uint64_t r0, uint64_t r1, const uint8_t *msg,
                                    size_t n, size_t partial)
{
    const size_t rest = n >= WIDE_FROM ? n % WIDE : n;
    const size_t few = rest % NARROW;
    const struct poly1305_r r = {r0, r1, r1 + (r1 >> 2)};
    struct poly1305_number h = w->h;
    struct powers p;

    next_rows(w, &r, &p, 0);
    next_rows(w, &r, &p, 2);
    if (few != 0) {
        poly1305_chain(&h, &r, msg, few);
        poly1305_step_last(&h, &r);
        msg += 16 * few;
    }
    if (rest != few) {
        absorb_chunks(&h, w, &p, NARROW, msg, rest - few, rest == n);
        msg += 16 * (rest - few);
    }
    if (n != rest) {
        next_rows(w, &r, &p, 4);
        next_rows(w, &r, &p, 6);
        absorb_chunks(&h, w, &p, WIDE, msg, n - rest, 1);
        msg += 16 * (n - rest);
    }
    poly1305_partial(&h, &r, msg, partial);
    w->h = h;
}

/* Vectors in the deepest frame of absorb_vectors that was seen. */
#if defined(__OPTIMIZE_SIZE__)
#define FRAME 56
#else
#define FRAME 28
#endif

/* Zeros over the frame of the above, where compilers may have put limbs of powers, r or h. */
static NOINLINE void clear_frame_below(void)
{
    /* of bytes: an aligned array would leave room above it, where the other frame had none */
    uint8_t frame[FRAME * sizeof(__m256i)];

    clear_vectors(frame, FRAME);
}

static inline void clear_work(struct work *w)
{
    const size_t size = offsetof(struct work, rows);

    clear_frame_below();
    clear_vectors(w, size / sizeof(__m256i));
}

#define VECTOR_BLOCKS NARROW
#include "poly1305_vectors.h"

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_avx2) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    /* of short messages; with vectors, what they leave is cleared above */
    .stack = AEADFAST_STACK(160, 1792),
};
