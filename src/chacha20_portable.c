/* SPDX-License-Identifier: MIT */
/*
 * ChaCha in plain C: one block at a time in 32-bit words on any machine, and four blocks at a time
 * where the compiler's baseline target has 128-bit vectors.
 *
 * Four blocks: vector i holds word i of each block, a block to a lane, so that every operation of
 * the rounds is the scalar one, four abreast, and no lane ever moves. The price is a transposition
 * of 4x4 words at the end.
 */
#include "bytes.h"
#include "kernel.h"

/* Cyclic shifts of a word, or of each lane of a vector. */
#define ROTATE(v, n) (((v) << (n)) | ((v) >> (32 - (n))))
#define ROTATE16(v)  ROTATE(v, 16)
#define ROTATE12(v)  ROTATE(v, 12)
#define ROTATE8(v)   ROTATE(v, 8)
#define ROTATE7(v)   ROTATE(v, 7)

/* A quarter of a quarter round, of two of them abreast. */
#define STEP(a0, b0, d0, a1, b1, d1, rotate)                                                       \
    do {                                                                                           \
        (a0) += (b0);                                                                              \
        (a1) += (b1);                                                                              \
        (d0) ^= (a0);                                                                              \
        (d1) ^= (a1);                                                                              \
        (d0) = rotate(d0);                                                                         \
        (d1) = rotate(d1);                                                                         \
    } while (0)

/* Two quarter rounds, RFC 8439 section 2.1, on words a to d and e to h of w. */
#define TWO_QUARTER_ROUNDS(w, a, b, c, d, e, f, g, h, rotate16)                                    \
    do {                                                                                           \
        STEP((w)[a], (w)[b], (w)[d], (w)[e], (w)[f], (w)[h], rotate16);                            \
        STEP((w)[c], (w)[d], (w)[b], (w)[g], (w)[h], (w)[f], ROTATE12);                            \
        STEP((w)[a], (w)[b], (w)[d], (w)[e], (w)[f], (w)[h], ROTATE8);                             \
        STEP((w)[c], (w)[d], (w)[b], (w)[g], (w)[h], (w)[f], ROTATE7);                             \
    } while (0)

/*
 * A column round and a diagonal round, section 2.3. Compilers more or less keep to the order given.
 * Words go in the order that lets a machine with 15 registers leave words 8 and 9 or words 10 and
 * 11 in memory for half a round at a time; for vectors see below.
 */
#define DOUBLE_ROUND(w)                                                                            \
    do {                                                                                           \
        TWO_QUARTER_ROUNDS(w, 0, 4, 8, 12, 1, 5, 9, 13, ROTATE16);                                 \
        TWO_QUARTER_ROUNDS(w, 2, 6, 10, 14, 3, 7, 11, 15, ROTATE16);                               \
        TWO_QUARTER_ROUNDS(w, 0, 5, 10, 15, 1, 6, 11, 12, ROTATE16);                               \
        TWO_QUARTER_ROUNDS(w, 2, 7, 8, 13, 3, 4, 9, 14, ROTATE16);                                 \
    } while (0)

/* A structure, because compilers keep its words in registers while only constants index them. */
struct block {
    uint32_t w[16];
};

/* Words i and i+1 of the key stream block, xored to the text. */
#define XOR_TWO_WORDS(i)                                                                           \
    store_le64(dst + 4 * (i),                                                                      \
               load_le64(src + 4 * (i)) ^ ((uint64_t)(x.w[i] + in->w[i]) |                         \
                                           (uint64_t)(x.w[(i) + 1] + in->w[(i) + 1]) << 32))

/* 64 bytes: dst = src xor the block of key stream for `in`. */
static void one_block(uint8_t *dst, const uint8_t *src, const struct block *in, int rounds)
{
    struct block x = *in;

    for (int i = 0; i < rounds; i += 2) {
        DOUBLE_ROUND(x.w);
    }
    XOR_TWO_WORDS(0);
    XOR_TWO_WORDS(2);
    XOR_TWO_WORDS(4);
    XOR_TWO_WORDS(6);
    XOR_TWO_WORDS(8);
    XOR_TWO_WORDS(10);
    XOR_TWO_WORDS(12);
    XOR_TWO_WORDS(14);
}

/* dst = src xor stream */
static inline void xor_bytes(uint8_t *dst, const uint8_t *src, const uint8_t *stream, size_t n)
{
    size_t i = 0;

    for (; n - i >= 8; i += 8) {
        store_le64(dst + i, load_le64(src + i) ^ load_le64(stream + i));
    }
    if (n - i >= 4) {
        store_le32(dst + i, load_le32(src + i) ^ load_le32(stream + i));
        i += 4;
    }
    for (; i < n; i++) {
        dst[i] = (uint8_t)(src[i] ^ stream[i]);
    }
}

/* Any length, a block at a time; advances the counter of `in`. */
static void stream_scalar(uint8_t *dst, const uint8_t *src, size_t len, struct block *in,
                          int rounds)
{
    for (; len >= 64; len -= 64) {
        one_block(dst, src, in, rounds);
        in->w[12]++;
        dst += 64;
        src += 64;
    }
    if (len != 0) {
        uint8_t stream[64] = {0};

        one_block(stream, stream, in, rounds);
        xor_bytes(dst, src, stream, len);
    }
}

/*
 * GCC and Clang share this notation for vectors. Big-endian machines would need each word turned
 * round after the transposition; they make do with the scalar code.
 */
#if defined(__GNUC__) && AEADFAST_LITTLE_ENDIAN &&                                                 \
    (defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__) || defined(__loongarch_sx) ||    \
     defined(__mips_msa) || defined(__wasm_simd128__))
#define HAVE_VECTORS 1
#else
#define HAVE_VECTORS 0
#endif

#if HAVE_VECTORS
typedef uint32_t words __attribute__((vector_size(16)));
typedef uint16_t halves __attribute__((vector_size(16)));

#if defined(__clang__)
#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#define SWAP_HALVES(v)            __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)
#else
#define SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (words){i, j, k, l})
#define SWAP_HALVES(v)            __builtin_shuffle(v, (halves){1, 0, 3, 2, 5, 4, 7, 6})
#endif

/* Two shuffles in SSE2, one in NEON, where shifts take three instructions. */
#define ROTATE16_VECTOR(v) ((words)SWAP_HALVES((halves)(v)))

/*
 * One quarter round after the other leaves too little to do at a time, four abreast need more
 * temporaries than there are registers; of the ways to pair them this one suits both GCC and Clang
 * (2.3 cycles/byte with SSE2 on Zen 3, others up to 3.2).
 */
#define DOUBLE_ROUND_VECTOR(w)                                                                     \
    do {                                                                                           \
        TWO_QUARTER_ROUNDS(w, 0, 4, 8, 12, 2, 6, 10, 14, ROTATE16_VECTOR);                         \
        TWO_QUARTER_ROUNDS(w, 1, 5, 9, 13, 3, 7, 11, 15, ROTATE16_VECTOR);                         \
        TWO_QUARTER_ROUNDS(w, 0, 5, 10, 15, 2, 7, 8, 13, ROTATE16_VECTOR);                         \
        TWO_QUARTER_ROUNDS(w, 1, 6, 11, 12, 3, 4, 9, 14, ROTATE16_VECTOR);                         \
    } while (0)

struct four_blocks {
    words w[16];
};

static inline words splat(uint32_t v)
{
    return (words){v, v, v, v};
}

static inline void xor_vector(uint8_t *dst, const uint8_t *src, words stream)
{
    words v;

    memcpy(&v, src, 16);
    v ^= stream;
    memcpy(dst, &v, 16);
}

/* Words i to i+3 of the four blocks, turned from a lane a block to a vector a block. */
static inline void xor_four_words(uint8_t *dst, const uint8_t *src, words a, words b, words c,
                                  words d)
{
    words ab_low = SHUFFLE(a, b, 0, 4, 1, 5);
    words ab_high = SHUFFLE(a, b, 2, 6, 3, 7);
    words cd_low = SHUFFLE(c, d, 0, 4, 1, 5);
    words cd_high = SHUFFLE(c, d, 2, 6, 3, 7);

    xor_vector(dst, src, SHUFFLE(ab_low, cd_low, 0, 1, 4, 5));
    xor_vector(dst + 64, src + 64, SHUFFLE(ab_low, cd_low, 2, 3, 6, 7));
    xor_vector(dst + 128, src + 128, SHUFFLE(ab_high, cd_high, 0, 1, 4, 5));
    xor_vector(dst + 192, src + 192, SHUFFLE(ab_high, cd_high, 2, 3, 6, 7));
}

#define SUM(i) (x.w[i] + splat(in->w[i]))

/*
 * 256 bytes. Each lane of word 12 wraps on its own, modulo 2^32. Not inlined, or GCC keeps a set of
 * what does not fit in registers, 256 bytes of stack, for each of the two calls.
 */
__attribute__((noinline)) static void four_blocks(uint8_t *dst, const uint8_t *src,
                                                  const struct block *in, int rounds)
{
    words counters = splat(in->w[12]) + (words){0, 1, 2, 3};
    struct four_blocks x;

    for (int i = 0; i < 16; i++) {
        x.w[i] = splat(in->w[i]);
    }
    x.w[12] = counters;
    for (int i = 0; i < rounds; i += 2) {
        DOUBLE_ROUND_VECTOR(x.w);
    }
    xor_four_words(dst, src, SUM(0), SUM(1), SUM(2), SUM(3));
    xor_four_words(dst + 16, src + 16, SUM(4), SUM(5), SUM(6), SUM(7));
    xor_four_words(dst + 32, src + 32, SUM(8), SUM(9), SUM(10), SUM(11));
    xor_four_words(dst + 48, src + 48, x.w[12] + counters, SUM(13), SUM(14), SUM(15));
}

/* Returns how many bytes it has done; the rest, at most 64, are for the scalar code. */
static size_t stream_vector(uint8_t *dst, const uint8_t *src, size_t len, struct block *in,
                            int rounds)
{
    size_t done = 0;

    while (len - done >= 256) {
        four_blocks(dst + done, src + done, in, rounds);
        in->w[12] += 4;
        done += 256;
    }
    if (len - done > 64) {
        uint8_t stream[256];

        memset(stream, 0, sizeof(stream));
        four_blocks(stream, stream, in, rounds);
        xor_bytes(dst + done, src + done, stream, len - done);
        done = len;
    }
    return done;
}
#endif

static void chacha_stream(uint8_t *dst, const uint8_t *src, size_t len, const uint32_t state[16],
                          int rounds)
{
    struct block in;

    memcpy(in.w, state, sizeof(in.w));
#if HAVE_VECTORS
    if (len > 64) {
        size_t done = stream_vector(dst, src, len, &in, rounds);

        dst += done;
        src += done;
        len -= done;
    }
#endif
    stream_scalar(dst, src, len, &in, rounds);
}

AEADFAST_DEFINE_KERNEL(chacha_kernel, chacha20_portable) = {
    .stream = chacha_stream,
    .stack = 1024,
};
