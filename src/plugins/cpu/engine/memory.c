/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/memory.h"
#include "plugins/cpu/engine/device.h"

#include <stdlib.h>
#include <sys/mman.h>

/* From this size on memory begins at a huge page, and the system is asked for huge pages. */
enum { HUGE_PAGE = 2 << 20 };

accel_status cpu_memory_allocate(accel_impl_device *device, const accel_memory_request *request,
                                 accel_impl_memory **made, void **ptr, void **host_ptr)
{
    bool large = request->size >= HUGE_PAGE;
    size_t alignment = request->alignment > CPU_BASE_ALIGNMENT ? request->alignment : CPU_BASE_ALIGNMENT;
    if (large && alignment < HUGE_PAGE)
        alignment = HUGE_PAGE;
    accel_impl_memory *memory = calloc(1, sizeof(*memory));
    const cpu_observer *observer = device->backend->executor->observer;
    void *data = NULL;
    bool enough = memory != NULL;
    if (enough && observer != NULL)
        enough = (data = observer->allocate(request->size, alignment)) != NULL;
    else if (enough)
        enough = posix_memalign(&data, alignment, request->size) == 0;
    if (!enough) {
        free(memory);
        size_t available = 0, total = 0;
        cpu_device_memory(device, &available, &total);
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY,
                                 "buffer of %s: no memory for %zu bytes (the machine has %zu of %zu free); release "
                                 "something, or raise the limit of the process (ulimit -v) or of its control group",
                                 device->backend->executor->name, request->size, available, total);
    }
    if (large && observer == NULL)
        madvise(data, request->size, MADV_HUGEPAGE);
    if (device->backend->settings.report_faults && observer == NULL && request->size != 0)
        cpu_buffers_add(&memory->note, data, request->size);
    memory->data = data;
    memory->observer = observer;
    *made = memory;
    *ptr = data;
    *host_ptr = data;
    return ACCEL_OK;
}

void cpu_memory_free(accel_impl_memory *memory)
{
    cpu_buffers_remove(&memory->note);
    if (memory->observer != NULL)
        memory->observer->release(memory->data);
    else
        free(memory->data);
    free(memory);
}
