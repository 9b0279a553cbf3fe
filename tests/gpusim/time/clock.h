/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual time for a whole program: the machine on which the simulated driver's model of time (engine/timing.c) runs.
 *
 * clock.c is linked into a test's program and takes the place of libc's functions that wait, wake, sleep, start threads,
 * tell the time and copy memory. Every thread has a time of its own. One thread runs at a time, the one whose time is the
 * least; what it does between two calls takes none. So a run is the same every time, on any machine, and its times are
 * those of the model.
 *
 * Left out: CPUs are as many as threads, and no thread loses its own.
 */
#ifndef GPUSIM_CLOCK_H
#define GPUSIM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Of the model; sources in docs/notebook/gpu.md. */
enum {
    CLOCK_COPY_BANDWIDTH = 12,   /* GB/s: memcpy by one thread */
    CLOCK_MEMORY_BANDWIDTH = 60, /* GB/s: memcpy by all threads */
    CLOCK_WAKE_NS = 5000,        /* from waking a thread until it runs */
    CLOCK_SIGNAL_NS = 1000,      /* for the thread that wakes another */
    CLOCK_CREATE_NS = 15000,     /* for the thread that starts another */
    CLOCK_TIME_NS = 50           /* asking for the time, with the work between two such questions */
};

#define CLOCK_EXPORT __attribute__((visibility("default")))

/* The calling thread's time. */
CLOCK_EXPORT uint64_t gpusim_clock_now(void);
/* The calling thread works until then. */
CLOCK_EXPORT void gpusim_clock_work_until(uint64_t time);
/* The calling thread plays hardware: it wakes at once, and copies of memory take it no time. */
CLOCK_EXPORT void gpusim_clock_play_hardware(bool);

#endif
