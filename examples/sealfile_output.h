/* SPDX-License-Identifier: MIT */
/*
 * A file that appears whole or not at all: it is written under another name in the same folder, and
 * renamed once it is complete. Until then an older file of its name stays as it is.
 */
#ifndef SEALFILE_OUTPUT_H
#define SEALFILE_OUTPUT_H

#include <stdio.h>

struct output {
    FILE *file;
    char *target;    /* NULL: standard output */
    char *temporary; /* what is being written; the target itself for a new private file */
    int is_private;
};

/*
 * Each returns NULL, or why it failed, in storage that the next call may reuse. Name "-" is
 * standard output, which of course gets what is written as it comes.
 */
const char *output_begin(struct output *out, const char *name);

/* The same for a key: readable by its owner only, and never in the place of another file. */
const char *output_begin_private(struct output *out, const char *name);

/* Completes the file. Where that fails, it is abandoned. */
const char *output_commit(struct output *out);

/* Removes all trace of it. */
void output_abandon(struct output *out);

#endif
