/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of the porting pages share: the first device, one blocking queue, and arrays there and back. The pages show
 * kernels; this is the host code around them.
 */
#ifndef RUN_H
#define RUN_H

#include <accel/accel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static accel_instance *instance;
static accel_device *device;
static accel_queue *queue;
static accel_module *module;
static accel_buffer *buffers[8];
static size_t buffer_count;

static inline void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "%s: %s\n", accel_status_name(status), accel_error_message());
    exit(1);
}

static inline void begin(const char *library)
{
    accel_queue_desc blocking = ACCEL_QUEUE_DESC_INIT;
    blocking.flags = ACCEL_QUEUE_BLOCKING;
    check(accel_instance_create(NULL, &instance));
    check(accel_instance_find_device(instance, NULL, &device));
    check(accel_queue_create(device, &blocking, &queue));
    check(accel_module_load(device, library, &module));
}

/* A buffer with this content; its address for kernels. */
static inline void *upload(const void *data, size_t bytes)
{
    accel_buffer_desc desc = accel_buffer_1d(1, bytes);
    accel_buffer *buffer;
    check(accel_buffer_create(device, &desc, &buffer));
    check(accel_write(queue, buffer, data));
    buffers[buffer_count++] = buffer;
    return accel_buffer_ptr(buffer);
}

/* The content of the buffer that was uploaded as number `index`. */
static inline void download(void *data, size_t index)
{
    check(accel_read(queue, data, buffers[index]));
}

static inline void launch(const char *name, const accel_work *work, const void *args, size_t size)
{
    accel_kernel *kernel;
    check(accel_module_kernel(module, name, &kernel));
    check(accel_launch(queue, kernel, work, args, size));
}

static inline void launch_over(const char *name, uint32_t dims, const size_t extent[], const void *args, size_t size)
{
    accel_kernel *kernel;
    check(accel_module_kernel(module, name, &kernel));
    check(accel_launch_over(queue, kernel, dims, extent, args, size));
}

static inline int end(bool right)
{
    puts(right ? "the same as plain C" : "WRONG");
    while (buffer_count > 0)
        accel_buffer_release(buffers[--buffer_count]);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
    return !right;
}

#endif
