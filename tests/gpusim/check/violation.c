/* SPDX-License-Identifier: Apache-2.0 */
/* What a driver would not forgive: each of these programs ends with the violation's status, and its report says why. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

static void leak_memory(void)
{
    cuda_start();
    cuda_new_words(25, 0);
    cuda_stop();
}

static void leak_stream(void)
{
    cuda_start();
    cuda_new_stream(0);
    cuda_new_event(0);
}

static void leak_context(void)
{
    cuda_start();
}

static void leak_created_context(void)
{
    cuda_context context = NULL;
    cuda_open();
    cuda_ok(cu.init(0));
    cuda_ok(cu_more.context_create(&context, 0, 1));
    cuda_ok(cu_more.context_pop(&context));
}

static void leak_module(void)
{
    cuda_start();
    cuda_load("compute_75.ptx");
    cuda_stop();
}

START_TEST(what_is_left_is_a_leak)
{
    run_apart(leak_stream, 86);
    ck_assert_ptr_nonnull(strstr(report, "cuda: leak: 1 streams\n"));
    ck_assert_ptr_nonnull(strstr(report, "cuda: leak: 1 events\n"));
    violates(leak_context, "leak: the primary context of device 0, retained 1 times");
    violates(leak_created_context, "leak: a context of device 1");
}
END_TEST

START_TEST(a_context_ends_after_what_is_in_it)
{
    violates(leak_memory, "order: the context of device 0 ends with 0 streams, 0 events, 0 modules and 1 blocks");
    violates(leak_module, "order: the context of device 0 ends with 0 streams, 0 events, 1 modules and 0 blocks");
}
END_TEST

static void release_twice(void)
{
    cuda_start();
    cuda_stop();
    cu.primary_release(0);
}

START_TEST(a_context_is_released_as_often_as_retained)
{
    violates(release_twice, "order: the primary context of device 0 is released more often");
}
END_TEST

static void use_destroyed_stream(void)
{
    cuda_start();
    cuda_stream stream = cuda_new_stream(0);
    cuda_ok(cu.stream_destroy(stream));
    ck_assert_int_eq(cu.stream_query(stream), CUDA_RESULT_INVALID_HANDLE);
    cuda_stop();
}

static void use_destroyed_event(void)
{
    cuda_start();
    cuda_event event = cuda_new_event(0);
    cuda_ok(cu.event_destroy(event));
    ck_assert_int_eq(cu.event_record(event, NULL), CUDA_RESULT_INVALID_HANDLE);
    cuda_stop();
}

static void use_wild_handle(void)
{
    cuda_start();
    ck_assert_int_eq(cu.stream_query((cuda_stream)&report), CUDA_RESULT_INVALID_HANDLE);
    cuda_stop();
}

static void run_unloaded_function(void)
{
    cuda_start();
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_function function = cuda_kernel(module, "add");
    cuda_ok(cu.module_unload(module));
    ck_assert_int_eq(cuda_run(function, NULL, (words_args){0}, 0), CUDA_RESULT_INVALID_HANDLE);
    cuda_stop();
}

START_TEST(destroyed_objects_are_not_used)
{
    violates(use_destroyed_stream, "use after free: cuStreamQuery: the stream was destroyed before");
    violates(use_destroyed_event, "use after free: cuEventRecord: the event was destroyed before");
    violates(use_wild_handle, "handle: cuStreamQuery: ");
    violates(run_unloaded_function, "use after free: cuLaunchKernel: the function was destroyed before");
}
END_TEST

static void free_twice(void)
{
    cuda_start();
    cuda_device_pointer words = cuda_new_words(10, 0);
    cuda_ok(cu.memory_free(words));
    ck_assert_int_eq(cu.memory_free(words), CUDA_RESULT_INVALID_VALUE);
    cuda_stop();
}

static void copy_from_freed(void)
{
    uint32_t word;
    cuda_start();
    cuda_device_pointer words = cuda_new_words(10, 0);
    cuda_ok(cu.memory_free(words));
    ck_assert_int_eq(cu.copy((uintptr_t)&word, words, 4, NULL), CUDA_RESULT_INVALID_VALUE);
    cuda_stop();
}

static void use_behind_free_async(void)
{
    cuda_start();
    cuda_stream stream = cuda_new_stream(0);
    cuda_device_pointer words = 0;
    cuda_ok(cu.memory_allocate_async(&words, 400, stream));
    cuda_ok(cu.memory_free_async(words, stream));
    ck_assert_int_eq(cu.fill_8(words, 0, 1, stream), CUDA_RESULT_INVALID_VALUE);
    cuda_ok(cu.stream_destroy(stream));
    cuda_stop();
}

static void use_before_allocate_async(void)
{
    gate door = {0};
    cuda_device_pointer words = 0;
    cuda_start();
    cuda_stream a = cuda_new_stream(1), b = cuda_new_stream(1);
    cuda_ok(cu.stream_call(a, pass, &door));
    cuda_ok(cu.memory_allocate_async(&words, 400, a));
    cuda_ok(cu.fill_8(words, 0, 1, b));
    ck_assert_int_eq(cu.stream_synchronize(b), CUDA_RESULT_ILLEGAL_ADDRESS);
    open_gate(&door);
}

START_TEST(freed_memory_is_not_used)
{
    violates(free_twice, "use after free: cuMemFree_v2: ");
    violates(copy_from_freed, "use after free: cuMemcpyAsync: the source ");
    violates(use_behind_free_async, "use after free: cuMemsetD8Async: the destination ");
    violates(use_before_allocate_async, "is not allocated yet when its turn comes");
}
END_TEST

static void copy_too_much(void)
{
    char bytes[100];
    cuda_start();
    cuda_device_pointer words = cuda_new_words(10, 0);
    ck_assert_int_eq(cu.copy((uintptr_t)bytes, words + 8, 33, NULL), CUDA_RESULT_INVALID_VALUE);
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}

static void write_behind_the_end(void)
{
    cuda_start();
    cuda_device_pointer words = cuda_new_words(10, 0);
    cuda_module module = cuda_load("compute_75.ptx");
    ck_assert_int_eq(cuda_run(cuda_kernel(module, "poke"), NULL, (words_args){(uint32_t *)words, 10, 4}, 0),
                     0); /* NOLINT(performance-no-int-to-ptr) */
    cuda_ok(cu.stream_synchronize(NULL));
    cuda_ok(cu.module_unload(module));
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}

START_TEST(nothing_reaches_behind_the_end_of_a_block)
{
    violates(copy_too_much, "bounds: cuMemcpyAsync: the source reaches 1 bytes behind the end of a block of 40");
    violates(write_behind_the_end, "bounds: something wrote behind the end of a block of 40 bytes");
}
END_TEST

static void copy_with_sides(cuda_memory_type src_type)
{
    char bytes[16] = {0};
    cuda_start();
    cuda_device_pointer words = cuda_new_words(4, 0);
    cuda_copy_3d copy = {.src_type = src_type,
                         .src_host = (void *)words, /* NOLINT(performance-no-int-to-ptr) */
                         .src_device = (uintptr_t)bytes,
                         .dst_type = CUDA_MEMORY_UNIFIED,
                         .dst_device = words,
                         .width = 16,
                         .height = 1,
                         .depth = 1};
    ck_assert_int_eq(cu.copy_3d(&copy, NULL), CUDA_RESULT_INVALID_VALUE);
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}

static void device_memory_as_hosts(void)
{
    copy_with_sides(CUDA_MEMORY_HOST);
}

static void host_memory_as_devices(void)
{
    copy_with_sides(CUDA_MEMORY_DEVICE);
}

START_TEST(host_and_device_memory_are_not_mistaken)
{
    violates(device_memory_as_hosts, "is memory of device 0");
    violates(host_memory_as_devices, "is ordinary memory of the host");
}
END_TEST

/* Devices 0 and 1; 1 is current. */
static void start_two(void)
{
    cuda_context second = NULL;
    cuda_start();
    cuda_ok(cu.primary_retain(&second, 1));
    cuda_ok(cu.context_set(second));
}

static void stop_two(void)
{
    cuda_ok(cu.primary_release(1));
    cuda_stop();
}

static cuda_context swap(cuda_context context)
{
    cuda_context before = NULL;
    cuda_ok(cu.context_get(&before));
    if (context != NULL)
        cuda_ok(cu.context_set(context));
    return before;
}

static void launch_under_another_context(void)
{
    cuda_start();
    cuda_context first = swap(NULL), second = NULL;
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_stream stream = cuda_new_stream(0);
    cuda_function function = cuda_kernel(module, "add");
    cuda_ok(cu.primary_retain(&second, 1));
    swap(second);
    ck_assert_int_eq(cuda_run(function, stream, (words_args){0}, 0), CUDA_RESULT_INVALID_HANDLE);
    swap(first);
    cuda_ok(cu.stream_destroy(stream));
    cuda_ok(cu.module_unload(module));
    stop_two();
}

static void record_across(void)
{
    start_two();
    cuda_stream stream = cuda_new_stream(0);
    cuda_context second = swap(NULL), first = NULL;
    cuda_ok(cu.primary_retain(&first, 0));
    swap(first);
    cuda_event event = cuda_new_event(0);
    ck_assert_int_eq(cu.event_record(event, stream), CUDA_RESULT_INVALID_HANDLE);
    cuda_ok(cu.event_destroy(event));
    cuda_ok(cu.primary_release(0));
    swap(second);
    cuda_ok(cu.stream_destroy(stream));
    stop_two();
}

static void fill_of_another_device(void)
{
    cuda_start();
    cuda_context first = swap(NULL), second = NULL;
    cuda_device_pointer words = cuda_new_words(1, 0);
    cuda_ok(cu.primary_retain(&second, 1));
    swap(second);
    ck_assert_int_eq(cu.fill_8(words, 0, 4, NULL), CUDA_RESULT_INVALID_VALUE);
    swap(first);
    cuda_ok(cu.memory_free(words));
    stop_two();
}

static void unload_under_another_context(void)
{
    cuda_start();
    cuda_context second = NULL;
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_ok(cu.primary_retain(&second, 1));
    swap(second);
    ck_assert_int_eq(cu.module_unload(module), CUDA_RESULT_INVALID_CONTEXT);
    stop_two();
}

START_TEST(objects_are_used_under_their_own_context)
{
    violates(launch_under_another_context, "wrong context: ");
    violates(record_across, "wrong context: an event of device 0 is recorded in a stream of device 1");
    violates(fill_of_another_device, "wrong context: memory of device 0 is filled in a stream of device 1");
    violates(unload_under_another_context, "wrong context: a module of device 0 is unloaded while device 1 is current");
}
END_TEST

static void free_in_another_devices_stream(void)
{
    cuda_device_pointer words = 0;
    start_two();
    cuda_stream stream = cuda_new_stream(0);
    cuda_context second = swap(NULL), first = NULL;
    cuda_ok(cu.primary_retain(&first, 0));
    swap(first);
    cuda_ok(cu.memory_allocate_async(&words, 4, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
    cuda_ok(cu.memory_free_async(words, stream));
    swap(second);
    cuda_ok(cu.stream_destroy(stream));
    cuda_ok(cu.primary_release(0));
    stop_two();
}

START_TEST(stream_ordered_memory_is_given_back_on_its_device)
{
    violates(free_in_another_devices_stream, "wrong stream: memory of device 0 is freed in a stream of device 1");
}
END_TEST

static void unload_while_it_runs(void)
{
    gate door = {0};
    cuda_start();
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_stream stream = cuda_new_stream(1), opener = cuda_new_stream(1);
    cuda_ok(cu.stream_call(stream, pass, &door));
    ck_assert_int_eq(cuda_run(cuda_kernel(module, "bump"), stream, (words_args){.n = 0}, 0), 0);
    cuda_ok(cu.stream_call(opener, (cuda_host_function)open_gate, &door));
    cuda_ok(cu.module_unload(module));
    cuda_ok(cu.stream_destroy(stream));
    cuda_ok(cu.stream_destroy(opener));
    cuda_stop();
}

START_TEST(a_module_is_not_unloaded_while_a_kernel_of_it_is_to_run)
{
    violates(unload_while_it_runs, "order: a module is unloaded while a kernel of it is still to run");
}
END_TEST

static void ask_from_inside(void *user)
{
    *(int *)user = (int)cu.stream_query(NULL);
}

static void call_from_inside(void)
{
    int answer = 0;
    cuda_start();
    cuda_stream stream = cuda_new_stream(0);
    cuda_ok(cu.stream_call(stream, ask_from_inside, &answer));
    cuda_ok(cu.stream_synchronize(stream));
    ck_assert_int_eq(answer, CUDA_RESULT_NOT_PERMITTED);
    cuda_ok(cu.stream_destroy(stream));
    cuda_stop();
}

START_TEST(host_functions_do_not_call_the_driver)
{
    violates(call_from_inside, "inside: cuStreamQuery: called from inside a host function");
}
END_TEST

static void allowed_leak(void)
{
    setenv("GPUSIM_ALLOW", "order,leak", 1);
    leak_stream();
}

static void exit_with_work_pending(void)
{
    static gate door;
    cuda_start();
    cuda_ok(cu.stream_call(cuda_new_stream(0), pass, &door));
}

START_TEST(what_is_allowed_or_still_pending_is_no_leak)
{
    run_apart(allowed_leak, 0);
    run_apart(exit_with_work_pending, 0);
    ck_assert_str_eq(report, "");
}
END_TEST

Suite *violation_suite(void)
{
    Suite *suite = suite_create("violation");
    add_test(suite, what_is_left_is_a_leak);
    add_test(suite, a_context_ends_after_what_is_in_it);
    add_test(suite, a_context_is_released_as_often_as_retained);
    add_test(suite, destroyed_objects_are_not_used);
    add_test(suite, freed_memory_is_not_used);
    add_test(suite, nothing_reaches_behind_the_end_of_a_block);
    add_test(suite, host_and_device_memory_are_not_mistaken);
    add_test(suite, objects_are_used_under_their_own_context);
    add_test(suite, stream_ordered_memory_is_given_back_on_its_device);
    add_test(suite, a_module_is_not_unloaded_while_a_kernel_of_it_is_to_run);
    add_test(suite, host_functions_do_not_call_the_driver);
    add_test(suite, what_is_allowed_or_still_pending_is_no_leak);
    return suite;
}
