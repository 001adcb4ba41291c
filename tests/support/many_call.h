/* SPDX-License-Identifier: MIT */
/*
 * The one message of a call as the middle one of three, so that the functions for many messages can
 * be tested wherever those for one are. The other two are short, under keys of their own, and good.
 */
#ifndef TEST_MANY_CALL_H
#define TEST_MANY_CALL_H

#include <stdint.h>

#include "api_table.h"
#include "kernel.h"

enum { MANY_CALL = 3 };

/* Where the other two are, in place. */
struct many_neighbours {
    uint8_t text[2][70];
    uint8_t tag[2][16];
};

void many_chacha20_poly1305(chacha20_poly1305_message m[MANY_CALL], struct many_neighbours *n,
                            const struct api_call *c, int opening);

/* For a kernel, which gets all three under the call's table where it has one. */
void many_jobs(struct aead_job jobs[MANY_CALL], struct many_neighbours *n,
               const struct api_call *c);

#endif
