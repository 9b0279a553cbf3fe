/* SPDX-License-Identifier: Apache-2.0 */
/* The plots of the page, each a figure of inline SVG, or nothing where no row has a place in it. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdio.h>

#include "report/report.h"

/* A logarithmic axis from one power of ten to another, drawn between two places. */
typedef struct plot_axis {
    double low, high; /* values */
    double from, to;  /* places, in pixels; may run backwards */
} plot_axis;

/* Widens the range to whole powers of ten. */
plot_axis plot_axis_around(double least, double greatest, double from, double to);
double plot_place(const plot_axis *, double value);

/* Device and row names, as they may stand in HTML. */
void plot_text(FILE *, const char *);
/* "1.5k", "20M", "0.3": the value of a tick or a bar. */
void plot_number(FILE *, double value);

/* Times of rows that have a native way: libaccel's and the best native way's. */
void plot_latency(FILE *, const bench_report *);
/* A panel per series: bandwidth over size, libaccel's and the best native way's. */
void plot_bandwidth(FILE *, const bench_report *);
/* plot_roofline.c: GFLOP/s over operations per byte, under what the machine's native programs reach. */
void plot_roofline(FILE *, const bench_report *);

#endif
