/* SPDX-License-Identifier: MIT */
#include "sealfile_command.h"

#include <stdio.h>
#include <string.h>

const char command_usage[] =
    "usage: sealfile keygen KEYFILE         write a new random key\n"
    "       sealfile seal KEYFILE IN OUT    encrypt and authenticate IN\n"
    "       sealfile open KEYFILE IN OUT    check and decrypt what seal made\n"
    "\n"
    "  --xchacha20-poly1305   seal with this (the default), or open nothing else\n"
    "  --aes-256-gcm          seal with this, or open nothing else\n"
    "  -v, --verbose          tell the speed, with reading and writing, and the kernel\n"
    "      --                 what follows is no option\n"
    "  -h, --help             this\n"
    "\n"
    "IN and OUT may be - for standard input and output. OUT appears, or replaces what\n"
    "is there, only when it is whole. Not so on standard output: what is written there\n"
    "has been checked, but that more is missing shows only in the end, in the status.\n"
    "\n"
    "Status: 0 done; 1 failed; 2 misused; 3 the file is not, or no longer, what was\n"
    "sealed under this key.\n";

#define WORDS_MAX 4

static enum status misuse(const char *what, const char *word)
{
    (void)fprintf(stderr, "sealfile: %s%s; see sealfile --help\n", what, word);
    return MISUSED;
}

/* 0, or -1 where there is no such option. */
static int take_option(struct command *c, const char *option)
{
    if (strcmp(option, "--xchacha20-poly1305") == 0) {
        c->algorithm = SEALFILE_XCHACHA20_POLY1305;
    } else if (strcmp(option, "--aes-256-gcm") == 0) {
        c->algorithm = SEALFILE_AES_256_GCM;
    } else if (strcmp(option, "-v") == 0 || strcmp(option, "--verbose") == 0) {
        c->verbose = 1;
    } else {
        return -1;
    }
    return 0;
}

static enum status take_words(struct command *c, const char *const *words, int count)
{
    if (count == 0) {
        return misuse("no command given", "");
    }
    if (strcmp(words[0], "keygen") == 0) {
        c->verb = KEYGEN;
    } else if (strcmp(words[0], "seal") == 0) {
        c->verb = SEAL;
    } else if (strcmp(words[0], "open") == 0) {
        c->verb = OPEN;
    } else {
        return misuse("unknown command ", words[0]);
    }
    if (count != (c->verb == KEYGEN ? 2 : WORDS_MAX)) {
        return misuse("wrong number of file names for ", words[0]);
    }
    c->key_name = words[1];
    c->in_name = words[2];
    c->out_name = words[3];
    if (strcmp(c->key_name, "-") == 0) {
        return misuse("a key is kept in a file, not in ", c->key_name);
    }
    if (c->verb == SEAL && c->algorithm == SEALFILE_ANY) {
        c->algorithm = SEALFILE_XCHACHA20_POLY1305;
    }
    return DONE;
}

enum status command_parse(struct command *c, int argc, char **argv)
{
    const char *words[WORDS_MAX] = {NULL};
    int count = 0;
    int options_end = 0;

    *c = (struct command){.verb = HELP};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];

        if (options_end || word[0] != '-' || word[1] == '\0') {
            if (count == WORDS_MAX) {
                return misuse("one word too many: ", word);
            }
            words[count++] = word;
        } else if (strcmp(word, "--") == 0) {
            options_end = 1;
        } else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            return DONE;
        } else if (take_option(c, word) != 0) {
            return misuse("unknown option ", word);
        }
    }
    return take_words(c, words, count);
}
