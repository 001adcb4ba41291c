/* SPDX-License-Identifier: MIT */
/*
 * The last, partial block of a text in a vector register: no byte outside the text is touched, and
 * no loop over its length is run.
 */
#ifndef AEADFAST_AES_GCM_PARTIAL_NEON_H
#define AEADFAST_AES_GCM_PARTIAL_NEON_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "../bytes.h"
#include "../codegen.h"

ALWAYS_INLINE uint8x16_t gcm_from_words(uint64_t low, uint64_t high)
{
    return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

/* 1 to 15 bytes and zeros after them: two loads that overlap, the second shifted into place. */
ALWAYS_INLINE uint8x16_t gcm_load_partial(const uint8_t *p, size_t n)
{
    uint32_t low;

    if (n >= 8) {
        return gcm_from_words(load_le64(p), load_le64(p + n - 8) >> (8 * (15 - n)) >> 8);
    }
    if (n >= 4) {
        return gcm_from_words(load_le32(p) | (uint64_t)load_le32(p + n - 4) << (8 * (n - 4)), 0);
    }
    low = (uint32_t)p[0] | (uint32_t)p[n / 2] << (8 * (n / 2));
    return gcm_from_words(low | (uint32_t)p[n - 1] << (8 * (n - 1)), 0);
}

ALWAYS_INLINE void gcm_store_partial(uint8_t *p, uint8x16_t v, size_t n)
{
    const uint64_t low = vgetq_lane_u64(vreinterpretq_u64_u8(v), 0);

    if (n >= 8) {
        const uint64_t high = vgetq_lane_u64(vreinterpretq_u64_u8(v), 1);

        store_le64(p + n - 8, high << (8 * (15 - n)) << 8 | low >> (8 * (n - 8)));
        store_le64(p, low);
    } else if (n >= 4) {
        store_le32(p, (uint32_t)low);
        store_le32(p + n - 4, (uint32_t)(low >> (8 * (n - 4))));
    } else {
        p[0] = (uint8_t)low;
        p[n / 2] = (uint8_t)(low >> (8 * (n / 2)));
        p[n - 1] = (uint8_t)(low >> (8 * (n - 1)));
    }
}

/*
 * Byte numbers for TBL, which makes zeros of what it does not have. From n on: up by 16 - n bytes
 * (at n), up by -n (at 16 + n), down by 16 - n (at 32 - n).
 */
static const uint8_t gcm_shift_bytes[48] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

/* The first n bytes, and zeros. */
ALWAYS_INLINE uint8x16_t gcm_keep_bytes(uint8x16_t v, size_t n)
{
    const uint8x16_t number = vld1q_u8(gcm_shift_bytes + 16);

    return vandq_u8(v, vcltq_u8(number, vdupq_n_u8((uint8_t)n)));
}

/*
 * The last n bytes, 1 to 15, of a text: writes their xor with the stream and returns the ciphertext
 * with zeros after it. Where a whole block lies before them (`more`), the last 16 bytes of the text
 * are read and written in one piece, those before the n as they stand in dst.
 */
ALWAYS_INLINE uint8x16_t gcm_partial_block(uint8_t *dst, const uint8_t *src, size_t n,
                                           uint8x16_t stream, int more, int sealing)
{
    uint8x16_t in;
    uint8x16_t out;

    if (more) {
        const uint8x16_t down = vld1q_u8(gcm_shift_bytes + 32 - n);
        uint8x16_t window;

        in = vqtbl1q_u8(vld1q_u8(src + n - 16), down);
        out = vqtbl1q_u8(veorq_u8(in, stream), vld1q_u8(gcm_shift_bytes + n));
        window = vqtbl1q_u8(vld1q_u8(dst - 16), vld1q_u8(gcm_shift_bytes + 16 + n));
        window = vorrq_u8(window, out);
        vst1q_u8(dst + n - 16, window);
        out = vqtbl1q_u8(window, down);
    } else {
        in = gcm_load_partial(src, n);
        out = veorq_u8(in, stream);
        gcm_store_partial(dst, out, n);
        out = gcm_keep_bytes(out, n);
    }
    return sealing ? out : in;
}

#endif
