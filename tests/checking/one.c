/* SPDX-License-Identifier: Apache-2.0 */
/* A program that launches one kernel and takes no notice of how that ends. Usage: one LIBRARY KERNEL [STATUS [LEAKS]]
 * LEAKS: so many buffers of a loop, and one more, are not released. */
#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>

#include "planted.h"

int main(int count, char *arguments[])
{
    enum { N = 256, BLOCKS = 4, LOST = 8 };
    static accel_buffer *lost[LOST + 1]; /* found by cpu-check only: LeakSanitizer takes them for used */
    static float zero[N];
    accel_work work = ACCEL_WORK_INIT;
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue;
    accel_module *module;
    accel_kernel *kernel;
    accel_buffer *x, *y, *c;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), N);
    if (count < 3 || accel_instance_create(NULL, &instance) || accel_instance_find_device(instance, NULL, &device) ||
        accel_queue_create(device, NULL, &queue) || accel_module_load(device, arguments[1], &module) ||
        accel_module_kernel(module, arguments[2], &kernel) || accel_buffer_create(device, &desc, &x) ||
        accel_buffer_create(device, &desc, &y) || accel_buffer_create(device, &desc, &c) ||
        accel_write(queue, x, zero) || accel_write(queue, y, zero) || accel_write(queue, c, zero)) {
        fprintf(stderr, "one: %s\n", accel_error_message());
        return 3;
    }
    planted_args args = {N, accel_buffer_ptr(x), accel_buffer_ptr(y), accel_buffer_ptr(c)};
    work.dims = 1;
    work.blocks[0] = BLOCKS;
    work.threads[0] = N / BLOCKS;
    work.elems[0] = 1;
    for (int i = 0; i < 2; ++i)
        (void)accel_launch(queue, kernel, &work, &args, sizeof args);
    for (int i = 0; count > 4 && i < atoi(arguments[4]) && i < LOST; ++i)
        (void)accel_buffer_create(device, &desc, &lost[i]); /* leak: loop */
    if (count > 4)
        (void)accel_buffer_create(device, &desc, &lost[LOST]); /* leak: one */
    printf("status %d\n", (int)accel_queue_wait(queue));
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_buffer_release(c);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
    return count > 3 ? atoi(arguments[3]) : 0;
}
