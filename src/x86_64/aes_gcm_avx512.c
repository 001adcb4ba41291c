/* SPDX-License-Identifier: MIT */
/* AES-GCM on 512-bit registers, of four blocks each: aes_gcm_wide.h. */
#define GCM_LANES 4
#include "aes_gcm_wide.h"

#include "aes_gcm_many.h"

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_avx512) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 0,
    .parts = &gcm_parts,
    .many = gcm_many,
    .many_len = GCM_MANY_LEN,
    .many_stack = GCM_MANY_STACK,
};
