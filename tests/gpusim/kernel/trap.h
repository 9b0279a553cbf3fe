/* SPDX-License-Identifier: Apache-2.0 */
/* Signals of a thread that interprets a kernel, as they are raised by its loads and stores. */
#ifndef GPUSIM_TRAP_H
#define GPUSIM_TRAP_H

#include <setjmp.h>
#include <signal.h>

typedef struct gpusim_escape {
    sigjmp_buf place; /* set by sigsetjmp(place, 0); a signal comes out of it as 2 */
    volatile sig_atomic_t signal;
    void *volatile address;
} gpusim_escape;

/* From now on the calling thread's signals go there; NULL: no more. */
void gpusim_trap_enter(gpusim_escape *);

#endif
