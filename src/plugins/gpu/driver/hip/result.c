/* SPDX-License-Identifier: Apache-2.0 */
/* What HIP's result codes mean, and their words. Return values only: hipGetLastError keeps errors from HIP 7 on. */
#include "plugins/gpu/driver/hip/hip.h"

#include "plugins/gpu/driver/error_class.h"

const gpu_error_class hip_error_classes[] = {
    GPU_COMMON_ERROR_CLASSES(GPU_ERROR_CLASS, HIP) GPU_ERROR_CLASS(HIP, INVALID_CONFIGURATION, REFUSED, ACCEL_LIMIT)
        GPU_ERROR_CLASS(HIP, INVALID_DEVICE_FUNCTION, REFUSED, ACCEL_INCOMPATIBLE)
            GPU_ERROR_CLASS(HIP, INVALID_KERNEL_FILE, REFUSED, ACCEL_INCOMPATIBLE)
                GPU_ERROR_CLASS(HIP, INVALID_SYMBOL, REFUSED, ACCEL_NOT_FOUND)
                    GPU_ERROR_CLASS(HIP, PRIOR_LAUNCH_FAILURE, FAULT, ACCEL_KERNEL_FAULT)};
const size_t hip_error_class_count = sizeof(hip_error_classes) / sizeof(hip_error_classes[0]);

static const gpu_result_name names[] = {HIP_RESULTS(GPU_RESULT_NAME)};

const char *hip_error_name(gpu_result result)
{
    const char *name = hip.error_name != NULL ? hip.error_name((hip_result)result) : NULL;

    if (name != NULL)
        return name;
    return gpu_name_result(result, names, sizeof(names) / sizeof(names[0]));
}

const char *hip_error_text(gpu_result result)
{
    const char *text = hip.error_string != NULL ? hip.error_string((hip_result)result) : NULL;

    return text != NULL ? text : GPU_NO_RESULT_TEXT;
}
