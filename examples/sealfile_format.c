/* SPDX-License-Identifier: MIT */
#include "sealfile_format.h"

#include <string.h>

#define VERSION             1
#define CHUNK_LOG2          16

#define AT_VERSION          8
#define AT_ALGORITHM        9
#define AT_CHUNK            10
#define AT_ZEROS            11
#define AT_RANDOM           14

#define NONCE_BYTES         24
#define NONCE_DERIVES_BYTES 16 /* of them, those that make the file's key for AES-GCM */

static const uint8_t magic[8] = {'s', 'e', 'a', 'l', 'f', 'i', 'l', 'e'};
static const uint8_t zeros[3];

static void make_nonce(uint8_t nonce[NONCE_BYTES], const uint8_t header[SEALFILE_HEADER_BYTES],
                       uint32_t index, int last)
{
    nonce[0] = header[AT_ALGORITHM];
    memcpy(nonce + 1, header + AT_RANDOM, SEALFILE_RANDOM_BYTES);
    nonce[19] = (uint8_t)(index >> 24);
    nonce[20] = (uint8_t)(index >> 16);
    nonce[21] = (uint8_t)(index >> 8);
    nonce[22] = (uint8_t)index;
    nonce[23] = last ? 1 : 0;
}

/* The rest of what make_nonce made, for AES-GCM under the derived key. */
static void make_gcm_nonce(uint8_t gcm_nonce[12], const uint8_t nonce[NONCE_BYTES])
{
    memset(gcm_nonce, 0, 4);
    memcpy(gcm_nonce + 4, nonce + NONCE_DERIVES_BYTES, 8);
}

static int start(struct sealfile *f, const uint8_t key[SEALFILE_KEY_BYTES])
{
    f->algorithm = (enum sealfile_algorithm)f->header[AT_ALGORITHM];
    if (f->algorithm == SEALFILE_XCHACHA20_POLY1305) {
        memcpy(f->key, key, sizeof f->key);
        return AEADFAST_OK;
    }
    uint8_t nonce[NONCE_BYTES];
    uint8_t derived[32];

    make_nonce(nonce, f->header, 0, 0); /* the chunk plays no part in the first 16 bytes */
    int error = hchacha20(derived, nonce, key);

    if (error == AEADFAST_OK) {
        error = aes_gcm_init(&f->gcm, derived, sizeof derived);
    }
    aeadfast_wipe(derived, sizeof derived);
    return error;
}

int sealfile_new(struct sealfile *f, enum sealfile_algorithm algorithm,
                 const uint8_t random[SEALFILE_RANDOM_BYTES], const uint8_t key[SEALFILE_KEY_BYTES])
{
    memset(f, 0, sizeof *f);
    memcpy(f->header, magic, sizeof magic);
    f->header[AT_VERSION] = VERSION;
    f->header[AT_ALGORITHM] = (uint8_t)algorithm;
    f->header[AT_CHUNK] = CHUNK_LOG2;
    memcpy(f->header + AT_RANDOM, random, SEALFILE_RANDOM_BYTES);
    return start(f, key);
}

const char *sealfile_header_problem(const uint8_t header[SEALFILE_HEADER_BYTES])
{
    if (memcmp(header, magic, sizeof magic) != 0) {
        return "not a sealed file";
    }
    if (header[AT_VERSION] != VERSION) {
        return "sealed by another version of this program, or changed";
    }
    if (header[AT_ALGORITHM] != SEALFILE_XCHACHA20_POLY1305 &&
        header[AT_ALGORITHM] != SEALFILE_AES_256_GCM) {
        return "its header names no known algorithm";
    }
    if (header[AT_CHUNK] != CHUNK_LOG2 || memcmp(header + AT_ZEROS, zeros, sizeof zeros) != 0) {
        return "its header has been changed";
    }
    return NULL;
}

int sealfile_existing(struct sealfile *f, const uint8_t header[SEALFILE_HEADER_BYTES],
                      const uint8_t key[SEALFILE_KEY_BYTES])
{
    memset(f, 0, sizeof *f);
    memcpy(f->header, header, sizeof f->header);
    return start(f, key);
}

int sealfile_seal_chunk(const struct sealfile *f, uint8_t *sealed, const uint8_t *text, size_t len,
                        uint32_t index, int last)
{
    uint8_t nonce[NONCE_BYTES];
    uint8_t gcm_nonce[12];
    uint8_t *tag = sealed + len;

    make_nonce(nonce, f->header, index, last);
    if (f->algorithm == SEALFILE_XCHACHA20_POLY1305) {
        return xchacha20_poly1305_seal(sealed, tag, text, len, f->header, sizeof f->header, nonce,
                                       f->key);
    }
    make_gcm_nonce(gcm_nonce, nonce);
    return aes_gcm_seal(&f->gcm, sealed, tag, text, len, f->header, sizeof f->header, gcm_nonce,
                        sizeof gcm_nonce);
}

int sealfile_open_chunk(const struct sealfile *f, uint8_t *text, const uint8_t *sealed, size_t len,
                        uint32_t index, int last)
{
    uint8_t nonce[NONCE_BYTES];
    uint8_t gcm_nonce[12];

    if (len < SEALFILE_TAG_BYTES) {
        return AEADFAST_ERR_AUTH;
    }
    len -= SEALFILE_TAG_BYTES;
    const uint8_t *tag = sealed + len;

    make_nonce(nonce, f->header, index, last);
    if (f->algorithm == SEALFILE_XCHACHA20_POLY1305) {
        return xchacha20_poly1305_open(text, sealed, len, tag, f->header, sizeof f->header, nonce,
                                       f->key);
    }
    make_gcm_nonce(gcm_nonce, nonce);
    return aes_gcm_open(&f->gcm, text, sealed, len, tag, f->header, sizeof f->header, gcm_nonce,
                        sizeof gcm_nonce);
}

void sealfile_wipe(struct sealfile *f)
{
    aeadfast_wipe(f, sizeof *f);
}

const char *sealfile_algorithm_name(enum sealfile_algorithm algorithm)
{
    return algorithm == SEALFILE_AES_256_GCM ? "AES-256-GCM" : "XChaCha20-Poly1305";
}

const char *sealfile_kernel_name(enum sealfile_algorithm algorithm)
{
    aeadfast_op op =
        algorithm == SEALFILE_AES_256_GCM ? AEADFAST_OP_AES_GCM : AEADFAST_OP_CHACHA20_POLY1305;
    const char *name = aeadfast_kernel_name(op, SEALFILE_CHUNK_BYTES);

    return name != NULL ? name : "none";
}
