/* SPDX-License-Identifier: MIT */
/*
 * AES-GCM-SIV, RFC 8452, over the parts of the AES-GCM kernels. A message goes this way:
 *
 *   derive     the nonce, encrypted under the key, gives two keys that serve this message alone;
 *   hash       POLYVAL of the additional data, the text and their lengths, under the first;
 *   make_tag   that and the nonce, encrypted under the second;
 *   counter_le the text, with a key stream that begins at the tag.
 *
 * The whole text is read before a byte of it is encrypted: that is what makes a nonce that comes
 * twice do so little harm, and what costs a second pass.
 *
 * POLYVAL is GHASH with the bytes of blocks and of the result in reverse order, and with its H times
 * x (RFC 8452 appendix A), so GHASH's kernels do it.
 */
#include "aes_gcm_key.h"
#include "bytes.h"
#include "checks.h"
#include "codegen.h"

/* From this many bytes on, data is hashed where it lies; below, it is gathered for one call. */
#define GATHER 256

/*
 * What a message has of its own. All of it is wiped at the end, of the table as much as the kernel
 * writes: so it stands last.
 */
struct message {
    const struct aes_gcm_parts *parts;
    size_t gathered_len;
    uint8_t gathered[GATHER];                               /* for POLYVAL, not yet taken in */
    uint8_t y[16];                                          /* POLYVAL so far, in GHASH's order */
    uint8_t counter[16];                                    /* the first one */
    uint64_t table[AES_GCM_TABLE_BYTES / sizeof(uint64_t)]; /* of the two keys derived */
};

/* ---- Keys ---- */

int aes_gcm_siv_init(aes_gcm_siv_key *k, const uint8_t *key, size_t key_len)
{
    if (k == NULL || key == NULL || (key_len != 16 && key_len != 32)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (overlaps(k, sizeof(*k), key, key_len)) {
        return AEADFAST_ERR_OVERLAP;
    }
    return key_make_now(k->opaque, SIV_KEY_MARK | key_len, key, key_len);
}

void aes_gcm_siv_wipe(aes_gcm_siv_key *k)
{
    if (k != NULL) {
        aeadfast_wipe(k, sizeof(*k));
    }
}

/* The AES key's length, or 0 where the object is not a key. */
static size_t siv_key_len(const aes_gcm_siv_key *k)
{
    uint64_t key_len = k->opaque[KEY_WORD_MARK] ^ SIV_KEY_MARK;

    return key_len <= 32 ? (size_t)key_len : 0;
}

/* ---- The steps of a message ---- */

static inline size_t hashed_blocks(size_t aad_len, size_t len)
{
    return (aad_len + 15) / 16 + (len + 15) / 16 + 1;
}

/*
 * GHASH's H for a key of POLYVAL: the bytes reversed, times x. As x^128 = x^7 + x^2 + x + 1, what is
 * shifted out of x^127, the last bit, comes back as 0xe1 in the first byte.
 */
OWN_FRAME_ON_RISCV void ghash_key(uint8_t h[16], const uint8_t key[16])
{
    const uint64_t high = load_le64(key + 8);
    const uint64_t low = load_le64(key);
    const uint64_t carry = 0 - (low & 1);

    store_be64(h, high >> 1 ^ (carry & UINT64_C(0xe100000000000000)));
    store_be64(h + 8, low >> 1 | high << 63);
}

/*
 * Section 4: of AES(0 || nonce), AES(1 || nonce), ... the first halves are the key of POLYVAL, of two
 * of them, and the key for encrypting, of as many as it takes.
 */
OWN_FRAME void derive_by_parts(struct message *m, const void *table, size_t key_len,
                               const uint8_t nonce[12], size_t nblocks)
{
    const size_t halves = 2 + key_len / 8;
    uint8_t blocks[6 * 16];
    uint8_t h[16];

    for (size_t i = 0; i < halves; i++) {
        store_le32(blocks + 16 * i, (uint32_t)i);
        memcpy(blocks + 16 * i + 4, nonce, 12);
    }
    m->parts->encrypt(table, blocks, blocks, halves);
    for (size_t i = 1; i < halves; i++) {
        memcpy(blocks + 8 * i, blocks + 16 * i, 8);
    }
    ghash_key(h, blocks);
    m->parts->init_hash(m->table, blocks + 16, key_len, h, nblocks);
    wipe_now(blocks, sizeof(blocks));
    wipe_now(h, sizeof(h));
}

/* For a POLYVAL of so many blocks, and one more if their number is odd: see gather_all. */
static inline void derive(struct message *m, const aes_gcm_siv_key *k, const uint8_t nonce[12],
                          size_t nblocks)
{
    const void *table = &k->opaque[KEY_WORD_TABLE];
    const size_t key_len = siv_key_len(k);

    nblocks += nblocks % 2;
    if (m->parts->siv_derive != NULL) {
        m->parts->siv_derive(table, m->table, key_len, nonce, nblocks);
    } else {
        derive_by_parts(m, table, key_len, nonce, nblocks);
    }
}

static inline void take_gathered(struct message *m)
{
    m->parts->hash_reversed(m->table, m->y, m->gathered, m->gathered_len / 16);
    m->gathered_len = 0;
}

/* n bytes and zeros up to a whole block, behind what is gathered; the block after is overwritten. */
static inline void gather(struct message *m, const uint8_t *p, size_t n)
{
    uint8_t *to = m->gathered + m->gathered_len;

    memset(to + n / 16 * 16, 0, 16);
    copy_bytes(to, p, n);
    m->gathered_len += (n + 15) / 16 * 16;
}

/* POLYVAL of n bytes, padded with zeros to whole blocks: in few calls, most of them of many blocks. */
static void take(struct message *m, const uint8_t *p, size_t n)
{
    size_t head = GATHER - m->gathered_len;

    if (n == 0) {
        return; /* p may be NULL */
    }
    if (m->gathered_len != 0 && n >= head) {
        copy_bytes(m->gathered + m->gathered_len, p, head);
        m->gathered_len = GATHER;
        take_gathered(m);
        p += head;
        n -= head;
    }
    if (n >= GATHER) {
        head = n / GATHER * GATHER;
        m->parts->hash_reversed(m->table, m->y, p, head / 16);
        p += head;
        n -= head;
    }
    if (n != 0) {
        gather(m, p, n);
    }
}

static inline void make_lengths(uint8_t lengths[16], size_t aad_len, size_t len)
{
    store_le64(lengths, 8 * (uint64_t)aad_len);
    store_le64(lengths + 8, 8 * (uint64_t)len);
}

/* All that the tag is over, where that is at most GATHER / 16 blocks. */
static inline void gather_all(struct message *m, const uint8_t *aad, size_t aad_len,
                              const uint8_t *pt, size_t len)
{
    /* A block of zeros in front changes nothing. Of an odd number of blocks the kernels that take two
     * at a time would load powers of H across those they have just stored, and wait: 5 ns. */
    m->gathered_len = 16 * (hashed_blocks(aad_len, len) % 2);
    memset(m->gathered, 0, 16);
    gather(m, aad, aad_len);
    gather(m, pt, len);
    make_lengths(m->gathered + m->gathered_len, aad_len, len);
    m->gathered_len += 16;
}

static void take_all(struct message *m, const uint8_t *aad, size_t aad_len, const uint8_t *pt,
                     size_t len)
{
    uint8_t lengths[16];

    make_lengths(lengths, aad_len, len);
    take(m, aad, aad_len);
    take(m, pt, len);
    take(m, lengths, sizeof(lengths));
    take_gathered(m);
}

/* The highest bit tells the blocks that become key stream from the one that becomes the tag. */
static inline void first_counter(uint8_t counter[16], const uint8_t tag[16])
{
    memcpy(counter, tag, 16);
    counter[15] |= 0x80;
}

/* Section 5: POLYVAL's result, in its own order, and the nonce, without the highest bit. */
OWN_FRAME_ON_RISCV void tag_block(uint8_t block[16], const uint8_t y[16], const uint8_t nonce[12])
{
    const uint64_t low = load_be64(y + 8) ^ load_le64(nonce);
    const uint64_t high = load_be64(y) ^ load_le32(nonce + 8);

    store_le64(block, low);
    store_le64(block + 8, high & UINT64_C(0x7fffffffffffffff));
}

static inline void make_tag(struct message *m, uint8_t tag[16], const uint8_t nonce[12])
{
    if (m->parts->siv_tag != NULL) {
        m->parts->siv_tag(m->table, tag, m->counter, m->y, nonce);
    } else {
        tag_block(m->y, m->y, nonce);
        m->parts->encrypt(m->table, tag, m->y, 1);
        first_counter(m->counter, tag);
    }
}

/* The functions here that call kernels have frames of up to so many bytes. As much is cleared where a
 * kernel leaves nothing of a key: it may leave the tag that a forged message ought to have. */
#define OWN_FRAMES AES_GCM_SIV_STACK

static inline void finish(struct message *m)
{
    const struct aes_gcm_parts *parts = m->parts;
    const size_t unused = parts->table_size != 0 ? sizeof(m->table) - parts->table_size : 0;

    aeadfast_wipe(m, sizeof(*m) - unused);
    aeadfast_clear_stack(parts->stack + OWN_FRAMES);
}

/* ---- The public functions ---- */

/* Everything that is to be asked before a byte is written. */
static inline int begin(struct message *m, const aes_gcm_siv_key *k, const uint8_t *dst,
                        const uint8_t *src, size_t len, const uint8_t *tag, const uint8_t *aad,
                        size_t aad_len, const uint8_t *nonce, enum aead_direction direction)
{
    const struct aead_arguments a = {dst,     src,   len, tag, 16,        aad,
                                     aad_len, nonce, 12,  k,   sizeof(*k)};

    if (aead_missing(&a)) {
        return AEADFAST_ERR_ARGUMENT;
    }
    if (siv_key_len(k) == 0) {
        return AEADFAST_ERR_STATE;
    }
    if (len > LIMIT(AEADFAST_AES_GCM_SIV_TEXT_MAX) ||
        aad_len > LIMIT(AEADFAST_AES_GCM_SIV_AAD_MAX)) {
        return AEADFAST_ERR_LENGTH;
    }
    if (aead_overlaps(&a, direction)) {
        return AEADFAST_ERR_OVERLAP;
    }
    if (aeadfast_candidates_now(AEADFAST_OP_AES_GCM) == CHOICE_ERROR) {
        return AEADFAST_ERR_BACKEND;
    }
    m->parts = aeadfast_pick(aes_gcm_rows(), (uint32_t)k->opaque[KEY_WORD_ROWS], len)
                   ->kernel.aes_gcm->parts;
    m->gathered_len = 0;
    memset(m->y, 0, sizeof(m->y));
    return AEADFAST_OK;
}

int aes_gcm_siv_seal(const aes_gcm_siv_key *k, uint8_t *ct, uint8_t tag[16], const uint8_t *pt,
                     size_t len, const uint8_t *aad, size_t aad_len, const uint8_t nonce[12])
{
    const size_t nblocks = hashed_blocks(aad_len, len);
    struct message m;
    int error = begin(&m, k, ct, pt, len, tag, aad, aad_len, nonce, AEAD_SEAL);

    if (error != AEADFAST_OK) {
        return error;
    }
    if (nblocks <= GATHER / 16) {
        /* The sooner it is in memory, the less its loads wait for the stores of other widths. */
        gather_all(&m, aad, aad_len, pt, len);
        derive(&m, k, nonce, nblocks);
        take_gathered(&m);
    } else {
        derive(&m, k, nonce, nblocks);
        take_all(&m, aad, aad_len, pt, len);
    }
    make_tag(&m, tag, nonce);
    m.parts->counter_le(m.table, ct, pt, len, m.counter);
    finish(&m);
    return AEADFAST_OK;
}

int aes_gcm_siv_open(const aes_gcm_siv_key *k, uint8_t *pt, const uint8_t *ct, size_t len,
                     const uint8_t tag[16], const uint8_t *aad, size_t aad_len,
                     const uint8_t nonce[12])
{
    const size_t nblocks = hashed_blocks(aad_len, len);
    struct message m;
    uint8_t expected[16];
    int error = begin(&m, k, pt, ct, len, tag, aad, aad_len, nonce, AEAD_OPEN);

    if (error != AEADFAST_OK) {
        return error;
    }
    first_counter(m.counter, tag);
    derive(&m, k, nonce, nblocks);
    m.parts->counter_le(m.table, pt, ct, len, m.counter);
    if (nblocks <= GATHER / 16) {
        gather_all(&m, aad, aad_len, pt, len);
        take_gathered(&m);
    } else {
        take_all(&m, aad, aad_len, pt, len);
    }
    make_tag(&m, expected, nonce);
    if (!tags_equal(expected, tag)) {
        zero_bytes(pt, len);
        error = AEADFAST_ERR_AUTH;
    }
    /* The right tag of a message that somebody forged must not stay behind. */
    wipe_now(expected, sizeof(expected));
    finish(&m);
    return error;
}
