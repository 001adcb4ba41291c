/* SPDX-License-Identifier: MIT */
/*
 * ChaCha for few blocks: four blocks side by side in four 512-bit registers, one register a row of
 * the 4x4 state (words 0-3, 4-7, 8-11, 12-15), 128 bits of it for each block. The sibling of
 * chacha_pairs_avx512vl.h. Needs AVX-512 F, BW and VL. Static only.
 *
 * Where two 512-bit operations are made a cycle, a double round takes 24 cycles for one quad, its
 * chain, 30 for two and 45 for three: no more than the words of sixteen blocks need (48), and the
 * way from rows to text is shorter.
 */
#ifndef AEADFAST_CHACHA_QUADS_AVX512_H
#define AEADFAST_CHACHA_QUADS_AVX512_H

#include "chacha_pairs_avx512vl.h"

struct chacha_quad {
    __m512i a;
    __m512i b;
    __m512i c;
    __m512i d;
};

CHACHA_INLINE void chacha_quad_add_rot16(struct chacha_quad *x)
{
    x->a = _mm512_add_epi32(x->a, x->b);
    x->d = _mm512_rol_epi32(_mm512_xor_si512(x->d, x->a), 16);
}

CHACHA_INLINE void chacha_quad_add_rot12(struct chacha_quad *x)
{
    x->c = _mm512_add_epi32(x->c, x->d);
    x->b = _mm512_rol_epi32(_mm512_xor_si512(x->b, x->c), 12);
}

CHACHA_INLINE void chacha_quad_add_rot8(struct chacha_quad *x)
{
    x->a = _mm512_add_epi32(x->a, x->b);
    x->d = _mm512_rol_epi32(_mm512_xor_si512(x->d, x->a), 8);
}

CHACHA_INLINE void chacha_quad_add_rot7(struct chacha_quad *x)
{
    x->c = _mm512_add_epi32(x->c, x->d);
    x->b = _mm512_rol_epi32(_mm512_xor_si512(x->b, x->c), 7);
}

/* The casts: in Clang's header the control is of an enumerated type. */
CHACHA_INLINE void chacha_quad_to_diagonals(struct chacha_quad *x)
{
    x->a = _mm512_shuffle_epi32(x->a, (_MM_PERM_ENUM)0x93);
    x->c = _mm512_shuffle_epi32(x->c, (_MM_PERM_ENUM)0x39);
    x->d = _mm512_shuffle_epi32(x->d, (_MM_PERM_ENUM)0x4e);
}

CHACHA_INLINE void chacha_quad_to_columns(struct chacha_quad *x)
{
    x->a = _mm512_shuffle_epi32(x->a, (_MM_PERM_ENUM)0x39);
    x->c = _mm512_shuffle_epi32(x->c, (_MM_PERM_ENUM)0x93);
    x->d = _mm512_shuffle_epi32(x->d, (_MM_PERM_ENUM)0x4e);
}

/* n, from 1 to 3, is a constant wherever this is called. */
CHACHA_INLINE void chacha_quads_double_round(struct chacha_quad *x, int n)
{
    CHACHA_EACH(x, n, chacha_quad_add_rot16);
    CHACHA_EACH(x, n, chacha_quad_add_rot12);
    CHACHA_EACH(x, n, chacha_quad_add_rot8);
    CHACHA_EACH(x, n, chacha_quad_add_rot7);
    CHACHA_EACH(x, n, chacha_quad_to_diagonals);
    CHACHA_EACH(x, n, chacha_quad_add_rot16);
    CHACHA_EACH(x, n, chacha_quad_add_rot12);
    CHACHA_EACH(x, n, chacha_quad_add_rot8);
    CHACHA_EACH(x, n, chacha_quad_add_rot7);
    CHACHA_EACH(x, n, chacha_quad_to_columns);
}

/*
 * The 24 steps of a double round of one quad, and two quads by them, the second 8 steps behind: side by
 * side their rotations, all on one of the two pipes, would fall into the same cycles. Sapphire Rapids
 * takes 34 cycles for it, 37 side by side, and 36 in the compilers' order (25 for a lone quad).
 */
#define CHACHA_ROWS(op, x, y)    op " %[" #y "], %[" #x "], %[" #x "]\n\t"
#define CHACHA_ROWS_BY(op, x, n) op " $" #n ", %[" #x "], %[" #x "]\n\t"
/* clang-format off */
#define CHACHA_STEP_1(a, b, c, d) CHACHA_ROWS("vpaddd", a, b)
#define CHACHA_STEP_2(a, b, c, d) CHACHA_ROWS("vpxord", d, a)
#define CHACHA_STEP_3(a, b, c, d) CHACHA_ROWS_BY("vprold", d, 16)
#define CHACHA_STEP_4(a, b, c, d) CHACHA_ROWS("vpaddd", c, d)
#define CHACHA_STEP_5(a, b, c, d) CHACHA_ROWS("vpxord", b, c)
#define CHACHA_STEP_6(a, b, c, d) CHACHA_ROWS_BY("vprold", b, 12)
#define CHACHA_STEP_7(a, b, c, d) CHACHA_ROWS("vpaddd", a, b)
#define CHACHA_STEP_8(a, b, c, d) CHACHA_ROWS("vpxord", d, a)
#define CHACHA_STEP_9(a, b, c, d) CHACHA_ROWS_BY("vprold", d, 8)
#define CHACHA_STEP_10(a, b, c, d) CHACHA_ROWS("vpaddd", c, d) CHACHA_ROWS_BY("vpshufd", a, 0x93)
#define CHACHA_STEP_11(a, b, c, d) CHACHA_ROWS("vpxord", b, c) CHACHA_ROWS_BY("vpshufd", d, 0x4e)
#define CHACHA_STEP_12(a, b, c, d) CHACHA_ROWS_BY("vprold", b, 7) CHACHA_ROWS_BY("vpshufd", c, 0x39)
#define CHACHA_STEP_13(a, b, c, d) CHACHA_STEP_1(a, b, c, d)
#define CHACHA_STEP_14(a, b, c, d) CHACHA_STEP_2(a, b, c, d)
#define CHACHA_STEP_15(a, b, c, d) CHACHA_STEP_3(a, b, c, d)
#define CHACHA_STEP_16(a, b, c, d) CHACHA_STEP_4(a, b, c, d)
#define CHACHA_STEP_17(a, b, c, d) CHACHA_STEP_5(a, b, c, d)
#define CHACHA_STEP_18(a, b, c, d) CHACHA_STEP_6(a, b, c, d)
#define CHACHA_STEP_19(a, b, c, d) CHACHA_STEP_7(a, b, c, d)
#define CHACHA_STEP_20(a, b, c, d) CHACHA_STEP_8(a, b, c, d)
#define CHACHA_STEP_21(a, b, c, d) CHACHA_STEP_9(a, b, c, d)
#define CHACHA_STEP_22(a, b, c, d) CHACHA_ROWS("vpaddd", c, d) CHACHA_ROWS_BY("vpshufd", a, 0x39)
#define CHACHA_STEP_23(a, b, c, d) CHACHA_STEP_11(a, b, c, d)
#define CHACHA_STEP_24(a, b, c, d) CHACHA_ROWS_BY("vprold", b, 7) CHACHA_ROWS_BY("vpshufd", c, 0x93)
#define CHACHA_TWO_QUADS \
    CHACHA_STEP_1(a, b, c, d) \
    CHACHA_STEP_2(a, b, c, d) \
    CHACHA_STEP_3(a, b, c, d) \
    CHACHA_STEP_4(a, b, c, d) \
    CHACHA_STEP_5(a, b, c, d) \
    CHACHA_STEP_6(a, b, c, d) \
    CHACHA_STEP_7(a, b, c, d) \
    CHACHA_STEP_8(a, b, c, d) \
    CHACHA_STEP_9(a, b, c, d) CHACHA_STEP_1(e, f, g, h) \
    CHACHA_STEP_10(a, b, c, d) CHACHA_STEP_2(e, f, g, h) \
    CHACHA_STEP_11(a, b, c, d) CHACHA_STEP_3(e, f, g, h) \
    CHACHA_STEP_12(a, b, c, d) CHACHA_STEP_4(e, f, g, h) \
    CHACHA_STEP_13(a, b, c, d) CHACHA_STEP_5(e, f, g, h) \
    CHACHA_STEP_14(a, b, c, d) CHACHA_STEP_6(e, f, g, h) \
    CHACHA_STEP_15(a, b, c, d) CHACHA_STEP_7(e, f, g, h) \
    CHACHA_STEP_16(a, b, c, d) CHACHA_STEP_8(e, f, g, h) \
    CHACHA_STEP_17(a, b, c, d) CHACHA_STEP_9(e, f, g, h) \
    CHACHA_STEP_18(a, b, c, d) CHACHA_STEP_10(e, f, g, h) \
    CHACHA_STEP_19(a, b, c, d) CHACHA_STEP_11(e, f, g, h) \
    CHACHA_STEP_20(a, b, c, d) CHACHA_STEP_12(e, f, g, h) \
    CHACHA_STEP_21(a, b, c, d) CHACHA_STEP_13(e, f, g, h) \
    CHACHA_STEP_22(a, b, c, d) CHACHA_STEP_14(e, f, g, h) \
    CHACHA_STEP_23(a, b, c, d) CHACHA_STEP_15(e, f, g, h) \
    CHACHA_STEP_24(a, b, c, d) CHACHA_STEP_16(e, f, g, h) \
    CHACHA_STEP_17(e, f, g, h) \
    CHACHA_STEP_18(e, f, g, h) \
    CHACHA_STEP_19(e, f, g, h) \
    CHACHA_STEP_20(e, f, g, h) \
    CHACHA_STEP_21(e, f, g, h) \
    CHACHA_STEP_22(e, f, g, h) \
    CHACHA_STEP_23(e, f, g, h) \
    CHACHA_STEP_24(e, f, g, h)
/* clang-format on */

/* The memory sanitizer follows intrinsics, not assembly. */
#define CHACHA_QUADS_ASM 1
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#undef CHACHA_QUADS_ASM
#define CHACHA_QUADS_ASM 0
#endif
#endif

/*
 * `count` double rounds, one or more, of two quads. The loop is in the assembly, for compilers put copies
 * from register to register into it.
 */
CHACHA_INLINE void chacha_two_quads_rounds(struct chacha_quad x[2], int count)
{
#if CHACHA_QUADS_ASM
    __asm__(
        ".p2align 5\n"
        "1:\n\t" CHACHA_TWO_QUADS "decl %[count]\n\t"
        "jnz 1b\n\t"
        : [a] "+v"(x[0].a), [b] "+v"(x[0].b), [c] "+v"(x[0].c), [d] "+v"(x[0].d), [e] "+v"(x[1].a),
          [f] "+v"(x[1].b), [g] "+v"(x[1].c), [h] "+v"(x[1].d), [count] "+r"(count)
        :
        : "cc");
#else
    for (; count > 0; count--) {
        chacha_quads_double_round(x, 2);
    }
#endif
}

CHACHA_INLINE __m512i chacha_quad_row(const void *words)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)words));
}

CHACHA_INLINE struct chacha_quad chacha_quad_of(const struct chacha_input *input)
{
    const __m512i numbers = _mm512_setr_epi32(0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
    const struct chacha_quad in = {
        chacha_quad_row(input->top), chacha_quad_row(input->key), chacha_quad_row(input->key + 16),
        _mm512_add_epi32(_mm512_broadcast_i32x4(chacha_input_bottom(input)), numbers)};

    return in;
}

/* The four blocks that start `number` blocks after the state's own. */
CHACHA_INLINE struct chacha_quad chacha_quad_input(const uint32_t state[16], uint32_t number)
{
    const struct chacha_input input = chacha_input_of(state, number);

    return chacha_quad_of(&input);
}

/* n quads, of which `in` is the first. */
CHACHA_INLINE void chacha_quads_begin(struct chacha_quad *x, int n, const struct chacha_quad *in)
{
    const __m512i four = _mm512_broadcast_i32x4(_mm_cvtsi32_si128(4));

    x[0] = *in;
    if (n > 1) {
        x[1] = *in;
        x[1].d = _mm512_add_epi32(x[0].d, four);
    }
    if (n > 2) {
        x[2] = *in;
        x[2].d = _mm512_add_epi32(x[1].d, four);
    }
}

/* Rows, or 128 bits of sixteen blocks in whatever order, become blocks. */
CHACHA_INLINE void chacha_quad_transpose(struct chacha_quad *x)
{
    const __m512i ab01 = _mm512_shuffle_i32x4(x->a, x->b, 0x44);
    const __m512i ab23 = _mm512_shuffle_i32x4(x->a, x->b, 0xee);
    const __m512i cd01 = _mm512_shuffle_i32x4(x->c, x->d, 0x44);
    const __m512i cd23 = _mm512_shuffle_i32x4(x->c, x->d, 0xee);

    x->a = _mm512_shuffle_i32x4(ab01, cd01, 0x88);
    x->b = _mm512_shuffle_i32x4(ab01, cd01, 0xdd);
    x->c = _mm512_shuffle_i32x4(ab23, cd23, 0x88);
    x->d = _mm512_shuffle_i32x4(ab23, cd23, 0xdd);
}

/* Adds the input of the quad `place` quads after `in`, and turns the rows into blocks. */
CHACHA_INLINE void chacha_quad_end(struct chacha_quad *x, const struct chacha_quad *in, int place)
{
    const __m512i count = _mm512_broadcast_i32x4(_mm_cvtsi32_si128(4 * place));

    x->a = _mm512_add_epi32(x->a, in->a);
    x->b = _mm512_add_epi32(x->b, in->b);
    x->c = _mm512_add_epi32(x->c, in->c);
    x->d = _mm512_add_epi32(x->d, _mm512_add_epi32(in->d, count));
    chacha_quad_transpose(x);
}

/* A block of text. */
CHACHA_INLINE __m512i chacha_xor64(uint8_t *dst, const uint8_t *src, __m512i key_stream)
{
    const __m512i out = _mm512_xor_si512(_mm512_loadu_si512(src), key_stream);

    _mm512_storeu_si512(dst, out);
    return out;
}

/*
 * The first n bytes, 0 < n <= 64, of a block of text; masked loads and stores do not touch the
 * others. Returned is the output, with zeros behind it.
 */
CHACHA_INLINE __m512i chacha_xor_masked64(uint8_t *dst, const uint8_t *src, size_t n,
                                          __m512i key_stream)
{
    const __mmask64 mask = ~UINT64_C(0) >> (64 - n);
    const __m512i text = _mm512_maskz_loadu_epi8(mask, src);
    const __m512i out = _mm512_maskz_mov_epi8(mask, _mm512_xor_si512(text, key_stream));

    _mm512_mask_storeu_epi8(dst, mask, out);
    return out;
}

/* The first n bytes, 0 < n, of what is left of the text, by four blocks. */
CHACHA_INLINE void chacha_xor_quad(uint8_t *dst, const uint8_t *src, size_t n,
                                   const struct chacha_quad *x)
{
    if (n >= 256) {
        (void)chacha_xor64(dst, src, x->a);
        (void)chacha_xor64(dst + 64, src + 64, x->b);
        (void)chacha_xor64(dst + 128, src + 128, x->c);
        (void)chacha_xor64(dst + 192, src + 192, x->d);
        return;
    }
    if (n > 192) {
        (void)chacha_xor64(dst, src, x->a);
        (void)chacha_xor64(dst + 64, src + 64, x->b);
        (void)chacha_xor64(dst + 128, src + 128, x->c);
        (void)chacha_xor_masked64(dst + 192, src + 192, n - 192, x->d);
    } else if (n > 128) {
        (void)chacha_xor64(dst, src, x->a);
        (void)chacha_xor64(dst + 64, src + 64, x->b);
        (void)chacha_xor_masked64(dst + 128, src + 128, n - 128, x->c);
    } else if (n > 64) {
        (void)chacha_xor64(dst, src, x->a);
        (void)chacha_xor_masked64(dst + 64, src + 64, n - 64, x->b);
    } else {
        (void)chacha_xor_masked64(dst, src, n, x->a);
    }
}

#endif
