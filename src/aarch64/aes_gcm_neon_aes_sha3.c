/* SPDX-License-Identifier: MIT */
/* AES-GCM as in aes_gcm_neon_aes.c, with the three-way xor of the SHA-3 extension. */
#include "aes_gcm_aese.h"
#include "aes_gcm_aese_parts.h"

static const struct aes_gcm_parts gcm_parts = {
    .init_hash = gcm_parts_init_hash,
    .encrypt = gcm_parts_encrypt,
    .hash = gcm_parts_hash,
    .hash_reversed = gcm_parts_hash_reversed,
    .text = gcm_parts_text,
    .counter_le = gcm_parts_counter_le,
    .stack = 0,
};

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_neon_aes_sha3) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
    .parts = &gcm_parts,
};
