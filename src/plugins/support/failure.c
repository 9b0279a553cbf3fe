/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/failure.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void plugin_failure_begin(plugin_failure *failure)
{
    pthread_mutex_init(&failure->lock, NULL);
}

void plugin_failure_end(plugin_failure *failure)
{
    pthread_mutex_destroy(&failure->lock);
}

accel_status plugin_failure_keep(plugin_failure *failure, const accel_host_services *host, accel_status status)
{
    pthread_mutex_lock(&failure->lock);
    if (atomic_load_explicit(&failure->status, memory_order_relaxed) == ACCEL_OK) {
        snprintf(failure->text, sizeof(failure->text), "%s", host->error_message());
        atomic_store_explicit(&failure->status, status, memory_order_release);
    }
    pthread_mutex_unlock(&failure->lock);
    return status;
}

static accel_status tell(plugin_failure *failure, const accel_host_services *host, const char *before, bool clear)
{
    char text[PLUGIN_FAILURE_TEXT];

    if (plugin_failure_status(failure) == ACCEL_OK)
        return ACCEL_OK;
    pthread_mutex_lock(&failure->lock);
    accel_status status = atomic_load_explicit(&failure->status, memory_order_relaxed);
    memcpy(text, failure->text, sizeof(text));
    if (clear)
        atomic_store_explicit(&failure->status, ACCEL_OK, memory_order_release);
    pthread_mutex_unlock(&failure->lock);
    return status != ACCEL_OK ? host->error(status, "%s%s", before, text) : ACCEL_OK;
}

accel_status plugin_failure_repeat(plugin_failure *failure, const accel_host_services *host)
{
    return tell(failure, host, "", false);
}

accel_status plugin_failure_refuse(plugin_failure *failure, const accel_host_services *host)
{
    return tell(
        failure, host,
        "nothing was done, as the queue has failed before (accel_queue_wait reports that and clears it): ", false);
}

accel_status plugin_failure_report(plugin_failure *failure, const accel_host_services *host)
{
    return tell(failure, host, "", true);
}

accel_status plugin_failure_carried(const accel_host_services *host, accel_status status)
{
    if (status == ACCEL_DEVICE_LOST)
        return host->error(ACCEL_UNAVAILABLE,
                           "an event that the queue waited for was recorded on a device that is lost, "
                           "or the program signalled that; what it stands for was not done");
    return host->error(
        status,
        "an event that the queue waited for carries this failure: that of the queue that recorded it (wait for "
        "that queue to see its text), or what the program signalled, if only by releasing an armed event of the "
        "host; or a copy failed that another backend had a part in (ACCEL_LOG=error shows its text)");
}
