/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores of any alignment, in either byte order, and small constant-time helpers. Static
 * only, plain C, and safe to include in kernels of every instruction set.
 */
#ifndef AEADFAST_BYTES_H
#define AEADFAST_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AEADFAST_LITTLE_ENDIAN 1
#elif defined(_WIN32)
#define AEADFAST_LITTLE_ENDIAN 1
#else
#define AEADFAST_LITTLE_ENDIAN 0
#endif

/*
 * memcpy where the byte order allows it: compilers make it one instruction, whereas Clang 14 leaves
 * the shifts of a load that is masked or shifted further as they are (16 loads a Poly1305 block).
 */
static inline uint32_t load_le32(const uint8_t *p)
{
#if AEADFAST_LITTLE_ENDIAN
    uint32_t v;

    memcpy(&v, p, sizeof(v));
    return v;
#else
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
#endif
}

static inline uint64_t load_le64(const uint8_t *p)
{
#if AEADFAST_LITTLE_ENDIAN
    uint64_t v;

    memcpy(&v, p, sizeof(v));
    return v;
#else
    return (uint64_t)load_le32(p) | (uint64_t)load_le32(p + 4) << 32;
#endif
}

static inline uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t load_be64(const uint8_t *p)
{
    return (uint64_t)load_be32(p) << 32 | (uint64_t)load_be32(p + 4);
}

static inline void store_le32(uint8_t *p, uint32_t v)
{
#if AEADFAST_LITTLE_ENDIAN
    memcpy(p, &v, sizeof(v));
#else
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
#endif
}

static inline void store_le64(uint8_t *p, uint64_t v)
{
#if AEADFAST_LITTLE_ENDIAN
    memcpy(p, &v, sizeof(v));
#else
    store_le32(p, (uint32_t)v);
    store_le32(p + 4, (uint32_t)(v >> 32));
#endif
}

static inline void store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

static inline void store_be64(uint8_t *p, uint64_t v)
{
    store_be32(p, (uint32_t)(v >> 32));
    store_be32(p + 4, (uint32_t)v);
}

/* memcpy and memset that take NULL with length 0, which the standard ones do not. */
static inline void copy_bytes(uint8_t *dst, const uint8_t *src, size_t n)
{
    if (n != 0) {
        memcpy(dst, src, n);
    }
}

static inline void zero_bytes(uint8_t *dst, size_t n)
{
    if (n != 0) {
        memset(dst, 0, n);
    }
}

#endif
