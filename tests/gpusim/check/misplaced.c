/* SPDX-License-Identifier: Apache-2.0 */
/* What a driver would not forgive: the right things in the wrong place, context, stream or moment. As in violation.c. */
#include "kernel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void *open_later(void *door)
{
    nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    open_gate(door);
    return NULL;
}

static void unload_while_it_runs(void)
{
    gate door = {0};
    pthread_t opener;
    cuda_start();
    cuda_module module = cuda_load("compute_75.ptx");
    cuda_stream stream = cuda_new_stream(1);
    cuda_ok(cu.stream_call(stream, pass, &door));
    ck_assert_int_eq(cuda_run(cuda_kernel(module, "bump"), stream, (words_args){.n = 0}, 0), 0);
    ck_assert_int_eq(pthread_create(&opener, NULL, open_later, &door), 0);
    cuda_ok(cu.module_unload(module));
    cuda_ok(cu.stream_destroy(stream));
    pthread_join(opener, NULL);
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

Suite *misplaced_suite(void)
{
    Suite *suite = suite_create("misplaced");
    add_test(suite, host_and_device_memory_are_not_mistaken);
    add_test(suite, objects_are_used_under_their_own_context);
    add_test(suite, stream_ordered_memory_is_given_back_on_its_device);
    add_test(suite, a_module_is_not_unloaded_while_a_kernel_of_it_is_to_run);
    add_test(suite, host_functions_do_not_call_the_driver);
    return suite;
}
