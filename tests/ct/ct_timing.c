/* SPDX-License-Identifier: MIT */
/*
 * Whether the time of a call tells two classes of secrets apart: ct_timing [MEASUREMENTS].
 *
 * The method of "dude, is my code constant time?" (Reparaz, Balasch, Verbauwhede, 2017): each call is
 * timed with secrets of one class, always the same, or of the other, drawn anew, in random order;
 * Welch's t-test then asks whether the two have the same mean. It is run on all measurements and on
 * those below some percentiles, since interrupts only ever make calls longer. A |t| above 10 on a
 * quiet machine is a leak; one that grows with the number of measurements is one too. Not among the
 * tests: it takes long, and what else the machine does can spoil it.
 *
 * The first line is a comparison of tags that stops at the first difference, put there to be found.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aeadfast.h"
#include "support/rng.h"

#define LEN   256
#define CROPS 4

/* What one call works on. The secret is the key and the text, or the tag that is expected. */
struct input {
    uint8_t key[32];
    uint8_t text[LEN];
    uint8_t tag[16];
    aes_gcm_key gcm;
};

static const uint8_t nonce[12] = {1};
static uint8_t out[LEN];
static uint8_t out_tag[16];
static volatile int sink;

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
#endif
}

static void planted(const struct input *in)
{
    int i = 0;

    while (i < 16 && in->tag[i] == out_tag[i]) {
        i++;
    }
    sink = i;
}

static void seal_chacha(const struct input *in)
{
    sink = chacha20_poly1305_seal(out, out_tag, in->text, LEN, NULL, 0, nonce, in->key);
}

/* Those that check a tag: all are forged; how much of the tag is right differs. */
static void open_chacha(const struct input *in)
{
    sink = chacha20_poly1305_open(out, in->text, LEN, in->tag, NULL, 0, nonce, in->key);
}

static void init_gcm(const struct input *in)
{
    static aes_gcm_key made;

    sink = aes_gcm_init(&made, in->key, 32);
}

static void seal_gcm(const struct input *in)
{
    sink = aes_gcm_seal(&in->gcm, out, out_tag, in->text, LEN, NULL, 0, nonce, 12);
}

static void open_gcm(const struct input *in)
{
    sink = aes_gcm_open(&in->gcm, out, in->text, LEN, in->tag, NULL, 0, nonce, 12);
}

static void mac(const struct input *in)
{
    sink = poly1305_mac(out_tag, in->text, LEN, in->key);
}

static void verify(const struct input *in)
{
    sink = poly1305_verify(in->tag, in->text, LEN, in->key);
}

static void stream(const struct input *in)
{
    sink = chacha20_xor(out, in->text, LEN, 0, nonce, in->key);
}

/* The right tag for what the call will be given, and, for those that open, a ciphertext. */
static void planted_tag(struct input *in)
{
    memcpy(in->tag, out_tag, sizeof in->tag);
}

static void chacha_tag(struct input *in)
{
    sink = chacha20_poly1305_seal(in->text, in->tag, in->text, LEN, NULL, 0, nonce, in->key);
}

static void gcm_tag(struct input *in)
{
    sink = aes_gcm_seal(&in->gcm, in->text, in->tag, in->text, LEN, NULL, 0, nonce, 12);
}

static void mac_tag(struct input *in)
{
    sink = poly1305_mac(in->tag, in->text, LEN, in->key);
}

struct row {
    const char *name;
    void (*call)(const struct input *);
    void (*make_tag)(struct input *); /* NULL: the secrets are key and text */
};

/*
 * Without a tag to check: key and text are all zero, or drawn anew. With one: the tag is wrong from
 * its first byte on, or from its middle.
 */
static void fill(struct input *in, struct rng *rng, const struct row *row, int class)
{
    memset(in, 0, sizeof *in);
    if (class == 1 && row->make_tag == NULL) {
        rng_bytes(rng, in->key, sizeof in->key);
        rng_bytes(rng, in->text, sizeof in->text);
    }
    if (aes_gcm_init(&in->gcm, in->key, 32) != AEADFAST_OK) {
        exit(2);
    }
    if (row->make_tag != NULL) {
        row->make_tag(in);
        for (int i = 0; i < 16; i++) {
            in->tag[i] ^= class == 1 && i < 8 ? 0 : 0xff;
        }
    }
}

/* ---- Statistics ---- */

struct sums {
    double n[2];
    double mean[2];
    double squares[2];
};

static void add(struct sums *s, int class, double x)
{
    double difference = x - s->mean[class];

    s->n[class] += 1;
    s->mean[class] += difference / s->n[class];
    s->squares[class] += difference * (x - s->mean[class]);
}

static double welch(const struct sums *s)
{
    double variance =
        s->squares[0] / (s->n[0] - 1) / s->n[0] + s->squares[1] / (s->n[1] - 1) / s->n[1];

    return variance > 0 ? (s->mean[0] - s->mean[1]) / sqrt(variance) : 0;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The largest |t| over all measurements and those below the percentiles. */
static double largest_t(double *times, const uint8_t *classes, size_t count)
{
    static const double keep[CROPS] = {1.0, 0.95, 0.8, 0.5};
    double *sorted = malloc(count * sizeof *sorted);
    double largest = 0;

    if (sorted == NULL) {
        exit(2);
    }
    memcpy(sorted, times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    for (int crop = 0; crop < CROPS; crop++) {
        double most = sorted[(size_t)((double)(count - 1) * keep[crop])];
        struct sums s = {{0, 0}, {0, 0}, {0, 0}};

        for (size_t i = 0; i < count; i++) {
            if (times[i] <= most) {
                add(&s, classes[i], times[i]);
            }
        }
        double t = fabs(welch(&s));

        largest = t > largest ? t : largest;
    }
    free(sorted);
    return largest;
}

/* ---- One operation ---- */

enum { POOL = 512 };

static double measure(const struct row *row, size_t count)
{
    static struct input pool[POOL];
    struct rng rng;
    double *times = malloc(count * sizeof *times);
    uint8_t *classes = malloc(count);

    if (times == NULL || classes == NULL) {
        exit(2);
    }
    rng_from(&rng, 42);
    for (size_t i = 0; i < count; i++) {
        /* Inputs of both classes lie at the same places, so that caches tell nothing. */
        for (size_t k = 0; i % POOL == 0 && k < POOL && i + k < count; k++) {
            classes[i + k] = (uint8_t)(rng_u32(&rng) & 1);
            fill(&pool[k], &rng, row, classes[i + k]);
        }
        uint64_t start = ticks();

        row->call(&pool[i % POOL]);
        times[i] = (double)(ticks() - start);
    }
    double t = largest_t(times, classes, count);

    free(times);
    free(classes);
    return t;
}

int main(int argc, char **argv)
{
    static const struct row rows[] = {
        {"planted", planted, planted_tag},
        {"chacha20_poly1305_seal", seal_chacha, NULL},
        {"chacha20_poly1305_open", open_chacha, chacha_tag},
        {"aes_256_gcm_init", init_gcm, NULL},
        {"aes_256_gcm_seal", seal_gcm, NULL},
        {"aes_256_gcm_open", open_gcm, gcm_tag},
        {"poly1305_mac", mac, NULL},
        {"poly1305_verify", verify, mac_tag},
        {"chacha20_xor", stream, NULL},
    };
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 500000;
    int leaks = 0;

    if (count < 10000) {
        fputs("usage: ct_timing [MEASUREMENTS, 10000 or more]\n", stderr);
        return 2;
    }
    for (size_t b = 0; b < aeadfast_backend_count(); b++) {
        const char *backend = aeadfast_backend_name(b);

        if (aeadfast_backend_select(backend) != AEADFAST_OK) {
            continue;
        }
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            double t = measure(&rows[i], count);
            int leak = t > 10;

            printf("%-10s %-24s |t| %7.2f%s\n", backend, rows[i].name, t,
                   i == 0 ? (leak ? "  found, as it should be" : "  NOT FOUND")
                   : leak ? "  LEAK"
                          : "");
            fflush(stdout);
            leaks += leak != (i == 0);
        }
    }
    return leaks != 0;
}
