/* SPDX-License-Identifier: Apache-2.0 */
/* y += a x and the dot product of both, in turns on the same arrays, each an OpenMP region as programs have it. Parameter 0 is n.
 * Each region gives a thread the same elements, so these stay where they are. With a = 1 and small whole numbers in x all is exact. */
#include <stdlib.h>

#include "way.h"

#define REAL double
enum { LANES = 64, MIN_LANES = 32 };
#include "sums.h"

typedef struct turns_state {
    size_t n;
    double a, *x, *y;
    double done; /* times */
    double dot;
} turns_state;

static double x_at(size_t i)
{
    return (double)(i % 7 + 1);
}

static void close_turns(void *state)
{
    turns_state *s = state;
    native_release(s->x);
    native_release(s->y);
    free(s);
}

static void *open_turns(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    turns_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s =
        (turns_state){.n = n, .a = 1, .x = native_allocate(n, sizeof(double)), .y = native_allocate(n, sizeof(double))};
    if (s->x == NULL || s->y == NULL) {
        close_turns(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
        s->x[i] = x_at(i);
        s->y[i] = 0;
    }
    return s;
}

static __attribute__((noinline)) void add(size_t n, double a, const double *x, double *y)
{
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; ++i)
        y[i] += a * x[i];
}

static void run_turns(void *state, size_t repetitions)
{
    turns_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
        add(s->n, s->a, s->x, s->y);
        s->dot = dot_of(s->n, s->x, s->y);
    }
    s->done += (double)repetitions;
}

static bool check(void *state)
{
    const turns_state *s = state;
    double squares = 0;
    for (size_t i = 0; i < s->n; ++i)
        squares += x_at(i) * x_at(i);
    return s->dot == s->done * squares;
}

const native_way native_turns = {
    .name = "turns-omp", .open = open_turns, .run = run_turns, .check = check, .close = close_turns};
