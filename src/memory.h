/* SPDX-License-Identifier: MIT */
/* Clearing the part of the stack that a kernel has used. */
#ifndef AEADFAST_MEMORY_H
#define AEADFAST_MEMORY_H

#include <stddef.h>

#include "symbol.h"

/* The most that a kernel's `stack` may be. */
#define STACK_MAX                  2048

#define aeadfast_clear_stack_bytes AEADFAST_INTERNAL(clear_stack_bytes)
AEADFAST_HIDDEN void aeadfast_clear_stack_bytes(size_t n);

/* Zeroes at least n bytes below the caller's frame, where the frames of what it called have been.
 */
static inline void aeadfast_clear_stack(size_t n)
{
    if (n != 0) {
        aeadfast_clear_stack_bytes(n);
    }
}

#endif
