/* SPDX-License-Identifier: MIT */
/*
 * Files of known answers. ASCII lines; one that starts with # is a comment; blank lines part
 * records; a record is lines `name = value`, each name once. Values of key, nonce, aad, msg, pt,
 * ct, tag, in and out are byte strings in lower-case hex; those of tag_bits and counter are
 * decimal; the rest is text. Names that are not known are kept and otherwise ignored.
 *
 * Each record has alg, source, and result: valid, or invalid with a reject of tag or nonce-size.
 */
#ifndef TEST_VECTORS_H
#define TEST_VECTORS_H

#include <stddef.h>
#include <stdint.h>

#define VECTOR_FIELDS_MAX 24

struct vector_bytes {
    const uint8_t *p; /* never NULL, not even with n 0 */
    size_t n;
};

struct vector_field {
    const char *name;
    const char *text; /* NULL for a byte string */
    struct vector_bytes bytes;
};

struct vector {
    const char *file;
    unsigned line; /* of the record's first field */
    unsigned count;
    struct vector_field fields[VECTOR_FIELDS_MAX];
};

/* Gets each record in turn; the record and what it points to end with the call. */
typedef void vector_body(const struct vector *v, void *context);

/*
 * Reads the file, or the `n` characters at `text`, which it overwrites, and calls `file` in
 * messages. Returns the number of records, or -1 after saying on stderr what is wrong and in which
 * line (`file` NULL: says nothing); the records before it have been handed out by then.
 */
long vectors_read(const char *file, vector_body *body, void *context);
long vectors_parse(char *text, size_t n, const char *file, vector_body *body, void *context);

/*
 * Reads every *.txt file of a folder but LICENSE*, in the order of their names. Returns the number
 * of records, or -1 where a file is malformed or the folder cannot be read.
 */
long vectors_read_folder(const char *folder, vector_body *body, void *context);

/* A field by name: the text or NULL; whether the byte string is there. */
const char *vector_text(const struct vector *v, const char *name);
int vector_has_bytes(const struct vector *v, const char *name);

/* A field that must be there, of `want` bytes where that is not SIZE_MAX; fails the test if not. */
struct vector_bytes vector_bytes(const struct vector *v, const char *name, size_t want);
uint32_t vector_number(const struct vector *v, const char *name);

int vector_is(const struct vector *v, const char *name, const char *text);

#endif
