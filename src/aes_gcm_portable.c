/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM in C, for every machine: bitsliced AES, and GHASH by integer multiplication. Constant
 * time, as no table is indexed and no branch taken by a secret.
 */
#include "aes_gcm_portable.h"

static const struct aes_gcm_parts gcm_parts = {
    .init_hash = gcm_parts_init_hash,
    .encrypt = gcm_parts_encrypt,
    .hash = gcm_parts_hash,
    .hash_reversed = gcm_parts_hash_reversed,
    .text = gcm_parts_text,
    .counter_le = gcm_parts_counter_le,
    .stack = 1536, /* 1350 at most, s390x at -Os */
};

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_portable) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 2048, /* 1410 x86-64, 1380 AArch64, 1930 s390x; GCC and Clang, -O1 to -O3, -Os */
    .parts = &gcm_parts,
};
