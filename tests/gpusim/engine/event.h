/* SPDX-License-Identifier: Apache-2.0 */
/* Events. A wait refers to the latest record at the time of the call. With the engine's lock held. */
#ifndef GPUSIM_EVENT_H
#define GPUSIM_EVENT_H

#include "stream.h"

#define SIM_EVENT_BLOCKING_SYNC 1u
#define SIM_EVENT_NO_TIMING 2u
#define SIM_EVENT_INTERPROCESS 4u

sim_status sim_event_create(unsigned flags, void **handle);
sim_status sim_event_destroy(void *handle);
sim_status sim_event_record(void *handle, void *stream);
sim_status sim_event_query(void *handle);
sim_status sim_event_synchronize(void *handle);
sim_status sim_event_elapsed(float *milliseconds, void *start, void *end);
sim_status sim_event_wait(void *stream, void *handle);
size_t sim_events_drop(sim_context *);

#endif
