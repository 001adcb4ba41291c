/* SPDX-License-Identifier: MIT */
#include "ref_chacha.h"

#include <string.h>

#include "bytes.h"

static uint32_t rotl(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

static uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

void ref_quarter_round(uint32_t x[16], int a, int b, int c, int d)
{
    x[a] += x[b];
    x[d] = rotl(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotl(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotl(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotl(x[b] ^ x[c], 7);
}

static void quarter_round_back(uint32_t x[16], int a, int b, int c, int d)
{
    x[b] = rotr(x[b], 7) ^ x[c];
    x[c] -= x[d];
    x[d] = rotr(x[d], 8) ^ x[a];
    x[a] -= x[b];
    x[b] = rotr(x[b], 12) ^ x[c];
    x[c] -= x[d];
    x[d] = rotr(x[d], 16) ^ x[a];
    x[a] -= x[b];
}

/* Which words the quarter rounds of a column round and of a diagonal round take. */
static const int quarters[8][4] = {
    {0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14},
};

void ref_chacha_permute(uint32_t x[16], int rounds)
{
    for (int round = 0; round < rounds; round += 2) {
        for (int q = 0; q < 8; q++) {
            ref_quarter_round(x, quarters[q][0], quarters[q][1], quarters[q][2], quarters[q][3]);
        }
    }
}

void ref_chacha_permute_back(uint32_t x[16], int rounds)
{
    for (int round = 0; round < rounds; round += 2) {
        for (int q = 7; q >= 0; q--) {
            quarter_round_back(x, quarters[q][0], quarters[q][1], quarters[q][2], quarters[q][3]);
        }
    }
}

void ref_chacha_state(uint32_t state[16], const uint8_t key[32], const uint8_t nonce[12],
                      uint32_t counter)
{
    static const uint8_t constants[16] = {'e', 'x', 'p', 'a', 'n', 'd', ' ', '3',
                                          '2', '-', 'b', 'y', 't', 'e', ' ', 'k'};

    for (int i = 0; i < 4; i++) {
        state[i] = load_le32(constants + 4 * i);
    }
    for (int i = 0; i < 8; i++) {
        state[4 + i] = load_le32(key + 4 * i);
    }
    state[12] = counter;
    for (int i = 0; i < 3; i++) {
        state[13 + i] = load_le32(nonce + 4 * i);
    }
}

void ref_chacha_keystream(uint8_t *dst, size_t n, const uint32_t state[16], int rounds)
{
    uint32_t input[16];
    uint32_t x[16];

    memcpy(input, state, sizeof input);
    for (size_t at = 0; at < n; at += 64) {
        memcpy(x, input, sizeof x);
        ref_chacha_permute(x, rounds);
        for (size_t i = 0; i < 64 && at + i < n; i++) {
            dst[at + i] = (uint8_t)((x[i / 4] + input[i / 4]) >> 8 * (i % 4));
        }
        input[12]++;
    }
}

void ref_xor(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = a[i] ^ b[i];
    }
}

void ref_hchacha20(uint8_t out[32], const uint8_t nonce[16], const uint8_t key[32])
{
    uint32_t x[16];

    ref_chacha_state(x, key, nonce + 4, load_le32(nonce));
    ref_chacha_permute(x, 20);
    for (int i = 0; i < 4; i++) {
        store_le32(out + 4 * i, x[i]);
        store_le32(out + 16 + 4 * i, x[12 + i]);
    }
}

void ref_xchacha_key(uint8_t subkey[32], uint8_t subnonce[12], const uint8_t nonce[24],
                     const uint8_t key[32])
{
    ref_hchacha20(subkey, nonce, key);
    memset(subnonce, 0, 4);
    memcpy(subnonce + 4, nonce + 16, 8);
}
