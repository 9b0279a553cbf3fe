/* SPDX-License-Identifier: Apache-2.0 */
/* Launches one kernel of wrong.k.c. Usage: wrong KERNEL */
#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>
#include "wrong.h"
static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "%s\n", accel_error_message());
    exit(1);
}
int main(int count, char **arguments)
{
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *x, *y;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(int), N);
    static int values[N];
    for (int i = 0; i < N; ++i)
        values[i] = i + 1;
    check(accel_instance_create(NULL, &instance));
    check(accel_instance_find_device(instance, NULL, &device));
    check(accel_queue_create(device, NULL, &queue));
    check(accel_module_load(device, "wrong", &module));
    check(accel_module_kernel(module, count > 1 ? arguments[1] : "", &kernel));
    check(accel_buffer_create(device, &desc, &x));
    check(accel_buffer_create(device, &desc, &y));
    check(accel_write(queue, x, values));
    wrong_args args = {N, accel_buffer_ptr(x), accel_buffer_ptr(y)};
    accel_work work = accel_work_1d(1, 4, 1);
    check(accel_launch(queue, kernel, &work, &args, sizeof args));
    check(accel_queue_wait(queue));
    puts("done");
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
}
