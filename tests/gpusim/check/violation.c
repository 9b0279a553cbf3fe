/* SPDX-License-Identifier: Apache-2.0 */
/* What a driver would not forgive: leaks, and the use of what is gone or was never there. Each of these programs ends with
 * the violation's status, and its report says why. */
#include "kernel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    cuda_ok(cu.context_pop(&context));
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

static void tell_and_nap(void *told)
{
    atomic_store((_Atomic int *)told, 1);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static void exit_with_a_function_at_its_end(void)
{
    static _Atomic int told;
    cuda_start();
    cuda_ok(cu.stream_call(cuda_new_stream(0), tell_and_nap, &told));
    while (!told)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

START_TEST(a_function_that_is_about_to_end_is_not_work_pending)
{
    run_apart(exit_with_a_function_at_its_end, 86);
    ck_assert_ptr_nonnull(strstr(report, "cuda: leak: 1 streams\n"));
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
    add_test(suite, what_is_allowed_or_still_pending_is_no_leak);
    add_test(suite, a_function_that_is_about_to_end_is_not_work_pending);
    return suite;
}
