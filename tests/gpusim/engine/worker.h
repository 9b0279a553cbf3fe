/* SPDX-License-Identifier: Apache-2.0 */
/* The thread of a stream. */
#ifndef GPUSIM_WORKER_H
#define GPUSIM_WORKER_H

#include "stream.h"

/* Starts it unless it runs. False if there can be no more threads. With the engine's lock held. */
bool sim_worker_start(sim_stream *);
/* The stream never goes on (a hang on request); the device may be lost meanwhile. Without the lock. */
void sim_worker_hang(const sim_stream *);

#endif
