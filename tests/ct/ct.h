/* SPDX-License-Identifier: MIT */
/*
 * Tells a checker what is secret. Secret memory is marked as never initialised: valgrind's memcheck
 * and the memory sanitizer follow it through the computation, and report a branch or an address that
 * depends on it. Where neither is at work, the marks do nothing, and the program is run twice with
 * other secrets, under an emulator that writes down which way it took.
 */
#ifndef AEADFAST_TESTS_CT_H
#define AEADFAST_TESTS_CT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define CT_MSAN 1
#endif
#endif

#if defined(CT_MSAN)
#include <sanitizer/msan_interface.h>
static inline void ct_secret(const void *p, size_t n)
{
    __msan_allocated_memory(p, n);
}
static inline void ct_public(const void *p, size_t n)
{
    __msan_unpoison(p, n);
}
static inline int ct_is_secret(const uint8_t *p)
{
    return __msan_test_shadow(p, 1) == 0;
}
#elif defined(CT_VALGRIND)
#include <valgrind/memcheck.h>
static inline void ct_secret(const void *p, size_t n)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n);
}
static inline void ct_public(const void *p, size_t n)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(p, n);
}
static inline int ct_is_secret(const uint8_t *p)
{
    uint8_t undefined = 0;

    return VALGRIND_GET_VBITS(p, &undefined, 1) != 1 /* not under valgrind */ || undefined != 0;
}
#else
static inline void ct_secret(const void *p, size_t n)
{
    (void)p;
    (void)n;
}
static inline void ct_public(const void *p, size_t n)
{
    (void)p;
    (void)n;
}
/* Whether the checker takes the byte for one that depends on a secret; 1 where none could tell. */
static inline int ct_is_secret(const uint8_t *p)
{
    (void)p;
    return 1;
}
#endif

/* Where the part to be compared begins and ends, for an emulator that looks for such marks. */
static inline void ct_mark(void)
{
#if defined(__x86_64__) && !defined(CT_MSAN)
    __asm__ volatile("xchg %%bx, %%bx" : : : "memory");
#endif
}

#endif
