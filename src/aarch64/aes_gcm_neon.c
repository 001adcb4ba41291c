/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM for cores that have NEON but not the AES and PMULL instructions, the Raspberry Pi 4 and
 * earlier among them: bitsliced AES, and GHASH by multiplications of bytes. Constant time, as TBL
 * looks up registers, and only where constants say.
 */
#define AES_SLICES "aarch64/aes_slices_neon.h"
#include "../aes_bitsliced.h"
#include "ghash_pmull8.h"

ALWAYS_INLINE aes_word aes_counter_columns(const struct aes_counter *counter, uint32_t number)
{
    const uint32x4_t words = vdupq_n_u32(aes_counter_word(counter, number));
    const uint32x4_t placed = vandq_u32(words, vld1q_u32(counter->place));

    return vreinterpretq_u8_u32(vorrq_u32(vld1q_u32(counter->column), placed));
}

/*
 * Slices of counters need not be made from eight blocks. With first = 8 q + r, 8 - r of them are 8 q
 * but for the lowest three bits, and r are 8 q + 8 but for these, which in all eight are 0 to 7,
 * turned by r: constants, shifted. No branch and no address depends on r: where J0 is made of H, it
 * is secret.
 */
static void aes_key_stream(uint8_t out[16 * AES_BLOCKS], const struct aes_key *key,
                           const struct aes_counter *counter, uint32_t first)
{
    const uint8_t(*const bits)[16] = aes_slice_bits();
    const uint32_t r = first % 8;
    const aes_word before = aes_counter_columns(counter, first - r);
    const aes_word after = aes_counter_columns(counter, first - r + 8);
    const aes_word is_after = vdupq_n_u8((uint8_t)(0xff00 >> r)); /* block 7 to 0 */
    const uint32x4_t byte = vdupq_n_u32(aes_counter_word(counter, 0xff));
    const aes_word last = vreinterpretq_u8_u32(vandq_u32(byte, vld1q_u32(counter->place)));
    aes_word s[8];

    UNROLL
    for (int k = 0; k < 8; k++) {
        const aes_word bit = vld1q_u8(bits[k]);

        s[k] = vbslq_u8(is_after, aes_slice_of(after, bit), aes_slice_of(before, bit));
    }
    s[0] ^= vandq_u8(last, vdupq_n_u8((uint8_t)(0xaaaa >> r)));
    s[1] ^= vandq_u8(last, vdupq_n_u8((uint8_t)(0xcccc >> r)));
    s[2] ^= vandq_u8(last, vdupq_n_u8((uint8_t)(0xf0f0 >> r)));
    aes_encrypt(s, key);
    aes_slices_store(out, s);
}

static void aes_encrypt_batch(uint8_t out[16 * AES_BLOCKS], const struct aes_key *key,
                              const uint8_t in[16 * AES_BLOCKS])
{
    const uint8x16_t moved = vreinterpretq_u8_u32(vdupq_n_u32(aes_moved(key)));
    aes_word s[8];

    UNROLL
    for (int n = 0; n < AES_BLOCKS; n++) {
        const uint8x16_t block = vld1q_u8(in + 16 * n);

        s[n] = vbslq_u8(moved, vextq_u8(block, block, 8), block);
    }
    aes_transpose(s);
    aes_encrypt(s, key);
    aes_slices_store(out, s);
}

#include "../aes_gcm_batches.h"

static const struct aes_gcm_parts gcm_parts = {
    .init_hash = gcm_parts_init_hash,
    .encrypt = gcm_parts_encrypt,
    .hash = gcm_parts_hash,
    .hash_reversed = gcm_parts_hash_reversed,
    .text = gcm_parts_text,
    .counter_le = gcm_parts_counter_le,
    .stack = 1024, /* 900 at most */
};

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_neon) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 1280, /* 1190 at most: GCC 12, Clang 14 and 19, -O1 to -O3, -Os */
    .parts = &gcm_parts,
};
