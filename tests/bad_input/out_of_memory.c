/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core's own allocations fail, one after the other: the first of a whole program's, then the second, until the program
 * runs through. Each failure is answered with ACCEL_OUT_OF_MEMORY by the call that met it, and leaves its outputs
 * alone; leaks are what the build with AddressSanitizer is for. Links core statically, which has the hook.
 *
 * Not part of it: what the C library allocates. It ends the program when a thread first touches the thread-local memory
 * of a library that was loaded by dlopen (kernel objects with ACCEL_SHARED in thread kernels), and there is none for it.
 */
#include "assertions.h"
#include "kernels/arguments.h"

#include <accel/accel.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool accel_allocate_fails(size_t size);

static _Atomic int64_t until_failure; /* negative: none fails */
static _Atomic bool failed;

bool accel_allocate_fails(size_t size)
{
    (void)size;
    if (atomic_fetch_sub(&until_failure, 1) != 0)
        return false;
    atomic_store(&failed, true);
    return true;
}

typedef struct objects {
    accel_instance *instance;
    accel_queue *queue;
    accel_event *event, *host_event;
    accel_buffer *buffer, *pinned, *host, *view, *stream, *global;
    accel_module *module;
    accel_kernel *kernel;
} objects;

static bool visit(void *user, const accel_object_properties *properties)
{
    (void)properties;
    ++*(size_t *)user;
    return true;
}

/* True if the call succeeded. Otherwise it met the failing allocation, and says so. */
static bool good(accel_status status, const char *call, const void *output)
{
    if (status == ACCEL_OK)
        return true;
    ck_assert_msg(atomic_load(&failed), "%s: %s: %s", call, accel_status_name(status), accel_error_message());
    ck_assert_msg(status == ACCEL_OUT_OF_MEMORY, "%s: %s: %s", call, accel_status_name(status), accel_error_message());
    ck_assert_msg(strncmp(call, accel_error_message(), strcspn(call, "(")) == 0 &&
                      strstr(accel_error_message(), "memory") != NULL,
                  "%s: %s", call, accel_error_message());
    ck_assert_ptr_null(output);
    return false;
}
#define TRY(call, output)                                                                                              \
    if (!good((call), #call, output))                                                                                  \
        return false;

/* A whole program. True if it ran through. */
static bool program(objects *o)
{
    accel_device *device = NULL;
    accel_buffer_desc desc = accel_buffer_1d(4, 100);
    accel_work work = ACCEL_WORK_INIT;
    uint32_t words[100] = {0}, value = 5;
    size_t extent = 100, visited = 0;
    TRY(accel_instance_create(NULL, &o->instance), o->instance);
    TRY(accel_instance_find_device(o->instance, NULL, &device), device);
    TRY(accel_queue_create(device, NULL, &o->queue), o->queue);
    TRY(accel_event_create(device, NULL, &o->event), o->event);
    TRY(accel_event_create(accel_instance_host(o->instance), NULL, &o->host_event), o->host_event);
    TRY(accel_buffer_create(device, &desc, &o->buffer), o->buffer);
    TRY(accel_buffer_create(accel_instance_host(o->instance), &desc, &o->host), o->host);
    TRY(accel_buffer_create_async(o->queue, &desc, &o->stream), o->stream);
    desc.flags = ACCEL_BUFFER_PINNED;
    TRY(accel_buffer_create(device, &desc, &o->pinned), o->pinned);
    TRY(accel_buffer_view(o->buffer, NULL, NULL, &o->view), o->view);
    TRY(accel_device_visit_objects(device, NULL, visit, &visited), NULL);
    TRY(accel_module_load(device, "conformance", &o->module), o->module);
    TRY(accel_module_kernel(o->module, "add", &o->kernel), o->kernel);
    TRY(accel_module_global(o->module, "global_words", &o->global), o->global);
    TRY(accel_work_divide(o->kernel, 1, &extent, NULL, &work), NULL);
    TRY(accel_fill(o->queue, o->buffer, &value, sizeof value, NULL), NULL);
    words_args args = {.words = accel_buffer_ptr(o->buffer), .n = 100, .value = 2};
    TRY(accel_event_arm(o->host_event), NULL);
    TRY(accel_queue_wait_event(o->queue, o->host_event), NULL);
    TRY(accel_event_signal(o->host_event, ACCEL_OK), NULL);
    TRY(accel_launch(o->queue, o->kernel, &work, &args, sizeof args), NULL);
    args.value = 0;
    TRY(accel_launch_over(o->queue, o->kernel, 1, &extent, &args, sizeof args), NULL);
    TRY(accel_copy(o->queue, o->stream, o->buffer, NULL), NULL);
    TRY(accel_event_record(o->event, o->queue), NULL);
    TRY(accel_queue_wait_event(o->queue, o->event), NULL);
    TRY(accel_read(o->queue, words, o->stream), NULL);
    TRY(accel_queue_wait(o->queue), NULL);
    ck_assert_uint_eq(words[99], 7);
    ck_assert_uint_gt(visited, 0);
    return true;
}

static void release(objects *o)
{
    accel_buffer_release(o->view);
    accel_buffer_release(o->global);
    accel_buffer_release(o->stream);
    accel_buffer_release(o->pinned);
    accel_buffer_release(o->host);
    accel_buffer_release(o->buffer);
    accel_module_release(o->module);
    accel_event_release(o->event);
    accel_event_release(o->host_event);
    accel_queue_release(o->queue);
    accel_instance_release(o->instance);
}

START_TEST(every_allocation_may_fail)
{
    int64_t n = 0;
    bool through = false;
    for (; !through && n < 5000; ++n) {
        objects o;
        memset(&o, 0, sizeof o);
        atomic_store(&failed, false);
        atomic_store(&until_failure, n);
        through = program(&o);
        bool met = atomic_load(&failed);
        atomic_store(&until_failure, -1);
        release(&o);
        if (through && met) /* a failure that harmed nothing: an error text, a hint */
            through = false;
    }
    ck_assert_msg(through, "the program never ran through");
    ck_assert_int_gt(n, 30);
    printf("# %lld allocations failed in turn\n", (long long)n - 1);
}
END_TEST

/* Two devices of which neither reaches the other's memory. */
typedef struct travel {
    accel_instance *instance;
    accel_queue *queues[4]; /* of the first and the last device, one that blocks of each */
    accel_buffer *first, *last;
} travel;

static travel travel_begin(void)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_buffer_desc shape = accel_buffer_1d(4, 100);
    travel t = {.instance = NULL};
    desc.backends = "cpu-serial,faulty,faulty-partner";
    ck_assert_int_eq(accel_instance_create(&desc, &t.instance), ACCEL_OK);
    accel_device *ends[2] = {accel_instance_device(t.instance, 1),
                             accel_instance_device(t.instance, accel_instance_device_count(t.instance) - 1)};
    for (int i = 0; i < 4; ++i) {
        accel_queue_desc queue = ACCEL_QUEUE_DESC_INIT;
        queue.flags = i % 2 != 0 ? ACCEL_QUEUE_BLOCKING : 0;
        ck_assert_int_eq(accel_queue_create(ends[i / 2], &queue, &t.queues[i]), ACCEL_OK);
    }
    ck_assert_int_eq(accel_buffer_create(ends[0], &shape, &t.first), ACCEL_OK);
    ck_assert_int_eq(accel_buffer_create(ends[1], &shape, &t.last), ACCEL_OK);
    return t;
}

static void travel_end(travel *t)
{
    for (int i = 0; i < 4; ++i)
        accel_queue_release(t->queues[i]);
    accel_buffer_release(t->first);
    accel_buffer_release(t->last);
    accel_instance_release(t->instance);
}

/* There and back by the queue: 0 means that it arrived, or why it did not. */
static accel_status there_and_back(travel *t, int i, uint32_t value)
{
    accel_buffer *near = i / 2 == 0 ? t->first : t->last, *far = i / 2 == 0 ? t->last : t->first;
    uint32_t words[100] = {0}, nothing = 0;
    accel_status first = accel_fill(t->queues[i], near, &value, sizeof value, NULL);
    if (first == ACCEL_OK)
        first = accel_copy(t->queues[i], far, near, NULL);
    if (first == ACCEL_OK)
        first = accel_fill(t->queues[i], near, &nothing, sizeof nothing, NULL);
    if (first == ACCEL_OK)
        first = accel_copy(t->queues[i], near, far, NULL);
    if (first == ACCEL_OK)
        first = accel_read(t->queues[i], words, near);
    accel_status later = accel_queue_wait(t->queues[i]);
    if (first == ACCEL_OK && later == ACCEL_OK)
        ck_assert_uint_eq(words[99], value);
    return first != ACCEL_OK ? first : later;
}

START_TEST(m4_every_allocation_of_a_copy_between_backends_may_fail)
{
    for (int i = 0; i < 4; ++i) {
        int64_t n = 0;
        bool through = false;
        for (; !through && n < 100; ++n) {
            travel t = travel_begin();
            atomic_store(&failed, false);
            atomic_store(&until_failure, n);
            accel_status status = there_and_back(&t, i, 1);
            atomic_store(&until_failure, -1);
            through = !atomic_load(&failed);
            ck_assert(status == ACCEL_OK || (status == ACCEL_OUT_OF_MEMORY && !through));
            ck_assert_int_eq(there_and_back(&t, i, 2), ACCEL_OK);
            travel_end(&t);
        }
        ck_assert(through);
        ck_assert_int_gt(n, 2); /* the ports of both devices, at least */
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("out of memory");
    TCase *tcase = tcase_create("out of memory");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, every_allocation_may_fail);
    tcase_add_test(tcase, m4_every_allocation_of_a_copy_between_backends_may_fail);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    atomic_store(&until_failure, -1);
    srunner_run_all(runner, CK_NORMAL);
    int bad = srunner_ntests_failed(runner);
    srunner_free(runner);
    return bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
