/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/warp/region.h"
#include "plugins/cpu/check/arithmetic/invalid.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/common/index.h"
#include "plugins/cpu/check/order.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/check/warp/lanes.h"
#include "plugins/cpu/fiber/fiber_pool.h"

static const cpu_launch *launch; /* NULL: its regions do not run so */
static cpu_scratch scratch;      /* with the fibers */

/* Other backends run regions on the stacks of whole threads, where variables may take far more than ACCEL_CPU_STACK_SIZE. */
enum { STACK_FACTOR = 16 };

/* The region that runs. */
static struct {
    void (*function)(void *); /* NULL: none */
    void *data;
    const void *place;
    check_surroundings before;
    int sync;
    bool in_row; /* the loop over rows has just asked */
    /* An assertion of one of its threads has failed; NULL: none. */
    const accel_launch_context *asserted;
    accel_assertion failed;
} region;

bool check_region_may_run(const accel_descriptor *kernel)
{
    return kernel->form == ACCEL_FORM_BLOCK || kernel->form == ACCEL_FORM_THREAD_NOSYNC;
}

void check_region_launch(const cpu_launch *begun, bool lanes)
{
    launch = lanes && check_region_may_run(begun->kernel) ? begun : NULL;
    region.function = NULL;
}

bool check_region_is_running(void)
{
    return region.function != NULL;
}

const void *check_region_code(void)
{
    return (const void *)(uintptr_t)region.function;
}

/* ----------------------------------------------------------------------------------------- one thread -- */

static size_t my_thread(void)
{
    return (size_t)(check_context_root(check_time.now) - check_time.first);
}

int check_region_turn(int more, size_t t, int sync)
{
    region.sync |= sync;
    return more && t == my_thread();
}

/* Behind its only turn a thread is nobody: t is compared with its number. */
size_t check_region_order(size_t k, size_t n)
{
    const size_t me = region.in_row ? my_thread() % n : my_thread();
    region.in_row = false;
    return k == 0 && me < n ? me : SIZE_MAX;
}

size_t check_region_row(size_t k, size_t n)
{
    region.in_row = true;
    return k == 0 ? my_thread() / (check_time.thread_count / n) : n;
}

size_t check_region_along(size_t n)
{
    region.in_row = false;
    return my_thread() < n ? my_thread() : n;
}

static void run_thread(const accel_thread_context *thread, const void *args)
{
    const size_t *extent = thread->launch->block_extent, *index = thread->thread_index;
    const size_t k = check_number_of(index, extent), threads = check_time.thread_count;
    const size_t me = check_order_of(k, threads);
    (void)args;
    if (k == 0) {
        cpu_fiber_pool *pool = threads != 1 ? ((const cpu_fiber *)(const void *)thread)->pool : NULL;
        check_lanes_begin(pool, threads);
        region.before.pool = pool;
        region.before.fibers = (check_range){NULL, NULL};
        if (pool != NULL)
            region.before.fibers = (check_range){(const char *)pool->slab,
                                                 (const char *)pool->slab + pool->stride * ACCEL_MAX_BLOCK_THREADS};
    }
    check_around = region.before;
    check_around.fiber = threads != 1 ? (void *)(uintptr_t)thread : NULL;
    check_time.now = check_context_of_thread(me);
    check_invalid_branch(me);
    region.in_row = false;
    region.function(region.data);
    if (check_time.form == ACCEL_FORM_BLOCK)
        check_lanes_arrive(me, region.place); /* at the region's end */
    else
        check_lanes_pass(me);
}

/* ------------------------------------------------------------------------------------- all of a block -- */

/* A thread has left its kernel: an error, or an assertion, that ends it. */
static void leave(void)
{
    region.function = NULL;
    check_around.fiber = NULL;
    if (region.asserted != NULL)
        region.asserted->fail(region.asserted, NULL, &region.failed);
    check_finding_abandon();
}

/* What the object notes of the thread that runs is of the one that came last to its region. */
void check_region_asserted(const accel_launch_context *context, accel_assertion *failed)
{
    if (!check_region_is_running())
        return;
    check_index_of(my_thread(), context->block_extent, failed->thread);
    region.failed = *failed;
    region.asserted = context;
    if (check_around.fiber != NULL)
        cpu_fiber_abandon(check_around.fiber);
}

static void end(const check_surroundings *before)
{
    region.function = NULL;
    check_around = *before;
    check_invalid_uniform();
    if (region.sync)
        check_clock_epoch();
    check_time.now = check_time.uniform;
}

/* Not within another: then the loop has its one turn, too. Nor if there is no memory for the fibers. */
void check_region_run(void (*function)(void *), void *data, const void *place)
{
    static const accel_descriptor as_thread = {.name = "region", .form = ACCEL_FORM_THREAD, .run_thread = run_thread};
    if (launch == NULL || check_region_is_running() || check_time.now != check_time.uniform || check_around.trusted) {
        function(data);
        return;
    }
    const check_surroundings before = check_around;
    cpu_settings settings = *launch->settings;
    settings.stack_size *= STACK_FACTOR;
    cpu_launch each = *launch;
    each.settings = &settings;
    each.kernel = &as_thread;
    each.blocks = 1;
    region.function = function;
    region.asserted = NULL;
    region.data = data;
    region.place = place;
    region.before = before;
    region.sync = 0;
    const accel_status status = cpu_fibers_run(&each, &each.context, &scratch, 0, 1);
    if (status == ACCEL_OK) {
        end(&before);
    } else if (status == ACCEL_OUT_OF_MEMORY) {
        region.function = NULL;
        function(data);
    } else {
        leave();
    }
}
