/* SPDX-License-Identifier: MIT */
/*
 * What sealfile needs of the system beyond C, so that its other files need not know which one it
 * is. Functions that fail leave the reason in errno.
 */
#ifndef SEALFILE_OS_H
#define SEALFILE_OS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* n bytes, 256 at most, that nobody can guess. 0, or -1 where the system has none to give. */
int os_random(uint8_t *out, size_t n);

/*
 * Makes a file that is not there yet and opens it for writing; NULL where it is there. A private
 * one can be read by its owner alone.
 */
FILE *os_create_new(const char *path, int is_private);

/* Waits until what was written is on the disk. 0 or -1. */
int os_sync(FILE *f);

/* Renames, in one step, over what may be there. 0 or -1. */
int os_replace(const char *from, const char *to);

enum os_kind { OS_NOTHING, OS_REGULAR, OS_DIRECTORY, OS_OTHER };
enum os_kind os_kind_of(const char *path); /* follows links */

/* Where a link leads in the end, else the path itself; to be freed. NULL where it leads nowhere. */
char *os_resolve(const char *path);

/* Whether both are the same regular file, under whatever names. */
int os_is_same_file(FILE *a, FILE *b);
int os_is_file_at(FILE *f, const char *path);

/* Bytes in a regular file; -1 for anything else. */
int64_t os_regular_size(FILE *f);

int os_is_terminal(FILE *f);

/* For standard input and output, which some systems open for text. */
void os_set_binary(FILE *f);

/* Since some moment in the past; never steps back. */
double os_seconds(void);

/*
 * To be called first. From then on a signal that ends the program removes the file that is set with
 * os_remove_on_signal, if any; the path must stay valid until NULL is set. Between the other two
 * no such signal is taken. (Not on Windows, where Ctrl-C may leave the file.)
 */
void os_catch_signals(void);
void os_hold_signals(void);
void os_release_signals(void);
void os_remove_on_signal(const char *path);

#endif
