/* SPDX-License-Identifier: MIT */
/*
 * Hit marks. Linked before the library, this takes the place of src/kernel_list.c: the same rows,
 * made from the same file of rows, but each with functions that count the call and hand it on. Which
 * kernel a public function reached is then seen, and not concluded from the name that it has.
 *
 * It takes the place of the probe too. On a made-up processor a row that the real one cannot run
 * counts and has the portable kernel do the work, so that any processor of this architecture can be
 * tried through the public functions.
 */
#ifndef AEADFAST_TESTS_COUNTED_KERNELS_H
#define AEADFAST_TESTS_COUNTED_KERNELS_H

#include <stdint.h>

#include "dispatch.h"

enum { COUNTED_ROWS = 31 };

/* Calls of each row since the last counted_reset, whichever of its functions. */
extern unsigned counted_hits[OP_COUNT][COUNTED_ROWS];

void counted_reset(void);

/* What the probe says from now on; before, and for NULL, it is what the real one says. */
void counted_processor(const struct cpu *cpu);

/* What the real one says. */
struct cpu counted_real_processor(void);

/* Fills in the rows: to be called before anything else of the library is. */
void counted_setup(void);

#endif
