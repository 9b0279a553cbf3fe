/* SPDX-License-Identifier: Apache-2.0 */
/* The results: a table for people, JSON for programs, an HTML page with plots. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <accel/accel.h>

#include <stdio.h>

#include "report/statistics.h"

/* What a row's numbers are. */
enum bench_measure {
    MEASURE_TIME,      /* nanoseconds of one operation: less is better */
    MEASURE_BANDWIDTH, /* GB/s */
    MEASURE_FLOPS,     /* GFLOP/s */
    MEASURE_RATE,      /* 10^9 of whatever a second */
    MEASURE_MEMORY     /* KiB: less is better */
};

enum goal_kind {
    GOAL_NONE,
    GOAL_AT_MOST,  /* our value */
    GOAL_AT_LEAST, /* our value */
    GOAL_RATIO,    /* to the best native way: of times at most, of the others at least */
    GOAL_MORE      /* our time: at most this much more than the best native way's */
};

enum { REPORT_MOST_NATIVES = 4 };

typedef struct bench_native_result {
    char name[32];
    spread value;
} bench_native_result;

typedef struct bench_result {
    const char *case_name;
    char name[64];
    enum bench_measure measure;
    spread ours;
    double nanoseconds; /* ours, median, of one operation */
    size_t native_count;
    bench_native_result natives[REPORT_MOST_NATIVES];
    /* Ours to the best of them: of times, or of rates. */
    size_t best;
    double ratio_of_medians;
    spread ratio; /* round by round */
    enum goal_kind goal;
    double goal_value;
    size_t rounds;
    double signal; /* ns of one signal there and back between two threads, measured beside this row; 0: not known */
    /* For the plots; 0 and NULL where it has no place. */
    double bytes, flops; /* of one operation: roofline */
    const char *series;  /* curve over `size` bytes */
    double size;
} bench_result;

/* What the machine's native programs reach: the roofs of the roofline. 0: not known. */
typedef struct bench_roof {
    double flops, bandwidth; /* GFLOP/s, GB/s */
} bench_roof;

typedef struct bench_report {
    bool json;
    const char *html; /* path, or NULL */
    FILE *page;       /* open for it, or NULL */
    accel_device_properties device;
    bool simulated; /* the device: its times mean nothing */
    bool quick;     /* small sizes and few samples: its times mean little */
    bool itself;    /* `ours` is the best native way once more */
    bench_roof roof;
    double signal; /* at the beginning */
    bench_result *results;
    size_t count, capacity;
    size_t goals, reached; /* of the results with a goal, and reached */
} bench_report;

/* Opens the page, before anything is measured in vain. Returns false after a message. */
bool report_open(bench_report *);
/* Prints what was measured where; in the table's case, its head too. Returns false after a message. */
bool report_begin(bench_report *);
/* Keeps the row and prints it at once, so that a long run shows its progress. Returns false if there is no memory. */
bool report_add(bench_report *, const bench_result *);
/* Also writes the page. Returns false after a message. */
bool report_end(bench_report *);
void report_free(bench_report *);

/* report_html.c: false if the stream failed. */
bool report_write_html(const bench_report *, FILE *);

const char *report_unit(enum bench_measure);
bool report_less_is_better(enum bench_measure);
/* Are goals judged? Not where times do not mean what the goals do. */
bool report_judges(const bench_report *);
/* Is there a goal, and is it reached? */
bool report_goal_met(const bench_result *);

#endif
