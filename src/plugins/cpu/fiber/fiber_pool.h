/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fibers of one scratch: a slab of stacks, and the block that they are running. Fibers are made when a thread
 * blocks at a barrier and others have not started yet, and kept for the next block. Used by one thread at a time, on
 * which a launch's fibers stay (semantics T2).
 */
#ifndef ACCEL_CPU_FIBER_POOL_H
#define ACCEL_CPU_FIBER_POOL_H

#include "plugins/cpu/fiber/fiber.h"
#include "plugins/cpu/fiber/fiber_tools.h"
#include "plugins/cpu/dispatch/launch.h"
#include "plugins/cpu/fault/zone.h"

typedef struct cpu_fiber_pool cpu_fiber_pool;

typedef struct cpu_fiber {
    accel_thread_context thread; /* first: what the kernel is given and hands back to the barrier */
    cpu_fiber_pool *pool;
    struct cpu_fiber *next; /* in the one list that it is in while it does not run */
    cpu_fiber_context context;
    unsigned char *stack; /* its lowest byte; NULL: the thread's own */
    cpu_fiber_marks marks;
} cpu_fiber;

/* First in, first out. */
typedef struct cpu_fiber_list {
    cpu_fiber *first, *last;
} cpu_fiber_list;

/* Members that few touch stand at the end: 8 bytes more before those of each barrier make it an eighth slower (5.2 to 5.8 ns). */
struct cpu_fiber_pool {
    unsigned char *slab; /* ACCEL_MAX_BLOCK_THREADS stacks, one every `stride` bytes, behind a guard each; memory only
                            where touched */
    size_t stack_size, stride;
    bool check, tools;
    bool faulted;    /* a stack overflowed, or an assertion failed: nothing here may run again */
    uint32_t made;   /* fibers, and stacks in use */
    cpu_fiber *idle; /* wait for a thread to run; last in, first out */
    cpu_fiber own;   /* the calling thread, while fibers run */

    /* The launch. */
    const cpu_launch *launch;
    const accel_launch_context *context;
    size_t block, blocks_left; /* linear index of the block that runs; those after it */
    size_t block_index[3];

    /* Its block. live counts threads that have not returned, started or not; all of them meet at a barrier. */
    uint32_t threads, started, live, arrived;
    uint32_t thread_index[3]; /* of the thread to be started next */
    cpu_fiber_list waiting;   /* at the barrier */
    cpu_fiber_list ready;     /* released, not yet resumed */
    uint32_t mode, votes;     /* of the barrier that is gathering */
    uint32_t result;          /* of the last one; read by each thread before it can come to the next */

    cpu_fiber fibers[ACCEL_MAX_BLOCK_THREADS];

    /* Of an observer that parks fibers: all that are left are parked or wait at the barrier; it wakes at least one. NULL: none
     * is ever parked. */
    void (*stuck)(cpu_fiber_pool *);

    /* The fiber whose stack did, its stack pointer, and the instruction; NULL, 0, 0: none, or seen later. */
    cpu_fiber *overflow;
    uintptr_t overflow_stack, overflow_instruction;

    size_t page, guard_size; /* of the system; below each stack */
    cpu_zone *zone;          /* the slab */
};

/* NULL if memory is short. */
cpu_fiber_pool *cpu_fiber_pool_create(const cpu_settings *);
/* NULL is allowed. */
void cpu_fiber_pool_destroy(cpu_fiber_pool *);
/* A new fiber; there are never more than threads of a block. */
cpu_fiber *cpu_fiber_pool_add(cpu_fiber_pool *, void (*entry)(void *fiber));
/* Check mode: has this fiber's stack overflowed? `whole`: or did it at any time? */
bool cpu_fiber_overflowed(const cpu_fiber *, bool whole);
/* Of an address in the slab: is it where no thread may touch anything? */
CPU_EXPORT bool cpu_fiber_pool_guards(const cpu_fiber_pool *, uintptr_t address);
/* Leaves a fiber for the thread that launched, and for good: its stack has overflowed, or an assertion failed. */
CPU_EXPORT void cpu_fiber_abandon(void *fiber) __attribute__((noreturn));

/* Leaves the fiber that runs, on its own stack, until it is woken. The pool has `stuck`. */
CPU_EXPORT void cpu_fiber_park(void *fiber);
/* A parked fiber may go on; not at once. */
CPU_EXPORT void cpu_fiber_wake(void *fiber);

/* In a signal handler: the fiber on whose stack a thread runs; NULL: on none. The pool may be NULL. */
CPU_EXPORT cpu_fiber *cpu_fiber_pool_at(cpu_fiber_pool *, uintptr_t stack);
/* In a signal handler: the thread goes on with cpu_fiber_abandon. */
void cpu_fiber_pool_leave(cpu_fiber *, ucontext_t *registers);

static inline void cpu_fiber_pool_swap(cpu_fiber_pool *pool, cpu_fiber *from, cpu_fiber *to)
{
    if (__builtin_expect(pool->tools, 0))
        cpu_fiber_tools_leave(&from->marks, &to->marks);
    cpu_fiber_swap(&from->context, &to->context, pool->result);
    if (__builtin_expect(pool->tools, 0))
        cpu_fiber_tools_arrive(&from->marks);
}

#endif
