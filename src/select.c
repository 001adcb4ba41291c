/* SPDX-License-Identifier: MIT */
#include "dispatch.h"

static int has_all(uint64_t bits, uint64_t wanted)
{
    return (bits & wanted) == wanted;
}

int aeadfast_row_runs(const struct kernel_row *row, const struct cpu *cpu)
{
    return has_all(cpu->bits, row->needs);
}

uint32_t aeadfast_candidates(const struct kernel_list *list, const struct cpu *cpu,
                             const struct backend *forced)
{
    uint32_t candidates = 0;

    for (unsigned i = 0; i < list->count; i++) {
        const struct kernel_row *row = &list->rows[i];

        if (!aeadfast_row_runs(row, cpu)) {
            continue;
        }
        if (forced != NULL) {
            if (has_all(forced->allows, row->needs)) {
                return UINT32_C(1) << i;
            }
        } else if (has_all(cpu->bits, row->wants)) {
            candidates |= UINT32_C(1) << i;
            if (row->min_len == 0) {
                break; /* nothing below it is ever reached */
            }
        }
    }
    return candidates;
}

uint32_t aeadfast_all_wanted(const struct kernel_list *list, const struct cpu *cpu)
{
    uint32_t wanted = 0;

    for (unsigned i = 0; i < list->count; i++) {
        if (aeadfast_row_runs(&list->rows[i], cpu) && has_all(cpu->bits, list->rows[i].wants)) {
            wanted |= UINT32_C(1) << i;
        }
    }
    return wanted;
}

uint32_t aeadfast_family(const struct kernel_list *list, uint32_t candidates)
{
    const struct kernel_row *best = aeadfast_pick(list, candidates, SIZE_MAX);
    uint32_t family = candidates & CHOICE_TUNED;

    for (unsigned i = 0; i < list->count; i++) {
        if ((candidates >> i & 1) != 0 &&
            list->rows[i].kernel.aes_gcm->init == best->kernel.aes_gcm->init) {
            family |= UINT32_C(1) << i;
        }
    }
    return family;
}

unsigned aeadfast_select(const struct kernel_list *list, const struct cpu *cpu,
                         const struct backend *forced, size_t len)
{
    uint32_t candidates = aeadfast_candidates(list, cpu, forced);

    return (unsigned)(aeadfast_pick(list, candidates, len) - list->rows);
}

const struct kernel_row *aeadfast_part(const struct kernel_list *list,
                                       const struct kernel_row *whole, size_t len)
{
    const struct kernel_row *row = list->rows;

    while (!has_all(whole->needs, row->needs) || !has_all(whole->wants, row->wants) ||
           len < row->min_len) {
        row++;
    }
    return row;
}
