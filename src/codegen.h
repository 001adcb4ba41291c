/* SPDX-License-Identifier: MIT */
/*
 * Requests to the compiler, for code whose arrays of words have to become registers.
 *
 * UNROLL, before a loop with a constant number of turns, 16 at most, unrolls it. Clang does so by
 * itself, GCC not at -O2: bitsliced AES takes 1.4 times as long then.
 *
 * UNROLL_CLANG unrolls with Clang (at -O2 it would not; GHASH gains a third), and keeps the loop
 * with GCC: with many 128-bit products at once it spills them all, which costs as much.
 *
 * ALWAYS_INLINE, in place of `static inline`, is for functions with a parameter that has to become a
 * constant, or an array that has to be their caller's registers.
 *
 * OWN_FRAME, in place of `static inline`: what compilers spill of secrets lies in a frame of its own then,
 * where a kernel's stack is cleared. OWN_FRAME_ON_RISCV: where words are loaded and stored by the byte,
 * they spill some.
 */
#ifndef AEADFAST_CODEGEN_H
#define AEADFAST_CODEGEN_H

#if defined(__clang__)
#define UNROLL
#define UNROLL_CLANG _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL       _Pragma("GCC unroll 16")
#define UNROLL_CLANG _Pragma("GCC unroll 1")
#else
#define UNROLL
#define UNROLL_CLANG
#endif

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

#if defined(__GNUC__)
#define OWN_FRAME __attribute__((noinline)) static
#else
#define OWN_FRAME static
#endif

#if defined(__riscv)
#define OWN_FRAME_ON_RISCV OWN_FRAME
#else
#define OWN_FRAME_ON_RISCV static inline
#endif

#endif
