/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include "aeadfast.h"
#include "bytes.h"

#if defined(__clang__)
#define NEVER_INLINE __attribute__((noinline))
#elif defined(__GNUC__)
#define NEVER_INLINE __attribute__((noinline, noclone))
#else
#define NEVER_INLINE
#endif

void aeadfast_wipe(void *p, size_t n)
{
    if (n != 0) {
        memset(p, 0, n);
        KEEP_STORES(p);
    }
}

/*
 * The array's end touches the frame's beginning, and the frame begins where that of a kernel called
 * from the same place began; so the last n bytes of the array lie over the first n of the kernel's
 * frame. The little that lies between the two (a return address, saved registers) is what this very
 * call has written over.
 */
NEVER_INLINE void aeadfast_clear_stack_bytes(size_t n)
{
    _Alignas(16) uint8_t frame[STACK_MAX]; /* no more aligned than the stack is: no gap above it */
    uint8_t *const end = frame + sizeof(frame);

    n = n < sizeof(frame) ? (n + 63) / 64 * 64 : sizeof(frame);
    /* Four stores a turn. GCC would make a memset of this, which it compiles to 8-byte stores here:
     * 29 ns for 512 bytes on Zen 3, as long as a short message takes. */
    for (uint8_t *p = end - n; p != end; p += 64) {
        memset(p, 0, 64);
        KEEP_STORES(p);
    }
}

/* The same without a loop, for kernels that make short messages fast. */
NEVER_INLINE void aeadfast_clear_stack_256(void)
{
    _Alignas(16) uint8_t frame[256];

    memset(frame, 0, 64);
    memset(frame + 64, 0, 64);
    KEEP_STORES(frame);
    memset(frame + 128, 0, 64);
    memset(frame + 192, 0, 64);
    KEEP_STORES(frame);
}

int aeadfast_equal(const void *a, const void *b, size_t n)
{
    const uint8_t *x = a;
    const uint8_t *y = b;
    uint64_t difference = 0;

    if (n != 0 && (a == NULL || b == NULL)) {
        return 0;
    }
    for (; n >= 8; n -= 8) {
        difference |= opaque_word(load_le64(x) ^ load_le64(y));
        x += 8;
        y += 8;
    }
    for (; n != 0; n--) {
        difference |= opaque_word((uint64_t)(*x++ ^ *y++));
    }
    /* The top bit of d or -d is set unless d is 0. */
    difference = opaque_word(difference);
    return (int)(1 ^ ((difference | (0 - difference)) >> 63));
}
