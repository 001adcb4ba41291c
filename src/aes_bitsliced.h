/* SPDX-License-Identifier: MIT */
/*
 * AES (FIPS 197) for counter mode, bitsliced: no table, no branch and no index that depends on a
 * secret. It works on AES_BLOCKS blocks at once, in slices whose layout one of two files decides:
 *
 *   aes_slices_vector.h   8 blocks, 128-bit vectors: x86 with SSE2, AArch64
 *   aes_slices_scalar.h   4 blocks in 64-bit words, or 2 in 32-bit words: everything else
 *
 * ShiftRows is never carried out (the idea is Adomnicai's and Peyrin's "fixslicing"). It moves
 * column c + r of row r to column c; instead the bytes stay, and after i rounds without it the byte
 * of row r, column c is at column c + ri. MixColumns then combines bytes one row and i columns
 * apart, for which the layouts have their aes_turn. Round keys are permuted to match when the key
 * is set up, and the counter blocks, too, so that after the last round all is in its place: with j
 * rounds to go, row r, column c is at column c - rj. (All modulo 4.)
 */
#ifndef AEADFAST_AES_BITSLICED_H
#define AEADFAST_AES_BITSLICED_H

#include "bytes.h"
#include "codegen.h"

/*
 * AES_WORD_BITS, 32 or 64, asks for the scalar layout of that size. AES_SLICES names a file with
 * another, which loads blocks and counters in its own way.
 */
#if defined(AES_SLICES)
#include AES_SLICES
#elif !defined(AES_WORD_BITS) && defined(__GNUC__) && AEADFAST_LITTLE_ENDIAN &&                    \
    (defined(__SSE2__) || defined(__ARM_NEON))
#include "aes_slices_vector.h"
#else
#if !defined(AES_WORD_BITS) && UINTPTR_MAX > 0xffffffff
#define AES_WORD_BITS 64
#elif !defined(AES_WORD_BITS)
#define AES_WORD_BITS 32
#endif
#include "aes_slices_scalar.h"
#endif

#define AES_SBOX      aes_sbox_words
#define AES_SBOX_WORD aes_word
#include "aes_sbox.h"
#undef AES_SBOX
#undef AES_SBOX_WORD

#define AES_SBOX      aes_sbox_bytes
#define AES_SBOX_WORD uint32_t
#include "aes_sbox.h"
#undef AES_SBOX
#undef AES_SBOX_WORD

#define AES_SBOX_CONSTANT 0x63 /* what aes_sbox.h leaves out */

struct aes_key {
    uint64_t rounds; /* 10, 12 or 14 */
    struct aes_round_key round[15];
};

/* SubWord of FIPS 197 section 5.2: bit k of the four bytes is in bits 0, 8, 16, 24 of slice k. */
static inline uint32_t aes_sub_word(uint32_t x)
{
    uint32_t s[8];

    UNROLL
    for (int k = 0; k < 8; k++) {
        s[k] = x >> k & 0x01010101;
    }
    aes_sbox_bytes(s);
    x = 0;
    UNROLL
    for (int k = 0; k < 8; k++) {
        x |= s[k] << k;
    }
    return x ^ 0x01010101 * AES_SBOX_CONSTANT;
}

/* The key schedule, FIPS 197 section 5.2. Words are columns, loaded as little-endian numbers. */
static inline void aes_key_init(struct aes_key *out, const uint8_t *key, size_t key_len)
{
    const size_t nk = key_len / 4;
    const size_t rounds = nk + 6;
    uint32_t w[60];
    uint32_t rcon = 1;

    for (size_t i = 0; i < nk; i++) {
        w[i] = load_le32(key + 4 * i);
    }
    for (size_t i = nk, phase = 0; i < 4 * (rounds + 1); i++) {
        uint32_t t = w[i - 1];

        if (phase == 0) {
            t = aes_sub_word(t >> 8 | t << 24) ^ rcon;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        } else if (nk == 8 && phase == 4) {
            t = aes_sub_word(t);
        }
        w[i] = w[i - nk] ^ t;
        phase = phase + 1 == nk ? 0 : phase + 1;
    }

    out->rounds = rounds;
    for (size_t i = 0; i <= rounds; i++) {
        const uint8_t constant = i == 0 ? 0 : AES_SBOX_CONSTANT;
        uint8_t bytes[16];

        for (size_t c = 0; c < 4; c++) {
            for (size_t r = 0; r < 4; r++) {
                size_t place = (c - r * (rounds - i)) % 4;

                bytes[4 * place + r] = (uint8_t)(w[4 * i + c] >> 8 * r) ^ constant;
            }
        }
        aes_round_key_store(&out->round[i], bytes);
    }
}

/*
 * MixColumns. Row r becomes 2 a(r) + 3 a(r+1) + a(r+2) + a(r+3), which with t(r) = a(r) + a(r+1) is
 * 2 t(r) + a(r+1) + t(r+2). Doubling renames the slices and adds the highest to 0, 1, 3 and 4.
 */
ALWAYS_INLINE void aes_mix_columns(aes_word s[8], int columns)
{
    aes_word next[8];
    aes_word t[8];

    UNROLL
    for (int k = 0; k < 8; k++) {
        next[k] = aes_turn(s[k], columns);
        t[k] = s[k] ^ next[k];
    }
    UNROLL
    for (int k = 0; k < 8; k++) {
        s[k] = next[k] ^ aes_turn_twice(t[k], columns) ^ t[(k + 7) % 8];
    }
    s[1] ^= t[7];
    s[3] ^= t[7];
    s[4] ^= t[7];
}

ALWAYS_INLINE void aes_round(aes_word s[8], const struct aes_round_key *key, int columns)
{
    aes_sbox_words(s);
    aes_mix_columns(s, columns);
    aes_add_round_key(s, key);
}

/* Encrypts AES_BLOCKS blocks. */
ALWAYS_INLINE void aes_encrypt(aes_word s[8], const struct aes_key *key)
{
    const struct aes_round_key *const last = key->round + key->rounds;
    const struct aes_round_key *k = key->round;
    int enter = key->rounds % 4 == 2;

    /* With j rounds to go after it, a round has -j columns between rows: 1, 2, 3, 0, 1, ... 3 */
    aes_add_round_key(s, k++);
    for (;;) {
        if (!enter) {
            aes_round(s, k++, 1);
            aes_round(s, k++, 2);
        }
        enter = 0;
        aes_round(s, k++, 3);
        if (k == last) {
            break;
        }
        aes_round(s, k++, 0);
    }
    aes_sbox_words(s);
    aes_add_round_key(s, last);
}

/*
 * The bytes of a column that enter the first round two columns off: r * rounds modulo 4 is 0 for
 * AES-192, and 2 in rows 1 and 3 for the others.
 */
static inline uint32_t aes_moved(const struct aes_key *key)
{
    return key->rounds % 4 == 0 ? 0 : 0xff00ff00;
}

ALWAYS_INLINE void aes_permute(uint32_t out[4], const uint32_t in[4], uint32_t moved)
{
    UNROLL
    for (int c = 0; c < 4; c++) {
        out[c] = (in[c] & ~moved) | (in[c ^ 2] & moved);
    }
}

/*
 * The blocks of counter mode, permuted for the first round. What counts is the last word, big-endian,
 * in GCM (SP 800-38D section 6.5), and the first, little-endian, in AES-GCM-SIV (RFC 8452 section 4).
 */
enum aes_counts { AES_COUNTS_LAST = 3, AES_COUNTS_FIRST = 0 };

struct aes_counter {
    uint32_t column[4]; /* zeros where the number goes */
    uint32_t place[4];  /* ones there */
    enum aes_counts counts;
};

static inline void aes_counter_init(struct aes_counter *out, const struct aes_key *key,
                                    const uint8_t block[16], enum aes_counts counts)
{
    const uint32_t moved = aes_moved(key);
    uint32_t column[4] = {load_le32(block), load_le32(block + 4), load_le32(block + 8),
                          load_le32(block + 12)};
    uint32_t place[4] = {0, 0, 0, 0};

    column[counts] = 0;
    place[counts] = 0xffffffff;
    aes_permute(out->column, column, moved);
    aes_permute(out->place, place, moved);
    out->counts = counts;
}

/* A number as its bytes lie in the block, loaded as a little-endian word. */
static inline uint32_t aes_counter_word(const struct aes_counter *counter, uint32_t number)
{
    uint8_t bytes[4];

    if (counter->counts == AES_COUNTS_FIRST) {
        return number;
    }
    store_be32(bytes, number);
    return load_le32(bytes);
}

#if !defined(AES_SLICES)

/* Encrypts AES_BLOCKS blocks, given as columns that are permuted. */
ALWAYS_INLINE void aes_encrypt_columns(uint8_t out[16 * AES_BLOCKS], const struct aes_key *key,
                                       uint32_t columns[AES_BLOCKS][4])
{
    aes_word s[8];

    aes_slices_load(s, columns);
    aes_encrypt(s, key);
    aes_slices_store(out, s);
}

/* Encrypts AES_BLOCKS blocks; out and in are the same, or disjoint. */
static void aes_encrypt_batch(uint8_t out[16 * AES_BLOCKS], const struct aes_key *key,
                              const uint8_t in[16 * AES_BLOCKS])
{
    const uint32_t moved = aes_moved(key);
    uint32_t columns[AES_BLOCKS][4];

    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        const uint8_t *const p = in + 16 * n;
        const uint32_t block[4] = {load_le32(p), load_le32(p + 4), load_le32(p + 8),
                                   load_le32(p + 12)};

        aes_permute(columns[n], block, moved);
    }
    aes_encrypt_columns(out, key, columns);
}

/* The key stream of AES_BLOCKS blocks from the given number on, which wraps around. */
static void aes_key_stream(uint8_t out[16 * AES_BLOCKS], const struct aes_key *key,
                           const struct aes_counter *counter, uint32_t first)
{
    uint32_t columns[AES_BLOCKS][4];

    UNROLL
    for (uint32_t n = 0; n < AES_BLOCKS; n++) {
        const uint32_t word = aes_counter_word(counter, first + n);

        UNROLL
        for (int c = 0; c < 4; c++) {
            columns[n][c] = counter->column[c] | (word & counter->place[c]);
        }
    }
    aes_encrypt_columns(out, key, columns);
}

#endif

#endif
