/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/warp/warp.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/limit.h"
#include "plugins/cpu/check/warp/lanes.h"
#include "plugins/cpu/check/warp/region.h"

static bool emulated; /* warps of the kernel that runs */

void check_warp_choose(uint64_t chosen)
{
    check_lanes_width = (uint32_t)chosen;
}

uint32_t check_warp_size(const accel_descriptor *kernel)
{
    return kernel->form == ACCEL_FORM_THREAD || check_region_may_run(kernel) ? check_lanes_width : 1;
}

void check_warp_launch(const cpu_launch *launch)
{
    emulated = check_warp_size(launch->kernel) != 1;
    check_region_launch(launch, emulated);
}

/* Of a warp of one thread. */
static uint64_t alone(const accel_check_warp *operation)
{
    return operation->what == ACCEL_CHECK_WARP_SIZE   ? 1
           : operation->what == ACCEL_CHECK_WARP_LANE ? 0
                                                      : operation->value;
}

uint64_t check_warp_call(const accel_check_warp *operation, const void *place)
{
    check_limit_pass(NULL, 0, 0, place);
    if (check_lanes_width == 1)
        return alone(operation);
    if (operation->what == ACCEL_CHECK_WARP_SIZE && emulated)
        return check_lanes_width;
    if (!emulated || (check_time.form != ACCEL_FORM_THREAD && !check_region_is_running())) {
        check_finding_add(&(check_finding){.kind = CHECK_FINDING_WARP_FORM,
                                           .mine = {.place = place, .actor = check_actor_of(check_time.now)}});
        return alone(operation);
    }
    const size_t thread = (size_t)(check_context_root(check_time.now) - check_time.first);
    return operation->what == ACCEL_CHECK_WARP_LANE ? thread % check_lanes_width
                                                    : check_lanes_call(thread, operation, place);
}
