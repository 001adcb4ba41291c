/* SPDX-License-Identifier: MIT */
/* Nonces that do not repeat: RFC 8446 section 5.3. */
#include "bytes.h"
#include "checks.h"

/* What an aeadfast_nonces holds. All zero is one that was never begun. */
enum { WORD_MARK, WORD_NUMBER, WORD_LEFT, WORD_IV };

#define MARK UINT64_C(0x6e6f6e6365730000) /* an arbitrary value */

int aeadfast_nonces_begin(aeadfast_nonces *n, const uint8_t iv[12], uint64_t first, uint64_t count)
{
    if (n == NULL || iv == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (count > UINT64_MAX - first) {
        return AEADFAST_ERR_LENGTH;
    }
    if (overlaps(n, sizeof(*n), iv, 12)) {
        return AEADFAST_ERR_OVERLAP;
    }
    n->opaque[WORD_MARK] = MARK;
    n->opaque[WORD_NUMBER] = first;
    n->opaque[WORD_LEFT] = count;
    n->opaque[WORD_IV] = load_be32(iv);
    n->opaque[WORD_IV + 1] = load_be64(iv + 4);
    return AEADFAST_OK;
}

int aeadfast_nonces_next(aeadfast_nonces *n, uint8_t nonce[12])
{
    if (n == NULL || nonce == NULL) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (overlaps(n, sizeof(*n), nonce, 12)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (n->opaque[WORD_MARK] != MARK) {
        return AEADFAST_ERR_STATE;
    }
    if (n->opaque[WORD_LEFT] == 0) {
        return AEADFAST_ERR_LENGTH;
    }
    store_be32(nonce, (uint32_t)n->opaque[WORD_IV]);
    store_be64(nonce + 4, n->opaque[WORD_IV + 1] ^ n->opaque[WORD_NUMBER]);
    n->opaque[WORD_NUMBER]++;
    n->opaque[WORD_LEFT]--;
    return AEADFAST_OK;
}
