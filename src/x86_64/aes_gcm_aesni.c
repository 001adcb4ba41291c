/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D) on 128-bit registers: AES-NI and PCLMULQDQ, in their AVX encodings.
 *
 * A message is taken in two parts. The bulk, 128 bytes at a time, runs the AES rounds of eight
 * blocks with the GHASH of eight blocks between them (aes_gcm_bulk.h). The last 1 to 128 bytes, and
 * so the whole of a short message, are encrypted in one go together with J0; all their blocks, the
 * additional data and the lengths are multiplied by powers of H of their own and share one
 * reduction.
 */
#define GCM_LANES 1

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../kernel.h"
#include "aes_gcm_begin.h"
#include "aes_gcm_partial.h"
#include "aes_gcm_parts_narrow.h"

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "table too large");

/* ---- Key ---- */

static void store_power(struct gcm_table *t, size_t n, __m128i v)
{
    store128(POWER_AT(t, n), v);
    store128(POWER_AT(t, n) + FOLD_OFFSET, ghash_fold(v));
}

/* The first n powers of H, and maybe more. */
GCM_INLINE void make_powers(struct gcm_table *t, __m128i h1, size_t n)
{
    __m128i h2, h3, h4, h8;

    store_power(t, 1, h1);
    if (n <= 1) {
        return;
    }
    h2 = ghash_mul(h1, h1);
    store_power(t, 2, h2);
    if (n <= 2) {
        return;
    }
    h3 = ghash_mul(h2, h1);
    h4 = ghash_mul(h2, h2);
    store_power(t, 3, h3);
    store_power(t, 4, h4);
    if (n <= 4) {
        return;
    }
    h8 = ghash_mul(h4, h4);
    store_power(t, 5, ghash_mul(h4, h1));
    store_power(t, 6, ghash_mul(h4, h2));
    store_power(t, 7, ghash_mul(h4, h3));
    store_power(t, 8, h8);
    if (n <= 8) {
        return;
    }
    store_power(t, 9, ghash_mul(h8, h1));
    store_power(t, 10, ghash_mul(h8, h2));
}

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    struct gcm_table *t = table;
    unsigned rounds = aes_key_expand(t->round_key[0], key, key_len);
    __m128i h = ghash_key(aes_encrypt_block(t->round_key[0], rounds, _mm_setzero_si128()));

    t->rounds = rounds;
    make_powers(t, h, POWERS);
}

/* ---- The last 0 to 128 bytes ---- */

#define CHAIN_START(i) e##i = gcm_counter_block((i) == 0 ? m.j0 : count(end, (size_t)1 - (i)));

/* Block e##k, 16 * k bytes before the pointers. */
#define TEXT_BLOCK(k)                                                                              \
    do {                                                                                           \
        __m128i in = load128(src - 16 * (k));                                                      \
        __m128i out = _mm_xor_si128(in, e##k);                                                     \
                                                                                                   \
        store128(dst - 16 * (k), out);                                                             \
        sum_add_at(&sum, gcm_reverse(sealing ? out : in), POWER_AT(t, (k) + 1));                   \
    } while (0)

GCM_INLINE void gcm_crypt(const struct gcm_table *t, uint8_t *dst, uint8_t tag[16],
                          const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                          const uint8_t *nonce, size_t nonce_len, int sealing)
{
    const size_t text_len = len;
    struct gcm_message m = {.dst = dst, .src = src, .len = len};
    size_t blocks;
    struct gcm_sum sum;
    __m128i e0, e1, e2, e3, e4, e5, e6, e7, e8, end;

    gcm_begin(t, &m, aad, aad_len, nonce, nonce_len, sealing);
    dst = m.dst;
    src = m.src;
    len = m.len;
    blocks = (len + 15) / 16;
    if (blocks != 0) { /* the pointers may be NULL */
        src += 16 * blocks;
        dst += 16 * blocks;
    }
    if (m.hashed != NULL) {
        m.y = hash_turn(t, m.hashed, m.y);
    }

    /* J0 in e0; the text, last block first, in e1, e2, ...; what is one too many counts back */
    end = count(m.j0, m.before + blocks);
    e1 = e2 = e3 = e4 = e5 = e6 = e7 = e8 = end;
    if (blocks <= 2) {
        if (blocks == 0) {
            CHAINS_1(CHAIN_START);
            CHAINS_ENCRYPT(CHAINS_1, CHAINS_FIRST_8);
        } else if (blocks == 1) {
            CHAINS_2(CHAIN_START);
            CHAINS_ENCRYPT(CHAINS_2, CHAINS_FIRST_8);
        } else {
            CHAINS_3(CHAIN_START);
            CHAINS_ENCRYPT(CHAINS_3, CHAINS_FIRST_8);
        }
    } else if (blocks <= 4) {
        CHAINS_5(CHAIN_START);
        CHAINS_ENCRYPT(CHAINS_5, CHAINS_FIRST_8);
    } else if (blocks <= 6) {
        CHAINS_7(CHAIN_START);
        CHAINS_ENCRYPT(CHAINS_7, CHAINS_FIRST_8);
    } else {
        CHAINS_9(CHAIN_START);
        CHAINS_ENCRYPT(CHAINS_9, CHAINS_FIRST_8);
    }

    sum = sum_zero();
    sum_add_at(&sum, m.y, POWER_AT(t, blocks + 1 + m.y_blocks));
    sum_add_at(&sum, gcm_lengths(aad_len, text_len), POWER_AT(t, 1));
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
        sum_add_at(&sum,
                   gcm_partial_block(dst - 16, src - 16, len % 16, e1, text_len > 16, sealing),
                   POWER_AT(t, 2));
    } else if (blocks != 0) {
        TEXT_BLOCK(1);
    }
    store128(tag, _mm_xor_si128(gcm_reverse(sum_reduce(&sum)), e0));
}

#include "aes_gcm_many.h"
#include "aes_gcm_parts.h"

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_aesni) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
    .parts = &gcm_parts,
    .many = gcm_many,
    .many_len = GCM_MANY_LEN,
    .many_stack = GCM_MANY_STACK,
};
