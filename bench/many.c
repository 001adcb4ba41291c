/* SPDX-License-Identifier: MIT */
/*
 * Many short messages: one after another, and in one call, by this library and by peers that have
 * such calls, in one interleaved run. See usage() for how it is called, contest.h for how it is
 * measured. The messages of the mix have the four lengths before it, in an order that branch
 * prediction cannot learn by heart.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"
#include "core_clock.h"
#include "peers/load.h"
#include "tasks.h"

enum { LEN_MAX = 2048, AAD_LEN = 13, PEERS_MAX = 8 };

static const size_t lens[] = {64, 128, 256, 1350};
static const char *const aead_names[PEER_AEADS] = {"chacha20_poly1305", "aes_128_gcm",
                                                   "aes_256_gcm"};

static size_t count = PEER_MESSAGES_MAX;
static uint8_t text[PEER_MESSAGES_MAX][LEN_MAX];
static uint8_t sealed[PEER_MESSAGES_MAX][LEN_MAX];
/* Of another size, and set off, so that no store looks like an earlier load's address. */
static uint8_t out[PEER_MESSAGES_MAX][LEN_MAX + 192];
static uint8_t tags[PEER_MESSAGES_MAX][16];
static uint8_t out_tags[PEER_MESSAGES_MAX][16];
static uint8_t nonces[PEER_MESSAGES_MAX][12];
static uint8_t keys[PEER_MESSAGES_MAX][32];
static const uint8_t aad[AAD_LEN] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

/* One way of doing it: by whom, and how. */
struct way {
    const struct peer_aead *aead;
    int (*many)(const struct peer_message *messages, size_t n, int opening);
    void *objects[PEER_MESSAGES_MAX]; /* made of the keys */
    int in_one_call;
    int opening;
    struct peer_message messages[PEER_MESSAGES_MAX];
};

static void usage(FILE *f)
{
    fputs("usage: aeadfast_many [option...] [peer.so...]\n"
          "  -a NAME  the AEAD: chacha20_poly1305 (default), aes_128_gcm, aes_256_gcm\n"
          "  -n N     messages a call, 1 to 64 (default 64)\n"
          "  -r N     rounds (default 300); more on a machine that is not quiet\n"
          "  -t MS    milliseconds a batch (default 0.1)\n"
          "  -c CPU   the processor to stay on (default 0)\n"
          "Times are nanoseconds a message, the best of all batches. A ratio is that of the times "
          "of\n"
          "this library, one by one to many, or of the best that a peer does to many.\n",
          f);
}

static int run(void *context, uint64_t times)
{
    const struct way *way = context;
    int failed = 0;

    for (uint64_t t = 0; t < times; t++) {
        if (way->in_one_call) {
            failed |= way->many(way->messages, count, way->opening);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            const struct peer_message *m = &way->messages[i];

            failed |= way->opening ? way->aead->open(m->key, m->dst, m->src, m->len, m->tag, m->aad,
                                                     m->aad_len, m->nonce)
                                   : way->aead->seal(m->key, m->dst, m->tag, m->src, m->len, m->aad,
                                                     m->aad_len, m->nonce);
        }
    }
    return failed;
}

/* len 0: the mix */
static void set_up(struct way *way, size_t len, int own_keys, int opening)
{
    uint32_t random = 1;

    way->opening = opening;
    for (size_t i = 0; i < count; i++) {
        random = random * 1103515245 + 12345;
        way->messages[i] = (struct peer_message){.key = way->objects[own_keys ? i : 0],
                                                 .dst = out[i],
                                                 .tag = opening ? tags[i] : out_tags[i],
                                                 .src = opening ? sealed[i] : text[i],
                                                 .len = len != 0 ? len : lens[random >> 16 & 3],
                                                 .aad = aad,
                                                 .aad_len = AAD_LEN,
                                                 .nonce = nonces[i]};
    }
}

/* Seals what is to be opened, by the first way, and sees that the others seal the same. */
static int agree(struct way *ways, size_t n, size_t len, int own_keys)
{
    for (size_t w = 0; w < n; w++) {
        set_up(&ways[w], len, own_keys, 0);
        memset(out, 0, sizeof out);
        if (run(&ways[w], 1) != 0) {
            return 0;
        }
        for (size_t i = 0; i < count; i++) {
            const size_t bytes = ways[w].messages[i].len;

            if (w == 0) {
                memcpy(sealed[i], out[i], bytes);
                memcpy(tags[i], out_tags[i], 16);
            } else if (memcmp(sealed[i], out[i], bytes) != 0 ||
                       memcmp(tags[i], out_tags[i], 16) != 0) {
                return 0;
            }
        }
    }
    return 1;
}

static int make_ways(struct way *ways, const struct peer *by, int aead)
{
    int n = 0;

    if (by == NULL || by->aeads[aead] == NULL) {
        return 0;
    }
    for (int in_one_call = 0; in_one_call <= (by->many[aead] != NULL); in_one_call++) {
        struct way *way = &ways[n++];

        way->aead = by->aeads[aead];
        way->many = by->many[aead];
        way->in_one_call = in_one_call;
        for (size_t i = 0; i < PEER_MESSAGES_MAX; i++) {
            way->objects[i] = in_one_call ? ways[n - 2].objects[i] : way->aead->make(keys[i]);
            if (way->objects[i] == NULL) {
                return 0;
            }
        }
    }
    return n;
}

static void measure(struct way *ways, size_t n, unsigned rounds, double batch_seconds)
{
    struct contestant contestants[2 * PEERS_MAX + 2];

    for (int opening = 0; opening < 2; opening++) {
        for (int own_keys = 0; own_keys < 2; own_keys++) {
            for (size_t l = 0; l <= sizeof lens / sizeof lens[0]; l++) {
                const size_t len = l < sizeof lens / sizeof lens[0] ? lens[l] : 0;
                double theirs = 0;

                if (!agree(ways, n, len, own_keys)) {
                    fputs("they do not seal the same\n", stderr);
                    exit(1);
                }
                for (size_t w = 0; w < n; w++) {
                    set_up(&ways[w], len, own_keys, opening);
                    contestants[w] = (struct contestant){.run = run, .context = &ways[w]};
                }
                contest(contestants, n, rounds, batch_seconds);
                printf("%-5s %-6s ", opening ? "open" : "seal", own_keys ? "own" : "shared");
                printf(len != 0 ? "%6zu" : "   mix", len);
                for (size_t w = 0; w < n; w++) {
                    const double best = contestants[w].best / (double)count;

                    printf(" %10.1f%s", best, contestants[w].failed ? " failed" : "");
                    if (w > 1 && (theirs == 0 || best < theirs)) {
                        theirs = best;
                    }
                }
                printf("   %5.2f", contestants[0].best / contestants[1].best);
                if (theirs != 0) {
                    printf("  %5.2f", theirs * (double)count / contestants[1].best);
                }
                putchar('\n');
                fflush(stdout);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static struct way ways[2 * PEERS_MAX + 2];
    const char *names[2 * PEERS_MAX + 2];
    unsigned rounds = 300;
    unsigned cpu = 0;
    double batch_seconds = 1e-4;
    int aead = 0;
    size_t n;
    int option;

    while ((option = getopt(argc, argv, "a:n:r:t:c:h")) != -1) {
        switch (option) {
        case 'a':
            while (aead < PEER_AEADS && strcmp(aead_names[aead], optarg) != 0) {
                aead++;
            }
            break;
        case 'n':
            count = strtoul(optarg, NULL, 10);
            break;
        case 'r':
            rounds = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 't':
            batch_seconds = strtod(optarg, NULL) / 1e3;
            break;
        case 'c':
            cpu = (unsigned)strtoul(optarg, NULL, 10);
            break;
        default:
            usage(option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 2;
        }
    }
    if (aead == PEER_AEADS || count == 0 || count > PEER_MESSAGES_MAX || rounds == 0 ||
        rounds > CONTEST_ROUNDS_MAX || argc - optind > PEERS_MAX) {
        usage(stderr);
        return 2;
    }
    for (size_t i = 0; i < PEER_MESSAGES_MAX; i++) {
        memset(text[i], (int)i, LEN_MAX);
        memset(keys[i], (int)(i * 7 + 1), 32);
        memset(nonces[i], (int)(i * 5 + 2), 12);
    }
    n = (size_t)make_ways(ways, &peer, aead);
    if (n != 2) {
        fprintf(stderr, "this library has no %s of many messages\n", aead_names[aead]);
        return 1;
    }
    names[0] = "one by one";
    names[1] = "many";
    for (int i = optind; i < argc; i++) {
        const struct peer *by = peer_load(argv[i]);
        const size_t more = (size_t)make_ways(&ways[n], by, aead);

        for (size_t w = 0; w < more; w++) {
            names[n + w] = by->name;
        }
        n += more;
    }
    (void)pin_to_cpu(cpu);
    printf("%s, ns a message, %zu messages; the core runs at about %.2f GHz\n", aead_names[aead],
           count, core_clock_hz() / 1e9);
    printf("      keys    bytes");
    for (size_t w = 0; w < n; w++) {
        printf(" %9.9s%c", names[w], w > 1 && ways[w].in_one_call ? '*' : ' ');
    }
    puts(n > 2 ? "   ratio  to peers (*: in one call)" : "   ratio");
    measure(ways, n, rounds, batch_seconds);
    return 0;
}
