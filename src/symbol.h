/* SPDX-License-Identifier: MIT */
/*
 * Names of what one object of the library shares with another: all start with aeadfast_, or with
 * AEADFAST_PREFIX aeadfast_ where one is set, and are hidden from anything that links dynamically.
 */
#ifndef AEADFAST_SYMBOL_H
#define AEADFAST_SYMBOL_H

#define AEADFAST_PASTE_(a, b) a##b
#define AEADFAST_PASTE(a, b)  AEADFAST_PASTE_(a, b)

#ifdef AEADFAST_PREFIX
#define AEADFAST_INTERNAL(name) AEADFAST_PASTE(AEADFAST_PREFIX, aeadfast_##name)
#else
#define AEADFAST_INTERNAL(name) aeadfast_##name
#endif

#if defined(__GNUC__) && !defined(_WIN32)
#define AEADFAST_HIDDEN __attribute__((visibility("hidden")))
#else
#define AEADFAST_HIDDEN
#endif

#endif
