/* SPDX-License-Identifier: Apache-2.0 */
/* What every case works with: the device, the plan, the report, and short ways to kernels and buffers. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <accel/accel.h>

#include "harness.h"
#include "report.h"

typedef struct bench {
    accel_instance *instance;
    accel_device *device; /* lent by the instance */
    accel_device_properties about;
    bench_plan plan;
    bench_report report;
} bench;

/* Finds kernels, looked for beside the program and where the installation has them. False after a message. */
bool bench_open(bench *, const char *device);
void bench_close(bench *);

/* True for ACCEL_OK; else a message with libaccel's words, and false. */
bool bench_check(const char *what, accel_status);

/* A library's kernel. *module is the caller's to release, also when this fails. */
bool bench_load(const bench *, const char *library, const char *kernel, accel_module **module, accel_kernel **);
/* Do the device's plain buffers lie in memory that the host reads and writes? The native ways need it. */
bool bench_has_host_memory(const bench *);

/* A row in nanoseconds of one operation, without and with a native way beside ours. */
void bench_add_time(bench *, const char *name, const bench_way *ours, enum goal_kind, double goal);
void bench_add_comparison(bench *, const char *name, const bench_way *native, const bench_way *ours, enum goal_kind,
                          double goal);

#endif
