/* SPDX-License-Identifier: Apache-2.0 */
/* The forces of particles on each other with OpenMP: each particle's as sums over the others, or those of a tile of particles, as the
 * kernel does it; with exponentials as they are called by themselves, and by the C library's vector functions. Parameter 0 is n. */
#include <math.h>
#include <stdlib.h>

#include "../cases/pairs_values.h"
#include "../kernels/bench_kernels.h"
#include "../kernels/pairs.h"
#include "way.h"

typedef struct pairs_state {
    size_t n;
    float *position, *force;
} pairs_state;

static void close_pairs(void *state)
{
    pairs_state *s = state;
    native_release(s->position);
    native_release(s->force);
    free(s);
}

static void *open_pairs(const uint64_t parameters[NATIVE_PARAMETERS])
{
    const size_t n = parameters[0];
    pairs_state *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (pairs_state){
        .n = n, .position = native_allocate(3 * n, sizeof(float)), .force = native_allocate(3 * n, sizeof(float))};
    if (s->position == NULL || s->force == NULL) {
        close_pairs(s);
        return NULL;
    }
    for (size_t axis = 0; axis < 3; ++axis) {
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < n; ++i) {
            s->position[axis * n + i] = pairs_position(axis, i);
            s->force[axis * n + i] = 0;
        }
    }
    return s;
}

static bool check(void *state)
{
    const pairs_state *s = state;
    return pairs_are_right(s->n, s->force);
}

/* The pointers are locals, so that the compiler knows that no store changes them. */
#define PAIRS(name, exponential)                                                                                       \
    static __attribute__((noinline)) void name(size_t n, const float *x, const float *y, const float *z, float *force) \
    {                                                                                                                  \
        _Pragma("omp parallel for schedule(static)") for (size_t i = 0; i < n; ++i)                                    \
        {                                                                                                              \
            const float at_x = x[i], at_y = y[i], at_z = z[i];                                                         \
            float fx = 0, fy = 0, fz = 0;                                                                              \
            _Pragma("omp simd reduction(+ : fx, fy, fz)") for (size_t j = 0; j < n; ++j)                               \
            {                                                                                                          \
                const float dx = at_x - x[j], dy = at_y - y[j], dz = at_z - z[j];                                      \
                const float r = pair_distance(dx, dy, dz), factor = pair_factor(r, exponential(-r));                   \
                fx += factor * dx;                                                                                     \
                fy += factor * dy;                                                                                     \
                fz += factor * dz;                                                                                     \
            }                                                                                                          \
            force[i] = fx;                                                                                             \
            force[n + i] = fy;                                                                                         \
            force[2 * n + i] = fz;                                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    static void run_##name(void *state, size_t repetitions)                                                            \
    {                                                                                                                  \
        pairs_state *s = state;                                                                                        \
        const float *x = s->position, *y = x + s->n, *z = y + s->n;                                                    \
        for (size_t r = 0; r < repetitions; ++r)                                                                       \
            name(s->n, x, y, z, s->force);                                                                             \
    }

/* Sums of a tile stay in the first-level cache, and in registers for some of the others at a time. */
#define TILES(name, exponential)                                                                                       \
    static __attribute__((noinline)) void name(size_t n, const float *x, const float *y, const float *z, float *force) \
    {                                                                                                                  \
        enum { AT_ONCE = 4 };                                                                                          \
        _Pragma("omp parallel for schedule(static)") for (size_t mine = 0; mine < n; mine += PAIR_TILE)                \
        {                                                                                                              \
            float fx[PAIR_TILE] = {0}, fy[PAIR_TILE] = {0}, fz[PAIR_TILE] = {0};                                       \
            for (size_t j = 0; j < n; j += AT_ONCE)                                                                    \
                _Pragma("omp simd") for (size_t t = 0; t < PAIR_TILE; ++t) for (size_t k = 0; k < AT_ONCE; ++k)        \
                {                                                                                                      \
                    const float dx = x[mine + t] - x[j + k], dy = y[mine + t] - y[j + k], dz = z[mine + t] - z[j + k]; \
                    const float r = pair_distance(dx, dy, dz), factor = pair_factor(r, exponential(-r));               \
                    fx[t] += factor * dx;                                                                              \
                    fy[t] += factor * dy;                                                                              \
                    fz[t] += factor * dz;                                                                              \
                }                                                                                                      \
            for (size_t t = 0; t < PAIR_TILE; ++t) {                                                                   \
                force[mine + t] = fx[t];                                                                               \
                force[n + mine + t] = fy[t];                                                                           \
                force[2 * n + mine + t] = fz[t];                                                                       \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void run_##name(void *state, size_t repetitions)                                                            \
    {                                                                                                                  \
        pairs_state *s = state;                                                                                        \
        const float *x = s->position, *y = x + s->n, *z = y + s->n;                                                    \
        for (size_t r = 0; r < repetitions; ++r)                                                                       \
            name(s->n, x, y, z, s->force);                                                                             \
    }

#define WAY(symbol, text, runs)                                                                                        \
    const native_way symbol = {.name = text, .open = open_pairs, .run = runs, .check = check, .close = close_pairs}

PAIRS(pairs, expf)
WAY(native_pairs, "pairs-omp", run_pairs);

#if defined(NATIVE_MVEC) && !defined(__clang__)
/* As in mathematics.c. */
__attribute__((simd("notinbranch"), const)) float vector_expf(float) __asm__("expf");
PAIRS(vector_pairs, vector_expf)
TILES(vector_tiles, vector_expf)
WAY(native_vector_pairs, "pairs-libmvec-omp", run_vector_pairs);
WAY(native_vector_tiles, "pairs-tiles-libmvec-omp", run_vector_tiles);
#endif
