/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a GPU backend makes of a driver's faults, on the simulated drivers, which have them on request. ACCEL_BACKEND names
 * the backend. Each test is a process of its own, and sets the simulator's variables before the driver is opened.
 */
#include "../../conformance/kernels/arguments.h"

#include <accel/accel.h>
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --------------------------------------------------------------------------------------------- what is at hand -- */

typedef struct bench {
    accel_instance *instance;
    accel_device *device, *other; /* two of the backend */
    accel_queue *queue;           /* of the first */
    accel_module *module;
    accel_kernel *add, *set;
    accel_buffer *words; /* 100, of the first device */
} bench;

enum { WORDS = 100 };

#define ok(call) ok_at(__LINE__, #call, (call))
static void ok_at(int line, const char *call, accel_status status)
{
    if (status != ACCEL_OK)
        ck_abort_msg("line %d: %s: %s: %s", line, call, accel_status_name(status), accel_error_message());
}

/* The call gives this status, and its text has each of the pieces, up to a NULL. */
#define refused(status, call, ...) refused_at(__LINE__, status, #call, (call), __VA_ARGS__, NULL)
static void refused_at(int line, accel_status expected, const char *call, accel_status status, ...)
{
    const char *piece;
    va_list pieces;
    if (status != expected)
        ck_abort_msg("line %d: %s gave %s, not %s: %s", line, call, accel_status_name(status),
                     accel_status_name(expected), status == ACCEL_OK ? "" : accel_error_message());
    va_start(pieces, status);
    while ((piece = va_arg(pieces, const char *)) != NULL)
        if (strstr(accel_error_message(), piece) == NULL)
            ck_abort_msg("line %d: %s: \"%s\" is missing in \"%s\"", line, call, piece, accel_error_message());
    va_end(pieces);
}

static const char *backend(void)
{
    const char *name = getenv("ACCEL_BACKEND");
    ck_assert_msg(name != NULL, "ACCEL_BACKEND is not set");
    return name;
}

static bool is_cuda(void)
{
    return strcmp(backend(), "cuda") == 0;
}

static bench begin(void)
{
    bench b = {0};
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    ok(accel_instance_create(NULL, &b.instance));
    ck_assert_uint_ge(accel_instance_device_count(b.instance), 2);
    b.device = accel_instance_device(b.instance, 0);
    b.other = accel_instance_device(b.instance, 1);
    ok(accel_queue_create(b.device, NULL, &b.queue));
    ok(accel_buffer_create(b.device, &desc, &b.words));
    ok(accel_module_load(b.device, "conformance", &b.module));
    ok(accel_module_kernel(b.module, "add", &b.add));
    ok(accel_module_kernel(b.module, "set", &b.set));
    return b;
}

static void end(bench *b)
{
    accel_buffer_release(b->words);
    accel_module_release(b->module);
    accel_queue_release(b->queue);
    accel_instance_release(b->instance);
}

/* A kernel on the bench's words, or on those given. */
static accel_status launch(const bench *b, accel_queue *queue, accel_kernel *kernel, void *words)
{
    words_args args = {.words = words != NULL ? words : accel_buffer_ptr(b->words), .n = WORDS, .value = 5};
    accel_work work = accel_work_1d(4, 32, 1);
    return accel_launch(queue, kernel, &work, &args, sizeof(args));
}

/* Everything once on a device, with a module, kernel and memory of its own. */
static accel_status use(accel_device *device)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    accel_queue *queue = NULL;
    accel_buffer *buffer = NULL;
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_event *event = NULL;
    uint32_t seven = 7, words[WORDS] = {0};
    accel_work work = accel_work_1d(2, 32, 1);
    accel_status status = accel_queue_create(device, NULL, &queue);
    if (status == ACCEL_OK)
        status = accel_event_create(device, NULL, &event);
    if (status == ACCEL_OK)
        status = accel_buffer_create(device, &desc, &buffer);
    if (status == ACCEL_OK)
        status = accel_module_load(device, "conformance", &module);
    if (status == ACCEL_OK)
        status = accel_module_kernel(module, "add", &kernel);
    if (status == ACCEL_OK)
        status = accel_fill(queue, buffer, &seven, sizeof(seven), NULL);
    if (status == ACCEL_OK) {
        words_args args = {.words = accel_buffer_ptr(buffer), .n = WORDS, .value = 5};
        status = accel_launch(queue, kernel, &work, &args, sizeof(args));
    }
    if (status == ACCEL_OK)
        status = accel_read(queue, words, buffer);
    if (status == ACCEL_OK)
        status = accel_event_record(event, queue);
    if (status == ACCEL_OK)
        status = accel_event_wait(event);
    if (status == ACCEL_OK)
        status = accel_queue_wait(queue);
    for (int i = 0; status == ACCEL_OK && i < WORDS; ++i)
        if (words[i] != 12)
            status = ACCEL_INTERNAL;
    accel_event_release(event);
    accel_buffer_release(buffer);
    accel_module_release(module);
    accel_queue_release(queue);
    return status;
}

/* The exit status of a process that runs the function. */
static int status_of(int (*function)(int), int argument)
{
    int status = 0;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        exit(function(argument));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* ------------------------------------------------------------------------------------------------ faults -- */

/* Every later call of the device answers it, with the text of the first. */
static void every_call_answers(const bench *b, accel_status status, const char *piece)
{
    uint32_t value = 1, words[WORDS];
    accel_buffer_desc desc = accel_buffer_1d(4, 10);
    accel_buffer *buffer = NULL;
    accel_queue *queue = NULL;
    accel_module *module = NULL;
    accel_event *event = NULL;
    size_t bytes, total;
    ok(accel_event_create(b->other, NULL, &event));
    refused(status, launch(b, b->queue, b->add, NULL), piece);
    refused(status, accel_fill(b->queue, b->words, &value, sizeof(value), NULL), piece);
    refused(status, accel_read(b->queue, words, b->words), piece);
    refused(status, accel_write(b->queue, b->words, words), piece);
    refused(status, accel_queue_wait(b->queue), piece);
    refused(status, accel_queue_wait(b->queue), piece);
    refused(status, accel_device_wait(b->device), piece);
    refused(status, accel_buffer_create(b->device, &desc, &buffer), piece);
    refused(status, accel_queue_create(b->device, NULL, &queue), piece);
    refused(status, accel_module_load(b->device, "conformance", &module), piece);
    refused(status, accel_device_memory(b->device, &bytes, &total), piece);
    accel_event_release(event);
}

static void an_illegal_address(bench *b, void *words)
{
    accel_event *before = NULL, *after = NULL;
    accel_queue *idle = NULL;
    ok(accel_event_create(b->device, NULL, &before));
    ok(accel_event_create(b->device, NULL, &after));
    ok(accel_queue_create(b->device, NULL, &idle));
    ok(launch(b, b->queue, b->add, NULL));
    ok(accel_event_record(before, b->queue));
    ok(accel_event_wait(before));
    accel_status later = launch(b, b->queue, b->set, words);
    ck_assert(later == ACCEL_OK || later == ACCEL_KERNEL_FAULT);
    accel_status recorded = accel_event_record(after, b->queue);
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b->queue), "set", "add", "aunch");
    if (recorded == ACCEL_OK)
        refused(ACCEL_KERNEL_FAULT, accel_event_wait(after), "set");
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(idle), "set"); /* the device's other queues know of it */
    every_call_answers(b, ACCEL_KERNEL_FAULT, "set");
    ok(use(b->other)); /* other devices go on */
    accel_event_release(before);
    accel_event_release(after);
    accel_queue_release(idle);
}

START_TEST(an_illegal_address_stays_with_its_device_and_names_the_last_launches)
{
    bench b = begin();
    an_illegal_address(&b, (void *)(uintptr_t)64);
    end(&b);
}
END_TEST

/* As hardware does: the host's memory is not the device's. */
START_TEST(a_kernel_does_not_reach_the_hosts_memory)
{
    uint32_t words[WORDS] = {0};
    bench b = begin();
    an_illegal_address(&b, words);
    for (int i = 0; i < WORDS; ++i)
        ck_assert_uint_eq(words[i], 0);
    end(&b);
}
END_TEST

START_TEST(a_blocking_queue_reports_a_fault_at_the_launch)
{
    bench b = begin();
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *blocking = NULL;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    ok(accel_queue_create(b.device, &desc, &blocking));
    ok(launch(&b, blocking, b.add, NULL));
    refused(ACCEL_KERNEL_FAULT, launch(&b, blocking, b.set, (void *)(uintptr_t)64), "set");
    every_call_answers(&b, ACCEL_KERNEL_FAULT, "set");
    accel_queue_release(blocking);
    end(&b);
}
END_TEST

static void count_call(void *user, accel_status status)
{
    uint32_t *calls = user;
    ++calls[status == ACCEL_OK ? 0 : 1];
}

START_TEST(q8_host_functions_run_once_behind_a_fault)
{
    uint32_t calls[2] = {0};
    bench b = begin();
    ok(accel_queue_call(b.queue, count_call, calls));
    ok(accel_queue_wait(b.queue));
    accel_status status = launch(&b, b.queue, b.set, (void *)(uintptr_t)64);
    ck_assert(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT);
    unsigned given = 0;
    for (int i = 0; i < 3; ++i)
        given += accel_queue_call(b.queue, count_call, calls) == ACCEL_OK;
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b.queue), "set");
    ck_assert_uint_eq(calls[0], 1);
    ck_assert_uint_eq(calls[1], given);
    end(&b);
}
END_TEST

START_TEST(k10_a_lost_device_is_lost_for_good_and_others_go_on)
{
    setenv("GPUSIM_FAULT", "lost@2/0", 1);
    bench b = begin();
    ok(launch(&b, b.queue, b.add, NULL));
    ok(accel_queue_wait(b.queue));
    accel_status status = launch(&b, b.queue, b.set, NULL);
    ck_assert(status == ACCEL_OK || status == ACCEL_DEVICE_LOST);
    refused(ACCEL_DEVICE_LOST, accel_queue_wait(b.queue), "set");
    every_call_answers(&b, ACCEL_DEVICE_LOST, "lost");
    ok(use(b.other));
    end(&b);
}
END_TEST

START_TEST(a_launch_that_fails_on_the_device_is_a_fault)
{
    setenv("GPUSIM_FAULT", "launch-failed@1/0", 1);
    bench b = begin();
    accel_status status = launch(&b, b.queue, b.set, NULL);
    ck_assert(status == ACCEL_OK || status == ACCEL_KERNEL_FAULT);
    refused(ACCEL_KERNEL_FAULT, accel_queue_wait(b.queue), "set");
    every_call_answers(&b, ACCEL_KERNEL_FAULT, "set");
    ok(use(b.other));
    end(&b);
}
END_TEST

START_TEST(a_launch_that_the_driver_refuses_leaves_the_device_well)
{
    setenv("GPUSIM_FAULT", "launch@2/0", 1);
    bench b = begin();
    ok(launch(&b, b.queue, b.add, NULL));
    accel_status status = launch(&b, b.queue, b.add, NULL);
    ck_assert_uint_ne(status, ACCEL_OK);
    ck_assert_ptr_nonnull(strstr(accel_error_message(), "add"));
    (void)accel_queue_wait(b.queue);
    ok(use(b.device));
    end(&b);
}
END_TEST

/* The n-th allocation fails, whichever it is: the call says so, or does without, and can be repeated. */
static int use_with_failing_allocation(int n)
{
    accel_instance *instance = NULL;
    char fault[40];
    snprintf(fault, sizeof(fault), "allocation@%d", n);
    setenv("GPUSIM_FAULT", fault, 1);
    if (accel_instance_create(NULL, &instance) != ACCEL_OK)
        return 10;
    int failed = 0;
    for (int i = 0; i < 4; ++i) { /* the n-th may be in a later one */
        accel_status status = use(accel_instance_device(instance, 0));
        failed += status != ACCEL_OK;
        if (status != ACCEL_OK && (status != ACCEL_OUT_OF_MEMORY || accel_error_message()[0] == '\0' || failed > 1)) {
            fprintf(stderr, "allocation %d: %s: %s\n", n, accel_status_name(status), accel_error_message());
            return 11;
        }
    }
    accel_instance_release(instance);
    return failed;
}

START_TEST(whichever_allocation_fails_the_device_is_well_afterwards)
{
    int failed = 0;
    for (int n = 1; n <= 8; ++n) {
        int status = status_of(use_with_failing_allocation, n);
        ck_assert_msg(status <= 1, "allocation %d: exit status %d", n, status);
        failed += status;
    }
    ck_assert_int_gt(failed, 0);
}
END_TEST

/* ---------------------------------------------------------------------------------------- opening, ending -- */

/* The backend cannot be used and says so; a program that has another goes on. */
static void unusable(uint32_t state, const char *piece)
{
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    char both[64];
    bool found = false;
    refused(ACCEL_UNAVAILABLE, accel_instance_create(NULL, &instance), backend(), piece);
    snprintf(both, sizeof(both), "%s,cpu-serial", backend());
    desc.backends = both;
    ok(accel_instance_create(&desc, &instance));
    for (size_t i = 0; i < accel_instance_backend_count(instance); ++i) {
        accel_backend_properties p = ACCEL_BACKEND_PROPERTIES_INIT;
        ok(accel_instance_backend_info(instance, i, &p));
        if (strcmp(p.name, backend()) != 0)
            continue;
        found = true;
        ck_assert_msg(p.state == state, "state %u, not %u: %s", p.state, state, p.reason);
        ck_assert_msg(strstr(p.reason, piece) != NULL, "\"%s\" is missing in \"%s\"", piece, p.reason);
    }
    ck_assert(found);
    accel_instance_release(instance);
}

START_TEST(a_driver_that_is_too_old_says_what_was_found_and_what_is_needed)
{
    setenv("GPUSIM_VERSION", is_cuda() ? "9020" : "40200000", 1);
    unusable(ACCEL_BACKEND_DRIVER_TOO_OLD, is_cuda() ? "9.2" : "4.2");
}
END_TEST

START_TEST(a_driver_without_devices_says_so)
{
    setenv("GPUSIM_DEVICES", "0", 1);
    unusable(ACCEL_BACKEND_NO_DEVICE, "device");
}
END_TEST

START_TEST(a_driver_that_does_not_start_is_broken)
{
    setenv("GPUSIM_INIT", "999", 1);
    unusable(ACCEL_BACKEND_BROKEN, is_cuda() ? "cuInit" : "hipInit");
}
END_TEST

START_TEST(a_symbol_that_is_missing_is_named)
{
    const char *missing = is_cuda() ? "cuStreamCreateWithPriority" : "hipStreamCreateWithPriority";
    setenv("GPUSIM_MISSING", missing, 1);
    accel_instance *instance = NULL;
    refused(ACCEL_UNAVAILABLE, accel_instance_create(NULL, &instance), backend(), missing);
}
END_TEST

/* What newer drivers brought has a fallback. */
static int use_without_optional(int cuda)
{
    accel_instance *instance = NULL;
    setenv("GPUSIM_MISSING",
           cuda != 0 ? "cuMemAllocAsync,cuMemFreeAsync,cuFuncLoad"
                     : "hipLaunchHostFunc,hipMallocAsync,hipFreeAsync,hipMemsetD2D16Async,hipMemsetD2D32Async,"
                       "hipModuleLaunchCooperativeKernel,hipDeviceGetUuid",
           1);
    if (accel_instance_create(NULL, &instance) != ACCEL_OK || use(accel_instance_device(instance, 0)) != ACCEL_OK) {
        fprintf(stderr, "%s\n", accel_error_message());
        return 1;
    }
    accel_instance_release(instance);
    return 0;
}

START_TEST(optional_symbols_may_be_missing)
{
    ck_assert_int_eq(status_of(use_without_optional, is_cuda()), 0);
}
END_TEST

static bench late;

static void end_late(void)
{
    end(&late);
}

/* What is released in an exit handler, when the driver has gone already. */
static int release_at_exit(int argument)
{
    (void)argument;
    setenv("GPUSIM_EXIT", "deinitialized", 1);
    setenv("GPUSIM_ALLOW", "leak", 1); /* looked for before what is released here */
    atexit(end_late);
    late = begin();
    if (use(late.device) != ACCEL_OK)
        return 1;
    return 0;
}

START_TEST(releases_at_exit_succeed_when_the_driver_has_gone)
{
    ck_assert_int_eq(status_of(release_at_exit, 0), 0);
}
END_TEST

/* A kernel that never ends holds up its queue, and not the end of the program. */
static int end_while_hanging(int argument)
{
    bool idle = true;
    (void)argument;
    setenv("GPUSIM_FAULT", "hang@1/0", 1);
    bench b = begin();
    if (launch(&b, b.queue, b.set, NULL) != ACCEL_OK)
        return 1;
    if (accel_queue_is_idle(b.queue, &idle) != ACCEL_OK || idle)
        return 2;
    if (use(b.other) != ACCEL_OK)
        return 3;
    if (accel_queue_is_idle(b.queue, &idle) != ACCEL_OK || idle)
        return 4;
    end(&b); /* O3: waits for nothing */
    return 0;
}

START_TEST(o5_a_program_ends_while_a_kernel_hangs)
{
    ck_assert_int_eq(status_of(end_while_hanging, 0), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *faults = tcase_create("faults"), *ends = tcase_create("opening and ending");
    tcase_set_timeout(faults, 60);
    tcase_set_timeout(ends, 60);
    tcase_add_test(faults, an_illegal_address_stays_with_its_device_and_names_the_last_launches);
    tcase_add_test(faults, a_kernel_does_not_reach_the_hosts_memory);
    tcase_add_test(faults, a_blocking_queue_reports_a_fault_at_the_launch);
    tcase_add_test(faults, q8_host_functions_run_once_behind_a_fault);
    tcase_add_test(faults, k10_a_lost_device_is_lost_for_good_and_others_go_on);
    tcase_add_test(faults, a_launch_that_fails_on_the_device_is_a_fault);
    tcase_add_test(faults, a_launch_that_the_driver_refuses_leaves_the_device_well);
    tcase_add_test(faults, whichever_allocation_fails_the_device_is_well_afterwards);
    tcase_add_test(ends, a_driver_that_is_too_old_says_what_was_found_and_what_is_needed);
    tcase_add_test(ends, a_driver_without_devices_says_so);
    tcase_add_test(ends, a_driver_that_does_not_start_is_broken);
    tcase_add_test(ends, a_symbol_that_is_missing_is_named);
    tcase_add_test(ends, optional_symbols_may_be_missing);
    tcase_add_test(ends, releases_at_exit_succeed_when_the_driver_has_gone);
    tcase_add_test(ends, o5_a_program_ends_while_a_kernel_hangs);
    suite_add_tcase(suite, faults);
    suite_add_tcase(suite, ends);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
