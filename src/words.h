/* SPDX-License-Identifier: MIT */
/* Taking the texts of environment variables apart. */
#ifndef AEADFAST_WORDS_H
#define AEADFAST_WORDS_H

#include <stddef.h>
#include <string.h>

#include "dispatch.h"

/* A part of a text, which has no 0 of its own. */
struct word {
    const char *start;
    size_t len;
};

static inline int word_is(struct word word, const char *name)
{
    return strlen(name) == word.len && memcmp(name, word.start, word.len) == 0;
}

/* Takes the text up to `end` or the closing 0 off the front of *rest, and `end` with it. */
static inline struct word word_until(const char **rest, char end)
{
    const char *stop = strchr(*rest, end);
    struct word word = {*rest, stop != NULL ? (size_t)(stop - *rest) : strlen(*rest)};

    *rest += word.len + (stop != NULL ? 1 : 0);
    return word;
}

/* Takes the part before `end` off a word. Returns 0, and takes nothing, where there is no `end`. */
static inline int word_split(struct word *head, struct word *word, char end)
{
    const char *stop = word->len != 0 ? memchr(word->start, end, word->len) : NULL;

    if (stop == NULL) {
        return 0;
    }
    head->start = word->start;
    head->len = (size_t)(stop - word->start);
    word->start = stop + 1;
    word->len -= head->len + 1;
    return 1;
}

/* The operation of that name, or -1. */
static inline int word_op(struct word name)
{
    for (int op = 0; op < OP_COUNT; op++) {
        if (word_is(name, aeadfast_op_names[op])) {
            return op;
        }
    }
    return -1;
}

#endif
