/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way into the engine. Every function of a driver is
 *
 *     sim_begin("cuMemAlloc_v2");
 *     sim_status status = sim_enter("cuMemAlloc_v2");
 *     return translated(status != SIM_OK ? status : sim_leave(sim_memory_allocate(...)));
 *
 * Between enter and leave the engine's one lock is held; what waits gives it up meanwhile.
 */
#ifndef GPUSIM_ENTRY_H
#define GPUSIM_ENTRY_H

#include "status.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct sim_engine {
    pthread_mutex_t lock;    /* of everything in the engine */
    pthread_cond_t progress; /* an operation of some stream is done */
    bool initialized;
    bool ended;   /* by GPUSIM_EXIT: every call fails */
    bool stopped; /* the process is at its end: no stream begins anything more */
} sim_engine;

extern sim_engine sim_engine_here;

/* First of all, in every function: settings and faults are read, once. */
void sim_begin(const char *function);
/* Takes the lock, unless the call fails: in a host function, in the child of a fork, before initialisation, at the end. */
sim_status sim_enter(const char *function);
/* The same for the functions that work before initialisation. */
sim_status sim_enter_early(const char *function);
sim_status sim_leave(sim_status);

/* cuInit, hipInit; the lock is held. `*result` is the driver's own code where GPUSIM_INIT asks for one. */
sim_status sim_initialize(int *result);

#endif
