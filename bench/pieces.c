/* SPDX-License-Identifier: MIT */
/*
 * What it costs that a message comes in pieces: aeadfast_pieces [-n BYTES] [-r ROUNDS].
 *
 * For each length of piece, the incremental and the scatter/gather functions against the one-shot
 * function on the whole message, in turns: nanoseconds of the one-shot function, and of the others the
 * excess over it. Both lists of the scatter/gather functions are cut alike; the buffers are apart, or
 * with "in place" one and the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aeadfast.h"
#include "contest.h"

#define LEN_MAX       1048576
#define BATCH_SECONDS 200e-6

static uint8_t text[LEN_MAX];
static uint8_t out[LEN_MAX];
static uint8_t tag[16];
static aeadfast_iovec in_list[LEN_MAX];
static aeadfast_iovec out_list[LEN_MAX];
static const uint8_t key[32] = {1};
static const uint8_t aad[13] = {2};
static size_t len;
static size_t piece;
static size_t pieces;

/* The nonce is the same again and again: the text is zeros, and thrown away. */
static const uint8_t nonce[12] = {3};

static int seal_whole(uint8_t *dst)
{
    return chacha20_poly1305_seal(dst, tag, text, len, aad, sizeof aad, nonce, key);
}

static int seal_stream(uint8_t *dst)
{
    chacha20_poly1305_stream s;
    int r = chacha20_poly1305_stream_init(&s, nonce, key);

    r |= chacha20_poly1305_stream_aad(&s, aad, sizeof aad);
    for (size_t at = 0; at < len; at += piece) {
        r |= chacha20_poly1305_stream_seal_update(&s, dst + at, text + at,
                                                  piece < len - at ? piece : len - at);
    }
    return r | chacha20_poly1305_stream_seal_final(&s, tag);
}

static void cut(uint8_t *dst)
{
    pieces = 0;
    for (size_t at = 0; at < len; at += piece) {
        size_t n = piece < len - at ? piece : len - at;

        in_list[pieces] = (aeadfast_iovec){text + at, n};
        out_list[pieces] = (aeadfast_iovec){dst + at, n};
        pieces++;
    }
}

static int seal_lists(uint8_t *dst)
{
    aeadfast_iovec data = {(void *)(uintptr_t)aad, sizeof aad};

    cut(dst);
    return chacha20_poly1305_sealv(out_list, pieces, tag, in_list, pieces, &data, 1, nonce, key);
}

static int open_whole(uint8_t *dst)
{
    return chacha20_poly1305_open(dst, text, len, tag, aad, sizeof aad, nonce, key);
}

static int open_stream(uint8_t *dst)
{
    chacha20_poly1305_stream s;
    int r = chacha20_poly1305_stream_init(&s, nonce, key);

    r |= chacha20_poly1305_stream_aad(&s, aad, sizeof aad);
    for (size_t at = 0; at < len; at += piece) {
        r |= chacha20_poly1305_stream_open_unverified_update(&s, dst + at, text + at,
                                                             piece < len - at ? piece : len - at);
    }
    return r | chacha20_poly1305_stream_open_final(&s, tag);
}

static int open_lists(uint8_t *dst)
{
    aeadfast_iovec data = {(void *)(uintptr_t)aad, sizeof aad};

    cut(dst);
    return chacha20_poly1305_openv(out_list, pieces, in_list, pieces, tag, &data, 1, nonce, key);
}

/* ---- The contest ---- */

struct entry {
    int (*run)(uint8_t *dst);
    uint8_t *dst;
};

static int run(void *context, uint64_t count)
{
    const struct entry *entry = context;
    int error = 0;

    for (uint64_t i = 0; i < count; i++) {
        error |= entry->run(entry->dst);
    }
    /* In place only the first is what was sealed; a forgery takes as long, and the zeroing. */
    return entry->dst == text ? 0 : error;
}

/* Makes `tag` that of the text as it is, so that a message that is opened passes. */
static void prepare(void *context)
{
    static uint8_t plain[LEN_MAX];
    int error;

    (void)context;
    memset(text, 0, len);
    error = chacha20_poly1305_seal(plain, tag, text, len, aad, sizeof aad, nonce, key);
    error |= chacha20_poly1305_seal(text, tag, plain, len, aad, sizeof aad, nonce, key);
    if (error != 0) {
        exit(1);
    }
}

static void measure(const char *name, uint8_t *dst, int (*const ways[3])(uint8_t *),
                    unsigned rounds)
{
    static const size_t sizes[] = {16, 64, 100, 256, 1000, 1024, 1350, 1500, 2048, 4096, 16384};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] < len; i++) {
        struct entry entries[3];
        struct contestant contestants[3];

        piece = sizes[i];
        for (size_t k = 0; k < 3; k++) {
            entries[k] = (struct entry){ways[k], dst};
            contestants[k] =
                (struct contestant){.enter = prepare, .run = run, .context = &entries[k]};
        }
        contest(contestants, 3, rounds, BATCH_SECONDS);
        printf("%-14s %7zu in pieces of %5zu: %9.0f ns; stream %+5.1f %%, lists %+5.1f %%\n", name,
               len, piece, contestants[0].best,
               100 * (contestants[1].best / contestants[0].best - 1),
               100 * (contestants[2].best / contestants[0].best - 1));
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    static int (*const seals[3])(uint8_t *) = {seal_whole, seal_stream, seal_lists};
    static int (*const opens[3])(uint8_t *) = {open_whole, open_stream, open_lists};
    unsigned rounds = 100;
    int option;

    len = 16384;
    while ((option = getopt(argc, argv, "n:r:")) != -1) {
        switch (option) {
        case 'n':
            len = strtoul(optarg, NULL, 10);
            break;
        case 'r':
            rounds = (unsigned)strtoul(optarg, NULL, 10);
            break;
        default:
            len = 0;
        }
    }
    if (len == 0 || len > LEN_MAX || rounds == 0 || rounds > CONTEST_ROUNDS_MAX) {
        fprintf(stderr, "usage: aeadfast_pieces [-n 1..%d] [-r ROUNDS]\n", LEN_MAX);
        return 2;
    }
    (void)pin_to_cpu(0);
    measure("seal", out, seals, rounds);
    measure("seal in place", text, seals, rounds);
    measure("open", out, opens, rounds);
    measure("open in place", text, opens, rounds);
    return 0;
}
