/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores and the last, partial block of a text in 128-bit registers, for the AES-GCM kernels
 * on AES-NI and VAES: no byte outside the text is touched, and no length loop is run.
 */
#ifndef AEADFAST_AES_GCM_PARTIAL_H
#define AEADFAST_AES_GCM_PARTIAL_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "aes_gcm_vector.h"
#include "ghash_clmul.h"

GCM_INLINE size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static const _Alignas(32) uint8_t gcm_reverse_mask[32] = {
    15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
    15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
};

/*
 * ghash_reverse with the mask in memory: in a register it would push others, which may hold key
 * stream, onto the stack.
 */
GCM_INLINE __m128i gcm_reverse(__m128i v)
{
#if GCM_ASM
    __asm__("vpshufb %1, %0, %0" : "+x"(v) : "m"(*(const uint8_t(*)[16])gcm_reverse_mask));
    return v;
#else
    return ghash_reverse(v);
#endif
}

/* A running value of GHASH in memory; it is not loaded before it is asked for. */
GCM_INLINE __m128i load_hash(const uint8_t y[16])
{
#if GCM_ASM
    __asm__ volatile("" : : : "memory");
#endif
    return gcm_reverse(load128(y));
}

GCM_INLINE void store_hash(uint8_t y[16], __m128i hash)
{
    store128(y, gcm_reverse(hash));
}

/* 1 to 15 bytes and zeros after them: two loads that overlap, the second shifted into place. */
GCM_INLINE __m128i load_partial(const uint8_t *p, size_t n)
{
    uint32_t low;

    if (n >= 8) {
        uint64_t high = load_le64(p + n - 8) >> (8 * (15 - n)) >> 8;

        return _mm_set_epi64x((long long)high, (long long)load_le64(p));
    }
    if (n >= 4) {
        uint64_t high = (uint64_t)load_le32(p + n - 4) << (8 * (n - 4));

        return _mm_cvtsi64_si128((long long)(load_le32(p) | high));
    }
    low = (uint32_t)p[0] | (uint32_t)p[n / 2] << (8 * (n / 2));
    return _mm_cvtsi32_si128((int)(low | (uint32_t)p[n - 1] << (8 * (n - 1))));
}

GCM_INLINE void store_partial(uint8_t *p, __m128i v, size_t n)
{
    uint64_t low = (uint64_t)_mm_cvtsi128_si64(v);

    if (n >= 8) {
        uint64_t high = (uint64_t)_mm_extract_epi64(v, 1);

        store_le64(p + n - 8, high << (8 * (15 - n)) << 8 | low >> (8 * (n - 8)));
        store_le64(p, low);
    } else if (n >= 4) {
        store_le32(p, (uint32_t)low);
        store_le32(p + n - 4, (uint32_t)(low >> (8 * (n - 4))));
    } else {
        p[0] = (uint8_t)low;
        p[n / 2] = (uint8_t)(low >> (8 * (n / 2)));
        p[n - 1] = (uint8_t)(low >> (8 * (n - 1)));
    }
}

/* Shuffles from n on: up by 16 - n bytes (at n), up by -n (at 16 + n), down by 16 - n (32 - n). */
static const uint8_t gcm_shift_bytes[48] = {
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
};

/* From 16 - n on: the first n bytes. */
static const uint8_t gcm_keep_bytes[32] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
};

/*
 * The last n bytes, 1 to 15, of a text: writes their xor with the stream and returns the block to
 * be hashed. Where a whole block lies before them (`more`), the last 16 bytes of the text are read
 * and written in one piece, those before the n as they stand in dst.
 */
GCM_INLINE __m128i gcm_partial_block(uint8_t *dst, const uint8_t *src, size_t n, __m128i stream,
                                     int more, int sealing)
{
    __m128i in;
    __m128i out;

    if (more) {
        __m128i down = load128(gcm_shift_bytes + 32 - n);
        __m128i window;

        in = _mm_shuffle_epi8(load128(src + n - 16), down);
        out = _mm_shuffle_epi8(_mm_xor_si128(in, stream), load128(gcm_shift_bytes + n));
        window = _mm_shuffle_epi8(load128(dst - 16), load128(gcm_shift_bytes + 16 + n));
        window = _mm_or_si128(window, out);
        store128(dst + n - 16, window);
        out = _mm_shuffle_epi8(window, down);
    } else {
        in = load_partial(src, n);
        out = _mm_xor_si128(in, stream);
        store_partial(dst, out, n);
        out = _mm_and_si128(out, load128(gcm_keep_bytes + 16 - n));
    }
    return gcm_reverse(sealing ? out : in);
}

/* Counter to block and back: the last word's bytes reversed. */
GCM_INLINE __m128i gcm_counter_block(__m128i v)
{
    return _mm_shuffle_epi8(v, _mm_set_epi64x(0x0c0d0e0f0b0a0908LL, 0x0706050403020100LL));
}

/*
 * The counter n blocks after a block. Its words are loaded by themselves: the caller is likely to
 * have written the last one just now, and a load of all four would wait until that is in the cache.
 */
GCM_INLINE __m128i counter_after(const uint8_t block[16], size_t n)
{
    uint64_t last = load_be32(block + 12) + (uint32_t)n;

    return _mm_set_epi64x((long long)(load_le32(block + 8) | last << 32),
                          (long long)load_le64(block));
}

/*
 * J0 of a 12-byte nonce, its last word little-endian: a counter. Loaded by words: callers write a
 * nonce just before, as 8 bytes and 4 or as 4 and 8 (a salt and a number), and a load that is not
 * within one store would wait until all of the message before has been stored.
 */
GCM_INLINE __m128i gcm_start_counter(const uint8_t *nonce)
{
    uint64_t middle = load_le32(nonce + 4);
    uint64_t high = load_le32(nonce + 8) | (uint64_t)1 << 32;

#if GCM_ASM
    __asm__("" : "+r"(middle)); /* or compilers make one load of two */
#endif
    return _mm_set_epi64x((long long)high, (long long)(load_le32(nonce) | middle << 32));
}

/* The block that ends GHASH, reversed. */
GCM_INLINE __m128i gcm_lengths(size_t aad_len, size_t text_len)
{
    return _mm_set_epi64x((long long)((uint64_t)aad_len * 8), (long long)((uint64_t)text_len * 8));
}

#endif
