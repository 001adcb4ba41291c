/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 with the vector extension: every lane absorbs each L-th block, L being the number of
 * 32-bit lanes of a register, up to LANES_MAX:
 *
 *     lane j:  a = (block j) r^L + (block j + L),  a = a r^L + (block j + 2 L),  ...
 *
 * In the end lane j is multiplied by r^(L - j), and the sum of all lanes is the value that scalar
 * code would have. What was absorbed before is added to the first block, in lane 0.
 *
 * A value is five limbs of 26 bits, each in a register of its own, the least first; products of
 * limbs are summed in 64-bit lanes, and limbs that would stand at 2^130 and above count five times
 * (2^130 = 5 modulo 2^130-5). Within the loop all lanes are multiplied by the same power, so its
 * limbs are scalars.
 *
 * Bounds. Limbs of r^k are below 2^26. After a carry limbs are below 2^26 + 64, and a block is
 * added to them: below 2^27 + 64, or 2^27 + 2^25 for the highest one of lane 0, where h < 2^131. So
 * a sum of products is below 22.3 * 2^53, and what it carries, a 2^26th, below 2^32. The carry out
 * of the highest limb is below 5.3 * 2^27, and five times that plus 2^26 still below 2^32.
 *
 * On the SpacemiT K1 that comes to 1.4 cycles a byte by its published cycles for each instruction;
 * published measurements have scalar code at 3.3 and other code of this kind at 1.2.
 */
#include <riscv_vector.h>

#include "poly1305_core.h"

__extension__ typedef unsigned __int128 uint128;

#define LANES_MAX 16

/*
 * Fewer bytes are left to the portable kernel: preparing the powers of r takes time. 256 bytes are
 * 1300 instructions this way, with eight lanes, and 2000 that way.
 */
#define VECTOR_MIN 256
_Static_assert(VECTOR_MIN >= 16 * LANES_MAX, "a block for each lane at least");

#define MASK26 0x3ffffff

/* Another object: its code is reached through its table alone. */
extern AEADFAST_HIDDEN const struct poly1305_kernel AEADFAST_KERNEL(poly1305_portable);

typedef vuint32m1x5_t limbs;

#define LIMB(a, i)                __riscv_vget_v_u32m1x5_u32m1(a, i)
#define LIMBS(a0, a1, a2, a3, a4) __riscv_vcreate_v_u32m1x5(a0, a1, a2, a3, a4)
#define ADD(a, b, i)              __riscv_vadd_vv_u32m1(LIMB(a, i), LIMB(b, i), vl)
#define LOW26(a)                  __riscv_vand_vx_u32m1(a, MASK26, vl)
#define NARROW(d, shift)          __riscv_vnsrl_wx_u32m1(d, shift, vl)

/* The powers of r; [i][j] is limb i of r^(L - j). */
struct powers {
    uint32_t limb[5][LANES_MAX];
};

/* From the form of struct poly1305_core to limbs. */
static inline void split(uint32_t limb[5], const uint64_t h[3])
{
    limb[0] = (uint32_t)(h[0] & MASK26);
    limb[1] = (uint32_t)(h[0] >> 26 & MASK26);
    limb[2] = (uint32_t)((h[0] >> 52 | h[1] << 12) & MASK26);
    limb[3] = (uint32_t)(h[1] >> 14 & MASK26);
    limb[4] = (uint32_t)(h[1] >> 40 | h[2] << 24);
}

/* h *= r, which is clamped: poly1305_portable.c explains the six products. Leaves h < 2^130. */
static inline void times_r(uint64_t h[3], uint64_t r0, uint64_t r1)
{
    const uint64_t s1 = r1 + (r1 >> 2);
    const uint128 d0 = (uint128)h[0] * r0 + (uint128)h[1] * s1;
    const uint128 d1 =
        (uint128)h[0] * r1 + (uint128)h[1] * r0 + (uint128)h[2] * s1 + (uint64_t)(d0 >> 64);
    const uint64_t d2 = h[2] * r0 + (uint64_t)(d1 >> 64);
    uint128 t = (uint128)(uint64_t)d0 + (d2 >> 2) + (d2 & ~UINT64_C(3));

    h[0] = (uint64_t)t;
    t = (uint128)(uint64_t)d1 + (uint64_t)(t >> 64);
    h[1] = (uint64_t)t;
    h[2] = (d2 & 3) + (uint64_t)(t >> 64);
}

static inline void make_powers(struct powers *powers, const uint64_t r[2], size_t lanes)
{
    uint64_t h[3] = {r[0], r[1], 0};

    for (size_t lane = lanes - 1;; lane--) {
        uint32_t limb[5];

        split(limb, h);
        for (size_t i = 0; i < 5; i++) {
            powers->limb[i][lane] = limb[i];
        }
        if (lane == 0) {
            break;
        }
        times_r(h, r[0], r[1]);
    }
}

/*
 * A block for each lane. Loaded as bytes, because wider elements may trap at odd addresses; then
 * taken apart by halves: even and odd words, and of these again even and odd ones.
 */
static inline limbs load_blocks(const uint8_t *msg, uint32_t hibit, size_t vl)
{
    const vuint64m4_t all = __riscv_vreinterpret_v_u8m4_u64m4(__riscv_vle8_v_u8m4(msg, 16 * vl));
    const vuint64m2_t even =
        __riscv_vreinterpret_v_u32m2_u64m2(__riscv_vnsrl_wx_u32m2(all, 0, 2 * vl));
    const vuint64m2_t odd =
        __riscv_vreinterpret_v_u32m2_u64m2(__riscv_vnsrl_wx_u32m2(all, 32, 2 * vl));
    const vuint32m1_t w0 = NARROW(even, 0);
    const vuint32m1_t w1 = NARROW(odd, 0);
    const vuint32m1_t w2 = NARROW(even, 32);
    const vuint32m1_t w3 = NARROW(odd, 32);
    const vuint32m1_t a1 =
        __riscv_vmacc_vx_u32m1(__riscv_vsrl_vx_u32m1(w0, 26, vl), 1 << 6, w1, vl);
    const vuint32m1_t a2 =
        __riscv_vmacc_vx_u32m1(__riscv_vsrl_vx_u32m1(w1, 20, vl), 1 << 12, w2, vl);
    const vuint32m1_t a3 =
        __riscv_vmacc_vx_u32m1(__riscv_vsrl_vx_u32m1(w2, 14, vl), 1 << 18, w3, vl);
    const vuint32m1_t a4 = __riscv_vadd_vx_u32m1(__riscv_vsrl_vx_u32m1(w3, 8, vl), hibit, vl);

    return LIMBS(LOW26(w0), LOW26(a1), LOW26(a2), LOW26(a3), a4);
}

static inline limbs add(limbs a, limbs b, size_t vl)
{
    return LIMBS(ADD(a, b, 0), ADD(a, b, 1), ADD(a, b, 2), ADD(a, b, 3), ADD(a, b, 4));
}

/*
 * Limbs of sums of products. The carries go two at a time: from 0 to 1 and 3 to 4, 1 to 2 and 4 to
 * 0, 2 to 3 and 0 to 1, 3 to 4.
 */
static inline limbs carry(vuint64m2_t d0, vuint64m2_t d1, vuint64m2_t d2, vuint64m2_t d3,
                          vuint64m2_t d4, size_t vl)
{
    vuint32m1_t a0 = LOW26(NARROW(d0, 0));
    vuint32m1_t a3 = LOW26(NARROW(d3, 0));
    vuint32m1_t a1;
    vuint32m1_t a2;
    vuint32m1_t a4;

    d1 = __riscv_vwaddu_wv_u64m2(d1, NARROW(d0, 26), vl);
    d4 = __riscv_vwaddu_wv_u64m2(d4, NARROW(d3, 26), vl);
    a1 = LOW26(NARROW(d1, 0));
    a4 = LOW26(NARROW(d4, 0));
    d2 = __riscv_vwaddu_wv_u64m2(d2, NARROW(d1, 26), vl);
    a0 = __riscv_vmacc_vx_u32m1(a0, 5, NARROW(d4, 26), vl);
    a2 = LOW26(NARROW(d2, 0));
    a3 = __riscv_vadd_vv_u32m1(a3, NARROW(d2, 26), vl);
    a1 = __riscv_vadd_vv_u32m1(a1, __riscv_vsrl_vx_u32m1(a0, 26, vl), vl);
    a4 = __riscv_vadd_vv_u32m1(a4, __riscv_vsrl_vx_u32m1(a3, 26, vl), vl);
    return LIMBS(LOW26(a0), a1, a2, LOW26(a3), a4);
}

/*
 * Of limbs a and r, where s is five times r: all scalars (kind vx) or all vectors (kind vv). Five
 * sums side by side, so that none waits for its last product.
 */
#define PRODUCT(kind, a, r0, r1, r2, r3, r4, s1, s2, s3, s4)                                       \
    do {                                                                                           \
        vuint64m2_t d0 = __riscv_vwmulu_##kind##_u64m2(LIMB(a, 0), r0, vl);                        \
        vuint64m2_t d1 = __riscv_vwmulu_##kind##_u64m2(LIMB(a, 0), r1, vl);                        \
        vuint64m2_t d2 = __riscv_vwmulu_##kind##_u64m2(LIMB(a, 0), r2, vl);                        \
        vuint64m2_t d3 = __riscv_vwmulu_##kind##_u64m2(LIMB(a, 0), r3, vl);                        \
        vuint64m2_t d4 = __riscv_vwmulu_##kind##_u64m2(LIMB(a, 0), r4, vl);                        \
                                                                                                   \
        PRODUCT_ROW(kind, LIMB(a, 1), s4, r0, r1, r2, r3);                                         \
        PRODUCT_ROW(kind, LIMB(a, 2), s3, s4, r0, r1, r2);                                         \
        PRODUCT_ROW(kind, LIMB(a, 3), s2, s3, s4, r0, r1);                                         \
        PRODUCT_ROW(kind, LIMB(a, 4), s1, s2, s3, s4, r0);                                         \
        (a) = carry(d0, d1, d2, d3, d4, vl);                                                       \
    } while (0)

#define PRODUCT_ROW(kind, ai, f0, f1, f2, f3, f4)                                                  \
    do {                                                                                           \
        d0 = __riscv_vwmaccu_##kind##_u64m2(d0, f0, ai, vl);                                       \
        d1 = __riscv_vwmaccu_##kind##_u64m2(d1, f1, ai, vl);                                       \
        d2 = __riscv_vwmaccu_##kind##_u64m2(d2, f2, ai, vl);                                       \
        d3 = __riscv_vwmaccu_##kind##_u64m2(d3, f3, ai, vl);                                       \
        d4 = __riscv_vwmaccu_##kind##_u64m2(d4, f4, ai, vl);                                       \
    } while (0)

#define POWER(i)      __riscv_vle32_v_u32m1(powers.limb[i], vl)
#define FIVE_TIMES(v) __riscv_vmul_vx_u32m1(v, 5, vl)

/* Limb i, of all lanes together: at most 16 (2^26 + 64). */
#define LANE_SUM(a, i)                                                                             \
    __riscv_vmv_x_s_u32m1_u32(                                                                     \
        __riscv_vredsum_vs_u32m1_u32m1(LIMB(a, i), __riscv_vmv_s_x_u32m1(0, 1), vl))

/* h = the sum of all lanes */
static inline void sum_lanes(uint64_t h[3], limbs a, size_t vl)
{
    uint128 t = LANE_SUM(a, 0) + ((uint128)LANE_SUM(a, 1) << 26) + ((uint128)LANE_SUM(a, 2) << 52);
    uint64_t top;

    h[0] = (uint64_t)t;
    t = (t >> 64) + ((uint128)LANE_SUM(a, 3) << 14) + ((uint128)LANE_SUM(a, 4) << 40);
    h[1] = (uint64_t)t;
    top = (uint64_t)(t >> 64);

    t = (uint128)h[0] + 5 * (top >> 2);
    h[0] = (uint64_t)t;
    t = (uint128)h[1] + (uint64_t)(t >> 64);
    h[1] = (uint64_t)t;
    h[2] = (top & 3) + (uint64_t)(t >> 64);
}

/* A vector with a value in lane 0, and zeros. */
static inline vuint32m1_t in_lane_0(uint32_t value, size_t vl)
{
    return __riscv_vmv_s_x_u32m1_tu(__riscv_vmv_v_x_u32m1(0, vl), value, vl);
}

/*
 * nblocks is a multiple of vl, and not 0. Not inlined, so that short messages do without so large a
 * frame.
 */
__attribute__((noinline)) static void absorb(struct poly1305_core *core, const uint8_t *msg,
                                             size_t nblocks, uint32_t hibit, size_t vl)
{
    struct powers powers;
    uint32_t h[5];
    uint32_t r[5];
    limbs a;

    make_powers(&powers, core->r, vl);
    for (size_t i = 0; i < 5; i++) {
        r[i] = powers.limb[i][0];
    }
    split(h, core->h);
    a = add(load_blocks(msg, hibit, vl),
            LIMBS(in_lane_0(h[0], vl), in_lane_0(h[1], vl), in_lane_0(h[2], vl),
                  in_lane_0(h[3], vl), in_lane_0(h[4], vl)),
            vl);
    while ((nblocks -= vl) != 0) {
        msg += 16 * vl;
        PRODUCT(vx, a, r[0], r[1], r[2], r[3], r[4], 5 * r[1], 5 * r[2], 5 * r[3], 5 * r[4]);
        a = add(a, load_blocks(msg, hibit, vl), vl);
    }
    PRODUCT(vv, a, POWER(0), POWER(1), POWER(2), POWER(3), POWER(4), FIVE_TIMES(POWER(1)),
            FIVE_TIMES(POWER(2)), FIVE_TIMES(POWER(3)), FIVE_TIMES(POWER(4)));
    sum_lanes(core->h, a, vl);
}

static void poly1305_blocks(struct poly1305_core *core, const uint8_t *msg, size_t nblocks,
                            uint64_t hibit)
{
    if (nblocks >= VECTOR_MIN / 16) {
        const size_t vlmax = __riscv_vsetvlmax_e32m1();
        const size_t lanes = vlmax < LANES_MAX ? vlmax : LANES_MAX;
        const size_t whole = nblocks & ~(lanes - 1); /* VLEN is a power of two */

        absorb(core, msg, whole, (uint32_t)hibit << 24, lanes);
        msg += 16 * whole;
        nblocks -= whole;
    }
    AEADFAST_KERNEL(poly1305_portable).blocks(core, msg, nblocks, hibit);
}

static void poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32])
{
    if (len < VECTOR_MIN) {
        AEADFAST_KERNEL(poly1305_portable).mac(tag, msg, len, key);
    } else {
        poly1305_mac_by(poly1305_blocks, tag, msg, len, key);
    }
}

AEADFAST_DEFINE_KERNEL(poly1305_kernel, poly1305_rvv) = {
    .mac = poly1305_mac,
    .blocks = poly1305_blocks,
    .stack = 768,
};
