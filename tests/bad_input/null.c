/* SPDX-License-Identifier: Apache-2.0 */
/* NULL where it is not allowed: every pointer parameter of every function. */
#include "../kernels/reductions.h"
#include "../kernels/scans.h"
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <accel/object.h>
#include <accel/pattern.h>

#define null_refused(call, parameter) refused(ACCEL_INVALID, call, "\"" parameter "\" is NULL")

START_TEST(null_is_refused_by_instances_and_devices)
{
    accel_backend_properties backend = ACCEL_BACKEND_PROPERTIES_INIT;
    accel_config_properties config = ACCEL_CONFIG_PROPERTIES_INIT;
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    accel_device *device = NULL;
    size_t count = 0;
    bool yes = false;
    null_refused(accel_instance_create(NULL, NULL), "instance");
    null_refused(accel_instance_backend_info(NULL, 0, &backend), "instance");
    null_refused(accel_instance_backend_info(test.instance, 0, NULL), "properties");
    null_refused(accel_instance_config(NULL, 0, &config), "instance");
    null_refused(accel_instance_config(test.instance, 0, NULL), "properties");
    null_refused(accel_instance_find_device(NULL, NULL, &device), "instance");
    null_refused(accel_instance_find_device(test.instance, NULL, NULL), "device");
    ck_assert_uint_eq(accel_instance_backend_count(NULL), 0);
    ck_assert_str_eq(accel_instance_kernel_path(NULL), "");
    ck_assert_uint_eq(accel_instance_device_count(NULL), 0);
    ck_assert_ptr_null(accel_instance_device(NULL, 0));
    ck_assert_ptr_null(accel_instance_host(NULL));
    null_refused(accel_device_info(NULL, &properties), "device");
    null_refused(accel_device_info(test.device, NULL), "properties");
    null_refused(accel_device_memory(NULL, &count, &count), "device");
    desc.by = ACCEL_PARTITION_EQUAL;
    desc.share_count = 1;
    null_refused(accel_device_partition(NULL, &desc, &device, 1, &count), "device");
    null_refused(accel_device_partition(test.device, NULL, &device, 1, &count), "desc");
    null_refused(accel_device_partition(test.device, &desc, &device, 1, NULL), "count");
    null_refused(accel_device_partition(test.device, &desc, NULL, 1, &count), "devices");
    null_refused(accel_device_can_access(NULL, test.device, &yes), "device");
    null_refused(accel_device_can_access(test.device, NULL, &yes), "peer");
    null_refused(accel_device_can_access(test.device, test.device, NULL), "yes");
    null_refused(accel_device_wait(NULL), "device");
    null_refused(accel_device_visit_objects(NULL, NULL, NULL, NULL), "device");
    null_refused(accel_device_visit_objects(test.device, NULL, NULL, NULL), "visitor");
    ck_assert_ptr_null(device);
}
END_TEST

START_TEST(null_is_refused_by_queues_and_events)
{
    accel_queue *queue = queue_new(test.device, 0), *more = NULL;
    accel_event *event = event_new(test.device, ACCEL_EVENT_TIMING), *another = NULL;
    bool yes = false;
    uint64_t between = 0;
    null_refused(accel_queue_create(NULL, NULL, &more), "device");
    null_refused(accel_queue_create(test.device, NULL, NULL), "queue");
    null_refused(accel_queue_wait(NULL), "queue");
    null_refused(accel_queue_is_idle(NULL, &yes), "queue");
    null_refused(accel_queue_is_idle(queue, NULL), "yes");
    null_refused(accel_queue_wait_event(NULL, event), "queue");
    null_refused(accel_queue_wait_event(queue, NULL), "event");
    null_refused(accel_queue_call(NULL, NULL, NULL), "queue");
    null_refused(accel_queue_call(queue, NULL, NULL), "function");
    ck_assert_ptr_null(accel_queue_device(NULL));
    null_refused(accel_event_create(NULL, NULL, &another), "device");
    null_refused(accel_event_create(test.device, NULL, NULL), "event");
    null_refused(accel_event_record(NULL, queue), "event");
    null_refused(accel_event_record(event, NULL), "queue");
    null_refused(accel_event_arm(NULL), "event");
    null_refused(accel_event_signal(NULL, ACCEL_OK), "event");
    null_refused(accel_event_is_complete(NULL, &yes), "event");
    null_refused(accel_event_is_complete(event, NULL), "yes");
    null_refused(accel_event_wait(NULL), "event");
    null_refused(accel_event_elapsed(NULL, event, &between), "start");
    null_refused(accel_event_elapsed(event, NULL, &between), "end");
    null_refused(accel_event_elapsed(event, event, NULL), "nanoseconds");
    null_refused(accel_object_name(ACCEL_OBJECT_QUEUE, NULL, "name"), "object");
    null_refused(accel_object_name(ACCEL_OBJECT_QUEUE, queue, NULL), "name");
    null_refused(accel_region_push(NULL), "name");
    ck_assert(more == NULL && another == NULL);
    accel_queue_release(queue);
    accel_event_release(event);
}
END_TEST

START_TEST(null_is_refused_by_buffers)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 1), *out = NULL;
    accel_buffer_desc desc = accel_buffer_1d(4, 10);
    accel_buffer_properties properties = ACCEL_BUFFER_PROPERTIES_INIT;
    uint32_t words[10] = {0};
    null_refused(accel_buffer_create(NULL, &desc, &out), "device");
    null_refused(accel_buffer_create(test.device, NULL, &out), "desc");
    null_refused(accel_buffer_create(test.device, &desc, NULL), "buffer");
    null_refused(accel_buffer_create_async(NULL, &desc, &out), "queue");
    null_refused(accel_buffer_create_async(queue, NULL, &out), "desc");
    null_refused(accel_buffer_create_async(queue, &desc, NULL), "buffer");
    null_refused(accel_buffer_wrap(NULL, words, &desc, &out), "device");
    null_refused(accel_buffer_wrap(test.host, NULL, &desc, &out), "ptr");
    null_refused(accel_buffer_wrap(test.host, words, NULL, &out), "desc");
    null_refused(accel_buffer_wrap(test.host, words, &desc, NULL), "buffer");
    null_refused(accel_buffer_view(NULL, NULL, NULL, &out), "whole");
    null_refused(accel_buffer_view(buffer, NULL, NULL, NULL), "view");
    null_refused(accel_buffer_info(NULL, &properties), "buffer");
    null_refused(accel_buffer_info(buffer, NULL), "properties");
    null_refused(accel_copy(NULL, buffer, buffer, NULL), "queue");
    null_refused(accel_copy(queue, NULL, buffer, NULL), "dst");
    null_refused(accel_copy(queue, buffer, NULL, NULL), "src");
    null_refused(accel_write(NULL, buffer, words), "queue");
    null_refused(accel_write(queue, NULL, words), "dst");
    null_refused(accel_write(queue, buffer, NULL), "src");
    null_refused(accel_read(NULL, words, buffer), "queue");
    null_refused(accel_read(queue, NULL, buffer), "dst");
    null_refused(accel_read(queue, words, NULL), "src");
    null_refused(accel_fill(NULL, buffer, words, 4, NULL), "queue");
    null_refused(accel_fill(queue, NULL, words, 4, NULL), "buffer");
    null_refused(accel_fill(queue, buffer, NULL, 4, NULL), "pattern");
    ck_assert_ptr_null(out);
    ck_assert_ptr_null(accel_buffer_ptr(NULL));
    words_are(queue, buffer, 1);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(null_is_refused_by_modules_kernels_and_launches)
{
    accel_kernel *kernel = kernel_named("set"), *other = NULL;
    accel_module *module = NULL;
    accel_buffer *global = NULL;
    accel_queue *queue = queue_new(test.device, 0), *wrapped = NULL;
    accel_kernel_properties properties = ACCEL_KERNEL_PROPERTIES_INIT;
    accel_work work = work_of(1, 1);
    words_args args = {.n = 0};
    accel_bundle bundle = {.magic = ACCEL_BUNDLE_MAGIC,
                           .abi = ACCEL_OBJECT_ABI,
                           .struct_size = sizeof bundle,
                           .entry_size = sizeof(accel_bundle_entry),
                           .name = NULL};
    size_t extent = 10;
    accel_range range = ACCEL_RANGE_INIT;
    void *native = NULL;
    null_refused(accel_module_load(NULL, "conformance", &module), "device");
    null_refused(accel_module_load(test.device, NULL, &module), "name");
    null_refused(accel_module_load(test.device, "conformance", NULL), "module");
    null_refused(accel_module_load_file(NULL, "/x", &module), "device");
    null_refused(accel_module_load_file(test.device, NULL, &module), "path");
    null_refused(accel_module_load_file(test.device, "/x", NULL), "module");
    null_refused(accel_module_load_bundle(NULL, &bundle, &module), "device");
    null_refused(accel_module_load_bundle(test.device, NULL, &module), "bundle");
    null_refused(accel_module_load_bundle(test.device, &bundle, NULL), "module");
    null_refused(accel_module_load_bundle(test.device, &bundle, &module), "bundle->name");
    bundle.name = "named";
    bundle.count = 1;
    null_refused(accel_module_load_bundle(test.device, &bundle, &module), "bundle->entries");
    null_refused(accel_module_kernel(NULL, "set", &other), "module");
    null_refused(accel_module_kernel(test.module, NULL, &other), "name");
    null_refused(accel_module_kernel(test.module, "set", NULL), "kernel");
    null_refused(accel_module_global(NULL, "global_words", &global), "module");
    null_refused(accel_module_global(test.module, NULL, &global), "name");
    null_refused(accel_module_global(test.module, "global_words", NULL), "buffer");
    null_refused(accel_kernel_info(NULL, &properties), "kernel");
    null_refused(accel_kernel_info(kernel, NULL), "properties");
    null_refused(accel_work_divide(NULL, 1, &extent, NULL, &work), "kernel");
    null_refused(accel_work_divide(kernel, 1, NULL, NULL, &work), "extent");
    null_refused(accel_work_divide(kernel, 1, &extent, NULL, NULL), "work");
    null_refused(accel_range_divide(NULL, &range, NULL, &work), "kernel");
    null_refused(accel_range_divide(kernel, NULL, NULL, &work), "range");
    null_refused(accel_range_divide(kernel, &range, NULL, NULL), "work");
    null_refused(accel_launch(NULL, kernel, &work, &args, sizeof args), "queue");
    null_refused(accel_launch(queue, NULL, &work, &args, sizeof args), "kernel");
    null_refused(accel_launch(queue, kernel, NULL, &args, sizeof args), "work");
    null_refused(accel_launch(queue, kernel, &work, NULL, sizeof args), "args");
    null_refused(accel_launch_over(NULL, kernel, 1, &extent, &args, sizeof args), "queue");
    null_refused(accel_launch_over(queue, NULL, 1, &extent, &args, sizeof args), "kernel");
    null_refused(accel_launch_over(queue, kernel, 1, NULL, &args, sizeof args), "extent");
    null_refused(accel_launch_over(queue, kernel, 1, &extent, NULL, sizeof args), "args");
    null_refused(accel_device_native(NULL, &native), "device");
    null_refused(accel_device_native(test.device, NULL), "native");
    null_refused(accel_queue_native(NULL, &native), "queue");
    null_refused(accel_queue_native(queue, NULL), "native");
    null_refused(accel_event_native(NULL, &native), "event");
    null_refused(accel_module_native(NULL, &native), "module");
    null_refused(accel_module_native(test.module, NULL), "native");
    null_refused(accel_kernel_native(NULL, &native), "kernel");
    null_refused(accel_kernel_native(kernel, NULL), "native");
    null_refused(accel_queue_wrap(NULL, &native, &wrapped), "device");
    ck_assert(module == NULL && other == NULL && global == NULL && native == NULL && wrapped == NULL);
    ok(accel_queue_wait(queue));
    accel_queue_release(queue);
}
END_TEST

START_TEST(null_is_refused_by_scatters)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), 1);
    accel_buffer *target = buffer_new(test.device, &desc);
    accel_queue *queue = queue_new(test.device, 0);
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    accel_scatter *scatter = NULL;
    accel_scatter_properties about = ACCEL_SCATTER_PROPERTIES_INIT;
    ok(accel_module_load(test.device, "kernels", &module));
    ok(accel_module_kernel(module, "scatter_sum_u32", &kernel));
    null_refused(accel_scatter_create(NULL, kernel, 1, NULL, &scatter), "queue");
    null_refused(accel_scatter_create(queue, NULL, 1, NULL, &scatter), "kernel");
    null_refused(accel_scatter_create(queue, kernel, 1, NULL, NULL), "scatter");
    ok(accel_scatter_create(queue, kernel, 1, NULL, &scatter));
    null_refused(accel_scatter_info(NULL, &about), "scatter");
    null_refused(accel_scatter_info(scatter, NULL), "properties");
    null_refused(accel_scatter_contribute(NULL, scatter, target), "queue");
    null_refused(accel_scatter_contribute(queue, NULL, target), "scatter");
    null_refused(accel_scatter_contribute(queue, scatter, NULL), "target");
    null_refused(accel_scatter_reset(NULL, scatter), "queue");
    null_refused(accel_scatter_reset(queue, NULL), "scatter");
    ck_assert(accel_scatter_retain(NULL) == NULL);
    accel_scatter_release(NULL);
    accel_scatter_release(scatter);
    accel_buffer_release(target);
    accel_queue_release(queue);
    accel_module_release(module);
}
END_TEST

START_TEST(null_is_refused_by_scratch)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_work work = work_of(1, 1);
    accel_scratch_view scratch = ACCEL_SCRATCH_VIEW_INIT;
    accel_buffer *memory = NULL;
    null_refused(accel_scratch_prepare(NULL, &work, &scratch, &memory), "queue");
    null_refused(accel_scratch_prepare(queue, NULL, &scratch, &memory), "work");
    null_refused(accel_scratch_prepare(queue, &work, NULL, &memory), "scratch");
    null_refused(accel_scratch_prepare(queue, &work, &scratch, NULL), "memory");
    accel_queue_release(queue);
}
END_TEST

START_TEST(null_is_refused_by_reductions)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 1);
    accel_buffer *result = buffer_new(test.device, &desc);
    accel_queue *queue = queue_new(test.device, 0);
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    reductions_args args = {.nj = 0};
    const size_t n = 1;
    ok(accel_module_load(test.device, "kernels", &module));
    ok(accel_module_kernel(module, "reduce_dot", &kernel));
    null_refused(accel_reduce(NULL, kernel, 1, &n, &args, sizeof args, result), "queue");
    null_refused(accel_reduce(queue, NULL, 1, &n, &args, sizeof args, result), "kernel");
    null_refused(accel_reduce(queue, kernel, 1, NULL, &args, sizeof args, result), "extent");
    null_refused(accel_reduce(queue, kernel, 1, &n, NULL, sizeof args, result), "args");
    null_refused(accel_reduce(queue, kernel, 1, &n, &args, sizeof args, NULL), "result");
    null_refused(accel_reduce_unordered(NULL, kernel, 1, &n, &args, sizeof args, result), "queue");
    null_refused(accel_reduce_unordered(queue, NULL, 1, &n, &args, sizeof args, result), "kernel");
    null_refused(accel_reduce_unordered(queue, kernel, 1, NULL, &args, sizeof args, result), "extent");
    null_refused(accel_reduce_unordered(queue, kernel, 1, &n, NULL, sizeof args, result), "args");
    null_refused(accel_reduce_unordered(queue, kernel, 1, &n, &args, sizeof args, NULL), "result");
    accel_buffer_release(result);
    accel_queue_release(queue);
    accel_module_release(module);
}
END_TEST

START_TEST(null_is_refused_by_algorithms)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 1);
    const uint32_t type = ACCEL_TYPE_DOUBLE;
    accel_sort_desc desc_of_sort = ACCEL_SORT_DESC_INIT;
    accel_buffer *values = buffer_new(test.device, &desc), *result = buffer_new(test.device, &desc);
    const accel_buffer_desc desc_of_matrix = accel_buffer_2d(sizeof(double), 1, 1);
    accel_buffer *matrix = buffer_new(test.device, &desc_of_matrix);
    accel_queue *queue = queue_new(test.device, 0);
    accel_histogram_desc desc_of_histogram = ACCEL_HISTOGRAM_DESC_INIT;
    accel_gemm_desc desc_of_gemm = ACCEL_GEMM_DESC_INIT;
    desc_of_histogram.type = desc_of_sort.type = desc_of_gemm.type = type;
    desc_of_histogram.high = 1;
    null_refused(accel_histogram(NULL, &desc_of_histogram, values, result), "queue");
    null_refused(accel_histogram(queue, NULL, values, result), "desc");
    null_refused(accel_histogram(queue, &desc_of_histogram, NULL, result), "values");
    null_refused(accel_histogram(queue, &desc_of_histogram, values, NULL), "counts");
    null_refused(accel_sort(NULL, &desc_of_sort, values, NULL), "queue");
    null_refused(accel_sort(queue, NULL, values, NULL), "desc");
    null_refused(accel_sort(queue, &desc_of_sort, NULL, NULL), "keys");
    null_refused(accel_reduce_values(NULL, values, type, ACCEL_OPERATION_SUM, result), "queue");
    null_refused(accel_reduce_values(queue, NULL, type, ACCEL_OPERATION_SUM, result), "values");
    null_refused(accel_reduce_values(queue, values, type, ACCEL_OPERATION_SUM, NULL), "result");
    null_refused(accel_scan_values(NULL, values, type, ACCEL_OPERATION_SUM, result, 0), "queue");
    null_refused(accel_scan_values(queue, NULL, type, ACCEL_OPERATION_SUM, result, 0), "values");
    null_refused(accel_scan_values(queue, values, type, ACCEL_OPERATION_SUM, NULL, 0), "result");
    null_refused(accel_transpose(NULL, values, result), "queue");
    null_refused(accel_transpose(queue, NULL, result), "from");
    null_refused(accel_transpose(queue, matrix, NULL), "to");
    null_refused(accel_gemm(NULL, &desc_of_gemm, 1, matrix, matrix, 0, matrix), "queue");
    null_refused(accel_gemm(queue, NULL, 1, matrix, matrix, 0, matrix), "desc");
    null_refused(accel_gemm(queue, &desc_of_gemm, 1, NULL, matrix, 0, matrix), "a");
    null_refused(accel_gemm(queue, &desc_of_gemm, 1, matrix, NULL, 0, matrix), "b");
    null_refused(accel_gemm(queue, &desc_of_gemm, 1, matrix, matrix, 0, NULL), "c");
    accel_buffer_release(matrix);
    accel_buffer_release(values);
    accel_buffer_release(result);
    accel_queue_release(queue);
}
END_TEST

START_TEST(null_is_refused_by_algorithms_that_choose_elements)
{
    const accel_buffer_desc desc = accel_buffer_1d(8, 1);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *from = buffer_new(test.device, &desc), *other = buffer_new(test.device, &desc),
                 *to = buffer_new(test.device, &desc), *count = buffer_new(test.device, &desc);
    null_refused(accel_select(NULL, from, other, to, count), "queue");
    null_refused(accel_select(queue, NULL, other, to, count), "from");
    null_refused(accel_select(queue, from, NULL, to, count), "flags");
    null_refused(accel_select(queue, from, other, NULL, count), "to");
    null_refused(accel_select(queue, from, other, to, NULL), "count");
    null_refused(accel_partition(NULL, from, other, to, count), "queue");
    null_refused(accel_partition(queue, NULL, other, to, count), "from");
    null_refused(accel_partition(queue, from, NULL, to, count), "flags");
    null_refused(accel_partition(queue, from, other, NULL, count), "to");
    null_refused(accel_partition(queue, from, other, to, NULL), "count");
    null_refused(accel_unique(NULL, from, to, count), "queue");
    null_refused(accel_unique(queue, NULL, to, count), "from");
    null_refused(accel_unique(queue, from, NULL, count), "to");
    null_refused(accel_unique(queue, from, to, NULL), "count");
    null_refused(accel_run_lengths(NULL, from, to, other, count), "queue");
    null_refused(accel_run_lengths(queue, NULL, to, other, count), "from");
    null_refused(accel_run_lengths(queue, from, NULL, other, count), "elements");
    null_refused(accel_run_lengths(queue, from, to, NULL, count), "lengths");
    null_refused(accel_run_lengths(queue, from, to, other, NULL), "count");
    accel_buffer_release(from);
    accel_buffer_release(other);
    accel_buffer_release(to);
    accel_buffer_release(count);
    accel_queue_release(queue);
}
END_TEST

START_TEST(null_is_refused_by_scans)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), 1);
    accel_buffer *result = buffer_new(test.device, &desc);
    accel_queue *queue = queue_new(test.device, 0);
    accel_module *module = NULL;
    accel_kernel *kernel = NULL;
    scans_args args = {.x = NULL};
    ok(accel_module_load(test.device, "kernels", &module));
    ok(accel_module_kernel(module, "scan_dot", &kernel));
    null_refused(accel_scan(NULL, kernel, 1, &args, sizeof args, result, 0), "queue");
    null_refused(accel_scan(queue, NULL, 1, &args, sizeof args, result, 0), "kernel");
    null_refused(accel_scan(queue, kernel, 1, NULL, sizeof args, result, 0), "args");
    null_refused(accel_scan(queue, kernel, 1, &args, sizeof args, NULL, 0), "result");
    accel_buffer_release(result);
    accel_queue_release(queue);
    accel_module_release(module);
}
END_TEST

Suite *null_suite(void)
{
    Suite *suite = suite_create("NULL");
    add(suite, null_is_refused_by_instances_and_devices);
    add(suite, null_is_refused_by_queues_and_events);
    add(suite, null_is_refused_by_buffers);
    add(suite, null_is_refused_by_modules_kernels_and_launches);
    add(suite, null_is_refused_by_reductions);
    add(suite, null_is_refused_by_algorithms);
    add(suite, null_is_refused_by_algorithms_that_choose_elements);
    add(suite, null_is_refused_by_scans);
    add(suite, null_is_refused_by_scatters);
    add(suite, null_is_refused_by_scratch);
    return suite;
}
