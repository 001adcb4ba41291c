/* SPDX-License-Identifier: MIT */
/*
 * The first 1024 bytes of a text that is opened. What is hashed is all there, so the earlier the key of
 * the hash is, the better: its block, in the scalar registers beside the first eight of text, takes two
 * double rounds to one of theirs, and beside the second half of these Poly1305 begins. What it is behind
 * then it makes good beside the next eight. Needs AVX2 and BMI2. Static only.
 *
 * Zen 3, cycles: 736 and 615, where nine blocks, 512 bytes of hash by itself, and eight blocks with the
 * other 512 beside them take 485, 433 and 492. Two chains for 1024 bytes beside eight blocks, joined by
 * an r^32 made there, took 794, for 485 and 794 in all.
 */
#ifndef AEADFAST_CHACHA_NINE_POLY1305_AVX2_H
#define AEADFAST_CHACHA_NINE_POLY1305_AVX2_H

#include "chacha_eight_poly1305_avx2.h"
#include "chacha_nine_avx2.h"

/* What chacha_nine_opening takes in, and then chacha_eight_behind. */
#define CHACHA_OPENING_BLOCKS 20
#define CHACHA_BEHIND_BLOCKS  44

/* What is hashed before the text: whole blocks, and then `partial`, if there is one. */
struct chacha_opening {
    struct chacha_eight f;
    const uint8_t *aad;
    uint64_t aad_blocks;
    uint64_t has_partial;
    uint64_t partial[2];
    uint64_t s[2]; /* words 4 to 7 of the ninth block */
};

#define CHACHA_OPENING_OFFSET(name) ((int)offsetof(struct chacha_opening, name) - CHACHA_MIDDLE)

/* A double round of the ninth block in 14 slots. */
#define CHACHA_S_IN_2(a, b, c, d)                                                                  \
    CHACHA_S_1(a, b, c, d) CHACHA_S_2(a, b, d), CHACHA_S_3(a, c, d) CHACHA_S_4(b)
/* clang-format off */
#define CHACHA_S_IN_14                                                                             \
    CHACHA_S_IN_2(eax, r8d, 8, r12d),                                                              \
    CHACHA_S_IN_2(ebx, r9d, 9, r13d)                                                               \
    CHACHA_S_IN_2(ecx, r10d, 10, r14d),                                                            \
    CHACHA_S_IN_2(edx, r11d, 11, r15d),                                                            \
    CHACHA_S_IN_2(eax, r9d, 10, r15d),                                                             \
    CHACHA_S_IN_2(ebx, r10d, 11, r12d)                                                             \
    CHACHA_S_IN_2(ecx, r11d, 8, r13d),                                                             \
    CHACHA_S_IN_2(edx, r8d, 9, r14d)
/* clang-format on */

/* Words and their input, two of them as one of 64 bits. */
#define CHACHA_S_JOIN(word, lo, hi, lo64, hi64)                                                    \
    "addl %c[s]+4*" #word "(%%rdi), %%" #lo "\n\t"                                                 \
    "addl %c[s]+4*" #word "+4(%%rdi), %%" #hi "\n\t"                                               \
    "shlq $32, %%" #hi64 "\n\t"                                                                    \
    "orq %%" #hi64 ", %%" #lo64 "\n\t"

/* The key of the hash: r clamped in f.key, and s. */
#define CHACHA_S_KEY                                                                               \
    CHACHA_S_JOIN(0, eax, ebx, rax, rbx)                                                           \
    CHACHA_S_JOIN(2, ecx, edx, rcx, rdx)                                                           \
    CHACHA_S_JOIN(4, r8d, r9d, r8, r9)                                                             \
    CHACHA_S_JOIN(6, r10d, r11d, r10, r11)                                                         \
    "movabsq $0x0ffffffc0fffffff, %%rbx\n\t"                                                       \
    "movabsq $0x0ffffffc0ffffffc, %%rdx\n\t"                                                       \
    "andq %%rbx, %%rax\n\t"                                                                        \
    "andq %%rdx, %%rcx\n\t"                                                                        \
    "movq %%rax, %c[r0](%%rdi)\n\t"                                                                \
    "movq %%rcx, %c[r1](%%rdi)\n\t"                                                                \
    "movq %%rcx, %%rdx\n\t"                                                                        \
    "shrq $2, %%rdx\n\t"                                                                           \
    "addq %%rcx, %%rdx\n\t"                                                                        \
    "movq %%rdx, %c[s1](%%rdi)\n\t"                                                                \
    "movq %%r8, %c[tag_s](%%rdi)\n\t"                                                              \
    "movq %%r10, %c[tag_s]+8(%%rdi)\n\t"

/* h = 0, and then what is hashed before the text. */
#define CHACHA_OPENING_AAD                                                                         \
    "xorl %%r8d, %%r8d\n\t"                                                                        \
    "xorl %%r9d, %%r9d\n\t"                                                                        \
    "xorl %%r10d, %%r10d\n\t"                                                                      \
    "movq %c[aad](%%rdi), %%rsi\n\t"                                                               \
    "movq %c[aad_blocks](%%rdi), %%rcx\n\t"                                                        \
    "testq %%rcx, %%rcx\n\t"                                                                       \
    "jz 3f\n"                                                                                      \
    "2:\n\t" CHACHA_BLOCK(r8, r9, r10, 0, r0) "addq $16, %%rsi\n\t"                                \
                                              "decq %%rcx\n\t"                                     \
                                              "jnz 2b\n"                                           \
                                              "3:\n\t"                                             \
                                              "cmpq $0, %c[has_partial](%%rdi)\n\t"                \
                                              "je 4f\n\t"                                          \
                                              "leaq %c[partial](%%rdi), %%rsi\n\t" CHACHA_BLOCK(   \
                                                  r8, r9, r10, 0, r0) "4:\n\t"

/* Two steps of the one chain in 14 slots. */
#define CHACHA_CHAIN_IN_14(m)                                                                      \
    CHACHA_BLOCK_IN_9(r8, r9, r10, m), CHACHA_BLOCK_IN_5(r8, r9, r10, m + 16)

/*
 * Eight blocks of text as in chacha_eight, for f.state[12] on, and of the ninth, whose number is
 * f.ninth_number, the key. In the second half of the rounds the hash takes in what is before the
 * text, and 20 blocks at f.msg.
 */
CHACHA_ASM_FUNCTION void chacha_nine_opening(struct chacha_opening *q)
{
    struct chacha_eight *const f = &q->f;

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
        CHACHA_COLUMN_ROUND(CHACHA_S_IN_14)
        CHACHA_DIAGONAL_ROUND(CHACHA_S_IN_14)
        CHACHA_EIGHT_LOOP_END
        CHACHA_S_KEY
        CHACHA_OPENING_AAD
        "movq %c[msg](%%rdi), %%rsi\n\t"
        "movq $5, %c[left](%%rdi)\n\t"
        CHACHA_EIGHT_LOOP_BEGIN
        CHACHA_COLUMN_ROUND(CHACHA_CHAIN_IN_14(0))
        CHACHA_DIAGONAL_ROUND(CHACHA_CHAIN_IN_14(32))
        "addq $64, %%rsi\n\t"
        CHACHA_EIGHT_LOOP_END
        CHACHA_POLY1305_STORE(h, r8, r9, r10)
        CHACHA_EIGHT_TEXT
        :
        : CHACHA_EIGHT_OPERANDS, CHACHA_POLY1305_OPERANDS, [n] "i"(CHACHA_OFFSET(ninth)),
          [number] "i"(CHACHA_OFFSET(ninth_number)), [aad] "i"(CHACHA_OPENING_OFFSET(aad)),
          [aad_blocks] "i"(CHACHA_OPENING_OFFSET(aad_blocks)),
          [has_partial] "i"(CHACHA_OPENING_OFFSET(has_partial)),
          [partial] "i"(CHACHA_OPENING_OFFSET(partial)), [tag_s] "i"(CHACHA_OPENING_OFFSET(s))
        : CHACHA_POLY1305_CLOBBERS);
    /* clang-format on */
    CHACHA_ASM_WROTE_TO(q->s, sizeof(q->s));
    CHACHA_ASM_WROTE(f);
}

/* chacha_eight, and f->h takes in the 44 blocks at f->msg in one chain: four before the rounds. */
CHACHA_ASM_FUNCTION void chacha_eight_behind(struct chacha_eight *f)
{
    /* clang-format off */
    __asm__ volatile(
        CHACHA_EIGHT_LOAD
        "movq %c[msg](%%rdi), %%rsi\n\t"
        CHACHA_POLY1305_LOAD(h, r8, r9, r10)
        CHACHA_BLOCK(r8, r9, r10, 0, r0)
        CHACHA_BLOCK(r8, r9, r10, 16, r0)
        CHACHA_BLOCK(r8, r9, r10, 32, r0)
        CHACHA_BLOCK(r8, r9, r10, 48, r0)
        CHACHA_EIGHT_LOOP_BEGIN
        CHACHA_COLUMN_ROUND(CHACHA_CHAIN_IN_14(64))
        CHACHA_DIAGONAL_ROUND(CHACHA_CHAIN_IN_14(96))
        "addq $64, %%rsi\n\t"
        CHACHA_EIGHT_LOOP_END
        CHACHA_POLY1305_STORE(h, r8, r9, r10)
        CHACHA_EIGHT_TEXT
        :
        : CHACHA_EIGHT_OPERANDS, CHACHA_POLY1305_OPERANDS
        : CHACHA_POLY1305_CLOBBERS);
    /* clang-format on */
    CHACHA_ASM_WROTE(f);
}

#endif
