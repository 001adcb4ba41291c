/* SPDX-License-Identifier: MIT */
/*
 * fuzz_TARGET [-w FOLDER] [FILE...]
 *
 * Runs a fuzz target without a fuzzer: on inputs made here, the same ones each time, and on the
 * files. With -w it writes the inputs it makes to a folder instead: a corpus to begin with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "rng.h"

#define INPUT_MAX 4096
#define MADE      600

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

/* One of the target's words; then ever longer ones of random bytes, of few values every third. */
static size_t make_input(size_t i, uint8_t *input)
{
    struct rng rng;
    size_t words = 0;
    size_t n;

    while (fuzz_words[words] != NULL) {
        words++;
    }
    if (i < words) {
        n = strlen(fuzz_words[i]);
        memcpy(input, fuzz_words[i], n);
        return n;
    }
    rng_from(&rng, i);
    n = rng_below(&rng, i < MADE / 2 ? 300 : INPUT_MAX);
    rng_bytes(&rng, input, n);
    for (size_t j = 0; i % 3 == 0 && j < n; j++) {
        input[j] = (input[j] & 1) != 0 ? 0xff : 0;
    }
    return n;
}

static void run(const uint8_t *input, size_t n)
{
    uint8_t *exact = room(n);

    if (n != 0) {
        memcpy(exact, input, n);
    }
    (void)LLVMFuzzerTestOneInput(exact, n);
    free(exact);
}

static void write_input(const char *folder, size_t i, const uint8_t *input, size_t n)
{
    char name[4096];
    FILE *f;

    snprintf(name, sizeof name, "%s/made-%03u", folder, (unsigned)i);
    f = fopen(name, "wb");
    if (f == NULL || fwrite(input, 1, n, f) != n || fclose(f) != 0) {
        give_up(name);
    }
}

static void run_file(const char *name)
{
    static uint8_t input[1 << 20];
    FILE *f = fopen(name, "rb");
    size_t n;

    if (f == NULL) {
        give_up(name);
    }
    n = fread(input, 1, sizeof input, f);
    if (ferror(f) || !feof(f)) {
        give_up(name);
    }
    fclose(f);
    run(input, n);
}

int main(int argc, char **argv)
{
    const char *folder = argc == 3 && strcmp(argv[1], "-w") == 0 ? argv[2] : NULL;
    uint8_t input[INPUT_MAX];

    for (size_t i = 0; i < MADE; i++) {
        size_t n = make_input(i, input);

        if (folder != NULL) {
            write_input(folder, i, input, n);
        } else {
            run(input, n);
        }
    }
    for (int i = 1; folder == NULL && i < argc; i++) {
        run_file(argv[i]);
    }
    printf("%d inputs made, %d files\n", MADE, folder == NULL ? argc - 1 : 0);
    return 0;
}
