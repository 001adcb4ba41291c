/* SPDX-License-Identifier: MIT */
/*
 * Slices of eight AES blocks in 128-bit vectors, for little-endian targets that have them at
 * baseline. Slice k holds bit k of all 128 bytes. Byte 4c + r of it is for row r and column c of
 * the state (FIPS 197 section 3.4), and bit n of that byte for block n: a column is a 32-bit lane,
 * and blocks go in and out in the order of their bytes.
 *
 * A round key is kept as its 16 bytes. The slice to add has a byte of ones where the key byte has
 * the bit: a comparison with zero makes it out of the sign bit, and doubling brings up the next.
 * That costs two instructions a slice more than loading it would, but ready-made slices are 128
 * bytes a round, more than a key object holds.
 */
#ifndef AEADFAST_AES_SLICES_VECTOR_H
#define AEADFAST_AES_SLICES_VECTOR_H

#include "bytes.h"

enum { AES_BLOCKS = 8 };

typedef uint64_t aes_word __attribute__((vector_size(16)));
typedef uint32_t aes_lanes __attribute__((vector_size(16)));
typedef uint8_t aes_bytes __attribute__((vector_size(16)));
typedef int8_t aes_signed __attribute__((vector_size(16)));

#define AES_SPLAT(c) ((aes_word){c, c})

#include "aes_transpose.h"

struct aes_round_key {
    uint8_t bytes[16];
};

static inline void aes_round_key_store(struct aes_round_key *out, const uint8_t bytes[16])
{
    memcpy(out->bytes, bytes, 16);
}

ALWAYS_INLINE void aes_add_round_key(aes_word s[8], const struct aes_round_key *key)
{
    aes_bytes k;

    memcpy(&k, key->bytes, 16);
    UNROLL
    for (int i = 7; i >= 0; i--) {
        s[i] ^= (aes_word)((aes_signed)k < 0);
        k += k;
    }
}

typedef uint16_t aes_halves __attribute__((vector_size(16)));

#if defined(__clang__) || __GNUC__ >= 12
#define AES_LANES(x, ...)  (aes_word) __builtin_shufflevector(x, x, __VA_ARGS__)
#define AES_HALVES(x, ...) AES_LANES(x, __VA_ARGS__)
#else
#define AES_LANES(x, ...)  (aes_word) __builtin_shuffle(x, (aes_lanes){__VA_ARGS__})
#define AES_HALVES(x, ...) (aes_word) __builtin_shuffle(x, (aes_halves){__VA_ARGS__})
#endif

/* Column c of the result is column c + columns of x; `columns`, 0 to 3, is known when compiling. */
static inline aes_word aes_turn_columns(aes_lanes x, int columns)
{
    switch (columns) {
    case 1:
        return AES_LANES(x, 1, 2, 3, 0);
    case 2:
        return AES_LANES(x, 2, 3, 0, 1);
    case 3:
        return AES_LANES(x, 3, 0, 1, 2);
    default:
        return (aes_word)x;
    }
}

/* To (r, c) from (r + 1, c + columns). */
static inline aes_word aes_turn(aes_word x, int columns)
{
    aes_lanes t = (aes_lanes)x;

    return aes_turn_columns(t >> 8 | t << 24, columns);
}

/* The same twice: to (r, c) from (r + 2, c + 2 columns). */
static inline aes_word aes_turn_twice(aes_word x, int columns)
{
    aes_word swapped = AES_HALVES((aes_halves)x, 1, 0, 3, 2, 5, 4, 7, 6);

    return aes_turn_columns((aes_lanes)swapped, columns % 2 * 2);
}

/* The slices of AES_BLOCKS blocks, each given as its four columns, loaded as little-endian words.
 */
ALWAYS_INLINE void aes_slices_load(aes_word s[8], uint32_t columns[AES_BLOCKS][4])
{
    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        memcpy(&s[n], columns[n], 16);
    }
    aes_transpose(s);
}

ALWAYS_INLINE void aes_slices_store(uint8_t *out, aes_word s[8])
{
    aes_transpose(s);
    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        memcpy(out + 16 * n, &s[n], 16);
    }
}

#endif
