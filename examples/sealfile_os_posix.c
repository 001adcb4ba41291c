/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)

#define _DEFAULT_SOURCE      /* getentropy, realpath */
#define _DARWIN_C_SOURCE     /* the same */
#define _FILE_OFFSET_BITS 64 /* files over 2 GiB on 32-bit systems */

#include "sealfile_os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif

static int random_from_device(uint8_t *out, size_t n)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        return -1;
    }
    while (n > 0) {
        ssize_t got = read(fd, out, n);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            errno = got == 0 ? EIO : errno;
            break;
        }
        out += got;
        n -= (size_t)got;
    }
    int saved = errno;

    (void)close(fd);
    errno = saved;
    return n == 0 ? 0 : -1;
}

int os_random(uint8_t *out, size_t n)
{
    memset(out, 0, n); /* clang's MemorySanitizer does not know what getentropy writes, nor stat */
    /* Kernels older than the call answer ENOSYS. */
    return getentropy(out, n) == 0 ? 0 : random_from_device(out, n);
}

FILE *os_create_new(const char *path, int is_private)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);

    if (fd < 0) {
        return NULL;
    }
    FILE *f = fdopen(fd, "wb");

    if (f == NULL) {
        int saved = errno;

        (void)close(fd);
        (void)unlink(path);
        errno = saved;
    }
    return f;
}

int os_sync(FILE *f)
{
    return fsync(fileno(f));
}

int os_replace(const char *from, const char *to)
{
    return rename(from, to);
}

enum os_kind os_kind_of(const char *path)
{
    struct stat st = {0};

    if (stat(path, &st) != 0) {
        return OS_NOTHING;
    }
    return S_ISREG(st.st_mode) ? OS_REGULAR : S_ISDIR(st.st_mode) ? OS_DIRECTORY : OS_OTHER;
}

char *os_resolve(const char *path)
{
    struct stat st = {0};

    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
        return realpath(path, NULL);
    }
    return strdup(path);
}

static int same(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int os_is_same_file(FILE *a, FILE *b)
{
    struct stat x = {0};
    struct stat y = {0};

    return fstat(fileno(a), &x) == 0 && fstat(fileno(b), &y) == 0 && same(&x, &y);
}

int os_is_file_at(FILE *f, const char *path)
{
    struct stat x = {0};
    struct stat y = {0};

    return fstat(fileno(f), &x) == 0 && stat(path, &y) == 0 && same(&x, &y);
}

int64_t os_regular_size(FILE *f)
{
    struct stat st = {0};

    return fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

int os_is_terminal(FILE *f)
{
    return isatty(fileno(f));
}

void os_set_binary(FILE *f)
{
    (void)f;
}

double os_seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
#define ENDING_SIGNALS (sizeof ending_signals / sizeof ending_signals[0])

static _Atomic(const char *) path_to_remove; /* a lock-free atomic: fit for a handler */

/* SA_RESETHAND has put the default back: raised again, the signal ends the program as it should. */
static void remove_and_end(int number)
{
    const char *path = atomic_load(&path_to_remove);

    if (path != NULL) {
        (void)unlink(path);
    }
    (void)raise(number);
}

void os_catch_signals(void)
{
    struct sigaction action;
    struct sigaction old;

    memset(&action, 0, sizeof action);
    action.sa_handler = remove_and_end;
    action.sa_flags = (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        /* What the caller has us ignore (nohup, say) stays ignored. */
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            (void)sigaction(ending_signals[i], &action, NULL);
        }
    }
    /* Past the limit on a file's size, an error from write() is easier to clean up after. */
    (void)signal(SIGXFSZ, SIG_IGN);
}

static void mask_signals(int how)
{
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        (void)sigaddset(&set, ending_signals[i]);
    }
    (void)sigprocmask(how, &set, NULL);
}

void os_hold_signals(void)
{
    mask_signals(SIG_BLOCK);
}

void os_release_signals(void)
{
    mask_signals(SIG_UNBLOCK);
}

void os_remove_on_signal(const char *path)
{
    atomic_store(&path_to_remove, path);
}

#else
typedef int sealfile_os_posix_is_empty;
#endif
