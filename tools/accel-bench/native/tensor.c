/* SPDX-License-Identifier: Apache-2.0 */
/* c = a + b of n * n * n elements with OpenMP: over the outer loops, and over tiles. Parameter 0 is n, 1 to 3 are the
 * extents of a tile, 0 for all of n. And of these as n / 4 * n / 4 * n / 4 rows of 64, but for the first and last in each
 * dimension. */
#include <stdlib.h>

#include "way.h"

enum { ROW = 64, BORDER = 1 };

typedef struct tensor_state {
    size_t n;
    size_t tile[3];
    double *a, *b, *c;
} tensor_state;

static double a_at(size_t i)
{
    return (double)(i % 1021);
}

static double b_at(size_t i)
{
    return (double)(i % 509) / 2;
}

static void close_tensor(void *state)
{
    tensor_state *s = state;
    native_release(s->a);
    native_release(s->b);
    native_release(s->c);
    free(s);
}

static size_t extent_of(uint64_t tile, size_t n)
{
    return tile == 0 || tile > n ? n : tile;
}

static void *open_tensor(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0], elements = n * n * n;
    tensor_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (tensor_state){.n = n,
                        .tile = {extent_of(parameters[1], n), extent_of(parameters[2], n), extent_of(parameters[3], n)},
                        .a = native_allocate(elements, sizeof(double)),
                        .b = native_allocate(elements, sizeof(double)),
                        .c = native_allocate(elements, sizeof(double))};
    if (s->a == NULL || s->b == NULL || s->c == NULL) {
        close_tensor(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < elements; ++i) {
        s->a[i] = a_at(i);
        s->b[i] = b_at(i);
        s->c[i] = 0;
    }
    return s;
}

static __attribute__((noinline)) void add(size_t n, const double *a, const double *b, double *c)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
#pragma omp simd
            for (size_t k = 0; k < n; ++k)
                c[(i * n + j) * n + k] = a[(i * n + j) * n + k] + b[(i * n + j) * n + k];
        }
}

static void run_add(void *state, size_t repetitions)
{
    const tensor_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add(s->n, s->a, s->b, s->c);
}

static size_t end_of(size_t from, size_t tile, size_t n)
{
    return n - from < tile ? n : from + tile;
}

static __attribute__((noinline)) void add_tiles(size_t n, const size_t tile[3], const double *a, const double *b,
                                                double *c)
{
    const size_t ti = tile[0], tj = tile[1], tk = tile[2];
#pragma omp parallel for collapse(3) schedule(static)
    for (size_t from_i = 0; from_i < n; from_i += ti)
        for (size_t from_j = 0; from_j < n; from_j += tj)
            for (size_t from_k = 0; from_k < n; from_k += tk)
                for (size_t i = from_i; i < end_of(from_i, ti, n); ++i)
                    for (size_t j = from_j; j < end_of(from_j, tj, n); ++j) {
                        const size_t end = end_of(from_k, tk, n);
#pragma omp simd
                        for (size_t k = from_k; k < end; ++k)
                            c[(i * n + j) * n + k] = a[(i * n + j) * n + k] + b[(i * n + j) * n + k];
                    }
}

static void run_add_tiles(void *state, size_t repetitions)
{
    const tensor_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add_tiles(s->n, s->tile, s->a, s->b, s->c);
}

static __attribute__((noinline)) void add_inside(size_t n, const double *a, const double *b, double *c)
{
#pragma omp parallel for collapse(3) schedule(static)
    for (size_t i = BORDER; i < n - BORDER; ++i)
        for (size_t j = BORDER; j < n - BORDER; ++j)
            for (size_t k = BORDER; k < n - BORDER; ++k) {
                const size_t row = ((i * n + j) * n + k) * ROW;
#pragma omp simd
                for (size_t l = BORDER; l < ROW - BORDER; ++l)
                    c[row + l] = a[row + l] + b[row + l];
            }
}

static void run_add_inside(void *state, size_t repetitions)
{
    const tensor_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        add_inside(s->n / 4, s->a, s->b, s->c);
}

static bool is_inside(size_t index, size_t extent)
{
    return index >= BORDER && index < extent - BORDER;
}

static bool check_inside(void *state)
{
    const tensor_state *s = state;
    const size_t n = s->n / 4;
    for (size_t i = 0; i < n * n * n * ROW; ++i) {
        const bool inside = is_inside(i % ROW, ROW) && is_inside(i / ROW % n, n) && is_inside(i / ROW / n % n, n) &&
                            is_inside(i / ROW / n / n, n);
        if (s->c[i] != (inside ? a_at(i) + b_at(i) : 0))
            return false;
    }
    return true;
}

static bool check(void *state)
{
    const tensor_state *s = state;
    for (size_t i = 0; i < s->n * s->n * s->n; ++i)
        if (s->c[i] != a_at(i) + b_at(i))
            return false;
    return true;
}

const native_way native_tensor = {
    .name = "tensor-omp", .open = open_tensor, .run = run_add, .check = check, .close = close_tensor};
const native_way native_tensor_tiles = {
    .name = "tensor-tiles-omp", .open = open_tensor, .run = run_add_tiles, .check = check, .close = close_tensor};
const native_way native_tensor_inside = {.name = "tensor-inside-omp",
                                         .open = open_tensor,
                                         .run = run_add_inside,
                                         .check = check_inside,
                                         .close = close_tensor};
