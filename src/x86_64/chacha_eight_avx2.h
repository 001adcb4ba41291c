/* SPDX-License-Identifier: MIT */
/*
 * The rounds of eight ChaCha blocks at once, one register for each word of the state and one 32-bit
 * lane for each block, with room between the instructions for other work: nothing here, a ninth
 * block in chacha_nine_avx2.h, Poly1305 in chacha_poly1305_avx2.h. Needs AVX2. Static only.
 */
#ifndef AEADFAST_CHACHA_EIGHT_AVX2_H
#define AEADFAST_CHACHA_EIGHT_AVX2_H

#include <stddef.h>
#include <stdint.h>

#include "chacha_pairs_avx2.h"
#include "poly1305_mulx.h"

#define CHACHA_V          "ymm"
#define CHACHA_MASK(name) "%c[" #name "](%%rdi)"
#include "chacha_rounds.h"

/* Not inlined: the assembly takes every register there is, so nothing else may want one. */
#define CHACHA_ASM_FUNCTION __attribute__((noinline, unused)) static

/*
 * What the assembly reads and leaves; addressed by offset, because it has no register to spare. rdi
 * points at the middle, so that what the rounds need is within 128 bytes and its offsets take a
 * byte: with offsets of four bytes half as many instructions fit into the cache of decoded ones, and
 * a message of 2 KiB took 200 cycles more on Zen 3.
 */
struct chacha_eight {
    uint32_t state[16];         /* the input; word 12 counts the first of the eight blocks */
    uint32_t ninth[16];         /* the block beside them, input not yet added */
    struct poly1305_mulx_int h; /* Poly1305 beside the eight: first chain */
    struct poly1305_mulx_int g; /* second chain */
    uint64_t left;              /* times round the loop; counts down to 0 */
    struct poly1305_mulx_key key;
    struct poly1305_mulx_int power;
    struct poly1305_mulx_key first; /* what one chain multiplies by before its first block */
    uint8_t rot16[32];
    uint32_t c3[8]; /* word 11 of the eight blocks */
    uint8_t rot8[32];
    const uint8_t *msg;
    const uint8_t *src; /* 512 bytes of text */
    uint8_t *dst;
    uint32_t ninth_number; /* word 12 of the ninth; the rest of its input is that of the eight */
} __attribute__((aligned(64)));

#define CHACHA_MIDDLE       216
#define CHACHA_OFFSET(name) ((int)offsetof(struct chacha_eight, name) - CHACHA_MIDDLE)

static const uint32_t chacha_numbers[8] __attribute__((aligned(32))) = {0, 1, 2, 3, 4, 5, 6, 7};

/* What does not change from one use to the next. */
CHACHA_INLINE void chacha_eight_begin(struct chacha_eight *f)
{
    chacha_store(f->rot16, chacha_load(chacha_rot16));
    chacha_store(f->rot8, chacha_load(chacha_rot8));
}

/* clang-format off */
#define CHACHA_EIGHT_LOAD_WORD(word, from) "vpbroadcastd " from ", %%ymm" #word "\n\t"
#define CHACHA_EIGHT_LOAD                                                                          \
    CHACHA_EIGHT_LOAD_WORD(11, "%c[s]+44(%%rdi)")                                                  \
    "vmovdqu %%ymm11, %c[c3](%%rdi)\n\t"                                                           \
    CHACHA_EIGHT_LOAD_WORD(0, "%c[s](%%rdi)")                                                      \
    CHACHA_EIGHT_LOAD_WORD(1, "%c[s]+4(%%rdi)")                                                    \
    CHACHA_EIGHT_LOAD_WORD(2, "%c[s]+8(%%rdi)")                                                    \
    CHACHA_EIGHT_LOAD_WORD(3, "%c[s]+12(%%rdi)")                                                   \
    CHACHA_EIGHT_LOAD_WORD(4, "%c[s]+16(%%rdi)")                                                   \
    CHACHA_EIGHT_LOAD_WORD(5, "%c[s]+20(%%rdi)")                                                   \
    CHACHA_EIGHT_LOAD_WORD(6, "%c[s]+24(%%rdi)")                                                   \
    CHACHA_EIGHT_LOAD_WORD(7, "%c[s]+28(%%rdi)")                                                   \
    CHACHA_EIGHT_LOAD_WORD(8, "%c[s]+32(%%rdi)")                                                   \
    CHACHA_EIGHT_LOAD_WORD(9, "%c[s]+36(%%rdi)")                                                   \
    CHACHA_EIGHT_LOAD_WORD(10, "%c[s]+40(%%rdi)")                                                  \
    CHACHA_EIGHT_LOAD_WORD(12, "%c[s]+48(%%rdi)")                                                  \
    CHACHA_EIGHT_LOAD_WORD(13, "%c[s]+52(%%rdi)")                                                  \
    CHACHA_EIGHT_LOAD_WORD(14, "%c[s]+56(%%rdi)")                                                  \
    CHACHA_EIGHT_LOAD_WORD(15, "%c[s]+60(%%rdi)")                                                  \
    "vpaddd %[numbers], %%ymm12, %%ymm12\n\t"

/* The same from where the first three rows come from, and the last one in xmm12. */
#define CHACHA_EIGHT_LOAD_ROWS                                                                     \
    CHACHA_EIGHT_LOAD_WORD(11, "28(%[key])")                                                       \
    "vmovdqu %%ymm11, %c[c3](%%rdi)\n\t"                                                           \
    CHACHA_EIGHT_LOAD_WORD(0, "(%[top])")                                                          \
    CHACHA_EIGHT_LOAD_WORD(4, "(%[key])")                                                          \
    CHACHA_EIGHT_LOAD_WORD(1, "4(%[top])")                                                         \
    CHACHA_EIGHT_LOAD_WORD(5, "4(%[key])")                                                         \
    CHACHA_EIGHT_LOAD_WORD(2, "8(%[top])")                                                         \
    CHACHA_EIGHT_LOAD_WORD(6, "8(%[key])")                                                         \
    CHACHA_EIGHT_LOAD_WORD(3, "12(%[top])")                                                        \
    CHACHA_EIGHT_LOAD_WORD(7, "12(%[key])")                                                        \
    "vinserti128 $1, %%xmm12, %%ymm12, %%ymm12\n\t"                                                \
    "vpshufd $0x55, %%ymm12, %%ymm13\n\t"                                                          \
    "vpshufd $0xaa, %%ymm12, %%ymm14\n\t"                                                          \
    "vpshufd $0xff, %%ymm12, %%ymm15\n\t"                                                          \
    "vpshufd $0x00, %%ymm12, %%ymm12\n\t"                                                          \
    CHACHA_EIGHT_LOAD_WORD(8, "16(%[key])")                                                        \
    CHACHA_EIGHT_LOAD_WORD(9, "20(%[key])")                                                        \
    CHACHA_EIGHT_LOAD_WORD(10, "24(%[key])")                                                       \
    "vpaddd %[numbers], %%ymm12, %%ymm12\n\t"
/* clang-format on */

/*
 * From words to text: four words of eight blocks in w0 to w3, four more in w4 to w7 become eight
 * times 32 bytes of key stream, which meet the text or whatever `end` does with them. t is a free
 * register; each step frees another one. A register holds two blocks, of which the low half is
 * block b and the high half block b + 4, until the last step, across the halves.
 */
#define CHACHA_V_3(op, x, y, to) op " %%ymm" #y ", %%ymm" #x ", %%ymm" #to "\n\t"
#define CHACHA_V_INPUT(to, half) "vpaddd %c[s]+32*" #half "(%%rdi), %%ymm" #to ", %%ymm" #to "\n\t"
#define CHACHA_V_TEXT(to, block, half)                                                             \
    CHACHA_V_INPUT(to, half)                                                                       \
    "vpxor 64*" #block "+32*" #half "(%%rsi), %%ymm" #to ", %%ymm" #to "\n\t"                      \
    "vmovdqu %%ymm" #to ", 64*" #block "+32*" #half "(%%rdx)\n\t"
#define CHACHA_V_TWO_BLOCKS(end, x, y, t, block, block_4, half)                                    \
    "vinserti128 $1, %%xmm" #y ", %%ymm" #x ", %%ymm" #t "\n\t"                                    \
    "vperm2i128 $0x31, %%ymm" #y ", %%ymm" #x ", %%ymm" #x "\n\t" end(t, block, half)              \
        end(x, block_4, half)
#define CHACHA_EIGHT_HALF(end, w0, w1, w2, w3, w4, w5, w6, w7, t, half)                            \
    CHACHA_V_3("vpunpckldq", w0, w1, t)                                                            \
    CHACHA_V_3("vpunpckhdq", w0, w1, w1)                                                           \
    CHACHA_V_3("vpunpckldq", w2, w3, w0)                                                           \
    CHACHA_V_3("vpunpckhdq", w2, w3, w3)                                                           \
    CHACHA_V_3("vpunpckldq", w4, w5, w2)                                                           \
    CHACHA_V_3("vpunpckhdq", w4, w5, w5)                                                           \
    CHACHA_V_3("vpunpckldq", w6, w7, w4)                                                           \
    CHACHA_V_3("vpunpckhdq", w6, w7, w7)                                                           \
    CHACHA_V_3("vpunpcklqdq", t, w0, w6)                                                           \
    CHACHA_V_3("vpunpckhqdq", t, w0, w0)                                                           \
    CHACHA_V_3("vpunpcklqdq", w2, w4, t)                                                           \
    CHACHA_V_3("vpunpckhqdq", w2, w4, w4)                                                          \
    CHACHA_V_3("vpunpcklqdq", w1, w3, w2)                                                          \
    CHACHA_V_3("vpunpckhqdq", w1, w3, w3)                                                          \
    CHACHA_V_3("vpunpcklqdq", w5, w7, w1)                                                          \
    CHACHA_V_3("vpunpckhqdq", w5, w7, w7)                                                          \
    CHACHA_V_TWO_BLOCKS(end, w6, t, w5, 0, 4, half)                                                \
    CHACHA_V_TWO_BLOCKS(end, w0, w4, t, 1, 5, half)                                                \
    CHACHA_V_TWO_BLOCKS(end, w2, w1, w4, 2, 6, half)                                               \
    CHACHA_V_TWO_BLOCKS(end, w3, w7, w1, 3, 7, half)
/* clang-format off */
#define CHACHA_EIGHT_TEXT                                                                          \
    "movq %c[src](%%rdi), %%rsi\n\t"                                                               \
    "movq %c[dst](%%rdi), %%rdx\n\t"                                                               \
    CHACHA_EIGHT_HALF(CHACHA_V_TEXT, 0, 1, 2, 3, 4, 5, 6, 7, 11, 0)                                          \
    "vmovdqu %c[c3](%%rdi), %%ymm11\n\t"                                                           \
    "vpaddd %[numbers], %%ymm12, %%ymm12\n\t"                                                      \
    CHACHA_EIGHT_HALF(CHACHA_V_TEXT, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1)                                     \
    "vzeroupper\n\t"
/* clang-format on */
#define CHACHA_EIGHT_LOOP_BEGIN                                                                    \
    ".p2align 5\n"                                                                                 \
    "1:\n\t"
#define CHACHA_EIGHT_LOOP_END                                                                      \
    "decl %c[left](%%rdi)\n\t"                                                                     \
    "jnz 1b\n\t"

#define CHACHA_EIGHT_OPERANDS                                                                      \
    "D"((uint8_t *)f + CHACHA_MIDDLE), [numbers] "m"(chacha_numbers),                              \
        [rot16] "i"(CHACHA_OFFSET(rot16)), [rot8] "i"(CHACHA_OFFSET(rot8)),                        \
        [c3] "i"(CHACHA_OFFSET(c3)), [s] "i"(CHACHA_OFFSET(state)),                                \
        [left] "i"(CHACHA_OFFSET(left)), [src] "i"(CHACHA_OFFSET(src)),                            \
        [dst] "i"(CHACHA_OFFSET(dst))

#define CHACHA_EIGHT_VECTORS                                                                       \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",       \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

/* Assembly is opaque to the memory sanitizer: this is what it has written. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define CHACHA_ASM_WROTE_TO(p, n) __msan_unpoison((p), (n))
#endif
#endif
#ifndef CHACHA_ASM_WROTE_TO
#define CHACHA_ASM_WROTE_TO(p, n) ((void)0)
#endif
#define CHACHA_ASM_WROTE(f)                                                                        \
    (CHACHA_ASM_WROTE_TO((f), sizeof(*(f))), CHACHA_ASM_WROTE_TO((f)->dst, 512))

/* Blocks 6 and 7 do not meet the text, and stay in ymm2, ymm10 and ymm3, ymm11. */
#define CHACHA_V_TEXT_BUT_TWO(to, block, half) CHACHA_V_TEXT_BUT_TWO_##block(to, half)
#define CHACHA_V_TEXT_BUT_TWO_0(to, half)      CHACHA_V_TEXT(to, 0, half)
#define CHACHA_V_TEXT_BUT_TWO_1(to, half)      CHACHA_V_TEXT(to, 1, half)
#define CHACHA_V_TEXT_BUT_TWO_2(to, half)      CHACHA_V_TEXT(to, 2, half)
#define CHACHA_V_TEXT_BUT_TWO_3(to, half)      CHACHA_V_TEXT(to, 3, half)
#define CHACHA_V_TEXT_BUT_TWO_4(to, half)      CHACHA_V_TEXT(to, 4, half)
#define CHACHA_V_TEXT_BUT_TWO_5(to, half)      CHACHA_V_TEXT(to, 5, half)
#define CHACHA_V_TEXT_BUT_TWO_6(to, half)      CHACHA_V_INPUT(to, half)
#define CHACHA_V_TEXT_BUT_TWO_7(to, half)      CHACHA_V_INPUT(to, half)

/*
 * 384 < n <= 512 bytes of text by eight blocks. The last two leave the assembly in registers, so that a
 * part of a block needs no room in memory. The input is f->state, loaded where it was copied from: that
 * saves 15 cycles of waiting for the copy.
 */
__attribute__((noinline, unused)) static void chacha_eight(struct chacha_eight *f, uint8_t *dst,
                                                           const uint8_t *src, size_t n,
                                                           const void *top, const void *key,
                                                           __m128i bottom)
{
    register __m256i lo6 __asm__("ymm2");
    register __m256i lo7 __asm__("ymm3");
    register __m256i hi6 __asm__("ymm10");
    register __m256i hi7 __asm__("ymm11");
    register __m128i row __asm__("xmm12") = bottom;
    struct chacha_pair last;

    /* clang-format off */
    __asm__ volatile(
        CHACHA_EIGHT_LOAD_ROWS
        CHACHA_EIGHT_LOOP_BEGIN
        CHACHA_COLUMN_ROUND(, , , , , , , , , , , , , )
        CHACHA_DIAGONAL_ROUND(, , , , , , , , , , , , , )
        CHACHA_EIGHT_LOOP_END
        CHACHA_EIGHT_HALF(CHACHA_V_TEXT_BUT_TWO, 0, 1, 2, 3, 4, 5, 6, 7, 11, 0)
        "vmovdqu %c[c3](%%rdi), %%ymm11\n\t"
        "vpaddd %[numbers], %%ymm12, %%ymm12\n\t"
        CHACHA_EIGHT_HALF(CHACHA_V_TEXT_BUT_TWO, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1)
        : "=x"(lo6), "=x"(hi6), "=x"(lo7), "=x"(hi7), "+x"(row)
        : CHACHA_EIGHT_OPERANDS, [top] "r"(top), [key] "r"(key), "S"(src), "d"(dst)
        : "memory", "cc", "xmm0", "xmm1", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
          "xmm13", "xmm14", "xmm15");
    /* clang-format on */
    last.a = lo6;
    last.b = hi6;
    last.c = lo7;
    last.d = hi7;
    CHACHA_ASM_WROTE_TO(f, sizeof(*f));
    CHACHA_ASM_WROTE_TO(dst, 384);
    chacha_xor_pair(dst + 384, src + 384, n - 384, &last);
}

/*
 * n < 512 bytes of text, by one of the relatives of chacha_eight: they read and write 512 bytes, of
 * which those that are not there are taken from, and go to, a buffer.
 */
__attribute__((noinline, unused)) static void
chacha_eight_bounce(struct chacha_eight *f, void (*eight)(struct chacha_eight *), uint8_t *dst,
                    const uint8_t *src, size_t n)
{
    uint8_t buffer[512] __attribute__((aligned(64)));

    memcpy(buffer, src, n);
    memset(buffer + n, 0, sizeof(buffer) - n);
    f->dst = buffer;
    f->src = buffer;
    eight(f);
    memcpy(dst, buffer, n);
}

/* n <= 512 bytes of text. */
CHACHA_INLINE void chacha_eight_text(struct chacha_eight *f, void (*eight)(struct chacha_eight *),
                                     uint8_t *dst, const uint8_t *src, size_t n)
{
    if (n < 512) {
        chacha_eight_bounce(f, eight, dst, src, n);
    } else {
        f->dst = dst;
        f->src = src;
        eight(f);
    }
}

#endif
