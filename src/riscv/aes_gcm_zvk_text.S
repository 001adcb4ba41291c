/* SPDX-License-Identifier: MIT */
/*
 * Counter mode and GHASH (SP 800-38D sections 6.4 and 6.5) in lanes of 128 bits.
 *
 * GHASH. Y has a lane for each block of a batch. Full batches of n blocks come first, a short one
 * last. A batch adds its blocks to the lanes of Y, then multiplies each lane by a power of H (vghsh
 * does both), such that after the last batch the sum of the lanes is Y of the standard. As long as
 * n blocks or more follow, a lane's block has n more blocks behind it than the next one of that
 * lane: H^n everywhere. If r < n follow, lanes 0 to r - 1 take in one more block each, so H^n is still
 * right for them; the others are done, and their block i needs H^(n+r-i). The short batch itself,
 * r blocks, needs H^r, ..., H^1. In the table, n times H^n and then H^n, ..., H^1, all three are
 * consecutive entries, and with `left` the bytes before the batch, rounded up to blocks, they begin
 * left bytes before its end, or 32 * n where left is more.
 *
 * Counters. A lane is the counter block with the bytes of each 32-bit word reversed, so that the
 * last word counts modulo 2^32 by an addition that is masked to it, and vrev8 makes a block of it.
 * J0, which encrypts the tag, goes into the first lane that the last batch does not need; only a
 * text that needs all lanes of its last batch gives it one more pass.
 *
 * Loads and stores of text are of single bytes, for which any address is aligned.
 *
 *   v0 mask of last words   v1 to v15 round keys   v16 to v19 cipher, then powers of H
 *   v20 to v23 counters     v24 to v27 text        v28 to v31 Y
 *   t0 n   t1 4n, words of a batch   t2 16n, bytes of a batch   t3 end of the table
 */
#include "aes_gcm_zvk_rounds.inc"

/* Sets t0 to t3. */
.macro load_shape table
    lw t0, ZVK_LANES(\table)
    addi t3, \table, ZVK_END
    slli t1, t0, 2
    slli t2, t0, 4
.endm

/* at = where the factors begin, if left <= 32 * n */
.macro factors at, left
    addi \at, \left, 15
    andi \at, \at, -16
    sub \at, t3, \at
.endm

/*
 * Lane 0 of v28 = sum of its lanes, of which `blocks` (>= 1) or all are in use, the others zero: the
 * upper half is added to the lower, from the greatest power of two below `blocks` on.
 */
.macro add_lanes blocks, half, four
    srli \half, t0, 1
1004:
    bltu \half, \blocks, 1005f
    srli \half, \half, 1
    j 1004b
1005:
    slli \half, \half, 2
    li \four, 4
    vsetvli x0, \half, e32, m4, ta, ma
    bltu \half, \four, 1007f
1006:
    vslidedown.vx v24, v28, \half
    vxor.vv v28, v28, v24
    srli \half, \half, 1
    bgeu \half, \four, 1006b
1007:
.endm

/*
 * void zvk_seal(const struct gcm_table *table, uint8_t *ct, const uint8_t *pt, size_t len,
 *               uint8_t tag[16], uint64_t aad_len, const struct gcm_start *start,
 *               const uint8_t nonce[12])
 * void zvk_open(... uint8_t *pt, const uint8_t *ct ...)
 *
 * J0 is the nonce and start->counter. `sum` is the group that receives text ^ key stream: v24, so
 * that what is hashed is what was written, or v16, so that it is what was read.
 *
 *   a0 table, then the factors   a1 dst   a2 src   a3 bytes left   a4 tag   a5 aad_len
 *   a6 start, then its counter   a7 nonce, then len   t4 rounds less 12   t5, t6 scratch
 */
.macro gcm_text name, sum
function_begin \name
    load_shape a0
    lw t4, ZVK_ROUNDS(a0)
    vsetvli x0, t1, e32, m4, ta, ma
    vmv.v.i v28, 0
    vmv.v.i v20, 0
    vid.v v16
    vsrl.vi v16, v16, 2
    vsetivli x0, 4, e32, m1, tu, ma
    beqz a5, 1f
    vle32.v v28, (a6)
1:  each_round_key vle32.v, a0, t4, t5
    lw a6, ZVK_START_COUNTER(a6)
    addi t6, a6, 1
    li t5, -120 /* 0x88 */
    vsetivli x0, 16, e8, m1, ta, ma
    vmv.v.x v0, t5
    vsetivli x0, 12, e8, m1, ta, ma
    vle8.v v24, (a7)
    mv a7, a3
    vsetvli x0, t1, e32, m4, ta, mu
    vaesz.vs v20, v24 /* xor with one block in all lanes */
    vrev8.v v20, v20
    vadd.vx v20, v16, t6, v0.t
    bltu a3, t2, 3f

    /* Full batches. Opening hashes before v16 is needed for the cipher, sealing after that. */
    slli t5, t2, 1
    sub a0, t3, t5
    vsetvli x0, t2, e8, m4, ta, ma
    bltu a3, t5, 2f
1:  vle8.v v24, (a2)
    vsetvli x0, t1, e32, m4, ta, mu
.ifc \sum, v16
    vle32.v v16, (a0)
    vghsh.vv v28, v16, v24
.endif
    vrev8.v v16, v20
    vadd.vx v20, v20, t0, v0.t
    encrypt_v16 t4
    vxor.vv \sum, v24, v16
.ifc \sum, v24
    vle32.v v16, (a0)
    vghsh.vv v28, v16, v24
.endif
    vsetvli x0, t2, e8, m4, ta, ma
    vse8.v \sum, (a1)
    sub a3, a3, t2
    add a2, a2, t2
    add a1, a1, t2
    bgeu a3, t5, 1b
    bltu a3, t2, 3f
2:  factors a0, a3
    j 1b

    /* a0 blocks of the short batch, 0 to n   t6 their words   t5 the same and J0, where it fits */
3:  addi a0, a3, 15
    srli a0, a0, 4
    slli t6, a0, 2
    sltu t5, a0, t0
    slli t5, t5, 2
    add t5, t5, t6
    vsetvli x0, t5, e32, m4, ta, ma
    vmv.s.x v24, a6
    addi t5, t6, 3
    vslideup.vx v20, v24, t5 /* changes that one word, or none where t6 was t5 */
    vrev8.v v16, v20
    encrypt_v16 t4
    bgeu a0, t0, 4f
    vsetivli x0, 4, e32, m4, ta, ma
    vslidedown.vx v4, v16, t6 /* the mask of the tag, where no round keys are needed any more */
    beqz a3, 5f
4:  vsetvli x0, t6, e32, m4, ta, ma
    vmv.v.i v24, 0
    vsetvli x0, a3, e8, m4, tu, ma
    vle8.v v24, (a2)
    vxor.vv \sum, v24, v16
    vse8.v \sum, (a1)
    factors t5, a3
    vsetvli x0, t6, e32, m4, tu, ma
    vle32.v v16, (t5)
    vghsh.vv v28, v16, v24
    li a3, 0
    beq a0, t0, 3b

5:  beqz a7, 6f
    addi a0, a7, 15
    srli a0, a0, 4
    add_lanes a0, t5, t6
6:  slli a5, a5, 3
    slli a7, a7, 3
    vsetivli x0, 2, e64, m1, ta, ma
    vmv.v.x v24, a5
    vslide1down.vx v25, v24, a7
    vrev8.v v25, v25
    addi t3, t3, -16
    vsetivli x0, 4, e32, m1, ta, ma
    vle32.v v16, (t3)
    vghsh.vv v28, v16, v25
    vxor.vv v28, v28, v4
    vsetivli x0, 16, e8, m1, ta, ma
    vse8.v v28, (a4)
    ret
function_end \name
.endm

    .text
gcm_text zvk_seal, v24
gcm_text zvk_open, v16

/*
 * void zvk_hash(const struct gcm_table *table, uint8_t y[16], const uint8_t *data, size_t len)
 *
 * y takes in len >= 1 bytes, padded with zeros to whole blocks.
 *
 *   a0 table, then the factors   a1 y   a2 data   a3 bytes left   a4 blocks   t4, t5 scratch
 */
function_begin zvk_hash
    load_shape a0
    addi a4, a3, 15
    srli a4, a4, 4
    vsetvli x0, t1, e32, m4, ta, ma
    vmv.v.i v28, 0
    vsetivli x0, 4, e32, m1, tu, ma
    vle32.v v28, (a1)
    bltu a3, t2, 3f

    slli t5, t2, 1
    sub a0, t3, t5
    bltu a3, t5, 2f
1:  vsetvli x0, t2, e8, m4, ta, ma
    vle8.v v24, (a2)
    vsetvli x0, t1, e32, m4, ta, ma
    vle32.v v16, (a0)
    vghsh.vv v28, v16, v24
    sub a3, a3, t2
    add a2, a2, t2
    bgeu a3, t5, 1b
    bltu a3, t2, 3f
2:  factors a0, a3
    j 1b

3:  beqz a3, 4f
    factors a0, a3
    sub t4, t3, a0
    srli t4, t4, 2 /* words */
    vsetvli x0, t4, e32, m4, ta, ma
    vmv.v.i v24, 0
    vsetvli x0, a3, e8, m4, tu, ma
    vle8.v v24, (a2)
    vsetvli x0, t4, e32, m4, tu, ma
    vle32.v v16, (a0)
    vghsh.vv v28, v16, v24
4:  add_lanes a4, t4, t5
    vsetivli x0, 4, e32, m1, ta, ma
    vse32.v v28, (a1)
    ret
function_end zvk_hash

    .section .note.GNU-stack, "", @progbits
