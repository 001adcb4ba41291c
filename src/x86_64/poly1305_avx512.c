/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 by AVX-512 IFMA, eight lanes of poly1305_ifma_eight.h, from nine blocks on.
 *
 *     h = first group + h
 *     h = (h R^k + m R^(k-1) + .. + m'') + m'''    k = groups % 4, R = r^8
 *     h = (h R^4 + m R^3 + m' R^2 + m'' R) + m'''  while there are groups
 *
 * A partial block is the last one of the last group, which is copied for it.
 */
#include "poly1305_ifma_eight.h"
#include "poly1305_scalar.h"

#define NOINLINE  __attribute__((noinline))

#define GROUP     POLY1305_IFMA_GROUP

#define LAST_LANE ((__mmask8)(1 << POLY1305_IFMA_LANE(7)))

struct work {
    struct poly1305_ifma_power r[5]; /* R^1 to R^4; r[0] is not used */
    uint8_t last[2 * 64];            /* a last group whose last block is partial */
};

/* 113 to 127 bytes, and the 1 behind them. */
ALWAYS_INLINE void copy_partial(uint8_t last[2 * 64], const uint8_t *p, size_t partial)
{
    const __mmask64 bytes = (UINT64_C(1) << (48 + partial)) - 1;
    const __m512i b = _mm512_maskz_loadu_epi8(bytes, p + 64);

    _mm512_storeu_si512(last, _mm512_loadu_si512(p));
    _mm512_storeu_si512(last + 64, _mm512_mask_mov_epi8(b, bytes + 1, _mm512_set1_epi8(1)));
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

    powers = poly1305_eight_powers(w.r, key, groups);
    lanes = poly1305_eight_first(p, lead, h);
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
    poly1305_eight_join(h, &lanes, &powers);
}

/* Vectors in the deepest frame of absorb that was seen (Clang 14, -Os), with the little below it. */
#define FRAME 19

struct vector {
    uint8_t b[64];
};

/*
 * Zeros over the frame of absorb. By whole vectors, of which all but the first are aligned, and in
 * assembly, so that compilers do not make a REP STOS of the loop: what is left to the caller to clear
 * takes it a cycle for each 32 bytes.
 */
static NOINLINE void clear_frame_below(void)
{
    /* of bytes: an aligned array would leave room above it, where the other frame had none */
    uint8_t frame[64 * FRAME];
    uint8_t *const top = frame + sizeof(frame) - 64;
    uint8_t *const aligned = (uint8_t *)((uintptr_t)top & ~(uintptr_t)63);

    __asm__ volatile("vmovdqu64 %1, %0"
                     : "=m"(*(struct vector *)top)
                     : "v"(_mm512_setzero_si512()));
    for (size_t i = 0; i < FRAME - 1; i++) {
        __asm__ volatile("vmovdqa64 %1, %0"
                         : "=m"(*(struct vector *)(aligned - 64 * i))
                         : "v"(_mm512_setzero_si512()));
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
