/* SPDX-License-Identifier: MIT */
/*
 * The ChaCha stream with AVX, for CPUs without AVX2: four blocks at a time, one register a word, and
 * for the one to three that are left, four registers a block, one a row of the 4x4 state.
 */
#include <immintrin.h>

#include "../bytes.h"
#include "../kernel.h"

#define CHACHA_V          "xmm"
#define CHACHA_MASK(name) "%[" #name "]"
#include "chacha_rounds.h"

#define INLINE static inline __attribute__((always_inline))

/* vpshufb masks that rotate each 32-bit word left by 16 and by 8 */
static const uint8_t rot16[16]
    __attribute__((aligned(16))) = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13};
static const uint8_t rot8[16]
    __attribute__((aligned(16))) = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};
static const uint32_t numbers[4] __attribute__((aligned(16))) = {0, 1, 2, 3};

/* What the assembly reads and leaves, at rdi. */
struct four {
    uint32_t state[16]; /* the input; word 12 counts the first of the four blocks */
    uint32_t c3[4];
    uint64_t left; /* double rounds to go */
    const uint8_t *src;
    uint8_t *dst;
} __attribute__((aligned(32)));

#define LOAD(word, to) "vbroadcastss %c[s]+4*" #word "(%%rdi), %%xmm" #to "\n\t"

/* Four words, transposed, are sixteen bytes of four blocks; row is words / 4. t is free. */
#define UNPACK(op, x, y, to) "vpunpck" #op " %%xmm" #y ", %%xmm" #x ", %%xmm" #to "\n\t"
#define TEXT(from, block, row)                                                                     \
    "vpaddd %c[s]+16*" #row "(%%rdi), %%xmm" #from ", %%xmm" #from "\n\t"                          \
    "vpxor 64*" #block "+16*" #row "(%%rsi), %%xmm" #from ", %%xmm" #from "\n\t"                   \
    "vmovdqu %%xmm" #from ", 64*" #block "+16*" #row "(%%rdx)\n\t"
#define ROW_TEXT(w0, w1, w2, w3, t, row)                                                           \
    UNPACK(ldq, w0, w1, t)                                                                         \
    UNPACK(hdq, w0, w1, w1)                                                                        \
    UNPACK(ldq, w2, w3, w0)                                                                        \
    UNPACK(hdq, w2, w3, w3)                                                                        \
    UNPACK(lqdq, t, w0, w2)                                                                        \
    UNPACK(hqdq, t, w0, w0)                                                                        \
    UNPACK(lqdq, w1, w3, t)                                                                        \
    UNPACK(hqdq, w1, w3, w3)                                                                       \
    TEXT(w2, 0, row)                                                                               \
    TEXT(w0, 1, row)                                                                               \
    TEXT(t, 2, row)                                                                                \
    TEXT(w3, 3, row)

/* Assembly is opaque to the memory sanitizer: this is what it has written. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define ASM_WROTE(f) (__msan_unpoison((f), sizeof(*(f))), __msan_unpoison((f)->dst, 256))
#endif
#endif
#ifndef ASM_WROTE
#define ASM_WROTE(f) ((void)0)
#endif

/* 256 bytes of text. */
__attribute__((noinline)) static void xor_four(struct four *f)
{
    /* clang-format off */
    __asm__ volatile(
        LOAD(11, 11)
        "vmovdqu %%xmm11, %c[c3](%%rdi)\n\t"
        LOAD(0, 0) LOAD(1, 1) LOAD(2, 2) LOAD(3, 3)
        LOAD(4, 4) LOAD(5, 5) LOAD(6, 6) LOAD(7, 7)
        LOAD(8, 8) LOAD(9, 9) LOAD(10, 10)
        LOAD(12, 12) LOAD(13, 13) LOAD(14, 14) LOAD(15, 15)
        "vpaddd %[numbers], %%xmm12, %%xmm12\n\t"
        ".p2align 5\n"
        "1:\n\t"
        CHACHA_COLUMN_ROUND(, , , , , , , , , , , , , )
        CHACHA_DIAGONAL_ROUND(, , , , , , , , , , , , , )
        "decl %c[left](%%rdi)\n\t"
        "jnz 1b\n\t"
        "movq %c[src](%%rdi), %%rsi\n\t"
        "movq %c[dst](%%rdi), %%rdx\n\t"
        ROW_TEXT(0, 1, 2, 3, 11, 0)
        ROW_TEXT(4, 5, 6, 7, 11, 1)
        "vmovdqu %c[c3](%%rdi), %%xmm11\n\t"
        "vpaddd %[numbers], %%xmm12, %%xmm12\n\t"
        ROW_TEXT(8, 9, 10, 11, 0, 2)
        ROW_TEXT(12, 13, 14, 15, 0, 3)
        :
        : "D"(f), [rot16] "m"(rot16), [rot8] "m"(rot8), [numbers] "m"(numbers),
          [c3] "i"(offsetof(struct four, c3)), [s] "i"(offsetof(struct four, state)),
          [left] "i"(offsetof(struct four, left)), [src] "i"(offsetof(struct four, src)),
          [dst] "i"(offsetof(struct four, dst))
        : "rsi", "rdx", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
          "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    /* clang-format on */
    ASM_WROTE(f);
}

struct rows {
    __m128i a;
    __m128i b;
    __m128i c;
    __m128i d;
};

INLINE __m128i load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

INLINE void store(void *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

/* Half a quarter round of all four columns: the d row turns by a mask, the b row by n bits. */
INLINE void half_quarter(struct rows *x, const uint8_t mask[16], int n)
{
    x->a = _mm_add_epi32(x->a, x->b);
    x->d = _mm_shuffle_epi8(_mm_xor_si128(x->d, x->a), load(mask));
    x->c = _mm_add_epi32(x->c, x->d);
    x->b = _mm_xor_si128(x->b, x->c);
    x->b = _mm_or_si128(_mm_slli_epi32(x->b, n), _mm_srli_epi32(x->b, 32 - n));
}

/* Diagonals become columns, by turning the other rows against b, which is ready last. */
INLINE void double_round(struct rows *x)
{
    half_quarter(x, rot16, 12);
    half_quarter(x, rot8, 7);
    x->a = _mm_shuffle_epi32(x->a, 0x93);
    x->c = _mm_shuffle_epi32(x->c, 0x39);
    x->d = _mm_shuffle_epi32(x->d, 0x4e);
    half_quarter(x, rot16, 12);
    half_quarter(x, rot8, 7);
    x->a = _mm_shuffle_epi32(x->a, 0x39);
    x->c = _mm_shuffle_epi32(x->c, 0x93);
    x->d = _mm_shuffle_epi32(x->d, 0x4e);
}

/* The input of block `number` of the state. */
INLINE struct rows input(const uint32_t state[16], int number)
{
    struct rows x;

    x.a = load(state);
    x.b = load(state + 4);
    x.c = load(state + 8);
    x.d = _mm_add_epi32(load(state + 12), _mm_setr_epi32(number, 0, 0, 0));
    return x;
}

/* One block's key stream, of which at most n bytes are wanted. */
INLINE void xor_block(uint8_t *dst, const uint8_t *src, size_t n, const struct rows *x,
                      const uint32_t state[16], int number)
{
    const struct rows in = input(state, number);
    const __m128i a = _mm_add_epi32(x->a, in.a);
    const __m128i b = _mm_add_epi32(x->b, in.b);
    const __m128i c = _mm_add_epi32(x->c, in.c);
    const __m128i d = _mm_add_epi32(x->d, in.d);
    uint8_t key_stream[64];

    if (n >= 64) {
        store(dst, _mm_xor_si128(a, load(src)));
        store(dst + 16, _mm_xor_si128(b, load(src + 16)));
        store(dst + 32, _mm_xor_si128(c, load(src + 32)));
        store(dst + 48, _mm_xor_si128(d, load(src + 48)));
        return;
    }
    store(key_stream, a);
    store(key_stream + 16, b);
    store(key_stream + 32, c);
    store(key_stream + 48, d);
    for (size_t i = 0; i < n / 8 * 8; i += 8) {
        store_le64(dst + i, load_le64(src + i) ^ load_le64(key_stream + i));
    }
    for (size_t i = n / 8 * 8; i < n; i++) {
        dst[i] = (uint8_t)(src[i] ^ key_stream[i]);
    }
}

/* One to three blocks, side by side in the latency of one; 64 blocks - 64 < n <= 64 blocks. */
INLINE void xor_few(uint8_t *dst, const uint8_t *src, size_t n, const uint32_t state[16],
                    int rounds, int blocks)
{
    struct rows x0 = input(state, 0);
    struct rows x1 = input(state, 1);
    struct rows x2 = input(state, 2);

    for (int i = rounds; i > 0; i -= 2) {
        double_round(&x0);
        if (blocks > 1) {
            double_round(&x1);
        }
        if (blocks > 2) {
            double_round(&x2);
        }
    }
    /* from memory again, so that it need not stay in registers */
    __asm__("" : "+r"(state));
    xor_block(dst, src, n, &x0, state, 0);
    if (blocks > 1) {
        xor_block(dst + 64, src + 64, n - 64, &x1, state, 1);
    }
    if (blocks > 2) {
        xor_block(dst + 128, src + 128, n - 128, &x2, state, 2);
    }
}

static void stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                   int rounds)
{
    struct four f;

    memcpy(f.state, state, sizeof(f.state));
    while (len >= 256) {
        f.left = (uint64_t)rounds / 2;
        f.src = src;
        f.dst = dst;
        xor_four(&f);
        f.state[12] += 4;
        dst += 256;
        src += 256;
        len -= 256;
    }
    if (len > 192) {
        uint8_t bounce[256] = {0};

        memcpy(bounce, src, len);
        f.left = (uint64_t)rounds / 2;
        f.src = bounce;
        f.dst = bounce;
        xor_four(&f);
        memcpy(dst, bounce, len);
    } else if (len > 128) {
        xor_few(dst, src, len, f.state, rounds, 3);
    } else if (len > 64) {
        xor_few(dst, src, len, f.state, rounds, 2);
    } else if (len > 0) {
        xor_few(dst, src, len, f.state, rounds, 1);
    }
}

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_avx) = {stream, NULL, 768};
