/* SPDX-License-Identifier: MIT */
/* The parts of AES-GCM (struct aes_gcm_parts in ../kernel.h), in lanes of 128 bits. */
#include "aes_gcm_zvk_lanes.inc"

    .text

/*
 * Round keys, and for counter mode: `counter` in each lane of v20, the lanes' numbers in v16, and in
 * v0 the mask of the words that count. Scratch: v24, t5; leaves vl = 4n, e32, m4.
 */
.macro load_keys_and_counters mask, counter
    lw t4, ZVK_ROUNDS(a0)
    vsetivli x0, 4, e32, m1, ta, ma
    each_round_key vle32.v, a0, t4, t5
    li t5, \mask
    vsetivli x0, 16, e8, m1, ta, ma
    vmv.v.x v0, t5
    vle8.v v24, (\counter)
    vsetvli x0, t1, e32, m4, ta, mu
    vid.v v16
    vsrl.vi v16, v16, 2
    vmv.v.i v20, 0
    vaesz.vs v20, v24 /* xor with one block in all lanes */
.endm

/*
 * The bytes of each block in v24 in reverse order: those of words of 64 bits, and the two words. v0
 * selects the upper ones.
 */
.macro reverse_blocks words
    vsetvli x0, \words, e64, m4, ta, mu
    vrev8.v v8, v24
    vslidedown.vi v24, v8, 1
    vslideup.vi v24, v8, 1, v0.t
.endm

/*
 * void zvk_hash(const struct gcm_table *table, uint8_t y[16], const uint8_t *data, size_t len)
 * void zvk_hash_reversed(...)
 *
 * y takes in len >= 1 bytes, padded with zeros to whole blocks; reversed, it has to be whole blocks.
 *
 *   a0 table, then the factors   a1 y   a2 data   a3 bytes left   a4 blocks   t4, t5 scratch
 */
.macro hash name, reversed
function_begin \name
    load_shape a0
    addi a4, a3, 15
    srli a4, a4, 4
    vsetvli x0, t1, e32, m4, ta, ma
    vmv.v.i v28, 0
    vsetivli x0, 16, e8, m1, tu, ma
    vle8.v v28, (a1)
.if \reversed
    li t5, -86 /* 0xaa */
    vmv.v.x v0, t5
.endif
    bltu a3, t2, 3f

    slli t5, t2, 1
    sub a0, t3, t5
    bltu a3, t5, 2f
1:  vsetvli x0, t2, e8, m4, ta, ma
    vle8.v v24, (a2)
.if \reversed
    slli t6, t0, 1
    reverse_blocks t6
.endif
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
.if \reversed
    srli t6, t4, 1
    reverse_blocks t6
.endif
    vsetvli x0, t4, e32, m4, tu, ma
    vle32.v v16, (a0)
    vghsh.vv v28, v16, v24
4:  add_lanes a4, t4, t5
    vsetivli x0, 16, e8, m1, ta, ma
    vse8.v v28, (a1)
    ret
function_end \name
.endm

hash zvk_hash, 0
hash zvk_hash_reversed, 1

/*
 * void zvk_text_seal(const struct gcm_table *table, uint8_t *ct, const uint8_t *pt, size_t len,
 *                    uint8_t y[16], const uint8_t counter[16])
 * void zvk_text_open(... uint8_t *pt, const uint8_t *ct ...)
 *
 * `len` is of whole blocks, one or more. `sum` is as in full_batches.
 *
 *   a0 table, then the factors   a1 dst   a2 src   a3 bytes left   a4 y   a5 counter, then blocks
 *   t4 rounds less 12   t5, t6 scratch
 */
.macro text name, sum
function_begin \name
    load_shape a0
    load_keys_and_counters 0x88, a5
    vmv.v.i v28, 0
    vsetivli x0, 16, e8, m1, tu, ma
    vle8.v v28, (a4)
    srli a5, a3, 4
    vsetvli x0, t1, e32, m4, ta, mu
    vrev8.v v20, v20
    vadd.vv v20, v20, v16, v0.t
    bltu a3, t2, 3f
    full_batches \sum

3:  beqz a3, 4f
    srli t6, a3, 2 /* words */
    vsetvli x0, t6, e32, m4, ta, ma
    vrev8.v v16, v20
    encrypt_v16 t4
    vsetvli x0, a3, e8, m4, ta, ma
    vle8.v v24, (a2)
    vxor.vv \sum, v24, v16
    vse8.v \sum, (a1)
    factors t5, a3
    vsetvli x0, t6, e32, m4, tu, ma
    vle32.v v16, (t5)
    vghsh.vv v28, v16, v24
4:  add_lanes a5, t5, t6
    vsetivli x0, 16, e8, m1, ta, ma
    vse8.v v28, (a4)
    ret
function_end \name
.endm

text zvk_text_seal, v24
text zvk_text_open, v16

/*
 * void zvk_counter_le(const struct gcm_table *table, uint8_t *dst, const uint8_t *src, size_t len,
 *                     const uint8_t counter[16])
 *
 * Here a lane is the counter block as it is, whose first word counts. Any length.
 *
 *   a0 table   a1 dst   a2 src   a3 bytes left   a4 counter   t4 rounds less 12
 *   t5 bytes of this batch   t6 their words
 */
function_begin zvk_counter_le
    load_shape a0
    load_keys_and_counters 0x11, a4
    vadd.vv v20, v20, v16, v0.t
    beqz a3, 3f
1:  mv t5, a3
    bleu t5, t2, 2f
    mv t5, t2
2:  addi t6, t5, 15
    srli t6, t6, 4
    slli t6, t6, 2
    vsetvli x0, t6, e32, m4, ta, ma
    vmv.v.v v16, v20
    encrypt_v16 t4
    vsetvli x0, t1, e32, m4, ta, mu
    vadd.vx v20, v20, t0, v0.t
    vsetvli x0, t5, e8, m4, ta, ma
    vle8.v v24, (a2)
    vxor.vv v16, v16, v24
    vse8.v v16, (a1)
    add a2, a2, t5
    add a1, a1, t5
    sub a3, a3, t5
    bnez a3, 1b
3:  ret
function_end zvk_counter_le

/*
 * void zvk_encrypt(const struct gcm_table *table, uint8_t *dst, const uint8_t *src, size_t len)
 *
 * Whole blocks, 0 included. Registers as above.
 */
function_begin zvk_encrypt
    load_shape a0
    lw t4, ZVK_ROUNDS(a0)
    vsetivli x0, 4, e32, m1, ta, ma
    each_round_key vle32.v, a0, t4, t5
    beqz a3, 3f
1:  mv t5, a3
    bleu t5, t2, 2f
    mv t5, t2
2:  srli t6, t5, 2
    vsetvli x0, t5, e8, m4, ta, ma
    vle8.v v16, (a2)
    vsetvli x0, t6, e32, m4, ta, ma
    encrypt_v16 t4
    vsetvli x0, t5, e8, m4, ta, ma
    vse8.v v16, (a1)
    add a2, a2, t5
    add a1, a1, t5
    sub a3, a3, t5
    bnez a3, 1b
3:  ret
function_end zvk_encrypt

    .section .note.GNU-stack, "", @progbits
