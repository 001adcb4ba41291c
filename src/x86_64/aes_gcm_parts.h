/* SPDX-License-Identifier: MIT */
/*
 * The parts of AES-GCM (struct aes_gcm_parts) for the kernels on AES-NI, VAES and AVX-512, from
 * what aes_gcm_parts_narrow.h or aes_gcm_parts_wide.h provides and the kernel's make_powers. Each
 * call ends with y reduced, so a piece of text that is sealed waits once for a turn to be encrypted
 * and once for one to be hashed.
 *
 * A call of n blocks uses the first n powers of H at most, whole registers of them: so a table of
 * gcm_init_hash need not say how many it has.
 */
#ifndef AEADFAST_AES_GCM_PARTS_H
#define AEADFAST_AES_GCM_PARTS_H

#include "aes_gcm_few.h"
#include "aes_gcm_partial.h"

static void gcm_init_hash(void *table, const uint8_t *key, size_t key_len, const uint8_t h[16],
                          size_t nblocks)
{
    struct gcm_table *t = table;

    t->rounds = aes_key_expand(t->round_key[0], key, key_len);
    make_powers(t, ghash_key(load128(h)), lesser(nblocks, BLOCKS));
}

/* ---- AES ---- */

#define LOAD_TURN(k)  e##k = vec_load(src + VEC_BYTES * (k));
#define STORE_TURN(k) vec_store(dst + VEC_BYTES * (k), e##k);
/* Nothing is read beyond the blocks: what is one chain too many takes the first. */
#define START_BLOCKS(k)                                                                            \
    if ((k) != 0) {                                                                                \
        e##k = vec_load(src - VEC_BYTES * lesser(k, full));                                        \
    }
#define STORE_BLOCKS(k) vec_store(dst - VEC_BYTES * (k), e##k)

static void gcm_encrypt(const void *table, uint8_t *dst, const uint8_t *src, size_t nblocks)
{
    const struct gcm_table *t = table;
    vec e0, e1, e2, e3, e4, e5, e6, e7;

    for (; nblocks >= BLOCKS; nblocks -= BLOCKS) {
        CHAINS_8(LOAD_TURN)
        CHAINS_ENCRYPT(CHAINS_8, CHAINS_FIRST_8);
        CHAINS_8(STORE_TURN)
        src += TURN;
        dst += TURN;
    }
    if (nblocks != 0) { /* the pointers may be NULL */
        size_t full = nblocks / GCM_LANES;
        size_t rest = nblocks % GCM_LANES;

        src += full * VEC_BYTES;
        dst += full * VEC_BYTES;
        e0 = rest != 0 ? load_rest(src, 16 * rest) : vec_zero();
        ENCRYPT_FEW(full, START_BLOCKS);
        EACH_OF_FEW(full, STORE_BLOCKS);
        if (rest != 0) {
            store_rest(dst, e0, 16 * rest);
        }
    }
}

/* The counters of the first blocks from one on. */
GCM_INLINE vec first_counters_le(__m128i counter)
{
    vec c = vec_broadcast(counter);

#if GCM_LANES == 4
    return vec_add32(c, _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
#elif GCM_LANES == 2
    return vec_add32(c, _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0));
#else
    return c;
#endif
}

/* The first words of all lanes, as little-endian counters, n further. */
GCM_INLINE vec count_le(vec counters, uint32_t n)
{
    return vec_add32(counters, vec_broadcast(_mm_cvtsi32_si128((int)n)));
}

#define START_TURN_LE(k) e##k = (k) == 0 ? c : count_le(c, GCM_LANES * (k));
#define XOR_TURN(k)                                                                                \
    vec_store(dst + VEC_BYTES * (k), vec_xor(e##k, vec_load(src + VEC_BYTES * (k))));
#define START_LE(k) e##k = (k) == 0 ? c : count_le(c, (uint32_t)0 - GCM_LANES * (k));
#define XOR_BLOCKS(k)                                                                              \
    vec_store(dst - VEC_BYTES * (k), vec_xor(e##k, vec_load(src - VEC_BYTES * (k))))

static void gcm_counter_le(const void *table, uint8_t *dst, const uint8_t *src, size_t len,
                           const uint8_t counter[16])
{
    const struct gcm_table *t = table;
    vec c = first_counters_le(load128(counter));
    vec e0, e1, e2, e3, e4, e5, e6, e7;
    size_t full;

    for (; len >= TURN; len -= TURN) {
        CHAINS_8(START_TURN_LE)
        CHAINS_ENCRYPT(CHAINS_8, CHAINS_FIRST_8);
        CHAINS_8(XOR_TURN)
        c = count_le(c, BLOCKS);
        src += TURN;
        dst += TURN;
    }
    if (len == 0) { /* the pointers may be NULL */
        return;
    }
    full = len / VEC_BYTES;
    c = count_le(c, (uint32_t)(full * GCM_LANES));
    src += full * VEC_BYTES;
    dst += full * VEC_BYTES;
    e0 = c;
    ENCRYPT_FEW(full, START_LE);
    EACH_OF_FEW(full, XOR_BLOCKS);
    if (len % VEC_BYTES != 0) {
        xor_rest(dst, src, len % VEC_BYTES, e0);
    }
}

/* ---- GHASH ---- */

GCM_INLINE void hash_blocks(const struct gcm_table *t, uint8_t y[16], const uint8_t *p, size_t n,
                            int reversed)
{
    __m128i hash = load_hash(y);

    if (n >= BLOCKS) {
        hash = hash_turns(t, p, n / BLOCKS, hash, reversed);
        p += n / BLOCKS * TURN;
        n %= BLOCKS;
    }
    if (n != 0) {
        const uint8_t *power = POWER_AT(t, n);
        struct gcm_sum sum = hash_begin(vec_from_low(hash), power);

        for (; n >= GCM_LANES; n -= GCM_LANES) {
            hash_add(&sum, order_blocks(vec_load(p), reversed), power);
            p += VEC_BYTES;
            power += VEC_BYTES;
        }
        if (n != 0) {
            hash_add(&sum, order_blocks(load_rest(p, 16 * n), reversed), power);
        }
        hash = hash_end(&sum);
    }
    store_hash(y, hash);
}

static void gcm_hash(const void *table, uint8_t y[16], const uint8_t *data, size_t nblocks)
{
    hash_blocks(table, y, data, nblocks, 0);
}

static void gcm_hash_reversed(const void *table, uint8_t y[16], const uint8_t *data, size_t nblocks)
{
    hash_blocks(table, y, data, nblocks, 1);
}

/* ---- Text ---- */

#define START_COUNTED(k)                                                                           \
    e##k = counter_blocks((k) == 0 ? end : count(end, (uint32_t)0 - GCM_LANES * (k)));
#define TEXT_BLOCKS(k)                                                                             \
    do {                                                                                           \
        vec in = vec_load(src - VEC_BYTES * (k));                                                  \
        vec out = vec_xor(in, e##k);                                                               \
                                                                                                   \
        vec_store(dst - VEC_BYTES * (k), out);                                                     \
        hash_add(&sum, reverse_blocks(opening ? in : out), power - VEC_BYTES * (k));               \
    } while (0)

/* n blocks, 1 to BLOCKS - 1 */
GCM_INLINE void few_of_text(const struct gcm_table *t, uint8_t y[16], uint8_t *dst,
                            const uint8_t *src, size_t n, __m128i counter, int opening)
{
    size_t full = n / GCM_LANES;
    size_t rest = n % GCM_LANES;
    const uint8_t *power = POWER_AT(t, rest);
    vec end = start_counters(counter, (uint32_t)(full * GCM_LANES));
    vec e0, e1, e2, e3, e4, e5, e6, e7;
    struct gcm_sum sum;

    src += full * VEC_BYTES;
    dst += full * VEC_BYTES;
    e0 = end;
    ENCRYPT_FEW(full, START_COUNTED);
    sum = hash_begin(vec_from_low(load_hash(y)), POWER_AT(t, n));
    EACH_OF_FEW(full, TEXT_BLOCKS);
    if (rest != 0) {
        vec in = load_rest(src, 16 * rest);
        vec out = vec_xor(in, e0);

        store_rest(dst, out, 16 * rest);
        hash_add(&sum, reverse_blocks(opening ? in : keep_rest(out, 16 * rest)), power);
    }
    store_hash(y, hash_end(&sum));
}

static __attribute__((noinline)) void few_sealed(const struct gcm_table *t, uint8_t y[16],
                                                 uint8_t *dst, const uint8_t *src, size_t n,
                                                 __m128i counter)
{
    few_of_text(t, y, dst, src, n, counter, 0);
}

static __attribute__((noinline)) void few_opened(const struct gcm_table *t, uint8_t y[16],
                                                 uint8_t *dst, const uint8_t *src, size_t n,
                                                 __m128i counter)
{
    few_of_text(t, y, dst, src, n, counter, 1);
}

static void gcm_text(const void *table, uint8_t y[16], uint8_t *dst, const uint8_t *src,
                     size_t nblocks, const uint8_t counter[16], int opening)
{
    size_t rest = nblocks % BLOCKS;

    if (nblocks != rest) {
        text_turns(table, y, dst, src, nblocks / BLOCKS, counter_after(counter, 0), opening);
    }
    if (rest != 0) {
        size_t done = nblocks - rest;
        __m128i c = counter_after(counter, done);

        if (opening) {
            few_opened(table, y, dst + 16 * done, src + 16 * done, rest, c);
        } else {
            few_sealed(table, y, dst + 16 * done, src + 16 * done, rest, c);
        }
    }
}

/* ---- AES-GCM-SIV ---- */

GCM_INLINE __m128i siv_nonce(const uint8_t nonce[12], uint32_t first)
{
    return _mm_set_epi64x((long long)load_le64(nonce + 4),
                          (long long)((uint64_t)load_le32(nonce) << 32 | first));
}

#define SIV_EACH(DO)                                                                               \
    DO(b0)                                                                                         \
    DO(b1)                                                                                         \
    DO(b2)                                                                                         \
    DO(b3)                                                                                         \
    DO(b4)                                                                                         \
    DO(b5)

/*
 * Six chains take no longer than four. The keys are put where the round keys begin. POLYVAL's key is
 * what ghash_key makes of GHASH's: the one divides by x, the other multiplies.
 */
static void gcm_siv_derive(const void *table, void *derived, size_t key_len,
                           const uint8_t nonce[12], size_t nblocks)
{
    const struct gcm_table *t = table;
    struct gcm_table *d = derived;
    __m128i first = siv_nonce(nonce, 0);
    __m128i b0 = first;
    __m128i b1 = _mm_add_epi32(first, _mm_cvtsi32_si128(1));
    __m128i b2 = _mm_add_epi32(first, _mm_cvtsi32_si128(2));
    __m128i b3 = _mm_add_epi32(first, _mm_cvtsi32_si128(3));
    __m128i b4 = _mm_add_epi32(first, _mm_cvtsi32_si128(4));
    __m128i b5 = _mm_add_epi32(first, _mm_cvtsi32_si128(5));
    __m128i k = load128(t->round_key[0]);

#define SIV_WHITEN(b) b = _mm_xor_si128(b, k);
#define SIV_ROUND(b)  b = _mm_aesenc_si128(b, k);
#define SIV_LAST(b)   b = _mm_aesenclast_si128(b, k);
    SIV_EACH(SIV_WHITEN)
    for (size_t i = 1; i < t->rounds; i++) {
        k = load128(t->round_key[i]);
        SIV_EACH(SIV_ROUND)
    }
    k = load128(t->round_key[t->rounds]);
    SIV_EACH(SIV_LAST)

    store128(d->round_key[0], _mm_unpacklo_epi64(b2, b3));
    store128(d->round_key[1], _mm_unpacklo_epi64(b4, b5));
    d->rounds = aes_key_expand(d->round_key[0], d->round_key[0], key_len);
    make_powers(d, _mm_unpacklo_epi64(b0, b1), nblocks < BLOCKS ? nblocks : BLOCKS);
}

static void gcm_siv_tag(const void *derived, uint8_t tag[16], uint8_t counter[16],
                        const uint8_t y[16], const uint8_t nonce[12])
{
    const struct gcm_table *d = derived;
    const __m128i top = _mm_set_epi32((int)0x80000000, 0, 0, 0);
    /* the nonce's first word is the block's, not the second as in a block that derives keys */
    __m128i block = _mm_srli_si128(siv_nonce(nonce, 0), 4);

    block = _mm_xor_si128(block, gcm_reverse(load128(y)));
    block = aes_encrypt_block(d->round_key[0], (unsigned)d->rounds, _mm_andnot_si128(top, block));
    store128(tag, block);
    store128(counter, _mm_or_si128(block, top));
}

static const struct aes_gcm_parts gcm_parts = {
    .init_hash = gcm_init_hash,
    .encrypt = gcm_encrypt,
    .hash = gcm_hash,
    .hash_reversed = gcm_hash_reversed,
    .text = gcm_text,
    .counter_le = gcm_counter_le,
    .stack = 0,
    .siv_derive = gcm_siv_derive,
    .siv_tag = gcm_siv_tag,
    .pieces = GCM_PIECES,
    .table_size = sizeof(struct gcm_table),
};

#endif
