/* SPDX-License-Identifier: MIT */
/*
 * What a peer is: another library, reached through its fastest one-shot interface.
 *
 * Each adapter is a module that is loaded at run time with its symbols kept to itself, so that
 * libraries which define the same names (OpenSSL, BoringSSL, AWS-LC) can be measured in one run. It
 * exports one constant, `peer`. The object behind the void pointer has the key set up in it;
 * functions that return an int return 0 when all went well.
 */
#ifndef AEADFAST_BENCH_PEER_H
#define AEADFAST_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

/* Ciphers, by their index in struct peer. */
enum {
    PEER_CHACHA20_POLY1305,
    PEER_AES_128_GCM,
    PEER_AES_256_GCM,
    PEER_AES_128_GCM_SIV,
    PEER_AES_256_GCM_SIV,
    PEER_AEADS
};

/* One of several messages that are worked on in one call; `key` is what `make` has made. */
struct peer_message {
    void *key;
    uint8_t *dst;
    uint8_t *tag; /* 16 bytes: written when sealing, read when opening */
    const uint8_t *src;
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce; /* 12 bytes */
};

#define PEER_MESSAGES_MAX 64

struct peer_aead {
    void *(*make)(const uint8_t *key); /* NULL where the library or the processor lacks it */
    int (*rekey)(void *aead, const uint8_t *key);
    int (*seal)(void *aead, uint8_t *ct, uint8_t tag[16], const uint8_t *pt, size_t len,
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12]);
    int (*open)(void *aead, uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t tag[16],
                const uint8_t *aad, size_t aad_len, const uint8_t nonce[12]);
};

/* dst = src xor key stream, from block 1 on, as in RFC 8439 section 2.4.2. */
struct peer_stream {
    void *(*make)(const uint8_t key[32]);
    int (*xor)(void *stream, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t nonce[12]);
};

struct peer_mac {
    void *(*make)(void);
    int (*mac)(void *mac, uint8_t tag[16], const uint8_t *msg, size_t len, const uint8_t key[32]);
};

/* Whatever a library lacks is NULL. Objects are made once and never freed. */
struct peer {
    const char *name;
    const char *(*version)(void); /* valid until the next call */
    const struct peer_aead *aeads[PEER_AEADS];
    const struct peer_stream *chacha20;
    const struct peer_stream *chacha8;
    const struct peer_mac *poly1305;
    int (*many[PEER_AEADS])(const struct peer_message *messages, size_t count, int opening);
};

#if defined(__GNUC__)
#define PEER_EXPORT __attribute__((visibility("default")))
#else
#define PEER_EXPORT
#endif

extern PEER_EXPORT const struct peer peer;

#endif
