/* SPDX-License-Identifier: MIT */
/*
 * Every record of tests/vectors, and of the folder that the environment variable AEADFAST_VECTORS
 * names, through the public functions: under the automatic choice and under each backend that this
 * processor supports. The reference that other tests judge by has to pass them as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aeadfast.h"
#include "bytes.h"
#include "check.h"
#include "kernels.h"
#include "ref_aes_gcm.h"
#include "ref_chacha.h"
#include "ref_gcm_siv.h"
#include "ref_poly1305.h"
#include "sha256.h"
#include "vectors.h"

#define TEXT_MAX 4096
#define AT       "%s:%u"

/* ---- AEADs: the five public pairs of functions behind one shape ---- */

struct aead {
    const char *alg;
    size_t key_len;
    size_t nonce_len; /* 0: any, and none is refused by the call */
    int (*seal)(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                size_t aad_len, struct vector_bytes nonce, struct vector_bytes key);
    int (*open)(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag, const uint8_t *aad,
                size_t aad_len, struct vector_bytes nonce, struct vector_bytes key);
    /* `tag` is that of the record, and becomes the one that the ciphertext ought to have. */
    void (*reference)(uint8_t *keystream, uint8_t *tag, const uint8_t *ct, size_t len,
                      const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                      struct vector_bytes key);
};

static int chacha_seal(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                       size_t aad_len, struct vector_bytes nonce, struct vector_bytes key)
{
    return chacha20_poly1305_seal(ct, tag, pt, len, aad, aad_len, nonce.p, key.p);
}

static int chacha_open(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                       const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                       struct vector_bytes key)
{
    return chacha20_poly1305_open(pt, ct, len, tag, aad, aad_len, nonce.p, key.p);
}

static int xchacha_seal(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len,
                        const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                        struct vector_bytes key)
{
    return xchacha20_poly1305_seal(ct, tag, pt, len, aad, aad_len, nonce.p, key.p);
}

static int xchacha_open(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                        const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                        struct vector_bytes key)
{
    return xchacha20_poly1305_open(pt, ct, len, tag, aad, aad_len, nonce.p, key.p);
}

static int gcm_seal(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                    size_t aad_len, struct vector_bytes nonce, struct vector_bytes key)
{
    aes_gcm_key k;

    check_int(aes_gcm_init(&k, key.p, key.n), AEADFAST_OK, "aes_gcm_init");
    return aes_gcm_seal(&k, ct, tag, pt, len, aad, aad_len, nonce.p, nonce.n);
}

static int gcm_open(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                    const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                    struct vector_bytes key)
{
    aes_gcm_key k;

    check_int(aes_gcm_init(&k, key.p, key.n), AEADFAST_OK, "aes_gcm_init");
    return aes_gcm_open(&k, pt, ct, len, tag, aad, aad_len, nonce.p, nonce.n);
}

/* RFC 8439 section 2.8: what is authenticated, each part filled up to whole blocks. */
static void chacha_reference(uint8_t *keystream, uint8_t *tag, const uint8_t *ct, size_t len,
                             const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                             struct vector_bytes key)
{
    static uint8_t message[2 * TEXT_MAX + 64];
    size_t aad_end = (aad_len + 15) / 16 * 16;
    size_t end = aad_end + (len + 15) / 16 * 16;
    uint8_t one_time[32];
    uint32_t state[16];

    ref_chacha_state(state, key.p, nonce.p, 0);
    ref_chacha_keystream(one_time, 32, state, 20);
    state[12] = 1;
    ref_chacha_keystream(keystream, len, state, 20);
    memset(message, 0, end);
    memcpy(message, aad, aad_len);
    memcpy(message + aad_end, ct, len);
    store_le64(message + end, aad_len);
    store_le64(message + end + 8, len);
    ref_poly1305_mac(tag, message, end + 16, one_time);
}

static void xchacha_reference(uint8_t *keystream, uint8_t *tag, const uint8_t *ct, size_t len,
                              const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                              struct vector_bytes key)
{
    uint8_t subkey[32];
    uint8_t subnonce[12];

    ref_xchacha_key(subkey, subnonce, nonce.p, key.p);
    chacha_reference(keystream, tag, ct, len, aad, aad_len, (struct vector_bytes){subnonce, 12},
                     (struct vector_bytes){subkey, 32});
}

static void gcm_reference(uint8_t *keystream, uint8_t *tag, const uint8_t *ct, size_t len,
                          const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                          struct vector_bytes key)
{
    struct ref_gcm gcm;
    uint8_t j0[16];

    ref_gcm_begin(&gcm, key.p, key.n);
    ref_gcm_j0(&gcm, j0, nonce.p, nonce.n);
    ref_gcm_keystream(&gcm, keystream, len, j0);
    ref_gcm_tag(&gcm, tag, j0, aad, aad_len, ct, len);
}

static int siv_seal(uint8_t *ct, uint8_t *tag, const uint8_t *pt, size_t len, const uint8_t *aad,
                    size_t aad_len, struct vector_bytes nonce, struct vector_bytes key)
{
    aes_gcm_siv_key k;

    check_int(aes_gcm_siv_init(&k, key.p, key.n), AEADFAST_OK, "aes_gcm_siv_init");
    return aes_gcm_siv_seal(&k, ct, tag, pt, len, aad, aad_len, nonce.p);
}

static int siv_open(uint8_t *pt, const uint8_t *ct, size_t len, const uint8_t *tag,
                    const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                    struct vector_bytes key)
{
    aes_gcm_siv_key k;

    check_int(aes_gcm_siv_init(&k, key.p, key.n), AEADFAST_OK, "aes_gcm_siv_init");
    return aes_gcm_siv_open(&k, pt, ct, len, tag, aad, aad_len, nonce.p);
}

static void siv_reference(uint8_t *keystream, uint8_t *tag, const uint8_t *ct, size_t len,
                          const uint8_t *aad, size_t aad_len, struct vector_bytes nonce,
                          struct vector_bytes key)
{
    static uint8_t pt[TEXT_MAX];
    struct ref_gcm_siv siv;

    ref_gcm_siv_begin(&siv, key.p, key.n, nonce.p);
    ref_gcm_siv_keystream(&siv, keystream, len, tag);
    ref_xor(pt, keystream, ct, len);
    ref_gcm_siv_tag(&siv, tag, aad, aad_len, pt, len);
}

#define GCM(bits)                                                                                  \
    {                                                                                              \
        "aes-" #bits "-gcm", bits / 8, 0, gcm_seal, gcm_open, gcm_reference                        \
    }
#define GCM_SIV(bits)                                                                              \
    {                                                                                              \
        "aes-" #bits "-gcm-siv", bits / 8, 12, siv_seal, siv_open, siv_reference                   \
    }
#define GMAC(bits)                                                                                 \
    {                                                                                              \
        "aes-" #bits "-gmac", bits / 8, 0, gcm_seal, gcm_open, gcm_reference                       \
    }

static const struct aead aeads[] = {
    {"chacha20-poly1305", 32, 12, chacha_seal, chacha_open, chacha_reference},
    {"xchacha20-poly1305", 32, 24, xchacha_seal, xchacha_open, xchacha_reference},
    GCM(128),
    GCM(192),
    GCM(256),
    GMAC(128),
    GMAC(192),
    GMAC(256),
    GCM_SIV(128),
    GCM_SIV(256),
};

struct message {
    struct vector_bytes key;
    struct vector_bytes nonce;
    struct vector_bytes aad;
    struct vector_bytes ct;
    struct vector_bytes tag;
};

/* Opens the message both ways; `pt` is what must come out, NULL for zeros and a refusal. */
static void check_open(const struct vector *v, const struct aead *a, const struct message *m,
                       const uint8_t *pt)
{
    static uint8_t out[TEXT_MAX];
    int want = pt == NULL ? AEADFAST_ERR_AUTH : AEADFAST_OK;

    for (int in_place = 0; in_place < 2; in_place++) {
        const uint8_t *ct = in_place ? out : m->ct.p;

        memset(out, 0x5a, sizeof out);
        if (in_place) {
            memcpy(out, m->ct.p, m->ct.n);
        }
        check_int(a->open(out, ct, m->ct.n, m->tag.p, m->aad.p, m->aad.n, m->nonce, m->key), want,
                  AT ": opening, in place %d", v->file, v->line, in_place);
        if (pt == NULL) {
            check_fill(out, 0, m->ct.n, AT ": output of a refused message", v->file, v->line);
        } else {
            check_bytes(out, pt, m->ct.n, AT ": text", v->file, v->line);
        }
        check_fill(out + m->ct.n, 0x5a, sizeof out - m->ct.n, AT ": behind the text", v->file,
                   v->line);
    }
}

/* Seals both ways; `same_tag` says whether the tag must be the record's or must not be. */
static void check_seal(const struct vector *v, const struct aead *a, const struct message *m,
                       const uint8_t *pt, int same_tag)
{
    static uint8_t out[TEXT_MAX];
    uint8_t tag[16];

    for (int in_place = 0; in_place < 2; in_place++) {
        const uint8_t *src = in_place ? out : pt;

        memset(out, 0x5a, sizeof out);
        if (in_place) {
            memcpy(out, pt, m->ct.n);
        }
        check_int(a->seal(out, tag, src, m->ct.n, m->aad.p, m->aad.n, m->nonce, m->key),
                  AEADFAST_OK, AT ": sealing, in place %d", v->file, v->line, in_place);
        check_bytes(out, m->ct.p, m->ct.n, AT ": ciphertext", v->file, v->line);
        check_fill(out + m->ct.n, 0x5a, sizeof out - m->ct.n, AT ": behind the ciphertext", v->file,
                   v->line);
        if (same_tag) {
            check_bytes(tag, m->tag.p, 16, AT ": tag", v->file, v->line);
        } else {
            check_true(memcmp(tag, m->tag.p, 16) != 0, AT ": made the forged tag", v->file,
                       v->line);
        }
    }
}

/* Flips a bit of the tag and, where there is one, of the last byte of the text. */
static void check_forgeries(const struct vector *v, const struct aead *a, const struct message *m)
{
    static uint8_t changed[TEXT_MAX];
    uint8_t tag[16];
    struct message forged = *m;

    memcpy(tag, m->tag.p, 16);
    tag[v->line % 16] ^= (uint8_t)(1 << v->line % 8);
    forged.tag.p = tag;
    check_open(v, a, &forged, NULL);
    if (m->ct.n > 0) {
        forged = *m;
        memcpy(changed, m->ct.p, m->ct.n);
        changed[m->ct.n - 1] ^= 0x80;
        forged.ct.p = changed;
        check_open(v, a, &forged, NULL);
    }
}

static void check_no_nonce(const struct vector *v, const struct aead *a, const struct message *m)
{
    static uint8_t out[TEXT_MAX];
    uint8_t tag[16];

    check_true(m->nonce.n == 0, AT ": a nonce of %zu bytes ought to be refused", v->file, v->line,
               m->nonce.n);
    memset(out, 0x5a, sizeof out);
    memset(tag, 0x5a, sizeof tag);
    check_int(a->seal(out, tag, m->ct.p, m->ct.n, m->aad.p, m->aad.n, m->nonce, m->key),
              AEADFAST_ERR_ARGUMENT, AT ": sealing with no nonce", v->file, v->line);
    check_int(a->open(out, m->ct.p, m->ct.n, tag, m->aad.p, m->aad.n, m->nonce, m->key),
              AEADFAST_ERR_ARGUMENT, AT ": opening with no nonce", v->file, v->line);
    check_fill(out, 0x5a, sizeof out, AT ": output", v->file, v->line);
    check_fill(tag, 0x5a, sizeof tag, AT ": tag", v->file, v->line);
}

struct counts {
    size_t valid;
    size_t invalid_tag;
    size_t invalid_nonce;
    size_t by_type;
};

/* Which of the two runs it: the library, or the reference on its own. */
enum subject { SUBJECT_LIBRARY, SUBJECT_REFERENCE };

static void run_aead(const struct vector *v, const struct aead *a, enum subject subject,
                     struct counts *counts)
{
    static const uint8_t nothing[1];
    static uint8_t pt[TEXT_MAX];
    const int gmac = strstr(a->alg, "gmac") != NULL;
    const int synthetic = strstr(a->alg, "siv") != NULL; /* another tag, another ciphertext */
    const struct vector_bytes none = {nothing, 0};
    struct message m = {
        .key = vector_bytes(v, "key", a->key_len),
        .nonce = vector_bytes(v, "nonce", SIZE_MAX),
        .aad = vector_bytes(v, gmac ? "msg" : "aad", SIZE_MAX),
        .ct = gmac ? none : vector_bytes(v, "ct", SIZE_MAX),
    };
    uint8_t tag[16];

    check_true(m.ct.n <= TEXT_MAX && m.aad.n <= TEXT_MAX, AT ": too long", v->file, v->line);
    if (a->nonce_len != 0 && m.nonce.n != a->nonce_len) {
        check_true(vector_is(v, "reject", "nonce-size"), AT ": a nonce of %zu bytes", v->file,
                   v->line, m.nonce.n);
        counts->by_type++;
        return;
    }
    if (vector_is(v, "reject", "nonce-size")) {
        if (subject == SUBJECT_LIBRARY) {
            check_no_nonce(v, a, &m);
        }
        counts->invalid_nonce++;
        return;
    }
    m.tag = vector_bytes(v, "tag", 16);
    check_int((long)vector_number(v, "tag_bits"), 128, AT ": tag_bits", v->file, v->line);

    /* pt becomes key stream xor ciphertext; the tag is the one that the ciphertext ought to have */
    memcpy(tag, m.tag.p, 16);
    a->reference(pt, tag, m.ct.p, m.ct.n, m.aad.p, m.aad.n, m.nonce, m.key);
    ref_xor(pt, pt, m.ct.p, m.ct.n);
    if (vector_is(v, "result", "invalid")) {
        check_true(memcmp(tag, m.tag.p, 16) != 0, AT ": the reference takes a forged tag", v->file,
                   v->line);
        if (subject == SUBJECT_LIBRARY) {
            check_open(v, a, &m, NULL);
            if (!synthetic) {
                check_seal(v, a, &m, pt, 0);
            }
        }
        counts->invalid_tag++;
        return;
    }
    if (!gmac) {
        struct vector_bytes text = vector_bytes(v, "pt", m.ct.n);

        check_bytes(pt, text.p, text.n, AT ": text by the reference", v->file, v->line);
    }
    check_bytes(tag, m.tag.p, 16, AT ": tag by the reference", v->file, v->line);
    if (subject == SUBJECT_LIBRARY) {
        check_seal(v, a, &m, pt, 1);
        check_open(v, a, &m, pt);
        check_forgeries(v, a, &m);
    }
    counts->valid++;
}

/* ---- The rest ---- */

struct stream {
    const char *alg;
    int rounds;
    int (*function)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t counter,
                    const uint8_t *nonce, const uint8_t *key);
};

static const struct stream streams[] = {
    {"chacha20", 20, chacha20_xor},
    {"chacha12", 12, chacha12_xor},
    {"chacha8", 8, chacha8_xor},
    {"xchacha20", 20, xchacha20_xor},
};

static void run_stream(const struct vector *v, const struct stream *s, enum subject subject)
{
    static uint8_t out[TEXT_MAX];
    const int extended = s->function == xchacha20_xor;
    struct vector_bytes key = vector_bytes(v, "key", 32);
    struct vector_bytes nonce = vector_bytes(v, "nonce", extended ? 24 : 12);
    struct vector_bytes pt = vector_bytes(v, "pt", SIZE_MAX);
    struct vector_bytes ct = vector_bytes(v, "ct", pt.n);
    uint32_t counter = vector_number(v, "counter");

    check_true(pt.n <= TEXT_MAX, AT ": too long", v->file, v->line);
    if (subject == SUBJECT_REFERENCE) {
        uint8_t subkey[32];
        uint8_t subnonce[12];
        uint32_t state[16];

        memcpy(subkey, key.p, 32);
        memcpy(subnonce, nonce.p, 12);
        if (extended) {
            ref_xchacha_key(subkey, subnonce, nonce.p, key.p);
        }
        ref_chacha_state(state, subkey, subnonce, counter);
        ref_chacha_keystream(out, pt.n, state, s->rounds);
        ref_xor(out, out, pt.p, pt.n);
        check_bytes(out, ct.p, ct.n, AT ": %s by the reference", v->file, v->line, s->alg);
        return;
    }
    check_int(s->function(out, pt.p, pt.n, counter, nonce.p, key.p), AEADFAST_OK, AT, v->file,
              v->line);
    check_bytes(out, ct.p, ct.n, AT ": %s", v->file, v->line, s->alg);
    check_int(s->function(out, out, pt.n, counter, nonce.p, key.p), AEADFAST_OK, AT, v->file,
              v->line);
    check_bytes(out, pt.p, pt.n, AT ": %s back in place", v->file, v->line, s->alg);
    if (s->function == chacha20_xor) {
        check_int(chacha20_keystream(out, pt.n, counter, nonce.p, key.p), AEADFAST_OK, AT, v->file,
                  v->line);
        ref_xor(out, out, pt.p, pt.n);
        check_bytes(out, ct.p, ct.n, AT ": key stream", v->file, v->line);
    }
}

static void run_hchacha20(const struct vector *v, enum subject subject)
{
    struct vector_bytes key = vector_bytes(v, "key", 32);
    struct vector_bytes nonce = vector_bytes(v, "nonce", 16);
    struct vector_bytes want = vector_bytes(v, "out", 32);
    uint8_t out[32];

    if (subject == SUBJECT_REFERENCE) {
        ref_hchacha20(out, nonce.p, key.p);
    } else {
        check_int(hchacha20(out, nonce.p, key.p), AEADFAST_OK, AT, v->file, v->line);
    }
    check_bytes(out, want.p, 32, AT ": HChaCha20", v->file, v->line);
}

/* RFC 8439 section 2.6: the first 32 bytes of the key stream's block 0. */
static void run_keygen(const struct vector *v, enum subject subject)
{
    struct vector_bytes key = vector_bytes(v, "key", 32);
    struct vector_bytes nonce = vector_bytes(v, "nonce", 12);
    struct vector_bytes want = vector_bytes(v, "out", 32);
    uint32_t state[16];
    uint8_t out[32];

    if (subject == SUBJECT_REFERENCE) {
        ref_chacha_state(state, key.p, nonce.p, 0);
        ref_chacha_keystream(out, 32, state, 20);
    } else {
        check_int(chacha20_keystream(out, 32, 0, nonce.p, key.p), AEADFAST_OK, AT, v->file,
                  v->line);
    }
    check_bytes(out, want.p, 32, AT ": one-time key", v->file, v->line);
}

static void run_poly1305(const struct vector *v, enum subject subject)
{
    struct vector_bytes key = vector_bytes(v, "key", 32);
    struct vector_bytes msg = vector_bytes(v, "msg", SIZE_MAX);
    struct vector_bytes want = vector_bytes(v, "tag", 16);
    poly1305_state state;
    uint8_t tag[16];

    if (subject == SUBJECT_REFERENCE) {
        ref_poly1305_mac(tag, msg.p, msg.n, key.p);
        check_bytes(tag, want.p, 16, AT ": tag by the reference", v->file, v->line);
        return;
    }
    check_int(poly1305_mac(tag, msg.p, msg.n, key.p), AEADFAST_OK, AT, v->file, v->line);
    check_bytes(tag, want.p, 16, AT ": tag", v->file, v->line);
    check_int(poly1305_verify(tag, msg.p, msg.n, key.p), AEADFAST_OK, AT, v->file, v->line);
    tag[v->line % 16] ^= (uint8_t)(1 << v->line % 8);
    check_int(poly1305_verify(tag, msg.p, msg.n, key.p), AEADFAST_ERR_AUTH, AT, v->file, v->line);
    for (size_t piece = 1; piece <= msg.n + 1; piece++) {
        check_int(poly1305_begin(&state, key.p), AEADFAST_OK, AT, v->file, v->line);
        for (size_t at = 0; at < msg.n; at += piece) {
            size_t n = msg.n - at < piece ? msg.n - at : piece;

            check_int(poly1305_update(&state, msg.p + at, n), AEADFAST_OK, AT, v->file, v->line);
        }
        check_int(poly1305_final(&state, tag), AEADFAST_OK, AT, v->file, v->line);
        check_bytes(tag, want.p, 16, AT ": tag in pieces of %zu", v->file, v->line, piece);
    }
}

/*
 * The quarter round is inside every kernel and nowhere in the interface, so these records judge the
 * reference, and through it the kernels.
 */
static void run_quarter_round(const struct vector *v)
{
    static const int first_four[4] = {0, 1, 2, 3};
    const char *index = vector_text(v, "index");
    size_t words = index == NULL ? 4 : 16;
    struct vector_bytes in = vector_bytes(v, "in", 4 * words);
    struct vector_bytes out = vector_bytes(v, "out", 4 * words);
    uint32_t x[16] = {0};
    uint8_t got[64];
    int at[4];

    memcpy(at, first_four, sizeof at);
    if (index != NULL) {
        char *next = (char *)(uintptr_t)index;

        for (int i = 0; i < 4; i++) {
            at[i] = (int)strtol(next, &next, 10);
            check_true(at[i] >= 0 && at[i] < 16 && *next == (i < 3 ? ',' : '\0'), AT ": index",
                       v->file, v->line);
            next++;
        }
    }
    for (size_t i = 0; i < words; i++) {
        x[i] = load_be32(in.p + 4 * i);
    }
    ref_quarter_round(x, at[0], at[1], at[2], at[3]);
    for (size_t i = 0; i < words; i++) {
        store_be32(got + 4 * i, x[i]);
    }
    check_bytes(got, out.p, 4 * words, AT ": quarter round", v->file, v->line);
}

/* ---- All records ---- */

enum other {
    OTHER_HCHACHA20,
    OTHER_KEYGEN,
    OTHER_POLY1305,
    OTHER_QUARTER_ROUND,
    OTHER_QUARTER_ROUND_STATE,
    OTHER_COUNT
};

static const char *const other_names[OTHER_COUNT] = {"hchacha20", "chacha20-poly1305-keygen",
                                                     "poly1305", "chacha-quarter-round",
                                                     "chacha-quarter-round-state"};

#define AEAD_COUNT   (sizeof aeads / sizeof aeads[0])
#define STREAM_COUNT (sizeof streams / sizeof streams[0])

struct run {
    enum subject subject;
    struct counts aead[AEAD_COUNT];
    size_t stream[STREAM_COUNT];
    size_t other[OTHER_COUNT];
};

static void run_other(const struct vector *v, enum other other, enum subject subject)
{
    switch (other) {
    case OTHER_HCHACHA20:
        run_hchacha20(v, subject);
        break;
    case OTHER_KEYGEN:
        run_keygen(v, subject);
        break;
    case OTHER_POLY1305:
        run_poly1305(v, subject);
        break;
    default:
        run_quarter_round(v);
        break;
    }
}

static void run_record(const struct vector *v, void *context)
{
    struct run *run = context;

    for (size_t i = 0; i < AEAD_COUNT; i++) {
        if (vector_is(v, "alg", aeads[i].alg)) {
            run_aead(v, &aeads[i], run->subject, &run->aead[i]);
            return;
        }
    }
    check_true(vector_is(v, "result", "valid"), AT ": %s, invalid", v->file, v->line,
               vector_text(v, "alg"));
    for (size_t i = 0; i < STREAM_COUNT; i++) {
        if (vector_is(v, "alg", streams[i].alg)) {
            run_stream(v, &streams[i], run->subject);
            run->stream[i]++;
            return;
        }
    }
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        if (vector_is(v, "alg", other_names[i])) {
            run_other(v, (enum other)i, run->subject);
            run->other[i]++;
            return;
        }
    }
    check_true(0, AT ": alg = %s is not known", v->file, v->line, vector_text(v, "alg"));
}

static void print_counts(const struct run *run)
{
    for (size_t i = 0; i < AEAD_COUNT; i++) {
        const struct counts *c = &run->aead[i];

        if (c->valid + c->invalid_tag + c->invalid_nonce + c->by_type > 0) {
            check_note("  %-26s %4zu valid, %3zu forged, %zu with no nonce, %zu nonces that the "
                       "function's type refuses\n",
                       aeads[i].alg, c->valid, c->invalid_tag, c->invalid_nonce, c->by_type);
        }
    }
    for (size_t i = 0; i < STREAM_COUNT; i++) {
        if (run->stream[i] > 0) {
            check_note("  %-26s %4zu valid\n", streams[i].alg, run->stream[i]);
        }
    }
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        if (run->other[i] > 0) {
            check_note("  %-26s %4zu valid%s\n", other_names[i], run->other[i],
                       i >= OTHER_QUARTER_ROUND ? ", on the reference" : "");
        }
    }
}

static size_t total(const struct run *run)
{
    size_t sum = 0;

    for (size_t i = 0; i < AEAD_COUNT; i++) {
        const struct counts *c = &run->aead[i];

        sum += c->valid + c->invalid_tag + c->invalid_nonce + c->by_type;
    }
    for (size_t i = 0; i < STREAM_COUNT; i++) {
        sum += run->stream[i];
    }
    for (size_t i = 0; i < OTHER_COUNT; i++) {
        sum += run->other[i];
    }
    return sum;
}

static const char *own_folder(void)
{
    const char *folder = getenv("AEADFAST_TEST_VECTORS_DIR");

#if defined(AEADFAST_TEST_VECTORS_DIR)
    if (folder == NULL || folder[0] == '\0') {
        folder = AEADFAST_TEST_VECTORS_DIR;
    }
#endif
    check_true(folder != NULL, "AEADFAST_TEST_VECTORS_DIR names no folder");
    return folder;
}

static const char *current_folder;

static void run_folder(enum subject subject, const char *name)
{
    struct run run = {.subject = subject};
    long records = vectors_read_folder(current_folder, run_record, &run);

    check_true(records > 0, "%s: no records, or not all could be read", current_folder);
    check_int((long)total(&run), records, "%s: records gone through", current_folder);
    check_note("%s: %ld records, %s\n", current_folder, records, name);
    if (subject == SUBJECT_REFERENCE) {
        print_counts(&run);
    }
}

static void run_backend(const char *name)
{
    run_folder(SUBJECT_LIBRARY, backends_name(name));
}

static void test_own_vectors(void **unused)
{
    (void)unused;
    current_folder = own_folder();
    run_folder(SUBJECT_REFERENCE, "reference");
    backends_each(run_backend);
}

static void test_more_vectors(void **unused)
{
    (void)unused;
    current_folder = getenv("AEADFAST_VECTORS");
    if (current_folder == NULL || current_folder[0] == '\0') {
        check_note("AEADFAST_VECTORS is not set: no further vectors\n");
        skip();
    }
    run_folder(SUBJECT_REFERENCE, "reference");
    backends_each(run_backend);
}

/* ---- The reader itself ---- */

static void count_record(const struct vector *v, void *context)
{
    (void)v;
    ++*(long *)context;
}

static long parse(const char *text)
{
    char copy[512];
    long seen = 0;
    long records;

    strcpy(copy, text);
    records = vectors_parse(copy, strlen(text), NULL, count_record, &seen);
    check_true(records < 0 || records == seen, "records handed out: %ld of %ld", seen, records);
    return records;
}

#define GOOD "alg = x\nsource = y\nresult = valid\n"

static void test_reader(void **unused)
{
    static const char *const wrong[] = {
        "alg = x\nsource = y\n",
        "alg = x\nresult = valid\n",
        "source = y\nresult = valid\n",
        "alg = x\nsource = y\nresult = perhaps\n",
        "alg = x\nsource = y\nresult = invalid\n",
        "alg = x\nsource = y\nresult = invalid\nreject = all\n",
        GOOD "reject = tag\n",
        GOOD "alg = z\n",
        GOOD "key = 0\n",
        GOOD "key = 0G\n",
        GOOD "key = AB\n",
        GOOD "key = ab cd\n",
        GOOD "counter = -1\n",
        GOOD "counter = 4294967296\n",
        GOOD "counter = 01\n",
        GOOD "counter =\n",
        GOOD "tag_bits = 0x80\n",
        GOOD "no equals sign\n",
        GOOD " = no name\n",
        GOOD "Name = z\n",
        GOOD "comment = \t\n",
        GOOD "comment = z\r\n",
        GOOD "comment = the end is missing",
    };

    (void)unused;
    check_int(parse(""), 0, "an empty text");
    check_int(parse("# nothing\n\n\n"), 0, "a comment");
    check_int(parse(GOOD), 1, "one record");
    check_int(parse("\n# a\n" GOOD "# b\nkey =\nnew = a = b\ncounter = 4294967295\n\n\n" GOOD "\n"),
              2, "two records");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_int(parse(wrong[i]), -1, "malformed text %zu", i);
    }
}

/* What the long comparisons of other tests rest on: FIPS 180-4's "abc", and a padding edge. */
static void test_sha256(void **unused)
{
    static const uint8_t many[119];

    (void)unused;
    sha256_check((const uint8_t *)"abc", 3,
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "abc");
    sha256_check(many, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                 "nothing");
    sha256_check(many, 55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7",
                 "55 zeros");
    sha256_check(many, 56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb",
                 "56 zeros");
    sha256_check(many, 119, "f616b0d54e78571a9611f343c9f8e022e859e920381ab0e4d3da01e193a7bd7e",
                 "119 zeros");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_own_vectors),
        cmocka_unit_test(test_more_vectors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
