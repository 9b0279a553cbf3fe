/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__aarch64__) && !defined(CPU_FIBER_UCONTEXT)
    .text

/* The frame of a fiber that does not run, which cpu_fiber_prepare imitates: x19 to x30, d8 to d15. */
    .macro push_registers
    sub     sp, sp, #160
    .cfi_adjust_cfa_offset 160
    stp     x19, x20, [sp]
    stp     x21, x22, [sp, #16]
    stp     x23, x24, [sp, #32]
    stp     x25, x26, [sp, #48]
    stp     x27, x28, [sp, #64]
    stp     x29, x30, [sp, #80]
    .cfi_rel_offset x29, 80
    .cfi_rel_offset x30, 88
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    .endm
    .macro pop_registers
    ldp     x19, x20, [sp]
    ldp     x21, x22, [sp, #16]
    ldp     x23, x24, [sp, #32]
    ldp     x25, x26, [sp, #48]
    ldp     x27, x28, [sp, #64]
    ldp     x29, x30, [sp, #80]
    ldp     d8, d9, [sp, #96]
    ldp     d10, d11, [sp, #112]
    ldp     d12, d13, [sp, #128]
    ldp     d14, d15, [sp, #144]
    add     sp, sp, #160
    .cfi_adjust_cfa_offset -160
    .cfi_restore x29
    .cfi_restore x30
    .endm

/* void cpu_fiber_swap(cpu_fiber_context *from, cpu_fiber_context *to, uint32_t value) */
    .globl  cpu_fiber_swap
    .hidden cpu_fiber_swap
    .type   cpu_fiber_swap, %function
    .balign 16
cpu_fiber_swap:
    .cfi_startproc
    push_registers
    mov     x9, sp
    str     x9, [x0]
    ldr     x9, [x1]
    mov     sp, x9
    mov     w0, w2
    pop_registers
    ret
    .cfi_endproc
    .size   cpu_fiber_swap, . - cpu_fiber_swap

/* uint32_t cpu_fiber_sync(const void *fiber, uint32_t mode, uint32_t predicate) */
    .globl  cpu_fiber_sync
    .hidden cpu_fiber_sync
    .type   cpu_fiber_sync, %function
    .balign 16
cpu_fiber_sync:
    .cfi_startproc
    push_registers
    mov     x3, sp
    bl      cpu_fiber_arrive
    ldr     x10, [sp, #88]
    mov     sp, x0
    pop_registers
    mov     w0, w1
    cmp     x10, x30
    b.ne    1f
    ret
1:  br      x30
    .cfi_endproc
    .size   cpu_fiber_sync, . - cpu_fiber_sync

/* Where a new fiber's first switch returns to: x19 is its entry, x20 the entry's argument. Backtraces end here. */
    .globl  cpu_fiber_enter
    .hidden cpu_fiber_enter
    .type   cpu_fiber_enter, %function
    .balign 16
cpu_fiber_enter:
    .cfi_startproc
    .cfi_undefined x30
    mov     x0, x20
    blr     x19
    brk     #0
    .cfi_endproc
    .size   cpu_fiber_enter, . - cpu_fiber_enter
#endif
    .section .note.GNU-stack, "", %progbits
