/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of a CPU's queue that carry their times: the backend takes them, without commands before and behind. */
#ifndef ACCEL_CORE_LAUNCHES_H
#define ACCEL_CORE_LAUNCHES_H

#include "core/tools/timing.h"

/* Is a launch submitted by accel_launches_submit, and not between accel_timing_start and accel_timing_stop? */
bool accel_launches_are_watched(const watch_timeline *);
accel_status accel_launches_submit(watch_timeline *, watch_span *, accel_impl_kernel *, const accel_work *,
                                   const void *args);
/* The queue ends; the launches that are under way are told. Before accel_timing_end. */
void accel_launches_end(watch_timeline *);

#endif
