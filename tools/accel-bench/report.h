/* SPDX-License-Identifier: Apache-2.0 */
/* What the cases found, as a table for people or as JSON for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <accel/accel.h>

#include "statistics.h"

enum goal_kind {
    GOAL_NONE,
    GOAL_AT_MOST,       /* our value */
    GOAL_AT_LEAST,      /* our value */
    GOAL_RATIO_AT_LEAST /* our speed relative to the native one's */
};

typedef struct bench_result {
    char name[64];
    const char *unit; /* "ns" or "GFLOP/s" */
    spread ours;
    bool has_native;
    spread native;
    double ratio; /* our speed relative to the native one's: 1 is as fast, 0.5 takes twice as long */
    enum goal_kind goal;
    double goal_value;
} bench_result;

typedef struct bench_report {
    bool json;
    size_t count;          /* results so far */
    size_t goals, reached; /* of them with a goal, and reached */
} bench_report;

/* Prints what was measured where; in the table's case, its head too. */
void report_begin(bench_report *, const accel_device_properties *);
/* Prints the row at once, so that a long run shows its progress. */
void report_add(bench_report *, const bench_result *);
void report_end(bench_report *);

/* Is there a goal, and is it reached? */
bool report_goal_met(const bench_result *);

#endif
