/* SPDX-License-Identifier: MIT */
/*
 * The program behind bench/instructions: under callgrind it calls every operation once at each
 * length, with each backend that can be had there, and has the instructions of that call dumped
 * under its name.
 */
#include <stdio.h>
#include <stdlib.h>

#include <valgrind/callgrind.h>

#include "aeadfast.h"
#include "tasks.h"

static void count(const struct entrant *entrant, const struct operation *operation, size_t len)
{
    struct task *task = task_new(entrant, operation, len);
    struct contestant contestant;
    char name[128];

    if (task == NULL) {
        return;
    }
    contestant = task_contestant(task);
    task_prepare(operation, len);
    contestant.enter(contestant.context);
    if (contestant.run(contestant.context, 1) != 0) {
        fprintf(stderr, "%s failed\n", operation->name);
        exit(1);
    }
    (void)snprintf(name, sizeof name, "%s %s %zu", operation->name, entrant->name, len);
    CALLGRIND_ZERO_STATS;
    (void)contestant.run(contestant.context, 1);
    CALLGRIND_DUMP_STATS_AT(name);
    task_free(task);
}

int main(void)
{
    static const size_t lens[] = {0, 16, 64, 256, 1350, 4096};

    for (size_t b = 0; b < aeadfast_backend_count(); b++) {
        struct entrant entrant = aeadfast_entrant;

        entrant.backend = aeadfast_backend_name(b);
        (void)snprintf(entrant.name, sizeof entrant.name, "%s", entrant.backend);
        if (!aeadfast_backend_supported(entrant.backend)) {
            continue;
        }
        for (size_t i = 0; i < OPERATION_COUNT; i++) {
            for (size_t l = 0; l < (operations[i].one_size ? 1 : sizeof lens / sizeof lens[0]);
                 l++) {
                count(&entrant, &operations[i], lens[l]);
            }
        }
    }
    return 0;
}
