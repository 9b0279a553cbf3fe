/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/threads/threads.h"
#include "plugins/cpu/threads/pool.h"

/* Blocks per thread, so that one that lost its CPU, or has a slow one, can be helped. */
enum { FINER = 4 };

static cpu_pool *pool_of(const cpu_executor *self)
{
    return (cpu_pool *)(uintptr_t)self; /* its first member */
}

static uint32_t compute_units(const cpu_executor *self)
{
    return pool_of(self)->units;
}

static accel_status run(const cpu_executor *self, const cpu_launch *launch, cpu_scratch *scratch)
{
    return cpu_pool_run(pool_of(self), launch, scratch);
}

static uint32_t parts(const cpu_executor *self)
{
    uint32_t units = pool_of(self)->units;
    return units > 1 ? units * FINER : 1;
}

static accel_status create(const cpu_executor *self, const cpu_placement *place, const cpu_settings *settings,
                           cpu_executor **made)
{
    cpu_pool *pool;
    accel_status status = cpu_pool_create(self, place, settings, &pool);
    if (status == ACCEL_OK)
        *made = &pool->executor;
    return status;
}

static void destroy(cpu_executor *self)
{
    cpu_pool_destroy(pool_of(self));
}

static void after_fork(cpu_executor *self, const cpu_placement *place, const cpu_settings *settings)
{
    cpu_pool_after_fork(pool_of(self), place, settings);
}

const cpu_executor cpu_executor_threads = {
    .name = "cpu-threads",
    .compute_units = compute_units,
    .run = run,
    .parts = parts,
    .create = create,
    .destroy = destroy,
    .after_fork = after_fork,
    .divisible = true,
};
