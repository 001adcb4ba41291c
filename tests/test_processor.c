/* SPDX-License-Identifier: MIT */
/*
 * test_processor [+BIT | -BIT | =BACKEND]...
 *
 * Shows what the library found on this processor. Fails where the probe did not find +BIT, or found
 * -BIT: so a run on another processor proves to be on that one. Exits with 77, skipped, where
 * BACKEND cannot be had here.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch.h"

enum { SKIPPED = 77 };

static uint64_t bit_named(const char *name)
{
    for (size_t i = 0; aeadfast_cpu_bit_names[i].bit != 0; i++) {
        if (strcmp(aeadfast_cpu_bit_names[i].name, name) == 0) {
            return aeadfast_cpu_bit_names[i].bit;
        }
    }
    fprintf(stderr, "test_processor: no bit is called %s\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    struct cpu cpu = aeadfast_cpu_probe();
    char text[16384];
    int failed = 0;
    int len;

    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 1;

        switch (argv[i][0]) {
        case '=':
            if (!aeadfast_backend_supported(name)) {
                printf("skipped: this processor or build lacks the backend %s\n", name);
                return SKIPPED;
            }
            break;
        case '+':
        case '-':
            if (((cpu.bits & bit_named(name)) != 0) != (argv[i][0] == '+')) {
                printf("%s: the probe %s it\n", argv[i], argv[i][0] == '+' ? "misses" : "finds");
                failed = 1;
            }
            break;
        default:
            fprintf(stderr, "test_processor: what is %s?\n", argv[i]);
            return 2;
        }
    }
    if (argc == 2 && argv[1][0] == '=') {
        return 0;
    }
    len = aeadfast_describe(text, sizeof text);
    if (len < 0 || (size_t)len >= sizeof text) {
        printf("no description: %d\n", len);
        return 1;
    }
    fputs(text, stdout);
    return failed;
}
