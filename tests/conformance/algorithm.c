/* SPDX-License-Identifier: Apache-2.0 */
/* What all algorithms have in common: their order in the queue, and what happens without memory. Sorts and selections have this
 * in files of their own. */
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>

enum { SIDE = 2, WORDS = SIDE * SIDE, LARGE = 20000, UNTOUCHED = 9 };

/* Buffers of as many words; `from` and `to` are matrices, too. */
typedef struct scene {
    accel_queue *queue;
    accel_buffer *from, *flags, *to, *lengths, *count, *matrix, *other_matrix;
} scene;

static accel_status scan_values(scene *s)
{
    return accel_scan_values(s->queue, s->from, ACCEL_TYPE_UINT32, ACCEL_OPERATION_SUM, s->to, ACCEL_SCAN_INCLUSIVE);
}

static accel_status reduce_values(scene *s)
{
    return accel_reduce_values(s->queue, s->from, ACCEL_TYPE_UINT32, ACCEL_OPERATION_SUM, s->count);
}

static accel_status partition(scene *s)
{
    return accel_partition(s->queue, s->from, s->flags, s->to, s->count);
}

static accel_status unique(scene *s)
{
    return accel_unique(s->queue, s->from, s->to, s->count);
}

static accel_status run_lengths(scene *s)
{
    return accel_run_lengths(s->queue, s->from, s->to, s->lengths, s->count);
}

static accel_status histogram(scene *s)
{
    accel_histogram_desc desc = ACCEL_HISTOGRAM_DESC_INIT;
    desc.type = ACCEL_TYPE_UINT32;
    desc.high = 12;
    return accel_histogram(s->queue, &desc, s->from, s->to);
}

static accel_status transpose(scene *s)
{
    return accel_transpose(s->queue, s->matrix, s->other_matrix);
}

static accel_status square(scene *s)
{
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    desc.type = ACCEL_TYPE_FLOAT;
    return accel_gemm(s->queue, &desc, 1, s->matrix, s->matrix, 0, s->other_matrix);
}

/* What the algorithm makes of `values`. */
static const struct {
    const char *name;
    accel_status (*call)(scene *);
    bool floats;
    uint32_t to[WORDS], lengths[WORDS], count;
} algorithms[] = {
    {"accel_scan_values", scan_values, false, {5, 10, 19, 21}, {9, 9, 9, 9}, 9},
    {"accel_reduce_values", reduce_values, false, {9, 9, 9, 9}, {9, 9, 9, 9}, 21},
    {"accel_partition", partition, false, {5, 9, 5, 2}, {9, 9, 9, 9}, 2},
    {"accel_unique", unique, false, {5, 9, 2, 9}, {9, 9, 9, 9}, 3},
    {"accel_run_lengths", run_lengths, false, {5, 9, 2, 9}, {2, 1, 1, 9}, 3},
    {"accel_histogram", histogram, false, {1, 2, 0, 1}, {9, 9, 9, 9}, 9},
    {"accel_transpose", transpose, false, {5, 9, 5, 2}, {9, 9, 9, 9}, 9},
    {"accel_gemm", square, true, {70, 35, 63, 49}, {9, 9, 9, 9}, 9},
};
static const uint32_t values[WORDS] = {5, 5, 9, 2}, flags[WORDS] = {0, 1, 1, 0};

static accel_buffer *matrix_of(accel_buffer *words, accel_device *device)
{
    const accel_buffer_desc desc = accel_buffer_2d(sizeof(uint32_t), SIDE, SIDE);
    accel_buffer *matrix = NULL;
    ok(accel_buffer_wrap(device, accel_buffer_ptr(words), &desc, &matrix));
    return matrix;
}

static scene scene_of(accel_device *device, size_t n)
{
    scene s = {.queue = queue_new(device, 0),
               .from = words_new(device, n, 5),
               .flags = words_new(device, n, 1),
               .to = words_new(device, n, UNTOUCHED),
               .lengths = words_new(device, n, UNTOUCHED),
               .count = words_new(device, 1, UNTOUCHED)};
    s.matrix = matrix_of(s.from, device);
    s.other_matrix = matrix_of(s.to, device);
    return s;
}

static void scene_free(scene *s)
{
    accel_buffer *const all[] = {s->matrix, s->other_matrix, s->from, s->flags, s->to, s->lengths, s->count};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        accel_buffer_release(all[i]);
    accel_queue_release(s->queue);
}

/* As the bits of floats, or as they are. */
static void put(bool floats, const uint32_t words[WORDS], uint32_t bits[WORDS])
{
    for (size_t i = 0; i < WORDS; ++i) {
        const float number = (float)words[i];
        memcpy(&bits[i], floats ? (const void *)&number : &words[i], sizeof bits[i]);
    }
}

/* The values come behind the gate, and go when the call is made. */
START_TEST(a2_algorithms_run_in_the_queues_order_and_nothing_waits)
{
    const uint32_t untouched = UNTOUCHED, rubbish = 77;
    for (size_t a = 0; a < sizeof algorithms / sizeof algorithms[0]; ++a) {
        scene s = scene_of(test.device, WORDS);
        uint32_t from[WORDS], to[WORDS], lengths[WORDS], count = 0, expected[WORDS];
        bool idle = true;
        gate door;
        put(algorithms[a].floats, values, from);
        ok_if_supported(algorithms[a].call(&s)); /* the queue has its memory now */
        ok(accel_fill(s.queue, s.to, &untouched, sizeof untouched, NULL));
        ok(accel_fill(s.queue, s.lengths, &untouched, sizeof untouched, NULL));
        ok(accel_fill(s.queue, s.count, &untouched, sizeof untouched, NULL));
        ok(accel_queue_wait(s.queue));
        gate_init(&door);
        gate_in(&door, s.queue);
        ok(accel_write(s.queue, s.from, from));
        ok(accel_write(s.queue, s.flags, flags));
        ok(algorithms[a].call(&s));
        ok(accel_fill(s.queue, s.from, &rubbish, sizeof rubbish, NULL));
        ok(accel_read(s.queue, to, s.to));
        ok(accel_read(s.queue, lengths, s.lengths));
        ok(accel_read(s.queue, &count, s.count));
        gate_entered(&door);
        ok(accel_queue_is_idle(s.queue, &idle));
        ck_assert_msg(!idle, "%s waited", algorithms[a].name);
        gate_open(&door);
        ok(accel_queue_wait(s.queue));
        put(algorithms[a].floats, algorithms[a].to, expected);
        ck_assert_msg(memcmp(to, expected, sizeof to) == 0, "%s: %u %u %u %u", algorithms[a].name, to[0], to[1], to[2],
                      to[3]);
        ck_assert_msg(memcmp(lengths, algorithms[a].lengths, sizeof lengths) == 0, "%s: lengths", algorithms[a].name);
        ck_assert_msg(count == algorithms[a].count, "%s: count %u", algorithms[a].name, count);
        gate_destroy(&door);
        scene_free(&s);
    }
}
END_TEST

/* Of fives, with all flags set. */
START_TEST(a2_algorithms_without_memory_do_nothing_and_may_be_tried_again)
{
    static const struct {
        const char *name;
        accel_status (*call)(scene *);
        uint32_t last, count; /* the last word of `to`, and the count */
    } calls[] = {{"accel_scan_values: ", scan_values, 5 * LARGE, UNTOUCHED},
                 {"accel_reduce_values: ", reduce_values, UNTOUCHED, 5 * LARGE},
                 {"accel_partition: ", partition, 5, LARGE},
                 {"accel_unique: ", unique, UNTOUCHED, 1},
                 {"accel_run_lengths: ", run_lengths, UNTOUCHED, 1}};
    accel_device *device = need_partner();
    faulty_device_control *control = device_control(device);
    uint32_t *to = malloc(LARGE * sizeof *to);
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; ++c) {
        scene s = scene_of(device, LARGE);
        ok(accel_queue_wait(s.queue));
        control->fail_allocation(control, 0);
        refused(ACCEL_OUT_OF_MEMORY, calls[c].call(&s), calls[c].name, "bytes");
        words_are(s.queue, s.from, 5);
        words_are(s.queue, s.to, UNTOUCHED);
        words_are(s.queue, s.lengths, UNTOUCHED);
        words_are(s.queue, s.count, UNTOUCHED);
        ok(calls[c].call(&s));
        ok(accel_read(s.queue, to, s.to));
        ok(accel_queue_wait(s.queue));
        ck_assert_uint_eq(to[LARGE - 1], calls[c].last);
        words_are(s.queue, s.count, calls[c].count);
        scene_free(&s);
    }
    free(to);
}
END_TEST

Suite *algorithm_suite(void)
{
    Suite *suite = suite_create("algorithm");
    add(suite, a2_algorithms_run_in_the_queues_order_and_nothing_waits);
    add(suite, a2_algorithms_without_memory_do_nothing_and_may_be_tried_again);
    return suite;
}
