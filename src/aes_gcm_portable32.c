/* SPDX-License-Identifier: MIT */
/*
 * The portable AES-GCM for 32-bit machines: words of 32 bits in AES, two blocks at a time, and
 * 32x32->64-bit multiplications in GHASH. It is compiled everywhere, to be tested everywhere.
 */
#define AES_WORD_BITS  32
#define GHASH_MUL_BITS 32
#include "aes_gcm_portable.h"

AEADFAST_DEFINE_KERNEL(aes_gcm_kernel, aes_gcm_portable32) = {
    .init = gcm_init,
    .seal = gcm_seal,
    .open = gcm_open,
    .stack = 2048, /* 1060 x86-64, 1120 i686, 1860 s390x; GCC and Clang, -O1 to -O3, -Os */
};
