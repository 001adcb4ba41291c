/* SPDX-License-Identifier: MIT */
/*
 * What it costs that a message comes in pieces. See usage() for how it is called.
 *
 * For each length of piece, the one-shot function on the whole message, a stream, and lists of pieces
 * take turns: the nanoseconds of each, and how many times that is of what the one-shot function takes.
 * Both lists are cut alike; they are made beforehand, but that the pieces are checked against each other
 * counts. Buffers are apart, or one and the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aeadfast.h"
#include "contest.h"

#define LEN_MAX       1048576
#define PIECE_MIN     16
#define BATCH_SECONDS 200e-6
#define OUT_OFFSET    (2048 + 64) /* as in tasks.c */

static _Alignas(64) uint8_t text[LEN_MAX];
static _Alignas(64) uint8_t out_storage[OUT_OFFSET + LEN_MAX];
static uint8_t *const out = out_storage + OUT_OFFSET;
static uint8_t tag[16];
static aeadfast_iovec in_list[LEN_MAX / PIECE_MIN];
static aeadfast_iovec out_list[LEN_MAX / PIECE_MIN];
static const uint8_t key[32] = {1, 2, 3};
static const uint8_t aad[13] = {4, 5, 6};
static const aeadfast_iovec aad_list = {(void *)(uintptr_t)aad, sizeof aad};
static aes_gcm_key gcm;
static size_t len = 16384;
static size_t piece;
static size_t pieces;

/* The nonce is the same again and again: the text is made up, and thrown away. */
static const uint8_t nonce[12] = {7};

/* ---- The AEADs ---- */

typedef int do_message(int opening, uint8_t *dst);

static int chacha_whole(int opening, uint8_t *dst)
{
    return opening ? chacha20_poly1305_open(dst, text, len, tag, aad, sizeof aad, nonce, key)
                   : chacha20_poly1305_seal(dst, tag, text, len, aad, sizeof aad, nonce, key);
}

static int chacha_stream(int opening, uint8_t *dst)
{
    chacha20_poly1305_stream s;
    int r = chacha20_poly1305_stream_init(&s, nonce, key);

    r |= chacha20_poly1305_stream_aad(&s, aad, sizeof aad);
    for (size_t at = 0; at < len; at += piece) {
        const size_t n = piece < len - at ? piece : len - at;

        r |= opening ? chacha20_poly1305_stream_open_unverified_update(&s, dst + at, text + at, n)
                     : chacha20_poly1305_stream_seal_update(&s, dst + at, text + at, n);
    }
    return r | (opening ? chacha20_poly1305_stream_open_final(&s, tag)
                        : chacha20_poly1305_stream_seal_final(&s, tag));
}

static int chacha_lists(int opening, uint8_t *dst)
{
    (void)dst;
    return opening ? chacha20_poly1305_openv(out_list, pieces, in_list, pieces, tag, &aad_list, 1,
                                             nonce, key)
                   : chacha20_poly1305_sealv(out_list, pieces, tag, in_list, pieces, &aad_list, 1,
                                             nonce, key);
}

static int gcm_whole(int opening, uint8_t *dst)
{
    return opening ? aes_gcm_open(&gcm, dst, text, len, tag, aad, sizeof aad, nonce, sizeof nonce)
                   : aes_gcm_seal(&gcm, dst, tag, text, len, aad, sizeof aad, nonce, sizeof nonce);
}

static int gcm_stream(int opening, uint8_t *dst)
{
    aes_gcm_stream s;
    int r = aes_gcm_stream_init(&s, &gcm, nonce, sizeof nonce);

    r |= aes_gcm_stream_aad(&s, aad, sizeof aad);
    for (size_t at = 0; at < len; at += piece) {
        const size_t n = piece < len - at ? piece : len - at;

        r |= opening ? aes_gcm_stream_open_unverified_update(&s, dst + at, text + at, n)
                     : aes_gcm_stream_seal_update(&s, dst + at, text + at, n);
    }
    return r | (opening ? aes_gcm_stream_open_final(&s, tag) : aes_gcm_stream_seal_final(&s, tag));
}

static int gcm_lists(int opening, uint8_t *dst)
{
    (void)dst;
    return opening ? aes_gcm_openv(&gcm, out_list, pieces, in_list, pieces, tag, &aad_list, 1,
                                   nonce, sizeof nonce)
                   : aes_gcm_sealv(&gcm, out_list, pieces, tag, in_list, pieces, &aad_list, 1,
                                   nonce, sizeof nonce);
}

static const struct aead {
    const char *name;
    size_t gcm_key_len;
    do_message *ways[3]; /* in one call, by a stream, by lists */
} aeads[] = {
    {"chacha20_poly1305", 0, {chacha_whole, chacha_stream, chacha_lists}},
    {"aes_128_gcm", 16, {gcm_whole, gcm_stream, gcm_lists}},
    {"aes_256_gcm", 32, {gcm_whole, gcm_stream, gcm_lists}},
};

enum { AEADS = sizeof aeads / sizeof aeads[0] };

/* ---- The contest ---- */

struct entry {
    const struct aead *aead;
    do_message *way;
    int opening;
    uint8_t *dst;
};

static int run(void *context, uint64_t count)
{
    const struct entry *entry = context;
    int failed = 0;

    for (uint64_t i = 0; i < count; i++) {
        failed |= entry->way(entry->opening, entry->dst);
    }
    /* In place only the first is what was sealed; a forgery takes as long, and the zeroing. */
    return entry->opening && entry->dst == text ? 0 : failed;
}

/* Makes `tag` that of the text as it is, so that a message that is opened passes. */
static void prepare(void *context)
{
    const struct entry *entry = context;

    memset(text, 0, len);
    if (entry->aead->ways[0](0, text) != AEADFAST_OK) {
        fputs("sealing failed\n", stderr);
        exit(1);
    }
}

static void cut(uint8_t *dst)
{
    pieces = 0;
    for (size_t at = 0; at < len; at += piece) {
        const size_t n = piece < len - at ? piece : len - at;

        in_list[pieces] = (aeadfast_iovec){text + at, n};
        out_list[pieces] = (aeadfast_iovec){dst + at, n};
        pieces++;
    }
}

static void measure(const struct aead *aead, int opening, uint8_t *dst, unsigned rounds)
{
    static const size_t sizes[] = {PIECE_MIN, 64,   100,  256,  512,  1000, 1024,
                                   1040,      1350, 1500, 2048, 4096, 8192, 16384};

    printf("%s, %s%s, %zu bytes\n%8s %10s %10s %6s %10s %6s\n", aead->name,
           opening ? "open" : "seal", dst == text ? " in place" : "", len, "piece", "one call",
           "stream", "", "lists", "");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= len; i++) {
        struct entry entries[3];
        struct contestant all[3];

        piece = sizes[i];
        cut(dst);
        for (size_t k = 0; k < 3; k++) {
            entries[k] = (struct entry){aead, aead->ways[k], opening, dst};
            all[k] = (struct contestant){.enter = prepare, .run = run, .context = &entries[k]};
        }
        contest(all, 3, rounds, BATCH_SECONDS);
        printf("%8zu %10.0f %10.0f %6.2f %10.0f %6.2f%s\n", piece, all[0].best, all[1].best,
               all[1].best / all[0].best, all[2].best, all[2].best / all[0].best,
               all[0].failed || all[1].failed || all[2].failed ? " FAILED" : "");
        fflush(stdout);
    }
}

static int usage(void)
{
    fprintf(stderr,
            "usage: aeadfast_pieces [-a AEAD] [-n 1..%d] [-r 1..%d] [-c CPU] [-b BACKEND]\n"
            "AEAD: chacha20_poly1305, aes_128_gcm, aes_256_gcm; without it, all of them\n",
            LEN_MAX, CONTEST_ROUNDS_MAX);
    return 2;
}

int main(int argc, char **argv)
{
    unsigned rounds = 100;
    size_t first = 0;
    size_t last = AEADS - 1;
    unsigned cpu = 0;
    int option;

    while ((option = getopt(argc, argv, "a:n:r:c:b:")) != -1) {
        switch (option) {
        case 'a':
            for (first = 0; first < AEADS && strcmp(aeads[first].name, optarg) != 0;) {
                first++;
            }
            last = first;
            break;
        case 'n':
            len = strtoul(optarg, NULL, 10);
            break;
        case 'r':
            rounds = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'c':
            cpu = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'b':
            if (aeadfast_backend_select(optarg) != AEADFAST_OK) {
                fprintf(stderr, "no backend %s here\n", optarg);
                return 1;
            }
            break;
        default:
            return usage();
        }
    }
    if (first == AEADS || len == 0 || len > LEN_MAX || rounds == 0 || rounds > CONTEST_ROUNDS_MAX) {
        return usage();
    }
    (void)pin_to_cpu(cpu);
    for (size_t i = first; i <= last; i++) {
        if (aeads[i].gcm_key_len != 0 &&
            aes_gcm_init(&gcm, key, aeads[i].gcm_key_len) != AEADFAST_OK) {
            fputs("no key\n", stderr);
            return 1;
        }
        for (int way = 0; way < 4; way++) {
            measure(&aeads[i], way / 2, way % 2 == 0 ? out : text, rounds);
        }
    }
    return 0;
}
