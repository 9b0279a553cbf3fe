/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse matrix with rows of 5 to 500 entries times a vector, by accel_row_reduce. */
#include <stdio.h>
#include <stdlib.h>

#include "cases/cases.h"
#include "cases/rows_values.h"
#include "clock.h"
#include "kernels/rows.h"

enum { QUICK_N = 500, ROW_NS = 100 };
enum { FIRST, COLUMN, VALUE, X, Y, ARRAYS };

typedef struct rows_state {
    accel_queue *queue;
    accel_kernel *kernel;
    accel_buffer *arrays[ARRAYS];
    accel_work work;
    rows_args args;
} rows_state;

static bool sample(void *user, size_t repetitions, double *nanoseconds)
{
    const rows_state *s = user;
    accel_status status = ACCEL_OK;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        status |= accel_launch(s->queue, s->kernel, &s->work, &s->args, sizeof s->args);
        status |= accel_queue_wait(s->queue);
    }
    *nanoseconds = clock_now() - start;
    return bench_check("rows", status);
}

/* Sums of small whole numbers are exact. */
static bool validate(void *user)
{
    const rows_state *s = user;
    const size_t n = s->args.n;
    double *found = malloc(n * sizeof *found);
    size_t entry = 0;
    bool good = found != NULL && bench_check("rows", accel_read(s->queue, found, s->arrays[Y])) &&
                bench_check("rows", accel_queue_wait(s->queue));
    for (size_t row = 0; good && row < n; ++row) {
        double sum = 0;
        for (uint32_t j = 0; j < rows_length(row); ++j, ++entry)
            sum += rows_value(entry) * rows_x(rows_column(row, entry, n));
        good = found[row] == sum;
        if (!good)
            fprintf(stderr, "accel-bench: rows: row %zu gives %g, not %g\n", row, found[row], sum);
    }
    free(found);
    return good;
}

static bool upload(bench *b, rows_state *s, int which, const void *values, size_t n, size_t size)
{
    const accel_buffer_desc desc = accel_buffer_1d(size, n);
    return values != NULL && bench_check("rows", accel_buffer_create(b->device, &desc, &s->arrays[which])) &&
           bench_check("rows", accel_write(s->queue, s->arrays[which], values));
}

static bool set_up(bench *b, rows_state *s)
{
    const size_t n = s->args.n, entries = rows_entries(n);
    uint32_t *first = calloc(n + 1, sizeof *first), *column = calloc(entries, sizeof *column);
    double *value = calloc(entries, sizeof *value), *x = calloc(n, sizeof *x);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    desc.flags = ACCEL_QUEUE_BLOCKING;
    for (size_t row = 0; first != NULL && column != NULL && value != NULL && x != NULL && row < n; ++row) {
        first[row + 1] = first[row] + rows_length(row);
        x[row] = rows_x(row);
        for (size_t j = first[row]; j < first[row + 1]; ++j) {
            column[j] = rows_column(row, j, n);
            value[j] = rows_value(j);
        }
    }
    const bool good = bench_check("rows", accel_queue_create(b->device, &desc, &s->queue)) &&
                      upload(b, s, FIRST, first, n + 1, sizeof *first) &&
                      upload(b, s, COLUMN, column, entries, sizeof *column) &&
                      upload(b, s, VALUE, value, entries, sizeof *value) && upload(b, s, X, x, n, sizeof *x) &&
                      upload(b, s, Y, x, n, sizeof *x);
    free(first);
    free(column);
    free(value);
    free(x);
    if (!good)
        return false;
    s->args.first = accel_buffer_ptr(s->arrays[FIRST]);
    s->args.column = accel_buffer_ptr(s->arrays[COLUMN]);
    s->args.value = accel_buffer_ptr(s->arrays[VALUE]);
    s->args.x = accel_buffer_ptr(s->arrays[X]);
    s->args.y = accel_buffer_ptr(s->arrays[Y]);
    return true;
}

static bool run(bench *b, const char *name, size_t n)
{
    rows_state s = {.work = ACCEL_WORK_INIT, .args = {.n = n}};
    const uint64_t parameters[NATIVE_PARAMETERS] = {n};
    const double entries = (double)rows_entries(n), bytes = entries * (sizeof(double) + sizeof(uint32_t));
    bench_contest c = {.name = name,
                       .measure = MEASURE_FLOPS,
                       .amount = 2 * entries,
                       .flops = 2 * entries,
                       .bytes = bytes,
                       .goal = GOAL_RATIO,
                       .goal_value = 0.95, /* 1.05 times the time */
                       .goal_device = "cpu-threads"};
    accel_module *module = NULL;
    accel_divide_desc wish = ACCEL_DIVIDE_DESC_INIT;
    wish.elem_ns = ROW_NS;
    bool good = bench_load(b, "bench", "rows", &module, &s.kernel) && set_up(b, &s) &&
                bench_check("rows", accel_work_divide(s.kernel, 1, &s.args.n, &wish, &s.work)) &&
                bench_add_native(b, &c, BENCH_C, "rows-omp", parameters) &&
                bench_add_native(b, &c, BENCH_C, "rows-guided-omp", parameters);
    if (good) {
        bench_add_way(&c, "libaccel", sample, &s);
        good = bench_run(b, &c, validate, &s);
    }
    for (int k = 0; k < ARRAYS; ++k)
        accel_buffer_release(s.arrays[k]);
    accel_queue_release(s.queue);
    accel_module_release(module);
    return good;
}

enum case_result case_rows(bench *b)
{
    bool good = run(b, "500 rows of 5 to 500 entries", QUICK_N);
    if (good && !b->quick)
        good = run(b, "20000 rows of 5 to 500 entries", 20000);
    return good ? CASE_DONE : CASE_FAILED;
}
