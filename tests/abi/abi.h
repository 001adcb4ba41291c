/* SPDX-License-Identifier: MIT */
/*
 * Calls a function with every register that it must keep set to a known value, on a stack of the
 * caller's choice, and records what it left behind. One assembly file for each calling convention;
 * the offsets there are those of struct abi_call here.
 */
#ifndef AEADFAST_TESTS_ABI_H
#define AEADFAST_TESTS_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
    ABI_ARGS = 10,
    ABI_KEPT = 40,
    ABI_CONTROL = 8,
    ABI_CANARY = 256,      /* bytes above the arguments that nobody may write */
    ABI_STACK = 32 * 1024, /* bytes below them: more than is ever cleared (STACK_MAX) */
};

/* What the processor has, and in which state vector registers are before the call. */
enum {
    ABI_AVX = 1,    /* x86-64 */
    ABI_AVX512 = 2, /* x86-64 */
    ABI_DIRTY = 4,  /* upper halves of vector registers all ones, otherwise x86-64's are zero */
    ABI_XINUSE = 8, /* x86-64: XGETBV with ECX = 1 answers */
    ABI_RVV = 16    /* RISC-V */
};

struct abi_call {
    void (*function)(void);        /* of any type that takes pointers and integers only */
    uint64_t arg[ABI_ARGS];        /* as many as it takes, the others are harmless */
    uint8_t *stack;                /* its arguments lie below this address */
    uint64_t result;               /* the return value, where it has one */
    uint64_t vectors;              /* ABI_AVX and so on */
    uint64_t poison[ABI_KEPT];     /* what registers hold before the call, */
    uint64_t kept[ABI_KEPT];       /* and after it; the number after the last is the stack pointer's
                                      distance from where it was */
    uint64_t control[ABI_CONTROL]; /* flags and modes after the call, see the assembly */
    uint8_t registers[32][64];     /* vector registers after the call, as far as there are such */
};

_Static_assert(offsetof(struct abi_call, stack) == 88 &&
                   offsetof(struct abi_call, vectors) == 104 &&
                   offsetof(struct abi_call, poison) == 112 &&
                   offsetof(struct abi_call, kept) == 432 &&
                   offsetof(struct abi_call, control) == 752 &&
                   offsetof(struct abi_call, registers) == 816,
               "the assembly files have these offsets");

/* Functions that break the rules on purpose; the last has no name. */
struct abi_offender {
    void (*function)(void);
    const char *complaint;
};
extern const struct abi_offender abi_offenders[];

/* In the assembly file. */
void abi_trampoline(struct abi_call *call);

/* ABI_AVX and so on, without ABI_DIRTY, for this processor and system. */
uint64_t abi_vectors(void);

/*
 * Fills the stack with `fill`, poisons, calls. The stack is one for all calls: what the function
 * left there can be looked at until the next one. Its beginning is a multiple of 64 bytes less
 * `lower`, a multiple of 16 below 64: frames that align themselves lie elsewhere then.
 */
void abi_run(struct abi_call *call, uint8_t fill, size_t lower);

/* The stack's lowest address, of ABI_STACK bytes below the canary. */
const uint8_t *abi_stack(void);

/* How much of it lies below what the caller pushed: where the called function's frame begins. */
size_t abi_stack_top(const struct abi_call *call);

/* What the last call should not have done, in a word or two; NULL: nothing. */
const char *abi_complaint(const struct abi_call *call);

#endif
