/* SPDX-License-Identifier: MIT */
/*
 * Prints what the library found on this machine, which kernels it takes, and whether all of them
 * compute what they should. The exit status is 0 if so.
 */
#include <stdio.h>
#include <stdlib.h>

#include <aeadfast.h>

/* Twice, as with snprintf: once for the length, once for the text. */
static int print_description(void)
{
    int len = aeadfast_describe(NULL, 0);

    if (len < 0) {
        return len;
    }
    char *text = malloc((size_t)len + 1);

    if (text == NULL) {
        perror("info");
        exit(EXIT_FAILURE);
    }
    len = aeadfast_describe(text, (size_t)len + 1);
    if (len >= 0) {
        fputs(text, stdout);
    }
    free(text);
    return len < 0 ? len : AEADFAST_OK;
}

int main(void)
{
    int error = print_description();

    if (error == AEADFAST_OK) {
        error = aeadfast_selftest();
        printf("self-test: %s\n", error == AEADFAST_OK ? "passed" : aeadfast_strerror(error));
    } else {
        fprintf(stderr, "info: %s\n", aeadfast_strerror(error));
    }
    if (fflush(stdout) != 0) {
        perror("info");
        return EXIT_FAILURE;
    }
    return error == AEADFAST_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
