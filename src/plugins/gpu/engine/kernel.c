/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/engine/kernel.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/report/report.h"
#include "plugins/support/descriptor.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of both parameters, the second aligned as it is. */
static size_t parameter_bytes(const accel_descriptor *d)
{
    size_t align = _Alignof(accel_grid);

    return ((size_t)d->args_size + align - 1) / align * align + d->grid_size;
}

/* Is the object sound, and does the device take as many arguments? */
static accel_status check_descriptor(const accel_impl_device *device, const accel_descriptor *descriptor, size_t size,
                                     const char *name)
{
    const gpu_description *limits = &device->description;
    accel_status status = plugin_descriptor_check(gpu_host(), descriptor, size, name);

    if (status != ACCEL_OK || limits->max_parameter_bytes == 0 ||
        parameter_bytes(descriptor) <= limits->max_parameter_bytes)
        return status;
    return gpu_host()->error(ACCEL_LIMIT,
                             "kernel \"%s\": its argument struct has %u bytes, and \"%s\" takes at most %zu, its "
                             "max_args_size; make the struct smaller, or hand it a pointer%s%s",
                             name, descriptor->args_size, device->label, gpu_max_args_size(device),
                             limits->more_parameters != NULL ? ", or " : "",
                             limits->more_parameters != NULL ? limits->more_parameters : "");
}

/* Reads the descriptor out of device memory. `symbol` is the whole name. */
static accel_status read_descriptor(accel_impl_device *device, gpu_object *object, const char *name, const char *symbol,
                                    accel_pattern_descriptor *descriptor)
{
    const gpu_driver *driver = device->driver;
    accel_status status;
    void *ptr = NULL;
    size_t size = 0;

    gpu_result result = driver->code_global(&ptr, &size, object->code, symbol);
    gpu_error_class_of(driver, result, &status);
    if (status == ACCEL_NOT_FOUND)
        return gpu_host()->error(ACCEL_NOT_FOUND, "the object has no kernel \"%s\"", name);
    if (result != 0)
        return gpu_device_failed(device, "looking for a kernel", result);
    memset(descriptor, 0, sizeof(*descriptor));
    result = driver->copy(descriptor, ptr, size < sizeof(*descriptor) ? size : sizeof(*descriptor), device->stream);
    if (result == 0)
        result = gpu_stream_finish(driver, device->stream);
    if (result != 0)
        return gpu_device_failed(device, "reading a kernel's descriptor", result);
    return check_descriptor(device, &descriptor->kernel, size, name);
}

static gpu_result read_attribute(const gpu_driver *driver, gpu_function function, int attribute, uint32_t *value)
{
    int got = 0;
    gpu_result result = driver->function_attribute(&got, attribute, function);

    if (result == 0)
        *value = got > 0 ? (uint32_t)got : 0;
    return result;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void find_limits(const accel_impl_device *device, accel_impl_kernel *kernel, uint32_t unasked)
{
    const uint32_t *block = kernel->descriptor.block;
    bool can_ask = device->driver->function_set_attribute != NULL;
    uint32_t plain = (uint32_t)device->attributes[GPU_ATTRIBUTE_MAX_SHARED];
    uint32_t most = can_ask ? (uint32_t)device->attributes[GPU_ATTRIBUTE_MAX_SHARED_OPTIN] : plain;
    uint32_t taken = kernel->static_shared + kernel->own_shared;

    if (most < plain)
        most = plain;
    kernel->max_dynamic_shared = most > taken ? most - taken : 0;
    plain = plain > kernel->static_shared ? plain - kernel->static_shared : 0;
    kernel->shared_ceiling = can_ask && unasked != 0 ? least(unasked, plain) : can_ask ? plain : most;
    kernel->max_threads = least(kernel->max_threads, ACCEL_MAX_BLOCK_THREADS);
    if (block[0] != 0)
        kernel->max_threads = least(kernel->max_threads, block[0] * block[1] * block[2]);
}

/* What the driver knows of the function; loads its code. */
static accel_status read_function(accel_impl_device *device, gpu_object *object, accel_impl_kernel *kernel,
                                  const char *symbol)
{
    const gpu_driver *driver = device->driver;
    uint32_t unasked = 0;

    gpu_result result = driver->code_function(&kernel->function, object->code, symbol);
    if (result == 0 && driver->function_load != NULL)
        result = driver->function_load(kernel->function);
    if (result == 0)
        result = read_attribute(driver, kernel->function, GPU_FUNCTION_MAX_THREADS, &kernel->max_threads);
    if (result == 0)
        result = read_attribute(driver, kernel->function, GPU_FUNCTION_SHARED_BYTES, &kernel->static_shared);
    if (result == 0)
        result = read_attribute(driver, kernel->function, GPU_FUNCTION_LOCAL_BYTES, &kernel->local_bytes);
    if (result == 0)
        result = read_attribute(driver, kernel->function, GPU_FUNCTION_REGISTERS, &kernel->registers);
    if (result != 0)
        return gpu_device_failed(device, "asking for a kernel's function", result);
    /* Not every driver knows it. */
    read_attribute(driver, kernel->function, GPU_FUNCTION_MAX_DYNAMIC_SHARED, &unasked);
    find_limits(device, kernel, unasked);
    return ACCEL_OK;
}

accel_status gpu_kernel_find(accel_impl_device *device, gpu_object *object, const char *name, accel_impl_kernel **found)
{
    static const char descriptor_prefix[] = ACCEL_DESCRIPTOR_PREFIX, entry_prefix[] = ACCEL_ENTRY_PREFIX;
    size_t length = strlen(name) + 1;
    accel_impl_kernel *kernel = object->kernels;

    while (kernel != NULL && strcmp(kernel->name, name) != 0)
        kernel = kernel->next;
    if (kernel != NULL) {
        *found = kernel;
        return ACCEL_OK;
    }
    kernel = calloc(1, sizeof(*kernel) + length);
    char *symbol = malloc(sizeof(descriptor_prefix) + length);
    accel_status status;
    if (kernel == NULL || symbol == NULL) {
        status = gpu_host()->error(ACCEL_OUT_OF_MEMORY, "kernel \"%s\": no memory for its record", name);
        goto done;
    }
    memcpy(kernel->name, name, length);
    memcpy(symbol, descriptor_prefix, sizeof(descriptor_prefix) - 1);
    memcpy(symbol + sizeof(descriptor_prefix) - 1, name, length);
    status = read_descriptor(device, object, name, symbol, &kernel->pattern);
    if (status != ACCEL_OK)
        goto done;
    kernel->own_shared = kernel->descriptor.shared_bytes;
    memcpy(symbol, entry_prefix, sizeof(entry_prefix) - 1);
    memcpy(symbol + sizeof(entry_prefix) - 1, name, length);
    status = read_function(device, object, kernel, symbol);
    if (status == ACCEL_OK && gpu_kernel_reports(kernel))
        status = gpu_report_expect(device, gpu_kernel_prints(kernel));
    if (status != ACCEL_OK)
        goto done;
    kernel->object = object;
    kernel->next = object->kernels;
    object->kernels = kernel;
    *found = kernel;
    kernel = NULL;
done:
    free(symbol);
    free(kernel);
    return status;
}

void gpu_kernel_properties(accel_impl_device *device, const accel_impl_kernel *kernel,
                           accel_kernel_properties *properties)
{
    const accel_descriptor *descriptor = &kernel->descriptor;

    plugin_descriptor_properties(descriptor, properties);
    properties->shared_bytes = kernel->static_shared + kernel->own_shared;
    properties->max_shared_bytes = kernel->max_dynamic_shared;
    properties->registers = kernel->registers;
    properties->local_bytes = kernel->local_bytes;
    properties->max_threads = kernel->max_threads;
    properties->warp_size = kernel->object->warp_size != 0 ? kernel->object->warp_size
                                                           : (uint32_t)device->attributes[GPU_ATTRIBUTE_WARP_SIZE];
}

accel_status gpu_kernel_allow_shared(accel_impl_device *device, accel_impl_kernel *kernel, uint32_t shared_bytes)
{
    gpu_result result = 0;

    pthread_mutex_lock(&device->object_lock);
    if (shared_bytes > atomic_load_explicit(&kernel->shared_ceiling, memory_order_relaxed)) {
        result = device->driver->function_set_attribute(kernel->function, GPU_FUNCTION_MAX_DYNAMIC_SHARED,
                                                        (int)shared_bytes);
        if (result == 0)
            atomic_store_explicit(&kernel->shared_ceiling, shared_bytes, memory_order_relaxed);
    }
    pthread_mutex_unlock(&device->object_lock);
    return result == 0 ? ACCEL_OK : gpu_device_failed(device, "asking for dynamic shared memory", result);
}

accel_status gpu_kernel_suggest(accel_impl_device *device, accel_impl_kernel *kernel, size_t shared_bytes,
                                accel_suggestion *suggestion)
{
    enum { USUAL = 256 }; /* threads: smaller blocks balance better, if they fill the units as well */
    const gpu_driver *driver = device->driver;
    size_t shared = shared_bytes + kernel->own_shared;
    int blocks = 0, threads = (int)kernel->max_threads, resident = 0, usual = 0;
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, "asking for the occupancy");

    if (status != ACCEL_OK)
        return status;
    gpu_result result = 0;
    if (shared <= kernel->max_dynamic_shared &&
        shared > atomic_load_explicit(&kernel->shared_ceiling, memory_order_relaxed))
        status = gpu_kernel_allow_shared(device, kernel, (uint32_t)shared);
    if (kernel->descriptor.block[0] == 0)
        result = driver->occupancy_block(&blocks, &threads, kernel->function, shared);
    if (result == 0)
        result = driver->occupancy_blocks(&resident, kernel->function, threads, shared);
    if (result == 0 && kernel->descriptor.block[0] == 0 && threads > USUAL) {
        result = driver->occupancy_blocks(&usual, kernel->function, USUAL, shared);
        if (result == 0 && usual * USUAL >= resident * threads) {
            threads = USUAL;
            resident = usual;
        }
    }
    gpu_scope_leave(&scope, device);
    if (status != ACCEL_OK)
        return status;
    if (result != 0)
        return gpu_device_failed(device, "asking for the occupancy", result);
    suggestion->threads = threads > 0 ? (uint32_t)threads : 0;
    suggestion->blocks =
        (uint32_t)(resident > 0 ? resident : 1) * (uint32_t)device->attributes[GPU_ATTRIBUTE_COMPUTE_UNITS];
    suggestion->chunk = 1;
    return ACCEL_OK;
}

gpu_result gpu_kernel_count_resident(const accel_impl_device *device, const accel_impl_kernel *kernel, uint32_t threads,
                                     size_t shared_bytes, uint64_t *blocks)
{
    int of_unit = 0;
    gpu_result result = device->driver->occupancy_blocks(&of_unit, kernel->function, (int)threads, shared_bytes);

    if (result == 0)
        *blocks = of_unit > 0 ? (uint64_t)of_unit * (uint64_t)device->attributes[GPU_ATTRIBUTE_COMPUTE_UNITS] : 0;
    return result;
}

accel_status gpu_kernel_resident_blocks(accel_impl_device *device, accel_impl_kernel *kernel, uint32_t threads,
                                        size_t shared_bytes, uint64_t *blocks)
{
    static const char what[] = "asking how many blocks it holds";
    size_t shared = shared_bytes + kernel->own_shared;
    gpu_result result = 0;
    gpu_scope scope;
    accel_status status = gpu_device_use(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    if (shared <= kernel->max_dynamic_shared &&
        shared > atomic_load_explicit(&kernel->shared_ceiling, memory_order_relaxed))
        status = gpu_kernel_allow_shared(device, kernel, (uint32_t)shared);
    if (status == ACCEL_OK)
        result = gpu_kernel_count_resident(device, kernel, threads, shared, blocks);
    gpu_scope_leave(&scope, device);
    return result != 0 ? gpu_device_failed(device, what, result) : status;
}
