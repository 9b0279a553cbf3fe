/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that counts how often each of its blocks runs, for tests of executors. */
#ifndef CPU_MARKS_H
#define CPU_MARKS_H

#include "cpu_engine.h"

enum { MARK_THREADS = 16 };

typedef struct marks {
    _Atomic uint32_t *counts;             /* of each block */
    uint32_t nap_us;                      /* of some blocks */
    uint32_t turns;                       /* of an empty loop */
    _Atomic int ran[MARK_THREADS];        /* threads that took part, as far as there is room */
    void (*also)(struct marks *, size_t); /* for each block; NULL: nothing */
    void *user;                           /* of `also` */
} marks;

extern cpu_settings marks_settings;
extern accel_descriptor marks_kernel; /* its argument is a pointer to marks */
void marks_init(void);

/* The executor of a device on all CPUs, with launches of so many threads if it obeys ACCEL_CPU_THREADS. */
cpu_executor *marks_executor(const cpu_executor *like, uint32_t units);
accel_status marks_run(cpu_executor *, const accel_descriptor *, uint32_t blocks, uint32_t threads, const void *args,
                       const cpu_settings *, cpu_scratch *);
void marks_check(const marks *, uint32_t blocks, uint32_t times);
/* So many launches with marks of their own, checked. */
void marks_launch(cpu_executor *, uint32_t blocks, uint32_t times, marks like, cpu_scratch *);
/* How many threads took part. */
uint32_t marks_threads(const marks *);

/* A thread kernel: all threads of a block meet twice. Counts threads per block. */
void marks_fibers(const accel_thread_context *, const void *args);

#endif
