/* SPDX-License-Identifier: MIT */
/*
 * A whole message in one call: counter mode and GHASH, and J0 among the lanes.
 *
 * J0, which encrypts the tag, goes into the first lane that the last batch does not need; only a
 * text that needs all lanes of its last batch gives it one more pass.
 */
#include "aes_gcm_zvk_lanes.inc"

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
    full_batches \sum

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

    .section .note.GNU-stack, "", @progbits
