/* SPDX-License-Identifier: MIT */
/*
 * Every public function that reads or writes buffers, described as data: which arguments it has,
 * which of them it writes, how large each one is. Tests that hold for all functions alike (NULL,
 * overlap, guard pages, threads, a backend that cannot be had) walk this table, so a new public
 * function is tested by one new row.
 */
#ifndef AEADFAST_TESTS_API_TABLE_H
#define AEADFAST_TESTS_API_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "aeadfast.h"

enum api_arg {
    ARG_OUT, /* ct, pt, dst, out */
    ARG_TAG,
    ARG_IN, /* pt, ct, src, msg */
    ARG_AAD,
    ARG_NONCE,
    ARG_KEY,
    ARG_OBJECT, /* a key made ready, a poly1305_state, a stream: the one that must be aligned */
    ARG_COUNT
};

/* One call: where its arguments are, and the sizes that are its own to choose. */
struct api_call {
    uint8_t *arg[ARG_COUNT];
    size_t len; /* of ARG_OUT and ARG_IN */
    size_t aad_len;
    size_t nonce_len; /* where the function takes one */
    size_t key_len;   /* of the AES key, the one in the object included */
    size_t tag_len;   /* of the tag the object was made for */
    uint32_t counter;
};

enum api_limit {
    LIMIT_NONE,
    LIMIT_CHACHA20_POLY1305,
    LIMIT_AES_GCM,
    LIMIT_AES_GCM_SIV,
    LIMIT_COUNTER /* counter + ceil(len / 64) <= 2^32 */
};

struct api_function {
    const char *name;
    unsigned outputs; /* set of 1u << ARG_x */
    unsigned inputs;  /* an argument in both sets is read, then written */
    enum api_limit limit;
    size_t out_size;   /* 0: call's len */
    size_t nonce_size; /* 0: call's nonce_len */
    size_t key_size;   /* 0: call's key_len */
    aeadfast_op op;
    int checks_tag; /* returns AEADFAST_ERR_AUTH where ARG_TAG is not the right one */
    int (*call)(const struct api_call *call);
    /* Makes the object and the tag such that the call succeeds. NULL: nothing to do. */
    int (*prepare)(const struct api_call *call);
};

extern const struct api_function api_table[];
extern const size_t api_table_size;

const struct api_function *api_find(const char *name);

/*
 * Whether it is one of AES-GCM-SIV: of the calls' sizes, only len and aad_len are its own, and the
 * key's. It has no keys of 24 bytes: they become such of 32.
 */
int api_is_siv(const struct api_function *f);
size_t api_siv_key_len(const struct api_call *call);

/* Whether the function has the argument; how many bytes it holds in this call. */
int api_uses(const struct api_function *f, enum api_arg arg);
size_t api_size(const struct api_function *f, const struct api_call *call, enum api_arg arg);
const char *api_arg_name(enum api_arg arg);

/* Sizes to start from: len and aad_len as given, nonce 12, key 32, tag 16, counter 1. */
struct api_call api_sizes(size_t len, size_t aad_len);

/*
 * Room for all arguments, each in the middle of a slot of its own: anything that a call writes
 * where it should not shows as a change elsewhere in the arena.
 */
enum { API_SLOT = 8192, API_SLOT_MIDDLE = 3072, API_ARENA = ARG_COUNT * API_SLOT };

struct api_arena {
    _Alignas(64) uint8_t bytes[API_ARENA];
};

/* Points every argument that the function has into its slot, the others at NULL. */
void api_place(const struct api_function *f, struct api_call *call, struct api_arena *arena);

/*
 * Writes the bytes of a call whose arguments are placed: outputs a filler, inputs their pattern,
 * then the object and the tag that make it succeed. Arguments that are NULL stay so.
 */
void api_fill(const struct api_function *f, const struct api_call *call);

/* api_fill without the inputs: keeps what stands in them. */
void api_prepare(const struct api_function *f, const struct api_call *call);

enum { API_FILLER = 0xa5, API_RESULT_EXTRA = 48 };

/*
 * What the call wrote, in a form that can be compared: the bytes of ARG_OUT, of ARG_TAG, and for
 * an object a tag that was made from a copy of it. Needs api_size(ARG_OUT) + API_RESULT_EXTRA
 * bytes, and returns how many it wrote.
 */
size_t api_result(const struct api_function *f, const struct api_call *call, uint8_t *result);

/* pattern(s, n)[i] = s + 7 i + 13 (i >> 8) modulo 256 */
void api_pattern(uint8_t *p, size_t n, unsigned start);

#endif
