/* SPDX-License-Identifier: Apache-2.0 */
/* Fills of the GPU engine, with and without fills of rows in the driver. */
#include "gpu_fake.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 };

typedef struct shape {
    uint32_t dims;
    size_t extent[ACCEL_MAX_DIMS]; /* the last in patterns */
    size_t gap;                    /* patterns behind each row, plane, ... */
} shape;

static void fill_plainly(const accel_fill_params *p, uint32_t d, unsigned char *to)
{
    for (size_t i = 0; i < p->extent[d]; ++i) {
        if (d + 1 == p->dims || d == ACCEL_MAX_DIMS - 1) /* the latter for compilers: it bounds the recursion */
            to[i] = ((const unsigned char *)p->pattern)[i % p->pattern_size];
        else
            fill_plainly(p, d + 1, to + i * p->pitch[d]);
    }
}

static void check_fill(gpu_fake *fake, accel_impl_queue *queue, const shape *s, size_t pattern_size,
                       unsigned char *memory, unsigned char *expected)
{
    unsigned char *pattern = malloc(pattern_size);
    accel_fill_params p = {
        .struct_size = sizeof(p), .dims = s->dims, .dst = memory, .pattern = pattern, .pattern_size = pattern_size};
    size_t pitch = 1;
    (void)fake;
    for (size_t i = 0; i < pattern_size; ++i)
        pattern[i] = (unsigned char)(i * 37 + pattern_size);
    for (uint32_t d = s->dims; d-- > 0;) {
        p.extent[d] = s->extent[d] * (d + 1 == s->dims ? pattern_size : 1);
        p.pitch[d] = pitch;
        pitch = pitch * p.extent[d] + s->gap * pattern_size;
    }
    ck_assert_uint_le(pitch, ROOM);
    memset(memory, 0x55, pitch + 1);
    memset(expected, 0x55, pitch + 1);
    fill_plainly(&p, 0, expected);
    ck_assert_uint_eq(gpu_queue_vtable.fill(queue, &p), ACCEL_OK);
    free(pattern); /* Q6: copied */
    ck_assert_uint_eq(gpu_queue_vtable.wait(queue), ACCEL_OK);
    ck_assert_msg(memcmp(memory, expected, pitch + 1) == 0, "%u dimensions, pattern of %zu", s->dims, pattern_size);
}

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
    unsigned char *expected = malloc(ROOM + 1);
    for (int with = 0; with < 2; ++with) {
        gpu_fake_has_fill_2d = with;
        gpu_fake fake = gpu_fake_open();
        void *memory;
        accel_impl_memory *allocation = gpu_fake_memory(&fake, 0, 0, ROOM + 1, &memory);
        for (uint32_t flags = 0; flags < 2; ++flags) {
            accel_impl_queue *queue = gpu_fake_queue(&fake, 0, flags);
            for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); ++i)
                for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); ++k)
                    check_fill(&fake, queue, &shapes[i], sizes[k], memory, expected);
            gpu_queue_vtable.destroy(queue);
        }
        gpu_device_vtable.free(fake.devices[0], allocation);
        gpu_fake_close(&fake);
    }
    free(expected);
}
END_TEST

static const char *log_of(gpu_fake *fake, accel_impl_queue *queue, uint32_t dims, const size_t extent[],
                          const size_t pitch[], void *dst, const void *pattern, size_t pattern_size)
{
    accel_fill_params p = {
        .struct_size = sizeof(p), .dims = dims, .dst = dst, .pattern = pattern, .pattern_size = pattern_size};
    (void)fake;
    memcpy(p.extent, extent, dims * sizeof(size_t));
    memcpy(p.pitch, pitch, dims * sizeof(size_t));
    gpu_fake_forget();
    ck_assert_uint_eq(gpu_queue_vtable.fill(queue, &p), ACCEL_OK);
    ck_assert_uint_eq(gpu_queue_vtable.wait(queue), ACCEL_OK);
    return gpu_fake_log();
}

#define LOG(dims, extent, pitch, dst, pattern)                                                                         \
    log_of(&fake, queue, dims, (size_t[])extent, (size_t[])pitch, dst, pattern, sizeof(pattern))
#define LIST(...)                                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

START_TEST(m7_small_patterns_are_the_drivers_own)
{
    gpu_fake_has_fill_2d = true;
    gpu_fake fake = gpu_fake_open();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    void *memory;
    accel_impl_memory *allocation = gpu_fake_memory(&fake, 0, 0, 4096, &memory);
    unsigned char *bytes = memory;
    static const unsigned char one[1] = {9}, two[2] = {1, 2}, same[8] = {3, 3, 3, 3, 3, 3, 3, 3},
                               twice[8] = {1, 2, 3, 4, 1, 2, 3, 4};
    ck_assert_str_eq(LOG(1, LIST(1000), LIST(1), bytes, one), "fill8 1000;");
    ck_assert_str_eq(LOG(1, LIST(1000), LIST(1), bytes, two), "fill16 500;");
    ck_assert_str_eq(LOG(1, LIST(1000), LIST(1), bytes, same), "fill8 1000;");
    ck_assert_str_eq(LOG(1, LIST(1000), LIST(1), bytes, twice), "fill32 250;");
    ck_assert_str_eq(LOG(2, LIST(5, 16), LIST(20, 1), bytes, twice), "fill32 5x4;");
    ck_assert_str_eq(LOG(3, LIST(2, 5, 16), LIST(100, 20, 1), bytes, twice), "fill32 10x4;");
    ck_assert_str_eq(LOG(1, LIST(16), LIST(1), bytes + 2, twice), "copy 16;"); /* not aligned to the value */
    gpu_device_vtable.free(fake.devices[0], allocation);
    gpu_queue_vtable.destroy(queue);
    gpu_fake_close(&fake);
}
END_TEST

START_TEST(large_patterns_are_copied_on_in_steps_that_double)
{
    gpu_fake fake = gpu_fake_open();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    void *memory;
    accel_impl_memory *allocation = gpu_fake_memory(&fake, 0, 0, ROOM, &memory);
    static const unsigned char pattern[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    ck_assert_str_eq(LOG(1, LIST(300000), LIST(1), memory, pattern), "copy 65536;copy 65536;copy 131072;copy 37856;");
    gpu_device_vtable.free(fake.devices[0], allocation);
    gpu_queue_vtable.destroy(queue);
    gpu_fake_close(&fake);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_fill");
    add(suite, m7_patterns_of_every_size_in_every_shape);
    add(suite, m7_small_patterns_are_the_drivers_own);
    add(suite, large_patterns_are_copied_on_in_steps_that_double);
    return suite;
}
