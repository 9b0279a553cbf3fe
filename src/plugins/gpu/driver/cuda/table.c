/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA behind the driver table. */
#include "plugins/gpu/driver/cuda/cuda.h"

#include "plugins/gpu/driver/error_class.h"

#include <stdio.h>
#include <string.h>

GPU_AGREE_ALL(CUDA);

#define GPU_CALL(member) (cuda.member)
#define GPU_TYPE(noun) cuda_##noun
#define GPU_ADDRESS(ptr) ((cuda_device_pointer)(uintptr_t)(ptr))
#include "plugins/gpu/driver/adaptor.h"

enum {
    FIRST_WITH_LARGE_PARAMETERS = 12010, /* the driver, and compute capability 7.0 */
    PARAMETER_BYTES = 4096,
    LARGE_PARAMETER_BYTES = 32764
};

static gpu_result device_get(int *device, int ordinal)
{
    return (gpu_result)cuda.device_get(device, ordinal);
}

static gpu_result device_attribute(int *value, int number, int device)
{
    return (gpu_result)cuda.device_attribute(value, (cuda_device_attribute)number, device);
}

static gpu_result device_describe(gpu_description *description, int device)
{
    int major, minor;
    cuda_uuid uuid;
    cuda_result result = cuda.device_attribute(&major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, device);

    if (result == CUDA_RESULT_SUCCESS)
        result = cuda.device_attribute(&minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR, device);
    if (result == CUDA_RESULT_SUCCESS)
        result = cuda.device_uuid(&uuid, device);
    if (result != CUDA_RESULT_SUCCESS)
        return (gpu_result)result;
    cuda_target_names(10 * major + minor, description);
    memcpy(description->uuid, uuid.bytes, sizeof(description->uuid));
    bool old = cuda_driver.driver_version < FIRST_WITH_LARGE_PARAMETERS;
    description->max_parameter_bytes = !old && major >= 7 ? LARGE_PARAMETER_BYTES : PARAMETER_BYTES;
    description->more_parameters = old && major >= 7 ? "update the driver to CUDA 12.1 or later" : NULL;
    return 0;
}

static gpu_result context_retain(gpu_context *context, int device)
{
    cuda_context made = NULL;
    cuda_result result = cuda.primary_retain(&made, device);

    if (result == CUDA_RESULT_SUCCESS)
        *context = (gpu_context)made;
    return (gpu_result)result;
}

/* The program, or a runtime in it, may have retained the context as well: then it goes on, and stays current. */
static gpu_result context_release(gpu_context context, int device)
{
    cuda_context current = NULL;
    unsigned flags = 0;
    int active = 1;
    cuda_result result = cuda.primary_release(device);

    if (result == CUDA_RESULT_SUCCESS && cuda.primary_state(device, &flags, &active) == CUDA_RESULT_SUCCESS &&
        active == 0 && cuda.context_get(&current) == CUDA_RESULT_SUCCESS && current == (cuda_context)context)
        cuda.context_set(NULL);
    return (gpu_result)result;
}

static gpu_result context_get_current(gpu_context *context)
{
    cuda_context current = NULL;
    cuda_result result = cuda.context_get(&current);

    if (result == CUDA_RESULT_SUCCESS)
        *context = (gpu_context)current;
    return (gpu_result)result;
}

static gpu_result context_set_current(gpu_context context)
{
    return (gpu_result)cuda.context_set((cuda_context)context);
}

static gpu_result context_push(gpu_context context)
{
    return (gpu_result)cuda.context_push((cuda_context)context);
}

static gpu_result context_pop(gpu_context previous)
{
    cuda_context popped = NULL;

    (void)previous; /* it lies below, perhaps destroyed meanwhile */
    return (gpu_result)cuda.context_pop(&popped);
}

static gpu_result context_enable_peer(gpu_context peer)
{
    return (gpu_result)cuda.context_enable_peer((cuda_context)peer, 0);
}

static gpu_result copy(void *dst, const void *src, size_t size, gpu_stream stream)
{
    return (gpu_result)cuda.copy(GPU_ADDRESS(dst), GPU_ADDRESS(src), size, (cuda_stream)stream);
}

/* Ends that are not the host's may be managed memory, or another device's: unified addressing finds out. */
static cuda_copy_3d describe_copy(const gpu_copy_3d *copy)
{
    return (cuda_copy_3d){
        .src_type = copy->src_host ? CUDA_MEMORY_HOST : CUDA_MEMORY_UNIFIED,
        .src_host = copy->src_host ? copy->src : NULL,
        .src_device = copy->src_host ? 0 : GPU_ADDRESS(copy->src),
        .src_pitch = copy->src_pitch,
        .src_height = copy->src_rows,
        .dst_type = copy->dst_host ? CUDA_MEMORY_HOST : CUDA_MEMORY_UNIFIED,
        .dst_host = copy->dst_host ? copy->dst : NULL,
        .dst_device = copy->dst_host ? 0 : GPU_ADDRESS(copy->dst),
        .dst_pitch = copy->dst_pitch,
        .dst_height = copy->dst_rows,
        .width = copy->width,
        .height = copy->height,
        .depth = copy->depth,
    };
}

static gpu_result copy_3d(const gpu_copy_3d *copy, gpu_stream stream)
{
    cuda_copy_3d described = describe_copy(copy);

    return (gpu_result)cuda.copy_3d(&described, (cuda_stream)stream);
}

static gpu_result copy_peer(void *dst, gpu_context dst_context, const void *src, gpu_context src_context, size_t size,
                            gpu_stream stream)
{
    return (gpu_result)cuda.copy_peer(GPU_ADDRESS(dst), (cuda_context)dst_context, GPU_ADDRESS(src),
                                      (cuda_context)src_context, size, (cuda_stream)stream);
}

static gpu_result copy_peer_3d(const gpu_copy_3d *copy, gpu_context dst_context, gpu_context src_context,
                               gpu_stream stream)
{
    cuda_copy_3d described = describe_copy(copy);

    described.dst_type = CUDA_MEMORY_DEVICE;
    described.dst_context = (cuda_context)dst_context;
    described.src_type = CUDA_MEMORY_DEVICE;
    described.src_context = (cuda_context)src_context;
    return (gpu_result)cuda.copy_3d_peer(&described, (cuda_stream)stream);
}

static gpu_result fill_32(void *ptr, uint32_t value, size_t count, gpu_stream stream)
{
    return (gpu_result)cuda.fill_32(GPU_ADDRESS(ptr), value, count, (cuda_stream)stream);
}

/* The compiler's words on PTX that it refuses come back in the log. Sizes travel in the pointers. */
static gpu_result code_load(gpu_code *code, const void *image, char *log, size_t log_size)
{
    cuda_jit_option options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)log_size};
    cuda_module module = NULL;

    log[0] = '\0';
    cuda_result result = cuda.module_load(&module, image, 2, options, values);
    if (result == CUDA_RESULT_SUCCESS)
        *code = (gpu_code)module;
    return (gpu_result)result;
}

static gpu_result function_load(gpu_function function)
{
    return (gpu_result)cuda.function_load((cuda_function)function);
}

static gpu_result function_set_attribute(gpu_function function, int attribute, int value)
{
    return (gpu_result)cuda.function_set_attribute((cuda_function)function, (cuda_function_attribute)attribute, value);
}

static gpu_result occupancy_block(int *blocks, int *threads, gpu_function function, size_t shared_bytes)
{
    return (gpu_result)cuda.occupancy_threads(blocks, threads, (cuda_function)function, NULL, shared_bytes, 0);
}

gpu_driver cuda_driver = {
    .name = "cuda",
    .product = "CUDA",
    .error_classes = cuda_error_classes,
    .attribute_numbers = {GPU_COMMON_ATTRIBUTES(GPU_ATTRIBUTE_NUMBER, CUDA) GPU_ATTRIBUTE_NUMBER(CUDA, MAX_SHARED_OPTIN)
                              GPU_ATTRIBUTE_NUMBER(CUDA, UNIFIED_ADDRESS)
                                  GPU_ATTRIBUTE_NUMBER(CUDA, STREAM_PRIORITIES)},
    .least_priority = 0,
    .greatest_priority = -5,
    .error_name = cuda_error_name,
    .error_text = cuda_error_text,
    GPU_COMMON_SLOTS,
    .target_rank = cuda_target_rank,
    .copy_peer_3d = copy_peer_3d,
    .stream_call = stream_call,
    .explain_refusal = cuda_explain_refusal,
    .accepts_image = cuda_accepts_image,
    .function_set_attribute = function_set_attribute,
};

void cuda_complete(gpu_driver *driver)
{
    driver->error_class_count = cuda_error_class_count;
    driver->function_load = cuda.function_load != NULL ? function_load : NULL;
    complete_common(driver);
}
