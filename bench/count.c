/* SPDX-License-Identifier: MIT */
/*
 * The program behind bench/instructions: it calls every operation once at each length, with each
 * backend that can be had, and has the instructions of that call counted under its name.
 *
 * Under callgrind, which has no VAES and no AVX-512: callgrind dumps the counts. By itself,
 *
 *     aeadfast_count --step [BACKEND...]
 *
 * it has the processor stop after each instruction, and prints what processor that is, then names and
 * counts; backends that are named are left out.
 */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <valgrind/callgrind.h>

#if defined(__linux__)
#define CAN_STEP 1
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#else
#define CAN_STEP 0
#endif

#include "aeadfast.h"
#include "tasks.h"

/* Shared by the process that is counted and the one that counts; NULL under callgrind. */
struct shared {
    volatile int counting;
    char name[128];
};
static struct shared *shared;

static void begin(const char *name)
{
#if CAN_STEP
    if (shared != NULL) {
        (void)snprintf(shared->name, sizeof shared->name, "%s", name);
        (void)raise(SIGSTOP);
        shared->counting = 1;
        return;
    }
#endif
    (void)name;
    CALLGRIND_ZERO_STATS;
}

static void end(const char *name)
{
    if (shared != NULL) {
        shared->counting = 0;
        return;
    }
    CALLGRIND_DUMP_STATS_AT(name);
}

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
    begin(name);
    (void)contestant.run(contestant.context, 1);
    end(name);
    task_free(task);
}

static void count_all(char **left_out)
{
    static const size_t lens[] = {0, 16, 64, 256, 1350, 4096};

    for (size_t b = 0; b < aeadfast_backend_count(); b++) {
        struct entrant entrant = aeadfast_entrant;
        char **name = left_out;

        entrant.backend = aeadfast_backend_name(b);
        (void)snprintf(entrant.name, sizeof entrant.name, "%s", entrant.backend);
        while (*name != NULL && strcmp(*name, entrant.backend) != 0) {
            name++;
        }
        if (*name != NULL || !aeadfast_backend_supported(entrant.backend)) {
            continue;
        }
        for (size_t i = 0; i < OPERATION_COUNT; i++) {
            for (size_t l = 0; l < (operations[i].one_size ? 1 : sizeof lens / sizeof lens[0]);
                 l++) {
                count(&entrant, &operations[i], lens[l]);
            }
        }
    }
}

#if CAN_STEP
/* Steps through what the child wants counted, and lets it run freely in between. */
static int step(pid_t child)
{
    unsigned long steps = 0;
    int status;

    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        const int stopped = WSTOPSIG(status) == SIGSTOP;

        if (!stopped && WSTOPSIG(status) != SIGTRAP) {
            fprintf(stderr, "stopped by signal %d\n", WSTOPSIG(status));
            return 1;
        }
        const int over = !stopped && !shared->counting && steps > 0;

        if (over) {
            printf("%s %lu\n", shared->name, steps);
        }
        steps = stopped || over ? 0 : steps + (shared->counting != 0);
        /* Not every kernel can step, that of RISC-V for one. */
        if (ptrace(over ? PTRACE_CONT : PTRACE_SINGLESTEP, child, NULL, NULL) != 0) {
            perror("ptrace");
            (void)kill(child, SIGKILL);
            return 1;
        }
    }
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static int count_by_steps(char **left_out)
{
    void *memory =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char description[4096] = "";
    const char *processor;
    pid_t child;

    if (memory == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    shared = memory;
    (void)aeadfast_describe(description, sizeof description);
    processor = strstr(description, "processor: ");
    if (processor != NULL) {
        printf("# stepped on %.*s\n", (int)strcspn(processor, "\n"), processor);
    }
    (void)fflush(stdout);
    child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
            perror("ptrace");
            _exit(1);
        }
        count_all(left_out);
        _exit(0);
    }
    return child < 0 || step(child);
}
#endif

int main(int argc, char **argv)
{
#if CAN_STEP
    if (argc > 1 && strcmp(argv[1], "--step") == 0) {
        return count_by_steps(argv + 2);
    }
#endif
    if (argc > 1) {
        fputs("usage: aeadfast_count [--step [BACKEND...]]\n", stderr);
        return 2;
    }
    count_all(argv + 1);
    return 0;
}
