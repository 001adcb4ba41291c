/* SPDX-License-Identifier: MIT */
/*
 * Poly1305 by school arithmetic on numbers of 17 bytes, least significant first: slow, and with
 * nothing in common with the way the kernels compute it.
 */
#ifndef TEST_REF_POLY1305_H
#define TEST_REF_POLY1305_H

#include <stddef.h>
#include <stdint.h>

/* An element of the field: always the least residue modulo 2^130 - 5. */
struct ref_field {
    uint8_t b[17];
};

struct ref_poly1305 {
    struct ref_field h;
    struct ref_field r;
    uint8_t s[16];
};

/* The residue of 2^128 high + the 16 bytes at `low`. */
struct ref_field ref_field_from(const uint8_t low[16], uint32_t high);
struct ref_field ref_field_add(const struct ref_field *a, const struct ref_field *b);
struct ref_field ref_field_sub(const struct ref_field *a, const struct ref_field *b);
struct ref_field ref_field_mul(const struct ref_field *a, const struct ref_field *b);
struct ref_field ref_field_inverse(const struct ref_field *a);

/* Clamps r. */
void ref_poly1305_begin(struct ref_poly1305 *p, const uint8_t key[32]);

/* Absorbs one block of 1 to 16 bytes, of which only 16 are not a message's last. */
void ref_poly1305_block(struct ref_poly1305 *p, const uint8_t *block, size_t n);

/* Leaves *p as it is, so that a prefix can go on. */
void ref_poly1305_final(const struct ref_poly1305 *p, uint8_t tag[16]);

void ref_poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t n, const uint8_t key[32]);

#endif
