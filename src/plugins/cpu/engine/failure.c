/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/failure.h"
#include "plugins/cpu/engine/host.h"

#include <stdio.h>

accel_status cpu_failure_keep(cpu_failure *failure, accel_status status)
{
    cpu_lock_spin(&failure->lock);
    if (failure->status == ACCEL_OK) {
        snprintf(failure->text, sizeof(failure->text), "%s", cpu_host()->error_message());
        atomic_store_explicit(&failure->status, status, memory_order_release);
    }
    cpu_lock_release(&failure->lock);
    return status;
}

accel_status cpu_failure_inherit(cpu_failure *failure, accel_status status)
{
    if (status == ACCEL_OK)
        return status;
    cpu_host()->error(status, "an event that the queue waited for carries the failure of another queue; wait for that "
                              "queue to see its text");
    return cpu_failure_keep(failure, status);
}

static accel_status tell(cpu_failure *failure, bool clear)
{
    char text[CPU_FAILURE_TEXT];
    cpu_lock_spin(&failure->lock);
    accel_status status = failure->status;
    snprintf(text, sizeof(text), "%s", failure->text);
    if (clear && status != ACCEL_DEVICE_LOST)
        atomic_store_explicit(&failure->status, ACCEL_OK, memory_order_release);
    cpu_lock_release(&failure->lock);
    return status != ACCEL_OK ? cpu_host()->error(status, "%s", text) : ACCEL_OK;
}

accel_status cpu_failure_repeat(cpu_failure *failure)
{
    return tell(failure, false);
}

accel_status cpu_failure_report_kept(cpu_failure *failure)
{
    return tell(failure, true);
}
