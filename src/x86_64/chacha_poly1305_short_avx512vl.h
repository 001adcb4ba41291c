/* SPDX-License-Identifier: MIT */
/*
 * What the ChaCha20-Poly1305 kernels with AVX-512 have in common (RFC 8439 section 2.8): the hash
 * by MULX, and messages of up to 320 bytes. For these, the block of the Poly1305 key and those of
 * the text come out of one pass over pairs of blocks in 256-bit registers. Needs AVX-512 F, BW and
 * VL, and BMI2. Static only.
 */
#ifndef AEADFAST_CHACHA_POLY1305_SHORT_AVX512VL_H
#define AEADFAST_CHACHA_POLY1305_SHORT_AVX512VL_H

#include "../kernel.h"
#include "chacha_pairs_avx512vl.h"
#include "poly1305_mulx.h"

enum direction { SEAL, OPEN };

/* For what several sizes of message share: it would be many times the size if it were inlined. */
#define NOINLINE    __attribute__((noinline)) static

#define WIPE_FRAMES 1536 /* no chain of calls from there goes deeper */

/* Turns of a loop that compilers do not unroll: it would be no faster, and many times as long. */
CHACHA_INLINE int turns(int n)
{
    __asm__("" : "+r"(n));
    return n;
}

/* The double rounds. */
CHACHA_INLINE int ten(void)
{
    return turns(10);
}

struct hash {
    struct poly1305_mulx_int h;
    struct poly1305_mulx_key key;
    uint64_t s0;
    uint64_t s1;
};

/* `key` is the first half of block 0: r, then s. */
CHACHA_INLINE void hash_begin(struct hash *hash, __m256i key)
{
    const __m128i r = _mm256_castsi256_si128(key);
    const __m128i s = _mm256_extracti128_si256(key, 1);

    hash->h.n[0] = 0;
    hash->h.n[1] = 0;
    hash->h.n[2] = 0;
    hash->key = poly1305_mulx_key((uint64_t)_mm_cvtsi128_si64(r) & 0x0ffffffc0fffffff,
                                  (uint64_t)_mm_extract_epi64(r, 1) & 0x0ffffffc0ffffffc);
    hash->s0 = (uint64_t)_mm_cvtsi128_si64(s);
    hash->s1 = (uint64_t)_mm_extract_epi64(s, 1);
}

/*
 * The same from the first rows of block 0: they are known before the others, and before the rows become
 * blocks. The key goes to memory, where the steps want it, from the vector registers.
 */
CHACHA_INLINE void hash_begin_rows(struct hash *hash, __m128i a, __m128i b)
{
    const __m128i r = _mm_and_si128(a, _mm_set_epi64x(0x0ffffffc0ffffffc, 0x0ffffffc0fffffff));
    const __m128i s = _mm_add_epi64(r, _mm_srli_epi64(r, 2));

    _Static_assert(sizeof(hash->key) == 24 && offsetof(struct poly1305_mulx_key, s1) == 16,
                   "r0, r1, s1");
    _mm_storeu_si128((__m128i *)(void *)&hash->key, r);
    _mm_storeh_pd((double *)(void *)&hash->key.s1, _mm_castsi128_pd(s));
    hash->h.n[0] = 0;
    hash->h.n[1] = 0;
    hash->h.n[2] = 0;
    hash->s0 = (uint64_t)_mm_cvtsi128_si64(b);
    hash->s1 = (uint64_t)_mm_extract_epi64(b, 1);
}

/* The first block of all, which meets no product: its words, or up to 16 bytes and zeros. */
CHACHA_INLINE void hash_first(struct hash *hash, uint64_t m0, uint64_t m1)
{
    hash->h.n[0] = m0;
    hash->h.n[1] = m1;
    hash->h.n[2] = 1;
}

/* The first 16 bytes of n, and zeros where there are less. */
CHACHA_INLINE __m128i block_padded(const uint8_t *p, size_t n)
{
    return _mm_maskz_loadu_epi8((__mmask16)_bzhi_u32(0xffff, n < 16 ? (unsigned)n : 16), p);
}

/* n bytes, and zeros up to a whole block. */
CHACHA_INLINE void hash_padded(struct hash *hash, const uint8_t *p, size_t n)
{
    poly1305_mulx_blocks(&hash->h, &hash->key, p, n / 16);
    if (n % 16 != 0) {
        uint64_t m[2];

        poly1305_mulx_load_partial(m, p + (n - n % 16), n % 16);
        poly1305_mulx_words(&hash->h, &hash->key, m[0], m[1]);
    }
}

/* The AAD, of which the first block is in `first`: loaded before the rounds, it is there in time. */
CHACHA_INLINE void hash_aad(struct hash *hash, __m128i first, const uint8_t *aad, size_t aad_len)
{
    if (aad_len > 0) {
        hash_first(hash, (uint64_t)_mm_cvtsi128_si64(first), (uint64_t)_mm_extract_epi64(first, 1));
        if (aad_len > 16) {
            hash_padded(hash, aad + 16, aad_len - 16);
        }
    }
}

CHACHA_INLINE void hash_end(struct hash *hash, size_t aad_len, size_t len, uint8_t tag[16])
{
    poly1305_mulx_words(&hash->h, &hash->key, aad_len, len);
    poly1305_mulx_multiply(&hash->h, &hash->key);
    poly1305_mulx_final(&hash->h, hash->s0, hash->s1, tag);
}

/*
 * For batches, from and to the common form, which has each block added and then multiplied by r. A
 * step has h multiplied and then the block added, so the first block of a call is added by itself, and
 * a multiplication stands at the end.
 */
CHACHA_INLINE struct poly1305_mulx_int chain_begin(const struct poly1305_core *core,
                                                   const uint8_t *p)
{
    const poly1305_u128 low = (poly1305_u128)core->h[0] + load_le64(p);
    const poly1305_u128 high = (poly1305_u128)core->h[1] + load_le64(p + 8) + (uint64_t)(low >> 64);
    const struct poly1305_mulx_int h = {
        /* n[2] <= 9, as a step takes it */
        {(uint64_t)low, (uint64_t)high, core->h[2] + 1 + (uint64_t)(high >> 64)}};

    return h;
}

/* Steps with the n blocks at p, which the empty assembly keeps in their place among the rounds. */
CHACHA_INLINE const uint8_t *chain(struct poly1305_mulx_int *h, const struct poly1305_mulx_key *key,
                                   const uint8_t *p, int n)
{
    for (int i = 0; i < n; i++) {
        poly1305_mulx_block(h, key, p + 16 * i);
        __asm__ volatile("" : "+r"(h->n[0]));
    }
    return p + 16 * n;
}

CHACHA_INLINE void chain_end(struct poly1305_core *core, struct poly1305_mulx_int h,
                             const struct poly1305_mulx_key *key)
{
    poly1305_mulx_multiply(&h, key);
    core->h[0] = h.n[0];
    core->h[1] = h.n[1];
    core->h[2] = h.n[2];
}

/*
 * Zeroes what the functions called before from the same place left on the stack below it: copies of
 * the hash and its key, which a kernel's `stack` does not reach under a long message's frame.
 */
NOINLINE void wipe_frames(void)
{
    uint8_t frame[WIPE_FRAMES];

    chacha_wipe(frame, sizeof(frame));
}

/* "expand 32-byte k" */
CHACHA_INLINE __m128i input_constants(void)
{
    return _mm_setr_epi32(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
}

/*
 * Counter 0 and the nonce. Put together in a register: storing the nonce in pieces and loading it
 * whole would wait until the stores are through.
 */
CHACHA_INLINE __m128i input_nonce(const uint8_t nonce[12])
{
    const __m128i tail = _mm_cvtsi64_si128((int64_t)load_le64(nonce + 4));
    const __m128i head = _mm_cvtsi32_si128((int)load_le32(nonce));

    return _mm_unpacklo_epi64(_mm_slli_epi64(head, 32), tail);
}

/* Blocks 0 and 1 as rows. */
CHACHA_INLINE struct chacha_pair input_pair(const uint8_t nonce[12], const uint8_t key[32])
{
    struct chacha_pair in;

    in.a = _mm256_broadcastsi128_si256(input_constants());
    in.b = chacha_pair_row(key);
    in.c = chacha_pair_row(key + 16);
    in.d = _mm256_broadcastsi128_si256(input_nonce(nonce));
    in.d = _mm256_add_epi32(in.d, _mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0));
    return in;
}

/* Block 0 as words. */
CHACHA_INLINE void input_state(uint32_t state[16], const uint8_t nonce[12], const uint8_t key[32])
{
    _mm_storeu_si128((__m128i *)(void *)state, input_constants());
    chacha_store(state + 4, chacha_load(key));
    _mm_storeu_si128((__m128i *)(void *)(state + 12), input_nonce(nonce));
}

/*
 * len <= 64. The ciphertext is hashed from a copy with zeros behind it, for what has been stored by a
 * mask can be loaded only once it has reached the cache.
 */
CHACHA_INLINE void lone(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                        const uint8_t key[32], enum direction direction)
{
    const struct chacha_input input = chacha_input_direct(0, nonce, key);
    const struct chacha_pair in = chacha_pair_of(&input);
    const __m128i first = block_padded(aad, aad_len);
    uint8_t padded[64] __attribute__((aligned(32)));
    const uint8_t *p = padded;
    size_t nblocks = (len + 15) / 16;
    struct chacha_pair x = in;
    struct hash hash;

    for (int i = ten(); i > 0; i--) {
        chacha_pairs_double_round(&x, 1);
    }
    hash_begin_rows(&hash, _mm256_castsi256_si128(_mm256_add_epi32(x.a, in.a)),
                    _mm256_castsi256_si128(_mm256_add_epi32(x.b, in.b)));
    chacha_pair_end(&x, &in, 0);
    hash_aad(&hash, first, aad, aad_len);
    if (len > 0) {
        const uint64_t mask = _bzhi_u64(~UINT64_C(0), (unsigned)len);

        chacha_store(padded,
                     chacha_xor_padded32(dst, src, (__mmask32)mask, x.c, direction == OPEN));
        if (len > 32) {
            chacha_store(padded + 32,
                         chacha_xor_padded32(dst + 32, src + 32, (__mmask32)(mask >> 32), x.d,
                                             direction == OPEN));
        }
        if (aad_len == 0) {
            hash_first(&hash, load_le64(p), load_le64(p + 8));
            p += 16;
            nblocks--;
        }
        poly1305_mulx_blocks(&hash.h, &hash.key, p, nblocks);
    }
    hash_end(&hash, aad_len, len, tag);
}

/* Two or three pairs: len <= 128 pairs - 64 bytes, for which pairs - 1 would not do. */
CHACHA_INLINE void few(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                       const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                       const uint8_t key[32], enum direction direction, int pairs)
{
    const struct chacha_pair in = input_pair(nonce, key);
    const __m128i first = block_padded(aad, aad_len);
    struct chacha_pair x[3];
    struct hash hash;

    chacha_pairs_begin(x, pairs, &in);
    for (int i = ten(); i > 0; i--) {
        chacha_pairs_double_round(x, pairs);
    }
    hash_begin_rows(&hash, _mm256_castsi256_si128(_mm256_add_epi32(x[0].a, in.a)),
                    _mm256_castsi256_si128(_mm256_add_epi32(x[0].b, in.b)));
    chacha_pair_end(&x[0], &in, 0);
    hash_aad(&hash, first, aad, aad_len);
    if (direction == OPEN) {
        hash_padded(&hash, src, len);
    }
    chacha_xor_block(dst, src, 64, x[0].c, x[0].d);
    chacha_pair_end(&x[1], &in, 1);
    chacha_xor_pair(dst + 64, src + 64, len - 64, &x[1]);
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
        chacha_xor_pair(dst + 192, src + 192, len - 192, &x[2]);
    }
    if (direction == SEAL) {
        hash_padded(&hash, dst, len);
    }
    hash_end(&hash, aad_len, len, tag);
}

#define ARGUMENTS                                                                                  \
    uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len, const uint8_t *aad,             \
        size_t aad_len, const uint8_t nonce[12], const uint8_t key[32]
#define PASS dst, tag, src, len, aad, aad_len, nonce, key

/* Each size in a function of its own: the frames, and what is pushed at entry, stay small. */
#define DEFINE(name, body)                                                                         \
    NOINLINE void name(ARGUMENTS)                                                                  \
    {                                                                                              \
        body;                                                                                      \
    }

DEFINE(seal_1, lone(PASS, SEAL))
DEFINE(open_1, lone(PASS, OPEN))

/* The kernel's function, seal or open, where `longer` sees to more than 320 bytes. */
#define DEFINE_BY_LENGTH(way, direction, longer)                                                   \
    DEFINE(way##_2, few(PASS, direction, 2))                                                       \
    DEFINE(way##_3, few(PASS, direction, 3))                                                       \
    static void way(ARGUMENTS)                                                                     \
    {                                                                                              \
        if (len <= 64) {                                                                           \
            way##_1(PASS);                                                                         \
        } else if (len <= 192) {                                                                   \
            way##_2(PASS);                                                                         \
        } else if (len <= 320) {                                                                   \
            way##_3(PASS);                                                                         \
        } else {                                                                                   \
            longer(PASS);                                                                          \
        }                                                                                          \
    }

#endif
