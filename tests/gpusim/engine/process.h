/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's process, from the program's side. It lives until its control socket is closed, however the program ends.
 * Requests may be made from any thread, whether or not it holds the engine's lock.
 */
#ifndef GPUSIM_PROCESS_H
#define GPUSIM_PROCESS_H

#include "status.h"
#include "wire.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct sim_process {
    pid_t pid; /* 0: not started */
    int control;
    pthread_mutex_t lock; /* of the control socket */
} sim_process;

/* Starts it beside this library, with `memory` mapped at `base`, nothing of it accessible. */
sim_status sim_process_start(sim_process *, int memory, uintptr_t base, size_t size);
/* Ends it and waits for that. */
void sim_process_stop(sim_process *);
/* One request, with a file or -1. False if it failed; answer->text says why. */
bool sim_process_ask(sim_process *, const wire_request *, int file, wire_answer *);
/* A new lane: a socket; -1 on failure. */
int sim_process_lane(sim_process *);
/* One launch over a lane. False if the process is gone. */
bool sim_process_launch(int lane, const wire_launch *, wire_fault *);
/* A file without a name, of that many bytes, none of which takes memory yet; -1 on failure. */
int sim_file_new(const char *name, size_t size);

#endif
