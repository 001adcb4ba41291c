/* SPDX-License-Identifier: MIT */
/*
 * aeadfast: ChaCha20, Poly1305, ChaCha20-Poly1305, AES-GCM and AES-GCM-SIV, with a kernel for each
 * instruction set, chosen at run time.
 *
 * This header is the whole interface. In short:
 *
 *   - Outputs come first, then inputs, then nonce and key. All sizes are in bytes.
 *   - A function that returns int returns AEADFAST_OK (0) or a negative AEADFAST_ERR_* value,
 *     unless it says otherwise. Look at the result: it is all that tells a forgery from a message.
 *   - No function allocates, aborts, takes a lock, or prints; the one exception is a single line on
 *     stderr when the environment variable AEADFAST_BACKEND asks for what cannot be had.
 *   - Every check comes before the first byte is written: a call that returns anything but
 *     AEADFAST_OK or AEADFAST_ERR_AUTH has changed nothing (of many messages, each by itself).
 *     Where several are due, the first in the order ARGUMENT, LENGTH, OVERLAP is returned; where
 *     STATE and BACKEND stand is not promised.
 *   - dst == src is fine (in place), disjoint is fine, anything between is AEADFAST_ERR_OVERLAP,
 *     and so is an output that overlaps any other argument. Inputs may overlap inputs. What that
 *     means for lists of buffers, and for many messages, is said there.
 *   - NULL is fine where the length is 0. NULL for a key, nonce, tag or object is an error.
 *   - No function branches or indexes memory on a secret, on any processor; keys and key streams
 *     that were left on the stack are cleared before the return.
 *   - Any number of threads may call anything at once, with no set-up call before; an object that
 *     one of them writes (a stream, an aes_gcm_key being initialised) is that thread's own.
 *   - One-shot functions first; then the same for texts in several buffers (..._sealv), texts that
 *     come piece by piece (..._stream), and many messages in one call (..._many).
 *
 * A nonce must never be used for two messages under one key. No function can check that; a repeated
 * nonce gives away the texts' difference and lets messages be forged. aeadfast_nonces counts them.
 */
#ifndef AEADFAST_H
#define AEADFAST_H

#include <stddef.h>
#include <stdint.h>

#define AEADFAST_VERSION_MAJOR  0
#define AEADFAST_VERSION_MINOR  1
#define AEADFAST_VERSION_PATCH  0
#define AEADFAST_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#define AEADFAST_MUST_CHECK __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define AEADFAST_MUST_CHECK _Check_return_
#else
#define AEADFAST_MUST_CHECK
#endif

/*
 * Two copies of the library in one program: build one with AEADFAST_PREFIX=mine_ and compile its
 * callers with the same macro (the CMake target and the pkg-config file see to that). The callers'
 * source stays as it is; the linker sees mine_chacha20_poly1305_seal and so on.
 */
#ifdef AEADFAST_PREFIX
#define AEADFAST_RENAME_PASTE_(prefix, name) prefix##name
#define AEADFAST_RENAME_PASTE(prefix, name)  AEADFAST_RENAME_PASTE_(prefix, name)
#define AEADFAST_RENAME(name)                AEADFAST_RENAME_PASTE(AEADFAST_PREFIX, name)
#define aeadfast_strerror                    AEADFAST_RENAME(aeadfast_strerror)
#define aeadfast_version                     AEADFAST_RENAME(aeadfast_version)
#define aeadfast_init                        AEADFAST_RENAME(aeadfast_init)
#define aeadfast_backend_count               AEADFAST_RENAME(aeadfast_backend_count)
#define aeadfast_backend_name                AEADFAST_RENAME(aeadfast_backend_name)
#define aeadfast_backend_supported           AEADFAST_RENAME(aeadfast_backend_supported)
#define aeadfast_backend_select              AEADFAST_RENAME(aeadfast_backend_select)
#define aeadfast_kernel_name                 AEADFAST_RENAME(aeadfast_kernel_name)
#define aeadfast_describe                    AEADFAST_RENAME(aeadfast_describe)
#define aeadfast_selftest                    AEADFAST_RENAME(aeadfast_selftest)
#define aeadfast_wipe                        AEADFAST_RENAME(aeadfast_wipe)
#define aeadfast_nonces_begin                AEADFAST_RENAME(aeadfast_nonces_begin)
#define aeadfast_nonces_next                 AEADFAST_RENAME(aeadfast_nonces_next)
#define aeadfast_equal                       AEADFAST_RENAME(aeadfast_equal)
#define chacha20_poly1305_seal               AEADFAST_RENAME(chacha20_poly1305_seal)
#define chacha20_poly1305_open               AEADFAST_RENAME(chacha20_poly1305_open)
#define xchacha20_poly1305_seal              AEADFAST_RENAME(xchacha20_poly1305_seal)
#define xchacha20_poly1305_open              AEADFAST_RENAME(xchacha20_poly1305_open)
#define aes_gcm_init                         AEADFAST_RENAME(aes_gcm_init)
#define aes_gcm_init_tag                     AEADFAST_RENAME(aes_gcm_init_tag)
#define aes_gcm_seal                         AEADFAST_RENAME(aes_gcm_seal)
#define aes_gcm_open                         AEADFAST_RENAME(aes_gcm_open)
#define aes_gcm_wipe                         AEADFAST_RENAME(aes_gcm_wipe)
#define aes_gcm_siv_init                     AEADFAST_RENAME(aes_gcm_siv_init)
#define aes_gcm_siv_seal                     AEADFAST_RENAME(aes_gcm_siv_seal)
#define aes_gcm_siv_open                     AEADFAST_RENAME(aes_gcm_siv_open)
#define aes_gcm_siv_wipe                     AEADFAST_RENAME(aes_gcm_siv_wipe)
#define chacha20_poly1305_sealv              AEADFAST_RENAME(chacha20_poly1305_sealv)
#define chacha20_poly1305_openv              AEADFAST_RENAME(chacha20_poly1305_openv)
#define xchacha20_poly1305_sealv             AEADFAST_RENAME(xchacha20_poly1305_sealv)
#define xchacha20_poly1305_openv             AEADFAST_RENAME(xchacha20_poly1305_openv)
#define aes_gcm_sealv                        AEADFAST_RENAME(aes_gcm_sealv)
#define aes_gcm_openv                        AEADFAST_RENAME(aes_gcm_openv)
#define chacha20_poly1305_stream_init        AEADFAST_RENAME(chacha20_poly1305_stream_init)
#define xchacha20_poly1305_stream_init       AEADFAST_RENAME(xchacha20_poly1305_stream_init)
#define chacha20_poly1305_stream_aad         AEADFAST_RENAME(chacha20_poly1305_stream_aad)
#define chacha20_poly1305_stream_seal_update AEADFAST_RENAME(chacha20_poly1305_stream_seal_update)
#define chacha20_poly1305_stream_seal_final  AEADFAST_RENAME(chacha20_poly1305_stream_seal_final)
#define chacha20_poly1305_stream_open_unverified_update                                            \
    AEADFAST_RENAME(chacha20_poly1305_stream_open_unverified_update)
#define chacha20_poly1305_stream_open_final   AEADFAST_RENAME(chacha20_poly1305_stream_open_final)
#define aes_gcm_stream_init                   AEADFAST_RENAME(aes_gcm_stream_init)
#define aes_gcm_stream_aad                    AEADFAST_RENAME(aes_gcm_stream_aad)
#define aes_gcm_stream_seal_update            AEADFAST_RENAME(aes_gcm_stream_seal_update)
#define aes_gcm_stream_seal_final             AEADFAST_RENAME(aes_gcm_stream_seal_final)
#define aes_gcm_stream_open_unverified_update AEADFAST_RENAME(aes_gcm_stream_open_unverified_update)
#define aes_gcm_stream_open_final             AEADFAST_RENAME(aes_gcm_stream_open_final)
#define chacha20_poly1305_seal_many           AEADFAST_RENAME(chacha20_poly1305_seal_many)
#define chacha20_poly1305_open_many           AEADFAST_RENAME(chacha20_poly1305_open_many)
#define aes_gcm_seal_many                     AEADFAST_RENAME(aes_gcm_seal_many)
#define aes_gcm_open_many                     AEADFAST_RENAME(aes_gcm_open_many)
#define chacha20_xor                          AEADFAST_RENAME(chacha20_xor)
#define chacha12_xor                          AEADFAST_RENAME(chacha12_xor)
#define chacha8_xor                           AEADFAST_RENAME(chacha8_xor)
#define chacha20_keystream                    AEADFAST_RENAME(chacha20_keystream)
#define xchacha20_xor                         AEADFAST_RENAME(xchacha20_xor)
#define hchacha20                             AEADFAST_RENAME(hchacha20)
#define poly1305_mac                          AEADFAST_RENAME(poly1305_mac)
#define poly1305_verify                       AEADFAST_RENAME(poly1305_verify)
#define poly1305_begin                        AEADFAST_RENAME(poly1305_begin)
#define poly1305_update                       AEADFAST_RENAME(poly1305_update)
#define poly1305_final                        AEADFAST_RENAME(poly1305_final)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What is declared here may leave a shared library that this one is linked into; nothing else may. */
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(default)
#endif

/* ---- Results --------------------------------------------------------------------------------- */

#define AEADFAST_OK           0
#define AEADFAST_ERR_AUTH     (-1) /* the tag does not match */
#define AEADFAST_ERR_ARGUMENT (-2) /* NULL where there must be something, or a size not allowed */
#define AEADFAST_ERR_LENGTH   (-3) /* over the algorithm's limit */
#define AEADFAST_ERR_OVERLAP  (-4) /* buffers overlap in a way that is not allowed */
#define AEADFAST_ERR_BACKEND  (-5) /* the forced backend is unknown, or cannot be had here */
#define AEADFAST_ERR_STATE    (-6) /* an object that is not initialised, finished, or wiped */

/* One short sentence for a result, in English, never NULL; also for values that are no result. */
const char *aeadfast_strerror(int error);

/* AEADFAST_VERSION_STRING of the library that is linked. */
const char *aeadfast_version(void);

/* ---- Sizes and limits, in bytes -------------------------------------------------------------- */

#define AEADFAST_CHACHA20_KEY_BYTES          32
#define AEADFAST_CHACHA20_NONCE_BYTES        12
#define AEADFAST_XCHACHA20_NONCE_BYTES       24
#define AEADFAST_HCHACHA20_NONCE_BYTES       16
#define AEADFAST_POLY1305_KEY_BYTES          32
#define AEADFAST_POLY1305_TAG_BYTES          16
#define AEADFAST_CHACHA20_POLY1305_TAG_BYTES 16
#define AEADFAST_AES_GCM_NONCE_BYTES         12 /* the usual one; any length from 1 is taken */
#define AEADFAST_AES_GCM_TAG_BYTES           16 /* the usual one; see aes_gcm_init_tag */

/* What one call takes at most; on a 32-bit machine size_t is the nearer limit. */
#define AEADFAST_CHACHA20_POLY1305_TEXT_MAX UINT64_C(274877906880)        /* 2^38 - 64 */
#define AEADFAST_AES_GCM_TEXT_MAX           UINT64_C(68719476704)         /* 2^36 - 32 */
#define AEADFAST_AES_GCM_AAD_MAX            UINT64_C(2305843009213693951) /* 2^61 - 1 */
#define AEADFAST_AES_GCM_NONCE_MAX          UINT64_C(2305843009213693951) /* 2^61 - 1 */
#define AEADFAST_AES_GCM_SIV_TEXT_MAX       UINT64_C(68719476736)         /* 2^36 */
#define AEADFAST_AES_GCM_SIV_AAD_MAX        UINT64_C(68719476736)         /* 2^36 */

/* ---- ChaCha20-Poly1305, RFC 8439 section 2.8 ------------------------------------------------- */

/*
 * Encrypts `len` bytes of `pt` to `ct` and writes the 16-byte tag over `aad` and the ciphertext.
 *
 * Sizes     `ct` and `pt` hold len bytes, 0 to AEADFAST_CHACHA20_POLY1305_TEXT_MAX (2^38 - 64);
 *           `aad` holds aad_len bytes, up to PTRDIFF_MAX, which no object exceeds.
 * Overlap   ct == pt is fine, disjoint is fine, anything between is refused; `ct` and `tag` must
 *           not overlap each other, nor `aad`, `nonce` or `key`, nor `tag` the text.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing
 *           has been written.
 *
 * A nonce must not be used twice under one key; 12 bytes are too short to be drawn at random for
 * many messages: count, or take xchacha20_poly1305_seal.
 */
AEADFAST_MUST_CHECK int chacha20_poly1305_seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                               size_t len, const uint8_t *aad, size_t aad_len,
                                               const uint8_t nonce[12], const uint8_t key[32]);

/*
 * Checks the tag over `aad` and `ct`, and decrypts `len` bytes of `ct` to `pt`.
 *
 * Sizes     as for sealing.
 * Overlap   pt == ct is fine, disjoint is fine, anything between is refused; `pt` must not overlap
 *           `tag`, `aad`, `nonce` or `key`. Inputs may overlap each other: a tag behind its
 *           ciphertext, say.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_AUTH where the message or its tag is not what was sealed:
 *           then all len bytes of `pt` are 0, which in place destroys the ciphertext;
 *           AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing has been
 *           written.
 */
AEADFAST_MUST_CHECK int chacha20_poly1305_open(uint8_t *pt, const uint8_t *ct, size_t len,
                                               const uint8_t tag[16], const uint8_t *aad,
                                               size_t aad_len, const uint8_t nonce[12],
                                               const uint8_t key[32]);

/* ---- XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03 section 2 -------------------------------- */

/*
 * chacha20_poly1305_seal with a 24-byte nonce, long enough to be drawn at random for each message.
 *
 * Sizes     `ct` and `pt` hold len bytes, 0 to AEADFAST_CHACHA20_POLY1305_TEXT_MAX (2^38 - 64);
 *           `aad` holds aad_len bytes, up to PTRDIFF_MAX, which no object exceeds.
 * Overlap   ct == pt is fine, disjoint is fine, anything between is refused; `ct` and `tag` must
 *           not overlap each other, nor `aad`, `nonce` or `key`, nor `tag` the text.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing
 *           has been written.
 */
AEADFAST_MUST_CHECK int xchacha20_poly1305_seal(uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                                                size_t len, const uint8_t *aad, size_t aad_len,
                                                const uint8_t nonce[24], const uint8_t key[32]);

/*
 * chacha20_poly1305_open with a 24-byte nonce.
 *
 * Sizes     as for sealing.
 * Overlap   pt == ct is fine, disjoint is fine, anything between is refused; `pt` must not overlap
 *           `tag`, `aad`, `nonce` or `key`. Inputs may overlap each other.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_AUTH where the message or its tag is not what was sealed:
 *           then all len bytes of `pt` are 0, which in place destroys the ciphertext;
 *           AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing has been
 *           written.
 */
AEADFAST_MUST_CHECK int xchacha20_poly1305_open(uint8_t *pt, const uint8_t *ct, size_t len,
                                                const uint8_t tag[16], const uint8_t *aad,
                                                size_t aad_len, const uint8_t nonce[24],
                                                const uint8_t key[32]);

/* ---- AES-GCM, SP 800-38D, with AES-128, -192 and -256 (FIPS 197) ----------------------------- */

/*
 * A key made ready: round keys, powers of H, the tag's length, and the kernel they were made for.
 * The caller provides the storage, wherever and aligned as any object of this type may be. Once
 * initialised it is only read: any number of threads may share it. It may be copied with memcpy
 * within its process; each copy wants its own aes_gcm_wipe. A later aeadfast_backend_select does
 * not change the kernel family of a key that exists.
 */
typedef struct {
    uint64_t opaque[192];
} aes_gcm_key;

/*
 * Makes `k` ready for sealing and opening with the AES key `key`, and tags of 16 bytes.
 *
 * Sizes     key_len is 16, 24 or 32.
 * Overlap   `key` must not overlap `*k`.
 * Threads   any number at once, each on an object of its own.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT (NULL, or another key length), _OVERLAP or
 *           _BACKEND, and then `*k` is as it was.
 */
AEADFAST_MUST_CHECK int aes_gcm_init(aes_gcm_key *k, const uint8_t *key, size_t key_len);

/*
 * aes_gcm_init for tags of another length, which is bound to the key: no message under it is ever
 * accepted on fewer bytes. Short tags are easier to forge than their length suggests: SP 800-38D
 * Appendix C limits how many messages, and how long, a key with tags of 4 or 8 may serve.
 *
 * Sizes     key_len is 16, 24 or 32; tag_len is 4, 8, 12, 13, 14, 15 or 16.
 * Overlap   `key` must not overlap `*k`.
 * Threads   any number at once, each on an object of its own.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT (NULL, or another length), _OVERLAP or _BACKEND,
 *           and then `*k` is as it was.
 */
AEADFAST_MUST_CHECK int aes_gcm_init_tag(aes_gcm_key *k, const uint8_t *key, size_t key_len,
                                         size_t tag_len);

/*
 * Encrypts `len` bytes of `pt` to `ct` and writes the tag over `aad` and the ciphertext: 16 bytes,
 * or as many as aes_gcm_init_tag was told and not one more.
 *
 * Sizes     `ct` and `pt` hold len bytes, 0 to AEADFAST_AES_GCM_TEXT_MAX (2^36 - 32); `aad` holds
 *           aad_len bytes, up to 2^61 - 1; `nonce` holds nonce_len bytes, 1 to 2^61 - 1. 12 is the
 *           fast one and the one to take; the others go through GHASH (SP 800-38D section 7.1).
 * Overlap   ct == pt is fine, disjoint is fine, anything between is refused; `ct` and `tag` must
 *           not overlap each other, nor `aad`, `nonce` or `*k`, nor `tag` the text.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once, with the same key too.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT (a nonce of 0 bytes is one), _LENGTH, _OVERLAP,
 *           _BACKEND, or _STATE for a key that is wiped or was never initialised; then nothing has
 *           been written.
 *
 * A nonce must not be used twice under one key: twice is enough to forge any message.
 */
AEADFAST_MUST_CHECK int aes_gcm_seal(const aes_gcm_key *k, uint8_t *ct, uint8_t *tag,
                                     const uint8_t *pt, size_t len, const uint8_t *aad,
                                     size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * Checks the tag over `aad` and `ct`, and decrypts `len` bytes of `ct` to `pt`. All bytes of the
 * key's tag length are compared.
 *
 * Sizes     as for sealing.
 * Overlap   pt == ct is fine, disjoint is fine, anything between is refused; `pt` must not overlap
 *           `tag`, `aad`, `nonce` or `*k`. Inputs may overlap each other.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once, with the same key too.
 * Returns   AEADFAST_OK; AEADFAST_ERR_AUTH where the message or its tag is not what was sealed:
 *           then all len bytes of `pt` are 0, which in place destroys the ciphertext;
 *           AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP, _BACKEND or _STATE, and then nothing has
 *           been written.
 */
AEADFAST_MUST_CHECK int aes_gcm_open(const aes_gcm_key *k, uint8_t *pt, const uint8_t *ct,
                                     size_t len, const uint8_t *tag, const uint8_t *aad,
                                     size_t aad_len, const uint8_t *nonce, size_t nonce_len);

/*
 * Zeroes every byte of `*k`; NULL does nothing. Until it is initialised again, sealing and opening
 * with it return AEADFAST_ERR_STATE. No other thread may be using it.
 */
void aes_gcm_wipe(aes_gcm_key *k);

/* ---- AES-GCM-SIV, RFC 8452, with AES-128 and AES-256 ----------------------------------------- */

/*
 * For those who cannot be sure that no nonce ever comes twice: a repeated one tells whether the same
 * message with the same additional data was sealed again, and nothing more. The price is a second
 * pass over the text, and keys that are derived anew for each message.
 */

/*
 * The key-generating key made ready. Storage, sharing and copies as for an aes_gcm_key; the kernels
 * are those of AES-GCM.
 */
typedef struct {
    uint64_t opaque[192];
} aes_gcm_siv_key;

/*
 * Makes `k` ready.
 *
 * Sizes     key_len is 16 or 32.
 * Overlap   `key` must not overlap `*k`.
 * Threads   any number at once, each on an object of its own.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT (NULL, or another key length), _OVERLAP or
 *           _BACKEND, and then `*k` is as it was.
 */
AEADFAST_MUST_CHECK int aes_gcm_siv_init(aes_gcm_siv_key *k, const uint8_t *key, size_t key_len);

/*
 * Encrypts `len` bytes of `pt` to `ct` and writes the 16-byte tag over `aad` and the text.
 *
 * Sizes     `ct` and `pt` hold len bytes, `aad` holds aad_len bytes, 0 to
 *           AEADFAST_AES_GCM_SIV_TEXT_MAX and _AAD_MAX (2^36 both).
 * Overlap   ct == pt is fine, disjoint is fine, anything between is refused; `ct` and `tag` must
 *           not overlap each other, nor `aad`, `nonce` or `*k`, nor `tag` the text.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once, with the same key too.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP, _BACKEND, or _STATE for a key
 *           that is wiped or was never initialised; then nothing has been written.
 */
AEADFAST_MUST_CHECK int aes_gcm_siv_seal(const aes_gcm_siv_key *k, uint8_t *ct, uint8_t tag[16],
                                         const uint8_t *pt, size_t len, const uint8_t *aad,
                                         size_t aad_len, const uint8_t nonce[12]);

/*
 * Decrypts `len` bytes of `ct` to `pt` and checks the tag over `aad` and the text.
 *
 * Sizes     as for sealing.
 * Overlap   pt == ct is fine, disjoint is fine, anything between is refused; `pt` must not overlap
 *           `tag`, `aad`, `nonce` or `*k`. Inputs may overlap each other.
 * NULL      for `pt`, `ct` with len 0 and for `aad` with aad_len 0; nowhere else.
 * Threads   any number at once, with the same key too.
 * Returns   AEADFAST_OK; AEADFAST_ERR_AUTH where the message or its tag is not what was sealed:
 *           then all len bytes of `pt` are 0, which in place destroys the ciphertext;
 *           AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP, _BACKEND or _STATE, and then nothing has
 *           been written.
 */
AEADFAST_MUST_CHECK int aes_gcm_siv_open(const aes_gcm_siv_key *k, uint8_t *pt, const uint8_t *ct,
                                         size_t len, const uint8_t tag[16], const uint8_t *aad,
                                         size_t aad_len, const uint8_t nonce[12]);

/* aes_gcm_wipe for such a key. */
void aes_gcm_siv_wipe(aes_gcm_siv_key *k);

/* ---- Scatter/gather: texts in several buffers ------------------------------------------------- */

/*
 * A piece of a text: `len` bytes at `base`, which may be NULL where len is 0. Pieces of an input are only
 * read, whatever the type of `base`.
 */
typedef struct {
    void *base;
    size_t len;
} aeadfast_iovec;

/*
 * The one-shot functions with the text in, the text out and the additional data each a list of
 * pieces, of any number (0 too: then the list may be NULL) and any length. The result is that of the
 * one-shot function on the pieces put together; the pieces of `ct` and `pt` need not match. Texts of
 * one piece each go to the one-shot function.
 *
 * Sizes     the pieces of `ct` hold as many bytes together as those of `pt`, else
 *           AEADFAST_ERR_ARGUMENT. Limits on sums are those of the one-shot function.
 * Overlap   in place is fine: where a piece of the output meets one of the input, each byte that
 *           they share must be the same byte of the text. Any other overlap of an output (a piece of
 *           it with another piece too) with anything but an empty piece is refused. The pieces are
 *           compared each with each, so the time for this grows as the product of their numbers. The
 *           lists themselves must not lie where output is written: refused too. Nobody may change
 *           them during the call.
 * NULL      for a list of no pieces and for the base of an empty piece; nowhere else.
 * Threads   any number at once.
 * Returns   what the one-shot function returns. All checks come before the first byte is written.
 *           After AEADFAST_ERR_AUTH every byte of the output pieces is 0.
 */
AEADFAST_MUST_CHECK int chacha20_poly1305_sealv(const aeadfast_iovec *ct, size_t ct_count,
                                                uint8_t tag[16], const aeadfast_iovec *pt,
                                                size_t pt_count, const aeadfast_iovec *aad,
                                                size_t aad_count, const uint8_t nonce[12],
                                                const uint8_t key[32]);
AEADFAST_MUST_CHECK int chacha20_poly1305_openv(const aeadfast_iovec *pt, size_t pt_count,
                                                const aeadfast_iovec *ct, size_t ct_count,
                                                const uint8_t tag[16], const aeadfast_iovec *aad,
                                                size_t aad_count, const uint8_t nonce[12],
                                                const uint8_t key[32]);
AEADFAST_MUST_CHECK int xchacha20_poly1305_sealv(const aeadfast_iovec *ct, size_t ct_count,
                                                 uint8_t tag[16], const aeadfast_iovec *pt,
                                                 size_t pt_count, const aeadfast_iovec *aad,
                                                 size_t aad_count, const uint8_t nonce[24],
                                                 const uint8_t key[32]);
AEADFAST_MUST_CHECK int xchacha20_poly1305_openv(const aeadfast_iovec *pt, size_t pt_count,
                                                 const aeadfast_iovec *ct, size_t ct_count,
                                                 const uint8_t tag[16], const aeadfast_iovec *aad,
                                                 size_t aad_count, const uint8_t nonce[24],
                                                 const uint8_t key[32]);
AEADFAST_MUST_CHECK int aes_gcm_sealv(const aes_gcm_key *k, const aeadfast_iovec *ct,
                                      size_t ct_count, uint8_t *tag, const aeadfast_iovec *pt,
                                      size_t pt_count, const aeadfast_iovec *aad, size_t aad_count,
                                      const uint8_t *nonce, size_t nonce_len);
AEADFAST_MUST_CHECK int aes_gcm_openv(const aes_gcm_key *k, const aeadfast_iovec *pt,
                                      size_t pt_count, const aeadfast_iovec *ct, size_t ct_count,
                                      const uint8_t *tag, const aeadfast_iovec *aad,
                                      size_t aad_count, const uint8_t *nonce, size_t nonce_len);

/* ---- Incremental: texts that come piece by piece ---------------------------------------------- */

/*
 * A message in progress. Begin with a _stream_init, whatever the storage held before; then the
 * additional data, in any number of pieces, by _stream_aad; then the text, in any number of pieces
 * of any length, 0 too, by _seal_update or _open_unverified_update; last _seal_final or
 * _open_final. The result is that of the one-shot function, whatever the pieces.
 *
 * Rules for all of them, stated here once:
 *
 * Order     additional data after text (of 0 bytes, too), a sealing call after an opening one, or
 *           the reverse, and anything after the final call are AEADFAST_ERR_STATE, and change
 *           nothing. A stream that has been finished or failed is wiped, and answers
 *           AEADFAST_ERR_STATE until it is begun again; so does one that is all zero.
 * Sizes     limits on sums are those of the one-shot functions; a piece that would go past one is
 *           AEADFAST_ERR_LENGTH. A piece yields as many bytes of output as it has.
 * Overlap   dst == src is fine, disjoint is fine, anything between is refused; no argument may
 *           overlap the stream, no output the AES-GCM key.
 * NULL      for text or data of length 0; nowhere else.
 * Copies    a stream may be copied with memcpy between calls and each copy goes on by itself, and
 *           wants its own final call or aeadfast_wipe. Two copies that seal different texts use
 *           one nonce twice: don't.
 * Threads   any number at once, each on a stream of its own.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP, _BACKEND or _STATE, and then
 *           nothing has changed: the stream can go on with a call that is right.
 *
 * What _open_unverified_update writes is what somebody sent, genuine or forged. Nothing of it may be
 * used, shown, stored for good or answered before _open_final has returned AEADFAST_OK; where it
 * returns AEADFAST_ERR_AUTH, all of it must be thrown away: unlike the one-shot function it cannot
 * zero what it gave out before. Take the one-shot or scatter/gather functions wherever the message
 * fits in memory.
 */
typedef struct {
    uint64_t opaque[320];
} chacha20_poly1305_stream;

AEADFAST_MUST_CHECK int chacha20_poly1305_stream_init(chacha20_poly1305_stream *s,
                                                      const uint8_t nonce[12],
                                                      const uint8_t key[32]);
/* The same with the nonce of XChaCha20-Poly1305; all that follows is common. */
AEADFAST_MUST_CHECK int xchacha20_poly1305_stream_init(chacha20_poly1305_stream *s,
                                                       const uint8_t nonce[24],
                                                       const uint8_t key[32]);
AEADFAST_MUST_CHECK int chacha20_poly1305_stream_aad(chacha20_poly1305_stream *s,
                                                     const uint8_t *aad, size_t aad_len);
AEADFAST_MUST_CHECK int chacha20_poly1305_stream_seal_update(chacha20_poly1305_stream *s,
                                                             uint8_t *ct, const uint8_t *pt,
                                                             size_t len);
AEADFAST_MUST_CHECK int chacha20_poly1305_stream_seal_final(chacha20_poly1305_stream *s,
                                                            uint8_t tag[16]);
AEADFAST_MUST_CHECK int chacha20_poly1305_stream_open_unverified_update(chacha20_poly1305_stream *s,
                                                                        uint8_t *pt,
                                                                        const uint8_t *ct,
                                                                        size_t len);
/* AEADFAST_OK, or AEADFAST_ERR_AUTH, or as above. */
AEADFAST_MUST_CHECK int chacha20_poly1305_stream_open_final(chacha20_poly1305_stream *s,
                                                            const uint8_t tag[16]);

/* The key is not copied: it must stay where it is, as it is, until the final call. */
typedef struct {
    uint64_t opaque[96];
} aes_gcm_stream;

AEADFAST_MUST_CHECK int aes_gcm_stream_init(aes_gcm_stream *s, const aes_gcm_key *k,
                                            const uint8_t *nonce, size_t nonce_len);
AEADFAST_MUST_CHECK int aes_gcm_stream_aad(aes_gcm_stream *s, const uint8_t *aad, size_t aad_len);
AEADFAST_MUST_CHECK int aes_gcm_stream_seal_update(aes_gcm_stream *s, uint8_t *ct,
                                                   const uint8_t *pt, size_t len);
/* Writes as many bytes as the key's tags have. */
AEADFAST_MUST_CHECK int aes_gcm_stream_seal_final(aes_gcm_stream *s, uint8_t *tag);
AEADFAST_MUST_CHECK int aes_gcm_stream_open_unverified_update(aes_gcm_stream *s, uint8_t *pt,
                                                              const uint8_t *ct, size_t len);
/* AEADFAST_OK, or AEADFAST_ERR_AUTH, or as above. */
AEADFAST_MUST_CHECK int aes_gcm_stream_open_final(aes_gcm_stream *s, const uint8_t *tag);

/* ---- Many messages in one call ---------------------------------------------------------------- */

/*
 * One message of many: the arguments of the one-shot function, and room for its result. Sizes,
 * limits, NULL and overlap within a message are those of the one-shot function. Messages may share a
 * key, and any other input.
 */
typedef struct {
    uint8_t *dst;       /* len bytes: ciphertext when sealing, text when opening */
    uint8_t *tag;       /* 16 bytes: written when sealing, read when opening */
    const uint8_t *src; /* len bytes */
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce; /* 12 bytes */
    const uint8_t *key;   /* 32 bytes */
    int result;           /* written: what the one-shot function would return for this message */
} chacha20_poly1305_message;

typedef struct {
    uint8_t *dst;       /* len bytes: ciphertext when sealing, text when opening */
    uint8_t *tag;       /* as many bytes as the key's tags have: written when sealing, or read */
    const uint8_t *src; /* len bytes */
    size_t len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *nonce;
    size_t nonce_len;
    const aes_gcm_key *k;
    int result; /* written: what the one-shot function would return for this message */
} aes_gcm_message;

/*
 * Seals or opens `count` messages, of any mix of lengths and keys. Short ones are worked on several
 * at a time, which is faster than one after another. A message that is refused, or whose tag is
 * wrong, is treated as by the one-shot function, and the others are as if it were not there.
 *
 * Overlap   within a message as for any call. An output of one message (its text, its tag when
 *           sealing, its `result`) must not overlap anything of another one, and no text or tag that
 *           is written may lie over the array `messages`. That is the caller's duty: it is not checked.
 * NULL      for `messages` with count 0.
 * Threads   any number at once.
 * Returns   AEADFAST_OK where every result is; else the first result that is another;
 *           AEADFAST_ERR_ARGUMENT where `messages` is NULL and count is not 0.
 */
AEADFAST_MUST_CHECK int chacha20_poly1305_seal_many(chacha20_poly1305_message *messages,
                                                    size_t count);
AEADFAST_MUST_CHECK int chacha20_poly1305_open_many(chacha20_poly1305_message *messages,
                                                    size_t count);
AEADFAST_MUST_CHECK int aes_gcm_seal_many(aes_gcm_message *messages, size_t count);
AEADFAST_MUST_CHECK int aes_gcm_open_many(aes_gcm_message *messages, size_t count);

/* ---- ChaCha20 and its kin: key stream without authentication --------------------------------- */

/*
 * dst = src xor ChaCha20 key stream (RFC 8439 section 2.4), which begins at block `counter`. The
 * same call encrypts and decrypts. Nothing is authenticated: whoever can change the ciphertext
 * changes the text, bit by bit. Take chacha20_poly1305_seal unless you know why not.
 *
 * Sizes     `dst` and `src` hold len bytes. counter + ceil(len / 64) must not exceed 2^32.
 * Overlap   dst == src is fine, disjoint is fine, anything between is refused; `dst` must not
 *           overlap `nonce` or `key`.
 * NULL      for `dst`, `src` with len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing
 *           has been written.
 */
AEADFAST_MUST_CHECK int chacha20_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                                     const uint8_t nonce[12], const uint8_t key[32]);

/*
 * chacha20_xor with 12 rounds: a smaller margin of security for more speed; same sizes, limits,
 * overlap and thread rules, and results. Not compatible with ChaCha20.
 */
AEADFAST_MUST_CHECK int chacha12_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                                     const uint8_t nonce[12], const uint8_t key[32]);

/*
 * chacha20_xor with 8 rounds: the smallest margin of the three, for random number generators and
 * other uses that know they may; same sizes, limits, overlap and thread rules, and results. Not
 * compatible with ChaCha20.
 */
AEADFAST_MUST_CHECK int chacha8_xor(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                                    const uint8_t nonce[12], const uint8_t key[32]);

/*
 * Writes `len` bytes of ChaCha20 key stream from block `counter` on: chacha20_xor of zeros.
 *
 * Sizes     `dst` holds len bytes. counter + ceil(len / 64) must not exceed 2^32.
 * Overlap   `dst` must not overlap `nonce` or `key`.
 * NULL      for `dst` with len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing
 *           has been written.
 */
AEADFAST_MUST_CHECK int chacha20_keystream(uint8_t *dst, size_t len, uint32_t counter,
                                           const uint8_t nonce[12], const uint8_t key[32]);

/*
 * chacha20_xor with a 24-byte nonce (draft-irtf-cfrg-xchacha-03 section 2.3): the key is HChaCha20
 * of the key and the first 16 bytes, the nonce four zeros and the last 8.
 *
 * Sizes     `dst` and `src` hold len bytes. counter + ceil(len / 64) must not exceed 2^32.
 * Overlap   dst == src is fine, disjoint is fine, anything between is refused; `dst` must not
 *           overlap `nonce` or `key`.
 * NULL      for `dst`, `src` with len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing
 *           has been written.
 */
AEADFAST_MUST_CHECK int xchacha20_xor(uint8_t *dst, const uint8_t *src, size_t len,
                                      uint32_t counter, const uint8_t nonce[24],
                                      const uint8_t key[32]);

/*
 * HChaCha20 (draft-irtf-cfrg-xchacha-03 section 2.2): 32 bytes of a new key from a key and 16
 * bytes.
 *
 * Overlap   `out` must not overlap `nonce` or `key`.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT (NULL), _OVERLAP or _BACKEND, and then nothing has
 *           been written.
 */
AEADFAST_MUST_CHECK int hchacha20(uint8_t out[32], const uint8_t nonce[16], const uint8_t key[32]);

/* ---- Poly1305, RFC 8439 section 2.5 ---------------------------------------------------------- */

/*
 * Writes the tag of a message under a one-time key: a key for one message and never another, such
 * as RFC 8439 section 2.6 derives. Two messages under one key give the key away.
 *
 * Sizes     `msg` holds len bytes, up to PTRDIFF_MAX, which no object exceeds; `key` is r, not yet
 *           clamped, then s.
 * Overlap   `tag` must not overlap `msg` or `key`.
 * NULL      for `msg` with len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP or _BACKEND, and then nothing
 *           has been written.
 */
AEADFAST_MUST_CHECK int poly1305_mac(uint8_t tag[16], const uint8_t *msg, size_t len,
                                     const uint8_t key[32]);

/*
 * Compares `tag` with the tag of the message, in constant time.
 *
 * Sizes     `msg` holds len bytes, up to PTRDIFF_MAX, which no object exceeds; `key` is r, not yet
 *           clamped, then s.
 * Overlap   everything is input and may overlap.
 * NULL      for `msg` with len 0; nowhere else.
 * Threads   any number at once.
 * Returns   AEADFAST_OK where they are equal; AEADFAST_ERR_AUTH where not; AEADFAST_ERR_ARGUMENT,
 *           _LENGTH or _BACKEND.
 */
AEADFAST_MUST_CHECK int poly1305_verify(const uint8_t tag[16], const uint8_t *msg, size_t len,
                                        const uint8_t key[32]);

/*
 * A Poly1305 computation in progress. The caller provides the storage. It may be copied with memcpy
 * between calls, and each copy goes on by itself; one thread at a time.
 */
typedef struct {
    uint64_t opaque[32];
} poly1305_state;

/*
 * Starts a computation under a one-time key; `*s` may hold anything before.
 *
 * Overlap   `key` must not overlap `*s`.
 * Threads   any number at once, each on a state of its own.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT (NULL), _OVERLAP or _BACKEND, and then `*s` is as
 *           it was.
 */
AEADFAST_MUST_CHECK int poly1305_begin(poly1305_state *s, const uint8_t key[32]);

/*
 * Takes the next `len` bytes of the message. Any split gives the same tag; 0 bytes change nothing.
 *
 * Sizes     `msg` holds len bytes, up to PTRDIFF_MAX, which no object exceeds; any number of calls.
 * Overlap   `msg` must not overlap `*s`.
 * NULL      for `msg` with len 0; nowhere else.
 * Threads   any number at once, each on a state of its own.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT, _LENGTH, _OVERLAP, _BACKEND, or _STATE where `*s`
 *           is finished or was never begun; then nothing has changed.
 */
AEADFAST_MUST_CHECK int poly1305_update(poly1305_state *s, const uint8_t *msg, size_t len);

/*
 * Writes the tag of what was taken and wipes `*s`: it holds no key any more, and using it is
 * AEADFAST_ERR_STATE until it is begun again.
 *
 * Overlap   `tag` must not overlap `*s`.
 * Threads   any number at once, each on a state of its own.
 * Returns   AEADFAST_OK; AEADFAST_ERR_ARGUMENT (NULL), _OVERLAP, _BACKEND or _STATE, and then
 *           nothing has changed.
 */
AEADFAST_MUST_CHECK int poly1305_final(poly1305_state *s, uint8_t tag[16]);

/* ---- Nonces ---------------------------------------------------------------------------------- */

/*
 * How much one key may be used for: numbers of messages, by the documents that set them. Nothing
 * here counts but the nonces below.
 */
/* AES-GCM with random 12-byte nonces: messages sealed (SP 800-38D section 8.3). */
#define AEADFAST_AES_GCM_RANDOM_NONCES_MAX UINT64_C(4294967296) /* 2^32 */
/* AES-GCM in TLS 1.3: full-size records of 2^14 bytes sealed (RFC 8446 section 5.5: 2^24.5). */
#define AEADFAST_AES_GCM_TLS13_RECORDS_MAX UINT64_C(23726566)
/* AES-GCM in QUIC: packets sealed; forged ones received (RFC 9001 section 6.6). */
#define AEADFAST_AES_GCM_QUIC_PACKETS_MAX   UINT64_C(8388608)          /* 2^23 */
#define AEADFAST_AES_GCM_QUIC_FORGERIES_MAX UINT64_C(4503599627370496) /* 2^52 */
/* ChaCha20-Poly1305: forged messages received (RFC 9001 section 6.6); none for those sealed. */
#define AEADFAST_CHACHA20_POLY1305_FORGERIES_MAX UINT64_C(68719476736) /* 2^36 */

/*
 * A sequence of 12-byte nonces none of which comes twice: a 64-bit number that counts up, big-endian
 * in the last 8 bytes, xor a fixed secret or public value. So do TLS 1.3 (RFC 8446 section 5.3) and
 * QUIC (RFC 9001 section 5.3); with an all-zero value it is the plain counter. An object belongs to
 * one thread, one key and one direction; a copy of it gives the same nonces again.
 */
typedef struct {
    uint64_t opaque[5];
} aeadfast_nonces;

/*
 * Begins with number `first`, and gives at most `count` nonces, which must not go past number
 * 2^64 - 1. Returns AEADFAST_OK; AEADFAST_ERR_ARGUMENT where `n` or `iv` is NULL;
 * AEADFAST_ERR_LENGTH where first + count > 2^64 - 1; AEADFAST_ERR_OVERLAP where `iv` overlaps `n`.
 */
AEADFAST_MUST_CHECK int aeadfast_nonces_begin(aeadfast_nonces *n, const uint8_t iv[12],
                                              uint64_t first, uint64_t count);

/*
 * Writes the next nonce. Returns AEADFAST_OK; AEADFAST_ERR_LENGTH where they are used up, now and
 * ever after: it is time for another key; AEADFAST_ERR_ARGUMENT where `n` or `nonce` is NULL;
 * AEADFAST_ERR_OVERLAP where they overlap; AEADFAST_ERR_STATE where `n` is all zero.
 */
AEADFAST_MUST_CHECK int aeadfast_nonces_next(aeadfast_nonces *n, uint8_t nonce[12]);

/* ---- Backends and kernels -------------------------------------------------------------------- */

/*
 * A backend is a set of processor instructions that kernels are written for: "portable" everywhere;
 * on x86-64 "avx", "avx2", "vaes", "avx512"; on AArch64 "neon" and more; on RISC-V "rvv" and more.
 * Which one serves a call is normally chosen from the processor and the message's length.
 *
 * The environment variable AEADFAST_BACKEND, read once, before the first computation, forces one:
 *
 *     AEADFAST_BACKEND=avx2                              for everything
 *     AEADFAST_BACKEND=chacha20=avx2,aes_gcm=portable    for the named operations
 *
 * The operations are chacha20, poly1305, chacha20_poly1305 and aes_gcm; each stands for itself
 * (what is forced for chacha20 says nothing of chacha20_poly1305, nor of the ChaCha20 within it).
 * Under a forced backend each operation gets the best kernel whose instructions the backend
 * includes, at every length: thresholds are ignored. Names are lower case and exact. A value that
 * is malformed, names something unknown, or asks for what this processor or build does not have is
 * never passed over: one line on stderr says what can be had, and everything that computes returns
 * AEADFAST_ERR_BACKEND (unless something else is wrong with the call) until aeadfast_backend_select
 * forces what can be had. An empty value means none. Programs that run with raised privileges do
 * not read it.
 *
 * The environment variable AEADFAST_MIN_LEN, read with it and treated like it, is for measuring: it
 * sets from how many bytes on a kernel is chosen, where no backend is forced, in place of what the
 * library has set for it.
 *
 *     AEADFAST_MIN_LEN=chacha20.avx512=1024,poly1305.avx2=640
 */
typedef enum {
    AEADFAST_OP_CHACHA20 = 0,
    AEADFAST_OP_POLY1305 = 1,
    AEADFAST_OP_CHACHA20_POLY1305 = 2,
    AEADFAST_OP_AES_GCM = 3
} aeadfast_op;

/*
 * Looks at the processor and the environment now. Optional: the first call of any other function
 * does it. Doing it again does nothing. Any number of threads at once.
 * Returns AEADFAST_OK, or AEADFAST_ERR_BACKEND where AEADFAST_BACKEND (or AEADFAST_MIN_LEN; so
 * below) is in force and cannot be had.
 */
AEADFAST_MUST_CHECK int aeadfast_init(void);

/* The number of backends in this build, whether or not this processor can run them; at least 1. */
size_t aeadfast_backend_count(void);

/* The name of backend i, 0 <= i < aeadfast_backend_count(), "portable" first; NULL for any other i.
 */
const char *aeadfast_backend_name(size_t i);

/* 1 where the backend is in this build AND this processor and system can run it; else 0. */
int aeadfast_backend_supported(const char *name);

/*
 * Forces a backend from now on, in the forms of AEADFAST_BACKEND; NULL goes back to what the
 * environment, or else the processor, says. An empty string is NULL's equal. Any thread may call it
 * at any time; calls already under way in other threads finish on the kernel they began with.
 * Prints nothing. Returns AEADFAST_OK; AEADFAST_ERR_BACKEND where the backend cannot be had, and then
 * nothing has changed; and the same for NULL where it is AEADFAST_BACKEND that cannot be had, which
 * then holds again.
 */
AEADFAST_MUST_CHECK int aeadfast_backend_select(const char *name);

/*
 * The name of the kernel that a message of `len` bytes gets for an operation at present, such as
 * "avx2"; for AES-GCM, under a key that were initialised now. NULL where there is none: `op` is no
 * operation, or AEADFAST_BACKEND cannot be had.
 */
const char *aeadfast_kernel_name(aeadfast_op op, size_t len);

/*
 * Writes a text of several lines for people: version, processor features seen, backends, and for
 * each operation its kernels with the lengths they serve; or what is wrong with AEADFAST_BACKEND.
 * As snprintf: at most size bytes with the closing 0, and the result is the length of the whole
 * text without it. `buf` may be NULL with size 0; otherwise NULL is AEADFAST_ERR_ARGUMENT.
 */
int aeadfast_describe(char *buf, size_t size);

/*
 * Known answers through every kernel that this processor can run, chosen or not. Takes some
 * milliseconds. Returns AEADFAST_OK; AEADFAST_ERR_AUTH where a kernel gave a wrong answer: then
 * nothing that the library computes on this machine may be trusted; AEADFAST_ERR_BACKEND where
 * AEADFAST_BACKEND is in force and cannot be had.
 */
AEADFAST_MUST_CHECK int aeadfast_selftest(void);

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Zeroes n bytes in a way that no compiler leaves out. NULL is fine with n == 0. */
void aeadfast_wipe(void *p, size_t n);

/*
 * 1 where the n bytes at `a` and at `b` are equal, else 0 (not an AEADFAST_ERR_*), in a time that
 * does not depend on them. NULL is fine with n == 0, where the result is 1; NULL with n > 0 gives
 * 0.
 */
AEADFAST_MUST_CHECK int aeadfast_equal(const void *a, const void *b, size_t n);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
