/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#define _DARWIN_C_SOURCE
#endif

#include "guard.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

enum access { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE };

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

#if defined(_WIN32)

static size_t page_size(void)
{
    SYSTEM_INFO info;

    GetSystemInfo(&info);
    return info.dwPageSize;
}

static uint8_t *map_pages(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
}

static void unmap_pages(uint8_t *map, size_t size)
{
    (void)size;
    VirtualFree(map, 0, MEM_RELEASE);
}

static void protect(uint8_t *p, size_t size, enum access access)
{
    static const DWORD rights[] = {PAGE_NOACCESS, PAGE_READONLY, PAGE_READWRITE};
    DWORD before;

    if (!VirtualProtect(p, size, rights[access], &before)) {
        give_up("VirtualProtect");
    }
}

#else

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static uint8_t *map_pages(size_t size)
{
    void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

static void unmap_pages(uint8_t *map, size_t size)
{
    munmap(map, size);
}

static void protect(uint8_t *p, size_t size, enum access access)
{
    static const int rights[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE};

    if (mprotect(p, size, rights[access]) != 0) {
        give_up("mprotect");
    }
}

#endif

void guard_make(struct guard *g, size_t capacity)
{
    g->page = page_size();
    g->size = (capacity + g->page - 1) / g->page * g->page;
    if (g->size == 0) {
        g->size = g->page;
    }
    g->map = map_pages(g->size + 2 * g->page);
    if (g->map == NULL) {
        give_up("guard pages");
    }
    g->data = g->map + g->page;
    protect(g->data, g->size, ACCESS_WRITE);
}

void guard_free(struct guard *g)
{
    unmap_pages(g->map, g->size + 2 * g->page);
    g->map = NULL;
    g->data = NULL;
}

uint8_t *guard_start(const struct guard *g)
{
    return g->data;
}

uint8_t *guard_end(const struct guard *g, size_t n)
{
    if (n > g->size) {
        fprintf(stderr, "guard_end: %zu bytes do not fit\n", n);
        exit(2);
    }
    return g->data + g->size - n;
}

uint8_t *guard_forbidden(const struct guard *g)
{
    return g->map;
}

void guard_read_only(const struct guard *g)
{
    protect(g->data, g->size, ACCESS_READ);
}

void guard_writable(const struct guard *g)
{
    protect(g->data, g->size, ACCESS_WRITE);
}
