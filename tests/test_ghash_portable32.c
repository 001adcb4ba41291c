/* SPDX-License-Identifier: MIT */
/* The GHASH that machines without a 64-bit by 64-bit product use, on any machine. */
#define GHASH_MUL_BITS 32
#include "test_ghash_portable.c"
