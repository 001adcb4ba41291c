/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D) on 256-bit registers: two blocks in each, AES rounds by VAES, GHASH by
 * VPCLMULQDQ.
 *
 * A message is taken in two parts. The bulk, 256 bytes at a time, runs the AES rounds of sixteen
 * blocks with the GHASH of sixteen blocks between them (aes_gcm_bulk.h). The last 1 to 256 bytes,
 * and so the whole of a short message, go through gcm_crypt below: all their blocks, the additional
 * data and the lengths are multiplied by powers of H of their own and share one reduction.
 */
#define GCM_LANES 2

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../kernel.h"
#include "aes_gcm_begin.h"
#include "aes_gcm_partial.h"
#include "aes_gcm_parts_narrow.h"
#include "aes_gcm_vaes_rounds.h"

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "table too large");

/* ---- Key ---- */

static void store_power(struct gcm_table *t, size_t n, __m256i v)
{
    vec_store(POWER_AT(t, n), v);
    vec_store(POWER_AT(t, n) + FOLD_OFFSET, _mm256_xor_si256(v, _mm256_shuffle_epi32(v, 0x4e)));
}

/* Both halves times the power in both halves of b. */
GCM_INLINE __m256i mul_pair(__m256i a, __m256i b)
{
    struct gcm_sum sum = sum_zero();

    sum_add(&sum, a, b, _mm256_xor_si256(b, _mm256_shuffle_epi32(b, 0x4e)));
    return sum_reduce_lanes(&sum);
}

/*
 * The first n powers of H and, n being odd, one more. A single block is multiplied by what follows
 * its own power, too, but that half of it is 0.
 */
GCM_INLINE void make_powers(struct gcm_table *t, __m128i h, size_t n)
{
    __m128i h2 = ghash_mul(h, h);
    __m256i p2 = pair(h2, h);
    __m256i p4, p6, p8, by;

    store128(POWER_AT(t, 0), _mm_setzero_si128());
    store128(POWER_AT(t, 0) + FOLD_OFFSET, _mm_setzero_si128());
    store_power(t, 2, p2);
    if (n <= 2) {
        return;
    }
    p4 = mul_pair(p2, _mm256_broadcastsi128_si256(h2));
    store_power(t, 4, p4);
    if (n <= 4) {
        return;
    }
    by = _mm256_permute2x128_si256(p4, p4, 0x00);
    p6 = mul_pair(p2, by);
    p8 = mul_pair(p4, by);
    store_power(t, 6, p6);
    store_power(t, 8, p8);
    if (n <= 8) {
        return;
    }
    by = _mm256_permute2x128_si256(p8, p8, 0x00);
    store_power(t, 10, mul_pair(p2, by));
    store_power(t, 12, mul_pair(p4, by));
    store_power(t, 14, mul_pair(p6, by));
    p8 = mul_pair(p8, by);
    store_power(t, 16, p8);
    if (n <= 16) {
        return;
    }
    by = _mm256_permute2x128_si256(p8, p8, 0x00);
    store_power(t, 18, mul_pair(p2, by));
}

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    struct gcm_table *t = table;
    unsigned rounds = aes_key_expand(t->round_key[0], key, key_len);
    __m128i h = ghash_key(aes_encrypt_block(t->round_key[0], rounds, _mm_setzero_si128()));

    t->rounds = rounds;
    make_powers(t, h, POWERS);
}

/* ---- The last 0 to 256 bytes ---- */

/* Pair e##k, 32 * k bytes before the pointers. */
#define TEXT_PAIR(k)                                                                               \
    do {                                                                                           \
        __m256i in = vec_load(src - 32 * (k));                                                     \
        __m256i out = _mm256_xor_si256(in, e##k);                                                  \
                                                                                                   \
        vec_store(dst - 32 * (k), out);                                                            \
        if (!((k) <= 5 && (k) >= 2 && early)) {                                                    \
            sum_add_at(&sum, reverse_blocks(sealing ? out : in), power - 32 * (k));                \
        }                                                                                          \
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
GCM_INLINE void sum_add_ends(struct gcm_sum *sum, const struct gcm_table *t, __m128i y,
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
    struct gcm_message m = {.dst = dst, .src = src, .len = len};
    const uint8_t *hashed, *power; /* not hashed yet; of the next block of text */
    const uint8_t *y_power;
    size_t blocks;
    int early; /* pairs 5 to 2 are hashed while the text is being encrypted */
    struct gcm_sum sum;
    __m128i y;
    vec counters, e0, e1, e2, e3, e4;

    gcm_begin(t, &m, aad, aad_len, nonce, nonce_len, sealing);
    dst = m.dst;
    src = m.src;
    len = m.len;
    hashed = m.hashed;
    y = m.y;
    counters = m.counters;
    blocks = (len + 15) / 16;
    y_power = POWER_AT(t, blocks + 1 + m.y_blocks);
    if (blocks != 0) { /* the pointers may be NULL */
        src += blocks / 2 * 32;
        dst += blocks / 2 * 32;
    }
    power = POWER_AT(t, blocks % 2 + 1);
    early = !sealing && blocks >= 10;

    if (blocks >= 10) {
        __m256i e5, e6, e7, e8, end;

        end = _mm256_broadcastsi128_si256(
            _mm_slli_si128(_mm_cvtsi32_si128((int)(blocks & ~(size_t)1)), 12));
        end = _mm256_add_epi32(end, counters);
        e0 = counter_blocks(_mm256_inserti128_si256(end, m.j0, 1));
        e1 = counter_blocks(count(end, (size_t)0 - 2));
        e2 = counter_blocks(count(end, (size_t)0 - 4));
        e3 = counter_blocks(count(end, (size_t)0 - 6));
        e4 = counter_blocks(count(end, (size_t)0 - 8));
        e5 = counter_blocks(count(end, (size_t)0 - 10));
        e6 = counter_blocks(count(end, (size_t)0 - 12));
        e7 = counter_blocks(count(end, (size_t)0 - 14));
        e8 = counter_blocks(count(end, (size_t)0 - 16));
        sum = sum_zero();
        if (!sealing) {
            /* first, so that y need not be kept, which would be on Clang's stack */
            sum_add_ends(&sum, t, y, y_power, text_len, aad_len);
            CHAINS_ENCRYPT(CHAINS_9, CHAINS_HASH_TEXT);
        } else if (hashed != NULL) {
            CHAINS_ENCRYPT(CHAINS_9, CHAINS_HASH_8);
        } else {
            CHAINS_ENCRYPT(CHAINS_9, CHAINS_FIRST_8);
        }
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
        if (sealing) {
            sum_add_ends(&sum, t, y, y_power, text_len, aad_len);
        }
    } else {
        if (sealing && hashed != NULL) {
            y = hash_turn(t, hashed, y);
        }
        e1 = e2 = e3 = e4 = _mm256_setzero_si256();
        switch (blocks / 2) {
        case 0:
            e0 = counter_blocks(_mm256_inserti128_si256(counters, m.j0, 1));
            CHAINS_ENCRYPT(CHAINS_1, CHAINS_FIRST_8);
            break;
        case 1:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 2), m.j0, 1));
            e1 = counter_blocks(counters);
            CHAINS_ENCRYPT(CHAINS_2, CHAINS_FIRST_8);
            break;
        case 2:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 4), m.j0, 1));
            e1 = counter_blocks(count(counters, 2));
            e2 = counter_blocks(counters);
            CHAINS_ENCRYPT(CHAINS_3, CHAINS_FIRST_8);
            break;
        case 3:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 6), m.j0, 1));
            e1 = counter_blocks(count(counters, 4));
            e2 = counter_blocks(count(counters, 2));
            e3 = counter_blocks(counters);
            CHAINS_ENCRYPT(CHAINS_4, CHAINS_FIRST_8);
            break;
        default:
            e0 = counter_blocks(_mm256_inserti128_si256(count(counters, 8), m.j0, 1));
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

#include "aes_gcm_entry.h"
#include "aes_gcm_parts.h"
#include "aes_gcm_vaes_many.h"

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_vaes) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
    .parts = &gcm_parts,
    .many = gcm_many,
    .many_len = GCM_MANY_LEN,
    .many_stack = GCM_MANY_STACK,
};
