/* SPDX-License-Identifier: MIT */
/*
 * AES key expansion (FIPS 197 section 5.2) by AES-NI.
 *
 * SubWord comes from AESENCLAST instead of AESKEYGENASSIST: with one word broadcast to all four
 * columns ShiftRows changes nothing, so one instruction gives SubBytes of the word, xor the round
 * constant, already in every column where the schedule wants it.
 */
#ifndef AEADFAST_AES_KEY_AESNI_H
#define AEADFAST_AES_KEY_AESNI_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"

#define AES_MAX_ROUNDS 14

static inline __m128i aes_key_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void aes_key_store(uint8_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

/* w0, w0^w1, w0^w1^w2, w0^w1^w2^w3: what each new word takes over from the words before it */
static inline __m128i aes_key_prefix(__m128i w)
{
    w = _mm_xor_si128(w, _mm_slli_si128(w, 4));
    return _mm_xor_si128(w, _mm_slli_si128(w, 8));
}

/* SubWord(RotWord(word)) ^ rcon in all columns, for word 3 or word 1 of w */
static inline __m128i aes_key_sub_rot3(__m128i w, int rcon)
{
    w = _mm_shuffle_epi8(w, _mm_set1_epi32(0x0c0f0e0d));
    return _mm_aesenclast_si128(w, _mm_set1_epi32(rcon));
}

static inline __m128i aes_key_sub_rot1(__m128i w, int rcon)
{
    w = _mm_shuffle_epi8(w, _mm_set1_epi32(0x04070605));
    return _mm_aesenclast_si128(w, _mm_set1_epi32(rcon));
}

static inline __m128i aes_key_next_128(uint8_t *rk, __m128i w, int rcon)
{
    w = _mm_xor_si128(aes_key_prefix(w), aes_key_sub_rot3(w, rcon));
    aes_key_store(rk, w);
    return w;
}

static inline void aes_key_expand_128(uint8_t *rk, const uint8_t *key)
{
    __m128i w = aes_key_load(key);

    aes_key_store(rk, w);
    w = aes_key_next_128(rk + 16, w, 0x01);
    w = aes_key_next_128(rk + 32, w, 0x02);
    w = aes_key_next_128(rk + 48, w, 0x04);
    w = aes_key_next_128(rk + 64, w, 0x08);
    w = aes_key_next_128(rk + 80, w, 0x10);
    w = aes_key_next_128(rk + 96, w, 0x20);
    w = aes_key_next_128(rk + 112, w, 0x40);
    w = aes_key_next_128(rk + 128, w, 0x80);
    w = aes_key_next_128(rk + 144, w, 0x1b);
    (void)aes_key_next_128(rk + 160, w, 0x36);
}

/* Six words a step: w holds four of them, the low half of v two. */
static inline void aes_key_expand_192(uint8_t *rk, const uint8_t *key)
{
    __m128i w = aes_key_load(key);
    __m128i v = _mm_cvtsi64_si128((long long)load_le64(key + 16));
    int rcon = 1;

    aes_key_store(rk, w);
    _mm_storel_epi64((__m128i *)(void *)(rk + 16), v);
    for (size_t i = 24;; i += 24) {
        w = _mm_xor_si128(aes_key_prefix(w), aes_key_sub_rot1(v, rcon));
        aes_key_store(rk + i, w);
        if (i == 192) {
            break;
        }
        v = _mm_xor_si128(v, _mm_slli_si128(v, 4));
        v = _mm_xor_si128(v, _mm_shuffle_epi32(w, 0xff));
        _mm_storel_epi64((__m128i *)(void *)(rk + i + 16), v);
        rcon *= 2;
    }
}

/* Two round keys a step; the second takes SubWord without RotWord and without a constant. */
static inline __m128i aes_key_next_256(uint8_t *rk, __m128i *w, __m128i v, int rcon)
{
    __m128i sub;

    *w = _mm_xor_si128(aes_key_prefix(*w), aes_key_sub_rot3(v, rcon));
    aes_key_store(rk, *w);
    sub = _mm_aesenclast_si128(_mm_shuffle_epi32(*w, 0xff), _mm_setzero_si128());
    v = _mm_xor_si128(aes_key_prefix(v), sub);
    aes_key_store(rk + 16, v);
    return v;
}

static inline void aes_key_expand_256(uint8_t *rk, const uint8_t *key)
{
    __m128i w = aes_key_load(key);
    __m128i v = aes_key_load(key + 16);

    aes_key_store(rk, w);
    aes_key_store(rk + 16, v);
    v = aes_key_next_256(rk + 32, &w, v, 0x01);
    v = aes_key_next_256(rk + 64, &w, v, 0x02);
    v = aes_key_next_256(rk + 96, &w, v, 0x04);
    v = aes_key_next_256(rk + 128, &w, v, 0x08);
    v = aes_key_next_256(rk + 160, &w, v, 0x10);
    v = aes_key_next_256(rk + 192, &w, v, 0x20);
    w = _mm_xor_si128(aes_key_prefix(w), aes_key_sub_rot3(v, 0x40));
    aes_key_store(rk + 224, w);
}

/* Writes 11, 13 or 15 round keys; returns the number of rounds, one less. */
static inline unsigned aes_key_expand(uint8_t *rk, const uint8_t *key, size_t key_len)
{
    if (key_len == 16) {
        aes_key_expand_128(rk, key);
        return 10;
    }
    if (key_len == 24) {
        aes_key_expand_192(rk, key);
        return 12;
    }
    aes_key_expand_256(rk, key);
    return 14;
}

/* One block under the expanded key. */
static inline __m128i aes_encrypt_block(const uint8_t *rk, unsigned rounds, __m128i block)
{
    block = _mm_xor_si128(block, aes_key_load(rk));
    for (unsigned i = 1; i < rounds; i++) {
        block = _mm_aesenc_si128(block, aes_key_load(rk + 16 * i));
    }
    return _mm_aesenclast_si128(block, aes_key_load(rk + 16 * rounds));
}

#endif
