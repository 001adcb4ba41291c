/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM for cores that have NEON but not the AES and PMULL instructions, the Raspberry Pi 4 and
 * earlier among them: bitsliced AES, and GHASH by multiplications of bytes. Constant time, as TBL
 * looks up registers, and only where constants say.
 */
#define AES_SLICES "aarch64/aes_slices_neon.h"
#include "../aes_bitsliced.h"
#include "ghash_pmull8.h"

/*
 * Eight counters of which the first is a multiple of 8 differ in three bits only, which have the
 * same values in every such batch. So the slices need not be made from eight blocks: each is that
 * of one block, and three get a constant. The batch of J0 starts with up to seven blocks that
 * nobody wants.
 */
#define AES_BATCH_SKIP(number) ((number) % 8)

static void aes_key_stream(uint8_t out[16 * AES_BLOCKS], const struct aes_key *key,
                           const struct aes_counter *counter, uint32_t first)
{
    const uint8_t(*const bits)[16] = aes_slice_bits();
    uint8_t bytes[4];
    uint32_t low;
    uint32x4_t columns = vld1q_u32(counter->column);
    uint32x4_t last; /* ones in the byte of the counter that counts */
    aes_word s[8];

    store_be32(bytes, first);
    low = load_le32(bytes);
    columns = vsetq_lane_u32(counter->column[1] | (low & counter->moved), columns, 1);
    columns = vsetq_lane_u32(counter->column[3] | (low & ~counter->moved), columns, 3);
    last = vsetq_lane_u32(0xff000000 & counter->moved, vdupq_n_u32(0), 1);
    last = vsetq_lane_u32(0xff000000 & ~counter->moved, last, 3);

    UNROLL
    for (int k = 0; k < 8; k++) {
        s[k] = aes_slice_of(vreinterpretq_u8_u32(columns), vld1q_u8(bits[k]));
    }
    s[0] ^= vandq_u8(vreinterpretq_u8_u32(last), vdupq_n_u8(0xaa)); /* block 7 to 0: 10101010 */
    s[1] ^= vandq_u8(vreinterpretq_u8_u32(last), vdupq_n_u8(0xcc));
    s[2] ^= vandq_u8(vreinterpretq_u8_u32(last), vdupq_n_u8(0xf0));
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
    .stack = 1280,
};

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_neon) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 1280, /* 1150 at most: GCC 12, Clang 14 and 19, -O1 to -O3, -Os */
    .parts = &gcm_parts,
};
