/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every case works with. A case describes a row as a bench_contest, adds the native ways (by name, see
 * native/way.h), then its own, and lets bench_run time them in turns, check the native results, and report. Its own
 * results it checks itself, before and after.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <accel/accel.h>

#include "harness.h"
#include "process.h"
#include "report.h"

enum bench_program {
    BENCH_C,       /* C and OpenMP, for the kernel target of the device; parallel ways with as many threads as it has */
    BENCH_PASSIVE, /* the same, told that idle threads sleep at once */
    BENCH_FREE,    /* the same, with threads that are not bound to CPUs: for ways that make their own */
    BENCH_BLAS,    /* OpenBLAS, likewise */
    BENCH_PROGRAMS
};

typedef struct bench_contest bench_contest;

typedef struct bench {
    accel_instance *instance;
    accel_device *device; /* lent by the instance */
    accel_device_properties about;
    bench_plan plan;
    bool quick; /* sizes are to be small: only that all works is to be seen */
    bench_report report;
    const char *case_name; /* that runs */
    char beside[4096];     /* directory of this program, and of kernels and native programs in a build tree */
    char directory[8192];  /* where an installation has those */
    char target[64];       /* of the kernels, as accelcc names it */
    bench_process processes[BENCH_PROGRAMS];
    bool missing[BENCH_PROGRAMS];
    bench_contest *probe; /* of one signal */
} bench;

/* A native way in another process. */
typedef struct bench_native {
    const bench_process *process;
    uint32_t handle;
    uint64_t pause_nanoseconds; /* before each operation; 0: none */
} bench_native;

struct bench_contest {
    /* The case's to fill in. */
    const char *name; /* of the row */
    enum bench_measure measure;
    double amount;       /* bytes, floating-point operations or others of one operation; not for times */
    enum goal_kind goal; /* and, in report.h's words, its value */
    double goal_value;
    const char *goal_device; /* backend for which the goal holds; NULL: all */
    double bytes, flops;     /* of one operation, for the roofline; 0: not on it */
    const char *series;      /* curve over `size`, or NULL */
    double size;
    uint64_t pause_nanoseconds; /* before each operation of a native way; with `cold` and `repetitions` of its own */

    bench_way ways[HARNESS_MOST_WAYS]; /* ours comes last */
    size_t count;
    bench_native natives[HARNESS_MOST_WAYS];
};

/* Finds kernels, looked for beside the program and where the installation has them. device NULL: libaccel's choice. False
 * after a message. */
bool bench_open(bench *, const char *device);
void bench_close(bench *);

/* True for ACCEL_OK; else a message with libaccel's words, and false. */
bool bench_check(const char *what, accel_status);

/* A library's kernel. *module is the caller's to release, also when this fails. */
bool bench_load(const bench *, const char *library, const char *kernel, accel_module **module, accel_kernel **);
/* Do the device's plain buffers lie in memory that the host reads and writes? Cases that look into them need it. */
bool bench_has_host_memory(const bench *);

/* A native way; parameters may be NULL. It is left out where it was not built: the row then has one less beside it. False
 * after a message. */
bool bench_add_native(bench *, bench_contest *, enum bench_program, const char *way, const uint64_t *parameters);
/* A way of this process: a native one that cannot live elsewhere, and ours, which comes last. */
bench_way *bench_add_way(bench_contest *, const char *name, bench_sample, void *state);
/* Times all ways, checks the native results and adds the row, if `valid` (NULL: there is nothing to look at) says that
 * ours is right too. Closes the native ways, also when it fails. */
bool bench_run(bench *, bench_contest *, bool (*valid)(void *state), void *state);

/* Closes the native ways; for whoever runs the harness itself. False after a message. */
bool bench_finish(bench_contest *);

/* One signal there and back between two threads, in ns, now. 0: it cannot be measured here. */
double bench_signal(bench *);

#endif
