/* SPDX-License-Identifier: Apache-2.0 */
/* Forks. A child tells by its exit status which of its checks failed. */
#include "fork_at_rest.h"
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int exit_status(pid_t child)
{
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the child died of signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return WEXITSTATUS(status);
}

#define in_child(number, condition)                                                                                    \
    do                                                                                                                 \
        if (!(condition))                                                                                              \
            _exit(number);                                                                                             \
    while (0)

/* Buffers and idle queues of the parent, used in the child. */
static void use_in_child(accel_queue *queue, accel_queue *blocking, accel_buffer *buffer, accel_kernel *kernel,
                         uint32_t expected)
{
    uint32_t words[100] = {0};
    words_args args = {.words = (uint32_t *)accel_buffer_ptr(buffer), .n = 100, .value = 1};
    accel_work work = work_of(2, 1);
    accel_queue *queues[] = {queue, blocking};
    for (int i = 0; i < 2; ++i) {
        in_child(10, accel_launch(queues[i], kernel, &work, &args, sizeof args) == ACCEL_OK);
        in_child(11, accel_read(queues[i], words, buffer) == ACCEL_OK);
        in_child(12, accel_queue_wait(queues[i]) == ACCEL_OK);
        for (uint32_t k = 0; k < 100; ++k)
            in_child(13, words[k] == expected + (uint32_t)i + 1);
    }
}

START_TEST(o7_cpu_buffers_and_idle_queues_work_in_the_child_of_a_fork)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU");
    accel_queue *queue = queue_new(test.device, 0), *blocking = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    accel_queue *unused = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 100, 5);
    accel_kernel *kernel = kernel_named("add");
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 100, .value = 1};
    accel_work work = work_of(4, 1);
    ok(accel_launch(blocking, kernel, &work, &args, sizeof args));
    words_are(blocking, buffer, 6);
    words_are(queue, buffer, 6);
    pid_t child = fork_at_rest();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(40);
        use_in_child(queue, blocking, buffer, kernel, 6);
        accel_queue *more = NULL;
        in_child(14, accel_queue_create(test.device, NULL, &more) == ACCEL_OK);
        use_in_child(more, unused, buffer, kernel, 8);
        in_child(15, accel_device_wait(test.device) == ACCEL_OK);
        pid_t grandchild = fork_at_rest(); /* and once more */
        if (grandchild == 0) {
            alarm(40);
            use_in_child(more, unused, buffer, kernel, 10);
            _exit(0);
        }
        int status = 0;
        in_child(16, waitpid(grandchild, &status, 0) == grandchild && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        accel_queue_release(more);
        accel_queue_release(unused);
        accel_queue_release(queue);
        accel_queue_release(blocking);
        accel_buffer_release(buffer);
        _exit(0);
    }
    ck_assert_int_eq(exit_status(child), 0);
    words_are(queue, buffer, 6); /* the child's writes are its own */
    accel_queue_release(queue);
    accel_queue_release(blocking);
    accel_queue_release(unused);
    accel_buffer_release(buffer);
}
END_TEST

START_TEST(o7_async_buffers_are_released_in_the_child_of_a_fork)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU");
    gate door;
    accel_queue *idle = queue_new(test.device, 0), *busy = queue_new(test.device, 0);
    accel_queue *queues[] = {idle, busy};
    accel_buffer *buffers[2] = {NULL};
    accel_buffer_desc desc = accel_buffer_1d(4, 100);
    for (int i = 0; i < 2; ++i)
        ok(accel_buffer_create_async(queues[i], &desc, &buffers[i]));
    ok(accel_queue_wait(idle));
    gate_init(&door);
    gate_in(&door, busy);
    gate_entered(&door);
    pid_t child = fork_at_rest();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(40);
        uint32_t zero = 0, words[100] = {1};
        accel_buffer *more = NULL;
        accel_buffer_release(buffers[1]); /* nothing will ever take it back */
        accel_buffer_release(buffers[0]); /* the first use of the queue here */
        in_child(60, accel_buffer_create_async(idle, &desc, &more) == ACCEL_OK);
        in_child(61, accel_fill(idle, more, &zero, sizeof zero, NULL) == ACCEL_OK);
        in_child(62, accel_read(idle, words, more) == ACCEL_OK);
        in_child(63, accel_queue_wait(idle) == ACCEL_OK && words[0] == 0);
        accel_buffer_release(more);
        in_child(64, accel_queue_wait(busy) == ACCEL_FORKED);
        accel_queue_release(busy);
        accel_queue_release(idle);
        _exit(0);
    }
    int status = exit_status(child);
    gate_open(&door);
    ck_assert_int_eq(status, 0);
    for (int i = 0; i < 2; ++i) {
        accel_buffer_release(buffers[i]);
        ok(accel_queue_wait(queues[i]));
        accel_queue_release(queues[i]);
    }
    gate_destroy(&door);
}
END_TEST

/* Everything again, with launches of several blocks, of which an executor of several threads runs some on others. */
static void use_new_instance(void)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_queue_desc blocks = ACCEL_QUEUE_DESC_INIT;
    accel_instance *instance = NULL;
    accel_queue *queue = NULL, *blocking = NULL;
    accel_buffer *buffer = NULL;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_buffer_desc shape = accel_buffer_1d(4, 100);
    uint32_t value = 7;
    desc.backends = test.properties.backend;
    blocks.flags = ACCEL_QUEUE_BLOCKING;
    in_child(20, accel_instance_create(&desc, &instance) == ACCEL_OK);
    accel_device *device = accel_instance_device(instance, 0);
    in_child(21, accel_queue_create(device, NULL, &queue) == ACCEL_OK);
    in_child(22, accel_queue_create(device, &blocks, &blocking) == ACCEL_OK);
    in_child(23, accel_buffer_create(device, &shape, &buffer) == ACCEL_OK);
    in_child(24, accel_fill(queue, buffer, &value, sizeof value, NULL) == ACCEL_OK);
    in_child(25, accel_queue_wait(queue) == ACCEL_OK);
    in_child(26, accel_module_load(device, "conformance", &module) == ACCEL_OK);
    in_child(27, accel_module_kernel(module, "add", &kernel) == ACCEL_OK);
    use_in_child(queue, blocking, buffer, kernel, 7);
    accel_module_release(module);
    accel_buffer_release(buffer);
    accel_queue_release(blocking);
    accel_queue_release(queue);
    accel_instance_release(instance);
}

/* The thread that forks has itself run launches with its threads before: they do not exist in the child. */
START_TEST(o7_a_new_instance_works_in_the_child_of_a_fork)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU");
    accel_queue *blocking = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    accel_buffer *buffer = words_new(test.device, 100, 1);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 100, .value = 1};
    accel_work work = work_of(4, 1);
    ok(accel_launch(blocking, kernel_named("add"), &work, &args, sizeof args));
    words_are(blocking, buffer, 2);
    pid_t child = fork_at_rest();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(40);
        use_new_instance();
        pid_t grandchild = fork_at_rest(); /* and once more */
        if (grandchild == 0) {
            alarm(40);
            use_new_instance();
            _exit(0);
        }
        int status = 0;
        in_child(28, waitpid(grandchild, &status, 0) == grandchild && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        _exit(0);
    }
    ck_assert_int_eq(exit_status(child), 0);
    ok(accel_launch(blocking, kernel_named("add"), &work, &args, sizeof args)); /* the parent's team is still there */
    words_are(blocking, buffer, 3);
    accel_queue_release(blocking);
    accel_buffer_release(buffer);
}
END_TEST

/* What every use of a queue answers that may not be used in the child. */
static void refused_in_child(accel_queue *queue, accel_buffer *buffer, accel_event *event, accel_kernel *kernel)
{
    uint32_t words[100] = {0};
    words_args args = {.n = 0};
    accel_work work = work_of(1, 1);
    bool yes = false;
    in_child(30, accel_launch(queue, kernel, &work, &args, sizeof args) == ACCEL_FORKED);
    in_child(31, strstr(accel_error_message(), "fork") != NULL);
    in_child(32, strncmp(accel_error_message(), "accel_launch: ", 14) == 0);
    in_child(33, accel_fill(queue, buffer, words, 4, NULL) == ACCEL_FORKED);
    in_child(34, accel_copy(queue, buffer, buffer, NULL) == ACCEL_FORKED);
    in_child(35, accel_write(queue, buffer, words) == ACCEL_FORKED);
    in_child(36, accel_read(queue, words, buffer) == ACCEL_FORKED);
    in_child(37, accel_queue_wait(queue) == ACCEL_FORKED);
    in_child(38, accel_queue_is_idle(queue, &yes) == ACCEL_FORKED);
    in_child(39, accel_event_record(event, queue) == ACCEL_FORKED);
    in_child(40, accel_queue_wait_event(queue, event) == ACCEL_FORKED);
    accel_queue_release(queue); /* succeeds */
    accel_event_release(event);
    accel_buffer_release(buffer);
    _exit(0);
}

START_TEST(o7_queues_with_work_pending_at_the_fork_answer_so)
{
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("the device under test is no CPU");
    gate door;
    accel_queue *queue = queue_new(test.device, 0), *idle = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 100, 1);
    accel_event *event = event_new(test.device, 0);
    accel_kernel *kernel = kernel_named("add");
    gate_init(&door);
    gate_in(&door, queue);
    gate_entered(&door);
    accel_event *pending = event_new(test.device, ACCEL_EVENT_TIMING),
                *armed = event_new(test.host, ACCEL_EVENT_TIMING);
    ok(accel_event_record(pending, queue));
    ok(accel_event_arm(armed));
    pid_t child = fork_at_rest();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        bool yes = false;
        uint64_t nanoseconds;
        in_child(50, accel_queue_wait(idle) == ACCEL_OK);
        in_child(51, accel_event_is_complete(pending, &yes) == ACCEL_FORKED);
        in_child(52, strstr(accel_error_message(), "create a new queue") != NULL);
        in_child(53, accel_event_is_complete(armed, &yes) == ACCEL_FORKED);
        in_child(54, accel_event_elapsed(pending, pending, &nanoseconds) == ACCEL_FORKED);
        in_child(55, accel_event_elapsed(armed, armed, &nanoseconds) == ACCEL_FORKED);
        refused_in_child(queue, buffer, event, kernel);
    }
    int status = exit_status(child);
    gate_open(&door);
    ok(accel_queue_wait(queue)); /* the parent's goes on */
    ck_assert_int_eq(status, 0);
    words_are(queue, buffer, 1);
    ok(accel_event_wait(pending));
    ok(accel_event_signal(armed, ACCEL_OK));
    accel_event_release(pending);
    accel_event_release(armed);
    accel_queue_release(queue);
    accel_queue_release(idle);
    accel_buffer_release(buffer);
    accel_event_release(event);
    gate_destroy(&door);
}
END_TEST

START_TEST(o7_objects_of_other_devices_answer_so)
{
    accel_device *partner = need_partner(); /* like GPUs, it says nothing of forks */
    accel_queue *queue = queue_new(partner, 0);
    accel_buffer *buffer = words_new(partner, 100, 1);
    accel_event *event = event_new(partner, 0);
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    ok(accel_module_load(partner, "conformance", &module));
    ok(accel_module_kernel(module, "add", &kernel));
    words_are(queue, buffer, 1);
    pid_t child = fork_at_rest();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        refused_in_child(queue, buffer, event, kernel);
    ck_assert_int_eq(exit_status(child), 0);
    words_are(queue, buffer, 1);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_buffer_release(buffer);
    accel_event_release(event);
}
END_TEST

Suite *fork_suite(void)
{
    Suite *suite = suite_create("fork");
    add(suite, o7_cpu_buffers_and_idle_queues_work_in_the_child_of_a_fork);
    add(suite, o7_async_buffers_are_released_in_the_child_of_a_fork);
    add(suite, o7_a_new_instance_works_in_the_child_of_a_fork);
    add(suite, o7_queues_with_work_pending_at_the_fork_answer_so);
    add(suite, o7_objects_of_other_devices_answer_so);
    return suite;
}
