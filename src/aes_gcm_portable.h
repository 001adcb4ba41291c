/* SPDX-License-Identifier: MIT */
/* What aes_gcm_portable.c and aes_gcm_portable32.c share. */
#ifndef AEADFAST_AES_GCM_PORTABLE_H
#define AEADFAST_AES_GCM_PORTABLE_H

#include "aes_bitsliced.h"
#include "ghash_limb.h"
#include "kernel.h"

/* As many powers of H as the table has room for beside the round keys, and at most 4. */
#if GHASH_MUL_BITS == 64
#define GHASH_POWERS (sizeof(struct aes_key) < 560 ? 4 : 2)
#else
#define GHASH_POWERS (sizeof(struct aes_key) < 560 ? 3 : 1)
#endif
#include "ghash_portable.h"

#include "aes_gcm_batches.h"

#endif
