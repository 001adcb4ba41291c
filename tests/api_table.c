/* SPDX-License-Identifier: MIT */
#include "api_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_chacha_pieces.h"
#include "api_gcm_pieces.h"
#include "support/check.h"
#include "support/many_call.h"

#define HAS(arg) (1u << (arg))

static const uint8_t aes_key[32] = {
    0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
    0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};

static aes_gcm_key *gcm_key(const struct api_call *c)
{
    return (aes_gcm_key *)(void *)c->arg[ARG_OBJECT];
}

static aes_gcm_siv_key *siv_key(const struct api_call *c)
{
    return (aes_gcm_siv_key *)(void *)c->arg[ARG_OBJECT];
}

static poly1305_state *poly_state(const struct api_call *c)
{
    return (poly1305_state *)(void *)c->arg[ARG_OBJECT];
}

/* ---- Calls ---- */

static int call_seal(const struct api_call *c)
{
    return chacha20_poly1305_seal(c->arg[ARG_OUT], c->arg[ARG_TAG], c->arg[ARG_IN], c->len,
                                  c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

static int call_open(const struct api_call *c)
{
    return chacha20_poly1305_open(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->arg[ARG_TAG],
                                  c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

static int call_xseal(const struct api_call *c)
{
    return xchacha20_poly1305_seal(c->arg[ARG_OUT], c->arg[ARG_TAG], c->arg[ARG_IN], c->len,
                                   c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

static int call_xopen(const struct api_call *c)
{
    return xchacha20_poly1305_open(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->arg[ARG_TAG],
                                   c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

/* The result of the message itself, where that of the call is right about it. */
static int call_many(const struct api_call *c, int opening,
                     int (*many)(chacha20_poly1305_message *messages, size_t count))
{
    chacha20_poly1305_message m[MANY_CALL];
    struct many_neighbours neighbours;
    int first = AEADFAST_OK;
    int result;

    many_chacha20_poly1305(m, &neighbours, c, opening);
    result = many(m, MANY_CALL);
    for (size_t i = MANY_CALL; i-- != 0;) {
        first = m[i].result != AEADFAST_OK ? m[i].result : first;
    }
    return result == first ? m[MANY_MIDDLE].result : 1;
}

static int call_seal_many(const struct api_call *c)
{
    return call_many(c, 0, chacha20_poly1305_seal_many);
}

static int call_open_many(const struct api_call *c)
{
    return call_many(c, 1, chacha20_poly1305_open_many);
}

static int call_gcm_init(const struct api_call *c)
{
    return aes_gcm_init(gcm_key(c), c->arg[ARG_KEY], c->key_len);
}

static int call_gcm_init_tag(const struct api_call *c)
{
    return aes_gcm_init_tag(gcm_key(c), c->arg[ARG_KEY], c->key_len, c->tag_len);
}

static int call_gcm_seal(const struct api_call *c)
{
    return aes_gcm_seal(gcm_key(c), c->arg[ARG_OUT], c->arg[ARG_TAG], c->arg[ARG_IN], c->len,
                        c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->nonce_len);
}

static int call_gcm_open(const struct api_call *c)
{
    return aes_gcm_open(gcm_key(c), c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->arg[ARG_TAG],
                        c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE], c->nonce_len);
}

static int call_siv_init(const struct api_call *c)
{
    return aes_gcm_siv_init(siv_key(c), c->arg[ARG_KEY], api_siv_key_len(c));
}

static int call_siv_seal(const struct api_call *c)
{
    return aes_gcm_siv_seal(siv_key(c), c->arg[ARG_OUT], c->arg[ARG_TAG], c->arg[ARG_IN], c->len,
                            c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE]);
}

static int call_siv_open(const struct api_call *c)
{
    return aes_gcm_siv_open(siv_key(c), c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->arg[ARG_TAG],
                            c->arg[ARG_AAD], c->aad_len, c->arg[ARG_NONCE]);
}

static int call_gcm_many(const struct api_call *c, int opening,
                         int (*many)(aes_gcm_message *messages, size_t count))
{
    aes_gcm_message m[MANY_CALL];
    struct many_neighbours neighbours;
    struct many_gcm_keys keys;
    int first = AEADFAST_OK;
    int result;

    many_aes_gcm(m, &neighbours, &keys, c, opening);
    result = many(m, MANY_CALL);
    for (size_t i = MANY_CALL; i-- != 0;) {
        first = m[i].result != AEADFAST_OK ? m[i].result : first;
    }
    return result == first ? m[MANY_MIDDLE].result : 1;
}

static int call_gcm_seal_many(const struct api_call *c)
{
    return call_gcm_many(c, 0, aes_gcm_seal_many);
}

static int call_gcm_open_many(const struct api_call *c)
{
    return call_gcm_many(c, 1, aes_gcm_open_many);
}

static int call_chacha20(const struct api_call *c)
{
    return chacha20_xor(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->counter, c->arg[ARG_NONCE],
                        c->arg[ARG_KEY]);
}

static int call_chacha12(const struct api_call *c)
{
    return chacha12_xor(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->counter, c->arg[ARG_NONCE],
                        c->arg[ARG_KEY]);
}

static int call_chacha8(const struct api_call *c)
{
    return chacha8_xor(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->counter, c->arg[ARG_NONCE],
                       c->arg[ARG_KEY]);
}

static int call_keystream(const struct api_call *c)
{
    return chacha20_keystream(c->arg[ARG_OUT], c->len, c->counter, c->arg[ARG_NONCE],
                              c->arg[ARG_KEY]);
}

static int call_xchacha20(const struct api_call *c)
{
    return xchacha20_xor(c->arg[ARG_OUT], c->arg[ARG_IN], c->len, c->counter, c->arg[ARG_NONCE],
                         c->arg[ARG_KEY]);
}

static int call_hchacha20(const struct api_call *c)
{
    return hchacha20(c->arg[ARG_OUT], c->arg[ARG_NONCE], c->arg[ARG_KEY]);
}

static int call_mac(const struct api_call *c)
{
    return poly1305_mac(c->arg[ARG_TAG], c->arg[ARG_IN], c->len, c->arg[ARG_KEY]);
}

static int call_verify(const struct api_call *c)
{
    return poly1305_verify(c->arg[ARG_TAG], c->arg[ARG_IN], c->len, c->arg[ARG_KEY]);
}

static int call_begin(const struct api_call *c)
{
    return poly1305_begin(poly_state(c), c->arg[ARG_KEY]);
}

static int call_update(const struct api_call *c)
{
    return poly1305_update(poly_state(c), c->arg[ARG_IN], c->len);
}

static int call_final(const struct api_call *c)
{
    return poly1305_final(poly_state(c), c->arg[ARG_TAG]);
}

/* ---- Preparations ---- */

/*
 * The tag that makes any bytes in ARG_IN a valid ciphertext: sealing them as if they were text
 * gives the text that they are the ciphertext of, and sealing that gives the tag. The work happens
 * in copies, because the call's inputs may overlap each other.
 */
static int prepare_tag(const struct api_call *c, int (*seal)(const struct api_call *),
                       size_t tag_len)
{
    struct api_call s = *c;
    uint8_t *text = malloc(c->len + 1);
    uint8_t tag[16];
    int r = AEADFAST_ERR_STATE;

    if (text != NULL) {
        s.arg[ARG_OUT] = text;
        s.arg[ARG_TAG] = tag;
        r = seal(&s);
        if (r == AEADFAST_OK) {
            s.arg[ARG_IN] = text;
            r = seal(&s);
        }
        if (r == AEADFAST_OK) {
            memcpy(c->arg[ARG_TAG], tag, tag_len);
        }
    }
    free(text);
    return r;
}

static int prepare_open(const struct api_call *c)
{
    return prepare_tag(c, call_seal, 16);
}

static int prepare_xopen(const struct api_call *c)
{
    return prepare_tag(c, call_xseal, 16);
}

static int prepare_gcm(const struct api_call *c)
{
    return aes_gcm_init_tag(gcm_key(c), aes_key, c->key_len, c->tag_len);
}

/* The object last, because a test may lay the tag over it: a wrong tag it can be, a key it must. */
static int prepare_gcm_open(const struct api_call *c)
{
    int r = prepare_gcm(c);
    aes_gcm_key made;

    if (r == AEADFAST_OK) {
        memcpy(&made, c->arg[ARG_OBJECT], sizeof made);
        r = prepare_tag(c, call_gcm_seal, c->tag_len);
        memcpy(c->arg[ARG_OBJECT], &made, sizeof made);
    }
    return r;
}

static int prepare_siv(const struct api_call *c)
{
    return aes_gcm_siv_init(siv_key(c), aes_key, api_siv_key_len(c));
}

/*
 * The key stream hangs on the tag, so no tag is to be had for given bytes: those in ARG_IN are taken
 * for text, and become its ciphertext. Where ARG_IN overlaps another input, that is no valid message.
 * The object last, as above.
 */
static int prepare_siv_open(const struct api_call *c)
{
    int r = prepare_siv(c);
    aes_gcm_siv_key made;
    uint8_t *text = malloc(c->len + 1);
    uint8_t tag[16];

    memcpy(&made, c->arg[ARG_OBJECT], sizeof made);
    if (text == NULL || r != AEADFAST_OK) {
        r = AEADFAST_ERR_STATE;
    } else {
        r = aes_gcm_siv_seal(&made, text, tag, c->arg[ARG_IN], c->len, c->arg[ARG_AAD], c->aad_len,
                             c->arg[ARG_NONCE]);
    }
    if (r == AEADFAST_OK) {
        memcpy(c->arg[ARG_IN], text, c->len);
        memcpy(c->arg[ARG_TAG], tag, sizeof tag);
        memcpy(c->arg[ARG_OBJECT], &made, sizeof made);
    }
    free(text);
    return r;
}

static int prepare_verify(const struct api_call *c)
{
    uint8_t tag[16];
    int r = poly1305_mac(tag, c->arg[ARG_IN], c->len, c->arg[ARG_KEY]);

    if (r == AEADFAST_OK) {
        memcpy(c->arg[ARG_TAG], tag, sizeof tag);
    }
    return r;
}

static int prepare_state(const struct api_call *c)
{
    static const uint8_t head[5] = {'h', 'e', 'a', 'd', '!'};
    int r = poly1305_begin(poly_state(c), aes_key);

    return r != AEADFAST_OK ? r : poly1305_update(poly_state(c), head, sizeof head);
}

/* ---- The table ---- */

#define OUT    HAS(ARG_OUT)
#define TAG    HAS(ARG_TAG)
#define IN     HAS(ARG_IN)
#define AAD    HAS(ARG_AAD)
#define NONCE  HAS(ARG_NONCE)
#define KEY    HAS(ARG_KEY)
#define OBJECT HAS(ARG_OBJECT)

const struct api_function api_table[] = {
    {"chacha20_poly1305_seal", OUT | TAG, IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 12,
     32, AEADFAST_OP_CHACHA20_POLY1305, 0, call_seal, NULL},
    {"chacha20_poly1305_open", OUT, TAG | IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 12,
     32, AEADFAST_OP_CHACHA20_POLY1305, 1, call_open, prepare_open},
    {"xchacha20_poly1305_seal", OUT | TAG, IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 24,
     32, AEADFAST_OP_CHACHA20_POLY1305, 0, call_xseal, NULL},
    {"xchacha20_poly1305_open", OUT, TAG | IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 24,
     32, AEADFAST_OP_CHACHA20_POLY1305, 1, call_xopen, prepare_xopen},
    {"chacha20_poly1305_sealv", OUT | TAG, IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 12,
     32, AEADFAST_OP_CHACHA20_POLY1305, 0, call_sealv, NULL},
    {"chacha20_poly1305_openv", OUT, TAG | IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 12,
     32, AEADFAST_OP_CHACHA20_POLY1305, 1, call_openv, prepare_open},
    {"xchacha20_poly1305_sealv", OUT | TAG, IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 24,
     32, AEADFAST_OP_CHACHA20_POLY1305, 0, call_xsealv, NULL},
    {"xchacha20_poly1305_openv", OUT, TAG | IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0, 24,
     32, AEADFAST_OP_CHACHA20_POLY1305, 1, call_xopenv, prepare_xopen},
    {"chacha20_poly1305_stream_init", OBJECT, NONCE | KEY, LIMIT_NONE, 0, 12, 32,
     AEADFAST_OP_CHACHA20_POLY1305, 0, call_stream_init, NULL},
    {"xchacha20_poly1305_stream_init", OBJECT, NONCE | KEY, LIMIT_NONE, 0, 24, 32,
     AEADFAST_OP_CHACHA20_POLY1305, 0, call_xstream_init, NULL},
    {"chacha20_poly1305_stream_aad", OBJECT, OBJECT | AAD, LIMIT_NONE, 0, 0, 0,
     AEADFAST_OP_CHACHA20_POLY1305, 0, call_stream_aad, prepare_stream},
    {"chacha20_poly1305_stream_seal_update", OBJECT | OUT, OBJECT | IN, LIMIT_CHACHA20_POLY1305, 0,
     0, 0, AEADFAST_OP_CHACHA20_POLY1305, 0, call_stream_seal_update, prepare_stream},
    {"chacha20_poly1305_stream_seal_final", OBJECT | TAG, OBJECT, LIMIT_NONE, 0, 0, 0,
     AEADFAST_OP_CHACHA20_POLY1305, 0, call_stream_seal_final, prepare_stream},
    {"chacha20_poly1305_stream_open_unverified_update", OBJECT | OUT, OBJECT | IN,
     LIMIT_CHACHA20_POLY1305, 0, 0, 0, AEADFAST_OP_CHACHA20_POLY1305, 0, call_stream_open_update,
     prepare_stream},
    {"chacha20_poly1305_stream_open_final", OBJECT, OBJECT | TAG, LIMIT_NONE, 0, 0, 0,
     AEADFAST_OP_CHACHA20_POLY1305, 0, call_stream_open_final, prepare_stream_open},
    {"chacha20_poly1305_seal_many", OUT | TAG, IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0,
     12, 32, AEADFAST_OP_CHACHA20_POLY1305, 0, call_seal_many, NULL},
    {"chacha20_poly1305_open_many", OUT, TAG | IN | AAD | NONCE | KEY, LIMIT_CHACHA20_POLY1305, 0,
     12, 32, AEADFAST_OP_CHACHA20_POLY1305, 1, call_open_many, prepare_open},
    {"aes_gcm_init", OBJECT, KEY, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_AES_GCM, 0, call_gcm_init, NULL},
    {"aes_gcm_init_tag", OBJECT, KEY, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_AES_GCM, 0,
     call_gcm_init_tag, NULL},
    {"aes_gcm_seal", OUT | TAG, OBJECT | IN | AAD | NONCE, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 0, call_gcm_seal, prepare_gcm},
    {"aes_gcm_open", OUT, OBJECT | TAG | IN | AAD | NONCE, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 1, call_gcm_open, prepare_gcm_open},
    {"aes_gcm_sealv", OUT | TAG, OBJECT | IN | AAD | NONCE, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 0, call_gcm_sealv, prepare_gcm},
    {"aes_gcm_openv", OUT, OBJECT | TAG | IN | AAD | NONCE, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 1, call_gcm_openv, prepare_gcm_open},
    {"aes_gcm_stream_init", OBJECT, NONCE, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_AES_GCM, 0,
     call_gcm_stream_init, prepare_gcm_stream_key},
    {"aes_gcm_stream_aad", OBJECT, OBJECT | AAD, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_AES_GCM, 0,
     call_gcm_stream_aad, prepare_gcm_stream},
    {"aes_gcm_stream_seal_update", OBJECT | OUT, OBJECT | IN, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 0, call_gcm_stream_seal_update, prepare_gcm_stream},
    {"aes_gcm_stream_seal_final", OBJECT | TAG, OBJECT, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_AES_GCM, 0,
     call_gcm_stream_seal_final, prepare_gcm_stream},
    {"aes_gcm_stream_open_unverified_update", OBJECT | OUT, OBJECT | IN, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 0, call_gcm_stream_open_update, prepare_gcm_stream},
    {"aes_gcm_stream_open_final", OBJECT, OBJECT | TAG, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_AES_GCM, 0,
     call_gcm_stream_open_final, prepare_gcm_stream_open},
    {"aes_gcm_siv_init", OBJECT, KEY, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_AES_GCM, 0, call_siv_init,
     NULL},
    {"aes_gcm_siv_seal", OUT | TAG, OBJECT | IN | AAD | NONCE, LIMIT_AES_GCM_SIV, 0, 12, 0,
     AEADFAST_OP_AES_GCM, 0, call_siv_seal, prepare_siv},
    {"aes_gcm_siv_open", OUT, OBJECT | TAG | IN | AAD | NONCE, LIMIT_AES_GCM_SIV, 0, 12, 0,
     AEADFAST_OP_AES_GCM, 1, call_siv_open, prepare_siv_open},
    {"aes_gcm_seal_many", OUT | TAG, OBJECT | IN | AAD | NONCE, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 0, call_gcm_seal_many, prepare_gcm},
    {"aes_gcm_open_many", OUT, OBJECT | TAG | IN | AAD | NONCE, LIMIT_AES_GCM, 0, 0, 0,
     AEADFAST_OP_AES_GCM, 1, call_gcm_open_many, prepare_gcm_open},
    {"chacha20_xor", OUT, IN | NONCE | KEY, LIMIT_COUNTER, 0, 12, 32, AEADFAST_OP_CHACHA20, 0,
     call_chacha20, NULL},
    {"chacha12_xor", OUT, IN | NONCE | KEY, LIMIT_COUNTER, 0, 12, 32, AEADFAST_OP_CHACHA20, 0,
     call_chacha12, NULL},
    {"chacha8_xor", OUT, IN | NONCE | KEY, LIMIT_COUNTER, 0, 12, 32, AEADFAST_OP_CHACHA20, 0,
     call_chacha8, NULL},
    {"chacha20_keystream", OUT, NONCE | KEY, LIMIT_COUNTER, 0, 12, 32, AEADFAST_OP_CHACHA20, 0,
     call_keystream, NULL},
    {"xchacha20_xor", OUT, IN | NONCE | KEY, LIMIT_COUNTER, 0, 24, 32, AEADFAST_OP_CHACHA20, 0,
     call_xchacha20, NULL},
    {"hchacha20", OUT, NONCE | KEY, LIMIT_NONE, 32, 16, 32, AEADFAST_OP_CHACHA20, 0, call_hchacha20,
     NULL},
    {"poly1305_mac", TAG, IN | KEY, LIMIT_NONE, 0, 0, 32, AEADFAST_OP_POLY1305, 0, call_mac, NULL},
    {"poly1305_verify", 0, TAG | IN | KEY, LIMIT_NONE, 0, 0, 32, AEADFAST_OP_POLY1305, 1,
     call_verify, prepare_verify},
    {"poly1305_begin", OBJECT, KEY, LIMIT_NONE, 0, 0, 32, AEADFAST_OP_POLY1305, 0, call_begin,
     NULL},
    {"poly1305_update", OBJECT, OBJECT | IN, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_POLY1305, 0,
     call_update, prepare_state},
    {"poly1305_final", OBJECT | TAG, OBJECT, LIMIT_NONE, 0, 0, 0, AEADFAST_OP_POLY1305, 0,
     call_final, prepare_state},
};

const size_t api_table_size = sizeof api_table / sizeof api_table[0];

const struct api_function *api_find(const char *name)
{
    for (size_t i = 0; i < api_table_size; i++) {
        if (strcmp(api_table[i].name, name) == 0) {
            return &api_table[i];
        }
    }
    check_true(0, "no row %s in the table of public functions", name);
    return NULL;
}

int api_is_siv(const struct api_function *f)
{
    return strncmp(f->name, "aes_gcm_siv_", 12) == 0;
}

size_t api_siv_key_len(const struct api_call *call)
{
    return call->key_len == 24 ? 32 : call->key_len;
}

int api_uses(const struct api_function *f, enum api_arg arg)
{
    return ((f->outputs | f->inputs) & HAS(arg)) != 0;
}

size_t api_size(const struct api_function *f, const struct api_call *call, enum api_arg arg)
{
    if (!api_uses(f, arg)) {
        return 0;
    }
    switch (arg) {
    case ARG_OUT:
        return f->out_size != 0 ? f->out_size : call->len;
    case ARG_IN:
        return call->len;
    case ARG_TAG:
        return f->op == AEADFAST_OP_AES_GCM && !api_is_siv(f) ? call->tag_len : 16;
    case ARG_AAD:
        return call->aad_len;
    case ARG_NONCE:
        return f->nonce_size != 0 ? f->nonce_size : call->nonce_len;
    case ARG_KEY:
        return f->key_size != 0 ? f->key_size
               : api_is_siv(f)  ? api_siv_key_len(call)
                                : call->key_len;
    case ARG_OBJECT:
        if (api_is_gcm_stream(f)) {
            return sizeof(aes_gcm_stream);
        }
        if (api_is_chacha_stream(f)) {
            return sizeof(chacha20_poly1305_stream);
        }
        return f->op == AEADFAST_OP_AES_GCM ? sizeof(aes_gcm_key) : sizeof(poly1305_state);
    default:
        return 0;
    }
}

const char *api_arg_name(enum api_arg arg)
{
    static const char *const names[ARG_COUNT] = {"out",   "tag", "in",    "aad",
                                                 "nonce", "key", "object"};

    return names[arg];
}

struct api_call api_sizes(size_t len, size_t aad_len)
{
    struct api_call c = {.len = len,
                         .aad_len = aad_len,
                         .nonce_len = 12,
                         .key_len = 32,
                         .tag_len = 16,
                         .counter = 1};

    return c;
}

void api_place(const struct api_function *f, struct api_call *call, struct api_arena *arena)
{
    for (int a = 0; a < ARG_COUNT; a++) {
        call->arg[a] = api_uses(f, (enum api_arg)a)
                           ? arena->bytes + (size_t)a * API_SLOT + API_SLOT_MIDDLE
                           : NULL;
    }
}

void api_pattern(uint8_t *p, size_t n, unsigned start)
{
    for (size_t i = 0; i < n; i++) {
        p[i] = (uint8_t)(start + 7 * i + 13 * (i >> 8));
    }
}

void api_fill(const struct api_function *f, const struct api_call *call)
{
    static const unsigned char starts[ARG_COUNT] = {
        [ARG_TAG] = 5, [ARG_IN] = 4, [ARG_AAD] = 3, [ARG_NONCE] = 2, [ARG_KEY] = 1};

    for (int a = 0; a < ARG_COUNT; a++) {
        size_t n = api_size(f, call, (enum api_arg)a);

        if (call->arg[a] != NULL && n != 0 && (f->outputs & HAS(a)) != 0) {
            memset(call->arg[a], API_FILLER, n);
        }
    }
    for (int a = 0; a < ARG_COUNT; a++) {
        if (call->arg[a] != NULL && (f->inputs & ~f->outputs & HAS(a)) != 0) {
            api_pattern(call->arg[a], api_size(f, call, (enum api_arg)a), starts[a]);
        }
    }
    api_prepare(f, call);
}

void api_prepare(const struct api_function *f, const struct api_call *call)
{
    if (f->prepare != NULL) {
        check_int(f->prepare(call), AEADFAST_OK, "%s: preparing a call of %zu bytes", f->name,
                  call->len);
    }
}

/* An object as 16 bytes: the tag that a copy of it makes. A finished state has none: zeros. */
static void object_result(const struct api_function *f, const struct api_call *call, uint8_t *tag)
{
    static const uint8_t text[20] = {1, 2, 3, 4, 5};
    static const uint8_t nonce[12] = {9, 8, 7};
    uint8_t ct[20];

    memset(tag, 0, 16);
    if (api_is_gcm_stream(f)) {
        api_gcm_stream_result(call, tag);
    } else if (api_is_chacha_stream(f)) {
        api_chacha_stream_result(call, tag);
    } else if (api_is_siv(f)) {
        aes_gcm_siv_key copy;

        memcpy(&copy, call->arg[ARG_OBJECT], sizeof copy);
        assert_int_equal(aes_gcm_siv_seal(&copy, ct, tag, text, sizeof text, NULL, 0, nonce),
                         AEADFAST_OK);
    } else if (f->op == AEADFAST_OP_AES_GCM) {
        aes_gcm_key copy;

        memcpy(&copy, call->arg[ARG_OBJECT], sizeof copy);
        assert_int_equal(
            aes_gcm_seal(&copy, ct, tag, text, sizeof text, NULL, 0, nonce, sizeof nonce),
            AEADFAST_OK);
    } else {
        poly1305_state copy;
        int r;

        memcpy(&copy, call->arg[ARG_OBJECT], sizeof copy);
        r = poly1305_final(&copy, tag);
        assert_true(r == AEADFAST_OK || r == AEADFAST_ERR_STATE);
    }
}

size_t api_result(const struct api_function *f, const struct api_call *call, uint8_t *result)
{
    size_t used = 0;

    for (int a = 0; a < ARG_OBJECT; a++) {
        size_t n = api_size(f, call, (enum api_arg)a);

        if (call->arg[a] != NULL && n != 0 && (f->outputs & HAS(a)) != 0) {
            memcpy(result + used, call->arg[a], n);
            used += n;
        }
    }
    if ((f->outputs & HAS(ARG_OBJECT)) != 0) {
        object_result(f, call, result + used);
        used += 16;
    }
    return used;
}
