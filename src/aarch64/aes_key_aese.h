/* SPDX-License-Identifier: MIT */
/*
 * AES key expansion (FIPS 197 section 5.2) by AESE.
 *
 * AESE is AddRoundKey, ShiftRows and SubBytes. With a key of zeros and one word in all four columns,
 * which ShiftRows does not change, that is SubWord, already in every column where the schedule
 * wants it, and without a table in memory.
 */
#ifndef AEADFAST_AES_KEY_AESE_H
#define AEADFAST_AES_KEY_AESE_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"

#define AES_MAX_ROUNDS 14

/* w0, w0^w1, w0^w1^w2, w0^w1^w2^w3: what each new word takes over from the words before it */
static inline uint8x16_t aes_key_prefix(uint8x16_t w)
{
    const uint8x16_t zero = vdupq_n_u8(0);

    w = veorq_u8(w, vextq_u8(zero, w, 12));
    return veorq_u8(w, vextq_u8(zero, w, 8));
}

/* Bytes that make a word: the last of four, the same after RotWord, and word 1 after RotWord. */
#define AES_KEY_WORD3     0x0f0e0d0cu
#define AES_KEY_WORD3_ROT 0x0c0f0e0du
#define AES_KEY_WORD1_ROT 0x04070605u

/* SubWord ^ rcon of the word that `pick` takes out of w, in all columns */
static inline uint8x16_t aes_key_sub(uint8x16_t w, uint32_t pick, uint32_t rcon)
{
    const uint8x16_t columns = vqtbl1q_u8(w, vreinterpretq_u8_u32(vdupq_n_u32(pick)));

    return veorq_u8(vaeseq_u8(columns, vdupq_n_u8(0)), vreinterpretq_u8_u32(vdupq_n_u32(rcon)));
}

/* The constant after rcon, twice it in GF(2^8). */
static inline uint32_t aes_key_rcon(uint32_t rcon)
{
    return rcon == 0x80 ? 0x1b : rcon << 1;
}

static inline void aes_key_expand_128(uint8_t *rk, const uint8_t *key)
{
    uint8x16_t w = vld1q_u8(key);
    uint32_t rcon = 1;

    vst1q_u8(rk, w);
    for (size_t i = 16; i <= 160; i += 16) {
        w = veorq_u8(aes_key_prefix(w), aes_key_sub(w, AES_KEY_WORD3_ROT, rcon));
        vst1q_u8(rk + i, w);
        rcon = aes_key_rcon(rcon);
    }
}

/* Six words a step: w holds four of them, the low half of v two. */
static inline void aes_key_expand_192(uint8_t *rk, const uint8_t *key)
{
    uint8x16_t w = vld1q_u8(key);
    uint8x16_t v = vcombine_u8(vld1_u8(key + 16), vdup_n_u8(0));
    uint32_t rcon = 1;

    vst1q_u8(rk, w);
    vst1_u8(rk + 16, vget_low_u8(v));
    for (size_t i = 24;; i += 24) {
        w = veorq_u8(aes_key_prefix(w), aes_key_sub(v, AES_KEY_WORD1_ROT, rcon));
        vst1q_u8(rk + i, w);
        if (i == 192) {
            break;
        }
        v = veorq_u8(v, vextq_u8(vdupq_n_u8(0), v, 12));
        v = veorq_u8(v, vreinterpretq_u8_u32(vdupq_laneq_u32(vreinterpretq_u32_u8(w), 3)));
        vst1_u8(rk + i + 16, vget_low_u8(v));
        rcon = aes_key_rcon(rcon);
    }
}

/* Eight words a step; the second four take SubWord without RotWord and without a constant. */
static inline void aes_key_expand_256(uint8_t *rk, const uint8_t *key)
{
    uint8x16_t w = vld1q_u8(key);
    uint8x16_t v = vld1q_u8(key + 16);
    uint32_t rcon = 1;

    vst1q_u8(rk, w);
    vst1q_u8(rk + 16, v);
    for (size_t i = 32;; i += 32) {
        w = veorq_u8(aes_key_prefix(w), aes_key_sub(v, AES_KEY_WORD3_ROT, rcon));
        vst1q_u8(rk + i, w);
        if (i == 224) {
            break;
        }
        v = veorq_u8(aes_key_prefix(v), aes_key_sub(w, AES_KEY_WORD3, 0));
        vst1q_u8(rk + i + 16, v);
        rcon = aes_key_rcon(rcon);
    }
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
static inline uint8x16_t aes_encrypt_block(const uint8_t *rk, unsigned rounds, uint8x16_t block)
{
    for (unsigned i = 0; i + 1 < rounds; i++) {
        block = vaesmcq_u8(vaeseq_u8(block, vld1q_u8(rk + 16 * i)));
    }
    block = vaeseq_u8(block, vld1q_u8(rk + 16 * (rounds - 1)));
    return veorq_u8(block, vld1q_u8(rk + 16 * rounds));
}

#endif
