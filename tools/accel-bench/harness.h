/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a number is made. Machines drift: clocks change, other tenants come and go, memory is near or far. So the native
 * way and ours take turns many times in one run, in an order that alternates, and what counts is the median of the
 * ratios of neighbours. A sample repeats its operation until it lasts long enough for the clock.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics.h"

/* Does the operation so many times; *nanoseconds is what they took together. False after a message: it failed. */
typedef bool (*bench_sample)(void *state, size_t repetitions, double *nanoseconds);

/* One way of doing something. */
typedef struct bench_way {
    bench_sample sample;
    void *state;
    spread nanoseconds; /* of one operation: result of harness_run */
    double ratio;       /* median of (the first way's time / this one's): above 1, this one is faster. Likewise */
} bench_way;

typedef struct bench_plan {
    size_t rounds;         /* samples of each way */
    size_t fewest_rounds;  /* where a round takes long, down to so many ... */
    double case_seconds;   /* ... so that all take about so long */
    double sample_seconds; /* the shortest sample worth timing */
} bench_plan;

enum { HARNESS_MOST_WAYS = 4 };

/* Times all ways, the first being what the others are compared with. False: one of them failed, or no memory. */
bool harness_run(const bench_plan *, bench_way *ways, size_t count);

#endif
