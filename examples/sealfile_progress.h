/* SPDX-License-Identifier: MIT */
/* A line on stderr that says how far the work is; only where stderr is a terminal. */
#ifndef SEALFILE_PROGRESS_H
#define SEALFILE_PROGRESS_H

#include <stdint.h>

struct progress {
    int shown; /* whether there is anyone to see it */
    int drawn; /* whether there is something to clear */
    int64_t total;
    double started;
    double next;
};

/* total in bytes, or -1 where nobody knows; with `quiet` nothing is ever shown. */
void progress_begin(struct progress *p, int64_t total, int quiet);
void progress_update(struct progress *p, int64_t done);
void progress_clear(struct progress *p);

/* Since progress_begin. */
double progress_seconds(const struct progress *p);

#endif
