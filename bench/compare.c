/* SPDX-License-Identifier: MIT */
/*
 * This library beside others, or its backends beside each other, in one interleaved run. See usage()
 * for how it is called, tasks.h for what is measured, contest.h for how.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"
#include "peers/load.h"
#include "tasks.h"

#define ENTRANTS_MAX 32
#define SIZES_MAX    64

static struct entrant entrants[ENTRANTS_MAX];
static size_t entrant_count;

/* The usual sizes of packets, records, pages, files, and what other tables of this kind have. */
static size_t sizes[SIZES_MAX] = {16,   64,   128,  256,   512,   1024,  1350,   1500,
                                  2048, 4096, 8192, 16384, 32768, 65536, 1048576};
static size_t size_count = 15;

struct options {
    const char *only; /* operations whose name begins so */
    unsigned rounds;
    double batch_seconds;
    FILE *csv;
};

static void usage(FILE *out)
{
    fputs(
        "usage: aeadfast_compare [option...] [peer.so...]\n"
        "  -o NAME    only the operation NAME, or those whose names begin so\n"
        "  -s N,N,... lengths in bytes\n"
        "  -b         the backends of this library instead of its own choice\n"
        "  -r N       rounds (default 100); more on a machine that is not quiet\n"
        "  -t MS      milliseconds a batch (default 0.3)\n"
        "  -c CPU     the processor to stay on (default 0)\n"
        "  -w FILE    write what was measured as CSV\n"
        "A peer is an adapter from bench/peers. Times are nanoseconds for one message (or one key\n"
        "set-up), the best of all batches; the ratio is that of the best peer's time to ours.\n",
        out);
}

static void add_entrant(const char *name, const struct peer *by, const char *backend, int own)
{
    if (entrant_count == ENTRANTS_MAX) {
        fputs("too many to compare\n", stderr);
        exit(2);
    }
    struct entrant *entrant = &entrants[entrant_count++];

    (void)snprintf(entrant->name, sizeof entrant->name, "%s", name);
    entrant->peer = by;
    entrant->backend = backend;
    entrant->own = own;
}

static void add_backends(void)
{
    for (size_t i = 0; i < aeadfast_backend_count(); i++) {
        const char *name = aeadfast_backend_name(i);

        if (aeadfast_backend_supported(name)) {
            add_entrant(name, &peer, name, 1);
        }
    }
}

static void parse_sizes(char *text)
{
    size_count = 0;
    for (char *word = strtok(text, ","); word != NULL; word = strtok(NULL, ",")) {
        unsigned long size = strtoul(word, NULL, 10);

        if (size == 0 || size > TASK_LEN_MAX || size_count == SIZES_MAX) {
            fprintf(stderr, "a length is 1 to %d, and there are at most %d\n", TASK_LEN_MAX,
                    SIZES_MAX);
            exit(2);
        }
        sizes[size_count++] = size;
    }
}

static int has_peers(void)
{
    return !entrants[entrant_count - 1].own;
}

static void heading(const struct operation *operation, struct task *const tasks[])
{
    printf("\n%s, ns%s\n%8s", operation->name, operation->one_size ? "" : " a message", "bytes");
    for (size_t i = 0; i < entrant_count; i++) {
        if (tasks[i] != NULL) {
            printf(" %14.14s", entrants[i].name);
        }
    }
    puts(has_peers() ? "   ratio  best peer" : "");
}

/* One line of a table: the contestants are the tasks that are not NULL, in that order. */
static void report(const struct operation *operation, size_t len, struct task *const tasks[],
                   const struct contestant contestants[], const struct options *options)
{
    const struct contestant *next = contestants;
    const char *best_peer = NULL;
    double ours = 0;
    double theirs = 0;

    printf("%8zu", len);
    for (size_t i = 0; i < entrant_count; i++) {
        if (tasks[i] == NULL) {
            continue;
        }
        const struct contestant *now = next++;

        if (now->failed) {
            printf(" %14s", "failed");
            continue;
        }
        printf(" %14.1f", now->best);
        if (options->csv != NULL) {
            fprintf(options->csv, "%s,%zu,%s,%.2f,%.2f,%.1f\n", operation->name, len,
                    entrants[i].name, now->best, now->median,
                    operation->one_size ? 0.0 : (double)len * 1e3 / now->best);
        }
        if (entrants[i].own) {
            ours = ours == 0 || now->best < ours ? now->best : ours;
        } else if (theirs == 0 || now->best < theirs) {
            theirs = now->best;
            best_peer = entrants[i].name;
        }
    }
    if (ours > 0 && theirs > 0) {
        printf("   %5.2f  %s\n", theirs / ours, best_peer);
    } else {
        putchar('\n');
    }
    fflush(stdout);
}

static void compare(const struct operation *operation, const struct options *options)
{
    struct task *tasks[ENTRANTS_MAX];
    struct contestant contestants[ENTRANTS_MAX];

    for (size_t i = 0; i < entrant_count; i++) {
        tasks[i] = task_new(&entrants[i], operation, 16);
        if (tasks[i] != NULL && !entrant_agrees(&entrants[i], operation)) {
            printf("%s computes another %s: left out\n", entrants[i].name, operation->name);
            task_free(tasks[i]);
            tasks[i] = NULL;
        }
    }
    heading(operation, tasks);
    for (size_t s = 0; s < (operation->one_size ? 1 : size_count); s++) {
        size_t len = operation->one_size ? 0 : sizes[s];
        size_t count = 0;

        for (size_t i = 0; i < entrant_count; i++) {
            if (tasks[i] != NULL) {
                task_free(tasks[i]);
                tasks[i] = task_new(&entrants[i], operation, len);
                contestants[count++] = task_contestant(tasks[i]);
            }
        }
        task_prepare(operation, len);
        contest(contestants, count, options->rounds, options->batch_seconds);
        report(operation, len, tasks, contestants, options);
    }
    for (size_t i = 0; i < entrant_count; i++) {
        task_free(tasks[i]);
    }
}

static void introduce_peers(FILE *out, const char *comment)
{
    for (size_t i = 0; i < entrant_count; i++) {
        if (!entrants[i].own) {
            fprintf(out, "%s%s %s\n", comment, entrants[i].name, entrants[i].peer->version());
        }
    }
}

int main(int argc, char **argv)
{
    struct options options = {"", 100, 0.3e-3, NULL};
    unsigned cpu = 0;
    int backends = 0;
    int option;

    while ((option = getopt(argc, argv, "o:s:br:t:c:w:h")) != -1) {
        switch (option) {
        case 'o':
            options.only = optarg;
            break;
        case 's':
            parse_sizes(optarg);
            break;
        case 'b':
            backends = 1;
            break;
        case 'r':
            options.rounds = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 't':
            options.batch_seconds = strtod(optarg, NULL) / 1e3;
            break;
        case 'c':
            cpu = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'w':
            options.csv = fopen(optarg, "w");
            if (options.csv == NULL) {
                perror(optarg);
                return 1;
            }
            break;
        default:
            usage(option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 2;
        }
    }
    if (options.rounds == 0 || options.batch_seconds <= 0) {
        usage(stderr);
        return 2;
    }
    if (aeadfast_selftest() != AEADFAST_OK) {
        fputs("the self-test of this library failed\n", stderr);
        return 1;
    }
    if (pin_to_cpu(cpu) != 0) {
        fputs("not held on one processor: figures will scatter\n", stderr);
    }
    if (backends) {
        add_backends();
    } else {
        add_entrant("aeadfast", &peer, NULL, 1);
    }
    for (int i = optind; i < argc; i++) {
        const struct peer *loaded = peer_load(argv[i]);

        if (loaded != NULL) {
            add_entrant(loaded->name, loaded, NULL, 0);
        }
    }
    introduce(stdout, "");
    introduce_peers(stdout, "");
    if (options.csv != NULL) {
        introduce(options.csv, "# ");
        introduce_peers(options.csv, "# ");
        fputs("operation,bytes,library,best_ns,median_ns,MB_per_s\n", options.csv);
    }
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        if (operation_is_named(&operations[i], options.only)) {
            compare(&operations[i], &options);
        }
    }
    return options.csv != NULL && fclose(options.csv) != 0;
}
