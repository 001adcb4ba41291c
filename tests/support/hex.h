/* SPDX-License-Identifier: MIT */
/* Byte strings written as lower-case hexadecimal digits. */
#ifndef TEST_HEX_H
#define TEST_HEX_H

#include <stddef.h>
#include <stdint.h>

/*
 * Decodes `digits` characters to digits / 2 bytes at `dst`, which may be where the text is. Returns
 * 0, or -1 where the number is odd or a character is not one of 0-9a-f.
 */
int hex_decode(uint8_t *dst, const char *text, size_t digits);

/* For constants in a test: the text must decode to exactly `n` bytes, or the program ends. */
void hex_constant(uint8_t *dst, size_t n, const char *text);

/* Writes 2 n digits and a closing 0. */
void hex_encode(char *dst, const uint8_t *src, size_t n);

#endif
