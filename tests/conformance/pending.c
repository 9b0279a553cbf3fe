/* SPDX-License-Identifier: Apache-2.0 */
/* A program that exits with status 7 while work is pending (exit.c). */
#include "kernels/arguments.h"

#include <accel/accel.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic uint32_t entered;

static void stay(void *user, accel_status status)
{
    (void)user;
    (void)status;
    atomic_store(&entered, 1);
    for (;;)
        pause();
}

static void check(accel_status status)
{
    if (status != ACCEL_OK) {
        fprintf(stderr, "%s\n", accel_error_message());
        exit(1);
    }
}

static void *exit_in_thread(void *user)
{
    (void)user;
    exit(7);
}

/* Both ways, by a queue of each, which has buffers of its own. */
static void copy_between(accel_device *one, accel_device *another)
{
    accel_buffer_desc desc = accel_buffer_1d(1, 1 << 20);
    accel_buffer *a[2] = {NULL, NULL}, *b[2] = {NULL, NULL};
    accel_queue *queues[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i) {
        check(accel_buffer_create(one, &desc, &a[i]));
        check(accel_buffer_create(another, &desc, &b[i]));
    }
    check(accel_queue_create(one, NULL, &queues[0]));
    check(accel_queue_create(another, NULL, &queues[1]));
    for (int i = 0; i < 300; ++i) {
        check(accel_copy(queues[i % 2], a[i % 2], b[i % 2], NULL));
        check(accel_copy(queues[i % 2], b[i % 2], a[i % 2], NULL));
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    accel_instance *instance = NULL;
    accel_queue *queue = NULL, *other = NULL;
    accel_buffer *buffer = NULL;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_event *event = NULL;
    check(accel_instance_create(NULL, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    accel_buffer_desc desc = accel_buffer_1d(8, 1000);
    accel_work work = accel_work_1d(4, 1, 1);
    check(accel_queue_create(device, NULL, &queue));
    check(accel_queue_create(device, NULL, &other));
    check(accel_event_create(device, NULL, &event));
    check(accel_buffer_create(device, &desc, &buffer));
    check(accel_module_load(device, "conformance", &module));
    check(accel_module_kernel(module, "slow", &kernel));
    slow_args args = {.sum = accel_buffer_ptr(buffer), .rounds = 2000000};
    for (int i = 0; i < 3000; ++i)
        check(accel_launch(queue, kernel, &work, &args, sizeof args));
    if (strcmp(how, "inside") == 0 || strcmp(how, "event") == 0) {
        check(accel_queue_call(other, stay, NULL));
        while (atomic_load(&entered) == 0)
            usleep(1000);
    }
    if (strcmp(how, "event") == 0) {
        check(accel_event_record(event, other));
        check(accel_queue_wait_event(queue, event));
    } else if (strcmp(how, "copies") == 0) {
        copy_between(device, accel_instance_device(instance, accel_instance_device_count(instance) - 1));
    } else if (strcmp(how, "released") == 0) {
        accel_instance_release(instance);
        accel_queue_release(queue);
        accel_queue_release(other);
        accel_event_release(event);
        accel_module_release(module);
    } else if (strcmp(how, "thread") == 0) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, exit_in_thread, NULL) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 7;
}
