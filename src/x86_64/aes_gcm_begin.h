/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a message for the AES-GCM kernels on AES-NI and VAES: the nonce, the additional
 * data, and the bulk of the text. The end is each kernel's own.
 */
#ifndef AEADFAST_AES_GCM_BEGIN_H
#define AEADFAST_AES_GCM_BEGIN_H

#include "aes_gcm_bulk.h"

struct gcm_message {
    uint8_t *dst; /* what is left of the text, 1 to TURN bytes, or none at all */
    const uint8_t *src;
    size_t len;
    const uint8_t
        *hashed;     /* NULL, or TURN bytes of ciphertext before it not hashed yet (sealing) */
    size_t before;   /* blocks of text before it */
    vec counters;    /* of its first blocks: constants make them where nothing lies before it */
    __m128i j0;      /* as a counter */
    __m128i y;       /* of the additional data, and of what was hashed */
    size_t y_blocks; /* y is one block to be multiplied, or (0) has been multiplied already */
};

/* m->dst, src and len are all of the text. */
GCM_INLINE void gcm_begin(const struct gcm_table *t, struct gcm_message *m, const uint8_t *aad,
                          size_t aad_len, const uint8_t *nonce, size_t nonce_len, int sealing)
{
    m->hashed = NULL;
    m->before = 0;
    m->y = _mm_setzero_si128();
    m->y_blocks = 1;
    if (nonce_len == 12) {
        if (aad_len > 16) {
            m->y = hash_aad(t, aad, aad_len);
            m->y_blocks = 0;
        } else if (aad_len == 16) {
            m->y = gcm_reverse(load128(aad));
        } else if (aad_len != 0) {
            m->y = gcm_reverse(load_partial(aad, aad_len));
        }
        m->j0 = gcm_start_counter(nonce);
    } else {
        __m256i both = hash_aad_and_nonce(t, aad, aad_len, nonce, nonce_len);

        m->y = _mm256_castsi256_si128(both);
        m->j0 = _mm256_extractf128_si256(both, 1);
        m->y_blocks = 0;
    }
    m->counters = start_counters(m->j0, 1);
    if (m->len > TURN) {
        size_t turns = (m->len - 1) / TURN;
        int plain = 1;

#if GCM_ASM
        if (nonce_len == 12) {
            m->y = bulk(t, m->dst, m->src, turns, m->y, m->y_blocks, m->j0, sealing);
            m->j0 = gcm_start_counter(nonce);
            plain = 0;
        }
#endif
        if (plain) {
            __m256i both;

            if (m->y_blocks != 0) {
                m->y = ghash_mul(m->y, load128(POWER_AT(t, 1)));
            }
            both = bulk_any(t, m->dst, m->src, turns, pair(m->y, m->j0), sealing);
            m->y = _mm256_castsi256_si128(both);
            m->j0 = _mm256_extractf128_si256(both, 1);
        }
        m->y_blocks = 0;
        m->dst += turns * TURN;
        m->src += turns * TURN;
        m->len -= turns * TURN;
        m->before = turns * BLOCKS;
        m->counters = start_counters(m->j0, m->before + 1);
        if (sealing) {
            m->hashed = m->dst - TURN;
        }
    }
}

#endif
