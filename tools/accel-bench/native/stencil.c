/* SPDX-License-Identifier: Apache-2.0 */
/* A stencil in tiles, of which each of OpenMP's threads takes its part. */
#include "../kernels/stencil.h"

#include <stdlib.h>

#include "way.h"

typedef struct stencil_state {
    double *from, *to;
    bool has_run;
} stencil_state;

static void close_stencil(void *state)
{
    stencil_state *s = state;
    native_release(s->from);
    native_release(s->to);
    free(s);
}

static void *open_stencil(const uint64_t parameters[NATIVE_PARAMETERS])
{
    (void)parameters;
    stencil_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (stencil_state){.from = native_allocate(STENCIL_POINTS, sizeof(double)),
                         .to = native_allocate(STENCIL_POINTS, sizeof(double))};
    if (s->from == NULL || s->to == NULL) {
        close_stencil(s);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < STENCIL_POINTS; ++i) {
        s->from[i] = stencil_start(i);
        s->to[i] = 0;
    }
    return s;
}

static __attribute__((noinline)) void all_tiles(const double *from, double *to)
{
#pragma omp parallel for schedule(static)
    for (size_t tile = 0; tile < STENCIL_TILES; ++tile)
        stencil_tile(tile, from, to);
}

static void run_stencil(void *state, size_t repetitions)
{
    stencil_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        all_tiles(s->from, s->to);
    s->has_run = true;
}

static bool check(void *state)
{
    const stencil_state *s = state;
    for (size_t i = STENCIL_PITCH; s->has_run && i < STENCIL_POINTS - STENCIL_PITCH; ++i)
        if (s->to[i] != (stencil_is_inside(i) ? stencil_point(s->from + i) : 0))
            return false;
    return true;
}

const native_way native_stencil = {
    .name = "stencil-omp", .open = open_stencil, .run = run_stencil, .check = check, .close = close_stencil};
