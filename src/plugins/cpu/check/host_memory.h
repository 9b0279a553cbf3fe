/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the program that no buffer has. Kernels of CPUs reach it by its address, those of GPUs do not. Memory that the
 * program has wrapped once, or that another backend allocated, stays known: launches that are pending may use it after the
 * buffer has ended.
 *
 * Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_HOST_MEMORY_H
#define ACCEL_CPU_CHECK_HOST_MEMORY_H

#include <accel/plugin.h>
#include <stdbool.h>

struct cpu_launch; /* plugins/cpu/dispatch/launch.h */

/* A buffer has this memory, which cpu-check did not allocate. */
void check_host_memory_know(const accel_memory_view *);
/* A launch begins. NULL: it is over. */
void check_host_memory_launch(const struct cpu_launch *);
/* Of memory that is in no buffer of cpu-check's, on no stack and in no shared array: is it the program's, and not the launch's?
 * `place` is in the kernel's code. Copies and fills may touch any. */
bool check_host_memory_is(const void *p, const void *place);

#endif
