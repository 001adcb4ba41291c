/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 by AVX-512 IFMA, for long messages.
 *
 * A chunk of n blocks is a sum of products, each block times a power of r known beforehand:
 *
 *     h = (h + b1) r^n + b2 r^(n-1) + ... + bn r = h r^n + (b1 r^n + b2 r^(n-1) + ... + bn r)
 *
 * The sum does not depend on h, so the vector units compute it without waiting and without a carry,
 * while the 64-bit registers do h r^n + sum for the chunk before.
 *
 * VPMADD52LUQ and VPMADD52HUQ multiply the low 52 bits of each lane and add the low or the high half
 * of the product to an accumulator. A block is cut into words of 52, 52 and 24 bits, w0 to w2, and
 * its power, P, is prepared in three forms,
 *
 *     block P = w0 P + w1 (2^52 P) + w2 (2^104 P),
 *
 * each reduced and in limbs of 52, 52 and 26 bits. The high half of a product with limb i has the
 * weight of the low half of one with limb i + 1, so that four accumulators take all of them, and
 * nothing is left to fold. The 18 vectors of 16 powers stay in registers.
 *
 * Bounds: limbs are below 2^52, the third one at most 2^26; w2 times the third limb is at most 2^50,
 * hence has no high half. An accumulator takes at most 6 halves for each of 16 blocks: over all
 * lanes, 2^58.6.
 */
#include <immintrin.h>

#include "poly1305_scalar.h"

/* Blocks of a chunk, and of half a one. */
#define CHUNK    16
#define HALF     8

#define NOINLINE __attribute__((noinline))

/* Limbs of eight powers times 1, 2^52 and 2^104. */
struct multiples {
    __m512i p[3][3];
};

/* Limb i of a sum of products, times 2^52i, is left + 2^64 right, from the word on that it is in. */
struct sum {
    uint64_t left[8]; /* limbs 0, 1, -, -, 2, 3, -, - */
    uint64_t right[8];
};

/* All that is secret and in memory, what compilers put there apart. Of whole vectors. */
struct work {
    struct poly1305_multiplier whole; /* first, so that one pointer does for it and the rest */
    struct poly1305_multiplier half;
    struct poly1305_number h;
    uint64_t powers[3][HALF];
    struct sum sum;
    uint64_t unused[7];
};

_Static_assert(sizeof(struct work) % 64 == 0, "is cleared by the vector");

ALWAYS_INLINE __m512i five_times(__m512i x)
{
    return _mm512_add_epi64(x, _mm512_slli_epi64(x, 2));
}

/* Carries l, of which only the first may be up to 2^60, to limbs of 52, 52 and 26 bits. */
ALWAYS_INLINE void carry(__m512i l[3])
{
    const __m512i mask = _mm512_set1_epi64(0xfffffffffffff);

    l[1] = _mm512_add_epi64(l[1], _mm512_srli_epi64(l[0], 52));
    l[0] = _mm512_and_si512(l[0], mask);
    l[2] = _mm512_add_epi64(l[2], _mm512_srli_epi64(l[1], 52));
    l[1] = _mm512_and_si512(l[1], mask);
}

/*
 * out = 2^52 l. What reaches 2^156 = 2^26 2^130, and of the second limb what reaches 2^130, goes to
 * the bottom five times.
 */
ALWAYS_INLINE void times_2_52(__m512i out[3], const __m512i l[3])
{
    const __m512i mask = _mm512_set1_epi64(0x3ffffff);
    const __m512i over = _mm512_add_epi64(_mm512_slli_epi64(l[2], 26), _mm512_srli_epi64(l[1], 26));

    out[2] = _mm512_and_si512(l[1], mask);
    out[1] = l[0];
    out[0] = five_times(over);
    carry(out);
}

/* out = l x mod 2^130-5, for limbs of 52, 52 and 26 bits. */
ALWAYS_INLINE void multiply(__m512i out[3], const __m512i l[3], const __m512i x[3])
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i mask = _mm512_set1_epi64(0xfffffffffffff);
    const __m512i mask26 = _mm512_set1_epi64(0x3ffffff);
    const __m512i five = _mm512_set1_epi64(5 << 26);
    __m512i d[6] = {zero, zero, zero, zero, zero, zero};

    UNROLL
    for (size_t i = 0; i < 3; i++) {
        UNROLL
        for (size_t j = 0; j < 3; j++) {
            d[i + j] = _mm512_madd52lo_epu64(d[i + j], l[i], x[j]);
            d[i + j + 1] = _mm512_madd52hi_epu64(d[i + j + 1], l[i], x[j]);
        }
    }
    /* what is above 2^156 = 5 2^26, in limbs of 52 bits; d[5] is 0 or 1 */
    d[4] = _mm512_add_epi64(d[4], _mm512_srli_epi64(d[3], 52));
    d[3] = _mm512_and_si512(d[3], mask);
    out[0] = _mm512_madd52lo_epu64(d[0], d[3], five);
    out[1] = _mm512_madd52hi_epu64(d[1], d[3], five);
    out[1] = _mm512_madd52lo_epu64(out[1], d[4], five);
    out[2] = _mm512_madd52hi_epu64(d[2], d[4], five);
    out[2] = _mm512_madd52lo_epu64(out[2], d[5], five);
    carry(out);
    /* and what is above 2^130 */
    out[0] = _mm512_add_epi64(out[0], five_times(_mm512_srli_epi64(out[2], 26)));
    out[2] = _mm512_and_si512(out[2], mask26);
    carry(out);
}

ALWAYS_INLINE void make_multiples(struct multiples *m, const __m512i l[3])
{
    UNROLL
    for (size_t i = 0; i < 3; i++) {
        m->p[0][i] = l[i];
    }
    times_2_52(m->p[1], m->p[0]);
    times_2_52(m->p[2], m->p[1]);
}

ALWAYS_INLINE void load_limbs(__m512i l[3], uint64_t words[3][HALF])
{
    const __m512i mask = _mm512_set1_epi64(0xfffffffffffff);
    const __m512i a = _mm512_loadu_si512(words[0]);
    const __m512i b = _mm512_loadu_si512(words[1]);
    const __m512i c = _mm512_loadu_si512(words[2]);

    l[0] = _mm512_and_si512(a, mask);
    l[1] =
        _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(a, 52), _mm512_slli_epi64(b, 12)), mask);
    l[2] = _mm512_or_si512(_mm512_srli_epi64(b, 40), _mm512_slli_epi64(c, 24));
}

/* The powers for a chunk: m[1] of r^8 to r, for its second half, and m[0] of those times r^8. */
ALWAYS_INLINE void make_powers(struct work *w, struct multiples m[2], const struct poly1305_r *r)
{
    struct poly1305_number x = {{r->r0, r->r1, 0}};
    struct poly1305_number sum = x;
    const struct poly1305_number zero = {{0, 0, 0}};
    struct poly1305_number more;
    __m512i l[3];
    __m512i r8[3];
    __m512i l8[3];

    /* in the order in which unpacking puts blocks: r^8, r^4, r^7, r^3, r^6, r^2, r^5, r */
    UNROLL
    for (size_t i = 0; i < HALF; i++) {
        const size_t lane = i < 4 ? 7 - 2 * i : 14 - 2 * i;

        if (i != 0) {
            poly1305_step_last(&x, r);
            poly1305_add(&sum, &x);
        }
        w->powers[0][lane] = x.n[0];
        w->powers[1][lane] = x.n[1];
        w->powers[2][lane] = x.n[2];
    }
    load_limbs(l, w->powers);
    UNROLL
    for (size_t i = 0; i < 3; i++) {
        r8[i] = _mm512_broadcastq_epi64(_mm512_castsi512_si128(l[i]));
    }
    make_multiples(&m[1], l);
    multiply(l8, l, r8);
    make_multiples(&m[0], l8);

    /* r^16, and the sum of 16 powers, which is that of eight times 1 + r^8 */
    poly1305_make_multiplier(&w->half, &x, &sum);
    w->half.g = zero;
    poly1305_multiply_add(&x, &w->half);
    more = sum;
    w->half.g = sum;
    poly1305_multiply_add(&more, &w->half);
    poly1305_make_multiplier(&w->whole, &x, &more);
}

/* Adds up eight blocks, each times its power. */
ALWAYS_INLINE void add_products(__m512i a[4], const struct multiples *m, const uint8_t *msg)
{
    const __m512i u = _mm512_loadu_si512(msg);
    const __m512i v = _mm512_loadu_si512(msg + 64);
    const __m512i low = _mm512_unpacklo_epi64(u, v);
    const __m512i high = _mm512_unpackhi_epi64(u, v);
    const __m512i word[3] = {
        low,
        _mm512_or_si512(_mm512_srli_epi64(low, 52), _mm512_slli_epi64(high, 12)),
        _mm512_srli_epi64(high, 40),
    };

    UNROLL
    for (size_t i = 0; i < 3; i++) {
        UNROLL
        for (size_t j = 0; j < 3; j++) {
            a[j] = _mm512_madd52lo_epu64(a[j], word[i], m->p[i][j]);
            if (i + j != 4) {
                a[j + 1] = _mm512_madd52hi_epu64(a[j + 1], word[i], m->p[i][j]);
            }
        }
    }
}

/* Adds the lanes up, and puts the limbs to where they belong among words of 64 bits. */
ALWAYS_INLINE void store_sum(struct sum *sum, const __m512i a[4])
{
    const __m512i left = _mm512_set_epi64(0, 0, 28, 40, 0, 0, 52, 0);
    const __m512i right = _mm512_set_epi64(0, 0, 36, 24, 0, 0, 12, 64);
    const __m512i a01 =
        _mm512_add_epi64(_mm512_unpacklo_epi64(a[0], a[1]), _mm512_unpackhi_epi64(a[0], a[1]));
    const __m512i a23 =
        _mm512_add_epi64(_mm512_unpacklo_epi64(a[2], a[3]), _mm512_unpackhi_epi64(a[2], a[3]));
    __m512i limbs = _mm512_add_epi64(_mm512_shuffle_i64x2(a01, a23, 0x44),
                                     _mm512_shuffle_i64x2(a01, a23, 0xee));

    limbs = _mm512_add_epi64(limbs, _mm512_shuffle_i64x2(limbs, limbs, 0xb1));
    _mm512_storeu_si512(sum->left, _mm512_sllv_epi64(limbs, left));
    _mm512_storeu_si512(sum->right, _mm512_srlv_epi64(limbs, right));
}

/* h = h r^n + the sum of a chunk + what the bits at 2^128 of its blocks come to */
ALWAYS_INLINE void absorb_sum(struct poly1305_number *h, struct poly1305_multiplier *m,
                              const struct sum *sum)
{
    uint64_t g0 = sum->left[0];
    uint64_t g1 = sum->left[4];
    uint64_t g2 = sum->left[5];

    __asm__("addq %[left1], %[g0]\n\t"
            "adcq %[right1], %[g1]\n\t"
            "adcq %[right2], %[g2]\n\t"
            "addq %[top0], %[g0]\n\t"
            "adcq %[top1], %[g1]\n\t"
            "adcq %[top2], %[g2]\n\t"
            : [g0] "+&r"(g0), [g1] "+&r"(g1), [g2] "+&r"(g2)
            : [left1] "m"(sum->left[1]), [right1] "m"(sum->right[1]), [right2] "m"(sum->right[4]),
              [top0] "m"(m->top.n[0]), [top1] "m"(m->top.n[1]), [top2] "m"(m->top.n[2])
            : "cc");
    m->g.n[0] = g0;
    m->g.n[1] = g1;
    m->g.n[2] = g2;
    poly1305_multiply_add(h, m);
}

ALWAYS_INLINE void sum_half(struct sum *sum, const struct multiples m[2], const uint8_t *msg)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i a[4] = {zero, zero, zero, zero};

    add_products(a, &m[1], msg);
    store_sum(sum, a);
}

/* The sum of a chunk; on the way, where h is not NULL, that of the chunk before is absorbed. */
ALWAYS_INLINE void sum_chunk(struct work *w, const struct multiples m[2], const uint8_t *msg,
                             struct poly1305_number *h)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i a[4] = {zero, zero, zero, zero};

    add_products(a, &m[0], msg);
    if (h != NULL) {
        absorb_sum(h, &w->whole, &w->sum);
    }
    add_products(a, &m[1], msg + 16 * HALF);
    store_sum(&w->sum, a);
    __asm__ volatile("" : "+m"(w->sum)); /* keeps the next chunk's absorbing where it stands */
}

/* The same of w->h for n >= CHUNK: what is left over first, then half a chunk, then chunks. */
static NOINLINE void absorb_vectors(struct work *w, uint64_t r0, uint64_t r1, const uint8_t *msg,
                                    size_t n, size_t partial)
{
    const struct poly1305_r r = {r0, r1, r1 + (r1 >> 2)};
    struct poly1305_number h = w->h;
    struct multiples m[2];

    make_powers(w, m, &r);
    if (n % HALF != 0) {
        poly1305_chain(&h, &r, msg, n % HALF);
        poly1305_step_last(&h, &r);
        msg += 16 * (n % HALF);
    }
    if (n % CHUNK >= HALF) {
        sum_half(&w->sum, m, msg);
        absorb_sum(&h, &w->half, &w->sum);
        msg += 16 * HALF;
    }
    n /= CHUNK;
    sum_chunk(w, m, msg, NULL);
    while (--n != 0) {
        msg += 16 * CHUNK;
        sum_chunk(w, m, msg, &h);
    }
    absorb_sum(&h, &w->whole, &w->sum);
    poly1305_partial(&h, &r, msg + 16 * CHUNK, partial);
    w->h = h;
}

/* Assembly, so that compilers do not make a REP STOS of the loop. */
ALWAYS_INLINE void clear_vectors(void *p, size_t n)
{
    struct vector {
        uint8_t b[sizeof(__m512i)];
    } *const v = p;

    for (size_t i = 0; i < n; i++) {
        __asm__ volatile("vmovdqu64 %1, %0" : "=m"(v[i]) : "v"(_mm512_setzero_si512()));
    }
}

/* Vectors in the deepest frame of absorb_vectors that was seen. */
#if defined(__OPTIMIZE_SIZE__)
#define FRAME 48
#else
#define FRAME 16
#endif

/* Zeros over the frame of absorb_vectors, where compilers may have put powers, r or h. */
static NOINLINE void clear_frame_below(void)
{
    /* of bytes: an aligned array would leave room above it, where the other frame had none */
    uint8_t frame[FRAME * sizeof(__m512i)];

    clear_vectors(frame, FRAME);
}

static inline void clear_work(struct work *w)
{
    clear_frame_below();
    clear_vectors(w, sizeof(*w) / sizeof(__m512i));
}

#define VECTOR_BLOCKS CHUNK
#include "poly1305_vectors.h"

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_avx512) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    /* of short messages; with vectors, what they leave is cleared above */
    .stack = AEADFAST_STACK(160, 6912),
};
