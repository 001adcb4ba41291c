/* SPDX-License-Identifier: MIT */
/* The tables of kernels and backends, made of src/<architecture>/kernels.h and the portable rows.
 */
#include "dispatch.h"

#if defined(AEADFAST_ARCH_X86_64)
#include "x86_64/cpu_bits.h"
#elif defined(AEADFAST_ARCH_AARCH64)
#include "aarch64/cpu_bits.h"
#elif defined(AEADFAST_ARCH_RISCV64)
#include "riscv/cpu_bits.h"
#endif

/*
 * IF_BUILT(chacha20_avx2, text) is the text where the build defines AEADFAST_HAVE_chacha20_avx2 as
 * 1, and nothing where it does not: only a 1 makes a comma that shifts KEEP to second place.
 */
#define IF_BUILT(name, ...)      BUILT_SELECT(AEADFAST_HAVE_##name)(__VA_ARGS__)
#define BUILT_SELECT(have)       BUILT_SELECT_(have)
#define BUILT_SELECT_(have)      BUILT_SECOND(BUILT_COMMA_##have BUILT_KEEP, BUILT_DROP, 0)
#define BUILT_SECOND(...)        BUILT_SECOND_(__VA_ARGS__)
#define BUILT_SECOND_(a, b, ...) b
#define BUILT_COMMA_1            0,
#define BUILT_KEEP(...)          __VA_ARGS__
#define BUILT_DROP(...)

/* ---- Backends, numbered in the order of their lines, portable first ---- */

enum {
    BACKEND_portable,
#define BACKEND(name, needs, allows) BACKEND_##name,
#include "kernel_rows.h"
    BACKEND_COUNT
};

const struct backend aeadfast_backends[] = {
    {"portable", 0, 0},
#define BACKEND(name, needs, allows) {#name, needs, allows},
#include "kernel_rows.h"
};

const unsigned aeadfast_backends_size = BACKEND_COUNT;

/* ---- Declarations of the kernels that are in the build ---- */

#define DECLARE(type, name) extern AEADFAST_HIDDEN const struct type AEADFAST_KERNEL(name);

#define CHACHA20(isa, backend, needs, wants, min_len)                                              \
    IF_BUILT(chacha20_##isa, DECLARE(chacha_kernel, chacha20_##isa))
#define POLY1305(isa, backend, needs, wants, min_len)                                              \
    IF_BUILT(poly1305_##isa, DECLARE(poly1305_kernel, poly1305_##isa))
#define CHACHA20_POLY1305(isa, backend, needs, wants, min_len)                                     \
    IF_BUILT(chacha20_poly1305_##isa, DECLARE(chacha20_poly1305_kernel, chacha20_poly1305_##isa))
#define AES_GCM(isa, backend, needs, wants, min_len)                                               \
    IF_BUILT(aes_gcm_##isa, DECLARE(aes_gcm_kernel, aes_gcm_##isa))
#include "kernel_rows.h"

DECLARE(chacha_kernel, chacha20_portable)
DECLARE(poly1305_kernel, poly1305_portable32)
DECLARE(chacha20_poly1305_kernel, chacha20_poly1305_portable)
DECLARE(aes_gcm_kernel, aes_gcm_portable32)
#if defined(__SIZEOF_INT128__)
DECLARE(poly1305_kernel, poly1305_portable)
DECLARE(aes_gcm_kernel, aes_gcm_portable)
#endif

/* ---- Rows ---- */

#define ROW(name, text, member, backend, needs, wants, min_len)                                    \
    {text, BACKEND_##backend, needs, wants, min_len, {.member = &AEADFAST_KERNEL(name)}},
#define PORTABLE_ROW(name, text, member) ROW(name, text, member, portable, 0, 0, 0)

/*
 * Where there are 64-bit limbs, the 32-bit form stands below a row that takes everything: it is
 * never chosen, but is tested like all others. Where there are none, it is the portable kernel.
 */
#if defined(__SIZEOF_INT128__)
#define PORTABLE_ROWS(name, member)                                                                \
    PORTABLE_ROW(name, "portable", member) PORTABLE_ROW(name##32, "portable32", member)
#else
#define PORTABLE_ROWS(name, member) PORTABLE_ROW(name##32, "portable", member)
#endif

static const struct kernel_row chacha20_rows[] = {
#define CHACHA20(isa, backend, needs, wants, min_len)                                              \
    IF_BUILT(chacha20_##isa, ROW(chacha20_##isa, #isa, chacha, backend, needs, wants, min_len))
#include "kernel_rows.h"
    PORTABLE_ROW(chacha20_portable, "portable", chacha)};

static const struct kernel_row poly1305_rows[] = {
#define POLY1305(isa, backend, needs, wants, min_len)                                              \
    IF_BUILT(poly1305_##isa, ROW(poly1305_##isa, #isa, poly1305, backend, needs, wants, min_len))
#include "kernel_rows.h"
    PORTABLE_ROWS(poly1305_portable, poly1305)};

static const struct kernel_row chacha20_poly1305_rows[] = {
#define CHACHA20_POLY1305(isa, backend, needs, wants, min_len)                                     \
    IF_BUILT(chacha20_poly1305_##isa,                                                              \
             ROW(chacha20_poly1305_##isa, #isa, aead, backend, needs, wants, min_len))
#include "kernel_rows.h"
    PORTABLE_ROW(chacha20_poly1305_portable, "portable", aead)};

static const struct kernel_row aes_gcm_rows[] = {
#define AES_GCM(isa, backend, needs, wants, min_len)                                               \
    IF_BUILT(aes_gcm_##isa, ROW(aes_gcm_##isa, #isa, aes_gcm, backend, needs, wants, min_len))
#include "kernel_rows.h"
    PORTABLE_ROWS(aes_gcm_portable, aes_gcm)};

#define LIST(rows)                                                                                 \
    {                                                                                              \
        rows, sizeof(rows) / sizeof((rows)[0])                                                     \
    }

const struct kernel_list aeadfast_kernel_lists[OP_COUNT] = {
    [AEADFAST_OP_CHACHA20] = LIST(chacha20_rows),
    [AEADFAST_OP_POLY1305] = LIST(poly1305_rows),
    [AEADFAST_OP_CHACHA20_POLY1305] = LIST(chacha20_poly1305_rows),
    [AEADFAST_OP_AES_GCM] = LIST(aes_gcm_rows),
};

const char *const aeadfast_op_names[OP_COUNT] = {
    [AEADFAST_OP_CHACHA20] = "chacha20",
    [AEADFAST_OP_POLY1305] = "poly1305",
    [AEADFAST_OP_CHACHA20_POLY1305] = "chacha20_poly1305",
    [AEADFAST_OP_AES_GCM] = "aes_gcm",
};
