/* SPDX-License-Identifier: Apache-2.0 */
/* accel_select, accel_partition, accel_unique and accel_run_lengths: elements and flags of all sizes, and what is refused. */
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <math.h>

enum { MOST = 140001, LARGEST = 24, RUBBISH = 0xa5 };

/* What a call is asked for. */
enum asked { SELECT, PARTITION, UNIQUE, RUNS };

typedef struct choice {
    enum asked asked;
    size_t n, size, other_size, count_size; /* of an element; of a flag, or a length; of the count */
    unsigned every;                         /* one in so many is chosen, or runs are about so long; 0: none */
    size_t room;                            /* of the results */
    bool count_on_host;
} choice;

static uint64_t random_at(size_t i)
{
    uint64_t r = (i + 1) * 0x9e3779b97f4a7c15u;
    r = (r ^ r >> 29) * 0xbf58476d1ce4e5b9u;
    return r ^ r >> 32;
}

static bool is_marked(const choice *c, size_t i)
{
    return c->every != 0 && random_at(i) % c->every == 0;
}

/* Elements that differ from the one before in one byte, which is another one each time, where the index is marked. */
static void make_elements(const choice *c, unsigned char *x)
{
    size_t runs = 0;
    for (size_t i = 0; i < c->n; ++i) {
        if (c->asked == SELECT || c->asked == PARTITION) {
            for (size_t b = 0; b < c->size; ++b)
                x[i * c->size + b] = (unsigned char)(i >> 8 * (b % 3) ^ b);
        } else if (i == 0) {
            memset(x, 7, c->size);
        } else {
            memcpy(x + i * c->size, x + (i - 1) * c->size, c->size);
            if (is_marked(c, i))
                ++x[i * c->size + runs++ % c->size];
        }
    }
}

static bool is_chosen(const choice *c, const unsigned char *x, size_t i)
{
    if (c->asked == SELECT || c->asked == PARTITION)
        return is_marked(c, i);
    return i == 0 || memcmp(x + i * c->size, x + (i - 1) * c->size, c->size) != 0;
}

/* What other than 0 stands in a flag is in one of its bytes. */
static void make_flags(const choice *c, unsigned char *flags)
{
    memset(flags, 0, c->n * c->other_size);
    for (size_t i = 0; i < c->n; ++i)
        if (is_marked(c, i))
            flags[i * c->other_size + i % c->other_size] = (unsigned char)(i % 3 == 0 ? 0x80 : 1);
}

/* The results as they should be, over rubbish; returns the count. */
static size_t model(const choice *c, const unsigned char *x, unsigned char *to, unsigned char *lengths)
{
    size_t count = 0, rest = 0, start = 0;
    for (size_t i = 0; i < c->n; ++i)
        rest += is_chosen(c, x, i);
    for (size_t i = 0; i <= c->n; ++i) {
        const bool is = i < c->n && is_chosen(c, x, i);
        if ((is || i == c->n) && c->asked == RUNS && count != 0 && count <= c->room) {
            const uint64_t wide = i - start;
            const uint32_t narrow = (uint32_t)wide;
            memcpy(lengths + (count - 1) * c->other_size, c->other_size == 8 ? (const void *)&wide : &narrow,
                   c->other_size);
        }
        if (is && count < c->room)
            memcpy(to + count * c->size, x + i * c->size, c->size);
        if (!is && i < c->n && c->asked == PARTITION)
            memcpy(to + rest++ * c->size, x + i * c->size, c->size);
        count += is;
        start = is ? i : start;
    }
    return count;
}

static accel_status call(const choice *c, accel_queue *queue, accel_buffer *from, accel_buffer *other, accel_buffer *to,
                         accel_buffer *count)
{
    switch (c->asked) {
    case SELECT:
        return accel_select(queue, from, other, to, count);
    case PARTITION:
        return accel_partition(queue, from, other, to, count);
    case UNIQUE:
        return accel_unique(queue, from, to, count);
    default:
        return accel_run_lengths(queue, from, to, other, count);
    }
}

static accel_buffer *row_of(accel_device *device, size_t size, size_t count)
{
    const accel_buffer_desc desc = accel_buffer_1d(size, count);
    return buffer_new(device, &desc);
}

static void check(accel_queue *queue, const choice *c)
{
    const size_t others = c->asked == RUNS ? c->room : c->n, to_bytes = c->room * c->size,
                 other_bytes = others * c->other_size;
    accel_buffer *from = row_of(test.device, c->size, c->n), *to = row_of(test.device, c->size, c->room),
                 *other = row_of(test.device, c->other_size, others),
                 *count = row_of(c->count_on_host ? test.host : test.device, c->count_size, 1);
    unsigned char *x = malloc(c->n * c->size + 1), *o = malloc(other_bytes + 1), *expected = malloc(to_bytes + 1),
                  *found = malloc(to_bytes + 1), *found_o = malloc(other_bytes + 1);
    uint64_t wide = 0;
    uint32_t narrow = 0;
    void *counted = c->count_size == 8 ? (void *)&wide : &narrow;
    make_elements(c, x);
    memset(o, RUBBISH, other_bytes);
    if (c->asked != RUNS)
        make_flags(c, o);
    memset(expected, RUBBISH, to_bytes);
    ok(accel_write(queue, from, x));
    ok(accel_write(queue, other, o));
    ok(accel_write(queue, to, expected));
    ok(accel_queue_wait(queue)); /* the model changes what is written */
    ok_if_supported(call(c, queue, from, other, to, count));
    ok(accel_read(queue, found, to));
    ok(accel_read(queue, found_o, other));
    if (!c->count_on_host)
        ok(accel_read(queue, counted, count));
    ok(accel_queue_wait(queue));
    if (c->count_on_host)
        memcpy(counted, buffer_info(count).host_ptr, c->count_size);
    const size_t all = model(c, x, expected, o);
    ck_assert_uint_eq(c->count_size == 8 ? wide : narrow, all);
    ck_assert_msg(memcmp(found, expected, to_bytes) == 0, "call %d: %zu elements of %zu bytes, one in %u",
                  (int)c->asked, c->n, c->size, c->every);
    ck_assert_msg(memcmp(found_o, o, other_bytes) == 0, "call %d: %zu elements, lengths of %zu bytes", (int)c->asked,
                  c->n, c->other_size);
    free(x), free(o), free(expected), free(found), free(found_o);
    accel_buffer_release(from);
    accel_buffer_release(to);
    accel_buffer_release(other);
    accel_buffer_release(count);
}

/* Sizes around a chunk, a tile and a share. GPUs are interpreted in tests. */
static void check_sizes(enum asked asked)
{
    static const size_t sizes[] = {0, 1, 2, 255, 257, 2048, 2049, 5000, MOST};
    static const unsigned every[] = {0, 1, 2, 1000};
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        for (size_t k = 0; k < sizeof every / sizeof every[0]; ++k) {
            const choice c = {asked, sizes[i], 4, asked == RUNS ? 4 : 1, 4, every[k], sizes[i], k == 0};
            if (test.properties.kind != ACCEL_DEVICE_GPU || sizes[i] < (k == 2 ? 5001 : 300))
                check(queue, &c);
        }
    }
    accel_queue_release(queue);
}

static void check_elements(enum asked asked)
{
    static const size_t elements[] = {1, 2, 3, 4, 8, 12, 16, LARGEST}, flags[] = {1, 2, 4, 8};
    const size_t step = test.properties.kind == ACCEL_DEVICE_GPU && asked != SELECT ? 3 : 1;
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    const size_t n = test.properties.kind == ACCEL_DEVICE_GPU ? 200 : 5000;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i += step) {
        const size_t other_size = asked == RUNS ? 4 + 4 * (i % 2) : flags[i % 4];
        const choice c = {asked, n, elements[i], other_size, 4 + 4 * (i / 2 % 2), 3, n, false};
        check(queue, &c);
    }
    accel_queue_release(queue);
}

/* As many as fit are written. */
static void check_room(enum asked asked)
{
    static const size_t rooms[] = {0, 1, 100, 2500};
    const size_t step = test.properties.kind == ACCEL_DEVICE_GPU ? 2 : 1;
    accel_queue *queue = queue_new(test.device, 0);
    const size_t n = test.properties.kind == ACCEL_DEVICE_GPU ? 400 : MOST;
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i += step) {
        const choice c = {asked, n, i % 2 == 0 ? 4 : 12, 8, 8, 3, rooms[i], i == 1};
        check(queue, &c);
    }
    accel_queue_release(queue);
}

START_TEST(a7_a_selection_has_the_chosen_elements_in_their_order)
{
    check_sizes(SELECT);
    check_elements(SELECT);
    check_room(SELECT);
}
END_TEST

START_TEST(a8_a_partition_has_the_others_in_their_order_behind_the_chosen)
{
    check_sizes(PARTITION);
    check_elements(PARTITION);
}
END_TEST

START_TEST(a9_of_each_run_of_equal_elements_the_first_is_unique)
{
    check_sizes(UNIQUE);
    check_elements(UNIQUE);
    check_room(UNIQUE);
}
END_TEST

START_TEST(a10_runs_have_elements_and_lengths)
{
    check_sizes(RUNS);
    check_elements(RUNS);
    check_room(RUNS);
}
END_TEST

START_TEST(a9_elements_are_equal_if_their_bytes_are)
{
    const double x[5] = {0.0, -0.0, (double)NAN, (double)NAN, 1};
    double found[5] = {0};
    uint32_t count = 0;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *from = row_of(test.device, 8, 5), *to = row_of(test.device, 8, 5), *n = row_of(test.device, 4, 1);
    ok(accel_write(queue, from, x));
    ok(accel_write(queue, to, found));
    ok_if_supported(accel_unique(queue, from, to, n));
    ok(accel_read(queue, found, to));
    ok(accel_read(queue, &count, n));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(count, 4);
    ck_assert(memcmp(found, x, 3 * sizeof x[0]) == 0 && memcmp(&found[3], &x[4], sizeof x[0]) == 0);
    accel_buffer_release(from);
    accel_buffer_release(to);
    accel_buffer_release(n);
    accel_queue_release(queue);
}
END_TEST

START_TEST(m3_five_rows_of_no_elements_are_none)
{
    const accel_buffer_desc rows = accel_buffer_2d(4, 5, 0);
    uint32_t count = 1;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *none, *to = row_of(test.device, 4, 1), *n = row_of(test.device, 4, 1);
    ok(accel_buffer_create(test.device, &rows, &none));
    ok(accel_write(queue, n, &count));
    ok_if_supported(accel_unique(queue, none, to, n));
    ok(accel_read(queue, &count, n));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(count, 0);
    accel_buffer_release(none);
    accel_buffer_release(to);
    accel_buffer_release(n);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a7_what_cannot_be_selected_is_refused)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *from = words_new(test.device, 10, 7), *flags = words_new(test.device, 10, 1),
                 *to = words_new(test.device, 10, 9), *count = words_new(test.device, 1, 9);
    accel_buffer *few = words_new(test.device, 9, 9), *odd = row_of(test.device, 3, 10),
                 *wide = row_of(test.device, 8, 10), *none = row_of(test.device, 4, 0);
    refused(ACCEL_INVALID, accel_select(queue, from, few, to, count), "flags has 9 elements", "10");
    refused(ACCEL_INVALID, accel_select(queue, from, odd, to, count), "flags", "3 bytes", "1, 2, 4 or 8");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, wide, count), "to", "8 bytes", "4");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, from, count), "from and to");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, flags, count), "flags and to");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, to, to), "to and count");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, to, flags), "flags and count");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, to, from), "from and count");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, to, odd), "count have 3 bytes", "4 or 8 bytes");
    refused(ACCEL_INVALID, accel_select(queue, from, flags, to, none), "count has no elements");
    accel_instance *instance;
    accel_buffer *foreign = words_new(of_another_instance(&instance), 1, 0);
    refused(ACCEL_INVALID, accel_select(queue, from, flags, to, foreign), "count, a buffer of 1",
            "of another instance");
    accel_buffer_release(foreign);
    accel_instance_release(instance);
    refused(ACCEL_INVALID, accel_partition(queue, from, flags, few, count), "to has 9 elements", "10");
    refused(ACCEL_INVALID, accel_unique(queue, from, wide, count), "to", "8 bytes");
    refused(ACCEL_INVALID, accel_run_lengths(queue, from, wide, flags, count), "elements", "8 bytes");
    refused(ACCEL_INVALID, accel_run_lengths(queue, from, to, odd, count), "lengths have 3 bytes", "4 or 8 bytes");
    refused(ACCEL_INVALID, accel_run_lengths(queue, from, to, to, count), "elements and lengths");
    refused(ACCEL_INVALID, accel_run_lengths(queue, from, to, from, count), "from and lengths");
    refused(ACCEL_INVALID, accel_run_lengths(queue, from, to, flags, flags), "lengths and count");
    words_are(queue, to, 9);
    words_are(queue, count, 9);
    accel_buffer *const all[] = {from, flags, to, count, few, odd, wide, none};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        accel_buffer_release(all[i]);
    accel_queue_release(queue);
}
END_TEST

/* The memory is not touched. */
START_TEST(a7_a_count_of_32_bits_is_refused_where_it_could_overflow)
{
    const size_t many = (size_t)UINT32_MAX + 1;
    const accel_buffer_desc bytes = accel_buffer_1d(1, many);
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *from = NULL, *to = words_new(test.device, 1, 9), *count = words_new(test.device, 1, 9),
                 *lengths = words_new(test.device, 1, 9);
    accel_buffer *byte = row_of(test.device, 1, 1), *wide = row_of(test.device, 8, 1);
    if (test.properties.kind != ACCEL_DEVICE_CPU ||
        accel_buffer_wrap(test.host, (void *)(uintptr_t)4096, &bytes, &from) != ACCEL_OK)
        not_here("it is about wrapped memory of hosts");
    refused(ACCEL_INVALID, accel_unique(queue, from, byte, count), "4294967296", "8 bytes");
    refused(ACCEL_INVALID, accel_run_lengths(queue, from, byte, lengths, wide), "4294967296", "lengths", "8 bytes");
    words_are(queue, count, 9);
    accel_buffer *const all[] = {from, to, count, lengths, byte, wide};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        accel_buffer_release(all[i]);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a2_selections_run_in_the_queues_order_and_nothing_waits)
{
    const uint32_t x[3] = {9, 3, 6}, flags[3] = {0, 1, 1};
    uint32_t found[3] = {0}, n = 0;
    bool idle = true;
    gate door;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *from = words_new(test.device, 3, 1), *flag = words_new(test.device, 3, 1),
                 *to = words_new(test.device, 3, 0), *count = words_new(test.device, 1, 0);
    ok_if_supported(accel_select(queue, from, flag, to, count)); /* the queue has its memory now */
    ok(accel_queue_wait(queue));
    gate_init(&door);
    gate_in(&door, queue);
    ok(accel_write(queue, from, x));
    ok(accel_write(queue, flag, flags));
    ok(accel_select(queue, from, flag, to, count));
    ok(accel_read(queue, found, to));
    ok(accel_read(queue, &n, count));
    gate_entered(&door);
    ok(accel_queue_is_idle(queue, &idle));
    ck_assert(!idle);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(n, 2);
    ck_assert(found[0] == 3 && found[1] == 6);
    gate_destroy(&door);
    accel_buffer *const all[] = {from, flag, to, count};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        accel_buffer_release(all[i]);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a2_a_selection_without_memory_does_nothing_and_may_be_tried_again)
{
    accel_device *device = need_partner();
    accel_queue *queue = queue_new(device, 0);
    accel_buffer *from = words_new(device, 3, 5), *to = words_new(device, 3, 9), *count = words_new(device, 1, 9);
    faulty_device_control *control = device_control(device);
    ok(accel_queue_wait(queue));
    control->fail_allocation(control, 0);
    refused(ACCEL_OUT_OF_MEMORY, accel_select(queue, from, from, to, count), "bytes");
    words_are(queue, count, 9);
    ok(accel_select(queue, from, from, to, count));
    words_are(queue, to, 5);
    words_are(queue, count, 3);
    accel_buffer_release(from);
    accel_buffer_release(to);
    accel_buffer_release(count);
    accel_queue_release(queue);
}
END_TEST

Suite *select_suite(void)
{
    Suite *suite = suite_create("select");
    add(suite, a2_selections_run_in_the_queues_order_and_nothing_waits);
    add(suite, a2_a_selection_without_memory_does_nothing_and_may_be_tried_again);
    add_for_threads(suite, a7_a_selection_has_the_chosen_elements_in_their_order);
    add(suite, m3_five_rows_of_no_elements_are_none);
    add(suite, a7_what_cannot_be_selected_is_refused);
    add(suite, a7_a_count_of_32_bits_is_refused_where_it_could_overflow);
    add_for_threads(suite, a8_a_partition_has_the_others_in_their_order_behind_the_chosen);
    add_for_threads(suite, a9_of_each_run_of_equal_elements_the_first_is_unique);
    add(suite, a9_elements_are_equal_if_their_bytes_are);
    add_for_threads(suite, a10_runs_have_elements_and_lengths);
    return suite;
}
