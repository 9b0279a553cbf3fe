/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of time: what calls, host functions and copies take on a machine with a GPU, as published. It works in
 * programs with a virtual clock (../time/clock.h); in all others these functions do nothing.
 */
#ifndef GPUSIM_TIMING_H
#define GPUSIM_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the bytes of a copy go. */
typedef enum sim_way { SIM_WAY_TO_DEVICE, SIM_WAY_TO_HOST, SIM_WAY_OTHER, SIM_WAY_COUNT } sim_way;

/* A call of the driver by the calling thread. Without the engine's lock. */
void sim_time_call(const char *function);
/* The calling thread is a stream's. */
void sim_time_stream(void);
/* A copy of the stream's: the link of a device carries one per direction at a time. Pageable: the driver goes through pinned memory
 * of its own. */
void sim_time_copy(unsigned device, sim_way, size_t bytes, bool pageable);
/* Around a host function, which is a thread's of the host. */
void sim_time_begin_function(void);
void sim_time_end_function(void);
/* The thread has slept until the device was done. */
void sim_time_interrupt(bool sleeps);

#endif
