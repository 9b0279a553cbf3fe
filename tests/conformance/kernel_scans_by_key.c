/* SPDX-License-Identifier: Apache-2.0 */
/* Scans by key in place, of any length, and with as many or as few heads as there can be: they have the bits of the rules
 * (scanning.h). */
#include "scanning.h"
#include "trial.h"

#include <accel/pattern.h>

enum { RUN = 16, TILE = 128 * RUN, GROUP = 128 * TILE, MOST = 2 * TILE + 5 };

static bool differs(const scans_args *args, size_t i)
{
    return i == 0 || args->y[i] != args->y[i - 1];
}

static void element_sum(void *element, const scans_args *args, size_t i)
{
    memcpy(element, args->x + i, sizeof(double));
}

static void join_sum(void *a, const void *b)
{
    *(double *)a += *(const double *)b;
}

static void element_sum16(void *element, const scans_args *args, size_t i)
{
    memcpy(element, (const uint16_t *)(const void *)args->x + i, sizeof(uint16_t));
}

static void join_sum16(void *a, const void *b)
{
    *(uint16_t *)a = (uint16_t)(*(uint16_t *)a + *(const uint16_t *)b);
}

static void element_compose(void *element, const scans_args *args, size_t i)
{
    const scans_affine made = {1 + args->x[2 * i] * 0x1p-12, args->x[2 * i + 1]};
    memcpy(element, &made, sizeof made);
}

static void join_compose(void *first, const void *second)
{
    scans_affine *a = first;
    const scans_affine *b = second;
    a->offset = b->factor * a->offset;
    a->offset += b->offset;
    a->factor = b->factor * a->factor;
}

static const double zero = 0;
static const uint16_t none = 0;
static const scans_affine same = {1, 0};
static const scanning scans[] = {
    {"sum_by_key", sizeof zero, element_sum, &zero, join_sum, differs},
    {"sum16_by_key", sizeof none, element_sum16, &none, join_sum16, differs},
    {"compose_by_key", sizeof same, element_compose, &same, join_compose, differs},
};
enum { SCANS = sizeof scans / sizeof scans[0] };

/* ------------------------------------------------------------------------------------------ keys -- */

/* Which indices are heads: each; the first and the last of each tile; one in several tiles; one in about four; the first
 * alone. */
typedef enum heads { EACH, EDGES, FEW, MANY, FIRST, ALL_HEADS } heads;

static void fill_keys(double *key, size_t n, heads which)
{
    uint64_t state = 7;
    double now = 0;
    for (size_t i = 0, next = 1; i < n; ++i) {
        bool begins = i == next;
        if (begins) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            next = i + 1 + (which == MANY ? (size_t)(state >> 33) % 7 : TILE + (size_t)(state >> 33) % (9 * TILE));
        }
        begins = which == EACH || ((which == MANY || which == FEW) && begins) ||
                 (which == EDGES && (i % TILE == 0 || i % TILE == TILE - 1));
        now += begins;
        key[i] = now;
    }
}

/* Numbers whose results depend on the order, and stay finite. As integers any bits. */
static void fill_values(double *x, size_t n)
{
    uint64_t state = 3;
    for (size_t i = 0; i < n; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)((int64_t)(state >> 33) % 20011 - 10005) / (double)(1 + (state >> 24 & 15)) * 0x1p-14;
    }
}

static const scanning *current;

/* Of n elements, in place or not. What follows the results stays. */
typedef struct data {
    size_t room;
    double *x, *y;
    unsigned char *found, *expected;
    scans_args here, there;
    accel_buffer *values, *keys, *result;
} data;

static data data_of(size_t room)
{
    const accel_buffer_desc desc = accel_buffer_1d(current->size, room), keys = accel_buffer_1d(sizeof(double), room);
    const size_t doubles = room * 2; /* of the largest elements */
    data d = {.room = room,
              .x = host_memory(doubles * sizeof(double)),
              .y = host_memory(room * sizeof(double)),
              .found = host_memory(room * current->size),
              .expected = host_memory(room * current->size),
              .values = buffer_new(test.device, &desc),
              .keys = buffer_new(test.device, &keys),
              .result = buffer_new(test.device, &desc)};
    fill_values(d.x, doubles);
    d.here = (scans_args){.x = d.x, .y = d.y};
    d.there = (scans_args){.x = accel_buffer_ptr(d.values), .y = accel_buffer_ptr(d.keys)};
    return d;
}

static void free_data(data *d)
{
    accel_buffer_release(d->values);
    accel_buffer_release(d->keys);
    accel_buffer_release(d->result);
    free(d->x);
    free(d->y);
    free(d->found);
    free(d->expected);
}

static void set_keys(trial *t, data *d, heads which)
{
    fill_keys(d->y, d->room, which);
    ok(accel_write(t->queue, d->keys, d->y));
    ok(accel_queue_wait(t->queue));
}

static void compare(trial *t, data *d, size_t n, heads which, bool inclusive, bool in_place)
{
    accel_buffer *result = in_place ? d->values : d->result;
    const uint32_t flags = inclusive ? ACCEL_SCAN_INCLUSIVE : ACCEL_SCAN_EXCLUSIVE;
    memcpy(d->expected, d->x, d->room * current->size);
    scan_all(current, &d->here, n, inclusive, d->expected);
    ok(accel_write(t->queue, d->values, d->x));
    ok(accel_write(t->queue, d->result, d->x));
    ok(accel_scan(t->queue, t->kernel, n, &d->there, sizeof d->there, result, flags));
    ok(accel_read(t->queue, d->found, result));
    ok(accel_queue_wait(t->queue));
    for (size_t i = 0; i < d->room; ++i)
        trial_assert(t, memcmp(d->found + i * current->size, d->expected + i * current->size, current->size) == 0,
                     "%zu elements, heads %d, flags %u%s: result %zu has other bits", n, (int)which, flags,
                     in_place ? ", in place" : "", i);
}

static bool is_cpu(void)
{
    return test.properties.kind == ACCEL_DEVICE_CPU;
}

/* ------------------------------------------------------------------------------------------ trials -- */

/* All small lengths, and those about runs, tiles and what vectors hold. GPUs are interpreted in tests: a part of them. */
static void check_lengths(trial *t)
{
    static const size_t edges[] = {RUN * 32 - 1, RUN * 32, RUN * 32 + 1, TILE - 1, TILE, TILE + 1, 2 * TILE, MOST};
    data d = data_of(MOST);
    for (heads which = EACH; which < ALL_HEADS; ++which) {
        set_keys(t, &d, which);
        for (size_t n = 0; n <= 300; n += is_cpu() ? 1 : 59)
            compare(t, &d, n, which, n % 2 == (size_t)which % 2, true);
        for (size_t e = which % 2; e < sizeof edges / sizeof edges[0]; e += is_cpu() ? 1 : 3) {
            compare(t, &d, edges[e], which, false, true);
            compare(t, &d, edges[e], which, true, true);
        }
    }
    free_data(&d);
}

static const trial_shape shapes[] = {{.dims = 1, .blocks = {1}, .threads = {128}, .elems = {1}}};
static const trial_shapes one_shape = {1, shapes};

START_TEST(p8_p10_a_scan_by_key_of_any_length_may_be_in_place)
{
    for (size_t s = 0; s < SCANS; ++s) {
        current = &scans[s];
        try_kernel(current->kernel, TRIAL_SIZES(MOST), one_shape, check_lengths);
    }
}
END_TEST

static void check_large(trial *t)
{
    data d = data_of(t->n + 3);
    for (heads which = is_cpu() ? EDGES : MANY; which < ALL_HEADS; ++which) {
        set_keys(t, &d, which);
        compare(t, &d, t->n, which, which % 2 == 0, t->n % 2 == 0);
    }
    free_data(&d);
}

/* Two groups of tiles and three: more than a block of the second step makes, and what precedes a group follows from two others. */
START_TEST(p10_large_scans_by_key_have_the_bits_of_the_rules)
{
    for (size_t s = 0; s < (is_cpu() ? SCANS : 1); ++s) {
        current = &scans[s];
        try_kernel(current->kernel, TRIAL_SIZES(GROUP + 1, 2 * GROUP + 1234), one_shape, check_large);
    }
}
END_TEST

void scans_by_key_tests(Suite *suite)
{
    add(suite, p8_p10_a_scan_by_key_of_any_length_may_be_in_place);
    add_for_threads(suite, p10_large_scans_by_key_have_the_bits_of_the_rules);
}
