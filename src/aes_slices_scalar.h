/* SPDX-License-Identifier: MIT */
/*
 * Slices of AES blocks in plain integers: four blocks in 64 bits, or with AES_WORD_BITS 32, two
 * blocks in 32 bits. Slice k holds bit k of every byte. From the top it has the four rows of the
 * state (FIPS 197 section 3.4), row 3 first, in each the four columns, column 3 first, and in each
 * a unit of one bit a block: bit unit * (4r + c) + n is for row r, column c and block n.
 *
 * The bit transposes, which work inside bytes, bring the bits there if byte r of the words they are
 * given belongs to row r (32 bits: one column of one block), or bytes 2r and 2r + 1 do (64 bits:
 * columns c and c + 2 of one block, their bytes interleaved).
 */
#ifndef AEADFAST_AES_SLICES_SCALAR_H
#define AEADFAST_AES_SLICES_SCALAR_H

#include "bytes.h"

#if AES_WORD_BITS == 64
typedef uint64_t aes_word;
#define AES_ROWS(mask) ((mask)*UINT64_C(0x0001000100010001)) /* the same in every row */
#else
typedef uint32_t aes_word;
#define AES_ROWS(mask) ((mask)*UINT32_C(0x01010101))
#endif

enum { AES_BLOCKS = AES_WORD_BITS / 16, AES_UNIT = AES_BLOCKS, AES_ROW = 4 * AES_UNIT };

#define AES_SPLAT(c) ((aes_word)(c))

#include "aes_transpose.h"

static inline aes_word aes_rotate_right(aes_word x, int n)
{
    return x >> n | x << (AES_WORD_BITS - n) % AES_WORD_BITS;
}

/*
 * To (r, c) from (r + rows, c + columns), numbers known when compiling, rows not 0. One rotation
 * serves the columns of the result that come from a higher one, another those that wrap around.
 */
static inline aes_word aes_turn_by(aes_word x, int rows, int columns)
{
    const int distance = AES_ROW * rows + AES_UNIT * columns;
    const aes_word higher = AES_ROWS(((aes_word)1 << (AES_ROW - AES_UNIT * columns)) - 1);

    if (columns == 0) {
        return aes_rotate_right(x, distance);
    }
    return (aes_rotate_right(x, distance) & higher) |
           (aes_rotate_right(x, distance - AES_ROW) & ~higher);
}

/* To (r, c) from (r + 1, c + columns). */
static inline aes_word aes_turn(aes_word x, int columns)
{
    return aes_turn_by(x, 1, columns);
}

/* The same twice: to (r, c) from (r + 2, c + 2 columns). */
static inline aes_word aes_turn_twice(aes_word x, int columns)
{
    return aes_turn_by(x, 2, columns % 2 * 2);
}

#if AES_WORD_BITS == 64

/* Two columns to bytes of row 0, row 0, row 1, row 1, ...: the middle halves change places twice.
 */
static inline uint64_t aes_interleave(uint32_t low, uint32_t high)
{
    uint64_t x = low | (uint64_t)high << 32;
    uint64_t t = (x ^ x >> 16) & 0x00000000ffff0000;

    x ^= t ^ t << 16;
    t = (x ^ x >> 8) & 0x0000ff000000ff00;
    return x ^ t ^ t << 8;
}

static inline uint64_t aes_deinterleave(uint64_t x)
{
    uint64_t t = (x ^ x >> 8) & 0x0000ff000000ff00;

    x ^= t ^ t << 8;
    t = (x ^ x >> 16) & 0x00000000ffff0000;
    return x ^ t ^ t << 16;
}

/* The slices of AES_BLOCKS blocks, each given as its four columns, loaded as little-endian words.
 */
ALWAYS_INLINE void aes_slices_load(aes_word s[8], uint32_t columns[AES_BLOCKS][4])
{
    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        s[n] = aes_interleave(columns[n][0], columns[n][2]);
        s[n + 4] = aes_interleave(columns[n][1], columns[n][3]);
    }
    aes_transpose(s);
}

ALWAYS_INLINE void aes_slices_store(uint8_t *out, aes_word s[8])
{
    aes_transpose(s);
    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        uint64_t even = aes_deinterleave(s[n]);
        uint64_t odd = aes_deinterleave(s[n + 4]);

        store_le32(out + 16 * n, (uint32_t)even);
        store_le32(out + 16 * n + 4, (uint32_t)odd);
        store_le32(out + 16 * n + 8, (uint32_t)(even >> 32));
        store_le32(out + 16 * n + 12, (uint32_t)(odd >> 32));
    }
}

#else

ALWAYS_INLINE void aes_slices_load(aes_word s[8], uint32_t columns[AES_BLOCKS][4])
{
    UNROLL
    for (int i = 0; i < 8; i++) {
        s[i] = columns[i % 2][i / 2];
    }
    aes_transpose(s);
}

ALWAYS_INLINE void aes_slices_store(uint8_t *out, aes_word s[8])
{
    aes_transpose(s);
    UNROLL
    for (int i = 0; i < 8; i++) {
        store_le32(out + 16 * (i % 2) + 4 * (i / 2), s[i]);
    }
}

#endif

/* Kept as slices, ready to add. */
struct aes_round_key {
    aes_word slices[8];
};

static inline void aes_round_key_store(struct aes_round_key *out, const uint8_t bytes[16])
{
    uint32_t columns[AES_BLOCKS][4];

    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        UNROLL
        for (int c = 0; c < 4; c++) {
            columns[n][c] = load_le32(bytes + 4 * c);
        }
    }
    aes_slices_load(out->slices, columns);
}

ALWAYS_INLINE void aes_add_round_key(aes_word s[8], const struct aes_round_key *key)
{
    UNROLL
    for (int i = 0; i < 8; i++) {
        s[i] ^= key->slices[i];
    }
}

#endif
