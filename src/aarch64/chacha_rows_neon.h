/* SPDX-License-Identifier: MIT */
/*
 * ChaCha blocks one by one, a register for each row of the 4x4 state (words 0-3, 4-7, 8-11, 12-15):
 * the rounds of two or three blocks, and adding the input and the text of one. Static only.
 *
 * A double round is one chain of 28 instructions of two cycles (Cortex-A72: three), and three blocks
 * fit into its shadow; so two take as long as three, and longer than one in the scalar registers.
 */
#ifndef AEADFAST_AARCH64_CHACHA_ROWS_NEON_H
#define AEADFAST_AARCH64_CHACHA_ROWS_NEON_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"
#include "../codegen.h"

/* A block: rows of words, or 64 bytes. */
struct chacha_rows {
    uint32x4_t a;
    uint32x4_t b;
    uint32x4_t c;
    uint32x4_t d;
};

/* ---- Rounds ---- */

#define CHACHA_ROTATE(x, n) vsriq_n_u32(vshlq_n_u32((x), (n)), (x), 32 - (n))

ALWAYS_INLINE void chacha_rows_add_rot16(struct chacha_rows *x, uint8x16_t table)
{
    (void)table;
    x->a = vaddq_u32(x->a, x->b);
    x->d = vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(veorq_u32(x->d, x->a))));
}

ALWAYS_INLINE void chacha_rows_add_rot12(struct chacha_rows *x, uint8x16_t table)
{
    (void)table;
    x->c = vaddq_u32(x->c, x->d);
    x->b = veorq_u32(x->b, x->c);
    x->b = CHACHA_ROTATE(x->b, 12);
}

ALWAYS_INLINE void chacha_rows_add_rot8(struct chacha_rows *x, uint8x16_t table)
{
    x->a = vaddq_u32(x->a, x->b);
    x->d = vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(veorq_u32(x->d, x->a)), table));
}

ALWAYS_INLINE void chacha_rows_add_rot7(struct chacha_rows *x, uint8x16_t table)
{
    (void)table;
    x->c = vaddq_u32(x->c, x->d);
    x->b = veorq_u32(x->b, x->c);
    x->b = CHACHA_ROTATE(x->b, 7);
}

/* By turning the other three rows against b, which is ready last. */
ALWAYS_INLINE void chacha_rows_to_diagonals(struct chacha_rows *x, uint8x16_t table)
{
    (void)table;
    x->a = vextq_u32(x->a, x->a, 3);
    x->c = vextq_u32(x->c, x->c, 1);
    x->d = vextq_u32(x->d, x->d, 2);
}

ALWAYS_INLINE void chacha_rows_to_columns(struct chacha_rows *x, uint8x16_t table)
{
    (void)table;
    x->a = vextq_u32(x->a, x->a, 1);
    x->c = vextq_u32(x->c, x->c, 3);
    x->d = vextq_u32(x->d, x->d, 2);
}

/* One step for each of 2 or 3 blocks. Not a loop: GCC would keep the blocks in memory. */
#define CHACHA_EACH(step, x, n, table)                                                             \
    do {                                                                                           \
        step(&(x)[0], table);                                                                      \
        step(&(x)[1], table);                                                                      \
        if ((n) > 2) {                                                                             \
            step(&(x)[2], table);                                                                  \
        }                                                                                          \
    } while (0)

/* n, 2 or 3, is a constant wherever this is called. */
ALWAYS_INLINE void chacha_rows_rounds(struct chacha_rows x[3], int n, int rounds)
{
    static const uint8_t rotate8[16] = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};
    const uint8x16_t table = vld1q_u8(rotate8);

    for (; rounds > 0; rounds -= 2) {
        CHACHA_EACH(chacha_rows_add_rot16, x, n, table);
        CHACHA_EACH(chacha_rows_add_rot12, x, n, table);
        CHACHA_EACH(chacha_rows_add_rot8, x, n, table);
        CHACHA_EACH(chacha_rows_add_rot7, x, n, table);
        CHACHA_EACH(chacha_rows_to_diagonals, x, n, table);
        CHACHA_EACH(chacha_rows_add_rot16, x, n, table);
        CHACHA_EACH(chacha_rows_add_rot12, x, n, table);
        CHACHA_EACH(chacha_rows_add_rot8, x, n, table);
        CHACHA_EACH(chacha_rows_add_rot7, x, n, table);
        CHACHA_EACH(chacha_rows_to_columns, x, n, table);
    }
}

/* ---- Input and output ---- */

ALWAYS_INLINE struct chacha_rows chacha_rows_load(const uint32_t words[16])
{
    const struct chacha_rows x = {vld1q_u32(words), vld1q_u32(words + 4), vld1q_u32(words + 8),
                                  vld1q_u32(words + 12)};

    return x;
}

/* The same with another counter. */
ALWAYS_INLINE struct chacha_rows chacha_rows_number(const struct chacha_rows *in, uint32_t number)
{
    struct chacha_rows x = *in;

    x.d = vsetq_lane_u32(number, x.d, 0);
    return x;
}

ALWAYS_INLINE void chacha_rows_end(struct chacha_rows *x, const struct chacha_rows *in)
{
    x->a = vaddq_u32(x->a, in->a);
    x->b = vaddq_u32(x->b, in->b);
    x->c = vaddq_u32(x->c, in->c);
    x->d = vaddq_u32(x->d, in->d);
}

ALWAYS_INLINE void chacha_xor_16(uint8_t *dst, const uint8_t *src, uint32x4_t key_stream)
{
    vst1q_u8(dst, veorq_u8(vld1q_u8(src), vreinterpretq_u8_u32(key_stream)));
}

/* dst = src xor the first n < 16 bytes of key_stream, by words of 8, 4, 2 and 1 bytes. */
ALWAYS_INLINE void chacha_xor_some(uint8_t *dst, const uint8_t *src, uint32x4_t key_stream,
                                   size_t n)
{
    uint64_t k = vgetq_lane_u64(vreinterpretq_u64_u32(key_stream), 0);

    if ((n & 8) != 0) {
        store_le64(dst, load_le64(src) ^ k);
        k = vgetq_lane_u64(vreinterpretq_u64_u32(key_stream), 1);
        dst += 8;
        src += 8;
    }
    if ((n & 4) != 0) {
        store_le32(dst, load_le32(src) ^ (uint32_t)k);
        k >>= 32;
        dst += 4;
        src += 4;
    }
    if ((n & 2) != 0) {
        dst[0] = (uint8_t)(src[0] ^ k);
        dst[1] = (uint8_t)(src[1] ^ k >> 8);
        k >>= 16;
        dst += 2;
        src += 2;
    }
    if ((n & 1) != 0) {
        dst[0] = (uint8_t)(src[0] ^ k);
    }
}

/* dst = src xor the first n bytes of the block. */
static inline void chacha_xor_part(uint8_t *dst, const uint8_t *src, struct chacha_rows x, size_t n)
{
    for (; n >= 16; n -= 16) {
        chacha_xor_16(dst, src, x.a);
        x.a = x.b;
        x.b = x.c;
        x.c = x.d;
        dst += 16;
        src += 16;
    }
    chacha_xor_some(dst, src, x.a, n);
}

/* And here n may be more than 64. */
ALWAYS_INLINE void chacha_xor_block(uint8_t *dst, const uint8_t *src, const struct chacha_rows *x,
                                    size_t n)
{
    if (n < 64) {
        chacha_xor_part(dst, src, *x, n);
        return;
    }
    chacha_xor_16(dst, src, x->a);
    chacha_xor_16(dst + 16, src + 16, x->b);
    chacha_xor_16(dst + 32, src + 32, x->c);
    chacha_xor_16(dst + 48, src + 48, x->d);
}

#endif
