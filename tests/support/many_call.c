/* SPDX-License-Identifier: MIT */
#include "many_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t keys[MANY_CALL][32] = {{1, 2, 3}, {4, 5, 6}, {0}, {7, 8, 9}, {10, 11, 12}};
static const uint8_t nonces[MANY_CALL][12] = {{11}, {12}, {13}, {14}, {15}};
static const uint8_t aad[20] = "additional data";
static const size_t lens[MANY_CALL] = {70, 33, 0, 0, 64};

static void fill(struct many_neighbours *n)
{
    for (size_t i = 0; i < MANY_CALL; i++) {
        api_pattern(n->text[i], sizeof n->text[i], (unsigned)i);
    }
    memset(n->tag, API_FILLER, sizeof n->tag);
}

void many_chacha20_poly1305(chacha20_poly1305_message m[MANY_CALL], struct many_neighbours *n,
                            const struct api_call *c, int opening)
{
    fill(n);
    for (size_t i = 0; i < MANY_CALL; i++) {
        m[i] = (chacha20_poly1305_message){n->text[i], n->tag[i], n->text[i], lens[i], aad,
                                           sizeof aad, nonces[i], keys[i],    1};
        if (opening && i != MANY_MIDDLE) {
            /* where there is no backend it fails, and so will opening */
            (void)!chacha20_poly1305_seal(n->text[i], n->tag[i], n->text[i], lens[i], aad,
                                          sizeof aad, nonces[i], keys[i]);
        }
    }
    m[MANY_MIDDLE] = (chacha20_poly1305_message){
        c->arg[ARG_OUT], c->arg[ARG_TAG],   c->arg[ARG_IN],  c->len, c->arg[ARG_AAD],
        c->aad_len,      c->arg[ARG_NONCE], c->arg[ARG_KEY], 1};
}

void many_aes_gcm(aes_gcm_message m[MANY_CALL], struct many_neighbours *n,
                  struct many_gcm_keys *own, const struct api_call *c, int opening)
{
    fill(n);
    for (size_t i = 0; i < 2; i++) {
        /* where there is no backend it fails, and so will all that follows */
        memset(&own->key[i], 0, sizeof own->key[i]);
        (void)!aes_gcm_init_tag(&own->key[i], keys[i], 16 + 16 * i, 16 - 4 * i);
    }
    for (size_t i = 0; i < MANY_CALL; i++) {
        const aes_gcm_key *k = &own->key[i % 2];

        m[i] = (aes_gcm_message){n->text[i], n->tag[i], n->text[i], lens[i], aad,
                                 sizeof aad, nonces[i], 12,         k,       1};
        if (opening && i != MANY_MIDDLE) {
            (void)!aes_gcm_seal(k, n->text[i], n->tag[i], n->text[i], lens[i], aad, sizeof aad,
                                nonces[i], 12);
        }
    }
    m[MANY_MIDDLE] = (aes_gcm_message){c->arg[ARG_OUT],
                                       c->arg[ARG_TAG],
                                       c->arg[ARG_IN],
                                       c->len,
                                       c->arg[ARG_AAD],
                                       c->aad_len,
                                       c->arg[ARG_NONCE],
                                       c->nonce_len,
                                       (const aes_gcm_key *)(const void *)c->arg[ARG_OBJECT],
                                       1};
}

void many_jobs(struct aead_job jobs[MANY_CALL], struct many_neighbours *n, const struct api_call *c)
{
    const uint8_t *table = c->arg[ARG_OBJECT];

    fill(n);
    for (size_t i = 0; i < MANY_CALL; i++) {
        jobs[i] =
            (struct aead_job){n->text[i], n->tag[i],  n->text[i], lens[i],
                              aad,        sizeof aad, nonces[i],  table != NULL ? table : keys[i]};
    }
    jobs[MANY_MIDDLE] =
        (struct aead_job){c->arg[ARG_OUT],   c->arg[ARG_TAG],
                          c->arg[ARG_IN],    c->len,
                          c->arg[ARG_AAD],   c->aad_len,
                          c->arg[ARG_NONCE], table != NULL ? table : c->arg[ARG_KEY]};
}
