/* SPDX-License-Identifier: MIT */
#include "flat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "api_chacha_pieces.h"
#include "api_gcm_pieces.h"
#include "chacha_state.h"
#include "check.h"
#include "many_call.h"
#include "poly1305_core.h"

/*
 * A form's letters, one an argument: O output, T tag, I input and l its length, A additional data
 * and a its length, N nonce and n its length, K key and k its length, B object, t tag length,
 * c counter, r rounds (20), b blocks (l / 16), h the bit above a block (1), H the running hash that
 * follows the state in an object, d batches (enough for l, and sizes are rounded up to that). The parts
 * of AES-GCM have W for a text that follows the table, T for y, K for H, too, N for a whole counter
 * block, and x: whether the text is opened. Many: J jobs of which the call's arguments are one, M
 * likewise messages, m how many of either. S the key of a stream; s the length of a key of
 * AES-GCM-SIV.
 */

#define HAS(arg)          (1u << (arg))
#define ADDRESS(function) ((void (*)(void))(function))

/* ---- Public functions: the table of api_table.h knows the rest ---- */

#define PUBLIC(name, form)                                                                         \
    {                                                                                              \
#name, ADDRESS(name), form                                                                 \
    }

static const struct public_function {
    const char *name;
    void (*function)(void);
    const char *form;
} public_functions[] = {
    PUBLIC(chacha20_poly1305_seal, "OTIlAaNK"),
    PUBLIC(chacha20_poly1305_open, "OIlTAaNK"),
    PUBLIC(xchacha20_poly1305_seal, "OTIlAaNK"),
    PUBLIC(xchacha20_poly1305_open, "OIlTAaNK"),
    PUBLIC(chacha20_poly1305_seal_many, "Mm"),
    PUBLIC(chacha20_poly1305_open_many, "Mm"),
    {"chacha20_poly1305_sealv", ADDRESS(flat_chacha_sealv), "OTIlAaNK"},
    {"chacha20_poly1305_openv", ADDRESS(flat_chacha_openv), "OIlTAaNK"},
    {"xchacha20_poly1305_sealv", ADDRESS(flat_xchacha_sealv), "OTIlAaNK"},
    {"xchacha20_poly1305_openv", ADDRESS(flat_xchacha_openv), "OIlTAaNK"},
    PUBLIC(chacha20_poly1305_stream_init, "BNK"),
    PUBLIC(xchacha20_poly1305_stream_init, "BNK"),
    PUBLIC(chacha20_poly1305_stream_aad, "BAa"),
    PUBLIC(chacha20_poly1305_stream_seal_update, "BOIl"),
    PUBLIC(chacha20_poly1305_stream_seal_final, "BT"),
    PUBLIC(chacha20_poly1305_stream_open_unverified_update, "BOIl"),
    PUBLIC(chacha20_poly1305_stream_open_final, "BT"),
    PUBLIC(aes_gcm_init, "BKk"),
    PUBLIC(aes_gcm_init_tag, "BKkt"),
    PUBLIC(aes_gcm_seal, "BOTIlAaNn"),
    PUBLIC(aes_gcm_open, "BOIlTAaNn"),
    {"aes_gcm_sealv", ADDRESS(flat_gcm_sealv), "BOTIlAaNn"},
    {"aes_gcm_openv", ADDRESS(flat_gcm_openv), "BOIlTAaNn"},
    PUBLIC(aes_gcm_stream_init, "BSNn"),
    PUBLIC(aes_gcm_stream_aad, "BAa"),
    PUBLIC(aes_gcm_stream_seal_update, "BOIl"),
    PUBLIC(aes_gcm_stream_seal_final, "BT"),
    PUBLIC(aes_gcm_stream_open_unverified_update, "BOIl"),
    PUBLIC(aes_gcm_stream_open_final, "BT"),
    PUBLIC(aes_gcm_siv_init, "BKs"),
    PUBLIC(aes_gcm_siv_seal, "BOTIlAaN"),
    PUBLIC(aes_gcm_siv_open, "BOIlTAaN"),
    PUBLIC(aes_gcm_seal_many, "Mm"),
    PUBLIC(aes_gcm_open_many, "Mm"),
    PUBLIC(chacha20_xor, "OIlcNK"),
    PUBLIC(chacha12_xor, "OIlcNK"),
    PUBLIC(chacha8_xor, "OIlcNK"),
    PUBLIC(chacha20_keystream, "OlcNK"),
    PUBLIC(xchacha20_xor, "OIlcNK"),
    PUBLIC(hchacha20, "ONK"),
    PUBLIC(poly1305_mac, "TIlK"),
    PUBLIC(poly1305_verify, "TIlK"),
    PUBLIC(poly1305_begin, "BK"),
    PUBLIC(poly1305_update, "BIl"),
    PUBLIC(poly1305_final, "BT"),
};

void flat_each_public(flat_visit *visit)
{
    size_t n = sizeof public_functions / sizeof public_functions[0];

    check_int((long)n, (long)api_table_size, "public functions in this table");
    for (size_t i = 0; i < n; i++) {
        const struct public_function *p = &public_functions[i];
        const struct api_function *api = api_find(p->name);
        struct flat_function f = {p->name, p->function,  p->form,    NULL,
                                  api->op, api->outputs, api->inputs};

        visit(&f);
    }
}

/* ---- Kernels ---- */

static void visit_row(const struct kernel_row *row, aeadfast_op op, const char *name,
                      void (*function)(void), const char *form, unsigned outputs, unsigned inputs,
                      flat_visit *visit)
{
    struct flat_function f = {name, function, form, row, op, outputs, inputs};

    visit(&f);
}

#define OUT    HAS(ARG_OUT)
#define TAG    HAS(ARG_TAG)
#define IN     HAS(ARG_IN)
#define AAD    HAS(ARG_AAD)
#define NONCE  HAS(ARG_NONCE)
#define KEY    HAS(ARG_KEY)
#define OBJECT HAS(ARG_OBJECT)

static void visit_parts(const struct kernel_row *row, flat_visit *visit)
{
    const aeadfast_op op = AEADFAST_OP_AES_GCM;
    const struct aes_gcm_parts *parts = row->kernel.aes_gcm->parts;

    visit_row(row, op, "parts.init_hash", ADDRESS(parts->init_hash), "BKkKb", OBJECT, KEY, visit);
    visit_row(row, op, "parts.encrypt", ADDRESS(parts->encrypt), "BOIb", OUT, OBJECT | IN, visit);
    visit_row(row, op, "parts.hash", ADDRESS(parts->hash), "BTIb", TAG, OBJECT | IN, visit);
    visit_row(row, op, "parts.hash_reversed", ADDRESS(parts->hash_reversed), "BTIb", TAG,
              OBJECT | IN, visit);
    visit_row(row, op, "parts.seal", ADDRESS(parts->text), "BTOIbNx", OUT | TAG,
              OBJECT | IN | NONCE, visit);
    visit_row(row, op, "parts.open", ADDRESS(parts->text), "BTOIbNx", OUT | TAG,
              OBJECT | IN | NONCE, visit);
    visit_row(row, op, "parts.counter_le", ADDRESS(parts->counter_le), "BOIlN", OUT,
              OBJECT | IN | NONCE, visit);
    if (parts->pieces != NULL) {
        visit_row(row, op, "parts.seal_pieces", ADDRESS(parts->pieces), "BWOIlx", OUT | OBJECT,
                  OBJECT | IN, visit);
        visit_row(row, op, "parts.open_pieces", ADDRESS(parts->pieces), "BWOIlx", OUT | OBJECT,
                  OBJECT | IN, visit);
    }
    if (parts->siv_derive != NULL) {
        visit_row(row, op, "parts.siv_derive", ADDRESS(parts->siv_derive), "BOkNb", OUT,
                  OBJECT | NONCE, visit);
        visit_row(row, op, "parts.siv_tag", ADDRESS(parts->siv_tag), "BTOIN", OUT | TAG,
                  OBJECT | IN | NONCE, visit);
    }
}

static void visit_functions(const struct kernel_row *row, aeadfast_op op, flat_visit *visit)
{
    switch (op) {
    case AEADFAST_OP_CHACHA20:
        visit_row(row, op, "stream", ADDRESS(row->kernel.chacha->stream), "OIlBr", OUT, IN | OBJECT,
                  visit);
        if (row->kernel.chacha->direct != NULL) {
            visit_row(row, op, "direct", ADDRESS(row->kernel.chacha->direct), "OIlcNKr", OUT,
                      IN | NONCE | KEY, visit);
        }
        break;
    case AEADFAST_OP_POLY1305:
        visit_row(row, op, "mac", ADDRESS(row->kernel.poly1305->mac), "TIlK", TAG, IN | KEY, visit);
        visit_row(row, op, "blocks", ADDRESS(row->kernel.poly1305->blocks), "BIbh", OBJECT,
                  OBJECT | IN, visit);
        break;
    case AEADFAST_OP_CHACHA20_POLY1305:
        visit_row(row, op, "seal", ADDRESS(row->kernel.aead->seal), "OTIlAaNK", OUT | TAG,
                  IN | AAD | NONCE | KEY, visit);
        visit_row(row, op, "open", ADDRESS(row->kernel.aead->open), "OTIlAaNK", OUT | TAG,
                  IN | AAD | NONCE | KEY, visit);
        if (row->kernel.aead->batches != NULL) {
            visit_row(row, op, "batches", ADDRESS(row->kernel.aead->batches), "HOIIdB",
                      OUT | OBJECT, OBJECT | IN, visit);
        }
        if (row->kernel.aead->many != NULL) {
            visit_row(row, op, "many_seal", ADDRESS(row->kernel.aead->many), "Jmx", OUT | TAG,
                      IN | AAD | NONCE | KEY, visit);
            visit_row(row, op, "many_open", ADDRESS(row->kernel.aead->many), "Jmx", OUT | TAG,
                      IN | AAD | NONCE | KEY, visit);
        }
        break;
    default:
        visit_row(row, op, "init", ADDRESS(row->kernel.aes_gcm->init), "BKk", OBJECT, KEY, visit);
        visit_row(row, op, "seal", ADDRESS(row->kernel.aes_gcm->seal), "BOTIlAaNn", OUT | TAG,
                  OBJECT | IN | AAD | NONCE, visit);
        visit_row(row, op, "open", ADDRESS(row->kernel.aes_gcm->open), "BOTIlAaNn", OUT | TAG,
                  OBJECT | IN | AAD | NONCE, visit);
        if (row->kernel.aes_gcm->many != NULL) {
            visit_row(row, op, "many_seal", ADDRESS(row->kernel.aes_gcm->many), "Jmx", OUT | TAG,
                      OBJECT | IN | AAD | NONCE, visit);
            visit_row(row, op, "many_open", ADDRESS(row->kernel.aes_gcm->many), "Jmx", OUT | TAG,
                      OBJECT | IN | AAD | NONCE, visit);
        }
        visit_parts(row, visit);
        break;
    }
}

const struct aes_gcm_parts *flat_parts(const struct flat_function *f)
{
    return strncmp(f->name, "parts.", 6) == 0 ? f->row->kernel.aes_gcm->parts : NULL;
}

void flat_each_kernel(flat_visit *visit)
{
    struct cpu cpu = aeadfast_cpu_probe();

    for (int op = 0; op < OP_COUNT; op++) {
        const struct kernel_list *list = &aeadfast_kernel_lists[op];

        for (unsigned i = 0; i < list->count; i++) {
            const struct kernel_row *row = &list->rows[i];

            if (aeadfast_row_runs(row, &cpu)) {
                visit_functions(row, (aeadfast_op)op, visit);
            } else {
                check_note("%s %s: not run, this processor lacks it\n", aeadfast_op_names[op],
                           row->name);
            }
        }
    }
}

int flat_takes(const struct flat_function *f, size_t len)
{
    if (f->row == NULL) {
        return 1;
    }
    if (f->form[0] == 'J') {
        return len <= (f->op == AEADFAST_OP_AES_GCM ? f->row->kernel.aes_gcm->many_len
                                                    : f->row->kernel.aead->many_len);
    }
    return (f->op != AEADFAST_OP_CHACHA20 && strchr(f->form, 'W') == NULL) || len != 0;
}

int flat_opens(const struct flat_function *f)
{
    return strstr(f->name, "open") != NULL;
}

/* ---- Arguments ---- */

void (*flat_key_hook)(const void *key, size_t n);

static int uses(const struct flat_function *f, enum api_arg arg)
{
    return ((f->outputs | f->inputs) & HAS(arg)) != 0;
}

static size_t batches_of(const struct flat_function *f, const struct api_call *call)
{
    size_t batch = f->row->kernel.aead->batch;

    return (call->len + batch - 1) / batch;
}

static size_t text_size(const struct flat_function *f, const struct api_call *call)
{
    return strchr(f->form, 'd') != NULL ? batches_of(f, call) * f->row->kernel.aead->batch
                                        : call->len;
}

size_t flat_size(const struct flat_function *f, const struct api_call *call, enum api_arg arg)
{
    if (!uses(f, arg)) {
        return 0;
    }
    if (f->row == NULL) {
        return api_size(api_find(f->name), call, arg);
    }
    if (strcmp(f->name, "parts.siv_derive") == 0 && arg == ARG_OUT) {
        return AES_GCM_TABLE_BYTES;
    }
    if (strcmp(f->name, "parts.siv_tag") == 0 && (arg == ARG_OUT || arg == ARG_IN)) {
        return 16;
    }
    switch (arg) {
    case ARG_OUT:
    case ARG_IN:
        return strchr(f->form, 'b') != NULL ? call->len / 16 * 16 : text_size(f, call);
    case ARG_TAG:
        return 16;
    case ARG_AAD:
        return call->aad_len;
    case ARG_NONCE:
        return flat_parts(f) != NULL ? 16 : f->op == AEADFAST_OP_AES_GCM ? call->nonce_len : 12;
    case ARG_KEY:
        return f->op == AEADFAST_OP_AES_GCM ? call->key_len : 32;
    default:
        return strchr(f->form, 'W') != NULL    ? AES_GCM_TABLE_BYTES + sizeof(struct aes_gcm_text)
               : f->op == AEADFAST_OP_AES_GCM  ? AES_GCM_TABLE_BYTES
               : f->op == AEADFAST_OP_CHACHA20 ? 64
               : f->op == AEADFAST_OP_POLY1305 ? sizeof(struct poly1305_core)
                                               : 64 + sizeof(struct poly1305_core);
    }
}

/* A text that begins, or has come to within a turn; with and without a counter that is secret. */
static void make_text(struct aes_gcm_text *text, size_t len, const uint8_t key[32])
{
    memset(text, 0, sizeof *text);
    text->nonce_is_hashed = len % 2;
    text->held = len % 3 * 20;
    text->counter[15] = 2;
    for (size_t i = 0; i < sizeof text->turn; i++) {
        text->turn[i] = (uint8_t)(key[i % 32] ^ i);
    }
    memcpy(text->y, key, 16);
}

/* A kernel's object: the state, running value or tables that belong to the key. */
static void make_object(const struct flat_function *f, const struct api_call *call,
                        const uint8_t key[32])
{
    uint8_t *object = call->arg[ARG_OBJECT];

    if (f->op == AEADFAST_OP_AES_GCM) {
        f->row->kernel.aes_gcm->init(object, key, call->key_len);
        if (strchr(f->form, 'W') != NULL) {
            make_text((struct aes_gcm_text *)(void *)(object + AES_GCM_TABLE_BYTES), call->len,
                      key);
        }
        return;
    }
    if (f->op != AEADFAST_OP_POLY1305) {
        uint8_t nonce[12];

        api_pattern(nonce, sizeof nonce, 2);
        chacha_state_init((uint32_t *)(void *)object, key, call->counter, nonce);
        object += 64;
    }
    if (f->op != AEADFAST_OP_CHACHA20) {
        poly1305_core_begin((struct poly1305_core *)(void *)object, key);
    }
}

/* The public functions make their objects of one key; here it is to be another. */
static void make_public_object(const struct api_function *api, const struct api_call *call,
                               const uint8_t key[32])
{
    if (api_is_gcm_stream(api)) {
        assert_int_equal(api_gcm_stream_begin(call, key), AEADFAST_OK);
    } else if (api_is_chacha_stream(api)) {
        assert_int_equal(api_chacha_stream_begin(call, key), AEADFAST_OK);
    } else if (api_is_siv(api)) {
        aes_gcm_siv_key *k = (aes_gcm_siv_key *)(void *)call->arg[ARG_OBJECT];

        assert_int_equal(aes_gcm_siv_init(k, key, api_siv_key_len(call)), AEADFAST_OK);
    } else if (api->op == AEADFAST_OP_AES_GCM) {
        aes_gcm_key *k = (aes_gcm_key *)(void *)call->arg[ARG_OBJECT];

        assert_int_equal(aes_gcm_init_tag(k, key, call->key_len, call->tag_len), AEADFAST_OK);
    } else {
        poly1305_state *s = (poly1305_state *)(void *)call->arg[ARG_OBJECT];

        assert_int_equal(poly1305_begin(s, key), AEADFAST_OK);
        assert_int_equal(poly1305_update(s, (const uint8_t *)"head!", 5), AEADFAST_OK);
    }
}

/* The tag of aes_gcm_open with the object as it is: sealing the text gives it. */
static void make_gcm_tag(const struct api_call *call)
{
    const aes_gcm_key *k = (const aes_gcm_key *)(const void *)call->arg[ARG_OBJECT];
    static uint8_t text[API_SLOT];
    uint8_t tag[16];

    assert_true(call->len <= sizeof text);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(aes_gcm_seal(k, text, tag, turn == 0 ? call->arg[ARG_IN] : text, call->len,
                                      call->arg[ARG_AAD], call->aad_len, call->arg[ARG_NONCE],
                                      call->nonce_len),
                         AEADFAST_OK);
    }
    memcpy(call->arg[ARG_TAG], tag, call->tag_len);
}

/* The tag of aes_gcm_siv_open: what stands there as ciphertext is taken for text and sealed. */
static void make_siv_tag(const struct api_call *call)
{
    const aes_gcm_siv_key *k = (const aes_gcm_siv_key *)(const void *)call->arg[ARG_OBJECT];

    assert_int_equal(aes_gcm_siv_seal(k, call->arg[ARG_IN], call->arg[ARG_TAG], call->arg[ARG_IN],
                                      call->len, call->arg[ARG_AAD], call->aad_len,
                                      call->arg[ARG_NONCE]),
                     AEADFAST_OK);
}

void flat_prepare(const struct flat_function *f, struct api_call *call, struct api_arena *arena,
                  unsigned key)
{
    uint8_t key_bytes[32];

    api_pattern(key_bytes, sizeof key_bytes, key);
    key_bytes[7] ^= (uint8_t)(key >> 3); /* not just a sum away from the next */
    for (int a = 0; a < ARG_COUNT; a++) {
        size_t size = flat_size(f, call, (enum api_arg)a);

        call->arg[a] = NULL;
        if (!uses(f, (enum api_arg)a)) {
            continue;
        }
        check_true(size <= API_SLOT - API_SLOT_MIDDLE, "%s: no room for %zu bytes", f->name, size);
        call->arg[a] = arena->bytes + (size_t)a * API_SLOT + API_SLOT_MIDDLE;
        if ((f->outputs & HAS(a)) != 0) {
            memset(call->arg[a], API_FILLER, size);
        } else {
            api_pattern(call->arg[a], size, (unsigned)a + 1);
        }
    }
    if (call->arg[ARG_KEY] != NULL) {
        memcpy(call->arg[ARG_KEY], key_bytes, flat_size(f, call, ARG_KEY));
    }
    if (flat_key_hook != NULL) {
        flat_key_hook(key_bytes, sizeof key_bytes);
    }
    if (f->row != NULL) {
        if ((f->inputs & OBJECT) != 0) {
            make_object(f, call, key_bytes);
        }
        return;
    }
    if ((f->inputs & OBJECT) != 0 || api_is_gcm_stream(api_find(f->name))) {
        make_public_object(api_find(f->name), call, key_bytes);
    }
    if ((f->inputs & TAG) != 0) {
        if (api_is_gcm_stream(api_find(f->name))) {
            assert_int_equal(api_gcm_stream_begin_open(call, key_bytes), AEADFAST_OK);
        } else if (api_is_chacha_stream(api_find(f->name))) {
            assert_int_equal(api_chacha_stream_begin_open(call, key_bytes), AEADFAST_OK);
        } else if (api_is_siv(api_find(f->name))) {
            make_siv_tag(call);
        } else if (f->op == AEADFAST_OP_AES_GCM) {
            make_gcm_tag(call);
        } else {
            api_prepare(api_find(f->name), call);
        }
    }
}

/* Both stay where they are until the next call is made. */
static uint64_t place_jobs(const struct api_call *call)
{
    static struct aead_job jobs[MANY_CALL];
    static struct many_neighbours neighbours;

    many_jobs(jobs, &neighbours, call);
    return (uintptr_t)jobs;
}

static uint64_t place_messages(aeadfast_op op, const struct api_call *call, int opening)
{
    static chacha20_poly1305_message messages[MANY_CALL];
    static aes_gcm_message gcm_messages[MANY_CALL];
    static struct many_neighbours neighbours;
    static struct many_gcm_keys keys;

    if (op == AEADFAST_OP_AES_GCM) {
        many_aes_gcm(gcm_messages, &neighbours, &keys, call, opening);
        return (uintptr_t)gcm_messages;
    }
    many_chacha20_poly1305(messages, &neighbours, call, opening);
    return (uintptr_t)messages;
}

static uint64_t word(char letter, const struct flat_function *f, const struct api_call *call)
{
    switch (letter) {
    case 'J':
        return place_jobs(call);
    case 'M':
        return place_messages(f->op, call, flat_opens(f));
    case 'm':
        return MANY_CALL;
    case 'O':
        return (uintptr_t)call->arg[ARG_OUT];
    case 'T':
        return (uintptr_t)call->arg[ARG_TAG];
    case 'I':
        return (uintptr_t)call->arg[ARG_IN];
    case 'A':
        return (uintptr_t)call->arg[ARG_AAD];
    case 'N':
        return (uintptr_t)call->arg[ARG_NONCE];
    case 'K':
        return (uintptr_t)call->arg[ARG_KEY];
    case 'B':
        return (uintptr_t)call->arg[ARG_OBJECT];
    case 'H':
        return (uintptr_t)call->arg[ARG_OBJECT] + 64;
    case 'W':
        return (uintptr_t)call->arg[ARG_OBJECT] + AES_GCM_TABLE_BYTES;
    case 'd':
        return batches_of(f, call);
    case 'S':
        return (uintptr_t)api_gcm_stream_key();
    case 'l':
        return call->len;
    case 'a':
        return call->aad_len;
    case 'n':
        return call->nonce_len;
    case 'k':
        return call->key_len;
    case 's': /* k, without the 24 that AES-GCM-SIV has not */
        return api_siv_key_len(call);
    case 't':
        return call->tag_len;
    case 'c':
        return call->counter;
    case 'r':
        return 20;
    case 'b':
        return call->len / 16;
    case 'x':
        return (uint64_t)flat_opens(f);
    default:
        return 1;
    }
}

void flat_words(const struct flat_function *f, const struct api_call *call,
                uint64_t words[FLAT_ARGS])
{
    size_t n = strlen(f->form);

    for (size_t i = 0; i < FLAT_ARGS; i++) {
        words[i] = i < n ? word(f->form[i], f, call) : 0;
    }
}
