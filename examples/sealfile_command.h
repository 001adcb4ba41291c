/* SPDX-License-Identifier: MIT */
/* The command line of sealfile. */
#ifndef SEALFILE_COMMAND_H
#define SEALFILE_COMMAND_H

#include "sealfile_format.h"

/* The program's exit status. */
enum status { DONE = 0, FAILED = 1, MISUSED = 2, REFUSED = 3 };

enum verb { HELP, KEYGEN, SEAL, OPEN };

struct command {
    enum verb verb;
    const char *key_name;
    const char *in_name;
    const char *out_name;
    enum sealfile_algorithm algorithm; /* of OPEN: the one that is demanded, or SEALFILE_ANY */
    int verbose;
};

/* DONE, or MISUSED, and then it has been said on stderr what is wrong. */
enum status command_parse(struct command *c, int argc, char **argv);

extern const char command_usage[];

#endif
