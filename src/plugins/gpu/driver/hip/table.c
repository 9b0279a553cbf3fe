/* SPDX-License-Identifier: Apache-2.0 */
/* HIP behind the driver table. It has no contexts: the device that is current on a thread, as its ordinal plus 1, is one. */
#include "plugins/gpu/driver/hip/hip.h"

#include "plugins/gpu/driver/error_class.h"

#include <stdlib.h>
#include <string.h>

GPU_AGREE_ALL(HIP);

#define GPU_CALL(member) (hip.member)
#define GPU_TYPE(noun) hip_##noun
#define GPU_ADDRESS(ptr) (ptr)
#include "plugins/gpu/driver/adaptor.h"

enum {
    ALWAYS = -2, /* in attribute_numbers: 1, on every device that HIP runs on, though some versions deny it */
    /* A grid has at most UINT32_MAX threads along a dimension; so many blocks of any size fit. The library tells more. */
    MAX_BLOCKS = UINT32_MAX / ACCEL_MAX_BLOCK_THREADS,
    /* HIP states no limit; what libaccel hands to kernels at most. */
    PARAMETER_BYTES = ACCEL_MAX_ARGS_SIZE + 64 + sizeof(accel_grid)
};

static gpu_result device_get(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

static gpu_result device_attribute(int *value, int number, int device)
{
    if (number == ALWAYS) {
        *value = 1;
        return 0;
    }
    gpu_result result = (gpu_result)hip.device_attribute(value, (hip_device_attribute)number, device);
    if (result == 0 && number >= (int)HIP_ATTRIBUTE_MAX_BLOCKS_X && number <= (int)HIP_ATTRIBUTE_MAX_BLOCKS_Z &&
        *value > (int)MAX_BLOCKS)
        *value = (int)MAX_BLOCKS;
    return result;
}

/* The name with its features stands only in the struct whose layout differs between majors: each function has one. */
static gpu_result architecture(char *name, size_t size, int device)
{
    union {
        hip_properties_r0600 r0600;
        hip_properties_r0000 r0000;
    } properties;
    const char *found;
    hip_result result;

    memset(&properties, 0, sizeof(properties));
    if (hip.device_properties_r0600 != NULL) {
        result = hip.device_properties_r0600(&properties.r0600, device);
        found = properties.r0600.architecture;
    } else {
        result = hip.device_properties_r0000(&properties.r0000, device);
        found = properties.r0000.architecture;
    }
    if (result == HIP_RESULT_SUCCESS) {
        size_t length = strnlen(found, size - 1);
        memcpy(name, found, length);
        name[length] = '\0';
    }
    return (gpu_result)result;
}

static gpu_result device_describe(gpu_description *description, int device)
{
    char name[sizeof(description->architecture)];
    hip_uuid uuid;
    gpu_result result = architecture(name, sizeof(name), device);

    if (result != 0)
        return result;
    hip_target_names(name, description);
    memset(description->uuid, 0, sizeof(description->uuid));
    if (hip.device_uuid != NULL && hip.device_uuid(&uuid, device) == HIP_RESULT_SUCCESS)
        memcpy(description->uuid, uuid.bytes, sizeof(description->uuid));
    description->max_parameter_bytes = PARAMETER_BYTES;
    description->more_parameters = NULL;
    return 0;
}

static gpu_context context_of(int device)
{
    return (gpu_context)(uintptr_t)(unsigned)(device + 1);
}

static int device_of(gpu_context context)
{
    return (int)(uintptr_t)context - 1;
}

static gpu_result context_retain(gpu_context *context, int device)
{
    *context = context_of(device);
    return 0;
}

static gpu_result context_release(gpu_context context, int device)
{
    (void)context;
    (void)device;
    return 0;
}

static gpu_result context_get_current(gpu_context *context)
{
    int device = 0;
    hip_result result = hip.device_get(&device);

    if (result == HIP_RESULT_SUCCESS)
        *context = context_of(device);
    return (gpu_result)result;
}

static gpu_result context_set_current(gpu_context context)
{
    return context != NULL ? (gpu_result)hip.device_set(device_of(context)) : 0;
}

static gpu_result context_push(gpu_context context)
{
    return context_set_current(context);
}

static gpu_result context_pop(gpu_context previous)
{
    return context_set_current(previous);
}

static gpu_result context_enable_peer(gpu_context peer)
{
    return (gpu_result)hip.device_enable_peer(device_of(peer), 0);
}

static gpu_result copy(void *dst, const void *src, size_t size, gpu_stream stream)
{
    return (gpu_result)hip.copy(dst, src, size, HIP_COPY_DEFAULT, (hip_stream)stream);
}

static gpu_result copy_3d(const gpu_copy_3d *copy, gpu_stream stream)
{
    static const hip_copy_kind kinds[2][2] = {{HIP_COPY_DEVICE_TO_DEVICE, HIP_COPY_DEVICE_TO_HOST},
                                              {HIP_COPY_HOST_TO_DEVICE, HIP_COPY_HOST_TO_HOST}};
    hip_copy_3d described = {
        .src = {.pitch = copy->src_pitch, .width = copy->width, .height = copy->src_rows},
        .dst = {.pointer = copy->dst, .pitch = copy->dst_pitch, .width = copy->width, .height = copy->dst_rows},
        .extent = {.width = copy->width, .height = copy->height, .depth = copy->depth},
        .kind = kinds[copy->src_host][copy->dst_host],
    };

    memcpy(&described.src.pointer, &copy->src, sizeof(described.src.pointer)); /* HIP's is not const */
    return (gpu_result)hip.copy_3d(&described, (hip_stream)stream);
}

static gpu_result copy_peer(void *dst, gpu_context dst_context, const void *src, gpu_context src_context, size_t size,
                            gpu_stream stream)
{
    return (gpu_result)hip.copy_peer(dst, device_of(dst_context), src, device_of(src_context), size,
                                     (hip_stream)stream);
}

static gpu_result fill_32(void *ptr, uint32_t value, size_t count, gpu_stream stream)
{
    return (gpu_result)hip.fill_32(ptr, (int)value, count, (hip_stream)stream);
}

/* Before hipLaunchHostFunc (HIP 5.4): what a stream callback needs besides `user`. */
typedef struct callback {
    gpu_host_function function;
    void *user;
} callback;

static void run_callback(hip_stream stream, hip_result status, void *user)
{
    callback call = *(callback *)user;

    (void)stream;
    (void)status; /* the engine knows its queue's failure */
    free(user);
    call.function(call.user);
}

static gpu_result stream_call_by_callback(gpu_stream stream, gpu_host_function function, void *user)
{
    callback *call = malloc(sizeof(*call));

    if (call == NULL)
        return (gpu_result)HIP_RESULT_OUT_OF_MEMORY;
    *call = (callback){.function = function, .user = user};
    hip_result result = hip.stream_add_callback((hip_stream)stream, run_callback, call, 0);
    if (result != HIP_RESULT_SUCCESS)
        free(call);
    return (gpu_result)result;
}

static gpu_result code_load(gpu_code *code, const void *image, char *log, size_t log_size)
{
    hip_module module = NULL;
    hip_result result = hip.module_load(&module, image);

    (void)log_size;
    log[0] = '\0'; /* nothing is compiled */
    if (result == HIP_RESULT_SUCCESS)
        *code = (gpu_code)module;
    return (gpu_result)result;
}

static gpu_result occupancy_block(int *blocks, int *threads, gpu_function function, size_t shared_bytes)
{
    return (gpu_result)hip.occupancy_threads(blocks, threads, (hip_function)function, shared_bytes, 0);
}

gpu_driver hip_driver = {
    .name = "hip",
    .product = "HIP",
    .error_classes = hip_error_classes,
    .attribute_numbers = {GPU_COMMON_ATTRIBUTES(GPU_ATTRIBUTE_NUMBER, HIP)[GPU_ATTRIBUTE_MAX_SHARED_OPTIN] =
                              GPU_ATTRIBUTE_NONE,
                          [GPU_ATTRIBUTE_UNIFIED_ADDRESS] = ALWAYS, [GPU_ATTRIBUTE_STREAM_PRIORITIES] = ALWAYS},
    .least_priority = 1,
    .greatest_priority = -1,
    .error_name = hip_error_name,
    .error_text = hip_error_text,
    GPU_COMMON_SLOTS,
    .target_rank = hip_target_rank,
    .accepts_image = hip_accepts_image,
    .image_warp_size = hip_image_warp_size,
};

void hip_complete(gpu_driver *driver)
{
    driver->error_class_count = hip_error_class_count;
    driver->stream_call = hip.stream_call != NULL ? stream_call : stream_call_by_callback;
    complete_common(driver);
}
