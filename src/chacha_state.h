/* SPDX-License-Identifier: MIT */
/* The input block of ChaCha, RFC 8439 section 2.3. Static only. */
#ifndef AEADFAST_CHACHA_STATE_H
#define AEADFAST_CHACHA_STATE_H

#include "bytes.h"

#if defined(__SSE2__)
typedef uint32_t chacha_state_row __attribute__((vector_size(16)));
#endif

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
#if defined(__SSE2__)
    /*
     * In one store, for kernels load the row whole: after four it would wait until the last of them is
     * through, 35 cycles on Zen 3. The statement keeps Clang from loading eight bytes of nonce at once,
     * which may wait likewise for what the caller has written.
     */
    uint32_t middle = load_le32(nonce + 4);
    chacha_state_row row;

    __asm__("" : "+r"(middle));
    row = (chacha_state_row){counter, load_le32(nonce), middle, load_le32(nonce + 8)};
    memcpy(state + 12, &row, sizeof(row));
#else
    state[12] = counter;
    for (size_t i = 0; i < 3; i++) {
        state[13 + i] = load_le32(nonce + 4 * i);
    }
#endif
}

#endif
