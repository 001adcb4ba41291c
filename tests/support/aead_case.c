/* SPDX-License-Identifier: MIT */
#include "aead_case.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

void aead_rooms_make(struct aead_rooms *rooms, struct rng *rng, size_t len, size_t aad_len,
                     size_t nonce_len, size_t key_len)
{
    layout_make(&rooms->dst, len);
    layout_make(&rooms->src, len);
    layout_make(&rooms->aad, aad_len);
    layout_make(&rooms->nonce, nonce_len);
    layout_make(&rooms->key, key_len);
    layout_make(&rooms->tag, 16);
    rooms->rng = rng;
}

void aead_rooms_free(struct aead_rooms *rooms)
{
    guard_free(&rooms->dst);
    guard_free(&rooms->src);
    guard_free(&rooms->aad);
    guard_free(&rooms->nonce);
    guard_free(&rooms->key);
    guard_free(&rooms->tag);
}

/* The arguments of one call, where they lie. */
struct placed {
    uint8_t *dst;
    uint8_t *src;
    const uint8_t *aad;
    const uint8_t *nonce;
    const void *key;
    uint8_t *tag;
};

/* One direction: `src` is filled with what goes in, `want` is what must come out. */
static void run(const struct aead_rooms *rooms, const struct aead_subject *s,
                const struct aead_message *m, const struct placed *p, int sealing)
{
    const uint8_t *in = sealing ? m->pt : m->ct;
    const uint8_t *want = sealing ? m->ct : m->pt;
    const char *who = s->row->name;
    /* a message of no bytes may have no address */
    uint8_t *dst = m->len == 0 ? NULL : p->dst;
    const uint8_t *src = m->len == 0 ? NULL : p->src;
    const uint8_t *aad = m->aad_len == 0 ? NULL : p->aad;
    char what[160];

    if (m->len != 0) {
        memset(p->dst, 0x5a, m->len);
        memcpy(p->src, in, m->len);
    }
    memset(p->tag, 0x5a, 16);
    layout_mark(&rooms->dst, p->dst, m->len);
    layout_mark(&rooms->tag, p->tag, 16);
    (sealing ? s->seal : s->open)(s->row, p->key, dst, p->tag, src, m->len, aad, m->aad_len,
                                  p->nonce, m->nonce_len);
    layout_check(&rooms->dst, p->dst, m->len, who);
    layout_check(&rooms->tag, p->tag, 16, who);
    if (m->len != 0 && memcmp(p->dst, want, m->len) == 0 && memcmp(p->tag, m->tag, 16) == 0 &&
        (p->src == p->dst || memcmp(p->src, in, m->len) == 0)) {
        return;
    }
    snprintf(what, sizeof what,
             "%s: %s, %zu bytes, AAD %zu, nonce %zu, output at ..%03x, input at ..%03x", who,
             sealing ? "seal" : "open", m->len, m->aad_len, m->nonce_len,
             (unsigned)((uintptr_t)p->dst & 0xfff), (unsigned)((uintptr_t)p->src & 0xfff));
    check_bytes(p->dst, want, m->len, "%s: text", what);
    check_bytes(p->tag, m->tag, 16, "%s: tag", what);
    if (p->src != p->dst) {
        check_bytes(p->src, in, m->len, "%s: changed its input", what);
    }
}

static void run_both(const struct aead_rooms *rooms, const struct aead_subject *s,
                     const struct aead_message *m, const struct placed *p)
{
    run(rooms, s, m, p, 1);
    run(rooms, s, m, p, 0);
    check_bytes(p->key, s->key, s->key_len, "%s: changed its key", s->row->name);
}

/* All but the text and the output. */
static struct placed place_others(const struct aead_rooms *rooms, const struct aead_subject *s,
                                  const struct aead_message *m, enum layout layout)
{
    return (struct placed){
        .aad = layout_copy(&rooms->aad, layout, m->aad, m->aad_len, 1, rooms->rng),
        .nonce = layout_copy(&rooms->nonce, layout, m->nonce, m->nonce_len, 1, rooms->rng),
        .key = layout_copy(&rooms->key, layout, s->key, s->key_len, s->key_align, rooms->rng),
        .tag = layout_room(&rooms->tag, layout, 16, 1, rooms->rng),
    };
}

void aead_case(const struct aead_rooms *rooms, const struct aead_subject *s,
               const struct aead_message *m, enum layout layout)
{
    struct placed p = place_others(rooms, s, m, layout);

    p.dst = layout_room(&rooms->dst, layout, m->len, 1, rooms->rng);
    p.src =
        layout_in_place(layout) ? p.dst : layout_room(&rooms->src, layout, m->len, 1, rooms->rng);
    run_both(rooms, s, m, &p);
}

void aead_case_at(const struct aead_rooms *rooms, const struct aead_subject *s,
                  const struct aead_message *m, size_t dst_at, size_t src_at, int in_place)
{
    struct placed p = place_others(rooms, s, m, LAYOUT_APART);

    p.dst = layout_at(&rooms->dst, dst_at);
    p.src = in_place ? p.dst : layout_at(&rooms->src, src_at);
    run_both(rooms, s, m, &p);
}
