/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <time.h>

/* Nanoseconds since some fixed moment. */
static inline double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Nanoseconds of CPU that this process has used. */
static inline double clock_cpu(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return 1e9 * (double)used.tv_sec + (double)used.tv_nsec;
}

/* Computes for so long, as a program does between launches. */
static inline void clock_compute(double nanoseconds)
{
    for (const double end = clock_now() + nanoseconds; clock_now() < end;)
        ;
}

#endif
