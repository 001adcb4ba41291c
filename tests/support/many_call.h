/* SPDX-License-Identifier: MIT */
/*
 * The one message of a call as the middle one of five, so that the functions for many messages can
 * be tested wherever those for one are. The others are short, under keys of their own, and good.
 */
#ifndef TEST_MANY_CALL_H
#define TEST_MANY_CALL_H

#include <stdint.h>

#include "api_table.h"
#include "kernel.h"

enum { MANY_CALL = 5, MANY_MIDDLE = 2 };

/* Where the others are, in place. */
struct many_neighbours {
    uint8_t text[MANY_CALL][70];
    uint8_t tag[MANY_CALL][16];
};

void many_chacha20_poly1305(chacha20_poly1305_message m[MANY_CALL], struct many_neighbours *n,
                            const struct api_call *c, int opening);

/* Under two keys of their own, which are made for it, and the call's. */
struct many_gcm_keys {
    aes_gcm_key key[2];
};

void many_aes_gcm(aes_gcm_message m[MANY_CALL], struct many_neighbours *n,
                  struct many_gcm_keys *own, const struct api_call *c, int opening);

/* For a kernel, which gets all of them under the call's table where it has one. */
void many_jobs(struct aead_job jobs[MANY_CALL], struct many_neighbours *n,
               const struct api_call *c);

#endif
