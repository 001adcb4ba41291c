/* SPDX-License-Identifier: MIT */
/*
 * void zvk_init(struct gcm_table *table, const uint8_t *key, size_t key_len, const uint8_t h[16],
 *               size_t nblocks)
 *
 * Fills the table: round keys (FIPS 197 section 5.2), the number of lanes, powers of H. H is as
 * given, or where h is NULL the cipher of zero; its powers are as many as it takes to hash up to
 * nblocks blocks, and more.
 *
 *   a0 table   a1 key   a2 key_len, then rounds less 12   a3, a4 addresses   a7 h
 *   t0 nblocks, at the end lanes
 */
#include "aes_gcm_zvk_rounds.inc"

    .text
function_begin zvk_init
    vsetvli t0, x0, e32, m4, ta, ma
    srli t0, t0, 2
    li t1, ZVK_LANES_MAX
    bleu t0, t1, 1f
    mv t0, t1
1:  sw t0, ZVK_LANES(a0)
    mv t0, a4
    mv a7, a3
    addi a2, a2, -24 /* key_len 16, 24, 32: -8, 0, 8 */
    srai a2, a2, 2
    sw a2, ZVK_ROUNDS(a0)
    addi a3, a0, ZVK_ROUND_KEYS
    beqz a2, .Lexpand_192
    vsetivli x0, 16, e8, m1, ta, ma
    vle8.v v1, (a1)
    bgtz a2, .Lexpand_256

    vsetivli x0, 4, e32, m1, ta, ma
    vaeskf1.vi v2, v1, 1
    vaeskf1.vi v3, v2, 2
    vaeskf1.vi v4, v3, 3
    vaeskf1.vi v5, v4, 4
    vaeskf1.vi v6, v5, 5
    vaeskf1.vi v7, v6, 6
    vaeskf1.vi v8, v7, 7
    vaeskf1.vi v9, v8, 8
    vaeskf1.vi v10, v9, 9
    vaeskf1.vi v15, v10, 10
    j .Lstore_keys

/* Each instruction turns the key before last into the next one. */
.macro next_key_256 to, before, last, number
    vmv.v.v \to, \before
    vaeskf2.vi \to, \last, \number
.endm

.Lexpand_256:
    addi a1, a1, 16
    vle8.v v2, (a1)
    vsetivli x0, 4, e32, m1, ta, ma
    next_key_256 v3, v1, v2, 2
    next_key_256 v4, v2, v3, 3
    next_key_256 v5, v3, v4, 4
    next_key_256 v6, v4, v5, 5
    next_key_256 v7, v5, v6, 6
    next_key_256 v8, v6, v7, 7
    next_key_256 v9, v7, v8, 8
    next_key_256 v10, v8, v9, 9
    next_key_256 v11, v9, v10, 10
    next_key_256 v12, v10, v11, 11
    next_key_256 v13, v11, v12, 12
    next_key_256 v14, v12, v13, 13
    next_key_256 v15, v13, v14, 14
.Lstore_keys:
    each_round_key vse32.v, a0, a2, a3
    j .Lkeys_done

/*
 * No instruction expands a key of 192 bits, but the one for 128 bits holds SubWord and RotWord:
 * with word w in each column, column 0 becomes w ^ SubWord(RotWord(w)) ^ 1. The rest is xor of six
 * words, t1 to t6, a step. The last of eight steps leaves two words too many, in a place that
 * AES-192 does not use.
 */
.Lexpand_192:
    vsetivli x0, 24, e8, m2, ta, ma
    vle8.v v2, (a1)
    vse8.v v2, (a3)
    lw t1, 0(a3)
    lw t2, 4(a3)
    lw t3, 8(a3)
    lw t4, 12(a3)
    lw t5, 16(a3)
    lw t6, 20(a3)
    vsetivli x0, 4, e32, m1, ta, ma
    li a4, 1 /* the round constant: 1, 2, 4, ..., 128 */
    li a6, 256
1:  vmv.v.x v1, t6
    vaeskf1.vi v2, v1, 1
    vmv.x.s a5, v2
    xor a5, a5, t6
    xori a5, a5, 1
    xor a5, a5, a4
    xor t1, t1, a5
    xor t2, t2, t1
    xor t3, t3, t2
    xor t4, t4, t3
    xor t5, t5, t4
    xor t6, t6, t5
    addi a3, a3, 24
    sw t1, 0(a3)
    sw t2, 4(a3)
    sw t3, 8(a3)
    sw t4, 12(a3)
    sw t5, 16(a3)
    sw t6, 20(a3)
    slli a4, a4, 1
    bne a4, a6, 1b
    vle32.v v15, (a3) /* words 48 to 51: the last round's key, moved to its place */
    addi a3, a0, ZVK_LAST_KEY
    vse32.v v15, (a3)
    each_round_key vle32.v, a0, a2, a3

/*
 * The powers double in number: H^h, ..., H^1 times H^h are H^2h, ..., H^(h+1). vaesz, an xor with
 * one block in all lanes, puts H^h into all of them. A text of h blocks or fewer takes no others.
 */
.Lkeys_done:
    bnez a7, 1f
    vmv.v.i v16, 0
    encrypt_v16 a2
    j 2f
1:  vsetivli x0, 16, e8, m1, ta, ma
    vle8.v v16, (a7)
    vsetivli x0, 4, e32, m1, ta, ma
2:  mv a5, t0
    lw t0, ZVK_LANES(a0)
    addi a0, a0, ZVK_END
    addi a3, a0, -16
    vse32.v v16, (a3)
    li t1, 1 /* h */
1:  bleu a5, t1, 3f
    slli t2, t1, 2
    slli t3, t1, 4
    vsetvli x0, t2, e32, m4, ta, ma
    sub a3, a0, t3 /* H^h, ..., H^1 */
    sub a4, a3, t3
    vle32.v v24, (a3)
    vmv.v.i v20, 0
    vaesz.vs v20, v24
    beq t1, t0, 2f
    vgmul.vv v24, v20
    vse32.v v24, (a4)
    slli t1, t1, 1
    j 1b
2:  vse32.v v20, (a4)
3:  ret
function_end zvk_init

    .section .note.GNU-stack, "", @progbits
