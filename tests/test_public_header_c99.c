/* SPDX-License-Identifier: MIT */
/*
 * The public header alone, in strict C99 without a warning; every macro of it in use, and every
 * function linked, with the type that is documented.
 */
#include "aeadfast.h"
/* once more: the guard */
#include "aeadfast.h"

#if __STDC_VERSION__ != 199901L
#error "to be compiled with -std=c99"
#endif

/* Macros that must work in the preprocessor, too. */
#if AEADFAST_VERSION_MAJOR < 0 || AEADFAST_VERSION_MINOR < 0 || AEADFAST_VERSION_PATCH < 0
#error "versions are numbers"
#endif
#if AEADFAST_OK != 0 || AEADFAST_ERR_AUTH >= 0 || AEADFAST_ERR_ARGUMENT >= 0 ||                    \
    AEADFAST_ERR_LENGTH >= 0 || AEADFAST_ERR_OVERLAP >= 0 || AEADFAST_ERR_BACKEND >= 0 ||          \
    AEADFAST_ERR_STATE >= 0
#error "success is 0, errors are negative"
#endif

#define IS_TRUE(name, condition) typedef char name[(condition) ? 1 : -1]

IS_TRUE(text_max, AEADFAST_CHACHA20_POLY1305_TEXT_MAX == ((uint64_t)1 << 38) - 64);
IS_TRUE(gcm_text_max, AEADFAST_AES_GCM_TEXT_MAX == ((uint64_t)1 << 36) - 32);
IS_TRUE(gcm_aad_max, AEADFAST_AES_GCM_AAD_MAX == ((uint64_t)1 << 61) - 1);
IS_TRUE(gcm_nonce_max, AEADFAST_AES_GCM_NONCE_MAX == ((uint64_t)1 << 61) - 1);
IS_TRUE(siv_text_max, AEADFAST_AES_GCM_SIV_TEXT_MAX == (uint64_t)1 << 36);
IS_TRUE(siv_aad_max, AEADFAST_AES_GCM_SIV_AAD_MAX == (uint64_t)1 << 36);
IS_TRUE(operations, AEADFAST_OP_CHACHA20 == 0 && AEADFAST_OP_POLY1305 == 1 &&
                        AEADFAST_OP_CHACHA20_POLY1305 == 2 && AEADFAST_OP_AES_GCM == 3);
IS_TRUE(version_text, sizeof AEADFAST_VERSION_STRING >= sizeof "0.0.0");

/* Sizes as dimensions of arrays. */
static uint8_t key[AEADFAST_CHACHA20_KEY_BYTES];
static uint8_t nonce[AEADFAST_CHACHA20_NONCE_BYTES];
static uint8_t long_nonce[AEADFAST_XCHACHA20_NONCE_BYTES];
static uint8_t subkey_nonce[AEADFAST_HCHACHA20_NONCE_BYTES];
static uint8_t mac_key[AEADFAST_POLY1305_KEY_BYTES];
static uint8_t mac[AEADFAST_POLY1305_TAG_BYTES];
static uint8_t tag[AEADFAST_CHACHA20_POLY1305_TAG_BYTES];
static uint8_t gcm_nonce[AEADFAST_AES_GCM_NONCE_BYTES];
static uint8_t gcm_tag[AEADFAST_AES_GCM_TAG_BYTES];

IS_TRUE(sizes, sizeof key == 32 && sizeof nonce == 12 && sizeof long_nonce == 24 &&
                   sizeof subkey_nonce == 16 && sizeof mac_key == 32 && sizeof mac == 16 &&
                   sizeof tag == 16 && sizeof gcm_nonce == 12 && sizeof gcm_tag == 16);

static AEADFAST_MUST_CHECK int must_check(void)
{
    return AEADFAST_OK;
}

/* The documented types: a change of one of them does not compile. */
static int (*const seal[])(uint8_t *, uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t,
                           const uint8_t *,
                           const uint8_t *) = {chacha20_poly1305_seal, xchacha20_poly1305_seal};
static int (*const open_[])(uint8_t *, const uint8_t *, size_t, const uint8_t *, const uint8_t *,
                            size_t, const uint8_t *,
                            const uint8_t *) = {chacha20_poly1305_open, xchacha20_poly1305_open};
static int (*const sealvs[])(const aeadfast_iovec *, size_t, uint8_t *, const aeadfast_iovec *,
                             size_t, const aeadfast_iovec *, size_t, const uint8_t *,
                             const uint8_t *) = {chacha20_poly1305_sealv, xchacha20_poly1305_sealv};
static int (*const openvs[])(const aeadfast_iovec *, size_t, const aeadfast_iovec *, size_t,
                             const uint8_t *, const aeadfast_iovec *, size_t, const uint8_t *,
                             const uint8_t *) = {chacha20_poly1305_openv, xchacha20_poly1305_openv};
static int (*const stream_inits[])(chacha20_poly1305_stream *, const uint8_t *, const uint8_t *) = {
    chacha20_poly1305_stream_init, xchacha20_poly1305_stream_init};
static int (*const stream_aad)(chacha20_poly1305_stream *, const uint8_t *,
                               size_t) = chacha20_poly1305_stream_aad;
static int (*const stream_updates[])(chacha20_poly1305_stream *, uint8_t *, const uint8_t *,
                                     size_t) = {chacha20_poly1305_stream_seal_update,
                                                chacha20_poly1305_stream_open_unverified_update};
static int (*const stream_seal_final)(chacha20_poly1305_stream *,
                                      uint8_t *) = chacha20_poly1305_stream_seal_final;
static int (*const stream_open_final)(chacha20_poly1305_stream *,
                                      const uint8_t *) = chacha20_poly1305_stream_open_final;
static int (*const gcm_init)(aes_gcm_key *, const uint8_t *, size_t) = aes_gcm_init;
static int (*const gcm_init_tag)(aes_gcm_key *, const uint8_t *, size_t, size_t) = aes_gcm_init_tag;
static int (*const gcm_seal)(const aes_gcm_key *, uint8_t *, uint8_t *, const uint8_t *, size_t,
                             const uint8_t *, size_t, const uint8_t *, size_t) = aes_gcm_seal;
static int (*const gcm_open)(const aes_gcm_key *, uint8_t *, const uint8_t *, size_t,
                             const uint8_t *, const uint8_t *, size_t, const uint8_t *,
                             size_t) = aes_gcm_open;
static void (*const gcm_wipe)(aes_gcm_key *) = aes_gcm_wipe;
static int (*const gcm_sealv)(const aes_gcm_key *, const aeadfast_iovec *, size_t, uint8_t *,
                              const aeadfast_iovec *, size_t, const aeadfast_iovec *, size_t,
                              const uint8_t *, size_t) = aes_gcm_sealv;
static int (*const gcm_openv)(const aes_gcm_key *, const aeadfast_iovec *, size_t,
                              const aeadfast_iovec *, size_t, const uint8_t *,
                              const aeadfast_iovec *, size_t, const uint8_t *,
                              size_t) = aes_gcm_openv;
static int (*const gcm_stream_init)(aes_gcm_stream *, const aes_gcm_key *, const uint8_t *,
                                    size_t) = aes_gcm_stream_init;
static int (*const gcm_stream_aad)(aes_gcm_stream *, const uint8_t *, size_t) = aes_gcm_stream_aad;
static int (*const gcm_stream_update[])(aes_gcm_stream *, uint8_t *, const uint8_t *, size_t) = {
    aes_gcm_stream_seal_update, aes_gcm_stream_open_unverified_update};
static int (*const gcm_stream_seal_final)(aes_gcm_stream *, uint8_t *) = aes_gcm_stream_seal_final;
static int (*const gcm_stream_open_final)(aes_gcm_stream *,
                                          const uint8_t *) = aes_gcm_stream_open_final;
static int (*const siv_init)(aes_gcm_siv_key *, const uint8_t *, size_t) = aes_gcm_siv_init;
static int (*const siv_seal)(const aes_gcm_siv_key *, uint8_t *, uint8_t *, const uint8_t *, size_t,
                             const uint8_t *, size_t, const uint8_t *) = aes_gcm_siv_seal;
static int (*const siv_open)(const aes_gcm_siv_key *, uint8_t *, const uint8_t *, size_t,
                             const uint8_t *, const uint8_t *, size_t,
                             const uint8_t *) = aes_gcm_siv_open;
static void (*const siv_wipe)(aes_gcm_siv_key *) = aes_gcm_siv_wipe;
static int (*const streams[])(uint8_t *, const uint8_t *, size_t, uint32_t, const uint8_t *,
                              const uint8_t *) = {chacha20_xor, chacha12_xor, chacha8_xor,
                                                  xchacha20_xor};
static int (*const keystream)(uint8_t *, size_t, uint32_t, const uint8_t *,
                              const uint8_t *) = chacha20_keystream;
static int (*const derive)(uint8_t *, const uint8_t *, const uint8_t *) = hchacha20;
static int (*const mac_once)(uint8_t *, const uint8_t *, size_t, const uint8_t *) = poly1305_mac;
static int (*const mac_check)(const uint8_t *, const uint8_t *, size_t,
                              const uint8_t *) = poly1305_verify;
static int (*const mac_begin)(poly1305_state *, const uint8_t *) = poly1305_begin;
static int (*const mac_update)(poly1305_state *, const uint8_t *, size_t) = poly1305_update;
static int (*const mac_final)(poly1305_state *, uint8_t *) = poly1305_final;
static const char *(*const error_text)(int) = aeadfast_strerror;
static const char *(*const version)(void) = aeadfast_version;
static int (*const init)(void) = aeadfast_init;
static size_t (*const count)(void) = aeadfast_backend_count;
static const char *(*const name)(size_t) = aeadfast_backend_name;
static int (*const supported)(const char *) = aeadfast_backend_supported;
static int (*const select_)(const char *) = aeadfast_backend_select;
static const char *(*const kernel)(aeadfast_op, size_t) = aeadfast_kernel_name;
static int (*const describe)(char *, size_t) = aeadfast_describe;
static int (*const selftest)(void) = aeadfast_selftest;
static void (*const wipe)(void *, size_t) = aeadfast_wipe;
static int (*const equal)(const void *, const void *, size_t) = aeadfast_equal;

#define CHECK(condition)                                                                           \
    if (!(condition)) {                                                                            \
        return __LINE__ % 255 + 1;                                                                 \
    }

/* Through the pointers, so that every one of them is linked. */
int main(void)
{
    uint8_t text[3] = {1, 2, 3};
    uint8_t out[64];
    poly1305_state state;
    chacha20_poly1305_stream stream;
    aeadfast_iovec piece;
    aes_gcm_stream gcm_stream;
    aes_gcm_key k;
    aes_gcm_siv_key siv;
    size_t i;

    CHECK(must_check() == 0);
    CHECK(init() == AEADFAST_OK && selftest() == AEADFAST_OK);
    CHECK(version()[0] == AEADFAST_VERSION_STRING[0] && error_text(AEADFAST_ERR_AUTH) != NULL);
    for (i = 0; i < 2; i++) {
        CHECK(seal[i](out, tag, text, 3, text, 3, long_nonce, key) == AEADFAST_OK);
        CHECK(open_[i](out, out, 3, tag, text, 3, long_nonce, key) == AEADFAST_OK);
        CHECK(equal(out, text, 3) == 1);
    }
    piece.base = text;
    piece.len = 3;
    for (i = 0; i < 2; i++) {
        CHECK(sealvs[i](&piece, 1, tag, &piece, 1, NULL, 0, long_nonce, key) == AEADFAST_OK);
        CHECK(stream_inits[i](&stream, long_nonce, key) == AEADFAST_OK);
        CHECK(stream_aad(&stream, NULL, 0) == AEADFAST_OK);
        CHECK(stream_updates[1](&stream, out, text, 3) == AEADFAST_OK);
        CHECK(stream_open_final(&stream, tag) == AEADFAST_OK);
        CHECK(openvs[i](&piece, 1, &piece, 1, tag, NULL, 0, long_nonce, key) == AEADFAST_OK);
        CHECK(equal(out, text, 3) == 1);
    }
    CHECK(stream_inits[0](&stream, nonce, key) == AEADFAST_OK);
    CHECK(stream_updates[0](&stream, out, text, 3) == AEADFAST_OK);
    CHECK(stream_seal_final(&stream, tag) == AEADFAST_OK);
    CHECK(gcm_init_tag(&k, key, 24, 8) == AEADFAST_OK && gcm_init(&k, key, 32) == AEADFAST_OK);
    CHECK(gcm_seal(&k, out, gcm_tag, text, 3, NULL, 0, gcm_nonce, 12) == AEADFAST_OK);
    CHECK(gcm_open(&k, out, out, 3, gcm_tag, NULL, 0, gcm_nonce, 12) == AEADFAST_OK);
    CHECK(gcm_sealv(&k, &piece, 1, gcm_tag, &piece, 1, NULL, 0, gcm_nonce, 12) == AEADFAST_OK);
    CHECK(gcm_openv(&k, &piece, 1, &piece, 1, gcm_tag, NULL, 0, gcm_nonce, 12) == AEADFAST_OK);
    for (i = 0; i < 2; i++) {
        CHECK(gcm_stream_init(&gcm_stream, &k, gcm_nonce, 12) == AEADFAST_OK);
        CHECK(gcm_stream_aad(&gcm_stream, text, 3) == AEADFAST_OK);
        CHECK(gcm_stream_update[i](&gcm_stream, out, i == 0 ? text : out, 3) == AEADFAST_OK);
        CHECK((i == 0 ? gcm_stream_seal_final(&gcm_stream, gcm_tag)
                      : gcm_stream_open_final(&gcm_stream, gcm_tag)) == AEADFAST_OK);
    }
    CHECK(equal(out, text, 3) == 1);
    gcm_wipe(&k);
    CHECK(siv_init(&siv, key, 32) == AEADFAST_OK);
    CHECK(siv_seal(&siv, out, gcm_tag, text, 3, NULL, 0, gcm_nonce) == AEADFAST_OK);
    CHECK(siv_open(&siv, out, out, 3, gcm_tag, NULL, 0, gcm_nonce) == AEADFAST_OK);
    siv_wipe(&siv);
    for (i = 0; i < 4; i++) {
        CHECK(streams[i](out, text, 3, 0, long_nonce, key) == AEADFAST_OK);
    }
    CHECK(keystream(out, 64, 0, nonce, key) == AEADFAST_OK);
    CHECK(derive(out, subkey_nonce, key) == AEADFAST_OK);
    CHECK(mac_once(mac, text, 3, mac_key) == AEADFAST_OK);
    CHECK(mac_check(mac, text, 3, mac_key) == AEADFAST_OK);
    CHECK(mac_begin(&state, mac_key) == AEADFAST_OK);
    CHECK(mac_update(&state, text, 3) == AEADFAST_OK && mac_final(&state, mac) == AEADFAST_OK);
    CHECK(count() >= 1 && name(0) != NULL && supported("portable") == 1);
    CHECK(select_(NULL) == AEADFAST_OK && kernel(AEADFAST_OP_AES_GCM, 3) != NULL);
    CHECK(describe(NULL, 0) > 0);
    wipe(out, sizeof out);
    CHECK(out[0] == 0);
    return 0;
}
