/* SPDX-License-Identifier: MIT */
/*
 * What a sealed file looks like, and what keeps its parts together.
 *
 *     header   32 bytes   0  "sealfile"
 *                         8  version, 1
 *                         9  algorithm, 1 or 2
 *                        10  log2 of the chunk size, 16
 *                        11  three zeros
 *                        14  18 random bytes, new for each file
 *     chunks              the text in pieces of 64 KiB, each encrypted and followed by its tag of
 *                         16 bytes; the last piece is shorter or full, and empty only in an empty
 *                         file
 *
 * Each chunk is a message of its own, so that a file of any size is checked before it is passed on
 * and needs no more memory than one chunk. What keeps the chunks together is the nonce:
 *
 *     24 bytes: algorithm, 18 random bytes, number of the chunk (big-endian, 32 bits),
 *               1 for the last chunk and 0 for others
 *
 * and the header is every chunk's associated data. So a chunk that is moved, left out, doubled, or
 * taken from another file is opened under a nonce that is not its own, and fails. A file that is
 * cut fails because its new last chunk was not sealed as one; something appended, because the old
 * last chunk was. (This is the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizar.)
 *
 *     algorithm 1, XChaCha20-Poly1305: the nonce as it is.
 *     algorithm 2, AES-256-GCM: 12 bytes are all the nonce it can use well, too few to be random.
 *               So, as XChaCha20 does it, HChaCha20 makes a key for this file of the first 16
 *               bytes, and the nonce is four zeros and the last 8.
 *
 * The algorithm leads the nonce so that the two never meet under one derived key, though they share
 * the user's.
 *
 * Limits. 144 random bits: after 2^48 files under a key, two have the same with a chance of 2^-49.
 * 2^32 chunks, 256 TiB, a file. The length of the text shows. Whoever has the key can make a file
 * that says anything, and, with effort, one that opens under two keys; nothing here tells who
 * sealed it, or keeps an old file from being put in a new one's place.
 */
#ifndef SEALFILE_FORMAT_H
#define SEALFILE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include <aeadfast.h>

#define SEALFILE_KEY_BYTES    32
#define SEALFILE_HEADER_BYTES 32
#define SEALFILE_RANDOM_BYTES 18
#define SEALFILE_CHUNK_BYTES  65536
#define SEALFILE_TAG_BYTES    16
#define SEALFILE_SEALED_BYTES (SEALFILE_CHUNK_BYTES + SEALFILE_TAG_BYTES)

enum sealfile_algorithm {
    SEALFILE_ANY = 0,
    SEALFILE_XCHACHA20_POLY1305 = 1,
    SEALFILE_AES_256_GCM = 2
};

/* A file being sealed or opened. It holds the key: sealfile_wipe it in the end. */
struct sealfile {
    enum sealfile_algorithm algorithm;
    uint8_t header[SEALFILE_HEADER_BYTES];
    uint8_t key[SEALFILE_KEY_BYTES]; /* algorithm 1 */
    aes_gcm_key gcm;                 /* algorithm 2 */
};

/* Fills in the header of a new file. Returns an AEADFAST_* result. */
int sealfile_new(struct sealfile *f, enum sealfile_algorithm algorithm,
                 const uint8_t random[SEALFILE_RANDOM_BYTES],
                 const uint8_t key[SEALFILE_KEY_BYTES]);

/* What is wrong with a header, or NULL. Nothing in it is to be believed before a chunk opens. */
const char *sealfile_header_problem(const uint8_t header[SEALFILE_HEADER_BYTES]);

/* Takes over a header that has no problem. Returns an AEADFAST_* result. */
int sealfile_existing(struct sealfile *f, const uint8_t header[SEALFILE_HEADER_BYTES],
                      const uint8_t key[SEALFILE_KEY_BYTES]);

/* len bytes of `text` become len + 16 of `sealed`, apart from it. Returns an AEADFAST_* result. */
int sealfile_seal_chunk(const struct sealfile *f, uint8_t *sealed, const uint8_t *text, size_t len,
                        uint32_t index, int last);

/*
 * len bytes of `sealed` become len - 16 of `text`, apart from it. Returns an AEADFAST_* result:
 * AEADFAST_ERR_AUTH where they are not what was sealed as this chunk.
 */
int sealfile_open_chunk(const struct sealfile *f, uint8_t *text, const uint8_t *sealed, size_t len,
                        uint32_t index, int last);

void sealfile_wipe(struct sealfile *f);

/* For people, and the kernel that its chunks get. */
const char *sealfile_algorithm_name(enum sealfile_algorithm algorithm);
const char *sealfile_kernel_name(enum sealfile_algorithm algorithm);

#endif
