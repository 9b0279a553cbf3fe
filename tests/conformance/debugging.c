/* SPDX-License-Identifier: Apache-2.0 */
/* What changes while a program is debugged: ACCEL_LAUNCH_BLOCKING, and tools that are wrong themselves. */
#include "../kernels/assertions.h"
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* An instance that reads the environment anew. */
typedef struct again {
    accel_instance *instance;
    accel_device *device;
    accel_module *module;
} again;

static again again_open(const char *library)
{
    again a = {0};
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = test.properties.backend;
    ok(accel_instance_create(&desc, &a.instance));
    a.device = accel_instance_device(a.instance, 0);
    ok(accel_module_load(a.device, library, &a.module));
    return a;
}

static void again_close(const again *a)
{
    accel_module_release(a->module);
    accel_instance_release(a->instance);
}

static accel_kernel *again_kernel(const again *a, const char *name)
{
    accel_kernel *kernel = NULL;
    ok_if_supported(accel_module_kernel(a->module, name, &kernel));
    return kernel;
}

static void add_one(accel_queue *queue, accel_kernel *kernel, accel_buffer *buffer, size_t n)
{
    words_args args = {.words = (uint32_t *)accel_buffer_ptr(buffer), .n = n, .value = 1};
    accel_work work = work_of(4, 1);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
}

START_TEST(w9_launch_blocking_makes_every_launch_wait)
{
    enum { N = 100000 };
    bool idle = false;
    setenv("ACCEL_LAUNCH_BLOCKING", "1", 1);
    again a = again_open("conformance");
    accel_queue *queue = queue_new(a.device, 0);
    accel_buffer *buffer = words_new(a.device, N, 3);
    for (int i = 0; i < 10; ++i) {
        add_one(queue, again_kernel(&a, "add"), buffer, N);
        ok(accel_queue_is_idle(queue, &idle));
        ck_assert(idle);
    }
    words_are(queue, buffer, 13);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    again_close(&a);
    setenv("ACCEL_LAUNCH_BLOCKING", "yes", 1);
    refused(ACCEL_INVALID, accel_instance_create(NULL, &a.instance), "ACCEL_LAUNCH_BLOCKING", "yes");
}
END_TEST

START_TEST(w9_a_launch_that_waits_returns_its_own_failure)
{
    enum { N = 64, BAD = 40 };
    setenv("ACCEL_LAUNCH_BLOCKING", "1", 1);
    again a = again_open("kernels");
    accel_kernel *kernel = again_kernel(&a, "assert_in_region");
    accel_queue *queue = queue_new(a.device, 0);
    accel_buffer *line = words_new(a.device, N, 0), *after = words_new(a.device, N, 0);
    assertions_args args = {.n = N, .bad = N, .line = accel_buffer_ptr(line), .after = accel_buffer_ptr(after)};
    accel_work work = work_of(1, N);
    for (int i = 0; i < 3; ++i) {
        args.bad = N;
        ok(accel_launch(queue, kernel, &work, &args, sizeof args));
        args.bad = BAD;
        refused(ACCEL_KERNEL_FAULT, accel_launch(queue, kernel, &work, &args, sizeof args), "assertion failed at",
                "thread (40, 0, 0)");
        ok(accel_queue_wait(queue)); /* it is reported */
    }
    accel_buffer_release(line);
    accel_buffer_release(after);
    accel_queue_release(queue);
    again_close(&a);
}
END_TEST

/* Kernels are of the program's library; a tool is code of its own in the program. */
static void run_under_a_tool_that_crashes(void)
{
    setenv("ACCEL_FAULTS", "report", 1);
    setenv("ACCEL_TOOL", "recorder", 1);
    setenv("RECORDER_MODE", "crash", 1);
    again a = again_open("conformance");
    accel_queue *queue = queue_new(a.device, 0);
    accel_buffer *buffer = words_new(a.device, 10, 0);
    add_one(queue, again_kernel(&a, "add"), buffer, 10);
    (void)accel_queue_wait(queue);
    _exit(0);
}

START_TEST(w7_a_tool_that_crashes_ends_the_program_and_is_no_fault_of_a_kernel)
{
    struct sigaction now;
    int status = 0;
    if (test.properties.kind != ACCEL_DEVICE_CPU)
        unsupported("drivers do not survive a fork");
    if (sigaction(SIGSEGV, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
        not_here("SIGSEGV is handled, as by a sanitizer");
    const pid_t child = fork();
    if (child == 0)
        run_under_a_tool_that_crashes();
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "it ended with %d", status);
}
END_TEST

Suite *debugging_suite(void)
{
    Suite *suite = suite_create("debugging");
    suite_tags = "tools"; /* not for runs under a tool */
    add(suite, w9_launch_blocking_makes_every_launch_wait);
    add(suite, w9_a_launch_that_waits_returns_its_own_failure);
    add(suite, w7_a_tool_that_crashes_ends_the_program_and_is_no_fault_of_a_kernel);
    suite_tags = NULL;
    return suite;
}
