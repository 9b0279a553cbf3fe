/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a pool: started once, then polling, sleeping, or working for launches. */
#ifndef ACCEL_CPU_POOL_WORKER_H
#define ACCEL_CPU_POOL_WORKER_H

#include "plugins/cpu/threads/pool.h"

/* Starts the workers, unless they run or another thread is starting them. Fewer than wanted is no failure. */
void cpu_pool_start(cpu_pool *);
/* Makes the workers end, and releases the device's reference. Does not wait for them. */
void cpu_pool_close(cpu_pool *);
/* Wakes up to `count` sleeping workers, of this group first, unless enough are awake. They keep away from the CPU of the launch
 * that they are to help; -1: from none. */
void cpu_pool_wake(cpu_pool *, uint32_t group, uint32_t count, int caller_cpu);

/* After a launch that lost: the launching thread has moved to the CPU of a worker that polls, perhaps. It must go then. */
void cpu_pool_keep_off(cpu_pool *, int caller_cpu);

/* Claims a share of a group for the worker, and wakes others if there are more. In its own group it prefers the share of its own
 * number, which is the same part of every launch of that shape: so it finds what it touched before in its caches, and on its
 * NUMA node. */
bool cpu_pool_worker_claim(cpu_pool_worker *, uint32_t group, uint64_t *range);
/* Works on every share and stolen range that the worker can get, of its own group or of all. Returns whether there was any. */
bool cpu_pool_work(cpu_pool_worker *, bool everywhere);

#endif
