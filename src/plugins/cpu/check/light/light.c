/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/light/light.h"
#include "plugins/cpu/check/light/crash.h"
#include "plugins/cpu/check/light/kernels.h"
#include "plugins/cpu/check/light/poison.h"
#include "plugins/cpu/check/light/running.h"
#include "plugins/cpu/check/light/stray.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/shared/shared.h"

check_running check_light;
static bool chosen;
static bool has_begun;  /* a block of the launch */
static const char *gap; /* behind dynamic shared memory; NULL: none */

bool check_light_choose(bool wanted)
{
    chosen = wanted && check_poison_reserve();
    if (chosen)
        check_memory_poison();
    return chosen || !wanted;
}

bool check_light_is_chosen(void)
{
    return chosen;
}

bool check_light_begin(const cpu_launch *launch, cpu_launch *made, const void *stack)
{
    const accel_descriptor *kernel = chosen ? check_kernels_light(launch->kernel) : NULL;
    if (kernel == NULL)
        return false;
    *made = *launch;
    made->kernel = kernel;
    check_light.launch = made;
    check_light.stack = stack;
    gap = NULL;
    check_light.pool = NULL;
    check_light.slab = (check_range){NULL, NULL};
    has_begun = false;
    check_stray_begin();
    return true;
}

static bool has_fibers(const cpu_launch *launch)
{
    return launch->kernel->form == ACCEL_FORM_THREAD && launch->threads != 1;
}

bool check_light_is_ready(const cpu_launch *launch, const cpu_scratch *scratch)
{
    return scratch->shared_capacity >= launch->shared_total && (!has_fibers(launch) || scratch->fibers != NULL);
}

/* An address in the kernel's code. */
static const void *code_of(const accel_descriptor *kernel)
{
    return kernel->form == ACCEL_FORM_THREAD ? (const void *)(uintptr_t)kernel->run_thread
                                             : (const void *)(uintptr_t)kernel->run_blocks;
}

const void *check_light_place(void)
{
    return code_of(check_light.launch->kernel);
}

static void begin_blocks(cpu_scratch *scratch)
{
    has_begun = true;
    check_memory_unseen();
    check_shared_light(scratch->shared, check_light_place());
    check_shared_poison(true);
    if (check_light.launch->shared_total != 0) {
        gap = (const char *)scratch->shared + check_light.launch->shared_total - CHECK_SHARED_GAP;
        check_poison_add(gap, CHECK_SHARED_GAP);
    }
    if (has_fibers(check_light.launch)) {
        check_light.pool = scratch->fibers;
        const char *slab = (const char *)check_light.pool->slab;
        check_light.slab = (check_range){slab, slab + check_light.pool->stride * ACCEL_MAX_BLOCK_THREADS};
    }
    check_crash_catch(true);
}

accel_status check_light_run(const cpu_launch *launch, cpu_scratch *scratch, size_t block)
{
    if (!has_begun)
        begin_blocks(scratch);
    check_light.block = block;
    check_around.light = true;
    check_around.way = CHECK_WAY_FULL;
    check_crash_inside(true);
    const accel_status status = cpu_blocks_run(launch, scratch, block, 1);
    check_crash_inside(false);
    check_around.light = false;
    return status;
}

/* Threads that never came to their end have left what their frames had poisoned. */
void check_light_end(bool well)
{
    check_crash_inside(false);
    check_around.light = false;
    if (!has_begun)
        return;
    has_begun = false;
    check_crash_catch(false);
    check_shared_poison(false);
    if (gap != NULL)
        check_poison_remove(gap, CHECK_SHARED_GAP);
    if (!well && check_light.slab.begin != NULL)
        check_poison_remove(check_light.slab.begin, (size_t)(check_light.slab.end - check_light.slab.begin));
}
