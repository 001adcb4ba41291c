/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hex.h"

#define SHOWN 32

CHECK_PRINTF(1, 0)
static void complain(const char *format, va_list args)
{
    char text[512];

    vsnprintf(text, sizeof text, format, args);
    print_error("%s\n", text);
}

/* Formatted here and not by cmocka, whose print_error on Windows does not know %zu. */
CHECK_PRINTF(1, 2)
static void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    complain(format, args);
    va_end(args);
}

static void show(const char *label, const uint8_t *p, size_t n)
{
    char text[2 * SHOWN + 1];

    hex_encode(text, p, n < SHOWN ? n : SHOWN);
    print_error("  %s %s%s\n", label, text, n > SHOWN ? "..." : "");
}

void check_bytes(const void *got, const void *want, size_t n, const char *format, ...)
{
    const uint8_t *a = got;
    const uint8_t *b = want;
    size_t i = 0;
    va_list args;

    if (n == 0 || memcmp(a, b, n) == 0) {
        return;
    }
    while (a[i] == b[i]) {
        i++;
    }
    va_start(args, format);
    complain(format, args);
    va_end(args);
    say("  %zu bytes, first difference at byte %zu", n, i);
    show("got ", a + i, n - i);
    show("want", b + i, n - i);
    fail();
}

void check_fill(const void *got, uint8_t fill, size_t n, const char *format, ...)
{
    const uint8_t *p = got;
    va_list args;

    for (size_t i = 0; i < n; i++) {
        if (p[i] != fill) {
            va_start(args, format);
            complain(format, args);
            va_end(args);
            say("  byte %zu of %zu is %02x, must be %02x", i, n, p[i], fill);
            fail();
        }
    }
}

void check_int(long got, long want, const char *format, ...)
{
    va_list args;

    if (got != want) {
        va_start(args, format);
        complain(format, args);
        va_end(args);
        print_error("  got %ld, want %ld\n", got, want);
        fail();
    }
}

void check_true(int condition, const char *format, ...)
{
    va_list args;

    if (!condition) {
        va_start(args, format);
        complain(format, args);
        va_end(args);
        fail();
    }
}

void check_note(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    fflush(stdout);
}
