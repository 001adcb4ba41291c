/* SPDX-License-Identifier: MIT */
/*
 * What the C and the assembly of the AES-GCM kernel for vector crypto share: where things lie in
 * the key's table. C and assembly both read this file.
 *
 * A lane is 128 bits of a group of four vector registers, room for a block: there are VLEN / 32, of
 * which at most 32 are used (VLEN 1024). With n lanes the powers of H, right-aligned in their room,
 * are
 *
 *     H^n, H^n, ..., H^n (n times),  H^n, H^(n-1), ..., H^2, H^1
 *
 * so that n entries from one place or another of it are the factors for every batch of blocks:
 * see aes_gcm_zvk_lanes.inc.
 */
#ifndef AEADFAST_AES_GCM_ZVK_H
#define AEADFAST_AES_GCM_ZVK_H

#include "../symbol.h"

#define ZVK_LANES_MAX 32

/* Offsets into the table */
#define ZVK_ROUNDS     0 /* 32 bits: number of rounds less 12: -2, 0 or 2 */
#define ZVK_LANES      4 /* 32 bits: n */
#define ZVK_ROUND_KEYS 8 /* 15 places; the last round's key is always in the last of them */
#define ZVK_LAST_KEY   (ZVK_ROUND_KEYS + 14 * 16)
#define ZVK_POWERS     (ZVK_LAST_KEY + 16)
#define ZVK_END        (ZVK_POWERS + 2 * ZVK_LANES_MAX * 16) /* H^1 is 16 bytes before it */

/* Where struct gcm_start has the counter of J0. */
#define ZVK_START_COUNTER 32

#define zvk_init          AEADFAST_INTERNAL(zvk_init)
#define zvk_hash          AEADFAST_INTERNAL(zvk_hash)
#define zvk_hash_reversed AEADFAST_INTERNAL(zvk_hash_reversed)
#define zvk_seal          AEADFAST_INTERNAL(zvk_seal)
#define zvk_open          AEADFAST_INTERNAL(zvk_open)
#define zvk_text_seal     AEADFAST_INTERNAL(zvk_text_seal)
#define zvk_text_open     AEADFAST_INTERNAL(zvk_text_open)
#define zvk_counter_le    AEADFAST_INTERNAL(zvk_counter_le)
#define zvk_encrypt       AEADFAST_INTERNAL(zvk_encrypt)

#endif
