/* SPDX-License-Identifier: MIT */
#include "ref_poly1305.h"

#include <string.h>

/* Bytes of 2^130 - 5. */
static uint32_t prime_byte(int i)
{
    return i == 0 ? 0xfb : i == 16 ? 0x03 : 0xff;
}

/*
 * Brings a number of 17 digits of base 256, each of any size that leaves room for a carry, to its
 * residue: what is above 2^130 comes back times 5, and the prime is taken off while it fits.
 */
static struct ref_field reduce(uint32_t digit[17])
{
    struct ref_field result;

    for (int turn = 0; turn < 2; turn++) {
        uint32_t carry = 5 * (digit[16] >> 2);

        digit[16] &= 3;
        for (int i = 0; i < 17; i++) {
            carry += digit[i];
            digit[i] = i == 16 ? carry : carry & 0xff;
            carry >>= 8;
        }
    }
    for (;;) {
        uint32_t borrow = 0;
        uint32_t less[17];

        for (int i = 0; i < 17; i++) {
            uint32_t t = digit[i] - prime_byte(i) - borrow;

            borrow = t >> 31;
            less[i] = t & 0xff;
        }
        if (borrow != 0) {
            break;
        }
        memcpy(digit, less, sizeof less);
    }
    for (int i = 0; i < 17; i++) {
        result.b[i] = (uint8_t)digit[i];
    }
    return result;
}

struct ref_field ref_field_from(const uint8_t low[16], uint32_t high)
{
    uint32_t digit[17];

    for (int i = 0; i < 16; i++) {
        digit[i] = low[i];
    }
    digit[16] = high;
    return reduce(digit);
}

struct ref_field ref_field_add(const struct ref_field *a, const struct ref_field *b)
{
    uint32_t digit[17];

    for (int i = 0; i < 17; i++) {
        digit[i] = (uint32_t)a->b[i] + b->b[i];
    }
    return reduce(digit);
}

struct ref_field ref_field_sub(const struct ref_field *a, const struct ref_field *b)
{
    struct ref_field minus;
    uint32_t borrow = 0;

    for (int i = 0; i < 17; i++) {
        uint32_t t = prime_byte(i) - b->b[i] - borrow;

        borrow = t >> 31;
        minus.b[i] = (uint8_t)t;
    }
    return ref_field_add(a, &minus);
}

/*
 * Digit i of the product collects all a_j b_k with j + k = i, and 320 a_j b_k with j + k = i + 17,
 * since 2^(8*17) = 2^6 * 2^130 = 64 * 5. A sum stays below 17 * 320 * 255^2 < 2^29.
 */
struct ref_field ref_field_mul(const struct ref_field *a, const struct ref_field *b)
{
    uint32_t digit[17] = {0};
    uint32_t carry = 0;

    for (int j = 0; j < 17; j++) {
        for (int k = 0; k < 17; k++) {
            uint32_t product = (uint32_t)a->b[j] * b->b[k];

            if (j + k < 17) {
                digit[j + k] += product;
            } else {
                digit[j + k - 17] += 320 * product;
            }
        }
    }
    for (int i = 0; i < 17; i++) {
        carry += digit[i];
        digit[i] = i == 16 ? carry : carry & 0xff;
        carry >>= 8;
    }
    return reduce(digit);
}

/* a^(p-2); p - 2 = 2^130 - 7 has all of its 130 bits set but bits 1 and 2. */
struct ref_field ref_field_inverse(const struct ref_field *a)
{
    struct ref_field result = *a;

    for (int bit = 128; bit >= 0; bit--) {
        result = ref_field_mul(&result, &result);
        if (bit != 1 && bit != 2) {
            result = ref_field_mul(&result, a);
        }
    }
    return result;
}

void ref_poly1305_begin(struct ref_poly1305 *p, const uint8_t key[32])
{
    uint8_t r[16];

    memcpy(r, key, 16);
    for (int i = 3; i < 16; i += 4) {
        r[i] &= 15;
    }
    for (int i = 4; i < 16; i += 4) {
        r[i] &= 252;
    }
    p->r = ref_field_from(r, 0);
    memset(&p->h, 0, sizeof p->h);
    memcpy(p->s, key + 16, 16);
}

void ref_poly1305_block(struct ref_poly1305 *p, const uint8_t *block, size_t n)
{
    struct ref_field m = {{0}};

    memcpy(m.b, block, n);
    m.b[n] = 1;
    p->h = ref_field_add(&p->h, &m);
    p->h = ref_field_mul(&p->h, &p->r);
}

void ref_poly1305_final(const struct ref_poly1305 *p, uint8_t tag[16])
{
    uint32_t carry = 0;

    for (int i = 0; i < 16; i++) {
        carry += (uint32_t)p->h.b[i] + p->s[i];
        tag[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

void ref_poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t n, const uint8_t key[32])
{
    struct ref_poly1305 p;

    ref_poly1305_begin(&p, key);
    for (size_t at = 0; at < n; at += 16) {
        ref_poly1305_block(&p, msg + at, n - at < 16 ? n - at : 16);
    }
    ref_poly1305_final(&p, tag);
}
