/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#define _DEFAULT_SOURCE /* setenv */
#define _DARWIN_C_SOURCE

#include "child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static void be_child(const struct child *child, int (*body)(const void *), const void *arg,
                     int pipe_in)
{
    int r = child->backend != NULL ? setenv("AEADFAST_BACKEND", child->backend, 1)
                                   : unsetenv("AEADFAST_BACKEND");

    if (r != 0 || dup2(pipe_in, STDERR_FILENO) < 0) {
        give_up("child");
    }
    close(pipe_in);
    exit(body(arg)); /* not _exit: sanitizers report at the exit */
}

void child_run(struct child *child, int (*body)(const void *arg), const void *arg)
{
    int ends[2];
    pid_t pid;
    int status;

    child->said = 0;
    fflush(stdout);
    fflush(stderr);
    if (pipe(ends) != 0) {
        give_up("pipe");
    }
    pid = fork();
    if (pid < 0) {
        give_up("fork");
    }
    if (pid == 0) {
        close(ends[0]);
        be_child(child, body, arg, ends[1]);
    }
    close(ends[1]);
    for (;;) {
        char bytes[512];
        ssize_t n = read(ends[0], bytes, sizeof bytes);

        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            break;
        }
        for (ssize_t i = 0; i < n; i++, child->said++) {
            if (child->said < sizeof child->words - 1) {
                child->words[child->said] = bytes[i];
            }
        }
    }
    close(ends[0]);
    child->words[child->said < sizeof child->words - 1 ? child->said : sizeof child->words - 1] =
        '\0';
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            give_up("waitpid");
        }
    }
    child->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void child_failed(const char *file, int line, const char *what)
{
    printf("%s:%d: %s\n", file, line, what);
    fflush(stdout);
    _exit(1);
}

#else

typedef int no_children_on_windows;

#endif
