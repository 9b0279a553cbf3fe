/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse matrix times a vector with OpenMP; parameter 0 is the number of rows. */
#include <stdlib.h>
#include <string.h>

#include "../cases/rows_values.h"
#include "way.h"

typedef struct rows_state {
    size_t n;
    uint32_t *first, *column;
    double *value, *x, *y;
} rows_state;

static void close_rows(void *state)
{
    rows_state *s = state;
    native_release(s->first);
    native_release(s->column);
    native_release(s->value);
    native_release(s->x);
    native_release(s->y);
    free(s);
}

static void *open_rows(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0], entries = rows_entries(n);
    rows_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (rows_state){.n = n,
                      .first = native_allocate(n + 1, sizeof *s->first),
                      .column = native_allocate(entries, sizeof *s->column),
                      .value = native_allocate(entries, sizeof *s->value),
                      .x = native_allocate(n, sizeof *s->x),
                      .y = native_allocate(n, sizeof *s->y)};
    if (s->first == NULL || s->column == NULL || s->value == NULL || s->x == NULL || s->y == NULL) {
        close_rows(s);
        return NULL;
    }
    s->first[0] = 0;
    for (size_t row = 0; row < n; ++row)
        s->first[row + 1] = s->first[row] + rows_length(row);
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < n; ++row) {
        s->x[row] = rows_x(row);
        s->y[row] = 0;
        for (size_t j = s->first[row]; j < s->first[row + 1]; ++j) {
            s->column[j] = rows_column(row, j, n);
            s->value[j] = rows_value(j);
        }
    }
    return s;
}

static inline double row_of(const uint32_t *first, const uint32_t *column, const double *value, const double *x,
                            size_t row)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t j = first[row]; j < first[row + 1]; ++j)
        sum += value[j] * x[column[j]];
    return sum;
}

static __attribute__((noinline)) void multiply(size_t n, const uint32_t *first, const uint32_t *column,
                                               const double *value, const double *x, double *y)
{
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < n; ++row)
        y[row] = row_of(first, column, value, x, row);
}

static __attribute__((noinline)) void multiply_guided(size_t n, const uint32_t *first, const uint32_t *column,
                                                      const double *value, const double *x, double *y)
{
#pragma omp parallel for schedule(guided, 64)
    for (size_t row = 0; row < n; ++row)
        y[row] = row_of(first, column, value, x, row);
}

static void run_rows(void *state, size_t repetitions)
{
    const rows_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        multiply(s->n, s->first, s->column, s->value, s->x, s->y);
}

static void run_rows_guided(void *state, size_t repetitions)
{
    const rows_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        multiply_guided(s->n, s->first, s->column, s->value, s->x, s->y);
}

static bool check_rows(void *state)
{
    const rows_state *s = state;
    size_t entry = 0;
    for (size_t row = 0; row < s->n; ++row) {
        double sum = 0;
        for (uint32_t j = 0; j < rows_length(row); ++j, ++entry)
            sum += rows_value(entry) * rows_x(rows_column(row, entry, s->n));
        if (s->y[row] != sum)
            return false;
    }
    return true;
}

const native_way native_rows = {
    .name = "rows-omp", .open = open_rows, .run = run_rows, .check = check_rows, .close = close_rows};
const native_way native_rows_guided = {
    .name = "rows-guided-omp", .open = open_rows, .run = run_rows_guided, .check = check_rows, .close = close_rows};
