/* SPDX-License-Identifier: Apache-2.0 */
#include "solution.h"

#include <stdlib.h>
#include <time.h>

bool solution_allocate(solution *s, size_t rows, const solver_options *options)
{
    *s = (solution){0};
    s->x = malloc(rows * sizeof *s->x);
    s->history = calloc(options->iterations + 1, sizeof *s->history);
    if (s->x != NULL && s->history != NULL)
        return true;
    solution_free(s);
    return false;
}

void solution_free(solution *s)
{
    free(s->x);
    free(s->history);
    *s = (solution){0};
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double iteration_bytes(const sparse_matrix *a)
{
    const double rows = (double)a->rows, entries = (double)a->entries;
    const double product = 12 * entries + 8 * (rows + 1) + 16 * rows;
    const double dots = 16 * rows + 8 * rows;
    const double updates = 3 * 24 * rows;
    return product + dots + updates;
}

double iteration_flops(const sparse_matrix *a)
{
    const double rows = (double)a->rows, entries = (double)a->entries;
    return 2 * entries + 2 * 2 * rows + 3 * 2 * rows;
}
