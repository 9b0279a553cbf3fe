/* SPDX-License-Identifier: Apache-2.0 */
/* hello - lists the devices, and lets the first one compute squares. ACCEL_BACKEND chooses the backends. */
#include <accel/accel.h>

#include <stdio.h>
#include <stdlib.h>

#include "hello.h"

#define N 1000

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "hello: %s\n", accel_error_message());
    exit(2);
}

int main(void)
{
    double squares[N];
    accel_instance *instance;
    check(accel_instance_create(NULL, &instance));
    for (size_t i = 0; i < accel_instance_device_count(instance); ++i) {
        accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
        check(accel_device_info(accel_instance_device(instance, i), &about));
        printf("%-16s %s\n", about.name, about.description);
    }

    accel_device *device = accel_instance_device(instance, 0); /* borrowed, as the kernel is */
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *buffer;
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), N);
    check(accel_queue_create(device, NULL, &queue));
    check(accel_module_load(device, "hello", &module)); /* of the kernel's files, the one that suits the device */
    check(accel_module_kernel(module, "square", &kernel));
    check(accel_buffer_create(device, &desc, &buffer));

    const hello_args args = {N, accel_buffer_ptr(buffer)};
    check(accel_launch_over(queue, kernel, 1, desc.extent, &args, sizeof args));
    check(accel_read(queue, squares, buffer));
    check(accel_queue_wait(queue)); /* until then nothing is sure to be done */

    size_t wrong = 0;
    for (size_t i = 0; i < N; ++i)
        wrong += squares[i] != (double)(i * i);
    printf("\n%d squares: %s\n", N, wrong == 0 ? "verified" : "WRONG");

    accel_buffer_release(buffer);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
    return wrong == 0 ? 0 : 1;
}
