/* SPDX-License-Identifier: Apache-2.0 */
/* Devices. */
#include "entry.h"
#include "../engine/attribute.h"
#include "../engine/device.h"
#include "../engine/front.h"
#include "../engine/thread.h"

#include <stdio.h>
#include <string.h>

hip_result hipGetDeviceCount(int *count)
{
    HIP_CALL_ENTERED((*count = sim_settings_here.count, SIM_OK));
}

hip_result hipDeviceGetName(char *to, int size, hip_device device)
{
    HIP_CALL_ENTERED(sim_device_get_name(to, size, device));
}

hip_result hipDeviceGetUuid(hip_uuid *uuid, hip_device device)
{
    HIP_CALL_ENTERED(sim_device_get_uuid(uuid->bytes, device));
}

hip_result hipDeviceTotalMem(size_t *bytes, hip_device device)
{
    HIP_CALL_ENTERED(sim_device_get_memory(bytes, device));
}

static const char *attribute_name(hip_device_attribute attribute)
{
#define HIP_ATTRIBUTE_NAME(ours, theirs, value)                                                                        \
    case ours:                                                                                                         \
        return &#ours[sizeof "HIP_ATTRIBUTE_" - 1];
    switch (attribute) {
        HIP_DEVICE_ATTRIBUTES(HIP_ATTRIBUTE_NAME)
    default:
        return "";
    }
}

hip_result hipDeviceGetAttribute(int *value, hip_device_attribute attribute, int device)
{
    HIP_CALL_ENTERED(sim_attribute(value, attribute_name(attribute), device));
}

/* Only the architecture; the rest is what nobody should look at. */
static sim_status architecture(void *properties, size_t size, char *to, size_t room, int device)
{
    if (sim_device_at(device) == NULL)
        return SIM_INVALID_DEVICE;
    memset(properties, 0x5a, size);
    snprintf(to, room, "%s", sim_settings_here.architecture);
    return SIM_OK;
}

hip_result hipGetDevicePropertiesR0600(hip_properties_r0600 *properties, int device)
{
    HIP_CALL_ENTERED(architecture(properties, HIP_PROPERTIES_R0600_SIZE, properties->architecture,
                                  sizeof properties->architecture, device));
}

hip_result hipGetDeviceProperties(hip_properties_r0000 *properties, int device)
{
    HIP_CALL_ENTERED(architecture(properties, HIP_PROPERTIES_R0000_SIZE, properties->architecture,
                                  sizeof properties->architecture, device));
}

hip_result hipGetDevice(int *device)
{
    HIP_CALL_ENTERED((*device = sim_thread_here.device, SIM_OK));
}

hip_result hipSetDevice(int device)
{
    HIP_CALL_ENTERED(sim_device_at(device) == NULL ? SIM_INVALID_DEVICE : (sim_thread_here.device = device, SIM_OK));
}

hip_result hipDeviceSynchronize(void)
{
    HIP_CALL(sim_context_synchronize());
}

hip_result hipDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    HIP_CALL_ENTERED((*least = sim_front_here.least_priority, *greatest = sim_front_here.greatest_priority, SIM_OK));
}

hip_result hipDeviceCanAccessPeer(int *yes, int device, int peer)
{
    HIP_CALL_ENTERED(sim_device_can_access(yes, device, peer));
}

hip_result hipDeviceEnablePeerAccess(int peer, unsigned flags)
{
    HIP_CALL(flags != 0                    ? SIM_INVALID_VALUE
             : sim_device_at(peer) == NULL ? SIM_INVALID_DEVICE
                                           : sim_context_enable_peer(sim_device_at(peer)));
}
