/* SPDX-License-Identifier: MIT */
/*
 * The kernel lists of one architecture as constants without kernels, for any machine: names, needs
 * and thresholds are all that choosing looks at. Defines <ARCH>_backends and <ARCH>_lists. Included
 * once an architecture, with ARCH and ARCH_KERNELS defined, both undefined afterwards. No include
 * guard.
 */
#define ARCH_PASTE_(a, b) a##_##b
#define ARCH_PASTE(a, b)  ARCH_PASTE_(a, b)
#define ARCH_NAME(name)   ARCH_PASTE(ARCH, name)

enum {
    ARCH_NAME(portable),
#define BACKEND(name, needs, allows) ARCH_NAME(name),
#include "kernel_rows.h"
    ARCH_NAME(backend_count)
};

static const struct backend ARCH_NAME(backends)[] = {
    {"portable", 0, 0},
#define BACKEND(name, needs, allows) {#name, needs, allows},
#include "kernel_rows.h"
};

#define ARCH_ROW(isa, backend, needs, wants, min_len)                                              \
    {#isa, ARCH_NAME(backend), needs, wants, min_len, {NULL}},
#define ARCH_PORTABLE                                                                              \
    {                                                                                              \
        "portable", ARCH_NAME(portable), 0, 0, 0,                                                  \
        {                                                                                          \
            NULL                                                                                   \
        }                                                                                          \
    }

static const struct kernel_row ARCH_NAME(chacha20_rows)[] = {
#define CHACHA20(isa, backend, needs, wants, min_len) ARCH_ROW(isa, backend, needs, wants, min_len)
#include "kernel_rows.h"
    ARCH_PORTABLE};

static const struct kernel_row ARCH_NAME(poly1305_rows)[] = {
#define POLY1305(isa, backend, needs, wants, min_len) ARCH_ROW(isa, backend, needs, wants, min_len)
#include "kernel_rows.h"
    ARCH_PORTABLE};

static const struct kernel_row ARCH_NAME(chacha20_poly1305_rows)[] = {
#define CHACHA20_POLY1305(isa, backend, needs, wants, min_len)                                     \
    ARCH_ROW(isa, backend, needs, wants, min_len)
#include "kernel_rows.h"
    ARCH_PORTABLE};

static const struct kernel_row ARCH_NAME(aes_gcm_rows)[] = {
#define AES_GCM(isa, backend, needs, wants, min_len) ARCH_ROW(isa, backend, needs, wants, min_len)
#include "kernel_rows.h"
    ARCH_PORTABLE};

#define ARCH_LIST(rows)                                                                            \
    {                                                                                              \
        rows, sizeof(rows) / sizeof((rows)[0])                                                     \
    }

static const struct kernel_list ARCH_NAME(lists)[OP_COUNT] = {
    [AEADFAST_OP_CHACHA20] = ARCH_LIST(ARCH_NAME(chacha20_rows)),
    [AEADFAST_OP_POLY1305] = ARCH_LIST(ARCH_NAME(poly1305_rows)),
    [AEADFAST_OP_CHACHA20_POLY1305] = ARCH_LIST(ARCH_NAME(chacha20_poly1305_rows)),
    [AEADFAST_OP_AES_GCM] = ARCH_LIST(ARCH_NAME(aes_gcm_rows)),
};

#undef ARCH_LIST
#undef ARCH_PORTABLE
#undef ARCH_ROW
#undef ARCH_NAME
#undef ARCH_PASTE
#undef ARCH_PASTE_
#undef ARCH_KERNELS
#undef ARCH
