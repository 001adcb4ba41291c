/* SPDX-License-Identifier: MIT */
/* What the two adapters of ipsec-mb share. */
#ifndef AEADFAST_BENCH_IPSEC_MB_H
#define AEADFAST_BENCH_IPSEC_MB_H

#include <intel-ipsec-mb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct gcm {
    struct gcm_key_data key; /* wants 64-byte alignment */
    struct gcm_context_data context;
};

static inline void *new_gcm(void)
{
    void *gcm = NULL;

    return posix_memalign(&gcm, 64, sizeof(struct gcm)) == 0 ? gcm : NULL;
}

static inline void *copy_key(const uint8_t *key, size_t len)
{
    void *copy = malloc(len);

    return copy != NULL ? memcpy(copy, key, len) : NULL;
}

/* The library leaves the comparison to its caller. memcmp, since its VAES code leaves the upper halves
 * of registers dirty, and compilers made SSE code of a loop, which then took 120 ns. */
static inline int tags_match(const uint8_t a[16], const uint8_t b[16])
{
    return memcmp(a, b, 16) == 0;
}

#endif
