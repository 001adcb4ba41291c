/* SPDX-License-Identifier: MIT */
/*
 * AAPCS64: X19 to X28, the frame pointer X29, D8 to D15 (the lower halves of V8 to V15) and SP are
 * the callee's to keep, and FPCR, which holds the rounding mode.
 *
 * control: 0 FPCR
 */
#define KEPT 432
#define CONTROL 752
#define REGISTERS 816

        .arch armv8-a
        .text

.macro GLOBAL_ADDRESS register, name
        adrp \register, \name
        add \register, \register, :lo12:\name
.endm

        .globl abi_trampoline
        .type abi_trampoline, %function
        .balign 4
abi_trampoline:
        stp x29, x30, [sp, #-176]!
        stp x19, x20, [sp, #16]
        stp x21, x22, [sp, #32]
        stp x23, x24, [sp, #48]
        stp x25, x26, [sp, #64]
        stp x27, x28, [sp, #80]
        stp d8, d9, [sp, #96]
        stp d10, d11, [sp, #112]
        stp d12, d13, [sp, #128]
        stp d14, d15, [sp, #144]
        mrs x9, fpcr
        str x9, [sp, #160]
        mov x16, x0
        GLOBAL_ADDRESS x9, current
        str x16, [x9]
        mov x10, sp
        str x10, [x9, #8]

        /* All ones in every vector register, then what is to be kept in the lower halves. */
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movi v\n\().16b, #255
        .endr
        .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        movi v\n\().16b, #255
        .endr
        add x11, x16, #(112 + 88)
        ldp x12, x13, [x11]
        mov v8.d[0], x12
        mov v9.d[0], x13
        ldp x12, x13, [x11, #16]
        mov v10.d[0], x12
        mov v11.d[0], x13
        ldp x12, x13, [x11, #32]
        mov v12.d[0], x12
        mov v13.d[0], x13
        ldp x12, x13, [x11, #48]
        mov v14.d[0], x12
        mov v15.d[0], x13
        mov x12, #0xc00000 /* rounding towards zero */
        msr fpcr, x12

        ldr x10, [x16, #88]
        ldp x12, x13, [x16, #72]
        sub x10, x10, #16
        stp x12, x13, [x10]
        str x10, [x9, #16]
        mov sp, x10
        ldp x19, x20, [x16, #112]
        ldp x21, x22, [x16, #128]
        ldp x23, x24, [x16, #144]
        ldp x25, x26, [x16, #160]
        ldp x27, x28, [x16, #176]
        ldr x29, [x16, #192]
        ldp x0, x1, [x16, #8]
        ldp x2, x3, [x16, #24]
        ldp x4, x5, [x16, #40]
        ldp x6, x7, [x16, #56]
        ldr x16, [x16]
        blr x16

        GLOBAL_ADDRESS x9, current
        ldr x16, [x9]
        str x0, [x16, #96]
        add x11, x16, #KEPT
        stp x19, x20, [x11]
        stp x21, x22, [x11, #16]
        stp x23, x24, [x11, #32]
        stp x25, x26, [x11, #48]
        stp x27, x28, [x11, #64]
        str x29, [x11, #80]
        stp d8, d9, [x11, #88]
        stp d10, d11, [x11, #104]
        stp d12, d13, [x11, #120]
        stp d14, d15, [x11, #136]
        mov x10, sp
        ldr x12, [x9, #16]
        sub x10, x10, x12
        str x10, [x11, #152]
        ldr x10, [x9, #8]
        mov sp, x10
        mrs x10, fpcr
        str x10, [x16, #CONTROL]
        add x11, x16, #REGISTERS
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        str q\n, [x11, #(64 * \n)]
        .endr
        .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        str q\n, [x11, #(64 * \n)]
        .endr

        ldr x9, [sp, #160]
        msr fpcr, x9
        ldp d14, d15, [sp, #144]
        ldp d12, d13, [sp, #128]
        ldp d10, d11, [sp, #112]
        ldp d8, d9, [sp, #96]
        ldp x27, x28, [sp, #80]
        ldp x25, x26, [sp, #64]
        ldp x23, x24, [sp, #48]
        ldp x21, x22, [sp, #32]
        ldp x19, x20, [sp, #16]
        ldp x29, x30, [sp], #176
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
        .quad 9b, 8b
.endm

        .section .data.rel.ro, "aw"
        .balign 8
        .globl abi_offenders
        .type abi_offenders, %object
abi_offenders:
        .irp n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
        OFFENDER "x\n", mvn x\n, x\n
        .endr
        .irp n, 8, 9, 10, 11, 12, 13, 14, 15
        OFFENDER "d\n", movi v\n\().16b, #0
        .endr
        OFFENDER "stack pointer", add sp, sp, #16
        OFFENDER "FPCR", msr fpcr, xzr
        OFFENDER "above the arguments", str xzr, [sp, #16]
        OFFENDER "above the arguments", strb wzr, [sp, #271]
        .section .data.rel.ro, "aw"
        .quad 0, 0
        .size abi_offenders, . - abi_offenders

        .bss
        .balign 8
current: /* the call; our own stack pointer; that of the called function */
        .skip 24

        .section .note.GNU-stack, "", %progbits
