/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM with the AES and PMULL instructions: Armv8 with the crypto extension, most 64-bit cores.
 */
#include "aes_gcm_aese.h"

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_neon_aes) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
};
