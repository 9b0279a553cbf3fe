/* SPDX-License-Identifier: Apache-2.0 */
/* Two pieces of work at once; parameter 0: steps of each. And few heavy elements, which threads take one by one; parameters: how
 * many, steps of each, whether they differ, and by how many threads, which may be more than there are CPUs; 0: as many as there are. */
#include <omp.h>
#include <stdlib.h>

#include "../kernels/busy.h"
#include "way.h"

enum { BLOCKS = 2 };

typedef struct busy_state {
    uint64_t steps, value[BLOCKS];
} busy_state;

static void *open_busy(const uint64_t parameters[NATIVE_PARAMETERS])
{
    busy_state *s = calloc(1, sizeof *s);
    if (s != NULL)
        s->steps = parameters[0];
    return s;
}

static void run_busy(void *state, size_t repetitions)
{
    busy_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel for schedule(static)
        for (uint64_t block = 0; block < BLOCKS; ++block)
            s->value[block] = busy_value(block, s->steps);
    }
}

static bool check_busy(void *state)
{
    const busy_state *s = state;
    return s->value[0] == busy_value(0, s->steps) && s->value[1] == busy_value(1, s->steps);
}

const native_way native_busy = {
    .name = "omp-busy", .open = open_busy, .run = run_busy, .check = check_busy, .close = free};

typedef struct heavy_state {
    uint64_t elements, steps, uneven;
    int threads;
    uint64_t value[];
} heavy_state;

static void *open_heavy(const uint64_t parameters[NATIVE_PARAMETERS])
{
    heavy_state *s = calloc(1, sizeof *s + parameters[0] * sizeof s->value[0]);
    if (s != NULL) {
        s->elements = parameters[0];
        s->steps = parameters[1];
        s->uneven = parameters[2];
        s->threads = parameters[3] != 0 ? (int)parameters[3] : omp_get_max_threads();
    }
    return s;
}

static void run_heavy(void *state, size_t repetitions)
{
    heavy_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel for schedule(dynamic) num_threads(s->threads)
        for (uint64_t i = 0; i < s->elements; ++i)
            s->value[i] = busy_value(i, heavy_steps(i, s->steps, s->uneven));
    }
}

static bool check_heavy(void *state)
{
    const heavy_state *s = state;
    for (uint64_t i = 0; i < s->elements; ++i)
        if (s->value[i] != busy_value(i, heavy_steps(i, s->steps, s->uneven)))
            return false;
    return true;
}

const native_way native_heavy = {
    .name = "omp-dynamic", .open = open_heavy, .run = run_heavy, .check = check_heavy, .close = free};

static void run_static(void *state, size_t repetitions)
{
    heavy_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel for schedule(static) num_threads(s->threads)
        for (uint64_t i = 0; i < s->elements; ++i)
            s->value[i] = busy_value(i, heavy_steps(i, s->steps, s->uneven));
    }
}

const native_way native_crowd = {
    .name = "omp-crowd", .open = open_heavy, .run = run_static, .check = check_heavy, .close = free};
const native_way native_crowd_dynamic = {
    .name = "omp-crowd-dynamic", .open = open_heavy, .run = run_heavy, .check = check_heavy, .close = free};
