/* SPDX-License-Identifier: MIT */
/*
 * An operation on a message of one length, done by one library: what the programs here let
 * contest.h time. For all libraries alike: one key, set up once; 13 bytes of AAD; a fresh nonce for
 * each message that is sealed, one message over and over when opening; separate buffers on 64-byte
 * borders.
 */
#ifndef AEADFAST_BENCH_TASKS_H
#define AEADFAST_BENCH_TASKS_H

#include <stdio.h>

#include "contest.h"
#include "peers/peer.h"

#define TASK_LEN_MAX 1048576
#define TASK_AAD_LEN 13

/* Who does it: a peer, or this library, left to choose its kernels or held to one backend. */
struct entrant {
    char name[48];
    const struct peer *peer;
    const char *backend; /* of this library: NULL for its own choice */
    int own;             /* it is this library */
};

struct operation {
    const char *name;
    int one_size; /* no message: key set-up */
    enum { DOES_SEAL, DOES_OPEN, DOES_REKEY, DOES_CHACHA20, DOES_CHACHA8, DOES_POLY1305 } does;
    int aead; /* index in struct peer */
};

#define OPERATION_COUNT 15
extern const struct operation operations[OPERATION_COUNT];

/* Whether it is the operation of this name or, where there is none, one whose name begins so. */
int operation_is_named(const struct operation *operation, const char *name);

/* This library, with its own choice. */
extern const struct entrant aeadfast_entrant;

struct task;

/* NULL where the entrant has no such operation. Released by task_free. */
struct task *task_new(const struct entrant *entrant, const struct operation *operation, size_t len);
void task_free(struct task *task);

/* Makes the message that is opened. Once for an operation and length, whoever does it then. */
void task_prepare(const struct operation *operation, size_t len);

/* The task as somebody to time. */
struct contestant task_contestant(struct task *task);

/* Whether the entrant computes what this library's portable code does, at a dozen lengths. */
int entrant_agrees(const struct entrant *entrant, const struct operation *operation);

/*
 * What figures hold for, before tables and, as comments, before CSV: this library, the processor,
 * the compiler.
 */
void introduce(FILE *out, const char *comment);

#endif
