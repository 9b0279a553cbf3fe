/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, copies and fills. */
#include "entry.h"
#include "../engine/copy.h"
#include "../engine/memory.h"

cuda_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    CUDA_CALL(sim_memory_info(free_bytes, total_bytes));
}

cuda_result cuMemAlloc_v2(cuda_device_pointer *pointer, size_t size)
{
    CUDA_CALL(sim_memory_allocate(SIM_MEMORY_DEVICE, size, (void **)pointer));
}

static void *pointer_of(cuda_device_pointer pointer)
{
    return (void *)pointer; /* NOLINT(performance-no-int-to-ptr) */
}

cuda_result cuMemFree_v2(cuda_device_pointer pointer)
{
    CUDA_CALL(sim_memory_free(SIM_MEMORY_DEVICE, pointer_of(pointer)));
}

cuda_result cuMemAllocAsync(cuda_device_pointer *pointer, size_t size, cuda_stream stream)
{
    CUDA_CALL(sim_memory_allocate_async(size, stream, (void **)pointer));
}

cuda_result cuMemFreeAsync(cuda_device_pointer pointer, cuda_stream stream)
{
    CUDA_CALL(sim_memory_free_async(pointer_of(pointer), stream));
}

cuda_result cuMemAllocManaged(cuda_device_pointer *pointer, size_t size, unsigned flags)
{
    CUDA_CALL(flags != CUDA_ATTACH_GLOBAL ? SIM_INVALID_VALUE
                                          : sim_memory_allocate(SIM_MEMORY_MANAGED, size, (void **)pointer));
}

cuda_result cuMemHostAlloc(void **pointer, size_t size, unsigned flags)
{
    CUDA_CALL(sim_memory_allocate_host(size, flags, pointer));
}

cuda_result cuMemFreeHost(void *pointer)
{
    CUDA_CALL(sim_memory_free(SIM_MEMORY_PINNED, pointer));
}

cuda_result cuMemHostGetDevicePointer_v2(cuda_device_pointer *pointer, void *host, unsigned flags)
{
    CUDA_CALL(flags != 0 ? SIM_INVALID_VALUE : sim_memory_device_pointer(host, (void **)pointer));
}

/* ------------------------------------------------------------------------------------------------ copies -- */

cuda_result cuMemcpyAsync(cuda_device_pointer dst, cuda_device_pointer src, size_t size, cuda_stream stream)
{
    CUDA_CALL(sim_copy_submit(sim_copy_of(pointer_of(dst), SIM_SIDE_ANY, pointer_of(src), SIM_SIDE_ANY, size), stream));
}

/* Of one end: its first byte, and what the caller says it is. */
static sim_place place_of(cuda_memory_type type, const void *host, cuda_device_pointer device, size_t x, size_t y,
                          size_t z, size_t pitch, size_t height)
{
    const char *base = type == CUDA_MEMORY_HOST ? host : pointer_of(device);
    size_t slice = pitch * height;
    return (sim_place){.address = (char *)(uintptr_t)base + z * slice + y * pitch + x,
                       .side = type == CUDA_MEMORY_HOST     ? SIM_SIDE_HOST
                               : type == CUDA_MEMORY_DEVICE ? SIM_SIDE_DEVICE
                                                            : SIM_SIDE_ANY,
                       .pitch = pitch,
                       .slice = slice};
}

static sim_status copy_3d(const cuda_copy_3d *copy, cuda_stream stream)
{
    sim_copy made = {.dst = place_of(copy->dst_type, copy->dst_host, copy->dst_device, copy->dst_x, copy->dst_y,
                                     copy->dst_z, copy->dst_pitch, copy->dst_height),
                     .src = place_of(copy->src_type, copy->src_host, copy->src_device, copy->src_x, copy->src_y,
                                     copy->src_z, copy->src_pitch, copy->src_height),
                     .width = copy->width,
                     .height = copy->height,
                     .depth = copy->depth};
    return sim_copy_submit(made, stream);
}

cuda_result cuMemcpy3DAsync_v2(const cuda_copy_3d *copy, cuda_stream stream)
{
    CUDA_CALL(copy->src_context != NULL || copy->dst_context != NULL ? SIM_INVALID_VALUE : copy_3d(copy, stream));
}

/* The contexts of a copy between devices say whose memory it is. */
static sim_status check_owner(const void *address, cuda_context handle)
{
    sim_context *context;
    const sim_block *block = sim_memory_find(address);
    sim_status status = sim_context_of(handle, &context);
    return status == SIM_OK && block != NULL && block->context != context ? SIM_INVALID_VALUE : status;
}

static sim_status copy_peer(const cuda_copy_3d *copy, cuda_stream stream)
{
    sim_status status =
        copy->dst_type == CUDA_MEMORY_HOST ? SIM_OK : check_owner(pointer_of(copy->dst_device), copy->dst_context);
    if (status == SIM_OK && copy->src_type != CUDA_MEMORY_HOST)
        status = check_owner(pointer_of(copy->src_device), copy->src_context);
    return status == SIM_OK ? copy_3d(copy, stream) : status;
}

cuda_result cuMemcpy3DPeerAsync(const cuda_copy_3d_peer *copy, cuda_stream stream)
{
    CUDA_CALL(copy_peer(copy, stream));
}

cuda_result cuMemcpyPeerAsync(cuda_device_pointer dst, cuda_context dst_context, cuda_device_pointer src,
                              cuda_context src_context, size_t size, cuda_stream stream)
{
    cuda_copy_3d copy = {.src_type = CUDA_MEMORY_DEVICE,
                         .src_device = src,
                         .src_context = src_context,
                         .dst_type = CUDA_MEMORY_DEVICE,
                         .dst_device = dst,
                         .dst_context = dst_context,
                         .width = size,
                         .height = 1,
                         .depth = 1};
    CUDA_CALL(copy_peer(&copy, stream));
}

/* ------------------------------------------------------------------------------------------------- fills -- */

cuda_result cuMemsetD8Async(cuda_device_pointer dst, unsigned char value, size_t count, cuda_stream stream)
{
    CUDA_CALL(sim_fill_submit(pointer_of(dst), 0, value, 1, count, 1, stream));
}

cuda_result cuMemsetD16Async(cuda_device_pointer dst, unsigned short value, size_t count, cuda_stream stream)
{
    CUDA_CALL(sim_fill_submit(pointer_of(dst), 0, value, 2, count, 1, stream));
}

cuda_result cuMemsetD32Async(cuda_device_pointer dst, unsigned value, size_t count, cuda_stream stream)
{
    CUDA_CALL(sim_fill_submit(pointer_of(dst), 0, value, 4, count, 1, stream));
}

cuda_result cuMemsetD2D8Async(cuda_device_pointer dst, size_t pitch, unsigned char value, size_t width, size_t height,
                              cuda_stream stream)
{
    CUDA_CALL(sim_fill_submit(pointer_of(dst), pitch, value, 1, width, height, stream));
}

cuda_result cuMemsetD2D16Async(cuda_device_pointer dst, size_t pitch, unsigned short value, size_t width, size_t height,
                               cuda_stream stream)
{
    CUDA_CALL(sim_fill_submit(pointer_of(dst), pitch, value, 2, width, height, stream));
}

cuda_result cuMemsetD2D32Async(cuda_device_pointer dst, size_t pitch, unsigned value, size_t width, size_t height,
                               cuda_stream stream)
{
    CUDA_CALL(sim_fill_submit(pointer_of(dst), pitch, value, 4, width, height, stream));
}
