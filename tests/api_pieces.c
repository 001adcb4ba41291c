/* SPDX-License-Identifier: MIT */
#include "api_pieces.h"

const uint8_t api_stream_key[32] = {0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe};
const uint8_t api_stream_nonce[12] = {9, 8, 7};
const uint8_t api_stream_head[5] = {'h', 'e', 'a', 'd', '!'};

/* The first `most` bytes or half of them, nothing, and the rest. */
static void cut(aeadfast_iovec pieces[API_PIECES], const uint8_t *p, size_t len, size_t most)
{
    const size_t n = len / 2 < most ? len / 2 : most;
    uint8_t *base = (uint8_t *)(uintptr_t)p;

    pieces[0] = (aeadfast_iovec){base, n};
    pieces[1] = (aeadfast_iovec){NULL, 0};
    pieces[2] = (aeadfast_iovec){p != NULL && n != 0 ? base + n : base, len - n};
}

struct api_lists api_lists(const uint8_t *ct, const uint8_t *pt, size_t len, const uint8_t *aad,
                           size_t aad_len)
{
    struct api_lists l;

    cut(l.ct, ct, len, 33);
    cut(l.pt, pt, len, 300);
    cut(l.aad, aad, aad_len, 7);
    return l;
}
