/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

void text_add(struct text *text, const char *format, ...)
{
    size_t room = text->len < text->size ? text->size - text->len : 0;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(room != 0 ? text->buf + text->len : NULL, room, format, args);
    va_end(args);
    text->len += n > 0 ? (size_t)n : 0;
}

void text_add_printable(struct text *text, const char *s, size_t most)
{
    for (size_t i = 0; s[i] != 0; i++) {
        if (i == most) {
            text_add(text, "...");
            return;
        }
        text_add(text, "%c", s[i] >= ' ' && s[i] <= '~' ? s[i] : '?');
    }
}
