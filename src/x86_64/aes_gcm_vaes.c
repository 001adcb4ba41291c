/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D) on 256-bit registers: two blocks in each, AES rounds by VAES, GHASH by
 * VPCLMULQDQ.
 *
 * A message is taken in two parts. The bulk, 256 bytes at a time, runs the AES rounds of sixteen
 * blocks with the GHASH of sixteen blocks between them (aes_gcm_stitched.h). The last 1 to 256 bytes, and so the whole of a short
 * message, go through the second half of gcm_crypt: all their blocks, the additional data and the lengths are
 * multiplied by powers of H of their own and share one reduction.
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
#define BULK   256 /* bytes of a turn of the bulk loop */
#define POWERS 18  /* 16 blocks of text, the additional data, the lengths */

/*
 * The powers of H, then the halves of each, added (Karatsuba's third operand). A single block is
 * multiplied as a pair, so the entry after its own is loaded too: hence one more.
 */
struct gcm_table {
    uint8_t round_key[AES_MAX_ROUNDS + 1][16];
    uint8_t power[(2 * POWERS + 1) * 16]; /* H^18 * x, ..., H^1 * x */
    uint64_t rounds;
};

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "table too large");

/* Where H^n stands. */
#define POWER_AT(t, n) ((t)->power + 16 * (POWERS - (n)))
#define FOLD_OFFSET    (POWERS * 16)

#define STITCHED_LANES 2
#include "aes_gcm_stitched.h"
#include "ghash_vpclmul.h"

/*
 * A store that does happen, and whose value has to be loaded again: what is put away so does not
 * end up in a place of the compiler's choice, and can be wiped.
 */
GCM_INLINE void put256(uint8_t *p, __m256i v)
{
    store256(p, v);
    __asm__ volatile("" : : "r"(p) : "memory");
}

GCM_INLINE __m256i round_key(const struct gcm_table *t, size_t i)
{
    return _mm256_broadcastsi128_si256(load128(t->round_key[i]));
}

/* gcm_counter_block on two */
GCM_INLINE __m256i counter_blocks(__m256i v)
{
    return _mm256_shuffle_epi8(v, _mm256_set_epi64x(0x0c0d0e0f0b0a0908LL, 0x0706050403020100LL,
                                                    0x0c0d0e0f0b0a0908LL, 0x0706050403020100LL));
}

GCM_INLINE __m256i count(__m256i counters, int n)
{
    return _mm256_add_epi32(counters, _mm256_set_epi32(n, 0, 0, 0, n, 0, 0, 0));
}

/* ---- GHASH ---- */

/* GHASH of n bytes padded with zeros */
GCM_INLINE __m128i hash_bytes(const struct gcm_table *t, const uint8_t *p, size_t n)
{
    __m256i first = _mm256_setzero_si256();
    struct vaes_sum sum;
    const uint8_t *power;

    while (n > BULK) {
        sum = sum_zero();
        for (size_t i = 0; i < BULK; i += 32) {
            __m256i x = reverse_blocks(load256(p + i));

            sum_add_at(&sum, _mm256_xor_si256(x, first), POWER_AT(t, 16) + i);
            first = _mm256_setzero_si256();
        }
        first = _mm256_zextsi128_si256(sum_reduce(&sum));
        p += BULK;
        n -= BULK;
    }
    sum = sum_zero();
    power = POWER_AT(t, (n + 15) / 16);
    for (; n >= 32; n -= 32) {
        sum_add_at(&sum, _mm256_xor_si256(reverse_blocks(load256(p)), first), power);
        first = _mm256_setzero_si256();
        p += 32;
        power += 32;
    }
    for (; n != 0; n -= n < 16 ? n : 16) {
        __m128i x = n < 16 ? load_partial(p, n) : load128(p);
        __m256i block = _mm256_zextsi128_si256(gcm_reverse(x));

        sum_add_at(&sum, _mm256_xor_si256(block, first), power);
        first = _mm256_setzero_si256();
        p += 16;
        power += 16;
    }
    return sum_reduce(&sum);
}

static __attribute__((noinline)) __m128i hash_aad(const struct gcm_table *t, const uint8_t *aad,
                                                  size_t aad_len)
{
    return hash_bytes(t, aad, aad_len);
}

/* y after the additional data, and J0 of a nonce of another length, as a counter */
static __attribute__((noinline)) __m256i hash_aad_and_nonce(const struct gcm_table *t,
                                                            const uint8_t *aad, size_t aad_len,
                                                            const uint8_t *nonce, size_t nonce_len)
{
    __m128i j0 = _mm_xor_si128(hash_bytes(t, nonce, nonce_len), gcm_lengths(0, nonce_len));

    j0 = gcm_reverse(ghash_mul(j0, load128(POWER_AT(t, 1))));
    return pair(hash_bytes(t, aad, aad_len), gcm_counter_block(j0));
}

/* The counters of the blocks n and n + 1 after J0. */
GCM_INLINE __m256i start_counters(__m128i j0, size_t n)
{
    return _mm256_add_epi32(
        _mm256_broadcastsi128_si256(j0),
        _mm256_set_epi32((int)(uint32_t)(n + 1), 0, 0, 0, (int)(uint32_t)n, 0, 0, 0));
}

/* ---- Key ---- */

static void store_power(struct gcm_table *t, size_t n, __m256i v)
{
    store256(POWER_AT(t, n), v);
    store256(POWER_AT(t, n) + FOLD_OFFSET, _mm256_xor_si256(v, _mm256_shuffle_epi32(v, 0x4e)));
}

/* Both halves times the power in both halves of b. */
GCM_INLINE __m256i mul_pair(__m256i a, __m256i b)
{
    struct vaes_sum sum = sum_zero();

    sum_add(&sum, a, b, _mm256_xor_si256(b, _mm256_shuffle_epi32(b, 0x4e)));
    return sum_reduce_pair(&sum);
}

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    struct gcm_table *t = table;
    unsigned rounds = aes_key_expand(t->round_key[0], key, key_len);
    __m128i h = ghash_key(aes_encrypt_block(t->round_key[0], rounds, _mm_setzero_si128()));
    __m128i h2 = ghash_mul(h, h);
    __m256i p2 = pair(h2, h);
    __m256i by = _mm256_broadcastsi128_si256(h2);
    __m256i p4 = mul_pair(p2, by);
    __m256i p6;
    __m256i p8;

    t->rounds = rounds;
    store_power(t, 2, p2);
    store_power(t, 4, p4);
    by = _mm256_permute2x128_si256(p4, p4, 0x00);
    p6 = mul_pair(p2, by);
    p8 = mul_pair(p4, by);
    store_power(t, 6, p6);
    store_power(t, 8, p8);
    by = _mm256_permute2x128_si256(p8, p8, 0x00);
    store_power(t, 10, mul_pair(p2, by));
    store_power(t, 12, mul_pair(p4, by));
    store_power(t, 14, mul_pair(p6, by));
    p8 = mul_pair(p8, by);
    store_power(t, 16, p8);
    by = _mm256_permute2x128_si256(p8, p8, 0x00);
    store_power(t, 18, mul_pair(p2, by));
    store128(POWER_AT(t, 0) + FOLD_OFFSET, _mm_setzero_si128());
}

/* ---- Bulk ---- */

/* y = GHASH of 256 bytes from y on */
GCM_INLINE __m256i hash_256(const struct gcm_table *t, const uint8_t *hashed, __m256i y)
{
    struct vaes_sum sum = sum_zero();

    for (size_t i = 0; i < BULK; i += 32) {
        __m256i x = reverse_blocks(load256(hashed + i));

        sum_add_at(&sum, _mm256_xor_si256(x, y), POWER_AT(t, 16) + i);
        y = _mm256_setzero_si256();
    }
    return _mm256_zextsi128_si256(sum_reduce(&sum));
}

#define AES_8(op)                                                                                  \
    do {                                                                                           \
        b0 = op(b0, key);                                                                          \
        b1 = op(b1, key);                                                                          \
        b2 = op(b2, key);                                                                          \
        b3 = op(b3, key);                                                                          \
        b4 = op(b4, key);                                                                          \
        b5 = op(b5, key);                                                                          \
        b6 = op(b6, key);                                                                          \
        b7 = op(b7, key);                                                                          \
    } while (0)

#define ROUND_8(i)                                                                                 \
    do {                                                                                           \
        key = round_key(t, i);                                                                     \
        AES_8(_mm256_aesenc_epi128);                                                               \
    } while (0)

#define OUTPUT(i)                                                                                  \
    store256(dst + 32 * (i),                                                                       \
             _mm256_aesenclast_epi128(b##i, _mm256_xor_si256(key, load256(src + 32 * (i)))))

/* Counter mode alone; c is the counter of the first two blocks. */
GCM_INLINE void encrypt_256(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, __m256i c)
{
    __m256i b0 = counter_blocks(c);
    __m256i b1 = counter_blocks(count(c, 2));
    __m256i b2 = counter_blocks(count(c, 4));
    __m256i b3 = counter_blocks(count(c, 6));
    __m256i b4 = counter_blocks(count(c, 8));
    __m256i b5 = counter_blocks(count(c, 10));
    __m256i b6 = counter_blocks(count(c, 12));
    __m256i b7 = counter_blocks(count(c, 14));
    __m256i key = round_key(t, 0);
    size_t rounds = t->rounds;

    AES_8(_mm256_xor_si256);
    ROUND_8(1);
    ROUND_8(2);
    ROUND_8(3);
    ROUND_8(4);
    ROUND_8(5);
    ROUND_8(6);
    ROUND_8(7);
    ROUND_8(8);
    ROUND_8(9);
    if (rounds > 10) {
        ROUND_8(10);
        ROUND_8(11);
        if (rounds > 12) {
            ROUND_8(12);
            ROUND_8(13);
        }
    }
    key = round_key(t, rounds);
    OUTPUT(0);
    OUTPUT(1);
    OUTPUT(2);
    OUTPUT(3);
    OUTPUT(4);
    OUTPUT(5);
    OUTPUT(6);
    OUTPUT(7);
}

/*
 * All of the text but the last 1 to 256 bytes; sealing leaves the last 256 that it wrote to be
 * hashed by the caller. For counters that do not start at 2 and builds without assembly. Takes y
 * and J0 in one register and returns the new y and J0 likewise: so the caller has no secret to
 * keep over the call, which no vector register survives.
 */
static __attribute__((noinline)) __m256i bulk_plain(const struct gcm_table *t, uint8_t *dst,
                                                    const uint8_t *src, size_t turns,
                                                    __m256i y_and_j0, int sealing)
{
    struct gcm_slots slots;
    __m256i j0;

    put256(slots.y, _mm256_zextsi128_si256(_mm256_castsi256_si128(y_and_j0)));
    put256(slots.counter, start_counters(_mm256_extracti128_si256(y_and_j0, 1), 1));
    for (size_t i = 0; i < turns; i++) {
        if (!sealing) {
            put256(slots.y, hash_256(t, src, load256(slots.y)));
        }
        encrypt_256(t, dst, src, load256(slots.counter));
        put256(slots.counter, count(load256(slots.counter), 16));
        if (sealing && i + 1 < turns) {
            put256(slots.y, hash_256(t, dst, load256(slots.y)));
        }
        src += BULK;
        dst += BULK;
    }
    j0 = count(load256(slots.counter), (int)(0 - (uint32_t)(16 * turns + 1)));
    y_and_j0 = _mm256_permute2x128_si256(load256(slots.y), j0, 0x20);
    put256(slots.counter, _mm256_setzero_si256());
    put256(slots.y, _mm256_setzero_si256());
    return y_and_j0;
}

#if GCM_ASM

/* The same for a 12-byte nonce. Returns y. */
GCM_INLINE __m128i bulk(const struct gcm_table *t, uint8_t *dst, const uint8_t *src, size_t turns,
                        __m128i y, size_t y_blocks, __m256i counters, int sealing)
{
    struct vaes_sum sum = sum_zero();
    struct gcm_slots slots;

    if (y_blocks != 0) {
        sum_add_at(&sum, _mm256_zextsi128_si256(y), POWER_AT(t, 1));
    } else {
        sum.mid = _mm256_zextsi128_si256(y); /* what reduces to y */
        sum.hi = sum.mid;
    }
    if (sealing) {
        encrypt_256(t, dst, src, counters);
        turns--;
        if (turns == 0) {
            return sum_reduce(&sum);
        }
        store256(slots.counter, count(counters, 16));
        sum.hi =
            gcm_bulk_loop(t, dst + BULK, src + BULK, dst, turns, &slots, sum.lo, sum.mid, sum.hi);
    } else {
        store256(slots.counter, counters);
        sum.hi = gcm_bulk_loop(t, dst, src, src, turns, &slots, sum.lo, sum.mid, sum.hi);
    }
    put256(slots.y, _mm256_setzero_si256());
    return _mm256_castsi256_si128(sum.hi);
}

#endif

/* ---- The last 0 to 256 bytes ---- */

/*
 * The same pointer, which the compiler takes for another: else GCC loads the round keys that the
 * branches have in common ahead of them all, and keeps them on the stack.
 */
GCM_INLINE const struct gcm_table *opaque(const struct gcm_table *t)
{
#if GCM_ASM
    __asm__("" : "+r"(t));
#endif
    return t;
}

#define CHAINS_1(f)      f(0)
#define CHAINS_2(f)      CHAINS_1(f) f(1)
#define CHAINS_3(f)      CHAINS_2(f) f(2)
#define CHAINS_4(f)      CHAINS_3(f) f(3)
#define CHAINS_5(f)      CHAINS_4(f) f(4)
#define CHAINS_9(f)      CHAINS_5(f) f(5) f(6) f(7) f(8)

#define CHAIN_WHITEN(i)  e##i = _mm256_xor_si256(e##i, key);
#define CHAIN_ENC(i)     e##i = _mm256_aesenc_epi128(e##i, key);
#define CHAIN_ENCLAST(i) e##i = _mm256_aesenclast_epi128(e##i, key);

#define CHAINS_ROUND(chains, i)                                                                    \
    key = round_key(keys, i);                                                                      \
    chains(CHAIN_ENC)

#define CHAINS_FIRST_8(chains)                                                                     \
    CHAINS_ROUND(chains, 1);                                                                       \
    CHAINS_ROUND(chains, 2);                                                                       \
    CHAINS_ROUND(chains, 3);                                                                       \
    CHAINS_ROUND(chains, 4);                                                                       \
    CHAINS_ROUND(chains, 5);                                                                       \
    CHAINS_ROUND(chains, 6);                                                                       \
    CHAINS_ROUND(chains, 7);                                                                       \
    CHAINS_ROUND(chains, 8)

#define CHAINS_ENCRYPT(chains, first_8)                                                            \
    do {                                                                                           \
        const struct gcm_table *keys = opaque(t);                                                  \
        __m256i key = round_key(keys, 0);                                                          \
                                                                                                   \
        chains(CHAIN_WHITEN);                                                                      \
        first_8(chains);                                                                           \
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

#if GCM_ASM
#define ROUND_9_HASH(i)                                                                            \
    __asm__ volatile("vmovdqu 32*" #i "(%[hashed]), %%ymm12\n\t"                                   \
                     "vpshufb %[reverse], %%ymm12, %%ymm12\n\t"                                    \
                     "vpshufd $0x4e, %%ymm12, %%ymm13\n\t"                                         \
                     "vpxor %%ymm12, %%ymm13, %%ymm13\n\t"                                         \
                     "vbroadcasti128 16*" #i "(%[t]), %%ymm15\n\t"                                 \
                     "vaesenc %%ymm15, %[e0], %[e0]\n\t"                                           \
                     "vaesenc %%ymm15, %[e1], %[e1]\n\t"                                           \
                     "vaesenc %%ymm15, %[e2], %[e2]\n\t"                                           \
                     "vaesenc %%ymm15, %[e3], %[e3]\n\t"                                           \
                     "vpclmulqdq $0x00, 240+32+32*" #i "(%[t]), %%ymm12, %%ymm14\n\t"              \
                     "vpclmulqdq $0x11, 240+32+32*" #i "(%[t]), %%ymm12, %%ymm12\n\t"              \
                     "vpclmulqdq $0x00, 528+32+32*" #i "(%[t]), %%ymm13, %%ymm13\n\t"              \
                     "vaesenc %%ymm15, %[e4], %[e4]\n\t"                                           \
                     "vaesenc %%ymm15, %[e5], %[e5]\n\t"                                           \
                     "vaesenc %%ymm15, %[e6], %[e6]\n\t"                                           \
                     "vaesenc %%ymm15, %[e7], %[e7]\n\t"                                           \
                     "vaesenc %%ymm15, %[e8], %[e8]\n\t"                                           \
                     "vpxor %%ymm14, %[lo], %[lo]\n\t"                                             \
                     "vpxor %%ymm12, %[hi], %[hi]\n\t"                                             \
                     "vpxor %%ymm13, %[mid], %[mid]"                                               \
                     : [e0] "+x"(e0), [e1] "+x"(e1), [e2] "+x"(e2), [e3] "+x"(e3), [e4] "+x"(e4),  \
                       [e5] "+x"(e5), [e6] "+x"(e6), [e7] "+x"(e7), [e8] "+x"(e8),                 \
                       [lo] "+x"(s.lo), [mid] "+x"(s.mid), [hi] "+x"(s.hi)                         \
                     : [t] "r"(t), [hashed] "r"(hashed), [reverse] "m"(gcm_reverse_mask)           \
                     : "xmm12", "xmm13", "xmm14", "xmm15", "memory")
#else
#define ROUND_9_HASH(i)                                                                            \
    do {                                                                                           \
        CHAINS_ROUND(CHAINS_9, i);                                                                 \
        sum_add_at(&s, reverse_blocks(load256(hashed + 32 * (i))), POWER_AT(t, 16) + 32 * (i));    \
    } while (0)
#endif

/* The same with the 256 bytes at `hashed`, one pair a round. */
#define CHAINS_HASH_8(chains)                                                                      \
    do {                                                                                           \
        struct vaes_sum s = sum_zero();                                                            \
                                                                                                   \
        sum_add_at(&s,                                                                             \
                   _mm256_xor_si256(reverse_blocks(load256(hashed)), _mm256_zextsi128_si256(y)),   \
                   POWER_AT(t, 16));                                                               \
        ROUND_9_HASH(1);                                                                           \
        ROUND_9_HASH(2);                                                                           \
        ROUND_9_HASH(3);                                                                           \
        ROUND_9_HASH(4);                                                                           \
        ROUND_9_HASH(5);                                                                           \
        ROUND_9_HASH(6);                                                                           \
        ROUND_9_HASH(7);                                                                           \
        CHAINS_ROUND(chains, 8);                                                                   \
        y = sum_reduce(&s);                                                                        \
    } while (0)

/* Pair e##k, 32 * k bytes before the pointers. */
#define TEXT_PAIR(k)                                                                               \
    do {                                                                                           \
        __m256i in = load256(src - 32 * (k));                                                      \
        __m256i out = _mm256_xor_si256(in, e##k);                                                  \
                                                                                                   \
        store256(dst - 32 * (k), out);                                                             \
        sum_add_at(&sum, reverse_blocks(sealing ? out : in), power - 32 * (k));                    \
    } while (0)

#define TEXT_BLOCK(stream, offset)                                                                 \
    do {                                                                                           \
        __m128i in = load128(src + (offset));                                                      \
        __m128i out = _mm_xor_si128(in, stream);                                                   \
                                                                                                   \
        store128(dst + (offset), out);                                                             \
        sum_add_at(&sum, _mm256_zextsi128_si256(gcm_reverse(sealing ? out : in)),                  \
                   power + (offset));                                                              \
    } while (0)

/* The products of y and of the lengths, whose places in the sum are the first and the last. */
GCM_INLINE void sum_add_ends(struct vaes_sum *sum, const struct gcm_table *t, __m128i y,
                             const uint8_t *y_power, size_t text_len, size_t aad_len)
{
    sum_add(sum, pair(y, gcm_lengths(aad_len, text_len)),
            pair(load128(y_power), load128(POWER_AT(t, 1))),
            pair(load128(y_power + FOLD_OFFSET), load128(POWER_AT(t, 1) + FOLD_OFFSET)));
}

GCM_INLINE void gcm_crypt(const struct gcm_table *t, uint8_t *dst, uint8_t tag[16],
                          const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                          const uint8_t *nonce, size_t nonce_len, int sealing)
{
    const size_t text_len = len;
    const uint8_t *hashed = NULL; /* 256 bytes of ciphertext not hashed yet */
    const uint8_t *power;         /* of the next block of text */
    const uint8_t *y_power;
    size_t y_blocks = 1; /* y is one block to be multiplied, or (0) has been multiplied already */
    size_t blocks;
    struct vaes_sum sum;
    __m128i j0;
    __m128i y = _mm_setzero_si128();
    __m256i counters, e0, e1, e2, e3, e4;

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
        j0 = _mm256_extracti128_si256(both, 1);
        y_blocks = 0;
    }
    counters = start_counters(j0, 1);

    if (len > BULK) {
        size_t turns = (len - 1) / BULK;
        int plain = 1;

#if GCM_ASM
        if (nonce_len == 12) {
            y = bulk(t, dst, src, turns, y, y_blocks, counters, sealing);
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
            j0 = _mm256_extracti128_si256(both, 1);
        }
        y_blocks = 0;
        counters = start_counters(j0, 16 * turns + 1);
        dst += turns * BULK;
        src += turns * BULK;
        len -= turns * BULK;
        hashed = dst - BULK;
    }

    blocks = (len + 15) / 16;
    y_power = POWER_AT(t, blocks + 1 + y_blocks);
    if (blocks != 0) { /* the pointers may be NULL */
        src += blocks / 2 * 32;
        dst += blocks / 2 * 32;
    }
    power = POWER_AT(t, blocks % 2 + 1);

    if (blocks >= 10) {
        __m256i e5, e6, e7, e8, end;

        end = _mm256_broadcastsi128_si256(
            _mm_slli_si128(_mm_cvtsi32_si128((int)(blocks & ~(size_t)1)), 12));
        end = _mm256_add_epi32(end, counters);
        e0 = counter_blocks(_mm256_inserti128_si256(end, j0, 1));
        e1 = counter_blocks(count(end, -2));
        e2 = counter_blocks(count(end, -4));
        e3 = counter_blocks(count(end, -6));
        e4 = counter_blocks(count(end, -8));
        e5 = counter_blocks(count(end, -10));
        e6 = counter_blocks(count(end, -12));
        e7 = counter_blocks(count(end, -14));
        e8 = counter_blocks(count(end, -16));
        if (sealing && hashed != NULL) {
            CHAINS_ENCRYPT(CHAINS_9, CHAINS_HASH_8);
        } else {
            CHAINS_ENCRYPT(CHAINS_9, CHAINS_FIRST_8);
        }
        sum = sum_zero();
        if (blocks >= 12) {
            if (blocks >= 14) {
                if (blocks >= 16) {
                    TEXT_PAIR(8);
                }
                TEXT_PAIR(7);
            }
            TEXT_PAIR(6);
        }
        TEXT_PAIR(5);
        sum_add_ends(&sum, t, y, y_power, text_len, aad_len);
    } else {
        if (sealing && hashed != NULL) {
            y = _mm256_castsi256_si128(hash_256(t, hashed, _mm256_zextsi128_si256(y)));
        }
        e1 = e2 = e3 = e4 = _mm256_setzero_si256();
        switch (blocks / 2) {
        case 0:
            e0 = counter_blocks(_mm256_inserti128_si256(counters, j0, 1));
            CHAINS_ENCRYPT(CHAINS_1, CHAINS_FIRST_8);
            break;
        case 1:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 2), j0, 1));
            e1 = counter_blocks(counters);
            CHAINS_ENCRYPT(CHAINS_2, CHAINS_FIRST_8);
            break;
        case 2:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 4), j0, 1));
            e1 = counter_blocks(count(counters, 2));
            e2 = counter_blocks(counters);
            CHAINS_ENCRYPT(CHAINS_3, CHAINS_FIRST_8);
            break;
        case 3:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 6), j0, 1));
            e1 = counter_blocks(count(counters, 4));
            e2 = counter_blocks(count(counters, 2));
            e3 = counter_blocks(counters);
            CHAINS_ENCRYPT(CHAINS_4, CHAINS_FIRST_8);
            break;
        default:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 8), j0, 1));
            e1 = counter_blocks(count(counters, 6));
            e2 = counter_blocks(count(counters, 4));
            e3 = counter_blocks(count(counters, 2));
            e4 = counter_blocks(counters);
            CHAINS_ENCRYPT(CHAINS_5, CHAINS_FIRST_8);
            break;
        }
        sum = sum_zero();
        sum_add_ends(&sum, t, y, y_power, text_len, aad_len);
    }

    if (blocks >= 2) {
        if (blocks >= 4) {
            if (blocks >= 6) {
                if (blocks >= 8) {
                    TEXT_PAIR(4);
                }
                TEXT_PAIR(3);
            }
            TEXT_PAIR(2);
        }
        if (blocks % 2 != 0 || len % 16 == 0) {
            TEXT_PAIR(1);
        } else {
            TEXT_BLOCK(_mm256_castsi256_si128(e1), -32);
        }
    }
    if (len % 16 != 0) {
        __m128i stream =
            blocks % 2 != 0 ? _mm256_castsi256_si128(e0) : _mm256_extracti128_si256(e1, 1);
        size_t n = len % 16;
        __m128i last;

        if (blocks % 2 == 0) {
            src -= 16;
            dst -= 16;
        }
        last = gcm_partial_block(dst, src, n, stream, text_len > 16, sealing);
        sum_add_at(&sum, _mm256_zextsi128_si256(last), POWER_AT(t, 2));
    } else if (blocks % 2 != 0) {
        TEXT_BLOCK(_mm256_castsi256_si128(e0), 0);
    }
    store128(tag, _mm_xor_si128(gcm_reverse(sum_reduce(&sum)), _mm256_extracti128_si256(e0, 1)));
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

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_vaes) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
};
