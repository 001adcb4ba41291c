/* SPDX-License-Identifier: MIT */
/*
 * System V ABI for x86-64: RBX, RBP, R12 to R15 and RSP are the callee's to keep; the direction flag
 * is clear, the control bits of MXCSR and the x87 control word are kept, the x87 stack is empty.
 *
 * control: 0 RFLAGS, 1 MXCSR, 2 x87 control word, 3 x87 tag word, 4 XINUSE
 */
#define KEPT 432
#define CONTROL 752
#define REGISTERS 816
#define N_0_15 n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define N_16_31 n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31

        .text

        .globl abi_trampoline
        .type abi_trampoline, @function
abi_trampoline:
        pushq %rbx
        pushq %rbp
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        subq $56, %rsp
        stmxcsr 0(%rsp)
        fnstcw 4(%rsp)
        movq %rdi, current(%rip)
        movq %rsp, own_stack(%rip)
        movq %rdi, %rax

        movl 104(%rax), %ecx
        testl $1, %ecx /* ABI_AVX */
        jz 2f
        vzeroall /* zero, so that nothing of an earlier call is taken for this one's */
        testl $4, %ecx /* ABI_DIRTY */
        jz 2f
        .irp N_0_15
        vcmptrueps %ymm\n, %ymm\n, %ymm\n
        .endr
        testl $2, %ecx /* ABI_AVX512 */
        jz 2f
        .irp N_0_15
        vpternlogd $255, %zmm\n, %zmm\n, %zmm\n
        .endr
        .irp N_16_31
        vpternlogd $255, %zmm\n, %zmm\n, %zmm\n
        .endr
        kxnorw %k1, %k1, %k1
        kxnorw %k7, %k7, %k7
2:
        /* Rounding up, flushing to zero, all exceptions masked; and x87 rounding down. */
        ldmxcsr odd_mxcsr(%rip)
        fldcw odd_cw(%rip)

        movq 88(%rax), %rsp
        pushq 80(%rax)
        pushq 72(%rax)
        pushq 64(%rax)
        pushq 56(%rax)
        movq %rsp, called_stack(%rip)
        movq 8(%rax), %rdi
        movq 16(%rax), %rsi
        movq 24(%rax), %rdx
        movq 32(%rax), %rcx
        movq 40(%rax), %r8
        movq 48(%rax), %r9
        movq 112(%rax), %rbx
        movq 120(%rax), %rbp
        movq 128(%rax), %r12
        movq 136(%rax), %r13
        movq 144(%rax), %r14
        movq 152(%rax), %r15
        movq 0(%rax), %rax
        call *%rax

        movq current(%rip), %r11
        movq %rax, 96(%r11)
        movq %rbx, KEPT + 0(%r11)
        movq %rbp, KEPT + 8(%r11)
        movq %r12, KEPT + 16(%r11)
        movq %r13, KEPT + 24(%r11)
        movq %r14, KEPT + 32(%r11)
        movq %r15, KEPT + 40(%r11)
        movq %rsp, %rax
        subq called_stack(%rip), %rax
        movq %rax, KEPT + 48(%r11)
        movq own_stack(%rip), %rsp
        pushfq
        popq CONTROL + 0(%r11)
        cld
        stmxcsr 8(%rsp)
        movl 8(%rsp), %eax
        movq %rax, CONTROL + 8(%r11)
        fnstenv 16(%rsp)
        movzwl 16(%rsp), %eax
        movq %rax, CONTROL + 16(%r11)
        movzwl 24(%rsp), %eax
        movq %rax, CONTROL + 24(%r11)
        movl 104(%r11), %r10d
        testl $8, %r10d /* ABI_XINUSE */
        jz 2f
        movl $1, %ecx
        xgetbv
        movq %rax, CONTROL + 32(%r11)
2:
        testl $1, %r10d
        jnz 3f
        .irp N_0_15
        movups %xmm\n, REGISTERS + 64 * \n(%r11)
        .endr
        jmp 5f
3:
        testl $2, %r10d
        jnz 4f
        .irp N_0_15
        vmovups %ymm\n, REGISTERS + 64 * \n(%r11)
        .endr
        vzeroupper
        jmp 5f
4:
        .irp N_0_15
        vmovups %zmm\n, REGISTERS + 64 * \n(%r11)
        .endr
        .irp N_16_31
        vmovups %zmm\n, REGISTERS + 64 * \n(%r11)
        .endr
        vzeroupper
5:
        fninit
        fldcw 4(%rsp)
        ldmxcsr 0(%rsp)
        addq $56, %rsp
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %rbp
        popq %rbx
        ret
        .size abi_trampoline, . - abi_trampoline

/* ---- Functions that break the rules ---- */

.macro OFFENDER complaint:req, body:vararg
        .text
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
        .type abi_offenders, @object
abi_offenders:
        OFFENDER "rbx", notq %rbx
        OFFENDER "rbp", notq %rbp
        OFFENDER "r12", notq %r12
        OFFENDER "r13", notq %r13
        OFFENDER "r14", notq %r14
        OFFENDER "r15", incq %r15
        OFFENDER "stack pointer", ret $8
        OFFENDER "direction flag", std
        OFFENDER "MXCSR", ldmxcsr default_mxcsr(%rip)
        OFFENDER "x87 control word", fninit
        OFFENDER "x87 stack", pxor %mm0, %mm0
        OFFENDER "above the arguments", movb $1, 40(%rsp)
        OFFENDER "above the arguments", movb $1, 295(%rsp)
        OFFENDER "upper halves", vcmptrueps %ymm3, %ymm3, %ymm3
        OFFENDER "upper halves", vcmptrueps %ymm15, %ymm15, %ymm15
        .section .data.rel.ro, "aw"
        .quad 0, 0
        .size abi_offenders, . - abi_offenders

        .section .rodata
        .balign 4
odd_mxcsr:
        .long 0xdf80
default_mxcsr:
        .long 0x1f80
odd_cw:
        .word 0x077f

        .bss
        .balign 8
current:
        .quad 0
own_stack:
        .quad 0
called_stack:
        .quad 0

        .section .note.GNU-stack, "", @progbits
