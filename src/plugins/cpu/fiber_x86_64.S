/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__x86_64__) && !defined(CPU_FIBER_UCONTEXT)
    .text

/* void cpu_fiber_switch(void **from, void *to) */
    .globl  cpu_fiber_switch
    .hidden cpu_fiber_switch
    .type   cpu_fiber_switch, @function
    .balign 16
cpu_fiber_switch:
    .cfi_startproc
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
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
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
    ret
    .cfi_endproc
    .size   cpu_fiber_switch, . - cpu_fiber_switch

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
