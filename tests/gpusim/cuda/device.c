/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and contexts. */
#include "entry.h"
#include "../engine/attribute.h"
#include "../engine/device.h"
#include "../engine/front.h"

cuda_result cuDeviceGetCount(int *count)
{
    CUDA_CALL((*count = sim_settings_here.count, SIM_OK));
}

static sim_status get(int *device, int ordinal)
{
    if (sim_device_at(ordinal) == NULL)
        return SIM_INVALID_DEVICE;
    *device = ordinal;
    return SIM_OK;
}

cuda_result cuDeviceGet(cuda_device *device, int ordinal)
{
    CUDA_CALL(get(device, ordinal));
}

cuda_result cuDeviceGetName(char *to, int size, cuda_device device)
{
    CUDA_CALL(sim_device_get_name(to, size, device));
}

cuda_result cuDeviceGetUuid_v2(cuda_uuid *uuid, cuda_device device)
{
    CUDA_CALL(sim_device_get_uuid(uuid->bytes, device));
}

cuda_result cuDeviceTotalMem_v2(size_t *bytes, cuda_device device)
{
    CUDA_CALL(sim_device_get_memory(bytes, device));
}

static const char *attribute_name(cuda_device_attribute attribute)
{
#define CUDA_ATTRIBUTE_NAME(ours, theirs, value)                                                                       \
    case ours:                                                                                                         \
        return &#ours[sizeof "CUDA_ATTRIBUTE_" - 1];
    switch (attribute) {
        CUDA_DEVICE_ATTRIBUTES(CUDA_ATTRIBUTE_NAME)
    default:
        return "";
    }
}

cuda_result cuDeviceGetAttribute(int *value, cuda_device_attribute attribute, cuda_device device)
{
    CUDA_CALL(sim_attribute(value, attribute_name(attribute), device));
}

cuda_result cuDeviceCanAccessPeer(int *yes, cuda_device device, cuda_device peer)
{
    CUDA_CALL(sim_device_can_access(yes, device, peer));
}

/* ---------------------------------------------------------------------------------------------- contexts -- */

cuda_result cuDevicePrimaryCtxRetain(cuda_context *context, cuda_device device)
{
    CUDA_CALL(sim_context_retain(device, (void **)context));
}

cuda_result cuDevicePrimaryCtxRelease_v2(cuda_device device)
{
    CUDA_CALL(sim_context_release(device));
}

cuda_result cuDevicePrimaryCtxReset_v2(cuda_device device)
{
    CUDA_CALL(sim_context_reset(device));
}

cuda_result cuDevicePrimaryCtxGetState(cuda_device device, unsigned *flags, int *active)
{
    CUDA_CALL(sim_context_primary_state(device, flags, active));
}

cuda_result cuCtxCreate_v2(cuda_context *context, unsigned flags, cuda_device device)
{
    CUDA_CALL(sim_context_create(device, flags, (void **)context));
}

cuda_result cuCtxDestroy_v2(cuda_context context)
{
    CUDA_CALL(sim_context_destroy(context));
}

cuda_result cuCtxGetCurrent(cuda_context *context)
{
    CUDA_CALL(sim_context_get((void **)context));
}

cuda_result cuCtxSetCurrent(cuda_context context)
{
    CUDA_CALL(sim_context_set(context));
}

cuda_result cuCtxPushCurrent_v2(cuda_context context)
{
    CUDA_CALL(sim_context_push(context));
}

cuda_result cuCtxPopCurrent_v2(cuda_context *context)
{
    CUDA_CALL(sim_context_pop((void **)context));
}

cuda_result cuCtxSynchronize(void)
{
    CUDA_CALL(sim_context_synchronize());
}

static sim_status change_peer(cuda_context peer, sim_status (*change)(const sim_device *))
{
    sim_context *context = sim_object_live(SIM_CONTEXT, peer);
    return context == NULL ? SIM_INVALID_CONTEXT : change(context->device);
}

cuda_result cuCtxEnablePeerAccess(cuda_context peer, unsigned flags)
{
    CUDA_CALL(flags != 0 ? SIM_INVALID_VALUE : change_peer(peer, sim_context_enable_peer));
}

cuda_result cuCtxDisablePeerAccess(cuda_context peer)
{
    CUDA_CALL(change_peer(peer, sim_context_disable_peer));
}

cuda_result cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    CUDA_CALL((*least = sim_front_here.least_priority, *greatest = sim_front_here.greatest_priority, SIM_OK));
}
