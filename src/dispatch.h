/* SPDX-License-Identifier: MIT */
/*
 * Which kernel serves which call. Three layers, each in a file of its own:
 *
 *   kernel_list.c    the rows, one a kernel, best first: constant data
 *   select.c         choosing among rows for a given processor and length: pure functions
 *   dispatch.c       the choice in force: made once from the processor and the environment,
 *                    published with C11 atomics, changed by aeadfast_backend_select
 *
 * A set of rows is a 32-bit mask: bit i is row i. The choice in force for an operation is such a
 * mask, one atomic word, so publishing needs no lock, no order and no storage, and two threads that
 * find it empty at once compute and store the same word.
 */
#ifndef AEADFAST_DISPATCH_H
#define AEADFAST_DISPATCH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "aeadfast.h"
#include "cpu.h"
#include "kernel.h"

#define OP_COUNT 4

struct backend {
    const char *name;
    uint64_t needs;  /* a processor that has these can run it */
    uint64_t allows; /* what a kernel may need in order to count as part of it */
};

struct kernel_row {
    const char *name;
    unsigned backend; /* index in the architecture's backends */
    uint64_t needs;   /* instruction bits: without them it must not run */
    uint64_t wants;   /* policy bits: without them it is not chosen, though it can be forced */
    size_t min_len;   /* messages of fewer bytes are left to the rows below */
    union {
        const struct chacha_kernel *chacha;
        const struct poly1305_kernel *poly1305;
        const struct chacha20_poly1305_kernel *aead;
        const struct aes_gcm_kernel *aes_gcm;
    } kernel;
};

struct kernel_list {
    const struct kernel_row
        *rows;      /* best first; one with needs 0, wants 0, min_len 0 ends the search */
    unsigned count; /* at most 31 */
};

/* ---- kernel_list.c ---- */

#define aeadfast_kernel_lists  AEADFAST_INTERNAL(kernel_lists)
#define aeadfast_backends      AEADFAST_INTERNAL(backends)
#define aeadfast_backends_size AEADFAST_INTERNAL(backends_size)
#define aeadfast_op_names      AEADFAST_INTERNAL(op_names)
AEADFAST_HIDDEN extern const struct kernel_list
    aeadfast_kernel_lists[OP_COUNT];                             /* by aeadfast_op */
AEADFAST_HIDDEN extern const struct backend aeadfast_backends[]; /* portable first */
AEADFAST_HIDDEN extern const unsigned aeadfast_backends_size;
AEADFAST_HIDDEN extern const char *const aeadfast_op_names[OP_COUNT];

/* ---- select.c ---- */

#define aeadfast_row_runs   AEADFAST_INTERNAL(row_runs)
#define aeadfast_candidates AEADFAST_INTERNAL(candidates)
#define aeadfast_family     AEADFAST_INTERNAL(family)
#define aeadfast_select     AEADFAST_INTERNAL(select)

/* Whether the processor can run the row's kernel. */
AEADFAST_HIDDEN int aeadfast_row_runs(const struct kernel_row *row, const struct cpu *cpu);

/*
 * The rows that may serve messages of one length or another: forced NULL, those that run and are
 * wanted; otherwise just the best one that runs and whose needs the backend allows. Never 0.
 */
AEADFAST_HIDDEN uint32_t aeadfast_candidates(const struct kernel_list *list, const struct cpu *cpu,
                                             const struct backend *forced);

/* AES-GCM: of the candidates, those that share the best one's key tables. */
AEADFAST_HIDDEN uint32_t aeadfast_family(const struct kernel_list *list, uint32_t candidates);

/* The number of the best row in a set, which is not empty. */
static inline unsigned aeadfast_best(uint32_t candidates)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctz(candidates);
#else
    unsigned i = 0;

    while ((candidates >> i & 1) == 0) {
        i++;
    }
    return i;
#endif
}

/* The best of the candidates for a length: the first whose min_len it reaches, else the last. */
static inline const struct kernel_row *aeadfast_pick(const struct kernel_list *list,
                                                     uint32_t candidates, size_t len)
{
    const struct kernel_row *row = &list->rows[aeadfast_best(candidates)];

    while (len < row->min_len && (candidates & (candidates - 1)) != 0) {
        candidates &= candidates - 1;
        row = &list->rows[aeadfast_best(candidates)];
    }
    return row;
}

/* All of it for a made-up processor: the index of the row that a message of `len` bytes gets. */
AEADFAST_HIDDEN unsigned aeadfast_select(const struct kernel_list *list, const struct cpu *cpu,
                                         const struct backend *forced, size_t len);

/* ---- backend_spec.c ---- */

#define aeadfast_backend_find      AEADFAST_INTERNAL(backend_find)
#define aeadfast_backend_parse     AEADFAST_INTERNAL(backend_parse)
#define aeadfast_backend_built     AEADFAST_INTERNAL(backend_built)
#define aeadfast_backend_available AEADFAST_INTERNAL(backend_available)

/* The backend of this architecture with that name, in the build or not; NULL where there is none.
 */
AEADFAST_HIDDEN const struct backend *aeadfast_backend_find(const char *name);

/* Whether any row of this build belongs to it. */
AEADFAST_HIDDEN int aeadfast_backend_built(const struct backend *backend);

/* Whether it is built and the processor has what it needs. */
AEADFAST_HIDDEN int aeadfast_backend_available(const struct backend *backend,
                                               const struct cpu *cpu);

/*
 * Turns the text of AEADFAST_BACKEND into the candidates of each operation. Returns NULL, or what
 * is wrong with the text as half a sentence in constant storage; then masks[] is untouched.
 */
AEADFAST_HIDDEN const char *aeadfast_backend_parse(const char *spec, const struct cpu *cpu,
                                                   uint32_t masks[OP_COUNT]);

/* ---- dispatch.c ---- */

#define aeadfast_choice     AEADFAST_INTERNAL(choice)
#define aeadfast_choose     AEADFAST_INTERNAL(choose)
#define aeadfast_spec_error AEADFAST_INTERNAL(spec_error)

/* Candidates in force for each operation: 0 not yet made, CHOICE_ERROR no backend to be had. */
#define CHOICE_ERROR 0x80000000u
AEADFAST_HIDDEN extern _Atomic uint32_t aeadfast_choice[OP_COUNT];

/* Makes the choice where it is not made yet, and returns it for one operation. */
AEADFAST_HIDDEN uint32_t aeadfast_choose(aeadfast_op op);

/* What is wrong with AEADFAST_BACKEND, or NULL. */
AEADFAST_HIDDEN const char *aeadfast_spec_error(void);

/* The candidates in force; CHOICE_ERROR where AEADFAST_BACKEND cannot be had. */
static inline uint32_t aeadfast_candidates_now(aeadfast_op op)
{
    /* Relaxed: the word is all there is; what it stands for is constant data. */
    uint32_t choice = atomic_load_explicit(&aeadfast_choice[op], memory_order_relaxed);

    return choice != 0 ? choice : aeadfast_choose(op);
}

/* The kernel for a message, or NULL where the call must return AEADFAST_ERR_BACKEND. */
static inline const struct kernel_row *aeadfast_kernel_for(aeadfast_op op, size_t len)
{
    uint32_t choice = aeadfast_candidates_now(op);

    if (choice == CHOICE_ERROR) {
        return NULL;
    }
    return aeadfast_pick(&aeadfast_kernel_lists[op], choice, len);
}

#endif
