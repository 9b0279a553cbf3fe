/* SPDX-License-Identifier: Apache-2.0 */
/* Init, errors, devices, and the current one. */
#include "forward.h"

#include "plugins/gpu/driver/error_class.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 60300000 };

static _Thread_local int current_device;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards contexts */
static cuda_context contexts[FORWARD_DEVICES];

hip_result forward_result(cuda_result result)
{
    switch (result) {
    case CUDA_RESULT_HARDWARE_STACK_ERROR:
    case CUDA_RESULT_ILLEGAL_INSTRUCTION:
    case CUDA_RESULT_MISALIGNED_ADDRESS:
    case CUDA_RESULT_INVALID_ADDRESS_SPACE:
    case CUDA_RESULT_INVALID_PC:
        return HIP_RESULT_LAUNCH_FAILED;
    case CUDA_RESULT_INVALID_PTX:
    case CUDA_RESULT_UNSUPPORTED_PTX_VERSION:
        return HIP_RESULT_INVALID_IMAGE;
    default:
        return (hip_result)result; /* the same numbers */
    }
}

/* ------------------------------------------------------------------------------------ opening libcuda.so.1 -- */

static ACCEL_PRINTF_FORMAT(2, 3) void log_nothing(uint32_t level, const char *format, ...)
{
    (void)level;
    (void)format;
}

static ACCEL_PRINTF_FORMAT(2, 3) accel_status take_error(accel_status status, const char *format, ...)
{
    (void)format;
    return status;
}

static const volatile uint32_t fork_generation;
static const char *config(const char *name)
{
    return getenv(name);
}

static const accel_host_services services = {.struct_size = sizeof(services),
                                             .config = config,
                                             .abi = ACCEL_PLUGIN_ABI,
                                             .log = log_nothing,
                                             .error = take_error,
                                             .fork_generation = &fork_generation};

hip_result hipInit(unsigned int flags)
{
    const gpu_driver *driver;
    uint32_t state;

    (void)flags;
    return cuda_family.open(&cuda_family, &services, &driver, &state) == ACCEL_OK ? HIP_RESULT_SUCCESS
           : state == ACCEL_BACKEND_DRIVER_TOO_OLD                                ? HIP_RESULT_INSUFFICIENT_DRIVER
                                                                                  : HIP_RESULT_NO_DEVICE;
}

hip_result hipDriverGetVersion(int *version)
{
    *version = VERSION;
    return HIP_RESULT_SUCCESS;
}

hip_result hipRuntimeGetVersion(int *version)
{
    *version = VERSION;
    return HIP_RESULT_SUCCESS;
}

const char *hipGetErrorName(hip_result error)
{
    static const gpu_result_name names[] = {HIP_RESULTS(GPU_RESULT_NAME)};

    return gpu_name_result((gpu_result)error, names, sizeof(names) / sizeof(names[0]));
}

const char *hipGetErrorString(hip_result error)
{
    return cuda_error_text((gpu_result)error);
}

/* ------------------------------------------------------------------------------------------------ devices -- */

hip_result hipGetDeviceCount(int *count)
{
    return forward_result(cuda.device_count(count));
}

hip_result hipDeviceGetName(char *name, int size, hip_device device)
{
    return forward_result(cuda.device_name(name, size, device));
}

hip_result hipDeviceGetUuid(hip_uuid *uuid, hip_device device)
{
    cuda_uuid found;
    cuda_result result = cuda.device_uuid(&found, device);

    if (result == CUDA_RESULT_SUCCESS)
        memcpy(uuid->bytes, found.bytes, sizeof(uuid->bytes));
    return forward_result(result);
}

hip_result hipDeviceTotalMem(size_t *bytes, hip_device device)
{
    return forward_result(cuda.device_total_memory(bytes, device));
}

hip_result hipDeviceGetAttribute(int *value, hip_device_attribute attribute, int device)
{
    static const struct {
        hip_device_attribute theirs;
        cuda_device_attribute ours;
    } pairs[] = {
#define PAIR(prefix, attribute) {HIP_ATTRIBUTE_##attribute, CUDA_ATTRIBUTE_##attribute},
        GPU_COMMON_ATTRIBUTES(PAIR, )};

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i) {
        if (pairs[i].theirs != attribute)
            continue;
        /* Whatever a block can have it may use without asking. */
        cuda_device_attribute ours =
            attribute == HIP_ATTRIBUTE_MAX_SHARED ? CUDA_ATTRIBUTE_MAX_SHARED_OPTIN : pairs[i].ours;
        return forward_result(cuda.device_attribute(value, ours, device));
    }
    return HIP_RESULT_INVALID_VALUE;
}

static hip_result name_architecture(char *name, size_t size, int device)
{
    int major, minor;
    cuda_result result = cuda.device_attribute(&major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, device);

    if (result == CUDA_RESULT_SUCCESS)
        result = cuda.device_attribute(&minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR, device);
    if (result == CUDA_RESULT_SUCCESS)
        snprintf(name, size, "gfxsm%d%d", major, minor);
    return forward_result(result);
}

hip_result hipGetDevicePropertiesR0600(hip_properties_r0600 *properties, int device)
{
    memset(properties, 0, HIP_PROPERTIES_R0600_SIZE);
    return name_architecture(properties->architecture, sizeof(properties->architecture), device);
}

hip_result hipGetDeviceProperties(hip_properties_r0000 *properties, int device)
{
    memset(properties, 0, HIP_PROPERTIES_R0000_SIZE);
    return name_architecture(properties->architecture, sizeof(properties->architecture), device);
}

hip_result hipDeviceCanAccessPeer(int *yes, int device, int peer)
{
    return forward_result(cuda.device_can_access_peer(yes, device, peer));
}

/* ------------------------------------------------------------------------------------- the current device -- */

hip_result forward_context(int device, cuda_context *context)
{
    cuda_result result = CUDA_RESULT_SUCCESS;

    if (device < 0 || device >= FORWARD_DEVICES)
        return HIP_RESULT_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    if (contexts[device] == NULL)
        result = cuda.primary_retain(&contexts[device], device);
    *context = contexts[device];
    pthread_mutex_unlock(&lock);
    return forward_result(result);
}

hip_result forward_enter(void)
{
    cuda_context wanted = NULL, current = NULL;
    hip_result result = forward_context(current_device, &wanted);

    if (result != HIP_RESULT_SUCCESS)
        return result;
    if (cuda.context_get(&current) == CUDA_RESULT_SUCCESS && current == wanted)
        return HIP_RESULT_SUCCESS;
    return forward_result(cuda.context_set(wanted));
}

hip_result hipGetDevice(int *device)
{
    *device = current_device;
    return HIP_RESULT_SUCCESS;
}

hip_result hipSetDevice(int device)
{
    int count = 0;
    cuda_result result = cuda.device_count(&count);

    if (result != CUDA_RESULT_SUCCESS)
        return forward_result(result);
    if (device < 0 || device >= count)
        return HIP_RESULT_INVALID_DEVICE;
    current_device = device;
    return HIP_RESULT_SUCCESS;
}

hip_result hipDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    cuda_context context;
    hip_result result = forward_context(peer, &context);

    if (result != HIP_RESULT_SUCCESS)
        return result;
    FORWARD_ENTER();
    return forward_result(cuda.context_enable_peer(context, flags));
}
