/* SPDX-License-Identifier: MIT */
#include "ref_aes_gcm.h"

#include <string.h>

#include "bytes.h"

static uint8_t sbox[256];

/* Times x modulo x^8 + x^4 + x^3 + x + 1, FIPS 197 section 4.2.1. */
static uint8_t xtime(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

static uint8_t gf256_mul(uint8_t a, uint8_t b)
{
    uint8_t product = 0;

    for (int i = 0; i < 8; i++) {
        product ^= (uint8_t)((b >> i & 1) * a);
        a = xtime(a);
    }
    return product;
}

/* FIPS 197 section 5.1.1: the inverse, found by trying, and then the affine map. */
static void make_sbox(void)
{
    for (int x = 0; x < 256; x++) {
        uint8_t inverse = 0;
        uint8_t s = 0x63;

        for (int y = 1; y < 256; y++) {
            if (gf256_mul((uint8_t)x, (uint8_t)y) == 1) {
                inverse = (uint8_t)y;
            }
        }
        for (int i = 0; i < 5; i++) {
            s ^= (uint8_t)(inverse << i | inverse >> (8 - i));
        }
        sbox[x] = s;
    }
}

void ref_aes_begin(struct ref_aes *aes, const uint8_t *key, size_t key_len)
{
    uint8_t *w = aes->round_key[0];
    size_t words = key_len / 4;
    uint8_t rcon = 1;

    if (sbox[0] == 0) {
        make_sbox();
    }
    aes->rounds = (int)words + 6;
    memcpy(w, key, key_len);
    for (size_t i = words; i < 4 * (size_t)(aes->rounds + 1); i++) {
        uint8_t t[4];

        memcpy(t, w + 4 * (i - 1), 4);
        if (i % words == 0) {
            uint8_t first = t[0];

            t[0] = sbox[t[1]] ^ rcon;
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            rcon = xtime(rcon);
        } else if (words == 8 && i % 8 == 4) {
            for (int j = 0; j < 4; j++) {
                t[j] = sbox[t[j]];
            }
        }
        for (size_t j = 0; j < 4; j++) {
            w[4 * i + j] = w[4 * (i - words) + j] ^ t[j];
        }
    }
}

static void mix_column(uint8_t c[4])
{
    uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3];
    uint8_t first = c[0];

    for (int i = 0; i < 4; i++) {
        uint8_t next = i == 3 ? first : c[i + 1];

        c[i] ^= all ^ xtime(c[i] ^ next);
    }
}

void ref_aes_encrypt(const struct ref_aes *aes, uint8_t out[16], const uint8_t in[16])
{
    uint8_t s[16];
    uint8_t t[16];

    for (int i = 0; i < 16; i++) {
        s[i] = in[i] ^ aes->round_key[0][i];
    }
    for (int round = 1; round <= aes->rounds; round++) {
        for (int i = 0; i < 16; i++) { /* SubBytes and ShiftRows */
            t[i] = sbox[s[(i + 4 * (i % 4)) % 16]];
        }
        for (int column = 0; column < 4 && round < aes->rounds; column++) {
            mix_column(t + 4 * column);
        }
        for (int i = 0; i < 16; i++) {
            s[i] = t[i] ^ aes->round_key[round][i];
        }
    }
    memcpy(out, s, 16);
}

/* Every step of the above undone, the last one first. MixColumns, done four times, is the identity. */
void ref_aes_decrypt(const struct ref_aes *aes, uint8_t out[16], const uint8_t in[16])
{
    uint8_t inverse[256];
    uint8_t s[16];
    uint8_t t[16];

    for (int x = 0; x < 256; x++) {
        inverse[sbox[x]] = (uint8_t)x;
    }
    memcpy(s, in, 16);
    for (int round = aes->rounds; round > 0; round--) {
        for (int i = 0; i < 16; i++) {
            t[i] = s[i] ^ aes->round_key[round][i];
        }
        for (int i = 0; i < 12 && round < aes->rounds; i++) {
            mix_column(t + 4 * (i % 4));
        }
        for (int i = 0; i < 16; i++) {
            s[(i + 4 * (i % 4)) % 16] = inverse[t[i]];
        }
    }
    for (int i = 0; i < 16; i++) {
        out[i] = s[i] ^ aes->round_key[0][i];
    }
}

/* SP 800-38D section 6.3, algorithm 1; the leftmost bit of byte 0 is the coefficient of 1. */
void ref_gf128_mul(uint8_t x[16], const uint8_t y[16])
{
    uint64_t z0 = 0;
    uint64_t z1 = 0;
    uint64_t v0 = load_be64(y);
    uint64_t v1 = load_be64(y + 8);

    for (int i = 0; i < 128; i++) {
        uint64_t low = v1 & 1;

        if ((x[i / 8] >> (7 - i % 8) & 1) != 0) {
            z0 ^= v0;
            z1 ^= v1;
        }
        v1 = v1 >> 1 | v0 << 63;
        v0 >>= 1;
        if (low != 0) {
            v0 ^= UINT64_C(0xe1) << 56;
        }
    }
    store_be64(x, z0);
    store_be64(x + 8, z1);
}

/* x^(2^128 - 2) = (x^(2^127 - 1))^2: all bits of the exponent but the last are set. */
void ref_gf128_inverse(uint8_t out[16], const uint8_t x[16])
{
    uint8_t power[16];

    memcpy(power, x, 16);
    for (int bit = 0; bit < 126; bit++) {
        uint8_t copy[16];

        memcpy(copy, power, 16);
        ref_gf128_mul(power, copy);
        ref_gf128_mul(power, x);
    }
    memcpy(out, power, 16);
    ref_gf128_mul(out, power);
}

void ref_ghash_begin(struct ref_ghash *g, const uint8_t h[16])
{
    memset(g->y, 0, 16);
    memcpy(g->h, h, 16);
}

void ref_ghash_padded(struct ref_ghash *g, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g->y[i % 16] ^= p[i];
        if (i % 16 == 15 || i == n - 1) {
            ref_gf128_mul(g->y, g->h);
        }
    }
}

void ref_ghash_lengths(struct ref_ghash *g, uint64_t first, uint64_t second)
{
    uint8_t block[16];

    store_be64(block, 8 * first);
    store_be64(block + 8, 8 * second);
    ref_ghash_padded(g, block, 16);
}

void ref_gcm_begin(struct ref_gcm *gcm, const uint8_t *key, size_t key_len)
{
    static const uint8_t zero[16];

    ref_aes_begin(&gcm->aes, key, key_len);
    ref_aes_encrypt(&gcm->aes, gcm->h, zero);
}

void ref_gcm_j0(const struct ref_gcm *gcm, uint8_t j0[16], const uint8_t *nonce, size_t nonce_len)
{
    struct ref_ghash g;

    if (nonce_len == 12) {
        memcpy(j0, nonce, 12);
        store_be32(j0 + 12, 1);
        return;
    }
    ref_ghash_begin(&g, gcm->h);
    ref_ghash_padded(&g, nonce, nonce_len);
    ref_ghash_lengths(&g, 0, nonce_len);
    memcpy(j0, g.y, 16);
}

/* J0 = ((N * H) ^ L) * H with L the block of lengths, 0 and 128, solved for N. */
void ref_gcm_nonce_for(const struct ref_gcm *gcm, uint8_t nonce[16], const uint8_t j0[16])
{
    uint8_t inverse[16];

    ref_gf128_inverse(inverse, gcm->h);
    memcpy(nonce, j0, 16);
    ref_gf128_mul(nonce, inverse);
    nonce[15] ^= 128;
    ref_gf128_mul(nonce, inverse);
}

void ref_gcm_keystream(const struct ref_gcm *gcm, uint8_t *dst, size_t n, const uint8_t j0[16])
{
    uint8_t counter[16];
    uint8_t block[16];

    memcpy(counter, j0, 16);
    for (size_t i = 0; i < n; i++) {
        if (i % 16 == 0) {
            store_be32(counter + 12, load_be32(counter + 12) + 1);
            ref_aes_encrypt(&gcm->aes, block, counter);
        }
        dst[i] = block[i % 16];
    }
}

void ref_gcm_tag(const struct ref_gcm *gcm, uint8_t tag[16], const uint8_t j0[16],
                 const uint8_t *aad, size_t aad_len, const uint8_t *ct, size_t len)
{
    struct ref_ghash g;

    ref_ghash_begin(&g, gcm->h);
    ref_ghash_padded(&g, aad, aad_len);
    ref_ghash_padded(&g, ct, len);
    ref_ghash_lengths(&g, aad_len, len);
    ref_aes_encrypt(&gcm->aes, tag, j0);
    for (int i = 0; i < 16; i++) {
        tag[i] ^= g.y[i];
    }
}
