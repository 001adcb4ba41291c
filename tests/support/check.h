/* SPDX-License-Identifier: MIT */
/*
 * Assertions for loops over many cases: nothing is formatted unless they fail, and then the text
 * says which case it was.
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(_WIN32)
#define CHECK_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define CHECK_PRINTF(text, args)
#endif

/* Fails the running cmocka test with both byte strings around the first difference. */
CHECK_PRINTF(4, 5)
void check_bytes(const void *got, const void *want, size_t n, const char *format, ...);

/* Every one of `n` bytes has the value `fill`. */
CHECK_PRINTF(4, 5)
void check_fill(const void *got, uint8_t fill, size_t n, const char *format, ...);

CHECK_PRINTF(3, 4)
void check_int(long got, long want, const char *format, ...);

CHECK_PRINTF(2, 3)
void check_true(int condition, const char *format, ...);

/* A line of progress or of counts on stdout. */
CHECK_PRINTF(1, 2)
void check_note(const char *format, ...);

#endif
