/* SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#define _DEFAULT_SOURCE /* opendir */
#define _DARWIN_C_SOURCE
#endif

#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hex.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <dirent.h>
#endif

static long malformed(const struct vector *v, unsigned line, const char *what)
{
    if (v->file != NULL) {
        fprintf(stderr, "%s:%u: %s\n", v->file, line, what);
    }
    return -1;
}

static int is_in(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(name, list[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static int is_byte_string(const char *name)
{
    static const char *const names[] = {"key", "nonce", "aad", "msg", "pt",
                                        "ct",  "tag",   "in",  "out"};

    return is_in(name, names, sizeof names / sizeof names[0]);
}

static int is_decimal(const char *name)
{
    static const char *const names[] = {"tag_bits", "counter"};

    return is_in(name, names, sizeof names / sizeof names[0]);
}

/* 0 to 2^32 - 1 without sign, blanks or leading zeros; -1 for anything else. */
static int64_t decimal(const char *text)
{
    uint64_t value = 0;

    if (text[0] == '\0' || (text[0] == '0' && text[1] != '\0') || strlen(text) > 10) {
        return -1;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return -1;
        }
        value = value * 10 + (uint64_t)(*text - '0');
    }
    return value > UINT32_MAX ? -1 : (int64_t)value;
}

static char *trim(char *start, char *end)
{
    while (start < end && *start == ' ') {
        start++;
    }
    while (end > start && end[-1] == ' ') {
        end--;
    }
    *end = '\0';
    return start;
}

static const struct vector_field *find(const struct vector *v, const char *name)
{
    for (unsigned i = 0; i < v->count; i++) {
        if (strcmp(v->fields[i].name, name) == 0) {
            return &v->fields[i];
        }
    }
    return NULL;
}

/* Takes one line `name = value`, without its end, apart. */
static long add_field(struct vector *v, char *start, char *end, unsigned line)
{
    struct vector_field *field = &v->fields[v->count];
    char *equals = memchr(start, '=', (size_t)(end - start));
    char *name;
    char *value;

    if (equals == NULL) {
        return malformed(v, line, "no = in the line");
    }
    if (v->count == VECTOR_FIELDS_MAX) {
        return malformed(v, line, "too many fields in a record");
    }
    value = trim(equals + 1, end);
    name = trim(start, equals);
    if (name[0] == '\0' || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name)) {
        return malformed(v, line, "not a field's name");
    }
    if (find(v, name) != NULL) {
        return malformed(v, line, "the name occurs twice in the record");
    }
    field->name = name;
    field->text = value;
    field->bytes.p = NULL;
    field->bytes.n = 0;
    if (is_byte_string(name)) {
        size_t digits = strlen(value);

        /* in place: byte i goes where digit i was, which has been read by then */
        if (hex_decode((uint8_t *)value, value, digits) != 0) {
            return malformed(v, line, "not a byte string in lower-case hex");
        }
        field->text = NULL;
        field->bytes.p = (const uint8_t *)value;
        field->bytes.n = digits / 2;
    } else if (is_decimal(name) && decimal(value) < 0) {
        return malformed(v, line, "not a decimal number below 2^32");
    }
    v->count++;
    return 0;
}

static long check_record(const struct vector *v)
{
    const char *result = vector_text(v, "result");
    const char *reject = vector_text(v, "reject");

    if (vector_text(v, "alg") == NULL || vector_text(v, "source") == NULL || result == NULL) {
        return malformed(v, v->line, "a record without alg, source or result");
    }
    if (strcmp(result, "valid") == 0) {
        return reject == NULL ? 0 : malformed(v, v->line, "reject in a valid record");
    }
    if (strcmp(result, "invalid") != 0) {
        return malformed(v, v->line, "result is neither valid nor invalid");
    }
    if (reject == NULL || (strcmp(reject, "tag") != 0 && strcmp(reject, "nonce-size") != 0)) {
        return malformed(v, v->line, "an invalid record without reject = tag or nonce-size");
    }
    return 0;
}

static long end_record(struct vector *v, vector_body *body, void *context)
{
    if (v->count == 0) {
        return 0;
    }
    if (check_record(v) != 0) {
        return -1;
    }
    body(v, context);
    v->count = 0;
    return 1;
}

long vectors_parse(char *text, size_t n, const char *file, vector_body *body, void *context)
{
    struct vector v = {.file = file, .count = 0};
    char *end = text + n;
    long records = 0;
    unsigned line = 0;
    long added;

    while (text < end) {
        char *newline = memchr(text, '\n', (size_t)(end - text));

        line++;
        if (newline == NULL) {
            return malformed(&v, line, "the last line has no end");
        }
        for (const char *p = text; p < newline; p++) {
            if (*p < ' ' || *p > '~') {
                return malformed(&v, line, "a character that is not printable ASCII");
            }
        }
        if (text == newline) {
            added = end_record(&v, body, context);
            if (added < 0) {
                return -1;
            }
            records += added;
        } else if (*text != '#') {
            if (v.count == 0) {
                v.line = line;
            }
            if (add_field(&v, text, newline, line) != 0) {
                return -1;
            }
        }
        text = newline + 1;
    }
    added = end_record(&v, body, context);
    return added < 0 ? -1 : records + added;
}

static char *read_file(const char *file, size_t *n)
{
    FILE *f = fopen(file, "rb");
    char *text = NULL;
    long size;

    if (f == NULL) {
        perror(file);
        return NULL;
    }
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0) {
        *n = (size_t)size;
        text = malloc(*n + 1);
        if (text != NULL && fread(text, 1, *n, f) != *n) {
            free(text);
            text = NULL;
        }
    }
    if (text == NULL) {
        fprintf(stderr, "%s: cannot be read\n", file);
    }
    fclose(f);
    return text;
}

long vectors_read(const char *file, vector_body *body, void *context)
{
    size_t n = 0;
    char *text = read_file(file, &n);
    long records = -1;

    if (text != NULL) {
        records = vectors_parse(text, n, file, body, context);
        free(text);
    }
    return records;
}

/* ---- folders ---- */

#define FILES_MAX 256

struct file_names {
    char *name[FILES_MAX];
    size_t count;
};

static void add_name(struct file_names *names, const char *folder, const char *name)
{
    size_t n = strlen(name);
    size_t size = strlen(folder) + n + 2;

    if (n > 4 && strcmp(name + n - 4, ".txt") == 0 && strncmp(name, "LICENSE", 7) != 0) {
        char *path = names->count < FILES_MAX ? malloc(size) : NULL;

        if (path == NULL) {
            fprintf(stderr, "%s: too many files, or no memory for them\n", folder);
            exit(2);
        }
        snprintf(path, size, "%s/%s", folder, name);
        names->name[names->count++] = path;
    }
}

#if defined(_WIN32)

static int list_folder(struct file_names *names, const char *folder)
{
    WIN32_FIND_DATAA found;
    char pattern[MAX_PATH];
    HANDLE handle;

    snprintf(pattern, sizeof pattern, "%s\\*.txt", folder);
    handle = FindFirstFileA(pattern, &found);
    if (handle == INVALID_HANDLE_VALUE) {
        return -1;
    }
    do {
        add_name(names, folder, found.cFileName);
    } while (FindNextFileA(handle, &found));
    FindClose(handle);
    return 0;
}

#else

static int list_folder(struct file_names *names, const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    if (dir == NULL) {
        return -1;
    }
    while ((entry = readdir(dir)) != NULL) {
        add_name(names, folder, entry->d_name);
    }
    closedir(dir);
    return 0;
}

#endif

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

long vectors_read_folder(const char *folder, vector_body *body, void *context)
{
    struct file_names names = {.count = 0};
    long records = 0;

    if (list_folder(&names, folder) != 0) {
        perror(folder);
        return -1;
    }
    qsort(names.name, names.count, sizeof names.name[0], compare_names);
    for (size_t i = 0; i < names.count; i++) {
        long more = records < 0 ? -1 : vectors_read(names.name[i], body, context);

        records = more < 0 ? -1 : records + more;
        free(names.name[i]);
    }
    return records;
}

/* ---- fields ---- */

const char *vector_text(const struct vector *v, const char *name)
{
    const struct vector_field *field = find(v, name);

    return field == NULL ? NULL : field->text;
}

int vector_has_bytes(const struct vector *v, const char *name)
{
    const struct vector_field *field = find(v, name);

    return field != NULL && field->text == NULL;
}

struct vector_bytes vector_bytes(const struct vector *v, const char *name, size_t want)
{
    static const struct vector_bytes none = {(const uint8_t *)"", 0};
    const struct vector_field *field = find(v, name);

    check_true(field != NULL && field->text == NULL, "%s:%u: no %s", v->file, v->line, name);
    if (field == NULL) {
        return none;
    }
    check_true(want == SIZE_MAX || field->bytes.n == want, "%s:%u: %s has %zu bytes, not %zu",
               v->file, v->line, name, field->bytes.n, want);
    return field->bytes;
}

uint32_t vector_number(const struct vector *v, const char *name)
{
    const char *text = vector_text(v, name);
    int64_t value = text == NULL ? -1 : decimal(text);

    check_true(value >= 0, "%s:%u: no number %s", v->file, v->line, name);
    return (uint32_t)value;
}

int vector_is(const struct vector *v, const char *name, const char *text)
{
    const char *value = vector_text(v, name);

    return value != NULL && strcmp(value, text) == 0;
}
