/* SPDX-License-Identifier: Apache-2.0 */
/* accel_sort: orders of all types, stability, values of every size, and what is refused. */
#include "nouns.h"
#include "suite.h"

#include <accel/algorithm.h>
#include <math.h>

enum { MOST = 100003 };

/* What keys are made of; KIND_FEW has many equal ones. */
enum kind { KIND_ANY, KIND_FEW, KIND_EQUAL, KIND_SORTED, KIND_REVERSED, KINDS };

typedef struct sort_case {
    uint32_t type, flags, first_bit, bit_count;
    enum kind kind;
    size_t n, value_size; /* 0: without values */
    bool at_odd_bytes;    /* the values */
} sort_case;

static bool is_wide(uint32_t type)
{
    return type == ACCEL_TYPE_INT64 || type == ACCEL_TYPE_UINT64 || type == ACCEL_TYPE_DOUBLE;
}

static bool is_floating(uint32_t type)
{
    return type == ACCEL_TYPE_FLOAT || type == ACCEL_TYPE_DOUBLE;
}

/* Zeros, infinities, NaNs and denormals of both signs, among ordinary numbers. */
static double floating_key(uint64_t random)
{
    static const double special[] = {0.0, INFINITY, NAN, 0x1p-1060, 0x1p-140, 1.0, 0x1.fffffep127, 0x1p1000};
    const double value = random % 3 == 0 ? special[random / 3 % 8] : (double)(random >> 20) * 0x1p-30;
    return copysign(value, random >> 63 != 0 ? -1.0 : 1.0);
}

static uint64_t key_of(const sort_case *c, size_t i)
{
    uint64_t r = (i + 1) * 0x9e3779b97f4a7c15u;
    r = (r ^ r >> 29) * 0xbf58476d1ce4e5b9u;
    r ^= r >> 32;
    if (c->kind == KIND_FEW)
        r = r % 5 * 0x40000001u;
    if (c->kind == KIND_EQUAL)
        r = 77;
    if (c->kind == KIND_SORTED || c->kind == KIND_REVERSED)
        r = (c->kind == KIND_SORTED ? i : MOST - i) * (is_wide(c->type) ? 0x100000001u : 40000u);
    if (!is_floating(c->type) || c->kind != KIND_ANY)
        return r;
    const double d = floating_key(r);
    const float f = (float)d;
    uint32_t bits = 0;
    if (c->type == ACCEL_TYPE_DOUBLE) {
        memcpy(&r, &d, 8);
        return r;
    }
    memcpy(&bits, &f, 4);
    return bits;
}

/* Keys as unsigned integers of their order, of which only the bits of the case count. */
static uint64_t order_of(const sort_case *c, uint64_t key)
{
    const uint32_t bits = is_wide(c->type) ? 64 : 32;
    const uint64_t top = UINT64_C(1) << (bits - 1), all = top | (top - 1);
    const uint32_t count = c->bit_count != 0 ? c->bit_count : bits - c->first_bit;
    if (is_floating(c->type))
        key = (key & top) != 0 ? ~key & all : key | top;
    else if (c->type == ACCEL_TYPE_INT32 || c->type == ACCEL_TYPE_INT64)
        key += top; /* modulo 2^bits */
    key = key >> c->first_bit & (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1);
    return (c->flags & ACCEL_SORT_DESCENDING) != 0 ? UINT64_MAX - key : key;
}

typedef struct entry {
    uint64_t order;
    size_t from;
} entry;

static int by_order(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->from < y->from ? -1 : 1;
}

static void put_key(const sort_case *c, void *keys, size_t i, uint64_t key)
{
    if (is_wide(c->type))
        ((uint64_t *)keys)[i] = key;
    else
        ((uint32_t *)keys)[i] = (uint32_t)key;
}

static void put_value(const sort_case *c, unsigned char *values, size_t i, size_t from)
{
    for (size_t b = 0; b < c->value_size; ++b)
        values[i * c->value_size + b] = (unsigned char)(from >> 8 * (b % 3) ^ b);
}

/* A key more than are sorted, which stays. */
static void check(accel_queue *queue, const sort_case *c)
{
    const size_t key_size = is_wide(c->type) ? 8 : 4, value_size = c->value_size != 0 ? c->value_size : 1;
    const accel_buffer_desc key_desc = accel_buffer_1d(key_size, c->n + 1),
                            value_desc = accel_buffer_1d(value_size, c->n + 1);
    accel_buffer *all = buffer_new(test.device, &key_desc), *keys = NULL, *values = NULL,
                 *bytes = bytes_new(test.device, c->at_odd_bytes ? (c->n + 1) * value_size + 1 : 0);
    if (c->at_odd_bytes)
        ok(accel_buffer_wrap(test.device, (char *)accel_buffer_ptr(bytes) + 1, &value_desc, &values));
    else
        values = buffer_new(test.device, &value_desc);
    unsigned char *k = malloc((c->n + 1) * key_size), *v = malloc((c->n + 1) * value_size);
    unsigned char *found_k = malloc((c->n + 1) * key_size), *found_v = malloc((c->n + 1) * value_size);
    entry *entries = malloc((c->n + 1) * sizeof *entries);
    accel_sort_desc desc = ACCEL_SORT_DESC_INIT;
    desc.type = c->type;
    desc.flags = c->flags;
    desc.first_bit = c->first_bit;
    desc.bit_count = c->bit_count;
    memset(v, 0, (c->n + 1) * value_size);
    for (size_t i = 0; i <= c->n; ++i) {
        put_key(c, k, i, key_of(c, i));
        put_value(c, v, i, i);
        entries[i] = (entry){order_of(c, is_wide(c->type) ? key_of(c, i) : (uint32_t)key_of(c, i)), i};
    }
    ok(accel_write(queue, all, k));
    ok(accel_write(queue, values, v));
    ok(accel_buffer_view(all, NULL, &c->n, &keys));
    ok_if_supported(accel_sort(queue, &desc, keys, c->value_size != 0 ? values : NULL));
    ok(accel_read(queue, found_k, all));
    ok(accel_read(queue, found_v, values));
    ok(accel_queue_wait(queue));
    qsort(entries, c->n, sizeof *entries, by_order);
    for (size_t i = 0; i <= c->n; ++i) {
        put_key(c, k, i, key_of(c, entries[i].from));
        put_value(c, v, i, entries[i].from);
    }
    ck_assert_msg(memcmp(found_k, k, (c->n + 1) * key_size) == 0,
                  "keys: type %u, kind %u, flags %u, %zu keys, bits %u, %u", c->type, c->kind, c->flags, c->n,
                  c->first_bit, c->bit_count);
    ck_assert_msg(memcmp(found_v, v, (c->n + 1) * value_size) == 0,
                  "values of %zu bytes: type %u, kind %u, flags %u, %zu keys", c->value_size, c->type, c->kind,
                  c->flags, c->n);
    accel_buffer_release(keys);
    accel_buffer_release(all);
    accel_buffer_release(values);
    accel_buffer_release(bytes);
    free(k), free(v), free(found_k), free(found_v), free(entries);
}

/* Simulated GPUs take long: sizes and cases are fewer there. */
static bool is_gpu(void)
{
    return test.properties.kind == ACCEL_DEVICE_GPU;
}

START_TEST(a4_keys_of_every_type_are_sorted_whatever_their_order)
{
    accel_queue *queue = queue_new(test.device, 0);
    for (uint32_t type = ACCEL_TYPE_INT32; type <= ACCEL_TYPE_DOUBLE; ++type) {
        for (enum kind kind = KIND_ANY; kind < KINDS; ++kind) {
            sort_case c = {.type = type, .kind = kind, .n = is_gpu() ? 300 : 5000};
            c.flags = kind % 2 == 0 ? ACCEL_SORT_DESCENDING : 0;
            check(queue, &c);
            c.flags ^= ACCEL_SORT_DESCENDING;
            if (!is_gpu() || kind == KIND_ANY)
                check(queue, &c);
        }
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a4_any_number_of_keys_is_sorted)
{
    static const size_t edges[] = {2047, 2048, 2049, 4100, 32767, 32768, 32769, 65537, MOST};
    accel_queue *queue = queue_new(test.device, ACCEL_QUEUE_BLOCKING);
    for (size_t n = 0; n <= 1100; n += is_gpu() ? 1 + n / 3 : 1) {
        const sort_case c = {.type = n % 2 == 0 ? ACCEL_TYPE_FLOAT : ACCEL_TYPE_UINT32, .n = n, .value_size = n % 9};
        check(queue, &c);
    }
    const sort_case many = {.type = ACCEL_TYPE_UINT64, .n = 70001, .value_size = 8, .bit_count = 8};
    check(queue, &many);
    for (size_t i = 0; i < (is_gpu() ? 4 : sizeof edges / sizeof edges[0]); ++i) {
        const sort_case c = {
            .type = ACCEL_TYPE_UINT32, .n = edges[i], .value_size = i % 2 == 0 ? 4 : 0, .bit_count = 16};
        check(queue, &c);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a4_values_of_any_size_go_with_their_keys_and_equal_keys_keep_their_order)
{
    static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 24, 100, 5000};
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        for (uint32_t flags = 0; flags < 2; ++flags) {
            sort_case c = {.type = i % 2 == 0 ? ACCEL_TYPE_DOUBLE : ACCEL_TYPE_INT32, .flags = flags};
            c.kind = KIND_FEW;
            c.value_size = sizes[i];
            c.n = sizes[i] < 100 ? 700 : 40;
            check(queue, &c);
            c.type = i % 2 == 0 ? ACCEL_TYPE_FLOAT : ACCEL_TYPE_UINT64;
            if (!is_gpu())
                check(queue, &c);
        }
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a4_values_may_begin_at_any_byte)
{
    if (is_gpu())
        not_here("it is about memory of the host, wrapped");
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t size = 4; size <= 12; size += 4) {
        const sort_case c = {
            .type = ACCEL_TYPE_INT64, .kind = KIND_FEW, .n = 700, .value_size = size, .at_odd_bytes = true};
        check(queue, &c);
    }
    accel_queue_release(queue);
}
END_TEST

START_TEST(a4_only_the_bits_that_were_asked_for_count)
{
    static const uint32_t ranges[][2] = {{0, 1}, {3, 8}, {5, 0}, {0, 24}, {31, 1}, {16, 16}};
    accel_queue *queue = queue_new(test.device, 0);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        sort_case c = {.type = i % 2 == 0 ? ACCEL_TYPE_UINT32 : ACCEL_TYPE_INT64, .n = 600, .value_size = 4};
        c.first_bit = ranges[i][0];
        c.bit_count = ranges[i][1];
        c.flags = i % 3 == 0 ? ACCEL_SORT_DESCENDING : 0;
        check(queue, &c);
    }
    accel_queue_release(queue);
}
END_TEST

/* As many as write their results past the caches of a CPU. The last digits of each block fill no whole lines. */
START_TEST(a4_keys_that_no_cache_holds_are_sorted_with_what_goes_with_them)
{
    enum { MIB = 1 << 20, MOST_MIB = 40 };
    accel_device_properties found = {.struct_size = sizeof found};
    ok(accel_device_info(test.device, &found));
    const uint64_t held = 8 * found.cache_bytes[1] * found.compute_units, all = found.cache_bytes[2];
    const size_t bytes = (size_t)(held < all ? held : all) + MIB;
    if (!is_gpu() && bytes < (size_t)MOST_MIB * MIB) {
        accel_queue *queue = queue_new(test.device, 0);
        const sort_case with_words = {.type = ACCEL_TYPE_UINT64, .n = bytes / 12, .value_size = 4, .bit_count = 16},
                        with_more = {.type = ACCEL_TYPE_FLOAT, .n = bytes / 8, .value_size = 3, .first_bit = 24};
        check(queue, &with_words);
        check(queue, &with_more);
        accel_queue_release(queue);
    }
}
END_TEST

/* The counts of more than 32 blocks are added up by as many blocks as there are digits. */
START_TEST(a4_keys_of_many_blocks_are_sorted)
{
    if (is_gpu() || test.properties.compute_units < 17)
        not_here("it is about CPUs with 17 threads and more");
    accel_queue *queue = queue_new(test.device, 0);
    const sort_case c = {.type = ACCEL_TYPE_UINT32, .n = 1200007, .value_size = 4, .bit_count = 16};
    check(queue, &c);
    accel_queue_release(queue);
}
END_TEST

/* The keys are of the whole device. */
START_TEST(a4_parts_of_a_device_sort_like_the_whole)
{
    accel_device *parts[2];
    need_parts(parts);
    for (size_t p = 0; p < 2; ++p) {
        accel_queue *queue = queue_new(parts[p], p == 0 ? 0 : ACCEL_QUEUE_BLOCKING);
        const sort_case with_values = {.type = ACCEL_TYPE_DOUBLE, .n = MOST, .value_size = 8},
                        with_more = {.type = ACCEL_TYPE_INT32, .kind = KIND_FEW, .n = 5000, .value_size = 12};
        check(queue, &with_values);
        check(queue, &with_more);
        accel_queue_release(queue);
        accel_device_release(parts[p]);
    }
}
END_TEST

START_TEST(a4_what_cannot_be_sorted_is_refused)
{
    const accel_buffer_desc words = accel_buffer_1d(4, 10);
    const size_t five = 5, two = 2;
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *keys = words_new(test.device, 10, 7), *values = buffer_new(test.device, &words), *part = NULL,
                 *late = NULL;
    accel_sort_desc desc = ACCEL_SORT_DESC_INIT;
    ok(accel_buffer_view(values, NULL, &five, &part));
    ok(accel_buffer_view(keys, &two, NULL, &late));
    refused(ACCEL_INVALID, accel_sort(queue, &desc, keys, NULL), "type is 0");
    desc.type = ACCEL_TYPE_DOUBLE;
    refused(ACCEL_INVALID, accel_sort(queue, &desc, keys, NULL), "keys", "4 bytes", "8");
    desc.type = ACCEL_TYPE_FLOAT;
    refused(ACCEL_INVALID, accel_sort(queue, &desc, keys, part), "values", "5 elements", "10");
    refused(ACCEL_INVALID, accel_sort(queue, &desc, keys, keys), "keys and values");
    accel_buffer_release(part);
    ok(accel_buffer_view(keys, NULL, &five, &part));
    refused(ACCEL_INVALID, accel_sort(queue, &desc, part, late), "keys and values");
    desc.flags = 2;
    refused(ACCEL_INVALID, accel_sort(queue, &desc, keys, NULL), "flags is 0x2");
    desc.flags = 0;
    desc.first_bit = 32;
    refused(ACCEL_INVALID, accel_sort(queue, &desc, keys, NULL), "first_bit is 32", "float", "32 bits");
    desc.first_bit = 30;
    desc.bit_count = 3;
    refused(ACCEL_INVALID, accel_sort(queue, &desc, keys, NULL), "bit_count 3");
    words_are(queue, keys, 7);
    accel_buffer_release(part);
    accel_buffer_release(late);
    accel_buffer_release(keys);
    accel_buffer_release(values);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a2_a_sort_without_memory_does_nothing_and_may_be_tried_again)
{
    accel_device *device = need_partner();
    accel_queue *queue = queue_new(device, 0);
    accel_sort_desc desc = ACCEL_SORT_DESC_INIT;
    accel_buffer *keys = words_new(device, 3, 5);
    const uint32_t before[3] = {9, 3, 6}, after[3] = {3, 6, 9};
    uint32_t found[3];
    faulty_device_control *control = device_control(device);
    desc.type = ACCEL_TYPE_UINT32;
    ok(accel_write(queue, keys, before));
    ok(accel_queue_wait(queue));
    control->fail_allocation(control, 0);
    refused(ACCEL_OUT_OF_MEMORY, accel_sort(queue, &desc, keys, NULL), "bytes");
    ok(accel_read(queue, found, keys));
    ok(accel_queue_wait(queue));
    ck_assert_mem_eq(found, before, sizeof found);
    ok(accel_sort(queue, &desc, keys, NULL));
    ok(accel_read(queue, found, keys));
    ok(accel_queue_wait(queue));
    ck_assert_mem_eq(found, after, sizeof found);
    accel_buffer_release(keys);
    accel_queue_release(queue);
}
END_TEST

START_TEST(a2_sorts_run_in_the_queues_order_and_nothing_waits)
{
    accel_queue *queue = queue_new(test.device, 0);
    accel_sort_desc desc = ACCEL_SORT_DESC_INIT;
    accel_buffer *keys = words_new(test.device, 3, 5);
    const uint32_t before[3] = {9, 3, 6}, after[3] = {3, 6, 9};
    uint32_t found[3] = {0};
    bool idle = true;
    gate door;
    desc.type = ACCEL_TYPE_UINT32;
    ok_if_supported(accel_sort(queue, &desc, keys, NULL)); /* the queue has its memory now */
    ok(accel_queue_wait(queue));
    gate_init(&door);
    gate_in(&door, queue);
    ok(accel_write(queue, keys, before));
    ok(accel_sort(queue, &desc, keys, NULL));
    ok(accel_read(queue, found, keys));
    gate_entered(&door);
    ok(accel_queue_is_idle(queue, &idle));
    ck_assert(!idle);
    gate_open(&door);
    ok(accel_queue_wait(queue));
    ck_assert_mem_eq(found, after, sizeof found);
    gate_destroy(&door);
    accel_buffer_release(keys);
    accel_queue_release(queue);
}
END_TEST

Suite *sort_suite(void)
{
    Suite *suite = suite_create("sort");
    add(suite, a4_keys_of_every_type_are_sorted_whatever_their_order);
    add(suite, a4_any_number_of_keys_is_sorted);
    add(suite, a4_values_of_any_size_go_with_their_keys_and_equal_keys_keep_their_order);
    add(suite, a4_values_may_begin_at_any_byte);
    add(suite, a4_only_the_bits_that_were_asked_for_count);
    add(suite, a4_keys_that_no_cache_holds_are_sorted_with_what_goes_with_them);
    add_for_threads(suite, a4_keys_of_many_blocks_are_sorted);
    add(suite, a4_parts_of_a_device_sort_like_the_whole);
    add(suite, a4_what_cannot_be_sorted_is_refused);
    add(suite, a2_a_sort_without_memory_does_nothing_and_may_be_tried_again);
    add(suite, a2_sorts_run_in_the_queues_order_and_nothing_waits);
    return suite;
}
