/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slots of the driver table whose functions have the same shape in both libraries. Not a header of its own: included
 * once by cuda/table.c and once by hip/table.c, which define before
 *
 *     GPU_CALL(member)   a function of the library: cuda.stream_query
 *     GPU_TYPE(noun)     one of its types: cuda_stream
 *     GPU_ADDRESS(ptr)   a device address as the library takes it
 *
 * With them, for CUDA, the second one reads
 *
 *     static gpu_result device_count(int *count) { return (gpu_result)cuda.device_count(count); }
 */

static gpu_result init(void)
{
    return (gpu_result)GPU_CALL(init)(0);
}

static gpu_result device_count(int *count)
{
    return (gpu_result)GPU_CALL(device_count)(count);
}

static gpu_result device_name(char *name, int size, int device)
{
    return (gpu_result)GPU_CALL(device_name)(name, size, device);
}

static gpu_result device_memory(size_t *bytes, int device)
{
    return (gpu_result)GPU_CALL(device_total_memory)(bytes, device);
}

static gpu_result device_can_access_peer(int *yes, int device, int peer)
{
    return (gpu_result)GPU_CALL(device_can_access_peer)(yes, device, peer);
}

static gpu_result memory_info(size_t *free_bytes, size_t *total_bytes)
{
    return (gpu_result)GPU_CALL(memory_info)(free_bytes, total_bytes);
}

/* An address that a function writes, as the engine takes it. By pointer: the call is an argument too, and a value might
 * be read before it. */
static gpu_result give_address(gpu_result result, const GPU_TYPE(device_pointer) * address, void **ptr)
{
    if (result == 0)
        *ptr = (void *)(uintptr_t)*address;
    return result;
}

static gpu_result memory_allocate(void **ptr, size_t size)
{
    GPU_TYPE(device_pointer) address = 0;
    return give_address((gpu_result)GPU_CALL(memory_allocate)(&address, size), &address, ptr);
}

static gpu_result memory_free(void *ptr)
{
    return (gpu_result)GPU_CALL(memory_free)(GPU_ADDRESS(ptr));
}

static gpu_result host_allocate(void **ptr, size_t size, unsigned flags)
{
    return (gpu_result)GPU_CALL(host_allocate)(ptr, size, flags);
}

static gpu_result host_free(void *ptr)
{
    return (gpu_result)GPU_CALL(host_free)(ptr);
}

static gpu_result host_device_pointer(void **ptr, void *host_ptr, unsigned flags)
{
    GPU_TYPE(device_pointer) address = 0;
    return give_address((gpu_result)GPU_CALL(host_device_pointer)(&address, host_ptr, flags), &address, ptr);
}

static gpu_result managed_allocate(void **ptr, size_t size, unsigned flags)
{
    GPU_TYPE(device_pointer) address = 0;
    return give_address((gpu_result)GPU_CALL(memory_allocate_managed)(&address, size, flags), &address, ptr);
}

static gpu_result allocate_async(void **ptr, size_t size, gpu_stream stream)
{
    GPU_TYPE(device_pointer) address = 0;
    return give_address((gpu_result)GPU_CALL(memory_allocate_async)(&address, size, (GPU_TYPE(stream))stream), &address,
                        ptr);
}

static gpu_result free_async(void *ptr, gpu_stream stream)
{
    return (gpu_result)GPU_CALL(memory_free_async)(GPU_ADDRESS(ptr), (GPU_TYPE(stream))stream);
}

static gpu_result fill_8(void *ptr, uint8_t value, size_t count, gpu_stream stream)
{
    return (gpu_result)GPU_CALL(fill_8)(GPU_ADDRESS(ptr), value, count, (GPU_TYPE(stream))stream);
}

static gpu_result fill_16(void *ptr, uint16_t value, size_t count, gpu_stream stream)
{
    return (gpu_result)GPU_CALL(fill_16)(GPU_ADDRESS(ptr), value, count, (GPU_TYPE(stream))stream);
}

static gpu_result fill_2d_8(void *ptr, size_t pitch, uint8_t value, size_t width, size_t height, gpu_stream stream)
{
    return (gpu_result)GPU_CALL(fill_2d_8)(GPU_ADDRESS(ptr), pitch, value, width, height, (GPU_TYPE(stream))stream);
}

static gpu_result fill_2d_16(void *ptr, size_t pitch, uint16_t value, size_t width, size_t height, gpu_stream stream)
{
    return (gpu_result)GPU_CALL(fill_2d_16)(GPU_ADDRESS(ptr), pitch, value, width, height, (GPU_TYPE(stream))stream);
}

static gpu_result fill_2d_32(void *ptr, size_t pitch, uint32_t value, size_t width, size_t height, gpu_stream stream)
{
    return (gpu_result)GPU_CALL(fill_2d_32)(GPU_ADDRESS(ptr), pitch, value, width, height, (GPU_TYPE(stream))stream);
}

static gpu_result stream_create(gpu_stream *stream, unsigned flags, int priority)
{
    GPU_TYPE(stream) made = NULL;
    gpu_result result = (gpu_result)GPU_CALL(stream_create)(&made, flags, priority);

    if (result == 0)
        *stream = (gpu_stream)made;
    return result;
}

static gpu_result stream_destroy(gpu_stream stream)
{
    return (gpu_result)GPU_CALL(stream_destroy)((GPU_TYPE(stream))stream);
}

static gpu_result stream_query(gpu_stream stream)
{
    return (gpu_result)GPU_CALL(stream_query)((GPU_TYPE(stream))stream);
}

static gpu_result stream_synchronize(gpu_stream stream)
{
    return (gpu_result)GPU_CALL(stream_synchronize)((GPU_TYPE(stream))stream);
}

static gpu_result stream_wait(gpu_stream stream, gpu_driver_event event, unsigned flags)
{
    return (gpu_result)GPU_CALL(stream_wait_event)((GPU_TYPE(stream))stream, (GPU_TYPE(event))event, flags);
}

static gpu_result stream_call(gpu_stream stream, gpu_host_function function, void *user)
{
    return (gpu_result)GPU_CALL(stream_call)((GPU_TYPE(stream))stream, function, user);
}

static gpu_result event_create(gpu_driver_event *event, unsigned flags)
{
    GPU_TYPE(event) made = NULL;
    gpu_result result = (gpu_result)GPU_CALL(event_create)(&made, flags);

    if (result == 0)
        *event = (gpu_driver_event)made;
    return result;
}

static gpu_result event_destroy(gpu_driver_event event)
{
    return (gpu_result)GPU_CALL(event_destroy)((GPU_TYPE(event))event);
}

static gpu_result event_record(gpu_driver_event event, gpu_stream stream)
{
    return (gpu_result)GPU_CALL(event_record)((GPU_TYPE(event))event, (GPU_TYPE(stream))stream);
}

static gpu_result event_query(gpu_driver_event event)
{
    return (gpu_result)GPU_CALL(event_query)((GPU_TYPE(event))event);
}

static gpu_result event_synchronize(gpu_driver_event event)
{
    return (gpu_result)GPU_CALL(event_synchronize)((GPU_TYPE(event))event);
}

static gpu_result event_elapsed(float *milliseconds, gpu_driver_event start, gpu_driver_event end)
{
    return (gpu_result)GPU_CALL(event_elapsed)(milliseconds, (GPU_TYPE(event))start, (GPU_TYPE(event))end);
}

static gpu_result code_unload(gpu_code code)
{
    return (gpu_result)GPU_CALL(module_unload)((GPU_TYPE(module))code);
}

static gpu_result code_function(gpu_function *function, gpu_code code, const char *symbol)
{
    GPU_TYPE(function) found = NULL;
    gpu_result result = (gpu_result)GPU_CALL(module_function)(&found, (GPU_TYPE(module))code, symbol);

    if (result == 0)
        *function = (gpu_function)found;
    return result;
}

static gpu_result code_global(void **ptr, size_t *size, gpu_code code, const char *symbol)
{
    GPU_TYPE(device_pointer) address = 0;
    return give_address((gpu_result)GPU_CALL(module_global)(&address, size, (GPU_TYPE(module))code, symbol), &address,
                        ptr);
}

static gpu_result function_attribute(int *value, int attribute, gpu_function function)
{
    return (gpu_result)GPU_CALL(function_attribute)(value, (GPU_TYPE(function_attribute))attribute,
                                                    (GPU_TYPE(function))function);
}

static gpu_result occupancy_blocks(int *blocks, gpu_function function, int threads, size_t shared_bytes)
{
    return (gpu_result)GPU_CALL(occupancy_blocks)(blocks, (GPU_TYPE(function))function, threads, shared_bytes);
}

/* Libraries take pointers to parameters that they only read. */
static void *parameter(const void *given)
{
    union {
        const void *given;
        void *wanted;
    } both = {given};

    return both.wanted;
}

static gpu_result launch(const gpu_driver_launch *l, gpu_stream stream)
{
    void *parameters[2] = {parameter(l->args), parameter(&l->grid)};

    return (gpu_result)GPU_CALL(launch)((GPU_TYPE(function))l->function, l->blocks[0], l->blocks[1], l->blocks[2],
                                        l->threads[0], l->threads[1], l->threads[2], l->shared_bytes,
                                        (GPU_TYPE(stream))stream, parameters, NULL);
}

static gpu_result launch_cooperative(const gpu_driver_launch *l, gpu_stream stream)
{
    void *parameters[2] = {parameter(l->args), parameter(&l->grid)};

    return (gpu_result)GPU_CALL(launch_cooperative)((GPU_TYPE(function))l->function, l->blocks[0], l->blocks[1],
                                                    l->blocks[2], l->threads[0], l->threads[1], l->threads[2],
                                                    l->shared_bytes, (GPU_TYPE(stream))stream, parameters);
}

/* The same rows of both tables; those of the first five lines each vendor's table.c defines, under these names. */
#define GPU_COMMON_SLOTS                                                                                               \
    .device_get = device_get, .device_attribute = device_attribute, .device_describe = device_describe,                \
    .context_retain = context_retain, .context_release = context_release, .context_get_current = context_get_current,  \
    .context_set_current = context_set_current, .context_push = context_push, .context_pop = context_pop,              \
    .context_enable_peer = context_enable_peer, .copy = copy, .copy_3d = copy_3d, .copy_peer = copy_peer,              \
    .fill_32 = fill_32, .code_load = code_load, .occupancy_block = occupancy_block, .init = init,                      \
    .device_count = device_count, .device_name = device_name, .device_memory = device_memory,                          \
    .device_can_access_peer = device_can_access_peer, .memory_info = memory_info, .memory_allocate = memory_allocate,  \
    .memory_free = memory_free, .host_allocate = host_allocate, .host_free = host_free,                                \
    .host_device_pointer = host_device_pointer, .managed_allocate = managed_allocate, .fill_8 = fill_8,                \
    .fill_16 = fill_16, .fill_2d_8 = fill_2d_8, .stream_create = stream_create, .stream_destroy = stream_destroy,      \
    .stream_query = stream_query, .stream_synchronize = stream_synchronize, .stream_wait = stream_wait,                \
    .event_create = event_create, .event_destroy = event_destroy, .event_record = event_record,                        \
    .event_query = event_query, .event_synchronize = event_synchronize, .event_elapsed = event_elapsed,                \
    .code_unload = code_unload, .code_function = code_function, .code_global = code_global,                            \
    .function_attribute = function_attribute, .occupancy_blocks = occupancy_blocks, .launch = launch

/* Slots for functions that a library may lack. */
static void complete_common(gpu_driver *driver)
{
    bool pools = GPU_CALL(memory_allocate_async) != NULL && GPU_CALL(memory_free_async) != NULL;

    driver->allocate_async = pools ? allocate_async : NULL;
    driver->free_async = pools ? free_async : NULL;
    driver->fill_2d_16 = GPU_CALL(fill_2d_16) != NULL ? fill_2d_16 : NULL;
    driver->fill_2d_32 = GPU_CALL(fill_2d_32) != NULL ? fill_2d_32 : NULL;
    driver->launch_cooperative = GPU_CALL(launch_cooperative) != NULL ? launch_cooperative : NULL;
}
