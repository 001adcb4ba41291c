/* SPDX-License-Identifier: MIT */
#include "hex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digit_text[] = "0123456789abcdef";

static int digit_value(char c)
{
    const char *at = c == '\0' ? NULL : strchr(digit_text, c);

    return at == NULL ? -1 : (int)(at - digit_text);
}

int hex_decode(uint8_t *dst, const char *text, size_t digits)
{
    if (digits % 2 != 0) {
        return -1;
    }
    for (size_t i = 0; i < digits / 2; i++) {
        int high = digit_value(text[2 * i]);
        int low = digit_value(text[2 * i + 1]);

        if (high < 0 || low < 0) {
            return -1;
        }
        dst[i] = (uint8_t)(high << 4 | low);
    }
    return 0;
}

void hex_constant(uint8_t *dst, size_t n, const char *text)
{
    if (strlen(text) != 2 * n || hex_decode(dst, text, 2 * n) != 0) {
        fprintf(stderr, "not %zu bytes in hex: %s\n", n, text);
        exit(2);
    }
}

void hex_encode(char *dst, const uint8_t *src, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[2 * i] = digit_text[src[i] >> 4];
        dst[2 * i + 1] = digit_text[src[i] & 15];
    }
    dst[2 * n] = '\0';
}
