/* SPDX-License-Identifier: MIT */
/*
 * Any text as the name of a backend: it is taken or refused, refusing changes nothing, and whatever
 * is in force computes the same.
 */
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "fuzz.h"

const char *const fuzz_words[] = {
    "portable",
    "avx",
    "avx2",
    "vaes",
    "avx512",
    "neon",
    "neon_aes",
    "rvv",
    "rvv_zvkb",
    "zvk",
    "chacha20=portable",
    "poly1305=avx2,aes_gcm=portable",
    "chacha20_poly1305=portable,chacha20=avx,poly1305=portable,aes_gcm=avx",
    "chacha20=portable,",
    "=,=",
    "chacha20=portable,chacha20=portable",
    "aes_gcm=portable;",
    " portable",
    NULL,
};

static void check_seal(const char *spec)
{
    static const uint8_t key[32] = {1};
    static const uint8_t nonce[12] = {2};
    static const uint8_t text[700] = {3};
    static uint8_t want[700 + 16];
    static int known;
    uint8_t sealed[700 + 16];

    if (chacha20_poly1305_seal(sealed, sealed + 700, text, 700, NULL, 0, nonce, key) !=
        AEADFAST_OK) {
        fuzz_fail("nothing is sealed after \"%s\"", spec);
    }
    if (!known) {
        memcpy(want, sealed, sizeof want);
        known = 1;
    }
    fuzz_same(sealed, want, sizeof want, spec);
}

void fuzz_one(struct feed *feed)
{
    size_t len = feed->left < 2000 ? feed->left : 2000;
    char *spec = (char *)room(len + 1);
    uint32_t before[OP_COUNT];
    int result;

    feed_take(feed, spec, len);
    spec[len] = '\0';
    for (int op = 0; op < OP_COUNT; op++) {
        before[op] = aeadfast_candidates_now((aeadfast_op)op);
    }
    result = aeadfast_backend_select(spec);
    if (result != AEADFAST_OK && result != AEADFAST_ERR_BACKEND) {
        fuzz_fail("\"%s\": %d", spec, result);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        uint32_t now = aeadfast_candidates_now((aeadfast_op)op);

        if (now == 0 || now == CHOICE_ERROR || (result != AEADFAST_OK && now != before[op])) {
            fuzz_fail("\"%s\" leaves %s with %x", spec, aeadfast_op_names[op], (unsigned)now);
        }
    }
    if (aeadfast_backend_supported(spec) && result != AEADFAST_OK) {
        fuzz_fail("\"%s\" can be had, but is refused", spec);
    }
    check_seal(spec);
    free(spec);
}
