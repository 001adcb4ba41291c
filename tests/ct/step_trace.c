/* SPDX-License-Identifier: MIT */
/*
 * step_trace FILE PROGRAM [ARG...]: runs a program one instruction at a time, on this processor, and
 * writes the address of each between the two marks (ct_mark) to FILE. So it serves as AEADFAST_TRACER
 * for whatever instructions the processor has; addresses in memory it does not see. Exits with the
 * program's status.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEEN = 1 << 16 };

/* Addresses that are known to hold no mark, each in the one slot that it can be in. */
static uint64_t seen[SEEN];

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

static void run_program(char **argv)
{
    /* Both runs that are compared have everything at the same place. */
    if (personality(ADDR_NO_RANDOMIZE) == -1 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) == -1) {
        fail("step_trace");
    }
    execv(argv[0], argv);
    fail(argv[0]);
}

static uint64_t program_counter(pid_t child)
{
    long at;

    errno = 0;
    at = ptrace(PTRACE_PEEKUSER, child, offsetof(struct user, regs.rip), NULL);
    if (errno != 0) {
        fail("PTRACE_PEEKUSER");
    }
    return (uint64_t)at;
}

/* xchg %bx, %bx */
static int is_mark(pid_t child, uint64_t at)
{
    uint64_t *slot = &seen[(at ^ at >> 16) % SEEN];
    long code;

    if (*slot == at) {
        return 0;
    }
    errno = 0;
    code = ptrace(PTRACE_PEEKTEXT, child, at, NULL);
    if (errno == 0 && (code & 0xffffff) == 0xdb8766) {
        return 1;
    }
    *slot = at;
    return 0;
}

int main(int argc, char **argv)
{
    FILE *trace;
    pid_t child;
    int status;
    int marks = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: step_trace FILE PROGRAM [ARG...]\n");
        return 2;
    }
    trace = fopen(argv[1], "w");
    if (trace == NULL) {
        fail(argv[1]);
    }
    child = fork();
    if (child == 0) {
        run_program(argv + 2);
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);

        if (marks < 2) {
            const uint64_t at = program_counter(child);

            if (is_mark(child, at)) {
                marks++;
            } else if (marks == 1) {
                fprintf(trace, "%llx\n", (unsigned long long)at);
            }
        }
        if (ptrace(marks < 2 ? PTRACE_SINGLESTEP : PTRACE_CONT, child, NULL, signal) == -1) {
            fail("ptrace");
        }
    }
    if (fclose(trace) != 0) {
        fail(argv[1]);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
