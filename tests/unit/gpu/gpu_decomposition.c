/* SPDX-License-Identifier: Apache-2.0 */
/* How copies of the GPU engine are taken apart. */
#include "plugins/gpu/transfer/decomposition.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

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

Suite *noun_suite(void)
{
    Suite *suite = suite_create("gpu_decomposition");
    add(suite, every_shape_is_copied_whole_and_nothing_else);
    add(suite, up_to_three_dimensions_are_one_call);
    add(suite, the_span_ends_behind_the_last_byte);
    return suite;
}
