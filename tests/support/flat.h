/* SPDX-License-Identifier: MIT */
/*
 * Every function of every kernel row, and every public function that handles buffers, as an address
 * and a list of words to hand to it: for tests that are about the call itself, its registers and
 * its stack, and not about what it computes.
 */
#ifndef TEST_FLAT_H
#define TEST_FLAT_H

#include <stddef.h>
#include <stdint.h>

#include "api_table.h"
#include "dispatch.h"

enum { FLAT_ARGS = 10 };

struct flat_function {
    const char *name;             /* of the public function; "stream", "seal" ... of a kernel,
                                     "parts.hash" ... of its parts */
    void (*function)(void);       /* in truth of the type that `form` tells */
    const char *form;             /* a letter an argument, see flat.c */
    const struct kernel_row *row; /* NULL: a public function */
    aeadfast_op op;
    unsigned outputs; /* sets of 1u << ARG_x, as in struct api_function */
    unsigned inputs;
};

typedef void flat_visit(const struct flat_function *f);

/* All functions of all rows that this processor can run; all public functions. */
void flat_each_kernel(flat_visit *visit);
void flat_each_public(flat_visit *visit);

/* Called with each key's bytes before an object is made of them, if it is not NULL. */
extern void (*flat_key_hook)(const void *key, size_t n);

/*
 * Places the arguments in the arena and fills them: outputs with API_FILLER, inputs with patterns,
 * the key with the one that starts from `key`, and what the call needs to succeed (an object, a
 * tag) made with it. The call's sizes are those to be had in an arena's slots.
 */
void flat_prepare(const struct flat_function *f, struct api_call *call, struct api_arena *arena,
                  unsigned key);

/* The words to hand over, as many as it takes; the others 0. */
void flat_words(const struct flat_function *f, const struct api_call *call,
                uint64_t words[FLAT_ARGS]);

/* The parts whose function it is; NULL for all other functions. */
const struct aes_gcm_parts *flat_parts(const struct flat_function *f);
/* Whether the function is ever asked for that many bytes of text: by the public ones. */
int flat_takes(const struct flat_function *f, size_t len);

/* Whether it opens, or else seals, where it does either. */
int flat_opens(const struct flat_function *f);

/* Bytes of an argument of this call. */
size_t flat_size(const struct flat_function *f, const struct api_call *call, enum api_arg arg);

#endif
