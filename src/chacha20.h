/* SPDX-License-Identifier: MIT */
/* What the stream functions lend to XChaCha20-Poly1305. */
#ifndef AEADFAST_CHACHA20_H
#define AEADFAST_CHACHA20_H

#include <stdint.h>

#include "kernel.h"
#include "symbol.h"

#define aeadfast_hchacha20_derive AEADFAST_INTERNAL(hchacha20_derive)

/* hchacha20 without checks, through the given kernel. The output may be anywhere. */
AEADFAST_HIDDEN void aeadfast_hchacha20_derive(const struct chacha_kernel *kernel, uint8_t out[32],
                                               const uint8_t nonce[16], const uint8_t key[32]);

#endif
