/* SPDX-License-Identifier: MIT */
#include "lengths.h"

#include <stdio.h>
#include <stdlib.h>

#include "dispatch.h"

/* A row that is never chosen may have a huge min_len; nothing is to be learnt around it. */
#define THRESHOLD_MAX ((size_t)1 << 17)

#define NEAR          64

static int compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;

    return x < y ? -1 : x > y;
}

static void add_around(struct lengths *l, size_t n)
{
    static const size_t distance[] = {0, 1, 16, 64};

    for (size_t i = 0; i < sizeof distance / sizeof distance[0]; i++) {
        l->n[l->count++] = n + distance[i];
        if (distance[i] <= n) {
            l->n[l->count++] = n - distance[i];
        }
    }
}

void lengths_make(struct lengths *l, aeadfast_op op, size_t every)
{
    static const size_t long_ones[] = {2304, 3072, 4096, 7680, 8192, 16384};
    const size_t long_count = sizeof long_ones / sizeof long_ones[0];
    const struct kernel_list *list = &aeadfast_kernel_lists[op];
    size_t kept = 0;

    l->n = malloc((every + 1 + 8 * long_count + 9 * list->count) * sizeof *l->n);
    if (l->n == NULL) {
        perror("lengths");
        exit(2);
    }
    l->count = 0;
    for (size_t n = 0; n <= every; n++) {
        l->n[l->count++] = n;
    }
    for (size_t i = 0; i < long_count; i++) {
        add_around(l, long_ones[i]);
    }
    for (unsigned i = 0; i < list->count; i++) {
        size_t threshold = list->rows[i].min_len;

        if (threshold <= THRESHOLD_MAX) {
            add_around(l, threshold);
            l->n[l->count++] = 2 * threshold;
        }
    }
    qsort(l->n, l->count, sizeof *l->n, compare);
    for (size_t i = 0; i < l->count; i++) {
        if (kept == 0 || l->n[kept - 1] != l->n[i]) {
            l->n[kept++] = l->n[i];
        }
    }
    l->count = kept;
    l->max = l->n[kept - 1];
}

void lengths_free(struct lengths *l)
{
    free(l->n);
    l->n = NULL;
}

int lengths_is_edge(aeadfast_op op, size_t n)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[op];

    if (n <= 320) {
        return 1;
    }
    for (unsigned i = 0; i < list->count; i++) {
        size_t threshold = list->rows[i].min_len;

        if (threshold <= THRESHOLD_MAX && n + NEAR >= threshold && n <= threshold + NEAR) {
            return 1;
        }
    }
    return 0;
}
