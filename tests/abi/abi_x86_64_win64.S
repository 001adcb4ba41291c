/* SPDX-License-Identifier: MIT */
/*
 * Microsoft's calling convention for x86-64: RBX, RBP, RDI, RSI, R12 to R15, XMM6 to XMM15 and RSP
 * are the callee's to keep. Arguments five and on lie above 32 bytes that belong to the callee.
 *
 * control: 0 RFLAGS, 1 MXCSR, 2 x87 control word, 3 x87 tag word, 4 XINUSE
 */
#define KEPT 432
#define CONTROL 752
#define REGISTERS 816
#define N_0_15 n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define N_16_31 n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define N_6_15 n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

        .text

        .globl abi_trampoline
abi_trampoline:
        pushq %rbx
        pushq %rbp
        pushq %rdi
        pushq %rsi
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        subq $200, %rsp
        .irp N_6_15
        movups %xmm\n, 32 + 16 * (\n - 6)(%rsp)
        .endr
        stmxcsr 0(%rsp)
        fnstcw 4(%rsp)
        movq %rcx, current(%rip)
        movq %rsp, own_stack(%rip)
        movq %rcx, %rax

        movl 104(%rax), %ecx
        testl $1, %ecx /* ABI_AVX */
        jz 2f
        vzeroall
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
2:
        .irp N_6_15
        movups 112 + 64 + 16 * (\n - 6)(%rax), %xmm\n
        .endr
        ldmxcsr odd_mxcsr(%rip)
        fldcw odd_cw(%rip)

        movq 88(%rax), %rsp
        pushq 80(%rax)
        pushq 72(%rax)
        pushq 64(%rax)
        pushq 56(%rax)
        pushq 48(%rax)
        pushq 40(%rax)
        subq $32, %rsp
        movq %rsp, called_stack(%rip)
        movq 8(%rax), %rcx
        movq 16(%rax), %rdx
        movq 24(%rax), %r8
        movq 32(%rax), %r9
        movq 112(%rax), %rbx
        movq 120(%rax), %rbp
        movq 128(%rax), %rdi
        movq 136(%rax), %rsi
        movq 144(%rax), %r12
        movq 152(%rax), %r13
        movq 160(%rax), %r14
        movq 168(%rax), %r15
        movq 0(%rax), %rax
        call *%rax

        movq current(%rip), %r11
        movq %rax, 96(%r11)
        movq %rbx, KEPT + 0(%r11)
        movq %rbp, KEPT + 8(%r11)
        movq %rdi, KEPT + 16(%r11)
        movq %rsi, KEPT + 24(%r11)
        movq %r12, KEPT + 32(%r11)
        movq %r13, KEPT + 40(%r11)
        movq %r14, KEPT + 48(%r11)
        movq %r15, KEPT + 56(%r11)
        .irp N_6_15
        movups %xmm\n, KEPT + 64 + 16 * (\n - 6)(%r11)
        .endr
        movq %rsp, %rax
        subq called_stack(%rip), %rax
        movq %rax, KEPT + 224(%r11)
        movq own_stack(%rip), %rsp
        pushfq
        popq CONTROL + 0(%r11)
        cld
        stmxcsr 8(%rsp)
        movl 8(%rsp), %eax
        movq %rax, CONTROL + 8(%r11)
        fnstenv 0(%rsp)
        movzwl 0(%rsp), %eax
        movq %rax, CONTROL + 16(%r11)
        movzwl 8(%rsp), %eax
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
        fldcw default_cw(%rip)
        ldmxcsr default_mxcsr(%rip)
        .irp N_6_15
        movups 32 + 16 * (\n - 6)(%rsp), %xmm\n
        .endr
        addq $200, %rsp
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %rsi
        popq %rdi
        popq %rbp
        popq %rbx
        ret

/* ---- Functions that break the rules ---- */

.macro OFFENDER complaint:req, body:vararg
        .text
9:
        \body
        ret
        .section .rdata, "dr"
8:
        .asciz "\complaint"
        .data
        .quad 9b, 8b
.endm

        .data
        .balign 8
        .globl abi_offenders
abi_offenders:
        OFFENDER "rbx", notq %rbx
        OFFENDER "rbp", notq %rbp
        OFFENDER "rdi", notq %rdi
        OFFENDER "rsi", notq %rsi
        OFFENDER "r12", notq %r12
        OFFENDER "r13", notq %r13
        OFFENDER "r14", notq %r14
        OFFENDER "r15", incq %r15
        .irp N_6_15
        OFFENDER "xmm\n", pxor %xmm\n, %xmm\n
        .endr
        OFFENDER "stack pointer", ret $8
        OFFENDER "direction flag", std
        OFFENDER "MXCSR", ldmxcsr default_mxcsr(%rip)
        OFFENDER "x87 control word", fninit
        OFFENDER "x87 stack", pxor %mm0, %mm0
        OFFENDER "above the arguments", movb $1, 88(%rsp)
        OFFENDER "above the arguments", movb $1, 343(%rsp)
        OFFENDER "upper halves", vcmptrueps %ymm3, %ymm3, %ymm3
        OFFENDER "upper halves", vinsertf128 $1, %xmm6, %ymm6, %ymm6
        .data
        .quad 0, 0

        .section .rdata, "dr"
        .balign 4
odd_mxcsr:
        .long 0xdf80
default_mxcsr:
        .long 0x1f80
odd_cw:
        .word 0x077f
default_cw:
        .word 0x037f

        .bss
        .balign 8
current:
        .quad 0
own_stack:
        .quad 0
called_stack:
        .quad 0
