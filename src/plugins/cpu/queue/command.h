/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of non-blocking queues, as they lie in the ring. */
#ifndef ACCEL_CPU_COMMAND_H
#define ACCEL_CPU_COMMAND_H

#include "plugins/cpu/queue/event.h"
#include "plugins/cpu/queue/queue.h"

enum {
    CPU_COMMAND_LAUNCH = CPU_RING_JUMP + 1,
    CPU_COMMAND_WATCHED,
    CPU_COMMAND_COPY,
    CPU_COMMAND_FILL,
    CPU_COMMAND_CALL,
    CPU_COMMAND_SIGNAL,
    CPU_COMMAND_WAIT,
    CPU_COMMAND_FREE
};

/* Kept short, because every line of it is moved from one core's cache to another's. Behind the struct stand the numbers of
 * blocks, threads and elements, `dims` of each, then the arguments at a multiple of their alignment. */
typedef struct cpu_command_launch {
    cpu_record record;              /* more: dims */
    const accel_descriptor *kernel; /* never unloaded */
    size_t shared_bytes;
    size_t extents[];
} cpu_command_launch;

static inline void *cpu_command_args(cpu_command_launch *launch)
{
    const uintptr_t align = launch->kernel->args_align;
    const uintptr_t behind = (uintptr_t)(launch->extents + 3 * (size_t)launch->record.more);
    return (void *)((behind + align - 1) & ~(align - 1));
}

/* A launch that somebody watches: it stands behind the data. */
typedef struct cpu_command_watched {
    cpu_record record; /* more: how many bytes of data there are, a multiple of 8 */
    const accel_operation_watch *watch;
    unsigned char data[];
} cpu_command_watched;

typedef struct cpu_command_copy {
    cpu_record record;
    accel_copy_params params;
} cpu_command_copy;

typedef struct cpu_command_fill {
    cpu_record record;
    accel_fill_params params;
    unsigned char pattern[]; /* params.pattern_size */
} cpu_command_fill;

typedef struct cpu_command_call {
    cpu_record record;
    accel_host_fn function;
    void *user;
} cpu_command_call;

/* Reaches a value of the queue's timeline, for an event. */
typedef struct cpu_command_signal {
    cpu_record record;
    accel_impl_event *event; /* retained; NULL: it does not want the time */
    uint64_t value;
} cpu_command_signal;

typedef struct cpu_command_wait {
    cpu_record record;
    accel_timeline *timeline; /* retained; `other` keeps its own */
    uint64_t value;
    /* Of an event of the same device: the queue, retained, and the command that reaches the value. Else NULL. */
    accel_impl_queue *other;
    uint64_t ticket;
} cpu_command_wait;

typedef struct cpu_command_free {
    cpu_record record;
    accel_impl_memory *memory;
} cpu_command_free;

/* Under the queue's `run` lock: executes one command, or skips it if the queue has failed. Any kind but a wait, which is the
 * scheduler's. */
void cpu_command_execute(accel_impl_queue *, cpu_record *);

#endif
