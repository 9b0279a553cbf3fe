/* SPDX-License-Identifier: Apache-2.0 */
/* Faults, of kernels and on request. */
#include "kernel.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A context on device 1 beside the one on device 0, whose queue goes on. */
static cuda_context other_context(void)
{
    cuda_context context = NULL;
    cuda_ok(cu.primary_retain(&context, 1));
    return context;
}

static void works(cuda_context context)
{
    uint32_t read = 0;
    cuda_ok(cu.context_set(context));
    cuda_device_pointer words = cuda_new_words(4, 9);
    cuda_ok(cu.copy((uintptr_t)&read, words, 4, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
    ck_assert_uint_eq(read, 9);
    cuda_ok(cu.memory_free(words));
}

/* Everything on the context answers the same. */
static void fails(cuda_context context, cuda_stream stream, cuda_event event, cuda_device_pointer words, int result)
{
    cuda_device_pointer more = 0;
    cuda_stream new_stream = NULL;
    cuda_ok(cu.context_set(context));
    ck_assert_int_eq(cu.stream_synchronize(stream), result);
    ck_assert_int_eq(cu.stream_query(stream), result);
    ck_assert_int_eq(cu.event_query(event), result);
    ck_assert_int_eq(cu.event_synchronize(event), result);
    ck_assert_int_eq(cu.memory_allocate(&more, 4), result);
    ck_assert_int_eq(cu.stream_create(&new_stream, 0, 0), result);
    ck_assert_int_eq(cu.fill_8(words, 0, 1, stream), result);
    ck_assert_int_eq(cu.event_destroy(event), result);
    ck_assert_int_eq(cu.stream_destroy(stream), result);
    ck_assert_int_eq(cu.memory_free(words), result);
}

static void fault(uint32_t *address, int result)
{
    cuda_start();
    cuda_context first = NULL, second = other_context();
    cuda_ok(cu.context_get(&first));
    cuda_stream stream = cuda_new_stream(1);
    cuda_event event = cuda_new_event(0);
    cuda_device_pointer words = cuda_new_words(10, 0);
    cuda_function poke = cuda_kernel(cuda_load("compute_75.ptx"), "poke");
    ck_assert_int_eq(cuda_run(poke, stream, (words_args){address, 0, 1}, 0), 0);
    cuda_ok(cu.event_record(event, stream));
    while (cu.stream_query(stream) == CUDA_RESULT_NOT_READY)
        ;
    fails(first, stream, event, words, result);
    works(second);
    cuda_ok(cu.primary_release(1));
    cuda_ok(cu.primary_release(0));
}

START_TEST(an_illegal_address_is_sticky_and_other_devices_go_on)
{
    fault((uint32_t *)0x10, CUDA_RESULT_ILLEGAL_ADDRESS); /* NOLINT(performance-no-int-to-ptr) */
}
END_TEST

START_TEST(a_kernel_cannot_write_where_only_the_host_can)
{
    uint32_t *pinned = NULL;
    cuda_start();
    cuda_ok(cu.host_allocate((void **)&pinned, 400, 0)); /* not mapped */
    cuda_function poke = cuda_kernel(cuda_load("compute_75.ptx"), "poke");
    ck_assert_int_eq(cuda_run(poke, NULL, (words_args){pinned, 0, 1}, 0), 0);
    ck_assert_int_eq(cu.stream_synchronize(NULL), CUDA_RESULT_ILLEGAL_ADDRESS);
    cuda_stop();
}
END_TEST

START_TEST(a_failed_context_can_be_made_anew)
{
    fault((uint32_t *)0x10, CUDA_RESULT_ILLEGAL_ADDRESS); /* NOLINT(performance-no-int-to-ptr) */
    cuda_context context = NULL;
    cuda_ok(cu.primary_retain(&context, 0));
    works(context);
    cuda_stop();
}
END_TEST

/* The n-th launch ends with `result`; the ones before do not. */
static void nth_launch(const char *fault_text, int n, int result)
{
    setenv("GPUSIM_FAULT", fault_text, 1);
    cuda_start();
    cuda_context first = NULL, second = other_context();
    cuda_ok(cu.context_get(&first));
    cuda_stream stream = cuda_new_stream(1);
    cuda_event event = cuda_new_event(0);
    cuda_device_pointer words = cuda_new_words(10, 0);
    cuda_function kernel = cuda_kernel(cuda_load("compute_75.ptx"), "add");
    for (int i = 1; i < n; ++i) {
        ck_assert_int_eq(cuda_run(kernel, stream, (words_args){(uint32_t *)words, 10, 1}, 0),
                         0); /* NOLINT(performance-no-int-to-ptr) */
        cuda_ok(cu.stream_synchronize(stream));
    }
    cuda_ok(cu.event_record(event, stream));
    ck_assert_int_eq(cuda_run(kernel, stream, (words_args){(uint32_t *)words, 10, 1}, 0),
                     0); /* NOLINT(performance-no-int-to-ptr) */
    fails(first, stream, event, words, result);
    works(second);
    cuda_ok(cu.primary_release(1));
    cuda_ok(cu.primary_release(0));
}

START_TEST(the_nth_launch_fails_on_request)
{
    nth_launch("launch-failed@3", 3, CUDA_RESULT_LAUNCH_FAILED);
}
END_TEST

START_TEST(the_nth_launch_meets_an_illegal_address_on_request)
{
    nth_launch("illegal-address@1/0", 1, CUDA_RESULT_ILLEGAL_ADDRESS);
}
END_TEST

START_TEST(a_device_is_lost_on_request)
{
    cuda_context context = NULL;
    nth_launch("lost@2", 2, CUDA_RESULT_ECC_UNCORRECTABLE);
    ck_assert_int_eq(cu.primary_retain(&context, 0), CUDA_RESULT_ECC_UNCORRECTABLE);
}
END_TEST

START_TEST(a_launch_is_refused_on_request)
{
    setenv("GPUSIM_FAULT", "launch@2", 1);
    cuda_start();
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_function kernel = cuda_kernel(module, "add");
    ck_assert_int_eq(cuda_run(kernel, NULL, (words_args){0}, 0), 0);
    ck_assert_int_eq(cuda_run(kernel, NULL, (words_args){0}, 0), CUDA_RESULT_LAUNCH_OUT_OF_RESOURCES);
    ck_assert_int_eq(cuda_run(kernel, NULL, (words_args){0}, 0), 0);
    cuda_ok(cu.stream_synchronize(NULL));
    cuda_ok(cu.module_unload(module));
    cuda_stop();
}
END_TEST

START_TEST(allocations_fail_on_request)
{
    setenv("GPUSIM_FAULT", "allocation@2,allocation@1/1", 1);
    cuda_device_pointer words[3] = {0};
    void *pinned = NULL;
    cuda_start();
    cuda_ok(cu.memory_allocate(&words[0], 4));
    ck_assert_int_eq(cu.host_allocate(&pinned, 4, 0), CUDA_RESULT_OUT_OF_MEMORY);
    cuda_ok(cu.host_allocate(&pinned, 4, 0));
    cuda_ok(cu.host_free(pinned));
    cuda_ok(cu.memory_free(words[0]));
    cuda_ok(cu.context_set(other_context()));
    ck_assert_int_eq(cu.memory_allocate(&words[0], 4), CUDA_RESULT_OUT_OF_MEMORY);
    cuda_ok(cu.primary_release(1));
    cuda_stop();
}
END_TEST

static void hang_and_exit(void)
{
    setenv("GPUSIM_FAULT", "hang@1", 1);
    cuda_start();
    cuda_stream stream = cuda_new_stream(1);
    cuda_module module = cuda_load("compute_75.ptx");
    ck_assert_int_eq(cuda_run(cuda_kernel(module, "add"), stream, (words_args){0}, 0), 0);
    for (int i = 0; i < 50; ++i) {
        ck_assert_int_eq(cu.stream_query(stream), CUDA_RESULT_NOT_READY);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    cuda_stream free_running = cuda_new_stream(1);
    cuda_device_pointer words = 0;
    cuda_ok(cu.memory_allocate(&words, 400));
    cuda_ok(cu.fill_8(words, 0, 400, free_running));
    cuda_ok(cu.stream_synchronize(free_running));
}

START_TEST(a_stream_hangs_on_request_and_the_program_can_still_exit)
{
    run_apart(hang_and_exit, 0);
}
END_TEST

START_TEST(any_function_answers_what_is_asked_for)
{
    setenv("GPUSIM_FAIL", "cuStreamQuery@2=46,cuMemAlloc_v2@1=2", 1);
    cuda_device_pointer words = 0;
    cuda_start();
    cuda_ok(cu.stream_query(NULL));
    ck_assert_int_eq(cu.stream_query(NULL), 46);
    cuda_ok(cu.stream_query(NULL));
    ck_assert_int_eq(cu.memory_allocate(&words, 4), CUDA_RESULT_OUT_OF_MEMORY);
    cuda_ok(cu.memory_allocate(&words, 4));
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}
END_TEST

START_TEST(calls_are_traced_on_request)
{
    char path[] = "/tmp/gpusim-trace-XXXXXX", text[300] = "";
    int file = mkstemp(path);
    setenv("GPUSIM_TRACE", path, 1);
    cuda_open();
    cuda_ok(cu.init(0));
    ck_assert_int_eq(cu.stream_query(NULL), CUDA_RESULT_INVALID_CONTEXT);
    ck_assert_int_gt(read(file, text, sizeof text - 1), 0);
    ck_assert_str_eq(text, "cuInit\ncuStreamQuery\n");
    close(file);
    unlink(path);
}
END_TEST

START_TEST(initialisation_fails_on_request)
{
    setenv("GPUSIM_INIT", "804", 1);
    cuda_open();
    ck_assert_int_eq(cu.init(0), CUDA_RESULT_COMPAT_NOT_SUPPORTED_ON_DEVICE);
    int count = 0;
    ck_assert_int_eq(cu.device_count(&count), CUDA_RESULT_NOT_INITIALIZED);
}
END_TEST

START_TEST(there_may_be_no_device)
{
    setenv("GPUSIM_DEVICES", "0", 1);
    cuda_open();
    ck_assert_int_eq(cu.init(0), CUDA_RESULT_NO_DEVICE);
}
END_TEST

START_TEST(functions_are_missing_on_request)
{
    setenv("GPUSIM_MISSING", "cuMemcpyAsync,cuMemAlloc_v2", 1);
    void *function = NULL;
    cuda_query_result found;
    cuda_open();
    ck_assert(cu.copy == NULL && cu.memory_allocate == NULL && cu.copy_3d != NULL && cu.memory_free != NULL);
    cuda_ok(cu.get_proc_address("cuMemAlloc", &function, 12000, 0, &found));
    ck_assert(function == NULL && found == CUDA_QUERY_NOT_FOUND);
}
END_TEST

START_TEST(an_old_driver_lacks_what_came_later)
{
    setenv("GPUSIM_VERSION", "11040", 1);
    int version = 0;
    void *function = NULL;
    cuda_open();
    cuda_ok(cu.driver_version(&version));
    ck_assert_int_eq(version, 11040);
    ck_assert(cu.get_proc_address == NULL && cu.get_proc_address_first != NULL && cu.function_load == NULL);
    cuda_ok(cu.get_proc_address_first("cuMemAllocAsync", &function, 11020, 0));
    ck_assert(function != NULL);
    ck_assert_int_eq(cu.get_proc_address_first("cuFuncLoad", &function, 12040, 0), CUDA_RESULT_NOT_FOUND);
}
END_TEST

START_TEST(functions_come_in_the_version_that_is_asked_for)
{
    void *function = NULL;
    cuda_query_result found;
    cuda_open();
    cuda_ok(cu.get_proc_address("cuFuncLoad", &function, 12000, 0, &found));
    ck_assert(function == NULL && found == CUDA_QUERY_VERSION_NOT_SUFFICIENT);
    cuda_ok(cu.get_proc_address("cuFuncLoad", &function, 12040, 0, &found));
    ck_assert(function != NULL && found == CUDA_QUERY_SUCCESS);
    cuda_ok(cu.get_proc_address("cuNoSuch", &function, 12040, 0, &found));
    ck_assert(function == NULL && found == CUDA_QUERY_NOT_FOUND);
}
END_TEST

static cuda_stream kept_stream;

static void call_at_exit(void)
{
    int result = (int)cu.stream_destroy(kept_stream);
    _Exit(result == CUDA_RESULT_DEINITIALIZED ? 44 : 45);
}

static void call_behind_the_drivers_exit(void)
{
    setenv("GPUSIM_EXIT", "deinitialized", 1);
    atexit(call_at_exit); /* runs after those that are registered later */
    cuda_start();
    kept_stream = cuda_new_stream(1);
}

START_TEST(the_driver_is_gone_at_exit_on_request)
{
    run_apart(call_behind_the_drivers_exit, 44);
}
END_TEST

Suite *fault_suite(void)
{
    Suite *suite = suite_create("fault");
    add_test(suite, an_illegal_address_is_sticky_and_other_devices_go_on);
    add_test(suite, a_kernel_cannot_write_where_only_the_host_can);
    add_test(suite, a_failed_context_can_be_made_anew);
    add_test(suite, the_nth_launch_fails_on_request);
    add_test(suite, the_nth_launch_meets_an_illegal_address_on_request);
    add_test(suite, a_device_is_lost_on_request);
    add_test(suite, a_launch_is_refused_on_request);
    add_test(suite, allocations_fail_on_request);
    add_test(suite, a_stream_hangs_on_request_and_the_program_can_still_exit);
    add_test(suite, any_function_answers_what_is_asked_for);
    add_test(suite, calls_are_traced_on_request);
    add_test(suite, initialisation_fails_on_request);
    add_test(suite, there_may_be_no_device);
    add_test(suite, functions_are_missing_on_request);
    add_test(suite, an_old_driver_lacks_what_came_later);
    add_test(suite, functions_come_in_the_version_that_is_asked_for);
    add_test(suite, the_driver_is_gone_at_exit_on_request);
    return suite;
}
