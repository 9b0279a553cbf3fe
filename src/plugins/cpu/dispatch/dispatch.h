/* SPDX-License-Identifier: Apache-2.0 */
/* How executors with several threads run a launch, as the policy decides. */
#ifndef ACCEL_CPU_DISPATCH_H
#define ACCEL_CPU_DISPATCH_H

#include "plugins/cpu/dispatch/executor.h"
#include "plugins/cpu/dispatch/policy.h"

/* Where recent costs of launches like this one are kept. They may be those of another kernel or shape. */
static inline cpu_cost *cpu_dispatch_place(const cpu_launch *launch, cpu_scratch *scratch)
{
    const uint64_t shape = launch->shape;
    return &scratch->costs[(shape ^ shape >> 32 ^ shape >> 12) % CPU_COSTS];
}

static inline bool cpu_dispatch_knows(const cpu_cost *cost, const cpu_launch *launch)
{
    return __builtin_expect(cost->kernel == launch->kernel && cost->shape == launch->shape, 1);
}

/* Runs all blocks on the caller, unless the first eighth of them takes more than `limit` ticks. *done: blocks that were run. */
static inline accel_status cpu_dispatch_inline(const cpu_launch *launch, cpu_scratch *scratch, cpu_cost *cost,
                                               uint64_t limit, size_t *done)
{
    size_t probe = launch->blocks / CPU_POLICY_PROBED_BLOCKS & ~(size_t)(launch->grain - 1);
    uint64_t begin = cpu_ticks();
    *done = launch->blocks;
    if (probe != 0) {
        accel_status status = cpu_blocks_run(launch, scratch, 0, probe);
        if (__builtin_expect(status != ACCEL_OK, 0))
            return status;
        uint64_t ticks = cpu_ticks() - begin;
        if (__builtin_expect(ticks > limit, 0)) {
            cpu_policy_note_inline(cost, ticks * (launch->blocks / probe));
            *done = probe;
            return ACCEL_OK;
        }
    }
    accel_status status = cpu_blocks_run(launch, scratch, probe, launch->blocks - probe);
    cpu_policy_note_inline(cost, cpu_ticks() - begin);
    return status;
}

/* Runs the blocks from `first` on with the executor's threads, and tells the policy what they took. */
typedef accel_status (*cpu_parallel)(const cpu_executor *, const cpu_launch *, cpu_scratch *, cpu_cost *, cpu_decision,
                                     size_t first);

/* Runs a launch of two blocks or more, and times it. `cost` is its place. Inline: `parallel` becomes a direct call. */
static inline accel_status cpu_dispatch_timed(const cpu_executor *executor, const cpu_launch *launch,
                                              cpu_scratch *scratch, cpu_cost *cost, cpu_workers *workers,
                                              cpu_parallel parallel)
{
    if (!cpu_dispatch_knows(cost, launch))
        *cost = (cpu_cost){.kernel = launch->kernel, .shape = launch->shape, CPU_COST_UNKNOWN};
    cpu_decision decision = cpu_policy_decide(cost, workers);
    size_t done = 0;
    if (decision.mode == CPU_INLINE) {
        accel_status status = cpu_dispatch_inline(launch, scratch, cost, decision.limit, &done);
        if (__builtin_expect(done == launch->blocks, 1))
            return status;
        decision = cpu_policy_parallel(workers);
    }
    return parallel(executor, launch, scratch, cost, decision, done);
}

/* Runs a launch of two blocks or more. `timed` is cpu_dispatch_timed in a function of its own, so that a tiny launch, which is
 * seldom timed, does not save the registers that only timing needs. */
typedef accel_status (*cpu_timed)(const cpu_executor *, const cpu_launch *, cpu_scratch *, cpu_cost *);
static inline accel_status cpu_dispatch(const cpu_executor *executor, const cpu_launch *launch, cpu_scratch *scratch,
                                        cpu_timed timed)
{
    cpu_cost *cost = cpu_dispatch_place(launch, scratch);
    if (cpu_dispatch_knows(cost, launch) && cpu_policy_is_untimed(cost, launch->blocks))
        return cpu_blocks_run(launch, scratch, 0, launch->blocks);
    return timed(executor, launch, scratch, cost);
}

#endif
