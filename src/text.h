/* SPDX-License-Identifier: MIT */
/* Building a text piece by piece in a buffer that may be too small, in the manner of snprintf. */
#ifndef AEADFAST_TEXT_H
#define AEADFAST_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "symbol.h"

struct text {
    char *buf;   /* always ends in 0, unless size is 0 */
    size_t size; /* of buf */
    size_t len;  /* of the whole text, whether it fitted or not */
};

#define text_add           AEADFAST_INTERNAL(text_add)
#define text_add_printable AEADFAST_INTERNAL(text_add_printable)

#if defined(__MINGW_PRINTF_FORMAT)
__attribute__((format(__MINGW_PRINTF_FORMAT, 2, 3)))
#elif defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
AEADFAST_HIDDEN void
text_add(struct text *text, const char *format, ...);

/* Adds `s`, but not more than `most` of it, with ? for what a terminal might take as a command. */
AEADFAST_HIDDEN void text_add_printable(struct text *text, const char *s, size_t most);

#endif
