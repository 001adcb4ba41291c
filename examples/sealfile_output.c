/* SPDX-License-Identifier: MIT */
#include "sealfile_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sealfile_os.h"

#define RANDOM_NAME_BYTES 8

/* ".sealfile-0123456789abcdef.tmp" in the target's folder: renaming works within a disk only. */
static char *temporary_beside(const char *target)
{
    static const char digits[] = "0123456789abcdef";
    static const char prefix[] = ".sealfile-";
    static const char suffix[] = ".tmp";
    uint8_t random[RANDOM_NAME_BYTES];
    size_t folder = strlen(target);

    while (folder > 0 && target[folder - 1] != '/') {
#if defined(_WIN32)
        if (target[folder - 1] == '\\' || target[folder - 1] == ':') {
            break;
        }
#endif
        folder--;
    }
    if (os_random(random, sizeof random) != 0) {
        return NULL;
    }
    char *path = malloc(folder + sizeof prefix + 2 * sizeof random + sizeof suffix);

    if (path == NULL) {
        return NULL;
    }
    char *p = path;

    memcpy(p, target, folder);
    p += folder;
    memcpy(p, prefix, sizeof prefix - 1);
    p += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof random; i++) {
        *p++ = digits[random[i] >> 4];
        *p++ = digits[random[i] & 15];
    }
    memcpy(p, suffix, sizeof suffix);
    return path;
}

static void release(struct output *out)
{
    os_remove_on_signal(NULL);
    if (out->temporary != out->target) {
        free(out->temporary);
    }
    free(out->target);
    *out = (struct output){0};
}

/* A buffer of the C library's would keep a copy of secrets; all writes are large anyway. */
static void set_unbuffered(FILE *f)
{
    (void)setvbuf(f, NULL, _IONBF, 0);
}

static const char *create(struct output *out)
{
    /* Held, so that no signal finds the file there and its name not yet known, or the reverse. */
    os_hold_signals();
    out->file = os_create_new(out->temporary, out->is_private);
    int saved = errno;

    if (out->file != NULL) {
        os_remove_on_signal(out->temporary);
        set_unbuffered(out->file);
    }
    os_release_signals();
    if (out->file == NULL) {
        release(out);
        return strerror(saved);
    }
    return NULL;
}

const char *output_begin(struct output *out, const char *name)
{
    *out = (struct output){0};
    if (strcmp(name, "-") == 0) {
        os_set_binary(stdout);
        out->file = stdout;
        set_unbuffered(stdout);
        return NULL;
    }
    out->target = os_resolve(name);
    if (out->target == NULL) {
        return strerror(errno);
    }
    switch (os_kind_of(out->target)) {
    case OS_DIRECTORY:
        release(out);
        return strerror(EISDIR);
    case OS_OTHER:
        release(out);
        return "not a regular file; write to - and redirect it";
    case OS_NOTHING:
    case OS_REGULAR:
        break;
    }
    out->temporary = temporary_beside(out->target);
    if (out->temporary == NULL) {
        int saved = errno;

        release(out);
        return strerror(saved);
    }
    return create(out);
}

const char *output_begin_private(struct output *out, const char *name)
{
    *out = (struct output){.is_private = 1};
    out->target = os_resolve(name);
    if (out->target == NULL) {
        return strerror(errno);
    }
    out->temporary = out->target;
    return create(out);
}

const char *output_commit(struct output *out)
{
    FILE *f = out->file;
    int failed = fflush(f) != 0 || (out->target != NULL && os_sync(f) != 0);
    int saved = errno;

    out->file = NULL;
    if (fclose(f) != 0 && !failed) {
        failed = 1;
        saved = errno;
    }
    if (!failed && out->temporary != out->target && os_replace(out->temporary, out->target) != 0) {
        failed = 1;
        saved = errno;
    }
    if (failed) {
        output_abandon(out);
        return strerror(saved);
    }
    release(out);
    return NULL;
}

void output_abandon(struct output *out)
{
    if (out->file != NULL && out->file != stdout) {
        (void)fclose(out->file);
    }
    if (out->temporary != NULL) {
        (void)remove(out->temporary);
    }
    release(out);
}
