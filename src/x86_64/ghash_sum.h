/* SPDX-License-Identifier: MIT */
/*
 * GHASH for the kernels with 16 registers: ghash_clmul.h in one lane or in two side by side, where
 * the low half of a register is the earlier block. Powers of H lie in memory in descending order,
 * so that a register of blocks and one of their powers are loaded alike.
 */
#ifndef AEADFAST_GHASH_SUM_H
#define AEADFAST_GHASH_SUM_H

#include <immintrin.h>
#include <stdint.h>

#include "aes_gcm_partial.h"
#include "aes_gcm_vector.h"
#include "ghash_clmul.h"

/* How far after a power of H the sum of its halves lies. */
#ifndef FOLD_OFFSET
#error "FOLD_OFFSET is the including kernel's to define"
#endif

GCM_INLINE vec reverse_blocks(vec v)
{
#if GCM_ASM
    __asm__("vpshufb %1, %0, %0" : "+x"(v) : "m"(*(const uint8_t(*)[VEC_BYTES])gcm_reverse_mask));
    return v;
#else
    return vec_shuffle8(v, vec_load(gcm_reverse_mask));
#endif
}

/* Blocks, or blocks with their bytes in reverse order, as they are multiplied. */
GCM_INLINE vec order_blocks(vec v, int reversed)
{
    return reversed ? v : reverse_blocks(v);
}

GCM_INLINE struct gcm_sum sum_zero(void)
{
    struct gcm_sum sum = {vec_zero(), vec_zero(), vec_zero()};

    return sum;
}

/* sum += blocks times powers, whose halves are added in `fold` */
GCM_INLINE void sum_add(struct gcm_sum *sum, vec blocks, vec power, vec fold)
{
    vec folded = vec_xor(blocks, vec_swap_halves(blocks));

    sum->lo = vec_xor(sum->lo, vec_clmul(blocks, power, 0x00));
    sum->hi = vec_xor(sum->hi, vec_clmul(blocks, power, 0x11));
    sum->mid = vec_xor(sum->mid, vec_clmul(folded, fold, 0x00));
}

/*
 * The same, with the powers in memory: the first block times *power, the second times the one after
 * it. VPCLMULQDQ takes a cycle of Zen 3's decoders to itself, and whatever was decoded with it
 * waits: the three are kept together.
 */
GCM_INLINE void sum_add_at(struct gcm_sum *sum, vec blocks, const uint8_t *power)
{
#if GCM_ASM
    vec folded = vec_xor(blocks, vec_swap_halves(blocks));
    vec product;

    __asm__("vpclmulqdq $0x00, (%[power]), %[x], %[product]\n\t"
            "vpclmulqdq $0x11, (%[power]), %[x], %[x]\n\t"
            "vpclmulqdq $0x00, %c[fold](%[power]), %[f], %[f]\n\t"
            "vpxor %[product], %[lo], %[lo]\n\t"
            "vpxor %[x], %[hi], %[hi]\n\t"
            "vpxor %[f], %[mid], %[mid]"
            : [x] "+x"(blocks), [f] "+x"(folded), [lo] "+x"(sum->lo), [mid] "+x"(sum->mid),
              [hi] "+x"(sum->hi), [product] "=&x"(product)
            : [power] "r"(power), [fold] "i"(FOLD_OFFSET), "m"(*(const uint8_t(*)[VEC_BYTES])power),
              "m"(*(const uint8_t(*)[VEC_BYTES])(power + FOLD_OFFSET)));
#else
    sum_add(sum, blocks, vec_load(power), vec_load(power + FOLD_OFFSET));
#endif
}

/* The reduction of ghash_reduce in each lane. */
GCM_INLINE vec sum_reduce_lanes(const struct gcm_sum *sum)
{
    vec poly = vec_broadcast64(GHASH_POLY);
    vec mid = vec_xor(sum->mid, vec_xor(sum->lo, sum->hi));
    vec t = vec_clmul(sum->lo, poly, 0x00);

    mid = vec_xor(mid, vec_xor(t, vec_swap_halves(sum->lo)));
    t = vec_clmul(mid, poly, 0x00);
    return vec_xor(sum->hi, vec_xor(t, vec_swap_halves(mid)));
}

/* The lanes added. */
GCM_INLINE __m128i sum_reduce(const struct gcm_sum *sum)
{
    vec r = sum_reduce_lanes(sum);

#if GCM_LANES == 1
    return r;
#else
    return _mm_xor_si128(vec_low(r), vec_top(r));
#endif
}

#endif
