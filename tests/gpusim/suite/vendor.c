/* SPDX-License-Identifier: Apache-2.0 */
#include "vendor.h"
#include "../check/driver.h"
#include "rig.h"

#include <accel/object.h>

/* The call of the backend under test, which must succeed. */
#define VENDOR_OK(of_cuda, of_hip)                                                                                     \
    do {                                                                                                               \
        if (rig_is_cuda())                                                                                             \
            cuda_ok(of_cuda);                                                                                          \
        else                                                                                                           \
            hip_ok(of_hip);                                                                                            \
    } while (0)

static cuda_device_pointer address(const void *ptr)
{
    return (cuda_device_pointer)(uintptr_t)ptr;
}

void vendor_open(void)
{
    if (rig_is_cuda())
        cuda_open();
    else
        hip_open();
    VENDOR_OK(cu.init(0), hip.init(0));
}

void *vendor_current(void)
{
    cuda_context context = NULL;
    int device = -1;
    VENDOR_OK(cu.context_get(&context), hip.device_get(&device));
    return rig_is_cuda() ? (void *)context : (void *)(uintptr_t)(device + 1);
}

void vendor_use(void *native_device)
{
    VENDOR_OK(cu.context_set(native_device), hip.device_set((int)(uintptr_t)native_device - 1));
}

void *vendor_stream(unsigned flags)
{
    cuda_stream of_cuda = NULL;
    hip_stream of_hip = NULL;
    VENDOR_OK(cu.stream_create(&of_cuda, flags, 0), hip.stream_create(&of_hip, flags, 0));
    return rig_is_cuda() ? (void *)of_cuda : (void *)of_hip;
}

void vendor_stream_end(void *stream)
{
    VENDOR_OK(cu.stream_destroy(stream), hip.stream_destroy(stream));
}

int vendor_stream_query(void *stream)
{
    return rig_is_cuda() ? (int)cu.stream_query(stream) : (int)hip.stream_query(stream);
}

void vendor_stream_wait(void *stream)
{
    VENDOR_OK(cu.stream_synchronize(stream), hip.stream_synchronize(stream));
}

int vendor_stream_priority(void *stream)
{
    int priority = 1000;
    VENDOR_OK(cu_more.stream_priority(stream, &priority), hip_further.stream_priority(stream, &priority));
    return priority;
}

unsigned vendor_stream_flags(void *stream)
{
    unsigned flags = 1000;
    VENDOR_OK(cu_more.stream_flags(stream, &flags), hip_further.stream_flags(stream, &flags));
    return flags;
}

void vendor_call(void *stream, void (*function)(void *user), void *user)
{
    VENDOR_OK(cu.stream_call(stream, function, user), hip.stream_call(stream, function, user));
}

void vendor_wait_event(void *stream, void *event)
{
    VENDOR_OK(cu.stream_wait_event(stream, event, 0), hip.stream_wait_event(stream, event, 0));
}

int vendor_event_query(void *event)
{
    return rig_is_cuda() ? (int)cu.event_query(event) : (int)hip.event_query(event);
}

void vendor_event_wait(void *event)
{
    VENDOR_OK(cu.event_synchronize(event), hip.event_synchronize(event));
}

void *vendor_memory(size_t size)
{
    cuda_device_pointer of_cuda = 0;
    void *of_hip = NULL;
    VENDOR_OK(cu.memory_allocate(&of_cuda, size), hip.memory_allocate(&of_hip, size));
    return rig_is_cuda() ? (void *)(uintptr_t)of_cuda : of_hip;
}

void vendor_free(void *memory)
{
    VENDOR_OK(cu.memory_free(address(memory)), hip.memory_free(memory));
}

void vendor_fill(void *words, uint32_t value, size_t count, void *stream)
{
    VENDOR_OK(cu.fill_32(address(words), value, count, stream), hip.fill_32(words, (int)value, count, stream));
}

void vendor_read(void *dst, const void *src, size_t size, void *stream)
{
    VENDOR_OK(cu.copy(address(dst), address(src), size, stream),
              hip.copy(dst, src, size, HIP_COPY_DEVICE_TO_HOST, stream));
}

void *vendor_function(void *module, const char *symbol)
{
    cuda_function of_cuda = NULL;
    hip_function of_hip = NULL;
    VENDOR_OK(cu.module_function(&of_cuda, module, symbol), hip.module_function(&of_hip, module, symbol));
    return rig_is_cuda() ? (void *)of_cuda : (void *)of_hip;
}

size_t vendor_global_size(void *module, const char *symbol)
{
    cuda_device_pointer of_cuda = 0;
    void *of_hip = NULL;
    size_t size = 0;
    VENDOR_OK(cu.module_global(&of_cuda, &size, module, symbol), hip.module_global(&of_hip, &size, module, symbol));
    return size;
}

void vendor_launch(void *function, uint32_t *words, size_t count, uint32_t value, void *stream)
{
    enum { THREADS = 64 };
    words_args args = {.words = words, .n = count, .value = value};
    accel_grid grid = {.struct_size = sizeof(grid),
                       .dims = 1,
                       .blocks = {1, 1, 1, 1, 1, 1},
                       .threads = {THREADS, 1, 1, 1, 1, 1},
                       .elems = {1, 1, 1, 1, 1, 1}};
    void *parameters[] = {&args, &grid};
    VENDOR_OK(cu.launch(function, 1, 1, 1, THREADS, 1, 1, 0, stream, parameters, NULL),
              hip.launch(function, 1, 1, 1, THREADS, 1, 1, 0, stream, parameters, NULL));
}
