/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target defines fuzz_one and fuzz_words. With clang's
 * -fsanitize=fuzzer libFuzzer thinks of the inputs; otherwise replay.c makes some and reads others
 * from files, with any compiler and on any processor.
 *
 * An input is a row of decisions, taken off its front, and the rest is text. What is missing is 0,
 * so that every input means something.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct feed {
    const uint8_t *next;
    size_t left;
};

/* One input. A fault is reported by fuzz_fail, which does not return. */
void fuzz_one(struct feed *feed);

/* Inputs worth beginning with; ends with NULL. */
extern const char *const fuzz_words[];

void feed_take(struct feed *feed, void *dst, size_t n);

/* The rest of the input over and over, and 0 where there is none. */
void feed_fill(struct feed *feed, uint8_t *dst, size_t n);

uint8_t feed_byte(struct feed *feed);

/* A number below n; two bytes, so n is at most 65536. */
size_t feed_below(struct feed *feed, size_t n);

/* Forces one of the backends that this processor has, or none of them. */
void feed_backend(struct feed *feed);

/* n bytes of the heap and not one more: sanitizers see what goes beyond. NULL where n is 0. */
uint8_t *room(size_t n);

/* The same with the rest of the input in it. */
uint8_t *feed_room(struct feed *feed, size_t n);

#if defined(__GNUC__) && !defined(_WIN32)
__attribute__((format(printf, 1, 2)))
#endif
void fuzz_fail(const char *format, ...);

/* Fails unless the two are the same. */
void fuzz_same(const void *a, const void *b, size_t n, const char *what);

/* LLVM's name for fuzz_one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
