/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX2 and MULX.
 *
 * The first pass over the rounds makes the block of the Poly1305 key and the first blocks of text; each
 * pass after it makes more text, and beside it Poly1305 of the text before (seal) or of the same text
 * (open). Up to 320 bytes: one pass, of pairs of blocks. Up to 704: two such passes. Longer: 512 bytes
 * a pass, and pairs again for what is left.
 */
#include "../kernel.h"
#include "chacha_batches_avx2.h"
#include "chacha_five_avx2.h"
#include "chacha_many_avx2.h"
#include "chacha_nine_avx2.h"
#include "chacha_nine_poly1305_avx2.h"
#include "chacha_two_pairs_avx2.h"

#include "chacha20_poly1305_many.h"

enum direction { SEAL, OPEN };

struct hash {
    struct poly1305_mulx_int h;
    struct poly1305_mulx_key key;
    uint64_t s0;
    uint64_t s1;
};

/* r as it is in the key's block, and s. */
CHACHA_INLINE void hash_begin(struct hash *hash, const uint64_t r[2], const uint64_t s[2])
{
    hash->h.n[0] = 0;
    hash->h.n[1] = 0;
    hash->h.n[2] = 0;
    hash->key = poly1305_mulx_key(r[0] & 0x0ffffffc0fffffffULL, r[1] & 0x0ffffffc0ffffffcULL);
    hash->s0 = s[0];
    hash->s1 = s[1];
}

/* The same from the low halves of two registers. */
CHACHA_INLINE void hash_begin_by(struct hash *hash, __m256i lo, __m256i hi)
{
    const __m128i r = _mm256_castsi256_si128(lo);
    const __m128i s = _mm256_castsi256_si128(hi);
    const uint64_t r64[2] = {(uint64_t)_mm_cvtsi128_si64(r), (uint64_t)_mm_extract_epi64(r, 1)};
    const uint64_t s64[2] = {(uint64_t)_mm_cvtsi128_si64(s), (uint64_t)_mm_extract_epi64(s, 1)};

    hash_begin(hash, r64, s64);
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

CHACHA_INLINE void hash_end(struct hash *hash, size_t aad_len, size_t len, uint8_t tag[16])
{
    poly1305_mulx_words(&hash->h, &hash->key, aad_len, len);
    poly1305_mulx_multiply(&hash->h, &hash->key);
    poly1305_mulx_final(&hash->h, hash->s0, hash->s1, tag);
}

/*
 * The rows of the input, counter 0 and 1. The nonce is put together in registers: storing it in pieces
 * and loading it whole would wait until the stores are through, 15 cycles. Of the two ways here the
 * first is shorter by four cycles, and with the second compilers do better by longer messages (Zen 3,
 * 512 bytes: 60 to 100 cycles).
 */
CHACHA_INLINE struct chacha_pair pair_input(const uint8_t nonce[12], const uint8_t key[32],
                                            int short_way)
{
    const __m256i counter = _mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0);
    struct chacha_pair in;

    /* "expand 32-byte k" */
    in.a = _mm256_setr_epi32(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x61707865, 0x3320646e,
                             0x79622d32, 0x6b206574);
    in.b = chacha_row(key);
    in.c = chacha_row(key + 16);
    if (short_way) {
        const __m256i n0 = _mm256_set1_epi32((int)load_le32(nonce));
        const __m256i n1_n2 = _mm256_set1_epi64x((int64_t)load_le64(nonce + 4));

        in.d = _mm256_blend_epi32(_mm256_blend_epi32(counter, n0, 0x22), n1_n2, 0xcc);
    } else {
        const __m128i tail = _mm_cvtsi64_si128((int64_t)load_le64(nonce + 4));
        const __m128i head = _mm_cvtsi32_si128((int)load_le32(nonce));

        in.d = _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(_mm_slli_epi64(head, 32), tail));
        in.d = _mm256_add_epi32(in.d, counter);
    }
    return in;
}

/* The first blocks of a message: that of the hash's key, and 128 pairs - 64 bytes of key stream. */
CHACHA_INLINE void first_pairs(struct chacha_pair x[3], struct hash *hash, const uint8_t nonce[12],
                               const uint8_t key[32], int pairs)
{
    struct chacha_pair in = pair_input(nonce, key, pairs < 3);

    chacha_pairs_begin(x, pairs, &in);
    if (pairs == 2) {
        chacha_two_pairs_rounds(x, 10);
    } else {
        CHACHA_ROLLED
        for (int i = 0; i < 10; i++) {
            chacha_pairs_double_round(x, pairs);
        }
    }
    chacha_pairs_join(x, pairs);
    CHACHA_RELOAD(key);
    CHACHA_RELOAD(nonce);
    in = pair_input(nonce, key, pairs < 3);
    hash_begin_by(hash, _mm256_add_epi32(x[0].a, in.a), _mm256_add_epi32(x[0].b, in.b));
    chacha_pair_end(&x[0], &in, 0);
    if (pairs > 1) {
        chacha_pair_end(&x[1], &in, 1);
    }
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
    }
}

/* n bytes, as many as the last pair reaches to, by the key stream of first_pairs. */
CHACHA_INLINE void first_text(uint8_t *dst, const uint8_t *src, size_t n,
                              const struct chacha_pair x[3], int pairs)
{
    if (n > 0) {
        chacha_xor_block(dst, src, n < 64 ? n : 64, x[0].c, x[0].d);
    }
    if (pairs > 1) {
        chacha_xor_pair(dst + 64, src + 64, n - 64, &x[1]);
    }
    if (pairs > 2) {
        chacha_xor_pair(dst + 192, src + 192, n - 192, &x[2]);
    }
}

/* len <= 128 pairs - 64, and more than pairs - 1 would do. */
CHACHA_INLINE void one_pass(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                            const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                            const uint8_t key[32], enum direction direction, int pairs)
{
    struct chacha_pair x[3];
    struct hash hash;

    first_pairs(x, &hash, nonce, key, pairs);
    hash_padded(&hash, aad, aad_len);
    if (direction == OPEN) {
        hash_padded(&hash, src, len);
    }
    first_text(dst, src, len, x, pairs);
    if (direction == SEAL) {
        hash_padded(&hash, dst, len);
    }
    hash_end(&hash, aad_len, len, tag);
}

/* The same for 129 to 256 bytes, with the key's block in the scalar registers. */
CHACHA_INLINE void five_blocks(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                               const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                               const uint8_t key[32], enum direction direction)
{
    const __m256i one = _mm256_setr_epi32(1, 0, 0, 0, 1, 0, 0, 0);
    struct chacha_pair in = pair_input(nonce, key, 1);
    struct chacha_pair x[3];
    struct chacha_fifth fifth;
    struct hash hash;
    uint64_t r[2];

    chacha_store(fifth.state, _mm256_permute2x128_si256(in.a, in.b, 0x20));
    chacha_store(fifth.state + 8, _mm256_permute2x128_si256(in.c, in.d, 0x20));
    in.d = _mm256_add_epi32(in.d, one);
    chacha_pairs_begin(x, 2, &in);
    chacha_five(x, &fifth, r);
    hash_begin(&hash, r, fifth.s);
    if (direction == OPEN) {
        hash_padded(&hash, aad, aad_len);
        hash_padded(&hash, src, len);
    }
    CHACHA_RELOAD(key);
    CHACHA_RELOAD(nonce);
    in = pair_input(nonce, key, 1);
    in.d = _mm256_add_epi32(in.d, one);
    chacha_pair_end(&x[0], &in, 0);
    chacha_xor_pair(dst, src, len, &x[0]);
    chacha_pair_end(&x[1], &in, 1);
    chacha_xor_pair(dst + 128, src + 128, len - 128, &x[1]);
    if (direction == SEAL) {
        hash_padded(&hash, aad, aad_len);
        hash_padded(&hash, dst, len);
    }
    hash_end(&hash, aad_len, len, tag);
}

/*
 * n <= 128 pairs bytes of text by the blocks from `state` on and, beside the rounds and before the
 * text is written, `hashed` bytes of hash.
 */
CHACHA_INLINE void pairs_and_hash(struct hash *hash, const uint32_t state[16], uint8_t *dst,
                                  const uint8_t *src, size_t n, const uint8_t *msg, size_t hashed,
                                  int pairs)
{
    const size_t beside = pairs == 3 ? 48 : 32; /* what takes as long as a double round */
    struct chacha_pair in = chacha_pair_input(state);
    struct chacha_pair x[3];
    struct poly1305_mulx_int h = hash->h;
    int i = 0;

    chacha_pairs_begin(x, pairs, &in);
    for (; i < 10 && hashed >= beside; i++) {
        chacha_pairs_double_round(x, pairs);
        poly1305_mulx_block(&h, &hash->key, msg);
        poly1305_mulx_block(&h, &hash->key, msg + 16);
        if (beside == 48) {
            poly1305_mulx_block(&h, &hash->key, msg + 32);
        }
        msg += beside;
        hashed -= beside;
    }
    for (; i < 10; i++) {
        chacha_pairs_double_round(x, pairs);
    }
    chacha_pairs_join(x, pairs);
    hash->h = h;
    hash_padded(hash, msg, hashed);
    CHACHA_RELOAD(state);
    in = chacha_pair_input(state);
    chacha_pair_end(&x[0], &in, 0);
    chacha_xor_pair(dst, src, n, &x[0]);
    if (pairs > 1) {
        chacha_pair_end(&x[1], &in, 1);
        chacha_xor_pair(dst + 128, src + 128, n - 128, &x[1]);
    }
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
        chacha_xor_pair(dst + 256, src + 256, n - 256, &x[2]);
    }
}

/* As many pairs as n <= 384 bytes need. */
static inline void some_pairs_and_hash(struct hash *hash, const uint32_t state[16], uint8_t *dst,
                                       const uint8_t *src, size_t n, const uint8_t *msg,
                                       size_t hashed)
{
    if (n > 256) {
        pairs_and_hash(hash, state, dst, src, n, msg, hashed, 3);
    } else if (n > 128) {
        pairs_and_hash(hash, state, dst, src, n, msg, hashed, 2);
    } else {
        pairs_and_hash(hash, state, dst, src, n, msg, hashed, 1);
    }
}

/*
 * 321 to 704 bytes. `ct` is the cipher text: where it is opened in place, a copy, since text is there
 * before the key of the hash is.
 */
CHACHA_INLINE void two_passes(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                              const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                              const uint8_t key[32], enum direction direction, const uint8_t *ct)
{
    struct chacha_pair x[3];
    struct hash hash;
    uint32_t state[16] __attribute__((aligned(32)));
    struct chacha_pair in;

    first_pairs(x, &hash, nonce, key, 3);
    first_text(dst, src, 320, x, 3);
    in = pair_input(nonce, key, 0);
    in.d = _mm256_add_epi32(in.d, _mm256_setr_epi32(6, 0, 0, 0, 6, 0, 0, 0));
    chacha_store(state, _mm256_permute2x128_si256(in.a, in.b, 0x20));
    chacha_store(state + 8, _mm256_permute2x128_si256(in.c, in.d, 0x20));
    hash_padded(&hash, aad, aad_len);
    some_pairs_and_hash(&hash, state, dst + 320, src + 320, len - 320, direction == SEAL ? dst : ct,
                        direction == SEAL ? 320 : len);
    if (direction == SEAL) {
        hash_padded(&hash, dst + 320, len - 320);
    }
    hash_end(&hash, aad_len, len, tag);
}

/* A rest of more bytes than that is sealed as if it were 512. */
#define LAST_PAIRS 384

/* What a message of more than 704 bytes keeps on the stack. */
struct work {
    struct chacha_opening o;
    struct hash hash;
};

/* n <= 512 bytes of text, and beside them 512 bytes of hash in one chain. */
CHACHA_INLINE void text_and_hash(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                                 const uint8_t *msg)
{
    struct chacha_eight *const f = &w->o.f;

    f->h = w->hash.h;
    f->msg = msg;
    f->left = 10;
    chacha_eight_text(f, chacha_eight_one_chain, dst, src, n);
    f->state[12] += 8;
    w->hash.h = f->h;
}

/* For the eight blocks from 1 on, and block 0 beside them. */
CHACHA_INLINE void many_begin(struct chacha_eight *f, uint8_t *dst, const uint8_t *src,
                              const uint8_t nonce[12], const uint8_t key[32])
{
    const struct chacha_pair in = pair_input(nonce, key, 0);

    chacha_eight_begin(f);
    chacha_store(f->state, _mm256_permute2x128_si256(in.a, in.b, 0x20));
    /* the second half: counter 1 */
    chacha_store(f->state + 8, _mm256_permute2x128_si256(in.c, in.d, 0x31));
    f->ninth_number = 0;
    f->dst = dst;
    f->src = src;
}

/* The first 512 bytes, of which nothing is hashed. */
CHACHA_INLINE void many_sealed(struct work *w, uint8_t *dst, const uint8_t *src, const uint8_t *aad,
                               size_t aad_len, const uint8_t nonce[12], const uint8_t key[32])
{
    struct chacha_eight *const f = &w->o.f;
    __m256i lo;
    __m256i hi;

    many_begin(f, dst, src, nonce, key);
    f->left = 10;
    chacha_nine(f);
    f->state[12] = 9;
    chacha_ninth(&lo, &hi, f);
    hash_begin_by(&w->hash, lo, _mm256_permute2x128_si256(lo, lo, 0x11));
    f->key = w->hash.key;
    f->first = w->hash.key;
    hash_padded(&w->hash, aad, aad_len);
}

/* The first 512 bytes, of which 320 are hashed, or 1024, of which all are. */
CHACHA_INLINE void many_opened(struct work *w, uint8_t *dst, const uint8_t *src, size_t len,
                               const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                               const uint8_t key[32], const uint8_t *ct)
{
    struct chacha_opening *const o = &w->o;
    struct chacha_eight *const f = &o->f;

    o->aad = aad;
    o->aad_blocks = aad_len / 16;
    o->has_partial = aad_len % 16;
    if (aad_len % 16 != 0) {
        poly1305_mulx_load_partial(o->partial, aad + aad_len / 16 * 16, aad_len % 16);
    }
    many_begin(f, dst, src, nonce, key);
    f->msg = ct;
    f->left = 5;
    chacha_nine_opening(o);
    f->state[12] = 9;
    if (len >= 1024) {
        f->dst = dst + 512;
        f->src = src + 512;
        f->msg = ct + 16 * CHACHA_OPENING_BLOCKS;
        f->left = 10;
        chacha_eight_behind(f);
        f->state[12] = 17;
    }
    f->first = f->key;
    w->hash.h = f->h;
    w->hash.key = f->key;
    w->hash.s0 = o->s[0];
    w->hash.s1 = o->s[1];
}

/*
 * More than 704 bytes. `ct` is the first 1024 bytes of cipher text, or all of it where it is shorter, as
 * above.
 */
CHACHA_INLINE void many(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                        const uint8_t key[32], enum direction direction, const uint8_t *ct)
{
    const uint8_t *msg = dst; /* what is hashed */
    struct work w;
    size_t hashed = 0;
    size_t done = 512;

    if (direction == SEAL) {
        many_sealed(&w, dst, src, aad, aad_len, nonce, key);
    } else {
        many_opened(&w, dst, src, len, aad, aad_len, nonce, key, ct);
        if (len >= 1024) {
            msg = src;
            done = 1024;
            hashed = 1024;
        } else {
            msg = ct;
            hashed = 16 * CHACHA_OPENING_BLOCKS;
        }
    }

    if (len >= CHACHA_BATCHES_LONG) {
        const size_t n = (len - done) / 512 * 512;

        chacha_batches_long(&w.o.f, &w.hash.h, dst + done, src + done, n, msg + hashed);
        done += n;
        hashed += n;
    }
    /* a part of 512 bytes too, unless it is short, or is not all there to be hashed */
    while (len - done >= 512 || (direction == SEAL && len - done > LAST_PAIRS)) {
        const size_t n = len - done < 512 ? len - done : 512;

        text_and_hash(&w, dst + done, src + done, n, msg + hashed);
        done += n;
        hashed += 512;
    }
    while (done < len) {
        const size_t n = len - done < LAST_PAIRS ? len - done : LAST_PAIRS;
        const size_t there = (direction == SEAL ? done : done + n) - hashed;

        some_pairs_and_hash(&w.hash, w.o.f.state, dst + done, src + done, n, msg + hashed, there);
        w.o.f.state[12] += 6;
        done += n;
        hashed += there;
    }
    hash_padded(&w.hash, msg + hashed, len - hashed);
    hash_end(&w.hash, aad_len, len, tag);
}

#define ARGUMENTS                                                                                  \
    uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len, const uint8_t *aad,             \
        size_t aad_len, const uint8_t nonce[12], const uint8_t key[32]
#define PASS dst, tag, src, len, aad, aad_len, nonce, key

/* Each size in a function of its own: the frames, and what is pushed at entry, stay small. */
#define DEFINE(name, body)                                                                         \
    __attribute__((noinline)) static void name(ARGUMENTS)                                          \
    {                                                                                              \
        body;                                                                                      \
    }

DEFINE(seal_1, one_pass(PASS, SEAL, 1))
DEFINE(seal_2, one_pass(PASS, SEAL, 2))
DEFINE(seal_five, five_blocks(PASS, SEAL))
DEFINE(seal_3, one_pass(PASS, SEAL, 3))
DEFINE(seal_two_passes, two_passes(PASS, SEAL, NULL))
DEFINE(seal_many, many(PASS, SEAL, NULL))
DEFINE(open_1, one_pass(PASS, OPEN, 1))
DEFINE(open_2, one_pass(PASS, OPEN, 2))
DEFINE(open_five, five_blocks(PASS, OPEN))
DEFINE(open_3, one_pass(PASS, OPEN, 3))

__attribute__((noinline)) static void open_two_passes(ARGUMENTS, const uint8_t *ct)
{
    two_passes(PASS, OPEN, ct);
}

__attribute__((noinline)) static void open_many(ARGUMENTS, const uint8_t *ct)
{
    many(PASS, OPEN, ct);
}

/*
 * These clear what the longer messages leave on the stack, in their frames and in those of what they
 * call. Up to 192 bytes they leave less than what `stack` below names, and do not pay for this: open_1
 * by GCC 12 at -O3 has 48 bytes of pushes, up to 24 of alignment, a frame of 72 and spills 100 bytes
 * into the red zone, seal_2 by Clang 14 48, 40 and 128. seal_3 has up to 440 bytes, seal_two_passes
 * and what it calls 800, seal_many 1180, and 1760 where the last bytes go through a buffer. Above each
 * array there is a gap of up to 63 bytes, for its alignment, which `stack` covers. In place the copy of the text lies above, so the array must be
 * longer; beginning below that copy, it would leave a gap there. Multiples of 128, as chacha_wipe wants.
 */
__attribute__((noinline)) static void clear_512(void)
{
    uint8_t frame[512] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

__attribute__((noinline)) static void clear_896(void)
{
    uint8_t frame[896] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

__attribute__((noinline)) static void clear_1280(void)
{
    uint8_t frame[1280] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

__attribute__((noinline)) static void clear_1920(void)
{
    uint8_t frame[1920] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

__attribute__((noinline)) static void clear_2432(void)
{
    uint8_t frame[1280 + 1152] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

__attribute__((noinline)) static void open_in_place(ARGUMENTS)
{
    uint8_t ct[1024];

    memcpy(ct, src, len < sizeof(ct) ? len : sizeof(ct));
    if (len <= 704) {
        open_two_passes(PASS, ct);
    } else {
        open_many(PASS, ct);
    }
}

static void seal(ARGUMENTS)
{
    if (len <= 64) {
        seal_1(PASS);
    } else if (len <= 192) {
        seal_2(PASS);
    } else if (len <= 256) {
        seal_five(PASS);
        clear_512();
    } else if (len <= 320) {
        seal_3(PASS);
        clear_512();
    } else if (len <= 704) {
        seal_two_passes(PASS);
        clear_896();
    } else {
        seal_many(PASS);
        if (len % 512 > LAST_PAIRS) {
            clear_1920();
        } else {
            clear_1280();
        }
    }
}

static void open(ARGUMENTS)
{
    if (len <= 64) {
        open_1(PASS);
    } else if (len <= 192) {
        open_2(PASS);
    } else if (len <= 256) {
        open_five(PASS);
        clear_512();
    } else if (len <= 320) {
        open_3(PASS);
        clear_512();
    } else if (dst == src) {
        open_in_place(PASS);
        clear_2432();
    } else if (len <= 704) {
        open_two_passes(PASS, src);
        clear_896();
    } else {
        open_many(PASS, src);
        clear_1280();
    }
}

AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_avx2) = {
    .seal = seal,
    .open = open,
    .stack = 256,
    .batches = chacha_batches,
    .batch = 512,
    .many = many_messages,
    .many_stack = AEADFAST_STACK(0, 6912),
    .many_len = 1536, /* from there on the gain is less than 5 % */
};
