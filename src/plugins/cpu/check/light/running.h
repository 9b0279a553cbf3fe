/* SPDX-License-Identifier: Apache-2.0 */
/* The launch whose kernel's light version runs. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_RUNNING_H
#define ACCEL_CPU_CHECK_RUNNING_H

#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/fiber/fiber_pool.h"

typedef struct check_running {
    const cpu_launch *launch; /* with the light version's descriptor */
    const char *stack;        /* of the thread: above the kernel's frames */
    cpu_fiber_pool *pool;     /* NULL: no fibers */
    check_range slab;         /* of its stacks */
    size_t block;
} check_running;
extern check_running check_light;

#endif
