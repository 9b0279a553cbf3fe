/* SPDX-License-Identifier: Apache-2.0 */
/* Large copies of pageable memory, which the device's copier makes in pieces while the queue defers what follows. */
#include "rig.h"
#include "vendor.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = (6 << 20) + 12345 }; /* more than all pieces hold */

static unsigned char *bytes_new(size_t size, unsigned seed)
{
    unsigned char *bytes = malloc(size);
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)((i + seed) * 2654435761u >> 11);
    return bytes;
}

static accel_buffer *buffer_new(accel_device *device, size_t size)
{
    accel_buffer_desc desc = accel_buffer_1d(1, size);
    accel_buffer *buffer = NULL;
    ok(accel_buffer_create(device, &desc, &buffer));
    return buffer;
}

static accel_queue *queue_new(accel_device *device)
{
    accel_queue *queue = NULL;
    ok(accel_queue_create(device, NULL, &queue));
    return queue;
}

/* ------------------------------------------------------------------------------------------------ order -- */

START_TEST(q1_large_copies_small_ones_and_launches_are_in_order)
{
    rig r = rig_begin();
    unsigned char *given = bytes_new(LARGE, 1), *got = calloc(1, LARGE);
    uint32_t words[RIG_WORDS], seven = 7;
    accel_buffer *buffer = buffer_new(r.device, LARGE), *there = buffer_new(r.device, LARGE);
    for (int turn = 0; turn < 20; ++turn) {
        given[0] = given[LARGE - 1] = (unsigned char)turn;
        ok(accel_fill(r.queue, r.words, &seven, sizeof(seven), NULL));
        ok(accel_write(r.queue, buffer, given));
        ok(rig_launch(&r, r.queue, r.add, NULL));
        ok(accel_copy(r.queue, there, buffer, NULL));
        ok(accel_read(r.queue, got, there));
        ok(rig_launch(&r, r.queue, r.add, NULL));
        ok(accel_fill(r.queue, there, "", 1, NULL));
        ok(accel_read(r.queue, words, r.words));
        ok(accel_queue_wait(r.queue));
        ck_assert_int_eq(memcmp(given, got, LARGE), 0);
        ck_assert_uint_eq(words[RIG_WORDS - 1], 17);
    }
    accel_buffer_release(buffer);
    accel_buffer_release(there);
    free(given);
    free(got);
    rig_end(&r);
}
END_TEST

/* What the stream writes to the host just before is read when the copy's turn has come. */
START_TEST(q1_a_large_copy_begins_behind_what_the_stream_still_does)
{
    rig r = rig_begin();
    unsigned char *given = bytes_new(LARGE, 1), *got = calloc(1, LARGE);
    accel_buffer *buffer = buffer_new(r.device, LARGE);
    for (uint32_t turn = 1; turn <= 30; ++turn) {
        ok(accel_fill(r.queue, r.words, &turn, sizeof(turn), NULL));
        ok(accel_read(r.queue, given, r.words));
        ok(accel_write(r.queue, buffer, given));
        ok(accel_queue_wait(r.queue));
        ok(accel_read(r.queue, got, buffer));
        ok(accel_queue_wait(r.queue));
        ck_assert_mem_eq(got, &turn, sizeof(turn));
        ck_assert_int_eq(memcmp(got, given, LARGE), 0);
    }
    accel_buffer_release(buffer);
    free(given);
    free(got);
    rig_end(&r);
}
END_TEST

/* Rows with gaps at both ends, and a copy of so many dimensions that a driver takes it in parts. */
START_TEST(m2_large_copies_of_any_shape_leave_the_gaps_alone)
{
    static const struct {
        uint32_t dims;
        size_t extent[6], whole[6];
    } shapes[] = {{2, {700, 1000}, {700, 1024}},
                  {3, {9, 70, 1500}, {10, 71, 1504}},
                  {2, {3, 600000}, {3, 600001}},
                  {5, {3, 4, 5, 30, 400}, {3, 5, 6, 31, 401}}};
    rig r = rig_begin();
    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); ++s) {
        accel_buffer_desc desc = {.struct_size = sizeof(desc), .element_size = 1, .dims = shapes[s].dims};
        accel_buffer *device = NULL, *host = NULL, *back = NULL;
        size_t bytes = 1;
        memcpy(desc.extent, shapes[s].whole, sizeof(size_t) * desc.dims);
        for (uint32_t d = 0; d < desc.dims; ++d)
            bytes *= desc.extent[d];
        unsigned char *given = bytes_new(bytes, 3), *got = malloc(bytes), *expected = malloc(bytes);
        memset(got, 9, bytes);
        memset(expected, 9, bytes);
        ok(accel_buffer_create(r.device, &desc, &device));
        desc.pitch[desc.dims - 1] = 1;
        for (uint32_t d = desc.dims - 1; d-- > 0;)
            desc.pitch[d] = desc.pitch[d + 1] * desc.extent[d + 1];
        ok(accel_buffer_wrap(accel_instance_host(r.instance), given, &desc, &host));
        ok(accel_buffer_wrap(accel_instance_host(r.instance), got, &desc, &back));
        for (size_t i = 0; i < bytes; ++i) { /* inside of the extent? */
            bool inside = true;
            size_t at = i;
            for (uint32_t d = desc.dims; d-- > 0; at /= desc.extent[d])
                inside = inside && at % desc.extent[d] < shapes[s].extent[d];
            if (inside)
                expected[i] = given[i];
        }
        ok(accel_copy(r.queue, device, host, shapes[s].extent));
        ok(accel_copy(r.queue, back, device, shapes[s].extent));
        ok(accel_queue_wait(r.queue));
        ck_assert_msg(memcmp(got, expected, bytes) == 0, "shape %zu", s);
        accel_buffer_release(device);
        accel_buffer_release(host);
        accel_buffer_release(back);
        free(given);
        free(got);
        free(expected);
    }
    rig_end(&r);
}
END_TEST

/* The program may submit to the stream, and that does not wait for what libaccel defers. */
START_TEST(q1_behind_the_native_stream_copies_are_the_streams_own)
{
    uint32_t words = LARGE / 4;
    vendor_open();
    rig r = rig_begin();
    uint32_t *given = calloc(words, 4), *got = calloc(words, 4);
    accel_buffer *buffer = buffer_new(r.device, (size_t)words * 4);
    void *stream = NULL, *native = NULL;
    ok(accel_device_native(r.device, &native));
    vendor_use(native);
    for (int turn = 0; turn < 10; ++turn) {
        accel_queue *queue = queue_new(r.device);
        for (uint32_t i = 0; i < words; ++i)
            given[i] = (uint32_t)turn;
        if (turn % 2 == 0)
            ok(accel_write(queue, buffer, given)); /* under way when the program asks */
        ok(accel_queue_native(queue, &stream));
        ok(accel_write(queue, buffer, given));
        vendor_read(got, accel_buffer_ptr(buffer), (size_t)words * 4, stream);
        vendor_stream_wait(stream);
        ck_assert_int_eq(memcmp(given, got, (size_t)words * 4), 0);
        accel_queue_release(queue);
    }
    accel_buffer_release(buffer);
    free(given);
    free(got);
    rig_end(&r);
}
END_TEST

START_TEST(o3_a_queue_and_its_buffer_may_be_released_while_a_large_copy_is_under_way)
{
    rig r = rig_begin();
    unsigned char *given = bytes_new(LARGE, 5), *got = calloc(8, LARGE);
    accel_buffer *buffer = buffer_new(r.device, LARGE);
    accel_event *event = NULL;
    ok(accel_event_create(r.device, NULL, &event));
    ok(accel_write(r.queue, buffer, given));
    ok(accel_queue_wait(r.queue));
    for (size_t i = 0; i < 8; ++i) {
        accel_queue *queue = queue_new(r.device);
        accel_buffer *own = buffer_new(r.device, LARGE);
        ok(accel_write(queue, own, given));
        ok(accel_read(queue, got + i * LARGE, own));
        ok(accel_event_record(event, queue));
        ok(accel_queue_wait_event(r.queue, event));
        accel_buffer_release(own);
        accel_queue_release(queue);
    }
    ok(accel_queue_wait(r.queue));
    for (size_t i = 0; i < 8; ++i)
        ck_assert_int_eq(memcmp(got + i * LARGE, given, LARGE), 0);
    accel_event_release(event);
    accel_buffer_release(buffer);
    free(given);
    free(got);
    rig_end(&r);
}
END_TEST

/* ------------------------------------------------------------------------------------ several at once -- */

typedef struct mover {
    accel_device *device;
    unsigned seed;
} mover;

static void *move(void *user)
{
    const mover *own = user;
    unsigned char *given = bytes_new(LARGE, own->seed), *got = calloc(1, LARGE);
    accel_queue *queue = queue_new(own->device);
    accel_buffer *buffer = buffer_new(own->device, LARGE);
    for (unsigned char turn = 0; turn < 8; ++turn) {
        given[turn * 1000u] ^= 0x55;
        ok(accel_write(queue, buffer, given));
        ok(accel_read(queue, got, buffer));
        ok(accel_queue_wait(queue));
        ck_assert_int_eq(memcmp(given, got, LARGE), 0);
    }
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    free(given);
    free(got);
    return NULL;
}

START_TEST(q1_copies_of_many_queues_share_the_pieces)
{
    enum { MOVERS = 6 };
    const char *trace = rig_scratch("trace");
    pthread_t threads[MOVERS];
    mover movers[MOVERS];
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    unsigned before = rig_calls(trace, rig_is_cuda() ? "cuMemHostAlloc" : "hipHostMalloc");
    for (unsigned i = 0; i < MOVERS; ++i) {
        movers[i] = (mover){i % 3 == 2 ? r.other : r.device, i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, move, &movers[i]), 0);
    }
    for (int i = 0; i < MOVERS; ++i)
        pthread_join(threads[i], NULL);
    /* A stage for each queue, and the pieces of each device. */
    ck_assert_uint_le(rig_calls(trace, rig_is_cuda() ? "cuMemHostAlloc" : "hipHostMalloc") - before, MOVERS + 2);
    rig_end(&r);
}
END_TEST

/* --------------------------------------------------------------------------------------------- failures -- */

/* What a refusal becomes: the call tells of it, the queue's wait does, or nobody need know. */
typedef enum outcome { THE_CALL, THE_WAIT, NOTHING } outcome;
static const struct {
    const char *cuda, *hip;
    unsigned number;
    outcome outcome;
} refusals[] = {
    {"cuMemcpyAsync", "hipMemcpyAsync", 1, THE_WAIT},
    {"cuMemcpyAsync", "hipMemcpyAsync", 2, THE_WAIT},
    {"cuMemcpyAsync", "hipMemcpyAsync", 5, THE_WAIT},
    {"cuEventRecord", "hipEventRecord", 1, THE_WAIT},
    {"cuEventRecord", "hipEventRecord", 3, THE_WAIT},
    {"cuEventQuery", "hipEventQuery", 1, NOTHING},
    {"cuEventQuery", "hipEventQuery", 4, NOTHING},
    {"cuEventSynchronize", "hipEventSynchronize", 1, NOTHING},
    {"cuStreamQuery", "hipStreamQuery", 1, NOTHING},
    {"cuMemHostAlloc", "hipHostMalloc", 2, THE_CALL}, /* the first is the queue's stage */
    {"cuEventCreate", "hipEventCreateWithFlags", 2, THE_CALL},
    {"cuEventCreate", "hipEventCreateWithFlags", 9, THE_CALL},
};

/* _i: which, and to the host or from it. The next copy is whole. */
START_TEST(q7_what_the_driver_refuses_the_copier_fails_the_queue_and_loses_nothing)
{
    char failure[80];
    size_t which = (size_t)_i / 2;
    bool reads = _i % 2 == 0;
    accel_instance *instance = NULL;
    unsigned char *given = bytes_new(LARGE, 7), *got = calloc(1, LARGE);
    snprintf(failure, sizeof(failure), "%s@%u=801", rig_is_cuda() ? refusals[which].cuda : refusals[which].hip,
             refusals[which].number);
    setenv("GPUSIM_FAIL", failure, 1);
    ok(accel_instance_create(NULL, &instance));
    accel_device *device = accel_instance_device(instance, 0);
    accel_queue *queue = queue_new(device);
    accel_buffer *buffer = buffer_new(device, LARGE);
    accel_status status = reads ? accel_read(queue, got, buffer) : accel_write(queue, buffer, given);
    ck_assert_int_eq(status, refusals[which].outcome == THE_CALL ? ACCEL_UNSUPPORTED : ACCEL_OK);
    if (refusals[which].outcome == THE_WAIT)
        refused(ACCEL_UNSUPPORTED, accel_queue_wait(queue), "copy");
    ok(accel_queue_wait(queue));
    ok(accel_write(queue, buffer, given));
    ok(accel_read(queue, got, buffer));
    ok(accel_queue_wait(queue));
    ck_assert_int_eq(memcmp(given, got, LARGE), 0);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_instance_release(instance);
    free(given);
    free(got);
}
END_TEST

static void count(void *user, accel_status status)
{
    ck_assert_int_ne(status, ACCEL_OK);
    ++*(unsigned *)user;
}

/* _i: the device faults before the copy's turn, or is lost then; a copy of another queue is under way. */
START_TEST(k10_a_device_that_fails_ends_its_large_copies)
{
    unsigned called = 0;
    unsigned char *given = bytes_new(LARGE, 7), *got = calloc(2, LARGE);
    setenv("GPUSIM_FAULT", _i == 0 ? "illegal-address@1" : "lost@1", 1);
    setenv("GPUSIM_ALLOW", "leak", 1);
    rig r = rig_begin();
    accel_queue *other = queue_new(r.device);
    accel_buffer *buffer = buffer_new(r.device, LARGE);
    ok(accel_write(r.queue, buffer, given));
    ok(accel_queue_wait(r.queue));
    ok(accel_read(other, got, buffer));
    ok(rig_launch(&r, r.queue, r.add, NULL));
    (void)accel_read(r.queue, got + LARGE, buffer);
    if (accel_queue_call(r.queue, count, &called) != ACCEL_OK)
        ++called;
    ck_assert_int_eq(accel_queue_wait(r.queue), _i == 0 ? ACCEL_KERNEL_FAULT : ACCEL_DEVICE_LOST);
    ck_assert_int_ne(accel_queue_wait(other), ACCEL_OK);
    ck_assert_uint_eq(called, 1);
    accel_buffer_release(buffer);
    accel_queue_release(other);
    rig_end(&r);
    free(given);
    free(got);
}
END_TEST

TCase *copier_tests(void)
{
    TCase *tests = tcase_create("copier");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, q1_large_copies_small_ones_and_launches_are_in_order);
    tcase_add_test(tests, q1_a_large_copy_begins_behind_what_the_stream_still_does);
    tcase_add_test(tests, m2_large_copies_of_any_shape_leave_the_gaps_alone);
    tcase_add_test(tests, q1_behind_the_native_stream_copies_are_the_streams_own);
    tcase_add_test(tests, o3_a_queue_and_its_buffer_may_be_released_while_a_large_copy_is_under_way);
    tcase_add_test(tests, q1_copies_of_many_queues_share_the_pieces);
    tcase_add_loop_test(tests, q7_what_the_driver_refuses_the_copier_fails_the_queue_and_loses_nothing, 0,
                        2 * (int)(sizeof(refusals) / sizeof(refusals[0])));
    tcase_add_loop_test(tests, k10_a_device_that_fails_ends_its_large_copies, 0, 2);
    return tests;
}
