/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills: what of them reaches the driver, and that they never wait. Their results are the conformance suite's. */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 262144 }; /* bytes of pinned memory that pageable memory goes through */

static accel_buffer *buffer_new(accel_device *device, const accel_buffer_desc *desc)
{
    accel_buffer *buffer = NULL;
    ok(accel_buffer_create(device, desc, &buffer));
    return buffer;
}

/* _i: by the device's copier, in whatever order its threads come to the pieces; or in the stream, which the program has asked
 * for. */
START_TEST(pageable_memory_is_copied_in_steps_and_the_caller_does_not_wait)
{
    enum { SIZE = 3 * PIECE + 12345 };
    const char *trace = rig_scratch("trace");
    accel_buffer_desc desc = accel_buffer_1d(1, SIZE);
    unsigned char *given = malloc(SIZE), *got = calloc(1, SIZE);
    rig_gate gate;
    void *stream = NULL;
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    accel_buffer *buffer = buffer_new(r.device, &desc);
    if (_i == 1)
        ok(accel_queue_native(r.queue, &stream));
    for (size_t i = 0; i < SIZE; ++i)
        given[i] = (unsigned char)(i * 2654435761u >> 11);
    rig_gate_in(&gate, r.queue);
    ok(accel_write(r.queue, buffer, given)); /* although the queue stands at the gate */
    ok(accel_read(r.queue, got, buffer));
    given[SIZE - 1] ^= 1; /* read when its turn comes */
    gate.open = true;
    ok(accel_queue_wait(r.queue));
    ck_assert_int_eq(memcmp(given, got, SIZE), 0);
    ck_assert_ptr_nonnull(
        strstr(rig_work(trace), _i == 1 ? "copy 262144;copy 262144;copy 262144;copy 12345;" : "copy 262144;"));
    free(given);
    free(got);
    accel_buffer_release(buffer);
    rig_end(&r);
}
END_TEST

START_TEST(pinned_memory_goes_to_the_driver_at_once)
{
    const char *trace = rig_scratch("trace");
    accel_buffer_desc desc = accel_buffer_1d(1, 600000);
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    accel_buffer *buffer = buffer_new(r.device, &desc);
    desc.flags = ACCEL_BUFFER_PINNED;
    accel_buffer *pinned = buffer_new(r.device, &desc);
    rig_forget(trace);
    ok(accel_copy(r.queue, buffer, pinned, NULL));
    ck_assert_str_eq(rig_work(trace), "copy 600000;");
    ok(accel_queue_wait(r.queue));
    accel_buffer_release(buffer);
    accel_buffer_release(pinned);
    rig_end(&r);
}
END_TEST

/* _i: can kernels of a device use the other's memory? Where CUDA has no such access it takes rows at once all the same. */
START_TEST(between_devices_access_is_switched_on_once)
{
    enum { ROWS = 3, WIDTH = 50 };
    const char *trace = rig_scratch("trace");
    const size_t extent[] = {ROWS, WIDTH};
    accel_buffer_desc desc = accel_buffer_2d(1, ROWS, WIDTH);
    unsigned char bytes[ROWS][WIDTH + 14], seven = 7, zero = 0;
    bool yes = _i == 0;
    setenv("GPUSIM_TRACE", trace, 1);
    setenv("GPUSIM_PEER", _i == 0 ? "none" : "all", 1);
    rig r = rig_begin();
    accel_queue *queue = NULL;
    ok(accel_queue_create(r.other, NULL, &queue));
    desc.pitch[0] = 80;
    accel_buffer *there = buffer_new(r.other, &desc);
    desc.pitch[0] = desc.extent[1] = WIDTH + 14;
    accel_buffer *here = buffer_new(r.device, &desc);
    ok(accel_fill(queue, there, &seven, 1, NULL));
    ok(accel_fill(r.queue, here, &zero, 1, NULL));
    ok(accel_queue_wait(queue));
    ok(accel_queue_wait(r.queue));
    rig_forget(trace);
    for (int i = 0; i < 2; ++i)
        ok(accel_copy(r.queue, here, there, extent));
    ok(accel_queue_wait(r.queue));
    ck_assert_str_eq(rig_work(trace), _i == 1 || rig_is_cuda() ? "copy 1x3x50;copy 1x3x50;"
                                                               : "copy 50;copy 50;copy 50;copy 50;copy 50;copy 50;");
    ck_assert_uint_eq(rig_calls(trace, rig_is_cuda() ? "cuCtxEnablePeerAccess" : "hipDeviceEnablePeerAccess"),
                      _i == 1 ? 2 : 0); /* there and back */
    ok(accel_read(r.queue, bytes, here));
    ok(accel_queue_wait(r.queue));
    for (int row = 0; row < ROWS; ++row)
        for (int i = 0; i < WIDTH + 14; ++i)
            ck_assert_int_eq(bytes[row][i], i < WIDTH ? 7 : 0);
    ok(accel_device_can_access(r.device, r.other, &yes));
    ck_assert_int_eq(yes, _i);
    accel_buffer_release(here);
    accel_buffer_release(there);
    accel_queue_release(queue);
    rig_end(&r);
}
END_TEST

/* ----------------------------------------------------------------------------------------------- fills -- */

typedef struct shape {
    uint32_t dims;
    size_t extent[ACCEL_MAX_DIMS]; /* in patterns, which are the elements */
    size_t gap;                    /* patterns behind each row, plane, ... */
} shape;

static void fill_plainly(const shape *s, uint32_t d, const size_t pitch[], unsigned char *to, const void *pattern,
                         size_t size)
{
    for (size_t i = 0; i < s->extent[d]; ++i) {
        if (d + 1 == s->dims || d == ACCEL_MAX_DIMS - 1) /* the latter for compilers: it bounds the recursion */
            memcpy(to + i * size, pattern, size);
        else
            fill_plainly(s, d + 1, pitch, to + i * pitch[d], pattern, size);
    }
}

static void check_fill(const rig *r, accel_queue *queue, const shape *s, size_t size)
{
    accel_buffer_desc desc = {
        .struct_size = sizeof(desc), .flags = ACCEL_BUFFER_MAPPED, .element_size = size, .dims = s->dims};
    accel_buffer_properties p = ACCEL_BUFFER_PROPERTIES_INIT;
    unsigned char *pattern = malloc(size);
    for (size_t i = 0; i < size; ++i)
        pattern[i] = (unsigned char)(i * 37 + size);
    for (uint32_t d = 0; d < s->dims; ++d)
        desc.extent[d] = s->extent[d] + s->gap;
    accel_buffer *buffer = buffer_new(r->device, &desc);
    ok(accel_buffer_info(buffer, &p));
    unsigned char *expected = malloc(p.span_bytes);
    memset(p.host_ptr, 0x55, p.span_bytes);
    memset(expected, 0x55, p.span_bytes);
    fill_plainly(s, 0, p.pitch, expected, pattern, size);
    ok(accel_fill(queue, buffer, pattern, size, s->extent));
    memset(pattern, 0, size); /* Q6: copied */
    ok(accel_queue_wait(queue));
    ck_assert_msg(memcmp(p.host_ptr, expected, p.span_bytes) == 0, "%u dimensions, pattern of %zu", s->dims, size);
    free(pattern);
    free(expected);
    accel_buffer_release(buffer);
}

/* CUDA always has them; HIP since 7.1. */
static void with_fills_of_rows(void)
{
    setenv("GPUSIM_VERSION_HIP", "70100000", 1);
}

/* _i: without the driver's fills of rows of 2 and 4 bytes, or with them. */
START_TEST(m7_patterns_of_every_size_in_every_shape)
{
    static const shape shapes[] = {{1, {1}, 0},
                                   {1, {50}, 0},
                                   {2, {3, 7}, 2},
                                   {3, {4, 3, 5}, 0},
                                   {3, {2, 5, 3}, 1},
                                   {4, {2, 3, 2, 4}, 1},
                                   {6, {2, 1, 2, 3, 2, 2}, 1}};
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 100, 1000, 4096};
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *queues[2];
    if (_i == 1)
        with_fills_of_rows();
    setenv("GPUSIM_DELAY", "0", 1);
    rig r = rig_begin();
    for (uint32_t flags = 0; flags < 2; ++flags) {
        desc.flags = flags == 0 ? 0 : ACCEL_QUEUE_BLOCKING;
        ok(accel_queue_create(r.device, &desc, &queues[flags]));
        for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); ++i)
            for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); ++k)
                check_fill(&r, queues[flags], &shapes[i], sizes[k]);
        accel_queue_release(queues[flags]);
    }
    rig_end(&r);
}
END_TEST

/* What reaches the driver for a fill of rows of `width` bytes, `pitch` apart. */
static const char *fill_work(const rig *r, const char *trace, const size_t extent[3], const size_t pitch[2],
                             size_t offset, const void *pattern, size_t size)
{
    accel_buffer_desc desc = accel_buffer_3d(1, extent[0], extent[1], offset + extent[2]);
    accel_buffer *view = NULL;
    memcpy(desc.pitch, pitch, 2 * sizeof(size_t));
    accel_buffer *buffer = buffer_new(r->device, &desc);
    ok(accel_buffer_view(buffer, (const size_t[]){0, 0, offset}, extent, &view));
    rig_forget(trace);
    ok(accel_fill(r->queue, view, pattern, size, NULL));
    ok(accel_queue_wait(r->queue));
    accel_buffer_release(view);
    accel_buffer_release(buffer);
    return rig_work(trace);
}

#define WORK(n0, n1, n2, pitch0, pitch1, offset, pattern)                                                              \
    fill_work(&r, trace, (const size_t[]){n0, n1, n2}, (const size_t[]){pitch0, pitch1}, offset, pattern,              \
              sizeof(pattern))

START_TEST(m7_small_patterns_are_the_drivers_own)
{
    static const unsigned char one[1] = {9}, two[2] = {1, 2}, same[8] = {3, 3, 3, 3, 3, 3, 3, 3},
                               twice[8] = {1, 2, 3, 4, 1, 2, 3, 4};
    const char *trace = rig_scratch("trace");
    setenv("GPUSIM_TRACE", trace, 1);
    with_fills_of_rows();
    rig r = rig_begin();
    ck_assert_str_eq(WORK(1, 1, 1000, 1000, 1000, 0, one), "fill8 1000;");
    ck_assert_str_eq(WORK(1, 1, 1000, 1000, 1000, 0, two), "fill16 500;");
    ck_assert_str_eq(WORK(1, 1, 1000, 1000, 1000, 0, same), "fill8 1000;");
    ck_assert_str_eq(WORK(1, 1, 1000, 1000, 1000, 0, twice), "fill32 250;");
    ck_assert_str_eq(WORK(1, 5, 16, 100, 20, 0, twice), "fill32 5x4;");
    ck_assert_str_eq(WORK(2, 5, 16, 100, 20, 0, twice), "fill32 10x4;");
    ck_assert_str_eq(WORK(1, 1, 16, 20, 20, 2, twice), "copy 16;"); /* not aligned to the value */
    rig_end(&r);
}
END_TEST

START_TEST(large_patterns_are_copied_on_in_steps_that_double)
{
    static const unsigned char pattern[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    const char *trace = rig_scratch("trace");
    setenv("GPUSIM_TRACE", trace, 1);
    rig r = rig_begin();
    ck_assert_str_eq(WORK(1, 1, 300000, 300000, 300000, 0, pattern), "copy 65536;copy 65536;copy 131072;copy 37856;");
    rig_end(&r);
}
END_TEST

TCase *transfers_tests(void)
{
    TCase *tests = tcase_create("transfers");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, pageable_memory_is_copied_in_steps_and_the_caller_does_not_wait, 0, 2);
    tcase_add_test(tests, pinned_memory_goes_to_the_driver_at_once);
    tcase_add_loop_test(tests, between_devices_access_is_switched_on_once, 0, 2);
    tcase_add_loop_test(tests, m7_patterns_of_every_size_in_every_shape, rig_is_cuda() ? 1 : 0, 2);
    tcase_add_test(tests, m7_small_patterns_are_the_drivers_own);
    tcase_add_test(tests, large_patterns_are_copied_on_in_steps_that_double);
    return tests;
}
