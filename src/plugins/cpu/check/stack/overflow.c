/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/stack/overflow.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/common/index.h"
#include "plugins/cpu/check/report/description.h"
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/check/warp/region.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <dlfcn.h>
#include <stdio.h>

/* In the kernel's own code, and not in what accelcc links to it? */
static bool has_line(const cpu_fiber_pool *pool, uintptr_t place)
{
    char line[CHECK_LINE];
    size_t length;
    Dl_info kernel, info;
    const void *code =
        check_region_is_running() ? check_region_code() : (const void *)(uintptr_t)pool->launch->kernel->run_thread;
    if (dladdr(code, &kernel) == 0 || dladdr((const void *)(place - 1), &info) == 0 ||
        info.dli_fbase != kernel.dli_fbase)
        return false;
    check_line_of((const void *)place, line, sizeof(line));
    return check_line_split(line, &length) != 0;
}

/* The instruction, or where the nearest call of the kernel's goes on: what it calls has used the stack up. */
static const void *place_of(const cpu_fiber_pool *pool)
{
    enum { WORDS = 2048 };
    const uintptr_t word = sizeof(uintptr_t), bottom = (uintptr_t)pool->overflow->stack,
                    end = bottom + pool->stack_size;
    const uintptr_t stack = (pool->overflow_stack + word - 1) / word * word;
    const uintptr_t *at = (const uintptr_t *)(stack > bottom ? stack : (bottom + word - 1) / word * word);
    if (has_line(pool, pool->overflow_instruction + 1))
        return (const void *)(pool->overflow_instruction + 1);
    for (int i = 0; i < WORDS && (uintptr_t)(at + 1) <= end; ++i, ++at)
        if (has_line(pool, *at))
            return (const void *)*at;
    return NULL;
}

/* Perhaps before the thread's first line. */
static check_actor actor_of(const cpu_fiber_pool *pool)
{
    const accel_thread_context *thread = &pool->overflow->thread;
    const accel_launch_context *launch = thread->launch;
    return (check_actor){CHECK_ACTOR_THREAD, check_number_of(thread->block_index, launch->grid_extent),
                         check_number_of(thread->thread_index, launch->block_extent)};
}

void check_stack_overflowed(const cpu_fiber_pool *pool)
{
    static char text[96]; /* until the report */
    snprintf(text, sizeof(text), "more than the %zu bytes that a thread has here", pool->stack_size);
    check_finding_add(&(check_finding){
        .kind = CHECK_FINDING_STACK, .text = text, .mine = {.place = place_of(pool), .actor = actor_of(pool)}});
    check_abandoned = true;
}

bool check_stack_guards(const void *p)
{
    return cpu_fiber_pool_guards(check_around.pool, (uintptr_t)p);
}
