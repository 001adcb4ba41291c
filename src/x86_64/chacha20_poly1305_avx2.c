/* SPDX-License-Identifier: MIT */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) with AVX2 and MULX.
 *
 * Up to 320 bytes: the block of the Poly1305 key and those of the text come out of one pass over
 * pairs of blocks, then the hash. Longer: the key's block is computed in the scalar registers
 * beside the first 512 bytes; from then on, beside the rounds for 512 bytes, Poly1305 of the 512
 * bytes before (seal) or of the same ones (open).
 */
#include "../kernel.h"
#include "chacha_eight_poly1305_avx2.h"
#include "chacha_nine_avx2.h"

enum direction { SEAL, OPEN };

struct hash {
    struct poly1305_mulx_int h;
    struct poly1305_mulx_key key;
    uint64_t s0;
    uint64_t s1;
};

CHACHA_INLINE void hash_begin(struct hash *hash, __m256i key)
{
    const __m128i r = _mm256_castsi256_si128(key);
    const __m128i s = _mm256_extracti128_si256(key, 1);

    hash->h.n[0] = 0;
    hash->h.n[1] = 0;
    hash->h.n[2] = 0;
    hash->key = poly1305_mulx_key((uint64_t)_mm_cvtsi128_si64(r) & 0x0ffffffc0fffffffULL,
                                  (uint64_t)_mm_extract_epi64(r, 1) & 0x0ffffffc0ffffffcULL);
    hash->s0 = (uint64_t)_mm_cvtsi128_si64(s);
    hash->s1 = (uint64_t)_mm_extract_epi64(s, 1);
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
 * The rows of the input, counter 0 and 1. The nonce is put together in a register: storing it in
 * pieces and loading it whole would wait until the stores are through, 15 cycles.
 */
CHACHA_INLINE struct chacha_pair pair_input(const uint8_t nonce[12], const uint8_t key[32])
{
    const __m128i tail = _mm_cvtsi64_si128((int64_t)load_le64(nonce + 4));
    const __m128i head = _mm_cvtsi32_si128((int)load_le32(nonce));
    struct chacha_pair in;

    /* "expand 32-byte k" */
    in.a = _mm256_setr_epi32(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x61707865, 0x3320646e,
                             0x79622d32, 0x6b206574);
    in.b = chacha_row(key);
    in.c = chacha_row(key + 16);
    in.d = _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(_mm_slli_epi64(head, 32), tail));
    in.d = _mm256_add_epi32(in.d, _mm256_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0));
    return in;
}

/* len <= 128 pairs - 64, and more than pairs - 1 would do. */
CHACHA_INLINE void few(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                       const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                       const uint8_t key[32], enum direction direction, int pairs)
{
    struct chacha_pair x[3];
    struct hash hash;
    struct chacha_pair in = pair_input(nonce, key);
    uint8_t spare[64];

    chacha_pairs_begin(x, pairs, &in);
    for (int i = 0; i < 10; i++) {
        chacha_pairs_double_round(x, pairs);
    }
    CHACHA_RELOAD(key);
    CHACHA_RELOAD(nonce);
    in = pair_input(nonce, key);
    chacha_pair_end(&x[0], &in, 0);
    hash_begin(&hash, x[0].a);
    hash_padded(&hash, aad, aad_len);
    if (direction == OPEN) {
        hash_padded(&hash, src, len);
    }
    if (len > 0) {
        chacha_xor_block(dst, src, len < 64 ? len : 64, x[0].c, x[0].d, spare);
    }
    if (pairs > 1) {
        chacha_pair_end(&x[1], &in, 1);
        chacha_xor_pair(dst + 64, src + 64, len - 64, &x[1], spare);
    }
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
        chacha_xor_pair(dst + 192, src + 192, len - 192, &x[2], spare);
    }
    if (direction == SEAL) {
        hash_padded(&hash, dst, len);
    }
    hash_end(&hash, aad_len, len, tag);
}

struct powers {
    struct poly1305_mulx_int r4;
    struct poly1305_mulx_int r8;
    struct poly1305_mulx_int r16;
};

CHACHA_INLINE void powers_of_r(struct powers *powers, const struct poly1305_mulx_key *key)
{
    const struct poly1305_mulx_int r = {{key->r0, key->r1, 0}};
    const struct poly1305_mulx_int r2 = poly1305_mulx_square(&r);

    powers->r4 = poly1305_mulx_square(&r2);
    powers->r8 = poly1305_mulx_square(&powers->r4);
    powers->r16 = poly1305_mulx_square(&powers->r8);
}

/*
 * 512 bytes in two chains, and the powers of r on the way: a square has to wait for the one before,
 * which takes 30 cycles, but not for the chains.
 */
CHACHA_INLINE void hash_512_and_powers(struct hash *hash, struct powers *powers, const uint8_t *p)
{
    struct poly1305_mulx_int x = {{hash->key.r0, hash->key.r1, 0}};
    struct poly1305_mulx_int a = hash->h;
    struct poly1305_mulx_int b = {{0, 0, 0}};

    for (int i = 0; i < 4; i++) {
        x = poly1305_mulx_square(&x);
        if (i == 1) {
            powers->r4 = x;
        } else if (i == 2) {
            powers->r8 = x;
        }
        for (int j = 0; j < 4; j++) {
            poly1305_mulx_block(&a, &hash->key, p);
            poly1305_mulx_block(&b, &hash->key, p + 256);
            p += 16;
        }
    }
    powers->r16 = x;
    poly1305_mulx_mul_add(&a, &powers->r16, &b);
    hash->h = a;
}

/* As hash_padded, in two chains as long as that pays. */
static inline void hash_long(struct hash *hash, const struct powers *powers, const uint8_t *p,
                             size_t n)
{
    while (n >= 512) {
        poly1305_mulx_two_chains(&hash->h, &hash->key, &powers->r16, p, 16);
        p += 512;
        n -= 512;
    }
    if (n >= 256) {
        poly1305_mulx_two_chains(&hash->h, &hash->key, &powers->r8, p, 8);
        p += 256;
        n -= 256;
    }
    if (n >= 128) {
        poly1305_mulx_two_chains(&hash->h, &hash->key, &powers->r4, p, 4);
        p += 128;
        n -= 128;
    }
    hash_padded(hash, p, n);
}

/* What a message of more than 320 bytes keeps on the stack. */
struct work {
    struct chacha_eight f;
    struct hash hash;
    struct powers powers;
};

/* From one chain to the two beside chacha_eight, and back. */
CHACHA_INLINE void split(struct work *w)
{
    const struct poly1305_mulx_int zero = {{0, 0, 0}};

    w->f.key = w->hash.key;
    w->f.power = w->powers.r16;
    poly1305_mulx_mul_add(&w->f.power, &w->powers.r4, &zero);
    w->f.h = zero;
    w->f.g = w->hash.h;
}

CHACHA_INLINE void join(struct work *w)
{
    w->hash.h = w->f.h;
    poly1305_mulx_mul_add(&w->hash.h, &w->f.power, &w->f.g);
}

/* n <= 512 bytes of text, and beside them 512 bytes of hash, by the two chains. */
CHACHA_INLINE void text_and_hash(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                                 const uint8_t *msg)
{
    w->f.msg = msg;
    w->f.left = 4;
    chacha_eight_text(&w->f, chacha_eight_poly1305, dst, src, n);
    w->f.state[12] += 8;
}

/*
 * The last n <= 384 bytes of text by pairs of blocks, with a hash between the double rounds, which
 * the CPU runs beside them: when sealing, of the 512 bytes before, in two chains; when opening, of
 * what is in these bytes, in one.
 */
CHACHA_INLINE void text_tail(struct work *w, uint8_t *dst, const uint8_t *src, size_t n,
                             enum direction direction, int pairs)
{
    const uint32_t *state = w->f.state;
    struct chacha_pair in = chacha_pair_input(state);
    struct chacha_pair x[3];
    struct poly1305_mulx_int a = w->hash.h;
    struct poly1305_mulx_int b = {{0, 0, 0}};
    const uint8_t *msg = direction == SEAL ? dst - 512 : src;
    size_t hashed = 0;
    uint8_t *spare = (uint8_t *)w->f.ninth;

    chacha_pairs_begin(x, pairs, &in);
    for (int i = 0; i < 10; i++) {
        chacha_pairs_double_round(x, pairs);
        if (direction == SEAL && i < 8) {
            poly1305_mulx_block(&a, &w->hash.key, msg + hashed);
            poly1305_mulx_block(&b, &w->hash.key, msg + hashed + 256);
            poly1305_mulx_block(&a, &w->hash.key, msg + hashed + 16);
            poly1305_mulx_block(&b, &w->hash.key, msg + hashed + 272);
            hashed += 32;
        }
        for (int j = 0; direction == OPEN && j < pairs && n - hashed >= 16; j++) {
            poly1305_mulx_block(&a, &w->hash.key, msg + hashed);
            hashed += 16;
        }
    }
    if (direction == SEAL) {
        poly1305_mulx_mul_add(&a, &w->powers.r16, &b);
    }
    w->hash.h = a;
    if (direction == OPEN) {
        hash_padded(&w->hash, src + hashed, n - hashed);
    }
    CHACHA_RELOAD(state);
    in = chacha_pair_input(state);
    chacha_pair_end(&x[0], &in, 0);
    chacha_xor_pair(dst, src, n, &x[0], spare);
    if (pairs > 1) {
        chacha_pair_end(&x[1], &in, 1);
        chacha_xor_pair(dst + 128, src + 128, n - 128, &x[1], spare);
    }
    if (pairs > 2) {
        chacha_pair_end(&x[2], &in, 2);
        chacha_xor_pair(dst + 256, src + 256, n - 256, &x[2], spare);
    }
}

/*
 * More than 320 bytes. `ct` is the cipher text of the first 512 bytes of text: where it is opened in
 * place, a copy, since the text is there before the key of the hash is.
 */
CHACHA_INLINE void many(uint8_t *dst, uint8_t tag[16], const uint8_t *src, size_t len,
                        const uint8_t *aad, size_t aad_len, const uint8_t nonce[12],
                        const uint8_t key[32], enum direction direction, const uint8_t *ct)
{
    const struct chacha_pair in = pair_input(nonce, key);
    const size_t first = len < 512 ? len : 512;
    int have_powers = 0;
    struct work w;
    __m256i lo;
    __m256i hi;
    size_t hashed = 0;
    size_t done = first;

    _mm_store_si128((__m128i *)w.f.state, _mm256_castsi256_si128(in.a));
    _mm_store_si128((__m128i *)(w.f.state + 4), _mm256_castsi256_si128(in.b));
    _mm_store_si128((__m128i *)(w.f.state + 8), _mm256_castsi256_si128(in.c));
    /* the second half: counter 1 */
    _mm_store_si128((__m128i *)(w.f.state + 12), _mm256_extracti128_si256(in.d, 1));
    w.f.ninth_number = 0;
    w.f.left = 10;
    chacha_eight_text(&w.f, chacha_nine, dst, src, first);
    w.f.state[12] = 9;
    chacha_ninth(&lo, &hi, &w.f);
    hash_begin(&w.hash, lo);
    if (aad_len >= 256 || first < 512 || (direction == SEAL && len >= 1024)) {
        powers_of_r(&w.powers, &w.hash.key);
        have_powers = 1;
        hash_long(&w.hash, &w.powers, aad, aad_len);
    } else {
        hash_padded(&w.hash, aad, aad_len);
    }
    if (direction == OPEN) {
        if (have_powers) {
            hash_long(&w.hash, &w.powers, ct, first);
        } else {
            hash_512_and_powers(&w.hash, &w.powers, ct);
            have_powers = 1;
        }
        hashed = first;
    }

    if (len - done >= 512) {
        split(&w);
        do {
            text_and_hash(&w, dst + done, src + done, 512,
                          direction == SEAL ? dst + hashed : src + hashed);
            done += 512;
            hashed += 512;
        } while (len - done >= 512);
        join(&w);
    }
    if (len > done) {
        const size_t n = len - done;

        if (!have_powers) {
            powers_of_r(&w.powers, &w.hash.key);
            have_powers = 1;
        }
        if (n > 384 && direction == SEAL) {
            split(&w);
            text_and_hash(&w, dst + done, src + done, n, dst + hashed);
            join(&w);
        } else if (n > 384) {
            hash_long(&w.hash, &w.powers, src + done, n);
            w.f.left = 10;
            chacha_eight_text(&w.f, chacha_eight, dst + done, src + done, n);
        } else if (n > 256) {
            text_tail(&w, dst + done, src + done, n, direction, 3);
        } else if (n > 128) {
            text_tail(&w, dst + done, src + done, n, direction, 2);
        } else {
            text_tail(&w, dst + done, src + done, n, direction, 1);
        }
        hashed += 512;
    }
    if (direction == SEAL) {
        if (have_powers) {
            hash_long(&w.hash, &w.powers, dst + hashed, len - hashed);
        } else {
            hash_512_and_powers(&w.hash, &w.powers, dst);
        }
    }
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

DEFINE(seal_1, few(PASS, SEAL, 1))
DEFINE(seal_2, few(PASS, SEAL, 2))
DEFINE(seal_3, few(PASS, SEAL, 3))
DEFINE(seal_many, many(PASS, SEAL, NULL))
DEFINE(open_1, few(PASS, OPEN, 1))
DEFINE(open_2, few(PASS, OPEN, 2))
DEFINE(open_3, few(PASS, OPEN, 3))

__attribute__((noinline)) static void open_many(ARGUMENTS, const uint8_t *ct)
{
    many(PASS, OPEN, ct);
}

/*
 * Clears what seal_many and open_many leave on the stack: their struct work and what compilers spill,
 * in their frames and in those of hash_long and the assembly. Short messages leave less than what
 * `stack` below names, and do not pay for this: seal_3 by GCC 12 at -O3 has 48 bytes of pushes, up to
 * 24 of alignment, a frame of 264 and spills 88 bytes into the red zone.
 */
__attribute__((noinline)) static void clear_stack(void)
{
    uint8_t frame[1536] __attribute__((aligned(64)));

    chacha_wipe(frame, sizeof(frame));
}

__attribute__((noinline)) static void open_in_place(ARGUMENTS)
{
    uint8_t ct[512];

    memcpy(ct, src, len < 512 ? len : 512);
    open_many(PASS, ct);
    clear_stack();
}

static void seal(ARGUMENTS)
{
    if (len <= 64) {
        seal_1(PASS);
    } else if (len <= 192) {
        seal_2(PASS);
    } else if (len <= 320) {
        seal_3(PASS);
    } else {
        seal_many(PASS);
        clear_stack();
    }
}

static void open(ARGUMENTS)
{
    if (len <= 64) {
        open_1(PASS);
    } else if (len <= 192) {
        open_2(PASS);
    } else if (len <= 320) {
        open_3(PASS);
    } else if (dst == src) {
        open_in_place(PASS);
    } else {
        open_many(PASS, src);
        clear_stack();
    }
}

AEADFAST_DEFINE_KERNEL(chacha20_poly1305_kernel, chacha20_poly1305_avx2) = {seal, open, 512};
