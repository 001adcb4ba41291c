/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM (SP 800-38D) with AVX-512, VAES and VPCLMULQDQ, on registers of four blocks or, as
 * GCM_LANES says, of two.
 *
 * A message is taken in two parts. The bulk is whole turns of eight registers (aes_gcm_wide_bulk.h).
 * What is left, up to 8 registers, and so all of a short message, is encrypted in one go together with
 * J0, which takes the top lane of the last one: all its blocks, the additional data (or what came
 * before) and the lengths are multiplied by powers of H of their own and share one reduction. Masks
 * see to it that no byte outside the text is touched.
 *
 * Rounds of AES keep port 0 busy and products port 5, but a core looks only about 100 instructions
 * ahead for what can start: so what is opened is hashed between its own rounds, and what the bulk loop
 * sealed last between those of what is left.
 *
 * There are no more powers than five steps of doubling give, or key set-up would take a sixth: the
 * first two of eight registers, and what comes before seven, go by Horner's rule, which delays the
 * tag little, for the products of the others keep port 5 busy meanwhile.
 */
#ifndef AEADFAST_AES_GCM_WIDE_H
#define AEADFAST_AES_GCM_WIDE_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"
#include "../kernel.h"
#include "aes_gcm_partial.h"
#include "aes_gcm_parts_wide.h"
#include "aes_gcm_wide_bulk.h"
#include "aes_key_aesni.h"
#include "ghash_wide.h"

_Static_assert(sizeof(struct gcm_table) <= AES_GCM_TABLE_BYTES, "table too large");

/* ---- Key ---- */

/* The power in the lowest lane, put into all. */
GCM_INLINE vec first_power(vec v)
{
    return vec_broadcast(vec_low(v));
}

GCM_INLINE void store_powers(struct gcm_table *t, size_t registers, vec v)
{
    uint8_t *p = POWER_AT(t, registers * GCM_LANES);

    vec_store(p, v);
    vec_store(p + FOLD_OFFSET, vec_xor(v, vec_swap_halves(v)));
}

/*
 * The registers that hold the first n powers of H. Blocks that do not fill a register are multiplied
 * by what follows their powers, too, but there they are 0.
 */
GCM_INLINE void make_powers(struct gcm_table *t, __m128i h, size_t n)
{
    vec v1, v2, v3, v4; /* the powers down to H, those before them, ... */
    vec by = vec_broadcast(h);

    v2 = multiply(by, by);      /* H^2 in all lanes */
    v1 = vec_mix(0xcc, v2, by); /* H^2, H, ... */
#if GCM_LANES == 4
    v1 = vec_mix(0x0f, v1, multiply(v1, v2));
#endif
    vec_store(POWER_AT(t, 0), vec_zero());
    store_powers(t, 1, v1);
    if (n <= GCM_LANES) {
        return;
    }
    v2 = multiply(v1, first_power(v1));
    store_powers(t, 2, v2);
    if (n <= 2 * GCM_LANES) {
        return;
    }
    by = first_power(v2);
    v3 = multiply(v1, by);
    v4 = multiply(v2, by);
    store_powers(t, 3, v3);
    store_powers(t, 4, v4);
    if (n <= 4 * GCM_LANES) {
        return;
    }
    by = first_power(v4);
    store_powers(t, 5, multiply(v1, by));
    store_powers(t, 6, multiply(v2, by));
    store_powers(t, 7, multiply(v3, by));
    store_powers(t, 8, multiply(v4, by));
}

static void gcm_init(void *table, const uint8_t *key, size_t key_len)
{
    struct gcm_table *t = table;
    unsigned rounds = aes_key_expand(t->round_key[0], key, key_len);
    __m128i h = ghash_key(aes_encrypt_block(t->round_key[0], rounds, _mm_setzero_si128()));

    t->rounds = rounds;
    make_powers(t, h, POWERS);
}

/* ---- Messages ---- */

/* J0 of a nonce not 12 bytes long, as a counter. */
GCM_INLINE __m128i hash_nonce(const struct gcm_table *t, const uint8_t *nonce, size_t nonce_len)
{
    struct gcm_sum sum =
        product(hash_bytes(t, nonce, nonce_len), powers_at(POWER_AT(t, GCM_LANES + 1)));

    sum = sum_and_product(sum, vec_from_low(gcm_lengths(0, nonce_len)), powers_at(POWER_AT(t, 1)));

    return gcm_counter_block(gcm_reverse(sum_of_lanes(sum_reduce(sum))));
}

/* Register e##k of the text, k registers before the pointers. */
#define TEXT(k)                                                                                    \
    do {                                                                                           \
        vec out = vec_xor(vec_load(src - VEC_BYTES * (k)), e##k);                                  \
                                                                                                   \
        vec_store(dst - VEC_BYTES * (k), out);                                                     \
        x = reverse_blocks(out);                                                                   \
    } while (0)

/* The same of n bytes. */
#define TEXT_MASKED(k, n)                                                                          \
    do {                                                                                           \
        vec_mask mask = first_bytes(n);                                                            \
        vec out = vec_xor(vec_load_masked(mask, src - VEC_BYTES * (k)), e##k);                     \
                                                                                                   \
        vec_store_masked(dst - VEC_BYTES * (k), mask, out);                                        \
        x = reverse_blocks(vec_keep(mask, out));                                                   \
    } while (0)

#define HASH(k) (sum = sum_and_product(sum, x, powers_at(power - VEC_BYTES * (k))))
#define TEXT_HASH(k)                                                                               \
    do {                                                                                           \
        TEXT(k);                                                                                   \
        if (sealing) {                                                                             \
            HASH(k);                                                                               \
        }                                                                                          \
    } while (0)

/* What is opened is hashed beside its own rounds, FULL registers of it. */
#define HASH_OPEN(i)                                                                               \
    if ((i) <= FULL) {                                                                             \
        x = reverse_blocks(                                                                        \
            (i) == 1 ? vec_load_masked(first_bytes(len - (FULL - 1) * VEC_BYTES), src - VEC_BYTES) \
                     : vec_load(src - VEC_BYTES * (i)));                                           \
        HASH(i);                                                                                   \
    }
#define HASH_OPEN_Y                                                                                \
    if (FULL < 7) {                                                                                \
        x = y;                                                                                     \
        HASH(FULL + 1);                                                                            \
    } else {                                                                                       \
        x = vec_xor(reverse_blocks(vec_load(src - VEC_BYTES * 7)), y);                             \
        HASH(7);                                                                                   \
    }
#define ROUND_OPEN(chains, i, beside)                                                              \
    CHAINS_ROUND(chains, i);                                                                       \
    beside;                                                                                        \
    KEEP_BESIDE
#define FIRST_8_OPEN(chains)                                                                       \
    if (FULL >= 7) {                                                                               \
        y = multiply(y, step_power(t, 1).h);                                                       \
        if (FULL == 8) {                                                                           \
            y = vec_xor(y, reverse_blocks(vec_load(src - VEC_BYTES * 8)));                         \
            y = multiply(y, step_power(t, 1).h);                                                   \
        }                                                                                          \
    }                                                                                              \
    ROUND_OPEN(chains, 1, HASH_OPEN(1));                                                           \
    ROUND_OPEN(chains, 2, HASH_OPEN(2));                                                           \
    ROUND_OPEN(chains, 3, HASH_OPEN(3));                                                           \
    ROUND_OPEN(chains, 4, HASH_OPEN(4));                                                           \
    ROUND_OPEN(chains, 5, HASH_OPEN(5));                                                           \
    ROUND_OPEN(chains, 6, HASH_OPEN(6));                                                           \
    ROUND_OPEN(chains, 7, HASH_OPEN_Y);                                                            \
    CHAINS_ROUND(chains, 8)
#define CASE_OPEN(n, chains)                                                                       \
    case n: {                                                                                      \
        const size_t FULL = n;                                                                     \
        CHAINS_START_ENCRYPT(chains, START, FIRST_8_OPEN);                                         \
        break;                                                                                     \
    }

/* Keeps that in order. */
#if GCM_ASM
#define KEEP_BESIDE                                                                                \
    __asm__ volatile("" : "+v"(sum.lo), "+v"(sum.mid), "+v"(sum.hi), "+v"(e0) : : "memory")
#else
#define KEEP_BESIDE (void)0
#endif

/* What was sealed last is hashed beside the rounds of what follows. */
#define FIRST_8_SEAL(chains) FIRST_8_AND_HASH(chains, VECTORS)

GCM_INLINE void gcm_crypt(const struct gcm_table *t, uint8_t *dst, uint8_t tag[16],
                          const uint8_t *src, size_t len, const uint8_t *aad, size_t aad_len,
                          const uint8_t *nonce, size_t nonce_len, int sealing)
{
    const size_t text_len = len;
    const uint8_t *hashed = NULL; /* or TURN bytes that are not */
    const uint8_t *power, *flip;
    size_t blocks, full, rest;
    struct gcm_sum sum;
    __m128i j0 = nonce_len == 12 ? gcm_start_counter(nonce) : hash_nonce(t, nonce, nonce_len);
    struct wide_counters c = wide_counters_of(t, j0, nonce_len == 12);
    vec y = hash_bytes(t, aad, aad_len);
    vec x, end;
    vec e0, e1, e2, e3, e4, e5, e6, e7, e8;

    if (len >= TURN) {
        size_t turns = len / TURN;

        y = bulk(t, dst, src, turns, y, VECTORS, &c, sealing);
        j0 = vec_low(count(c.before, 1 - (uint32_t)(turns * BLOCKS)));
        dst += turns * TURN;
        src += turns * TURN;
        len -= turns * TURN;
        hashed = dst - TURN;
    }

    /*
     * Whole registers, of whole blocks but for the last; then 0 to GCM_LANES - 1 blocks in e0, whose
 * top lane is J0's: so there are nine if the last of a turn's blocks is not whole. 
 */
    blocks = (len + 15) / 16;
    full = blocks / GCM_LANES;
    rest = blocks % GCM_LANES;
    if (full != 0) { /* the pointers may be NULL */
        src += full * VEC_BYTES;
        dst += full * VEC_BYTES;
    }
    end = vec_add32(c.before, vec_load(wide_constants.step[full]));
    e0 = counter_blocks(vec_put_lane(end, GCM_LANES - 1, j0));
    e1 = e2 = e3 = e4 = e5 = e6 = e7 = e8 = e0;
    flip =
        (const uint8_t *)&wide_constants + offsetof(struct wide_constants, flip) + full * VEC_BYTES;
    power = POWER_AT(t, rest + 1);
#define START(k)                                                                                   \
    if ((k) == 0) {                                                                                \
        e##k = vec_xor(e##k, key);                                                                 \
    } else if (c.flip && !((k) == 1 && full == 8)) { /* it wraps */                                \
        e##k = vec_xor(c.start, vec_load(flip - VEC_BYTES * (k)));                                 \
    } else {                                                                                       \
        e##k = vec_xor(counter_blocks(count(end, (uint32_t)0 - GCM_LANES * (k))), key);            \
    }
    if (!sealing) {
        x = vec_zero();
        if (rest != 0) {
            x = reverse_blocks(vec_load_masked(first_bytes(len - full * VEC_BYTES), src));
        }
        x = vec_put_lane(x, rest, gcm_lengths(aad_len, text_len));
        sum = product(x, powers_at(power));
        switch (full) {
            CASE_OPEN(0, CHAINS_1)
            CASE_OPEN(1, CHAINS_2)
            CASE_OPEN(2, CHAINS_3)
            CASE_OPEN(3, CHAINS_4)
            CASE_OPEN(4, CHAINS_5)
            CASE_OPEN(5, CHAINS_6)
            CASE_OPEN(6, CHAINS_7)
            CASE_OPEN(7, CHAINS_8)
        default: {
            const size_t FULL = 8;
            CHAINS_START_ENCRYPT(CHAINS_9, START, FIRST_8_OPEN);
        }
        }
    } else if (hashed != NULL) { /* up to five chains take as long as that */
        if (full == 0) {
            CHAINS_START_ENCRYPT(CHAINS_1, START, FIRST_8_SEAL);
        } else if (full <= 4) {
            CHAINS_START_ENCRYPT(CHAINS_5, START, FIRST_8_SEAL);
        } else if (full <= 7) {
            CHAINS_START_ENCRYPT(CHAINS_8, START, FIRST_8_SEAL);
        } else {
            CHAINS_START_ENCRYPT(CHAINS_9, START, FIRST_8_SEAL);
        }
    } else {
        switch (full) {
        case 0:
            CHAINS_START_ENCRYPT(CHAINS_1, START, CHAINS_FIRST_8);
            break;
        case 1:
            CHAINS_START_ENCRYPT(CHAINS_2, START, CHAINS_FIRST_8);
            break;
        case 2:
            CHAINS_START_ENCRYPT(CHAINS_3, START, CHAINS_FIRST_8);
            break;
        case 3:
            CHAINS_START_ENCRYPT(CHAINS_4, START, CHAINS_FIRST_8);
            break;
        case 4:
            CHAINS_START_ENCRYPT(CHAINS_5, START, CHAINS_FIRST_8);
            break;
        case 5:
            CHAINS_START_ENCRYPT(CHAINS_6, START, CHAINS_FIRST_8);
            break;
        case 6:
            CHAINS_START_ENCRYPT(CHAINS_7, START, CHAINS_FIRST_8);
            break;
        case 7:
            CHAINS_START_ENCRYPT(CHAINS_8, START, CHAINS_FIRST_8);
            break;
        default:
            CHAINS_START_ENCRYPT(CHAINS_9, START, CHAINS_FIRST_8);
            break;
        }
    }

    if (sealing) {
        if (full >= 7) { /* there is no power for y before so much: Horner's rule */
            y = multiply(y, step_power(t, 1).h);
            if (full == 8) {
                TEXT(8);
                y = multiply(vec_xor(x, y), step_power(t, 1).h);
            }
            sum.lo = sum.mid = sum.hi = vec_zero();
        } else {
            sum = product(y, powers_at(POWER_AT(t, blocks + 1 + GCM_LANES)));
        }
    } else if (full >= 7) {
        if (full == 8) {
            TEXT(8);
        }
        TEXT(7);
    }
    if (full >= 2) {
        if (full >= 3) {
            if (full >= 4) {
                if (full >= 5) {
                    if (full >= 6) {
                        TEXT_HASH(6);
                    }
                    TEXT_HASH(5);
                }
                TEXT_HASH(4);
            }
            TEXT_HASH(3);
        }
        TEXT_HASH(2);
    }
    if (full >= 1) {
        TEXT_MASKED(1, len - (full - 1) * VEC_BYTES);
        if (sealing) {
            HASH(1);
        }
    }
    x = vec_zero();
    if (rest != 0) {
        TEXT_MASKED(0, len - full * VEC_BYTES);
    }
    if (sealing) {
        x = vec_put_lane(x, rest, gcm_lengths(aad_len, text_len));
        HASH(0);
        if (full >= 7) { /* when that y is likely to be there */
            TEXT(7);
            x = vec_xor(x, y);
            HASH(7);
        }
    }
    store128(tag, _mm_xor_si128(gcm_reverse(sum_of_lanes(sum_reduce(sum))), vec_top(e0)));
}

#include "aes_gcm_entry.h"
#include "aes_gcm_parts.h"

#endif
