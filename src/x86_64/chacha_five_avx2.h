/* SPDX-License-Identifier: MIT */
/*
 * Five ChaCha20 blocks: two pairs in the vector registers and beside them, in the scalar ones, one
 * more: that of the Poly1305 key, which is needed there. Needs AVX2. Static only.
 *
 * Zen 3, cycles for 20 rounds: 382, where two pairs take 360 to 380 and three 440. (With one pair the
 * scalar block needs 350, as long as two pairs.)
 */
#ifndef AEADFAST_CHACHA_FIVE_AVX2_H
#define AEADFAST_CHACHA_FIVE_AVX2_H

#include "chacha_nine_avx2.h"

/* What the scalar block reads and leaves, at rdi. */
struct chacha_fifth {
    uint32_t state[16];
    uint32_t c[4]; /* words 8 to 11, which have no registers */
    uint64_t left; /* double rounds */
    uint64_t s[2]; /* words 4 to 7 of the block */
};

#define CHACHA_O_LOAD(word, to) "movl 4*" #word "(%%rdi), %%" #to "\n\t"
/* Two words and their input, as one of 64 bits. */
#define CHACHA_O_JOIN(word, lo, hi, lo64, hi64)                                                    \
    "addl 4*" #word "(%%rdi), %%" #lo "\n\t"                                                       \
    "addl 4*" #word "+4(%%rdi), %%" #hi "\n\t"                                                     \
    "shlq $32, %%" #hi64 "\n\t"                                                                    \
    "orq %%" #hi64 ", %%" #lo64 "\n\t"

/* A quarter round of the scalar block, whose registers are those of chacha_nine. */
#define CHACHA_O(a, b, c, d)                                                                       \
    CHACHA_S_1(a, b, c, d) CHACHA_S_2(a, b, d) CHACHA_S_3(a, c, d) CHACHA_S_4(b)

/* A round of both pairs in four pieces; in the last two the rows are turned for the next round. */
#define CHACHA_F_BOTH(step, ...) step(a, b, c, d, __VA_ARGS__) step(e, f, g, h, __VA_ARGS__)
#define CHACHA_F_ROTATE(x, left, right)                                                            \
    "vpslld $" #left ", %[" #x "], %[t]\n\t"                                                       \
    "vpsrld $" #right ", %[" #x "], %[" #x "]\n\t" CHACHA_ROWS("vpor", x, t)
#define CHACHA_F_1(a, b, c, d, rot16)                                                              \
    CHACHA_ROWS("vpaddd", a, b) CHACHA_ROWS("vpxor", d, a) CHACHA_ROWS("vpshufb", d, rot16)
#define CHACHA_F_2(a, b, c, d, left, right)                                                        \
    CHACHA_ROWS("vpaddd", c, d) CHACHA_ROWS("vpxor", b, c) CHACHA_F_ROTATE(b, left, right)
#define CHACHA_F_3(a, b, c, d, a_order)                                                            \
    CHACHA_ROWS("vpaddd", a, b)                                                                    \
    CHACHA_ROWS("vpxor", d, a) CHACHA_ROWS_TURN(a, a_order) CHACHA_ROWS("vpshufb", d, rot8)
#define CHACHA_F_4(a, b, c, d, c_order)                                                            \
    CHACHA_ROWS("vpaddd", c, d)                                                                    \
    CHACHA_ROWS_TURN(d, 0x4e)                                                                      \
    CHACHA_ROWS("vpxor", b, c) CHACHA_ROWS_TURN(c, c_order) CHACHA_F_ROTATE(b, 7, 25)

/*
 * The rounds for two pairs and for fifth->state, of whose block r takes words 0 to 3 and fifth->s words
 * 4 to 7.
 */
CHACHA_INLINE void chacha_five(struct chacha_pair x[2], struct chacha_fifth *fifth, uint64_t r[2])
{
    __m256i t;

    memcpy(fifth->c, fifth->state + 8, sizeof(fifth->c));
    fifth->left = 10;
    /* clang-format off */
    __asm__ volatile(
        CHACHA_O_LOAD(0, eax) CHACHA_O_LOAD(1, ebx) CHACHA_O_LOAD(2, ecx) CHACHA_O_LOAD(3, edx)
        CHACHA_O_LOAD(4, r8d) CHACHA_O_LOAD(5, r9d) CHACHA_O_LOAD(6, r10d) CHACHA_O_LOAD(7, r11d)
        CHACHA_O_LOAD(12, r12d) CHACHA_O_LOAD(13, r13d) CHACHA_O_LOAD(14, r14d)
        CHACHA_O_LOAD(15, r15d)
        ".p2align 5\n"
        "1:\n\t"
        CHACHA_F_BOTH(CHACHA_F_1, rot16) CHACHA_O(eax, r8d, 8, r12d)
        CHACHA_F_BOTH(CHACHA_F_2, 12, 20) CHACHA_O(ebx, r9d, 9, r13d)
        CHACHA_F_BOTH(CHACHA_F_3, 0x93) CHACHA_O(ecx, r10d, 10, r14d)
        CHACHA_F_BOTH(CHACHA_F_4, 0x39) CHACHA_O(edx, r11d, 11, r15d)
        CHACHA_F_BOTH(CHACHA_F_1, rot16) CHACHA_O(eax, r9d, 10, r15d)
        CHACHA_F_BOTH(CHACHA_F_2, 12, 20) CHACHA_O(ebx, r10d, 11, r12d)
        CHACHA_F_BOTH(CHACHA_F_3, 0x39) CHACHA_O(ecx, r11d, 8, r13d)
        CHACHA_F_BOTH(CHACHA_F_4, 0x93) CHACHA_O(edx, r8d, 9, r14d)
        "decl %c[left](%%rdi)\n\t"
        "jnz 1b\n\t"
        CHACHA_O_JOIN(0, eax, ebx, rax, rbx)
        CHACHA_O_JOIN(2, ecx, edx, rcx, rdx)
        CHACHA_O_JOIN(4, r8d, r9d, r8, r9)
        CHACHA_O_JOIN(6, r10d, r11d, r10, r11)
        "movq %%r8, %c[s](%%rdi)\n\t"
        "movq %%r10, %c[s]+8(%%rdi)\n\t"
        : [a] "+x"(x[0].a), [b] "+x"(x[0].b), [c] "+x"(x[0].c), [d] "+x"(x[0].d),
          [e] "+x"(x[1].a), [f] "+x"(x[1].b), [g] "+x"(x[1].c), [h] "+x"(x[1].d),
          [t] "=&x"(t), "=&a"(r[0]), "=&c"(r[1])
        : "D"(fifth), [n] "i"(offsetof(struct chacha_fifth, c) - 32),
          [left] "i"(offsetof(struct chacha_fifth, left)),
          [s] "i"(offsetof(struct chacha_fifth, s)), [rot16] "x"(chacha_load(chacha_rot16)),
          [rot8] "x"(chacha_load(chacha_rot8))
        : "rbx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
    /* clang-format on */
    CHACHA_ASM_WROTE_TO(fifth->s, sizeof(fifth->s));
}

#endif
