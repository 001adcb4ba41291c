/* SPDX-License-Identifier: MIT */
/* The input block of ChaCha, RFC 8439 section 2.3. Static only. */
#ifndef AEADFAST_CHACHA_STATE_H
#define AEADFAST_CHACHA_STATE_H

#include "bytes.h"

static inline void chacha_state_init(uint32_t state[16], const uint8_t key[32], uint32_t counter,
                                     const uint8_t nonce[12])
{
    state[0] = 0x61707865; /* "expand 32-byte k" */
    state[1] = 0x3320646e;
    state[2] = 0x79622d32;
    state[3] = 0x6b206574;
    for (size_t i = 0; i < 8; i++) {
        state[4 + i] = load_le32(key + 4 * i);
    }
    state[12] = counter;
    for (size_t i = 0; i < 3; i++) {
        state[13 + i] = load_le32(nonce + 4 * i);
    }
}

#endif
