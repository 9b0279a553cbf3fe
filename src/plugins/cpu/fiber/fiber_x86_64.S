/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__x86_64__) && !defined(CPU_FIBER_UCONTEXT)
    .text

/* The frame of a fiber that does not run, which cpu_fiber_prepare imitates. */
    .macro push_registers
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq   %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq   %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq   %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq   %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq   %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    .endm
    .macro pop_registers
    popq    %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    popq    %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    popq    %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    popq    %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    popq    %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    .endm

/* void cpu_fiber_swap(cpu_fiber_context *from, cpu_fiber_context *to, uint32_t value) */
    .globl  cpu_fiber_swap
    .hidden cpu_fiber_swap
    .type   cpu_fiber_swap, @function
    .balign 16
cpu_fiber_swap:
    .cfi_startproc
    push_registers
    movq    %rsp, (%rdi)
    movq    (%rsi), %rsp
    movl    %edx, %eax
    pop_registers
    ret
    .cfi_endproc
    .size   cpu_fiber_swap, . - cpu_fiber_swap

/* uint32_t cpu_fiber_sync(const void *fiber, uint32_t mode, uint32_t predicate) */
    .globl  cpu_fiber_sync
    .hidden cpu_fiber_sync
    .type   cpu_fiber_sync, @function
    .balign 16
cpu_fiber_sync:
    .cfi_startproc
    push_registers
    movq    %rsp, %rcx
    subq    $8, %rsp
    .cfi_adjust_cfa_offset 8
    callq   cpu_fiber_arrive
    movq    56(%rsp), %rcx
    movq    %rax, %rsp
    .cfi_adjust_cfa_offset -8
    pop_registers
    movl    %edx, %eax
    cmpq    (%rsp), %rcx
    jne     1f
    ret
1:  popq    %rcx
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, rcx
    jmpq    *%rcx
    .cfi_endproc
    .size   cpu_fiber_sync, . - cpu_fiber_sync

/* Where a new fiber's first switch returns to: rbx is its entry, r12 the entry's argument. Backtraces end here. */
    .globl  cpu_fiber_enter
    .hidden cpu_fiber_enter
    .type   cpu_fiber_enter, @function
    .balign 16
cpu_fiber_enter:
    .cfi_startproc
    .cfi_undefined rip
    movq    %r12, %rdi
    callq   *%rbx
    ud2
    .cfi_endproc
    .size   cpu_fiber_enter, . - cpu_fiber_enter
#endif
    .section .note.GNU-stack, "", %progbits
