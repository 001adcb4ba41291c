/* SPDX-License-Identifier: MIT */
/* What must come of one message of many, whatever the AEAD. */
#ifndef TEST_FUZZ_MANY_H
#define TEST_FUZZ_MANY_H

#include <stdlib.h>

#include "aeadfast.h"
#include "fuzz.h"

struct expected {
    uint8_t *text;
    uint8_t tag[16];
    int result;
};

/* Once in eight times another tag than the right one. */
static inline void many_forge(struct feed *feed, uint8_t *tag, size_t tag_len)
{
    if (feed_byte(feed) % 8 == 7) {
        tag[feed_byte(feed) % tag_len] ^= 0x10;
    }
}

/* Message i of `count`, done, against what is expected; both are freed. */
static inline void many_same(struct expected *e, size_t i, size_t count, int result, uint8_t *dst,
                             const uint8_t *src, size_t len, uint8_t *tag, size_t tag_len)
{
    if (result != e->result) {
        fuzz_fail("message %zu of %zu: %d, not %d", i, count, result, e->result);
    }
    if (result == AEADFAST_OK || result == AEADFAST_ERR_AUTH) {
        fuzz_same(dst, e->text, len, "a text of many");
        fuzz_same(tag, e->tag, tag_len, "a tag of many");
    }
    if (dst != src) {
        free(dst);
    }
    free((uint8_t *)(uintptr_t)src);
    free(tag);
    free(e->text);
}

#endif
