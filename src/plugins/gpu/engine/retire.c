/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/retire.h"
#include "plugins/gpu/engine/context.h"

#include <stdlib.h>
#include <time.h>

typedef struct holds {
    gpu_retired retired;
    accel_hold *holds[2];
} holds;

static void release_holds(accel_impl_device *device, gpu_retired *retired)
{
    holds *own = PLUGIN_OWNER(retired, holds, retired);

    gpu_host()->hold_release(own->holds[0]);
    gpu_host()->hold_release(own->holds[1]);
    free(own);
    atomic_fetch_sub_explicit(&device->holding, 1, memory_order_release);
}

accel_status gpu_retired_make(accel_impl_device *device, accel_hold *first, accel_hold *second, gpu_retired **made)
{
    *made = NULL;
    if (first == NULL && second == NULL)
        return ACCEL_OK;
    holds *own = malloc(sizeof(*own));
    if (own == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "no memory for %zu bytes to keep buffers alive", sizeof(*own));
    *own = (holds){.retired.give_back = release_holds, .holds = {first, second}};
    atomic_fetch_add_explicit(&device->holding, 1, memory_order_relaxed);
    *made = &own->retired;
    return ACCEL_OK;
}

void gpu_retired_discard(accel_impl_device *device, gpu_retired *retired)
{
    if (retired == NULL)
        return;
    free(PLUGIN_OWNER(retired, holds, retired));
    atomic_fetch_sub_explicit(&device->holding, 1, memory_order_release);
}

void gpu_retired_give_back(accel_impl_device *device, plugin_list *list)
{
    for (plugin_link *link; (link = plugin_list_take(list)) != NULL;) {
        gpu_retired *retired = PLUGIN_OWNER(link, gpu_retired, link);
        retired->give_back(device, retired);
    }
}

void gpu_retire_post(accel_impl_device *device, gpu_job *job)
{
    atomic_fetch_add_explicit(&device->retiring, 1, memory_order_relaxed);
    gpu_thread_post(&gpu_retire_thread, job);
}

void gpu_retire_done(accel_impl_device *device)
{
    atomic_fetch_sub_explicit(&device->retiring, 1, memory_order_release);
}

static void settle(accel_impl_device *device, bool last)
{
    enum { NAP_NS = 50000, NAPS = 40, BUSY = 20 };

    if (gpu_thread_kind() != GPU_THREAD_PROGRAM) /* a thread of the engine would wait for itself */
        return;
    for (int turn = 0, busy = 0; (last || turn < NAPS) && busy < BUSY; ++turn) {
        bool settled = last ? plugin_reference_is_last(&device->references)
                            : atomic_load_explicit(&device->retiring, memory_order_acquire) == 0;
        if (settled)
            break;
        if (!gpu_device_is_quiet(device))
            ++busy;
        gpu_thread_nudge(&gpu_retire_thread);
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
}

void gpu_device_settle(accel_impl_device *device)
{
    settle(device, false);
}

void gpu_device_settle_last(accel_impl_device *device)
{
    settle(device, true);
}
