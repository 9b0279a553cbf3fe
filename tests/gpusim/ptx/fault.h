/* SPDX-License-Identifier: Apache-2.0 */
/* How a fault of a thread ends its grid: a jump to where the grid was begun, by this thread of the process. */
#ifndef PTX_FAULT_H
#define PTX_FAULT_H

#include "kernel/grid.h"
#include "kernel/trap.h"
#include "thread.h"

typedef struct ptx_fault_exit {
    gpusim_escape escape; /* the caller's sigsetjmp */
    gpusim_fault *fault;  /* filled in, but after signals */
} ptx_fault_exit;

void ptx_fault_begin(ptx_fault_exit *);
void ptx_fault_end(void);
/* After a signal, with the thread that ran. */
void ptx_fault_signalled(const ptx_thread *);

#endif
