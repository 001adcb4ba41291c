/* SPDX-License-Identifier: MIT */
/*
 * AEADFAST_MIN_LEN: thresholds other than those of the rows, to try what a measurement proposes.
 *
 * The candidates of an operation that it names carry CHOICE_TUNED, which sends aeadfast_pick here;
 * all others never come by. The thresholds are stored before the candidates are published. Threads
 * that find nothing published at once store the same numbers.
 */
#include <stdint.h>
#include <string.h>

#include "dispatch.h"
#include "words.h"

static _Atomic size_t tuned[OP_COUNT][ROWS_MAX];

size_t aeadfast_tuned_min_len(const struct kernel_list *list, unsigned row)
{
    /* The candidates that said CHOICE_TUNED were published after what is read here. */
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&tuned[list - aeadfast_kernel_lists][row], memory_order_relaxed);
}

const struct kernel_row *aeadfast_pick_tuned(const struct kernel_list *list, uint32_t candidates,
                                             size_t len)
{
    unsigned last = 0;

    for (unsigned i = 0; i < list->count; i++) {
        if ((candidates >> i & 1) == 0) {
            continue;
        }
        if (len >= aeadfast_tuned_min_len(list, i)) {
            return &list->rows[i];
        }
        last = i;
    }
    return &list->rows[last];
}

/* A number of bytes in decimal digits. Returns 0 where it is none. */
static int parse_bytes(struct word word, size_t *bytes)
{
    size_t n = 0;

    for (size_t i = 0; i < word.len; i++) {
        size_t digit = (size_t)((unsigned char)word.start[i] - (unsigned char)'0');

        if (digit > 9 || n > (SIZE_MAX - digit) / 10) {
            return 0;
        }
        n = n * 10 + digit;
    }
    *bytes = n;
    return word.len > 0;
}

/* The row of that name; the portable ones, which must serve what is left, have no threshold. */
static int find_row(int op, struct word name)
{
    const struct kernel_list *list = &aeadfast_kernel_lists[op];

    for (unsigned i = 0; i < list->count; i++) {
        if (word_is(name, list->rows[i].name) && list->rows[i].needs != 0) {
            return (int)i;
        }
    }
    return -1;
}

const char *aeadfast_thresholds_parse(const char *spec, struct thresholds *thresholds)
{
    const char *rest = spec;

    memset(thresholds, 0, sizeof(*thresholds));
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < aeadfast_kernel_lists[op].count; i++) {
            thresholds->min_len[op][i] = aeadfast_kernel_lists[op].rows[i].min_len;
        }
    }
    if (spec == NULL || spec[0] == 0) {
        return NULL;
    }
    do {
        struct word item = word_until(&rest, ',');
        struct word op_name;
        struct word row_name;
        int op;
        int row;

        if (!word_split(&op_name, &item, '.') || !word_split(&row_name, &item, '=')) {
            return "AEADFAST_MIN_LEN is not a list of operation.kernel=bytes";
        }
        op = word_op(op_name);
        if (op < 0) {
            return "AEADFAST_MIN_LEN names an unknown operation";
        }
        row = find_row(op, row_name);
        if (row < 0) {
            return "AEADFAST_MIN_LEN names a kernel that is not in this build";
        }
        if (!parse_bytes(item, &thresholds->min_len[op][row])) {
            return "AEADFAST_MIN_LEN has something that is not a number of bytes";
        }
        thresholds->named[op] = 1;
    } while (rest[0] != 0 || rest[-1] == ',');
    return NULL;
}

void aeadfast_thresholds_set(const struct thresholds *thresholds)
{
    for (int op = 0; op < OP_COUNT; op++) {
        for (unsigned i = 0; i < ROWS_MAX; i++) {
            atomic_store_explicit(&tuned[op][i], thresholds->min_len[op][i], memory_order_relaxed);
        }
    }
}
