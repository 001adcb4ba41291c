/* SPDX-License-Identifier: MIT */
#include "sealfile_progress.h"

#include <stdio.h>

#include "sealfile_os.h"

#define BAR_WIDTH 30
#define FIRST     0.3 /* seconds: what is done sooner needs no bar */
#define INTERVAL  0.1

void progress_begin(struct progress *p, int64_t total, int quiet)
{
    *p = (struct progress){.shown = !quiet && os_is_terminal(stderr), .total = total};
    p->started = os_seconds();
    p->next = p->started + FIRST;
}

static void draw_bar(double fraction)
{
    char bar[BAR_WIDTH + 1];

    for (int i = 0; i < BAR_WIDTH; i++) {
        bar[i] = (double)i < fraction * BAR_WIDTH ? '#' : '.';
    }
    bar[BAR_WIDTH] = '\0';
    (void)fprintf(stderr, "[%s] %3.0f %%  ", bar, fraction * 100);
}

void progress_update(struct progress *p, int64_t done)
{
    if (!p->shown) {
        return;
    }
    double now = os_seconds();

    if (now < p->next) {
        return;
    }
    p->next = now + INTERVAL;
    p->drawn = 1;
    (void)fputc('\r', stderr);
    if (p->total > 0) {
        /* A file that grows meanwhile does not take the bar past its end. */
        draw_bar(done < p->total ? (double)done / (double)p->total : 1);
    }
    (void)fprintf(stderr, "%.1f MB  %.0f MB/s   ", (double)done * 1e-6,
                  (double)done * 1e-6 / (now - p->started));
    (void)fflush(stderr);
}

void progress_clear(struct progress *p)
{
    if (p->drawn) {
        (void)fprintf(stderr, "\r%*s\r", BAR_WIDTH + 45, "");
        p->drawn = 0;
    }
}

double progress_seconds(const struct progress *p)
{
    return os_seconds() - p->started;
}
