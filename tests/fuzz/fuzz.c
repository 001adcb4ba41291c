/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct feed feed = {data, size};

    fuzz_one(&feed);
    return 0;
}

void feed_take(struct feed *feed, void *dst, size_t n)
{
    size_t there = n < feed->left ? n : feed->left;

    memset(dst, 0, n);
    if (there != 0) {
        memcpy(dst, feed->next, there);
        feed->next += there;
        feed->left -= there;
    }
}

void feed_fill(struct feed *feed, uint8_t *dst, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = feed->left != 0 ? feed->next[i % feed->left] : 0;
    }
}

uint8_t feed_byte(struct feed *feed)
{
    uint8_t byte;

    feed_take(feed, &byte, 1);
    return byte;
}

size_t feed_below(struct feed *feed, size_t n)
{
    size_t low = feed_byte(feed);

    return ((size_t)feed_byte(feed) << 8 | low) % n;
}

void feed_backend(struct feed *feed)
{
    size_t i = feed_below(feed, aeadfast_backend_count() + 1);
    const char *name = aeadfast_backend_name(i); /* NULL beyond the last: the automatic choice */

    if (name != NULL && !aeadfast_backend_supported(name)) {
        name = NULL;
    }
    if (aeadfast_backend_select(name) != AEADFAST_OK) {
        fuzz_fail("cannot select %s", name != NULL ? name : "the automatic choice");
    }
}

uint8_t *room(size_t n)
{
    uint8_t *p = n != 0 ? malloc(n) : NULL;

    if (n != 0 && p == NULL) {
        perror("fuzz");
        exit(2);
    }
    return p;
}

uint8_t *feed_room(struct feed *feed, size_t n)
{
    uint8_t *p = room(n);

    feed_fill(feed, p, n);
    return p;
}

void fuzz_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    fflush(stderr);
    abort();
}

void fuzz_same(const void *a, const void *b, size_t n, const char *what)
{
    if (n != 0 && memcmp(a, b, n) != 0) {
        fuzz_fail("%s: %zu bytes differ", what, n);
    }
}
