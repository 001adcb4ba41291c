/* SPDX-License-Identifier: MIT */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#endif
#include "load.h"

#include <dlfcn.h>
#include <stdio.h>

/* So that a module's names are found in itself and its own library first, whatever else has them. */
#if defined(RTLD_DEEPBIND)
#define BINDING (RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
#else
#define BINDING (RTLD_NOW | RTLD_LOCAL)
#endif

const struct peer *peer_load(const char *path)
{
    void *module = dlopen(path, BINDING);
    const struct peer *found = module != NULL ? dlsym(module, "peer") : NULL;

    if (found == NULL) {
        fprintf(stderr, "left out: %s\n", dlerror());
    }
    return found;
}
