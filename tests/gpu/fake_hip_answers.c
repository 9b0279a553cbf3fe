/* SPDX-License-Identifier: Apache-2.0 */
/* What of the fake libamdhip64 answers otherwise than with 0. */
#include "fake.h"
#include "plugins/gpu/driver/hip/functions.h"

#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))
#define DECLARE(member, name, exported, version, need, result, parameters) EXPORT result exported parameters;
HIP_FUNCTIONS(DECLARE)

EXPORT fake_controls fake_control = {
    .version = 60300000, .runtime_version = 60300000, .devices = 1, .name = "gfx90a:sramecc+:xnack-"};

hip_result hipDriverGetVersion(int *version)
{
    *version = fake_control.version;
    return (hip_result)fake_control.version_result;
}

hip_result hipRuntimeGetVersion(int *version)
{
    *version = fake_control.runtime_version;
    return HIP_RESULT_SUCCESS;
}

hip_result hipInit(unsigned int flags)
{
    (void)flags;
    ++fake_control.inits;
    if (fake_control.init_milliseconds > 0)
        nanosleep(&(struct timespec){.tv_nsec = fake_control.init_milliseconds * 1000000L}, NULL);
    return (hip_result)fake_control.init_result;
}

hip_result hipGetDeviceCount(int *count)
{
    *count = fake_control.devices;
    return (hip_result)fake_control.count_result;
}

hip_result hipSetDevice(int device)
{
    (void)device;
    ++fake_control.contexts;
    return HIP_RESULT_SUCCESS;
}

/* gcnArchName where HIP 6 has it, and where HIP 5 had it; and something at the other place. */
static void name_architecture(char *properties, size_t at, size_t other)
{
    strcpy(properties + other, "gfx000");
    strcpy(properties + at, fake_control.name);
}

hip_result hipGetDevicePropertiesR0600(hip_properties_r0600 *properties, int device)
{
    (void)device;
    name_architecture((char *)properties, 1160, 396);
    return HIP_RESULT_SUCCESS;
}

hip_result hipGetDeviceProperties(hip_properties_r0000 *properties, int device)
{
    (void)device;
    name_architecture((char *)properties, 396, 700);
    return HIP_RESULT_SUCCESS;
}

hip_result hipDeviceGetUuid(hip_uuid *uuid, hip_device device)
{
    memset(uuid, 'a' + device, sizeof(*uuid));
    return HIP_RESULT_SUCCESS;
}

hip_result hipDeviceGetAttribute(int *value, hip_device_attribute attribute, int device)
{
    (void)device;
    *value = fake_control.attribute != 0 ? fake_control.attribute : (int)attribute;
    return HIP_RESULT_SUCCESS;
}

hip_result hipMalloc(void **pointer, size_t size)
{
    *pointer = (void *)(0x7000 + size);
    return HIP_RESULT_SUCCESS;
}

/* Calls at once, on this thread. */
hip_result hipStreamAddCallback(hip_stream stream, hip_stream_callback callback, void *user, unsigned int flags)
{
    (void)flags;
    callback(stream, HIP_RESULT_SUCCESS, user);
    return HIP_RESULT_SUCCESS;
}
