/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include <string.h>

#include "bytes.h"
#include "check.h"
#include "hex.h"

/* FIPS 180-4 section 4.2.2: fractions of the cube roots of the first 64 primes. */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void compress(uint32_t h[8], const uint8_t block[64])
{
    uint32_t w[64];
    uint32_t v[8];

    for (int i = 0; i < 16; i++) {
        w[i] = load_be32(block + 4 * i);
    }
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;

        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, h, sizeof v);
    /* a to h move on by one place in each round, so their names move and not they */
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t *a = &v[(0 - i) % 8];
        const uint32_t *b = &v[(1 - i) % 8];
        const uint32_t *c = &v[(2 - i) % 8];
        uint32_t *d = &v[(3 - i) % 8];
        const uint32_t *e = &v[(4 - i) % 8];
        const uint32_t *f = &v[(5 - i) % 8];
        const uint32_t *g = &v[(6 - i) % 8];
        uint32_t *last = &v[(7 - i) % 8];
        uint32_t s1 = rotr(*e, 6) ^ rotr(*e, 11) ^ rotr(*e, 25);
        uint32_t choose = (*e & *f) ^ (~*e & *g);
        uint32_t t1 = *last + s1 + choose + k[i] + w[i];
        uint32_t s0 = rotr(*a, 2) ^ rotr(*a, 13) ^ rotr(*a, 22);
        uint32_t majority = (*a & *b) ^ (*a & *c) ^ (*b & *c);

        *d += t1;
        *last = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; i++) {
        h[i] += v[i];
    }
}

void sha256_begin(struct sha256 *s)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(s->h, start, sizeof start);
    s->taken = 0;
}

void sha256_update(struct sha256 *s, const uint8_t *p, size_t n)
{
    while (n > 0) {
        size_t at = (size_t)(s->taken % 64);
        size_t some = n < 64 - at ? n : 64 - at;

        memcpy(s->block + at, p, some);
        s->taken += some;
        p += some;
        n -= some;
        if (at + some == 64) {
            compress(s->h, s->block);
        }
    }
}

void sha256_final(struct sha256 *s, uint8_t digest[32])
{
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = s->taken * 8;
    uint8_t length[8];

    sha256_update(s, padding, 1 + (size_t)((119 - s->taken % 64) % 64));
    store_be64(length, bits);
    sha256_update(s, length, 8);
    for (int i = 0; i < 8; i++) {
        store_be32(digest + 4 * i, s->h[i]);
    }
}

void sha256_check(const uint8_t *p, size_t n, const char *hex, const char *what)
{
    struct sha256 s;
    uint8_t got[32];
    uint8_t want[32];

    sha256_begin(&s);
    sha256_update(&s, p, n);
    sha256_final(&s, got);
    hex_constant(want, 32, hex);
    check_bytes(got, want, 32, "%s: SHA-256", what);
}
