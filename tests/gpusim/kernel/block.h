/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One OS thread that runs blocks: its fibers, and the block that they are running. Used by that thread alone, except
 * for what signal handlers on it read.
 */
#ifndef GPUSIM_BLOCK_H
#define GPUSIM_BLOCK_H

#include "plugins/cpu/fiber/fiber.h"
#include "image.h"
#include "lane.h"

#include <setjmp.h>
#include <signal.h>

enum {
    GPUSIM_MAX_THREADS = 1024,
    GPUSIM_STACK_BYTES = 65536, /* of a thread */
    GPUSIM_STACK_GUARD = 4096,
    GPUSIM_STACK_STRIDE = GPUSIM_STACK_BYTES + GPUSIM_STACK_GUARD
};

typedef enum lane_state {
    LANE_READY,
    LANE_MEETING, /* waits for its warp */
    LANE_BARRIER, /* waits for the block */
    LANE_ENDED
} lane_state;

/* Why a lane was left. */
typedef enum lane_event {
    LEFT_WAITING, /* or ended */
    LEFT_HELD,    /* it may have taken a lock: others first */
    LEFT_SPINNING /* it does atomic operations on and on: others first, but none of its warp that was held */
} lane_event;

/* A stack. It runs one thread after the other, as long as none of them waits. */
typedef struct gpusim_strand {
    struct gpusim_runner *runner;
    struct gpusim_strand *next; /* of the idle ones */
    cpu_fiber_context context;
    struct gpusim_fiber *lane; /* that it runs, or is to run */
} gpusim_strand;

typedef struct gpusim_fiber {
    gpusim_lane seen;      /* first */
    gpusim_strand *strand; /* NULL: not begun, or ended */
    lane_state state;
    lane_event event;
    uint32_t atomics;
    /* The operation it waits at. */
    const void *site;
    uint32_t operation, from;
    uint64_t mask, value, result;
    int predicate;
} gpusim_fiber;

typedef struct gpusim_warp {
    gpusim_fiber *lanes;
    uint32_t count;
} gpusim_warp;

typedef struct gpusim_runner {
    unsigned char *stacks;
    void *signal_stack;
    uint32_t prepared; /* strands */
    gpusim_strand *idle;
    cpu_fiber_context own;
    gpusim_fiber *current; /* NULL: the thread's own stack is in use */

    /* A trap in a lane ends here. */
    sigjmp_buf escape;
    volatile sig_atomic_t signal;
    void *volatile address;
    const char *volatile misuse;

    /* The grid. */
    const gpusim_launch *launch;
    const void *parameters; /* aligned copy */
    const uint32_t *stop;   /* atomic: another block met a fault */
    unsigned char *shared, *dynamic;

    /* The block. */
    uint32_t threads, live, phase;
    uint32_t taken; /* locks, or what might be */
    uint32_t warps;
    gpusim_warp warp[GPUSIM_MAX_THREADS / 32];
    /* The lane whose turn it is. */
    gpusim_warp *turn;
    uint32_t position;
    bool backwards;
    gpusim_strand strands[GPUSIM_MAX_THREADS];
    gpusim_fiber fibers[GPUSIM_MAX_THREADS];
} gpusim_runner;

extern const gpusim_calls gpusim_lane_calls;

/* The calling thread's runner, made at the first call and gone with the thread; NULL if memory is short. */
gpusim_runner *gpusim_runner_own(void);
/* The runner whose lane the calling thread is in, or NULL. */
gpusim_runner *gpusim_runner_inside(void);
/* The lowest byte of a strand's stack. */
void *gpusim_runner_stack(gpusim_runner *, uint32_t strand);
/* The launch that the next blocks belong to; its parameters are aligned to 64 bytes. A block ends early, as cancelled,
 * when *stop is not 0. */
void gpusim_runner_begin(gpusim_runner *, const gpusim_launch *, const void *parameters, const uint32_t *stop);
/* Runs the block with this linear index. After anything but GPUSIM_GRID_OK the fault is filled in. */
gpusim_grid_status gpusim_block_run(gpusim_runner *, uint64_t block, gpusim_fault *fault);

/* warp.c: the earliest lanes that can go on together are ready again; false if there are none. */
bool gpusim_warp_release(gpusim_warp *);

/* trap.c: handlers for this process, once, and a stack for them for this thread. */
void gpusim_trap_install(gpusim_runner *);
void gpusim_trap_remove(gpusim_runner *);
/* What the signal in the runner means. */
void gpusim_trap_describe(const gpusim_runner *, gpusim_fault *);

#endif
