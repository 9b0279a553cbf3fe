/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses most of the API: runs the kernel on a backend's first device and checks the result. Part of a
 * snapshot (snapshot.sh). Usage: program BACKEND
 */
#include <accel/accel.h>

#include "arguments.h"

#include <stdio.h>
#include <string.h>

enum { N = 10007 };

static int check(accel_status status, const char *call)
{
    if (status != ACCEL_OK)
        fprintf(stderr, "%s: %s: %s\n", call, accel_status_name(status), accel_error_message());
    return status == ACCEL_OK;
}
#define TRY(call)                                                                                                      \
    if (!check((call), #call))                                                                                         \
    return 1

static void count_call(void *user, accel_status status)
{
    *(int *)user += status == ACCEL_OK;
}

int main(int argc, char **argv)
{
    static double x[N], y[N];
    accel_instance_desc instance_desc = ACCEL_INSTANCE_DESC_INIT;
    accel_queue_desc queue_desc = ACCEL_QUEUE_DESC_INIT;
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_kernel_properties kernel_properties = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_buffer_properties buffer_properties = ACCEL_BUFFER_PROPERTIES_INIT;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(double), N);
    accel_work work = ACCEL_WORK_INIT;
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue;
    accel_event *event;
    accel_buffer *dx, *dy, *view;
    accel_module *module;
    accel_kernel *kernel;
    size_t extent = N, half = N / 2;
    int calls = 0;
    bool complete = false;

    if (accel_version() < (uint32_t)(ACCEL_VERSION_MAJOR << 16 | ACCEL_VERSION_MINOR << 8 | ACCEL_VERSION_PATCH)) {
        fprintf(stderr, "the library is of version 0x%x, older than its headers\n", accel_version());
        return 1;
    }
    instance_desc.backends = argc > 1 ? argv[1] : NULL;
    TRY(accel_instance_create(&instance_desc, &instance));
    TRY(accel_instance_find_device(instance, NULL, &device));
    TRY(accel_device_info(device, &properties));
    for (uint32_t flags = 0; flags < 2; ++flags) {
        for (int i = 0; i < N; ++i) {
            x[i] = i;
            y[i] = 1;
        }
        queue_desc.flags = flags == 0 ? 0 : ACCEL_QUEUE_BLOCKING;
        TRY(accel_queue_create(device, &queue_desc, &queue));
        TRY(accel_event_create(device, NULL, &event));
        TRY(accel_buffer_create(device, &desc, &dx));
        TRY(accel_buffer_create(device, &desc, &dy));
        TRY(accel_buffer_info(dx, &buffer_properties));
        TRY(accel_module_load(device, "version", &module));
        TRY(accel_module_kernel(module, "version", &kernel));
        TRY(accel_kernel_info(kernel, &kernel_properties));
        TRY(accel_write(queue, dx, x));
        TRY(accel_write(queue, dy, y));
        version_args args = {2, N, (const double *)accel_buffer_ptr(dx), (double *)accel_buffer_ptr(dy)};
        TRY(accel_work_divide(kernel, 1, &extent, NULL, &work));
        TRY(accel_launch(queue, kernel, &work, &args, sizeof args));
        TRY(accel_queue_call(queue, count_call, &calls));
        TRY(accel_event_record(event, queue));
        TRY(accel_event_wait(event));
        TRY(accel_event_is_complete(event, &complete));
        TRY(accel_buffer_view(dy, &half, NULL, &view));
        double zero = 0;
        TRY(accel_fill(queue, view, &zero, sizeof zero, NULL));
        TRY(accel_read(queue, y, dy));
        TRY(accel_queue_wait(queue));
        for (int i = 0; i < N; ++i) {
            if (y[i] != (i < N / 2 ? 2.0 * i + 1 : 0)) {
                fprintf(stderr, "FAILED at %d: %g\n", i, y[i]);
                return 1;
            }
        }
        accel_buffer_release(dx);
        accel_buffer_release(dy);
        accel_buffer_release(view);
        accel_event_release(event);
        accel_module_release(module);
        accel_queue_release(queue);
    }
    if (calls != 2 || !complete || kernel_properties.args_size != sizeof(version_args) ||
        buffer_properties.extent[0] != N)
        return 1;
    printf("%s: verified\n", properties.name);
    accel_instance_release(instance);
    return 0;
}
