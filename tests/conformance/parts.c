/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of different numbers of CPUs: reductions and scans have the bits of the whole device. */
#include "../kernels/reductions.h"
#include "../kernels/scans.h"
#include "nouns.h"
#include "suite.h"

#include <accel/pattern.h>

enum { MOST_CPUS = 1024, PARTS = 4, VALUES = 1 << 20 };

/* Numbers whose sums depend on the order. */
static accel_buffer *values_new(accel_queue *queue, uint64_t seed)
{
    const accel_buffer_desc desc = accel_buffer_1d(sizeof(double), VALUES);
    accel_buffer *buffer = buffer_new(test.device, &desc);
    double *values = malloc(VALUES * sizeof *values);
    for (size_t i = 0; i < VALUES; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(int32_t)(seed >> 32) / (double)(1 + (seed >> 20 & 1023));
    }
    ok(accel_write(queue, buffer, values));
    ok(accel_queue_wait(queue));
    free(values);
    return buffer;
}

/* ------------------------------------------------------------------------------------------- parts -- */

static accel_status part_of(const uint32_t *cpus, uint32_t count, accel_device **part, size_t capacity)
{
    accel_partition_desc desc = ACCEL_PARTITION_DESC_INIT;
    size_t made = 0;
    desc.by = ACCEL_PARTITION_CORES;
    desc.cores = cpus;
    desc.core_count = count;
    return accel_device_partition(test.device, &desc, part, capacity, &made);
}

static uint32_t units_of(accel_device *device)
{
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    ok(accel_device_info(device, &properties));
    return properties.compute_units;
}

static void release_all(accel_device *parts[PARTS])
{
    for (size_t p = 0; p < PARTS; ++p)
        accel_device_release(parts[p]);
}

/* One CPU; the rest; the first two; all. The caller releases them. */
static void need_unequal_parts(accel_device *parts[PARTS])
{
    static uint32_t cpus[MOST_CPUS];
    uint32_t count = 0;
    if ((test.properties.features & ACCEL_FEATURE_PARTITION) == 0)
        unsupported("the device has no ACCEL_FEATURE_PARTITION");
    for (uint32_t cpu = 0; cpu < MOST_CPUS; ++cpu) {
        if (part_of(&cpu, 1, NULL, 0) == ACCEL_OK)
            cpus[count++] = cpu;
    }
    if (count < 3)
        not_here("the device has too few CPUs for a part of one and one of more: %u", count);
    const uint32_t first[PARTS] = {0, 1, 0, 0}, counts[PARTS] = {1, count - 1, 2, count};
    for (size_t p = 0; p < PARTS; ++p)
        ok(part_of(cpus + first[p], counts[p], &parts[p], 1));
    ck_assert_uint_eq(units_of(parts[0]), 1);
    if (units_of(parts[1]) == 1) {
        release_all(parts);
        not_here("all parts have one thread, whatever CPUs they have"); /* OMP_NUM_THREADS */
    }
}

/* ---------------------------------------------------------------------------------------- patterns -- */

typedef struct pattern {
    const char *kernel;
    uint32_t dims; /* of a reduction; 0: a scan */
    size_t size;
    size_t extent[3];
} pattern;

static size_t results_of(const pattern *p)
{
    return p->dims == 0 ? p->extent[0] : 1;
}

/* The results of one queue. */
typedef struct work {
    accel_queue *queue;
    accel_buffer *result;
    unsigned char *bytes;
} work;

typedef struct scene {
    accel_module *module;
    accel_buffer *x, *y;
} scene;

/* Nothing is waited for. */
static void submit(const scene *s, const pattern *p, work *w)
{
    accel_kernel *kernel = NULL;
    const double *x = accel_buffer_ptr(s->x), *y = accel_buffer_ptr(s->y);
    ok_if_supported(accel_module_kernel(s->module, p->kernel, &kernel));
    if (p->dims != 0) {
        const reductions_args args = {x, y, p->extent[1], p->extent[2]};
        ok(accel_reduce(w->queue, kernel, p->dims, p->extent, &args, sizeof args, w->result));
    } else {
        const scans_args args = {.x = x, .y = y};
        ok(accel_scan(w->queue, kernel, p->extent[0], &args, sizeof args, w->result, ACCEL_SCAN_INCLUSIVE));
    }
    ok(accel_read(w->queue, w->bytes, w->result));
}

static work work_begin(accel_device *device, uint32_t flags, const pattern *p)
{
    const accel_buffer_desc desc = accel_buffer_1d(p->size, results_of(p));
    return (work){queue_new(device, flags), buffer_new(test.device, &desc), malloc(results_of(p) * p->size)};
}

static void work_end(work *w)
{
    accel_queue_release(w->queue);
    accel_buffer_release(w->result);
    free(w->bytes);
}

/* All parts at once, on queues of their own, then the whole. */
static void check(const scene *s, const pattern *p, accel_device *parts[PARTS], uint32_t flags)
{
    work whole = work_begin(test.device, 0, p), each[PARTS];
    for (size_t i = 0; i < PARTS; ++i) {
        each[i] = work_begin(parts[i], flags, p);
        submit(s, p, &each[i]);
    }
    for (size_t i = 0; i < PARTS; ++i)
        ok(accel_queue_wait(each[i].queue));
    submit(s, p, &whole);
    ok(accel_queue_wait(whole.queue));
    for (size_t i = 0; i < PARTS; ++i) {
        ck_assert_msg(memcmp(each[i].bytes, whole.bytes, results_of(p) * p->size) == 0, "%s: part %zu has other bits",
                      p->kernel, i);
        work_end(&each[i]);
    }
    work_end(&whole);
}

static void check_all(const pattern *patterns, size_t count)
{
    accel_device *parts[PARTS];
    need_unequal_parts(parts);
    accel_queue *queue = queue_new(test.device, 0);
    scene s = {NULL, values_new(queue, 1), values_new(queue, 2)};
    ok(accel_module_load(test.device, "kernels", &s.module));
    for (size_t i = 0; i < count; ++i) {
        check(&s, &patterns[i], parts, 0);
        check(&s, &patterns[i], parts, ACCEL_QUEUE_BLOCKING);
    }
    release_all(parts);
    accel_module_release(s.module);
    accel_buffer_release(s.x);
    accel_buffer_release(s.y);
    accel_queue_release(queue);
}

START_TEST(p1_unequal_parts_of_a_device_reduce_like_the_whole)
{
    static const pattern patterns[] = {
        {"reduce_dot", 1, sizeof(double), {1000003}},       {"reduce_dot", 1, sizeof(double), {90001}},
        {"reduce_affine", 1, sizeof(affine), {300007}},     {"reduce_many", 1, sizeof(many_sums), {300007}},
        {"reduce_2d", 2, sizeof(double), {1021, 1013}},     {"reduce_2d", 2, sizeof(double), {300007, 3}},
        {"reduce_3d_prod", 3, sizeof(double), {7, 3, 4001}}};
    check_all(patterns, sizeof patterns / sizeof patterns[0]);
}
END_TEST

START_TEST(p7_unequal_parts_of_a_device_scan_like_the_whole)
{
    static const pattern patterns[] = {{"scan_dot", 0, sizeof(double), {1000003}},
                                       {"scan_dot", 0, sizeof(double), {20011}},
                                       {"scan_affine", 0, sizeof(scans_affine), {600012}},
                                       {"scan_by_key", 0, sizeof(float), {600012}},
                                       {"scan_affine_by_key", 0, sizeof(scans_affine), {300007}}};
    check_all(patterns, sizeof patterns / sizeof patterns[0]);
}
END_TEST

Suite *parts_suite(void)
{
    Suite *suite = suite_create("parts");
    add(suite, p1_unequal_parts_of_a_device_reduce_like_the_whole);
    add(suite, p7_unequal_parts_of_a_device_scan_like_the_whole);
    return suite;
}
