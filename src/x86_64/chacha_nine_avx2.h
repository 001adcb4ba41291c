/* SPDX-License-Identifier: MIT */
/*
 * Nine ChaCha blocks: eight in the vector registers and, in the scalar ones, which have nothing
 * else to do, one more: the block of the Poly1305 key, or the one that would be too many. Static
 * only.
 *
 * Zen 3: 485 to 550 cycles for 20 rounds with the text; 485 without the ninth block, which alone
 * takes 280.
 */
#ifndef AEADFAST_CHACHA_NINE_AVX2_H
#define AEADFAST_CHACHA_NINE_AVX2_H

#include "chacha_eight_avx2.h"

/*
 * A quarter round of the ninth block in four pieces. Its words are in these registers, but for
 * words 8 to 11, which are in memory and go through esi one after the other:
 *     0-3 eax ebx ecx edx, 4-7 r8d-r11d, 12-15 r12d-r15d
 */
#define CHACHA_S_1(a, b, c, d)                                                                     \
    "movl %c[n]+4*" #c "(%%rdi), %%esi\n\t"                                                        \
    "addl %%" #b ", %%" #a "\n\t"                                                                  \
    "xorl %%" #a ", %%" #d "\n\t"                                                                  \
    "roll $16, %%" #d "\n\t"
#define CHACHA_S_2(a, b, d)                                                                        \
    "addl %%" #d ", %%esi\n\t"                                                                     \
    "xorl %%esi, %%" #b "\n\t"                                                                     \
    "roll $12, %%" #b "\n\t"                                                                       \
    "addl %%" #b ", %%" #a "\n\t"
#define CHACHA_S_3(a, c, d)                                                                        \
    "xorl %%" #a ", %%" #d "\n\t"                                                                  \
    "roll $8, %%" #d "\n\t"                                                                        \
    "addl %%" #d ", %%esi\n\t"                                                                     \
    "movl %%esi, %c[n]+4*" #c "(%%rdi)\n\t"
#define CHACHA_S_4(b)                                                                              \
    "xorl %%esi, %%" #b "\n\t"                                                                     \
    "roll $7, %%" #b "\n\t"

#define CHACHA_S_LOAD(word, to)    "movl %c[s]+4*" #word "(%%rdi), %%" #to "\n\t"
#define CHACHA_S_STORE(word, from) "movl %%" #from ", %c[n]+4*" #word "(%%rdi)\n\t"
#define CHACHA_S_COPY(word)        CHACHA_S_LOAD(word, eax) CHACHA_S_STORE(word, eax)

/* Eight blocks as in chacha_eight, and beside them f->ninth. */
CHACHA_ASM_FUNCTION void chacha_nine(struct chacha_eight *f)
{
    /* clang-format off */
    __asm__ volatile(
        CHACHA_EIGHT_LOAD
        CHACHA_S_COPY(8)
        CHACHA_S_COPY(9)
        CHACHA_S_COPY(10)
        CHACHA_S_COPY(11)
        CHACHA_S_LOAD(0, eax)
        CHACHA_S_LOAD(1, ebx)
        CHACHA_S_LOAD(2, ecx)
        CHACHA_S_LOAD(3, edx)
        CHACHA_S_LOAD(4, r8d)
        CHACHA_S_LOAD(5, r9d)
        CHACHA_S_LOAD(6, r10d)
        CHACHA_S_LOAD(7, r11d)
        "movl %c[number](%%rdi), %%r12d\n\t"
        CHACHA_S_LOAD(13, r13d)
        CHACHA_S_LOAD(14, r14d)
        CHACHA_S_LOAD(15, r15d)
        CHACHA_EIGHT_LOOP_BEGIN
        CHACHA_COLUMN_ROUND(
            CHACHA_S_1(eax, r8d, 8, r12d),
            CHACHA_S_2(eax, r8d, r12d),
            CHACHA_S_3(eax, 8, r12d),
            CHACHA_S_4(r8d),
            CHACHA_S_1(ebx, r9d, 9, r13d),
            CHACHA_S_2(ebx, r9d, r13d),
            CHACHA_S_3(ebx, 9, r13d) CHACHA_S_4(r9d),
            CHACHA_S_1(ecx, r10d, 10, r14d),
            CHACHA_S_2(ecx, r10d, r14d),
            CHACHA_S_3(ecx, 10, r14d),
            CHACHA_S_4(r10d),
            CHACHA_S_1(edx, r11d, 11, r15d),
            CHACHA_S_2(edx, r11d, r15d),
            CHACHA_S_3(edx, 11, r15d) CHACHA_S_4(r11d))
        CHACHA_DIAGONAL_ROUND(
            CHACHA_S_1(eax, r9d, 10, r15d),
            CHACHA_S_2(eax, r9d, r15d),
            CHACHA_S_3(eax, 10, r15d),
            CHACHA_S_4(r9d),
            CHACHA_S_1(ebx, r10d, 11, r12d),
            CHACHA_S_2(ebx, r10d, r12d),
            CHACHA_S_3(ebx, 11, r12d) CHACHA_S_4(r10d),
            CHACHA_S_1(ecx, r11d, 8, r13d),
            CHACHA_S_2(ecx, r11d, r13d),
            CHACHA_S_3(ecx, 8, r13d),
            CHACHA_S_4(r11d),
            CHACHA_S_1(edx, r8d, 9, r14d),
            CHACHA_S_2(edx, r8d, r14d),
            CHACHA_S_3(edx, 9, r14d) CHACHA_S_4(r8d))
        CHACHA_EIGHT_LOOP_END
        CHACHA_S_STORE(0, eax)
        CHACHA_S_STORE(1, ebx)
        CHACHA_S_STORE(2, ecx)
        CHACHA_S_STORE(3, edx)
        CHACHA_S_STORE(4, r8d)
        CHACHA_S_STORE(5, r9d)
        CHACHA_S_STORE(6, r10d)
        CHACHA_S_STORE(7, r11d)
        CHACHA_S_STORE(12, r12d)
        CHACHA_S_STORE(13, r13d)
        CHACHA_S_STORE(14, r14d)
        CHACHA_S_STORE(15, r15d)
        CHACHA_EIGHT_TEXT
        :
        : CHACHA_EIGHT_OPERANDS, [n] "i"(CHACHA_OFFSET(ninth)),
          [number] "i"(CHACHA_OFFSET(ninth_number))
        : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
          "memory", "cc", CHACHA_EIGHT_VECTORS);
    /* clang-format on */
    CHACHA_ASM_WROTE(f);
}

/* The key stream of the ninth block, in halves. */
CHACHA_INLINE void chacha_ninth(__m256i *lo, __m256i *hi, const struct chacha_eight *f)
{
    const __m256i number = _mm256_set_epi32(0, 0, 0, (int)f->ninth_number, 0, 0, 0, 0);

    *lo = _mm256_add_epi32(chacha_load(f->ninth), chacha_load(f->state));
    *hi = _mm256_add_epi32(chacha_load(f->ninth + 8),
                           _mm256_blend_epi32(chacha_load(f->state + 8), number, 0x10));
}

/* Clears all that these functions keep there of a stream; of Poly1305 there is more. */
CHACHA_INLINE void chacha_eight_wipe(struct chacha_eight *f)
{
    const __m256i zero = _mm256_setzero_si256();

    chacha_store(f->state, zero);
    chacha_store(f->state + 8, zero);
    chacha_store(f->ninth, zero);
    chacha_store(f->ninth + 8, zero);
    chacha_store(f->c3, zero);
    __asm__ volatile("" : : "r"(f) : "memory");
}

#endif
