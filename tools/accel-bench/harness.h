/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a number is made. Machines drift: clocks change, other tenants come and go, memory is near or far. So the native
 * ways and libaccel take turns many times in one run, in alternating order. Before its turn each waits until the
 * threads of the others sleep, and warms up. A sample repeats its operation until it lasts long enough for the clock.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "report/statistics.h"

/* Repeats the operation; *nanoseconds is the total time. Returns false after a message if it failed. */
typedef bool (*bench_sample)(void *state, size_t repetitions, double *nanoseconds);

/* One way of doing something. */
typedef struct bench_way {
    char name[32];
    bench_sample sample;
    void *state;
    size_t repetitions; /* of a sample; 0: as many as the plan's time asks for */
    size_t operations;  /* timed ones in each repetition, if they are more than 1 */
    bool cold;          /* it is to be found asleep: no warming up */
    spread nanoseconds; /* of one operation: result of harness_run */
    spread ratio;       /* of the last way's time to this one's, round by round. Likewise */
} bench_way;

typedef struct bench_plan {
    size_t rounds;         /* samples of each way */
    size_t fewest_rounds;  /* where a round takes long, down to so many ... */
    double case_seconds;   /* ... so that all take about so long */
    double sample_seconds; /* the shortest sample worth timing */
    double warm_seconds;   /* before it */
    bool settles;          /* wait for threads to sleep? */
} bench_plan;

enum { HARNESS_MOST_WAYS = 5 }; /* ours and REPORT_MOST_NATIVES */

/* Times all ways, whose threads are those of the given processes. *rounds is the number of rounds. Returns false if a
 * way failed or there is no memory. */
bool harness_run(const bench_plan *, const pid_t *processes, size_t process_count, bench_way *ways, size_t count,
                 size_t *rounds);

#endif
