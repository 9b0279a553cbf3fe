/* SPDX-License-Identifier: Apache-2.0 */
/* What a driver keeps per thread. */
#ifndef GPUSIM_THREAD_H
#define GPUSIM_THREAD_H

#include <stdbool.h>

struct sim_context;

#define SIM_CONTEXT_STACK 32

typedef struct sim_thread {
    const char *function;                         /* of the driver, in progress or the last one */
    struct sim_context *stack[SIM_CONTEXT_STACK]; /* the top is current; an entry may be NULL */
    unsigned depth;
    bool inside; /* a host function of a stream */
    int device;  /* HIP's current one */
} sim_thread;

extern _Thread_local sim_thread sim_thread_here;

#endif
