/* SPDX-License-Identifier: Apache-2.0 */
/* One launch, made ready to run, and what a thread needs to run blocks. */
#ifndef ACCEL_CPU_LAUNCH_H
#define ACCEL_CPU_LAUNCH_H

#include <accel/plugin.h>

#include "plugins/cpu/dispatch/policy.h"
#include "plugins/cpu/engine/export.h"
#include "plugins/cpu/engine/settings.h"
#include "plugins/support/division.h"

#include <string.h>

struct cpu_fiber_pool;

/* Memory that a thread reuses from launch to launch. Used by one thread at a time. All zero is valid and empty. */
typedef struct cpu_scratch {
    void *shared; /* block shared memory, grown when needed */
    size_t shared_capacity;
    struct cpu_fiber_pool *fibers; /* made by the first thread kernel */
    cpu_cost costs[CPU_COSTS];     /* of the queue's launches, for the dispatch policy */
} cpu_scratch;

CPU_EXPORT void cpu_scratch_clear(cpu_scratch *);

/* May the kernel end its launch? */
static inline bool cpu_asserts(const accel_descriptor *kernel)
{
    return (kernel->flags & ACCEL_KERNEL_ASSERTS) != 0;
}

/* Is the kernel given more than others: a way out, or one to print? */
static inline bool cpu_speaks(const accel_descriptor *kernel)
{
    return (kernel->flags & (ACCEL_KERNEL_ASSERTS | ACCEL_KERNEL_PRINTS)) != 0;
}

/* Has it the same bits, however the thread rounds that runs it? */
static inline bool cpu_rounds(const accel_descriptor *kernel)
{
    return (kernel->flags & (ACCEL_KERNEL_PATTERN | ACCEL_KERNEL_ROUNDS)) != 0;
}

typedef struct cpu_launch cpu_launch;

/* Runs `count` blocks beginning with `first`, in order, on the calling thread. */
typedef accel_status (*cpu_way)(const cpu_launch *, cpu_scratch *, size_t first, size_t count);

/* Read-only while it runs. A new member goes into cpu_launch_repeats, too. */
struct cpu_launch {
    accel_launch_context context; /* shared is the site's: each thread puts its own into a copy if there is any */
    const accel_descriptor *kernel;
    const void *args;
    size_t blocks;       /* of the grid */
    size_t threads;      /* of a block */
    uint64_t shape;      /* a hash of kernel, blocks, threads and elements; 0 if there is one block */
    size_t shared_total; /* static and dynamic */
    uint32_t grain;      /* a share is best cut at multiples of so many blocks; a power of two */
    bool plain;          /* run_blocks needs nothing but the context */
    cpu_way way;         /* in which blocks run that are not plain */
    const cpu_settings *settings;
};

/* Are they the same but for their arguments? Looks at every other member. */
static inline bool cpu_launch_repeats(const cpu_launch *a, const cpu_launch *b)
{
    return memcmp(&a->context, &b->context, sizeof(a->context)) == 0 && a->kernel == b->kernel &&
           a->blocks == b->blocks && a->threads == b->threads && a->shape == b->shape &&
           a->shared_total == b->shared_total && a->grain == b->grain && a->plain == b->plain && a->way == b->way &&
           a->settings == b->settings;
}

/* What launches of one queue have in common. */
typedef struct cpu_launch_site {
    uint32_t *locks; /* the process's */
    uint64_t lock_mask;
    const cpu_settings *settings;
    void *absent_shared; /* what a kernel has for shared memory if its launch asks for none */
} cpu_launch_site;

/* The barrier of a block that has one thread. */
uint32_t cpu_sync_alone(const accel_thread_context *, uint32_t mode, uint32_t predicate);

/* How a launch divides its work: the numbers of an accel_work, wherever they are kept. The slowest dimension is first. */
typedef struct cpu_work {
    uint32_t dims;
    const size_t *blocks, *threads, *elems;
    size_t shared_bytes; /* dynamic */
} cpu_work;

static inline cpu_work cpu_work_of(const accel_work *work)
{
    return (cpu_work){work->dims, work->blocks, work->threads, work->elems, work->shared_bytes};
}

/* Fills `launch`, which points to kernel, grid and args, and `grid`. */
void cpu_launch_prepare(cpu_launch *launch, accel_grid *grid, const accel_descriptor *kernel, const cpu_work *work,
                        const void *args, const cpu_launch_site *site);

/* The last launch of a queue, kept ready: most queues repeat kernels in one shape. To compare takes a third of the
 * instructions of to fill and no stores, which would queue up behind those of the kernel before. All zero is empty. */
typedef struct cpu_prepared {
    cpu_launch launch; /* args are the last launch's */
    accel_grid grid;
    size_t shared_bytes; /* dynamic */
} cpu_prepared;

/* Is it this launch, but for its arguments? One of more than three dimensions never is. The extents that a launch lacks
 * are 1 in both. */
static inline bool cpu_prepared_fits(const cpu_prepared *prepared, const accel_descriptor *kernel, const cpu_work *work)
{
    const accel_launch_context *context = &prepared->launch.context;
    uint32_t dims = work->dims, x = dims - 1, y = dims - 2;
    if (prepared->launch.kernel != kernel || prepared->grid.dims != dims ||
        prepared->shared_bytes != work->shared_bytes)
        return false;
    if (__builtin_expect(dims == 1, 1))
        return context->grid_extent[0] == work->blocks[0] && context->block_extent[0] == work->threads[0] &&
               context->elem_extent[0] == work->elems[0];
    return dims <= 3 && context->grid_extent[0] == work->blocks[x] && context->block_extent[0] == work->threads[x] &&
           context->elem_extent[0] == work->elems[x] && context->grid_extent[1] == work->blocks[y] &&
           context->block_extent[1] == work->threads[y] && context->elem_extent[1] == work->elems[y] &&
           (dims == 2 || (context->grid_extent[2] == work->blocks[0] && context->block_extent[2] == work->threads[0] &&
                          context->elem_extent[2] == work->elems[0]));
}

/* Makes it this launch. The arguments are the caller's to set. The site is that of the launches before: of a launch with
 * as many dimensions only the numbers are written. */
void cpu_prepared_make(cpu_prepared *, const accel_descriptor *, const cpu_work *, const cpu_launch_site *);

/* Has the kernel all that it needs in the launch? */
static inline bool cpu_needs_a_call_only(const cpu_launch *launch)
{
    return launch->shared_total == 0 && launch->kernel->form != ACCEL_FORM_THREAD && !cpu_speaks(launch->kernel);
}

/* The way of kernels that need more than a call: shared memory, fibers, a way out or one to print, or how they round. */
accel_status cpu_blocks_run_with(const cpu_launch *, cpu_scratch *, size_t first, size_t count);

static inline accel_status cpu_blocks_run(const cpu_launch *launch, cpu_scratch *scratch, size_t first, size_t count)
{
    if (__builtin_expect(!launch->plain, 0))
        return launch->way(launch, scratch, first, count);
    launch->kernel->run_blocks(&launch->context, launch->args, first, count);
    return ACCEL_OK;
}

/* The same for kernels whose threads meet at barriers: every thread of a block is a fiber. */
CPU_EXPORT accel_status cpu_fibers_run(const cpu_launch *, const accel_launch_context *, cpu_scratch *, size_t first,
                                       size_t count);

#endif
