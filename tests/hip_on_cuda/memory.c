/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, copies and fills. */
#include "forward.h"

#include <stdbool.h>

static hip_result give(cuda_result result, const cuda_device_pointer *address, void **pointer)
{
    if (result == CUDA_RESULT_SUCCESS)
        *pointer = (void *)(uintptr_t)*address;
    return forward_result(result);
}

hip_result hipMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    FORWARD_ENTER();
    return forward_result(cuda.memory_info(free_bytes, total_bytes));
}

hip_result hipMalloc(void **pointer, size_t size)
{
    cuda_device_pointer address = 0;

    FORWARD_ENTER();
    return give(cuda.memory_allocate(&address, size), &address, pointer);
}

hip_result hipFree(void *pointer)
{
    FORWARD_ENTER();
    return forward_result(cuda.memory_free(forward_address(pointer)));
}

hip_result hipMallocAsync(void **pointer, size_t size, hip_stream stream)
{
    cuda_device_pointer address = 0;

    FORWARD_ENTER();
    return give(cuda.memory_allocate_async(&address, size, (cuda_stream)stream), &address, pointer);
}

hip_result hipFreeAsync(void *pointer, hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.memory_free_async(forward_address(pointer), (cuda_stream)stream));
}

hip_result hipMallocManaged(void **pointer, size_t size, unsigned int flags)
{
    cuda_device_pointer address = 0;

    FORWARD_ENTER();
    return give(cuda.memory_allocate_managed(&address, size, flags), &address, pointer);
}

hip_result hipHostMalloc(void **pointer, size_t size, unsigned int flags)
{
    FORWARD_ENTER();
    return forward_result(cuda.host_allocate(pointer, size, flags));
}

hip_result hipHostFree(void *pointer)
{
    FORWARD_ENTER();
    return forward_result(cuda.host_free(pointer));
}

hip_result hipHostGetDevicePointer(void **pointer, void *host, unsigned int flags)
{
    cuda_device_pointer address = 0;

    FORWARD_ENTER();
    return give(cuda.host_device_pointer(&address, host, flags), &address, pointer);
}

hip_result hipMemcpyAsync(void *dst, const void *src, size_t size, hip_copy_kind kind, hip_stream stream)
{
    (void)kind; /* addresses tell */
    FORWARD_ENTER();
    return forward_result(cuda.copy(forward_address(dst), forward_address(src), size, (cuda_stream)stream));
}

hip_result hipMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t size,
                              hip_stream stream)
{
    cuda_context dst_context, src_context;
    hip_result result = forward_context(dst_device, &dst_context);

    if (result == HIP_RESULT_SUCCESS)
        result = forward_context(src_device, &src_context);
    if (result != HIP_RESULT_SUCCESS)
        return result;
    FORWARD_ENTER();
    return forward_result(cuda.copy_peer(forward_address(dst), dst_context, forward_address(src), src_context, size,
                                         (cuda_stream)stream));
}

hip_result hipMemcpy3DAsync(const hip_copy_3d *copy, hip_stream stream)
{
    bool src_host = copy->kind == HIP_COPY_HOST_TO_HOST || copy->kind == HIP_COPY_HOST_TO_DEVICE;
    bool dst_host = copy->kind == HIP_COPY_HOST_TO_HOST || copy->kind == HIP_COPY_DEVICE_TO_HOST;
    cuda_copy_3d described = {
        .src_x = copy->src_position.x,
        .src_y = copy->src_position.y,
        .src_z = copy->src_position.z,
        .src_type = src_host ? CUDA_MEMORY_HOST : CUDA_MEMORY_UNIFIED,
        .src_host = src_host ? copy->src.pointer : NULL,
        .src_device = src_host ? 0 : forward_address(copy->src.pointer),
        .src_pitch = copy->src.pitch,
        .src_height = copy->src.height,
        .dst_x = copy->dst_position.x,
        .dst_y = copy->dst_position.y,
        .dst_z = copy->dst_position.z,
        .dst_type = dst_host ? CUDA_MEMORY_HOST : CUDA_MEMORY_UNIFIED,
        .dst_host = dst_host ? copy->dst.pointer : NULL,
        .dst_device = dst_host ? 0 : forward_address(copy->dst.pointer),
        .dst_pitch = copy->dst.pitch,
        .dst_height = copy->dst.height,
        .width = copy->extent.width,
        .height = copy->extent.height,
        .depth = copy->extent.depth,
    };

    FORWARD_ENTER();
    return forward_result(cuda.copy_3d(&described, (cuda_stream)stream));
}

hip_result hipMemsetD8Async(hip_device_pointer dst, unsigned char value, size_t count, hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.fill_8(forward_address(dst), value, count, (cuda_stream)stream));
}

hip_result hipMemsetD16Async(hip_device_pointer dst, unsigned short value, size_t count, hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.fill_16(forward_address(dst), value, count, (cuda_stream)stream));
}

hip_result hipMemsetD32Async(hip_device_pointer dst, int value, size_t count, hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.fill_32(forward_address(dst), (unsigned int)value, count, (cuda_stream)stream));
}

hip_result hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height, hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(
        cuda.fill_2d_8(forward_address(dst), pitch, (unsigned char)value, width, height, (cuda_stream)stream));
}

hip_result hipMemsetD2D16Async(hip_device_pointer dst, size_t pitch, unsigned short value, size_t width, size_t height,
                               hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.fill_2d_16(forward_address(dst), pitch, value, width, height, (cuda_stream)stream));
}

hip_result hipMemsetD2D32Async(hip_device_pointer dst, size_t pitch, unsigned int value, size_t width, size_t height,
                               hip_stream stream)
{
    FORWARD_ENTER();
    return forward_result(cuda.fill_2d_32(forward_address(dst), pitch, value, width, height, (cuda_stream)stream));
}
