/* SPDX-License-Identifier: MIT */
/* Clearing what must not stay behind, and comparing tags, in line where it is small. */
#ifndef AEADFAST_MEMORY_H
#define AEADFAST_MEMORY_H

#include "bytes.h"
#include "symbol.h"

/* Tells the compiler that somebody reads the memory, so that stores to it are no dead stores. */
#if defined(__GNUC__)
#define KEEP_STORES(p) __asm__ volatile("" : : "r"(p) : "memory")
#else
#define KEEP_STORES(p) ((void)*(volatile const uint8_t *)(p))
#endif

/* aeadfast_wipe for a size that the compiler knows: a few stores. */
static inline void wipe_now(void *p, size_t n)
{
    memset(p, 0, n);
    KEEP_STORES(p);
}

/* The same for some hundred bytes, of which GCC would make 8-byte stores: 25 ns for 350 on Zen 3. */
static inline void wipe_in_steps(void *p, size_t n)
{
    uint8_t *const rest = (uint8_t *)p + n / 64 * 64;

    for (uint8_t *step = p; step != rest; step += 64) {
        wipe_now(step, 64);
    }
    wipe_now(rest, n % 64);
}

/* A value that the compiler knows nothing about, so that it cannot find a short cut, and branch. */
static inline uint64_t opaque_word(uint64_t value)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(value));
    return value;
#else
    volatile uint64_t copy = value;

    return copy;
#endif
}

/* aeadfast_equal for whole tags. */
static inline int tags_equal(const uint8_t a[16], const uint8_t b[16])
{
    return opaque_word((load_le64(a) ^ load_le64(b)) | (load_le64(a + 8) ^ load_le64(b + 8))) == 0;
}

/*
 * The most that a kernel's `stack` may be; and what is cleared beyond each. On 64-bit Windows half of
 * the vector registers are the caller's: functions within a kernel save them with what it has in
 * them, and deeper than its own frame goes elsewhere.
 */
#if defined(_WIN64)
#define STACK_MAX   16384
#define STACK_EXTRA 1280
#else
#define STACK_MAX   3072
#define STACK_EXTRA 0
#endif

#define aeadfast_clear_stack_bytes AEADFAST_INTERNAL(clear_stack_bytes)
#define aeadfast_clear_stack_256   AEADFAST_INTERNAL(clear_stack_256)
AEADFAST_HIDDEN void aeadfast_clear_stack_bytes(size_t n);
AEADFAST_HIDDEN void aeadfast_clear_stack_256(void);

/* Zeroes at least n bytes below the caller's frame, where the frames of what it called have been.
 */
static inline void aeadfast_clear_stack(size_t n)
{
    n += STACK_EXTRA;
    if (n > 256) {
        aeadfast_clear_stack_bytes(n);
    } else if (n != 0) {
        aeadfast_clear_stack_256();
    }
}

#endif
