/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the blocks of a launch are run: the only part in which the CPU backends differ. An executor that needs state of
 * its own embeds this struct.
 */
#ifndef ACCEL_CPU_EXECUTOR_H
#define ACCEL_CPU_EXECUTOR_H

#include "plugins/cpu/dispatch/launch.h"
#include "plugins/cpu/dispatch/observer.h"
#include "plugins/cpu/machine/placement.h"

#include <accel/plugin.h>
#include <stdbool.h>

typedef struct cpu_executor cpu_executor;
struct cpu_executor {
    const char *name; /* of the backend, for messages */
    /* CPUs that one launch uses. */
    uint32_t (*compute_units)(const cpu_executor *);
    /* Runs all blocks of the launch, in any order and on any threads, by cpu_blocks_run on contiguous ranges, and
     * returns when all are done. `scratch` belongs to the queue: only the calling thread uses it, and only during the
     * call. A failure has its text in host->error. */
    accel_status (*run)(const cpu_executor *, const cpu_launch *, cpu_scratch *scratch);
    /* Blocks that keep its threads busy, if each is worth a dispatch. */
    uint32_t (*parts)(const cpu_executor *);

    /* Optional. Finds what the executor needs of the system, each time that a backend opens. If it fails, *state says why the
     * backend cannot be used. */
    accel_status (*open)(const cpu_executor *, uint32_t *state);
    /* Optional. What device properties say of it beside the machine. */
    void (*describe)(const cpu_executor *, accel_device_properties *);

    /* Optional, all three or none. Makes the executor of one device, with threads of its own in that place. Without them
     * one executor serves all. */
    accel_status (*create)(const cpu_executor *, const cpu_placement *, const cpu_settings *, cpu_executor **made);
    /* Nothing runs, and nothing will. Does not wait for threads that end. */
    void (*destroy)(cpu_executor *);
    /* In the child of a fork, once, before anything runs there: its threads do not exist. The placement is its new place; it is
     * only read during the call. NULL: it stays in its old place. */
    void (*after_fork)(cpu_executor *, const cpu_placement *, const cpu_settings *);
    /* Optional. What watches memory, copies and objects of the backend. Then every launch goes to `run`. */
    const cpu_observer *observer;
    bool divisible; /* it can be made on a part of the CPUs: there are sub-devices */
};

/* Threads of a block if the caller does not choose: one where a block's body is a loop over its threads anyway, few where each
 * is a fiber. */
static inline uint32_t cpu_threads_of_block(const accel_descriptor *kernel)
{
    enum { FIBERS = 32, LOOP = 256 };
    if (kernel->block[0] != 0)
        return kernel->block[0] * kernel->block[1] * kernel->block[2];
    if (kernel->form == ACCEL_FORM_BLOCK)
        return 1;
    return kernel->form == ACCEL_FORM_THREAD ? FIBERS : LOOP;
}

#endif
