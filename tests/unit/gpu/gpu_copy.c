/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the GPU engine: how they are taken apart, and that they never wait. */
#include "gpu_fake.h"
#include "plugins/gpu/queue/decomposition.h"

#include <stdlib.h>
#include <string.h>

static gpu_fake fake;

static void open_fake(void)
{
    gpu_fake_forget();
    fake = gpu_fake_open();
}

/* ---------------------------------------------------------------------------------------- shapes -- */

static unsigned random_state = 4711;
static unsigned random_below(unsigned n)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 8) % n;
}

typedef struct counting {
    unsigned char *dst_base;
    const unsigned char *src_base;
    unsigned parts;
    size_t most;
} counting;

static gpu_result do_part(void *user, const gpu_copy_3d *part)
{
    counting *c = user;

    ++c->parts;
    ck_assert(part->dst_rows >= part->height && part->src_rows >= part->height);
    ck_assert(c->most == 0 || part->width * part->height * part->depth <= c->most);
    for (size_t z = 0; z < part->depth; ++z)
        for (size_t y = 0; y < part->height; ++y)
            memcpy((unsigned char *)part->dst + (z * part->dst_rows + y) * part->dst_pitch,
                   (const unsigned char *)part->src + (z * part->src_rows + y) * part->src_pitch, part->width);
    return 0;
}

static gpu_result cut_part(void *user, const gpu_copy_3d *part)
{
    return gpu_decompose_chunks(part, ((counting *)user)->most, do_part, user);
}

/* The plain way. */
static void copy_plainly(const accel_copy_params *p, uint32_t d, unsigned char *dst, const unsigned char *src)
{
    for (size_t i = 0; i < p->extent[d]; ++i) {
        if (d + 1 == p->dims || d == ACCEL_MAX_DIMS - 1) /* the latter for compilers: it bounds the recursion */
            dst[i] = src[i];
        else
            copy_plainly(p, d + 1, dst + i * p->dst_pitch[d], src + i * p->src_pitch[d]);
    }
}

/* Random extents, and pitches with gaps of any size. */
static accel_copy_params random_copy(uint32_t dims, size_t *dst_bytes, size_t *src_bytes)
{
    accel_copy_params p = {.struct_size = sizeof(p), .dims = dims};
    size_t dst = 1, src = 1;

    for (uint32_t d = dims; d-- > 0;) {
        p.extent[d] = 1 + random_below(5);
        p.dst_pitch[d] = dst;
        p.src_pitch[d] = src;
        dst = dst * p.extent[d] + random_below(3) * (random_below(2) ? dst : 1);
        src = src * p.extent[d] + random_below(3);
    }
    *dst_bytes = dst;
    *src_bytes = src;
    return p;
}

START_TEST(every_shape_is_copied_whole_and_nothing_else)
{
    for (int round = 0; round < 3000; ++round) {
        size_t dst_bytes, src_bytes;
        accel_copy_params p = random_copy(1 + random_below(6), &dst_bytes, &src_bytes);
        unsigned char *src = malloc(src_bytes), *dst = calloc(1, dst_bytes), *expected = calloc(1, dst_bytes);
        for (size_t i = 0; i < src_bytes; ++i)
            src[i] = (unsigned char)(1 + random_below(255));
        p.src = src;
        p.dst = dst;
        copy_plainly(&p, 0, expected, src);
        counting c = {.dst_base = dst, .src_base = src, .most = round % 2 == 0 ? 0 : 1 + random_below(20)};
        size_t max_pitch = round % 3 == 0 ? 1 + random_below(30) : 1000000;
        ck_assert_int_eq(gpu_decompose_copy(&p, max_pitch, c.most == 0 ? do_part : cut_part, &c), 0);
        ck_assert_int_eq(memcmp(dst, expected, dst_bytes), 0);
        free(src);
        free(dst);
        free(expected);
    }
}
END_TEST

START_TEST(up_to_three_dimensions_are_one_call)
{
    static unsigned char from[1000], to[1000];
    accel_copy_params p = {.struct_size = sizeof(p), .dims = 3, .extent = {4, 3, 5}, .dst = to, .src = from};
    counting c = {0};
    memcpy(p.dst_pitch, (size_t[]){40, 8, 1}, 3 * sizeof(size_t));
    memcpy(p.src_pitch, (size_t[]){30, 6, 1}, 3 * sizeof(size_t));
    gpu_decompose_copy(&p, 1000, do_part, &c);
    ck_assert_uint_eq(c.parts, 1);
    p.dst_pitch[0] = 41; /* planes that are no whole number of rows apart */
    c.parts = 0;
    gpu_decompose_copy(&p, 1000, do_part, &c);
    ck_assert_uint_eq(c.parts, 4);
    c.parts = 0;
    gpu_decompose_copy(&p, 7, do_part, &c); /* rows further apart than the driver can */
    ck_assert_uint_eq(c.parts, 12);
}
END_TEST

START_TEST(the_span_ends_behind_the_last_byte)
{
    ck_assert_uint_eq(gpu_copy_span(3, (size_t[]){2, 3, 5}, (size_t[]){100, 10, 1}), 125);
}
END_TEST

/* ---------------------------------------------------------------------------------------- queues -- */

static accel_copy_params line(void *dst, accel_impl_device *to, const void *src, accel_impl_device *from, size_t size)
{
    return (accel_copy_params){.struct_size = sizeof(accel_copy_params),
                               .dims = 1,
                               .extent = {size},
                               .dst = dst,
                               .src = src,
                               .dst_pitch = {1},
                               .src_pitch = {1},
                               .dst_device = to,
                               .src_device = from};
}

START_TEST(pageable_memory_is_copied_in_steps_and_the_caller_does_not_wait)
{
    enum { SIZE = 3 * GPU_STAGE_BYTES + 12345 };
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    void *device;
    accel_impl_memory *memory = gpu_fake_memory(&fake, 0, 0, SIZE, &device);
    unsigned char *given = malloc(SIZE), *got = calloc(1, SIZE);
    gpu_gate gate;
    for (size_t i = 0; i < SIZE; ++i)
        given[i] = (unsigned char)(i * 2654435761u >> 11);
    gpu_gate_in(&gate, queue);
    accel_copy_params in = line(device, fake.devices[0], given, NULL, SIZE);
    accel_copy_params out = line(got, NULL, device, fake.devices[0], SIZE);
    ck_assert_uint_eq(gpu_queue_vtable.copy(queue, &in), ACCEL_OK); /* although the queue stands at the gate */
    ck_assert_uint_eq(gpu_queue_vtable.copy(queue, &out), ACCEL_OK);
    given[SIZE - 1] ^= 1; /* read when its turn comes */
    gate.open = true;
    ck_assert_uint_eq(gpu_queue_vtable.wait(queue), ACCEL_OK);
    ck_assert_int_eq(memcmp(given, got, SIZE), 0);
    ck_assert_ptr_nonnull(strstr(gpu_fake_log(), "copy 262144;copy 262144;copy 262144;copy 12345;"));
    free(given);
    free(got);
    gpu_device_vtable.free(fake.devices[0], memory);
    gpu_queue_vtable.destroy(queue);
    gpu_fake_close(&fake);
}
END_TEST

START_TEST(pinned_memory_goes_to_the_driver_at_once)
{
    open_fake();
    accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
    void *device, *host;
    accel_impl_memory *memory = gpu_fake_memory(&fake, 0, 0, 600000, &device);
    accel_impl_memory *pinned = gpu_fake_memory(&fake, 0, ACCEL_BUFFER_PINNED, 600000, &host);
    gpu_fake_forget();
    accel_copy_params in = line(device, fake.devices[0], host, NULL, 600000);
    ck_assert_uint_eq(gpu_queue_vtable.copy(queue, &in), ACCEL_OK);
    ck_assert_str_eq(gpu_fake_log(), "copy 600000;");
    ck_assert_uint_eq(gpu_queue_vtable.wait(queue), ACCEL_OK);
    gpu_device_vtable.free(fake.devices[0], memory);
    gpu_device_vtable.free(fake.devices[0], pinned);
    gpu_queue_vtable.destroy(queue);
    gpu_fake_close(&fake);
}
END_TEST

START_TEST(between_devices_access_is_switched_on_once_and_missing_access_is_staged)
{
    for (int direct = 0; direct < 2; ++direct) {
        gpu_fake_peers = direct;
        open_fake();
        accel_impl_queue *queue = gpu_fake_queue(&fake, 0, 0);
        void *here, *there;
        accel_impl_memory *a = gpu_fake_memory(&fake, 0, 0, 4096, &here),
                          *b = gpu_fake_memory(&fake, 1, 0, 4096, &there);
        bool yes = !direct;
        accel_copy_params p = line(here, fake.devices[0], there, fake.devices[1], 100);
        p.dims = 2;
        memcpy(p.extent, (size_t[]){3, 50}, 2 * sizeof(size_t));
        memcpy(p.dst_pitch, (size_t[]){64, 1}, 2 * sizeof(size_t));
        memcpy(p.src_pitch, (size_t[]){80, 1}, 2 * sizeof(size_t));
        memset(there, 7, 4096);
        memset(here, 0, 4096);
        ck_assert_uint_eq(gpu_queue_vtable.copy(queue, &p), ACCEL_OK);
        ck_assert_uint_eq(gpu_queue_vtable.copy(queue, &p), ACCEL_OK);
        ck_assert_uint_eq(gpu_queue_vtable.wait(queue), ACCEL_OK);
        ck_assert_int_eq(((unsigned char *)here)[2 * 64 + 49], 7);
        ck_assert_int_eq(((unsigned char *)here)[50], 0);
        ck_assert_str_eq(gpu_fake_log(), direct ? "connect;connect;copy_3d 1x3x50;copy_3d 1x3x50;"
                                                : "peer 50;peer 50;peer 50;peer 50;peer 50;peer 50;");
        ck_assert_uint_eq(gpu_device_vtable.can_access(fake.devices[0], fake.devices[1], &yes), ACCEL_OK);
        ck_assert_int_eq(yes, direct);
        gpu_device_vtable.free(fake.devices[0], a);
        gpu_device_vtable.free(fake.devices[1], b);
        gpu_queue_vtable.destroy(queue);
        gpu_fake_close(&fake);
    }
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_copy");
    add(suite, every_shape_is_copied_whole_and_nothing_else);
    add(suite, up_to_three_dimensions_are_one_call);
    add(suite, the_span_ends_behind_the_last_byte);
    add(suite, pageable_memory_is_copied_in_steps_and_the_caller_does_not_wait);
    add(suite, pinned_memory_goes_to_the_driver_at_once);
    add(suite, between_devices_access_is_switched_on_once_and_missing_access_is_staged);
    return suite;
}
