/* SPDX-License-Identifier: Apache-2.0 */
/* A square matrix transposed by tiles with OpenMP; parameters are the rows, and the bytes of an element: 4 or 8. */
#include <stdlib.h>

#include "way.h"

enum { TILE = 32 };

typedef struct transpose_state {
    size_t n, size;
    void *from, *to;
} transpose_state;

static void close_transpose(void *state)
{
    transpose_state *s = state;
    native_release(s->from);
    native_release(s->to);
    free(s);
}

static void *open_transpose(const uint64_t parameters[NATIVE_PARAMETERS])
{
    transpose_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (transpose_state){.n = parameters[0], .size = parameters[1]};
    const size_t words = s->n * s->n * s->size / sizeof(uint32_t);
    s->from = native_allocate(words, sizeof(uint32_t));
    s->to = native_allocate(words, sizeof(uint32_t));
    if (s->from == NULL || s->to == NULL) {
        close_transpose(s);
        return NULL;
    }
    uint32_t *from = s->from, *to = s->to;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < words; ++k) {
        from[k] = (uint32_t)k;
        to[k] = 0;
    }
    return s;
}

static __attribute__((noinline)) void transpose_float(size_t n, const float *from, float *to)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t row = 0; row < n; row += TILE)
        for (size_t column = 0; column < n; column += TILE) {
            const size_t end_row = row + TILE < n ? row + TILE : n, end = column + TILE < n ? column + TILE : n;
            for (size_t j = column; j < end; ++j)
                for (size_t i = row; i < end_row; ++i)
                    to[j * n + i] = from[i * n + j];
        }
}

static __attribute__((noinline)) void transpose_double(size_t n, const double *from, double *to)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t row = 0; row < n; row += TILE)
        for (size_t column = 0; column < n; column += TILE) {
            const size_t end_row = row + TILE < n ? row + TILE : n, end = column + TILE < n ? column + TILE : n;
            for (size_t j = column; j < end; ++j)
                for (size_t i = row; i < end_row; ++i)
                    to[j * n + i] = from[i * n + j];
        }
}

static void run_transpose(void *state, size_t repetitions)
{
    const transpose_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        if (s->size == sizeof(float))
            transpose_float(s->n, s->from, s->to);
        else
            transpose_double(s->n, s->from, s->to);
    }
}

static bool check_transpose(void *state)
{
    const transpose_state *s = state;
    const size_t n = s->n, words = s->size / sizeof(uint32_t);
    const uint32_t *to = s->to;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            if (to[(j * n + i) * words] != (uint32_t)((i * n + j) * words))
                return false;
    return true;
}

const native_way native_transpose = {.name = "transpose-omp",
                                     .open = open_transpose,
                                     .run = run_transpose,
                                     .check = check_transpose,
                                     .close = close_transpose};
