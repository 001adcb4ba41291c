/* SPDX-License-Identifier: MIT */
/*
 * Slices of eight AES blocks in NEON registers: the layout of aes_slices_vector.h in the
 * instructions that fit it best. A turn of bytes within columns and of columns is one TBL, whose
 * indices are constants; the slices of a round key come by a test of bits; and exchanging bits
 * between slices takes four instructions, or two where a shift can insert.
 */
#ifndef AEADFAST_AES_SLICES_NEON_H
#define AEADFAST_AES_SLICES_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#include "../bytes.h"
#include "../codegen.h"

enum { AES_BLOCKS = 8 };

typedef uint8x16_t aes_word;

struct aes_round_key {
    uint8_t bytes[16];
};

static inline void aes_round_key_store(struct aes_round_key *out, const uint8_t bytes[16])
{
    memcpy(out->bytes, bytes, 16);
}

/* Slice k of one block, the same for all eight: a byte of ones where its byte has the bit. */
ALWAYS_INLINE aes_word aes_slice_of(uint8x16_t block, uint8x16_t bit)
{
#if defined(__clang__) /* which would make three instructions of it (19) */
    __asm__("cmtst %0.16b, %0.16b, %1.16b" : "+w"(block) : "w"(bit));
    return block;
#else
    return vtstq_u8(block, bit);
#endif
}

#define AES_SLICE_BIT(k)                                                                           \
    {                                                                                              \
        (k), (k), (k), (k), (k), (k), (k), (k), (k), (k), (k), (k), (k), (k), (k), (k)             \
    }

/*
 * The bits in memory, and so that the compiler does not know what they are: loads are free beside
 * so much arithmetic, whereas MOVI takes a vector unit's time.
 */
static inline const uint8_t (*aes_slice_bits(void))[16]
{
    static const uint8_t bits[8][16] = {
        AES_SLICE_BIT(1),  AES_SLICE_BIT(2),  AES_SLICE_BIT(4),  AES_SLICE_BIT(8),
        AES_SLICE_BIT(16), AES_SLICE_BIT(32), AES_SLICE_BIT(64), AES_SLICE_BIT(128),
    };
    const uint8_t(*p)[16] = bits;

    __asm__("" : "+r"(p));
    return p;
}

ALWAYS_INLINE void aes_add_round_key(aes_word s[8], const struct aes_round_key *key)
{
    const uint8x16_t bytes = vld1q_u8(key->bytes);
    const uint8_t(*const bits)[16] = aes_slice_bits();

    UNROLL
    for (int k = 0; k < 8; k++) {
        s[k] ^= aes_slice_of(bytes, vld1q_u8(bits[k]));
    }
}

/* To (r, c) from (r + 1, c + columns); `columns`, 0 to 3, is known when compiling. */
static inline aes_word aes_turn(aes_word x, int columns)
{
    static const uint8_t from[4][16] = {
        {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12},
        {5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0},
        {9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4},
        {13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8},
    };

    return vqtbl1q_u8(x, vld1q_u8(from[columns]));
}

/* The same twice: to (r, c) from (r + 2, c + 2 columns). */
static inline aes_word aes_turn_twice(aes_word x, int columns)
{
    const uint8x16_t swapped = vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(x)));

    return columns % 2 != 0 ? vextq_u8(swapped, swapped, 8) : swapped;
}

/* Exchanges the bits of a under mask << shift with those of b under mask; shift 1, 2 or 4. */
ALWAYS_INLINE void aes_swap_bits(aes_word *a, aes_word *b, int shift)
{
    const aes_word x = *a;
    const aes_word y = *b;

    switch (shift) {
    case 1:
        *a = vbslq_u8(vdupq_n_u8(0x55), x, vshlq_n_u8(y, 1));
        *b = vbslq_u8(vdupq_n_u8(0x55), vshrq_n_u8(x, 1), y);
        break;
    case 2:
        *a = vbslq_u8(vdupq_n_u8(0x33), x, vshlq_n_u8(y, 2));
        *b = vbslq_u8(vdupq_n_u8(0x33), vshrq_n_u8(x, 2), y);
        break;
    default:
        *a = vsliq_n_u8(x, y, 4);
        *b = vsriq_n_u8(y, x, 4);
        break;
    }
}

/* Bit i of byte j of word k goes to bit k of byte j of word i. It is its own inverse. */
ALWAYS_INLINE void aes_transpose(aes_word s[8])
{
    UNROLL
    for (int i = 0; i < 8; i += 2) {
        aes_swap_bits(&s[i], &s[i + 1], 1);
    }
    UNROLL
    for (int i = 0; i < 8; i += 4) {
        aes_swap_bits(&s[i], &s[i + 2], 2);
        aes_swap_bits(&s[i + 1], &s[i + 3], 2);
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
        aes_swap_bits(&s[i], &s[i + 4], 4);
    }
}

ALWAYS_INLINE void aes_slices_store(uint8_t *out, aes_word s[8])
{
    aes_transpose(s);
    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        vst1q_u8(out + 16 * n, s[n]);
    }
}

#endif
