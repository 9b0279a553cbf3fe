/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/check_table.h - what an object for target `check` tells the backend cpu-check.
 *
 * accelcc links a stub into such an object (check_object.c). It defines the symbols that -fsanitize=thread calls, hidden,
 * and the hooks of check.h, and jumps through a table. Until the backend sets the table, its functions do nothing.
 */
#ifndef ACCEL_KERNEL_CPU_CHECK_TABLE_H
#define ACCEL_KERNEL_CPU_CHECK_TABLE_H

#include <accel/object.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACCEL_CHECK_ABI 12u
#define ACCEL_CHECK_SYMBOL "accel_checked_object"

/*
 * The light version of the kernels (check.h). accelcc puts the prefix before the names of its functions, descriptors and
 * thread-local arrays, which the object therefore has twice; other variables it has once. The byte for the 8 bytes of memory
 * at p is at (p >> 3) + ACCEL_LIGHT_OFFSET: 0 if all of them may be accessed, 1 to 7 if only so many of the first, else more
 * than 127. The addresses are none that AddressSanitizer uses itself in programs, and none where mmap begins.
 */
#define ACCEL_LIGHT_PREFIX "accel_light."
#define ACCEL_LIGHT_OFFSET 0x160000000000

/* Of an access. */
#define ACCEL_CHECK_WRITE 1u
#define ACCEL_CHECK_ATOMIC 2u
#define ACCEL_CHECK_ALIGNED 4u /* the compiler expects a multiple of the size, a power of two, as the address */

/* Arithmetic that fails. */
#define ACCEL_CHECK_DIVISION 1u   /* by zero, or of the least integer by -1 */
#define ACCEL_CHECK_OVERFLOW 2u   /* of a signed integer */
#define ACCEL_CHECK_CONVERSION 3u /* of a floating-point number to an integer that cannot have its value */

/* Kinds of loops: equal bounds of one kind give an index to the same thread (semantics B5). */
#define ACCEL_CHECK_EACH 1u
#define ACCEL_CHECK_ROW 2u
#define ACCEL_CHECK_TILES 3u /* n0 tiles of n2 elements; n1: what else tells them from others */

/* What a thread asks of its warp. */
#define ACCEL_CHECK_WARP_SIZE 1u
#define ACCEL_CHECK_WARP_LANE 2u
#define ACCEL_CHECK_WARP_BALLOT 3u
#define ACCEL_CHECK_WARP_SOME 4u /* accel_warp_any */
#define ACCEL_CHECK_WARP_ALL 5u
#define ACCEL_CHECK_WARP_SHUFFLE 6u
#define ACCEL_CHECK_WARP_UP 7u
#define ACCEL_CHECK_WARP_DOWN 8u
#define ACCEL_CHECK_WARP_XOR 9u

/* Who takes part: the lanes that come together, the whole warp, or those of a mask. */
#define ACCEL_CHECK_WARP_ANY 1u
#define ACCEL_CHECK_WARP_FULL 2u
#define ACCEL_CHECK_WARP_MASKED 3u

typedef struct accel_check_warp {
    uint32_t what, form; /* ACCEL_CHECK_WARP_* */
    uint32_t line;       /* of the source: two calls of one line are one */
    uint64_t mask;       /* of MASKED */
    uint64_t value;      /* the predicate, or the value's bits */
    uint64_t other;      /* the lane, the distance, or the mask of XOR */
} accel_check_warp;

/* The table that the backend sets. `place` is the address behind the call in the kernel's code. Called on the thread that
 * runs the kernel, of one launch at a time. */
typedef struct accel_check_hooks {
    uint32_t abi;         /* ACCEL_CHECK_ABI */
    uint32_t struct_size; /* sizeof(accel_check_hooks) */
    /* The kernel reads, or writes. */
    void (*access)(const volatile void *p, size_t size, uint32_t how, const void *place);
    /* The same of a value of 4 or 8 bytes, with ACCEL_CHECK_ALIGNED. */
    void (*read4)(const volatile void *p, const void *place);
    void (*read8)(const volatile void *p, const void *place);
    void (*write4)(const volatile void *p, const void *place);
    void (*write8)(const volatile void *p, const void *place);
    /* Of an atomic operation that writes: with ACCEL_CHECK_WRITE and _ATOMIC, too. */
    void (*update4)(const volatile void *p, const void *place);
    void (*update8)(const volatile void *p, const void *place);
    /* A block of a kernel of this form begins. */
    void (*block)(const accel_launch_context *launch, size_t block, size_t threads, uint32_t form, const void *place);
    /* A thread kernel's thread begins, comes to a barrier, or has passed it. */
    void (*thread)(const accel_thread_context *thread, const void *place);
    void (*arrive)(const accel_thread_context *thread, const void *place);
    void (*pass)(const accel_thread_context *thread);
    /* Of a kernel without barriers: its block goes on with thread t, or ends. Returns whether it goes on. */
    int (*part)(int more, size_t t);
    /* A block kernel's region goes on with thread t, or ends; `sync`: with a barrier. Returns whether it goes on. */
    int (*region)(int more, size_t t, int sync);
    /* A loop over elements begins (all its bounds), goes on, or ends. `each` returns what it is given. */
    void (*loop)(const accel_launch_context *launch, size_t n0, size_t n1, size_t n2, uint32_t kind, const void *place);
    int (*each)(int more);
    /* A collective operation of a block kernel begins or ends: one thread works between two barriers. */
    void (*collective)(int begin, const void *place);
    /* An object is locked; size 0: no more. */
    void (*lock)(const void *p, size_t size);
    /* Atomics of the block begin or end. */
    void (*scope)(int block);
    /* The array of a block kernel's private values: `each` bytes for a thread, `size` in all. */
    void (*private_values)(const void *values, size_t each, size_t size);
    /* For the threads of the device, or for those of the block alone. */
    void (*fence)(int device);
    /* What follows is libaccel's own, and no part of the kernel. */
    void (*trust)(int begin);
    /* The thread of n that comes as number k. Of k >= n it is k. */
    size_t (*order)(size_t k, size_t n);
    /* The row of threads of n that comes as number k: `order` follows, for its threads. And the first of n threads, in their
     * usual order. */
    size_t (*row)(size_t k, size_t n);
    size_t (*along)(size_t n);
    /* Of a loop over n elements: which one comes first (0), and how far behind each the next one is, modulo n (1). */
    size_t (*walk)(size_t what, size_t n);
    /* Calls the region's function with this: once, or once for each thread of the block. Between two calls of `outer`. */
    void (*run)(void (*region)(void *), void *data, const void *place);
    /* A region begins here. What lies above this address of the stack, up to the block's, are variables of the block; NULL: no
     * region runs. Returns what it was before. place is NULL where a region ends. */
    const void *(*outer)(const void *frame, const void *place);
    /* Arithmetic fails; `fatal`: going on would end the process. */
    void (*trap)(uint32_t what, int fatal, const void *place);
    /* Returns what the thread has asked for. */
    uint64_t (*warp)(const accel_check_warp *operation, const void *place);
    /* Of the light version. It is about to access what it may not. */
    void (*stray)(const volatile void *p, size_t size, uint32_t how, const void *place);
    /* No access to these bytes of its stack from now on, or again any. */
    void (*poison)(const void *begin, size_t size, int poisoned);
    /* It leaves all functions whose frames lie above this address. */
    void (*leave)(const void *frame);
} accel_check_hooks;

/* Exported as data under ACCEL_CHECK_SYMBOL. */
typedef struct accel_check_object {
    uint32_t abi;            /* ACCEL_CHECK_ABI */
    uint32_t struct_size;    /* sizeof(accel_check_object) */
    accel_check_hooks hooks; /* of functions that do nothing; the backend sets its own before a kernel runs */
} accel_check_object;

#ifdef __cplusplus
}
#endif

#endif
