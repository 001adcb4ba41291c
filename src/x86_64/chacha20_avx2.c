/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with AVX2: nine blocks at a time (eight in the vector registers and one in the
 * scalar ones) while there are so many, then eight, or pairs of blocks for what is left. Nothing is left
 * on the stack.
 */
#include "../kernel.h"
#include "chacha_nine_avx2.h"

/* At most six blocks, n > 0 bytes; `pairs` is how many pairs of blocks that takes. */
CHACHA_INLINE void xor_pairs(uint8_t *dst, const uint8_t *src, size_t n, struct chacha_input input,
                             int rounds, int pairs)
{
    struct chacha_pair in = chacha_pair_of(&input);
    struct chacha_pair x[3];

    chacha_pairs_begin(x, pairs, &in);
    for (int i = rounds; i > 0; i -= 2) {
        chacha_pairs_double_round(x, pairs);
    }
    chacha_pairs_join(x, pairs);
    CHACHA_RELOAD(input.top);
    CHACHA_RELOAD(input.key);
    in = chacha_pair_of(&input);
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

/*
 * In functions of their own, whose arguments all have registers. Up to 128 bytes: there are registers enough, so nothing is spilled.
 */
__attribute__((noinline)) static void xor_1(uint8_t *dst, const uint8_t *src, size_t n,
                                            const void *top, const void *key, __m128i bottom,
                                            int rounds)
{
    const struct chacha_input input = {top, key, bottom};

    if (n > 0) {
        xor_pairs(dst, src, n, input, rounds, 1);
    }
}

__attribute__((noinline)) static void xor_2(uint8_t *dst, const uint8_t *src, size_t n,
                                            const void *top, const void *key, __m128i bottom,
                                            int rounds)
{
    const struct chacha_input input = {top, key, bottom};

    xor_pairs(dst, src, n, input, rounds, 2);
}

__attribute__((noinline)) static void xor_3(uint8_t *dst, const uint8_t *src, size_t n,
                                            const void *top, const void *key, __m128i bottom,
                                            int rounds)
{
    const struct chacha_input input = {top, key, bottom};

    xor_pairs(dst, src, n, input, rounds, 3);
}

/*
 * Clears what these two spill: 256 bytes at most (160 by GCC 12, alignment and red zone included). No
 * more aligned than the stack is: there must be no gap above.
 */
__attribute__((noinline)) static void clear_stack(void)
{
    uint8_t frame[256] __attribute__((aligned(16)));

    chacha_wipe(frame, sizeof(frame));
}

/* At most six blocks. */
CHACHA_INLINE void xor_few(uint8_t *dst, const uint8_t *src, size_t n, struct chacha_input input,
                           int rounds)
{
    if (n <= 128) {
        xor_1(dst, src, n, input.top, input.key, input.bottom, rounds);
        return;
    }
    if (n <= 256) {
        xor_2(dst, src, n, input.top, input.key, input.bottom, rounds);
    } else {
        xor_3(dst, src, n, input.top, input.key, input.bottom, rounds);
    }
    clear_stack();
}

/*
 * How many blocks to take next when n are left, by the time that the ways take on Zen 3 (ns for 20 rounds,
 * with the text): 1 or 2 blocks 88, 3 or 4 117, 5 or 6 128, 7 or 8 153, 9 157. So a long text goes by
 * nines, a tenth faster than by eights. (By llvm-mca the ninth block costs 1 cycle of 73 a double round on
 * Haswell and Skylake, which decode four instructions a cycle.)
 */
static size_t next_batch(size_t nblocks)
{
    static const uint8_t batch[19] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 9, 6, 9, 8, 9, 8, 9, 9};

    return nblocks < sizeof(batch) ? batch[nblocks] : 9;
}

/* All but the last row. */
CHACHA_INLINE void eight_input(struct chacha_eight *f, const void *top, const void *key)
{
    chacha_eight_begin(f);
    _mm_store_si128((__m128i *)(void *)f->state, _mm_loadu_si128((const __m128i *)top));
    chacha_store(f->state + 4, chacha_load(key));
}

/* Seven or eight blocks. */
__attribute__((noinline)) static void xor_8(uint8_t *dst, const uint8_t *src, size_t n,
                                            const void *top, const void *key, __m128i bottom,
                                            int rounds)
{
    struct chacha_eight f;

    eight_input(&f, top, key);
    _mm_store_si128((__m128i *)(void *)(f.state + 12), bottom);
    f.left = (uint64_t)rounds / 2;
    chacha_eight(&f, dst, src, n, top, key, bottom);
    chacha_eight_wipe(&f);
}

/* The next blocks, `batch` of them at most; returns how many bytes of text these are. */
CHACHA_INLINE size_t xor_batch(struct chacha_eight *f, uint8_t *dst, const uint8_t *src, size_t len,
                               struct chacha_input input, int rounds, size_t batch)
{
    const size_t n = len < 64 * batch ? len : 64 * batch;

    f->left = (uint64_t)rounds / 2;
    _mm_store_si128((__m128i *)(void *)(f->state + 12), input.bottom);
    if (batch <= 6) {
        xor_few(dst, src, n, input, rounds);
    } else if (batch <= 8) {
        chacha_eight(f, dst, src, n, input.top, input.key, input.bottom);
    } else {
        __m256i lo;
        __m256i hi;

        f->dst = dst;
        f->src = src;
        f->ninth_number = (uint32_t)_mm_cvtsi128_si32(input.bottom) + 8;
        chacha_nine(f);
        chacha_ninth(&lo, &hi, f);
        chacha_xor_block(dst + 512, src + 512, n - 512, lo, hi);
    }
    return n;
}

/*
 * More. The first batch by itself: until then top and key are in registers, and after it there is the
 * copy.
 */
__attribute__((noinline)) static void xor_long(uint8_t *dst, const uint8_t *src, size_t len,
                                               const void *top, const void *key, __m128i bottom,
                                               int rounds)
{
    struct chacha_input input = {top, key, bottom};
    size_t batch = next_batch(len / 64 + (len % 64 != 0));
    struct chacha_eight f;
    size_t n;

    eight_input(&f, top, key);
    n = xor_batch(&f, dst, src, len, input, rounds, batch);
    input.top = f.state;
    input.key = f.state + 4;
    while (n < len) {
        dst += n;
        src += n;
        len -= n;
        input.bottom = _mm_add_epi32(input.bottom, _mm_cvtsi32_si128((int)batch));
        batch = next_batch(len / 64 + (len % 64 != 0));
        n = xor_batch(&f, dst, src, len, input, rounds, batch);
    }
    chacha_eight_wipe(&f);
}

CHACHA_INLINE void xor_any(uint8_t *dst, const uint8_t *src, size_t len, struct chacha_input input,
                           int rounds)
{
    if (len <= 384) {
        xor_few(dst, src, len, input, rounds);
    } else if (len <= 512) {
        xor_8(dst, src, len, input.top, input.key, input.bottom, rounds);
    } else {
        xor_long(dst, src, len, input.top, input.key, input.bottom, rounds);
    }
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    const struct chacha_input input = {
        state, state + 4, _mm_loadu_si128((const __m128i *)(const void *)(state + 12))};

    xor_any(dst, src, len, input, rounds);
}

static void direct(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                   const uint8_t nonce[12], const uint8_t key[32], int rounds)
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    struct chacha_input input = {constants, key, _mm_setzero_si128()};
    uint32_t middle = load_le32(nonce + 4);

    /* Or Clang loads eight bytes of nonce at once, which may wait for what the caller has written. */
    __asm__("" : "+r"(middle));
    input.bottom =
        _mm_setr_epi32((int)counter, (int)load_le32(nonce), (int)middle, (int)load_le32(nonce + 8));
    xor_any(dst, src, len, input, rounds);
}

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx2) = {stream, direct, 0};
