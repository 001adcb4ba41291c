/* SPDX-License-Identifier: MIT */
/*
 * Seals files of any size under a random key, and opens them again: see sealfile_command.c for how,
 * and sealfile_format.h for what a sealed file is.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <aeadfast.h>

#include "sealfile_command.h"
#include "sealfile_format.h"
#include "sealfile_os.h"
#include "sealfile_output.h"
#include "sealfile_progress.h"

/* What there is one of; together here, so that the secrets among it are wiped at one place. */
static struct {
    uint8_t key[SEALFILE_KEY_BYTES];
    struct sealfile file;
    uint8_t text[SEALFILE_CHUNK_BYTES];
    uint8_t sealed[SEALFILE_SEALED_BYTES];
} work;

static struct progress progress;

/* One line on stderr, whatever is drawn there: "sealfile: NAME: REASON". */
static enum status fail(enum status status, const char *name, const char *reason)
{
    progress_clear(&progress);
    (void)fprintf(stderr, "sealfile: %s: %s\n", name, reason);
    return status;
}

static const char *in_label(const struct command *c)
{
    return strcmp(c->in_name, "-") == 0 ? "standard input" : c->in_name;
}

static const char *out_label(const struct command *c)
{
    return strcmp(c->out_name, "-") == 0 ? "standard output" : c->out_name;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static enum status make_key(const struct command *c)
{
    struct output out;

    if (os_random(work.key, sizeof work.key) != 0) {
        return fail(FAILED, "no random bytes from the system", strerror(errno));
    }
    const char *problem = output_begin_private(&out, c->key_name);

    if (problem != NULL) {
        return fail(FAILED, c->key_name, problem);
    }
    if (fwrite(work.key, 1, sizeof work.key, out.file) != sizeof work.key) {
        problem = strerror(errno);
        output_abandon(&out);
        return fail(FAILED, c->key_name, problem);
    }
    problem = output_commit(&out);
    return problem == NULL ? DONE : fail(FAILED, c->key_name, problem);
}

static enum status read_key(const struct command *c)
{
    FILE *f = fopen(c->key_name, "rb");

    if (f == NULL) {
        return fail(FAILED, c->key_name, strerror(errno));
    }
    (void)setvbuf(f, NULL, _IONBF, 0); /* no copy of the key in a buffer of the C library's */
    errno = 0;
    size_t n = fread(work.key, 1, sizeof work.key, f);
    int whole = n == sizeof work.key && getc(f) == EOF;
    int error = ferror(f) ? errno : 0;

    (void)fclose(f);
    if (error != 0) {
        return fail(FAILED, c->key_name, strerror(error));
    }
    return whole ? DONE : fail(FAILED, c->key_name, "not a key file: a key is 32 bytes");
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

/*
 * Reads n bytes, or what is left of them; *last tells whether the input ends there, for which one
 * byte more is looked at. 0, or -1 with errno.
 */
static int read_piece(FILE *in, uint8_t *piece, size_t n, size_t *got, int *last)
{
    *got = fread(piece, 1, n, in);
    int c = *got == n ? getc(in) : EOF;

    *last = c == EOF;
    if (ferror(in)) {
        return -1;
    }
    if (c != EOF) {
        (void)ungetc(c, in);
    }
    return 0;
}

static enum status write_piece(const struct command *c, FILE *out, const uint8_t *piece, size_t n)
{
    if (n != 0 && fwrite(piece, 1, n, out) != n) {
        return fail(FAILED, out_label(c), strerror(errno));
    }
    return DONE;
}

static enum status seal(const struct command *c, FILE *in, FILE *out, int64_t *done)
{
    uint8_t random[SEALFILE_RANDOM_BYTES];
    size_t n = 0;
    int last = 0;

    if (os_random(random, sizeof random) != 0) {
        return fail(FAILED, "no random bytes from the system", strerror(errno));
    }
    int error = sealfile_new(&work.file, c->algorithm, random, work.key);

    if (error != AEADFAST_OK) {
        return fail(FAILED, "aeadfast", aeadfast_strerror(error));
    }
    enum status status = write_piece(c, out, work.file.header, sizeof work.file.header);

    for (uint32_t index = 0; status == DONE && !last; index++) {
        if (read_piece(in, work.text, sizeof work.text, &n, &last) != 0) {
            return fail(FAILED, in_label(c), strerror(errno));
        }
        if (index == UINT32_MAX && !last) {
            return fail(FAILED, in_label(c), "over 256 TiB");
        }
        error = sealfile_seal_chunk(&work.file, work.sealed, work.text, n, index, last);
        if (error != AEADFAST_OK) {
            return fail(FAILED, "aeadfast", aeadfast_strerror(error));
        }
        status = write_piece(c, out, work.sealed, n + SEALFILE_TAG_BYTES);
        *done += (int64_t)n;
        progress_update(&progress, *done);
    }
    return status;
}

/* Says why a chunk did not open, as far as that can be known. Its text goes nowhere. */
static enum status refuse_chunk(const struct command *c, size_t n, uint32_t index, int last)
{
    char reason[128];
    const char *what = "it has been changed";

    if (n < SEALFILE_TAG_BYTES) {
        what = "it has been cut short";
    } else if (sealfile_open_chunk(&work.file, work.text, work.sealed, n, index, !last) ==
               AEADFAST_OK) {
        what = last ? "it has been cut short" : "something has been put behind its end";
    } else if (index == 0) {
        what = "it has been changed, or was sealed under another key";
    } else if (last) {
        what = "it has been changed or cut short";
    }
    (void)snprintf(reason, sizeof reason, "refused at chunk %lu: %s", (unsigned long)index + 1,
                   what);
    return fail(REFUSED, in_label(c), reason);
}

static enum status open_header(const struct command *c, FILE *in)
{
    uint8_t header[SEALFILE_HEADER_BYTES];
    size_t n = fread(header, 1, sizeof header, in);

    if (ferror(in)) {
        return fail(FAILED, in_label(c), strerror(errno));
    }
    const char *problem =
        n < sizeof header ? "not a sealed file: too short" : sealfile_header_problem(header);

    if (problem != NULL) {
        return fail(REFUSED, in_label(c), problem);
    }
    int error = sealfile_existing(&work.file, header, work.key);

    if (error != AEADFAST_OK) {
        return fail(FAILED, "aeadfast", aeadfast_strerror(error));
    }
    if (c->algorithm != SEALFILE_ANY && c->algorithm != work.file.algorithm) {
        return fail(REFUSED, in_label(c), "sealed with the other algorithm");
    }
    return DONE;
}

static enum status open_chunks(const struct command *c, FILE *in, FILE *out, int64_t *done)
{
    enum status status = open_header(c, in);
    size_t n = 0;
    int last = 0;

    for (uint32_t index = 0; status == DONE && !last; index++) {
        if (read_piece(in, work.sealed, sizeof work.sealed, &n, &last) != 0) {
            return fail(FAILED, in_label(c), strerror(errno));
        }
        int error = sealfile_open_chunk(&work.file, work.text, work.sealed, n, index, last);

        /* `index` cannot come round: seal() makes no last number that is not the last chunk. */
        if (error == AEADFAST_ERR_AUTH) {
            return refuse_chunk(c, n, index, last);
        }
        if (error != AEADFAST_OK) {
            return fail(FAILED, "aeadfast", aeadfast_strerror(error));
        }
        status = write_piece(c, out, work.text, n - SEALFILE_TAG_BYTES);
        *done += (int64_t)n;
        progress_update(&progress, *done);
    }
    return status;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* What would overwrite the input or the key, or fill a terminal with noise. NULL: go on. */
static const char *unwise_output(const struct command *c, FILE *in)
{
    if (strcmp(c->out_name, "-") != 0) {
        FILE *key = fopen(c->key_name, "rb");
        int is_key = key != NULL && os_is_file_at(key, c->out_name);

        if (key != NULL) {
            (void)fclose(key);
        }
        if (is_key) {
            return "that is the key file";
        }
        return os_is_file_at(in, c->out_name) ? "that is the input file" : NULL;
    }
    if (os_is_same_file(in, stdout)) {
        return "that is the input file";
    }
    if (c->verb == SEAL && os_is_terminal(stdout)) {
        return "sealed bytes are not for a terminal";
    }
    return NULL;
}

static void tell_speed(int64_t done)
{
    double elapsed = progress_seconds(&progress);
    double megabytes = (double)done * 1e-6;

    (void)fprintf(stderr, "sealfile: %.3f MB in %.3f s, %.1f MB/s, %s, kernel %s\n", megabytes,
                  elapsed, elapsed > 0 ? megabytes / elapsed : 0,
                  sealfile_algorithm_name(work.file.algorithm),
                  sealfile_kernel_name(work.file.algorithm));
}

static enum status transform(const struct command *c, FILE *in)
{
    struct output out;
    int64_t done = 0;
    const char *problem = unwise_output(c, in);

    if (problem == NULL) {
        problem = output_begin(&out, c->out_name);
    }
    if (problem != NULL) {
        return fail(FAILED, out_label(c), problem);
    }
    progress_begin(&progress, os_regular_size(in), out.file == stdout && os_is_terminal(stdout));
    enum status status =
        c->verb == SEAL ? seal(c, in, out.file, &done) : open_chunks(c, in, out.file, &done);

    if (status != DONE) {
        output_abandon(&out);
        return status;
    }
    problem = output_commit(&out);
    progress_clear(&progress);
    if (problem != NULL) {
        return fail(FAILED, out_label(c), problem);
    }
    if (c->verbose) {
        tell_speed(done);
    }
    return DONE;
}

static enum status run(const struct command *c)
{
    if (c->verb == KEYGEN) {
        return make_key(c);
    }
    enum status status = read_key(c);

    if (status != DONE) {
        return status;
    }
    int is_stdin = strcmp(c->in_name, "-") == 0;
    FILE *in = is_stdin ? stdin : fopen(c->in_name, "rb");

    if (in == NULL) {
        return fail(FAILED, c->in_name, strerror(errno));
    }
    os_set_binary(in);
    (void)setvbuf(in, NULL, _IONBF, 0);
    status = transform(c, in);
    if (!is_stdin) {
        (void)fclose(in);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct command c;
    enum status status = command_parse(&c, argc, argv);

    if (status != DONE) {
        return (int)status;
    }
    if (c.verb == HELP) {
        return fputs(command_usage, stdout) < 0 || fflush(stdout) != 0 ? FAILED : DONE;
    }
    os_catch_signals();
    status = run(&c);
    aeadfast_wipe(&work, sizeof work);
    return (int)status;
}
