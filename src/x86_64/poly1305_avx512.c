/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 by AVX-512 IFMA, eight lanes of poly1305_ifma_lanes.h, from nine blocks on.
 *
 * Blocks are counted from the end: the first group of eight is filled up with zeros in front, which
 * weigh nothing, so that all other groups are whole and lane i ends with a factor r^(8-i), which
 * takes in the multiplication that ends a message. A partial block is the last one of the last group,
 * which is copied for it.
 *
 *     h = first group + h
 *     h = (h R^k + m R^(k-1) + .. + m'') + m'''    k = groups % 4, R = r^8
 *     h = (h R^4 + m R^3 + m' R^2 + m'' R) + m'''  while there are groups
 *
 * What a short message waits for is the powers, so only those are made that it needs.
 */
#define POLY1305_IFMA_LANES 8

#include "../codegen.h"
#include "poly1305_ifma_lanes.h"
#include "poly1305_scalar.h"

#define NOINLINE  __attribute__((noinline))

#define GROUP     POLY1305_IFMA_GROUP

#define LAST_LANE ((__mmask8)(1 << POLY1305_IFMA_LANE(7)))

struct work {
    struct poly1305_ifma_power r[5]; /* R^1 to R^4; r[0] is not used */
    uint8_t last[2 * 64];            /* a last group whose last block is partial */
};

/*
 * r^8 to r in the order of the lanes, r^8, r^4, r^7, r^3, r^6, r^2, r^5, r: those of the second half in
 * pairs of lanes, times r^4 and times 1.
 */
ALWAYS_INLINE struct poly1305_ifma_number lane_powers(const struct poly1305_mulx_int *r1,
                                                      const struct poly1305_mulx_int *r2,
                                                      const struct poly1305_mulx_int *r3,
                                                      const struct poly1305_mulx_int *r4)
{
    const __m512i limb = _mm512_set1_epi64((long long)POLY1305_IFMA_LIMB);
    const __m512i twenty = _mm512_set1_epi64(20);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i one = _mm512_set1_epi64(1);
    struct poly1305_ifma_product d = poly1305_ifma_no_product();
    struct poly1305_ifma_number low;
    __m512i four[3];
    __m512i x[3];

    UNROLL
    for (int i = 0; i < 3; i++) {
        x[i] = _mm512_set1_epi64((long long)r4->n[i]);
        x[i] = _mm512_mask_set1_epi64(x[i], 0x0c, (long long)r3->n[i]);
        x[i] = _mm512_mask_set1_epi64(x[i], 0x30, (long long)r2->n[i]);
        x[i] = _mm512_mask_set1_epi64(x[i], 0xc0, (long long)r1->n[i]);
    }
    low.n[0] = _mm512_and_si512(x[0], limb);
    low.n[1] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(x[0], 44), _mm512_slli_epi64(x[1], 20),
                                         limb, 0xa8);
    low.n[2] = _mm512_or_si512(_mm512_srli_epi64(x[1], 24), _mm512_slli_epi64(x[2], 40));
    four[0] = _mm512_mask_broadcastq_epi64(one, 0x55, _mm512_castsi512_si128(low.n[0]));
    four[1] = _mm512_maskz_broadcastq_epi64(0x55, _mm512_castsi512_si128(low.n[1]));
    four[2] = _mm512_maskz_broadcastq_epi64(0x55, _mm512_castsi512_si128(low.n[2]));
    poly1305_ifma_multiply(&d, &low, four[0], four[1], four[2],
                           _mm512_madd52lo_epu64(zero, four[1], twenty),
                           _mm512_madd52lo_epu64(zero, four[2], twenty));
    return poly1305_ifma_reduce(&d);
}

/* The powers of R up to the one for as many groups, four at most; and r^8 to r. */
ALWAYS_INLINE struct poly1305_ifma_number
make_powers(struct work *w, const struct poly1305_mulx_key *key, size_t groups)
{
    const struct poly1305_mulx_int r = {{key->r0, key->r1, 0}};
    struct poly1305_mulx_int r2 = r;
    struct poly1305_mulx_int r3;
    struct poly1305_mulx_int r4;
    struct poly1305_mulx_int x;
    struct poly1305_mulx_int y;

    poly1305_mulx_multiply(&r2, key);
    r4 = poly1305_ifma_square(&r2);
    r3 = r2;
    poly1305_mulx_multiply(&r3, key);
    x = poly1305_ifma_square(&r4);
    poly1305_ifma_fold(&x);
    w->r[1] = poly1305_ifma_power(&x);
    if (groups > 1) {
        y = poly1305_ifma_square(&x);
        w->r[2] = poly1305_ifma_power(&y);
        if (groups > 2) {
            x = poly1305_ifma_times(&x, &y);
            poly1305_ifma_fold(&x);
            w->r[3] = poly1305_ifma_power(&x);
        }
        if (groups > 3) {
            y = poly1305_ifma_square(&y);
            poly1305_ifma_fold(&y);
            w->r[4] = poly1305_ifma_power(&y);
        }
    }
    return lane_powers(&r, &r2, &r3, &r4);
}

/* n blocks, 1 to 8, in the last lanes, and h added to the first of them. 128 bytes are read. */
ALWAYS_INLINE struct poly1305_ifma_number first_group(const uint8_t *p, size_t n,
                                                      const struct poly1305_mulx_int *h)
{
    const size_t na = n > 4 ? n - 4 : 0;
    const size_t nb = n - na;
    const __mmask8 ma = (__mmask8)(0xff << (8 - 2 * na));
    const __mmask8 mb = (__mmask8)(0xff << (8 - 2 * nb));
    const __mmask8 lanes = (__mmask8)((ma & 0x55) | (mb & 0xaa));
    const __mmask8 lane = (__mmask8)(1 << POLY1305_IFMA_LANE(8 - n));
    const __m512i limb = _mm512_set1_epi64((long long)POLY1305_IFMA_LIMB);
    const __m512i a = _mm512_maskz_expand_epi64(ma, _mm512_loadu_si512(p));
    const __m512i b = _mm512_maskz_expand_epi64(mb, _mm512_loadu_si512(p + 16 * na));
    const __m512i lo = _mm512_unpacklo_epi64(a, b);
    const __m512i hi = _mm512_unpackhi_epi64(a, b);
    struct poly1305_ifma_number m;
    uint64_t limbs[3];

    m.n[0] = _mm512_and_si512(lo, limb);
    m.n[1] =
        _mm512_ternarylogic_epi64(_mm512_srli_epi64(lo, 44), _mm512_slli_epi64(hi, 20), limb, 0xa8);
    m.n[2] = _mm512_or_si512(_mm512_srli_epi64(hi, 24), _mm512_maskz_set1_epi64(lanes, 1LL << 40));
    poly1305_ifma_limbs(limbs, h);
    UNROLL
    for (int i = 0; i < 3; i++) {
        m.n[i] =
            _mm512_mask_add_epi64(m.n[i], lane, m.n[i], _mm512_set1_epi64((long long)limbs[i]));
    }
    return m;
}

/* 113 to 127 bytes, and the 1 behind them. */
ALWAYS_INLINE void copy_partial(uint8_t last[2 * 64], const uint8_t *p, size_t partial)
{
    const __mmask64 bytes = (UINT64_C(1) << (48 + partial)) - 1;
    const __m512i b = _mm512_maskz_loadu_epi8(bytes, p + 64);

    _mm512_storeu_si512(last, _mm512_loadu_si512(p));
    _mm512_storeu_si512(last + 64, _mm512_mask_mov_epi8(b, bytes + 1, _mm512_set1_epi8(1)));
}

/* The lanes times `last`, and their sum: each below 2^55, hence that below 2^58 in a limb. */
ALWAYS_INLINE void join(struct poly1305_mulx_int *h, const struct poly1305_ifma_number *lanes,
                        const struct poly1305_ifma_number *last)
{
    const __m512i twenty = _mm512_set1_epi64(20);
    struct poly1305_ifma_product d = poly1305_ifma_no_product();
    uint64_t limb[3];
    poly1305_u128 low;
    poly1305_u128 high;
    uint64_t excess;
    __m512i x;

    poly1305_ifma_multiply(&d, lanes, last->n[0], last->n[1], last->n[2],
                           _mm512_madd52lo_epu64(_mm512_setzero_si512(), last->n[1], twenty),
                           _mm512_madd52lo_epu64(_mm512_setzero_si512(), last->n[2], twenty));
    x = _mm512_slli_epi64(d.hi[2], 10);
    x = _mm512_add_epi64(x, _mm512_slli_epi64(x, 2));
    limb[0] = (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(d.lo[0], x));
    limb[1] =
        (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(d.lo[1], _mm512_slli_epi64(d.hi[0], 8)));
    limb[2] =
        (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(d.lo[2], _mm512_slli_epi64(d.hi[1], 8)));
    low = limb[0] + ((poly1305_u128)limb[1] << 44);
    high = (uint64_t)(low >> 64) + ((poly1305_u128)limb[2] << 24);

    /* what is above 2^130 is folded */
    excess = (uint64_t)(high >> 66);
    low = (poly1305_u128)(uint64_t)low + 5 * excess;
    high = (high & (((poly1305_u128)1 << 66) - 1)) + (uint64_t)(low >> 64);
    h->n[0] = (uint64_t)low;
    h->n[1] = (uint64_t)high;
    h->n[2] = (uint64_t)(high >> 64);
}

/* h = (..((h + b1) r + b2) r ..) r for more than eight blocks, of which the last may be partial */
static NOINLINE void absorb(struct poly1305_mulx_int *h, const struct poly1305_mulx_key *key,
                            const uint8_t *p, size_t n, size_t partial)
{
    const size_t blocks = n + (partial != 0);
    const size_t lead = (blocks - 1) % 8 + 1;
    const uint8_t *last = p + 16 * (blocks - 8);
    size_t groups = (blocks - 1) / 8;
    struct poly1305_ifma_number lanes;
    struct poly1305_ifma_number powers;
    struct work w;

    powers = make_powers(&w, key, groups);
    lanes = first_group(p, lead, h);
    p += 16 * lead;
    if (partial != 0) {
        copy_partial(w.last, last, partial);
        last = w.last;
    }
    switch (groups % 4) {
    case 1:
        poly1305_ifma_step(&lanes, w.r, p, groups < 4 ? last : p, 1);
        break;
    case 2:
        poly1305_ifma_step(&lanes, w.r, p, groups < 4 ? last : p + GROUP, 2);
        break;
    case 3:
        poly1305_ifma_step(&lanes, w.r, p, groups < 4 ? last : p + 2 * GROUP, 3);
        break;
    default:
        break;
    }
    p += GROUP * (groups % 4);
    for (groups /= 4; groups != 0; groups--, p += 4 * GROUP) {
        poly1305_ifma_step(&lanes, w.r, p, groups == 1 ? last : p + 3 * GROUP, 4);
    }
    if (partial != 0) {
        /* has no bit at 2^128: 2^130-5 - 2^128 is added */
        lanes.n[0] = _mm512_mask_add_epi64(lanes.n[0], LAST_LANE, lanes.n[0],
                                           _mm512_set1_epi64((1LL << 44) - 5));
        lanes.n[1] = _mm512_mask_add_epi64(lanes.n[1], LAST_LANE, lanes.n[1],
                                           _mm512_set1_epi64((1LL << 44) - 1));
        lanes.n[2] = _mm512_mask_add_epi64(lanes.n[2], LAST_LANE, lanes.n[2],
                                           _mm512_set1_epi64((3LL << 40) - 1));
    }
    join(h, &lanes, &powers);
}

/* Vectors in the deepest frame of absorb that was seen, with the little below it. */
#define FRAME 13

/*
 * Zeros over the frame of absorb. By whole vectors, in assembly, so that compilers do not make a REP STOS
 * of the loop: what is left to the caller to clear takes it a cycle for each 32 bytes.
 */
static NOINLINE void clear_frame_below(void)
{
    /* of bytes: an aligned array would leave room above it, where the other frame had none */
    struct vector {
        uint8_t b[64];
    } frame[FRAME];

    UNROLL
    for (size_t i = 0; i < FRAME; i++) {
        __asm__ volatile("vmovdqu64 %1, %0" : "=m"(frame[i]) : "v"(_mm512_setzero_si512()));
    }
}

static NOINLINE void mac_vectors(uint8_t tag[16], const uint8_t *msg, size_t len,
                                 const uint8_t key[32])
{
    const struct poly1305_r r = poly1305_r_of(key);
    const struct poly1305_mulx_key k = {r.r0, r.r1, r.s1};
    struct poly1305_mulx_int h = {{0, 0, 0}};

    absorb(&h, &k, msg, len / 16, len % 16);
    clear_frame_below();
    poly1305_mulx_final(&h, load_le64(key + 16), load_le64(key + 24), tag);
}

static NOINLINE void blocks_vectors(struct poly1305_core *core, const uint8_t *msg, size_t n)
{
    const struct poly1305_mulx_key k = poly1305_mulx_key(core->r[0], core->r[1]);
    struct poly1305_mulx_int h = {{core->h[0], core->h[1], core->h[2]}};

    absorb(&h, &k, msg, n, 0);
    clear_frame_below();
    core->h[0] = h.n[0];
    core->h[1] = h.n[1];
    core->h[2] = h.n[2];
}

static void poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    if (len > 128) {
        mac_vectors(tag, msg, len, key);
    } else {
        poly1305_scalar_mac(tag, msg, len, key);
    }
}

static void poly1305_blocks(struct poly1305_core *core, const uint8_t *msg, size_t nblocks,
                            uint64_t hibit)
{
    if (hibit != 0 && nblocks > 8) {
        blocks_vectors(core, msg, nblocks);
    } else {
        poly1305_scalar_blocks(core, msg, nblocks, hibit);
    }
}

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_avx512) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    .stack = AEADFAST_STACK(192, 6912),
};
