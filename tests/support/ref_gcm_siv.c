/* SPDX-License-Identifier: MIT */
#include "ref_gcm_siv.h"

#include <string.h>

#include "bytes.h"

/* An element of the field of section 3: bit i of high:low is the coefficient of x^i. */
struct element {
    uint64_t high;
    uint64_t low;
};

static struct element load(const uint8_t p[16])
{
    struct element e = {load_le64(p + 8), load_le64(p)};

    return e;
}

/* Modulo x^128 + x^127 + x^126 + x^121 + 1: a polynomial at a time, from the highest down. */
static struct element multiply(struct element a, struct element b)
{
    struct element product = {0, 0};

    for (int i = 127; i >= 0; i--) {
        uint64_t out = product.high >> 63;
        uint64_t bit = (i >= 64 ? b.high >> (i - 64) : b.low >> i) & 1;

        product.high = product.high << 1 | product.low >> 63;
        product.low <<= 1;
        if (out != 0) {
            product.high ^= UINT64_C(0xc200000000000000);
            product.low ^= 1;
        }
        if (bit != 0) {
            product.high ^= a.high;
            product.low ^= a.low;
        }
    }
    return product;
}

void ref_polyval_dot(uint8_t out[16], const uint8_t a[16], const uint8_t b[16])
{
    /* x^-128 = x^127 + x^124 + x^121 + x^114 + 1 */
    const struct element x_128 = {UINT64_C(1) << (127 - 64) | UINT64_C(1) << (124 - 64) |
                                      UINT64_C(1) << (121 - 64) | UINT64_C(1) << (114 - 64),
                                  1};
    struct element product = multiply(multiply(load(a), load(b)), x_128);

    store_le64(out, product.low);
    store_le64(out + 8, product.high);
}

void ref_polyval(uint8_t s[16], const uint8_t h[16], const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        s[i % 16] ^= p[i];
        if (i % 16 == 15 || i == n - 1) {
            ref_polyval_dot(s, s, h);
        }
    }
}

void ref_gcm_siv_begin(struct ref_gcm_siv *siv, const uint8_t *key, size_t key_len,
                       const uint8_t nonce[12])
{
    uint8_t keys[48];
    struct ref_aes generating;

    ref_aes_begin(&generating, key, key_len);
    for (size_t i = 0; i < 2 + key_len / 8; i++) {
        uint8_t in[16];
        uint8_t out[16];

        store_le32(in, (uint32_t)i);
        memcpy(in + 4, nonce, 12);
        ref_aes_encrypt(&generating, out, in);
        memcpy(keys + 8 * i, out, 8);
    }
    memcpy(siv->authentication_key, keys, 16);
    memcpy(siv->encryption_key, keys + 16, key_len);
    memcpy(siv->nonce, nonce, 12);
    ref_aes_begin(&siv->aes, siv->encryption_key, key_len);
}

static void lengths_block(uint8_t block[16], size_t aad_len, size_t len)
{
    store_le64(block, 8 * (uint64_t)aad_len);
    store_le64(block + 8, 8 * (uint64_t)len);
}

void ref_gcm_siv_tag(const struct ref_gcm_siv *siv, uint8_t tag[16], const uint8_t *aad,
                     size_t aad_len, const uint8_t *pt, size_t len)
{
    uint8_t s[16] = {0};
    uint8_t lengths[16];

    lengths_block(lengths, aad_len, len);
    ref_polyval(s, siv->authentication_key, aad, aad_len);
    ref_polyval(s, siv->authentication_key, pt, len);
    ref_polyval(s, siv->authentication_key, lengths, 16);
    for (size_t i = 0; i < 12; i++) {
        s[i] ^= siv->nonce[i];
    }
    s[15] &= 0x7f;
    ref_aes_encrypt(&siv->aes, tag, s);
}

void ref_gcm_siv_keystream(const struct ref_gcm_siv *siv, uint8_t *dst, size_t n,
                           const uint8_t tag[16])
{
    uint8_t counter[16];
    uint8_t block[16];

    memcpy(counter, tag, 16);
    counter[15] |= 0x80;
    for (size_t i = 0; i < n; i++) {
        if (i % 16 == 0) {
            ref_aes_encrypt(&siv->aes, block, counter);
            store_le32(counter, load_le32(counter) + 1);
        }
        dst[i] = block[i % 16];
    }
}

/* dot(a, inverse(a)) is what is 1 among elements that dot multiplies: a^(2^128 - 2), as every bit of
 * the exponent but the last is set. */
static void dot_inverse(uint8_t out[16], const uint8_t a[16])
{
    uint8_t power[16];

    memcpy(power, a, 16);
    for (int bit = 0; bit < 126; bit++) {
        ref_polyval_dot(power, power, power);
        ref_polyval_dot(power, power, a);
    }
    ref_polyval_dot(out, power, power);
}

int ref_gcm_siv_text_for(const struct ref_gcm_siv *siv, const uint8_t tag[16], const uint8_t *aad,
                         size_t aad_len, uint8_t *pt, size_t len)
{
    uint8_t before[16] = {0};
    uint8_t lengths[16];
    uint8_t inverse[16];
    uint8_t s[16];

    ref_aes_decrypt(&siv->aes, s, tag);
    if ((s[15] & 0x80) != 0) {
        return 0;
    }
    for (size_t i = 0; i < 12; i++) {
        s[i] ^= siv->nonce[i];
    }
    /* s = dot(dot(before ^ last, H) ^ lengths, H), solved for the last block. */
    ref_polyval(before, siv->authentication_key, aad, aad_len);
    ref_polyval(before, siv->authentication_key, pt, len - 16);
    lengths_block(lengths, aad_len, len);
    dot_inverse(inverse, siv->authentication_key);
    ref_polyval_dot(s, s, inverse);
    for (size_t i = 0; i < 16; i++) {
        s[i] ^= lengths[i];
    }
    ref_polyval_dot(s, s, inverse);
    for (size_t i = 0; i < 16; i++) {
        pt[len - 16 + i] = s[i] ^ before[i];
    }
    return 1;
}
