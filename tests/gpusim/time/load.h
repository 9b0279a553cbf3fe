/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of the simulated driver a program takes. load.c is linked into a test's program beside clock.c; the driver
 * (engine/load.c) tells it. One thread runs at a time there, so nothing is locked.
 */
#ifndef GPUSIM_LOAD_H
#define GPUSIM_LOAD_H

#include "clock.h"

#include <stddef.h>

typedef enum gpusim_load {
    GPUSIM_LOAD_PINNED,   /* bytes of pinned memory */
    GPUSIM_LOAD_COMMANDS, /* that were submitted and are not done, of all streams */
    GPUSIM_LOADS
} gpusim_load;

CLOCK_EXPORT void gpusim_load_change(gpusim_load, ptrdiff_t by);
/* The most at a time since gpusim_load_forget, or the beginning. */
CLOCK_EXPORT size_t gpusim_load_most(gpusim_load);
CLOCK_EXPORT void gpusim_load_forget(void);

#endif
