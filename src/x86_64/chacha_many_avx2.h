/* SPDX-License-Identifier: MIT */
/*
 * Eight ChaCha20 blocks of eight different inputs, and Poly1305 of other messages beside them. Needs
 * AVX2 and BMI2. Static only.
 */
#ifndef AEADFAST_CHACHA_MANY_AVX2_H
#define AEADFAST_CHACHA_MANY_AVX2_H

#include "chacha_eight_avx2.h"
#include "poly1305_steps_mulx.h"

#define CHACHA_MANY_LANES 8

/* What many_work and what it calls have on the stack at most, a multiple of 128. */
#define CHACHA_MANY_STACK 640

/* Steps of Poly1305 beside the rounds of one group. */
#define CHACHA_MANY_STEPS 32

/*
 * What the assembly reads and leaves. As in struct chacha_eight rdi points at the middle. No vector may
 * lie across two lines of the cache: where c3 lay across two pages, everything took twice as long.
 */
struct chacha_many {
    uint32_t word[16][8]; /* the input, by words; word 11 is in c3 */
    uint32_t c3[8];
    uint8_t rot16[32];
    uint8_t rot8[32];
    uint64_t left;
    uint64_t h[3];        /* Poly1305 beside the rounds */
    uint32_t lane[8][16]; /* the input by blocks; then the key stream */
} __attribute__((aligned(64)));

#define CHACHA_MANY_MIDDLE       640
#define CHACHA_MANY_OFFSET(name) ((int)offsetof(struct chacha_many, name) - CHACHA_MANY_MIDDLE)

CHACHA_INLINE void chacha_many_begin(struct chacha_many *f)
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

    chacha_store(f->rot16, chacha_load(chacha_rot16));
    chacha_store(f->rot8, chacha_load(chacha_rot8));
    for (size_t i = 0; i < 4; i++) {
        chacha_store(f->word[i], _mm256_set1_epi32((int)constants[i]));
    }
}

/* dst = src xor key_stream, which is that of a block, for n < 64 bytes. */
CHACHA_INLINE void chacha_xor_some(uint8_t *dst, const uint8_t *src, const uint8_t *key_stream,
                                   size_t n)
{
    chacha_xor_block(dst, src, n, chacha_load(key_stream), chacha_load(key_stream + 32));
}

/* Four words of each lane, from `at` on, to w. */
CHACHA_INLINE void chacha_many_words(struct chacha_many *f, size_t at, uint32_t *w[4])
{
    __m256i x[4];
    __m256i t[4];

    for (size_t i = 0; i < 4; i++) {
        const __m128i lo = _mm_loadu_si128((const __m128i *)&f->lane[i][at]);
        const __m128i hi = _mm_loadu_si128((const __m128i *)&f->lane[i + 4][at]);

        x[i] = _mm256_set_m128i(hi, lo);
    }
    t[0] = _mm256_unpacklo_epi32(x[0], x[1]);
    t[1] = _mm256_unpackhi_epi32(x[0], x[1]);
    t[2] = _mm256_unpacklo_epi32(x[2], x[3]);
    t[3] = _mm256_unpackhi_epi32(x[2], x[3]);
    chacha_store(w[0], _mm256_unpacklo_epi64(t[0], t[2]));
    chacha_store(w[1], _mm256_unpackhi_epi64(t[0], t[2]));
    chacha_store(w[2], _mm256_unpacklo_epi64(t[1], t[3]));
    chacha_store(w[3], _mm256_unpackhi_epi64(t[1], t[3]));
}

#define CHACHA_MANY_LOAD_WORD(i) "vmovdqu %c[word]+32*" #i "(%%rdi), %%ymm" #i "\n\t"
#define CHACHA_MANY_LOAD                                                                           \
    CHACHA_MANY_LOAD_WORD(0)                                                                       \
    CHACHA_MANY_LOAD_WORD(1)                                                                       \
    CHACHA_MANY_LOAD_WORD(2)                                                                       \
    CHACHA_MANY_LOAD_WORD(3)                                                                       \
    CHACHA_MANY_LOAD_WORD(4)                                                                       \
    CHACHA_MANY_LOAD_WORD(5)                                                                       \
    CHACHA_MANY_LOAD_WORD(6)                                                                       \
    CHACHA_MANY_LOAD_WORD(7)                                                                       \
    CHACHA_MANY_LOAD_WORD(8)                                                                       \
    CHACHA_MANY_LOAD_WORD(9)                                                                       \
    CHACHA_MANY_LOAD_WORD(10)                                                                      \
    CHACHA_MANY_LOAD_WORD(12)                                                                      \
    CHACHA_MANY_LOAD_WORD(13)                                                                      \
    CHACHA_MANY_LOAD_WORD(14)                                                                      \
    CHACHA_MANY_LOAD_WORD(15)

#define CHACHA_MANY_LANE(to, block, half)                                                          \
    "vpaddd %c[lane]+64*" #block "+32*" #half "(%%rdi), %%ymm" #to ", %%ymm" #to "\n\t"            \
    "vmovdqu %%ymm" #to ", %c[lane]+64*" #block "+32*" #half "(%%rdi)\n\t"
/* clang-format off */
#define CHACHA_MANY_END                                                                            \
    CHACHA_EIGHT_HALF(CHACHA_MANY_LANE, 0, 1, 2, 3, 4, 5, 6, 7, 11, 0)                             \
    "vmovdqu %c[c3](%%rdi), %%ymm11\n\t"                                                           \
    CHACHA_EIGHT_HALF(CHACHA_MANY_LANE, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1)                        \
    "vzeroupper\n\t"
/* clang-format on */

#define CHACHA_MANY_OPERANDS                                                                       \
    "D"((uint8_t *)f + CHACHA_MANY_MIDDLE), [rot16] "i"(CHACHA_MANY_OFFSET(rot16)),                \
        [rot8] "i"(CHACHA_MANY_OFFSET(rot8)), [c3] "i"(CHACHA_MANY_OFFSET(c3)),                    \
        [word] "i"(CHACHA_MANY_OFFSET(word)), [lane] "i"(CHACHA_MANY_OFFSET(lane)),                \
        [left] "i"(CHACHA_MANY_OFFSET(left))

/* From the input of each lane to its key stream. */
CHACHA_ASM_FUNCTION void chacha_many_rounds(struct chacha_many *f)
{
    /* clang-format off */
    __asm__ volatile(
        CHACHA_MANY_LOAD
        CHACHA_EIGHT_LOOP_BEGIN
        CHACHA_COLUMN_ROUND(, , , , , , , , , , , , , )
        CHACHA_DIAGONAL_ROUND(, , , , , , , , , , , , , )
        CHACHA_EIGHT_LOOP_END
        CHACHA_MANY_END
        :
        : CHACHA_MANY_OPERANDS
        : "memory", "cc", CHACHA_EIGHT_VECTORS);
    /* clang-format on */
    CHACHA_ASM_WROTE_TO(f, sizeof(*f));
}

/*
 * A step of Poly1305, `at` bytes from rsi, in nine slots and in five, as in
 * chacha_eight_poly1305_avx2.h; h is in r8, r9, r10 and rax points at the r.
 */
#define CHACHA_M_1(at)                                                                             \
    "movq " at "+16(%%rsi), %%rax\n\t" POLY1305_MULX_1("%%r8", "(%%rax)", "8(%%rax)", "%%r11",     \
                                                       "%%r12", "%%r13")
#define CHACHA_M_2     POLY1305_MULX_2("%%r9", "(%%rax)", "16(%%rax)", "%%r14", "%%r15")
#define CHACHA_M_3     POLY1305_MULX_3("%%r8", "%%r11", "%%r15")
#define CHACHA_M_4     POLY1305_MULX_4("%%r10", "(%%rax)", "16(%%rax)", "%%r15")
#define CHACHA_M_5     POLY1305_MULX_5("%%r9", "%%r12", "%%r13", "%%r14", "%%r15")
#define CHACHA_M_6     POLY1305_MULX_6("%%r9", "%%r10", "%%r11", "%%r14", "%%r15")
#define CHACHA_M_7     POLY1305_MULX_7("%%r10", "%%r15")
#define CHACHA_M_8(at) POLY1305_STEPS_8("%%r8", "%%r9", "%%r10", at, "%%rsi")
#define CHACHA_M_9(at)                                                                             \
    POLY1305_MULX_9("%%r8", "%%r9", "%%r10", "%%r15")                                              \
    POLY1305_STEPS_STORE("%%r8", "%%r9", "%%r10", at, "%%rsi")
#define CHACHA_STEP_IN_9(at)                                                                       \
    CHACHA_M_1(at), CHACHA_M_2, CHACHA_M_3, CHACHA_M_4, CHACHA_M_5, CHACHA_M_6, CHACHA_M_7,        \
        CHACHA_M_8(at), CHACHA_M_9(at)
#define CHACHA_STEP_IN_5(at)                                                                       \
    CHACHA_M_1(at)                                                                                 \
    CHACHA_M_2, CHACHA_M_3 CHACHA_M_4, CHACHA_M_5, CHACHA_M_6 CHACHA_M_7,                          \
        CHACHA_M_8(at) CHACHA_M_9(at)
#define CHACHA_STEP(at)                                                                            \
    CHACHA_M_1(at)                                                                                 \
    CHACHA_M_2 CHACHA_M_3 CHACHA_M_4 CHACHA_M_5 CHACHA_M_6 CHACHA_M_7 CHACHA_M_8(at) CHACHA_M_9(at)

/* The same, and beside it the first CHACHA_MANY_STEPS steps, which must be there. */
CHACHA_ASM_FUNCTION void chacha_many_rounds_and_steps(struct chacha_many *f,
                                                      struct poly1305_step *step)
{
    struct poly1305_step *at = step + 1; /* the middle one of three, for offsets of one byte */

    /* clang-format off */
    __asm__ volatile(
        CHACHA_MANY_LOAD
        "movq %c[h](%%rdi), %%r8\n\t"
        "movq %c[h]+8(%%rdi), %%r9\n\t"
        "movq %c[h]+16(%%rdi), %%r10\n\t"
        CHACHA_STEP("-32")
        CHACHA_STEP("0")
        CHACHA_EIGHT_LOOP_BEGIN
        "addq $96, %%rsi\n\t"
        CHACHA_COLUMN_ROUND(CHACHA_STEP_IN_9("-64"),
                            CHACHA_STEP_IN_5("-32"))
        CHACHA_DIAGONAL_ROUND(CHACHA_STEP_IN_5("0"), , , , , , , , , )
        CHACHA_EIGHT_LOOP_END
        "movq %%r8, %c[h](%%rdi)\n\t"
        "movq %%r9, %c[h]+8(%%rdi)\n\t"
        "movq %%r10, %c[h]+16(%%rdi)\n\t"
        CHACHA_MANY_END
        : "+S"(at)
        : CHACHA_MANY_OPERANDS, [h] "i"(CHACHA_MANY_OFFSET(h))
        : "rax", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "memory", "cc", CHACHA_EIGHT_VECTORS);
    /* clang-format on */
    CHACHA_ASM_WROTE_TO(f, sizeof(*f));
    CHACHA_ASM_WROTE_TO(step, CHACHA_MANY_STEPS * sizeof(*step));
}

/* The input of two lanes. */
CHACHA_INLINE struct chacha_pair chacha_many_pair(const struct chacha_many *f, size_t lane)
{
    const __m128i *x = (const __m128i *)f->lane[lane];
    const __m128i *y = (const __m128i *)f->lane[lane + 1];
    struct chacha_pair pair;

    pair.a = _mm256_set_m128i(_mm_loadu_si128(y), _mm_loadu_si128(x));
    pair.b = _mm256_set_m128i(_mm_loadu_si128(y + 1), _mm_loadu_si128(x + 1));
    pair.c = _mm256_set_m128i(_mm_loadu_si128(y + 2), _mm_loadu_si128(x + 2));
    pair.d = _mm256_set_m128i(_mm_loadu_si128(y + 3), _mm_loadu_si128(x + 3));
    return pair;
}

CHACHA_INLINE void chacha_many_pair_end(struct chacha_many *f, size_t lane, struct chacha_pair *x)
{
    const struct chacha_pair in = chacha_many_pair(f, lane);

    chacha_pair_end(x, &in, 0);
    chacha_store(&f->lane[lane][0], x->a);
    chacha_store(&f->lane[lane][8], x->b);
    chacha_store(&f->lane[lane + 1][0], x->c);
    chacha_store(&f->lane[lane + 1][8], x->d);
}

/*
 * As many pairs of lanes, 1 to 3, for a last group of few: 90, 96 and 124 ns, where eight lanes take
 * 155. Beside them up to two or three steps a double round. Returns how many.
 */
CHACHA_INLINE size_t chacha_many_pairs(struct chacha_many *f, struct poly1305_steps *q, int pairs)
{
    const size_t beside = pairs == 3 ? 3 : 2;
    struct poly1305_mulx_int h = {{q->h[0], q->h[1], q->h[2]}};
    struct chacha_pair x[3];
    size_t done = 0;

    x[0] = chacha_many_pair(f, 0);
    if (pairs > 1) {
        x[1] = chacha_many_pair(f, 2);
    }
    if (pairs > 2) {
        x[2] = chacha_many_pair(f, 4);
    }
    chacha_pairs_split(x, pairs);
    for (int i = 0; i < 10; i++) {
        chacha_pairs_double_round(x, pairs);
        if (q->count - done >= beside) {
            poly1305_steps_one(&h, &q->step[done]);
            poly1305_steps_one(&h, &q->step[done + 1]);
            if (beside == 3) {
                poly1305_steps_one(&h, &q->step[done + 2]);
            }
            done += beside;
        }
    }
    chacha_pairs_join(x, pairs);
    chacha_many_pair_end(f, 0, &x[0]);
    if (pairs > 1) {
        chacha_many_pair_end(f, 2, &x[1]);
    }
    if (pairs > 2) {
        chacha_many_pair_end(f, 4, &x[2]);
    }
    q->h[0] = h.n[0];
    q->h[1] = h.n[1];
    q->h[2] = h.n[2];
    return done;
}

#define CHACHA_MANY_PAIRS(n)                                                                       \
    __attribute__((noinline)) static size_t chacha_many_pairs_##n(struct chacha_many *f,           \
                                                                  struct poly1305_steps *q)        \
    {                                                                                              \
        return chacha_many_pairs(f, q, n);                                                         \
    }
CHACHA_MANY_PAIRS(1)
CHACHA_MANY_PAIRS(2)
CHACHA_MANY_PAIRS(3)

/* From the lanes to the words, and through the rounds. */
CHACHA_INLINE size_t chacha_many_eight(struct chacha_many *f, struct poly1305_steps *q)
{
    uint32_t *b[4] = {f->word[4], f->word[5], f->word[6], f->word[7]};
    uint32_t *c[4] = {f->word[8], f->word[9], f->word[10], f->c3};
    uint32_t *d[4] = {f->word[12], f->word[13], f->word[14], f->word[15]};

    chacha_many_words(f, 4, b);
    chacha_many_words(f, 8, c);
    chacha_many_words(f, 12, d);
    f->left = 10;
    if (q->count == 0) {
        chacha_many_rounds(f);
        return 0;
    }
    poly1305_steps_fill(q, CHACHA_MANY_STEPS);
    memcpy(f->h, q->h, sizeof(f->h));
    chacha_many_rounds_and_steps(f, q->step);
    memcpy(q->h, f->h, sizeof(f->h));
    return CHACHA_MANY_STEPS;
}

/* The key stream of the first `lanes` lanes; and beside it as many steps as fit. */
CHACHA_INLINE void chacha_many_group(struct chacha_many *f, size_t lanes, struct poly1305_steps *q,
                                     const struct aead_job *jobs, size_t ended)
{
    size_t done;

    q->top = q->count > q->top ? q->count : q->top;
    if (lanes > 6) {
        done = chacha_many_eight(f, q);
    } else if (lanes > 4) {
        done = chacha_many_pairs_3(f, q);
    } else if (lanes > 2) {
        done = chacha_many_pairs_2(f, q);
    } else {
        done = chacha_many_pairs_1(f, q);
    }
    poly1305_steps_finish(q, done, jobs, ended);
}

#endif
