/* SPDX-License-Identifier: Apache-2.0 */
/* What CUDA's result codes mean, and their words. */
#include "plugins/gpu/driver/cuda/cuda.h"

#include "plugins/gpu/driver/error_class.h"

#include <stdio.h>
#include <string.h>

const gpu_error_class cuda_error_classes[] = {
    GPU_COMMON_ERROR_CLASSES(GPU_ERROR_CLASS, CUDA) GPU_ERROR_CLASS(CUDA, INVALID_PTX, REFUSED, ACCEL_INCOMPATIBLE)
        GPU_ERROR_CLASS(CUDA, UNSUPPORTED_PTX_VERSION, REFUSED, ACCEL_INCOMPATIBLE)
            GPU_ERROR_CLASS(CUDA, JIT_COMPILER_NOT_FOUND, REFUSED, ACCEL_UNAVAILABLE)
                GPU_ERROR_CLASS(CUDA, JIT_COMPILATION_DISABLED, REFUSED, ACCEL_UNAVAILABLE)
                    GPU_ERROR_CLASS(CUDA, HARDWARE_STACK_ERROR, FAULT, ACCEL_KERNEL_FAULT)
                        GPU_ERROR_CLASS(CUDA, ILLEGAL_INSTRUCTION, FAULT, ACCEL_KERNEL_FAULT)
                            GPU_ERROR_CLASS(CUDA, MISALIGNED_ADDRESS, FAULT, ACCEL_KERNEL_FAULT)
                                GPU_ERROR_CLASS(CUDA, INVALID_ADDRESS_SPACE, FAULT, ACCEL_KERNEL_FAULT)
                                    GPU_ERROR_CLASS(CUDA, INVALID_PC, FAULT, ACCEL_KERNEL_FAULT)
                                        GPU_ERROR_CLASS(CUDA, NVLINK_UNCORRECTABLE, LOST, ACCEL_DEVICE_LOST)
                                            GPU_ERROR_CLASS(CUDA, CONTAINED, LOST, ACCEL_DEVICE_LOST)
                                                GPU_ERROR_CLASS(CUDA, MPS_CLIENT_TERMINATED, LOST, ACCEL_DEVICE_LOST)
                                                    GPU_ERROR_CLASS(CUDA, EXTERNAL_DEVICE, LOST, ACCEL_DEVICE_LOST)};
const size_t cuda_error_class_count = sizeof(cuda_error_classes) / sizeof(cuda_error_classes[0]);

static const gpu_result_name names[] = {CUDA_RESULTS(GPU_RESULT_NAME)};

const char *cuda_error_name(gpu_result result)
{
    const char *name = NULL;

    if (cuda.error_name != NULL && cuda.error_name((cuda_result)result, &name) == CUDA_RESULT_SUCCESS && name != NULL)
        return name;
    return gpu_name_result(result, names, sizeof(names) / sizeof(names[0]));
}

const char *cuda_error_text(gpu_result result)
{
    const char *text = NULL;

    if (cuda.error_string != NULL && cuda.error_string((cuda_result)result, &text) == CUDA_RESULT_SUCCESS &&
        text != NULL)
        return text;
    return GPU_NO_RESULT_TEXT;
}

int cuda_newest_ptx(int driver_version)
{
    int major = driver_version / 1000, minor = driver_version % 1000 / 10;

    switch (major) {
    case 11:
        return 70 + minor;
    case 12: /* 12.6 brought no new one */
        return 80 + (minor <= 5 ? minor : minor - 1);
    case 13:
        return 90 + minor;
    default:
        return 0;
    }
}

/* ".version 8.4" as 84; 0 if there is none. */
static int ptx_version(const char *text, size_t size)
{
    static const char word[] = ".version ";
    const char *at = memmem(text, size, word, strlen(word));
    char number[16];
    int major, minor;

    if (at == NULL)
        return 0;
    at += strlen(word);
    size_t left = (size_t)(text + size - at);
    snprintf(number, sizeof(number), "%.*s", (int)(left < 15 ? left : 15), at);
    return sscanf(number, "%d.%d", &major, &minor) == 2 && minor >= 0 && minor < 10 ? 10 * major + minor : 0;
}

static int version_of(const accel_image *image)
{
    return strcmp(image->format, "ptx") == 0 ? ptx_version(image->data, image->size) : 0;
}

/* "it is PTX 9.0, the driver (CUDA 12.2) takes up to 8.2" */
static void compare(int found, int newest, char *text, size_t size)
{
    snprintf(text, size, "it is PTX %d.%d, the driver (CUDA %d.%d) takes up to %d.%d", found / 10, found % 10,
             cuda_driver.driver_version / 1000, cuda_driver.driver_version % 1000 / 10, newest / 10, newest % 10);
}

bool cuda_accepts_image(const accel_image *image, char *reason, size_t size)
{
    int newest = cuda_newest_ptx(cuda_driver.driver_version), found = version_of(image);

    if (found == 0 || newest == 0 || found <= newest)
        return true;
    compare(found, newest, reason, size);
    return false;
}

void cuda_explain_refusal(gpu_result result, const accel_image *image, char *text, size_t size)
{
    static const char remedy[] = "; update the driver, or make the object with an older CUDA toolkit or as cubin";
    int newest = cuda_newest_ptx(cuda_driver.driver_version), found = version_of(image);

    text[0] = '\0';
    if (found == 0 || newest == 0 || (found <= newest && result != (gpu_result)CUDA_RESULT_UNSUPPORTED_PTX_VERSION))
        return;
    compare(found, newest, text, size);
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", remedy);
}
