/* SPDX-License-Identifier: MIT */
/*
 * Which kernel serves which call. Each layer has a file of its own:
 *
 *   kernel_list.c    the rows, one a kernel, best first: constant data
 *   select.c         choosing among rows for a given processor and length: pure functions
 *   backend_spec.c   AEADFAST_BACKEND: a backend for all operations, or for some
 *   thresholds.c     AEADFAST_MIN_LEN: thresholds to try instead of those of the rows
 *   dispatch.c       the choice in force: made once from the processor and the environment,
 *                    published with C11 atomics, changed by aeadfast_backend_select
 *
 * A set of rows is a 32-bit mask: bit i is row i. The choice in force for an operation is such a
 * mask, one atomic word, so publishing needs no lock and no storage, and two threads that find it
 * empty at once compute and store the same word.
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
    unsigned count; /* at most ROWS_MAX */
};

/* As many as a set has bits for, beside CHOICE_ERROR and CHOICE_TUNED. */
#define ROWS_MAX 30

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
#define aeadfast_all_wanted AEADFAST_INTERNAL(all_wanted)
#define aeadfast_candidates AEADFAST_INTERNAL(candidates)
#define aeadfast_family     AEADFAST_INTERNAL(family)
#define aeadfast_select     AEADFAST_INTERNAL(select)
#define aeadfast_pick_tuned AEADFAST_INTERNAL(pick_tuned)
#define aeadfast_part       AEADFAST_INTERNAL(part)

/* Whether the processor can run the row's kernel. */
AEADFAST_HIDDEN int aeadfast_row_runs(const struct kernel_row *row, const struct cpu *cpu);

/*
 * The rows that may serve messages of one length or another: forced NULL, those that run and are
 * wanted; otherwise just the best one that runs and whose needs the backend allows. Never 0.
 */
AEADFAST_HIDDEN uint32_t aeadfast_candidates(const struct kernel_list *list, const struct cpu *cpu,
                                             const struct backend *forced);

/* All that run and are wanted, whatever their thresholds leave for them to do. Never 0. */
AEADFAST_HIDDEN uint32_t aeadfast_all_wanted(const struct kernel_list *list, const struct cpu *cpu);

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

/* In a set: the thresholds are those of AEADFAST_MIN_LEN, not those of the rows. */
#define CHOICE_TUNED 0x40000000u

/* What aeadfast_pick does with such a set. */
AEADFAST_HIDDEN const struct kernel_row *aeadfast_pick_tuned(const struct kernel_list *list,
                                                             uint32_t candidates, size_t len);

/* The best of the candidates for a length: the first whose min_len it reaches, else the last. */
static inline const struct kernel_row *aeadfast_pick(const struct kernel_list *list,
                                                     uint32_t candidates, size_t len)
{
    const struct kernel_row *row = &list->rows[aeadfast_best(candidates)];

    if ((candidates & CHOICE_TUNED) != 0) {
        return aeadfast_pick_tuned(list, candidates, len);
    }
    while (len < row->min_len && (candidates & (candidates - 1)) != 0) {
        candidates &= candidates - 1;
        row = &list->rows[aeadfast_best(candidates)];
    }
    return row;
}

/* All of it for a made-up processor: the index of the row that a message of `len` bytes gets. */
AEADFAST_HIDDEN unsigned aeadfast_select(const struct kernel_list *list, const struct cpu *cpu,
                                         const struct backend *forced, size_t len);

/*
 * The best row for `len` bytes that needs and wants nothing beyond a row of another operation, which
 * it does a part of: so it runs wherever that one does, and belongs to its backend.
 */
AEADFAST_HIDDEN const struct kernel_row *aeadfast_part(const struct kernel_list *list,
                                                       const struct kernel_row *whole, size_t len);

/* ---- backend_spec.c ---- */

#define aeadfast_backend_find      AEADFAST_INTERNAL(backend_find)
#define aeadfast_backend_parse     AEADFAST_INTERNAL(backend_parse)
#define aeadfast_backend_built     AEADFAST_INTERNAL(backend_built)
#define aeadfast_backend_available AEADFAST_INTERNAL(backend_available)
#define aeadfast_backend_forces    AEADFAST_INTERNAL(backend_forces)

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
 * is wrong with the text: a sentence in constant storage that begins with the variable's name; then
 * masks[] is untouched.
 */
AEADFAST_HIDDEN const char *aeadfast_backend_parse(const char *spec, const struct cpu *cpu,
                                                   uint32_t masks[OP_COUNT]);

/* Whether such a text, which was parsed without a complaint, says anything of an operation. */
AEADFAST_HIDDEN int aeadfast_backend_forces(const char *spec, aeadfast_op op);

/* ---- thresholds.c ---- */

#define aeadfast_tuned_min_len    AEADFAST_INTERNAL(tuned_min_len)
#define aeadfast_thresholds_parse AEADFAST_INTERNAL(thresholds_parse)
#define aeadfast_thresholds_set   AEADFAST_INTERNAL(thresholds_set)

struct thresholds {
    size_t min_len[OP_COUNT][ROWS_MAX];
    int named[OP_COUNT]; /* whether any of the operation's is not that of its row */
};

/*
 * Reads the text of AEADFAST_MIN_LEN; NULL and "" change nothing. Returns NULL, or what is wrong
 * with the text, as above.
 */
AEADFAST_HIDDEN const char *aeadfast_thresholds_parse(const char *spec,
                                                      struct thresholds *thresholds);

/* Puts them in force for candidates with CHOICE_TUNED that are published afterwards. */
AEADFAST_HIDDEN void aeadfast_thresholds_set(const struct thresholds *thresholds);

/* The one in force for a row. */
AEADFAST_HIDDEN size_t aeadfast_tuned_min_len(const struct kernel_list *list, unsigned row);

/* ---- dispatch.c ---- */

#define aeadfast_choice     AEADFAST_INTERNAL(choice)
#define aeadfast_choose     AEADFAST_INTERNAL(choose)
#define aeadfast_spec_error AEADFAST_INTERNAL(spec_error)

/* Candidates in force for each operation: 0 not yet made, CHOICE_ERROR no backend to be had. */
#define CHOICE_ERROR 0x80000000u
AEADFAST_HIDDEN extern _Atomic uint32_t aeadfast_choice[OP_COUNT];

/* Makes the choice where it is not made yet, and returns it for one operation. */
AEADFAST_HIDDEN uint32_t aeadfast_choose(aeadfast_op op);

/* What is wrong with AEADFAST_BACKEND or AEADFAST_MIN_LEN, or NULL. */
AEADFAST_HIDDEN const char *aeadfast_spec_error(void);

/* The candidates in force; CHOICE_ERROR where the environment asks for what cannot be had. */
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
