/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/accel.h>
#include <accel/pattern.h>

#include <stdio.h>
#include <stdlib.h>

#include "jacobi.h"

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "jacobi: %s\n", accel_error_message());
    exit(1);
}

int main(void)
{
    static double start[SIDE * SIDE];
    const size_t points = SIDE * SIDE, inside[2] = {SIDE - 2, SIDE - 2};
    const accel_buffer_desc field = accel_buffer_1d(sizeof(double), points), one = accel_buffer_1d(sizeof(double), 1);
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *sweep, *moved;
    accel_buffer *fields[2], *result;
    jacobi_args args;
    double distance;

    for (size_t j = 0; j < SIDE; ++j)
        start[j] = 1; /* an edge is warm */
    check(accel_instance_create(NULL, &instance));
    check(accel_instance_find_device(instance, NULL, &device));
    check(accel_queue_create(device, NULL, &queue));
    check(accel_module_load(device, "jacobi", &module));
    check(accel_module_kernel(module, "sweep", &sweep));
    check(accel_module_kernel(module, "moved", &moved));
    check(accel_buffer_create(device, &one, &result));
    for (int k = 0; k < 2; ++k) {
        check(accel_buffer_create(device, &field, &fields[k]));
        check(accel_write(queue, fields[k], start));
    }
    for (int k = 0; k < SWEEPS; ++k) {
        args = (jacobi_args){SIDE, accel_buffer_ptr(fields[k % 2]), accel_buffer_ptr(fields[1 - k % 2])};
        check(accel_launch_over(queue, sweep, 2, inside, &args, sizeof args));
    }
    check(accel_reduce(queue, moved, 1, &points, &args, sizeof args, result));
    check(accel_read(queue, &distance, result));
    check(accel_queue_wait(queue));
    printf("%.9f\n", distance);
    accel_buffer_release(fields[0]);
    accel_buffer_release(fields[1]);
    accel_buffer_release(result);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
    return 0;
}
