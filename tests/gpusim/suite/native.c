/* SPDX-License-Identifier: Apache-2.0 */
/* Native handles, both ways: the program calls the driver itself beside libaccel, as libraries that were written for the
 * vendor's runtime do, on the same streams, memory and kernels. */
#include "../check/driver.h"
#include "rig.h"
#include "vendor.h"

#include <accel/object.h>
#include <stdlib.h>

static void *device_native(accel_device *device)
{
    void *native = NULL;
    ok(accel_device_native(device, &native));
    ck_assert_ptr_nonnull(native);
    return native;
}

static void *event_native(accel_event *event)
{
    void *native = NULL;
    ok(accel_event_native(event, &native));
    ck_assert_ptr_nonnull(native);
    return native;
}

/* A stream of the program's own on the rig's device, which is current from now on. */
static void *program_stream(const rig *r)
{
    vendor_use(device_native(r->device));
    return vendor_stream(CUDA_STREAM_NON_BLOCKING);
}

static accel_queue *wrap(const rig *r, void *stream)
{
    accel_queue *queue = NULL;
    void *native = NULL;
    ok(accel_queue_wrap(r->device, stream, &queue));
    ok(accel_queue_native(queue, &native));
    ck_assert_ptr_eq(native, stream);
    return queue;
}

static void all_are(const uint32_t *words, uint32_t value)
{
    for (int i = 0; i < RIG_WORDS; ++i)
        ck_assert_msg(words[i] == value, "word %d is %u, not %u", i, words[i], value);
}

/* Nothing but the stream's order makes the sum right; the simulator delays the operations. */
START_TEST(the_drivers_calls_and_libaccels_share_a_stream_in_order)
{
    uint32_t seven = 7, words[RIG_WORDS];
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    accel_buffer *wrapped = NULL;
    vendor_open();
    rig r = rig_begin();
    void *stream = program_stream(&r), *memory = vendor_memory(sizeof(words));
    accel_queue *queue = wrap(&r, stream);
    ok(accel_buffer_wrap(r.device, memory, &desc, &wrapped));
    ok(accel_fill(queue, r.words, &seven, sizeof(seven), NULL));
    vendor_fill(accel_buffer_ptr(r.words), 40, RIG_WORDS, stream);
    ok(rig_launch(&r, queue, r.add, NULL)); /* adds 5 */
    ok(accel_copy(queue, wrapped, r.words, NULL));
    vendor_fill(accel_buffer_ptr(r.words), 1, RIG_WORDS, stream);
    ok(rig_launch(&r, queue, r.add, memory));
    vendor_read(words, memory, sizeof(words), stream);
    ok(accel_queue_wait(queue));
    all_are(words, 50);
    ok(accel_read(queue, words, r.words));
    vendor_stream_wait(stream);
    all_are(words, 1);
    accel_buffer_release(wrapped);
    accel_queue_release(queue);
    vendor_free(memory);
    vendor_stream_end(stream);
    rig_end(&r);
}
END_TEST

/* Also the instance: the program has its own reference to the context, as the vendor's runtime has. */
START_TEST(a_wrapped_stream_outlives_its_queue)
{
    gate door = {0};
    cuda_context context = NULL;
    uint32_t words[RIG_WORDS];
    vendor_open();
    if (rig_is_cuda())
        cuda_ok(cu.primary_retain(&context, 0));
    rig r = rig_begin();
    void *stream = program_stream(&r);
    accel_queue *queue = wrap(&r, stream);
    accel_queue_release(queue); /* idle */
    vendor_stream_wait(stream);
    ck_assert_int_eq(vendor_stream_query(stream), VENDOR_DONE);
    queue = wrap(&r, stream);
    vendor_call(stream, pass, &door);
    vendor_fill(accel_buffer_ptr(r.words), 20, RIG_WORDS, stream);
    ok(rig_launch(&r, queue, r.add, NULL));
    accel_queue_release(queue); /* with work pending */
    ck_assert_int_eq(vendor_stream_query(stream), VENDOR_NOT_READY);
    open_gate(&door);
    vendor_read(words, accel_buffer_ptr(r.words), sizeof(words), stream);
    vendor_stream_wait(stream);
    all_are(words, 25);
    rig_end(&r);
    ck_assert_int_eq(vendor_stream_query(stream), VENDOR_DONE);
    vendor_stream_end(stream);
    if (rig_is_cuda())
        cuda_ok(cu.primary_release(0));
}
END_TEST

/* The program may be capturing the stream into a graph, which a question ends. */
START_TEST(releasing_memory_asks_no_stream_of_the_program)
{
    const char *trace = rig_scratch("trace"), *query = rig_is_cuda() ? "cuStreamQuery" : "hipStreamQuery";
    accel_buffer_desc desc = accel_buffer_1d(4, 100);
    accel_buffer *buffers[2];
    setenv("GPUSIM_TRACE", trace, 1);
    vendor_open();
    rig r = rig_begin();
    void *stream = program_stream(&r);
    accel_queue *queue = wrap(&r, stream);
    ok(accel_queue_wait(r.queue));
    for (int i = 0; i < 2; ++i)
        ok(accel_buffer_create(r.device, &desc, &buffers[i]));
    unsigned before = rig_calls(trace, query);
    for (int i = 0; i < 2; ++i)
        accel_buffer_release(buffers[i]);
    ck_assert_uint_eq(rig_calls(trace, query), before);
    accel_queue_release(queue);
    vendor_stream_end(stream);
    rig_end(&r);
}
END_TEST

/* As the vendor's runtime has it: what was made there is valid here. */
START_TEST(the_native_device_is_the_primary_context)
{
    vendor_open();
    rig r = rig_begin();
    accel_device *const devices[] = {r.device, r.other};
    for (int i = 0; i < 2; ++i) {
        void *native = device_native(devices[i]);
        if (!rig_is_cuda()) {
            ck_assert_uint_eq((uintptr_t)native, (uintptr_t)i + 1); /* docs/gpu.md */
            continue;
        }
        cuda_context primary = NULL;
        cuda_ok(cu.primary_retain(&primary, i));
        ck_assert_ptr_eq((void *)primary, native);
        cuda_ok(cu.primary_release(i));
    }
    rig_end(&r);
}
END_TEST

START_TEST(the_drivers_streams_wait_for_libaccels_events)
{
    gate door = {0};
    accel_event *event = NULL;
    vendor_open();
    rig r = rig_begin();
    void *stream = program_stream(&r), *libaccels = NULL;
    ok(accel_event_create(r.device, NULL, &event));
    ok(accel_queue_native(r.queue, &libaccels));
    ck_assert_ptr_ne(libaccels, stream);
    vendor_call(libaccels, pass, &door);
    ok(accel_event_record(event, r.queue));
    void *native = event_native(event);
    vendor_wait_event(stream, native);
    ck_assert_int_eq(vendor_event_query(native), VENDOR_NOT_READY);
    ck_assert_int_eq(vendor_stream_query(stream), VENDOR_NOT_READY);
    open_gate(&door);
    vendor_event_wait(native);
    ck_assert_int_eq(vendor_event_query(native), VENDOR_DONE);
    vendor_stream_wait(stream);
    accel_event_release(event);
    vendor_stream_end(stream);
    rig_end(&r);
}
END_TEST

START_TEST(the_driver_launches_libaccels_kernels)
{
    uint32_t words[RIG_WORDS];
    void *module = NULL, *kernel = NULL;
    vendor_open();
    rig r = rig_begin();
    void *stream = program_stream(&r);
    ok(accel_module_native(r.module, &module));
    ok(accel_kernel_native(r.add, &kernel));
    ck_assert_ptr_nonnull(module);
    ck_assert_ptr_nonnull(kernel);
    ck_assert_uint_ge(vendor_global_size(module, ACCEL_DESCRIPTOR_PREFIX "add"), sizeof(uint32_t));
    vendor_fill(accel_buffer_ptr(r.words), 30, RIG_WORDS, stream);
    vendor_launch(kernel, accel_buffer_ptr(r.words), RIG_WORDS, 4, stream);
    vendor_launch(vendor_function(module, ACCEL_ENTRY_PREFIX "add"), accel_buffer_ptr(r.words), RIG_WORDS, 8, stream);
    vendor_read(words, accel_buffer_ptr(r.words), sizeof(words), stream);
    vendor_stream_wait(stream);
    all_are(words, 42);
    vendor_stream_end(stream);
    rig_end(&r);
}
END_TEST

TCase *native_tests(void)
{
    TCase *tests = tcase_create("native handles");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_drivers_calls_and_libaccels_share_a_stream_in_order);
    tcase_add_test(tests, a_wrapped_stream_outlives_its_queue);
    tcase_add_test(tests, releasing_memory_asks_no_stream_of_the_program);
    tcase_add_test(tests, the_native_device_is_the_primary_context);
    tcase_add_test(tests, the_drivers_streams_wait_for_libaccels_events);
    tcase_add_test(tests, the_driver_launches_libaccels_kernels);
    return tests;
}
