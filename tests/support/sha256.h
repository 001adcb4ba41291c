/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), to compare long outputs with one short constant. */
#ifndef TEST_SHA256_H
#define TEST_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    uint32_t h[8];
    uint8_t block[64];
    uint64_t taken;
};

void sha256_begin(struct sha256 *s);
void sha256_update(struct sha256 *s, const uint8_t *p, size_t n);
void sha256_final(struct sha256 *s, uint8_t digest[32]);

/* Fails the test unless the n bytes have the digest, given in hex. */
void sha256_check(const uint8_t *p, size_t n, const char *hex, const char *what);

#endif
