/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of thread kernels that use more than their stack. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_OVERFLOW_H
#define ACCEL_CPU_CHECK_OVERFLOW_H

#include <stdbool.h>

struct cpu_fiber_pool;

/* One has: reports it, with the line of the kernel's code that it was at. The launch is over. */
void check_stack_overflowed(const struct cpu_fiber_pool *pool);
/* Of an address among the stacks: is it between two, where no thread may touch anything? */
bool check_stack_guards(const void *p);

#endif
