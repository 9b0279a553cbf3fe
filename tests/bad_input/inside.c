/* SPDX-License-Identifier: Apache-2.0 */
/* Calls from a host function of a queue: every function that is neither retain, release nor query. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <accel/object.h>
#include <accel/pattern.h>
#include <stdatomic.h>
#include <stdio.h>

enum { MOST = 64 };

typedef struct inside {
    accel_queue *queue;
    accel_event *event;
    accel_buffer *buffer;
    accel_kernel *kernel;
    size_t count, wrong;
    char text[MOST][200]; /* of calls that did not answer as they should */
    uintptr_t outputs;    /* what was written to outputs: must stay 0 */
    _Atomic uint32_t done;
} inside;

static void judge(inside *in, const char *call, accel_status status)
{
    const char *text = accel_error_message();
    size_t name = strcspn(call, "(");
    ++in->count;
    if (status == ACCEL_INVALID && strncmp(text, call, name) == 0 && strstr(text, "host function") != NULL)
        return;
    if (in->wrong < MOST)
        snprintf(in->text[in->wrong], sizeof in->text[0], "%s gave %s: %s", call, accel_status_name(status),
                 status == ACCEL_OK ? "" : text);
    ++in->wrong;
}
#define forbidden(call) judge(in, #call, call)

static bool visit(void *user, const accel_object_properties *properties)
{
    (void)user;
    (void)properties;
    return true;
}

static void call_again(void *user, accel_status status)
{
    (void)user;
    (void)status;
}

static void call_everything(void *user, accel_status status)
{
    inside *in = user;
    accel_instance *instance = NULL;
    accel_queue *queue = NULL;
    accel_event *event = NULL;
    accel_buffer *buffer = NULL;
    accel_module *module = NULL;
    accel_device *device = NULL;
    accel_scatter *scatter = NULL;
    accel_scratch_view scratch = ACCEL_SCRATCH_VIEW_INIT;
    accel_buffer_desc desc = accel_buffer_1d(4, 10);
    accel_partition_desc partition = ACCEL_PARTITION_DESC_INIT;
    accel_bundle bundle = {.magic = ACCEL_BUNDLE_MAGIC,
                           .abi = ACCEL_OBJECT_ABI,
                           .struct_size = sizeof bundle,
                           .entry_size = sizeof(accel_bundle_entry),
                           .name = "none"};
    const accel_histogram_desc histogram = ACCEL_HISTOGRAM_DESC_INIT;
    const accel_sort_desc sort = ACCEL_SORT_DESC_INIT;
    const accel_gemm_desc gemm = ACCEL_GEMM_DESC_INIT;
    accel_work work = work_of(1, 1), divided = ACCEL_WORK_INIT;
    words_args args = {.n = 0};
    uint32_t words[10] = {0};
    size_t extent = 10, count = 0;
    partition.by = ACCEL_PARTITION_EQUAL;
    partition.share_count = 1;
    (void)status;
    forbidden(accel_instance_create(NULL, &instance));
    forbidden(accel_device_partition(test.device, &partition, &device, 1, &count));
    forbidden(accel_device_wait(test.device));
    forbidden(accel_device_visit_objects(test.device, NULL, visit, NULL));
    forbidden(accel_queue_create(test.device, NULL, &queue));
    forbidden(accel_queue_wait(in->queue));
    forbidden(accel_queue_wait_event(in->queue, in->event));
    forbidden(accel_queue_call(in->queue, call_again, NULL));
    forbidden(accel_queue_wrap(test.device, &words, &queue));
    forbidden(accel_event_create(test.device, NULL, &event));
    forbidden(accel_event_record(in->event, in->queue));
    forbidden(accel_event_arm(in->event));
    forbidden(accel_event_wait(in->event));
    forbidden(accel_buffer_create(test.device, &desc, &buffer));
    forbidden(accel_buffer_create_async(in->queue, &desc, &buffer));
    forbidden(accel_buffer_wrap(test.host, words, &desc, &buffer));
    forbidden(accel_buffer_view(in->buffer, NULL, NULL, &buffer));
    forbidden(accel_copy(in->queue, in->buffer, in->buffer, NULL));
    forbidden(accel_write(in->queue, in->buffer, words));
    forbidden(accel_read(in->queue, words, in->buffer));
    forbidden(accel_fill(in->queue, in->buffer, words, 4, NULL));
    forbidden(accel_module_load(test.device, "conformance", &module));
    forbidden(accel_module_load_file(test.device, "/nothing", &module));
    forbidden(accel_module_load_bundle(test.device, &bundle, &module));
    forbidden(accel_module_kernel(test.module, "set", &in->kernel));
    forbidden(accel_module_global(test.module, "global_words", &buffer));
    forbidden(accel_work_divide(in->kernel, 1, &extent, NULL, &divided));
    forbidden(accel_launch(in->queue, in->kernel, &work, &args, sizeof args));
    forbidden(accel_launch_over(in->queue, in->kernel, 1, &extent, &args, sizeof args));
    forbidden(accel_reduce(in->queue, in->kernel, 1, &extent, &args, sizeof args, in->buffer));
    forbidden(accel_reduce_unordered(in->queue, in->kernel, 1, &extent, &args, sizeof args, in->buffer));
    forbidden(accel_reduce_values(in->queue, in->buffer, ACCEL_TYPE_UINT32, ACCEL_OPERATION_SUM, in->buffer));
    forbidden(accel_scan(in->queue, in->kernel, 1, &args, sizeof args, in->buffer, 0));
    forbidden(accel_scratch_prepare(in->queue, &divided, &scratch, &buffer));
    forbidden(accel_scatter_create(in->queue, in->kernel, 1, NULL, &scatter));
    forbidden(accel_scatter_contribute(in->queue, scatter, in->buffer));
    forbidden(accel_scatter_reset(in->queue, scatter));
    forbidden(accel_histogram(in->queue, &histogram, in->buffer, in->buffer));
    forbidden(accel_sort(in->queue, &sort, in->buffer, NULL));
    forbidden(accel_scan_values(in->queue, in->buffer, ACCEL_TYPE_UINT32, ACCEL_OPERATION_SUM, in->buffer, 0));
    forbidden(accel_transpose(in->queue, in->buffer, in->buffer));
    forbidden(accel_select(in->queue, in->buffer, in->buffer, in->buffer, in->buffer));
    forbidden(accel_partition(in->queue, in->buffer, in->buffer, in->buffer, in->buffer));
    forbidden(accel_unique(in->queue, in->buffer, in->buffer, in->buffer));
    forbidden(accel_run_lengths(in->queue, in->buffer, in->buffer, in->buffer, in->buffer));
    forbidden(accel_gemm(in->queue, &gemm, 1, in->buffer, in->buffer, 0, in->buffer));
    in->outputs = (uintptr_t)instance | (uintptr_t)queue | (uintptr_t)event | (uintptr_t)buffer | (uintptr_t)module |
                  (uintptr_t)device | (uintptr_t)scatter | count | divided.dims;
    atomic_store(&in->done, 1);
}

START_TEST(q8_inside_a_host_function_everything_else_is_refused)
{
    for (uint32_t flags = 0; flags < 2; ++flags) {
        inside in = {.queue = queue_new(test.device, flags),
                     .event = event_new(test.device, ACCEL_EVENT_TIMING),
                     .buffer = words_new(test.device, 10, 3),
                     .kernel = kernel_named("set")};
        accel_kernel *kernel = in.kernel;
        ok(accel_event_record(in.event, in.queue));
        ok(accel_queue_call(in.queue, call_everything, &in));
        ok(accel_queue_wait(in.queue));
        ck_assert_uint_eq(atomic_load(&in.done), 1);
        for (size_t i = 0; i < in.wrong && i < MOST; ++i)
            fprintf(stderr, "# %s\n", in.text[i]);
        ck_assert_msg(in.wrong == 0, "%zu of %zu functions answer otherwise, first: %s", in.wrong, in.count,
                      in.text[0]);
        ck_assert_uint_eq(in.outputs, 0);
        ck_assert_ptr_eq(in.kernel, kernel);
        words_are(in.queue, in.buffer, 3); /* and nothing was submitted */
        accel_buffer_release(in.buffer);
        accel_event_release(in.event);
        accel_queue_release(in.queue);
    }
}
END_TEST

START_TEST(q8_other_threads_are_not_affected_meanwhile)
{
    gate door;
    accel_queue *queue = queue_new(test.device, 0), *other = queue_new(test.device, 0);
    accel_buffer *buffer = words_new(test.device, 10, 3);
    gate_init(&door);
    gate_in(&door, queue);
    gate_entered(&door);
    words_are(other, buffer, 3);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_queue_release(other);
    gate_destroy(&door);
}
END_TEST

Suite *inside_suite(void)
{
    Suite *suite = suite_create("inside a host function");
    add(suite, q8_inside_a_host_function_everything_else_is_refused);
    add(suite, q8_other_threads_are_not_affected_meanwhile);
    return suite;
}
