/* SPDX-License-Identifier: MIT */
/*
 * The portable AES-GCM for 32-bit machines: words of 32 bits in AES, two blocks at a time, and
 * 32x32->64-bit multiplications in GHASH. It is compiled everywhere, to be tested everywhere.
 */
#define AES_WORD_BITS  32
#define GHASH_MUL_BITS 32
#include "aes_gcm_portable.h"

static const struct aes_gcm_parts gcm_parts = {
    .init_hash = gcm_parts_init_hash,
    .encrypt = gcm_parts_encrypt,
    .hash = gcm_parts_hash,
    .hash_reversed = gcm_parts_hash_reversed,
    .text = gcm_parts_text,
    .counter_le = gcm_parts_counter_le,
    .stack = 1536, /* 1270 at most, s390x at -Os */
};

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_portable32) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 2048, /* 1100 x86-64, 1120 i686, 1840 s390x; GCC and Clang, -O1 to -O3, -Os */
    .parts = &gcm_parts,
};
