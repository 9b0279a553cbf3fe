/* SPDX-License-Identifier: Apache-2.0 */
/* Devices, contexts and peers. */
#include "kernel.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

START_TEST(primary_contexts_count_their_references)
{
    cuda_context a = NULL, b = NULL, current = NULL;
    unsigned flags = 0;
    int active = 1;
    cuda_open();
    cuda_ok(cu.init(0));
    cuda_ok(cu.primary_state(0, &flags, &active));
    ck_assert_int_eq(active, 0);
    cuda_ok(cu.primary_retain(&a, 0));
    cuda_ok(cu.primary_retain(&b, 0));
    ck_assert_ptr_eq(a, b);
    cuda_ok(cu.context_get(&current));
    ck_assert_ptr_null(current);
    cuda_ok(cu.primary_release(0));
    cuda_ok(cu.primary_state(0, &flags, &active));
    ck_assert_int_eq(active, 1);
    cuda_ok(cu.primary_release(0));
    cuda_ok(cu.primary_state(0, &flags, &active));
    ck_assert_int_eq(active, 0);
}
END_TEST

static void *current_of_thread(void *user)
{
    cuda_ok(cu.context_get(user));
    return NULL;
}

START_TEST(each_thread_has_its_own_stack_of_contexts)
{
    cuda_context first = NULL, second = NULL, current = NULL;
    cuda_device_pointer nowhere = 0;
    pthread_t thread;
    cuda_start();
    cuda_ok(cu.context_get(&first));
    cuda_ok(cu.primary_retain(&second, 1));
    cuda_ok(cu.context_push(second));
    cuda_ok(cu.context_get(&current));
    ck_assert_ptr_eq(current, second);
    current = first;
    pthread_create(&thread, NULL, current_of_thread, &current);
    pthread_join(thread, NULL);
    ck_assert_ptr_null(current);
    cuda_ok(cu.context_pop(&current));
    ck_assert_ptr_eq(current, second);
    cuda_ok(cu.context_get(&current));
    ck_assert_ptr_eq(current, first);
    cuda_ok(cu.context_set(NULL));
    ck_assert_int_eq(cu.memory_allocate(&nowhere, 4), CUDA_RESULT_INVALID_CONTEXT);
    cuda_ok(cu.primary_release(1));
    cuda_stop();
}
END_TEST

/* What a kernel on device 0 that writes into device 1's memory ends with, and what is there then. */
static int poke_peer(bool enable, uint32_t *word)
{
    cuda_context second = NULL, first = NULL;
    cuda_start();
    cuda_ok(cu.context_get(&first));
    cuda_ok(cu.primary_retain(&second, 1));
    cuda_ok(cu.context_set(second));
    cuda_device_pointer before = cuda_new_words(1, 3), behind = 0;
    cuda_ok(cu.context_set(first));
    if (enable) {
        cuda_ok(cu.context_enable_peer(second, 0));
        ck_assert_int_eq(cu.context_enable_peer(second, 0), CUDA_RESULT_PEER_ACCESS_ALREADY_ENABLED);
    }
    cuda_ok(cu.context_set(second));
    behind = cuda_new_words(1, 3); /* allocated when access was enabled already */
    cuda_ok(cu.context_set(first));
    cuda_module module = cuda_load("compute_75.ptx");
    ck_assert_int_eq(cuda_run(cuda_kernel(module, "poke"), NULL, (words_args){(uint32_t *)before, 0, 4}, 0),
                     0); /* NOLINT(performance-no-int-to-ptr) */
    ck_assert_int_eq(cuda_run(cuda_kernel(module, "poke"), NULL, (words_args){(uint32_t *)behind, 0, 5}, 0),
                     0); /* NOLINT(performance-no-int-to-ptr) */
    int result = (int)cu.stream_synchronize(NULL);
    cu.module_unload(module);
    cuda_ok(cu.context_set(second));
    cuda_ok(cu.copy((uintptr_t)&word[0], before, 4, NULL));
    cuda_ok(cu.copy((uintptr_t)&word[1], behind, 4, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
    cuda_ok(cu.memory_free(before));
    cuda_ok(cu.memory_free(behind));
    cuda_ok(cu.primary_release(1));
    cu.primary_release(0);
    return result;
}

START_TEST(streams_are_used_under_some_context)
{
    cuda_context context = NULL;
    char byte = 0, other = 0;
    cuda_start();
    cuda_ok(cu.context_get(&context));
    cuda_stream stream = cuda_new_stream(1);
    cuda_ok(cu.context_set(NULL));
    ck_assert_int_eq(cu.copy((uintptr_t)&byte, (uintptr_t)&other, 1, stream), CUDA_RESULT_INVALID_CONTEXT);
    ck_assert_int_eq(cu.stream_query(stream), CUDA_RESULT_INVALID_CONTEXT);
    cuda_ok(cu.stream_destroy(stream));
    cuda_stop();
}
END_TEST

START_TEST(kernels_reach_a_peers_memory_once_access_is_enabled)
{
    uint32_t words[2];
    ck_assert_int_eq(poke_peer(true, words), CUDA_RESULT_SUCCESS);
    ck_assert_uint_eq(words[0], 4);
    ck_assert_uint_eq(words[1], 5);
}
END_TEST

START_TEST(kernels_fault_on_a_peers_memory_without_access)
{
    uint32_t words[2];
    ck_assert_int_eq(poke_peer(false, words), CUDA_RESULT_ILLEGAL_ADDRESS);
    ck_assert_uint_eq(words[0], 3);
    ck_assert_uint_eq(words[1], 3);
}
END_TEST

START_TEST(disabling_a_peer_takes_its_memory_away)
{
    cuda_context first = NULL, second = NULL;
    cuda_start();
    cuda_ok(cu.context_get(&first));
    cuda_ok(cu.primary_retain(&second, 1));
    cuda_ok(cu.context_enable_peer(second, 0));
    cuda_ok(cu.context_set(second));
    cuda_device_pointer words = cuda_new_words(1, 3);
    cuda_ok(cu.context_set(first));
    cuda_function poke = cuda_kernel(cuda_load("compute_75.ptx"), "poke");
    ck_assert_int_eq(cuda_run(poke, NULL, (words_args){(uint32_t *)words, 0, 4}, 0),
                     0); /* NOLINT(performance-no-int-to-ptr) */
    cuda_ok(cu.stream_synchronize(NULL));
    cuda_ok(cu_more.context_disable_peer(second));
    ck_assert_int_eq(cuda_run(poke, NULL, (words_args){(uint32_t *)words, 0, 4}, 0),
                     0); /* NOLINT(performance-no-int-to-ptr) */
    ck_assert_int_eq(cu.stream_synchronize(NULL), CUDA_RESULT_ILLEGAL_ADDRESS);
    cuda_ok(cu.context_set(second));
    cuda_ok(cu.memory_free(words));
    cuda_ok(cu.primary_release(1));
    cuda_stop();
}
END_TEST

START_TEST(a_device_that_starts_later_reaches_mapped_memory_too)
{
    uint32_t *pinned = NULL;
    cuda_context first = NULL, second = NULL;
    cuda_start();
    cuda_ok(cu.context_get(&first));
    cuda_ok(cu.host_allocate((void **)&pinned, 4, CUDA_HOST_MAPPED | CUDA_HOST_PORTABLE));
    cuda_ok(cu.primary_retain(&second, 1));
    cuda_ok(cu.context_set(second));
    cuda_module module = cuda_load("compute_75.ptx");
    ck_assert_int_eq(cuda_run(cuda_kernel(module, "poke"), NULL, (words_args){pinned, 0, 21}, 0), 0);
    cuda_ok(cu.stream_synchronize(NULL));
    ck_assert_uint_eq(*pinned, 21);
    cuda_ok(cu.module_unload(module));
    cuda_ok(cu.primary_release(1));
    cuda_ok(cu.context_set(first));
    cuda_ok(cu.host_free(pinned));
    cuda_stop();
}
END_TEST

START_TEST(peers_are_a_matrix)
{
    setenv("GPUSIM_DEVICES", "3", 1);
    setenv("GPUSIM_PEER", "01,12", 1);
    cuda_context contexts[3];
    cuda_start();
    for (int a = 0; a < 3; ++a) {
        cuda_ok(cu.primary_retain(&contexts[a], a));
        for (int b = 0; b < 3; ++b) {
            int yes = -1;
            cuda_ok(cu.device_can_access_peer(&yes, a, b));
            ck_assert_int_eq(yes, (a == 0 && b == 1) || (a == 1 && b == 2));
        }
    }
    ck_assert_int_eq(cu.context_enable_peer(contexts[2], 0), CUDA_RESULT_PEER_ACCESS_UNSUPPORTED);
    cuda_ok(cu.context_enable_peer(contexts[1], 0));
    for (int a = 0; a < 3; ++a)
        cuda_ok(cu.primary_release(a));
    cuda_stop();
}
END_TEST

START_TEST(copies_between_devices_need_no_peer_access)
{
    setenv("GPUSIM_PEER", "none", 1);
    cuda_context first = NULL, second = NULL;
    uint32_t read = 0;
    cuda_start();
    cuda_ok(cu.context_get(&first));
    cuda_ok(cu.primary_retain(&second, 1));
    cuda_device_pointer here = cuda_new_words(100, 8);
    cuda_ok(cu.context_set(second));
    cuda_device_pointer there = cuda_new_words(100, 0);
    cuda_ok(cu.copy_peer(there, second, here, first, 400, NULL));
    ck_assert_int_eq(cu.copy_peer(there, first, here, first, 400, NULL), CUDA_RESULT_INVALID_VALUE);
    cuda_ok(cu.copy((uintptr_t)&read, there + 396, 4, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
    ck_assert_uint_eq(read, 8);
    cuda_ok(cu.memory_free(there));
    cuda_ok(cu.context_set(first));
    cuda_ok(cu.memory_free(here));
    cuda_ok(cu.primary_release(1));
    cuda_stop();
}
END_TEST

START_TEST(devices_say_what_they_are)
{
    setenv("GPUSIM_ARCHITECTURE_CUDA", "sm_89", 1);
    setenv("GPUSIM_DEVICES", "3", 1);
    int count = 0, value = 0, device = -1;
    cuda_uuid uuids[2];
    char name[64];
    size_t bytes = 0;
    cuda_open();
    ck_assert_int_eq(cu.device_count(&count), CUDA_RESULT_NOT_INITIALIZED);
    cuda_ok(cu.init(0));
    cuda_ok(cu.device_count(&count));
    ck_assert_int_eq(count, 3);
    cuda_ok(cu.device_get(&device, 2));
    ck_assert_int_eq(cu.device_get(&device, 3), CUDA_RESULT_INVALID_DEVICE);
    cuda_ok(cu.device_name(name, sizeof name, device));
    ck_assert_uint_gt(strlen(name), 0);
    cuda_ok(cu.device_uuid(&uuids[0], 0));
    cuda_ok(cu.device_uuid(&uuids[1], 1));
    ck_assert_mem_ne(&uuids[0], &uuids[1], sizeof uuids[0]);
    cuda_ok(cu.device_total_memory(&bytes, 0));
    ck_assert_uint_eq(bytes, (size_t)4096 << 20);
    cuda_ok(cu.device_attribute(&value, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, 0));
    ck_assert_int_eq(value, 8);
    cuda_ok(cu.device_attribute(&value, CUDA_ATTRIBUTE_WARP_SIZE, 0));
    ck_assert_int_eq(value, 32);
    ck_assert_int_eq(cu.device_attribute(&value, (cuda_device_attribute)12345, 0), CUDA_RESULT_INVALID_VALUE);
}
END_TEST

Suite *context_suite(void)
{
    Suite *suite = suite_create("context");
    add_test(suite, primary_contexts_count_their_references);
    add_test(suite, each_thread_has_its_own_stack_of_contexts);
    add_test(suite, streams_are_used_under_some_context);
    add_test(suite, kernels_reach_a_peers_memory_once_access_is_enabled);
    add_test(suite, kernels_fault_on_a_peers_memory_without_access);
    add_test(suite, disabling_a_peer_takes_its_memory_away);
    add_test(suite, a_device_that_starts_later_reaches_mapped_memory_too);
    add_test(suite, peers_are_a_matrix);
    add_test(suite, copies_between_devices_need_no_peer_access);
    add_test(suite, devices_say_what_they_are);
    return suite;
}
