/* SPDX-License-Identifier: MIT */
/*
 * Whether threads hinder each other: aeadfast_threads [THREADS]. As many messages as one thread
 * seals in a while, times the threads, should be sealed in the same while, since a call writes
 * nothing that two threads share; the AES-GCM key is shared, and only read.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"
#include "contest.h"

#define THREADS_MAX   64
#define ROUNDS        25
#define ROUND_SECONDS 0.02

struct thread {
    _Alignas(64) uint8_t text[1350];
    uint8_t tag[16];
    uint64_t messages;
    unsigned cpu;
    int failed;
};

static struct thread threads[THREADS_MAX];
static aes_gcm_key gcm_key;
static const uint8_t key[32] = {1, 2, 3};
static size_t len;
static int use_gcm;
static atomic_uint ready;
static atomic_uint wanted;

/* A round: waits for the others, then seals until the time is over. */
static void *seal(void *argument)
{
    struct thread *own = argument;
    uint8_t nonce[12] = {0};
    uint64_t messages = 0;
    double end;

    (void)pin_to_cpu(own->cpu);
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < atomic_load(&wanted)) {
    }
    end = clock_seconds() + ROUND_SECONDS;
    do {
        for (int i = 0; i < 64; i++) {
            messages++;
            memcpy(nonce, &messages, sizeof messages);
            own->failed |= use_gcm ? aes_gcm_seal(&gcm_key, own->text, own->tag, own->text, len,
                                                  NULL, 0, nonce, sizeof nonce)
                                   : chacha20_poly1305_seal(own->text, own->tag, own->text, len,
                                                            NULL, 0, nonce, key);
        }
    } while (clock_seconds() < end);
    own->messages = messages;
    return NULL;
}

/* Messages a second of these threads, together, in one round. */
static double rate(unsigned first, unsigned count)
{
    pthread_t handles[THREADS_MAX];
    double sum = 0;

    atomic_store(&ready, 0);
    atomic_store(&wanted, count);
    for (unsigned i = first; i < first + count; i++) {
        threads[i].cpu = i;
        if (pthread_create(&handles[i], NULL, seal, &threads[i]) != 0) {
            fputs("no more threads\n", stderr);
            exit(1);
        }
    }
    for (unsigned i = first; i < first + count; i++) {
        (void)pthread_join(handles[i], NULL);
        sum += (double)threads[i].messages / ROUND_SECONDS;
        if (threads[i].failed) {
            fputs("a message could not be sealed\n", stderr);
            exit(1);
        }
    }
    return sum;
}

/* What each thread does alone, and all do together, in turns: the best of the rounds. */
static void measure(unsigned count, double *alone, double *together)
{
    double best[THREADS_MAX] = {0};

    *alone = 0;
    *together = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double all = rate(0, count);

        *together = all > *together ? all : *together;
        for (unsigned i = 0; i < count; i++) {
            double one = rate(i, 1);

            best[i] = one > best[i] ? one : best[i];
        }
    }
    for (unsigned i = 0; i < count; i++) {
        *alone += best[i] / count;
    }
}

int main(int argc, char **argv)
{
    static const size_t lens[] = {16, 64, 256, 1350};
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2;

    if (count == 0 || count > THREADS_MAX ||
        aes_gcm_init(&gcm_key, key, sizeof key) != AEADFAST_OK) {
        fprintf(stderr, "usage: aeadfast_threads [1..%d]\n", THREADS_MAX);
        return 2;
    }
    printf("messages a second of one thread, of %lu together, and how many times as many\n", count);
    for (use_gcm = 0; use_gcm <= 1; use_gcm++) {
        for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
            len = lens[i];
            double one;
            double all;

            measure((unsigned)count, &one, &all);
            printf("%-18s %5zu bytes %10.0f %10.0f %6.2f\n",
                   use_gcm ? "aes_256_gcm" : "chacha20_poly1305", len, one, all, all / one);
        }
    }
    return 0;
}
