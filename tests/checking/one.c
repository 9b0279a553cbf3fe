/* SPDX-License-Identifier: Apache-2.0 */
/* A program that launches one kernel and takes no notice of how that ends. Usage: one LIBRARY KERNEL [STATUS [LEAKS [MORE]]]
 * LEAKS: so many buffers of a loop, and one more, are not released; MORE, a word:
 * objects: nor are a queue, two events and a module;
 * queues: the second launch is another queue's, and nothing orders the two;
 * unawaited: two results are copied to the host last; awaited: and waited for;
 * pending: the program ends while the queue is busy, with everything released;
 * released: released objects are used, and released again; evicted: many are released;
 * queries: released objects are asked for what they are; ended: an instance and its devices are used after its end;
 * host-event: an event of the host is not released; instance: nor is the instance;
 * unbegun: the program ends right after its launch and a read of the result, for which it does not wait;
 * early: an element of a result is printed before the wait for it, and behind it. */
#include <accel/accel.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "planted.h"

enum { N = 256 };

static void dawdle(void *user, accel_status status)
{
    (void)user;
    (void)status;
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
}

static void show(const char *what, accel_status status)
{
    printf("%s %d: %s\n", what, (int)status, accel_error_message());
}

/* Errors of a program, of which libaccel knows with cpu-check only. */
static void use_released(accel_device *device, accel_queue *queue, const char *library, const accel_work *work)
{
    static accel_event *event;
    static accel_queue *other;
    static accel_module *module;
    static accel_kernel *kernel;
    static accel_buffer *buffer, *view;
    static float zero[N];
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), N);
    planted_args args = {0};
    (void)accel_event_create(device, NULL, &event); /* released-object: event made */
    (void)accel_queue_create(device, NULL, &other);
    (void)accel_module_load(device, library, &module);
    (void)accel_module_kernel(module, "right_elements", &kernel);
    (void)accel_buffer_create(device, &desc, &buffer); /* released-object: buffer made */
    (void)accel_buffer_view(buffer, NULL, NULL, &view);
    accel_event_release(event); /* released-object: event released */
    accel_queue_release(other); /* released-object: queue released */
    accel_module_release(module);
    accel_buffer_release(view);
    accel_buffer_release(buffer);
    show("record", accel_event_record(event, queue));                       /* released-object: record */
    show("wait", accel_queue_wait(other));                                  /* released-object: wait */
    show("launch", accel_launch(queue, kernel, work, &args, sizeof args));  /* released-object: launch */
    show("queue", accel_launch(other, kernel, work, &args, sizeof args));   /* released-object: queue */
    show("write", accel_write(queue, buffer, zero));                        /* released-object: write */
    show("view", accel_read(queue, zero, view));                            /* released-object: view */
    show("kernel", accel_module_kernel(module, "right_elements", &kernel)); /* released-object: module */
    accel_event_release(event);                                             /* released-object: event */
    accel_event_release(accel_event_retain(event));                         /* released-object: retained */
    accel_queue_release(other);                                             /* released-object: again */
    accel_kernel_release(kernel);                                           /* released-object: kernel */
    accel_buffer_release(buffer);                                           /* released-object: buffer */
    show("still", ACCEL_OK);
}

/* Queries do not fail, but for those that return a status. */
static void ask_released(accel_instance *instance, accel_device *device, accel_queue *queue, const char *library)
{
    static accel_event *event;
    static accel_module *module;
    static accel_kernel *kernel;
    static accel_buffer *buffer;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), N);
    accel_buffer_properties shape = ACCEL_BUFFER_PROPERTIES_INIT;
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    (void)accel_event_create(accel_instance_host(instance), NULL, &event); /* released-object: host event made */
    (void)accel_module_load(device, library, &module);
    (void)accel_module_kernel(module, "right_elements", &kernel);
    (void)accel_buffer_create(device, &desc, &buffer);
    const void *address = accel_buffer_ptr(buffer);
    accel_event_release(event);
    accel_module_release(module);
    accel_buffer_release(buffer);
    printf("address %d\n", accel_buffer_ptr(buffer) == address); /* released-object: address */
    show("info", accel_buffer_info(buffer, &shape));             /* released-object: info */
    show("properties", accel_kernel_info(kernel, &properties));  /* released-object: properties */
    show("arm", accel_event_arm(event));                         /* released-object: arm */
    show("wait", accel_queue_wait_event(queue, event));          /* released-object: awaited */
    accel_event_release(event);                                  /* released-object: hosts */
}

static void use_ended(accel_instance *instance, accel_device *device, accel_device *host)
{
    static accel_queue *queue;
    static accel_event *event;
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    printf("devices %zu\n", accel_instance_device_count(instance));    /* released-object: count */
    show("find", accel_instance_find_device(instance, NULL, &device)); /* released-object: find */
    show("device", accel_device_info(device, &properties));            /* released-object: device */
    show("create", accel_queue_create(device, NULL, &queue));          /* released-object: create */
    show("host", accel_event_create(host, NULL, &event));              /* released-object: host */
    accel_device_release(device);                                      /* released-object: devices */
    accel_instance_release(instance);                                  /* released-object: instance */
}

int main(int count, char *arguments[])
{
    enum { BLOCKS = 4, LOST = 8 };
    static accel_buffer *lost[LOST + 1]; /* found by cpu-check only: LeakSanitizer takes them for used */
    static accel_event *events[2];
    static accel_queue *lost_queue;
    static accel_module *lost_module;
    static float zero[N];
    accel_work work = ACCEL_WORK_INIT;
    static accel_instance *instance; /* static: not lost if one of the calls below fails */
    accel_device *device;
    static accel_queue *queue, *other;
    static accel_module *module;
    accel_kernel *kernel;
    static accel_buffer *x, *y, *c;
    accel_buffer *host = NULL;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), N);
    if (count < 3)
        return 3;
    const accel_status opened = accel_instance_create(NULL, &instance); /* leak-object: instance */
    if (opened != ACCEL_OK || accel_instance_find_device(instance, NULL, &device) ||
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
    const char *more = count > 5 ? arguments[5] : "";
    const bool objects = strcmp(more, "objects") == 0, awaited = strcmp(more, "awaited") == 0;
    if (strcmp(more, "queues") == 0)
        (void)accel_queue_create(device, NULL, &other);
    if (strcmp(more, "unbegun") == 0) {
        (void)accel_launch(queue, kernel, &work, &args, sizeof args);
        (void)accel_read(queue, zero, y);
        return 0;
    }
    (void)accel_queue_wait(queue);
    for (int i = 0; i < 2; ++i)
        (void)accel_launch(i == 1 && other != NULL ? other : queue, kernel, &work, &args, sizeof args);
    for (int i = 0; count > 4 && i < atoi(arguments[4]) && i < LOST; ++i)
        (void)accel_buffer_create(device, &desc, &lost[i]); /* leak: loop */
    const char *const alone[] = {"pending", "instance", "host-event", "ended"};
    bool loses = count > 4;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; ++i)
        loses = loses && strcmp(more, alone[i]) != 0;
    if (loses)
        (void)accel_buffer_create(device, &desc, &lost[LOST]); /* leak: one */
    for (int i = 0; objects && i < 2; ++i)
        (void)accel_event_create(device, NULL, &events[i]); /* leak-object: event */
    if (objects) {
        (void)accel_queue_create(device, NULL, &lost_queue);         /* leak-object: queue */
        (void)accel_module_load(device, arguments[1], &lost_module); /* leak-object: module */
    }
    if (other != NULL)
        (void)accel_queue_wait(other);
    printf("status %d\n", (int)accel_queue_wait(queue));
    if (awaited || strcmp(more, "unawaited") == 0) {
        (void)accel_buffer_create(accel_instance_host(instance), &desc, &host);
        (void)accel_read(queue, zero, y);       /* unawaited: read */
        (void)accel_copy(queue, host, y, NULL); /* unawaited: copy */
        if (awaited && accel_event_create(device, NULL, &events[0]) == ACCEL_OK) {
            (void)accel_event_record(events[0], queue);
            (void)accel_event_wait(events[0]);
            accel_event_release(events[0]);
        }
        accel_buffer_release(host);
    }
    if (strcmp(more, "early") == 0) {
        static volatile float result[N];
        const float one = 1;
        (void)accel_fill(queue, y, &one, sizeof one, NULL);
        (void)accel_read(queue, (void *)(uintptr_t)result, y);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* enough for a queue that begins at once */
        printf("early %g\n", (double)result[7]);
        (void)accel_queue_wait(queue);
        printf("waited %g\n", (double)result[7]);
    }
    if (strcmp(more, "pending") == 0)
        (void)accel_queue_call(queue, dawdle, NULL);
    if (strcmp(more, "queries") == 0)
        ask_released(instance, device, queue, arguments[1]);
    if (strcmp(more, "host-event") == 0)
        (void)accel_event_create(accel_instance_host(instance), NULL, &events[0]); /* leak-object: hosts */
    if (strcmp(more, "released") == 0)
        use_released(device, queue, arguments[1], &work);
    for (int i = 0; strcmp(more, "evicted") == 0 && i < 3000; ++i) {
        (void)accel_event_create(device, NULL, &events[0]);
        accel_event_release(events[0]);
    }
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_buffer_release(c);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_queue_release(other);
    accel_device *const host_device = accel_instance_host(instance);
    if (strcmp(more, "instance") != 0)
        accel_instance_release(instance);
    if (strcmp(more, "ended") == 0)
        use_ended(instance, device, host_device);
    return count > 3 ? atoi(arguments[3]) : 0;
}
