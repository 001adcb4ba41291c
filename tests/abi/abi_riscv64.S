/* SPDX-License-Identifier: MIT */
/*
 * RISC-V, LP64D: S0 to S11, FS0 to FS11 and SP are the callee's to keep, and the rounding mode; of
 * the vector state VSTART must be 0 on return, and VTYPE one that the processor has.
 *
 * control: 0 FRM, 1 VSTART, 2 VTYPE
 */
#define KEPT 432
#define CONTROL 752
#define REGISTERS 816

        .text

        .globl abi_trampoline
        .type abi_trampoline, @function
        .balign 4
abi_trampoline:
        addi sp, sp, -224
        sd ra, 0(sp)
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        sd s\n, 8 + 8 * \n(sp)
        fsd fs\n, 104 + 8 * \n(sp)
        .endr
        frrm t0
        sd t0, 200(sp)
        mv t6, a0
        la t0, current
        sd t6, 0(t0)
        sd sp, 8(t0)

        ld t1, 104(t6)
        andi t1, t1, 16 /* ABI_RVV */
        beqz t1, 2f
        .option push
        .option arch, +v
        /* All ones in every vector register; the type that stays is an unusual one. */
        vsetvli t1, zero, e8, m8, ta, ma
        vmv.v.i v0, -1
        vmv.v.i v8, -1
        vmv.v.i v16, -1
        vmv.v.i v24, -1
        vsetivli zero, 1, e16, mf2, tu, mu
        .option pop
2:
        li t1, 1 /* rounding towards zero */
        fsrm t1

        ld t2, 88(t6)
        ld t3, 72(t6)
        ld t4, 80(t6)
        addi t2, t2, -16
        sd t3, 0(t2)
        sd t4, 8(t2)
        sd t2, 16(t0)
        mv sp, t2
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        ld s\n, 112 + 8 * \n(t6)
        fld fs\n, 208 + 8 * \n(t6)
        .endr
        ld a0, 8(t6)
        ld a1, 16(t6)
        ld a2, 24(t6)
        ld a3, 32(t6)
        ld a4, 40(t6)
        ld a5, 48(t6)
        ld a6, 56(t6)
        ld a7, 64(t6)
        ld t0, 0(t6)
        jalr t0

        la t0, current
        ld t6, 0(t0)
        sd a0, 96(t6)
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        sd s\n, KEPT + 8 * \n(t6)
        fsd fs\n, KEPT + 96 + 8 * \n(t6)
        .endr
        ld t1, 16(t0)
        sub t1, sp, t1
        sd t1, KEPT + 192(t6)
        ld sp, 8(t0)
        frrm t1
        sd t1, CONTROL + 0(t6)
        ld t1, 104(t6)
        andi t1, t1, 16 /* ABI_RVV */
        beqz t1, 2f
        .option push
        .option arch, +v
        csrr t1, vstart
        sd t1, CONTROL + 8(t6)
        csrr t1, vtype
        sd t1, CONTROL + 16(t6)
        csrw vstart, zero
        /* The first 64 bytes of each register, or the whole of a shorter one. */
        .set n, 0
        li t3, REGISTERS
        add t3, t3, t6
        li t4, 64
        vsetvli t5, t4, e8, m1, ta, ma
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vse8.v v\n, (t3)
        addi t3, t3, 64
        .endr
        .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        vse8.v v\n, (t3)
        addi t3, t3, 64
        .endr
        .option pop
2:
        ld t0, 200(sp)
        fsrm t0
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        ld s\n, 8 + 8 * \n(sp)
        fld fs\n, 104 + 8 * \n(sp)
        .endr
        ld ra, 0(sp)
        addi sp, sp, 224
        ret
        .size abi_trampoline, . - abi_trampoline

/* ---- Functions that break the rules ---- */

.macro OFFENDER complaint:req, body:vararg
        .text
        .balign 4
9:
        \body
        ret
        .section .rodata
8:
        .asciz "\complaint"
        .section .data.rel.ro, "aw"
        .dword 9b, 8b
.endm

        .section .data.rel.ro, "aw"
        .balign 8
        .globl abi_offenders
        .type abi_offenders, @object
abi_offenders:
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        OFFENDER "s\n", not s\n, s\n
        OFFENDER "fs\n", fneg.d fs\n, fs\n
        .endr
        OFFENDER "stack pointer", addi sp, sp, 16
        OFFENDER "rounding mode", fsrmi 3
        OFFENDER "above the arguments", sd zero, 16(sp)
        OFFENDER "above the arguments", sb zero, 271(sp)
        .option push
        .option arch, +v
        OFFENDER "vstart", csrwi vstart, 1
        .option pop
        .text
        .balign 4
7:
        .option push
        .option arch, +v
        li t0, -1
        vsetvl zero, zero, t0
        .option pop
        ret
        .section .rodata
8:
        .asciz "vtype"
        .section .data.rel.ro, "aw"
        .dword 7b, 8b
        .dword 0, 0
        .size abi_offenders, . - abi_offenders

        .bss
        .balign 8
current: /* the call; our own stack pointer; that of the called function */
        .skip 24

        .section .note.GNU-stack, "", @progbits
