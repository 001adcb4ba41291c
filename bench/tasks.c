/* SPDX-License-Identifier: MIT */
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aeadfast.h"
#include "core_clock.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

const struct operation operations[OPERATION_COUNT] = {
    {"chacha20_poly1305_seal", 0, DOES_SEAL, PEER_CHACHA20_POLY1305},
    {"chacha20_poly1305_open", 0, DOES_OPEN, PEER_CHACHA20_POLY1305},
    {"aes_128_gcm_seal", 0, DOES_SEAL, PEER_AES_128_GCM},
    {"aes_128_gcm_open", 0, DOES_OPEN, PEER_AES_128_GCM},
    {"aes_256_gcm_seal", 0, DOES_SEAL, PEER_AES_256_GCM},
    {"aes_256_gcm_open", 0, DOES_OPEN, PEER_AES_256_GCM},
    {"aes_128_gcm_siv_seal", 0, DOES_SEAL, PEER_AES_128_GCM_SIV},
    {"aes_128_gcm_siv_open", 0, DOES_OPEN, PEER_AES_128_GCM_SIV},
    {"aes_256_gcm_siv_seal", 0, DOES_SEAL, PEER_AES_256_GCM_SIV},
    {"aes_256_gcm_siv_open", 0, DOES_OPEN, PEER_AES_256_GCM_SIV},
    {"aes_128_gcm_key", 1, DOES_REKEY, PEER_AES_128_GCM},
    {"aes_256_gcm_key", 1, DOES_REKEY, PEER_AES_256_GCM},
    {"chacha20", 0, DOES_CHACHA20, 0},
    {"chacha8", 0, DOES_CHACHA8, 0},
    {"poly1305", 0, DOES_POLY1305, 0},
};

int operation_is_named(const struct operation *operation, const char *name)
{
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        if (strcmp(operations[i].name, name) == 0) {
            return operation == &operations[i];
        }
    }
    return strncmp(operation->name, name, strlen(name)) == 0;
}

const struct entrant aeadfast_entrant = {"aeadfast", &peer, NULL, 1};

/*
 * The destination is set off by half a page and a line: where a load's address equals that of an
 * earlier store in its last 12 bits, some cores take the two for the same and wait.
 */
#define DST_OFFSET (2048 + 64)
static _Alignas(64) uint8_t src_storage[TASK_LEN_MAX];
static _Alignas(64) uint8_t dst_storage[DST_OFFSET + TASK_LEN_MAX];
static uint8_t *const src = src_storage;
static uint8_t *const dst = dst_storage + DST_OFFSET;

static const uint8_t key[32] = {0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a,
                                0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95,
                                0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f};
static const uint8_t aad[TASK_AAD_LEN] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
static uint8_t nonce[12];
static uint8_t tag[16];

struct task {
    const struct entrant *entrant;
    const struct operation *operation;
    size_t len;
    void *object;
};

static void out_of_memory(void)
{
    fputs("out of memory\n", stderr);
    exit(1);
}

static void enter(void *context)
{
    const struct task *task = context;

    if (task->entrant->own && aeadfast_backend_select(task->entrant->backend) != AEADFAST_OK) {
        fprintf(stderr, "no backend %s here\n", task->entrant->backend);
        exit(1);
    }
}

/* The object with the key, or NULL where there is none to be had. */
static void *make_object(const struct peer *by, const struct operation *operation)
{
    switch (operation->does) {
    case DOES_SEAL:
    case DOES_OPEN:
        return by->aeads[operation->aead] != NULL ? by->aeads[operation->aead]->make(key) : NULL;
    case DOES_REKEY:
        return by->aeads[operation->aead] != NULL && by->aeads[operation->aead]->rekey != NULL
                   ? by->aeads[operation->aead]->make(key)
                   : NULL;
    case DOES_CHACHA20:
        return by->chacha20 != NULL ? by->chacha20->make(key) : NULL;
    case DOES_CHACHA8:
        return by->chacha8 != NULL ? by->chacha8->make(key) : NULL;
    case DOES_POLY1305:
        return by->poly1305 != NULL ? by->poly1305->make() : NULL;
    }
    return NULL;
}

struct task *task_new(const struct entrant *entrant, const struct operation *operation, size_t len)
{
    struct task *task = malloc(sizeof *task);

    if (task == NULL) {
        out_of_memory();
    }
    *task = (struct task){entrant, operation, len, NULL};
    enter(task); /* a key object is laid out for the kernels in force */
    task->object = make_object(entrant->peer, operation);
    if (task->object == NULL) {
        free(task);
        return NULL;
    }
    return task;
}

/* The object stays: peers make theirs for good. */
void task_free(struct task *task)
{
    free(task);
}

static void count_nonce(uint64_t i)
{
    memcpy(nonce + 4, &i, sizeof i);
}

static int run_aead(const struct task *task, uint64_t count)
{
    const struct peer_aead *aead = task->entrant->peer->aeads[task->operation->aead];
    int failed = 0;

    if (task->operation->does == DOES_OPEN) {
        for (uint64_t i = 0; i < count; i++) {
            failed |= aead->open(task->object, dst, src, task->len, tag, aad, TASK_AAD_LEN, nonce);
        }
    } else {
        for (uint64_t i = 0; i < count; i++) {
            count_nonce(i);
            failed |= aead->seal(task->object, dst, tag, src, task->len, aad, TASK_AAD_LEN, nonce);
        }
    }
    return failed;
}

static int run(void *context, uint64_t count)
{
    const struct task *task = context;
    const struct peer *by = task->entrant->peer;
    int failed = 0;

    switch (task->operation->does) {
    case DOES_SEAL:
    case DOES_OPEN:
        return run_aead(task, count);
    case DOES_REKEY:
        for (uint64_t i = 0; i < count; i++) {
            failed |= by->aeads[task->operation->aead]->rekey(task->object, key);
        }
        return failed;
    case DOES_CHACHA20:
    case DOES_CHACHA8: {
        const struct peer_stream *stream =
            task->operation->does == DOES_CHACHA20 ? by->chacha20 : by->chacha8;

        for (uint64_t i = 0; i < count; i++) {
            count_nonce(i);
            failed |= stream->xor (task->object, dst, src, task->len, nonce);
        }
        return failed;
    }
    case DOES_POLY1305:
        for (uint64_t i = 0; i < count; i++) {
            failed |= by->poly1305->mac(task->object, tag, src, task->len, key);
        }
        return failed;
    }
    return 1;
}

void task_prepare(const struct operation *operation, size_t len)
{
    memset(src, 0x5a, len);
    count_nonce(len);
    if (operation->does == DOES_OPEN) {
        struct operation sealing = *operation;

        sealing.does = DOES_SEAL;
        struct task *task = task_new(&aeadfast_entrant, &sealing, len);
        const struct peer_aead *aead = peer.aeads[operation->aead];

        if (task == NULL ||
            aead->seal(task->object, dst, tag, src, len, aad, TASK_AAD_LEN, nonce) != 0) {
            fputs("a message could not be sealed\n", stderr);
            exit(1);
        }
        memcpy(src, dst, len);
        task_free(task);
    }
}

struct contestant task_contestant(struct task *task)
{
    return (struct contestant){.enter = enter, .run = run, .context = task};
}

/* Once, with what came out of it kept: the output, then the tag. */
static int outcome(const struct entrant *entrant, const struct operation *operation, size_t len,
                   uint8_t *out)
{
    struct task *task = task_new(entrant, operation, len);

    if (task == NULL) {
        return 0;
    }
    task_prepare(operation, len);
    memset(dst, 0, len);
    if (operation->does != DOES_OPEN) {
        memset(tag, 0, sizeof tag);
    }
    enter(task);
    int failed = run(task, 1);

    memcpy(out, dst, len);
    memcpy(out + len, tag, sizeof tag);
    task_free(task);
    return failed == 0;
}

int entrant_agrees(const struct entrant *entrant, const struct operation *operation)
{
    static const size_t lens[] = {1, 15, 16, 17, 63, 64, 65, 255, 512, 1000, 1350, 4100};
    static uint8_t got[4100 + 16];
    static uint8_t wanted[4100 + 16];
    const struct entrant portable = {"portable", &peer, "portable", 1};
    struct operation does = *operation;

    if (does.does == DOES_REKEY) {
        does.does = DOES_SEAL;
    }
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        if (!outcome(&portable, &does, lens[i], wanted) || !outcome(entrant, &does, lens[i], got) ||
            memcmp(got, wanted, lens[i] + 16) != 0) {
            return 0;
        }
    }
    return 1;
}

void introduce(FILE *out, const char *comment)
{
    char description[4096] = "";

    (void)aeadfast_describe(description, sizeof description);
    for (char *line = strtok(description, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        fprintf(out, "%s%s\n", comment, line);
    }
    fprintf(out, "%sbuilt by " COMPILER "; the core ran at about %.2f GHz\n", comment,
            core_clock_hz() / 1e9);
}
