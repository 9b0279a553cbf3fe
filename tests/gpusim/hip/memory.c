/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, copies and fills. */
#include "entry.h"
#include "../engine/copy.h"
#include "../engine/device.h"
#include "../engine/memory.h"

hip_result hipMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    HIP_CALL(sim_memory_info(free_bytes, total_bytes));
}

hip_result hipMalloc(void **pointer, size_t size)
{
    HIP_CALL(sim_memory_allocate(SIM_MEMORY_DEVICE, size, pointer));
}

hip_result hipFree(void *pointer)
{
    HIP_CALL(sim_memory_free(SIM_MEMORY_DEVICE, pointer));
}

hip_result hipMallocAsync(void **pointer, size_t size, hip_stream stream)
{
    HIP_CALL(sim_memory_allocate_async(size, stream, pointer));
}

hip_result hipFreeAsync(void *pointer, hip_stream stream)
{
    HIP_CALL(sim_memory_free_async(pointer, stream));
}

hip_result hipMallocManaged(void **pointer, size_t size, unsigned flags)
{
    HIP_CALL(flags != HIP_ATTACH_GLOBAL ? SIM_INVALID_VALUE : sim_memory_allocate(SIM_MEMORY_MANAGED, size, pointer));
}

hip_result hipHostMalloc(void **pointer, size_t size, unsigned flags)
{
    HIP_CALL(sim_memory_allocate_host(size, flags, pointer));
}

hip_result hipHostFree(void *pointer)
{
    HIP_CALL(sim_memory_free(SIM_MEMORY_PINNED, pointer));
}

hip_result hipHostGetDevicePointer(void **pointer, void *host, unsigned flags)
{
    HIP_CALL(flags != 0 ? SIM_INVALID_VALUE : sim_memory_device_pointer(host, pointer));
}

/* ------------------------------------------------------------------------------------------------ copies -- */

static sim_side dst_side(hip_copy_kind kind)
{
    return kind == HIP_COPY_DEFAULT                                           ? SIM_SIDE_ANY
           : kind == HIP_COPY_HOST_TO_HOST || kind == HIP_COPY_DEVICE_TO_HOST ? SIM_SIDE_HOST
                                                                              : SIM_SIDE_DEVICE;
}

static sim_side src_side(hip_copy_kind kind)
{
    return kind == HIP_COPY_DEFAULT                                           ? SIM_SIDE_ANY
           : kind == HIP_COPY_HOST_TO_HOST || kind == HIP_COPY_HOST_TO_DEVICE ? SIM_SIDE_HOST
                                                                              : SIM_SIDE_DEVICE;
}

hip_result hipMemcpyAsync(void *dst, const void *src, size_t size, hip_copy_kind kind, hip_stream stream)
{
    HIP_CALL(sim_copy_submit(sim_copy_of(dst, dst_side(kind), src, src_side(kind), size), stream));
}

static sim_place place_of(const hip_pitched_pointer *pointer, const hip_position *at, sim_side side)
{
    size_t slice = pointer->pitch * pointer->height;
    return (sim_place){.address = (char *)pointer->pointer + at->z * slice + at->y * pointer->pitch + at->x,
                       .side = side,
                       .pitch = pointer->pitch,
                       .slice = slice};
}

hip_result hipMemcpy3DAsync(const hip_copy_3d *copy, hip_stream stream)
{
    sim_copy made = {.dst = place_of(&copy->dst, &copy->dst_position, dst_side(copy->kind)),
                     .src = place_of(&copy->src, &copy->src_position, src_side(copy->kind)),
                     .width = copy->extent.width,
                     .height = copy->extent.height,
                     .depth = copy->extent.depth};
    HIP_CALL(copy->dst_array != NULL || copy->src_array != NULL ? SIM_NOT_SUPPORTED : sim_copy_submit(made, stream));
}

/* The devices of a copy between devices say whose memory it is. */
static sim_status check_owner(const void *address, int ordinal)
{
    const sim_block *block = sim_memory_find(address);
    if (sim_device_at(ordinal) == NULL)
        return SIM_INVALID_DEVICE;
    return block != NULL && block->context != sim_devices[ordinal].primary ? SIM_INVALID_VALUE : SIM_OK;
}

static sim_status copy_peer(sim_copy copy, int dst_device, int src_device, hip_stream stream)
{
    sim_status status = check_owner(copy.dst.address, dst_device);
    if (status == SIM_OK)
        status = check_owner(copy.src.address, src_device);
    return status == SIM_OK ? sim_copy_submit(copy, stream) : status;
}

hip_result hipMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t size,
                              hip_stream stream)
{
    HIP_CALL(copy_peer(sim_copy_of(dst, SIM_SIDE_DEVICE, src, SIM_SIDE_DEVICE, size), dst_device, src_device, stream));
}

/* ------------------------------------------------------------------------------------------------- fills -- */

hip_result hipMemsetD8Async(hip_device_pointer dst, unsigned char value, size_t count, hip_stream stream)
{
    HIP_CALL(sim_fill_submit(dst, 0, value, 1, count, 1, stream));
}

hip_result hipMemsetD16Async(hip_device_pointer dst, unsigned short value, size_t count, hip_stream stream)
{
    HIP_CALL(sim_fill_submit(dst, 0, value, 2, count, 1, stream));
}

hip_result hipMemsetD32Async(hip_device_pointer dst, int value, size_t count, hip_stream stream)
{
    HIP_CALL(sim_fill_submit(dst, 0, (unsigned)value, 4, count, 1, stream));
}

hip_result hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height, hip_stream stream)
{
    HIP_CALL(sim_fill_submit(dst, pitch, (unsigned char)value, 1, width, height, stream));
}

hip_result hipMemsetD2D16Async(hip_device_pointer dst, size_t pitch, unsigned short value, size_t width, size_t height,
                               hip_stream stream)
{
    HIP_CALL(sim_fill_submit(dst, pitch, value, 2, width, height, stream));
}

hip_result hipMemsetD2D32Async(hip_device_pointer dst, size_t pitch, unsigned value, size_t width, size_t height,
                               hip_stream stream)
{
    HIP_CALL(sim_fill_submit(dst, pitch, value, 4, width, height, stream));
}
