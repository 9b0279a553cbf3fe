/* SPDX-License-Identifier: Apache-2.0 */
/* An OpenMP region that does nothing. */
#include "way.h"

enum { ITEMS = 1024 };

static char nothing;

static void *open_region(const uint64_t parameters[NATIVE_PARAMETERS])
{
    (void)parameters;
    return &nothing;
}

static void close_region(void *state)
{
    (void)state;
}

static void run_region(void *state, size_t repetitions)
{
    (void)state;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel
        __asm__ volatile("" ::: "memory");
    }
}

static void run_items(void *state, size_t repetitions)
{
    (void)state;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < ITEMS; ++i)
            __asm__ volatile("" ::: "memory");
    }
}

const native_way native_empty_region = {
    .name = "omp-parallel", .open = open_region, .run = run_region, .close = close_region};
const native_way native_empty_items = {.name = "omp-for", .open = open_region, .run = run_items, .close = close_region};
