/* SPDX-License-Identifier: Apache-2.0 */
#include "core/plugins/services.h"

#include "core/config/plugin_values.h"
#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/base/log.h"
#include "core/base/timeline.h"

/* A hold is a reference to a buffer: accel_hold_buffer. */
static void release_hold(accel_hold *hold)
{
    accel_buffer_release((accel_buffer *)hold);
}

const accel_host_services accel_services = {
    .struct_size = (uint32_t)sizeof(accel_host_services),
    .abi = ACCEL_PLUGIN_ABI,
    .log = accel_log,
    .error = accel_error_set,
    .error_message = accel_error_message,
    .config = accel_plugin_value,
    .fork_generation = &accel_guard_fork_generation,
    .timeline_create = accel_timeline_create,
    .timeline_retain = accel_timeline_retain,
    .timeline_release = accel_timeline_release,
    .timeline_signal = accel_timeline_signal,
    .timeline_reached = accel_timeline_reached,
    .timeline_wait = accel_timeline_wait,
    .timeline_on_signal = accel_timeline_on_signal,
    .hold_release = release_hold,
};
