/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics: nothing is lost between threads of a block, blocks, queues. */
#include "kernels/arguments.h"
#include "nouns.h"
#include "suite.h"

enum { CELLS = 8, N = 2000 };

typedef struct cells {
    accel_buffer *i32, *u32, *i64, *u64, *f32, *f64, *old;
    atomic_args args;
} cells;

static accel_buffer *zeroed(accel_queue *queue, size_t bytes)
{
    accel_buffer *buffer = bytes_new(test.device, bytes);
    ok(accel_fill(queue, buffer, "\0", 1, NULL));
    return buffer;
}

static cells cells_new(accel_queue *queue, size_t n)
{
    cells c = {.i32 = zeroed(queue, 4 * CELLS),
               .u32 = zeroed(queue, 4 * CELLS),
               .i64 = zeroed(queue, 8 * CELLS),
               .u64 = zeroed(queue, 8 * CELLS),
               .f32 = zeroed(queue, 4 * CELLS),
               .f64 = zeroed(queue, 8 * CELLS),
               .old = zeroed(queue, 8 * n)};
    c.args = (atomic_args){.i32 = accel_buffer_ptr(c.i32),
                           .u32 = accel_buffer_ptr(c.u32),
                           .i64 = accel_buffer_ptr(c.i64),
                           .u64 = accel_buffer_ptr(c.u64),
                           .f32 = accel_buffer_ptr(c.f32),
                           .f64 = accel_buffer_ptr(c.f64),
                           .old = accel_buffer_ptr(c.old),
                           .n = n};
    return c;
}

static void cells_free(cells *c)
{
    accel_buffer *all[] = {c->i32, c->u32, c->i64, c->u64, c->f32, c->f64, c->old};
    for (int i = 0; i < 7; ++i)
        accel_buffer_release(all[i]);
}

START_TEST(add_sub_min_and_max_of_every_type_lose_nothing)
{
    accel_queue *queue = queue_new(test.device, 0);
    cells c = cells_new(queue, N);
    accel_work work = work_of((N + 31) / 32, 32);
    int32_t i32[CELLS];
    uint32_t u32[CELLS];
    int64_t i64[CELLS];
    uint64_t u64[CELLS];
    float f32[CELLS];
    double f64[CELLS];
    ok(accel_fill(queue, c.u32, "\xff", 1, NULL)); /* for the minimum; the other cells count from there */
    ok(accel_fill(queue, c.u64, "\xff", 1, NULL));
    ok(accel_launch(queue, kernel_named("atomic_arithmetic"), &work, &c.args, sizeof c.args));
    ok(accel_read(queue, i32, c.i32));
    ok(accel_read(queue, u32, c.u32));
    ok(accel_read(queue, i64, c.i64));
    ok(accel_read(queue, u64, c.u64));
    ok(accel_read(queue, f32, c.f32));
    ok(accel_read(queue, f64, c.f64));
    ok(accel_queue_wait(queue));
    const int64_t sum = (int64_t)N * (N + 1) / 2;
    ck_assert_int_eq(i32[ATOMIC_ADD], sum);
    ck_assert_int_eq(i32[ATOMIC_SUB], -sum);
    ck_assert_int_eq(i32[ATOMIC_MIN], -N);
    ck_assert_int_eq(i32[ATOMIC_MAX], N);
    ck_assert_uint_eq(u32[ATOMIC_ADD], (uint32_t)(sum - 1));
    ck_assert_uint_eq(u32[ATOMIC_SUB], (uint32_t)(-1 - sum));
    ck_assert_uint_eq(u32[ATOMIC_MIN], 1);
    ck_assert_uint_eq(u32[ATOMIC_MAX], UINT32_MAX);
    ck_assert_int_eq(i64[ATOMIC_ADD], sum << 32);
    ck_assert_int_eq(i64[ATOMIC_SUB], -(sum << 32));
    ck_assert_int_eq(i64[ATOMIC_MIN], -((int64_t)N << 32));
    ck_assert_int_eq(i64[ATOMIC_MAX], (int64_t)N << 32);
    ck_assert_uint_eq(u64[ATOMIC_ADD], ((uint64_t)sum << 32) - 1);
    ck_assert_uint_eq(u64[ATOMIC_SUB], UINT64_MAX - ((uint64_t)sum << 32));
    ck_assert_uint_eq(u64[ATOMIC_MIN], (uint64_t)1 << 32);
    ck_assert_uint_eq(u64[ATOMIC_MAX], UINT64_MAX);
    ck_assert_float_eq(f32[ATOMIC_ADD], (float)sum); /* all sums are exact below 2^24 */
    ck_assert_float_eq(f32[ATOMIC_SUB], (float)-sum);
    ck_assert_float_eq(f32[ATOMIC_MIN], -0.5f * N);
    ck_assert_float_eq(f32[ATOMIC_MAX], 0.5f * N);
    ck_assert_double_eq(f64[ATOMIC_ADD], (double)sum);
    ck_assert_double_eq(f64[ATOMIC_SUB], (double)-sum);
    ck_assert_double_eq(f64[ATOMIC_MIN], -0.5 * N);
    ck_assert_double_eq(f64[ATOMIC_MAX], 0.5 * N);
    cells_free(&c);
    accel_queue_release(queue);
}
END_TEST

START_TEST(exchange_and_compare_and_swap_give_each_old_value_once)
{
    accel_queue *queue = queue_new(test.device, 0);
    cells c = cells_new(queue, N);
    accel_work work = work_of((N + 63) / 64, 64);
    uint32_t *old = calloc(2 * N, sizeof *old), u32[CELLS];
    bool seen[2][N + 1] = {{false}};
    int64_t i64[CELLS];
    uint64_t u64[CELLS];
    float f32[CELLS];
    double f64[CELLS];
    ok(accel_launch(queue, kernel_named("atomic_swap"), &work, &c.args, sizeof c.args));
    ok(accel_read(queue, old, c.old));
    ok(accel_read(queue, u32, c.u32));
    ok(accel_read(queue, u64, c.u64));
    ok(accel_read(queue, i64, c.i64));
    ok(accel_read(queue, f32, c.f32));
    ok(accel_read(queue, f64, c.f64));
    ok(accel_queue_wait(queue));
    ck_assert_uint_le(u32[ATOMIC_EXCH], N);
    seen[0][u32[ATOMIC_EXCH]] = true; /* the last one stays; the others, and the zero, came out */
    for (int i = 0; i < N; ++i) {
        ck_assert_uint_le(old[2 * i], N);
        ck_assert(!seen[0][old[2 * i]]);
        seen[0][old[2 * i]] = true;
        ck_assert_uint_lt(old[2 * i + 1], N);
        ck_assert(!seen[1][old[2 * i + 1]]);
        seen[1][old[2 * i + 1]] = true;
    }
    ck_assert_uint_eq(u32[ATOMIC_CAS], N);
    ck_assert_int_eq(i64[ATOMIC_CAS], -N);
    ck_assert_float_eq(f32[ATOMIC_CAS], (float)N);
    ck_assert_double_eq(f64[ATOMIC_CAS], (double)N);
    ck_assert(f32[ATOMIC_EXCH] >= 1 && f32[ATOMIC_EXCH] <= N);
    ck_assert(f64[ATOMIC_EXCH] >= 1 && f64[ATOMIC_EXCH] <= N);
    ck_assert(u64[ATOMIC_EXCH] >> 32 >= 1 && u64[ATOMIC_EXCH] >> 32 <= N && (uint32_t)u64[ATOMIC_EXCH] == 0);
    free(old);
    cells_free(&c);
    accel_queue_release(queue);
}
END_TEST

START_TEST(and_or_xor_inc_and_dec_lose_nothing)
{
    enum { COUNT = 1000 };
    accel_queue *queue = queue_new(test.device, 0);
    cells c = cells_new(queue, COUNT);
    accel_work work = work_of(40, 25);
    uint32_t words[CELLS] = {UINT32_MAX, 0, 0, 7, 7}, folded = 0;
    uint64_t wide[CELLS] = {UINT64_MAX, 0, 0, 7, 7};
    uint32_t inc = 7, dec = 7;
    for (uint32_t i = 0; i < COUNT; ++i) {
        folded ^= i;
        inc = inc >= 99 ? 0 : inc + 1;
        dec = dec == 0 || dec > 99 ? 99 : dec - 1;
    }
    ok(accel_write(queue, c.u32, words));
    ok(accel_write(queue, c.u64, wide));
    ok(accel_launch(queue, kernel_named("atomic_bits"), &work, &c.args, sizeof c.args));
    ok(accel_read(queue, words, c.u32));
    ok(accel_read(queue, wide, c.u64));
    ok(accel_queue_wait(queue));
    ck_assert_uint_eq(words[0], 0);
    ck_assert_uint_eq(words[1], UINT32_MAX);
    ck_assert_uint_eq(words[2], folded);
    ck_assert_uint_eq(words[3], inc);
    ck_assert_uint_eq(words[4], dec);
    ck_assert_uint_eq(wide[0], 0);
    ck_assert_uint_eq(wide[1], UINT64_MAX);
    ck_assert_uint_eq(wide[2], (uint64_t)folded << 32);
    ck_assert_uint_eq(wide[3], inc);
    ck_assert_uint_eq(wide[4], dec);
    cells_free(&c);
    accel_queue_release(queue);
}
END_TEST

static void check_large(const large *objects, size_t count, size_t n, uint64_t times)
{
    for (size_t k = 0; k < count; ++k) {
        uint64_t sum = 0, square = 0, number = 0;
        for (size_t i = k; i < n; i += count, ++number) {
            sum += i;
            square += i * i;
        }
        ck_assert_uint_eq(objects[k].sum, times * sum);
        ck_assert_uint_eq(objects[k].square, times * square);
        ck_assert_uint_eq(objects[k].count, times * number);
        ck_assert_double_eq(objects[k].sum_again, (double)(times * sum));
        for (uint64_t m = 0; m < 5; ++m)
            ck_assert_uint_eq(objects[k].more[m], times * number * (m + 1));
    }
}

START_TEST(k8_updates_of_structs_of_any_size_are_one_step)
{
    enum { OBJECTS = 7 };
    accel_queue *queue = queue_new(test.device, 0);
    accel_buffer *buffer = zeroed(queue, OBJECTS * sizeof(large));
    large objects[OBJECTS];
    large_args args = {.object = accel_buffer_ptr(buffer), .objects = OBJECTS, .n = N};
    accel_work work = work_of((N + 63) / 64, 64);
    ok(accel_launch(queue, kernel_named("atomic_large"), &work, &args, sizeof args));
    ok(accel_launch(queue, kernel_named("atomic_large_nosync"), &work, &args, sizeof args));
    ok(accel_read(queue, objects, buffer));
    ok(accel_queue_wait(queue));
    check_large(objects, OBJECTS, N, 2);
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}
END_TEST

START_TEST(k8_one_lock_table_serves_all_objects_and_queues_of_the_process)
{
    /* The same structs from several queues and two loads of the library: tables per object would lose updates. */
    enum { OBJECTS = 2, QUEUES = 4 };
    /* Chance finds the fault: CPUs with few threads need many rounds. */
    const int rounds = test.properties.kind == ACCEL_DEVICE_CPU ? 80 : 8;
    accel_module *module = NULL;
    accel_kernel *kernels[2] = {kernel_named("atomic_large"), NULL};
    accel_queue *queues[QUEUES];
    queues[0] = queue_new(test.device, 0);
    accel_buffer *buffer = zeroed(queues[0], OBJECTS * sizeof(large));
    large objects[OBJECTS];
    large_args args = {.object = accel_buffer_ptr(buffer), .objects = OBJECTS, .n = N};
    accel_work work = work_of((N + 63) / 64, 64);
    ok(accel_queue_wait(queues[0]));
    ok(accel_module_load(test.device, "conformance", &module));
    ok(accel_module_kernel(module, "atomic_large_nosync", &kernels[1]));
    for (int q = 1; q < QUEUES; ++q)
        queues[q] = queue_new(test.device, 0);
    for (int round = 0; round < rounds; ++round)
        for (int q = 0; q < QUEUES; ++q)
            ok(accel_launch(queues[q], kernels[q % 2], &work, &args, sizeof args));
    for (int q = 0; q < QUEUES; ++q)
        ok(accel_queue_wait(queues[q]));
    ok(accel_read(queues[0], objects, buffer));
    ok(accel_queue_wait(queues[0]));
    check_large(objects, OBJECTS, N, (uint64_t)(QUEUES * rounds));
    accel_buffer_release(buffer);
    for (int q = 0; q < QUEUES; ++q)
        accel_queue_release(queues[q]);
    accel_module_release(module);
}
END_TEST

Suite *atomic_suite(void)
{
    Suite *suite = suite_create("atomic");
    add(suite, add_sub_min_and_max_of_every_type_lose_nothing);
    add(suite, exchange_and_compare_and_swap_give_each_old_value_once);
    add(suite, and_or_xor_inc_and_dec_lose_nothing);
    add(suite, k8_updates_of_structs_of_any_size_are_one_step);
    add(suite, k8_one_lock_table_serves_all_objects_and_queues_of_the_process);
    return suite;
}
