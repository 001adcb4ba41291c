/* SPDX-License-Identifier: MIT */
/*
 * Many short messages, for the AES-GCM kernel on VAES. One message does not keep the processor busy: AES
 * is a chain of 10 to 14 rounds, GHASH waits for its end, and the next message does not fit beside it
 * in the window of instructions that wait. So the GHASH of one message goes between the rounds of the
 * next: when sealing, that of the message before, whose ciphertext is in its buffer by then; when
 * opening, the message's own.
 *
 * What counts besides is the number of instructions on vectors, of which Zen 3 does 3.4 a cycle here
 * (VPCLMULQDQ is four), and that of moves between lanes and from general registers, which are dear:
 * hence loads that broadcast, and blends.
 *
 * A message is c registers of counter blocks: e1, e2, ... are those of blocks 1 and 2, 3 and 4, ...;
 * e0 has J0 in its upper half and in its lower half the last block, where that is an odd one.
 */
#ifndef AEADFAST_AES_GCM_VAES_MANY_H
#define AEADFAST_AES_GCM_VAES_MANY_H

#include "aes_gcm_bulk.h"

/* Longer texts go by themselves: with five registers and more one message keeps both pipes busy. */
#define MANY_BLOCKS 9

/* From here on the way through the public functions does not count. */
#define GCM_MANY_LEN 2048

/* The last words of e0 for c registers, and of e1 to e4, as they stand in a block. */
#define WORDS(low, high)                                                                           \
    {                                                                                              \
        0, 0, 0, (uint32_t)(low) << 24, 0, 0, 0, (uint32_t)(high) << 24                            \
    }
static const _Alignas(32) uint32_t many_first[6][8] = {WORDS(0, 0), WORDS(2, 1), WORDS(4, 1),
                                                       WORDS(6, 1), WORDS(8, 1), WORDS(10, 1)};
static const _Alignas(32) uint32_t many_next[5][8] = {WORDS(0, 0), WORDS(2, 3), WORDS(4, 5),
                                                      WORDS(6, 7), WORDS(8, 9)};

/*
 * Row n: makes a block, reversed and with zeros up to 16 bytes, of its first 8 bytes and its last 8,
 * for n from 8 to 16 bytes.
 */
#define JOIN(n, i) ((i) < (n) ? (i)-8 + 24 - (n) : 0x80)
#define JOIN_ROW(n)                                                                                \
    {                                                                                              \
        JOIN(n, 15), JOIN(n, 14), JOIN(n, 13), JOIN(n, 12), JOIN(n, 11), JOIN(n, 10), JOIN(n, 9),  \
            JOIN(n, 8), 7, 6, 5, 4, 3, 2, 1, 0                                                     \
    }
static const _Alignas(16) uint8_t many_join[9][16] = {JOIN_ROW(8),  JOIN_ROW(9),  JOIN_ROW(10),
                                                      JOIN_ROW(11), JOIN_ROW(12), JOIN_ROW(13),
                                                      JOIN_ROW(14), JOIN_ROW(15), JOIN_ROW(16)};

/* The last n bytes, 1 to 16, before `end` as a block to be hashed; `more`: 16 bytes lie there. */
GCM_INLINE __m128i hashed_block(const uint8_t *end, size_t n, int more)
{
    if (more) {
        return gcm_reverse(_mm_shuffle_epi8(load128(end - 16), load128(gcm_shift_bytes + 32 - n)));
    }
    if (n >= 8) {
        __m128i both =
            _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)(end - n)),
                               _mm_loadl_epi64((const __m128i *)(const void *)(end - 8)));

        return _mm_shuffle_epi8(both, load128(many_join[n - 8]));
    }
    return gcm_reverse(load_partial(end - n, n));
}

/* A message's way through GHASH. */
struct many_hash {
    const struct gcm_table *t;
    const uint8_t *text; /* what is not hashed yet, and its power of H */
    const uint8_t *power;
    size_t pairs; /* whole pairs of it */
    size_t rest;  /* 0 to 31 bytes after them */
    size_t len;
};

/* The last block of the additional data and the lengths: the sum begins with them. */
GCM_INLINE void many_begin(struct many_hash *h, struct gcm_sum *sum, const struct aead_job *j,
                           const uint8_t *text)
{
    const struct gcm_table *t = j->key;
    const size_t blocks = (j->len + 15) / 16;
    const uint8_t *y_power = POWER_AT(t, blocks + 2);
    const uint8_t *one = POWER_AT(t, 2); /* H^1 is in the upper half */
    vec x = vec_zero();
    vec power, folded;

    if (j->aad_len != 0) {
        size_t n = (j->aad_len - 1) % 16 + 1;

        x = _mm256_castsi128_si256(hashed_block(j->aad + j->aad_len, n, j->aad_len > 16));
    }
    x = _mm256_blend_epi32(x, _mm256_set1_epi64x((long long)j->len), 0x30);
    x = _mm256_blend_epi32(x, _mm256_set1_epi64x((long long)j->aad_len), 0xc0);
    x = _mm256_sllv_epi64(x, _mm256_set_epi64x(3, 3, 0, 0));
    folded = vec_xor(x, vec_swap_halves(x));
    power = _mm256_blend_epi32(vec_load(y_power), vec_load(one), 0xf0);
    sum->lo = vec_clmul(x, power, 0x00);
    sum->hi = vec_clmul(x, power, 0x11);
    power = _mm256_blend_epi32(vec_load(y_power + FOLD_OFFSET), vec_load(one + FOLD_OFFSET), 0xf0);
    sum->mid = vec_clmul(folded, power, 0x00);
    if (j->aad_len > 16) {
        const uint8_t *aad = j->aad;

        for (size_t n = (j->aad_len - 1) / 16; n != 0; n--) {
            sum_add_at(sum, _mm256_zextsi128_si256(gcm_reverse(load128(aad))),
                       POWER_AT(t, blocks + 2 + n));
            aad += 16;
        }
    }
    h->t = t;
    h->text = text;
    h->power = POWER_AT(t, blocks + 1);
    h->pairs = j->len / 32;
    h->rest = j->len % 32;
    h->len = j->len;
}

/* Takes in a pair, where there is one. */
GCM_INLINE void many_pair(struct many_hash *h, struct gcm_sum *sum)
{
    if (h->pairs != 0) {
        sum_add_at(sum, reverse_blocks(vec_load(h->text)), h->power);
        h->text += 32;
        h->power += 32;
        h->pairs--;
    }
}

/* Takes in what is left and returns the hash, in two parts to be added, the bytes in their order. */
GCM_INLINE vec many_end(struct many_hash *h, struct gcm_sum *sum)
{
    while (h->pairs != 0) {
        many_pair(h, sum);
    }
    if (h->rest != 0) {
        size_t n = h->rest;
        vec x;

        if (n > 16) {
            x = pair(gcm_reverse(load128(h->text)), hashed_block(h->text + n, n - 16, 1));
        } else {
            x = _mm256_zextsi128_si256(hashed_block(h->text + n, n, h->len > 16));
        }
        sum_add_at(sum, x, h->power);
    }
    return reverse_blocks(sum_reduce_lanes(sum));
}

/* Writes the tag: the hash xor the upper half of e0. */
GCM_INLINE void many_tag(uint8_t *tag, vec hash, vec e0)
{
    store128(tag, _mm_xor_si128(vec_low(hash), vec_top(vec_xor(hash, e0))));
}

/* The nonce in both halves, zeros where the counter goes. */
GCM_INLINE vec many_nonce(const uint8_t *nonce)
{
    vec v = _mm256_blend_epi32(_mm256_set1_epi64x((long long)load_le64(nonce)),
                               _mm256_set1_epi32((int)load_le32(nonce + 8)), 0x44);

    return _mm256_blend_epi32(v, vec_zero(), 0x88);
}

/* What is written before and after this stays there: both compilers would sort it apart. */
#if GCM_ASM
#define MANY_HERE(chains) __asm__ volatile("" : chains, "+x"(sum.lo), "+x"(sum.mid), "+x"(sum.hi))
#else
#define MANY_HERE(chains)
#endif
#define MANY_OPERANDS_1 "+x"(e0)
#define MANY_OPERANDS_2 MANY_OPERANDS_1, "+x"(e1)
#define MANY_OPERANDS_3 MANY_OPERANDS_2, "+x"(e2)
#define MANY_OPERANDS_4 MANY_OPERANDS_3, "+x"(e3)
#define MANY_OPERANDS_5 MANY_OPERANDS_4, "+x"(e4)

#define MANY_START(i)                                                                              \
    e##i = vec_xor(base, vec_load((i) == 0 ? many_first[count_of] : many_next[i]));
#define MANY_OUTPUT(i)                                                                             \
    if ((i) != 0 && len / 32 + 1 > (i)) {                                                          \
        vec_store(j->dst + 32 * ((i)-1), vec_xor(e##i, vec_load(j->src + 32 * ((i)-1))));          \
    }

/* n registers; `hash` is being summed up meanwhile. A pair is taken in after rounds 2, 4, ... */
#define MANY_ENCRYPT(n)                                                                            \
    do {                                                                                           \
        const struct gcm_table *keys = opaque(t);                                                  \
        const size_t count_of = (n);                                                               \
        vec base = vec_xor(many_nonce(j->nonce), round_key(keys, 0));                              \
        vec key;                                                                                   \
                                                                                                   \
        CHAINS_##n(MANY_START);                                                                    \
        CHAINS_ROUND(CHAINS_##n, 1);                                                               \
        CHAINS_ROUND(CHAINS_##n, 2);                                                               \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        many_pair(&hash, &sum);                                                                    \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        CHAINS_ROUND(CHAINS_##n, 3);                                                               \
        CHAINS_ROUND(CHAINS_##n, 4);                                                               \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        many_pair(&hash, &sum);                                                                    \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        CHAINS_ROUND(CHAINS_##n, 5);                                                               \
        CHAINS_ROUND(CHAINS_##n, 6);                                                               \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        hashed = many_end(&hash, &sum);                                                            \
        CHAINS_ROUND(CHAINS_##n, 7);                                                               \
        CHAINS_ROUND(CHAINS_##n, 8);                                                               \
        CHAINS_LATER(CHAINS_##n);                                                                  \
        CHAINS_##n(CHAIN_ENCLAST);                                                                 \
        CHAINS_##n(MANY_OUTPUT);                                                                   \
        if (len % 32 != 0) {                                                                       \
            vec last = e0;                                                                         \
            size_t done = len - len % 32;                                                          \
                                                                                                   \
            if (len % 32 > 16) {                                                                   \
                last = MANY_LAST_##n;                                                              \
            }                                                                                      \
            many_rest(j->dst + done, j->src + done, len % 32, last, len > 16);                     \
        }                                                                                          \
    } while (0)
#define MANY_LAST_1 e0
#define MANY_LAST_2 e1
#define MANY_LAST_3 e2
#define MANY_LAST_4 e3
#define MANY_LAST_5 e4

/* The last 1 to 31 bytes of a text; one block of key stream, or two. */
GCM_INLINE void many_rest(uint8_t *dst, const uint8_t *src, size_t n, vec stream, int more)
{
    __m128i e = vec_low(stream);

    if (n > 16) {
        store128(dst, _mm_xor_si128(load128(src), e));
        dst += 16;
        src += 16;
        n -= 16;
        e = vec_top(stream);
    }
    if (n == 16) {
        store128(dst, _mm_xor_si128(load128(src), e));
    } else {
        (void)gcm_partial_block(dst, src, n, e, more, 0);
    }
}

/* Whether there is a power of H for every block, so that the message's hash is one sum. */
GCM_INLINE int many_fits(const struct aead_job *j)
{
    return j->len <= 16 * MANY_BLOCKS && j->aad_len <= 16 * (POWERS - MANY_BLOCKS - 1);
}

static void gcm_many(const struct aead_job *jobs, size_t n, int opening)
{
    const struct aead_job *before = NULL; /* sealed, but without its tag */
    vec before_e0 = vec_zero();

    for (const struct aead_job *const end = jobs + n; jobs != end; jobs++) {
        const struct aead_job *const j = jobs;
        const struct gcm_table *t = j->key;
        const size_t len = j->len;
        vec e0, e1, e2, e3, e4, hashed;
        struct gcm_sum sum;
        struct many_hash hash;

        if (!many_fits(j)) {
            if (before != NULL) {
                many_begin(&hash, &sum, before, before->dst);
                many_tag(before->tag, many_end(&hash, &sum), before_e0);
                before = NULL;
            }
            (opening ? gcm_open : gcm_seal)(t, j->dst, j->tag, j->src, len, j->aad, j->aad_len,
                                            j->nonce, 12);
            continue;
        }
        if (opening) {
            many_begin(&hash, &sum, j, j->src);
        } else if (before != NULL) {
            many_begin(&hash, &sum, before, before->dst);
        } else {
            hash = (struct many_hash){.t = t};
            sum = sum_zero();
        }
        switch ((len + 15) / 32) {
        case 0:
            MANY_ENCRYPT(1);
            break;
        case 1:
            MANY_ENCRYPT(2);
            break;
        case 2:
            MANY_ENCRYPT(3);
            break;
        case 3:
            MANY_ENCRYPT(4);
            break;
        default:
            MANY_ENCRYPT(5);
            break;
        }
        if (opening) {
            many_tag(j->tag, hashed, e0);
        } else {
            if (before != NULL) {
                many_tag(before->tag, hashed, before_e0);
            }
            before = j;
            before_e0 = e0;
        }
    }
    if (before != NULL) {
        struct gcm_sum sum;
        struct many_hash hash;

        many_begin(&hash, &sum, before, before->dst);
        many_tag(before->tag, many_end(&hash, &sum), before_e0);
    }
}

#endif
