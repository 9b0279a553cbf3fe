/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels: what their descriptors say. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

static accel_kernel_properties info(const char *name)
{
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    ok(accel_kernel_info(kernel_named(name), &properties));
    return properties;
}

START_TEST(k6_what_a_descriptor_says_is_told)
{
    accel_kernel_properties p = info("set");
    ck_assert_str_eq(p.name, "set");
    ck_assert_uint_eq(p.form, ACCEL_KERNEL_FORM_BLOCK);
    ck_assert_uint_eq(p.args_size, sizeof(words_args));
    ck_assert_uint_eq(p.args_align, _Alignof(words_args));
    ck_assert_uint_ge(p.max_threads, 1);
    ck_assert_uint_le(p.max_threads, test.properties.max_block_threads);
    ck_assert_uint_ge(p.warp_size, 1);
    ck_assert(p.fixed_block[0] == 0 && p.fixed_block[1] == 0 && p.fixed_block[2] == 0);
    ck_assert_str_ne(p.target, "");
    p = info("padded");
    ck_assert_uint_eq(p.args_size, sizeof(padded_args));
    ck_assert_uint_eq(p.args_align, _Alignof(padded_args));
    p = info("lesser");
    ck_assert_uint_eq(p.args_size, sizeof(lesser_args));
    p = info("each_nosync");
    ck_assert_uint_eq(p.form, ACCEL_KERNEL_FORM_THREAD_NOSYNC);
}
END_TEST

START_TEST(k6_static_shared_memory_is_told_where_launches_have_less_for_it)
{
    accel_kernel_properties without = info("set"), with = info("region_barrier");
    ck_assert_uint_eq(without.shared_bytes, 0);
    ck_assert_uint_eq(without.max_shared_bytes - with.max_shared_bytes, with.shared_bytes);
    if (test.properties.kind == ACCEL_DEVICE_CPU)
        ck_assert_uint_eq(with.shared_bytes, 0); /* thread-local */
}
END_TEST

START_TEST(k6_the_forms_of_thread_kernels_are_told)
{
    ck_assert_uint_eq(info("sync_loop").form, ACCEL_KERNEL_FORM_THREAD);
}
END_TEST

START_TEST(k6_fixed_blocks_are_told_x_first)
{
    accel_kernel_properties p = info("fixed"); /* ACCEL_KERNEL_BLOCK(..., 2, 4, 8): the last one is x */
    ck_assert_uint_eq(p.fixed_block[0], 8);
    ck_assert_uint_eq(p.fixed_block[1], 4);
    ck_assert_uint_eq(p.fixed_block[2], 2);
    ck_assert_uint_ge(p.max_threads, 64);
}
END_TEST

START_TEST(k6_kernels_may_have_the_names_of_c_functions)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 20, 6);
    uint32_t words[20];
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10};
    accel_work work = work_of(1, 1);
    ok(accel_launch(queue, kernel_named("free"), &work, &args, sizeof args));
    ok(accel_read(queue, words, buffer));
    ok(accel_queue_wait(queue));
    ck_assert(words[9] == 0 && words[10] == 6);
    ok(accel_launch(queue, kernel_named("copy"), &work, &args, sizeof args));
    words_are(queue, buffer, 0);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k4_a_kernel_without_arguments_tells_so)
{
    ck_assert_uint_eq(info("empty").args_size, 0);
}
END_TEST

START_TEST(a_kernel_keeps_its_module)
{
    accel_module *module = NULL;
    accel_kernel *kernel = NULL, *again = NULL;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 0);
    words_args args = {.words = accel_buffer_ptr(buffer), .n = 10, .value = 2};
    accel_work work = work_of(1, 1);
    ok(accel_module_load(test.device, "conformance", &module));
    ok(accel_module_kernel(module, "set", &kernel));
    ok(accel_module_kernel(module, "set", &again));
    ck_assert_ptr_eq(kernel, again); /* borrowed: the same one each time */
    accel_kernel_retain(kernel);
    accel_module_release(module);
    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
    accel_kernel_release(kernel);
    words_are(queue, buffer, 2);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(native_handles_are_there_or_unsupported)
{
    void *native = NULL;
    accel_queue *queue = queue_new(test.device, 0);
    accel_event *event = event_new(test.device, 0);
    accel_kernel *kernel = kernel_named("set");
    accel_status statuses[5] = {accel_device_native(test.device, &native), accel_queue_native(queue, &native),
                                accel_event_native(event, &native), accel_module_native(test.module, &native),
                                accel_kernel_native(kernel, &native)};
    for (int i = 0; i < 5; ++i)
        ck_assert(statuses[i] == ACCEL_OK || statuses[i] == ACCEL_UNSUPPORTED);
    if (test.properties.kind ==
        ACCEL_DEVICE_CPU) { /* accel.h: of a module what dlopen gave, of a kernel its descriptor */
        for (int i = 0; i < 5; ++i)
            ck_assert_uint_eq(statuses[i], i < 3 ? ACCEL_UNSUPPORTED : ACCEL_OK);
        ck_assert_ptr_nonnull(native);
        ck_assert_uint_eq(*(const uint32_t *)native, 0x4b434341u);
        accel_queue *wrapped = NULL;
        refused(ACCEL_UNSUPPORTED, accel_queue_wrap(test.device, &native, &wrapped), "accel_queue_create");
        ck_assert_ptr_null(wrapped);
    }
    accel_queue_release(queue);
    accel_event_release(event);
}
END_TEST

Suite *kernel_suite(void)
{
    Suite *suite = suite_create("kernel");
    add(suite, k4_a_kernel_without_arguments_tells_so);
    add(suite, k6_what_a_descriptor_says_is_told);
    add(suite, k6_static_shared_memory_is_told_where_launches_have_less_for_it);
    add(suite, k6_the_forms_of_thread_kernels_are_told);
    add(suite, k6_fixed_blocks_are_told_x_first);
    add(suite, k6_kernels_may_have_the_names_of_c_functions);
    add(suite, a_kernel_keeps_its_module);
    add(suite, native_handles_are_there_or_unsupported);
    return suite;
}
