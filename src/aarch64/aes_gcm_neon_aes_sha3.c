/* SPDX-License-Identifier: MIT */
/* AES-GCM as in aes_gcm_neon_aes.c, with the three-way xor of the SHA-3 extension. */
#include "aes_gcm_aese.h"

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_neon_aes_sha3) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
};
