/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_fake_driver.h"

#include <stdlib.h>
#include <string.h>

_Atomic uint32_t gpu_fake_allocations_left = UINT32_MAX;
_Atomic bool gpu_fake_has_fill_2d = true;

static gpu_result memory_allocate(void **ptr, size_t size)
{
    if (gpu_fake_state() != 0)
        return gpu_fake_state();
    if (gpu_fake_allocations_left == 0)
        return FAKE_SHORT;
    if (gpu_fake_allocations_left != UINT32_MAX)
        --gpu_fake_allocations_left;
    ++gpu_fake_alive;
    return posix_memalign(ptr, GPU_BASE_ALIGNMENT, size);
}

static gpu_result memory_free(void *ptr)
{
    free(ptr);
    --gpu_fake_alive;
    if (gpu_fake_allocations_left != UINT32_MAX)
        ++gpu_fake_allocations_left;
    return gpu_fake_state();
}

static gpu_result host_allocate(void **ptr, size_t size, unsigned flags)
{
    (void)flags;
    return memory_allocate(ptr, size);
}

static gpu_result host_device_pointer(void **ptr, void *host_ptr, unsigned flags)
{
    (void)flags;
    *ptr = host_ptr;
    return 0;
}

static gpu_result memory_info(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = *total_bytes = (size_t)1 << 30;
    return gpu_fake_state();
}

static gpu_result managed_allocate(void **ptr, size_t size, unsigned flags)
{
    (void)flags;
    return memory_allocate(ptr, size);
}

static void run_copy(gpu_fake_task *t)
{
    const gpu_copy_3d *c = &t->copy;
    for (size_t z = 0; z < c->depth; ++z)
        for (size_t y = 0; y < c->height; ++y)
            memcpy((char *)c->dst + (z * c->dst_rows + y) * c->dst_pitch,
                   (const char *)c->src + (z * c->src_rows + y) * c->src_pitch, c->width);
}

static gpu_result copy_3d(const gpu_copy_3d *c, gpu_stream s)
{
    gpu_fake_note("copy_3d %zux%zux%zu;", c->depth, c->height, c->width);
    ck_assert(c->dst_pitch <= FAKE_MAX_PITCH && c->src_pitch <= FAKE_MAX_PITCH);
    ck_assert(c->dst_pitch >= c->width && c->src_pitch >= c->width);
    ck_assert(c->dst_rows >= c->height && c->src_rows >= c->height);
    return gpu_fake_give(s, (gpu_fake_task){.run = run_copy, .copy = *c});
}

static gpu_result copy(void *dst, const void *src, size_t size, gpu_stream s)
{
    gpu_fake_note("copy %zu;", size);
    return gpu_fake_give(
        s, (gpu_fake_task){.run = run_copy, .copy = {.width = size, .height = 1, .depth = 1, .dst = dst, .src = src}});
}

static gpu_result copy_peer(void *dst, gpu_context to, const void *src, gpu_context from, size_t size, gpu_stream s)
{
    gpu_fake_note("peer %zu;", size);
    ck_assert_ptr_ne(to, from);
    return gpu_fake_give(
        s, (gpu_fake_task){.run = run_copy, .copy = {.width = size, .height = 1, .depth = 1, .dst = dst, .src = src}});
}

static void run_fill(gpu_fake_task *t)
{
    const gpu_copy_3d *c = &t->copy;
    for (size_t y = 0; y < c->height; ++y)
        for (size_t x = 0; x < c->width; ++x)
            memcpy((char *)c->dst + y * c->dst_pitch + x * t->unit, &t->value, t->unit);
}

static gpu_result fill(void *ptr, size_t pitch, uint32_t value, size_t unit, size_t width, size_t height, gpu_stream s)
{
    ck_assert_uint_eq((uintptr_t)ptr % unit, 0);
    return gpu_fake_give(s, (gpu_fake_task){.run = run_fill,
                                            .copy = {.dst = ptr, .dst_pitch = pitch, .width = width, .height = height},
                                            .value = value,
                                            .unit = unit});
}

static gpu_result fill_8(void *ptr, uint8_t value, size_t count, gpu_stream s)
{
    gpu_fake_note("fill8 %zu;", count);
    return fill(ptr, 0, value, 1, count, 1, s);
}

static gpu_result fill_16(void *ptr, uint16_t value, size_t count, gpu_stream s)
{
    gpu_fake_note("fill16 %zu;", count);
    return fill(ptr, 0, value, 2, count, 1, s);
}

static gpu_result fill_32(void *ptr, uint32_t value, size_t count, gpu_stream s)
{
    gpu_fake_note("fill32 %zu;", count);
    return fill(ptr, 0, value, 4, count, 1, s);
}

static gpu_result fill_2d_8(void *ptr, size_t pitch, uint8_t value, size_t width, size_t height, gpu_stream s)
{
    gpu_fake_note("fill8 %zux%zu;", height, width);
    return fill(ptr, pitch, value, 1, width, height, s);
}

static gpu_result fill_2d_16(void *ptr, size_t pitch, uint16_t value, size_t width, size_t height, gpu_stream s)
{
    gpu_fake_note("fill16 %zux%zu;", height, width);
    return fill(ptr, pitch, value, 2, width, height, s);
}

static gpu_result fill_2d_32(void *ptr, size_t pitch, uint32_t value, size_t width, size_t height, gpu_stream s)
{
    gpu_fake_note("fill32 %zux%zu;", height, width);
    return fill(ptr, pitch, value, 4, width, height, s);
}

void gpu_fake_fill_memory(gpu_driver *driver)
{
    driver->memory_info = memory_info;
    driver->memory_allocate = memory_allocate;
    driver->memory_free = memory_free;
    driver->host_allocate = host_allocate;
    driver->host_free = memory_free;
    driver->host_device_pointer = host_device_pointer;
    driver->managed_allocate = managed_allocate;
    driver->copy = copy;
    driver->copy_3d = copy_3d;
    driver->copy_peer = copy_peer;
    driver->fill_8 = fill_8;
    driver->fill_16 = fill_16;
    driver->fill_32 = fill_32;
    driver->fill_2d_8 = gpu_fake_has_fill_2d ? fill_2d_8 : NULL;
    driver->fill_2d_16 = gpu_fake_has_fill_2d ? fill_2d_16 : NULL;
    driver->fill_2d_32 = gpu_fake_has_fill_2d ? fill_2d_32 : NULL;
}
