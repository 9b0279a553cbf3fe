/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cases share. A case describes a row as a bench_contest and adds the native ways (by name, see native/way.h),
 * then libaccel's. bench_run times them in turns, checks the native results and reports. The case checks libaccel's
 * results itself, before and after.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <accel/accel.h>

#include "harness.h"
#include "process.h"
#include "report/report.h"

enum bench_program {
    BENCH_C,       /* C and OpenMP, for the kernel target of the device; parallel ways with as many threads as it has */
    BENCH_ACTIVE,  /* the same, told that idle threads poll: its ways are called "... active" */
    BENCH_PASSIVE, /* the same, told that idle threads sleep at once: "... passive" */
    BENCH_FREE,    /* the same, with threads that are not bound to CPUs: for ways that make their own */
    BENCH_BLAS,    /* OpenBLAS, likewise */
    BENCH_PROGRAMS
};

typedef struct bench_contest bench_contest;

typedef struct bench {
    accel_instance *instance;
    accel_device *device; /* borrowed from the instance */
    accel_device_properties about;
    bench_plan plan;
    bool quick;  /* small sizes: shows only that everything works */
    bool itself; /* the best native way, opened once more, stands in libaccel's place */
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
    uint64_t pause_nanoseconds; /* in which it computes, before each operation; 0: none */
    bool counts_cpu;
    uint32_t latest_of; /* the longest of so many operations counts; 0: each does */
    native_request opened_by;
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
    uint64_t pause_nanoseconds; /* in which a native way computes before each operation */
    bool counts_cpu;            /* a native way's time is CPU time of all its threads, pauses included */
    uint32_t latest_of;         /* a native way's time is the longest of so many; 0: of each */
    size_t most_rounds;         /* where samples are expensive; 0: as many as the plan has */

    bench_way ways[HARNESS_MOST_WAYS]; /* ours comes last */
    size_t count;
    bench_native natives[HARNESS_MOST_WAYS];
};

/* Looks for kernels beside the program and in the installation. device NULL: libaccel's choice. Returns false after a
 * message. */
bool bench_open(bench *, const char *device);
void bench_close(bench *);

/* Returns true for ACCEL_OK; otherwise prints a message with libaccel's text and returns false. */
bool bench_check(const char *what, accel_status);

/* Loads a library and finds its kernel. The caller releases *module, also when this fails. */
bool bench_load(const bench *, const char *library, const char *kernel, accel_module **module, accel_kernel **);
/* Do the device's plain buffers lie in memory that the host reads and writes? Cases that look into them need it. */
bool bench_has_host_memory(const bench *);

/* Adds a native way; parameters may be NULL. A way that was not built is left out. Returns false after a message. */
bool bench_add_native(bench *, bench_contest *, enum bench_program, const char *way, const uint64_t *parameters);
/* Adds a way of this process: a native one that cannot live elsewhere, or libaccel's, which comes last. */
bench_way *bench_add_way(bench_contest *, const char *name, bench_sample, void *state);
/* Times all ways, checks the native results, and adds the row if `valid` (NULL: nothing to check) says that libaccel's
 * result is right, too. Closes the native ways, also when it fails. */
bool bench_run(bench *, bench_contest *, bool (*valid)(void *state), void *state);

/* Closes the native ways; for cases that run the harness themselves. Returns false after a message. */
bool bench_finish(bench_contest *);

/* Measures one signal there and back between two threads, in ns. 0: it cannot be measured here. */
double bench_signal(bench *);

#endif
