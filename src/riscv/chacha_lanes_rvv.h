/* SPDX-License-Identifier: MIT */
/*
 * ChaCha with the vector extension: vector register i holds word i of every block, a block to a
 * 32-bit lane, so that every operation of the rounds is the scalar one in all blocks at once and no
 * lane ever moves. A register of VLEN bits does VLEN / 32 blocks, up to CHACHA_RVV_BLOCKS.
 *
 * The includer names the instructions for rotating, by CHACHA_RVV_ROTATE, before it includes this
 * file, and then defines a kernel whose `stream` is chacha_rvv_stream.
 *
 * Sixteen words, a rotation's temporary for each of four quarter rounds abreast and the lanes'
 * numbers are 21 of the 32 registers; groups of two registers would leave none for temporaries.
 *
 * The key stream is turned from a lane a block to a block after the other on its way through a
 * buffer: vector loads and stores of 32 or 64-bit elements may trap where the address is not a
 * multiple of their size, and text may lie anywhere. What touches the text is bytes, and gets the
 * last byte right by itself. No lane beyond vl is ever used, whatever instructions leave there.
 */
#ifndef AEADFAST_CHACHA_LANES_RVV_H
#define AEADFAST_CHACHA_LANES_RVV_H

#include <riscv_vector.h>

#include "bytes.h"
#include "codegen.h"
#include "kernel.h"
#include "poly1305_slots_rvv.h"

/*
 * The most blocks of one pass: all lanes of registers of up to 512 bits. Wider ones are used in
 * part, so that the buffer remains small enough to be cleared after each call, as part of `stack`.
 */
#define CHACHA_RVV_BLOCKS 16

/*
 * A fourth of four quarter rounds, RFC 8439 section 2.1, abreast: latency is four instructions.
 * After each instruction there is a slot for a statement of other work.
 */
#define CHACHA_RVV_STEP(...) CHACHA_RVV_STEP_SLOTS(__VA_ARGS__) /* the slots are one argument yet */
#define CHACHA_RVV_STEP_SLOTS(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, n, s0, s1, s2, s3,   \
                              s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15)                \
    do {                                                                                           \
        (a0) = __riscv_vadd_vv_u32m1(a0, b0, vl);                                                  \
        s0;                                                                                        \
        (a1) = __riscv_vadd_vv_u32m1(a1, b1, vl);                                                  \
        s1;                                                                                        \
        (a2) = __riscv_vadd_vv_u32m1(a2, b2, vl);                                                  \
        s2;                                                                                        \
        (a3) = __riscv_vadd_vv_u32m1(a3, b3, vl);                                                  \
        s3;                                                                                        \
        (d0) = __riscv_vxor_vv_u32m1(d0, a0, vl);                                                  \
        s4;                                                                                        \
        (d1) = __riscv_vxor_vv_u32m1(d1, a1, vl);                                                  \
        s5;                                                                                        \
        (d2) = __riscv_vxor_vv_u32m1(d2, a2, vl);                                                  \
        s6;                                                                                        \
        (d3) = __riscv_vxor_vv_u32m1(d3, a3, vl);                                                  \
        s7;                                                                                        \
        CHACHA_RVV_ROTATE(d0, d1, d2, d3, n, s8, s9, s10, s11, s12, s13, s14, s15);                \
    } while (0)

/* No work in any of sixteen slots. Like other such lists function-like, to be passed on by name. */
#define CHACHA_RVV_IDLE() , , , , , , , , , , , , , , ,

#define CHACHA_RVV_QUARTER_ROUNDS(a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3,  \
                                  first, second)                                                   \
    do {                                                                                           \
        CHACHA_RVV_STEP(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, 16, first());              \
        CHACHA_RVV_STEP(c0, d0, b0, c1, d1, b1, c2, d2, b2, c3, d3, b3, 12, second());             \
        CHACHA_RVV_STEP(a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3, 8, first());               \
        CHACHA_RVV_STEP(c0, d0, b0, c1, d1, b1, c2, d2, b2, c3, d3, b3, 7, second());              \
    } while (0)

/* Section 2.3: a column round and a diagonal round, each with the work of both lists twice. */
#define CHACHA_RVV_DOUBLE_ROUND(first, second)                                                     \
    do {                                                                                           \
        CHACHA_RVV_QUARTER_ROUNDS(x0, x4, x8, x12, x1, x5, x9, x13, x2, x6, x10, x14, x3, x7, x11, \
                                  x15, first, second);                                             \
        CHACHA_RVV_QUARTER_ROUNDS(x0, x5, x10, x15, x1, x6, x11, x12, x2, x7, x8, x13, x3, x4, x9, \
                                  x14, first, second);                                             \
    } while (0)

/* Two words of the key stream in 64-bit lanes: low + high + (2^32 - 1) high. */
static inline vuint64m2_t chacha_rvv_pair(vuint32m1_t low, vuint32m1_t high, size_t vl)
{
    vuint64m2_t sum = __riscv_vwaddu_vv_u64m2(low, high, vl);

    return __riscv_vwmaccu_vx_u64m2(sum, 0xffffffff, high, vl);
}

/* Half of the key stream of vl blocks, which lie 64 bytes apart. */
static inline void chacha_rvv_store(uint64_t *stream, vuint64m2_t w0, vuint64m2_t w2,
                                    vuint64m2_t w4, vuint64m2_t w6, size_t vl)
{
    __riscv_vssseg4e64_v_u64m2x4(stream, 64, __riscv_vcreate_v_u64m2x4(w0, w2, w4, w6), vl);
}

/* Words i and i + 1 of the key stream. */
#define CHACHA_RVV_PAIR(xi, xj, i)                                                                 \
    chacha_rvv_pair(__riscv_vadd_vx_u32m1(xi, state[i], vl),                                       \
                    __riscv_vadd_vx_u32m1(xj, state[(i) + 1], vl), vl)

/*
 * vl blocks of key stream. Word 12 is `counter`, not state[12], and wraps in each lane on its own.
 * In the meantime, four blocks a double round, as much of `poly1305` as there is time for; NULL for
 * none.
 */
ALWAYS_INLINE void chacha_rvv_blocks(uint64_t *stream, const uint32_t state[16], uint32_t counter,
                                     int rounds, size_t vl, struct poly1305_slots *poly1305)
{
    struct poly1305_slots p;
    POLY1305_SLOTS_LOCALS;
    const vuint32m1_t counters = __riscv_vadd_vx_u32m1(__riscv_vid_v_u32m1(vl), counter, vl);
    vuint32m1_t x0 = __riscv_vmv_v_x_u32m1(state[0], vl);
    vuint32m1_t x1 = __riscv_vmv_v_x_u32m1(state[1], vl);
    vuint32m1_t x2 = __riscv_vmv_v_x_u32m1(state[2], vl);
    vuint32m1_t x3 = __riscv_vmv_v_x_u32m1(state[3], vl);
    vuint32m1_t x4 = __riscv_vmv_v_x_u32m1(state[4], vl);
    vuint32m1_t x5 = __riscv_vmv_v_x_u32m1(state[5], vl);
    vuint32m1_t x6 = __riscv_vmv_v_x_u32m1(state[6], vl);
    vuint32m1_t x7 = __riscv_vmv_v_x_u32m1(state[7], vl);
    vuint32m1_t x8 = __riscv_vmv_v_x_u32m1(state[8], vl);
    vuint32m1_t x9 = __riscv_vmv_v_x_u32m1(state[9], vl);
    vuint32m1_t x10 = __riscv_vmv_v_x_u32m1(state[10], vl);
    vuint32m1_t x11 = __riscv_vmv_v_x_u32m1(state[11], vl);
    vuint32m1_t x12 = counters;
    vuint32m1_t x13 = __riscv_vmv_v_x_u32m1(state[13], vl);
    vuint32m1_t x14 = __riscv_vmv_v_x_u32m1(state[14], vl);
    vuint32m1_t x15 = __riscv_vmv_v_x_u32m1(state[15], vl);

    if (poly1305 != NULL) {
        p = *poly1305;
    }
    for (int i = 0; i < rounds; i += 2) {
        if (poly1305 != NULL && p.left >= 4) {
            CHACHA_RVV_DOUBLE_ROUND(POLY1305_SLOTS_FIRST, POLY1305_SLOTS_SECOND);
            p.left -= 4;
        } else {
            CHACHA_RVV_DOUBLE_ROUND(CHACHA_RVV_IDLE, CHACHA_RVV_IDLE);
        }
    }
    if (poly1305 != NULL) {
        *poly1305 = p;
    }
    x12 = __riscv_vadd_vv_u32m1(x12, counters, vl);
    x13 = __riscv_vadd_vx_u32m1(x13, state[13], vl);
    chacha_rvv_store(stream, CHACHA_RVV_PAIR(x0, x1, 0), CHACHA_RVV_PAIR(x2, x3, 2),
                     CHACHA_RVV_PAIR(x4, x5, 4), CHACHA_RVV_PAIR(x6, x7, 6), vl);
    chacha_rvv_store(stream + 4, CHACHA_RVV_PAIR(x8, x9, 8), CHACHA_RVV_PAIR(x10, x11, 10),
                     chacha_rvv_pair(x12, x13, vl), CHACHA_RVV_PAIR(x14, x15, 14), vl);
}

/* dst = src xor stream */
static inline void chacha_rvv_xor(uint8_t *dst, const uint8_t *src, const uint8_t *stream, size_t n)
{
    while (n != 0) {
        size_t vl = __riscv_vsetvl_e8m8(n);
        vuint8m8_t text = __riscv_vle8_v_u8m8(src, vl);
        vuint8m8_t key = __riscv_vle8_v_u8m8(stream, vl);

        __riscv_vse8_v_u8m8(dst, __riscv_vxor_vv_u8m8(text, key, vl), vl);
        dst += vl;
        src += vl;
        stream += vl;
        n -= vl;
    }
}

/*
 * A message of a single block goes the same way: 1500 instructions for a pass, and 2050 for a block
 * of the portable kernel, which has no rotations without Zbb.
 */
static inline void chacha_rvv_stream(uint8_t *dst, const uint8_t *src, size_t len,
                                     const uint32_t state[16], int rounds)
{
    uint64_t stream[8 * CHACHA_RVV_BLOCKS];
    const size_t vlmax = __riscv_vsetvlmax_e32m1();
    const size_t most = vlmax < CHACHA_RVV_BLOCKS ? vlmax : CHACHA_RVV_BLOCKS;
    uint32_t counter = state[12];

    while (len != 0) {
        const size_t blocks = len < 64 * most ? (len + 63) / 64 : most;
        const size_t n = len < 64 * blocks ? len : 64 * blocks;

        chacha_rvv_blocks(stream, state, counter, rounds, __riscv_vsetvl_e32m1(blocks), NULL);
        chacha_rvv_xor(dst, src, (const uint8_t *)stream, n);
        counter += (uint32_t)blocks;
        dst += n;
        src += n;
        len -= n;
    }
}

#endif
