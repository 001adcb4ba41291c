/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D) on 128-bit registers: AES-NI and PCLMULQDQ, in their AVX encodings.
 *
 * A message is taken in two parts. The bulk, 128 bytes at a time, runs the AES rounds of eight
 * blocks with the GHASH of eight blocks between them (aes_gcm_stitched.h). The last 1 to 128 bytes,
 * and so the whole of a short message, are encrypted in one go together with J0; all their blocks,
 * the additional data and the lengths are multiplied by powers of H of their own and share one
 * reduction.
 *
 * Counter blocks are kept with their last word little-endian, where one 32-bit addition counts and
 * wraps as the standard wants; a byte shuffle makes blocks of them.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"
#include "../kernel.h"
#include "aes_gcm_partial.h"
#include "aes_key_aesni.h"
#include "ghash_clmul.h"

#define BULK   128 /* bytes of a turn of the bulk loop */
#define POWERS 10  /* 8 blocks of text, the additional data, the lengths */

/* The powers of H, then the halves of each, added (Karatsuba's third operand). */
struct gcm_table {
    uint8_t round_key[AES_MAX_ROUNDS + 1][16];
    uint8_t power[2 * POWERS * 16]; /* H^10 * x, ..., H^1 * x */
    uint64_t rounds;
};

#define STITCHED_LANES 1
#include "aes_gcm_stitched.h"

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "table too large");

/* Where H^n stands. */
#define POWER_AT(t, n) ((t)->power + 16 * (POWERS - (n)))
#define FOLD_OFFSET    (POWERS * 16)

GCM_INLINE __m128i round_key(const struct gcm_table *t, size_t i)
{
    return load128(t->round_key[i]);
}

GCM_INLINE __m128i count(__m128i counter, size_t n)
{
    return _mm_add_epi32(counter, _mm_set_epi32((int)(uint32_t)n, 0, 0, 0));
}

/*
 * A store that does happen, and whose value has to be loaded again: what is put away so does not
 * end up in a place of the compiler's choice, and can be wiped.
 */
GCM_INLINE void put128(uint8_t *p, __m128i v)
{
    store128(p, v);
    __asm__ volatile("" : : "r"(p) : "memory");
}

GCM_INLINE __m256i pair(__m128i low, __m128i high)
{
    return _mm256_insertf128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* ---- GHASH ---- */

GCM_INLINE struct ghash_sum sum_zero(void)
{
    struct ghash_sum sum = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};

    return sum;
}

/* sum += block * *power; the three multiplications together, see aes_gcm_stitched.h */
GCM_INLINE void sum_add(struct ghash_sum *sum, __m128i block, const uint8_t *power)
{
#if GCM_ASM
    __m128i folded = ghash_fold(block);
    __m128i product;

    __asm__("vpclmulqdq $0x00, (%[power]), %[x], %[product]\n\t"
            "vpclmulqdq $0x11, (%[power]), %[x], %[x]\n\t"
            "vpclmulqdq $0x00, %c[fold](%[power]), %[f], %[f]\n\t"
            "vpxor %[product], %[lo], %[lo]\n\t"
            "vpxor %[x], %[hi], %[hi]\n\t"
            "vpxor %[f], %[mid], %[mid]"
            : [x] "+x"(block), [f] "+x"(folded), [lo] "+x"(sum->lo), [mid] "+x"(sum->mid),
              [hi] "+x"(sum->hi), [product] "=&x"(product)
            : [power] "r"(power), [fold] "i"(FOLD_OFFSET), "m"(*(const uint8_t(*)[16])power),
              "m"(*(const uint8_t(*)[16])(power + FOLD_OFFSET)));
#else
    ghash_mul_add(sum, block, load128(power), load128(power + FOLD_OFFSET));
#endif
}

/* GHASH of n bytes padded with zeros */
GCM_INLINE __m128i hash_bytes(const struct gcm_table *t, const uint8_t *p, size_t n)
{
    __m128i y = _mm_setzero_si128();

    while (n != 0) {
        size_t blocks = n >= BULK ? BULK / 16 : (n + 15) / 16;
        const uint8_t *power = POWER_AT(t, blocks);
        struct ghash_sum sum = sum_zero();

        for (; blocks != 0; blocks--) {
            __m128i x = n < 16 ? load_partial(p, n) : load128(p);

            sum_add(&sum, _mm_xor_si128(gcm_reverse(x), y), power);
            y = _mm_setzero_si128();
            n -= n < 16 ? n : 16;
            p += 16;
            power += 16;
        }
        y = ghash_reduce(&sum);
    }
    return y;
}

static __attribute__((noinline)) __m128i hash_aad(const struct gcm_table *t, const uint8_t *aad,
                                                  size_t aad_len)
{
    return hash_bytes(t, aad, aad_len);
}

/* y after the additional data, and J0 of a nonce not 12 bytes long, as a counter */
static __attribute__((noinline)) __m256i hash_aad_and_nonce(const struct gcm_table *t,
                                                            const uint8_t *aad, size_t aad_len,
                                                            const uint8_t *nonce, size_t nonce_len)
{
    __m128i j0 = _mm_xor_si128(hash_bytes(t, nonce, nonce_len), gcm_lengths(0, nonce_len));

    j0 = gcm_reverse(ghash_mul(j0, load128(POWER_AT(t, 1))));
    return pair(hash_bytes(t, aad, aad_len), gcm_counter_block(j0));
}

/* ---- Key ---- */

static void store_power(struct gcm_table *t, size_t n, __m128i v)
{
    store128(POWER_AT(t, n), v);
    store128(POWER_AT(t, n) + FOLD_OFFSET, ghash_fold(v));
}

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    struct gcm_table *t = table;
    unsigned rounds = aes_key_expand(t->round_key[0], key, key_len);
    __m128i h1 = ghash_key(aes_encrypt_block(t->round_key[0], rounds, _mm_setzero_si128()));
    __m128i h2 = ghash_mul(h1, h1);
    __m128i h3 = ghash_mul(h2, h1);
    __m128i h4 = ghash_mul(h2, h2);
    __m128i h8 = ghash_mul(h4, h4);

    t->rounds = rounds;
    store_power(t, 1, h1);
    store_power(t, 2, h2);
    store_power(t, 3, h3);
    store_power(t, 4, h4);
    store_power(t, 5, ghash_mul(h4, h1));
    store_power(t, 6, ghash_mul(h4, h2));
    store_power(t, 7, ghash_mul(h4, h3));
    store_power(t, 8, h8);
    store_power(t, 9, ghash_mul(h8, h1));
    store_power(t, 10, ghash_mul(h8, h2));
}

/* ---- AES ---- */

/*
 * Chains of blocks e0, e1, ... through all rounds. `opaque` keeps GCC from loading the round keys
 * that several branches have in common ahead of them all, onto the stack.
 */
GCM_INLINE const struct gcm_table *opaque(const struct gcm_table *t)
{
    __asm__("" : "+r"(t));
    return t;
}

#define CHAINS_1(f)      f(0)
#define CHAINS_2(f)      CHAINS_1(f) f(1)
#define CHAINS_3(f)      CHAINS_2(f) f(2)
#define CHAINS_5(f)      CHAINS_3(f) f(3) f(4)
#define CHAINS_7(f)      CHAINS_5(f) f(5) f(6)
#define CHAINS_8(f)      CHAINS_7(f) f(7)
#define CHAINS_9(f)      CHAINS_8(f) f(8)

#define CHAIN_START(i)   e##i = gcm_counter_block((i) == 0 ? j0 : count(end, (size_t)1 - (i)));
#define CHAIN_WHITEN(i)  e##i = _mm_xor_si128(e##i, key);
#define CHAIN_ENC(i)     e##i = _mm_aesenc_si128(e##i, key);
#define CHAIN_ENCLAST(i) e##i = _mm_aesenclast_si128(e##i, key);

#define CHAINS_ROUND(chains, i)                                                                    \
    key = round_key(keys, i);                                                                      \
    chains(CHAIN_ENC)

#define CHAINS_ENCRYPT(chains)                                                                     \
    do {                                                                                           \
        const struct gcm_table *keys = opaque(t);                                                  \
        __m128i key = round_key(keys, 0);                                                          \
                                                                                                   \
        chains(CHAIN_WHITEN);                                                                      \
        CHAINS_ROUND(chains, 1);                                                                   \
        CHAINS_ROUND(chains, 2);                                                                   \
        CHAINS_ROUND(chains, 3);                                                                   \
        CHAINS_ROUND(chains, 4);                                                                   \
        CHAINS_ROUND(chains, 5);                                                                   \
        CHAINS_ROUND(chains, 6);                                                                   \
        CHAINS_ROUND(chains, 7);                                                                   \
        CHAINS_ROUND(chains, 8);                                                                   \
        CHAINS_ROUND(chains, 9);                                                                   \
        if (keys->rounds > 10) {                                                                   \
            CHAINS_ROUND(chains, 10);                                                              \
            CHAINS_ROUND(chains, 11);                                                              \
            if (keys->rounds > 12) {                                                               \
                CHAINS_ROUND(chains, 12);                                                          \
                CHAINS_ROUND(chains, 13);                                                          \
            }                                                                                      \
        }                                                                                          \
        key = round_key(keys, keys->rounds);                                                       \
        chains(CHAIN_ENCLAST);                                                                     \
    } while (0)

/* ---- Bulk ---- */

/* y = GHASH of 128 bytes from y on */
GCM_INLINE __m128i hash_128(const struct gcm_table *t, const uint8_t *hashed, __m128i y)
{
    struct ghash_sum sum = sum_zero();

    for (size_t i = 0; i < BULK; i += 16) {
        sum_add(&sum, _mm_xor_si128(gcm_reverse(load128(hashed + i)), y), POWER_AT(t, 8) + i);
        y = _mm_setzero_si128();
    }
    return ghash_reduce(&sum);
}

#define OUTPUT(i) store128(dst + 16 * (i), _mm_xor_si128(e##i, load128(src + 16 * (i))));

/* Counter mode alone; c is the counter of the first block. */
GCM_INLINE void encrypt_128(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, __m128i c)
{
    __m128i e0 = gcm_counter_block(c);
    __m128i e1 = gcm_counter_block(count(c, 1));
    __m128i e2 = gcm_counter_block(count(c, 2));
    __m128i e3 = gcm_counter_block(count(c, 3));
    __m128i e4 = gcm_counter_block(count(c, 4));
    __m128i e5 = gcm_counter_block(count(c, 5));
    __m128i e6 = gcm_counter_block(count(c, 6));
    __m128i e7 = gcm_counter_block(count(c, 7));

    CHAINS_ENCRYPT(CHAINS_8);
    CHAINS_8(OUTPUT);
}

/*
 * All of the text but the last 1 to 128 bytes; sealing leaves the last 128 that it wrote to be
 * hashed by the caller. For counters that do not start at 2 and builds without assembly. Takes y
 * and J0 in one register and returns the new y and J0 likewise: so the caller has no secret to
 * keep over the call, which no vector register survives.
 */
static __attribute__((noinline)) __m256i bulk_plain(const struct gcm_table *t, uint8_t *dst,
                                                    const uint8_t *src, size_t turns,
                                                    __m256i y_and_j0, int sealing)
{
    struct gcm_slots slots;
    __m128i j0;

    put128(slots.y, _mm256_castsi256_si128(y_and_j0));
    put128(slots.counter, count(_mm256_extractf128_si256(y_and_j0, 1), 1));
    for (size_t i = 0; i < turns; i++) {
        if (!sealing) {
            put128(slots.y, hash_128(t, src, load128(slots.y)));
        }
        encrypt_128(t, dst, src, load128(slots.counter));
        put128(slots.counter, count(load128(slots.counter), 8));
        if (sealing && i + 1 < turns) {
            put128(slots.y, hash_128(t, dst, load128(slots.y)));
        }
        src += BULK;
        dst += BULK;
    }
    j0 = count(load128(slots.counter), 0 - (8 * turns + 1));
    y_and_j0 = pair(load128(slots.y), j0);
    put128(slots.counter, _mm_setzero_si128());
    put128(slots.y, _mm_setzero_si128());
    return y_and_j0;
}

#if GCM_ASM

/* The same for a 12-byte nonce. Returns y. */
GCM_INLINE __m128i bulk(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, size_t turns,
                        __m128i y, size_t y_blocks, __m128i counter, int sealing)
{
    struct ghash_sum sum = sum_zero();
    struct gcm_slots slots;

    if (y_blocks != 0) {
        sum_add(&sum, y, POWER_AT(t, 1));
    } else {
        sum.mid = y; /* what reduces to y */
        sum.hi = y;
    }
    if (sealing) {
        encrypt_128(t, dst, src, counter);
        turns--;
        if (turns == 0) {
            return ghash_reduce(&sum);
        }
        store128(slots.counter, count(counter, 8));
        sum.hi =
            gcm_bulk_loop(t, dst + BULK, src + BULK, dst, turns, &slots, sum.lo, sum.mid, sum.hi);
    } else {
        store128(slots.counter, counter);
        sum.hi = gcm_bulk_loop(t, dst, src, src, turns, &slots, sum.lo, sum.mid, sum.hi);
    }
    put128(slots.y, _mm_setzero_si128());
    return sum.hi;
}

#endif

/* ---- The last 0 to 128 bytes ---- */

/* Block e##k, 16 * k bytes before the pointers. */
#define TEXT_BLOCK(k)                                                                              \
    do {                                                                                           \
        __m128i in = load128(src - 16 * (k));                                                      \
        __m128i out = _mm_xor_si128(in, e##k);                                                     \
                                                                                                   \
        store128(dst - 16 * (k), out);                                                             \
        sum_add(&sum, gcm_reverse(sealing ? out : in), POWER_AT(t, (k) + 1));                      \
    } while (0)

GCM_INLINE void gcm_crypt(const struct gcm_table *t, uint8_t *dst, uint8_t tag[16],
                          const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                          const uint8_t *nonce, size_t nonce_len, int sealing)
{
    const size_t text_len = len;
    const uint8_t *hashed = NULL; /* 128 bytes of ciphertext not hashed yet */
    size_t y_blocks = 1; /* y is one block to be multiplied, or (0) has been multiplied already */
    size_t before = 0;   /* blocks of text in the bulk */
    size_t blocks;
    struct ghash_sum sum;
    __m128i y = _mm_setzero_si128();
    __m128i e0, e1, e2, e3, e4, e5, e6, e7, e8, j0, end;

    if (nonce_len == 12) {
        if (aad_len > 16) {
            y = hash_aad(t, aad, aad_len);
            y_blocks = 0;
        } else if (aad_len == 16) {
            y = gcm_reverse(load128(aad));
        } else if (aad_len != 0) {
            y = gcm_reverse(load_partial(aad, aad_len));
        }
        j0 = gcm_start_counter(nonce);
    } else {
        __m256i both = hash_aad_and_nonce(t, aad, aad_len, nonce, nonce_len);

        y = _mm256_castsi256_si128(both);
        j0 = _mm256_extractf128_si256(both, 1);
        y_blocks = 0;
    }

    if (len > BULK) {
        size_t turns = (len - 1) / BULK;
        int plain = 1;

#if GCM_ASM
        if (nonce_len == 12) {
            y = bulk(t, dst, src, turns, y, y_blocks, count(j0, 1), sealing);
            j0 = gcm_start_counter(nonce);
            plain = 0;
        }
#endif
        if (plain) {
            __m256i both;

            if (y_blocks != 0) {
                y = ghash_mul(y, load128(POWER_AT(t, 1)));
            }
            both = bulk_plain(t, dst, src, turns, pair(y, j0), sealing);
            y = _mm256_castsi256_si128(both);
            j0 = _mm256_extractf128_si256(both, 1);
        }
        y_blocks = 0;
        dst += turns * BULK;
        src += turns * BULK;
        len -= turns * BULK;
        before = 8 * turns;
        hashed = dst - BULK;
    }

    blocks = (len + 15) / 16;
    if (blocks != 0) { /* the pointers may be NULL */
        src += 16 * blocks;
        dst += 16 * blocks;
    }
    if (sealing && hashed != NULL) {
        y = hash_128(t, hashed, y);
    }

    /* J0 in e0; the text, last block first, in e1, e2, ...; what is one too many counts back */
    end = count(j0, before + blocks);
    e1 = e2 = e3 = e4 = e5 = e6 = e7 = e8 = end;
    if (blocks <= 2) {
        if (blocks == 0) {
            CHAINS_1(CHAIN_START);
            CHAINS_ENCRYPT(CHAINS_1);
        } else if (blocks == 1) {
            CHAINS_2(CHAIN_START);
            CHAINS_ENCRYPT(CHAINS_2);
        } else {
            CHAINS_3(CHAIN_START);
            CHAINS_ENCRYPT(CHAINS_3);
        }
    } else if (blocks <= 4) {
        CHAINS_5(CHAIN_START);
        CHAINS_ENCRYPT(CHAINS_5);
    } else if (blocks <= 6) {
        CHAINS_7(CHAIN_START);
        CHAINS_ENCRYPT(CHAINS_7);
    } else {
        CHAINS_9(CHAIN_START);
        CHAINS_ENCRYPT(CHAINS_9);
    }

    sum = sum_zero();
    sum_add(&sum, y, POWER_AT(t, blocks + 1 + y_blocks));
    sum_add(&sum, gcm_lengths(aad_len, text_len), POWER_AT(t, 1));
    if (blocks > 1) {
        if (blocks > 2) {
            if (blocks > 3) {
                if (blocks > 4) {
                    if (blocks > 5) {
                        if (blocks > 6) {
                            if (blocks > 7) {
                                TEXT_BLOCK(8);
                            }
                            TEXT_BLOCK(7);
                        }
                        TEXT_BLOCK(6);
                    }
                    TEXT_BLOCK(5);
                }
                TEXT_BLOCK(4);
            }
            TEXT_BLOCK(3);
        }
        TEXT_BLOCK(2);
    }
    if (len % 16 != 0) {
        sum_add(&sum, gcm_partial_block(dst - 16, src - 16, len % 16, e1, text_len > 16, sealing),
                POWER_AT(t, 2));
    } else if (blocks != 0) {
        TEXT_BLOCK(1);
    }
    store128(tag, _mm_xor_si128(gcm_reverse(ghash_reduce(&sum)), e0));
}

static void gcm_seal(const void *table, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                     const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    gcm_crypt(table, ct, tag, pt, len, aad, aad_len, nonce, nonce_len, 1);
}

static void gcm_open(const void *table, uint8_t *pt, uint8_t tag[16], const uint8_t *ct, size_t len,
                     const uint8_t *aad, size_t aad_len, const uint8_t *nonce, size_t nonce_len)
{
    gcm_crypt(table, pt, tag, ct, len, aad, aad_len, nonce, nonce_len, 0);
}

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_aesni) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
};
