/* SPDX-License-Identifier: MIT */
/*
 * The VAES form of AES-GCM in ipsec-mb 2.0 and later, called by its internal names: the library
 * itself picks it only where GFNI is there too, which Zen 3 lacks. Needs a static build of it.
 */
#include "ipsec_mb.h"
#include "peer.h"

#define AES_GCM(bits)                                                                              \
    void aes_keyexp_##bits##_enc_avx2(const void *key, void *expanded);                            \
    void aes_gcm_precomp_##bits##_vaes_avx2(struct gcm_key_data *key);                             \
    void aes_gcm_enc_##bits##_vaes_avx2(                                                           \
        const struct gcm_key_data *key, struct gcm_context_data *context, uint8_t *out,            \
        const uint8_t *in, uint64_t len, const uint8_t *iv, const uint8_t *aad, uint64_t aad_len,  \
        uint8_t *tag, uint64_t tag_len);                                                           \
    void aes_gcm_dec_##bits##_vaes_avx2(                                                           \
        const struct gcm_key_data *key, struct gcm_context_data *context, uint8_t *out,            \
        const uint8_t *in, uint64_t len, const uint8_t *iv, const uint8_t *aad, uint64_t aad_len,  \
        uint8_t *tag, uint64_t tag_len);                                                           \
                                                                                                   \
    static int rekey_##bits(void *object, const uint8_t *key)                                      \
    {                                                                                              \
        struct gcm *gcm = object;                                                                  \
                                                                                                   \
        aes_keyexp_##bits##_enc_avx2(key, &gcm->key);                                              \
        aes_gcm_precomp_##bits##_vaes_avx2(&gcm->key);                                             \
        return 0;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static void *make_##bits(const uint8_t *key)                                                   \
    {                                                                                              \
        void *gcm = __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx2")         \
                        ? new_gcm()                                                                \
                        : NULL;                                                                    \
                                                                                                   \
        return gcm != NULL && rekey_##bits(gcm, key) == 0 ? gcm : NULL;                            \
    }                                                                                              \
                                                                                                   \
    static int seal_##bits(void *object, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,          \
                           size_t len, const uint8_t *aad, size_t aad_len,                         \
                           const uint8_t nonce[12])                                                \
    {                                                                                              \
        struct gcm *gcm = object;                                                                  \
                                                                                                   \
        aes_gcm_enc_##bits##_vaes_avx2(&gcm->key, &gcm->context, ct, pt, len, nonce, aad, aad_len, \
                                       tag, 16);                                                   \
        return 0;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static int open_##bits(void *object, uint8_t *pt, const uint8_t *ct, size_t len,               \
                           const uint8_t tag[16], const uint8_t *aad, size_t aad_len,              \
                           const uint8_t nonce[12])                                                \
    {                                                                                              \
        struct gcm *gcm = object;                                                                  \
        uint8_t computed[16];                                                                      \
                                                                                                   \
        aes_gcm_dec_##bits##_vaes_avx2(&gcm->key, &gcm->context, pt, ct, len, nonce, aad, aad_len, \
                                       computed, 16);                                              \
        return !tags_match(computed, tag);                                                         \
    }                                                                                              \
                                                                                                   \
    static const struct peer_aead aes_##bits##_gcm = {make_##bits, rekey_##bits, seal_##bits,      \
                                                      open_##bits}

AES_GCM(128);
AES_GCM(256);

const struct peer peer = {
    .name = PEER_NAME,
    .version = imb_get_version_str,
    .aeads = {NULL, &aes_128_gcm, &aes_256_gcm},
};
