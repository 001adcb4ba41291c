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

/* A loop around so many registers makes compilers put some of them away. */
#define GCM_MANY_STACK 320

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

/*
 * The last block of the additional data and the lengths: the sum begins with them. `len` is j->len, and
 * `more_aad` whether there may be more than 16 bytes of that: both may be constants.
 */
GCM_INLINE void many_begin(struct many_hash *h, struct gcm_sum *sum, const struct aead_job *j,
                           const uint8_t *text, size_t len, int more_aad)
{
    const struct gcm_table *t = j->key;
    const size_t blocks = (len + 15) / 16;
    const uint8_t *y_power = POWER_AT(t, blocks + 2);
    const uint8_t *one = POWER_AT(t, 2); /* H^1 is in the upper half */
    vec x = vec_zero();
    vec power, folded;

    if (j->aad_len != 0) {
        size_t n = more_aad ? (j->aad_len - 1) % 16 + 1 : j->aad_len;

        x = _mm256_castsi128_si256(
            hashed_block(j->aad + j->aad_len, n, more_aad && j->aad_len > 16));
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
    if (more_aad && j->aad_len > 16) {
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
    h->pairs = len / 32;
    h->rest = len % 32;
    h->len = len;
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
#define MANY_NAMES_1    e0
#define MANY_NAMES_2    e0, e1
#define MANY_NAMES_3    e0, e1, e2
#define MANY_NAMES_4    e0, e1, e2, e3
#define MANY_NAMES_5    e0, e1, e2, e3, e4
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

/*
 * Encrypts the text of j, n registers of counter blocks, while a hash is summed up: a pair after round
 * 2 and after round 4, the others after round 6. Leaves e0, with the cipher of J0.
 */
#define MANY_STEP(n)                                                                               \
    GCM_INLINE vec many_step_##n(const struct aead_job *j, size_t len, struct many_hash *hash,     \
                                 struct gcm_sum *running, vec *first)                              \
    {                                                                                              \
        const struct gcm_table *t = j->key;                                                        \
        const struct gcm_table *keys = opaque(t);                                                  \
        const size_t count_of = (n);                                                               \
        vec base = vec_xor(many_nonce(j->nonce), round_key(keys, 0));                              \
        struct gcm_sum sum = *running;                                                             \
        vec key, hashed, MANY_NAMES_##n;                                                           \
                                                                                                   \
        CHAINS_##n(MANY_START);                                                                    \
        CHAINS_ROUND(CHAINS_##n, 1);                                                               \
        CHAINS_ROUND(CHAINS_##n, 2);                                                               \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        many_pair(hash, &sum);                                                                     \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        CHAINS_ROUND(CHAINS_##n, 3);                                                               \
        CHAINS_ROUND(CHAINS_##n, 4);                                                               \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        many_pair(hash, &sum);                                                                     \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        CHAINS_ROUND(CHAINS_##n, 5);                                                               \
        CHAINS_ROUND(CHAINS_##n, 6);                                                               \
        MANY_HERE(MANY_OPERANDS_##n);                                                              \
        hashed = many_end(hash, &sum);                                                             \
        CHAINS_ROUND(CHAINS_##n, 7);                                                               \
        CHAINS_ROUND(CHAINS_##n, 8);                                                               \
        CHAINS_LATER(CHAINS_##n);                                                                  \
        CHAINS_##n(CHAIN_ENCLAST);                                                                 \
        CHAINS_##n(MANY_OUTPUT);                                                                   \
        if (len % 32 != 0) {                                                                       \
            size_t done = len - len % 32;                                                          \
                                                                                                   \
            many_rest(j->dst + done, j->src + done, len % 32, len % 32 > 16 ? MANY_LAST_##n : e0,  \
                      len > 16);                                                                   \
        }                                                                                          \
        *first = e0;                                                                               \
        return hashed;                                                                             \
    }
MANY_STEP(1)
MANY_STEP(2)
MANY_STEP(3)
MANY_STEP(4)
MANY_STEP(5)

/* Whether there is a power of H for every block, so that the message's hash is one sum. */
GCM_INLINE int many_fits(const struct aead_job *j)
{
    return j->len <= 16 * MANY_BLOCKS && j->aad_len <= 16 * (POWERS - MANY_BLOCKS - 1);
}

/* The hash of a message that is sealed by itself, and its tag. */
GCM_INLINE void many_finish(const struct aead_job *j, vec e0)
{
    struct gcm_sum sum;
    struct many_hash hash;

    many_begin(&hash, &sum, j, j->dst, j->len, 1);
    many_tag(j->tag, many_end(&hash, &sum), e0);
}

/*
 * Messages of one length, of n - 1 whole pairs, with at most 16 bytes of additional data: all that
 * depends on these is constant, which takes 2 ns off 17. The first one that is sealed is hashed
 * for nothing, since there is none before it; its text then, for there is no ciphertext yet.
 */
#define MANY_RUN(n)                                                                                \
    GCM_INLINE void many_run_##n(const struct aead_job *jobs, size_t count, int opening)           \
    {                                                                                              \
        const size_t len = 32 * ((n)-1);                                                           \
        const struct aead_job *before = jobs;                                                      \
        vec e0, hashed, before_e0 = vec_zero();                                                    \
        struct gcm_sum sum;                                                                        \
        struct many_hash hash;                                                                     \
                                                                                                   \
        for (const struct aead_job *j = jobs; j != jobs + count; j++) {                            \
            if (opening) {                                                                         \
                many_begin(&hash, &sum, j, j->src, len, 0);                                        \
            } else {                                                                               \
                many_begin(&hash, &sum, before, j == jobs ? j->src : before->dst, len, 0);         \
            }                                                                                      \
            hashed = many_step_##n(j, len, &hash, &sum, &e0);                                      \
            if (opening) {                                                                         \
                many_tag(j->tag, hashed, e0);                                                      \
            } else {                                                                               \
                if (j != jobs) {                                                                   \
                    many_tag(before->tag, hashed, before_e0);                                      \
                }                                                                                  \
                before = j;                                                                        \
                before_e0 = e0;                                                                    \
            }                                                                                      \
        }                                                                                          \
        if (!opening) {                                                                            \
            many_begin(&hash, &sum, before, before->dst, len, 0);                                  \
            many_tag(before->tag, many_end(&hash, &sum), before_e0);                               \
        }                                                                                          \
    }
MANY_RUN(1)
MANY_RUN(2)
MANY_RUN(3)
MANY_RUN(4)
MANY_RUN(5)

/* How many messages at the beginning are such. */
GCM_INLINE size_t many_run_length(const struct aead_job *jobs, size_t n)
{
    const size_t len = jobs->len;
    size_t i = 0;

    if (len > 128 || len % 32 != 0) {
        return 0;
    }
    while (i < n && jobs[i].len == len && jobs[i].aad_len <= 16) {
        i++;
    }
    return i;
}

GCM_INLINE void many_run(const struct aead_job *jobs, size_t n, int opening)
{
    switch (jobs->len / 32) {
    case 0:
        many_run_1(jobs, n, opening);
        break;
    case 1:
        many_run_2(jobs, n, opening);
        break;
    case 2:
        many_run_3(jobs, n, opening);
        break;
    case 3:
        many_run_4(jobs, n, opening);
        break;
    default:
        many_run_5(jobs, n, opening);
        break;
    }
}

GCM_INLINE void many_messages(const struct aead_job *jobs, size_t n, int opening)
{
    const struct aead_job *before = NULL; /* sealed, but without its tag */
    vec before_e0 = vec_zero();

    for (const struct aead_job *const end = jobs + n; jobs != end;) {
        const struct aead_job *const j = jobs++;
        const size_t run = many_run_length(j, (size_t)(end - j));
        const size_t len = j->len;
        vec e0, hashed;
        struct gcm_sum sum;
        struct many_hash hash;

        if (run >= 2 || !many_fits(j)) {
            if (before != NULL) {
                many_finish(before, before_e0);
                before = NULL;
            }
            if (run >= 2) {
                many_run(j, run, opening);
                jobs = j + run;
            } else {
                (opening ? gcm_open : gcm_seal)(j->key, j->dst, j->tag, j->src, len, j->aad,
                                                j->aad_len, j->nonce, 12);
            }
            continue;
        }
        if (opening) {
            many_begin(&hash, &sum, j, j->src, len, 1);
        } else if (before != NULL) {
            many_begin(&hash, &sum, before, before->dst, before->len, 1);
        } else {
            hash = (struct many_hash){.t = j->key};
            sum = sum_zero();
        }
        switch ((len + 15) / 32) {
        case 0:
            hashed = many_step_1(j, len, &hash, &sum, &e0);
            break;
        case 1:
            hashed = many_step_2(j, len, &hash, &sum, &e0);
            break;
        case 2:
            hashed = many_step_3(j, len, &hash, &sum, &e0);
            break;
        case 3:
            hashed = many_step_4(j, len, &hash, &sum, &e0);
            break;
        default:
            hashed = many_step_5(j, len, &hash, &sum, &e0);
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
        many_finish(before, before_e0);
    }
}

static void gcm_many(const struct aead_job *jobs, size_t n, int opening)
{
    if (opening) {
        many_messages(jobs, n, 1);
    } else {
        many_messages(jobs, n, 0);
    }
}

#endif
