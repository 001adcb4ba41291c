/* SPDX-License-Identifier: MIT */
/*
 * What it costs that a message comes in pieces: aeadfast_gcm_pieces [-n LEN] [-r ROUNDS] [-b BACKEND].
 *
 * For each size of piece, the nanoseconds of the whole message by a stream and by lists of pieces
 * (input and output cut alike, the checks of all pieces against each other included), and how many
 * times that is of what the one-shot function takes. All take turns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aeadfast.h"
#include "contest.h"

#define LEN_MAX       1048576
#define BATCH_SECONDS 100e-6
#define DST_OFFSET    (2048 + 64) /* as in tasks.c */

static _Alignas(64) uint8_t src[LEN_MAX];
static _Alignas(64) uint8_t dst_storage[DST_OFFSET + LEN_MAX];
static uint8_t *const dst = dst_storage + DST_OFFSET;
static const uint8_t key[32] = {1, 2, 3};
static const uint8_t aad[13] = {4, 5, 6};
static uint8_t nonce[12];
static uint8_t tag[16];
static aes_gcm_key gcm;
static size_t len = 16384;

struct way {
    size_t piece; /* 0: one shot */
    int lists;
    int opening;
    aeadfast_iovec *out;
    aeadfast_iovec *in;
    size_t count;
};

static int one_shot(const struct way *way)
{
    return way->opening
               ? aes_gcm_open(&gcm, dst, src, len, tag, aad, sizeof aad, nonce, sizeof nonce)
               : aes_gcm_seal(&gcm, dst, tag, src, len, aad, sizeof aad, nonce, sizeof nonce);
}

static int by_stream(const struct way *way)
{
    aes_gcm_stream s;
    int failed = aes_gcm_stream_init(&s, &gcm, nonce, sizeof nonce);

    failed |= aes_gcm_stream_aad(&s, aad, sizeof aad);
    for (size_t at = 0; at < len; at += way->piece) {
        const size_t n = len - at < way->piece ? len - at : way->piece;

        failed |= way->opening ? aes_gcm_stream_open_unverified_update(&s, dst + at, src + at, n)
                               : aes_gcm_stream_seal_update(&s, dst + at, src + at, n);
    }
    failed |=
        way->opening ? aes_gcm_stream_open_final(&s, tag) : aes_gcm_stream_seal_final(&s, tag);
    return failed;
}

static int by_lists(const struct way *way)
{
    const aeadfast_iovec data = {(void *)(uintptr_t)aad, sizeof aad};

    return way->opening ? aes_gcm_openv(&gcm, way->out, way->count, way->in, way->count, tag, &data,
                                        1, nonce, sizeof nonce)
                        : aes_gcm_sealv(&gcm, way->out, way->count, tag, way->in, way->count, &data,
                                        1, nonce, sizeof nonce);
}

static int run(void *context, uint64_t count)
{
    const struct way *way = context;
    int failed = 0;

    for (uint64_t i = 0; i < count; i++) {
        if (!way->opening) {
            memcpy(nonce, &i, sizeof i);
        }
        failed |= way->piece == 0 ? one_shot(way) : way->lists ? by_lists(way) : by_stream(way);
    }
    return failed;
}

static void cut(struct way *way)
{
    way->count = (len + way->piece - 1) / way->piece;
    way->out = malloc(way->count * sizeof *way->out);
    way->in = malloc(way->count * sizeof *way->in);
    if (way->out == NULL || way->in == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < way->count; i++) {
        const size_t at = i * way->piece;
        const size_t n = len - at < way->piece ? len - at : way->piece;

        way->out[i] = (aeadfast_iovec){dst + at, n};
        way->in[i] = (aeadfast_iovec){src + at, n};
    }
}

static void measure(size_t key_len, int opening, unsigned rounds)
{
    static const size_t sizes[] = {16,   64,   100,  256,  512,  1000, 1024,
                                   1040, 1350, 1500, 2048, 4096, 8192, 16384};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    struct way ways[1 + 2 * SIZES] = {{.opening = opening}};
    struct contestant all[1 + 2 * SIZES];
    size_t n = 1;

    for (size_t i = 0; i < SIZES; i++) {
        for (int lists = 0; lists < 2; lists++) {
            ways[n] = (struct way){.piece = sizes[i], .lists = lists, .opening = opening};
            cut(&ways[n++]);
        }
    }
    if (aes_gcm_init(&gcm, key, key_len) != AEADFAST_OK) {
        fputs("no key\n", stderr);
        exit(1);
    }
    memset(src, 0x5a, len);
    memset(nonce, 7, sizeof nonce);
    if (opening) { /* a message to open: the ciphertext is in src */
        if (aes_gcm_seal(&gcm, src, tag, src, len, aad, sizeof aad, nonce, sizeof nonce) !=
            AEADFAST_OK) {
            exit(1);
        }
    }
    for (size_t i = 0; i < n; i++) {
        all[i] = (struct contestant){.run = run, .context = &ways[i]};
    }
    contest(all, n, rounds, BATCH_SECONDS);
    printf("aes_%zu_gcm_%s of %zu bytes: %.0f ns in one call\n%8s %10s %6s %10s %6s\n", 8 * key_len,
           opening ? "open" : "seal", len, all[0].best, "piece", "stream", "", "lists", "");
    for (size_t i = 1; i < n; i += 2) {
        printf("%8zu %10.0f %6.2f %10.0f %6.2f%s\n", ways[i].piece, all[i].best,
               all[i].best / all[0].best, all[i + 1].best, all[i + 1].best / all[0].best,
               all[0].failed || all[i].failed || all[i + 1].failed ? " FAILED" : "");
        free(ways[i].out);
        free(ways[i].in);
        free(ways[i + 1].out);
        free(ways[i + 1].in);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned rounds = 100;
    int option;

    while ((option = getopt(argc, argv, "n:r:b:")) != -1) {
        switch (option) {
        case 'n':
            len = strtoul(optarg, NULL, 10);
            break;
        case 'r':
            rounds = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'b':
            if (aeadfast_backend_select(optarg) == AEADFAST_OK) {
                break;
            }
            fprintf(stderr, "no backend %s here\n", optarg);
            return 1;
        default:
            len = 0;
        }
    }
    if (len == 0 || len > LEN_MAX || rounds == 0 || rounds > CONTEST_ROUNDS_MAX) {
        fprintf(stderr, "usage: aeadfast_gcm_pieces [-n 1..%d] [-r 1..%d] [-b BACKEND]\n", LEN_MAX,
                CONTEST_ROUNDS_MAX);
        return 2;
    }
    (void)pin_to_cpu(0);
    for (size_t key_len = 16; key_len <= 32; key_len += 16) {
        measure(key_len, 0, rounds);
        measure(key_len, 1, rounds);
    }
    return 0;
}
